// SPDX-License-Identifier: MIT
// What every graph inherits of LangChain's Runnable, and what pipe, pick, assign, withRetry, withFallbacks and
// withListeners make of one. They work inside LangChain's own sequences, and LangChain's Runnables inside them.
// Must not know: graphs.
import { isRunnable } from "../graph/callable.js";
import { mergeConfigs } from "../pregel/merge.js";
import { isIterator, merge, once, sumOf } from "./chunks.js";
import { drawLone, drawSteps } from "./drawable.js";
import { watchRun } from "./listeners.js";
import { Shape } from "./shape.js";

/** @typedef {Record<string, any>} Config */
/** @typedef {import("./listeners.js").Listeners} Listeners */
/** @typedef {{ stopAfterAttempt?: number, onFailedAttempt?: (error: any, input: any) => any }} RetryFields */

const RETRY_MS = 1000;

export class Runnable extends Shape {
  /** @param {any} next @returns {any} this, then `next` on what it gives */
  pipe(next) {
    return pipe(this, next);
  }

  /** @param {string | string[]} keys of what this gives */
  pick(keys) {
    return pipe(this, new RunnablePick(keys));
  }

  /** @param {Record<string, any>} mapping keys that are added to what this gives */
  assign(mapping) {
    return pipe(this, new RunnableAssign(mapping));
  }

  /** @param {Config} config @returns {any} the same, with a config beneath that of each call */
  withConfig(config) {
    return new RunnableBinding(this, config);
  }

  /** @param {Listeners} listeners @returns {any} */
  withListeners(listeners) {
    return new RunnableBinding(this, {}, listeners);
  }

  /** @param {RetryFields} [fields] three attempts without it @returns {any} */
  withRetry(fields) {
    return new RunnableRetry(this, fields);
  }

  /** @param {any[] | { fallbacks: any[] }} fields @returns {any} */
  withFallbacks(fields) {
    return new RunnableWithFallbacks(this, Array.isArray(fields) ? fields : fields.fallbacks);
  }

  /** @param {{ name?: string, description?: string, schema: any }} fields @returns {any} */
  asTool(fields) {
    return new RunnableToolLike(this, fields);
  }

  /** @param {any} [_config] @returns {any} nodes and edges for drawing */
  getGraph(_config) {
    return drawLone(this);
  }
}

/** @param {any} first @param {any} next @returns {any} */
export function pipe(first, next) {
  return new RunnableSequence([first, coerce(next)]);
}

/** @param {any} like a Runnable, a function or an object of them @returns {any} */
export function coerce(like) {
  if (typeof like === "function") return new RunnableLambda(like);
  if (isRunnable(like)) return like;
  if (typeof like === "object" && !Array.isArray(like)) return new RunnableMap(like);
  throw new Error("Expected a Runnable, function or object.\nInstead got an unsupported type.");
}

/** @param {any} runnable @param {AsyncIterable<any>} chunks @param {Config} [config] @returns {AsyncIterable<any>} */
function transformWith(runnable, chunks, config) {
  if (typeof runnable.transform === "function") return runnable.transform(chunks, config);
  return Shape.prototype.transform.call(new RunnableBinding(runnable), chunks, config);
}

/** A run's name and id are those of the whole, not of its parts. @param {Config | undefined} config */
function partConfig(config) {
  return config === undefined ? undefined : { ...config, runName: undefined, runId: undefined };
}

export class RunnableSequence extends Runnable {
  /** @param {any[]} steps */
  constructor(steps) {
    super();
    /** @type {any[]} */
    this.steps = steps.flatMap((step) => (step instanceof RunnableSequence ? step.steps : [step]));
    this.first = this.steps[0];
    this.middle = this.steps.slice(1, -1);
    this.last = this.steps[this.steps.length - 1];
  }

  static lc_name = () => "RunnableSequence";

  /** @param {any} input @param {Config} [config] */
  async invoke(input, config) {
    let value = input;
    for (const step of this.steps) {
      value = await step.invoke(value, partConfig(config));
      config?.signal?.throwIfAborted();
    }
    return value;
  }

  /** @param {any} input @param {Config} [config] @returns {AsyncIterable<any>} */
  _streamIterator(input, config) {
    return this.transform(once(input), config);
  }

  /** @param {AsyncIterable<any>} chunks @param {Config} [config] */
  async *transform(chunks, config) {
    yield* this.steps.reduce((stream, step) => transformWith(step, stream, partConfig(config)), chunks);
  }

  /** @param {any} [config] */
  getGraph(config) {
    return drawSteps(this.steps, config);
  }
}

export class RunnableLambda extends Runnable {
  /** @param {(input: any, config: any) => any} func */
  constructor(func) {
    super();
    this.func = func;
  }

  static lc_name = () => "RunnableLambda";

  /** @param {any} input @param {Config} [config] */
  async invoke(input, config) {
    const output = await this.func(input, config ?? {});
    if (output?.lc_runnable === true) return output.invoke(input, partConfig(config));
    return isIterator(output) ? sumOf(output) : output;
  }

  /** @param {any} input @param {Config} [config] */
  async *_streamIterator(input, config) {
    const output = await this.func(input, config ?? {});
    if (output?.lc_runnable === true) yield* await output.stream(input, partConfig(config));
    else if (isIterator(output)) yield* output;
    else yield output;
  }
}

export class RunnableMap extends Runnable {
  /** @param {Record<string, any>} steps */
  constructor(steps) {
    super();
    this.steps = Object.fromEntries(Object.entries(steps).map(([key, step]) => [key, coerce(step)]));
  }

  static lc_name = () => "RunnableMap";

  /** @param {any} input @param {Config} [config] */
  async invoke(input, config) {
    const call = async (/** @type {[string, any]} */ [key, step]) => [key, await step.invoke(input, partConfig(config))];
    return Object.fromEntries(await Promise.all(Object.entries(this.steps).map(call)));
  }

  /** @param {any} input @param {Config} [config] */
  _streamIterator(input, config) {
    return merge(Object.entries(this.steps).map(([key, step]) => [key, transformWith(step, once(input), partConfig(config))]));
  }
}

class RunnableAssign extends Runnable {
  /** @param {Record<string, any>} mapping */
  constructor(mapping) {
    super();
    this.mapper = new RunnableMap(mapping);
  }

  static lc_name = () => "RunnableAssign";

  /** @param {any} input @param {Config} [config] */
  async invoke(input, config) {
    return { ...input, ...(await this.mapper.invoke(input, config)) };
  }

  /** @param {AsyncIterable<any>} chunks @param {Config} [config] */
  async *transform(chunks, config) {
    const seen = [];
    for await (const chunk of chunks) {
      seen.push(chunk);
      const passed = Object.entries(chunk).filter(([key]) => !Object.hasOwn(this.mapper.steps, key));
      if (passed.length > 0) yield Object.fromEntries(passed);
    }
    yield* this.mapper._streamIterator(await sumOf(seen), config);
  }
}

class RunnablePick extends Runnable {
  /** @param {string | string[]} keys */
  constructor(keys) {
    super();
    this.keys = keys;
  }

  static lc_name = () => "RunnablePick";

  /** @param {any} input */
  async invoke(input) {
    if (typeof this.keys === "string") return input[this.keys];
    const picked = this.keys.map((key) => [key, input[key]]).filter(([, value]) => value !== undefined);
    return picked.length === 0 ? undefined : Object.fromEntries(picked);
  }

  /** @param {AsyncIterable<any>} chunks */
  async *transform(chunks) {
    for await (const chunk of chunks) {
      const picked = await this.invoke(chunk);
      if (picked !== undefined) yield picked;
    }
  }
}

/** A Runnable with a config of its own, and whoever wants to know how its runs go. */
export class RunnableBinding extends Runnable {
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
    return typeof this.bound.getName === "function" ? this.bound.getName(suffix) : super.getName(suffix);
  }

  /** @param {any} input @param {Config} [config] */
  invoke(input, config) {
    return this.#watch(input, config, (merged) => this.bound.invoke(input, merged));
  }

  /** @param {any} input @param {Config} [config] */
  async *_streamIterator(input, config) {
    yield* await this.#watch(input, config, (merged) => (typeof this.bound.stream === "function" ? this.bound.stream(input, merged) : once(this.bound.invoke(input, merged))));
  }

  /** @param {any} input @param {Config | undefined} config @param {(config: Config) => any} run @returns {Promise<any>} */
  async #watch(input, config, run) {
    const merged = mergeConfigs(this.config, config);
    return this.listeners === undefined ? run(merged) : watchRun(this.listeners, this.getName(), input, merged, run);
  }
}

/** Attempts at a Runnable, with waits that double from one or two seconds on; what is wrong in the program is not tried again. */
class RunnableRetry extends RunnableBinding {
  /** @param {any} bound @param {RetryFields} [fields] */
  constructor(bound, fields) {
    super(bound);
    this.maxAttemptNumber = fields?.stopAfterAttempt ?? 3;
    this.onFailedAttempt = fields?.onFailedAttempt ?? (() => {});
  }

  static lc_name = () => "RunnableRetry";

  /** @param {any} input @param {Config} [config] */
  async invoke(input, config) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await super.invoke(input, config);
      } catch (error) {
        await this.onFailedAttempt(error, input);
        if (error instanceof TypeError || attempt >= this.maxAttemptNumber) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * (1 + Math.random()) * 2 ** (attempt - 1)));
        config?.signal?.throwIfAborted();
      }
    }
  }
}

class RunnableWithFallbacks extends Runnable {
  /** @param {any} runnable @param {any[]} fallbacks */
  constructor(runnable, fallbacks) {
    super();
    this.runnable = runnable;
    this.fallbacks = fallbacks;
  }

  static lc_name = () => "RunnableWithFallbacks";

  /** @param {any} input @param {Config} [config] */
  invoke(input, config) {
    return this.#first(config, (runnable) => runnable.invoke(input, partConfig(config)));
  }

  /** @param {any} input @param {Config} [config] */
  async *_streamIterator(input, config) {
    const [first, rest] = await this.#first(config, async (runnable) => {
      const chunks = (await runnable.stream(input, partConfig(config)))[Symbol.asyncIterator]();
      return [await chunks.next(), chunks];
    });
    for (let chunk = first; !chunk.done; chunk = await rest.next()) yield chunk.value;
  }

  /** @param {any[]} inputs @param {any} [options] @param {any} [batchOptions] */
  async batch(inputs, options, batchOptions) {
    if (batchOptions?.returnExceptions) throw new Error("Not implemented.");
    return super.batch(inputs, options, batchOptions);
  }

  /** @param {Config | undefined} config @param {(runnable: any) => Promise<any>} run */
  async #first(config, run) {
    /** @type {unknown[]} */
    const errors = [];
    for (const runnable of [this.runnable, ...this.fallbacks]) {
      config?.signal?.throwIfAborted();
      try {
        return await run(runnable);
      } catch (error) {
        errors.push(error);
      }
    }
    throw errors[0];
  }
}

/** A Runnable that a model can call: of a tool call it takes the arguments. */
class RunnableToolLike extends RunnableBinding {
  /** @param {any} bound @param {{ name?: string, description?: string, schema: any }} fields */
  constructor(bound, { name, description, schema }) {
    super(bound);
    this.name = name ?? bound.getName();
    this.description = description ?? schema?.description;
    this.schema = schema;
  }

  static lc_name = () => "RunnableToolLike";

  /** @param {any} input @param {Config} [config] */
  invoke(input, config) {
    return super.invoke(input?.type === "tool_call" ? input.args : input, config);
  }
}
