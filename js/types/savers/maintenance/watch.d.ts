// SPDX-License-Identifier: MIT
import type { WeftSaver } from "../weft-saver.js";

/** A change of a thread. */
export interface ThreadChange {
  threadId: string;
  /** Number of the thread's newest record; undefined: the thread was deleted. */
  seq: number | undefined;
}

/**
 * Reports each change of a thread: a stored commit, or its deletion. With an IdbfsSaver from any
 * tab, page or worker of this origin (BroadcastChannel), including this one; with other savers only
 * from this saver. The new state is readable when the listener is called.
 * @param listener receives the changes
 * @param saver that has the thread
 * @param threadId of the thread
 * @returns function that stops watching
 * @throws BAD_ARGUMENT for a listener that is no function, or a thread's id of another form
 */
export function watchThread(
  saver: WeftSaver,
  threadId: string,
  listener: (change: ThreadChange) => void,
): () => void;

/**
 * Reports the changes of all threads of a saver.
 * @param listener receives the changes
 * @param saver that has the threads
 * @returns function that stops watching
 * @throws BAD_ARGUMENT for a listener that is no function
 */
export function watchThreads(
  saver: WeftSaver,
  listener: (change: ThreadChange) => void,
): () => void;
