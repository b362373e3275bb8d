// SPDX-License-Identifier: MIT
// Makes the mark by which a review approves a call for the ToolNode after it: a digest of thread,
// message, call and the arguments that a person was shown, so that it is valid for nothing else.
// Does not depend on who reviews.
import { PLAN_DIGEST, PLAN_RAW } from "../../base/codes.js";
import { Toolset } from "../tool-calls/toolset.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../messages/base.js").Message} Message */

/**
 * Computes the mark.
 * @param {{ name: string, id: string, canonical: string }} call
 * @param {Message | undefined} message the message that contains the call
 * @param {Config | undefined} config of the node
 * @returns {string}
 */
export function reviewMark({ name, id, canonical }, message, config) {
  const toolset = new Toolset([{ name, schema: null }]);
  const [{ digest }] = toolset.plan(
    [{ name, id, args: canonical }],
    PLAN_RAW | PLAN_DIGEST,
    `reviewed\n${config?.configurable?.thread_id ?? ""}\n${message?.id ?? ""}`,
  );
  toolset.handle.free();
  return digest;
}
