// SPDX-License-Identifier: MIT
// Lets the servers of several tabs share threads: a Web Lock says which tab runs a thread, and a
// BroadcastChannel tells the other tabs its records, its events and its end. Owns the channel and
// the tab's lock.
import { pause } from "../../base/waits.js";
import { toPlain } from "../http/wire.js";
import { appendEvent } from "../streams/protocol-run.js";
import { heldBelow, hold, whenFree } from "./locks.js";
import { RemoteRun, appendAll, copyEvents } from "./remote-run.js";

/** @typedef {import("../http/event-log.js").EventLog} EventLog */
/** @typedef {import("../http/event-log.js").RunEvent} RunEvent */
/** @typedef {import("../http/fields.js").Json} Json */
/** @typedef {import("../work/live-run.js").LiveRun} LiveRun */
/** @typedef {import("../runs.js").RunRecord} RunRecord */
/** @typedef {import("../server.js").ServerState} ServerState */
/** @typedef {import("../threads.js").ThreadRecord} ThreadRecord */
/** @typedef {import("./locks.js").Release} Release */
/**
 * A run so far.
 * @typedef {{ record: RunRecord, events?: RunEvent[], threadEvents?: RunEvent[] }} Copy
 */
/**
 * @typedef {{ kind: "hello" } | { kind: "welcome", runs: Copy[] } | { kind: "ping", ask: string } |
 *   { kind: "done", ask: string } | { kind: "write", of: Kind, id: string, row: Json | undefined }
 *   | { kind: "begin", record: RunRecord } | { kind: "events" | "thread", id: string, events:
 *   RunEvent[] } | { kind: "end", id: string, record: RunRecord | undefined, thread: ThreadRecord |
 *   undefined, values: Json | undefined, error: Json | undefined } | { kind: "cancel", id: string,
 *   action: "interrupt" | "rollback" }} Message
 */
/** @typedef {"threads" | "runs" | "assistants"} Kind */

const KINDS = /** @type {const} */ (["threads", "runs", "assistants"]);
/** How long a tab is waited for that answers nothing: a browser may have put it to sleep. */
const ROUND_MS = 1000;
const RETRY_MS = 5;

export class Tabs {
  #state;
  id = crypto.randomUUID();
  #prefix;
  #takeUp;
  /** @type {BroadcastChannel} */
  #channel;
  #life = new AbortController();
  /** @type {Release | undefined} */
  #release;
  /** The other tabs. @type {Set<string>} */
  #peers = new Set();
  /** Those that did not answer, until they speak again. @type {Set<string>} */
  #asleep = new Set();
  /** Tabs that were asked something, by question: those that have not answered yet. */
  #asked = new Map(/** @type {[string, { from: Set<string>, resolve: () => void }][]} */ ([]));
  /** The newest event of each thread that other tabs told. @type {Map<string, number>} */
  #heard = new Map();
  /** Runs at work in other tabs. @type {Map<string, RemoteRun>} */
  #remote = new Map();
  /** Runs at work here. @type {Set<LiveRun>} */
  #own = new Set();

  /**
   * @param {ServerState} state
   * @param {string} name that the tabs of an app share
   * @param {() => Promise<void>} takeUp what a tab that is gone has left
   */
  constructor(state, name, takeUp) {
    this.#state = state;
    this.#takeUp = takeUp;
    this.#prefix = `weft:server:${name}:`;
    this.#channel = new BroadcastChannel(this.#prefix);
    this.#channel.onmessage = ({ data }) => {
      if (typeof data?.from !== "string") return;
      if (data.to === undefined || data.to === this.id) this.#hear(data.from, data);
    };
    for (const kind of KINDS) {
      const told = (/** @type {string} */ id, /** @type {Json | undefined} */ row) =>
        this.#post({ kind: "write", of: kind, id, row });
      state[kind].onWrite = told;
    }
  }

  /** Finds the other tabs, and their runs. */
  async open() {
    this.#release = await hold(`${this.#prefix}tab:${this.id}`);
    const ids = await heldBelow(`${this.#prefix}tab:`);
    for (const id of ids) if (id !== this.id) this.#meet(id);
    await this.#askAll("hello", { kind: "hello" });
  }

  close() {
    this.#life.abort();
    this.#channel.close();
    this.#release?.();
  }

  /** @param {string | undefined} id @returns {boolean} */
  isThere(id) {
    return id === this.id || this.#peers.has(String(id));
  }

  /** @param {string} threadId */
  #lockOf(threadId) {
    return `${this.#prefix}thread:${threadId}`;
  }

  /**
   * @param {string} threadId
   * @returns {Promise<Release | undefined>} undefined: the thread is at work in some tab
   */
  async take(threadId) {
    const { live } = this.#state;
    for (const end = performance.now() + ROUND_MS; ; ) {
      const release = await hold(this.#lockOf(threadId), { ifAvailable: true });
      await this.sync();
      const isKnown = release !== undefined || live.of(threadId).length > 0;
      if (isKnown || performance.now() > end) return release;
      // A run that is over gives the lock back, or one that begins is not told yet.
      await pause(RETRY_MS, this.#life.signal);
    }
  }

  /**
   * @param {string} threadId
   * @returns {Promise<{ release?: Release, isElsewhere?: boolean }>} the lock for a run that
   *   begins; a run that waits for others takes it later
   */
  async begin(threadId) {
    const { live } = this.#state;
    // A run of another tab may be over, and this tab has not heard it yet.
    if (live.of(threadId).some(({ isRemote }) => !isRemote)) return {};
    const release = await this.take(threadId);
    if (live.of(threadId).length === 0)
      return release === undefined ? { isElsewhere: true } : { release };
    // What is at work ends first, and needs the lock for that.
    release?.();
    return {};
  }

  /**
   * @param {string} threadId
   * @param {AbortSignal} signal
   * @returns {Promise<Release | undefined>}
   */
  async wait(threadId, signal) {
    return this.#turn(this.#lockOf(threadId), signal);
  }

  /** @returns {Promise<Release | undefined>} its turn to take up what tabs have left */
  async takeTurn() {
    return this.#turn(`${this.#prefix}left`, this.#life.signal);
  }

  /** @param {string} lock @param {AbortSignal} signal */
  async #turn(lock, signal) {
    const release = await hold(lock, { signal });
    await this.sync();
    return release;
  }

  /** Waits until what the other tabs have said by now is heard. */
  async sync() {
    const ask = crypto.randomUUID();
    await this.#askAll(ask, { kind: "ping", ask });
  }

  /** Tells the other tabs of a run, up to its end. @param {LiveRun} live that begins here */
  async follow(live) {
    const { record, log, isProtocol } = live;
    const { run_id: id, thread_id: threadId } = record;
    this.#own.add(live);
    this.#post({ kind: "begin", record });
    const over = new AbortController();
    const thread = isProtocol ? this.#threadLog(threadId) : undefined;
    const copied =
      thread &&
      copyEvents(thread, thread.next, over.signal, (events) =>
        this.#post({ kind: "thread", id: threadId, events }),
      );
    await copyEvents(log, 0, this.#life.signal, (events) =>
      this.#post({ kind: "events", id, events }),
    );
    over.abort();
    await copied;
    this.#own.delete(live);
    const { values, error } = live;
    const { threads, runs } = this.#state;
    const end = { id, record: runs.get(id), thread: threads.get(threadId) };
    this.#post({ kind: "end", ...end, values: plain(values), error });
  }

  /** @param {string} threadId @returns {EventLog} */
  #threadLog(threadId) {
    return this.#state.logs.open(threadId, this.#state.threads.get(threadId));
  }

  /** @param {Message} message @param {string} [to] one tab; undefined: all others */
  #post(message, to) {
    if (this.#life.signal.aborted) return;
    if (this.#peers.size > 0 || message.kind === "hello")
      this.#channel.postMessage({ ...message, from: this.id, to });
  }

  /**
   * Asks every other tab, and waits for its answer, or for its end.
   * @param {string} ask the question's id
   * @param {Message} message
   */
  async #askAll(ask, message) {
    const from = new Set([...this.#peers].filter((tab) => !this.#asleep.has(tab)));
    if (from.size === 0) return;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    await new Promise((resolve) => {
      const end = () => resolve(undefined);
      this.#asked.set(ask, { from, resolve: end });
      timer = setTimeout(end, ROUND_MS);
      this.#post(message);
    });
    clearTimeout(timer);
    this.#asked.delete(ask);
    for (const tab of from) this.#asleep.add(tab);
  }

  /** @param {string} ask @param {string} tab that answers, or is gone */
  #answered(ask, tab) {
    const asked = this.#asked.get(ask);
    asked?.from.delete(tab);
    if (asked?.from.size === 0) asked.resolve();
  }

  /** @param {string} tab */
  #meet(tab) {
    if (this.#peers.has(tab)) return;
    this.#peers.add(tab);
    whenFree(`${this.#prefix}tab:${tab}`, this.#life.signal, () => {
      this.#bury(tab).catch((error) => this.#life.signal.aborted || this.#state.tell(error));
    });
  }

  /** @param {string} from @param {Message} message */
  #hear(from, message) {
    this.#meet(from);
    this.#asleep.delete(from);
    if (message.kind === "hello") this.#welcome(from);
    else if (message.kind === "welcome") {
      for (const run of message.runs) this.#adopt(from, run);
      this.#answered("hello", from);
    } else if (message.kind === "ping") this.#post({ kind: "done", ask: message.ask }, from);
    else if (message.kind === "done") this.#answered(message.ask, from);
    else if (message.kind === "write") this.#write(message.of, message.id, message.row);
    else if (message.kind === "begin") this.#adopt(from, message);
    else if (message.kind === "events") {
      const run = this.#remote.get(message.id);
      if (run !== undefined) appendAll(run.log, message.events);
    } else if (message.kind === "thread") this.#appendToThread(message.id, message.events);
    else if (message.kind === "end") this.#hearEnd(message);
    else if (message.kind === "cancel")
      this.#state.live.get(message.id)?.cancel("It was cancelled in another tab.", message.action);
  }

  /** @param {string} tab that is new: it reads the registry once what is written now is there */
  async #welcome(tab) {
    await Promise.allSettled(KINDS.map((kind) => this.#state[kind].written()));
    const runs = [...this.#own].map((live) => this.#copyOf(live));
    this.#post({ kind: "welcome", runs }, tab);
  }

  /** @param {LiveRun} live @returns {Copy} */
  #copyOf(live) {
    const { record, log, isProtocol } = live;
    return {
      record,
      events: log.from(0),
      threadEvents: isProtocol ? this.#threadLog(record.thread_id).from(0) : [],
    };
  }

  /** @param {string} tab @param {Copy} run that is at work there */
  #adopt(tab, { record: told, events = [], threadEvents = [] }) {
    const { run_id: id, thread_id: threadId } = told;
    if (this.#remote.get(id)?.tab === tab) return;
    // It waited in a tab that is gone, and this one has taken it up.
    this.#end(id);
    const { runs, live, logs, bufferLimit } = this.#state;
    runs.mirror(id, told);
    const record = runs.get(id) ?? told;
    const run = new RemoteRun(record, tab, bufferLimit, (action) =>
      this.#post({ kind: "cancel", id, action }, tab),
    );
    this.#remote.set(id, run);
    if (run.isProtocol) {
      this.#threadLog(threadId);
      logs.beginRun(threadId);
    }
    appendAll(run.log, events);
    this.#appendToThread(threadId, threadEvents);
    live.adopt(run);
  }

  /** @param {string} threadId @param {RunEvent[]} events */
  #appendToThread(threadId, events) {
    const heard = this.#heard.get(threadId) ?? -1;
    const fresh = events.filter(({ id }) => id > heard);
    if (fresh.length === 0) return;
    const log = this.#threadLog(threadId);
    this.#heard.set(threadId, fresh[fresh.length - 1].id);
    // An open question that was told again here may have taken a number that is used there, too.
    for (const event of fresh) log.copy(event);
  }

  /** @param {Message & { kind: "end" }} message */
  #hearEnd({ id, record, thread, values, error }) {
    const { runs, threads, joined } = this.#state;
    const run = this.#remote.get(id);
    runs.mirror(id, record);
    if (run) run.isUnwanted = !record;
    if (thread) threads.mirror(thread.thread_id, thread);
    this.#end(id, values, error);
    if (thread) joined.tellState(thread.thread_id);
  }

  /** @param {string} id @param {Json} [values] @param {Json} [error] */
  #end(id, values, error) {
    const run = this.#remote.get(id);
    if (run === undefined) return;
    this.#remote.delete(id);
    // Another tab begins it, or this one.
    run.isUnwanted ||= run.record.status === "pending";
    run.values = values;
    run.error = error;
    this.#state.live.drop(run);
    run.finish();
  }

  /**
   * @param {Kind} kind
   * @param {string} id
   * @param {Json | undefined} row undefined: it is deleted
   */
  #write(kind, id, row) {
    const { threads, joined, logs } = this.#state;
    /** @type {import("../http/records.js").Records<Json>} */ (
      /** @type {unknown} */ (this.#state[kind])
    ).mirror(id, row);
    if (kind !== "threads") return;
    if (threads.get(id) !== undefined) return joined.tellState(id);
    this.#heard.delete(id);
    logs.delete(id);
    joined.delete(id);
  }

  /** Ends what was at work in a tab that is gone. @param {string} tab */
  async #bury(tab) {
    this.#peers.delete(tab);
    this.#asleep.delete(tab);
    for (const ask of [...this.#asked.keys()]) this.#answered(ask, tab);
    for (const run of [...this.#remote.values()]) {
      if (run.tab !== tab) continue;
      const { record } = run;
      const isBegun = record.status === "running";
      // Before runs that wait for it begin.
      if (isBegun) await this.#state.threadWork.cutOff(record);
      if (isBegun && run.isProtocol) {
        const key = `synth:${record.run_id}:interrupted`;
        const data = { event: "interrupted" };
        appendEvent(this.#threadLog(record.thread_id), key, "lifecycle", [], data);
      }
      this.#end(record.run_id);
    }
    await this.#takeUp();
  }

  /**
   * Tells of a thread what it has come to, unless a tab is at work on it.
   * @param {string} threadId
   */
  async correct(threadId) {
    const release = await hold(this.#lockOf(threadId), { ifAvailable: true });
    const thread = this.#state.threads.get(threadId);
    try {
      if (release !== undefined && thread?.status === "busy")
        await this.#state.threadWork.settle(thread);
    } finally {
      release?.();
    }
  }
}

/** @param {Json | undefined} values @returns {Json | undefined} a copy that can be posted */
function plain(values) {
  return values === undefined ? undefined : /** @type {Json} */ (toPlain(values));
}
