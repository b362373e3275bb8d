// SPDX-License-Identifier: MIT
// Shows an approval request (one call or several, in LangChain's forms) as a form of a client, and
// reads the decision.
import { isRecord } from "../../base/check-arguments.js";

/** @typedef {import("./json-rpc.js").Json} Json */
/** @typedef {import("../../types/mcp.js").McpElicitationAnswer} Answer */
/** @typedef {{ params: Json, toResume: (answer: Answer) => unknown }} Form */

const DECISIONS = ["approve", "reject"];

/**
 * @param {unknown} value of an interrupt
 * @returns {Form | undefined} undefined: it asks about no calls
 */
export function approvalForm(value) {
  if (isRecord(value) && isListOfRecords(value.action_requests)) {
    const requests = value.action_requests;
    const whole = requests.length === 1 ? value.canonical : undefined;
    const calls = requests.map(({ name, args, canonical = whole }) => ({
      name,
      shown: canonical,
      args,
    }));
    return formOf(value, calls, (decisions) => ({ decisions: decisions.map(toDecision) }));
  }
  if (isListOfRecords(value) && value.every((one) => isRecord(one.action_request)))
    return formOf(value[0], value.map(callOf), (decisions) => decisions.map(toResponse));
  if (isRecord(value) && isRecord(value.action_request))
    return formOf(value, [callOf(value)], ([decision]) => toResponse(decision));
  return undefined;
}

/** @typedef {{ isApproved: boolean, reason: string }} Decision */

/** @param {unknown} value @returns {value is Json[]} */
function isListOfRecords(value) {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

/** @param {Json} request */
function callOf({ action_request, canonical }) {
  const { action, args } = /** @type {Json} */ (action_request);
  return { name: action, shown: canonical, args };
}

/**
 * @param {Json} request
 * @param {{ name: unknown, shown: unknown, args: unknown }[]} calls
 * @param {(decisions: Decision[]) => unknown} toResume
 * @returns {Form}
 */
function formOf({ description, note, problem }, calls, toResume) {
  const keys = calls.map((_, at) => (calls.length === 1 ? "decision" : `decision_${at + 1}`));
  const lines = calls.map(({ name, shown, args }, at) => {
    const number = calls.length === 1 ? "" : `${at + 1}. `;
    return `${number}${String(name)} ${String(shown ?? JSON.stringify(args))}`;
  });
  const texts = [problem, description, ...lines, note].filter((text) => typeof text === "string");
  const decisions = keys.map((key, at) => [
    key,
    { type: "string", title: String(calls[at].name), enum: DECISIONS },
  ]);
  const reason = { type: "string", title: "Reason", description: "Why a call is rejected" };
  return {
    params: {
      mode: "form",
      message: texts.join("\n"),
      requestedSchema: {
        type: "object",
        properties: { ...Object.fromEntries(decisions), reason },
        required: keys,
      },
    },
    // Who declines, or leaves, approves nothing.
    toResume: ({ action, content = {} }) =>
      toResume(
        keys.map((key) => ({
          isApproved: action === "accept" && content[key] === "approve",
          reason: typeof content.reason === "string" ? content.reason : "",
        })),
      ),
  };
}

/** @param {Decision} decision @returns {Json} of LangChain's middleware */
function toDecision({ isApproved, reason }) {
  return isApproved ? { type: "approve" } : { type: "reject", message: reason };
}

/** @param {Decision} decision @returns {Json} a HumanResponse */
function toResponse({ isApproved, reason }) {
  if (isApproved) return { type: "accept" };
  return reason === "" ? { type: "ignore" } : { type: "response", args: reason };
}
