// SPDX-License-Identifier: MIT
// Knows: the shape of a request for approval (LangGraph's HumanInterrupt, with what binds it), and
// of the answers to it. Must not know: the page.

/**
 * `repaired`: how the model's arguments were changed before anybody saw them; `note`: a remark for
 * the person; `expires`: when an answer counts no more; `schema`: of the arguments, if the request
 * has it.
 * @typedef {{ tool: string, canonical: string, description: string, digest: string | undefined,
 *   approvalId: string | undefined, canEdit: boolean, problem: string | undefined, note: string |
 *   undefined, repaired: Repair[], expires: Date | undefined, escalatedTo: string | undefined,
 *   schema: any }} Request
 */
/** @typedef {{ path: string, change: string, from: string }} Repair */

/** As many as the engine makes for one call. */
const MOST_REPAIRS = 64;

/** @param {any} value of the interrupt @returns {Request} */
export function readRequest(value) {
  const { action, args } = value?.action_request ?? {};
  return {
    tool: String(action ?? "unknown"),
    canonical:
      typeof value?.canonical === "string"
        ? value.canonical
        : JSON.stringify(args ?? value ?? null),
    description: textOf(value?.description) ?? "",
    digest: textOf(value?.digest),
    approvalId: textOf(value?.approval_id),
    canEdit: value?.config?.allow_edit === true,
    problem: textOf(value?.problem),
    note: textOf(value?.note),
    repaired: repairsIn(value?.repaired),
    expires: dateOf(value?.expires_at),
    escalatedTo: textOf(value?.escalated_to),
    schema: (value?.review_configs ?? value?.reviewConfigs)?.[0]?.args_schema,
  };
}

/** @param {unknown} value */
export const textOf = (value) => (typeof value === "string" ? value : undefined);

/** @param {unknown} value */
export function dateOf(value) {
  const date = new Date(typeof value === "string" ? value : "");
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** @param {unknown} list @returns {Repair[]} */
export function repairsIn(list) {
  if (!Array.isArray(list)) return [];
  return list.slice(0, MOST_REPAIRS).map((one) => ({
    path: textOf(one?.path) ?? "",
    change: textOf(one?.change) ?? "",
    from: textOf(one?.from) ?? "",
  }));
}

/** Of one call there is one question at a time. @param {{ id: string, value: any }} pending */
export const callIdOf = ({ id, value }) => String(value?.tool_call_id ?? id);

/**
 * All that a person decides about: of two questions that differ in any of it, one is not the other.
 * @param {Request} request
 */
export const wordsOf = ({ tool, canonical, digest, approvalId, problem }) =>
  JSON.stringify([tool, canonical, digest, approvalId, problem]);

/** The answer names the question that it was given to. @param {Request} request */
const about = ({ digest, approvalId }) => ({
  digest,
  ...(approvalId === undefined ? undefined : { approval_id: approvalId }),
});

/** What was seen runs: the answer names its digest. @param {Request} request */
export const acceptCall = (request) => ({ type: "accept", args: null, ...about(request) });

/**
 * The log keeps the whole answer: with what was shown it tells what was changed.
 * @param {Request} request
 * @param {any} args
 */
export const editCall = (request, args) => ({
  type: "edit",
  args: { action: request.tool, args },
  shown: request.canonical,
  ...about(request),
});

/** @param {Request} request @param {string} reason */
export const rejectCall = (request, reason) => ({
  type: "response",
  args: reason,
  ...about(request),
});
