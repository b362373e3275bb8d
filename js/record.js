// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/record`.
import { Recording } from "./record/recording.js";

export { ReplayError, replay } from "./record/replay.js";

/**
 * Creates a recording for one run: `graph.invoke(input, { record: recording })`.
 * @returns {Recording}
 */
export function record() {
  return new Recording();
}
