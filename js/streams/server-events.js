// SPDX-License-Identifier: MIT
// Encodes a chunk of a stream as the bytes of a server-sent event, with messages and checkpoints in
// the form of LangGraph's server. Does not depend on streams or runs.
import { isBaseMessage } from "../messages/index.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../base/callable.js").Value} Value */

/** @param {boolean} withNamespace @returns {import("./chunk-writer.js").Shape} */
export function encoder(withNamespace) {
  return (namespace, mode, payload) =>
    encodeEvent(withNamespace ? namespace : [], mode, shown(mode, payload));
}

/** @type {import("./chunk-writer.js").Shape} */
export function encodeEvent(namespace, mode, payload) {
  return new TextEncoder().encode(
    `event: ${[mode, ...namespace].join("|")}\ndata: ${JSON.stringify(payload, plainMessages)}\n\n`,
  );
}

/**
 * @param {string} mode
 * @param {Value} payload of a chunk
 * @returns the payload in a server's form: checkpoints with their locations
 */
export function shown(mode, payload) {
  if (mode === "checkpoints") return withPlaces(payload);
  return mode === "debug" && payload.type === "checkpoint"
    ? { ...payload, payload: withPlaces(payload.payload) }
    : payload;
}

/**
 * Adds to a checkpoint its location, its parent's, and those of the subgraphs in its tasks.
 * @param {Value} payload
 */
function withPlaces({ config, parentConfig, tasks, ...rest }) {
  return {
    config: withoutListeners(config),
    ...rest,
    tasks: tasks.map(withPlace),
    checkpoint: placeOf(config),
    parent_checkpoint: placeOf(parentConfig),
    parent_config: parentConfig && withoutListeners(parentConfig),
  };
}

/** @param {Config} config */
function withoutListeners({ callbacks: _callbacks, ...config }) {
  return config;
}

/** @param {any} task */
function withPlace({ state, ...task }) {
  return state === undefined ? task : { ...task, checkpoint: placeOf(state) };
}

/** @param {Config} config */
function placeOf(config) {
  if (config?.configurable === undefined) return null;
  const {
    thread_id,
    checkpoint_ns,
    checkpoint_id = null,
    checkpoint_map = null,
  } = config.configurable;
  return { thread_id, checkpoint_ns, checkpoint_id, checkpoint_map };
}

/**
 * Replaces messages by their fields and type.
 * @this {Value}
 * @param {string} key
 * @param {unknown} value
 */
function plainMessages(key, value) {
  const message = this[key];
  if (!isBaseMessage(message) || typeof message.toDict !== "function") return value;
  const { type, data } = message.toDict();
  return { ...data, type };
}
