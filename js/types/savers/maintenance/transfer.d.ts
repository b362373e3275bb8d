// SPDX-License-Identifier: MIT
import type { WeftSaver } from "../weft-saver.js";

/**
 * A thread's whole log as one file, the same in every runtime. BAD_ARGUMENT when there is no such
 * thread, or when a MemorySaver keeps its threads as LangGraph's does; DATA_LOSS; what the store
 * and a damaged log throw.
 */
export function exportThread(
  saver: WeftSaver,
  threadId: string,
  options?: ExportThreadOptions,
): Promise<Uint8Array>;

/** How a thread is exported. */
export interface ExportThreadOptions {
  /**
   * Of a thread whose log is damaged (CORRUPT_LOG, WRONG_THREAD, a broken seal's UNSEALED) or lost
   * its end (DATA_LOSS) the file holds what is before that, and this is told the error. Import it
   * under another `threadId`: it is an older state of the thread, of which later steps may have
   * run. If nothing is before the damage the error is thrown.
   */
  onDamage?: (error: unknown) => void;
}

/** How an exported thread is stored. */
export interface ImportThreadOptions {
  /**
   * Default: the id it was exported under. It must not be there yet (BAD_ARGUMENT), but where an
   * import of the same file was cut short and left DATA_LOSS: that one is ended.
   */
  threadId?: string;
  /** Largest file to take. Default 16 MiB. */
  maxBytes?: number;
}
/**
 * Stores an exported thread. Its history, its state and its open questions are there; an answer
 * that was given but not acted on is void, and asked for again: permission is not imported.
 * CORRUPT_LOG, LOG_FORMAT: nothing is stored.
 * @returns the thread's id
 */
export function importThread(
  saver: WeftSaver,
  file: Uint8Array,
  options?: ImportThreadOptions,
): Promise<string>;

/** As exportThread and importThread, without a file: into the same saver, or into `target`. */
export function copyThread(
  saver: WeftSaver,
  from: string,
  to: string,
  target?: WeftSaver,
): Promise<void>;

/**
 * All threads of a saver in one file: what to keep before a browser evicts the origin. A thread
 * that cannot be read (damage, DATA_LOSS) is told to `onError` and left out, also one whose very id
 * is damaged (`threadId` undefined); without `onError` the error, which names the thread or its
 * place, is thrown. `exportThread` with `onDamage` gives what is left of one.
 */
export function exportThreads(
  saver: WeftSaver,
  options?: { onError?: (error: unknown, threadId?: string) => void },
): Promise<Uint8Array>;

/**
 * Stores the threads of such a file, each as importThread does; those that are there already stay
 * as they are. All are read before any is stored: CORRUPT_LOG and LOG_FORMAT leave the saver as it
 * was.
 * @returns the ids of both
 */
export function importThreads(
  saver: WeftSaver,
  file: Uint8Array,
  options?: { maxBytes?: number },
): Promise<{ imported: string[]; present: string[] }>;
