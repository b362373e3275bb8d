// SPDX-License-Identifier: MIT
// Reads the options of approvalRules, which lets requests expire, signs decisions and shows schemas
// of arguments. An agent gets the code by this object: pages without it do not load it.
import { badArgument, checkArgument, isObject, refuseUnknown } from "../base/check-arguments.js";
import { addSchemas } from "./args-schema.js";
import { Asking } from "./asking.js";
import { checkExpiry, readResult } from "./expiry-options.js";
import { checkSigning, sealWith } from "./sign.js";

/** @typedef {import("../types/approval/rules.js").ApprovalRulesOptions} Options */

const CALL = "approvalRules(options)";
const OPTIONS = ["batch", "form", "expires", "onExpire", "sign"];

/**
 * Makes the `approvals` of an agent or a ToolNode.
 * @param {Options} [options]
 */
export function approvalRules(options = {}) {
  checkArgument(isObject(options), `${CALL}: options must be an object`);
  refuseUnknown(options, CALL, OPTIONS);
  const { batch = false, form = false, expires, onExpire, sign } = options;
  checkArgument(typeof batch === "boolean", `${CALL}: options.batch must be true or false`);
  checkArgument(typeof form === "boolean", `${CALL}: options.form must be true or false`);
  checkExpiry(expires, `${CALL}: options.expires`);
  if (onExpire !== undefined && typeof onExpire !== "function")
    readResult(onExpire, (problem) => badArgument(`${CALL}: ${problem}`));
  const key = checkSigning(sign, CALL);
  /** @type {import("../prebuilt/approval/approval-log.js").Rules["seal"]} */
  const seal = (subject, text) => sealWith(key, subject, text);
  const asking = new Asking({ expires, onExpire, seal });
  /** @type {import("../prebuilt/approval/approval-log.js").Rules["ask"]} */
  const ask = (interrupt, value, subjects, requests) => {
    if (form) addSchemas(value, subjects);
    return asking.ask(interrupt, value, subjects, requests);
  };
  return Object.freeze({
    mode: batch ? "batch" : "each",
    rules: Object.freeze({ ask, seal }),
  });
}
