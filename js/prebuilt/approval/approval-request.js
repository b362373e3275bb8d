// SPDX-License-Identifier: MIT
// Makes the question about a tool call: one value that LangChain's human-in-the-loop interfaces,
// Agent Inbox and Weft's own card understand. Must not know how it is asked.

/**
 * What may be answered.
 * @typedef {{ allow_accept: boolean, allow_edit: boolean, allow_respond: boolean, allow_ignore:
 *   boolean }} Allowed
 */

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

/** @param {Allowed} config @returns {string[]} in LangChain's words */
function decisionsOf({ allow_accept, allow_edit, allow_respond, allow_ignore }) {
  return [
    ...(allow_accept ? ["approve"] : []),
    ...(allow_edit ? ["edit"] : []),
    ...(allow_respond || allow_ignore ? ["reject"] : []),
  ];
}
