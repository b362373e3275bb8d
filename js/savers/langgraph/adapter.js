// SPDX-License-Identifier: MIT
// Connects one run to a checkpointer made for LangGraph.js: its tuple becomes the log that the
// engine reads, the engine's records become put and putWrites in LangGraph's order: puts one after
// the other, writes at once. Values are not serialized: their text in the log is an index into a
// list that the run keeps. Does not depend on stores. The writer is imported first: it brings the
// engine, whose bytes must not be placed between the modules (js/index.js).
import { LogWriter } from "../../log/writer.js";
import { decodeValue } from "../../engine/decode.js";
import { AS_NODE, CHILD_ROOT, RUN_HISTORY, RUN_INVOKE, RUN_UPDATE } from "../../base/codes.js";
import { SOURCES, TASK_NULL } from "../../log/record.js";
import { LogState } from "../../log/state.js";
import { DONE, calledBy, pairsOf, taskId, taskPath } from "../../log/writes.js";
import { START } from "../../log/log-store.js";
import { Deltas } from "./adapter-delta.js";
import { Shape } from "./adapter-shape.js";
import { Versions } from "./adapter-versions.js";
import { parentsFirst, Shared } from "./shared-log.js";
import { travels } from "./starts-from-checkpoint.js";

/** @typedef {import("../base-checkpoint-saver.js").CheckpointTuple} CheckpointTuple */
/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../base-checkpoint-saver.js").SaverLike} SaverLike */
/** @typedef {import("../../log/record.js").LogRecord} LogRecord */
/** @typedef {import("../../log/record.js").TaskRecord} TaskRecord */
/** @typedef {{ recording?: import("../../record/recording.js").Recording }} Recorded an engine */

const INPUT = "__input__";
/**
 * Number of microtask turns to wait for a saver: enough for one in memory, negligible beside
 * others.
 */
const TURNS = 32;

export class Adapter {
  /** @type {Shared} */
  #shared;
  /** The last put, and all unfinished calls. @type {Promise<unknown>} */
  #puts = Promise.resolve();
  /** @type {Promise<unknown>} */
  #all = Promise.resolve();
  #isIdle = true;
  #run;
  #hasInput;
  /** Names of the nodes that updates write as. @type {string[]} */
  #updaters;
  #shape;
  #deltas;
  /** The saver's tuples, by checkpoint id. @type {Map<string, unknown>} */
  tuples = new Map();

  /**
   * @param {import("../../run/run.js").Run} run
   * @param {{ saver: SaverLike, config: Config, options: unknown }} asked
   * @param {Adapter} [above] adapter of the parent run
   * @param {boolean} [isApart] whether it has another thread's log and shares only the values with
   *   its parent: answers
   */
  constructor(run, { saver, config, options }, above, isApart) {
    this.#run = run;
    const shared = above === undefined ? new Shared(this.#recording?.values ?? []) : above.#shared;
    this.#shared = isApart ? new Shared(shared.values) : shared;
    this.request = run.request;
    this.saver = saver;
    this.config = config;
    this.options = options;
    this.threadId = run.request.threadId;
    this.#hasInput = run.request.kind === RUN_INVOKE && run.request.input !== undefined;
    this.#updaters = (run.request.updates ?? [])
      .filter((as) => as >= AS_NODE)
      .map((as) => run.graph.nodes[as - AS_NODE]);
    this.#shape = new Shape(run.graph);
    this.#deltas = Deltas.of(run.graph, this.#shared.deltas);
  }

  /**
   * The recording of the run, if there is one.
   * @returns {import("../../record/recording.js").Recording | undefined}
   */
  get #recording() {
    return /** @type {Recorded} */ (this.#run.engine).recording;
  }

  /** @param {unknown} value */
  keep(value) {
    this.#recording?.keep(value);
    this.#shared.values.push(value);
    return `#${this.#shared.values.length - 1}`;
  }

  /** @param {string | undefined} text */
  open(text) {
    return text?.startsWith("#") ? this.#shared.values[Number(text.slice(1))] : decodeValue(text);
  }

  #keep = (/** @type {unknown} */ value) => this.keep(value);
  #open = (/** @type {string} */ text) => this.open(text);

  /** Whether this run edits a checkpoint that may have followers. */
  get #editsPast() {
    return this.request.kind === RUN_UPDATE && this.request.checkpointId !== undefined;
  }

  get ns() {
    return this.#run.namespace;
  }

  get #versions() {
    const { versions } = this.#shared;
    let own = versions.get(this.ns);
    if (own === undefined) versions.set(this.ns, (own = new Versions(this.saver)));
    return own;
  }

  /** @param {string | undefined} checkpointId */
  #at(checkpointId) {
    const { checkpoint_id: _, ...configurable } = this.config.configurable ?? {};
    const id = checkpointId === undefined ? {} : { checkpoint_id: checkpointId };
    const place = { checkpoint_ns: this.ns };
    return { ...this.config, configurable: { ...place, ...configurable, ...place, ...id } };
  }

  // ---- reading

  /**
   * Loads the log. It is built when the engine reads it: until then parent and sibling runs may
   * continue.
   */
  async load() {
    const { tuples: found, newest } = await this.#find();
    const deltas = this.#deltas;
    const tuples =
      deltas === undefined
        ? found
        : await Promise.all(found.map((tuple) => deltas.whole(this.saver, tuple)));
    /** @type {import("../../run/thread.js").LoadedLog | undefined} */
    let log;
    const build = () => (log ??= this.#build(tuples, newest));
    return {
      get pieces() {
        return build().pieces;
      },
      get last() {
        return build().last;
      },
    };
  }

  /**
   * Finds the tuples that the engine may read, the oldest first, and the newest checkpoint if it
   * matters.
   */
  async #find() {
    const { kind, checkpointId, resume, resumeMap, childFlags = 0 } = this.request;
    // The root graph of a thread has no parent on it.
    const parent = (childFlags & CHILD_ROOT) === 0 ? this.request.parent : undefined;
    if (kind === RUN_HISTORY) return { tuples: await this.#list(checkpointId, this.options) };
    // In a run that time-travels the engine chooses among all checkpoints.
    if (parent !== undefined && travels(parent.run))
      return { tuples: await this.#list(undefined, undefined) };
    // A run of the root graph starts at the thread's root, even if its config names a subgraph.
    const given = this.config.configurable;
    const isAsGiven =
      parent === undefined &&
      this.ns === "" &&
      !given?.checkpoint_ns &&
      given?.checkpoint_id === checkpointId;
    const tuple = await this.saver.getTuple(
      isAsGiven
        ? this.config
        : this.#at(
            parent === undefined
              ? checkpointId
              : this.config.configurable?.checkpoint_map?.[this.ns],
          ),
    );
    if (!tuple) return { tuples: [] };
    if (
      kind !== RUN_INVOKE ||
      checkpointId === undefined ||
      resume !== undefined ||
      resumeMap !== undefined
    )
      return { tuples: [tuple] };
    // The run time-travels unless this is the thread's newest checkpoint.
    const newest = await this.saver.getTuple(this.#at(undefined));
    return {
      tuples: [tuple],
      newest: newest && newest.checkpoint.id !== tuple.checkpoint.id ? newest : undefined,
    };
  }

  /** @param {string | undefined} checkpointId @param {unknown} options */
  async #list(checkpointId, options) {
    const tuples = [];
    for await (const tuple of this.saver.list(this.#at(checkpointId), options))
      tuples.unshift(tuple);
    return parentsFirst(tuples);
  }

  /**
   * @param {CheckpointTuple[]} tuples @param {CheckpointTuple | undefined} newest
   * @returns {import("../../run/thread.js").LoadedLog}
   */
  #build(tuples, newest) {
    const { pieces, reader } = this.#shared;
    const { engine, thread } = this.#run;
    const head = engine.head(/** @type {{ handle: number }} */ (thread).handle);
    const writer = new LogWriter(this.threadId ?? "", head.known ? head : START);
    for (const tuple of tuples) this.#add(writer, tuple);
    if (newest !== undefined)
      writer.add({
        isCheckpoint: true,
        ns: this.ns,
        id: newest.checkpoint.id,
        keyframe: true,
        step: newest.metadata?.step ?? -1,
      });
    if (writer.firstSeq <= writer.seq) {
      const piece = writer.take();
      // Registers the values, which later records refer to.
      for (const _ of reader.read(piece));
      pieces.push(piece);
    }
    return {
      pieces: pieces.slice(),
      last: writer.seq === 0 ? undefined : { seq: writer.seq, crc: writer.crc },
    };
  }

  /** @param {LogWriter} writer @param {CheckpointTuple} tuple */
  #add(writer, tuple) {
    const { checkpoint, metadata, parentConfig, pendingWrites } = tuple;
    const { told, known: all } = this.#shared;
    const { id } = checkpoint;
    this.tuples.set(id, tuple);
    this.#deltas?.note(tuple);
    if (all.has(id)) return;
    const above = parentConfig?.configurable?.checkpoint_id;
    // LangGraph.js makes some checkpoints their own parents.
    const parent = above === id ? undefined : above;
    // The engine needs a record of the parent; a parent that the saver did not list gets a hidden
    // one.
    if (parent !== undefined && !told.has(parent))
      writer.add({ isCheckpoint: true, ns: this.ns, id: parent, keyframe: true, hidden: true });
    told.add(id).add(parent);
    const step = metadata?.step ?? -2;
    const { record, state } = this.#shape.read(checkpoint, this.#versions, this.#keep);
    const parents = /** @type {[string, string][]} */ (Object.entries(metadata?.parents ?? {}));
    writer.add({
      ...record,
      isCheckpoint: true,
      ns: this.ns,
      id,
      parent,
      parents,
      keyframe: true,
      step,
      source: Math.max(0, SOURCES.indexOf(/** @type {string} */ (metadata?.source))),
    });
    const known = { step, state, called: new Set() };
    all.set(id, known);
    const tasks = this.#shape.tasks(
      pendingWrites ?? [],
      { ns: this.ns, id, step },
      checkpoint,
      this.#keep,
      this.request.kind !== RUN_HISTORY,
    );
    for (const node of calledBy(tasks)) known.called.add(node);
    if (tasks.length > 0) writer.add({ ns: this.ns, id, tasks });
  }

  // ---- writing

  /** @param {Uint8Array} bytes */
  append(bytes) {
    /** @type {Promise<unknown>[]} */
    const waits = [this.#all];
    this.#shared.pieces.push(bytes);
    const records = [...this.#shared.reader.read(bytes)];
    for (const record of records) this.#apply(record);
    for (const { isCheckpoint, id, parent, tasks } of records)
      waits.push(...this.#putWrites(isCheckpoint ? parent : id, tasks));
    for (const record of records) if (record.isCheckpoint) waits.push(this.#put(record));
    const all = Promise.all(waits);
    const done = () => {
      if (this.#all === all) this.#isIdle = true;
    };
    this.#isIdle = false;
    this.#all = all;
    const stored = all.then(done);
    stored.catch(() => {});
    return stored;
  }

  /** Waits for a fast saver, so that it keeps pace with a graph that never awaits anything. */
  async turn() {
    for (let turns = 0; turns < TURNS && !this.#isIdle; turns++) await undefined;
  }

  /** @param {string | undefined} id @param {TaskRecord[]} tasks */
  #putWrites(id, tasks) {
    if (id === undefined) return [];
    const at = { ns: this.ns, id, step: this.#shared.known.get(id)?.step ?? -2 };
    const config = this.#at(id);
    return tasks
      .filter(
        ({ key, writes, outcome }) =>
          writes.length > 0 || (key.kind !== TASK_NULL && outcome === DONE),
      )
      .map(async (task) => {
        const key = taskId(task.key, at);
        const pairs = pairsOf(task, at, this.#open);
        return this.saver.putWrites(
          config,
          this.#deltas?.kept(id, pairs, key, this.#editsPast) ?? pairs,
          key,
          taskPath(task.key),
        );
      });
  }

  /** @param {LogRecord} record */
  #put(record) {
    const { id, parent, step } = record;
    const before = this.#stateOf(parent);
    const state = this.#stateOf(id);
    const next = this.#versions.tell(state.versions);
    const old = this.#versions.tell(before.versions);
    const values = this.#shape.values(state, this.#open);
    // These writes are stored on a checkpoint from which another run may start again.
    const isApart =
      this.request.durability === "exit" ||
      (this.request.checkpointId !== undefined && this.tuples.has(parent ?? ""));
    const deltas = this.#deltas?.store(
      id,
      parent,
      values,
      (name) => next[name] !== old[name],
      isApart,
    );
    const checkpoint = {
      v: 4,
      id,
      ts: new Date(this.#run.clock.now()).toISOString(),
      channel_values: values,
      channel_versions: next,
      versions_seen: Object.fromEntries(
        [...state.seen].map(([node, seen]) => [node, this.#versions.tell(seen)]),
      ),
    };
    const extra = typeof record.extra === "string" ? this.open(record.extra) : undefined;
    const metadata = {
      source: SOURCES[record.source],
      step,
      parents: Object.fromEntries(record.parents),
      ...extra,
      ...(deltas === undefined || Object.keys(deltas.counters).length === 0
        ? {}
        : { counters_since_delta_snapshot: deltas.counters }),
    };
    const fresh = Object.fromEntries(
      Object.entries(next).filter(
        ([channel, version]) => version !== old[channel] || deltas?.snapshots.includes(channel),
      ),
    );
    const config = this.#at(parent);
    this.#puts = this.#puts.then(() => this.saver.put(config, checkpoint, metadata, fresh));
    return this.#puts;
  }

  /** @param {string | undefined} id */
  #stateOf(id) {
    return (id === undefined ? undefined : this.#shared.known.get(id)?.state) ?? new LogState();
  }

  /**
   * Applies a record to the known state and adds LangGraph's marks for the input.
   * @param {LogRecord} record
   */
  #apply(record) {
    const { id, parent, step, source, tasks } = record;
    const before = this.#shared.known.get((record.isCheckpoint ? parent : id) ?? "");
    for (const node of calledBy(tasks)) before?.called.add(node);
    if (!record.isCheckpoint) return;
    const state = (before?.state ?? new LogState()).apply(record, before?.called);
    const takesInput =
      source === 0 ||
      this.#hasInput ||
      tasks.some(({ key, writes }) => key.kind === TASK_NULL && writes.length > 0);
    if (takesInput && !state.seen.has(INPUT)) state.seen.set(INPUT, {});
    for (const node of this.#updaters) if (!state.seen.has(node)) state.seen.set(node, {});
    this.#shared.known.set(id, { step, state, called: new Set() });
    this.#shared.told.add(id);
  }
}
