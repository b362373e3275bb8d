// SPDX-License-Identifier: MIT
// How the Runnables that are made of others work, and what follows for all from `invoke` alone: chunks, lists of inputs.
// Loaded by the first call that asks for it. Must not know: their classes (runnable.js).
import { newStream } from "../pregel/stream.js";
import { mergeConfigs } from "../pregel/merge.js";
import { isIterator, merge, once, settleAll, sumOf, valuesOf } from "./chunks.js";
import { watchRun } from "./listeners.js";

/** @typedef {Record<string, any>} Config */
/** @typedef {{ invoke: (self: any, input: any, config?: Config) => any, stream?: (self: any, input: any, config?: Config) => AsyncIterable<any>, transform?: (self: any, chunks: AsyncIterable<any>, config?: Config) => AsyncIterable<any> }} Work */

const RETRY_MS = 1000;

/** A run's name and id are those of the whole, not of its parts. @param {Config | undefined} config */
function partConfig(config) {
  return config === undefined ? undefined : { ...config, runName: undefined, runId: undefined };
}

/** @param {any} runnable ours or LangChain's @param {AsyncIterable<any>} chunks @param {Config} [config] @returns {AsyncIterable<any>} */
function transformWith(runnable, chunks, config) {
  return typeof runnable.transform === "function" ? runnable.transform(chunks, config) : transformFrom(chunks, (sum) => streamBound(runnable, sum, config ?? {}));
}

/** @param {AsyncIterable<any>} chunks @param {(sum: any) => AsyncIterable<any> | Promise<AsyncIterable<any>>} stream */
async function* transformFrom(chunks, stream) {
  yield* await stream(await sumOf(chunks));
}

/** @param {any} bound @param {any} input @param {Config} config */
function streamBound(bound, input, config) {
  return typeof bound.stream === "function" ? bound.stream(input, config) : once(bound.invoke(input, config));
}

/** @type {Work} */
const sequence = {
  async invoke({ steps }, input, config) {
    let value = input;
    for (const step of steps) {
      value = await step.invoke(value, partConfig(config));
      config?.signal?.throwIfAborted();
    }
    return value;
  },
  stream: (self, input, config) => self.transform(once(input), config),
  async *transform({ steps }, chunks, config) {
    yield* steps.reduce((/** @type {any} */ stream, /** @type {any} */ step) => transformWith(step, stream, partConfig(config)), chunks);
  },
};

/** @type {Work} */
const lambda = {
  async invoke({ func }, input, config) {
    const output = await func(input, config ?? {});
    if (output?.lc_runnable === true) return output.invoke(input, partConfig(config));
    return isIterator(output) ? sumOf(output) : output;
  },
  async *stream({ func }, input, config) {
    const output = await func(input, config ?? {});
    if (output?.lc_runnable === true) yield* await output.stream(input, partConfig(config));
    else if (isIterator(output)) yield* output;
    else yield output;
  },
};

/** @type {Work} */
const map = {
  async invoke({ steps }, input, config) {
    const call = async (/** @type {[string, any]} */ [key, step]) => [key, await step.invoke(input, partConfig(config))];
    return Object.fromEntries(await Promise.all(Object.entries(steps).map(call)));
  },
  stream: ({ steps }, input, config) => merge(Object.entries(steps).map(([key, step]) => [key, transformWith(step, once(input), partConfig(config))])),
};

/** @type {Work} */
const assign = {
  async invoke({ mapper }, input, config) {
    return { ...input, ...(await mapper.invoke(input, config)) };
  },
  async *transform({ mapper }, chunks, config) {
    const seen = [];
    for await (const chunk of chunks) {
      seen.push(chunk);
      const passed = Object.entries(chunk).filter(([key]) => !Object.hasOwn(mapper.steps, key));
      if (passed.length > 0) yield Object.fromEntries(passed);
    }
    yield* mapper._streamIterator(await sumOf(/** @type {any} */ (seen)), config);
  },
};

/** @type {Work} */
const pick = {
  async invoke({ keys }, input) {
    if (typeof keys === "string") return input[keys];
    const picked = keys.map((/** @type {string} */ key) => [key, input[key]]).filter((/** @type {[string, any]} */ [, value]) => value !== undefined);
    return picked.length === 0 ? undefined : Object.fromEntries(picked);
  },
  async *transform(self, chunks) {
    for await (const chunk of chunks) {
      const picked = await self.invoke(chunk);
      if (picked !== undefined) yield picked;
    }
  },
};

/** @param {any} self @param {any} input @param {Config | undefined} config @param {(config: Config) => any} run @returns {Promise<any>} */
async function watch(self, input, config, run) {
  const merged = mergeConfigs(self.config, config);
  return self.listeners === undefined ? run(merged) : watchRun(self.listeners, self.getName(), input, merged, run);
}

/** @type {Work} */
const binding = {
  invoke: (self, input, config) => watch(self, input, config, (merged) => self.bound.invoke(input, merged)),
  async *stream(self, input, config) {
    yield* await watch(self, input, config, (merged) => streamBound(self.bound, input, merged));
  },
};

/** @type {Work} */
const retry = {
  ...binding,
  async invoke(self, input, config) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await binding.invoke(self, input, config);
      } catch (error) {
        await self.onFailedAttempt(error, input);
        if (error instanceof TypeError || attempt >= self.maxAttemptNumber) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * (1 + Math.random()) * 2 ** (attempt - 1)));
        config?.signal?.throwIfAborted();
      }
    }
  },
};

/** @param {any} self @param {Config | undefined} config @param {(runnable: any) => Promise<any>} run */
async function firstThatWorks(self, config, run) {
  /** @type {unknown[]} */
  const errors = [];
  for (const runnable of [self.runnable, ...self.fallbacks]) {
    config?.signal?.throwIfAborted();
    try {
      return await run(runnable);
    } catch (error) {
      errors.push(error);
    }
  }
  throw errors[0];
}

/** @type {Work} */
const fallbacks = {
  invoke: (self, input, config) => firstThatWorks(self, config, (runnable) => runnable.invoke(input, partConfig(config))),
  async *stream(self, input, config) {
    const [first, rest] = await firstThatWorks(self, config, async (runnable) => {
      const chunks = (await runnable.stream(input, partConfig(config)))[Symbol.asyncIterator]();
      return [await chunks.next(), chunks];
    });
    for (let chunk = first; !chunk.done; chunk = await rest.next()) yield chunk.value;
  },
};

/** @type {Work} */
const tool = { ...binding, invoke: (self, input, config) => binding.invoke(self, input?.type === "tool_call" ? input.args : input, config) };

/** By the names of classes. @type {Record<string, Work>} */
const KINDS = {
  RunnableSequence: sequence,
  RunnableLambda: lambda,
  RunnableMap: map,
  RunnableAssign: assign,
  RunnablePick: pick,
  RunnableBinding: binding,
  RunnableRetry: retry,
  RunnableWithFallbacks: fallbacks,
  RunnableToolLike: tool,
};

/** @param {any} self @param {any} input @param {Config} [config] @returns {Promise<any>} */
export function invokeMade(self, input, config) {
  return KINDS[self._work].invoke(self, input, config);
}

/** @param {any} self @param {any} input @param {Config} [config] @returns {AsyncIterable<any>} the chunks for one input */
export function streamMade(self, input, config) {
  const { stream } = KINDS[self._work];
  return stream === undefined ? once(self.invoke(input, config)) : stream(self, input, config);
}

/** @param {any} self @param {AsyncIterable<any>} chunks of the input @param {Config} [config] @returns {AsyncIterable<any>} */
export function transformAny(self, chunks, config) {
  const transform = KINDS[self._work]?.transform;
  return transform === undefined ? transformFrom(chunks, (sum) => self._streamIterator(sum, config)) : transform(self, chunks, config);
}

/**
 * @param {any} self
 * @param {any[]} inputs
 * @param {Config | Config[]} [options]
 * @param {{ returnExceptions?: boolean, maxConcurrency?: number }} [batchOptions]
 * @returns {Promise<any[]>}
 */
export async function batchAny(self, inputs, options, batchOptions) {
  const configs = configList(inputs, options);
  const limit = configs[0]?.maxConcurrency ?? batchOptions?.maxConcurrency;
  return valuesOf(await settleAll(inputs, limit, async (input, index) => self.invoke(input, configs[index])), batchOptions?.returnExceptions);
}

/** @param {any[]} inputs @param {Config | Config[] | undefined} options @returns {Config[]} */
function configList(inputs, options) {
  if (!Array.isArray(options)) return inputs.map(() => options ?? {});
  if (options.length === inputs.length) return options;
  throw new Error(`Passed "options" must be an array with the same length as the inputs, but got ${options.length} options for ${inputs.length} inputs`);
}

/** @param {AsyncIterable<any>} chunks @returns {import("../pregel/stream.js").RunStream} the same, read as fast as they come */
export function streamOf(chunks) {
  const stream = newStream();
  const read = async () => {
    for await (const chunk of chunks) stream.push(chunk);
  };
  read().then(() => stream.end(false), (error) => stream.end(true, error));
  return stream;
}
