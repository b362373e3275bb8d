// SPDX-License-Identifier: MIT
import type { Keep, KeepOptions, Pruned, WeftSaver } from "../weft-saver.js";

export type { Keep, KeepOptions, Pruned };

/**
 * Drops a thread's other checkpoints. It waits for the saver's runs of the thread, and they for it.
 * BAD_ARGUMENT; BUSY in a node of such a run, which would wait for itself (known where there is
 * AsyncLocalStorage; elsewhere do not wait for it there); FENCED when another process continues the
 * thread at this moment, then nothing is lost and nothing dropped; DATA_LOSS when the store has
 * lost records of it.
 */
export function pruneThread(saver: WeftSaver, threadId: string, keep: Keep): Promise<Pruned>;

/**
 * The same for all threads of a saver, one after the other. What goes wrong with one keeps no other
 * from it: it is told to `onError` (`threadId` undefined: the thread's id is damaged); without
 * `onError` the first such error is thrown when the others are done.
 */
export function pruneThreads(
  saver: WeftSaver,
  keep: Keep,
  options?: { onError?: (error: unknown, threadId?: string) => void },
): Promise<Pruned & { threads: number }>;

/** As the option `keep` of a saver, for one that is there. BAD_ARGUMENT. @returns the saver */
export function keepPruned<Saver extends WeftSaver>(saver: Saver, options: KeepOptions): Saver;
