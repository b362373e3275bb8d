// SPDX-License-Identifier: MIT
// Runs Runnables composed of others (sequences, maps, bindings, retries, fallbacks), each kind as
// LangChain does. Their classes are in runnable.js.
import { newStream, stoppedWith } from "../streams/chunk-stream.js";
import { mergeConfigs } from "../base/merge-configs.js";
import { isIterator, merge, once, sumOf } from "../base/chunks.js";
import { watchRun } from "./listeners.js";
import { partConfig, tellCall, tellChunks, tellStream } from "../callbacks/trace-operator.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/**
 * @typedef {{ invoke: (self: Value, input: Value, config?: Config) => Value, stream?: (self: Value,
 *   input: unknown, config?: Config) => AsyncIterable<unknown>, transform?: (self: Value, chunks:
 *   AsyncIterable<unknown>, config?: Config) => AsyncIterable<unknown> }} Work
 */

const RETRY_MS = 1000;

/**
 * @param {Value} runnable Weft's or LangChain's
 * @param {AsyncIterable<unknown>} chunks
 * @param {Config} [config]
 * @returns {AsyncIterable<unknown>}
 */
function transformWith(runnable, chunks, config) {
  if (runnable.lg_is_pregel === true)
    return transformFrom(chunks, (sum) => runnable.stream(sum, config));
  return typeof runnable.transform === "function"
    ? runnable.transform(chunks, config)
    : transformFrom(chunks, (sum) => streamBound(runnable, sum, config ?? {}));
}

/**
 * @param {AsyncIterable<unknown>} chunks
 * @param {(sum: unknown) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>} stream
 */
async function* transformFrom(chunks, stream) {
  yield* await stream(await sumOf(chunks));
}

/** @param {any} bound @param {unknown} input @param {Config} config */
function streamBound(bound, input, config) {
  return typeof bound.stream === "function"
    ? bound.stream(input, config)
    : once(bound.invoke(input, config));
}

/** @type {Work} */
const sequence = {
  invoke: (self, input, config) =>
    tellCall(self, input, config, config?.runName, async (part) => {
      let value = input;
      for (const [index, step] of self.steps.entries()) {
        value = await step.invoke(value, part(`seq:step:${index + 1}`));
        config?.signal?.throwIfAborted();
      }
      return value;
    }),
  stream: (self, input, config) =>
    tellStream(self, input, config, (part) => through(self.steps, once(input), part)),
  transform: ({ steps }, chunks, config) => through(steps, chunks, () => partConfig(config)),
};

/**
 * @param {Value[]} steps
 * @param {AsyncIterable<unknown>} chunks
 * @param {import("../callbacks/trace-operator.js").PartConfig} part
 */
async function* through(steps, chunks, part) {
  yield* steps.reduce(
    (stream, step, index) => transformWith(step, stream, part(`seq:step:${index + 1}`)),
    chunks,
  );
}

/** @type {Work} */
const callable = {
  async invoke({ func }, input, config) {
    const whole = { tags: [], metadata: {}, recursionLimit: 25, configurable: {}, ...config };
    const given = await func(input, whole);
    return given?.lc_runnable === true ? given.invoke(input, whole) : given;
  },
};

/** @type {Work} */
const lambda = {
  invoke: (self, input, config) =>
    tellCall(self, input, config, nameOf(self, config), async (part) => {
      const inside = config?.callbacks ? part() : config;
      const output = await self.func(input, inside ?? {});
      if (output?.lc_runnable === true) return output.invoke(input, partConfig(inside));
      return isIterator(output) ? sumOf(output) : output;
    }),
  stream: (self, input, config) => self.transform(once(input), config),
  transform: (self, chunks, config) =>
    tellChunks(self, chunks, config, async function* (given, part) {
      const input = await sumOf(given);
      const inside = config?.callbacks ? part() : config;
      const output = await self.func(input, inside ?? {});
      if (output?.lc_runnable === true) yield* await output.stream(input, partConfig(inside));
      else if (isIterator(output)) yield* output;
      else yield output;
    }),
};

/** @param {Value} self @param {Config | undefined} config @returns {string} */
function nameOf(self, config) {
  return config?.runName ?? self.getName();
}

/** @type {Work} */
const map = {
  invoke: (self, input, config) =>
    tellCall(
      self,
      { input },
      config,
      config?.runName,
      async (part) => {
        const call = async (/** @type {[string, Value]} */ [key, step]) => [
          key,
          await step.invoke(input, part(`map:key:${key}`)),
        ];
        return Object.fromEntries(await Promise.all(Object.entries(self.steps).map(call)));
      },
      (output) => output,
    ),
  stream: (self, input, config) => self.transform(once(input), config),
  transform: (self, chunks, config) =>
    tellChunks(self, chunks, config, async function* (given, part) {
      const input = await sumOf(given);
      yield* merge(
        Object.entries(self.steps).map(([key, step]) => [
          key,
          transformWith(step, once(input), part(`map:key:${key}`)),
        ]),
      );
    }),
};

/** @type {Work} */
const assign = {
  async invoke({ mapper }, input, config) {
    return { ...input, ...(await mapper.invoke(input, config)) };
  },
  transform: (self, chunks, config) =>
    tellChunks(self, chunks, config, async function* (given, part) {
      const { mapper } = self;
      const seen = [];
      for await (const chunk of given) {
        seen.push(chunk);
        const passed = Object.entries(/** @type {object} */ (chunk)).filter(
          ([key]) => !Object.hasOwn(mapper.steps, key),
        );
        if (passed.length > 0) yield Object.fromEntries(passed);
      }
      yield* mapper._streamIterator(await sumOf(seen), part());
    }),
};

/** @param {string | string[]} keys @param {Value} input */
function pickOf(keys, input) {
  if (typeof keys === "string") return input[keys];
  const picked = keys.map((key) => [key, input[key]]).filter(([, value]) => value !== undefined);
  return picked.length === 0 ? undefined : Object.fromEntries(picked);
}

/** @type {Work} */
const pick = {
  invoke: (self, input, config) =>
    tellCall(self, input, config, nameOf(self, config), async () => pickOf(self.keys, input)),
  transform: (self, chunks, config) =>
    tellChunks(self, chunks, config, async function* (given) {
      for await (const chunk of given) {
        const picked = pickOf(self.keys, chunk);
        if (picked !== undefined) yield picked;
      }
    }),
};

/**
 * @param {Value} self
 * @param {unknown} input
 * @param {Config | undefined} config
 * @param {(config: Config) => unknown} run
 * @returns {Promise<Value>}
 */
async function watch(self, input, config, run) {
  const merged = mergeConfigs(self.config, config);
  return self.listeners === undefined
    ? run(merged)
    : watchRun(self.listeners, self.getName(), input, merged, run);
}

/** @type {Work} */
const binding = {
  invoke: (self, input, config) =>
    watch(self, input, config, (merged) => self.bound.invoke(input, merged)),
  async *stream(self, input, config) {
    yield* await watch(self, input, config, (merged) => streamBound(self.bound, input, merged));
  },
};

/** @type {Work} */
const retry = {
  ...binding,
  invoke: (self, input, config) =>
    watch(self, input, config, (merged) =>
      tellCall(self, input, merged, nameOf(self, merged), (part) =>
        attempts(self, input, merged, part),
      ),
    ),
};

/**
 * @param {Value} self
 * @param {unknown} input
 * @param {Config} config
 * @param {import("../callbacks/trace-operator.js").PartConfig} part
 */
async function attempts(self, input, config, part) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await self.bound.invoke(
        input,
        config.callbacks ? part(attempt > 1 ? `retry:attempt:${attempt}` : undefined) : config,
      );
    } catch (error) {
      await self.onFailedAttempt(error, input);
      if (error instanceof TypeError || attempt >= self.maxAttemptNumber) throw error;
      await new Promise((resolve) =>
        setTimeout(resolve, RETRY_MS * (1 + Math.random()) * 2 ** (attempt - 1)),
      );
      config.signal?.throwIfAborted();
    }
  }
}

/**
 * @param {Value} self
 * @param {Config | undefined} config
 * @param {(runnable: Value) => Promise<any>} run
 */
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
  invoke: (self, input, config) =>
    tellCall(self, input, config, config?.runName, (part) =>
      firstThatWorks(self, config, (runnable) => runnable.invoke(input, part())),
    ),
  stream: (self, input, config) =>
    tellStream(
      self,
      input,
      config,
      async function* (part) {
        const [first, rest] = await firstThatWorks(self, config, async (runnable) => {
          const chunks = (await runnable.stream(input, part()))[Symbol.asyncIterator]();
          return [await chunks.next(), chunks];
        });
        for (let chunk = first; !chunk.done; chunk = await rest.next()) yield chunk.value;
      },
      () => undefined,
    ), // LangChain does not trace the output
};

/**
 * Returns the steps of LangChain's RunnableToolLike: one that takes the arguments of a tool call,
 * then the Runnable.
 * @param {Value} self
 * @returns {unknown}
 */
function toolSteps({ bound, name }) {
  const json = (/** @type {string} */ kind) => ({
    lc: 1,
    type: "not_implemented",
    id: ["langchain_core", "runnables", kind],
  });
  const parse = {
    func: (/** @type {Value} */ input) => (input?.type === "tool_call" ? input.args : input),
    getName: () => `${name}:parse_input`,
    toJSON: () => json("RunnableLambda"),
  };
  const step = {
    invoke: (/** @type {unknown} */ input, /** @type {Value} */ config) =>
      lambda.invoke(parse, input, config),
    transform: (/** @type {Value} */ chunks, /** @type {Value} */ config) =>
      lambda.transform?.(parse, chunks, config),
  };
  return { steps: [step, bound], toJSON: () => json("RunnableSequence") };
}

/** @type {Work} */
const tool = {
  invoke: (self, input, config) =>
    watch(self, input, config, (merged) =>
      sequence.invoke(toolSteps(self), input, { runName: self.name, ...merged }),
    ),
  async *stream(self, input, config) {
    yield* await watch(self, input, config, (merged) =>
      sequence.stream?.(toolSteps(self), input, { runName: self.name, ...merged }),
    );
  },
};

/** Work by name of class. @type {Record<string, Work>} */
const KINDS = {
  RunnableSequence: sequence,
  RunnableLambda: lambda,
  RunnableCallable: callable,
  RunnableMap: map,
  RunnableAssign: assign,
  RunnablePick: pick,
  RunnableBinding: binding,
  RunnableRetry: retry,
  RunnableWithFallbacks: fallbacks,
  RunnableToolLike: tool,
};

/**
 * @param {Value} self
 * @param {unknown} input
 * @param {Config} [config]
 * @returns {Promise<unknown>}
 */
export function invokeMade(self, input, config) {
  return KINDS[self._work].invoke(self, input, config);
}

/**
 * @param {Value} self
 * @param {unknown} input
 * @param {Config} [config]
 * @returns {AsyncIterable<unknown>} the chunks for one input
 */
export function streamMade(self, input, config) {
  const { stream } = KINDS[self._work];
  return stream === undefined ? once(self.invoke(input, config)) : stream(self, input, config);
}

/**
 * @param {Value} self
 * @param {AsyncIterable<unknown>} chunks of the input
 * @param {Config} [config]
 * @returns {AsyncIterable<unknown>}
 */
export function transformAny(self, chunks, config) {
  const transform = KINDS[self._work]?.transform;
  return transform === undefined
    ? transformFrom(chunks, (sum) => self._streamIterator(sum, config))
    : transform(self, chunks, config);
}

/**
 * Streams chunks, read as fast as they arrive, until the reader leaves.
 * @param {Config | undefined} config
 * @param {(config: Config) => AsyncIterable<unknown>} work makes the chunks
 * @returns {import("../streams/chunk-stream.js").RunStream}
 */
export function streamOf(config, work) {
  const stream = newStream();
  const read = async () => {
    for await (const chunk of work(stoppedWith(stream, config))) {
      if (stream.signal.aborted) break;
      stream.push(chunk);
    }
  };
  read().then(
    () => stream.end(false),
    (error) => stream.end(true, error),
  );
  return stream;
}
