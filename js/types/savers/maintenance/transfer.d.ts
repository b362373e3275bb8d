// SPDX-License-Identifier: MIT
import type { WeftSaver } from "../weft-saver.js";

/**
 * Exports a thread's whole log as one file, the same in every runtime. Rejects with BAD_ARGUMENT
 * when there is no such thread, or when a MemorySaver keeps its threads as plain objects; with
 * DATA_LOSS; with errors of the store and of a damaged log.
 * @param saver one of Weft's
 * @param threadId of the thread
 * @param options what happens with damage
 * @returns bytes of the file, for importThread of any saver
 * @throws BAD_ARGUMENT if there is no such thread, and the saver's errors
 */
export function exportThread(
  saver: WeftSaver,
  threadId: string,
  options?: ExportThreadOptions,
): Promise<Uint8Array>;

/** Options of exporting a thread. */
export interface ExportThreadOptions {
  /**
   * Receives the error of a thread whose log is damaged (CORRUPT_LOG, WRONG_THREAD, UNSEALED for a
   * broken seal) or truncated (DATA_LOSS); the file then contains the part before. Import it under
   * another `threadId`: it is an older state of the thread, whose later steps may have run. Without
   * such a part the error is thrown.
   * @param error a WeftError, with its `code`
   */
  onDamage?: (error: unknown) => void;
}

/** Options of importing a thread. */
export interface ImportThreadOptions {
  /**
   * Id of the new thread. Default: the exported id. The thread must not exist (BAD_ARGUMENT),
   * except as the result of an interrupted import of the same file (DATA_LOSS), which is completed.
   */
  threadId?: string;
  /** Maximum bytes of a file. Default 16 MiB. */
  maxBytes?: number;
}
/**
 * Stores an exported thread with its history, state and pending interrupts. An answer that was not
 * acted on is void and requested again: permissions are not imported. Rejects with CORRUPT_LOG or
 * LOG_FORMAT, storing nothing.
 * @param saver one of Weft's
 * @param file result of exportThread
 * @param options another id, and how long a file may be
 * @returns id of the thread
 * @throws BAD_ARGUMENT if the thread is there already or the file is too long, CORRUPT_LOG for what
 *   is no exported thread, and the saver's errors
 */
export function importThread(
  saver: WeftSaver,
  file: Uint8Array,
  options?: ImportThreadOptions,
): Promise<string>;

/**
 * Copies a thread like exportThread and importThread, without a file, into the same saver or
 * `target`.
 * @param from id of the thread
 * @param to id of the copy
 * @param saver that has the thread
 * @param target saver of the copy; default: the same
 * @throws BAD_ARGUMENT if there is no such thread, or one of the other id, and the saver's errors
 */
export function copyThread(
  saver: WeftSaver,
  from: string,
  to: string,
  target?: WeftSaver,
): Promise<void>;

/**
 * Exports all threads of a saver into one file, for example before a browser evicts the origin. An
 * unreadable thread (damage, DATA_LOSS) is left out and reported to `onError` (`threadId`
 * undefined: its id is damaged); without `onError` the error, which names the thread or its place,
 * is thrown. `exportThread` with `onDamage` exports the rest of one.
 * @param saver one of Weft's; its threads stay unchanged
 * @param options what happens with unreadable threads
 * @param options.onError called with the error of each unreadable thread and its id, while the
 *   others go on; without it the error ends the export
 * @returns bytes of the file, for importThreads of any saver; a saver without threads gives one too
 * @throws BAD_ARGUMENT for what is no saver of Weft, and the saver's errors
 */
export function exportThreads(
  saver: WeftSaver,
  options?: { onError?: (error: unknown, threadId?: string) => void },
): Promise<Uint8Array>;

/**
 * Stores the threads of such a file like importThread; existing threads stay unchanged. All are
 * read before any is stored: CORRUPT_LOG and LOG_FORMAT leave the saver unchanged.
 * @param saver one of Weft's, also of another storage than the exporting one
 * @param file result of exportThreads
 * @param options how long a file may be
 * @param options.maxBytes maximum bytes of the file; default 16 MiB
 * @returns ids of imported and of existing threads
 * @throws BAD_ARGUMENT if the file is too long, CORRUPT_LOG for what is no file of threads, and the
 *   saver's errors
 */
export function importThreads(
  saver: WeftSaver,
  file: Uint8Array,
  options?: { maxBytes?: number },
): Promise<{ imported: string[]; present: string[] }>;
