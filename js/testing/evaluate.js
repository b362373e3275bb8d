// SPDX-License-Identifier: MIT
// Runs cases, several times and side by side, and scores each run. Does not depend on how a run is
// made or reported.
import { checkArgument, isRecord, refuseUnknown } from "../base/check-arguments.js";
import { readClock } from "../calls/clock-and-ids.js";
import { CLOCK } from "../run/ids.js";
import { planCases } from "./cases.js";
import { EvalReport, resultOf } from "./report.js";
import { runCase, targetOf } from "./run-case.js";
import { readScorers, scoreRun } from "./score.js";
import { Slots } from "./time.js";

/** @typedef {import("../types/testing/evaluate.js").EvalOptions} Given */
/** @typedef {import("../types/testing/evaluate.js").EvalRunnable} Runnable */
/** @typedef {import("../types/testing/evaluate.js").EvalFunction} EvalFunction */
/** @typedef {import("../types/testing/evaluate.js").EvalProgress} Progress */
/** @typedef {import("../types/testing/evaluate.js").ScoredRun} ScoredRun */
/** @typedef {import("./cases.js").Planned} Planned */
/** @typedef {import("./run-case.js").Job} Job */
/**
 * @typedef {{ name: string, repeat: number, concurrency: number, threshold: number,
 *   overallThreshold: number, timeoutMs: number, signal: AbortSignal | undefined, clock:
 *   import("../run/ids.js").Clock, givenClock: Given["clock"], ids: (() => string) | undefined,
 *   onProgress: ((progress: Progress) => void) | undefined }} Options
 */

const CALL = "evaluate(target, options)";
const OPTIONS = [
  "cases",
  "scorers",
  "name",
  "repeat",
  "concurrency",
  "threshold",
  "overallThreshold",
  "timeoutMs",
  "signal",
  "onProgress",
  "clock",
  "ids",
];
const MOST_REPEATS = 100;
const DEFAULT_TIMEOUT_MS = 300_000;

/** @param {Partial<Given>} given @returns {Options} */
function readOptions(given) {
  const {
    name = "evaluation",
    repeat = 1,
    concurrency = 4,
    threshold = 1,
    overallThreshold = 1,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    signal,
    clock: givenClock,
    ids,
    onProgress,
  } = given;
  const isShare = (/** @type {unknown} */ value) =>
    typeof value === "number" && value >= 0 && value <= 1;
  const isCount = (/** @type {number} */ value, /** @type {number} */ most) =>
    Number.isInteger(value) && value >= 1 && value <= most;
  /** @type {Array<[isRight: boolean, what: string]>} */
  const rules = [
    [typeof name === "string", "name must be a text"],
    [isCount(repeat, MOST_REPEATS), `repeat must be a whole number from 1 to ${MOST_REPEATS}`],
    [isCount(concurrency, Infinity), "concurrency must be a whole number from 1"],
    [isShare(threshold), "threshold must be a number from 0 to 1"],
    [isShare(overallThreshold), "overallThreshold must be a number from 0 to 1"],
    [typeof timeoutMs === "number" && timeoutMs > 0, "timeoutMs must be a number above 0"],
    [
      signal === undefined || typeof signal?.addEventListener === "function",
      "signal must be an AbortSignal",
    ],
    [ids === undefined || typeof ids === "function", "ids must be a function that returns a UUID"],
    [onProgress === undefined || typeof onProgress === "function", "onProgress must be a function"],
  ];
  for (const [isRight, what] of rules) checkArgument(isRight, `${CALL}: options.${what}`);
  const clock =
    givenClock === undefined
      ? CLOCK
      : readClock(/** @type {Parameters<typeof readClock>[0]} */ (givenClock));
  return {
    name,
    repeat,
    concurrency,
    threshold,
    overallThreshold,
    timeoutMs,
    signal,
    clock,
    givenClock,
    ids,
    onProgress,
  };
}

/** @param {() => unknown} ids @returns {string} */
function idOf(ids) {
  const id = ids();
  checkArgument(
    typeof id === "string" && id !== "",
    `${CALL}: options.ids must be a function that returns a UUID`,
  );
  return /** @type {string} */ (id);
}

/** One evaluation: its cases, and their runs so far. */
export class Evaluation {
  #target;
  #scorers;
  #cases;
  #slots;
  #began;
  #done = 0;
  /** Runs that the cases make in all. */
  #total = 0;
  /** @type {Planned[]} */
  planned = [];
  /** Runs by case. @type {Map<Planned, ScoredRun[]>} */
  #runs = new Map();
  /** Ids of the runs' threads, if the caller makes them. @type {Map<Planned, string[]>} */
  #ids = new Map();

  /** @param {unknown} target @param {Given} options */
  constructor(target, options) {
    const found = targetOf(target);
    checkArgument(
      found !== undefined,
      `${CALL}: target must be a graph, a Runnable or a function of the input`,
    );
    checkArgument(isRecord(options), `${CALL}: options must be an object with cases`);
    refuseUnknown(options, CALL, OPTIONS);
    this.#target = /** @type {import("./run-case.js").Target} */ (found);
    this.#cases = options.cases;
    this.options = readOptions(options);
    this.#scorers = readScorers(options.scorers);
    this.#slots = new Slots(this.options.concurrency);
    this.#began = this.options.clock.now();
  }

  /** Reads the cases. @returns {Promise<Planned[]>} */
  async plan() {
    this.planned = await planCases(this.#cases);
    checkArgument(this.planned.length > 0, `${CALL}: options.cases has no case`);
    const idle = this.planned.find(({ one }) => (one.expected ?? one.trajectory) !== undefined);
    checkArgument(
      this.#scorers.size > 0 || idle === undefined,
      `${CALL}: options.scorers has none, so that nothing is compared with what ${idle?.one.name} expects: pass [exact()] or another`,
    );
    const { ids, repeat } = this.options;
    for (const one of this.planned) {
      if (one.skipped === undefined) this.#total += repeat;
      if (ids !== undefined)
        this.#ids.set(
          one,
          Array.from({ length: repeat }, () => idOf(ids)),
        );
    }
    return this.planned;
  }

  /** Runs a case as often as asked, unless it is skipped. @param {Planned} planned */
  async run(planned) {
    if (planned.skipped !== undefined) return;
    const { repeat } = this.options;
    await Promise.all(
      Array.from({ length: repeat }, (_, index) =>
        this.#slots.enter(() => this.#runOnce(planned, index)),
      ),
    );
  }

  /** @param {Planned} planned @param {number} index of the run */
  async #runOnce(planned, index) {
    const { options } = this;
    if (options.signal?.aborted) return;
    const id = this.#ids.get(planned)?.[index];
    const run = await runCase(this.#target, { one: planned.one, number: index + 1, id }, options);
    const scores = await scoreRun(run, this.#scorers, options);
    // What was aborted says nothing about the case.
    if (options.signal?.aborted) return;
    const pass = run.error === undefined && Object.values(scores).every((score) => score.pass);
    const { case: _case, signal: _signal, ...told } = run;
    const runs = this.#runs.get(planned) ?? [];
    this.#runs.set(planned, runs);
    runs.push({ ...told, scores, pass });
    runs.sort((left, right) => left.number - right.number);
    this.#tell({ case: planned.one.name, run: index + 1, pass });
  }

  /** @param {Pick<Progress, "case" | "run" | "pass">} progress */
  #tell(progress) {
    this.#done++;
    const { onProgress } = this.options;
    const told = { ...progress, done: this.#done, total: this.#total };
    (async () => onProgress?.(told))().catch((error) =>
      console.warn("onProgress of an evaluation failed:", error),
    );
  }

  /** @param {Planned} planned @returns the case with its runs so far */
  resultOf(planned) {
    const runs = this.#runs.get(planned) ?? [];
    return resultOf({ ...planned, runs }, [...this.#scorers.keys()], this.options);
  }

  /** @returns {EvalReport} of the runs so far */
  report() {
    const { options } = this;
    return new EvalReport(options, {
      began: this.#began,
      ms: options.clock.now() - this.#began,
      scorers: [...this.#scorers.keys()],
      cases: this.planned.map((planned) => ({ ...planned, runs: this.#runs.get(planned) ?? [] })),
    });
  }
}

/**
 * Runs a graph, a Runnable or a function over cases and scores the runs.
 * @param {Runnable | EvalFunction} target
 * @param {Given} options
 * @returns {Promise<EvalReport>}
 */
export async function evaluate(target, options) {
  const evaluation = new Evaluation(target, options);
  const planned = await evaluation.plan();
  await Promise.all(planned.map((one) => evaluation.run(one)));
  return evaluation.report();
}
