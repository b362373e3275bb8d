// SPDX-License-Identifier: MIT
// Lays a config of its own (for example a tool call's) over a node's. Does not depend on which keys
// there are.

/** @typedef {Record<PropertyKey, unknown>} Fields */

/** Placeholder of a layer's value that is made at the first read. */
export const PENDING = /* @__PURE__ */ Symbol("made when it is read");

/**
 * Reads a layer's own values first, then those of the config below it, without making any value
 * before it is read.
 * @implements {ProxyHandler<Fields>}
 */
export class Layers {
  #base;
  #make;
  /** @param {object} base @param {(own: any) => unknown} [make] makes the pending value */
  constructor(base, make) {
    this.#base = /** @type {Fields} */ (base);
    this.#make = make;
  }

  /** @param {Fields} own @param {PropertyKey} key @returns {unknown} */
  get(own, key) {
    if (!(key in own)) return this.#base[key];
    if (own[key] === PENDING) own[key] = this.#make?.(own);
    return own[key];
  }

  /** @param {Fields} own @param {PropertyKey} key @param {unknown} value */
  set(own, key, value) {
    own[key] = value;
    return true;
  }

  /** @param {Fields} own @param {PropertyKey} key */
  has(own, key) {
    return key in own || key in this.#base;
  }

  /** @param {Fields} own */
  ownKeys(own) {
    return [...new Set([...Reflect.ownKeys(this.#base), ...Reflect.ownKeys(own)])];
  }

  /** @param {Fields} own @param {PropertyKey} key */
  getOwnPropertyDescriptor(own, key) {
    const owner = Object.hasOwn(own, key) ? own : this.#base;
    const found = Reflect.getOwnPropertyDescriptor(owner, key);
    return (
      found && {
        value: this.get(own, key),
        enumerable: found.enumerable,
        configurable: true,
        writable: true,
      }
    );
  }
}
