// SPDX-License-Identifier: MIT
// Knows: the shape of a request for approval (LangGraph's HumanInterrupt, with what binds it) and of the answers to it.
// Must not know: the page.

/** @typedef {{ tool: string, canonical: string, digest: string | undefined, canEdit: boolean, problem: string | undefined }} Request */

/** @param {any} value of the interrupt @returns {Request} */
export function readRequest(value) {
  const { action, args } = value?.action_request ?? {};
  return {
    tool: String(action ?? "unknown"),
    canonical: typeof value?.canonical === "string" ? value.canonical : JSON.stringify(args ?? value ?? null),
    digest: value?.digest,
    canEdit: value?.config?.allow_edit === true,
    problem: value?.problem,
  };
}

/** What was seen runs: the answer names its digest. @param {Request} request */
export const acceptCall = ({ digest }) => ({ type: "accept", args: null, digest });

/** @param {Request} request @param {any} args */
export const editCall = ({ tool, digest }, args) => ({ type: "edit", args: { action: tool, args }, digest });

/** @param {Request} request @param {string} reason */
export const rejectCall = ({ digest }, reason) => ({ type: "response", args: reason, digest });
