// SPDX-License-Identifier: MIT
// Shows an approval request (one call or several, in LangChain's forms) as a form of a client that
// offers what the request allows, and reads the decision.
import { isRecord } from "../../base/check-arguments.js";
import { showHidden } from "../../base/show-hidden.js";
import { INTERNAL_ERROR, RpcRefusal } from "./json-rpc.js";

/** @typedef {import("./json-rpc.js").Json} Json */
/** @typedef {{ params: Json, toResume: (content: Json) => unknown }} Form */
/**
 * One call. `shown`: the text of its arguments; `remarks`: about this call alone.
 * @typedef {{ name: unknown, shown: unknown, args: unknown, remarks: unknown[], canApprove:
 *   boolean, canReject: boolean, takesReason: boolean }} Call
 */
/** @typedef {{ isApproved: boolean, reason: string }} Decision */

/** The kind of a question about a call that was running when its process stopped. */
const IN_FLIGHT = "unknown_tool_call";

/**
 * @param {unknown} value of an interrupt
 * @returns {Form | undefined} undefined: it asks about no calls
 * @throws {RpcRefusal} for a call that can be neither approved nor rejected
 */
export function approvalForm(value) {
  if (isRecord(value) && isListOfRecords(value.action_requests)) {
    const { action_requests: requests, problem, description, note } = value;
    const calls = requests.map((_, at) => callIn(value, requests, at));
    return formOf([problem, description], calls, [note], (decisions) => ({
      decisions: decisions.map(toDecision),
    }));
  }
  const requests = isRecord(value) ? [value] : value;
  if (!isListOfRecords(requests) || !requests.every((one) => isRecord(one.action_request)))
    return undefined;
  const { length } = requests;
  const about = length === 1 ? requests[0].description : `The agent wants to make ${length} calls.`;
  return formOf([about], requests.map(callOf), [], (decisions) => {
    const responses = decisions.map((decision, at) => toResponse(decision, requests[at]));
    return isRecord(value) ? responses[0] : responses;
  });
}

/** @param {unknown} value @returns {value is Json[]} */
function isListOfRecords(value) {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

/**
 * @param {Json} value of the interrupt @param {Json[]} requests @param {number} at
 * @returns {Call}
 */
function callIn({ canonical, review_configs: configs }, requests, at) {
  const { name, args, note, canonical: own } = requests[at];
  const config = Array.isArray(configs) ? configs[at] : undefined;
  const allowed = isRecord(config) ? config.allowed_decisions : undefined;
  const allows = (/** @type {string} */ one) => !Array.isArray(allowed) || allowed.includes(one);
  return {
    name,
    shown: requests.length === 1 ? (own ?? canonical) : own,
    args,
    remarks: [note],
    canApprove: allows("approve"),
    canReject: allows("reject"),
    takesReason: allows("reject"),
  };
}

/** @param {Json} request @returns {Call} */
function callOf(request) {
  const { action_request, canonical, problem, note, kind, config } = request;
  const { action, args } = /** @type {Json} */ (action_request);
  const hint = kind === IN_FLIGHT ? "To approve is to run it again." : undefined;
  return {
    name: action,
    shown: canonical,
    args,
    remarks: [problem, note, hint],
    canApprove: !isRecord(config) || config.allow_accept !== false,
    canReject: canIgnore(request) || canRespond(request),
    takesReason: canRespond(request),
  };
}

/** @param {Json} request */
function canIgnore({ config }) {
  return !isRecord(config) || config.allow_ignore !== false;
}

/** A response to a question about a call in flight is the call's result. @param {Json} request */
function canRespond({ config, kind }) {
  return kind !== IN_FLIGHT && (!isRecord(config) || config.allow_respond !== false);
}

/**
 * @param {unknown[]} before texts above the calls @param {Call[]} calls
 * @param {unknown[]} after texts below them
 * @param {(decisions: Decision[]) => unknown} toResume
 * @returns {Form}
 */
function formOf(before, calls, after, toResume) {
  const keys = calls.map((_, at) => (calls.length === 1 ? "decision" : `decision_${at + 1}`));
  const lines = calls.flatMap(({ name, shown, args, remarks }, at) => {
    const number = calls.length === 1 ? "" : `${at + 1}. `;
    return [`${number}${String(name)} ${String(shown ?? JSON.stringify(args))}`, ...remarks];
  });
  const texts = [...before, ...lines, ...after].filter((text) => typeof text === "string");
  const decisions = calls.map(({ name, canApprove, canReject }, at) => {
    const offered = [...(canApprove ? ["approve"] : []), ...(canReject ? ["reject"] : [])];
    if (offered.length === 0)
      throw new RpcRefusal(INTERNAL_ERROR, "The call asks for an edit, which no client can write");
    return [keys[at], { type: "string", title: showHidden(String(name)), enum: offered }];
  });
  const reason = { type: "string", title: "Reason", description: "Why a call is rejected" };
  return {
    params: {
      mode: "form",
      // The model writes arguments, and may mean to mislead.
      message: showHidden(texts.join("\n")),
      requestedSchema: {
        type: "object",
        properties: {
          ...Object.fromEntries(decisions),
          ...(calls.some(({ takesReason }) => takesReason) ? { reason } : undefined),
        },
        required: keys,
      },
    },
    toResume: (content) =>
      toResume(
        keys.map((key) => ({
          isApproved: content[key] === "approve",
          reason: typeof content.reason === "string" ? content.reason : "",
        })),
      ),
  };
}

/** @param {Decision} decision @returns {Json} of LangChain's middleware */
function toDecision({ isApproved, reason }) {
  return isApproved ? { type: "approve" } : { type: "reject", message: reason };
}

/** @param {Decision} decision @param {Json} request @returns {Json} a HumanResponse */
function toResponse({ isApproved, reason }, request) {
  if (isApproved) return { type: "accept" };
  const hasReason = reason !== "" || !canIgnore(request);
  return hasReason && canRespond(request) ? { type: "response", args: reason } : { type: "ignore" };
}
