// SPDX-License-Identifier: MIT
// Lets node code interrupt for a person and read its config, store, writer and input. The engine
// numbers and stores the interrupts.
import { ERR_NO_SAVER } from "../base/codes.js";
import { GraphInterrupt, _markInvalidResume, makeError } from "../base/errors.js";
import { currentConfig, hasStorage, scopeOf } from "../base/ambient.js";
import { askInterrupt, rejectAnswer } from "../run/tasks/engine-queries.js";
import { zodParse } from "../state/zod.js";
import { isZod, responseJson } from "./response-schema.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../run/tasks/task.js").NodeTask} NodeTask */
/** @typedef {import("../types/base/common-types.js").InterruptOptions} InterruptOptions */
/** @typedef {import("../base/callable.js").Value} Value */

/**
 * Makes LangGraph's error for a call outside of a graph.
 * @param {string} instead function of the node's second argument that works after an `await`
 */
function outside(instead) {
  const hint = hasStorage()
    ? ""
    : ` After an \`await\` without AsyncLocalStorage: call ${instead}, of the node's second argument.`;
  return new Error(`Called interrupt() outside the context of a graph.${hint}`);
}

/**
 * Returns the answer to the next interrupt of a task if the run was resumed with one, else throws
 * the interrupt.
 * @param {NodeTask} task
 * @param {unknown} value presented to the person
 * @param {InterruptOptions} [options]
 */
export function interruptTask(task, value, options) {
  const schema = options?.responseSchema;
  const answer = askInterrupt(task.run, task);
  if (answer.resume) {
    try {
      return isZod(schema) ? zodParse(schema, answer.value) : answer.value;
    } catch (error) {
      throw refuseAnswer(task, error);
    }
  }
  const asked = { id: answer.id, value };
  throw new GraphInterrupt([
    schema === undefined ? asked : { ...asked, response_schema: responseJson(schema) },
  ]);
}

/**
 * Takes back the answer that a task's last interrupt got: it can be answered again.
 * @template Reason
 * @param {import("../run/tasks/task.js").NodeTask} task @param {Reason} error
 * @returns {Reason} marked as the error of an invalid answer
 */
export function refuseAnswer(task, error) {
  rejectAnswer(task.run, task);
  _markInvalidResume(error);
  return error;
}

/**
 * Stops the node until the run is resumed with `new Command({ resume })`; then the node starts
 * again and this call returns the resume value.
 * @param {unknown} value presented to the person
 * @param {InterruptOptions} [options] a zod schema parses the answer, a JSON Schema is
 *   only presented
 * @returns {Value}
 */
export function interrupt(value, options) {
  const config = currentConfig();
  if (config === undefined) throw outside("runtime.interrupt");
  if (scopeOf(config) !== undefined) return config.interrupt(value, options);
  throw config.configurable
    ? makeError(ERR_NO_SAVER)
    : new Error("No configurable found in config");
}

/** Config of the running node, tool or lambda; undefined outside of one. @type {() => Value} */
export const getConfig = currentConfig;

/** @param {string} asking @param {Config | undefined} config @returns {Config} */
function requireConfig(asking, config) {
  const found = config ?? getConfig();
  if (found !== undefined) return found;
  throw new Error(
    "Config not retrievable. This is likely because you are running in an environment without support for AsyncLocalStorage.\n" +
      `If you're running \`${asking}\` in such environment, pass the \`config\` from the node function directly.`,
  );
}

/** @param {Config} [config] @returns {Value} store of the compiled graph or of the call */
export function getStore(config) {
  return requireConfig("getStore", config).store;
}

/**
 * @param {Config} [config]
 * @returns {((chunk: unknown) => void) | undefined} writes to the `custom` stream
 */
export function getWriter(config) {
  return requireConfig("getWriter", config).writer;
}

/** @param {unknown} chunk for the `custom` stream */
export function writer(chunk) {
  const config = getConfig();
  if (config === undefined) throw outside("config.writer");
  config.writer?.(chunk);
}

/** @param {Config} [config] @returns {Value} input of the running node */
export function getCurrentTaskInput(config) {
  const scope = scopeOf(requireConfig("getCurrentTaskInput", config));
  if (scope === undefined) throw new Error("BUG: internal scratchpad not initialized.");
  return scope.input;
}
