// SPDX-License-Identifier: MIT
// Declares the scorers of evaluations.
import type { BaseMessage } from "../messages/index.js";
import type { AISDKModel } from "../models/ai-sdk.js";
import type { StructuredOutputOptions } from "../models/base.js";
import type { EvalRun, ExpectedCall, Scored, ScorerResult } from "./evaluate.js";

type Maybe<Value> = Value | Promise<Value>;

/**
 * The part of an output that is scored: a field, or a function's result.
 * @param output the run's last state, or what the function returned
 */
export type OutputKey = string | ((output: any) => unknown);
/** Options of `exact`. */
export interface ExactOptions {
  /** Compares this part with `expected`, or with its field of the same name. */
  key?: OutputKey;
  /**
   * Changes both before they are compared. Default: drops ids and usage of messages.
   * @param value the output or its part, then what is expected
   */
  normalize?: (value: any) => unknown;
}
/**
 * Makes a scorer: the output equals the case's `expected`; the reason names the first difference. A
 * text as `expected` is compared with the text of the answer.
 * @param options which part is compared, and what of it
 * @returns one for `scorers` of evaluate; it answers with a score of 0 or 1 and, if 0, the reason
 * @throws BAD_ARGUMENT for wrong options, in the score for a case without `expected`
 * @example
 * ```ts
 * import { evaluate, exact } from "weftgraph/testing";
 *
 * const report = await evaluate((prices: number[]) => ({ total: prices.length }), {
 *   cases: [{ input: [1, 2], expected: { total: 3 } }],
 *   scorers: { total: exact({ key: "total" }) },
 * });
 * console.log(report.cases[0].runs[0].scores.total.reason);
 * ```
 * ```text
 * expected 3, got 2
 * ```
 */
export function exact(options?: ExactOptions): (run: EvalRun) => Scored;

/**
 * Makes a scorer: the text of the answer contains a text, or matches a pattern; of a list, all.
 * @param wanted default: the case's `expected`
 * @param options `key`: looks in this part of the output
 * @param options.ignoreCase whether large and small letters are the same, also for patterns;
 *   default false
 * @param options.key looks in this part of the output; default: the text of the answer
 * @returns one for `scorers` of evaluate; it answers with a score of 0 or 1 and, if 0, the reason
 * @throws BAD_ARGUMENT for what is no text or pattern
 * @example
 * ```ts
 * import { evaluate, matches } from "weftgraph/testing";
 *
 * const report = await evaluate(() => "The capital is Paris.", {
 *   cases: [{ input: "What is the capital of France?" }],
 *   scorers: [matches(/\bParis\b/)],
 * });
 * console.log(report.cases[0].status);
 * ```
 * ```text
 * passed
 * ```
 */
export function matches(
  wanted?: string | RegExp | readonly (string | RegExp)[],
  options?: { ignoreCase?: boolean; key?: OutputKey },
): (run: EvalRun) => Scored;

/**
 * Makes a scorer: the output fits a JSON Schema (checked by the engine), zod or a Standard Schema.
 * @param schema JSON Schema, zod or a Standard Schema
 * @param options `key`: checks this part; `json`: checks the JSON in the text of the answer
 * @param options.key checks this part of the output; default: the whole
 * @param options.json whether the text is read as JSON first; text that is none scores 0. Default
 *   false
 * @returns one for `scorers` of evaluate; it answers with a score of 0 or 1 and, if 0, the reason
 * @throws BAD_SCHEMA or BAD_PATTERN for an unusable JSON Schema, BAD_ARGUMENT for what is no schema
 * @example
 * ```ts
 * import { evaluate, schema } from "weftgraph/testing";
 *
 * const report = await evaluate(() => ({ city: "Paris" }), {
 *   cases: [{ input: "Where?" }],
 *   scorers: [schema({ type: "object", required: ["city"] })],
 * });
 * console.log(report.cases[0].status);
 * ```
 * ```text
 * passed
 * ```
 */
export function schema(
  schema: any,
  options?: { key?: OutputKey; json?: boolean },
): (run: EvalRun) => Promise<Scored>;

/** Options of `trajectory`. */
export interface TrajectoryOptions {
  /**
   * "strict" (default): these calls in this order, calls of one message in any; "unordered": these
   * calls; "subset": no others; "superset": at least these.
   */
  mode?: "strict" | "unordered" | "subset" | "superset";
  /**
   * Comparison of arguments, where the expected call has some: "exact" (default), "ignore",
   * "subset" or "superset" of the expected ones, or a function.
   * @param args arguments of a call of the run
   * @param expected `args` of the expected call of this name
   * @param name the tool's name
   */
  args?:
    | "exact"
    | "ignore"
    | "subset"
    | "superset"
    | ((args: Record<string, any>, expected: any, name: string) => Maybe<boolean>);
}
/**
 * Makes a scorer of the tool calls, with the modes of LangChain's agentevals.
 * @param calls names, `{ name, args }`, lists of calls that one message makes, or messages;
 *   default: the case's `trajectory`
 * @param options how calls and their arguments are compared
 * @returns one for `scorers` of evaluate; it answers with a score of 0 or 1 and, if 0, the reason
 * @throws BAD_ARGUMENT for wrong calls or options, in the score for a case without a trajectory
 * @example
 * ```ts
 * import { AIMessage } from "weftgraph";
 * import { evaluate, trajectory } from "weftgraph/testing";
 *
 * const call = { name: "pay", args: { amount: 5 }, id: "1", type: "tool_call" as const };
 * const messages = [new AIMessage({ content: "", tool_calls: [call] })];
 * const report = await evaluate(() => ({ messages }), {
 *   cases: [{ input: "Pay 5" }],
 *   scorers: [trajectory([{ name: "pay", args: { amount: 5 } }])],
 * });
 * console.log(report.cases[0].status);
 * ```
 * ```text
 * passed
 * ```
 */
export function trajectory(
  calls: readonly (ExpectedCall | readonly ExpectedCall[] | BaseMessage)[],
  options?: TrajectoryOptions,
): (run: EvalRun) => Promise<Scored>;
export function trajectory(options?: TrajectoryOptions): (run: EvalRun) => Promise<Scored>;

/** A chat model that answers in a form: of this package or of LangChain. */
export interface JudgeModel {
  /**
   * @param schema schema of the verdict: that of the options, else of a score with reasoning
   * @param options `name` of the answer's form: "verdict"
   */
  withStructuredOutput(
    schema: any,
    options?: StructuredOutputOptions & { includeRaw?: false },
  ): { invoke(input: any, config?: any): Promise<any> };
}
/** What a judge gets: texts, each between tags that its data cannot close. */
export interface JudgedParts {
  rubric: string;
  input: string;
  output: string;
  /** Empty without `expected`. */
  expected: string;
}
/** Options of `judge`; a `rubric` or a `prompt` is required. */
export interface JudgeOptions<Verdict = any> {
  /** What a good output is. */
  rubric?: string;
  /**
   * Makes the messages for the model; default: rules, the rubric, then the parts.
   * @param parts the rubric, and input, output and what is expected as JSON between tags
   * @param run the run to be judged
   */
  prompt?: (parts: JudgedParts, run: EvalRun) => Maybe<unknown>;
  /** Scores to choose from, instead of yes or no. */
  choices?: readonly number[];
  /** Whether the score is any number from 0 to 1. */
  continuous?: boolean;
  /** Score at which a run passes. Default 0.5. */
  passAt?: number;
  /** Schema of a verdict of your own, which `score` reads. */
  schema?: any;
  /**
   * Makes the score of such a verdict; required with `schema`.
   * @param verdict the model's answer, which fits `schema`
   * @param run the run that is judged
   */
  score?: (verdict: Verdict, run: EvalRun) => Maybe<ScorerResult>;
}
/**
 * Makes a scorer that asks a model. The judged texts are data for it, and only its structured
 * answer counts.
 * @param model with `withStructuredOutput`
 * @param options the rubric or a prompt, and how it scores
 * @returns one for `scorers` of evaluate; it answers with the model's score and its reason
 * @throws BAD_ARGUMENT for options that do not fit together
 * @example
 * ```ts
 * import { AIMessage } from "weftgraph";
 * import { ScriptedModel } from "weftgraph/models/scripted";
 * import { evaluate, judge } from "weftgraph/testing";
 *
 * const args = { reasoning: "It says please.", score: true };
 * const call = { name: "verdict", args, id: "1", type: "tool_call" as const };
 * const model = new ScriptedModel({ responses: [{ content: "", tool_calls: [call] }] });
 * const report = await evaluate(() => "Please wait.", {
 *   cases: [{ input: "How long?" }],
 *   scorers: [judge(model, { rubric: "The answer is polite." })],
 * });
 * console.log(report.cases[0].status);
 * ```
 * ```text
 * passed
 * ```
 */
export function judge(
  model: JudgeModel | AISDKModel,
  options: JudgeOptions,
): (run: EvalRun) => Promise<ScorerResult>;
