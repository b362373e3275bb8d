// SPDX-License-Identifier: MIT
// Runs of AG-UI's clients as runs of the server: AG-UI's thread is a thread here, with its owner,
// its records and one run at a time. What handles AG-UI itself is handed in.
import { isRecord } from "../base/check-arguments.js";
import { Command } from "../base/constants.js";
import { findAssistant } from "./assistants.js";
import { Refusal } from "./http/replies.js";
import { readRun } from "./run-input.js";
import { errorOf } from "./streams/run-stream.js";
import { ensureThread, findThread, refuseKept } from "./threads.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./assistants.js").AssistantRecord} AssistantRecord */
/** @typedef {import("./graphs.js").ServedGraph} ServedGraph */
/** @typedef {import("./router.js").Call} Call */
/** @typedef {import("./work/live-run.js").LiveRun} LiveRun */
/** @typedef {import("./server.js").ServerState} ServerState */
/**
 * @typedef {Json & { configurable: Json & { thread_id: string }, context?: Json, signal:
 *   AbortSignal }} CallConfig
 */

/**
 * @param {ServerState} state
 * @param {Call} call
 * @returns {Promise<Response>}
 */
export async function answerAgUi(state, { request, params, body, user, signal }) {
  if (state.agui === undefined)
    throw new Refusal(501, "AG-UI is not served: createServer({ agui: handleAgUi }) does.");
  const assistant = findAssistant(state, params.graph, user);
  const input = await body();
  const threadId = isRecord(input) ? input.threadId : undefined;
  if (typeof threadId === "string") {
    await refuseKept(state, threadId, user);
    if (state.threads.get(threadId) !== undefined) findThread(state, threadId, user);
  }
  const again = new Request(request.url, { method: "POST", body: JSON.stringify(input ?? null) });
  return state.agui(again, {
    graph: await graphFor(state, assistant, user),
    signal,
    onError: (error) => String(errorOf(error).message),
  });
}

/**
 * The assistant's graph, whose streams are runs of the server.
 * @param {ServerState} state
 * @param {AssistantRecord} assistant
 * @param {string | undefined} user
 */
async function graphFor(state, assistant, user) {
  const graph = await state.graphs.open(assistant.graph_id, {});
  const beneath = state.graphs.callWith(graph, user);
  return {
    getState: (/** @type {Json} */ config) => graph.getState({ ...beneath, ...config }),
    getStateHistory: (/** @type {Json} */ config, /** @type {Json | undefined} */ options) =>
      graph.getStateHistory({ ...beneath, ...config }, options),
    stream: (/** @type {unknown} */ input, /** @type {Json} */ config) =>
      streamRun(state, assistant, user, input, /** @type {CallConfig} */ (config)),
  };
}

/**
 * @param {ServerState} state
 * @param {AssistantRecord} assistant
 * @param {string | undefined} user
 * @param {unknown} input
 * @param {CallConfig} config
 * @returns {Promise<ReadableStream<unknown>>} the run's chunks, as fast as they are read
 */
async function streamRun(state, assistant, user, input, { configurable, context, signal }) {
  const { thread_id, checkpoint_id } = configurable;
  const chunks = new TransformStream();
  const writer = chunks.writable.getWriter();
  const request = {
    ...readRun({
      assistant_id: assistant.assistant_id,
      checkpoint_id,
      context: { ...assistant.context, ...context },
      stream_mode: ["values", "messages-tuple", "custom"],
      on_disconnect: "cancel",
    }),
    ...(input instanceof Command ? { command: input } : { input }),
    onChunk: (/** @type {unknown} */ chunk) => writer.write(chunk),
  };
  const thread = await ensureThread(state, thread_id, user);
  const live = await state.live.start(thread, assistant, request, { user });
  const leave = () => live.cancel("Its reader went away.");
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  live.done.then(() => end(writer, live)).catch(() => {});
  return chunks.readable;
}

/** @param {WritableStreamDefaultWriter} writer @param {LiveRun} live that is over */
function end(writer, { error, record }) {
  if (error !== undefined) return writer.abort(new Error(String(error.message)));
  if (record.status !== "interrupted") return writer.close();
  return writer.abort(new DOMException("The run was cancelled.", "AbortError"));
}
