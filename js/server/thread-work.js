// SPDX-License-Identifier: MIT
// Reads and writes the states of threads through their graphs, keeps their records up to date, and
// rolls runs back. Must not know requests.
import { END } from "../base/constants.js";
import { ROLLBACK } from "../savers/core/constants.js";
import { METHODS } from "../savers/lazy.js";
import { Refusal, invalid } from "./http/replies.js";
import { emptyState, interruptsOf, stateOf, toPlain } from "./http/wire.js";
import { isOpen } from "./work/run-record.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("../base/constants.js").Command} Command */
/** @typedef {import("./graphs.js").ServedGraph} ServedGraph */
/** @typedef {import("./server.js").ServerState} ServerState */
/** @typedef {import("./threads.js").ThreadRecord} ThreadRecord */
/** @typedef {import("./runs.js").RunRecord} RunRecord */
/** @typedef {import("./http/wire.js").Snapshot} Snapshot */
/** @typedef {{ saver: unknown, head: import("../log/log-store.js").LogHead | undefined }} Mark */

export class ThreadWork {
  #state;

  /** @param {ServerState} state */
  constructor(state) {
    this.#state = state;
  }

  /**
   * @param {ThreadRecord} thread
   * @returns {Promise<{ graph: ServedGraph, config: Json } | undefined>} undefined: no graph has it
   */
  async #open({ thread_id, metadata, owner }) {
    const { graphs } = this.#state;
    const named = metadata.graph_id;
    const [first, another] = graphs.names;
    const isNamed = typeof named === "string" && graphs.has(named);
    if (!isNamed && another !== undefined) return undefined;
    const name = isNamed ? named : first;
    const graph = await graphs.open(name, { configurable: { thread_id } });
    return { graph, config: this.#configOf(graph, thread_id, owner) };
  }

  /** @param {ServedGraph} graph @param {string} threadId @param {string | undefined} owner */
  #configOf(graph, threadId, owner) {
    return { ...this.#state.graphs.callWith(graph, owner), configurable: { thread_id: threadId } };
  }

  /**
   * @param {string} id
   * @param {string | undefined} user
   * @returns {Promise<boolean>} whether a saver has something of the thread
   */
  async isKept(id, user) {
    const { graphs } = this.#state;
    for (const name of graphs.names) {
      const graph = await graphs.open(name, { configurable: { thread_id: id } });
      if (idOf(await graph.getState(this.#configOf(graph, id, user)))) return true;
    }
    return false;
  }

  /**
   * @param {ThreadRecord} thread
   * @param {Json} [place] checkpoint_id, checkpoint_ns, checkpoint_map
   * @param {boolean} [subgraphs]
   * @returns {Promise<Json>} a ThreadState
   */
  async state(thread, place = {}, subgraphs = false) {
    const found = await this.#open(thread);
    if (found === undefined) return emptyState();
    const snapshot = await found.graph.getState(at(found.config, place), { subgraphs });
    return this.#shown(thread, snapshot);
  }

  /**
   * @param {ThreadRecord} thread
   * @returns {Promise<unknown>} undefined of one that cannot be read: others can be listed
   */
  async values(thread) {
    return (await this.state(thread).catch(this.#state.tell))?.values;
  }

  /**
   * @param {ThreadRecord} thread
   * @param {{ limit: number, before?: Json, filter?: Json, place: Json }} query
   * @returns {Promise<Json[]>} the newest first
   */
  async history(thread, { limit, before, filter, place }) {
    const found = await this.#open(thread);
    /** @type {Json[]} */
    const states = [];
    if (found === undefined || limit === 0) return states;
    const query = { limit, before: before && { configurable: before }, filter };
    for await (const snapshot of found.graph.getStateHistory(at(found.config, place), query))
      states.push(this.#shown(thread, snapshot));
    return states;
  }

  /**
   * @param {ThreadRecord} thread
   * @returns {Promise<unknown[]>} what people decided about its tool calls, as far as its saver
   *   keeps it
   */
  async decisions(thread) {
    const found = await this.#open(thread);
    const saver = found && this.#state.graphs.saverOf(found.graph);
    return (await saver?.decisions?.(thread.thread_id)) ?? [];
  }

  /**
   * A state as a client sees it, with the run that made it.
   * @param {ThreadRecord} thread
   * @param {Snapshot} snapshot
   */
  #shown({ thread_id }, snapshot) {
    const state = /** @type {Json & { metadata: Json }} */ (toPlain(stateOf(snapshot)));
    const id = String(idOf(snapshot) ?? "");
    // The last run that began before it.
    const run = this.#state.runs
      .ofThread(thread_id)
      .findLast(({ after }) => after !== undefined && id > after);
    if (run !== undefined && id <= (run.upto ?? "~")) state.metadata.run_id = run.run_id;
    return state;
  }

  /**
   * @param {ThreadRecord} thread
   * @param {unknown} values
   * @param {string | undefined} asNode
   * @param {Json} place
   * @returns {Promise<Json>} the new checkpoint's place
   */
  async update(thread, values, asNode, place) {
    const { configurable } = await this.#write(thread, (graph, config) =>
      graph.updateState(at(config, place), values, asNode),
    );
    return configurable;
  }

  /**
   * Stores what a cancelled run has streamed of its answer, as the answer of its node. Where other
   * nodes of the step were under way, too, the step stays as it is: it can be gone on with.
   * @param {ThreadRecord} thread
   * @param {ServedGraph} graph
   * @param {import("./streams/partial-messages.js").Partial} partial
   */
  async keepPartial({ thread_id, owner }, graph, { node, messages }) {
    const config = this.#configOf(graph, thread_id, owner);
    try {
      const { next, values } = await graph.getState(config);
      const hasMessages = Array.isArray(/** @type {Json} */ (values)?.messages);
      if (hasMessages && next.length === 1 && next[0] === node)
        await graph.updateState(config, { messages }, node);
    } catch (error) {
      this.#state.tell(error);
    }
  }

  /** @param {ThreadRecord} thread @param {unknown[]} supersteps */
  async bulkUpdate(thread, supersteps) {
    await this.#write(thread, (graph, config) => graph.bulkUpdateState(config, supersteps));
  }

  /**
   * @template T
   * @param {ThreadRecord} thread
   * @param {(graph: ServedGraph, config: Json) => Promise<T>} work that no tab's run may get in the
   *   way of
   * @returns {Promise<T>}
   * @throws {Refusal} 409 where a tab runs the thread
   */
  async #write(thread, work) {
    const found = await this.#open(thread);
    if (found === undefined)
      throw invalid("The thread has no graph yet: give metadata.graph_id, or start a run.");
    const { tabs } = this.#state;
    const release = await tabs?.take(thread.thread_id);
    if (tabs !== undefined && release === undefined) throw new Refusal(409, "Thread is busy");
    try {
      const written = await work(found.graph, found.config);
      await this.settle(thread);
      return written;
    } finally {
      release?.();
    }
  }

  /**
   * Reads what a thread has come to.
   * @param {ThreadRecord} thread
   * @param {Json | null} error of its last run
   * @param {string} [checkpoint] with which it is at its end, if that is known
   * @returns {Promise<Partial<ThreadRecord>>} what its record then says
   */
  async outcomeOf(thread, error, checkpoint) {
    const found =
      checkpoint === undefined ? await this.#open(thread).catch(this.#state.tell) : undefined;
    const snapshot = await found?.graph.getState(found.config);
    const { logs } = this.#state;
    const now = new Date().toISOString();
    return {
      status: error !== null ? "error" : snapshot?.next.length ? "interrupted" : "idle",
      error,
      interrupts: interruptsOf(snapshot?.tasks ?? []),
      last: checkpoint ?? /** @type {string | undefined} */ (idOf(snapshot)),
      ...(logs.has(thread.thread_id) ? { seq: logs.open(thread.thread_id).next - 1 } : {}),
      updated_at: now,
      state_updated_at: now,
    };
  }

  /**
   * Tells in the thread's record what it has come to, not by a run.
   * @param {ThreadRecord} thread
   */
  async settle(thread) {
    const outcome = await this.outcomeOf(thread, null);
    const { threads, live, joined } = this.#state;
    Object.assign(thread, outcome);
    if (live.of(thread.thread_id).length > 0) thread.status = "busy";
    if (threads.get(thread.thread_id) === thread) await threads.put(thread.thread_id, thread);
    joined.tellState(thread.thread_id);
  }

  /**
   * Ends the record of a run whose server or tab is gone.
   * @param {RunRecord} run
   */
  async cutOff(run) {
    const thread = this.#state.threads.get(run.thread_id);
    if (run.status === "running" && thread !== undefined) {
      // What the thread's next run stores is not this one's.
      const outcome = await this.outcomeOf(thread, null).catch(this.#state.tell);
      // Another tab may have done it.
      if (!isOpen(run)) return;
      thread.last = run.upto = outcome?.last ?? thread.last ?? "";
    }
    run.status = "interrupted";
    run.updated_at = new Date().toISOString();
    await this.#state.runs.put(run.run_id, run);
  }

  /** @param {ThreadRecord} thread */
  async delete(thread) {
    for (const run of this.#state.live.of(thread.thread_id)) run.cancel("The thread is deleted.");
    await Promise.all(this.#state.live.of(thread.thread_id).map(({ done }) => done));
    // Also where its graph is not served any more, or cannot be made.
    const found = await this.#open(thread).catch(this.#state.tell);
    await this.#state.graphs.saverOf(found?.graph).deleteThread?.(thread.thread_id);
    this.#state.logs.delete(thread.thread_id);
    this.#state.joined.delete(thread.thread_id);
    for (const run of this.#state.runs.ofThread(thread.thread_id))
      await this.#state.runs.delete(run.run_id);
    await this.#state.threads.delete(thread.thread_id);
  }

  /** @param {ThreadRecord} from @param {ThreadRecord} to */
  async copy(from, to) {
    const found = await this.#open(from);
    const state = await found?.graph.getState(found.config);
    if (found === undefined || idOf(state) === undefined) return;
    const { copyThread } = await METHODS.load();
    await copyThread(
      /** @type {import("../savers/weft-saver.js").WeftSaver} */ (
        this.#state.graphs.saverOf(found.graph)
      ),
      from.thread_id,
      to.thread_id,
    );
    await this.settle(to);
  }

  /** Keeps the newest checkpoint alone. @param {ThreadRecord} thread */
  async prune(thread) {
    const found = await this.#open(thread);
    if (found === undefined) return;
    const saver = /** @type {import("../savers/weft-saver.js").WeftSaver} */ (
      this.#state.graphs.saverOf(found.graph)
    );
    const { pruneThread } = await METHODS.load();
    await pruneThread(saver, thread.thread_id, { last: 1 });
  }

  /**
   * @param {ThreadRecord} thread
   * @param {ServedGraph} graph
   * @returns {Promise<Mark | undefined>} where the thread ends; undefined: its saver cannot go back
   */
  async mark(thread, graph) {
    const saver = this.#state.graphs.saverOf(graph);
    return isWeft(saver) ? { saver, head: await saver.store.head(thread.thread_id) } : undefined;
  }

  /**
   * Gives back threads of a graph whose rollback did not come to its end.
   * @param {ServedGraph} graph
   */
  async finishRollbacks(graph) {
    const saver = this.#state.graphs.saverOf(graph);
    if (!isWeft(saver)) return;
    const aside = saver.store.partition?.(ROLLBACK);
    if (aside === undefined || (await aside.list({ limit: 1 })).length === 0) return;
    const { finishCuts } = await METHODS.load();
    await finishCuts(saver);
  }

  /**
   * Takes back what was stored behind a mark.
   * @param {string} threadId
   * @param {Mark} mark
   */
  async rollBack(threadId, { saver, head }) {
    const { cutThread } = await METHODS.load();
    await cutThread(saver, threadId, head);
  }
}

/**
 * Ends a thread that waits where it stands, if a command says nothing but that: it is how clients
 * let a question go. The engine would ask it again, and go on behind a breakpoint.
 * @param {ServedGraph} graph
 * @param {Json} config
 * @param {Command} command
 * @returns {Promise<Json | undefined>} the config of the thread at its end; undefined: it goes on
 */
export async function endThread(graph, config, { resume, update, goto }) {
  const isEnd = Array.isArray(goto) && goto.length === 1 && goto[0] === END;
  if (!isEnd || resume !== undefined || update !== undefined) return undefined;
  if ((await graph.getState(config)).next.length === 0) return undefined;
  await graph.updateState(config, null, END);
  // A client says which checkpoint it ends: the thread stands behind that one now.
  return at(config, { checkpoint_id: undefined, checkpoint_map: undefined });
}

/** @param {Snapshot | undefined} snapshot @returns {unknown} its checkpoint's */
function idOf(snapshot) {
  return snapshot?.config.configurable?.checkpoint_id;
}

/** @param {Json} config @param {Json} place @returns {Json} */
function at(config, place) {
  const configurable = /** @type {Json} */ (config.configurable);
  return { ...config, configurable: { ...configurable, ...place } };
}

/** @param {unknown} saver @returns {saver is import("../savers/weft-saver.js").WeftSaver} */
function isWeft(saver) {
  const { store } = /** @type {{ store?: { append?: unknown } }} */ (saver);
  return typeof store?.append === "function";
}
