// SPDX-License-Identifier: MIT
// Restarts a run that Weft's store cannot serve.
import { Mirror } from "./channel-mirror.js";

/**
 * Restarts a run through the saver's methods if its thread's log stores a channel in a form that
 * its graph does not have: the methods read both forms. The run has had no effect yet.
 * @param {import("./run.js").Run} run
 */
export function beginAnew(run) {
  const { request, engine, graph, thread } = run;
  const { saver, open } = /** @type {NonNullable<typeof request.otherwise>} */ (request.otherwise);
  saver.leaveStore();
  engine.afterwards("weft_run_free", run.handle);
  run.handle = 0;
  thread?.release(run);
  run.request = { ...request, store: open(), otherwise: undefined };
  run.mirror = new Mirror(graph);
  run.answers.length = 0;
  run.open();
}
