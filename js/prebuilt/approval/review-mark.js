// SPDX-License-Identifier: MIT
// Makes the mark by which a review approves a call for the ToolNode after it: a digest of thread,
// message, the tool's definition, call and the arguments that a person was shown, so that it is
// valid for nothing else. Does not depend on who reviews.
import { PLAN_DIGEST, PLAN_RAW } from "../../base/codes.js";
import { toolDefinition } from "../tool-calls/tool-definition.js";
import { Toolset } from "../tool-calls/toolset.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */

/**
 * Computes the mark.
 * @param {{ name: string, id: string, canonical: string }} call
 * @param {Partial<ToolLike> & { name: string }} tool as it was reviewed; its name if no more of it
 *   is known
 * @param {Message | undefined} message the message that contains the call
 * @param {Config | undefined} config of the node
 * @returns {string}
 */
export function reviewMark({ name, id, canonical }, tool, message, config) {
  const definition = JSON.stringify(toolDefinition(/** @type {ToolLike} */ (tool), "ask"));
  const toolset = new Toolset([{ name, schema: null }]);
  const [{ digest }] = toolset.plan(
    [{ name, id, args: canonical }],
    PLAN_RAW | PLAN_DIGEST,
    `reviewed\n${config?.configurable?.thread_id ?? ""}\n${message?.id ?? ""}\n${definition}`,
  );
  toolset.handle.free();
  return digest;
}
