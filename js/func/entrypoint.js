// SPDX-License-Identifier: MIT
// Implements entrypoint() of the functional API: a graph of one node whose returned and saved
// values may differ. Does not depend on tasks or on how runs proceed.
import { tracePart } from "../callbacks/trace.js";
import { END, START } from "../base/constants.js";
import { checkArgument, hasText, isObject, refuseUnknown } from "../base/check-arguments.js";
import { EphemeralValue, LastValue } from "../state/channels.js";
import { writePairs } from "../plan/writes.js";
import { currentConfig, scopeOf } from "../base/ambient.js";
import { Pregel } from "../graph/pregel.js";
import { PregelNode } from "../plan/low-level-node.js";
import { RunnableCallable } from "../runnable/runnable.js";
import { checkWork } from "./task.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../plan/low-level.js").PregelFields} PregelFields */
/**
 * @typedef {Pick<PregelFields, "checkpointer" | "store" | "cache" | "limits"> & { name: string,
 *   timeout?: number | import("../base/constants.js").TimeoutPolicy }} Options
 */
/** @typedef {{ value?: unknown, save?: unknown, __lg_type: string }} Final */

const PREVIOUS = "__previous__";
const OPTIONS = ["name", "checkpointer", "store", "cache", "limits", "timeout"];
const FINAL = "__pregel_final";

/** @param {unknown} value @returns {value is Final} */
function isFinal(value) {
  const given = /** @type {Partial<Final> | null} */ (value);
  return typeof given === "object" && given !== null && given.__lg_type === FINAL;
}

/** @param {Scope} scope @param {unknown} output @returns {void | Promise<void>} */
function writeEnd(scope, output) {
  const { value, save } = isFinal(output) ? output : { value: output, save: output };
  const write = () =>
    writePairs(scope.plan, scope.task, [
      [END, value],
      [PREVIOUS, save],
    ]);
  if (scope.trace === undefined) return write();
  return tracePart(scope, "pluckReturnValue", output, value)
    .then(() => tracePart(scope, "pluckSaveValue", output, save))
    .then(write);
}

/**
 * Makes a workflow: an async function that runs, is saved and resumes like a graph.
 * @param {string | Record<string, unknown>} optionsOrName
 * @param {(input: unknown, config: unknown) => unknown} func
 * @returns {unknown}
 */
export function entrypoint(optionsOrName, func) {
  checkArgument(
    typeof optionsOrName === "string" || isObject(optionsOrName),
    "entrypoint(options, func): options must be a name or an object with a name",
  );
  const options = typeof optionsOrName === "string" ? { name: optionsOrName } : optionsOrName;
  refuseUnknown(options, "entrypoint(options, func)", OPTIONS);
  const { name, checkpointer, store, cache, limits, timeout } = /** @type {Options} */ (options);
  checkArgument(hasText(name), "entrypoint(options, func): the name must be a text");
  checkWork(func, "entrypoint");
  const bound = Object.assign(new RunnableCallable(func, name), {
    invoke: (/** @type {unknown} */ input, /** @type {Config} */ config) => func(input, config),
  });
  const node = new PregelNode({ bound, triggers: [START], channels: [START], timeout });
  node.write = writeEnd;
  return new Pregel({
    name,
    checkpointer,
    store,
    cache,
    limits,
    nodes: { [name]: node },
    channels: {
      [START]: new EphemeralValue(),
      [END]: new LastValue(),
      [PREVIOUS]: new LastValue(),
    },
    inputChannels: START,
    outputChannels: END,
    streamChannels: END,
    streamMode: "updates",
  });
}

/**
 * Separates the value for the caller from the value saved for the thread's next run.
 * @param {{ value?: unknown, save?: unknown }} options
 */
entrypoint.final = (options) => {
  checkArgument(
    isObject(options),
    "entrypoint.final(options): options must be an object, as { value, save }",
  );
  return { value: options.value, save: options.save, __lg_type: FINAL };
};

/** @returns {Value} value saved by the last run of this thread, or undefined */
export function getPreviousState() {
  const config = currentConfig();
  if (config === undefined)
    throw new Error("Called getPreviousState() outside the context of an entrypoint.");
  return scopeOf(config)?.task.run.readState()[PREVIOUS];
}
