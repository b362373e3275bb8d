// SPDX-License-Identifier: MIT
// Shows what graphs have as an Agent Server's JSON: messages flat, with their type beside their
// fields; errors as name and message; states with their checkpoints.
import { isBaseMessage } from "../../messages/index.js";

/** @typedef {import("./fields.js").Json} Json */
/** @typedef {{ id?: string, value?: unknown }} Interrupt */
/**
 * @typedef {{ id: string, name: string, path?: unknown, error?: unknown, interrupts?: Interrupt[],
 *   state?: Snapshot | { configurable?: Json }, result?: unknown }} SnapshotTask
 */
/**
 * What a graph's getState gives.
 * @typedef {{ values: unknown, next: string[], tasks: SnapshotTask[], metadata?: Json, createdAt?:
 *   string, config: { configurable?: Json }, parentConfig?: { configurable?: Json } }} Snapshot
 */

const IS_PLAIN = ["string", "number", "boolean", "undefined"];

/**
 * @param {unknown} value
 * @param {boolean} [withChunks] do pieces of messages have the type of pieces?
 * @returns {string} its JSON; what JSON has no form for is left out
 */
export function toJson(value, withChunks = false) {
  return JSON.stringify(
    value ?? null,
    /** @this {Json} @param {string} key */ function (key, shown) {
      const own = this[key];
      if (typeof shown === "bigint") return String(shown);
      if (own instanceof Error) return { error: own.name, message: own.message };
      if (!isBaseMessage(own) || typeof own.toDict !== "function") return shown;
      const { type, data } = own.toDict();
      const isChunk = withChunks && "tool_call_chunks" in data;
      return { ...data, type: isChunk ? "AIMessageChunk" : type };
    },
  );
}

/**
 * A message or a piece of one as it is streamed, with its metadata.
 * @param {unknown} message
 * @param {unknown} metadata
 * @returns {string} JSON
 */
export function streamedMessage(message, metadata) {
  const { type, data } = /** @type {{ toDict?: () => { type: string, data: Json } }} */ (
    message
  ).toDict?.() ?? { type: "" };
  // Most have nothing in them that needs a form of its own.
  const isPlain = data !== undefined && isFlat(data) && isFlat(/** @type {Json} */ (metadata));
  if (!isPlain) return toJson([message, metadata], true);
  const isChunk = "tool_call_chunks" in data;
  return JSON.stringify([{ ...data, type: isChunk ? "AIMessageChunk" : type }, metadata]);
}

/** Are its values texts, numbers and lists or objects of these? @param {Json} fields */
function isFlat(fields) {
  for (const key in fields) {
    const value = fields[key];
    if (typeof value === "bigint") return false;
    if (typeof value !== "object" || value === null) continue;
    for (const inner in value)
      if (!IS_PLAIN.includes(typeof (/** @type {Json} */ (value)[inner]))) return false;
    if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false;
  }
  return true;
}

/** @param {unknown} value @returns {unknown} a copy in plain data */
export function toPlain(value) {
  return JSON.parse(toJson(value));
}

/** @param {{ configurable?: Json } | undefined} config @returns {Json | null} */
export function checkpointOf(config) {
  const place = config?.configurable;
  if (place?.checkpoint_id === undefined) return null;
  return {
    thread_id: place.thread_id,
    checkpoint_ns: place.checkpoint_ns ?? "",
    checkpoint_id: place.checkpoint_id,
    checkpoint_map: place.checkpoint_map ?? null,
  };
}

/** @param {SnapshotTask} task */
function taskOf({ id, name, path, error, interrupts = [], state, result }) {
  const isState = state !== undefined && "values" in state;
  return {
    id,
    name,
    path: path ?? [],
    error: error === undefined || error === null ? null : errorText(error),
    interrupts,
    checkpoint: state !== undefined && !isState ? (state.configurable ?? null) : null,
    state: isState ? stateOf(state) : null,
    result: result ?? null,
  };
}

/** @param {unknown} error @returns {string} */
function errorText(error) {
  const { name, message } = /** @type {Error} */ (error);
  return typeof error === "string" ? error : `${name ?? "Error"}: ${message ?? ""}`;
}

/** @param {Snapshot} snapshot @returns {Json} an Agent Server's ThreadState */
export function stateOf({ values, next, tasks, metadata, createdAt, config, parentConfig }) {
  return {
    values: values ?? {},
    next,
    tasks: tasks.map(taskOf),
    metadata: metadata ?? {},
    created_at: createdAt ?? null,
    checkpoint: checkpointOf(config),
    parent_checkpoint: checkpointOf(parentConfig),
  };
}

/** The state of a thread that no graph has. @returns {Json} */
export function emptyState() {
  return {
    values: {},
    next: [],
    tasks: [],
    metadata: {},
    created_at: null,
    checkpoint: null,
    parent_checkpoint: null,
  };
}

/** @param {Snapshot} snapshot @returns {Record<string, Interrupt[]>} open questions, by task */
export function interruptsOf({ tasks }) {
  return Object.fromEntries(
    tasks
      .filter(({ interrupts }) => interrupts !== undefined && interrupts.length > 0)
      .map(({ id, interrupts = [] }) => [id, interrupts]),
  );
}

/**
 * Parts of an object that `select` names: `next`, `values.messages`.
 * @param {Json} from
 * @param {string[] | undefined} select undefined: all of it
 * @returns {Json}
 */
export function selected(from, select) {
  if (select === undefined || select.length === 0) return from;
  /** @type {Json} */
  const picked = {};
  for (const path of select) {
    const [first, ...rest] = path.split(".");
    if (!Object.hasOwn(from, first)) continue;
    const value = /** @type {Json} */ (from[first]);
    if (rest.length === 0 || typeof value !== "object" || value === null) picked[first] = value;
    else {
      const before = /** @type {Json} */ (Object.hasOwn(picked, first) ? picked[first] : {});
      const key = rest.join(".");
      if (Object.hasOwn(value, key)) picked[first] = { ...before, [key]: value[key] };
    }
  }
  return picked;
}
