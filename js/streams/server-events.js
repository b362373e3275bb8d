// SPDX-License-Identifier: MIT
// Knows: how a chunk of a stream is the bytes of a server-sent event, and how a server of LangGraph
// shows messages and checkpoints there. Must not know: streams, runs.
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
 * @returns the payload as a server shows it: checkpoints with their places
 */
export function shown(mode, payload) {
  if (mode === "checkpoints") return withPlaces(payload);
  return mode === "debug" && payload.type === "checkpoint"
    ? { ...payload, payload: withPlaces(payload.payload) }
    : payload;
}

/**
 * A checkpoint with its place, that of the one before, and those of the graphs inside its tasks.
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
 * Messages by their fields, beside their type.
 * @this {Value}
 * @param {string} key
 * @param {Value} value
 */
function plainMessages(key, value) {
  const message = this[key];
  if (!isBaseMessage(message) || typeof message.toDict !== "function") return value;
  const { type, data } = message.toDict();
  return { ...data, type };
}
