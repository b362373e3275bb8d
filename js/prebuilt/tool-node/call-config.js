// SPDX-License-Identifier: MIT
// Knows: what a tool gets as its second argument: the node's config with the call, its id and the
// state (LangGraph's ToolRuntime). Nothing of the node's config is made before the tool reads it.
// Must not know tools or plans.
import { currentConfig, scopeOf } from "../../base/ambient.js";
import { Layers, PENDING } from "../../base/config-layers.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../base/callable.js").Value} Value */

/**
 * @param {Value} config the node's, or undefined outside of a graph
 * @param {Value} call in LangChain's form, with its type
 * @param {unknown} state the node's input
 * @param {(args: Value, config: Value) => string | undefined} [keyOf] the tool's own idempotency
 *   key
 * @param {boolean} [isPassedOn] is what is called no tool, but a Runnable? It passes its config on
 *   to what it calls, which the call does not concern
 * @returns {Value}
 */
export function makeCallConfig(config, call, state, keyOf, isPassedOn = false) {
  const base =
    scopeOf(config) === undefined
      ? { tags: [], metadata: {}, recursionLimit: 25, configurable: {}, ...config }
      : config;
  /** @type {Value} */
  const own = {
    toolCallId: call.id,
    state: shownState(state),
    config: base,
    idempotencyKey: PENDING,
  };
  if (!isPassedOn) own.toolCall = call;
  return new Proxy(
    own,
    new Layers(base, ({ toolCallId }) => keyOf?.(call.args, base) ?? callKey(base, toolCallId)),
  );
}

/** What a call was sent with is its state, but for the call itself. @param {Value} state */
function shownState(state) {
  if (state === null || typeof state !== "object" || !("lg_tool_call" in state)) return state;
  const { lg_tool_call: _call, ...shown } = state;
  return shown;
}

/**
 * The same for all attempts at a call, also after a crash.
 * @param {Value} config the node's
 * @param {string} id
 */
function callKey({ configurable, executionInfo }, id) {
  return `${configurable?.thread_id ?? ""}/${executionInfo?.taskId ?? ""}/${id}`;
}

/**
 * Throws when nobody waits for the call any more; makes no signal to know it.
 * @param {Config} config the node's
 */
export function checkAborted(config) {
  const task = scopeOf(config)?.task;
  if (task === undefined || task.watch !== undefined || task.run.isCancelled)
    config?.signal?.throwIfAborted();
}

/** A config that knows its task, where there is one. @param {Value} config */
export function withAmbient(config) {
  const ambient = scopeOf(config) === undefined ? currentConfig() : undefined;
  if (ambient === undefined) return config ?? {};
  return config === undefined || config === null
    ? ambient
    : { ...ambient, ...config, configurable: { ...ambient.configurable, ...config.configurable } };
}
