// SPDX-License-Identifier: MIT
// Reports the call of a Weft tool to its callbacks. Does not depend on what tools do.
import { managerFrom } from "./manager.js";
import { tellEnd, within } from "./notify-handlers.js";
import { withTracedKeys } from "./tracing.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */

/** @param {string} _key @param {unknown} value */
const plain = (_key, value) => (typeof value === "bigint" ? String(value) : value);

/**
 * @param {unknown} callbacks
 * @param {{ name?: string, tags?: string[], metadata?: Record<string, unknown> }} tool
 * @param {unknown} args
 * @param {Config | undefined} config
 * @param {string | undefined} callId
 * @param {(tell: (event: unknown) => Promise<void>, callbacks: unknown) => Promise<unknown>} run
 * @returns {Promise<unknown>} the result of `run`
 */
export async function tellTool(callbacks, tool, args, config, callId, run) {
  const manager = managerFrom(withTracedKeys(callbacks, config) ?? []).copy();
  manager.addTags([...(config?.tags ?? [])]);
  manager.addTags(tool.tags ?? [], false);
  manager.addMetadata(config?.metadata ?? {});
  manager.addMetadata(tool.metadata ?? {}, false);
  const kind = {
    lc: 1,
    type: "not_implemented",
    id: ["langchain", "tools", "DynamicStructuredTool"],
  };
  const input = typeof args === "string" ? args : JSON.stringify(args, plain);
  const told = await manager.handleToolStart(
    kind,
    input,
    config?.runId,
    undefined,
    undefined,
    undefined,
    config?.runName ?? tool.name,
    callId,
  );
  const work = () => run((event) => told.handleToolEvent?.(event), told.getChild());
  return tellEnd(
    config?.signal,
    () => within(told.handlers, told.runId, work),
    (output) => told.handleToolEnd(output),
    (error) => told.handleToolError(error),
  );
}
