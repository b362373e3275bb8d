// SPDX-License-Identifier: MIT
// Runs a Runnable over a list of inputs in parallel.
import { checkArgument } from "../base/check-arguments.js";
import { checkGiven } from "../base/merge-configs.js";
import { settleAll, valuesOf } from "../base/chunks.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../base/merge-configs.js").Config} Config */

/**
 * @param {Value} self
 * @param {unknown[]} inputs
 * @param {Config | Config[]} [options]
 * @param {{ returnExceptions?: boolean, maxConcurrency?: number }} [batchOptions]
 * @returns {Promise<unknown[]>}
 */
export async function batchAny(self, inputs, options, batchOptions) {
  checkArgument(Array.isArray(inputs), "batch(inputs, options): inputs must be a list");
  const configs = configList(inputs, options);
  configs.forEach((config) => checkGiven(config));
  checkGiven({ maxConcurrency: batchOptions?.maxConcurrency });
  const limit = configs[0]?.maxConcurrency ?? batchOptions?.maxConcurrency;
  return valuesOf(
    await settleAll(inputs, limit, async (input, index) => self.invoke(input, configs[index])),
    batchOptions?.returnExceptions,
  );
}

/** @param {unknown[]} inputs @param {Config | Config[] | undefined} options @returns {Config[]} */
function configList(inputs, options) {
  if (!Array.isArray(options)) return inputs.map(() => options ?? {});
  if (options.length === inputs.length) return options;
  throw new Error(
    `Passed "options" must be an array with the same length as the inputs, but got ${options.length} options for ${inputs.length} inputs`,
  );
}
