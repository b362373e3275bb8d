// SPDX-License-Identifier: MIT
// A run that our store cannot serve. Owns nothing.
import { Mirror } from "./channel-mirror.js";

/**
 * A run whose thread's log holds a channel in a form that its graph does not have begins anew on
 * the saver's methods: they know both forms. Nothing has happened in it yet.
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
