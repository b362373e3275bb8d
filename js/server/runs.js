// SPDX-License-Identifier: MIT
// Starts, queues, cancels and ends runs. Of one thread's runs one is at work at a time; what the
// next one does with it says its multitask strategy. Owns the runs of this server.
import { runOutside } from "../base/ambient.js";
import { decidesCalls, namesQuestions } from "../calls/resume-check.js";
import { isInvalidResume, isUnknownInterruptError } from "../base/errors.js";
import { invalid, notFound } from "./http/replies.js";
import { LiveRun } from "./work/live-run.js";
import { isOpen, newRun, shownRun } from "./work/run-record.js";
import { configOf, shownConfig } from "./run-input.js";
import { endThread } from "./thread-work.js";
import { ProtocolRun } from "./streams/protocol-run.js";
import { RunStream, errorOf } from "./streams/run-stream.js";
import { pause, unlessAborted } from "../base/waits.js";
import { toPlain } from "./http/wire.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./run-input.js").RunRequest} RunRequest */
/** @typedef {import("./server.js").ServerState} ServerState */
/** @typedef {import("./threads.js").ThreadRecord} ThreadRecord */
/** @typedef {import("./assistants.js").AssistantRecord} AssistantRecord */
/** @typedef {import("./work/run-record.js").RunRecord} RunRecord */

/** Maximum number of runs of one thread that wait for their turn. */
const MOST_WAITING = 1000;
/** Maximum number of records of ended runs that a thread keeps: the newest ones. */
const MOST_KEPT = 1000;
const BUSY =
  "Thread is already running a task. Wait for it to finish or choose a different multitask strategy.";

export class Runs {
  /** @type {Map<string, LiveRun>} */
  #live = new Map();
  /**
   * Runs of a thread that are not over, in the order in which they go.
   * @type {Map<string, LiveRun[]>}
   */
  #queues = new Map();
  /** Runs that are over, the oldest first. @type {string[]} */
  #ended = [];
  #state;

  /** @param {ServerState} state */
  constructor(state) {
    this.#state = state;
  }

  /** @param {string} runId @returns {LiveRun | undefined} */
  get(runId) {
    return this.#live.get(runId);
  }

  /** @param {string} threadId @returns {LiveRun[]} what is at work there, or waits */
  of(threadId) {
    return this.#queues.get(threadId) ?? [];
  }

  /**
   * @param {string} threadId
   * @param {number} most events of runs that ended
   * @returns {LiveRun[]} those that are kept, the oldest first, and those that are not over
   */
  newestOf(threadId, most) {
    const open = this.of(threadId);
    /** @type {LiveRun[]} */
    const ended = [];
    let rest = most;
    for (const id of [...this.#ended].reverse()) {
      const live = this.#live.get(id);
      if (live?.record.thread_id !== threadId) continue;
      rest -= live.log.next - live.log.first;
      if (rest < 0) break;
      ended.unshift(live);
    }
    return [...ended, ...open];
  }

  /**
   * @param {ThreadRecord} thread
   * @param {AssistantRecord} assistant
   * @param {RunRequest} request
   * @param {{ user?: string, isStateless?: boolean, isProtocol?: boolean, answered?: string[],
   *   left?: RunRecord }} [how] `left`: its record, where it was accepted and never began
   * @returns {Promise<LiveRun>}
   * @throws {Refusal} 422 where the thread is at work and the strategy is `reject`
   */
  async start(
    thread,
    assistant,
    request,
    { user, isStateless = false, isProtocol = false, answered = [], left } = {},
  ) {
    const threadId = thread.thread_id;
    const strategy = request.strategy ?? "reject";
    if (request.webhook !== undefined && this.#state.fetch === undefined)
      throw invalid("Webhooks need createServer({ fetch }).");
    const { tabs } = this.#state;
    const lock = tabs === undefined || isStateless ? {} : await tabs.begin(threadId);
    const before = this.of(threadId);
    const taken = before.flatMap((run) => run.answered);
    if (answered.some((id) => taken.includes(id)))
      throw invalid("The question is answered already.");
    const resume = request.command?.resume;
    const isPlain = strategy === "enqueue" && decidesCalls(resume) && !namesQuestions(resume);
    // A second click is not for a question that comes later.
    const isBusy =
      strategy === "reject"
        ? before.some(({ controller }) => !controller.signal.aborted) || lock.isElsewhere
        : isPlain && before.some(({ values }) => !values);
    if (isBusy) throw invalid(BUSY);
    if (before.length >= MOST_WAITING)
      throw invalid(`${MOST_WAITING} runs of the thread wait already.`);
    const how = { isProtocol, answered, tab: tabs?.id };
    const record = left ?? newRun(threadId, assistant.assistant_id, request, user, how);
    record.how = how;
    const live = new LiveRun(record, request, this.#state.bufferLimit);
    live.unlock = lock.release;
    this.adopt(live);
    // Other tabs hear of it before their runs are cancelled for it.
    if (!isStateless) tabs?.follow(live).catch(this.#state.tell);
    if (strategy === "interrupt" || strategy === "rollback")
      for (const run of before) run.cancel(`Another run came: ${strategy}.`, strategy);
    thread.status = "busy";
    thread.updated_at = record.created_at;
    if (!isStateless) {
      thread.config = shownConfig(request, assistant);
      const { graph_id, assistant_id } = assistant;
      thread.metadata = { ...thread.metadata, graph_id, assistant_id };
    }
    const stored = isStateless
      ? undefined
      : Promise.all([
          this.#state.runs.put(record.run_id, record),
          this.#state.threads.put(threadId, thread),
        ]);
    // A node that asks the server waits for a run, and is none of its nodes.
    live.done = runOutside(() => this.#play(live, thread, assistant, before, stored, isStateless));
    this.#state.waitUntil?.(live.done);
    await stored;
    return live;
  }

  /** Takes a run up, of this tab or of another one. @param {LiveRun} live */
  adopt(live) {
    const { run_id, thread_id } = live.record;
    this.#live.set(run_id, live);
    this.#queues.set(thread_id, [...this.of(thread_id), live]);
    this.#state.joined.add(live);
  }

  /** The run is over: others that wait may go on. @param {LiveRun} live */
  drop(live) {
    const { run_id, thread_id } = live.record;
    const rest = this.of(thread_id).filter((run) => run !== live);
    if (rest.length > 0) this.#queues.set(thread_id, rest);
    else this.#queues.delete(thread_id);
    live.isOver = true;
    live.log.close();
    if (live.isUnwanted) this.#live.delete(run_id);
    else this.#keepEnd(run_id);
  }

  /**
   * @param {LiveRun} live
   * @param {ThreadRecord} thread
   * @param {AssistantRecord} assistant
   * @param {LiveRun[]} before runs of the thread that end first
   * @param {Promise<unknown> | undefined} stored
   * @param {boolean} isStateless
   */
  async #play(live, thread, assistant, before, stored, isStateless) {
    const { record, request, log, controller } = live;
    const { signal } = controller;
    /** @type {RunRecord["status"]} */
    let status = "success";
    try {
      await stored;
      const due = Date.parse(record.created_at) + request.afterSeconds * 1000 - Date.now();
      if (due > 0) await pause(due, signal);
      await unlessAborted(Promise.all(before.map(({ done }) => done)), signal);
      for (const older of before) await older.forgotten;
      if (!isStateless) live.unlock ??= await this.#state.tabs?.wait(thread.thread_id, signal);
      if (thread.status !== "busy" && !isStateless) {
        // The run before it has left it so.
        thread.status = "busy";
        await this.#state.threads.put(thread.thread_id, thread);
      }
      // From here on it is no run that another server begins.
      signal.throwIfAborted();
      record.after = thread.last ?? "";
      record.status = "running";
      record.updated_at = new Date().toISOString();
      if (!isStateless) await this.#state.runs.put(record.run_id, record);
      log.append("metadata", JSON.stringify({ run_id: record.run_id, attempt: 1 }));
      await this.#run(live, thread, assistant);
    } catch (error) {
      status = signal.aborted ? "interrupted" : "error";
      if (!signal.aborted) {
        live.error = errorOf(error);
        live.isRefused = isInvalidResume(error) || isUnknownInterruptError(error);
        this.tellError(error, { thread_id: thread.thread_id, run_id: record.run_id });
        log.append("error", JSON.stringify(live.error));
      }
    }
    await this.#end(live, thread, assistant, status, isStateless);
  }

  /** @param {LiveRun} live @param {ThreadRecord} thread @param {AssistantRecord} assistant */
  async #run(live, thread, assistant) {
    const { record, request } = live;
    const config = configOf(request, assistant, record);
    const { command } = request;
    const { graphs, threadWork } = this.#state;
    const graph = await graphs.open(assistant.graph_id, config);
    // A run that answers is not taken back: its answer would wait to be given once more.
    if (command?.resume === undefined) live.mark = await threadWork.mark(thread, graph);
    const own = {
      ...graphs.callWith(graph, record.owner),
      ...config,
      runId: record.run_id,
      signal: live.controller.signal,
    };
    const ended = command && (await endThread(graph, own, command));
    const input = ended === undefined ? (command ?? request.input ?? null) : null;
    const stream = live.isProtocol
      ? this.#protocolRun(live, thread, assistant)
      : new RunStream(live.log, request);
    try {
      await stream.run(graph, input, ended ?? own, live.answered);
    } catch (error) {
      const partial = live.controller.signal.aborted ? stream.partial.take() : undefined;
      if (partial !== undefined) await threadWork.keepPartial(thread, graph, partial);
      throw error;
    } finally {
      live.values = stream.result;
      live.last = stream.last;
    }
  }

  /** @param {LiveRun} live @param {ThreadRecord} thread @param {AssistantRecord} assistant */
  #protocolRun({ record, log: runLog }, thread, assistant) {
    const { logs } = this.#state;
    const log = logs.open(thread.thread_id, thread);
    logs.beginRun(thread.thread_id);
    return new ProtocolRun(log, record.run_id, assistant.graph_id, runLog);
  }

  /**
   * Stores how a run ended, then lets everybody know: whoever reads that it is over finds that its
   * thread takes the next run.
   * @param {LiveRun} live
   * @param {ThreadRecord} thread
   * @param {AssistantRecord} assistant
   * @param {RunRecord["status"]} status
   * @param {boolean} isStateless
   */
  async #end(live, thread, assistant, status, isStateless) {
    const { record, request } = live;
    const { thread_id: threadId, run_id: runId } = record;
    if (live.isLeft) return this.#leave(live, record.status);
    const { threads, runs, threadWork, graphs, joined } = this.#state;
    /** @type {Partial<RunRecord>} */
    const ended = { status, updated_at: new Date().toISOString() };
    /** @type {Partial<ThreadRecord>} */
    let outcome = { status: "error" };
    // What it stored cannot be taken back: its record tells of it.
    if (record.after !== undefined && live.mark === undefined) live.isUnwanted = false;
    try {
      if (live.isUnwanted) {
        // Before the thread's next run begins, which would be taken back too.
        live.forgotten = this.#forget(live);
        await live.forgotten.catch(() => {});
        live.last = undefined;
      }
      if (isStateless) {
        const graph = await graphs.open(assistant.graph_id, {});
        await graphs.saverOf(graph).deleteThread?.(threadId);
      } else {
        const error = status === "error" && !live.isRefused ? (live.error ?? null) : null;
        outcome = await threadWork.outcomeOf(thread, error, live.last);
        ended.upto = outcome.last ?? "";
        await this.#forgetOldest(threadId);
        await runs.store(runId, ended);
        // The last one, so that nobody writes the thread's record as it was before.
        await threads.store(threadId, outcome);
      }
    } catch (error) {
      this.tellError(error);
    }
    Object.assign(record, ended);
    Object.assign(thread, outcome);
    this.#leave(live, status);
    if (this.of(threadId).length > 0) thread.status = "busy";
    joined.tellState(threadId);
    if (request.webhook !== undefined) this.#notify(live, request.webhook);
  }

  /** Lets its readers, and those that wait, go. @param {LiveRun} live @param {string} status */
  #leave(live, status) {
    const { run_id } = live.record;
    if (this.#state.endEvent) live.log.append("end", JSON.stringify({ run_id, status }));
    this.drop(live);
    live.unlock?.();
  }

  /**
   * Apart, since the run has to end whatever that throws.
   * @param {unknown} error
   * @param {{ thread_id: string, run_id: string }} [run] that failed with it
   */
  tellError(error, run) {
    queueMicrotask(() => this.#state.onError?.(error, run));
  }

  /** @param {string} threadId */
  async #forgetOldest(threadId) {
    const { runs } = this.#state;
    let rest = runs.countOf(threadId) - MOST_KEPT;
    if (rest <= 0) return;
    for (const run of runs.ofThread(threadId)) {
      if (rest-- <= 0) return;
      if (!isOpen(run)) await runs.delete(run.run_id);
    }
  }

  /** The newest ends are kept, for those who join late. @param {string} runId that has ended */
  #keepEnd(runId) {
    this.#ended.push(runId);
    if (this.#ended.length <= 2 * this.#state.mostRuns) return;
    for (const id of this.#ended.splice(0, this.#state.mostRuns)) this.#live.delete(id);
  }

  /** @param {LiveRun} live @param {string} url */
  #notify({ record, values, error }, url) {
    const body = JSON.stringify({
      ...shownRun(record),
      values: toPlain(values),
      error: error ?? null,
    });
    const headers = { "content-type": "application/json" };
    this.#state.fetch?.(url, { method: "POST", headers, body }).catch(this.#state.tell);
  }

  /**
   * Does nothing to one that is over: others may have made use of it.
   * @param {RunRecord} record @param {"interrupt" | "rollback"} action
   */
  async cancel(record, action) {
    const live = this.#live.get(record.run_id);
    if (!live) return;
    live.cancel("The run was cancelled.", action);
    await live.done;
    await live.forgotten;
  }

  /** The run is gone, with its checkpoints. @param {LiveRun} live */
  async #forget({ record, mark }) {
    await this.#state.runs.delete(record.run_id);
    if (mark) await this.#state.threadWork.rollBack(record.thread_id, mark);
  }

  /**
   * @param {string | undefined} threadId undefined: any thread
   * @param {string} runId
   * @param {string | undefined} user
   * @returns {RunRecord}
   */
  find(threadId, runId, user) {
    const record = this.#state.runs.get(runId) ?? this.#live.get(runId)?.record;
    const isThere = record?.thread_id === (threadId ?? record?.thread_id);
    if (record === undefined || !isThere || !isOf(record, user))
      throw notFound(`run ${JSON.stringify(runId)}`);
    return record;
  }

  /** Ends what is at work, and leaves what waits to the next server. @returns {Promise<void>} */
  async close() {
    const open = [...this.#live.values()].filter(({ isOver, isRemote }) => !isOver && !isRemote);
    for (const run of open) {
      const { record, request, controller } = run;
      run.isLeft =
        record.status === "pending" &&
        this.#state.runs.isStored &&
        request.onDisconnect !== "cancel" &&
        !controller.signal.aborted;
      run.cancel("The server is closed.");
    }
    await Promise.all(open.map(({ done }) => done));
  }
}

/** @param {{ owner?: string }} record @param {string | undefined} user */
export function isOf({ owner }, user) {
  return owner === user;
}
