// SPDX-License-Identifier: MIT
// Knows: what a tool gets as its second argument: the node's config with the call, its id and the state (LangGraph's
// ToolRuntime). Nothing of the node's config is made before the tool reads it. Must not know tools or plans.

import { scopeOf } from "../pregel/ambient.js";

const PENDING = /* @__PURE__ */ Symbol("made when it is read");

/** Shows what is the call's own before what is the node's. @implements {ProxyHandler<any>} */
export class Layers {
  #base;
  #keyOf;
  /** @param {any} base @param {((args: any, config: any) => string | undefined)} [keyOf] */
  constructor(base, keyOf) {
    this.#base = base;
    this.#keyOf = keyOf;
  }

  /** @param {any} own @param {PropertyKey} key */
  get(own, key) {
    if (!(key in own)) return this.#base[key];
    if (own[key] === PENDING) own[key] = this.#keyOf?.(own.toolCall.args, this.#base) ?? callKey(this.#base, own.toolCallId);
    return own[key];
  }

  /** @param {any} own @param {PropertyKey} key @param {any} value */
  set(own, key, value) {
    own[key] = value;
    return true;
  }

  /** @param {any} own @param {PropertyKey} key */
  has(own, key) {
    return key in own || key in this.#base;
  }

  /** @param {any} own */
  ownKeys(own) {
    return [...new Set([...Reflect.ownKeys(this.#base), ...Reflect.ownKeys(own)])];
  }

  /** @param {any} own @param {PropertyKey} key */
  getOwnPropertyDescriptor(own, key) {
    const owner = Object.hasOwn(own, key) ? own : this.#base;
    const found = Reflect.getOwnPropertyDescriptor(owner, key);
    return found && { value: this.get(own, key), enumerable: found.enumerable, configurable: true, writable: true };
  }
}

/**
 * @param {any} config the node's, or undefined outside of a graph
 * @param {any} call in LangChain's form, with its type
 * @param {any} state the node's input
 * @param {(args: any, config: any) => string | undefined} [keyOf] the tool's own idempotency key
 * @returns {any}
 */
export function makeCallConfig(config, call, state, keyOf) {
  const base = scopeOf(config) === undefined ? { tags: [], metadata: {}, recursionLimit: 25, configurable: {}, ...config } : config;
  return new Proxy({ toolCall: call, toolCallId: call.id, state: shownState(state), config: base, idempotencyKey: PENDING }, new Layers(base, keyOf));
}

/** What a call was sent with is its state, but for the call itself. @param {any} state */
function shownState(state) {
  if (state === null || typeof state !== "object" || !("lg_tool_call" in state)) return state;
  const { lg_tool_call: _call, ...shown } = state;
  return shown;
}

/** The same for all attempts at a call, also after a crash. @param {any} config the node's @param {string} id */
function callKey({ configurable, executionInfo }, id) {
  return `${configurable?.thread_id ?? ""}/${executionInfo?.taskId ?? ""}/${id}`;
}

/** Throws when nobody waits for the call any more; makes no signal to know it. @param {any} config the node's */
export function checkAborted(config) {
  const task = scopeOf(config)?.task;
  if (task === undefined || task.watch !== undefined || task.run.isCancelled) config?.signal?.throwIfAborted();
}
