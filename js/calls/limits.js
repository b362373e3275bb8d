// SPDX-License-Identifier: MIT
// Reads the option `limits` and reports the use of models and tools to the engine through their
// callbacks. Loaded when a call has limits. The engine counts and decides when a limit is reached.
import { makeError } from "../base/errors.js";
import {
  ERR_ARGUMENT,
  EVENT_LIMITS,
  LIMIT_COST,
  LIMIT_DEADLINE,
  LIMIT_MODEL_CALLS,
  LIMIT_REPEATED,
  LIMIT_TOKENS,
  LIMIT_TOOL_CALLS,
} from "../base/codes.js";
import {
  CostLimitError,
  DeadlineError,
  ModelCallLimitError,
  RepeatedCallError,
  TokenLimitError,
  ToolCallLimitError,
} from "../base/run-limits.js";

/** @typedef {import("./call.js").CallContext} CallContext */
/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../tools/tool.js").ToolLike} ToolLike */
/**
 * @typedef {"modelCalls" | "toolCalls" | "tokens" | "costMicros" | "deadlineMs" | "repeatedCalls"}
 *   LimitName
 */
/** @typedef {Partial<Record<LimitName, number>> & { price?: Function }} GivenLimits */
/** @typedef {{ promptTokens?: number, completionTokens?: number, totalTokens?: number }} Used */
/**
 * What LangChain's models return.
 * @typedef {{ generations?: ({ message?: Message } | undefined)[][], llmOutput?: { tokenUsage?:
 *   Used, estimatedTokenUsage?: Used } }} ModelResult
 */

/**
 * Option and error class by LIMIT_*.
 * @type {Array<[option: LimitName, error: new (most: number, tool?: string) => Error]>}
 */
const KINDS = [];
KINDS[LIMIT_MODEL_CALLS] = ["modelCalls", ModelCallLimitError];
KINDS[LIMIT_TOOL_CALLS] = ["toolCalls", ToolCallLimitError];
KINDS[LIMIT_TOKENS] = ["tokens", TokenLimitError];
KINDS[LIMIT_COST] = ["costMicros", CostLimitError];
KINDS[LIMIT_DEADLINE] = ["deadlineMs", DeadlineError];
KINDS[LIMIT_REPEATED] = ["repeatedCalls", RepeatedCallError];
const MOST_AT_ONCE = 0xffffffff;

/**
 * Merges the call's limits over the graph's.
 * @param {(object | undefined)[]} lists
 * @returns {GivenLimits}
 */
function merge(lists) {
  for (const list of lists)
    if (typeof (list ?? {}) !== "object")
      throw makeError(ERR_ARGUMENT, ["limits must be an object"]);
  return /** @type {GivenLimits} */ (lists.reduce((all, list) => ({ ...all, ...list }), {}));
}

/** @param {GivenLimits} given @returns {number[]} by LIMIT_*, Infinity when unlimited */
function readLimits(given) {
  const { price, ...limits } = given;
  for (const [option, value] of Object.entries(limits)) {
    if (!KINDS.some(([name]) => name === option))
      throw makeError(ERR_ARGUMENT, [`limits has no "${option}"`]);
    if (value !== undefined && !(typeof value === "number" && value >= 0))
      throw makeError(ERR_ARGUMENT, [`limits.${option} must be a number of at least 0`]);
  }
  if (price !== undefined && typeof price !== "function")
    throw makeError(ERR_ARGUMENT, ["limits.price must be a function"]);
  if (limits.costMicros !== undefined && price === undefined)
    throw makeError(ERR_ARGUMENT, [
      "limits.costMicros needs limits.price, which says what a model's answer costs",
    ]);
  return KINDS.map(([option]) => limits[option] ?? Infinity);
}

/**
 * Sorts object keys, so that equal arguments have the same JSON.
 * @param {unknown} value
 * @returns {unknown}
 */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = /** @type {Record<string, unknown>} */ (value);
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((key) => [key, sorted(fields[key])]),
  );
}

/** @param {string} name @param {unknown} input JSON or any text */
function callText(name, input) {
  try {
    return JSON.stringify([name, sorted(JSON.parse(/** @type {string} */ (input)))]);
  } catch {
    return JSON.stringify([name, String(input)]);
  }
}

/** Reads the token usage that a model reported. @param {ModelResult} result of a model's call */
function usagesOf({ generations = [], llmOutput }) {
  const messages = generations
    .flat()
    .map((generation) => /** @type {Message} */ (generation?.message))
    .filter(Boolean);
  const used = messages.filter((/** @type {Message} */ message) => message.usage_metadata != null);
  if (used.length > 0)
    return used.map((/** @type {Message} */ message) => ({
      usage: message.usage_metadata,
      message,
    }));
  const total = llmOutput?.tokenUsage ?? llmOutput?.estimatedTokenUsage;
  if (total === undefined) return [];
  const { promptTokens: input_tokens = 0, completionTokens: output_tokens = 0 } = total;
  return [
    {
      usage: {
        input_tokens,
        output_tokens,
        total_tokens: total.totalTokens ?? input_tokens + output_tokens,
      },
      message: messages[0],
    },
  ];
}

export class Limits {
  /**
   * @param {CallContext} context of the call
   * @param {(object | undefined)[]} lists limits of the graph and of the call
   */
  constructor(context, ...lists) {
    const given = merge(lists);
    this.context = context;
    this.most = readLimits(given);
    this.price = given.price;
    /** Callback handler for models and tools, here and in subgraphs. */
    this.handler = this.#listen();
  }

  /** @param {import("../engine/batch.js").Batch} batch */
  put(batch) {
    batch.begin(EVENT_LIMITS, 0);
    for (const most of this.most) batch.double(most);
    batch.end();
  }

  late() {
    return this.#error(LIMIT_DEADLINE);
  }

  /** @param {number} kind @param {string} [tool] */
  #error(kind, tool) {
    return new KINDS[kind][1](this.most[kind], tool);
  }

  /**
   * Reports an amount before or after its use. Throws if a limit is exceeded.
   * @param {number} kind LIMIT_*
   * @param {number} amount
   * @param {string} [tool]
   * @param {unknown} [input]
   */
  #spend(kind, amount, tool, input) {
    const { engine, handle, over } = /** @type {import("../run/run.js").Run} */ (
      this.context.started
    );
    if (over) return;
    const bytes = tool === undefined ? undefined : new TextEncoder().encode(callText(tool, input));
    if (bytes !== undefined) engine.input(bytes);
    const answer = engine.call(
      "weft_spend",
      handle,
      kind,
      Math.min(Math.ceil(amount), MOST_AT_ONCE),
      bytes?.length ?? 0,
    );
    if (answer < 0) throw engine.refused(answer);
    if (answer > 0) throw this.#error(answer - 1, tool);
  }

  /** @param {ModelResult} result */
  #used(result) {
    for (const { usage, message } of usagesOf(result)) {
      this.#spend(
        LIMIT_TOKENS,
        usage.total_tokens ?? (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0),
      );
      if (this.price === undefined) continue;
      const micros = this.price(usage, message);
      if (!(micros >= 0))
        throw makeError(ERR_ARGUMENT, [
          `limits.price must return a number of at least 0, got ${micros}`,
        ]);
      this.#spend(LIMIT_COST, micros);
    }
  }

  /** @returns {unknown} a handler in LangChain's format */
  #listen() {
    const model = () => this.#spend(LIMIT_MODEL_CALLS, 1);
    const handler = {
      name: "weft_limits",
      awaitHandlers: true,
      raiseError: true,
      // Stays active in calls that pass their own callbacks.
      holds: true,
      ignoreChain: true,
      ignoreRetriever: true,
      ignoreCustomEvent: true,
      copy: () => handler,
      handleChatModelStart: model,
      handleLLMStart: model,
      handleLLMEnd: (/** @type {ModelResult} */ result) => this.#used(result),
      handleToolStart: (
        /** @type {ToolLike} */ tool,
        /** @type {unknown} */ input,
        /** @type {string} */ _run,
        /** @type {unknown} */ _parent,
        /** @type {string[]} */ _tags,
        /** @type {unknown} */ _metadata,
        /** @type {string} */ name,
      ) => this.#spend(LIMIT_TOOL_CALLS, 1, name ?? tool?.name ?? tool?.id?.at(-1) ?? "", input),
    };
    return handler;
  }
}
