// SPDX-License-Identifier: MIT
// Defines the part of LangChain's Runnable that every graph inherits, and the results of pipe,
// pick, assign, withRetry, withFallbacks and withListeners. They work inside LangChain's own
// sequences, and LangChain's Runnables inside them. Does not depend on graphs.
import { checkArgument, isListOf, isObject } from "../base/check-arguments.js";
import { openEvents, openLog } from "../events/open-event-views.js";
import { isRunnable } from "../base/callable.js";
import { drawLone, drawSteps } from "./drawable.js";
import { Shape } from "./base.js";
import { invokeMade, streamMade } from "./operators.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("./listeners.js").Listeners} Listeners */
/**
 * @typedef {{ stopAfterAttempt?: number, onFailedAttempt?: (error: unknown, input: unknown) =>
 *   unknown }} RetryFields
 */

export class Runnable extends Shape {
  /** @param {unknown} next @returns {unknown} this, then `next` on its output */
  pipe(next) {
    return pipe(this, next);
  }

  /** @param {string | string[]} keys of the output */
  pick(keys) {
    return pipe(this, new RunnablePick(keys));
  }

  /** @param {Record<string, unknown>} mapping keys to add to the output */
  assign(mapping) {
    return pipe(this, new RunnableAssign(mapping));
  }

  /** @param {Config} config @returns {unknown} a copy with a config beneath that of each call */
  withConfig(config) {
    return new RunnableBinding(this, config);
  }

  /** @param {Listeners} listeners @returns {unknown} */
  withListeners(listeners) {
    checkArgument(
      isObject(listeners),
      "withListeners(listeners): listeners must be an object, as { onStart, onEnd, onError }",
    );
    return new RunnableBinding(this, {}, listeners);
  }

  /** @param {RetryFields} [fields] default: three attempts @returns {unknown} */
  withRetry(fields) {
    return new RunnableRetry(this, fields);
  }

  /** @param {unknown[] | { fallbacks: unknown[] }} fields @returns {unknown} */
  withFallbacks(fields) {
    const fallbacks = Array.isArray(fields) ? fields : fields?.fallbacks;
    checkArgument(
      isListOf(fallbacks, isRunnable),
      "withFallbacks(fallbacks): fallbacks must be a list of Runnables, or { fallbacks }",
    );
    return new RunnableWithFallbacks(this, fallbacks);
  }

  /** @param {{ name?: string, description?: string, schema: unknown }} fields @returns {unknown} */
  asTool(fields) {
    checkArgument(
      isObject(fields),
      "asTool(fields): fields must be an object, as { name, description, schema }",
    );
    return new RunnableToolLike(this, fields);
  }

  /**
   * Streams what happens in the run and below it, as LangChain's events.
   * @param {unknown} input
   * @param {Config} options with the `version` of the events
   * @param {Record<string, string[]>} [filter]
   */
  streamEvents(input, options, filter) {
    return openEvents(this, input, options, filter);
  }

  /**
   * Streams the same as patches of one record.
   * @param {unknown} input
   * @param {Config} [options]
   * @param {Record<string, string[]>} [filter]
   */
  streamLog(input, options, filter) {
    return openLog(this, input, options, filter);
  }

  /** @param {unknown} [_config] @returns {unknown} nodes and edges for drawing */
  getGraph(_config) {
    return drawLone(this);
  }
}

/** @param {unknown} first @param {unknown} next @returns {Value} */
export function pipe(first, next) {
  return new RunnableSequence([first, coerce(next)]);
}

/** @param {Value} like a Runnable, a function or an object of them @returns {unknown} */
export function coerce(like) {
  if (typeof like === "function") return new RunnableLambda(like);
  if (isRunnable(like)) return like;
  if (typeof like === "object" && !Array.isArray(like)) return new RunnableMap(like);
  throw new Error("Expected a Runnable, function or object.\nInstead got an unsupported type.");
}

/** A Runnable composed of others. */
class Made extends Runnable {
  /** Its kind, a key of KINDS. @returns {string} */
  get _work() {
    return /** @type {typeof Made} */ (this.constructor).lc_name();
  }

  /** @param {unknown} input @param {Config} [config] @returns {Promise<unknown>} */
  async invoke(input, config) {
    // Called at once: without AsyncLocalStorage a node's code finds its task until the first await
    // only.
    return invokeMade(this, input, config);
  }

  /** @param {unknown} input @param {Config} [config] @returns {AsyncIterable<unknown>} */
  async *_streamIterator(input, config) {
    yield* streamMade(this, input, config);
  }
}

export class RunnableSequence extends Made {
  /** @param {unknown[]} steps */
  constructor(steps) {
    super();
    /** @type {unknown[]} */
    this.steps = steps.flatMap((step) => (step instanceof RunnableSequence ? step.steps : [step]));
    this.first = this.steps[0];
    this.middle = this.steps.slice(1, -1);
    this.last = this.steps[this.steps.length - 1];
  }

  static lc_name = () => "RunnableSequence";

  /** @param {Value} [config] */
  getGraph(config) {
    return drawSteps(this.steps, config);
  }
}

export class RunnableLambda extends Made {
  /** @param {(input: unknown, config: unknown) => unknown} func */
  constructor(func) {
    super();
    this.func = func;
  }

  static lc_name = () => "RunnableLambda";
}

/** A function of a graph's node. Invokes a Runnable that the function returns. */
export class RunnableCallable extends RunnableLambda {
  lc_namespace = ["langgraph"];

  /** @param {(input: unknown, config: unknown) => unknown} func @param {string} name */
  constructor(func, name) {
    super(func);
    this.name = name;
  }

  static lc_name = () => "RunnableCallable";
}

/** @param {Value} action @param {string} name @returns {Value} its form in a graph */
export function runnableOf(action, name) {
  return typeof action === "function" ? new RunnableCallable(action, name) : coerce(action);
}

/**
 * Is it a function, which may be called synchronously?
 * @param {unknown} runnable
 * @returns {boolean}
 */
export function isPlain(runnable) {
  return runnable instanceof RunnableLambda && !Object.hasOwn(runnable, "invoke");
}

/**
 * Returns the call of a node or a conditional edge; follows a later change of its function.
 * @param {Value} runnable
 * @returns {(input: unknown, config: unknown) => unknown}
 */
export function callOf(runnable) {
  return (input, config) =>
    isPlain(runnable) ? runnable.func(input, config) : runnable.invoke(input, config);
}

export class RunnableMap extends Made {
  /** @param {Record<string, unknown>} steps */
  constructor(steps) {
    super();
    this.steps = Object.fromEntries(
      Object.entries(steps).map(([key, step]) => [key, coerce(step)]),
    );
  }

  static lc_name = () => "RunnableMap";
}

class RunnableAssign extends Made {
  /** @param {Record<string, unknown>} mapping */
  constructor(mapping) {
    super();
    checkArgument(
      isObject(mapping),
      "assign(mapping): mapping must be an object of Runnables or functions",
    );
    this.mapper = new RunnableMap(mapping);
  }

  static lc_name = () => "RunnableAssign";
}

class RunnablePick extends Made {
  /** @param {string | string[]} keys */
  constructor(keys) {
    super();
    checkArgument(
      typeof keys === "string" || Array.isArray(keys),
      "pick(keys): keys must be a text or a list of texts",
    );
    this.keys = keys;
  }

  static lc_name = () => "RunnablePick";
}

/** Binds a config and listeners to a Runnable. */
export class RunnableBinding extends Made {
  /** @param {any} bound @param {Config} [config] @param {Listeners} [listeners] */
  constructor(bound, config = {}, listeners) {
    super();
    this.bound = bound;
    this.config = config;
    this.listeners = listeners;
  }

  static lc_name = () => "RunnableBinding";

  /** @param {string} [suffix] */
  getName(suffix = "") {
    return typeof this.bound.getName === "function"
      ? this.bound.getName(suffix)
      : super.getName(suffix);
  }
}

/**
 * Retries a Runnable, with delays that double from one to two seconds on; a TypeError, as a
 * programming error, is not retried.
 */
class RunnableRetry extends RunnableBinding {
  /** @param {unknown} bound @param {RetryFields} [fields] */
  constructor(bound, fields) {
    super(bound);
    this.maxAttemptNumber = fields?.stopAfterAttempt ?? 3;
    this.onFailedAttempt = fields?.onFailedAttempt ?? (() => {});
  }

  static lc_name = () => "RunnableRetry";
}

class RunnableWithFallbacks extends Made {
  /** @param {unknown} runnable @param {unknown[]} fallbacks */
  constructor(runnable, fallbacks) {
    super();
    this.runnable = runnable;
    this.fallbacks = fallbacks;
  }

  static lc_name = () => "RunnableWithFallbacks";

  /** @param {unknown[]} inputs @param {Value} [options] @param {Value} [batchOptions] */
  async batch(inputs, options, batchOptions) {
    if (batchOptions?.returnExceptions) throw new Error("Not implemented.");
    return super.batch(inputs, options, batchOptions);
  }
}

/** A Runnable that a model can call; takes the arguments of a tool call. */
class RunnableToolLike extends RunnableBinding {
  /** @param {any} bound @param {{ name?: string, description?: string, schema: Value }} fields */
  constructor(bound, { name, description, schema }) {
    super(bound);
    this.name = name ?? bound.getName();
    this.description = description ?? schema?.description;
    this.schema = schema;
  }

  static lc_name = () => "RunnableToolLike";
}
