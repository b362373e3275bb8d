// SPDX-License-Identifier: MIT
// Knows: a config of one's own above that of a node: a tool call's, for one. Must not know: which
// keys there are.

/** @typedef {import("./callable.js").Value} Value */

/** In the place of a value of a layer that is made when it is read. @type {Value} */
export const PENDING = /* @__PURE__ */ Symbol("made when it is read");

/**
 * Shows what a layer has before what the config below it has, of which nothing is made before
 * somebody reads it.
 * @implements {ProxyHandler<Value>}
 */
export class Layers {
  #base;
  #make;
  /** @param {Value} base @param {(own: Value) => Value} [make] what is pending */
  constructor(base, make) {
    this.#base = base;
    this.#make = make;
  }

  /** @param {Value} own @param {PropertyKey} key */
  get(own, key) {
    if (!(key in own)) return this.#base[key];
    if (own[key] === PENDING) own[key] = this.#make?.(own);
    return own[key];
  }

  /** @param {Value} own @param {PropertyKey} key @param {Value} value */
  set(own, key, value) {
    own[key] = value;
    return true;
  }

  /** @param {Value} own @param {PropertyKey} key */
  has(own, key) {
    return key in own || key in this.#base;
  }

  /** @param {Value} own */
  ownKeys(own) {
    return [...new Set([...Reflect.ownKeys(this.#base), ...Reflect.ownKeys(own)])];
  }

  /** @param {Value} own @param {PropertyKey} key */
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
