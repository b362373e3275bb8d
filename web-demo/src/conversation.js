// SPDX-License-Identifier: MIT
// Knows: one thread: its state in the saver, the run that goes on, the requests that wait for a
// person. Owns what is shown of it. Must not know: the page, other threads, how agents are made.
import { Command } from "weftgraph";
import { explain, isFenced, isStop } from "./problems.js";
import { callIdOf, editsIn } from "./request.js";
import { beginWork, isWorkedOn, whenFree } from "./work-lock.js";

const STEPS = 40;

/** @typedef {"loading" | "idle" | "running" | "readOnly" | "broken"} Status */
/** @typedef {{ id: string, value: any }} Pending */
/** A request of the step that waits. @typedef {Pending & { isOpen: boolean }} Asked */

export class Conversation {
  /** @type {Status} */
  status = "loading";
  /** What the thread holds. @type {any[]} */
  messages = [];
  /** What the run has said since. @type {Map<string, any>} */
  live = new Map();
  /**
   * Requests of the step that waits, as they were asked: what is decided keeps its place until all
   * of them are, so that nothing slides under a pointer.
   * @type {Asked[]}
   */
  requests = [];
  /** What people changed about calls before they ran. @type {import("./request.js").Edit[]} */
  edits = [];
  /** The last turn has steps left, but nobody runs them. */
  isUnfinished = false;
  /** The last run was stopped by the person. */
  wasStopped = false;
  /** Another tab works on this thread. */
  isBusyElsewhere = false;
  /** @type {import("./problems.js").Problem | undefined} */
  problem = undefined;
  draft = "";
  /** @type {AbortController | undefined} */
  #abort = undefined;
  /** Loads are numbered: only the newest one is shown. */
  #loads = 0;

  /**
   * @param {string} id
   * @param {{ agent: () => any, decisions: (id: string) => Promise<any[]>, readDesk: () =>
   *   Promise<void>, changed: () => void, announce: (kind: "running" | "changed") => void }} links
   */
  constructor(id, { agent, decisions, readDesk, changed, announce }) {
    this.id = id;
    this.agent = agent;
    this.decisions = decisions;
    this.readDesk = readDesk;
    this.changed = changed;
    this.announce = announce;
  }

  get isEmpty() {
    return this.messages.length === 0 && this.live.size === 0;
  }

  /** Requests that wait for a decision. */
  get pending() {
    return this.requests.filter(({ isOpen }) => isOpen);
  }

  get #config() {
    return { configurable: { thread_id: this.id } };
  }

  /** Nothing of it is stored yet, so there is nothing to load. */
  get isNew() {
    return this.status === "idle" && this.isEmpty;
  }

  /** A thread that nobody has written to. */
  begin() {
    this.status = "idle";
  }

  /** Shows what the saver holds. */
  async load() {
    const number = ++this.#loads;
    try {
      const [kept, isBusy] = await Promise.all([this.#read(), isWorkedOn(this.id)]);
      if (number !== this.#loads || this.status === "running") return;
      this.#show(kept);
      this.isBusyElsewhere = false;
      if (isBusy) this.waitForOther();
      this.live.clear();
      this.problem = undefined;
      this.wasStopped = false;
      this.status = "idle";
    } catch (error) {
      if (number !== this.#loads || this.status === "running") return;
      this.problem = explain(error);
      this.status = "broken";
    }
    this.changed();
  }

  /** Another tab is at work: shows it, and reads the thread again when that tab is done or gone. */
  waitForOther() {
    if (this.isBusyElsewhere || this.status === "running") return;
    this.isBusyElsewhere = true;
    whenFree(this.id).then(() => (this.isBusyElsewhere ? this.refresh() : undefined));
  }

  /**
   * What another tab may have changed is read again, unless this tab is at work or lost the thread.
   */
  async refresh() {
    if (this.status === "idle" && !this.isNew && !this.wasStopped && !this.problem)
      await this.load();
  }

  /**
   * What the saver holds; and the desk, so that what an answer tells of is there when the answer
   * is.
   */
  #read() {
    return Promise.all([
      this.agent().getState(this.#config),
      this.decisions(this.id),
      this.readDesk(),
    ]);
  }

  /** @param {any[]} kept as #read answers */
  #show([{ values, tasks, next }, decisions]) {
    this.messages = values.messages ?? [];
    this.edits = editsIn(decisions);
    this.#ask(tasks.flatMap((/** @type {any} */ task) => task.interrupts));
    this.isUnfinished = next.length > 0 && this.pending.length === 0;
  }

  /** @param {Pending[]} waiting */
  #ask(waiting) {
    // A task that was answered keeps its request until the others of its step are done too; its
    // result is there already. An id may come again in a later message: only what answers the last
    // one counts.
    const results = this.messages.slice(
      this.messages.findLastIndex(({ type }) => type === "ai") + 1,
    );
    const answered = new Set(results.map(({ tool_call_id }) => tool_call_id).filter(Boolean));
    const open = new Map(
      waiting
        .filter(({ value }) => !answered.has(value?.tool_call_id))
        .map((one) => [callIdOf(one), one]),
    );
    const before = this.requests.some((one) => open.has(callIdOf(one))) ? this.requests : [];
    const asked = before.map((one) => {
      const still = open.get(callIdOf(one));
      open.delete(callIdOf(one));
      return { ...(still ?? one), isOpen: still !== undefined };
    });
    this.requests = [...asked, ...[...open.values()].map((one) => ({ ...one, isOpen: true }))];
  }

  /**
   * @param {string} text
   * @param {{ insist?: boolean }} [options] `insist`: even if another tab is at work; that one is
   *   then fenced
   */
  async send(text, options) {
    const before = this.messages;
    this.draft = "";
    this.live.set("sent", { type: "human", id: "sent", text });
    await this.#run({ messages: [{ role: "user", content: text }] }, options);
    // Nothing was accepted: the words go back to where they were written.
    if (this.messages === before && (this.problem || this.isBusyElsewhere) && this.draft === "")
      this.draft = text;
    this.changed();
  }

  /** @param {Pending} request @param {any} response */
  async decide(request, response) {
    const { requests, edits } = this;
    // Which of the messages it is about: the ids of calls need not be unique in a thread.
    const answer = {
      ...response,
      message_id: this.messages.findLast(({ type }) => type === "ai")?.id,
    };
    this.edits = [...edits, ...editsIn([{ tool_call_id: callIdOf(request), answer }])];
    this.#ask(this.pending.filter(({ id }) => id !== request.id));
    if (!(await this.#run(new Command({ resume: { [request.id]: answer } }))))
      Object.assign(this, { requests, edits });
  }

  /** Takes up the steps that are left. */
  async resume() {
    await this.#run(null);
  }

  stop() {
    this.#abort?.abort();
  }

  /**
   * @param {any} input
   * @param {{ insist?: boolean }} [options]
   * @returns {Promise<boolean>} was it begun?
   */
  async #run(input, { insist = false } = {}) {
    if (this.status !== "idle") return false;
    this.status = "running";
    this.changed();
    const end = await beginWork(this.id);
    if (end || insist) await this.#work(input);
    else {
      this.live.delete("sent");
      this.status = "idle";
      this.waitForOther();
    }
    end?.();
    if (end || insist) this.announce("changed");
    this.changed();
    return end !== undefined || insist;
  }

  /** @param {any} input */
  async #work(input) {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.problem = undefined;
    this.wasStopped = false;
    this.isUnfinished = false;
    this.isBusyElsewhere = false;
    this.announce("running");
    try {
      const stream = await this.agent().stream(input, {
        ...this.#config,
        streamMode: ["values", "messages"],
        signal,
        recursionLimit: STEPS,
      });
      for await (const [mode, chunk] of stream) {
        if (mode === "values") this.#takeValues(chunk);
        else this.#takePiece(chunk[0]);
        this.changed();
      }
      await this.#end();
    } catch (error) {
      await this.#fail(error, signal);
    }
    this.#abort = undefined;
  }

  /** @param {any} values */
  #takeValues(values) {
    if (!values.messages) return;
    this.messages = values.messages;
    this.#ask(this.pending);
    this.live.clear();
  }

  /** @param {any} piece */
  #takePiece(piece) {
    const before = this.live.get(piece.id);
    const grows = typeof before?.concat === "function" && typeof piece.concat === "function";
    this.live.set(piece.id, grows ? before.concat(piece) : piece);
  }

  async #end() {
    this.#show(await this.#read());
    // Results of tools beside one that waits are not in the state yet.
    if (this.pending.length === 0) this.live.clear();
    this.status = "idle";
  }

  /** @param {any} error @param {AbortSignal} signal */
  async #fail(error, signal) {
    if (isFenced(error)) {
      this.status = "readOnly";
      this.requests = [];
      return;
    }
    this.wasStopped = isStop(error, signal);
    if (!this.wasStopped) this.problem = explain(error);
    this.live.delete("sent");
    try {
      this.#show(await this.#read());
      this.status = "idle";
    } catch (second) {
      this.problem = explain(second);
      this.status = "broken";
    }
  }
}
