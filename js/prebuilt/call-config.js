// SPDX-License-Identifier: MIT
// Knows: what a tool gets as its second argument: the node's config with the call, its id and the state (LangGraph's
// ToolRuntime). Nothing of the node's config is made before the tool reads it. Must not know tools or plans.

import { scopeOf } from "../pregel/ambient.js";

/** Shows what is the call's own before what is the node's. @implements {ProxyHandler<any>} */
export class Layers {
  #base;
  /** @param {any} base */
  constructor(base) {
    this.#base = base;
  }

  /** @param {any} own @param {PropertyKey} key */
  get(own, key) {
    return key in own ? own[key] : this.#base[key];
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
    return found && { value: owner[key], enumerable: found.enumerable, configurable: true, writable: true };
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
  const base = config ?? {};
  const own = {
    toolCall: call,
    toolCallId: call.id,
    state,
    config: base,
    /** The same for all attempts at the call, also after a crash. */
    get idempotencyKey() {
      const { configurable, executionInfo } = base;
      const given = keyOf?.(call.args, base);
      return given ?? `${configurable?.thread_id ?? ""}/${executionInfo?.taskId ?? ""}/${call.id}`;
    },
  };
  return new Proxy(own, new Layers(base));
}

/** Throws when nobody waits for the call any more; makes no signal to know it. @param {any} config the node's */
export function checkAborted(config) {
  const task = scopeOf(config)?.task;
  if (task === undefined || task.watch !== undefined || task.run.isCancelled) config?.signal?.throwIfAborted();
}
