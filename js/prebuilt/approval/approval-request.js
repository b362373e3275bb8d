// SPDX-License-Identifier: MIT
// Builds the interrupt values about a tool call: approval requests, in one form that LangChain's
// human-in-the-loop interfaces, Agent Inbox and Weft's own card understand, and requests about
// calls with an unknown outcome. The only module that names their fields;
// js/calls/approval-answers.js reads the answers. Does not depend on how interrupts are raised.
import { withoutGaps } from "../../base/check-arguments.js";

/**
 * The answers that a request allows.
 * @typedef {{ allow_accept: boolean, allow_edit: boolean, allow_respond: boolean, allow_ignore:
 *   boolean }} Allowed
 */

/** Answers allowed by default. @type {Readonly<Allowed>} */
export const ALLOWED = Object.freeze({
  allow_ignore: true,
  allow_respond: true,
  allow_edit: true,
  allow_accept: true,
});

/** The option that allows each answer type. */
export const ALLOWED_BY = Object.freeze({
  accept: "allow_accept",
  edit: "allow_edit",
  response: "allow_respond",
  ignore: "allow_ignore",
});

/**
 * Builds an approval request.
 * @param {{ name: string, args: unknown, id: string, canonical: string, digest: string,
 *   description: string, config: Allowed, idKey: "id" | "tool_call_id", note?: string, repaired?:
 *   readonly object[], problem?: string }} call `args`: a copy of what runs; `canonical`: the JSON
 *   that `digest` covers; `note`: a remark for the person; `repaired`: how the arguments were
 *   repaired; `problem`: what was wrong with the previous answer; `idKey`: the id field that older
 *   interfaces read
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
  repaired,
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
    ...withoutGaps({ note, repaired, problem }),
  };
}

/**
 * Builds one request about several calls. LangChain's interfaces show it; those that show one call
 * at a time find none in it.
 * @param {readonly ReturnType<typeof approvalRequest>[]} requests one for each call
 * @param {{ canonical: string, digest: string }} all the JSON of all calls, and its digest
 * @param {string | undefined} problem what was wrong with the previous answer
 */
export function batchRequest(requests, { canonical, digest }, problem) {
  return {
    action_requests: requests.map(({ action_requests: [one], canonical, note, repaired }) => ({
      ...one,
      canonical,
      ...withoutGaps({ note, repaired }),
    })),
    review_configs: requests.flatMap((one) => one.review_configs),
    description: `The agent wants to make ${requests.length} calls.`,
    canonical,
    digest,
    ...withoutGaps({ problem }),
  };
}

/**
 * Builds the request about a call that was running when its process stopped: if accepted, it runs
 * again. `kind` distinguishes it from an approval request. The call may have taken effect, so it
 * cannot be edited.
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
    ...withoutGaps({ note, problem }),
  };
}

/**
 * Adds the names of LangChain's humanInTheLoopMiddleware to a request.
 * @template {Pick<ReturnType<typeof approvalRequest>, "action_requests" | "review_configs">} Asked
 * @param {Asked} request
 * @param {(tool: string) => unknown} schemaOf JSON Schema of the arguments that a person may write
 */
export function hitlRequest(request, schemaOf) {
  const { action_requests, review_configs } = request;
  return {
    actionRequests: action_requests.map(({ name, args, description }) => ({
      name,
      args,
      description,
    })),
    reviewConfigs: review_configs.map(({ action_name: actionName, allowed_decisions }) => {
      const argsSchema = schemaOf(actionName);
      return {
        actionName,
        allowedDecisions: allowed_decisions,
        ...withoutGaps({ argsSchema }),
      };
    }),
    ...request,
  };
}

/**
 * Returns what LangChain's names of decisions allow.
 * @param {readonly string[]} decisions
 * @returns {Allowed}
 */
export function allowedBy(decisions) {
  const canReject = decisions.includes("reject");
  return {
    allow_accept: decisions.includes("approve"),
    allow_edit: decisions.includes("edit"),
    allow_respond: canReject,
    allow_ignore: canReject,
  };
}

/** @param {Allowed} config @returns {string[]} LangChain's names of the decisions */
function decisionsOf({ allow_accept, allow_edit, allow_respond, allow_ignore }) {
  return [
    ...(allow_accept ? ["approve"] : []),
    ...(allow_edit ? ["edit"] : []),
    ...(allow_respond || allow_ignore ? ["reject"] : []),
  ];
}
