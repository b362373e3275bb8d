// SPDX-License-Identifier: MIT
// Makes the questions about a tool call: whether it may run, as one value that LangChain's
// human-in-the-loop interfaces, Agent Inbox and Weft's own card understand, and what became of it.
// The only module that names their fields; js/calls/approval-answers.js reads the answers. Must not
// know how they are asked.

/**
 * What may be answered.
 * @typedef {{ allow_accept: boolean, allow_edit: boolean, allow_respond: boolean, allow_ignore:
 *   boolean }} Allowed
 */

/** What may be answered unless it is said otherwise. @type {Readonly<Allowed>} */
export const ALLOWED = Object.freeze({
  allow_ignore: true,
  allow_respond: true,
  allow_edit: true,
  allow_accept: true,
});

/** The option that allows each type of answer. */
export const ALLOWED_BY = Object.freeze({
  accept: "allow_accept",
  edit: "allow_edit",
  response: "allow_respond",
  ignore: "allow_ignore",
});

/**
 * @param {{ name: string, args: unknown, id: string, canonical: string, digest: string,
 *   description: string, config: Allowed, idKey: "id" | "tool_call_id", note?: string, problem?:
 *   string }} call `args`: a copy of what runs; `canonical`: the JSON that `digest` is of; `note`:
 *   what to know of it; `problem`: what was wrong with the answer before; `idKey`: where older
 *   interfaces look
 */
export function approvalRequest({
  name,
  args,
  id,
  canonical,
  digest,
  description,
  config,
  idKey,
  note,
  problem,
}) {
  return {
    action_requests: [{ name, args, arguments: args, description, id }],
    review_configs: [{ action_name: name, allowed_decisions: decisionsOf(config) }],
    action_request: { action: name, args },
    config: { ...config },
    description,
    [idKey]: id,
    canonical,
    digest,
    ...(note === undefined ? undefined : { note }),
    ...(problem === undefined ? undefined : { problem }),
  };
}

/**
 * Asks what became of a call that ran when its process stopped: accepted, it runs again. Its `kind`
 * tells it from a call that waits for approval. Nothing can be edited: it may have taken effect.
 * @param {{ name: string, args: unknown, id: string, canonical: string, digest: string, note?:
 *   string, problem?: string }} call
 */
export function unknownCallRequest({ name, args, id, canonical, digest, note, problem }) {
  return {
    kind: "unknown_tool_call",
    tool_call_id: id,
    action_request: { action: name, args },
    config: { ...ALLOWED, allow_edit: false },
    description: "The process stopped while this call ran: it is not known whether it took effect.",
    canonical,
    digest,
    ...(note === undefined ? undefined : { note }),
    ...(problem === undefined ? undefined : { problem }),
  };
}

/** @param {Allowed} config @returns {string[]} in LangChain's words */
function decisionsOf({ allow_accept, allow_edit, allow_respond, allow_ignore }) {
  return [
    ...(allow_accept ? ["approve"] : []),
    ...(allow_edit ? ["edit"] : []),
    ...(allow_respond || allow_ignore ? ["reject"] : []),
  ];
}
