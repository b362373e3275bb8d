// SPDX-License-Identifier: MIT
// Describes a graph of channels and nodes to the engine, with LangGraph's rules for it, and how its
// nodes read and write. Does not depend on runs or stores.
import { TASK_WRITERS } from "../base/codes.js";
import { InvalidUpdateError } from "../base/errors.js";
import { isPromise } from "../base/callable.js";
import { channelDefinition, channelPart } from "./definition.js";
import { retryRule } from "./policies.js";
import { writePairs } from "./writes.js";
import { ChannelWrite, PregelNode } from "./low-level-node.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../run/tasks/entries.js").Entries} Entries */
/** @typedef {import("./definition.js").Plan} Plan */
/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("../base/callable.js").Value} Value */

/** @typedef {import("../graph/thread-state.js").GraphOptions} GraphOptions */
/** @typedef {import("../state/channels.js").BaseChannel} BaseChannel */
/**
 * Fields of a Pregel.
 * @typedef {Pick<GraphOptions, "name" | "checkpointer" | "store" | "cache" | "limits" |
 *   "interruptBefore" | "interruptAfter"> & { nodes: Record<string, PregelNode>, channels:
 *   Record<string, BaseChannel>, inputChannels: string | string[], outputChannels: string |
 *   string[], streamChannels?: string | string[], autoValidate?: boolean, debug?: boolean,
 *   stepTimeout?: number, retryPolicy?: unknown, streamMode?: string | string[], config?: Config,
 *   streamTransformers?: (() => unknown)[] }} PregelFields
 */

const TASKS = "__pregel_tasks";
const INTERRUPT = "__interrupt__";

class GraphValidationError extends Error {
  name = "GraphValidationError";
}

/** @param {string | string[]} keys @returns {string[]} */
function listOf(keys) {
  return Array.isArray(keys) ? keys : [keys];
}

/** @param {PregelFields} fields */
export function validate(fields) {
  const { nodes, channels } = fields;
  const subscribed = new Set();
  for (const [name, node] of Object.entries(nodes)) {
    if (name === INTERRUPT) throw new GraphValidationError(`"Node name ${INTERRUPT} is reserved"`);
    if (!(node instanceof PregelNode))
      throw new GraphValidationError(`Invalid node type ${typeof node}, expected PregelNode`);
    for (const trigger of node.triggers) subscribed.add(trigger);
  }
  for (const channel of subscribed) {
    if (!Object.hasOwn(channels, channel))
      throw new GraphValidationError(`Subscribed channel '${String(channel)}' not in channels`);
  }
  validateInput(fields.inputChannels, subscribed);
  for (const channel of [
    ...listOf(fields.outputChannels),
    ...listOf(fields.streamChannels ?? []),
  ]) {
    if (!Object.hasOwn(channels, channel))
      throw new GraphValidationError(`Output channel '${channel}' not in channels`);
  }
  for (const stops of [fields.interruptAfter, fields.interruptBefore]) {
    for (const name of Array.isArray(stops) ? stops : []) {
      if (!Object.hasOwn(nodes, name)) throw new GraphValidationError(`Node ${name} not in nodes`);
    }
  }
}

/** @param {string | string[]} input @param {Set<unknown>} subscribed */
function validateInput(input, subscribed) {
  if (!Array.isArray(input)) {
    if (!subscribed.has(input))
      throw new GraphValidationError(`Input channel ${input} is not subscribed to by any node`);
  } else if (input.every((channel) => !subscribed.has(channel))) {
    throw new GraphValidationError(
      `None of the input channels ${input} are subscribed to by any node`,
    );
  }
}

/**
 * @param {PregelFields} fields
 * @returns {import("./definition.js").Plan}
 */
export function lowLevelPlan(fields) {
  const { inputChannels, outputChannels } = fields;
  const channels = Object.entries(fields.channels).filter(([name]) => name !== TASKS);
  const keys = channels.map(([name]) => name);
  const parts = channels.map(([, channel]) => channelPart(channel));
  const nodes = Object.entries(fields.nodes);
  const shown = fields.streamChannels ?? keys;
  return {
    keys,
    channelNumbers: new Map(keys.map((key, number) => [key, number])),
    channels: parts,
    nodes: [phantom(), ...nodes.map(([name, node]) => nodePlan(name, node))],
    nodeNumbers: new Map(nodes.map(([name], number) => [name, number + 1])),
    inputKeys: new Set(listOf(inputChannels)),
    outputKeys: listOf(outputChannels),
    root: false,
    checkInput: undefined,
    checkField: undefined,
    checkContext: undefined,
    result: outputChannels,
    stream: shown,
    writeInput: (plan, entries, input) => writeInput(plan, inputChannels, entries, input),
    definition: {
      channels: channels.map(([name, channel], number) =>
        channelDefinition(name, channel, parts[number]),
      ),
      nodes: nodes.map(([name, node]) => nodeDefinition(name, node)),
      edges: [],
      joins: [],
      branches: [],
      output: listOf(shown).filter((name) => name !== TASKS),
      input: JSON.stringify(inputChannels, null, 2),
      inputNode: nodes.some(([name]) => name === inputChannels)
        ? /** @type {string} */ (inputChannels)
        : undefined,
      interruptBefore: /** @type {string[] | undefined} */ (fields.interruptBefore),
      interruptAfter: /** @type {string[] | undefined} */ (fields.interruptAfter),
    },
  };
}

/** Makes the unused entry of number 0, which is no node here. */
function phantom() {
  return { name: "__start__", branches: [] };
}

/**
 * Defines which channels a node needs before it runs: any of a list, or all of an object's that
 * trigger it.
 * @param {string} name
 * @param {PregelNode} node
 */
function nodeDefinition(name, node) {
  const { channels } = node;
  // A node that does nothing never runs.
  const triggers = node.write === undefined && node.getNode() === undefined ? [] : node.triggers;
  const isList = Array.isArray(channels);
  const reads = isList
    ? channels
    : Object.values(channels).filter((channel) => triggers.includes(channel));
  return {
    name,
    triggers,
    reads,
    all: isList ? undefined : true,
    cache: node.cachePolicy ? true : undefined,
  };
}

/** @param {string} name @param {PregelNode} node @returns {import("./definition.js").Node} */
function nodePlan(name, node) {
  return {
    name,
    call: (/** @type {unknown} */ input, /** @type {Config} */ config) =>
      node.bound.invoke(input, config),
    keys: undefined,
    read: reader(node),
    write:
      node.write ??
      ((/** @type {Scope} */ scope, /** @type {unknown} */ output) =>
        runWriters(writersOf(node, scope), scope, output, 0)),
    branches: [],
    metadata: node.metadata,
    tags: node.tags.length === 0 ? undefined : node.tags,
    retry: retryRule(node.retryPolicy),
    timeout: node.timeout,
    cachePolicy: node.cachePolicy,
    isHandled: false,
  };
}

/**
 * Returns a node's writers, which an update needs.
 * @param {PregelNode} node
 * @param {Scope} scope
 * @returns {unknown[]}
 */
function writersOf(node, { task, node: { name } }) {
  const writers = node.getWriters();
  if (writers.length === 0 && task.kind === TASK_WRITERS)
    throw new InvalidUpdateError(`No writers found for node "${name}"`);
  return writers;
}

/** @param {PregelNode} node @returns {(state: Record<string, unknown>) => unknown} */
function reader({ channels, mapper }) {
  const read = Array.isArray(channels)
    ? (/** @type {Record<string, unknown>} */ state) =>
        state[channels.find((channel) => Object.hasOwn(state, channel)) ?? ""]
    : (/** @type {Record<string, unknown>} */ state) => {
        const found = Object.entries(channels).filter(([, channel]) =>
          Object.hasOwn(state, channel),
        );
        return Object.fromEntries(found.map(([key, channel]) => [key, state[channel]]));
      };
  return mapper === undefined ? read : (state) => mapper(read(state));
}

/**
 * @param {Value[]} writers
 * @param {Scope} scope
 * @param {unknown} output
 * @param {number} from
 * @returns {void | Promise<void>}
 */
function runWriters(writers, scope, output, from) {
  for (let i = from; i < writers.length; i++) {
    const writer = writers[i];
    const wait =
      writer instanceof ChannelWrite
        ? writer.write(scope, output)
        : writer.invoke(output, scope.config);
    if (isPromise(wait)) return wait.then(() => runWriters(writers, scope, output, i + 1));
  }
}

/**
 * @param {Plan} plan
 * @param {string | string[]} keys
 * @param {Entries} entries
 * @param {Value} input
 */
function writeInput(plan, keys, entries, input) {
  if (!Array.isArray(keys)) return writePairs(plan, { writes: entries }, [[keys, input]]);
  if (typeof input !== "object" || Array.isArray(input))
    throw new Error('Input chunk must be an object when "inputChannels" is an array');
  for (const key of Object.keys(input)) {
    if (keys.includes(key)) writePairs(plan, { writes: entries }, [[key, input[key]]]);
    else console.warn(`Input channel ${key} not found`);
  }
}
