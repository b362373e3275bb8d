// SPDX-License-Identifier: MIT
// The mark that reviewToolCalls leaves at a call that it let through, for the ToolNode behind it: a
// digest over thread, message, call and arguments, so that it holds for nothing else. Must not know
// who reviews.
import { PLAN_DIGEST, PLAN_RAW } from "../../base/codes.js";
import { Toolset } from "../tool-calls/toolset.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../messages/base.js").Message} Message */

/**
 * @param {{ name: string, id: string, canonical: string }} call
 * @param {Message | undefined} message whose call it is
 * @param {Config} config of the node
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
