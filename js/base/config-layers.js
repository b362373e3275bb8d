// SPDX-License-Identifier: MIT
// Knows: a config of one's own above that of a node: a tool call's, for one. Must not know: which keys there are.

/** In the place of a value of a layer that is made when it is read. @type {any} */
export const PENDING = /* @__PURE__ */ Symbol("made when it is read");

/** Shows what a layer has before what the config below it has, of which nothing is made before somebody reads it. @implements {ProxyHandler<any>} */
export class Layers {
  #base;
  #make;
  /** @param {any} base @param {(own: any) => any} [make] what is pending */
  constructor(base, make) {
    this.#base = base;
    this.#make = make;
  }

  /** @param {any} own @param {PropertyKey} key */
  get(own, key) {
    if (!(key in own)) return this.#base[key];
    if (own[key] === PENDING) own[key] = this.#make?.(own);
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
