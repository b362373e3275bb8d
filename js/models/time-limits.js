// SPDX-License-Identifier: MIT
// Ends a request that takes too long or is silent for too long.
import { LONGEST_MS, abortError } from "../base/waits.js";
import { ModelError } from "./model-error.js";

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
  const stopWith = (/** @type {Error} */ error) => {
    ended = error;
    fail(error);
    controller.abort(error);
  };
  const onAbort = () => stopWith(abortError(/** @type {AbortSignal} */ (signal)));
  signal?.addEventListener("abort", onAbort, { once: true });
  const whole = setTimeout(
    () => stopWith(durationError(maxDurationMs)),
    Math.min(maxDurationMs, LONGEST_MS),
  );
  return {
    signal: controller.signal,
    race(work, use, refuse) {
      let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
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
          try {
            resolve(make(value));
          } catch (error) {
            reject(error);
          }
        };
        fail = refuse === undefined ? reject : ending(refuse);
        // As of `then`, nothing is called before this returns.
        if (ended !== undefined) Promise.reject(ended).catch(fail);
        // Also if the end came first: a failure of the work needs a listener.
        work.then(use === undefined ? resolve : ending(use), fail);
        if (timeout !== undefined)
          timer = setTimeout(() => stopWith(timeoutError(timeout)), Math.min(timeout, LONGEST_MS));
      });
      // Without a timer nothing is to clear.
      return timer === undefined ? first : first.finally(() => clearTimeout(timer));
    },
    stop() {
      clearTimeout(whole);
      signal?.removeEventListener("abort", onAbort);
      fail = () => undefined;
    },
  };
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
