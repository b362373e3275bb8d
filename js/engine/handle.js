// SPDX-License-Identifier: MIT
// What the engine holds for an object of the host: made from a definition, made anew in each new instance, freed when the
// object is gone. Owns the handle. Must not know what it is a handle of.

/** @typedef {{ free: string, engine: import("./engine.js").Engine | undefined, number: number }} Held what the finalizer frees */

/** @type {FinalizationRegistry<Held> | undefined} */
let registry;

export class Handle {
  #make;
  #definition;
  /** @type {Held} */
  #held;

  /**
   * @param {string} make the engine's export that takes the definition
   * @param {string} free
   * @param {object} definition
   */
  constructor(make, free, definition) {
    this.#make = make;
    this.#definition = definition;
    this.#held = { free, engine: undefined, number: 0 };
  }

  /**
   * The handle in this instance; throws what the engine says about the definition.
   * @param {import("./engine.js").Engine} engine
   */
  open(engine) {
    const held = this.#held;
    if (held.engine === engine) return held.number;
    const number = engine.open(this.#make, JSON.stringify(this.#definition));
    if (held.engine === undefined && typeof FinalizationRegistry !== "undefined") {
      registry ??= new FinalizationRegistry(freeHeld);
      registry.register(this, held);
    }
    held.engine = engine;
    held.number = number;
    return number;
  }
}

/** @param {Held} held */
function freeHeld({ free, engine, number }) {
  if (engine !== undefined && !engine.dead) engine.call(free, number);
}
