// SPDX-License-Identifier: MIT
import type { WeftSaver } from "../weft-saver.js";

/** What a watcher is told. */
export interface ThreadChange {
  threadId: string;
  /** The number of the thread's newest record; undefined: the thread was deleted. */
  seq: number | undefined;
}

/**
 * Tells of each change of a thread: a commit that is stored, or its end. With an IdbfsSaver by
 * whatever tab, page or worker of this origin made it (BroadcastChannel), this one too; with other
 * savers those that this saver itself made. The state is there to be read when the listener is
 * called.
 * @returns how to stop
 */
export function watchThread(
  saver: WeftSaver,
  threadId: string,
  listener: (change: ThreadChange) => void,
): () => void;

/** The same for all threads of a saver. */
export function watchThreads(
  saver: WeftSaver,
  listener: (change: ThreadChange) => void,
): () => void;
