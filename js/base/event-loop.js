// SPDX-License-Identifier: MIT
// Lets the event loop turn while runs are at work whose nodes wait for nothing: else no timer
// rings, no signal aborts and a page stands still. Owns when it turned last. Must not know runs.

/** @typedef {import("./callable.js").Value} Value */

/**
 * For so long the loop is held up before it is asked to tell when it turns, and as long again
 * before a run waits for that.
 */
const PATIENCE_MS = 4;
/**
 * As many looks at a clock that stands still, as it does in Workers while nothing comes in, count
 * as that.
 */
const STILL = 1000;

/** Tasks, or runs, for each reading of the clock, as long as these take less than a ms. */
const READ_EACH = 8;

// Taken when the module is loaded, since a test runner may put its own in their places, which come
// only when a test says so.
const now = Date.now;
const { setImmediate, setTimeout, MessageChannel, navigator } =
  /** @type {Record<PropertyKey, Value>} */ (globalThis);
/** Its own fakes from the start: then their clock stands still too. */
const isReal = typeof setImmediate === "function" && setImmediate.clock === undefined;
const isWorker = navigator?.userAgent === "Cloudflare-Workers";
const isStill = !isReal || isWorker;

/**
 * Read at each step, so it must cost nothing: from when on the loop is to be asked for, in ms of
 * the host's clock; how many tasks may begin before it is; does somebody wait for it?
 */
export const LOOP = { due: 0, tasks: 0, isAwaited: true };
let turned = 0;
/**
 * When the loop was asked, 0: it was not. A page's scripts start and make their graphs in one task:
 * the first run waits for the end of that, as if it had been asked then.
 */
let asked = now();
let looked = 0;
let still = 0;
/** When the clock was read between tasks. */
let read = 0;
/** @type {{ port1: Value, port2: Value } | undefined} */
let channel;
/** @type {Array<() => void>} */
const calls = [];

/** @returns {{ port1: unknown, port2: unknown }} */
function openChannel() {
  const made = new MessageChannel();
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
  // In Node it keeps the process running as long as somebody waits.
  channel.port1.ref?.();
  channel.port2.postMessage(0);
}

/**
 * What calls back in another turn here, the quickest first. A continuation of scheduler.yield()
 * would come before the timers.
 * @type {Array<(call: () => void) => void>}
 */
const ways = [(call) => setTimeout(call, 0)];
if (MessageChannel !== undefined && !isWorker) ways.unshift(callByMessage);
if (isReal) ways.unshift((call) => setImmediate(call));

/** Calls back in another turn. @param {() => void} call */
function callLater(call) {
  while (ways.length > 1) {
    try {
      return ways[0](call);
    } catch {
      // The edge runtime of Next.js has both names, and they throw.
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
 * To be asked between two steps.
 * @param {number} [time] in ms, if a clock was read a moment ago
 * @returns {Promise<void> | undefined} to be waited for where the loop has not turned for too long.
 *   Each has its own: in Workers what was begun for one request does not end for another
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
 * The same between tasks or runs, once LOOP.tasks of them have begun: where they come fast the
 * clock is not read for each.
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
