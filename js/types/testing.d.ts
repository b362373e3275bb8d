// SPDX-License-Identifier: MIT
// Declares a manual clock and reproducible ids for tests of graphs, and evaluations.
import type { Clock } from "./plan/policy-types.js";

export type {
  AnswerQuestion,
  EvalCase,
  EvalCaseResult,
  EvalConfig,
  EvalFunction,
  EvalOptions,
  EvalProgress,
  EvalReport,
  EvalRun,
  EvalRunnable,
  EvalSummary,
  ExpectedCall,
  NamedCase,
  RecordedCase,
  RunToolCall,
  RunUsage,
  Score,
  ScoreSummary,
  Scored,
  ScoredRun,
  Scorer,
  ScorerResult,
  TestRunner,
} from "./testing/evaluate.js";
export {
  EvalError,
  casesFromRecordings,
  casesOf,
  evalTests,
  evaluate,
} from "./testing/evaluate.js";
export type {
  ExactOptions,
  JudgeModel,
  JudgeOptions,
  JudgedParts,
  OutputKey,
  TrajectoryOptions,
} from "./testing/scorers.js";
export { exact, judge, matches, schema, trajectory } from "./testing/scorers.js";

/** A clock for the option `clock`. */
export class TestClock implements Clock {
  /**
   * Creates a clock.
   * @param start milliseconds since 1970, or a date; default 0
   * @throws BAD_ARGUMENT for what is no time
   */
  constructor(start?: number | string | Date);
  /** Returns the time, which only `advance` changes. */
  now(): number;
  /**
   * Sets a timer that fires when the time is advanced to it.
   * @param call called by `advance`, without arguments
   * @param ms from the clock's time on
   */
  setTimeout(call: () => void, ms: number): number;
  /**
   * Removes a timer.
   * @param timer result of `setTimeout`; one that has fired is no error
   */
  clearTimeout(timer: number): void;
  /** Number of pending timers. */
  get waiting(): number;
  /** Resolves when there is a timer. */
  armed(): Promise<void>;
  /**
   * Advances the time and fires due timers in order.
   * @param ms milliseconds
   */
  advance(ms: number): Promise<void>;
}

/**
 * Makes ids for the option `ids`: the same UUIDs in the same order for the same seed (default 0).
 * @param seed the ids are the same for the same one
 * @returns function that makes the next id, for the option `ids`
 * @throws BAD_ARGUMENT if seed is no number
 */
export function testIds(seed?: number): () => string;
