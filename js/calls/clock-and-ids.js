// SPDX-License-Identifier: MIT
// Replaces the host's clock and random ids by those a call passes in, for tests. Loaded when a call
// has some. Does not depend on what they are used for.
import { makeError } from "../base/errors.js";
import { ERR_ARGUMENT } from "../base/codes.js";
import { CLOCK } from "../run/ids.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../run/start.js").RunRequest} RunRequest */

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TICKS = 10000n;

/** @typedef {import("../run/ids.js").Clock} Clock */

/**
 * @param {number | (() => number) | Clock} source ms since 1970, a function that returns them, or a
 *   clock
 * @returns {Clock}
 */
export function readClock(source) {
  const given = /** @type {Clock} */ (source);
  const now =
    typeof source === "number"
      ? () => source
      : typeof source === "function"
        ? source
        : given?.now?.bind(given);
  if (typeof now !== "function" || !Number.isFinite(now()))
    throw makeError(ERR_ARGUMENT, [
      "clock must be milliseconds, a function that returns them, or an object with now()",
    ]);
  if (typeof given.setTimeout !== "function") return { ...CLOCK, now };
  return {
    now,
    setTimeout: (call, ms) => given.setTimeout(call, ms),
    clearTimeout: (timer) => given.clearTimeout?.(timer),
  };
}

/** The engine's time of one run: strictly monotonic, even if the clock stands still. */
class Ticker {
  #last = 0n;

  /** @param {Clock} clock */
  constructor(clock) {
    this.clock = clock;
  }

  /** Writes the time into the head of a batch. @param {Uint32Array} u32 */
  tick(u32) {
    const now = BigInt(Math.floor(this.clock.now())) * TICKS;
    if (now > this.#last) this.#last = now;
    u32[1] = Number(this.#last & 0xffffffffn);
    u32[2] = Number(this.#last >> 32n);
  }

  /** @param {number} ticks used up by the engine */
  use(ticks) {
    this.#last += BigInt(ticks);
  }
}

/** Ids of one run, made by the caller's function. */
class GivenIds {
  /** @param {() => string} next */
  constructor(next) {
    this.next = next;
    const hex = (next() + next()).replaceAll("-", "");
    this.seed = Uint32Array.from({ length: 8 }, (_, word) =>
      parseInt(hex.slice(word * 8, word * 8 + 8), 16),
    );
  }
}

/** @param {unknown} make @returns {() => string} */
function readIds(make) {
  if (typeof make !== "function")
    throw makeError(ERR_ARGUMENT, ["ids must be a function that returns a UUID"]);
  return () => {
    const id = make();
    if (typeof id !== "string" || !ID.test(id))
      throw makeError(ERR_ARGUMENT, [`ids must return a UUID, got ${JSON.stringify(id)}`]);
    return id.toLowerCase();
  };
}

/**
 * Returns the request's clock and ids; a child run inherits its parent's.
 * @param {Config} config
 * @param {RunRequest} [outer] request of the parent
 */
export function givenOf({ clock, ids }, outer) {
  const time = clock === undefined ? outer?.clock : readClock(clock);
  const nextId = ids === undefined ? outer?.nextId : readIds(ids);
  return {
    clock: time,
    ticker: time && new Ticker(time),
    nextId,
    ids: nextId && new GivenIds(nextId),
  };
}
