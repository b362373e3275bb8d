// SPDX-License-Identifier: MIT
// Answers what clients ask about runs: starts them, streams them, waits for them, cancels them.
import { answerAgUi } from "./agui.js";
import { findAssistant } from "./assistants.js";
import { isTrue, namesIn, objectIn, objectOf, oneOf, textIn, textsIn } from "./http/fields.js";
import { newId } from "./http/ids.js";
import { searchRecords } from "./http/records.js";
import { readRun } from "./run-input.js";
import { isOf } from "./runs.js";
import { eventResponse, lastIdOf } from "./http/sse.js";
import { ensureThread, findThread, newThread } from "./threads.js";
import { isOpen, shownRun } from "./work/run-record.js";
import { selected, toJson } from "./http/wire.js";
import { invalid, json, noContent } from "./http/replies.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./router.js").Call} Call */
/** @typedef {import("./router.js").Routes} Routes */
/** @typedef {import("./work/live-run.js").LiveRun} LiveRun */
/** @typedef {import("./server.js").ServerState} ServerState */

const WAIT_MS = 1000;
const MOST_BATCH = 100;
const encoder = new TextEncoder();

/**
 * @param {ServerState} state
 * @param {Call} call
 * @param {Json} from a RunCreate
 * @param {boolean} [isWatched] a run that nobody streams by itself shows in the thread's streams
 * @returns {Promise<LiveRun>}
 */
async function start(state, { params, user }, from, isWatched = false) {
  const request = readRun(from);
  const assistant = findAssistant(state, request.assistantId, user);
  const isStateless = params.thread === undefined;
  if (isStateless) {
    const thread = newThread(newId(), {}, user);
    if (request.onCompletion === "keep") await state.threads.put(thread.thread_id, thread);
    return state.live.start(thread, assistant, request, {
      user,
      isStateless: request.onCompletion === "delete",
    });
  }
  const take = request.ifNotExists === "create" ? ensureThread : findThread;
  return state.live.start(await take(state, params.thread, user), assistant, request, {
    user,
    isProtocol: isWatched && state.logs.has(params.thread) && request.modes.join() === "values",
  });
}

/**
 * @param {import("./runs.js").RunRecord} record
 * @param {Call} call
 * @returns {Record<string, string>}
 */
function placeOf(record, { params, basePath }) {
  const isStateless = params.thread === undefined;
  const path = isStateless
    ? `${basePath}/runs/${record.run_id}`
    : `${basePath}/threads/${encodeURIComponent(record.thread_id)}/runs/${record.run_id}`;
  return {
    "content-location": path,
    ...(isStateless ? {} : { location: `${path}/stream` }),
  };
}

/** @param {ServerState} state @param {Call} call */
async function background(state, call) {
  const live = await start(state, call, await call.fields(), true);
  const { "content-location": place } = placeOf(live.record, call);
  return json(shownRun(live.record), 200, { "content-location": place });
}

/** @param {ServerState} state @param {Call} call */
async function stream(state, call) {
  return streamRun(state, call, await call.fields());
}

/**
 * For the SDK's FetchStreamTransport, which names a graph by its address and a thread by its
 * config, and asks for no modes.
 * @param {ServerState} state
 * @param {Call} call
 */
async function streamGraph(state, call) {
  const from = await call.fields();
  const { configurable = {} } = objectIn(from, "config") ?? {};
  const thread = textIn(objectOf(configurable), "thread_id");
  const params = /** @type {Call["params"]} */ (thread === undefined ? {} : { thread });
  return streamRun(
    state,
    { ...call, params },
    {
      if_not_exists: "create",
      multitask_strategy: "enqueue",
      on_disconnect: "cancel",
      stream_mode: ["values", "messages-tuple", "updates", "custom"],
      ...from,
      assistant_id: call.params.graph,
    },
  );
}

/** @param {ServerState} state @param {Call} call @param {Json} from a RunCreate */
async function streamRun(state, call, from) {
  const live = await start(state, call, from);
  return eventResponse(live.log, state, call, {
    after: -1,
    isWanted: () => true,
    headers: placeOf(live.record, call),
    onLeave: leaver(live),
  });
}

/**
 * @param {LiveRun | undefined} live
 * @param {boolean} [cancels]
 * @returns {() => void} what a reader that goes away does to the run
 */
function leaver(live, cancels = live?.request.onDisconnect === "cancel") {
  return () => {
    if (cancels) live?.cancel("Its reader went away.");
  };
}

/**
 * Sends blanks while it waits, so that no connection is taken for a dead one.
 * @param {LiveRun} live
 * @param {Record<string, string>} headers
 * @param {() => void} onLeave
 */
function waitFor(live, headers, onLeave) {
  /** @type {ReturnType<typeof setInterval>} */
  let timer;
  let isLeft = false;
  const body = new ReadableStream({
    async start(controller) {
      timer = setInterval(() => controller.enqueue(encoder.encode("\n")), WAIT_MS);
      await live.done;
      clearInterval(timer);
      if (isLeft) return;
      const { error, values } = live;
      const result = error === undefined ? (values ?? {}) : { __error__: error };
      controller.enqueue(encoder.encode(toJson(result)));
      controller.close();
    },
    cancel() {
      isLeft = true;
      clearInterval(timer);
      onLeave();
    },
  });
  return new Response(body, { headers: { "content-type": "application/json", ...headers } });
}

/** @param {ServerState} state @param {Call} call */
async function wait(state, call) {
  const live = await start(state, call, await call.fields());
  return waitFor(live, placeOf(live.record, call), leaver(live));
}

/** @param {ServerState} state @param {Call} call */
async function batch(state, call) {
  const list = await call.body();
  if (!Array.isArray(list) || list.length > MOST_BATCH)
    throw invalid(`The body must be a list of up to ${MOST_BATCH} runs.`);
  const runs = [];
  for (const one of list)
    runs.push(shownRun((await start(state, call, objectOf(one), true)).record));
  return json(runs);
}

/** @param {ServerState} state @param {Call} call */
async function list(state, { params, query, user }) {
  const { thread_id } = findThread(state, params.thread, user);
  const { found } = searchRecords(state.runs.ofThread(thread_id), query, { equal: ["status"] });
  const select = namesIn(query, "select");
  return json(found.map((run) => selected(shownRun(run), select)));
}

/** @param {ServerState} state @param {Call} call @returns {import("./runs.js").RunRecord} */
function find(state, { params, user }) {
  return state.live.find(params.thread, params.run, user);
}

/** @param {ServerState} state @param {Call} call */
async function join(state, call) {
  const record = find(state, call);
  const live = state.live.get(record.run_id);
  if (live !== undefined)
    return waitFor(live, {}, leaver(live, isTrue(call.query.cancel_on_disconnect)));
  const thread = state.threads.get(record.thread_id);
  return json(thread === undefined ? {} : (await state.threadWork.state(thread)).values);
}

/** @param {ServerState} state @param {Call} call */
async function joinStream(state, call) {
  const record = find(state, call);
  const live = state.live.get(record.run_id);
  const after = Number(lastIdOf(call) ?? -1);
  if (!Number.isInteger(after))
    throw invalid("Last-Event-ID must be the id of an event of this stream, or -1.");
  const modes = namesIn(call.query, "stream_mode");
  return eventResponse(live?.log ?? state.endedLog(record), state, call, {
    after,
    isWanted: ({ event }) => isOfModes(event, modes),
    headers: placeOf(record, call),
    onLeave: leaver(live, isTrue(call.query.cancel_on_disconnect)),
  });
}

/** @param {string} event @param {string[] | undefined} modes */
function isOfModes(event, modes) {
  if (modes === undefined) return true;
  const name = event.split("|")[0];
  // Those of messages-tuple are named messages, those of messages alone messages/partial and so on.
  return (
    ["metadata", "error", "end"].includes(name) ||
    modes.some((mode) =>
      mode === "messages" ? name.startsWith(mode) : mode.split("-")[0] === name,
    )
  );
}

/** @param {Json} query */
function actionIn(query) {
  return oneOf(query, "action", ["interrupt", "rollback"]) ?? "interrupt";
}

/** @param {ServerState} state @param {Call} call */
async function cancel(state, call) {
  const record = find(state, call);
  const action = actionIn(call.query);
  const done = state.live.cancel(record, action);
  if (!isTrue(call.query.wait)) {
    done.catch(() => {});
    return json({}, 202);
  }
  await done;
  return noContent();
}

/** @param {ServerState} state @param {Call} call */
async function cancelMany(state, call) {
  const { fields, query, user } = call;
  const from = await fields();
  const action = actionIn(query);
  const ids = textsIn(from, "run_ids");
  const threadId = textIn(from, "thread_id");
  const status = oneOf(from, "status", ["pending", "running", "all"]);
  if (ids === undefined && threadId === undefined && status === undefined)
    throw invalid("Say thread_id, run_ids or status.");
  const found = [...state.runs.all()].filter(
    (run) =>
      isOf(run, user) &&
      isOpen(run) &&
      (ids === undefined || ids.includes(run.run_id)) &&
      (threadId === undefined || run.thread_id === threadId) &&
      [undefined, "all", run.status].includes(status),
  );
  await Promise.all(found.map((run) => state.live.cancel(run, action)));
  return noContent();
}

/** @param {ServerState} state @param {Call} call */
async function remove(state, call) {
  const record = find(state, call);
  await state.live.cancel(record, "interrupt");
  await state.runs.delete(record.run_id);
  return noContent();
}

/** @param {ServerState} state @param {Call} call */
async function get(state, call) {
  return json(shownRun(find(state, call)));
}

/** @type {Routes} */
export const runRoutes = [
  ["POST", "/threads/:thread/runs", background],
  ["POST", "/threads/:thread/runs/stream", stream],
  ["POST", "/threads/:thread/runs/wait", wait],
  ["GET", "/threads/:thread/runs", list],
  ["GET", "/threads/:thread/runs/:run", get],
  ["DELETE", "/threads/:thread/runs/:run", remove],
  ["GET", "/threads/:thread/runs/:run/join", join],
  ["GET", "/threads/:thread/runs/:run/stream", joinStream],
  ["POST", "/threads/:thread/runs/:run/cancel", cancel],
  ["POST", "/stream/:graph", streamGraph],
  ["POST", "/agui/:graph", answerAgUi],
  ["POST", "/runs", background],
  ["POST", "/runs/stream", stream],
  ["POST", "/runs/wait", wait],
  ["POST", "/runs/batch", batch],
  ["POST", "/runs/cancel", cancelMany],
  ["GET", "/runs/:run", get],
  ["GET", "/runs/:run/stream", joinStream],
  ["POST", "/runs/:run/cancel", cancel],
];
