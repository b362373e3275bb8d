// SPDX-License-Identifier: MIT
import type { Keep, KeepOptions, Pruned, WeftSaver } from "../weft-saver.js";

export type { Keep, KeepOptions, Pruned };

/**
 * Drops a thread's other checkpoints. Queues with the saver's runs of the thread. Rejects with
 * BAD_ARGUMENT; with BUSY in a node of such a run, which would wait for itself (detected with
 * AsyncLocalStorage; do not await it there without); with FENCED when another process continues the
 * thread at that moment: then nothing is dropped; with DATA_LOSS when the store has lost records.
 * @param saver one of Weft's
 * @param threadId of the thread
 * @param keep the checkpoints to keep
 * @returns number of kept and of dropped checkpoints, and the log's bytes before and after
 * @throws BAD_ARGUMENT for a rule of another form, BUSY within a run of the thread, and the saver's
 *   errors
 */
export function pruneThread(saver: WeftSaver, threadId: string, keep: Keep): Promise<Pruned>;

/**
 * Prunes all threads of a saver, one after the other. An error of one does not stop the others:
 * `onError` receives it (`threadId` undefined: the thread's id is damaged); without `onError` the
 * first error is thrown at the end.
 * @param saver one of Weft's
 * @param keep the checkpoints to keep of each thread
 * @param options what happens with unreadable threads
 * @param options.onError called with the error of a thread and its id, while the others go on;
 *   without it the first error is thrown at the end
 * @returns sums over all threads, and their number
 * @throws BAD_ARGUMENT for a rule of another form, and the saver's errors
 */
export function pruneThreads(
  saver: WeftSaver,
  keep: Keep,
  options?: { onError?: (error: unknown, threadId?: string) => void },
): Promise<Pruned & { threads: number }>;

/**
 * Sets the option `keep` of an existing saver.
 * @param saver one of Weft's; is changed
 * @param options checkpoints to keep, and after how many records a thread is pruned (256)
 * @returns the saver
 * @throws BAD_ARGUMENT for what is no saver of Weft
 */
export function keepPruned<Saver extends WeftSaver>(saver: Saver, options: KeepOptions): Saver;
