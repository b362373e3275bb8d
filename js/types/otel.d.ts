// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/otel`.

/** A span of OpenTelemetry, as far as the handler uses it. */
export interface OtelSpan {
  end(): void;
  /**
   * @param key name by OpenTelemetry's conventions
   * @param value text, number, boolean, or a list of one kind
   */
  setAttribute(key: string, value: any): unknown;
  /** @param attributes values by name */
  setAttributes(attributes: any): unknown;
  /**
   * @param status outcome of what the span measures
   * @param status.code OpenTelemetry's number: 2 is an error
   * @param status.message text of the error, if the trace may hold it
   */
  setStatus(status: { code: number; message?: string }): unknown;
  spanContext(): object;
  isRecording?(): boolean;
}

/** A tracer of OpenTelemetry. */
export interface OtelTracer {
  /**
   * @param name what is done, and with what
   * @param options `{ kind, attributes, links }`
   * @param context has the span around it
   */
  startSpan(name: string, options?: any, context?: any): OtelSpan;
}

/** A meter of OpenTelemetry. */
export interface OtelMeter {
  /**
   * @param name `gen_ai.….duration`
   * @param options `{ unit: "s" }`
   */
  createHistogram(name: string, options?: any): { record(value: number, attributes?: any): void };
  /**
   * @param name `gen_ai.….usage.input_tokens` or `.output_tokens`
   * @param options `{ unit: "{token}" }`
   */
  createCounter(name: string, options?: any): { add(value: number, attributes?: any): void };
}

/** The metrics of a handler, made by `otelMetrics`. */
export interface OtelMetrics {
  /**
   * @param kind what has ended: "run", "model" or "tool"; others are not measured
   * @param ms how long it took, in milliseconds
   * @param attributes those of its span; numbers of tokens are counted, and names of operation,
   *   provider, agent, tool, model and error are kept as attributes
   */
  record(kind: string, ms: number, attributes: any): void;
}

/** The parts of `@opentelemetry/api` that the handler uses. */
export interface OtelApi {
  trace: {
    getTracer(name: string): OtelTracer;
    setSpan(context: any, span: any): any;
  };
  context: {
    active(): any;
    with<Result>(context: any, call: () => Result): Result;
  };
}

/** What is about to be stored in a trace. */
export interface OtelContentAbout {
  /** What it is of. */
  kind: "run" | "node" | "model" | "tool";
  /** Name of the span, or of the node. */
  name: string;
  /** The node that it is of, or below. */
  node: string | undefined;
  /** `error`: the text of an error. */
  part: "input" | "output" | "error";
}

/**
 * Whether a trace may hold content: messages, arguments, results, state and texts of errors. A
 * function returns what it may hold in place of the value, undefined for nothing; it must not
 * change the value.
 * @param value messages, arguments, a result, a state or the text of an error
 * @param about what the value is of
 */
export type OtelContentRule = "none" | "all" | ((value: any, about: OtelContentAbout) => unknown);

/** Options of `otelHandler`. */
export interface OtelOptions {
  /** What `import * as api from "@opentelemetry/api"` gives. */
  api: OtelApi;
  /** Default: the one that `api` has for "weftgraph". */
  tracer?: OtelTracer;
  /** Counts tokens and measures durations too; `otelMetrics` makes it. Default: no metrics. */
  metrics?: OtelMetrics;
  /**
   * What a trace may hold: one rule for all, or a rule for each node (with all that runs inside it,
   * unless a node there has its own) and a default for what has none. Values under keys that name
   * credentials are never stored. Default "none".
   */
  content?:
    | OtelContentRule
    | { default?: OtelContentRule; nodes?: Record<string, OtelContentRule> };
  /** Maximum characters of one content. Default 8192. */
  maxContentLength?: number;
  /** Whether each superstep has a span around its nodes. Default true. */
  steps?: boolean;
}

/** The handler: an entry of `callbacks`. Its methods are LangChain's. */
export interface OtelHandler {
  name: string;
  awaitHandlers: boolean;
  /**
   * @param told LangChain's arguments: the chain, its inputs, the run's id, its parent's, tags,
   *   metadata …
   */
  handleChainStart(...told: any[]): void;
  /** @param told the outputs and the run's id */
  handleChainEnd(...told: any[]): void;
  /** @param told the error and the run's id */
  handleChainError(...told: any[]): void;
  /**
   * @param told LangChain's arguments: the model, lists of messages, the run's id, its parent's,
   *   options, tags and metadata
   */
  handleChatModelStart(...told: any[]): void;
  /** @param told the result with its generations, and the run's id */
  handleLLMEnd(...told: any[]): void;
  /** @param told the error and the run's id */
  handleLLMError(...told: any[]): void;
  /**
   * @param told LangChain's arguments: the tool, its input as text, the run's id, its parent's,
   *   tags, metadata, the name and the call's id
   */
  handleToolStart(...told: any[]): void;
  /** @param told the output and the run's id */
  handleToolEnd(...told: any[]): void;
  /** @param told the error and the run's id */
  handleToolError(...told: any[]): void;
}

/**
 * Makes a callback handler that writes an OpenTelemetry span for each run, step, node (each
 * attempt), model, tool, question to a person and answer. Errors of the tracer never reach the run.
 * @param options the API, and what traces may hold
 * @returns for `callbacks` of a call or of `withConfig`
 * @throws BAD_ARGUMENT for invalid options
 * @example
 * ```ts part
 * import * as api from "@opentelemetry/api";
 * await graph.invoke(input, { callbacks: [otelHandler({ api })] });
 * ```
 */
export function otelHandler(options: OtelOptions): OtelHandler;

/**
 * Makes the metrics of a handler: tokens of models, durations of models, tools and runs.
 * @param meter a meter of `@opentelemetry/api`
 * @returns for the option `metrics` of otelHandler
 * @throws BAD_ARGUMENT if it is none
 * @example
 * ```ts part
 * otelHandler({ api, metrics: otelMetrics(api.metrics.getMeter("shop")) });
 * ```
 */
export function otelMetrics(meter: OtelMeter): OtelMetrics;
