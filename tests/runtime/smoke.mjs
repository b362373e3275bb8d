// SPDX-License-Identifier: MIT
// The smoke set: one list of checks for every runtime. smoke() runs them all and says of each
// whether it held; thin runners (smoke-*.test.mjs) call it in Node, Deno, Bun, workerd and
// Chromium. Uses the package's public names, the language and timers only. Facts served:
// docs/semantics.md 5 to 13, 16 (signals), 18, 19; docs/semantics.md 21 (traps).
import { agentChecks } from "./smoke-agents.mjs";
import { approvalChecks } from "./smoke-approval.mjs";
import { ambientChecks } from "./smoke-ambient.mjs";
import { errorChecks } from "./smoke-errors.mjs";
import { evalChecks } from "./smoke-evals.mjs";
import { graphChecks } from "./smoke-graphs.mjs";
import { interruptChecks } from "./smoke-interrupts.mjs";
import { mcpChecks } from "./smoke-mcp.mjs";
import { messageChecks } from "./smoke-messages.mjs";
import { middlewareChecks } from "./smoke-middleware.mjs";
import { otelChecks } from "./smoke-otel.mjs";
import { repairChecks } from "./smoke-repair.mjs";
import { schemaChecks } from "./smoke-schemas.mjs";
import { threadChecks } from "./smoke-threads.mjs";

/**
 * @typedef {object} SmokeOptions
 * @property {any} weft the public modules: all names of the root, and `agent`,
 *   `approval`, `middleware`, `prebuilt`, `schema`, `models`, `mcp`, `otel`, `record`,
 *   `testing`
 * @property {boolean} als does this runtime keep ambient context over an await?
 * @property {any} [saver] the saver to test with; a MemorySaver when absent
 * @property {() => any} getEngine the engine of this realm, to break it
 */

/**
 * Runs every check.
 * @param {SmokeOptions} options
 * @returns {Promise<{ name: string, ok: boolean, error: string | undefined }[]>}
 */
export async function smoke(options) {
  const saver = options.saver ?? new options.weft.MemorySaver();
  let threads = 0;
  const kit = {
    ...options,
    saver,
    thread: () => ({ configurable: { thread_id: `smoke-${++threads}` } }),
  };
  const results = [];
  for (const [name, check] of [
    ...graphChecks,
    ...interruptChecks,
    ...ambientChecks,
    ...agentChecks,
    ...middlewareChecks,
    ...approvalChecks,
    ...repairChecks,
    ...messageChecks,
    ...schemaChecks,
    ...threadChecks,
    ...mcpChecks,
    ...evalChecks,
    ...otelChecks,
    ...errorChecks,
  ]) {
    try {
      await check(kit);
      results.push({ name, ok: true, error: undefined });
    } catch (error) {
      results.push({ name, ok: false, error: String(error?.stack ?? error) });
    }
  }
  return results;
}
