// SPDX-License-Identifier: MIT
// What the engine holds for an object of the host: made from a definition, made anew in each new
// instance, freed when the object is gone. Owns the handle. Must not know what it is a handle of.

/**
 * @typedef {{ free: string, engine: import("./engine.js").Engine | undefined, number: number }}
 *   Held what the finalizer frees
 */

/** @type {FinalizationRegistry<Held> | undefined} */
let registry;

export class Handle {
  #make;
  /** @type {Held} */
  #held;

  /**
   * @param {string} make the engine's export that takes the definition
   * @param {string} free
   * @param {object | string} definition or its JSON text
   */
  constructor(make, free, definition) {
    this.#make = make;
    this.definition = definition;
    this.#held = { free, engine: undefined, number: 0 };
  }

  /**
   * The handle in this instance; throws what the engine says about the definition.
   * @param {import("./engine.js").Engine} engine
   */
  open(engine) {
    const held = this.#held;
    if (held.engine === engine) return held.number;
    const { definition } = this;
    const number = engine.open(
      this.#make,
      typeof definition === "string" ? definition : JSON.stringify(definition),
    );
    if (held.engine === undefined && typeof FinalizationRegistry !== "undefined") {
      registry ??= new FinalizationRegistry(freeHeld);
      registry.register(this, held, this);
    }
    held.engine = engine;
    held.number = number;
    return number;
  }

  /**
   * Lets the engine's side go now, instead of when the object is gone; the next use makes it anew.
   */
  free() {
    freeHeld(this.#held);
    this.#held.number = 0;
    if (this.#held.engine !== undefined) registry?.unregister(this);
    this.#held.engine = undefined;
  }
}

/** @param {Held} held */
function freeHeld({ free, engine, number }) {
  if (engine !== undefined && !engine.dead) engine.call(free, number);
}
