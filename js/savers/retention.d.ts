// SPDX-License-Identifier: MIT
import type { WeftSaver } from "./base.js";

/**
 * Which checkpoints stay: the newest `last`, those of the last `days`, and the `pinned` ones (by checkpoint id); whatever
 * is in one of these sets. The newest checkpoint, questions that wait, and subgraphs' checkpoints below one that stays
 * are never dropped.
 */
export interface Keep {
  /** Default 1. */
  last?: number;
  days?: number;
  pinned?: readonly string[];
}
export interface Pruned {
  /** Checkpoints. */
  kept: number;
  dropped: number;
  bytesBefore: number;
  bytesAfter: number;
}

/**
 * Drops a thread's other checkpoints. BAD_ARGUMENT; FENCED when somebody else continues the thread at this moment, then
 * nothing is lost and nothing dropped.
 */
export function pruneThread(saver: WeftSaver, threadId: string, keep: Keep): Promise<Pruned>;

/** The same for all threads of a saver, one after the other. */
export function pruneThreads(saver: WeftSaver, keep: Keep): Promise<Pruned & { threads: number }>;

/**
 * From now on the saver prunes by itself: a thread that has grown by `every` records (default 256), when its run is over;
 * the next run waits for it. @returns the saver
 */
export function keepPruned<Saver extends WeftSaver>(
  saver: Saver,
  options: Keep & { every?: number; onError?: (error: unknown, threadId: string) => void },
): Saver;
