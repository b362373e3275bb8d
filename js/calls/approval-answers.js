// SPDX-License-Identifier: MIT
// Converts the answer formats of user interfaces to an approval request into the format of the
// engine's decisions (LangGraph's HumanResponse). An answer in no known format stays unchanged and
// leads to another request: an unreadable answer never approves a call.
import { isRecord } from "../base/check-arguments.js";

/** @typedef {Record<string, unknown>} Fields */

/**
 * Converts an answer to an approval request.
 * @param {unknown} answer of any form
 * @param {unknown} request value of the interrupt: one request, or a list of them
 * @returns {unknown} a response `{ type, args }`, a list of them, or the answer unchanged
 */
export function standardAnswer(answer, request) {
  if (typeof answer === "boolean") return { type: answer ? "accept" : "ignore" };
  if (!isRecord(answer)) return answer;
  const { decisions, approved } = answer;
  if (typeof answer.type === "string") return answer;
  if (Array.isArray(decisions)) return decisionsOf(answer, decisions, request);
  return typeof approved === "boolean" ? approvalOf(answer, approved, request) : answer;
}

/** Checks for a format that only approval requests use. @param {unknown} answer */
export function isApprovalAnswer(answer) {
  return (
    typeof answer === "boolean" ||
    (isRecord(answer) && (Array.isArray(answer.decisions) || typeof answer.approved === "boolean"))
  );
}

/**
 * Reads LangChain's `{ decisions }`, in the order of the requests. A wrong number of decisions
 * makes the answer unusable.
 * @param {Fields} answer
 * @param {unknown[]} decisions
 * @param {unknown} request
 */
function decisionsOf({ decisions: _, ...rest }, decisions, request) {
  const requests = Array.isArray(request) ? request : [request];
  if (decisions.length !== requests.length) return { ...rest, type: undefined };
  const read = decisions.map((decision) => {
    const said = isRecord(decision) ? responseOf(decision) : { type: undefined };
    return { ...rest, ...said };
  });
  return Array.isArray(request) ? read : read[0];
}

/** @param {Fields} decision */
function responseOf({ type, edited_action, editedAction, message, ...rest }) {
  const named = Object.fromEntries(
    ["digest", "approval_id"].filter((key) => key in rest).map((key) => [key, rest[key]]),
  );
  if (type === "approve") return { ...named, type: "accept" };
  if (type === "reject") return { ...named, ...refusal(message) };
  if (type !== "edit") return { ...named, type: undefined };
  const edited = edited_action ?? editedAction;
  if (!isRecord(edited)) return { ...named, type: "edit" };
  return { ...named, type: "edit", args: { action: edited.name, args: edited.args } };
}

/**
 * Reads `{ approved, editedArgs, reason }` of AG-UI and the AI SDK.
 * @param {Fields} answer
 * @param {boolean} approved
 * @param {unknown} request
 */
function approvalOf({ approved: _, editedArgs, reason, ...rest }, approved, request) {
  if (!approved) return { ...rest, ...refusal(reason) };
  if (editedArgs === undefined) return { ...rest, type: "accept" };
  const one = Array.isArray(request) && request.length === 1 ? request[0] : request;
  const asked = isRecord(one) && isRecord(one.action_request) ? one.action_request : {};
  return { ...rest, type: "edit", args: { action: asked.action, args: editedArgs } };
}

/** @param {unknown} reason */
function refusal(reason) {
  return typeof reason === "string" && reason.trim() !== ""
    ? { type: "response", args: reason }
    : { type: "ignore" };
}
