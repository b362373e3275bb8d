// SPDX-License-Identifier: MIT
// One run on a checkpointer made for LangGraph.js: its tuple becomes the log that the engine reads, the records that the
// engine writes become put and putWrites, in LangGraph's order: puts one after the other, writes at once.
// Values cross as they are: their text is their number in a list that the run keeps. Must not know stores.
// The writer comes first: with it comes the engine, whose bytes are not to stand between the modules (js/index.js).
import { LogWriter } from "../log/writer.js";
import { decodeValue } from "../engine/decode.js";
import { AS_NODE, RUN_HISTORY, RUN_INVOKE } from "../engine/codes.js";
import { LogReader, TASK_NULL } from "../log/reader.js";
import { LogState } from "../log/state.js";
import { calledBy, pairsOf, taskId } from "../log/writes.js";
import { START } from "./log-port.js";
import { Shape } from "./port-shape.js";
import { Versions } from "./port-versions.js";

/** @typedef {import("../log/reader.js").LogRecord} LogRecord */
/** @typedef {import("../log/reader.js").TaskRecord} TaskRecord */

const SOURCES = ["input", "loop", "update", "fork"];
const INPUT = "__input__";
/** Of the microtask queue: more than a saver in memory needs, and not worth mention beside any other. */
const TURNS = 32;

export class Port {
  /** @type {any[]} */
  #values = [];
  #reader = new LogReader();
  /** The last put, and everything that is not stored yet. @type {Promise<any>} */
  #puts = Promise.resolve();
  /** @type {Promise<any>} */
  #all = Promise.resolve();
  #isIdle = true;
  /** What the engine knows of checkpoints; `called`: nodes that Sends called behind them. @type {Map<string, { step: number, state: LogState, called: Set<string> }>} */
  #known = new Map();
  #hasInput;
  /** The nodes that updates speak for. @type {string[]} */
  #updaters;
  #versions;
  #shape;
  /** Tuples that the saver gave, by checkpoint id. @type {Map<string, any>} */
  tuples = new Map();

  /** @param {import("../run/pump.js").Run} run @param {{ saver: any, config: any, options: any }} asked */
  constructor(run, { saver, config, options }) {
    this.request = run.request;
    this.saver = saver;
    this.config = config;
    this.options = options;
    this.ns = run.request.namespace ?? "";
    this.threadId = run.request.threadId;
    this.#hasInput = run.request.kind === RUN_INVOKE && run.request.input !== undefined;
    this.#updaters = (run.request.updates ?? []).filter((as) => as >= AS_NODE).map((as) => run.graph.nodes[as - AS_NODE]);
    this.#versions = new Versions(saver);
    this.#shape = new Shape(run.graph);
  }

  /** @param {any} value */
  keep(value) {
    this.#values.push(value);
    return `#${this.#values.length - 1}`;
  }

  /** @param {string | undefined} text */
  open(text) {
    return text?.startsWith("#") ? this.#values[Number(text.slice(1))] : decodeValue(text);
  }

  #keep = (/** @type {any} */ value) => this.keep(value);
  #open = (/** @type {string} */ text) => this.open(text);

  /** @param {string | undefined} checkpointId */
  #at(checkpointId) {
    const { checkpoint_id: _, ...configurable } = this.config.configurable ?? {};
    const id = checkpointId === undefined ? {} : { checkpoint_id: checkpointId };
    return { ...this.config, configurable: { ...configurable, checkpoint_ns: this.ns, ...id } };
  }

  // ---- reading

  async load() {
    const writer = new LogWriter(this.threadId ?? "", START);
    if (this.request.kind === RUN_HISTORY) await this.#loadHistory(writer);
    else await this.#loadOne(writer);
    if (writer.seq === 0) return { pieces: [], last: undefined };
    const piece = writer.take();
    // Later records refer to its values.
    for (const _ of this.#reader.read(piece));
    return { pieces: [piece], last: { seq: writer.seq, crc: writer.crc } };
  }

  /** @param {LogWriter} writer */
  async #loadOne(writer) {
    const { kind, checkpointId, resume, resumeMap } = this.request;
    const tuple = await this.saver.getTuple(this.config);
    if (!tuple) return;
    this.#add(writer, tuple, new Set());
    if (kind !== RUN_INVOKE || checkpointId === undefined || resume !== undefined || resumeMap !== undefined) return;
    // Whether it travels in time depends on what the thread's newest checkpoint is.
    const newest = await this.saver.getTuple(this.#at(undefined));
    if (newest && newest.checkpoint.id !== tuple.checkpoint.id) {
      writer.add({ isCheckpoint: true, ns: this.ns, id: newest.checkpoint.id, keyframe: true, step: newest.metadata?.step ?? -1 });
    }
  }

  /** @param {LogWriter} writer */
  async #loadHistory(writer) {
    const tuples = [];
    for await (const tuple of this.saver.list(this.#at(this.request.checkpointId), this.options)) tuples.push(tuple);
    const told = new Set();
    for (const tuple of tuples.reverse()) this.#add(writer, tuple, told);
  }

  /**
   * @param {LogWriter} writer
   * @param {any} tuple
   * @param {Set<string>} told ids that the log names
   */
  #add(writer, tuple, told) {
    const { checkpoint, metadata, parentConfig, pendingWrites } = tuple;
    const { id } = checkpoint;
    const parent = parentConfig?.configurable?.checkpoint_id;
    // The engine knows a parent by its record only; one that the saver did not list is named, and not shown.
    if (parent !== undefined && !told.has(parent)) writer.add({ isCheckpoint: true, ns: this.ns, id: parent, keyframe: true, hidden: true });
    told.add(id).add(parent);
    const step = metadata?.step ?? -2;
    const { record, state } = this.#shape.read(checkpoint, this.#versions, this.#keep);
    writer.add({ ...record, isCheckpoint: true, ns: this.ns, id, parent, keyframe: true, step, source: Math.max(0, SOURCES.indexOf(metadata?.source)) });
    this.tuples.set(id, tuple);
    const known = { step, state, called: new Set() };
    this.#known.set(id, known);
    const tasks = this.#shape.tasks(pendingWrites ?? [], { ns: this.ns, id, step }, checkpoint, this.#keep);
    for (const node of calledBy(tasks)) known.called.add(node);
    if (tasks.length > 0) writer.add({ ns: this.ns, id, tasks });
  }

  // ---- writing

  /** @param {Uint8Array} bytes */
  append(bytes) {
    /** @type {Promise<any>[]} */
    const waits = [this.#all];
    const records = [...this.#reader.read(bytes)];
    for (const record of records) this.#apply(record);
    for (const { isCheckpoint, id, parent, tasks } of records) waits.push(...this.#putWrites(isCheckpoint ? parent : id, tasks));
    for (const record of records) if (record.isCheckpoint) waits.push(this.#put(record));
    const all = Promise.all(waits);
    const done = () => {
      if (this.#all === all) this.#isIdle = true;
    };
    this.#isIdle = false;
    this.#all = all;
    const stored = all.then(done);
    stored.catch(ignore);
    return stored;
  }

  /** Lets a saver that answers soon keep pace with a graph that runs without a pause. */
  async turn() {
    for (let turns = 0; turns < TURNS && !this.#isIdle; turns++) await undefined;
  }

  /** @param {string | undefined} id @param {TaskRecord[]} tasks */
  #putWrites(id, tasks) {
    if (id === undefined) return [];
    const at = { ns: this.ns, id, step: this.#known.get(id)?.step ?? -2 };
    const config = this.#at(id);
    return tasks.filter(({ key, writes }) => key.kind !== TASK_NULL || writes.length > 0).map(async (task) => this.saver.putWrites(config, pairsOf(task, at, this.#open), taskId(task.key, at)));
  }

  /** @param {LogRecord} record */
  #put(record) {
    const { id, parent, step } = record;
    const before = this.#stateOf(parent);
    const state = this.#stateOf(id);
    const next = this.#versions.tell(state.versions);
    const old = this.#versions.tell(before.versions);
    const checkpoint = {
      v: 4,
      id,
      ts: new Date().toISOString(),
      channel_values: this.#shape.values(state, this.#open),
      channel_versions: next,
      versions_seen: Object.fromEntries([...state.seen].map(([node, seen]) => [node, this.#versions.tell(seen)])),
    };
    const extra = typeof record.extra === "string" ? this.open(record.extra) : undefined;
    const metadata = { source: SOURCES[record.source], step, parents: Object.fromEntries(record.parents), ...extra };
    const fresh = Object.fromEntries(Object.entries(next).filter(([channel, version]) => version !== old[channel]));
    const config = this.#at(parent);
    this.#puts = this.#puts.then(() => this.saver.put(config, checkpoint, metadata, fresh));
    return this.#puts;
  }

  /** @param {string | undefined} id */
  #stateOf(id) {
    return (id === undefined ? undefined : this.#known.get(id)?.state) ?? new LogState();
  }

  /** The state that a record makes, with what LangGraph notes of the input. @param {LogRecord} record */
  #apply(record) {
    const { id, parent, step, source, tasks } = record;
    const before = this.#known.get((record.isCheckpoint ? parent : id) ?? "");
    for (const node of calledBy(tasks)) before?.called.add(node);
    if (!record.isCheckpoint) return;
    const state = (before?.state ?? new LogState()).apply(record, before?.called);
    const takesInput = source === 0 || this.#hasInput || tasks.some(({ key, writes }) => key.kind === TASK_NULL && writes.length > 0);
    if (takesInput && !state.seen.has(INPUT)) state.seen.set(INPUT, {});
    for (const node of this.#updaters) if (!state.seen.has(node)) state.seen.set(node, {});
    this.#known.set(id, { step, state, called: new Set() });
  }
}

function ignore() {}
