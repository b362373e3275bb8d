// SPDX-License-Identifier: MIT
// As much of node:events as the documents' programs need.

/** @typedef {(...values: any[]) => void} Listener */

export class EventEmitter {
  /** @type {Map<string, Listener[]>} */
  #listeners = new Map();

  /** @param {string} name @param {Listener} listener */
  on(name, listener) {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
    return this;
  }

  /** @param {string} name @param {Listener} listener */
  off(name, listener) {
    const others = (this.#listeners.get(name) ?? []).filter((one) => one !== listener);
    this.#listeners.set(name, others);
    return this;
  }

  /** @param {string} name @param {Listener} listener */
  once(name, listener) {
    const first = (/** @type {any[]} */ ...values) => {
      this.off(name, first);
      listener.apply(this, values);
    };
    return this.on(name, first);
  }

  /** @param {string} name @param {any[]} values */
  emit(name, ...values) {
    const listeners = this.#listeners.get(name) ?? [];
    for (const listener of listeners) listener.apply(this, values);
    return listeners.length > 0;
  }
}

/** @param {EventEmitter} emitter @param {string} name @returns {Promise<any[]>} */
export const once = (emitter, name) =>
  new Promise((resolve) => emitter.once(name, (...values) => resolve(values)));
