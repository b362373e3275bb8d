// SPDX-License-Identifier: MIT
// What a node's options say about failing, and how a run is asked to give way.
import type { NodeError } from "../base/error-types.js";
import type {
  CommandInstance,
  LangGraphRunnableConfig,
  TimeoutPolicy,
} from "../base/common-types.js";

type Maybe<Value> = Value | Promise<Value>;

/** When a failed attempt is followed by another one. Times in ms. */
export interface RetryPolicy {
  /** Before the second attempt; 500. */
  initialInterval?: number;
  /** By which the interval grows with each attempt; 2. */
  backoffFactor?: number;
  /** The longest interval; 128000. */
  maxInterval?: number;
  /** Attempts in all; 3. */
  maxAttempts?: number;
  /** Adds up to a second by chance; true. */
  jitter?: boolean;
  /**
   * Which errors may pass; without it all but those that LangGraph takes for lasting (aborts, most
   * 4xx).
   */
  retryOn?: (error: any) => boolean;
  /** Says each retry on the console; true. */
  logWarning?: boolean;
}

/** How results of a node are kept and found again. */
export interface CachePolicy {
  /**
   * The key of a list with one item: the node's input, or a task's arguments. Without it the list's
   * JSON.
   */
  keyFunc?: (args: unknown[]) => string;
  /** Seconds; without it entries stay. */
  ttl?: number;
}

/** What a handler may give in the place of the node: an update, a Command, or nothing. */
export type NodeErrorHandlerReturnValue<Update, Nodes extends string = string> = Maybe<
  Update | CommandInstance<unknown, Update, Nodes> | void | null
>;
/**
 * Runs in the step of the node that failed, when its attempts are used up, with the input of that
 * node.
 */
export type NodeErrorHandler<
  State = unknown,
  Update = Partial<State>,
  Nodes extends string = string,
> = (
  state: State,
  error: NodeError,
  config: LangGraphRunnableConfig,
) => NodeErrorHandlerReturnValue<Update, Nodes>;

/** What may be said of a node that fails, hangs, or need not run again. */
export interface NodePolicyOptions {
  /** When it is tried again; without one it is not. */
  retryPolicy?: RetryPolicy;
  /** true: with LangGraph's values; false: not cached, whatever the graph's default says. */
  cachePolicy?: CachePolicy | boolean;
  /** What one attempt may take: ms, or a policy. */
  timeout?: number | TimeoutPolicy;
}

/** Time, for the option `clock`. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Without timers of its own the host's are used. */
  setTimeout?(call: () => void, ms: number): any;
  clearTimeout?(timer: any): void;
}

/**
 * Of one run: asks it to stop before its next step. It ends with GraphDrained and goes on later
 * with `null`.
 */
export class RunControl {
  /** Takes effect when the step that runs is saved; `reason` is the error's. */
  requestDrain(reason?: string): void;
  get drainRequested(): boolean;
  get drainReason(): string | undefined;
}
