// SPDX-License-Identifier: MIT
// Makes the second argument of a tool: the node's config with the call, its id and the state
// (LangGraph's ToolRuntime). Computes no part of the node's config before the tool reads it. Does
// not depend on tools or plans.
import { currentConfig, scopeOf } from "../../base/ambient.js";
import { Layers, PENDING } from "../../base/config-layers.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../tool-calls/open-calls.js").OpenCall} OpenCall */

/**
 * Makes the config of one tool call.
 * @param {Config | undefined} config the node's; undefined outside of a graph
 * @param {OpenCall} call in LangChain's form, with its type
 * @param {unknown} state the node's input
 * @param {(args: unknown, config: unknown) => string | undefined} [keyOf] makes the tool's own
 *   idempotency key
 * @param {boolean} [isPassedOn] whether the callee is a Runnable that passes its config on to other
 *   Runnables, which must not see the call
 * @returns {Config}
 */
export function makeCallConfig(config, call, state, keyOf, isPassedOn = false) {
  const base =
    config === undefined || scopeOf(config) === undefined
      ? { tags: [], metadata: {}, recursionLimit: 25, configurable: {}, ...config }
      : config;
  /** @type {Record<string, unknown>} */
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

/**
 * Returns the state of a call that was sent alone: its input without the call itself.
 * @param {unknown} state
 */
function shownState(state) {
  if (state === null || typeof state !== "object" || !("lg_tool_call" in state)) return state;
  const { lg_tool_call: _call, ...shown } = state;
  return shown;
}

/**
 * Makes the default idempotency key: the same for all attempts of a call, also after a crash.
 * @param {Config} config the node's
 * @param {string} id
 */
function callKey({ configurable, executionInfo }, id) {
  return `${configurable?.thread_id ?? ""}/${executionInfo?.taskId ?? ""}/${id}`;
}

/**
 * Throws if the call's task was aborted. Creates no signal to find out.
 * @param {Config | undefined} config the node's
 */
export function checkAborted(config) {
  const task = scopeOf(config)?.task;
  if (task === undefined || task.watch !== undefined || task.run.isCancelled)
    config?.signal?.throwIfAborted();
}

/**
 * Returns a config with the current task's config merged in, if there is one.
 * @param {Config | undefined} config
 */
export function withAmbient(config) {
  const ambient = scopeOf(config) === undefined ? currentConfig() : undefined;
  if (ambient === undefined) return config ?? {};
  return config === undefined || config === null
    ? ambient
    : { ...ambient, ...config, configurable: { ...ambient.configurable, ...config.configurable } };
}
