// SPDX-License-Identifier: MIT
// Reads the forms in which user interfaces answer a question about tool calls, into the one that
// the engine's decisions have (LangGraph's HumanResponse). What has no such form stays as it is,
// and is asked about again: nothing that cannot be read approves a call.
import { isRecord } from "../base/check-arguments.js";

/** @typedef {Record<string, unknown>} Fields */

/**
 * @param {unknown} answer of any form
 * @param {unknown} request the question's value: one request, or a list of them
 * @returns {unknown} a response `{ type, args }`, a list of them, or the answer as it is
 */
export function standardAnswer(answer, request) {
  if (typeof answer === "boolean") return { type: answer ? "accept" : "ignore" };
  if (!isRecord(answer)) return answer;
  const { decisions, approved } = answer;
  if (typeof answer.type === "string") return answer;
  if (Array.isArray(decisions)) return decisionsOf(answer, decisions, request);
  return typeof approved === "boolean" ? approvalOf(answer, approved, request) : answer;
}

/** Is it one of the forms that only questions about tool calls have? @param {unknown} answer */
export function isApprovalAnswer(answer) {
  return (
    typeof answer === "boolean" ||
    (isRecord(answer) && (Array.isArray(answer.decisions) || typeof answer.approved === "boolean"))
  );
}

/**
 * LangChain's `{ decisions }`, in the order of the requests. Another number of them is no answer.
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
 * AG-UI's and the AI SDK's `{ approved, editedArgs, reason }`.
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
