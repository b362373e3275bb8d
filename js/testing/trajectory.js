// SPDX-License-Identifier: MIT
// Makes a scorer for the trajectory of tool calls, with the modes of LangChain's agentevals. Does
// not depend on how runs are made.
import { badArgument, checkArgument, isRecord, shown } from "../base/check-arguments.js";
import { differenceOf, shownValue } from "./compare.js";
import { named } from "./scorers.js";
import { Transcript } from "./transcript.js";

/** @typedef {import("../types/testing/evaluate.js").EvalRun} EvalRun */
/** @typedef {import("../types/testing/evaluate.js").Scored} Scored */
/** @typedef {import("../types/testing/evaluate.js").RunToolCall} RunToolCall */
/** @typedef {import("../types/testing/scorers.js").TrajectoryOptions} Options */
/**
 * An expected call; calls of one step may be in any order.
 * @typedef {{ name: string, args?: unknown, step: number }} Wanted
 */
/** @typedef {(args: Record<string, unknown>, wanted: unknown, name: string) => unknown} Compare */

const CALL = "trajectory(calls, options)";
const MODES = ["strict", "unordered", "subset", "superset"];
const MOST_CALLS = 1000;

/** @type {Record<string, Compare>} */
const COMPARE = {
  exact: (args, wanted) => differenceOf(args, wanted) === undefined,
  ignore: () => true,
  subset: (args, wanted) => isPartOf(args, wanted),
  superset: (args, wanted) => isPartOf(wanted, args),
};

/** @param {unknown} part @param {unknown} whole are all fields of the one in the other? */
function isPartOf(part, whole) {
  if (!isRecord(part) || !isRecord(whole)) return differenceOf(part, whole) === undefined;
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && differenceOf(value, whole[key]) === undefined,
  );
}

/**
 * Makes a scorer of the tool calls of a run.
 * @param {readonly unknown[] | Options} [calls] expected; without it, the case's `trajectory`
 * @param {Options} [options]
 * @returns {(run: EvalRun) => Promise<Scored>}
 */
export function trajectory(calls, options) {
  const list = Array.isArray(calls) ? calls : undefined;
  const { mode = "strict", args = "exact" } =
    options ?? (list === undefined ? /** @type {Options | undefined} */ (calls) : undefined) ?? {};
  checkArgument(MODES.includes(mode), `${CALL}: options.mode must be one of ${MODES.join(", ")}`);
  const compare = typeof args === "function" ? args : COMPARE[args];
  checkArgument(
    typeof compare === "function",
    `${CALL}: options.args must be one of ${Object.keys(COMPARE).join(", ")}, or a function`,
  );
  const fixed = list && readCalls(list);
  return named("trajectory", async ({ toolCalls, case: { trajectory } }) => {
    if (fixed === undefined && trajectory === undefined)
      throw badArgument("the case has no `trajectory`");
    const { wanted, grouped } = fixed ?? readCalls(/** @type {unknown[]} */ (trajectory));
    checkArgument(
      Math.max(wanted.length, toolCalls.length) <= MOST_CALLS,
      `a trajectory has more than ${MOST_CALLS} calls`,
    );
    const fits = await comparisons(toolCalls, wanted, compare);
    const reason =
      mode === "strict"
        ? orderReason(toolCalls, wanted, fits, grouped)
        : setReason(toolCalls, wanted, fits, mode);
    return { score: reason === undefined ? 1 : 0, reason };
  });
}

/**
 * Reads expected calls: names, `{ name, args }`, lists of the calls of one message, or messages.
 * @param {readonly unknown[]} list
 * @returns {{ wanted: Wanted[], grouped: boolean }} `grouped`: they say what one message makes
 */
function readCalls(list) {
  const transcript = new Transcript([]);
  transcript.read(list);
  if (transcript.messages.length > 0) return { wanted: transcript.toolCalls, grouped: true };
  const wanted = list.flatMap((entry, step) =>
    [entry].flat().map((call) => ({ ...readCall(call), step })),
  );
  return { wanted, grouped: list.some(Array.isArray) };
}

/** @param {unknown} call @returns {{ name: string, args?: unknown }} */
function readCall(call) {
  if (typeof call === "string") return { name: call };
  const { name, args } = /** @type {{ name?: unknown, args?: unknown }} */ (call ?? {});
  checkArgument(
    typeof name === "string",
    `${CALL}: a call must be a name or { name, args }, not ${shown(call)}`,
  );
  return { name: /** @type {string} */ (name), args };
}

/**
 * @param {readonly RunToolCall[]} made
 * @param {Wanted[]} wanted
 * @param {Compare} compare
 * @returns {Promise<boolean[][]>} by made call, then by wanted call
 */
async function comparisons(made, wanted, compare) {
  const rows = [];
  for (const { name, args } of made) {
    const row = [];
    for (const one of wanted)
      row.push(
        one.name === name &&
          (one.args === undefined || Boolean(await compare(args, one.args, name))),
      );
    rows.push(row);
  }
  return rows;
}

/**
 * Says where the calls leave the expected order; the calls of one message have none.
 * @param {readonly RunToolCall[]} made
 * @param {Wanted[]} wanted
 * @param {boolean[][]} fits
 * @param {boolean} grouped
 */
function orderReason(made, wanted, fits, grouped) {
  for (let start = 0; start < Math.max(made.length, wanted.length); ) {
    const end = Math.max(endOfStep(made, start), start + 1);
    const here = range(start, Math.min(end, made.length));
    const there = range(
      start,
      Math.min(grouped ? Math.max(endOfStep(wanted, start), start + 1) : end, wanted.length),
    );
    if (here.length !== there.length || pairs(here, there, fits).size < there.length)
      return `call ${start + 1}: expected ${list(wanted, there)}, got ${list(made, here)}`;
    start = end;
  }
  return undefined;
}

/**
 * Says which calls are missing, or too many.
 * @param {readonly RunToolCall[]} made
 * @param {Wanted[]} wanted
 * @param {boolean[][]} fits
 * @param {string} mode
 */
function setReason(made, wanted, fits, mode) {
  const paired = pairs(range(0, made.length), range(0, wanted.length), fits);
  const used = new Set(paired.values());
  const missing = range(0, wanted.length).filter((place) => !paired.has(place));
  const extra = range(0, made.length).filter((number) => !used.has(number));
  const reasons = [];
  if (mode !== "subset" && missing.length > 0) reasons.push(`missing: ${list(wanted, missing)}`);
  if (mode !== "superset" && extra.length > 0) reasons.push(`not expected: ${list(made, extra)}`);
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

/**
 * Pairs as many made calls with expected ones as possible.
 * @param {number[]} numbers of made calls
 * @param {number[]} places of expected calls
 * @param {boolean[][]} fits
 * @returns {Map<number, number>} the made call by the expected one
 */
function pairs(numbers, places, fits) {
  /** @type {Map<number, number>} */
  const found = new Map();
  /** @param {number} number @param {Set<number>} tried @returns {boolean} */
  const place = (number, tried) =>
    places.some((at) => {
      if (!fits[number][at] || tried.has(at)) return false;
      tried.add(at);
      const before = found.get(at);
      if (before !== undefined && !place(before, tried)) return false;
      found.set(at, number);
      return true;
    });
  for (const number of numbers) place(number, new Set());
  return found;
}

/** @param {number} start @param {number} end */
const range = (start, end) =>
  Array.from({ length: Math.max(end - start, 0) }, (_, index) => start + index);

/** @param {readonly { step: number }[]} calls @param {number} start */
function endOfStep(calls, start) {
  let end = start;
  while (end < calls.length && calls[end].step === calls[start].step) end++;
  return end;
}

/** @param {readonly { name: string, args?: unknown }[]} calls @param {number[]} places */
function list(calls, places) {
  if (places.length === 0) return "no call";
  return places
    .map((place) => {
      const { name, args } = calls[place];
      return args === undefined ? name : `${name}(${shownValue(args)})`;
    })
    .join(", ");
}
