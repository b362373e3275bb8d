// SPDX-License-Identifier: MIT
// Turns the interrupts of a thread into questions of MCP (elicitation), and the client's answers
// into what resumes them.
import { isRecord } from "../../base/check-arguments.js";
import { showHidden } from "../../base/show-hidden.js";
import { isWebAddress } from "../../models/redirects.js";
import { compileSchema } from "../../schema/index.js";
import { fillDefaults } from "../elicitation.js";
import { approvalForm } from "./approval-form.js";
import { INTERNAL_ERROR, RpcRefusal } from "./json-rpc.js";

/** @typedef {import("./json-rpc.js").Json} Json */
/** @typedef {import("../../types/mcp.js").McpElicitationAnswer} Answer */
/** @typedef {{ method: "elicitation/create", params: Json }} Request */
/**
 * One interrupt as requests. `toResume` returns what it is resumed with.
 * @typedef {{ id: string, requests: Record<string, Request>, toResume: (answers: Record<string,
 *   Answer>) => unknown }} Question
 */
/** @typedef {{ params: Json, toResume: (answer: Answer) => unknown }} OwnForm */

const INTERRUPT_ID = /^[0-9a-f]{32}$/;
/** What resumes a question whose person gave no answer: the call ends. */
export const UNANSWERED = Symbol("no answer");

/**
 * @param {readonly { id?: string, value?: unknown }[]} interrupts of a thread
 * @returns {Question[]}
 */
export function questionsOf(interrupts) {
  /** @type {Set<string>} */
  const taken = new Set();
  return interrupts.map(({ id, value }, at) => questionOf(String(id), value, at, taken));
}

/**
 * @param {string} id of an interrupt
 * @param {unknown} value of the interrupt
 * @param {number} at its place among the call's
 * @param {Set<string>} taken keys of requests
 * @returns {Question}
 */
function questionOf(id, value, at, taken) {
  // No key is an interrupt's id: a client's graph would take its answer for one of its own.
  const ownKey = `question_${at + 1}`;
  if (isRecord(value) && value.type === "mcp_elicitation" && isRecord(value.requests))
    return passedOn(id, ownKey, value.requests, taken);
  const approval = approvalForm(value);
  const own = approval === undefined && isRecord(value) ? ownForm(value) : undefined;
  const { params, toResume } = own ?? ifAccepted(approval ?? textForm(value));
  taken.add(ownKey);
  return {
    id,
    requests: { [ownKey]: { method: "elicitation/create", params } },
    toResume: (answers) => toResume(answers[ownKey]),
  };
}

/**
 * Who declines, or leaves, decides nothing: the call ends.
 * @param {import("./approval-form.js").Form} form
 * @returns {OwnForm}
 */
function ifAccepted({ params, toResume }) {
  return {
    params,
    toResume: ({ action, content = {} }) => (action === "accept" ? toResume(content) : UNANSWERED),
  };
}

/**
 * Requests with keys of their own: those of another MCP server, whose tool the call uses, or of a
 * node.
 * @param {string} id @param {string} prefix of keys that are taken @param {Json} requests
 * @param {Set<string>} taken
 * @returns {Question}
 */
function passedOn(id, prefix, requests, taken) {
  const entries = Object.entries(requests).map(([key, request]) => {
    const ownKey = taken.has(key) || INTERRUPT_ID.test(key) ? `${prefix}.${key}` : key;
    taken.add(ownKey);
    return { key, ownKey, params: checkParams(isRecord(request) ? request.params : undefined) };
  });
  return {
    id,
    requests: Object.fromEntries(
      entries.map(({ ownKey, params }) => [ownKey, { method: "elicitation/create", params }]),
    ),
    toResume: (answers) =>
      Object.fromEntries(entries.map(({ key, ownKey }) => [key, answers[ownKey]])),
  };
}

/**
 * @param {unknown} params of a question that this program did not make up
 * @returns {Json} what a client can show
 * @throws {RpcRefusal} for what is no form and no address of the web
 */
function checkParams(params) {
  const { mode = "form", message, requestedSchema, url } = /** @type {Json} */ (params ?? {});
  if (typeof message === "string" && mode === "form" && isRecord(requestedSchema))
    return { mode, message, requestedSchema };
  if (typeof message === "string" && mode === "url" && isWebAddress(url))
    return { mode, message, url };
  throw new RpcRefusal(INTERNAL_ERROR, "The call asks in a form that clients do not know");
}

/**
 * A node that writes its own form, `{ message, requestedSchema }` or `{ message, url }`, gets the
 * answer as it is.
 * @param {Json} value
 * @returns {OwnForm | undefined}
 */
function ownForm({ message, requestedSchema, url }) {
  if (requestedSchema === undefined && url === undefined) return undefined;
  const mode = requestedSchema === undefined ? "url" : "form";
  return {
    params: checkParams({ mode, message, requestedSchema, url }),
    toResume: (answer) => answer,
  };
}

/** @param {unknown} value @returns {import("./approval-form.js").Form} */
function textForm(value) {
  const { question, message } = /** @type {Json} */ (isRecord(value) ? value : {});
  const text = [value, question, message].find((one) => typeof one === "string");
  return {
    params: {
      mode: "form",
      message: /** @type {string} */ (text ?? showHidden(JSON.stringify(value) ?? "")),
      requestedSchema: {
        type: "object",
        properties: { answer: { type: "string" } },
        required: ["answer"],
      },
    },
    toResume: ({ answer }) => answer,
  };
}

/**
 * @param {readonly Question[]} questions
 * @param {unknown} responses of the client, by the requests' keys
 * @returns {Map<string, unknown> | undefined} what resumes the interrupts, by their ids; undefined:
 *   an answer is missing, or does not fit its form
 */
export function readAnswers(questions, responses) {
  /** @type {Map<string, unknown>} */
  const resumes = new Map();
  for (const { id, requests, toResume } of questions) {
    /** @type {Record<string, Answer>} */
    const answers = Object.create(null);
    for (const [key, request] of Object.entries(requests)) {
      const given = isRecord(responses) && Object.hasOwn(responses, key) ? responses[key] : null;
      const answer = readAnswer(request, given);
      if (answer === undefined) return undefined;
      answers[key] = answer;
    }
    resumes.set(id, toResume(answers));
  }
  return resumes;
}

/**
 * @param {Request} request
 * @param {unknown} given
 * @returns {Answer | undefined}
 */
export function readAnswer(request, given) {
  /** @type {Answer} */
  let answer;
  try {
    answer = /** @type {Answer} */ (fillDefaults(request, given));
  } catch {
    return undefined;
  }
  const { requestedSchema } = request.params;
  const isFilled = answer.action === "accept" && isRecord(requestedSchema);
  return isFilled && !fits(requestedSchema, answer.content) ? undefined : answer;
}

/** @param {Json} schema @param {unknown} content */
function fits(schema, content) {
  try {
    return compileSchema(schema).validate(content).valid;
  } catch {
    // The schema of another server cannot be used: who asked checks the answer itself.
    return true;
  }
}

/**
 * @param {readonly Question[]} questions
 * @param {unknown} capabilities of the client
 * @returns {Json | undefined} capabilities that the client lacks; undefined: none
 */
export function lackingFor(questions, capabilities) {
  const modes = questions.flatMap(({ requests }) =>
    Object.values(requests).map(({ params }) => (params.mode === "url" ? "url" : "form")),
  );
  const lacking = [...new Set(modes)].filter((mode) => !canAsk(capabilities, mode));
  if (lacking.length === 0) return undefined;
  return { elicitation: Object.fromEntries(lacking.map((mode) => [mode, {}])) };
}

/** @param {unknown} capabilities @param {"form" | "url"} mode */
export function canAsk(capabilities, mode) {
  const { elicitation } = /** @type {Json} */ (isRecord(capabilities) ? capabilities : {});
  if (!isRecord(elicitation)) return false;
  // An empty object means forms.
  return isRecord(elicitation[mode]) || (mode === "form" && !isRecord(elicitation.url));
}
