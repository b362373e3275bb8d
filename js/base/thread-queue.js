// SPDX-License-Identifier: MIT
// One run of a thread at a time: a second one waits until the first has ended, or is told BUSY.
// Within a saver always; between savers, tabs and instances by the store's `hold`, when the caller
// asked for it. It keeps runs out of each other's way; what keeps the thread whole is the store's
// comparison. Owns who waits. Must not know graphs.
import { ERR_BUSY } from "./codes.js";
import { WeftError, makeError } from "./errors.js";
import { LOOP, dueBetween } from "./event-loop.js";

/** @typedef {import("../log/log-store.js").LogStore} LogStore */
/** @typedef {import("../run/tasks/task.js").Task} Task */
/** @typedef {import("../run/run.js").Run} Run */
/**
 * `holds`: among all that use the store's `hold`; `isUnsure`: the node of a run may have called
 * without anybody knowing it
 * @typedef {{ saver: object, rejects: boolean, holds: boolean, isUnsure?: boolean }} Turn
 */

/**
 * For so long a call waits for a node that does not end, where the node itself may have made it.
 */
const UNSURE_MS = 30_000;

/**
 * Its turns of the microtask queue cost less than queueMicrotask, which in Node makes a resource
 * for each.
 */
export const SETTLED = /* @__PURE__ */ Promise.resolve();

/** Runs that are to open, and when the next one may. */
let waiting = 0;
let gate = SETTLED;

/**
 * Opens a run in the next turn. Of a burst four open in a turn: those whose nodes wait for nothing
 * end before the last ones begin, so that few lie in memory at a time. A promise for each, so that
 * its nodes run where it was called.
 * @param {Run} run
 * @param {Task} [parent] the task around it: it is in no burst
 */
export function openSoon(run, parent) {
  if (++waiting > 16 && !(parent || waiting & 3)) gate = gate.then();
  const open = () => {
    // None begins to wait for the event loop at once.
    const turn =
      !parent && !run.hasOwnTime && (LOOP.isAwaited || (waiting > 16 && --LOOP.tasks < 0))
        ? dueBetween()
        : undefined;
    if (turn !== undefined) return void turn.then(open);
    if (!--waiting) gate = SETTLED;
    run.open();
  };
  (parent ? SETTLED : gate).then(open);
}

/**
 * Runs at work, each before those that wait for it, by saver and thread.
 * @type {WeakMap<object, Map<string, Run[]>>}
 */
const linesOf = new WeakMap();

/**
 * Begins the run in the next turn of the microtask queue, or when it is its turn.
 * @param {Run} run
 */
export function takeTurn(run) {
  const {
    threadId,
    turn: { saver, rejects, isUnsure },
  } = /** @type {{ threadId: string, turn: Turn }} */ (run.request);
  let lines = linesOf.get(saver);
  if (lines === undefined) linesOf.set(saver, (lines = new Map()));
  const line = lines.get(threadId) ?? [];
  const leave = () => {
    if (line.length === 1) return lines.delete(threadId);
    const place = line.indexOf(run);
    line.splice(place, 1);
    if (place === 0) begin(line[0]);
  };
  run.left = () => (line.length === 1 ? leave() : SETTLED.then(leave));
  if (line.push(run) === 1) {
    lines.set(threadId, line);
    begin(run);
  } else if (rejects) refuseBusy(run);
  else if (isUnsure) watchFront(run, line);
}

/**
 * Without AsyncLocalStorage a node's call is known for its own until its first `await`; after it
 * the call is like anybody's, and where it is for the node's own thread it would wait for itself
 * for ever.
 * @param {Run} run @param {Run[]} line in which it waits
 */
function watchFront(run, line) {
  const [front] = line;
  const { steps } = front.work;
  const look = () => {
    if (run.over || line[0] === run) return;
    if (line[0] !== front || front.work.steps !== steps || front.work.running === 0)
      return watchFront(run, line);
    run.lose(new WeftError("SELF_WAIT", selfWait(/** @type {string} */ (run.request.threadId))));
  };
  const timer = run.clock.setTimeout(look, UNSURE_MS);
  const stop = () => run.clock.clearTimeout(timer);
  run.promise.then(stop, stop);
}

/** @param {string} threadId */
function selfWait(threadId) {
  return (
    `This call has waited ${UNSURE_MS / 1000} s for the run that is at work on thread ${threadId}, and the run for a node. If the node made the call, it waits for itself: ` +
    'without AsyncLocalStorage give a call after an `await` the node\'s config, as in graph.invoke(input, config). If the node only takes long, call with multitaskStrategy: "enqueue".'
  );
}

/** @param {Run} run */
function begin(run) {
  const { store, threadId, turn } =
    /** @type {{ store: LogStore, threadId: string, turn: Turn }} */ (run.request);
  if (!turn.holds || !store.hold) return openSoon(run);
  store
    .hold(threadId, { wait: !turn.rejects, signal: run.signal })
    .then((/** @type {(() => void) | undefined} */ release) => {
      if (release === undefined) return refuseBusy(run);
      run.promise.then(release, release);
      run.open();
    })
    .catch((/** @type {unknown} */ error) => run.lose(error));
}

/** @param {Run} run */
function refuseBusy(run) {
  run.lose(makeError(ERR_BUSY, [/** @type {string} */ (run.request.threadId)]));
}
