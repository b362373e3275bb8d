// SPDX-License-Identifier: MIT
// The functional API.
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

/** How calls of a `task` are named, tried again, kept and limited. */
export interface TaskOptions {
  name: string;
  /** Times in ms; `maxAttempts` counts the first one. */
  retry?: {
    initialInterval?: number;
    backoffFactor?: number;
    maxInterval?: number;
    maxAttempts?: number;
    jitter?: boolean;
    retryOn?: (error: any) => boolean;
    logWarning?: boolean;
  };
  /** What a call returned is kept in the entrypoint's cache. */
  cachePolicy?: CachePolicy;
  /** LangGraph's other name of `cachePolicy`. */
  cache?: CachePolicy;
  /** Of one attempt, in ms. */
  timeout?: number | TimeoutPolicy;
}

/**
 * What a workflow works with; `name` is shown in streams and traces, `checkpointer` keeps its
 * threads.
 */
export interface EntrypointOptions {
  name: string;
  checkpointer?: Checkpointer;
  store?: StoreLike;
  /** For tasks with a `cachePolicy`. */
  cache?: BaseCache;
  /** What each call may take. */
  limits?: Limits;
  /** Of one attempt, in ms. */
  timeout?: number | TimeoutPolicy;
}

/** What the caller gets (`value`) and what the thread's next run finds (`save`). */
export interface EntrypointFinal<Value, Save> {
  value?: Value;
  save?: Save;
  __lg_type: "__pregel_final";
}

type Unwrap<Output> =
  Awaited<Output> extends EntrypointFinal<infer Value, any> ? Value : Awaited<Output>;
type NotGenerator<Output> = Output extends Generator | AsyncGenerator ? never : Output;

/**
 * A function whose calls, inside an entrypoint or a graph's node, are tasks of their own: what one
 * returned is saved with the thread and not done again when the run is resumed. Where there is no
 * AsyncLocalStorage, as in a browser's tab, it is called as `runtime.task(step, ...args)` after the
 * first `await`; `runtime` is the second argument of the entrypoint or node.
 */
export function task<Args extends unknown[], Output>(
  optionsOrName: TaskOptions | string,
  func: (...args: Args) => NotGenerator<Output> | Promise<Output>,
): (...args: Args) => Promise<Awaited<Output>>;

/**
 * `entrypoint`, and `entrypoint.final` for what the caller gets and the thread keeps when these are
 * two things.
 */
export interface EntrypointFunction {
  /** A workflow: a function that is run, streamed, saved and resumed like a graph. */
  <Input, Output>(
    optionsOrName: EntrypointOptions | string,
    func: (
      input: Input,
      config: LangGraphRunnableConfig & Pick<Runtime, "interrupt" | "task">,
    ) => NotGenerator<Output>,
  ): Pregel<any, any, any, Input, Unwrap<Output>>;
  /** What the function returns when the caller is to get something else than the thread keeps. */
  final<Value, Save>(options: { value?: Value; save?: Save }): EntrypointFinal<Value, Save>;
}
/** LangGraph's `entrypoint` of the functional API. */
export const entrypoint: EntrypointFunction;

/** What the last run of this thread saved, or undefined. Inside an entrypoint or a task of it. */
export function getPreviousState<State>(): State;
