// SPDX-License-Identifier: MIT
// An Agent Server as a function from requests to responses: the same graphs, threads and runs in a
// tab, a worker or a process. Owns what it started.
import { checkArgument, isObject } from "../base/check-arguments.js";
import { EventLog } from "./http/event-log.js";
import { Records } from "./http/records.js";
import { json, Refusal } from "./http/replies.js";
import { nameOf, receive } from "./http/requests.js";
import { Router, bodyOf, preflight, queryOf, refusalOf, segmentsOf, withCors } from "./router.js";
import { assistantRoutes, systemAssistant } from "./assistants.js";
import { Graphs } from "./graphs.js";
import { Connection } from "./connection.js";
import { JoinedThreads } from "./streams/joined-threads.js";
import { TABS } from "./tabs/lazy.js";
import { ThreadLogs } from "./streams/thread-logs.js";
import { protocolRoutes } from "./protocol-routes.js";
import { errorOf } from "./streams/run-stream.js";
import { runRoutes } from "./run-routes.js";
import { Runs } from "./runs.js";
import { takeUpRuns } from "./left-runs.js";
import { storeRoutes } from "./store-routes.js";
import { ThreadWork } from "./thread-work.js";
import { threadRoutes } from "./threads.js";
import { hasTabs } from "./tabs/locks.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./assistants.js").AssistantRecord} AssistantRecord */
/** @typedef {import("./threads.js").ThreadRecord} ThreadRecord */
/** @typedef {import("./runs.js").RunRecord} RunRecord */
/** @typedef {import("./connection.js").Socket} Socket */
/** @typedef {(request: Request) => { socket: Socket, response: Response }} Upgrade */
/**
 * @typedef {Pick<import("./graphs.js").ServedGraph, "stream" | "getState" | "getStateHistory">}
 *   AgUiGraph
 */
/**
 * @typedef {(request: Request, options: { graph: AgUiGraph, signal?: AbortSignal, onError?: (error:
 *   unknown) => string }) => Promise<Response>} AgUiHandler
 */
/**
 * What handlers work with.
 * @typedef {{ graphs: Graphs, store: import("./store-routes.js").ItemStore | undefined, system:
 *   Map<string, AssistantRecord>, assistants: Records<AssistantRecord>, threads:
 *   Records<ThreadRecord>, runs: Records<RunRecord>, live: Runs, threadWork: ThreadWork, logs:
 *   ThreadLogs, joined: JoinedThreads, tabs: import("./tabs/tabs.js").Tabs | undefined, tabsName:
 *   string | undefined, heartbeatMs: number, bufferLimit: number, mostBytes: number, mostRuns:
 *   number, endEvent: boolean, agui: AgUiHandler | undefined, upgrade: Upgrade | undefined, open:
 *   (socket: Socket, threadId: string, user: () => Promise<string | undefined>) => void, waitUntil:
 *   ServerOptions["waitUntil"], fetch: typeof globalThis.fetch | undefined, onError:
 *   ServerOptions["onError"], tell: (error: unknown) => void, endedLog: (record: RunRecord) =>
 *   EventLog }} ServerState
 */
/**
 * @typedef {{ graphs: Record<string, unknown>, saver?: unknown,
 *   store?: import("./store-routes.js").ItemStore, registry?:
 *   import("./http/records.js").RecordStore, basePath?: string, cors?: boolean | string[],
 *   authenticate?: (request: Request) => unknown, heartbeatMs?: number, bufferLimit?: number,
 *   maxBodyBytes?: number, tabs?: string, endEvent?: boolean, agui?: AgUiHandler, upgrade?:
 *   Upgrade, waitUntil?: (promise: Promise<unknown>) => unknown, fetch?: typeof globalThis.fetch,
 *   onError?: (error: unknown, run?: { thread_id: string, run_id: string }) => void }}
 *   ServerOptions
 */

const BODY_BYTES = 10 * 1024 * 1024;
/** The codes with which a socket is closed for a status, from here on. */
const CLOSED_FOR = 4000;
/** Runs whose events are kept for those who join late. */
const MOST_RUNS = 200;
const VERSION = "1.7.3";

/** @type {import("./router.js").Routes} */
const ownRoutes = [
  ["GET", "/ok", async () => json({ ok: true })],
  ["GET", "/info", async () => json(INFO)],
];

const INFO = {
  version: VERSION,
  langgraph_js_version: VERSION,
  context: "js",
  flags: {
    assistants: true,
    crons: false,
    langsmith: false,
    langsmith_tracing_replicas: false,
    strict_resume: true,
  },
};

/** No tab or worker keeps crons. @returns {Promise<Response>} */
async function noCrons() {
  throw new Refusal(501, "Crons are not served.");
}

/** @type {import("./router.js").Routes} */
const cronRoutes = [
  ["POST", "/runs/crons", noCrons],
  ["POST", "/runs/crons/search", noCrons],
  ["DELETE", "/runs/crons/:cron", noCrons],
  ["POST", "/threads/:thread/runs/crons", noCrons],
];

/**
 * @param {ServerOptions} options
 * @returns {{ fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>,
 *   connect: (socket: Socket, threadId: string, options?: { request?: Request }) => void,
 *   basePath: string, close: () => Promise<void> }}
 * @throws BAD_ARGUMENT for options that are none
 */
export function createServer(options) {
  checkArgument(isObject(options), "createServer(options): options must be an object");
  const { basePath = "", cors = true, authenticate, ...more } = options;
  const { tabs, onError } = more;
  checkArgument(
    basePath === "" || /^(\/[\w.-]+)+$/.test(basePath),
    'createServer({ basePath }): basePath must be a path like "/api"',
  );
  checkArgument(
    authenticate === undefined || typeof authenticate === "function",
    "createServer({ authenticate }): authenticate must be a function",
  );
  checkTabs(tabs);
  const state = makeState(more);
  const router = new Router([
    ...ownRoutes,
    ...cronRoutes,
    ...assistantRoutes,
    ...threadRoutes,
    ...runRoutes,
    ...protocolRoutes,
    ...storeRoutes,
  ]);
  let isLoaded = false;
  /** @type {Promise<void> | undefined} */
  let ready;
  const load = () =>
    (ready ??= loadRecords(state).then(
      () => {
        isLoaded = true;
      },
      (error) => {
        ready = undefined;
        throw error;
      },
    ));

  /** @param {Request | undefined} request @returns {Promise<string | undefined>} */
  const userOf = async (request) => {
    return authenticate && nameOf(request && (await authenticate(request)));
  };
  // What a socket says before its connection is made waits for it.
  state.open = (socket, threadId, user) => {
    const opened = Promise.all([user(), load()])
      .then(([name]) => new Connection(state, socket, threadId, name))
      .catch(async (error) => {
        const response = refusalOf(error, onError);
        const { detail } = await response.json();
        // A reason has up to 123 bytes.
        socket.close(CLOSED_FOR + response.status, detail.replace(/[^ -~]/g, "?").slice(0, 120));
      });
    socket.addEventListener("message", async ({ data }) => (await opened)?.receive(data));
    socket.addEventListener("close", async () => {
      // A Worker has to answer it; elsewhere it does nothing.
      socket.close();
      (await opened)?.close();
    });
  };

  /**
   * @param {Request} request
   * @param {Request} original as the host knows it
   * @param {AbortSignal | undefined} signal
   */
  const answer = async (request, original, signal) => {
    try {
      if (request.method === "OPTIONS") return preflight(request);
      const url = new URL(request.url);
      const { handler, params } = router.find(request.method, segmentsOf(url.pathname, basePath));
      // An await costs as much as all else here.
      if (!isLoaded) await load();
      const user = authenticate === undefined ? undefined : await userOf(request);
      const query = queryOf(url.searchParams);
      const body = bodyOf(request, state.mostBytes);
      const call = { request, original, params, query, ...body, user, signal, basePath };
      return await handler(state, call);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return refusalOf(error, onError);
    }
  };

  return {
    fetch: async (input, init) => {
      /** @type {import("./http/requests.js").Received} */
      let received;
      try {
        received = receive(input, init);
      } catch (error) {
        return json({ detail: `This is no request: ${errorOf(error).message}` }, 400);
      }
      const { request, original, signal } = received;
      signal?.throwIfAborted();
      return withCors(await answer(request, original, signal), request, cors);
    },
    connect(socket, threadId, { request } = {}) {
      checkArgument(
        isSocket(socket) && typeof threadId === "string" && threadId !== "",
        "connect(socket, threadId) takes a WebSocket and a thread's id",
      );
      state.open(socket, threadId, () => userOf(request));
    },
    basePath,
    async close() {
      // What it begins is ended, too.
      await ready?.catch(() => {});
      await state.live.close();
      state.logs.close();
      state.joined.close();
      state.tabs?.close();
    },
  };
}

/** @param {unknown} name of `createServer({ tabs })` */
function checkTabs(name) {
  if (name === undefined) return;
  checkArgument(
    typeof name === "string" && /^[\w.-]{1,64}$/.test(name),
    "createServer({ tabs }): tabs must be a name that tabs share",
  );
  checkArgument(
    hasTabs(),
    "createServer({ tabs }): no Web Locks or BroadcastChannel: use https or localhost",
  );
}

/** @param {Partial<Socket> | undefined} socket */
function isSocket(socket) {
  const methods = [socket?.send, socket?.close, socket?.addEventListener];
  return methods.every((one) => typeof one === "function");
}

/** @param {ServerOptions} options @returns {ServerState} */
function makeState({
  graphs: given,
  saver,
  store,
  registry = store,
  heartbeatMs = 5000,
  bufferLimit = 2000,
  maxBodyBytes: mostBytes = BODY_BYTES,
  endEvent = false,
  tabs: tabsName,
  agui,
  upgrade,
  waitUntil,
  fetch,
  onError,
  ...others
}) {
  // Such as a misspelt `authenticate`: everybody would get in.
  const [other] = Object.keys(others);
  checkArgument(other === undefined, `createServer has no option ${other}`);
  const graphs = new Graphs(
    /** @type {Record<string, import("./graphs.js").GraphOrFactory>} */ (given),
    saver,
    store,
  );
  const records = /** @type {import("./http/records.js").RecordStore | undefined} */ (registry);
  const now = new Date().toISOString();
  const state = /** @type {ServerState} */ ({
    graphs,
    store,
    system: new Map(graphs.names.map((name) => [name, systemAssistant(name, now)])),
    assistants: new Records(records, "assistants"),
    threads: new Records(records, "threads"),
    runs: new Records(records, "runs"),
    heartbeatMs,
    bufferLimit,
    mostBytes,
    mostRuns: MOST_RUNS,
    endEvent,
    tabsName,
    agui,
    upgrade,
    waitUntil,
    fetch,
    onError,
    tell: (error) => onError?.(error),
    endedLog,
  });
  state.logs = new ThreadLogs(state.bufferLimit);
  state.live = new Runs(state);
  state.threadWork = new ThreadWork(state);
  state.joined = new JoinedThreads(state);
  return state;
}

/** The log of a run whose events are gone. @param {RunRecord} record @returns {EventLog} */
function endedLog({ run_id }) {
  const log = new EventLog(1);
  log.append("metadata", JSON.stringify({ run_id, attempt: 1 }));
  log.close();
  return log;
}

/** Goes on where an earlier server ended. @param {ServerState} state */
async function loadRecords(state) {
  if (state.tabsName !== undefined && state.tabs === undefined) {
    const { Tabs } = await TABS.load();
    state.tabs = new Tabs(state, state.tabsName, () => takeUpRuns(state));
    try {
      await state.tabs.open();
    } catch (error) {
      state.tabs.close();
      // Else the next request would go on as if there were no other tabs.
      state.tabs = undefined;
      throw error;
    }
  }
  await Promise.all([state.assistants.load(), state.threads.load(), state.runs.load()]);
  for (const graph of state.graphs.made) await state.threadWork.finishRollbacks(graph);
  await takeUpRuns(state);
}
