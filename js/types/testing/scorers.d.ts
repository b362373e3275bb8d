// SPDX-License-Identifier: MIT
// Declares the scorers of evaluations.
import type { BaseMessage } from "../messages/index.js";
import type { AISDKModel } from "../models/ai-sdk.js";
import type { StructuredOutputOptions } from "../models/base.js";
import type { EvalRun, ExpectedCall, Scored, ScorerResult } from "./evaluate.js";

type Maybe<Value> = Value | Promise<Value>;

/** The part of an output that is scored: a field, or a function's result. */
export type OutputKey = string | ((output: any) => unknown);
/** Options of `exact`. */
export interface ExactOptions {
  /** Compares this part with `expected`, or with its field of the same name. */
  key?: OutputKey;
  /** Changes both before they are compared. Default: drops ids and usage of messages. */
  normalize?: (value: any) => unknown;
}
/**
 * Makes a scorer: the output equals the case's `expected`; the reason names the first difference. A
 * text as `expected` is compared with the text of the answer.
 * @example
 * scorers: { total: exact({ key: "total" }) }
 */
export function exact(options?: ExactOptions): (run: EvalRun) => Scored;

/**
 * Makes a scorer: the text of the answer contains a text, or matches a pattern; of a list, all.
 * @param wanted default: the case's `expected`
 * @param options `key`: looks in this part of the output
 * @example
 * scorers: [matches(/\bParis\b/)]
 */
export function matches(
  wanted?: string | RegExp | readonly (string | RegExp)[],
  options?: { ignoreCase?: boolean; key?: OutputKey },
): (run: EvalRun) => Scored;

/**
 * Makes a scorer: the output fits a JSON Schema (checked by the engine), zod or a Standard Schema.
 * @param options `key`: checks this part; `json`: checks the JSON in the text of the answer
 * @throws BAD_SCHEMA
 * @example
 * scorers: [schema({ type: "object", required: ["city"] }, { key: "structuredResponse" })]
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
 * @example
 * scorers: [trajectory(["search", { name: "pay", args: { amount: 5 } }])]
 */
export function trajectory(
  calls: readonly (ExpectedCall | readonly ExpectedCall[] | BaseMessage)[],
  options?: TrajectoryOptions,
): (run: EvalRun) => Promise<Scored>;
export function trajectory(options?: TrajectoryOptions): (run: EvalRun) => Promise<Scored>;

/** A chat model that answers in a form: of this package or of LangChain. */
export interface JudgeModel {
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
  /** Makes the messages for the model; default: rules, the rubric, then the parts. */
  prompt?: (parts: JudgedParts, run: EvalRun) => Maybe<unknown>;
  /** Scores to choose from, instead of yes or no. */
  choices?: readonly number[];
  /** Whether the score is any number from 0 to 1. */
  continuous?: boolean;
  /** Score at which a run passes. Default 0.5. */
  passAt?: number;
  /** Schema of a verdict of your own, which `score` reads. */
  schema?: any;
  score?: (verdict: Verdict, run: EvalRun) => Maybe<ScorerResult>;
}
/**
 * Makes a scorer that asks a model. The judged texts are data for it, and only its structured
 * answer counts.
 * @param model with `withStructuredOutput`
 * @throws BAD_ARGUMENT for options that do not fit together
 * @example
 * scorers: [judge(model, { rubric: "The answer is polite." })]
 */
export function judge(
  model: JudgeModel | AISDKModel,
  options: JudgeOptions,
): (run: EvalRun) => Promise<ScorerResult>;
