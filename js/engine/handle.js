// SPDX-License-Identifier: MIT
// Keeps the engine's counterpart of an object of the host: made from a definition, made again in
// each new instance, freed when the object is collected. Owns the handle. Does not depend on its
// kind.

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
   * Returns the handle in this instance; throws the engine's error about the definition.
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

  /** Frees the engine's counterpart now rather than at collection; the next use makes it again. */
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
