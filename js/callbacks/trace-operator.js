// SPDX-License-Identifier: MIT
// Reports runs to the callbacks of a call, with start, output and end, as LangChain's Runnables do,
// and those of Runnables composed of others. Does not depend on how they work (operators.js).
import { managerOf } from "./manager.js";
import { fieldsOf } from "./notify-handlers.js";
import { withTracedKeys } from "./tracing.js";
import { sumOf } from "../base/chunks.js";

/** @typedef {import("./manager.js").CallbackManager} CallbackManager */
/** @typedef {import("./manager.js").ReportedRun} ReportedRun */
/** @typedef {import("../runnable/runnable.js").Runnable} Runnable */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/**
 * Makes the config of a part; `tag`: its place in the whole.
 * @typedef {(tag?: string) => Config | undefined} PartConfig
 */

/**
 * Makes the config of a part; a run's name and id are those of the whole.
 * @param {Config | undefined} config
 * @param {unknown} [callbacks]
 */
export function partConfig(config, callbacks = config?.callbacks) {
  return config === undefined
    ? undefined
    : { ...config, callbacks, runName: undefined, runId: undefined };
}

/**
 * Reports the start of a run.
 * @param {CallbackManager} manager
 * @param {unknown} chain what runs, as JSON
 * @param {unknown} input
 * @param {string} [name]
 * @param {string} [runId]
 * @param {unknown} [extra] for LangChain's tracers
 */
export function begin(manager, chain, input, name, runId, extra) {
  return manager.handleChainStart(
    chain,
    fieldsOf(input, "input"),
    runId,
    undefined,
    undefined,
    undefined,
    name,
    undefined,
    extra,
  );
}

/** Returns the listeners of a call, if any. @param {Config | undefined} config */
export function listenersIn(config) {
  const manager = managerOf(withTracedKeys(config?.callbacks, config))?.copy();
  manager?.addTags([...(config?.tags ?? [])]);
  manager?.addMetadata(config?.metadata ?? {});
  return manager;
}

/** @param {ReportedRun} run @param {Config | undefined} config @returns {PartConfig} */
function partsOf(run, config) {
  return (tag) => partConfig(config, run.getChild(tag));
}

/**
 * Reports the end of a run, or its error.
 * @template Result
 * @param {ReportedRun} run
 * @param {() => Promise<Result>} work
 * @param {(output: Result) => unknown} [shape] makes the output for listeners
 * @returns {Promise<Result>} the result of `work`
 */
export async function tellRun(run, work, shape = (output) => fieldsOf(output, "output")) {
  try {
    const output = await work();
    await run.handleChainEnd(shape(output));
    return output;
  } catch (error) {
    await run.handleChainError(error);
    throw error;
  }
}

/**
 * Traces one call from its start to its end.
 * @param {Runnable} self a Runnable
 * @param {unknown} inputs
 * @param {Config | undefined} config
 * @param {string | undefined} name
 * @param {(part: PartConfig) => Promise<unknown>} work
 * @param {(output: unknown) => unknown} [shape] makes the output for listeners
 * @returns {Promise<unknown>} the result of `work`
 */
export async function tellCall(self, inputs, config, name, work, shape) {
  const manager = listenersIn(config);
  if (manager === undefined) return work(() => partConfig(config));
  const run = await begin(manager, self.toJSON(), inputs, name, config?.runId);
  return tellRun(run, () => work(partsOf(run, config)), shape);
}

/** Sums chunks as they pass; the sum is undefined if they do not add up. */
class Sum {
  /** @type {unknown[]} */
  #chunks = [];

  /** @param {AsyncIterable<unknown>} chunks */
  async *of(chunks) {
    for await (const chunk of chunks) {
      this.#chunks.push(chunk);
      yield chunk;
    }
  }

  async get() {
    return sumOf(this.#chunks).catch(() => undefined);
  }
}

/**
 * Traces a call that yields chunks for one input.
 * @param {Runnable} self
 * @param {unknown} input
 * @param {Config | undefined} config
 * @param {(part: PartConfig) => AsyncIterable<unknown>} work
 * @param {(sum: unknown) => unknown} [shape] makes the output for listeners
 */
export async function* tellStream(self, input, config, work, shape = (sum) => sum) {
  const manager = listenersIn(config);
  if (manager === undefined) return yield* work(() => partConfig(config));
  const run = await begin(manager, self.toJSON(), input, config?.runName, config?.runId);
  const sum = new Sum();
  try {
    yield* sum.of(work(partsOf(run, config)));
  } catch (error) {
    await run.handleChainError(error);
    throw error;
  }
  await run.handleChainEnd(fieldsOf(shape(await sum.get()), "output"));
}

/**
 * Traces a call that transforms chunks: starts with the first one, and reports the input at the
 * end.
 * @param {Runnable} self
 * @param {AsyncIterable<unknown>} chunks
 * @param {Config | undefined} config
 * @param {(chunks: AsyncIterable<unknown>, part: PartConfig) => AsyncIterable<unknown>} work
 */
export async function* tellChunks(self, chunks, config, work) {
  const manager = listenersIn(config);
  if (manager === undefined) return yield* work(chunks, () => partConfig(config));
  const source = chunks[Symbol.asyncIterator]();
  const first = await source.next();
  const name = config?.runName ?? self.getName();
  const run = await begin(manager, self.toJSON(), "", name, config?.runId, {
    lc_defers_inputs: true,
  });
  const [taken, given] = [new Sum(), new Sum()];
  const rest = async function* () {
    for (let chunk = first; !chunk.done; chunk = await source.next()) yield chunk.value;
  };
  const told = async () => ({ inputs: fieldsOf(await taken.get(), "input") });
  let made = work(taken.of(rest()), partsOf(run, config));
  for (const handler of run.handlers) made = handler.tapOutputIterable?.(run.runId, made) ?? made;
  try {
    yield* given.of(made);
  } catch (error) {
    await run.handleChainError(error, undefined, undefined, undefined, await told());
    throw error;
  }
  await run.handleChainEnd(
    (await given.get()) ?? {},
    undefined,
    undefined,
    undefined,
    await told(),
  );
}
