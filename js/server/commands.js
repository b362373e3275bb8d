// SPDX-License-Identifier: MIT
// Answers the commands of protocol v2: each with one result or error, always with status 200.
import { isRecord } from "../base/check-arguments.js";
import { findAssistant } from "./assistants.js";
import { objectIn, objectOf, oneOf, textIn, textsIn } from "./http/fields.js";
import { Refusal, invalid, json } from "./http/replies.js";
import { STRATEGIES, readRun } from "./run-input.js";
import { ensureThread, findThread } from "./threads.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./router.js").Call} Call */
/** @typedef {import("./server.js").ServerState} ServerState */
/** @typedef {import("./threads.js").ThreadRecord} ThreadRecord */
/**
 * @typedef {(state: ServerState, thread: ThreadRecord, params: Json, user: string | undefined) =>
 *   Promise<Json>} Method
 */

/** @type {Record<string, Method>} */
const METHODS = {
  "run.start": startRun,
  "input.respond": respond,
  "input.inject": inject,
  "state.get": readState,
  "agent.getTree": readTree,
  "subscription.subscribe": notSupported,
  "subscription.unsubscribe": notSupported,
  "subscription.reconnect": notSupported,
};

/**
 * @param {ServerState} state
 * @param {Call} call
 * @returns {Promise<Response>}
 */
export async function runCommand(state, { params, fields, user }) {
  return json(await answerCommand(state, params.thread, await fields(), user));
}

/**
 * @param {ServerState} state
 * @param {string} threadId
 * @param {Json} from a command
 * @param {string | undefined} user
 * @returns {Promise<Json>} its result, or what is wrong with it
 */
export async function answerCommand(state, threadId, from, user) {
  const id = from.id ?? null;
  const log = state.logs.open(threadId, state.threads.get(threadId));
  try {
    const method = textIn(from, "method") ?? "";
    if (!Object.hasOwn(METHODS, method))
      throw refused("unknown_command", `There is no command ${JSON.stringify(method)}.`);
    const isStart = method === "run.start";
    const thread = await (isStart ? ensureThread : findThread)(state, threadId, user);
    const applied = log.next - 1;
    const result = await METHODS[method](state, thread, objectIn(from, "params") ?? {}, user);
    return success(id, result, threadId, applied);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return failure(id, error.reason, error.message);
  }
}

/** @param {string} code @param {string} message @returns {Refusal} */
function refused(code, message) {
  return new Refusal(422, message, code);
}

/**
 * @param {unknown} id
 * @param {Json} result
 * @param {string} threadId
 * @param {number} seq of the newest event before it
 * @returns {Json} a command's answer
 */
export function success(id, result, threadId, seq) {
  const meta = { thread_id: threadId, applied_through_seq: seq };
  return { type: "success", id, result, meta };
}

/** @param {unknown} id @param {string} error @param {string} message @returns {Json} */
export function failure(id, error, message) {
  return { type: "error", id, error, message };
}

/** @type {Method} */
async function startRun(state, thread, params, user) {
  const strategy =
    oneOf(params, "multitask_strategy", STRATEGIES) ??
    oneOf(params, "multitaskStrategy", STRATEGIES);
  const config = objectIn(params, "config") ?? {};
  const place = isRecord(config.configurable) ? config.configurable : {};
  const request = readRun({
    ...params,
    multitask_strategy: strategy ?? "enqueue",
    checkpoint_id: place.checkpoint_id ?? params.checkpoint_id,
  });
  const assistant = findAssistant(state, request.assistantId, user);
  const live = await state.live.start(thread, assistant, request, { user, isProtocol: true });
  return { run_id: live.record.run_id };
}

/** @type {Method} */
async function respond(state, thread, params, user) {
  const list = Array.isArray(params.responses) ? params.responses : [params];
  const ids = list.map((one) => textIn(objectOf(one), "interrupt_id") ?? "");
  if (ids.join("") === "") throw invalid("interrupt_id is needed.");
  const answers = Object.fromEntries(ids.map((id, at) => [id, list[at].response]));
  const taken = state.live.of(thread.thread_id).flatMap(({ answered }) => answered);
  const twice = ids.find((id) => taken.includes(id));
  if (twice !== undefined)
    throw refused("no_such_interrupt", `${JSON.stringify(twice)} is answered already.`);
  let open = openQuestions(thread);
  if (ids.some((id) => !open.includes(id))) {
    // A question is sent while its run still ends: an answer may arrive before the record is
    // written.
    await Promise.all(state.live.of(thread.thread_id).map(({ done }) => done));
    open = openQuestions(thread);
  }
  if (open.length === 0) throw refused("no_such_run", "The thread waits for no answer.");
  const unknown = ids.find((id) => !open.includes(id));
  if (unknown !== undefined)
    throw refused(
      "no_such_interrupt",
      `The thread has no open question ${JSON.stringify(unknown)}.`,
    );
  const assistantId = textIn(thread.metadata, "assistant_id");
  const request = readRun({
    assistant_id: assistantId,
    config: params.config,
    metadata: params.metadata,
    strict_resume: params.strict_resume,
    multitask_strategy: "enqueue",
    command: { resume: answers, update: params.update, goto: params.goto },
  });
  const assistant = findAssistant(state, request.assistantId, user);
  await state.live.start(thread, assistant, request, { user, isProtocol: true, answered: ids });
  return {};
}

/** @param {ThreadRecord} thread @returns {unknown[]} ids */
function openQuestions({ interrupts }) {
  return Object.values(interrupts)
    .flat()
    .map(({ id }) => id);
}

/** @param {Json} params @returns {{ checkpoint_ns?: string }} */
function placeOf(params) {
  const namespace = textsIn(params, "namespace")?.join("|");
  return namespace ? { checkpoint_ns: namespace } : {};
}

/** @type {Method} */
async function inject(state, thread, params) {
  const message = objectIn(params, "message");
  const role = message && oneOf(message, "role", ["user", "system"]);
  if (message === undefined || role === undefined || message.content === undefined)
    throw invalid("message must be { role: user or system, content }.");
  if (state.live.of(thread.thread_id).length > 0)
    throw invalid("The thread is at work: inject when it waits.");
  const messages = [{ role, content: message.content }];
  await state.threadWork.update(thread, { messages }, undefined, placeOf(params));
  return {};
}

/** @type {Method} */
async function readState(state, thread, params) {
  const place = placeOf(params);
  const found = await state.threadWork.state(thread, place);
  const keys = textsIn(params, "keys");
  const values = /** @type {Json} */ (found.values);
  const checkpoint = /** @type {Json | null} */ (found.checkpoint);
  return {
    values: Object.fromEntries(
      Object.entries(values).filter(([key]) => keys === undefined || keys.includes(key)),
    ),
    checkpoint: { id: checkpoint?.checkpoint_id ?? null, ns: place.checkpoint_ns ?? "" },
    thread_id: thread.thread_id,
  };
}

/** @type {Method} */
async function readTree(_state, thread) {
  const name = thread.metadata.graph_id ?? null;
  return { tree: { namespace: [], status: thread.status, graph_name: name, children: [] } };
}

/** @type {Method} */
async function notSupported() {
  throw refused("not_supported", "Subscribe on a socket, or by POST …/stream/events.");
}
