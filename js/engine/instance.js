// SPDX-License-Identifier: MIT
// Keeps the engine of this JavaScript realm: made at first use, made again after it was lost or has
// grown too big. Owns the current instance and its module. Does not depend on graphs or runs.
import { INSTANCES, MEMORY_LIMIT, loadEngine } from "./load/load.js";
import { compile, compileNow, notReady } from "./compile-module.js";
import { Engine } from "./engine.js";

/** @typedef {import("../base/callable.js").Value} Value */

/** @type {Engine | undefined} */
let current;
/** @type {WebAssembly.Module | undefined} */
let chosen;
/** @type {number | undefined} */
let limit;
/**
 * Other instances that runs have filled, as long as a run is active in them.
 * @type {Set<Engine>}
 */
const crowded = new Set();

/** Returns the live engine, or a new one if there is none. */
export function getEngine() {
  if (current === undefined || current.dead || current.full) current = makeEngine();
  return current;
}

function makeEngine() {
  let source;
  try {
    chosen ??= compileNow((source = loadEngine()));
    return new Engine(new WebAssembly.Instance(chosen, {}), limit ?? MEMORY_LIMIT);
  } catch (error) {
    throw notReady(error, source);
  }
}

/** Makes a separate instance for untrusted input; it is dropped together with what it has read. */
export function spareEngine() {
  return makeEngine();
}

/**
 * Chooses the engine for a new run: another instance if runs have taken a quarter of the current
 * one, as their memory still grows. Realms with scarce memory have only one.
 */
export function engineForRun() {
  const engine = getEngine();
  if (engine.tenants.size === 0 || !engine.isLarge || !engine.isCrowded) return engine;
  if (crowded.size + 1 >= INSTANCES)
    return [engine, ...crowded].reduce((least, other) =>
      other.taken < least.taken ? other : least,
    );
  engine.full = true;
  crowded.add(engine);
  return getEngine();
}

/**
 * Drops the current instance if it has grown too big and no run is active in it.
 * @param {Engine} engine whose last run has ended
 */
export function trimEngine(engine) {
  crowded.delete(engine);
  if (current !== undefined && !current.dead && current.isBloated) current = undefined;
}

/**
 * Makes the engine without blocking the thread, from `input` if the host has no module of its own
 * or another one is wanted. Active runs stay in the old engine; if the new one fails, all do.
 * @param {WebAssembly.Module | BufferSource | URL | string | Response | Promise<Response>} [input]
 *   default: the package's own
 * @param {{ memoryLimit?: number }} [options]
 * @returns {Promise<void>}
 */
export async function init(input, options) {
  /** @type {Value} */
  let source;
  try {
    source = input === undefined ? loadEngine() : await input;
    // A compiled module that a host passes in may come from another realm.
    const module =
      input === undefined && !ArrayBuffer.isView(source)
        ? /** @type {WebAssembly.Module} */ (source)
        : await compile(source);
    const most = options?.memoryLimit ?? limit;
    current = new Engine(await WebAssembly.instantiate(module, {}), most ?? MEMORY_LIMIT);
    chosen = module;
    limit = most;
  } catch (error) {
    throw notReady(error, source);
  }
}
