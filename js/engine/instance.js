// SPDX-License-Identifier: MIT
// The engine of this JavaScript realm: made at its first use, made anew after it was lost or has
// grown too big. Owns the current instance and the module it comes from. Must not know graphs or
// runs.
import { INSTANCES, MEMORY_LIMIT, loadEngine } from "./load/load.js";
import { compile, compileNow, notReady } from "./compile.js";
import { Engine } from "./engine.js";

/** @typedef {import("../base/callable.js").Value} Value */

/** @type {Engine | undefined} */
let current;
/** @type {WebAssembly.Module | undefined} */
let chosen;
/** @type {number | undefined} */
let limit;
/**
 * Those beside it that others have filled, as long as something runs in them.
 * @type {Set<Engine>}
 */
const crowded = new Set();

/** The living engine; a new one where there is none. */
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

/** An instance of its own for work whose input nobody vouches for; it goes with what it read. */
export function spareEngine() {
  return makeEngine();
}

/**
 * The engine for a run that is to begin: another one where others have taken a quarter of the
 * living one, since what they have grows while they run. A realm whose memory is scarce has one.
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
 * Lets go of an instance that has grown too big, when nothing runs in it.
 * @param {Engine} engine that nothing runs in now
 */
export function trimEngine(engine) {
  crowded.delete(engine);
  if (current !== undefined && !current.dead && current.isBloated) current = undefined;
}

/**
 * Makes the engine without blocking the thread; from `input`, where none can be had without asking,
 * or another one is wanted. What runs goes on in the old; so does all, when this one cannot be
 * used.
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
    // A compiled module that a host hands over may come from another realm.
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
