// SPDX-License-Identifier: MIT
// The public names of `weftgraph/record`.
import { Tape } from "./record/recording.js";

export { ReplayError, replay } from "./record/replay.js";

/** @returns {Tape} what a run is recorded on: `graph.invoke(input, { record: recording })` */
export function record() {
  return new Tape();
}
