// SPDX-License-Identifier: MIT
// Knows the limits of runs: their names, units and steps, and which of them ended a run.

/** @typedef {"steps" | "tokens" | "cost" | "seconds"} LimitKey */
/** @typedef {Partial<Record<LimitKey, number>>} Limits */
/**
 * `error`: what a run ends with. `stops`: where its slider stands still; after the last one there
 * is no limit. `isPerRun`: it counts anew when a run goes on.
 * @typedef {{ key: LimitKey, label: string, error: string, min: number, step: number, stops:
 *   readonly number[], isPerRun: boolean, words: (value: number) => string }} LimitKind
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
    stops: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100],
    isPerRun: true,
    words: (value) => `${value} ${value === 1 ? "step" : "steps"}`,
  },
  {
    key: "tokens",
    label: "Tokens",
    error: "TokenLimitError",
    min: 0,
    step: 10,
    stops: [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
    isPerRun: false,
    words: (value) => `${value} tokens`,
  },
  {
    key: "cost",
    label: "Cost in $",
    error: "CostLimitError",
    min: 0,
    step: 0.0001,
    stops: [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1],
    isPerRun: false,
    words: (value) => dollars(value),
  },
  {
    key: "seconds",
    label: "Deadline in seconds",
    error: "DeadlineError",
    min: 0,
    step: 0.5,
    stops: [0.5, 1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 300],
    isPerRun: false,
    words: (value) => `${value} ${value === 1 ? "second" : "seconds"}`,
  },
];

/** @param {number} value */
export const dollars = (value) => `$${Number(value.toPrecision(2))}`;

/**
 * Where a limit stands on its slider: at the first stop that is not below it.
 * @param {LimitKind} kind
 * @param {number | undefined} value none: no limit
 */
export function placeOf({ stops }, value) {
  if (value === undefined) return stops.length;
  const at = stops.findIndex((stop) => stop >= value);
  return at < 0 ? stops.length - 1 : at;
}

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
