// SPDX-License-Identifier: MIT
// Answers what clients ask about threads: their records, states and history.
import { isRecord } from "../base/check-arguments.js";
import {
  contains,
  countIn,
  isTrue,
  namesIn,
  objectIn,
  objectOf,
  oneOf,
  refuseTtl,
  textIn,
  textsIn,
} from "./http/fields.js";
import { newId } from "./http/ids.js";
import { searchRecords } from "./http/records.js";
import { readCommand, readPlace } from "./run-input.js";
import { isOf } from "./runs.js";
import { selected } from "./http/wire.js";
import { invalid, json, noContent, notFound, Refusal } from "./http/replies.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./router.js").Call} Call */
/** @typedef {import("./router.js").Routes} Routes */
/** @typedef {import("./server.js").ServerState} ServerState */
/**
 * @typedef {Json & { thread_id: string, created_at: string, updated_at: string, state_updated_at:
 *   string, metadata: Json, status: "idle" | "busy" | "interrupted" | "error", config: Json,
 *   interrupts: Record<string, { id?: string, value?: unknown }[]>, error: Json | null, owner?:
 *   string, last?: string, seq?: number }} ThreadRecord `last`: its newest checkpoint; `seq`: of
 *   its newest event
 */

const STATUSES = /** @type {const} */ (["idle", "busy", "interrupted", "error"]);
const SORTABLE = ["thread_id", "status", "created_at", "updated_at", "state_updated_at"];
const MOST_HISTORY = 1000;

/**
 * @param {string} id
 * @param {Json} metadata
 * @param {string | undefined} user
 * @returns {ThreadRecord}
 */
export function newThread(id, metadata, user) {
  const now = new Date().toISOString();
  return {
    thread_id: id,
    created_at: now,
    updated_at: now,
    state_updated_at: now,
    metadata,
    status: "idle",
    config: {},
    interrupts: {},
    error: null,
    owner: user,
  };
}

/**
 * @param {ServerState} state
 * @param {string} id
 * @param {string | undefined} user
 * @returns {ThreadRecord}
 * @throws {Refusal} 404, also for a thread that is another user's
 */
export function findThread(state, id, user) {
  const thread = state.threads.get(id);
  if (thread === undefined || !isOf(thread, user)) throw notFound(`thread ${JSON.stringify(id)}`);
  return thread;
}

/**
 * @param {ServerState} state
 * @param {string} id
 * @param {string | undefined} user
 * @returns {Promise<ThreadRecord>} made, where there is none
 * @throws {Refusal} 404, for a thread that is another user's
 */
export async function ensureThread(state, id, user) {
  await refuseKept(state, id, user);
  if (state.threads.get(id) === undefined) await state.threads.put(id, newThread(id, {}, user));
  return findThread(state, id, user);
}

/**
 * @param {ServerState} state @param {string} id @param {string | undefined} user
 * @throws {Refusal} 404 for a thread that has a state and no record: nobody knows whose it is
 */
export async function refuseKept(state, id, user) {
  const isNew = user !== undefined && state.threads.get(id) === undefined;
  // Meanwhile it may have become the user's own, by another request.
  if (isNew && (await state.threadWork.isKept(id, user))) findThread(state, id, user);
}

/**
 * @param {(state: ServerState, thread: ThreadRecord, call: Call) => Promise<Response>} handler
 * @returns {import("./router.js").Handler} of a thread that its path names
 */
const ofThread = (handler) => async (state, call) =>
  handler(state, findThread(state, call.params.thread, call.user), call);

/** @param {ThreadRecord} thread @returns {Json} as a client sees it */
function shown({ owner: _owner, last: _last, seq: _seq, ...thread }) {
  return thread;
}

/**
 * @param {ServerState} state
 * @param {ThreadRecord} thread
 * @param {string[] | undefined} [select]
 * @returns {Promise<Json>} with its values, if they are wanted
 */
async function withValues(state, thread, select) {
  const wants = select === undefined || select.some((key) => key.split(".")[0] === "values");
  const values = wants ? await state.threadWork.values(thread) : undefined;
  return selected({ ...shown(thread), ...(wants ? { values } : {}) }, select);
}

/** @param {ServerState} state @param {Call} call */
async function create(state, { fields, user }) {
  const from = await fields();
  refuseTtl(from);
  const id = textIn(from, "thread_id") ?? newId();
  if (id === "") throw invalid("thread_id must not be empty.");
  const metadata = objectIn(from, "metadata") ?? {};
  const ifExists = oneOf(from, "if_exists", ["raise", "do_nothing"]) ?? "raise";
  if (from.thread_id !== undefined) await refuseKept(state, id, user);
  const before = state.threads.get(id);
  if (before !== undefined) {
    findThread(state, id, user);
    if (ifExists === "raise")
      throw new Refusal(409, `There is a thread ${JSON.stringify(id)} already.`);
    return json(await withValues(state, before));
  }
  const steps = readSupersteps(from);
  const thread = newThread(id, metadata, user);
  await state.threads.put(id, thread);
  // A saver has nothing of a thread whose id was made here.
  if (from.thread_id === undefined && steps.length === 0)
    return json({ ...shown(thread), values: {} });
  if (steps.length > 0) await state.threadWork.bulkUpdate(thread, steps);
  // An imported one may wait for an answer.
  else await state.threadWork.settle(thread);
  return json(await withValues(state, thread));
}

/** @param {Json} from @returns {{ updates: unknown[] }[]} */
function readSupersteps(from) {
  const steps = from.supersteps ?? [];
  if (!Array.isArray(steps) || !steps.every((step) => Array.isArray(step?.updates)))
    throw invalid("supersteps must be a list of { updates }.");
  return steps.map(({ updates }) => ({
    updates: updates.map((/** @type {unknown} */ update) => {
      const one = objectOf(update);
      const command = objectIn(one, "command");
      return {
        values: command === undefined ? one.values : readCommand(command),
        asNode: textIn(one, "as_node"),
      };
    }),
  }));
}

/** @param {ServerState} state @param {Call} call */
async function search(state, { fields, user }) {
  const from = await fields();
  const { found, headers } = await findThreads(state, from, user);
  const select = textsIn(from, "select");
  const list = await Promise.all(found.map((thread) => withValues(state, thread, select)));
  return json(list, 200, headers);
}

/** @param {ServerState} state @param {Json} from @param {string | undefined} user */
async function findThreads(state, from, user) {
  oneOf(from, "status", STATUSES);
  const own = [...state.threads.all()].filter((thread) => isOf(thread, user));
  const values = objectIn(from, "values");
  const fitting = [];
  for (const thread of own)
    if (values === undefined || contains(await state.threadWork.values(thread), values))
      fitting.push(thread);
  return searchRecords(fitting, from, {
    equal: ["status"],
    containing: ["metadata"],
    sortable: SORTABLE,
  });
}

/** @param {ServerState} state @param {Call} call */
async function count(state, { fields, user }) {
  const { total } = await findThreads(state, { ...(await fields()), limit: 0 }, user);
  return json(total);
}

/** @param {ServerState} state @param {Call} call */
async function prune(state, { fields, user }) {
  const from = await fields();
  const ids = textsIn(from, "thread_ids") ?? [];
  const strategy = oneOf(from, "strategy", ["delete", "keep_latest"]) ?? "delete";
  const threads = ids
    .map((id) => state.threads.get(id))
    .filter((one) => one !== undefined && isOf(one, user));
  for (const thread of /** @type {ThreadRecord[]} */ (threads))
    await (strategy === "delete"
      ? state.threadWork.delete(thread)
      : state.threadWork.prune(thread));
  return json({ pruned_count: threads.length });
}

/** @param {ServerState} state @param {ThreadRecord} thread @param {Call} call */
async function change(state, thread, { fields, request }) {
  const from = await fields();
  refuseTtl(from);
  thread.metadata = { ...thread.metadata, ...objectIn(from, "metadata") };
  thread.updated_at = new Date().toISOString();
  await state.threads.put(thread.thread_id, thread);
  return request.headers.get("prefer") === "return=minimal"
    ? noContent()
    : json(await withValues(state, thread));
}

/** @param {ServerState} state @param {ThreadRecord} thread @param {Call} call */
async function copy(state, thread, { user }) {
  const made = newThread(newId(), { ...thread.metadata }, user);
  await state.threads.put(made.thread_id, made);
  await state.threadWork.copy(thread, made);
  return json(await withValues(state, made));
}

/** @param {ServerState} state @param {ThreadRecord} thread @param {Call} call */
async function readState(state, thread, { params, query }) {
  const place = params.checkpoint === undefined ? {} : { checkpoint_id: params.checkpoint };
  const found = await state.threadWork.state(thread, place, isTrue(query.subgraphs));
  return json(selected(found, namesIn(query, "select")));
}

/** @param {ServerState} state @param {ThreadRecord} thread @param {Call} call */
async function readCheckpoint(state, thread, { fields }) {
  const from = await fields();
  const found = await state.threadWork.state(thread, readPlace(from), from.subgraphs === true);
  return json(selected(found, textsIn(from, "select")));
}

/** @param {ServerState} state @param {ThreadRecord} thread @param {Call} call */
async function writeState(state, thread, { fields }) {
  const from = await fields();
  if (state.live.of(thread.thread_id).length > 0) throw new Refusal(409, "Thread is busy");
  const checkpoint = await state.threadWork.update(
    thread,
    from.values,
    textIn(from, "as_node"),
    readPlace(from),
  );
  const { thread_id, checkpoint_ns = "", checkpoint_id } = checkpoint;
  return json({
    checkpoint: { thread_id, checkpoint_ns, checkpoint_id },
    configurable: checkpoint,
  });
}

/** @param {ServerState} state @param {ThreadRecord} thread @param {Call} call */
async function readHistory(state, thread, { query, fields, request }) {
  const from = request.method === "GET" ? query : await fields();
  const { before } = from;
  const place = isRecord(before)
    ? objectIn(before, "configurable")
    : before === undefined || before === null
      ? undefined
      : { checkpoint_id: textIn(from, "before") };
  const states = await state.threadWork.history(thread, {
    limit: countIn(from, "limit", 10, MOST_HISTORY),
    before: place,
    filter: objectIn(from, "metadata"),
    place: readPlace(from),
  });
  const select = textsIn(from, "select");
  return json(states.map((one) => selected(one, select)));
}

/** @type {Routes} */
export const threadRoutes = [
  ["POST", "/threads", create],
  ["POST", "/threads/search", search],
  ["POST", "/threads/count", count],
  ["POST", "/threads/prune", prune],
  [
    "GET",
    "/threads/:thread",
    ofThread(async (state, thread) => json(await withValues(state, thread))),
  ],
  ["PATCH", "/threads/:thread", ofThread(change)],
  [
    "DELETE",
    "/threads/:thread",
    ofThread(async (state, thread) => {
      await state.threadWork.delete(thread);
      return noContent();
    }),
  ],
  ["POST", "/threads/:thread/copy", ofThread(copy)],
  ["GET", "/threads/:thread/state", ofThread(readState)],
  ["GET", "/threads/:thread/state/:checkpoint", ofThread(readState)],
  ["POST", "/threads/:thread/state/checkpoint", ofThread(readCheckpoint)],
  ["POST", "/threads/:thread/state", ofThread(writeState)],
  ["PATCH", "/threads/:thread/state", ofThread(change)],
  [
    "GET",
    "/threads/:thread/decisions",
    ofThread(async (state, thread) => json(await state.threadWork.decisions(thread))),
  ],
  ["GET", "/threads/:thread/history", ofThread(readHistory)],
  ["POST", "/threads/:thread/history", ofThread(readHistory)],
];
