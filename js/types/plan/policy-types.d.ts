// SPDX-License-Identifier: MIT
// Declares a node's options for failures, and the control that drains a run.
import type { NodeError } from "../base/error-types.js";
import type {
  CommandInstance,
  LangGraphRunnableConfig,
  TimeoutPolicy,
} from "../base/common-types.js";

type Maybe<Value> = Value | Promise<Value>;

/** When a failed attempt is retried. Times in ms. */
export interface RetryPolicy {
  /** Interval before the second attempt; default 500. */
  initialInterval?: number;
  /** Factor by which the interval grows with each attempt; default 2. */
  backoffFactor?: number;
  /** Maximum interval; default 128000. */
  maxInterval?: number;
  /** Maximum number of attempts; default 3. */
  maxAttempts?: number;
  /** Adds up to a second at random; default true. */
  jitter?: boolean;
  /**
   * Selects the errors to retry; by default all but those that LangGraph considers permanent
   * (aborts, most 4xx).
   * @param error what the attempt threw; if this function throws, the node fails with that
   */
  retryOn?: (error: any) => boolean;
  /** Logs each retry on the console; default true. */
  logWarning?: boolean;
}

/** How results of a node are cached. */
export interface CachePolicy {
  /**
   * Makes the key from a list with one item: the node's input, or a task's arguments. Default: the
   * list's JSON.
   * @param args list with one item: the node's input, or the list of a task's arguments
   */
  keyFunc?: (args: unknown[]) => string;
  /** Lifetime in seconds; entries stay without it. */
  ttl?: number;
}

/** Result of an error handler in place of the node's: an update, a Command, or nothing. */
export type NodeErrorHandlerReturnValue<Update, Nodes extends string = string> = Maybe<
  Update | CommandInstance<unknown, Update, Nodes> | void | null
>;
/** Runs in the step of the failed node after its last attempt, with the node's input. */
export type NodeErrorHandler<
  State = unknown,
  Update = Partial<State>,
  Nodes extends string = string,
> = (
  state: State,
  error: NodeError,
  config: LangGraphRunnableConfig,
) => NodeErrorHandlerReturnValue<Update, Nodes>;

/** Policies of a node for failures, timeouts and caching. */
export interface NodePolicyOptions {
  /** When it is retried; never without a policy. */
  retryPolicy?: RetryPolicy;
  /** true: LangGraph's defaults; false: not cached, whatever the graph's default is. */
  cachePolicy?: CachePolicy | boolean;
  /** Timeout of one attempt: ms, or a policy. */
  timeout?: number | TimeoutPolicy;
}

/** A clock for the option `clock`. */
export interface Clock {
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /**
   * Sets a timer and returns what `clearTimeout` gets; the host's timers are used without it.
   * @param call is called once, after the time
   * @param ms time from now on, in ms
   */
  setTimeout?(call: () => void, ms: number): any;
  /**
   * Cancels a timer.
   * @param timer what `setTimeout` returned; its time may be over
   */
  clearTimeout?(timer: any): void;
}

/**
 * Requests one run to stop before its next step. The run ends with GraphDrained and resumes later
 * with `null`.
 */
export class RunControl {
  /**
   * Requests the stop, which takes effect when the current step is saved.
   * @param reason reason of the GraphDrained error
   */
  requestDrain(reason?: string): void;
  get drainRequested(): boolean;
  get drainReason(): string | undefined;
}
