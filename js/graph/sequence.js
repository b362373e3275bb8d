// SPDX-License-Identifier: MIT
// Knows: one Runnable after the other, as `pipe` makes them. Must not know: graphs.
import { toCall } from "./callable.js";

/**
 * @param {any} first
 * @param {any} next a Runnable, a function or an object of them
 * @returns {any}
 */
export function pipe(first, next) {
  const call = toCall(next);
  const sequence = {
    lc_runnable: true,
    steps: [first, next],
    getName: () => "RunnableSequence",
    /** @param {any} input @param {any} [config] */
    invoke: async (input, config) => call(await first.invoke(input, config), config),
    /** @param {any} input @param {any} [config] */
    async stream(input, config) {
      const between = await first.invoke(input, config);
      return typeof next.stream === "function" ? next.stream(between, config) : once(call(between, config));
    },
    /** @param {any[]} inputs @param {any} [config] */
    batch: (inputs, config) => Promise.all(inputs.map((input) => sequence.invoke(input, config))),
    /** @param {any} last @returns {any} */
    pipe: (last) => pipe(sequence, last),
  };
  return sequence;
}

/** @param {any} value */
async function* once(value) {
  yield await value;
}
