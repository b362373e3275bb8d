// SPDX-License-Identifier: MIT
// Lets both libraries run the same program in turns, each in a worker of its own, and keeps what
// was measured. Must not know: how it is shown.
import { openWorker } from "../../worker/open-worker.js";

/** @typedef {"weft" | "langgraph"} Side */
/**
 * `first`: in ms.
 * @typedef {{ first: number[], perSecond: number[], bytes: number | undefined }} Measured
 */
/** @typedef {Record<Side, Measured>} Result */

/** @type {readonly Side[]} */
export const SIDES = Object.freeze(["weft", "langgraph"]);
/** Rounds of each part; in the first one of each nothing is counted. */
const STARTS = 5;
const LAPS = 5;
/** Steps of a lap. */
export const STEPS = 200;
/** A lap is repeated for so long: some browsers count whole milliseconds only. */
export const LEAST_MS = 100;
const WORKERS = Object.freeze({ weft: "race-weft", langgraph: "race-langgraph" });

/** A side that cannot run. */
export class SideError extends Error {
  /** @param {Side} side @param {string} message */
  constructor(side, message) {
    super(message);
    this.name = "SideError";
    this.side = side;
  }
}

/** @returns {Measured} */
const nothing = () => ({ first: [], perSecond: [], bytes: undefined });

/**
 * Runs the race.
 * @param {(result: Result, part: string) => void} tell what is known so far
 * @param {AbortSignal} signal
 * @returns {Promise<Result>}
 * @throws SideError, or the signal's reason
 */
export async function race(tell, signal) {
  const result = { weft: nothing(), langgraph: nothing() };
  /** @type {Map<Side, Worker>} */
  const workers = new Map();
  const end = () => {
    for (const worker of workers.values()) worker.terminate();
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    for (let round = 0; round <= STARTS; round++)
      for (const side of inTurn(round)) {
        tell(result, round === 0 ? "Both are loaded" : `First answer, round ${round} of ${STARTS}`);
        workers.get(side)?.terminate();
        const began = performance.now();
        const worker = openWorker(WORKERS[side]);
        workers.set(side, worker);
        await answerOf(worker, side, signal);
        if (round > 0) result[side].first.push(performance.now() - began);
      }
    for (let round = 0; round <= LAPS; round++)
      for (const side of inTurn(round)) {
        tell(result, round === 0 ? "Both warm up" : `${STEPS} steps, round ${round} of ${LAPS}`);
        const worker = /** @type {Worker} */ (workers.get(side));
        worker.postMessage({ steps: STEPS, leastMs: LEAST_MS });
        const { lap } = await answerOf(worker, side, signal);
        if (round === 0) continue;
        result[side].perSecond.push((lap.steps / lap.ms) * 1000);
        result[side].bytes = lap.bytes;
      }
    return result;
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/** Who goes first changes with each round. @param {number} round @returns {readonly Side[]} */
const inTurn = (round) => (round % 2 === 0 ? SIDES : [...SIDES].reverse());

/**
 * @param {Worker} worker
 * @param {Side} side
 * @param {AbortSignal} signal
 * @returns {Promise<any>} its next message
 */
function answerOf(worker, side, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const life = new AbortController();
    const over = { signal: life.signal };
    const settle = (/** @type {() => void} */ act) => (life.abort(), act());
    worker.addEventListener(
      "message",
      ({ data }) =>
        settle(() =>
          data.failed === undefined ? resolve(data) : reject(new SideError(side, data.failed)),
        ),
      over,
    );
    worker.addEventListener(
      "error",
      (event) => {
        event.preventDefault();
        settle(() => reject(new SideError(side, event.message || "It could not be loaded.")));
      },
      over,
    );
    signal.addEventListener("abort", () => settle(() => reject(signal.reason)), over);
  });
}

/** @param {number[]} values at least one @returns {number} */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
