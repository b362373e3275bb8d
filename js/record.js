// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/record`.
import { Recording } from "./record/recording.js";
import { replay as replayRun } from "./record/replay.js";
import { threadFile } from "./savers/maintenance/thread-file.js";

export { ReplayError } from "./record/replay.js";

/**
 * Creates a recording for one run: `graph.invoke(input, { record: recording })`.
 * @returns {Recording}
 */
export function record() {
  return new Recording();
}

/**
 * Replays a recording.
 * @param {string} text
 * @param {{ graph?: object }} [options] `graph`: the run must take the same course in this graph
 * @returns {import("./record/viewer.js").Played & { thread: Uint8Array | undefined }}
 */
export function replay(text, options) {
  const { thread, ...played } = replayRun(text, options);
  return { ...played, thread: thread && threadFile(thread.id, thread.log) };
}
