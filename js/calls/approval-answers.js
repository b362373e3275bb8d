// SPDX-License-Identifier: MIT
// Converts the answer formats of user interfaces to an approval request into the format of the
// engine's decisions (LangGraph's HumanResponse). An answer in no known format stays unchanged and
// leads to another request: an unreadable answer never approves a call.
import { isRecord } from "../base/check-arguments.js";

/** @typedef {Record<string, unknown>} Fields */

/** Types of the engine's decisions. @type {readonly unknown[]} */
const TYPES = ["accept", "edit", "response", "ignore"];

/**
 * Converts an answer to an approval request.
 * @param {unknown} answer of any form
 * @param {unknown} request value of the interrupt: one request, or a list of them
 * @returns {unknown} a response `{ type, args }`, a list of them, or the answer unchanged
 */
export function standardAnswer(answer, request) {
  if (typeof answer === "boolean")
    return answer ? { type: "accept" } : refusalOf({ type: "ignore" }, request);
  if (!isRecord(answer)) return answer;
  const { decisions, approved, editedArgs } = answer;
  const hasType = typeof answer.type === "string";
  const isApproval = typeof approved === "boolean";
  // One that says two things says neither.
  if (Array.isArray(decisions) ? hasType || isApproval : hasType && (isApproval || editedArgs))
    return { ...answer, type: undefined, decisions: undefined, approved: undefined };
  if (hasType) return answer;
  if (Array.isArray(decisions)) return decisionsOf(answer, decisions, request);
  return isApproval ? approvalOf(answer, approved, request) : answer;
}

/** Checks for a format that only approval requests use. @param {unknown} answer */
export function isApprovalAnswer(answer) {
  return (
    typeof answer === "boolean" ||
    (isRecord(answer) && (Array.isArray(answer.decisions) || typeof answer.approved === "boolean"))
  );
}

/**
 * Returns the requests of a question about several calls; undefined for a question about one.
 * @param {any} request
 * @returns {unknown[] | undefined}
 */
function severalIn(request) {
  if (Array.isArray(request)) return request;
  const { action_requests: requests } = Object(request);
  return Array.isArray(requests) && requests.length > 1 ? requests : undefined;
}

/**
 * Checks the converted answer to one question about several calls before anything is written.
 * @param {unknown} answer
 * @param {any} request value of the interrupt
 * @returns {string | undefined} what is wrong with it; undefined also for a question about one call
 */
export function batchProblem(answer, request) {
  const count = Array.isArray(request) ? undefined : severalIn(request)?.length;
  if (count === undefined) return undefined;
  if (!Array.isArray(answer) || answer.length !== count)
    return `It must be { decisions } with one for each of the ${count} calls, in their order.`;
  const wrong = answer.findIndex((one) => !isRecord(one) || !TYPES.includes(one.type));
  if (wrong >= 0) return `Decision ${wrong + 1} is none of approve, edit, reject and respond.`;
  return answer.some(({ digest }) => digest !== undefined && digest !== request.digest)
    ? "It is about other calls: its digest differs."
    : undefined;
}

/**
 * Reads LangChain's `{ decisions }`, in the order of the requests. A wrong number of decisions
 * makes the answer unusable.
 * @param {Fields} answer
 * @param {unknown[]} decisions
 * @param {unknown} request
 */
function decisionsOf({ decisions: _, ...rest }, decisions, request) {
  const several = severalIn(request);
  if (decisions.length !== (several?.length ?? 1)) return { ...rest, type: undefined };
  const read = decisions.map((decision) => {
    const said = isRecord(decision) ? responseOf(decision, request) : { type: undefined };
    return { ...rest, ...said };
  });
  return several === undefined ? read[0] : read;
}

/** @param {Fields} decision @param {unknown} request */
function responseOf({ type, edited_action, editedAction, message, ...rest }, request) {
  const named = Object.fromEntries(
    ["digest", "approval_id"].filter((key) => key in rest).map((key) => [key, rest[key]]),
  );
  const edited = edited_action ?? editedAction;
  // An edit is no approval of the call as it is.
  if (type === "approve" && edited === undefined) return { ...named, type: "accept" };
  if (type === "reject") return { ...named, ...refusal(message, request) };
  if (type === "respond") return { ...named, type: "response", args: message };
  if (type !== "edit") return { ...named, type: undefined };
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
  if (!approved) return refusalOf({ ...rest, ...refusal(reason, request) }, request);
  if (editedArgs === undefined) return { ...rest, type: "accept" };
  const one = Array.isArray(request) && request.length === 1 ? request[0] : request;
  const asked = isRecord(one) && isRecord(one.action_request) ? one.action_request : {};
  return { ...rest, type: "edit", args: { action: asked.action, args: editedArgs } };
}

/** A refusal of several calls is one of each. @param {Fields} refused @param {unknown} request */
function refusalOf(refused, request) {
  return severalIn(request)?.map(() => refused) ?? refused;
}

/** @param {unknown} reason @param {unknown} request */
function refusal(reason, request) {
  // A text would be the result of a call that was in flight.
  const isInFlight = [request].flat().some((one) => Object(one).kind === "unknown_tool_call");
  return !isInFlight && typeof reason === "string" && reason.trim() !== ""
    ? { type: "response", args: reason }
    : { type: "ignore" };
}
