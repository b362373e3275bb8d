// SPDX-License-Identifier: MIT
// Converts an output to writes to the state, from every form that LangGraph accepts, and checks
// them before. Does not depend on where a task goes next (node-task.js) or on the writes' effects,
// which the engine decides.
import {
  Command,
  START,
  isCommand,
  isOverwrite,
  isSend,
  overwriteValue,
  updateTuples,
  PARENT,
} from "../base/constants.js";
import { InvalidUpdateError } from "../base/errors.js";
import { isPromise } from "../base/callable.js";

/** @typedef {import("../run/tasks/entries.js").Entries} Entries */
/**
 * A task, or the input of a graph, which has no run.
 * @typedef {{ writes: Entries, raw?: [channel: number, value: unknown][], run?:
 *   import("../run/run.js").Run }} Task
 */
/** @typedef {import("./definition.js").Plan} Plan */
/** @typedef {import("./definition.js").Node} Node */
/** @typedef {Array<[string, unknown]>} Pairs */

/**
 * @param {Plan} plan
 * @param {Node} node
 * @param {Task} task
 * @param {unknown} output
 * @returns {void | Promise<void>} a promise if a schema is asynchronous
 */
export function writeOutput(plan, node, task, output) {
  if (plan.checkField === undefined) return visit(plan, node, task, output, undefined);
  /** @type {Pairs} */
  const pairs = [];
  visit(plan, node, task, output, pairs);
  return writeChecked(plan, task, pairs, 0);
}

/**
 * @param {Plan} plan
 * @param {Node} node
 * @param {Task} task
 * @param {unknown} output
 * @param {Pairs | undefined} pairs collects writes to be checked
 */
function visit(plan, node, task, output, pairs) {
  if (plan.root ? output === undefined || output === null : !output) return;
  if (isCommand(output)) {
    if (output.graph === PARENT || output.update === undefined || output.update === null) return;
    const update =
      typeof output._updateAsTuples === "function"
        ? output._updateAsTuples()
        : updateTuples(output.update);
    for (const [key, value] of update) put(plan, task, key, value, pairs);
  } else if (Array.isArray(output) && output.some(isCommand)) {
    for (const item of output) visit(plan, node, task, item, pairs);
  } else if (plan.root) {
    if (!isSend(output)) put(plan, task, plan.keys[0], output, pairs);
  } else if (typeof output === "object" && output !== null && !Array.isArray(output)) {
    if (!isSend(output)) visitObject(plan, node, task, output, pairs);
  } else {
    const got = Array.isArray(output) ? "array" : typeof output;
    throw new InvalidUpdateError(
      `Expected node "${node.name}" to return an object or an array containing at least one Command object, received ${got}`,
      { lc_error_code: "INVALID_GRAPH_NODE_RETURN_VALUE" },
    );
  }
}

/**
 * @param {Plan} plan
 * @param {Node} node
 * @param {Task} task
 * @param {object} output
 * @param {Pairs | undefined} pairs
 */
function visitObject(plan, node, task, output, pairs) {
  const isInput = node.name === START;
  for (const key in output) {
    if (isInput && !plan.inputKeys.has(key)) continue;
    if (Object.hasOwn(output, key))
      put(plan, task, key, /** @type {Record<string, unknown>} */ (output)[key], pairs);
  }
}

/**
 * @param {Plan} plan
 * @param {Task} task
 * @param {string} key
 * @param {unknown} value
 * @param {Pairs | undefined} pairs
 */
function put(plan, task, key, value, pairs) {
  if (pairs === undefined) writeKey(plan, task, key, value);
  else if (plan.channelNumbers.has(key)) pairs.push([key, value]);
}

/**
 * @param {Plan} plan
 * @param {Task} task
 * @param {Pairs} pairs
 * @param {number} from
 * @returns {void | Promise<void>}
 */
function writeChecked(plan, task, pairs, from) {
  const check = /** @type {NonNullable<Plan["checkField"]>} */ (plan.checkField);
  for (let i = from; i < pairs.length; i++) {
    const [key, value] = pairs[i];
    const checked = check(key, value);
    if (isPromise(checked)) {
      return checked.then((made) => {
        writeKey(plan, task, key, made);
        return writeChecked(plan, task, pairs, i + 1);
      });
    }
    writeKey(plan, task, key, checked);
  }
}

/**
 * Writes values without checks; ignores keys that are not the state's. What a task writes before it
 * returns is streamed before its output.
 * @param {Plan} plan
 * @param {Task} task
 * @param {Pairs} pairs
 */
export function writePairs(plan, task, pairs) {
  if (task.run?.request.context?.wantsUpdates) task.raw ??= [];
  for (const [key, value] of pairs) writeKey(plan, task, key, value);
}

/**
 * @param {Plan} plan
 * @param {Task} task
 * @param {string} key
 * @param {unknown} value
 */
function writeKey(plan, task, key, value) {
  const channel = plan.channelNumbers.get(key);
  if (channel === undefined) return;
  task.raw?.push([channel, value]);
  const entries = task.writes;
  const part = plan.channels[channel];
  if (part.reducer !== undefined && isOverwrite(value))
    entries.overwrite(
      channel,
      part.fold === undefined
        ? overwriteValue(value)
        : (overwriteValue(value) ?? part.makeDefault?.()),
    );
  else if (part.isTopic) entries.items(channel, value);
  else if (part.isMessages)
    entries.messages(channel, Array.isArray(value) ? value : [value], !Array.isArray(value));
  else entries.write(channel, value);
}

/**
 * Checks the input of a graph, or the update of a Command, before anything else happens.
 * @param {Plan} plan
 * @param {unknown} input
 * @returns {unknown} a copy with its fields parsed, or a promise of it
 */
export function checkCall(plan, input) {
  const { checkInput } = plan;
  // A Command from the network is a plain object.
  if (isCommand(input) && typeof input._updateAsTuples !== "function")
    return checkCall(plan, new Command(input));
  if (checkInput === undefined || input === null || input === undefined) return input;
  if (!isCommand(input)) return checkInput(input);
  if (!input.update) return input;
  const given = Array.isArray(input.update) ? Object.fromEntries(input.update) : input.update;
  const checked = checkInput(given);
  const withUpdate = (/** @type {unknown} */ parsed) => {
    const update = Object.fromEntries(
      Object.keys(given).map((key) => [key, /** @type {Record<string, unknown>} */ (parsed)[key]]),
    );
    return Object.assign(Object.create(Object.getPrototypeOf(input)), input, { update });
  };
  return isPromise(checked) ? checked.then(withUpdate) : withUpdate(checked);
}
