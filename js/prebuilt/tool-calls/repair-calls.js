// SPDX-License-Identifier: MIT
// Has the user's function repair the calls of a message that do not fit their tools, before they
// are judged. Never touches a call that a person has reviewed. Does not depend on how calls run.
import { checkArgument, isObject } from "../../base/check-arguments.js";
import { checksItself, readInput } from "../../tools/input.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("./open-calls.js").OpenCall} OpenCall */
/** @typedef {import("../tool-node/tool-node.js").ToolNode} ToolNode */
/** @typedef {import("../tool-node/tool-node.js").Job} Job */
/** @typedef {import("../../types/tools/repair.js").RepairToolCall} RepairToolCall */

/**
 * Plans the calls again of which some could be repaired.
 * @param {ToolNode} node
 * @param {Job[]} planned its calls
 * @param {import("./catalog.js").Catalog} catalog
 * @param {string} scope identifies the message
 * @param {Message | undefined} message
 * @returns {Promise<Job[]>}
 */
export async function planRepaired(node, planned, catalog, scope, message) {
  const repaired = await repairCalls(planned, /** @type {RepairToolCall} */ (node.repair), message);
  if (repaired.every((call) => call === undefined)) return planned;
  const calls = planned.map(({ call }, index) => repaired[index] ?? call);
  return node
    ._plan(catalog, calls, scope)
    .map((job, index) => ({ ...job, original: planned[index].original }));
}

/**
 * @param {readonly Job[]} jobs planned calls
 * @param {RepairToolCall} repair
 * @param {Message | undefined} message
 * @returns {Promise<(OpenCall | undefined)[]>} by job: the repaired call
 */
function repairCalls(jobs, repair, message) {
  return Promise.all(
    jobs.map(async ({ call, tool, text }) => {
      if (tool === undefined || call.reviewed !== undefined) return undefined;
      const error = text ?? (await ownError(tool, call.args));
      if (error === undefined) return undefined;
      const { name, args, id } = call;
      const failed = { call: { name, args, id }, tool, error: String(error), message };
      const found = await repair(
        /** @type {import("../../types/tools/repair.js").ToolCallFailure} */ (failed),
      );
      if (found === undefined || found === null) return undefined;
      checkArgument(
        isObject(found) && isObject(found.args),
        "repair(failed) must return { args, repaired? } or undefined",
      );
      const repaired = found.repaired ?? [{ path: "", change: "by the application", from: "" }];
      return { ...call, type: "tool_call", args: found.args, repaired };
    }),
  );
}

/**
 * Returns why a schema that reads arguments itself refuses them.
 * @param {ToolLike} tool @param {unknown} args
 */
async function ownError({ schema }, args) {
  if (schema === undefined || schema === null || !checksItself(schema)) return undefined;
  try {
    await readInput(schema, structuredClone(args));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Adds to a call's answer how the call was repaired.
 * @template Output
 * @param {Output} output
 * @param {OpenCall} call
 * @returns {Output}
 */
export function tellRepairs(output, { repaired }) {
  const message = /** @type {(Message & { lc_kwargs?: object }) | undefined} */ (output);
  if (repaired === undefined || message?.additional_kwargs === undefined) return output;
  const additional_kwargs = { ...message.additional_kwargs, repaired };
  message.additional_kwargs = additional_kwargs;
  if (Object.hasOwn(message, "lc_kwargs"))
    message.lc_kwargs = { ...message.lc_kwargs, additional_kwargs };
  return output;
}
