// SPDX-License-Identifier: MIT
// Ends a request that takes too long or is silent for too long.
import { LONGEST_MS, abortError, allowListeners } from "../base/waits.js";
import { ModelError } from "./model-error.js";

/**
 * How long a service may be silent, in ms, unless a model is told otherwise: the SDKs of OpenAI and
 * Anthropic wait as long. A model that thinks may be silent for minutes.
 */
export const SILENCE_MS = 600_000;

/**
 * Makes silence, slowness and the caller's abort reject at once, whatever `fetch` does. `race`
 * takes what `then` takes, and calls it without another turn of promises: tokens are frequent.
 * @typedef {{ signal: AbortSignal, race: <T, U = T>(work: Promise<T>, use?: (value: T) => U |
 *   PromiseLike<U>, refuse?: (error: unknown) => U | PromiseLike<U>) => Promise<U>, stop: () =>
 *   void }} Watchdog
 * @param {{ timeout: number | undefined, maxDurationMs: number, signal: AbortSignal | undefined }}
 *   limits
 * @returns {Watchdog}
 */
export function watchdog({ timeout, maxDurationMs, signal }) {
  const controller = new AbortController();
  /** @type {(error: Error) => void} */
  let fail = () => undefined;
  /** @type {Error | undefined} */
  let ended;
  /** Since when something is waited for, if it is. @type {number | undefined} */
  let since;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let silence;
  const stopWith = (/** @type {Error} */ error) => {
    ended = error;
    fail(error);
    controller.abort(error);
  };
  // One timer for many waits, which asks how long the last one takes: tokens are frequent.
  const watch = (/** @type {number} */ most, ms = most) => {
    const look = () => {
      silence = undefined;
      if (since === undefined) return;
      const left = most - (performance.now() - since);
      if (left > 0) watch(most, left);
      else stopWith(timeoutError(most));
    };
    silence = setTimeout(look, Math.min(ms, LONGEST_MS));
    keepAlive(silence, false);
  };
  const onAbort = () => stopWith(abortError(/** @type {AbortSignal} */ (signal)));
  if (signal !== undefined) allowListeners(signal);
  signal?.addEventListener("abort", onAbort, { once: true });
  const whole = setTimeout(
    () => stopWith(durationError(maxDurationMs)),
    Math.min(maxDurationMs, LONGEST_MS),
  );
  keepAlive(whole, false);
  return {
    signal: controller.signal,
    race(work, use, refuse) {
      // The work may end after it was given up.
      let isOver = false;
      const first = new Promise((resolve, reject) => {
        /**
         * @template Given
         * @param {(value: Given) => unknown} make
         */
        const ending = (make) => (/** @type {Given} */ value) => {
          if (isOver) return;
          isOver = true;
          since = undefined;
          keepAlive(whole, false);
          try {
            resolve(make(value));
          } catch (error) {
            reject(error);
          }
        };
        fail = ending(refuse ?? rethrow);
        // As of `then`, nothing is called before this returns.
        if (ended !== undefined) Promise.reject(ended).catch(fail);
        // Also if the end came first: a failure of the work needs a listener.
        work.then(ending(use ?? same), fail);
        since = performance.now();
        keepAlive(whole, true);
        if (timeout !== undefined && silence === undefined) watch(timeout);
      });
      return first;
    },
    stop() {
      clearTimeout(whole);
      clearTimeout(silence);
      since = undefined;
      signal?.removeEventListener("abort", onAbort);
      fail = () => undefined;
    },
  };
}

/**
 * Lets a timer keep the process alive, where timers do that (Node, Bun): only while somebody waits.
 * An answer that nobody reads to its end, nor leaves, would keep it alive for the whole time.
 * @param {ReturnType<typeof setTimeout>} timer
 * @param {boolean} isWaiting
 */
function keepAlive(timer, isWaiting) {
  if (isWaiting) timer.ref?.();
  else timer.unref?.();
}

/** @param {unknown} value */
function same(value) {
  return value;
}

/** @param {unknown} error @returns {never} */
function rethrow(error) {
  throw error;
}

/** @param {number} timeout */
function timeoutError(timeout) {
  return new ModelError(`The model service was silent for ${timeout} ms`, {
    code: "TIMEOUT",
    retryable: true,
  });
}

/** @param {number} most */
function durationError(most) {
  return new ModelError(
    `The model service's answer took longer than ${most} ms (\`maxDurationMs\`)`,
    { code: "TIMEOUT" },
  );
}
