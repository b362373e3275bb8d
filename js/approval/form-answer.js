// SPDX-License-Identifier: MIT
// Makes the answer to an approval request that runs other arguments. Does not depend on forms.
import { badArgument, isRecord } from "../base/check-arguments.js";

/**
 * @param {unknown} request value of the interrupt
 * @param {Record<string, unknown>} args
 */
export function answerOf(request, args) {
  const call = "answerOf(request, args)";
  const { action_request, digest, approval_id } = isRecord(request) ? request : {};
  if (!isRecord(action_request) || typeof action_request.action !== "string")
    throw badArgument(`${call}: request must be an approval request about one call`);
  if (!isRecord(args)) throw badArgument(`${call}: args must be an object`);
  return {
    type: /** @type {const} */ ("edit"),
    args: { action: action_request.action, args },
    ...(typeof digest === "string" ? { digest } : undefined),
    ...(typeof approval_id === "string" ? { approval_id } : undefined),
  };
}
