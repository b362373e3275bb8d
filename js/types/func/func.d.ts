// SPDX-License-Identifier: MIT
// Declares the functional API.
import type { Checkpointer } from "../graph/graph.js";
import type {
  LangGraphRunnableConfig,
  Runtime,
  StoreLike,
  TimeoutPolicy,
} from "../base/common-types.js";
import type { Limits } from "../base/run-limits.js";
import type { BaseCache } from "../stores/cache.js";
import type { CachePolicy } from "../plan/policy-types.js";
import type { Pregel } from "../graph/pregel.js";

/** Options of a `task`: name, retries, cache and limits. */
export interface TaskOptions {
  name: string;
  /** Retry policy, times in ms; `maxAttempts` includes the first attempt. */
  retry?: {
    initialInterval?: number;
    backoffFactor?: number;
    maxInterval?: number;
    maxAttempts?: number;
    jitter?: boolean;
    retryOn?: (error: any) => boolean;
    logWarning?: boolean;
  };
  /** Caches results in the entrypoint's cache. */
  cachePolicy?: CachePolicy;
  /** LangGraph's other name of `cachePolicy`. */
  cache?: CachePolicy;
  /** Timeout of one attempt, in ms. */
  timeout?: number | TimeoutPolicy;
}

/**
 * Options of a workflow; `name` appears in streams and traces, `checkpointer` stores its threads.
 */
export interface EntrypointOptions {
  name: string;
  checkpointer?: Checkpointer;
  store?: StoreLike;
  /** Cache for tasks with a `cachePolicy`. */
  cache?: BaseCache;
  /** Limits of each call. */
  limits?: Limits;
  /** Timeout of one attempt, in ms. */
  timeout?: number | TimeoutPolicy;
}

/** The result for the caller (`value`) and the value for the thread's next run (`save`). */
export interface EntrypointFinal<Value, Save> {
  value?: Value;
  save?: Save;
  __lg_type: "__pregel_final";
}

type Unwrap<Output> =
  Awaited<Output> extends EntrypointFinal<infer Value, any> ? Value : Awaited<Output>;
type NotGenerator<Output> = Output extends Generator | AsyncGenerator ? never : Output;

/**
 * Makes a function whose calls inside an entrypoint or a graph's node are separate tasks: results
 * are saved with the thread, and finished calls do not run again when the run resumes. Without
 * AsyncLocalStorage, as in browsers, call it as `runtime.task(step, ...args)` after the first
 * `await`; `runtime` is the second argument of the entrypoint or node.
 * @param optionsOrName options, or a name
 * @param func must not be a generator (Error)
 * @returns function with the same arguments, whose result is always a promise
 * @throws BAD_ARGUMENT for wrong options, Error for a generator; a call of the task outside an
 *   entrypoint or a node is an Error
 */
export function task<Args extends unknown[], Output>(
  optionsOrName: TaskOptions | string,
  func: (...args: Args) => NotGenerator<Output> | Promise<Output>,
): (...args: Args) => Promise<Awaited<Output>>;

/** `entrypoint`, and `entrypoint.final` for a result that differs from the saved value. */
export interface EntrypointFunction {
  /** Makes a workflow: a function that runs, streams, is saved and resumes like a graph. */
  <Input, Output>(
    optionsOrName: EntrypointOptions | string,
    func: (
      input: Input,
      config: LangGraphRunnableConfig & Pick<Runtime, "interrupt" | "task">,
    ) => NotGenerator<Output>,
  ): Pregel<any, any, any, Input, Unwrap<Output>>;
  /** Makes the return value of a workflow whose result differs from the saved value. */
  final<Value, Save>(options: { value?: Value; save?: Save }): EntrypointFinal<Value, Save>;
}
/**
 * LangGraph's `entrypoint` of the functional API.
 * @param optionsOrName name of the workflow, or its options: name, checkpointer, store, cache,
 *   limits, timeout
 * @param func the workflow, called with the input and the config; must not be a generator
 * @throws BAD_ARGUMENT for what is no name and no options, or no function
 */
export const entrypoint: EntrypointFunction;

/**
 * Returns the value saved by the last run of this thread, or undefined. Throws an Error outside of
 * an entrypoint and its tasks.
 * @throws Error outside an entrypoint
 */
export function getPreviousState<State>(): State;
