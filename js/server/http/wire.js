// SPDX-License-Identifier: MIT
// Shows what graphs have as an Agent Server's JSON: messages flat, with their type beside their
// fields; errors as name and message; states with their checkpoints.
import { isBaseMessage } from "../../messages/index.js";

/** @typedef {import("./fields.js").Json} Json */
/** @typedef {{ type: string, data: Json }} Dict a message's type and fields */
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

/**
 * @param {unknown} value
 * @param {boolean} [withChunks] do pieces of messages have the type of pieces?
 * @returns {string} its JSON; what JSON has no form for is left out, alone it is `null`
 */
export function toJson(value, withChunks = false) {
  return JSON.stringify(plainOf(value, withChunks)) ?? "null";
}

/**
 * Gives what has a form of its own that form: a walk before JSON.stringify costs less than a
 * replacer, for which each message is serialised twice.
 * @param {unknown} value
 * @param {boolean} withChunks
 * @param {unknown[]} [above] what it is in: JSON.stringify refuses a cycle
 * @returns {unknown} the same object where nothing in it has
 */
function plainOf(value, withChunks, above = []) {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null || above.includes(value)) return value;
  if (value instanceof Error) return { error: value.name, message: value.message };
  if (value instanceof Map || value instanceof Set) value = [...value];
  const dict = dictOf(value);
  const shown = /** @type {Json} */ (dict === undefined ? value : flatMessage(dict, withChunks));
  above.push(value);
  const plain =
    typeof shown.toJSON === "function"
      ? plainOf(shown.toJSON(), withChunks, above)
      : plainFields(shown, withChunks, above);
  above.pop();
  return plain;
}

/** @param {Json} fields @param {boolean} withChunks @param {unknown[]} above @returns {Json} */
function plainFields(fields, withChunks, above) {
  /** @type {Json | undefined} */
  let copy;
  for (const key of Object.keys(fields)) {
    const plain = plainOf(fields[key], withChunks, above);
    if (plain === fields[key]) continue;
    // Without a prototype each key is a plain one, also "__proto__".
    copy ??= /** @type {Json} */ (
      Array.isArray(fields) ? [...fields] : { __proto__: null, ...fields }
    );
    copy[key] = plain;
  }
  return copy ?? fields;
}

/**
 * @param {unknown} value
 * @returns {Dict | undefined} what a message tells of itself; undefined: it is none
 */
export function dictOf(value) {
  return isBaseMessage(value) && typeof value.toDict === "function" ? value.toDict() : undefined;
}

/**
 * @param {Dict} message
 * @param {boolean} withChunks
 * @returns {Json} its fields, with its type beside them
 */
export function flatMessage({ type, data }, withChunks) {
  const isChunk = withChunks && "tool_call_chunks" in data;
  return { ...data, type: isChunk ? "AIMessageChunk" : type };
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
    checkpoint: (isState ? undefined : state?.configurable) ?? null,
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
  return stateOf({ values: {}, next: [], tasks: [], config: {} });
}

/**
 * @param {SnapshotTask[]} tasks one that has ended keeps the questions that were answered
 * @returns {Record<string, Interrupt[]>} open questions, by task
 */
export function interruptsOf(tasks) {
  const found = Object.fromEntries(
    tasks.flatMap(({ id, interrupts, result }) =>
      interrupts?.length && !result ? [[id, interrupts]] : [],
    ),
  );
  return /** @type {Record<string, Interrupt[]>} */ (toPlain(found));
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
