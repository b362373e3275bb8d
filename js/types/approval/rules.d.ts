// SPDX-License-Identifier: MIT
// Declares the rules of approval: requests that expire, and signed decisions.
import type { RunnableConfig } from "../base/common-types.js";
import type { ToolDecision } from "../savers/weft-saver.js";

// Exports only the declarations marked so.
export {};

/** A CryptoKey, also without declarations of Web Crypto. */
type SigningKey = typeof globalThis extends { CryptoKey: { prototype: infer Key } } ? Key : object;

/** The tool call of a request, as it would run. */
export interface ApprovalCall {
  /** Name of the tool. */
  name: string;
  args: Record<string, any>;
  /** Id of the call. */
  id: string;
}

/** A request that nobody answered in time. */
export interface ExpiredRequest extends ApprovalCall {
  /** Id of the request in the thread's log. */
  approval_id: string;
  description: string;
  /** When it expired, in ISO form. */
  expires_at: string;
  /** Whom the last escalation named. */
  escalated_to?: string;
  /** How often the question was escalated so far. */
  escalations: number;
}

/** Asks somebody else with a new question, which has an id of its own. */
export interface ApprovalEscalation {
  /** Shown as `escalated_to`: who shall answer. */
  to: string;
  /** When the new question expires: ms from now, or a Date. Default: as the call's first one. */
  expires?: number | Date;
  /** Replaces the description of the request. */
  description?: string;
}

/** What becomes of a call whose request has expired: an answer, or an escalation. */
export type ExpiryResult =
  | { type: "accept" | "ignore"; args?: null }
  | { type: "response"; args: string }
  | { type: "edit"; args: { action: string; args: Record<string, any> } }
  | { escalate: ApprovalEscalation };

/**
 * When a request expires: ms from the question on, a Date, or a function of the call, whose result
 * null or undefined means never.
 * @param call the call as it would run
 */
export type ApprovalExpiry =
  | number
  | Date
  | ((
      call: ApprovalCall,
    ) => number | Date | null | undefined | Promise<number | Date | null | undefined>);

/**
 * Decides about a call whose request has expired; undefined means `{ type: "ignore" }`.
 * @param request the request that expired, and how often it was escalated
 */
export type OnApprovalExpire =
  | ExpiryResult
  | ((request: ExpiredRequest) => ExpiryResult | undefined | Promise<ExpiryResult | undefined>);

/** Options of approvalRules. */
export interface ApprovalRulesOptions {
  /** Whether all calls of a message are asked about with one question. Default false. */
  batch?: boolean;
  /**
   * Whether requests have the JSON Schema of the arguments that a person may write, as
   * `review_configs[].args_schema`, for interfaces that make a form of it (formOf). One of more
   * than 64,000 characters is cut to the properties that fit, with a `$comment`. Default false.
   */
  form?: boolean;
  /** When requests expire, for tools without `expires`. Default: never. */
  expires?: ApprovalExpiry;
  /**
   * What becomes of a call then, for tools without `onExpire`. Default `{ type: "ignore" }`: it
   * does not run, and the model is told that the request expired. A function may escalate up to 10
   * times, an answer once.
   */
  onExpire?: OnApprovalExpire;
  /** Signs each decision with a key of ECDSA, Ed25519 or HMAC. */
  sign?: {
    key: SigningKey | { privateKey: SigningKey; publicKey: SigningKey };
    /** Names the key to verifyDecisions. */
    keyId: string;
  };
}

/** Rules for the approval of tool calls: the option `approvals` of an agent or a ToolNode. */
export interface ApprovalRules {
  readonly mode: "each" | "batch";
  /** Used by the ToolNode. */
  readonly rules: object;
}

/**
 * Makes rules for the approval of tool calls: requests that expire, signed decisions, schemas.
 * Needs a checkpointer of this package, which records requests and decisions.
 *
 * @param options when requests expire, what becomes of them, and who signs
 * @returns for the option `approvals` of a ToolNode or an agent
 * @throws BAD_ARGUMENT for options of another form
 * @example
 * ```ts
 * import { INTERRUPT, MemorySaver, isInterrupted, tool } from "weftgraph";
 * import { approvalRules } from "weftgraph/approval";
 * import { DemoModel } from "weftgraph/models/demo";
 * import { createReactAgent } from "weftgraph/prebuilt";
 *
 * const order = tool(() => "ordered", {
 *   name: "place_order",
 *   schema: { type: "object", properties: { item: { type: "string" } } },
 *   approval: "ask",
 * });
 * const agent = createReactAgent({
 *   llm: new DemoModel(),
 *   tools: [order],
 *   checkpointer: new MemorySaver(),
 *   approvals: approvalRules({ expires: new Date("2030-01-01") }),
 * });
 * const asked = await agent.invoke(
 *   { messages: "Please order a teapot" },
 *   { configurable: { thread_id: "anna" } },
 * );
 * if (isInterrupted(asked)) console.log((asked[INTERRUPT][0].value as any).expires_at);
 * ```
 * ```text
 * 2030-01-01T00:00:00.000Z
 * ```
 */
export function approvalRules(options?: ApprovalRulesOptions): ApprovalRules;

/** What expireApprovals did. */
export interface ExpiredApprovals {
  /** How many questions were decided, or escalated, because they had expired. */
  expired: number;
  /** When the next question of the thread expires. undefined: none does. */
  next: Date | undefined;
  /** The result of the graph's `invoke`, if something had expired. */
  result?: any;
}

/**
 * Goes on with a thread, as `invoke(null, config)` does, if requests of it have expired. Call it
 * from a timer, an alarm or a cron job; errors are those of `getState` and `invoke`.
 * @param graph that has the thread
 * @param graph.invoke called with null, only if a request has expired
 * @param graph.getState called once, and once more after `invoke`
 * @param config its `configurable.thread_id` names the thread
 * @returns how many requests have expired, when the next one does, and the result of `invoke` if it
 *   was called
 * @throws BAD_ARGUMENT for a graph that is not compiled or a config without a thread's id, and the
 *   errors of `getState` and `invoke`
 * @example
 * ```ts
 * import { MemorySaver, tool } from "weftgraph";
 * import { approvalRules, expireApprovals } from "weftgraph/approval";
 * import { DemoModel } from "weftgraph/models/demo";
 * import { createReactAgent } from "weftgraph/prebuilt";
 *
 * const order = tool(() => "ordered", {
 *   name: "place_order",
 *   schema: { type: "object", properties: { item: { type: "string" } } },
 *   approval: "ask",
 * });
 * const agent = createReactAgent({
 *   llm: new DemoModel(),
 *   tools: [order],
 *   checkpointer: new MemorySaver(),
 *   approvals: approvalRules({ expires: new Date("2030-01-01") }),
 * });
 * const thread = { configurable: { thread_id: "anna" } };
 * await agent.invoke({ messages: "Please order a teapot" }, thread);
 * const { expired, next } = await expireApprovals(agent, thread);
 * console.log(expired, next?.toISOString());
 * ```
 * ```text
 * 0 2030-01-01T00:00:00.000Z
 * ```
 */
export function expireApprovals(
  graph: {
    invoke(input: any, config?: any): Promise<any>;
    getState(config: any, options?: any): Promise<any>;
  },
  config: RunnableConfig<any>,
): Promise<ExpiredApprovals>;

/** A decision, and whether its signature fits. */
export interface VerifiedDecision {
  decision: ToolDecision;
  valid: boolean;
  /**
   * Why it is not valid: it has no signature, the key's id is unknown, the signature is not the
   * key's, what was asked or what was answered is not what was signed, or it was decided in
   * another thread than `threadId`.
   */
  reason?:
    | "unsigned"
    | "unknown_key"
    | "invalid_signature"
    | "changed_request"
    | "changed_answer"
    | "other_thread";
  /** Id of the key, time of the decision and thread, as the signature says. */
  key?: string;
  at?: string;
  thread_id?: string;
}

/**
 * Checks the signatures of decisions: needs the list and the keys, and no thread.
 *
 * @param decisions what `decisions()` of a saver gives, also after JSON; may come from anybody
 * @param keys public keys (for HMAC the key itself) by their ids
 * @param options in which thread all must have been decided
 * @param options.threadId id of the thread: a decision of another is invalid (`other_thread`). In a
 *   copy or an import of a thread it is the original. Default: any
 * @returns one verdict for each decision, in the same order
 * @throws BAD_ARGUMENT for a list, keys or options of another form; an invalid decision is no error
 *   but `valid: false` with a reason
 * @example
 * ```ts part
 * const verified = await verifyDecisions(await saver.decisions("1"), { "2026": publicKey });
 * ```
 */
export function verifyDecisions(
  decisions: readonly ToolDecision[],
  keys: Record<string, SigningKey>,
  options?: { threadId?: string },
): Promise<VerifiedDecision[]>;
