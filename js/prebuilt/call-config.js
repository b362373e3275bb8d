// SPDX-License-Identifier: MIT
// Knows: what a tool gets as its second argument: the node's config with the call, its id and the state (LangGraph's
// ToolRuntime). Nothing of the node's config is made before the tool reads it. Must not know tools or plans.

/** @typedef {{ own: Record<string, any>, base: any }} Layers */

/** @type {ProxyHandler<any>} */
const LAYERS = {
  get: (/** @type {any} */ target, key) => (key in target.own ? target.own[key] : target.base[key]),
  set(target, key, value) {
    target.own[key] = value;
    return true;
  },
  has: (target, key) => key in target.own || key in target.base,
  ownKeys: (target) => [...new Set([...Reflect.ownKeys(target.base), ...Reflect.ownKeys(target.own)])],
  getOwnPropertyDescriptor(target, key) {
    const owner = Object.hasOwn(target.own, key) ? target.own : target.base;
    if (!Object.hasOwn(owner, key)) return undefined;
    const { enumerable } = /** @type {PropertyDescriptor} */ (Reflect.getOwnPropertyDescriptor(owner, key));
    return { value: owner[key], enumerable, configurable: true, writable: true };
  },
  deleteProperty: (target, key) => Reflect.deleteProperty(target.own, key),
};

/** The two layers are no properties of the proxy's target that its rules would have to show. */
class Target {
  #layers;
  /** @param {Layers} layers */
  constructor(layers) {
    this.#layers = layers;
  }
  get own() {
    return this.#layers.own;
  }
  get base() {
    return this.#layers.base;
  }
}

/**
 * @param {any} config the node's, or undefined outside of a graph
 * @param {any} call in LangChain's form, with its type
 * @param {any} state the node's input
 * @returns {any}
 */
export function makeCallConfig(config, call, state) {
  const base = config ?? {};
  const own = { toolCall: call, toolCallId: call.id, state, config: base };
  return new Proxy(new Target({ own, base }), LAYERS);
}
