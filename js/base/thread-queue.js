// SPDX-License-Identifier: MIT
// Runs one run of a thread at a time: a second one waits for the first to end or fails with BUSY.
// Enforced within a saver always; between savers, tabs and instances by the store's `hold`, if it
// has one. This only avoids conflicts; the store's compare-and-set keeps the thread intact. Owns
// the queues of waiting runs. Does not depend on graphs.
import { ERR_BUSY } from "./codes.js";
import { WeftError, makeError } from "./errors.js";
import { LOOP, dueBetween } from "./event-loop.js";

/** @typedef {import("../log/log-store.js").LogStore} LogStore */
/** @typedef {import("../run/tasks/task.js").Task} Task */
/** @typedef {import("../run/run.js").Run} Run */
/**
 * `isUnsure`: the call may come from a node of a run, which cannot be known
 * @typedef {{ saver: object, rejects: boolean, isUnsure?: boolean }} Turn
 */

/** Time a call waits for a node that does not end, if that node itself may have made the call. */
const UNSURE_MS = 30_000;

/**
 * Microtasks of this promise cost less than queueMicrotask, which makes a resource each in Node.
 */
export const SETTLED = /* @__PURE__ */ Promise.resolve();

/** Runs that wait to open, and the promise after which the next one may. */
let waiting = 0;
let gate = SETTLED;

/**
 * Opens a run in the next microtask. Of a burst, four open per microtask: runs whose nodes wait for
 * nothing end before the last ones begin, so that few use memory at a time. Each run has its own
 * promise, so that its nodes run in the caller's async context.
 * @param {Run} run
 * @param {Task} [parent] the parent graph's task: such a run is in no burst
 */
export function openSoon(run, parent) {
  if (++waiting > 16 && !(parent || waiting & 3)) gate = gate.then();
  const open = () => {
    // Do not open a run that would have to wait for the event loop at once.
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
 * Queues of runs by saver and thread; the first run of each is active.
 * @type {WeakMap<object, Map<string, Run[]>>}
 */
const linesOf = new WeakMap();

/**
 * Begins the run in the next microtask, or when the runs before it have left the queue.
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
 * Watches the front of the queue for a call that waits for itself. Without AsyncLocalStorage a
 * node's call is recognised until its first `await`; after it such a call, if for the node's own
 * thread, would wait for ever.
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
  if (!store.hold) return openSoon(run);
  store
    .hold(threadId, { wait: !turn.rejects, signal: run.signal })
    .then((/** @type {(() => void) | undefined} */ release) => {
      if (release === undefined) return refuseBusy(run);
      // What the saver does for the thread when its run is over is a part of the turn.
      const rest = () => run.thread?.resting;
      run.promise.then(rest, rest).then(release, release);
      run.open();
    })
    .catch((/** @type {unknown} */ error) => run.lose(error));
}

/** @param {Run} run */
function refuseBusy(run) {
  run.lose(makeError(ERR_BUSY, [/** @type {string} */ (run.request.threadId)]));
}
