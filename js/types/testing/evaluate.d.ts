// SPDX-License-Identifier: MIT
// Declares evaluations: a graph, a Runnable or a function run over cases and scored.
import type { WeftError } from "../base/error-types.js";
import type { LangGraphRunnableConfig } from "../base/common-types.js";
import type { AIMessage, BaseMessage } from "../messages/index.js";
import type { Clock } from "../plan/policy-types.js";
import type { Recording, Replayed } from "../record.js";

type Maybe<Value> = Value | Promise<Value>;

/** Config of a run, without a `thread_id`: each run has a thread of its own. */
export type EvalConfig = LangGraphRunnableConfig & { [key: string]: any };
/** An expected tool call: a name, a name and arguments, or a list of calls of one message. */
export type ExpectedCall = string | { name: string; args?: unknown };
/**
 * Answers a question of a run; undefined: there is no answer, and the run fails.
 * @param question value of the interrupt
 * @param about the question and its case
 * @param about.id id of the interrupt
 * @param about.index number of the question in the run, from 0
 * @param about.case the case, with its name
 */
export type AnswerQuestion = (
  question: any,
  about: { id: string | undefined; index: number; case: NamedCase },
) => unknown;

/** One case of an evaluation. */
export interface EvalCase<Input = any, Expected = any> {
  /** Name in reports; numbered by default. */
  name?: string;
  /** Input of the run; lists, plain objects and messages are copied for each run. */
  input: Input;
  /** What scorers compare the output with. */
  expected?: Expected;
  /** Expected tool calls, or messages with them, for `trajectory()`. */
  trajectory?: readonly (ExpectedCall | readonly ExpectedCall[] | BaseMessage)[];
  /** Answers to the run's questions in order, or a function of the question. */
  resume?: readonly unknown[] | AnswerQuestion;
  /** Config of the run, for instance its `context`. */
  config?: EvalConfig;
  tags?: readonly string[];
  /** The reason why the case does not run. */
  skip?: string | boolean;
  /** Whether only the cases marked so run. */
  only?: boolean;
  [field: string]: any;
}
/** A case as runs and scorers get it. */
export interface NamedCase extends EvalCase {
  name: string;
}
/** A case made of recordings. */
export interface RecordedCase extends EvalCase {
  name: string;
  /** The model's messages in the recording: `responses` of a ScriptedModel. */
  responses: AIMessage[];
  /** The last recorded run. */
  recorded: Replayed;
}

/** A tool call of a run; `step` counts the messages with calls, from 0. */
export interface RunToolCall {
  name: string;
  args: Record<string, any>;
  id?: string;
  step: number;
}
/** Tokens, as the run's messages tell them. */
export interface RunUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
}
/** A run as scorers get it. */
export interface EvalRun<Output = any> {
  case: NamedCase;
  /** Number of the run of its case, from 1. */
  number: number;
  threadId: string | undefined;
  input: any;
  expected: any;
  /** The last state, or what the function returned. */
  output: Output;
  error: Error | undefined;
  /** Text of the model's last message. */
  text: string | undefined;
  /** Messages of the run, those of the input left out. */
  messages: BaseMessage[];
  toolCalls: RunToolCall[];
  /** Values of the interrupts. */
  questions: any[];
  usage: RunUsage | undefined;
  /** Duration in ms. */
  ms: number;
  /** Aborted when the evaluation is aborted or the scorer's time is over. */
  signal: AbortSignal | undefined;
}
/** A scorer's answer: from 0 to 1; without `pass`, 0.5 and above pass. */
export type ScorerResult =
  | boolean
  | number
  | { score: boolean | number; pass?: boolean; reason?: string };
/** What a built-in scorer answers. */
export interface Scored {
  score: number;
  reason?: string;
}
/** Scores a run. One that throws fails, and no other. */
export type Scorer = (run: EvalRun) => Maybe<ScorerResult>;

/** A scorer's verdict on a run. */
export interface Score {
  score: number;
  pass: boolean;
  reason?: string;
  /** What the scorer threw. */
  error?: Error;
}
/** A run in a report. */
export interface ScoredRun extends Omit<EvalRun, "case" | "signal"> {
  scores: Record<string, Score>;
  /** Whether it has no error and all scores pass. */
  pass: boolean;
}
/** A scorer's scores of several runs. */
export interface ScoreSummary {
  mean: number;
  min: number;
  max: number;
  passRate: number;
}
/** A case in a report. */
export interface EvalCaseResult {
  name: string;
  tags: readonly string[];
  input: any;
  expected: any;
  /** "aborted": not all of its runs have ended. */
  status: "passed" | "failed" | "skipped" | "aborted";
  /** Reason why it was skipped. */
  skipped: string | undefined;
  pass: boolean;
  /** Number of runs that passed, and their share. */
  passed: number;
  passRate: number;
  scores: Record<string, ScoreSummary>;
  /** Sum of its runs in ms. */
  ms: number;
  runs: ScoredRun[];
}
/** All cases and runs of a report in numbers. */
export interface EvalSummary {
  cases: number;
  passed: number;
  failed: number;
  skipped: number;
  aborted: number;
  /** Share of cases that passed, of those that ran. */
  passRate: number;
  runs: number;
  passedRuns: number;
  /** Runs with an error. */
  failedRuns: number;
  runPassRate: number;
  /** pass@k by k - 1: the chance that one of k runs of a case passes. */
  passAtK: number[];
  /** pass^k by k - 1: the chance that all of k runs of a case pass. */
  passPowK: number[];
  scores: Record<string, ScoreSummary>;
  usage: RunUsage | undefined;
}
/** The result of an evaluation. */
export interface EvalReport {
  name: string;
  /** In ISO format. */
  startedAt: string;
  /** Duration in ms. */
  ms: number;
  /** Names of the scorers. */
  scorers: string[];
  /** Whether enough cases passed and none was aborted. */
  pass: boolean;
  cases: EvalCaseResult[];
  summary: EvalSummary;
  /** Returns a table for terminals, with the reasons below. */
  toTable(): string;
  /** Returns the table and the reasons in Markdown. */
  toMarkdown(): string;
  /** Returns a JUnit file (XML): one suite, a test per case. */
  toJUnit(): string;
  /** Returns plain data for JSON. */
  toJSON(): object;
}
/** A run that has ended. */
export interface EvalProgress {
  case: string;
  run: number;
  pass: boolean;
  done: number;
  total: number;
}

/** A compiled graph or another Runnable. */
export interface EvalRunnable {
  /**
   * @param input `input` of the case, then Commands that answer its interrupts
   * @param config config of the run: its own thread, a saver and a signal
   */
  invoke(input: any, config?: any): Promise<any>;
}
/**
 * Makes the output of a case; `config` has a thread, a saver and a signal, for graphs that it
 * calls.
 */
export type EvalFunction = (
  input: any,
  config: EvalConfig,
  run: { case: NamedCase; number: number },
) => unknown;
/** Options of an evaluation; only `cases` is required. */
export interface EvalOptions {
  /** A list, an iterable, or a text of JSON or JSON Lines. */
  cases: Iterable<EvalCase> | AsyncIterable<EvalCase> | string;
  /** Scorers by name, or a list of named ones. Without any, a run passes that does not fail. */
  scorers?: { readonly [name: string]: Scorer } | readonly Scorer[];
  /** Name of the evaluation. Default "evaluation". */
  name?: string;
  /** Runs of each case, at most 100. Default 1. */
  repeat?: number;
  /** Runs at once. Default 4. */
  concurrency?: number;
  /** Share of a case's runs that must pass. Default 1. */
  threshold?: number;
  /** Share of the cases that must pass. Default 1. */
  overallThreshold?: number;
  /** Time of a run, and of each scorer, in ms. Default 5 minutes. */
  timeoutMs?: number;
  /** Ends the evaluation; the report has the runs that have ended. */
  signal?: AbortSignal;
  /**
   * Called after each run.
   * @param progress the run that has ended, whether it passed, and how many of all have ended
   */
  onProgress?: (progress: EvalProgress) => void;
  /** Clock of the graphs, of durations and of timeouts. */
  clock?: number | (() => number) | Clock;
  /** Makes ids; each run has ids of its own, whichever run is faster. */
  ids?: () => string;
}

/**
 * Reports why a run has no output, or that a case did not pass. Codes: EVAL_TIMEOUT, EVAL_ABORTED,
 * EVAL_UNANSWERED, EVAL_FAILED.
 * @example
 * ```ts
 * import { EvalError } from "weftgraph/testing";
 *
 * // A report has it as the error of a run, and evalTests throws it.
 * console.log(new EvalError("EVAL_TIMEOUT", "It took longer than 10 ms.").code);
 * ```
 * ```text
 * EVAL_TIMEOUT
 * ```
 */
export class EvalError extends WeftError {
  /**
   * @param code one of the codes above
   * @param message text for people, which may change: programs go by `code`
   * @param options the error that led to it
   * @param options.cause becomes `cause`; undefined leaves it out
   */
  constructor(code: string, message: string, options?: { cause?: unknown });
  /** With EVAL_FAILED: the case. */
  result?: EvalCaseResult;
}

/**
 * Runs a graph, a Runnable or a function over cases, several times and side by side, and scores the
 * runs. Each run has a thread of its own; a graph without a checkpointer gets a MemorySaver.
 * @param target a compiled graph, an agent, a Runnable, or a function of the input
 * @param options cases, scorers, how often and how many at once
 * @returns the report; runs and scorers that fail are part of it
 * @throws BAD_ARGUMENT for options or cases of the wrong form
 * @example
 * ```ts
 * import { evaluate, matches } from "weftgraph/testing";
 *
 * const report = await evaluate(({ a, b }: { a: number; b: number }) => String(a + b), {
 *   cases: [{ input: { a: 2, b: 2 }, expected: "4" }],
 *   scorers: [matches()],
 * });
 * console.log(report.pass, report.cases[0].status);
 * ```
 * ```text
 * true passed
 * ```
 */
export function evaluate(
  target: EvalRunnable | EvalFunction,
  options: EvalOptions,
): Promise<EvalReport>;

/**
 * Reads cases from a JSON list or from JSON Lines.
 * @param text a JSON list, or one case on each line; empty lines are skipped
 * @returns the cases in their order, checked; `[]` for an empty text
 * @throws BAD_ARGUMENT with the line
 */
export function casesOf(text: string): EvalCase[];

/**
 * Makes cases of recordings (`weftgraph/record`): input, answers, tool calls, the result as
 * `expected`, the model's messages as `responses`. Calls no model.
 * @param recordings texts; a list holds a run and those that answered its questions
 * @returns one case for each item of the list
 * @throws BAD_ARGUMENT for a run that does not begin a thread or did not end; ReplayError
 * @example
 * ```ts part
 * const [one] = casesFromRecordings([recording.text()]);
 * ```
 */
export function casesFromRecordings(
  recordings: Iterable<string | Recording | readonly (string | Recording)[]>,
): RecordedCase[];

/** node:test, Vitest or Jest. */
export interface TestRunner {
  /**
   * @param name name of the case
   * @param run rejects with an EvalError if the case does not pass
   * @param timeoutMs longest time of the test, in milliseconds
   */
  test: ((name: string, run: () => Promise<void>, timeoutMs?: any) => unknown) & {
    skip?: any;
  };
}
/**
 * Registers a test per case, which fails with the reasons of its runs; skipped cases are skipped
 * tests.
 * @param runner `{ test }` of node:test, Vitest or Jest
 * @param options as for `evaluate`; an `overallThreshold` is refused
 * @param target a graph, an agent, a Runnable or a function
 * @returns the report of the cases that have run
 * @throws BAD_ARGUMENT for wrong options; in a test EvalError if its case did not pass
 * @example
 * ```ts part
 * await evalTests({ test }, agent, { cases, scorers: [exact()] });
 * ```
 */
export function evalTests(
  runner: TestRunner,
  target: EvalRunnable | EvalFunction,
  options: EvalOptions,
): Promise<{ report(): EvalReport }>;
