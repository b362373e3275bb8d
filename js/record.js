// SPDX-License-Identifier: MIT
// The public names of `weftgraph/record`.
import { Recording } from "./record/recording.js";

export { ReplayError, replay } from "./record/replay.js";

/** @returns {Recording} what a run is recorded on: `graph.invoke(input, { record: recording })` */
export function record() {
  return new Recording();
}
