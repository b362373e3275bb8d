// SPDX-License-Identifier: MIT
// Joins the events of a thread's runs, one run behind the other, for clients that follow the thread
// itself. Copies nothing while nobody follows a thread. Does not depend on requests.
import { EventLog } from "../http/event-log.js";
import { toJson } from "../http/wire.js";

/** @typedef {import("../http/event-log.js").RunEvent} RunEvent */
/** @typedef {import("../work/live-run.js").LiveRun} LiveRun */
/** @typedef {import("../server.js").ServerState} ServerState */
/** @typedef {import("../threads.js").ThreadRecord} ThreadRecord */

/** An event's id: its run and its number there, and the checkpoint where it tells of a state. */
const POSITION = /^([^:+]*):(\d+)(?:\+.*)?$/;

/** @param {unknown} id @returns {boolean} Can a client have it from a thread's stream? */
export function isPosition(id) {
  return typeof id === "string" && (id === "-1" || POSITION.test(id));
}

/** The events of one thread's runs, for all clients that follow it now. */
export class ThreadFeed {
  readers = 0;
  #state;
  #thread;
  /** Runs whose events are not all copied, in the order in which they go. @type {LiveRun[]} */
  #runs = [];
  /** The next event of the first of them. */
  #at = 0;
  /** The first event of the run that is under way. */
  #begin = 0;
  /** The newest event's id, as clients know it. */
  #newest = ":0";
  /** Do clients want states? */
  #hasStates = false;
  /** The checkpoint of the newest state that was sent. @type {unknown} */
  #stateOf;
  #life = new AbortController();
  /** Wakes the copying when a run comes. */
  #wake = () => {};

  /** @param {ServerState} state @param {ThreadRecord} thread */
  constructor(state, thread) {
    this.#state = state;
    this.#thread = thread;
    this.log = new EventLog(state.bufferLimit);
    this.#runs = state.live.newestOf(thread.thread_id, state.bufferLimit);
    this.#copy();
    this.#follow().catch(state.tell);
  }

  /** @param {LiveRun} run that comes behind those that are known */
  add(run) {
    this.#runs.push(run);
    this.#wake();
  }

  /** Copies the events that are there. @returns {LiveRun | undefined} the run under way */
  #copy() {
    for (let [run] = this.#runs; run !== undefined; [run] = this.#runs) {
      const { log, record } = run;
      if (this.#at === 0) this.#begin = this.log.next;
      for (let event; this.#at < log.next && (event = log.at(this.#at)); this.#at = event.id + 1)
        this.#append(event.event, event.data, `${record.run_id}:${event.id}`);
      if (!log.isClosed) return run;
      const end = { status: "run_done", run_id: record.run_id, run_status: record.status };
      this.#append("metadata", JSON.stringify(end), `${record.run_id}:${log.next}`);
      this.#runs.shift();
      this.#at = 0;
    }
    return undefined;
  }

  /** @param {string} event @param {string} data @param {string} key */
  #append(event, data, key) {
    this.#newest = key;
    this.log.append(event, data, { key });
  }

  async #follow() {
    const { signal } = this.#life;
    while (!signal.aborted) {
      const run = this.#copy();
      if (run !== undefined) await run.log.wait(this.#at, signal);
      else await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    }
  }

  /** Sends the thread's state, unless it was sent. @param {boolean} [isWanted] by a new client */
  async tellState(isWanted = false) {
    this.#hasStates ||= isWanted;
    if (!this.#hasStates) return;
    const { thread_id } = this.#thread;
    const state = await this.#state.threadWork.state(this.#thread);
    const place = /** @type {{ checkpoint_id?: unknown } | null} */ (state.checkpoint);
    const checkpoint = place?.checkpoint_id ?? "";
    if (checkpoint === this.#stateOf || this.#life.signal.aborted) return;
    this.#stateOf = checkpoint;
    this.#copy();
    const [behind] = this.#newest.split("+");
    this.#append("state_update", toJson({ state, thread_id }), `${behind}+${checkpoint}`);
  }

  /**
   * @param {string | undefined} given the id of the last event that a client has; "-1": it wants
   *   all; undefined: it wants the run under way, and what comes
   * @returns {number} the number of the last event that it does not get
   */
  after(given) {
    const isAtWork = this.#copy() !== undefined;
    if (given === undefined) return (isAtWork ? this.#begin : this.log.next) - 1;
    const [, run, number] = POSITION.exec(given) ?? [];
    if (run === undefined) return -1;
    /** @type {number | undefined} */
    let first;
    for (let id = this.log.next - 1; id >= this.log.first; id--) {
      const { key } = /** @type {RunEvent} */ (this.log.at(id));
      if (key === given) return id;
      if (isBehind(String(key), run, Number(number))) first = id;
    }
    return (first ?? this.log.next) - 1;
  }

  end() {
    this.#life.abort();
    this.#wake();
    this.log.close();
  }
}

/**
 * @param {string} key of an event
 * @param {string} run
 * @param {number} number
 * @returns {boolean} Does it come behind that event? Ids of runs sort by time.
 */
function isBehind(key, run, number) {
  const [, ownRun, ownNumber] = POSITION.exec(key) ?? [];
  if (ownRun !== run) return ownRun > run;
  return Number(ownNumber) > number || (Number(ownNumber) === number && key.includes("+"));
}

/** The threads that clients follow. */
export class JoinedThreads {
  /** @type {Map<string, ThreadFeed>} */
  #feeds = new Map();
  #state;

  /** @param {ServerState} state */
  constructor(state) {
    this.#state = state;
  }

  /** @param {ThreadRecord} thread @returns {ThreadFeed} until each reader has left it */
  join(thread) {
    const known = this.#feeds.get(thread.thread_id);
    const feed = known ?? new ThreadFeed(this.#state, thread);
    this.#feeds.set(thread.thread_id, feed);
    feed.readers++;
    return feed;
  }

  /** @param {string} threadId @param {ThreadFeed} feed that a reader leaves */
  leave(threadId, feed) {
    if (--feed.readers > 0) return;
    feed.end();
    if (this.#feeds.get(threadId) === feed) this.#feeds.delete(threadId);
  }

  /** @param {LiveRun} run that was made */
  add(run) {
    this.#feeds.get(run.record.thread_id)?.add(run);
  }

  /** The state of a thread may have changed. @param {string} threadId */
  tellState(threadId) {
    this.#feeds.get(threadId)?.tellState().catch(this.#state.tell);
  }

  /** @param {string} threadId */
  delete(threadId) {
    this.#feeds.get(threadId)?.end();
    this.#feeds.delete(threadId);
  }

  close() {
    for (const id of [...this.#feeds.keys()]) this.delete(id);
  }
}
