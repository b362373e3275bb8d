// SPDX-License-Identifier: MIT
// One run of a thread at a time: a second one waits until the first has ended, or is told BUSY. Within a saver always;
// between savers, tabs and instances by the store's `hold`, when the caller asked for it. It keeps runs out of each other's
// way; what keeps the thread whole is the store's comparison. Owns who waits. Must not know graphs.
import { ERR_BUSY } from "../engine/codes.js";
import { makeError } from "../errors.js";
import { abortError } from "./failures.js";

/** @typedef {import("./pump.js").Run} Run */
/** @typedef {{ saver: object, rejects: boolean, holds: boolean }} Turn `holds`: among all that use the store's `hold` */

/** Its turns of the microtask queue cost less than queueMicrotask, which in Node makes a resource for each. */
export const SETTLED = /* @__PURE__ */ Promise.resolve();

/** Runs at work, each before those that wait for it, by saver and thread. @type {WeakMap<object, Map<string, Run[]>>} */
const linesOf = new WeakMap();

/** Begins the run in the next turn of the microtask queue, or when it is its turn. @param {Run} run @param {Turn} turn */
export function takeTurn(run, turn) {
  const id = /** @type {string} */ (run.request.threadId);
  let lines = linesOf.get(turn.saver);
  if (lines === undefined) linesOf.set(turn.saver, (lines = new Map()));
  const line = lines.get(id) ?? [];
  const leave = () => {
    if (line.length === 1) return lines.delete(id);
    const place = line.indexOf(run);
    line.splice(place, 1);
    if (place === 0) begin(line[0], /** @type {Turn} */ (line[0].request.turn));
  };
  run.left = () => (line.length === 1 ? leave() : SETTLED.then(leave));
  if (line.push(run) === 1) {
    lines.set(id, line);
    return begin(run, turn);
  }
  if (!turn.rejects) return listen(run);
  run.lose(makeError(ERR_BUSY, [id]));
}

/** A run that waits is given up as one that works. @param {Run} run */
function listen(run) {
  const { signal } = run.request;
  const giveUp = () => run.lose(abortError(signal?.reason));
  if (signal?.aborted) giveUp();
  else signal?.addEventListener("abort", giveUp, { once: true });
}

/** @param {Run} run @param {Turn} turn */
function begin(run, { holds, rejects }) {
  const hold = holds ? /** @type {any} */ (run.request.store).hold : undefined;
  if (hold === undefined) SETTLED.then(() => run.open());
  else openHeld(run, hold.call(run.request.store, run.request.threadId, { wait: !rejects, signal: run.signal }));
}

/** @param {Run} run @param {Promise<(() => void) | undefined>} held */
async function openHeld(run, held) {
  try {
    const release = await held;
    if (release === undefined) throw makeError(ERR_BUSY, [/** @type {string} */ (run.request.threadId)]);
    run.promise.then(release, release);
    run.open();
  } catch (error) {
    run.lose(error);
  }
}
