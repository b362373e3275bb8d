// SPDX-License-Identifier: MIT
// Lets the event loop turn while runs have nodes that never wait: else no timer fires, no signal
// aborts and a page freezes. Owns the time of the last turn. Does not depend on runs.

/** @typedef {(call: () => void, ms?: number) => unknown} Timer */
/**
 * A MessagePort; only Node's keep the process alive, by `ref`.
 * @typedef {{ postMessage: (message: unknown) => void, onmessage?: ((event: any) => void) | null,
 *   ref?: () => void, unref?: () => void }} Port
 */
/**
 * What this module reads of the realm, which depends on the runtime; a fake timer has a `clock`.
 * @typedef {{ setImmediate?: Timer & { clock?: unknown }, setTimeout: Timer, MessageChannel?: new
 *   () => { port1: Port, port2: Port }, navigator?: { userAgent?: string } }} Realm
 */

/**
 * Time the loop may be blocked until a callback is scheduled in its next turn; after the same time
 * again, runs wait for that turn.
 */
const PATIENCE_MS = 4;
/**
 * Reads of an unchanged clock that count as a blocked loop; in Workers the clock stands still
 * between inputs.
 */
const STILL = 1000;

/** Tasks or runs per reading of the clock, as long as that many take less than 1 ms. */
const READ_EACH = 8;

// Read when the module is loaded: a test runner may replace them later by fakes, which fire only
// when the test says so.
const now = Date.now;
const host = /** @type {Realm} */ (globalThis);
const { setImmediate, setTimeout } = host;
/** False if the host's timers were faked from the start: then the clock stands still too. */
const isReal = typeof setImmediate === "function" && setImmediate.clock === undefined;
const isWorker = host.navigator?.userAgent === "Cloudflare-Workers";
const isStill = !isReal || isWorker;
/**
 * Read only where there is no setImmediate: Node loads its streams at the first look at it, which
 * takes 3 ms.
 */
const MessageChannel = isReal || isWorker ? undefined : host.MessageChannel;

/**
 * Read at each step, so plain fields. `due`: time from which dueTurn() is to be called, in ms of
 * the host's clock; `tasks`: tasks that may begin before the next reading; `isAwaited`: does a run
 * wait for the turn?
 */
export const LOOP = { due: 0, tasks: 0, isAwaited: true };
let turned = 0;
/**
 * When a callback in the next turn was scheduled, 0 if none is. A page's scripts load and build
 * their graphs in one task, so the first run waits for its end as if scheduled at load.
 */
let asked = now();
let looked = 0;
let still = 0;
// Do not open a run that would have to wait for the event loop at once.
let read = 0;
/** @type {{ port1: Port, port2: Port } | undefined} */
let channel;
/** @type {Array<() => void>} */
const calls = [];

/** @returns {{ port1: Port, port2: Port }} */
function openChannel() {
  const made = new /** @type {NonNullable<Realm["MessageChannel"]>} */ (MessageChannel)();
  made.port1.onmessage = () => {
    calls.shift()?.();
    if (calls.length === 0) made.port1.unref?.();
  };
  return made;
}

/** @param {() => void} call */
function callByMessage(call) {
  channel ??= openChannel();
  calls.push(call);
  // In Node this keeps the process alive as long as a run waits.
  channel.port1.ref?.();
  channel.port2.postMessage(0);
}

/**
 * Ways to call back in another turn, fastest first. A continuation of scheduler.yield() would come
 * before the timers.
 * @type {Array<(call: () => void) => void>}
 */
const ways = [(call) => setTimeout(call, 0)];
if (MessageChannel !== undefined) ways.unshift(callByMessage);
if (isReal) ways.unshift((call) => /** @type {Timer} */ (setImmediate)(call));

/** Calls back in another turn of the event loop. @param {() => void} call */
function callLater(call) {
  while (ways.length > 1) {
    try {
      return ways[0](call);
    } catch {
      // The edge runtime of Next.js defines setImmediate, but it throws.
      ways.shift();
    }
  }
  ways[0](call);
}

function noteTurn() {
  turned = now();
  asked = still = 0;
  LOOP.isAwaited = false;
  if (!isStill) LOOP.due = turned + PATIENCE_MS;
}

/**
 * Checks between two steps whether the loop must turn.
 * @param {number} [time] in ms, if the clock was read a moment ago
 * @returns {Promise<void> | undefined} to be awaited if the loop has not turned for too long. Each
 *   caller gets its own: in Workers a promise of one request does not settle for another
 */
export function dueTurn(time = now()) {
  if (isStill && isStanding(time)) return nextTurn();
  if (asked !== 0) return time - asked >= PATIENCE_MS ? nextTurn() : undefined;
  if (time - turned < PATIENCE_MS && time >= turned) return undefined;
  asked = time;
  if (!isStill) LOOP.due = time + PATIENCE_MS;
  callLater(noteTurn);
  return undefined;
}

/**
 * Checks the same between tasks or runs, after LOOP.tasks of them have begun, so that fast ones do
 * not read the clock each.
 */
export function dueBetween() {
  const time = now();
  LOOP.tasks = time - read < 1 ? READ_EACH : 1;
  read = time;
  return dueTurn(time);
}

/** @param {number} time */
function isStanding(time) {
  if (time !== looked) still = 0;
  looked = time;
  return ++still > STILL;
}

/** @returns {Promise<void>} */
export function nextTurn() {
  LOOP.isAwaited = true;
  return new Promise((resolve) => {
    callLater(() => {
      noteTurn();
      resolve();
    });
  });
}
