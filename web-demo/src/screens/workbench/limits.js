// SPDX-License-Identifier: MIT
// Knows the limits of runs: their names, units and steps, and which of them ended a run.

/** @typedef {"steps" | "tokens" | "cost" | "seconds"} LimitKey */
/** @typedef {Partial<Record<LimitKey, number>>} Limits */
/**
 * `error`: what a run ends with. `isPerRun`: it counts anew when a run goes on.
 * @typedef {{ key: LimitKey, label: string, error: string, min: number, step: number, isPerRun:
 *   boolean, words: (value: number) => string }} LimitKind
 */

/** Dollars per million tokens that costs are counted with. */
export const PRICE = 10;

/** @type {readonly LimitKind[]} */
export const KINDS = [
  {
    key: "steps",
    label: "Steps",
    error: "GraphRecursionError",
    min: 1,
    step: 1,
    isPerRun: true,
    words: (value) => `${value} ${value === 1 ? "step" : "steps"}`,
  },
  {
    key: "tokens",
    label: "Tokens",
    error: "TokenLimitError",
    min: 0,
    step: 10,
    isPerRun: false,
    words: (value) => `${value} tokens`,
  },
  {
    key: "cost",
    label: "Cost in $",
    error: "CostLimitError",
    min: 0,
    step: 0.001,
    isPerRun: false,
    words: (value) => dollars(value),
  },
  {
    key: "seconds",
    label: "Deadline in seconds",
    error: "DeadlineError",
    min: 0,
    step: 0.5,
    isPerRun: false,
    words: (value) => `${value} ${value === 1 ? "second" : "seconds"}`,
  },
];

/** @param {number} value */
export const dollars = (value) => `$${Number(value.toPrecision(2))}`;

/** @param {string} error name of the error that a run ended with */
export const kindOf = (error) => KINDS.find((kind) => kind.error === error);

/**
 * @param {LimitKind} kind that ended a run
 * @param {Limits} limits
 * @returns {Limits} with which it can go on
 */
export function raised({ key, isPerRun, min, step }, limits) {
  if (isPerRun) return limits;
  const value = Math.max(limits[key] ?? 0, min, step) * 2;
  return { ...limits, [key]: Number(value.toPrecision(6)) };
}
