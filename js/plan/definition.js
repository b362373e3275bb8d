// SPDX-License-Identifier: MIT
// Describes a built graph to the engine, with the numbers that both sides derive from it
// (wasm/README.md). Owns the plan: everything about nodes, channels and branches that is known
// before a run. Does not depend on runs or stores.
import { END, ROOT, START, STATE_VERSION } from "../base/constants.js";
import { messagesStateReducer } from "../state/messages-reducer.js";
import { retryRule, withDefaults } from "./policies.js";
import { makeLive, savedOf } from "../state/custom-channels.js";
import { callOf, isPlain } from "../runnable/runnable.js";
import { subgraphOf } from "./subgraphs.js";

/** @typedef {import("../state/channels.js").BaseChannel} BaseChannel */
/** @typedef {import("../state/custom-channels.js").OwnChannel} OwnChannel */
/** @typedef {import("../calls/call.js").CallContext} CallContext */
/** @typedef {import("../run/tasks/entries.js").Entries} Entries */
/** @typedef {import("../graph/state-graph.js").NodeSpec} NodeSpec */
/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("../graph/state-graph.js").StateGraph} StateGraph */
/**
 * @typedef {import("../run/graph.js").ChannelPart & { isMessages: boolean, isTopic?: boolean }}
 *   ChannelPart
 */

/** @typedef {"*" | string | string[] | null | undefined} NodeNames a string: names of a letter */

/**
 * What a plan reads of a channel of any class.
 * @typedef {{ kind?: string, value?: unknown, initialValueFactory?: () => unknown, operator?:
 *   (left: unknown, right: unknown) => unknown, fold?: (left: unknown, writes: unknown[]) =>
 *   unknown }} Channel
 */

/** Number of END as a destination. */
export const END_INDEX = 0xffffffff;
/**
 * A destination that is no node: a conditional edge that names one fails; a Command's is ignored,
 * as LangGraph writes to a channel that does not exist.
 */
export const NOWHERE = -1;

/** @typedef {import("../graph/compiled.js").Compiled} Compiled */
/** @typedef {import("../run/graph.js").GraphDefinition} GraphDefinition */
/**
 * @typedef {{ keyFunc?: (input: unknown[]) => string | Uint8Array, ttl?: number }} CachePolicy
 */
/** @typedef {import("../base/callable.js").Call} Call */
/**
 * @typedef {{ index: number, path: Call, isPlain: boolean, labels: Map<string, number> | undefined
 *   }} Branch
 */
/**
 * @typedef {{ name: string, call?: Call, keys?: string[] | typeof ROOT, branches: Branch[],
 *   metadata?: Record<string, unknown>, tags?: string[], retry?:
 *   import("../run/tasks/attempt-timers.js").RetryRule | undefined, timeout?:
 *   import("../run/tasks/attempt-timers.js").TimeoutRule | undefined, cachePolicy?: CachePolicy,
 *   tracePolicy?: unknown, isHandled?: boolean, isMade?: boolean, isAside?: boolean, place?:
 *   number, inside?: Compiled, read?: (state: Record<string, unknown>) => unknown, write?: (scope:
 *   Scope, output: unknown) => void | Promise<void> }} Node `place`: of a tool node's call
 *   (calls.js)
 */
/**
 * @typedef {object} Plan
 * @property {string[]} keys the state's keys, in the order of their numbers
 * @property {Record<string, import("../state/managed.js").ManagedValue>} [managed]
 * @property {Map<string, number>} channelNumbers
 * @property {ChannelPart[]} channels
 * @property {Node[]} nodes by number, START first
 * @property {{ channel: number, number: number }} [version] of the state's shape, and the channel
 *   that stores it
 * @property {Record<string, import("../graph/compiled-state-graph.js").ShownNode>} [shown] the
 *   nodes as returned to the user, who may have changed what they do
 * @property {boolean} [isMade] is a node a Runnable composed of others? Known after the first call
 * @property {boolean} [isWatched] has a node a retry policy or a timeout? Known after the first
 *   call
 * @property {Map<string, number>} nodeNumbers
 * @property {Set<string>} inputKeys
 * @property {string[]} outputKeys
 * @property {boolean} root is the state one value, not an object?
 * @property {((input: unknown) => unknown) | undefined} checkInput
 * @property {((key: string, value: unknown) => unknown) | undefined} checkField
 * @property {((context: CallContext) => void) | undefined} checkContext
 * @property {object} [asks] definitions of interrupts by name, for `runtime.interrupt`
 * @property {string | string[]} [result] low-level graphs, and states of one value: the channels
 *   that a call returns; a single name: its bare value
 * @property {string | string[]} [stream] low-level graphs: the channels of streams and snapshots
 * @property {(plan: Plan, entries: Entries, input: unknown) => void} [writeInput] low-level graphs
 * @property {GraphDefinition} definition
 */

/**
 * @param {StateGraph} builder a StateGraph
 * @param {{ interruptBefore?: NodeNames, interruptAfter?: NodeNames, stateVersion?: number }}
 *   options
 * @returns {Plan}
 */
export function makePlan(builder, options) {
  const shown = Object.keys(builder.channels);
  const isVersioned = options.stateVersion !== undefined;
  /** @type {Record<string, BaseChannel>} */
  const all = isVersioned
    ? { ...builder.channels, [STATE_VERSION]: /** @type {BaseChannel} */ ({ kind: "last" }) }
    : builder.channels;
  const keys = Object.keys(all);
  const specs = withDefaults(builder.nodes, builder.nodeDefaults);
  const nodeNames = [START, ...Object.keys(specs)];
  const nodeNumbers = new Map(nodeNames.map((name, number) => [name, number]));
  const channels = keys.map((key) => channelPart(all[key]));
  /** @type {GraphDefinition["branches"]} */
  const branches = [];
  const perSource = readBranches(builder, nodeNumbers, branches);
  const allKeys = keys.length;
  const outputKeys = Object.keys(builder._outputDefinition);
  const root = isRoot(shown);
  const nodes = nodeNames.map((name) =>
    nodePlan(name, specs[name], builder, perSource.get(name) ?? [], allKeys),
  );
  return {
    keys,
    managed: Object.keys(builder.managed).length === 0 ? undefined : builder.managed,
    channelNumbers: new Map(keys.map((key, number) => [key, number])),
    channels,
    nodes,
    nodeNumbers,
    inputKeys: new Set(Object.keys(builder._inputDefinition)),
    outputKeys,
    root,
    result: isRoot(outputKeys) ? ROOT : undefined,
    stream: root ? ROOT : undefined,
    version: isVersioned
      ? { channel: shown.length, number: Number(options.stateVersion) }
      : undefined,
    checkInput: builder._checkInput,
    checkField: builder._checkField,
    checkContext: builder._checkContext,
    asks: builder._given.interrupt,
    definition: {
      channels: keys.map((key, number) => channelDefinition(key, all[key], channels[number])),
      nodes: Object.entries(specs).map(([name, node]) => nodeDefinition(name, node)),
      edges: [...builder.edges].map(
        (edge) => /** @type {[string, string]} */ (edge.map((name) => name ?? `${name}`)),
      ),
      // A duplicate counts once.
      joins: [
        ...new Map(
          [...builder.waitingEdges]
            .filter(([starts]) => starts.length > 0)
            .map((join) => [JSON.stringify(join), join]),
        ).values(),
      ],
      branches,
      output: shown,
      interruptBefore: lettersOf(options.interruptBefore, nodeNumbers),
      interruptAfter: lettersOf(options.interruptAfter, nodeNumbers),
    },
  };
}

/**
 * Reads a string as names of one letter each. Unknown names of a list are refused by the engine,
 * others here, with a Pregel's error.
 * @param {NodeNames} names
 * @param {Map<string, number>} nodes
 * @returns {"*" | string[] | undefined}
 */
function lettersOf(names, nodes) {
  if (!names) return undefined;
  if (names === "*") return names;
  for (const name of Array.isArray(names) ? [] : names)
    if (!nodes.has(name))
      throw Object.assign(new Error(`Node ${name} not in nodes`), { name: "GraphValidationError" });
  return [...names].map(String);
}

/** Is the state a single value? @param {string[]} keys */
function isRoot(keys) {
  return keys.length === 1 && keys[0] === ROOT;
}

/**
 * Reads the conditional edges by source node; adds the engine's part of each to `definitions`, in
 * the same order.
 * @param {StateGraph} builder
 * @param {Map<string, number>} nodeNumbers
 * @param {GraphDefinition["branches"]} definitions
 */
function readBranches(builder, nodeNumbers, definitions) {
  /** @type {Map<string, Branch[]>} */
  const perSource = new Map();
  for (const [source, named] of Object.entries(builder.branches)) {
    /** @type {Branch[]} */
    const list = [];
    for (const { path, ends } of Object.values(named)) {
      const labels = ends === undefined ? undefined : Object.keys(ends);
      const numbers = labels?.map(
        (label, number) => /** @type {[string, number]} */ ([label, number]),
      );
      list.push({
        index: definitions.length,
        path: callOf(path),
        isPlain: isPlain(path),
        labels: numbers && new Map(numbers),
      });
      definitions.push({ from: source, ends: ends === undefined ? null : Object.entries(ends) });
    }
    perSource.set(source, list);
  }
  return perSource;
}

/**
 * @param {string} name
 * @param {NodeSpec} spec
 * @param {StateGraph} builder
 * @param {Branch[]} branches
 * @param {number} allKeys
 * @returns {Node}
 */
function nodePlan(name, spec, builder, branches, allKeys) {
  const runnable = spec?.runnable;
  const view = Object.keys(spec?.input ?? builder._schemaDefinition);
  return {
    name,
    call: runnable && callOf(runnable),
    keys: isRoot(view) ? ROOT : view.length === allKeys ? undefined : view,
    branches,
    metadata: spec?.metadata,
    inside: subgraphOf(spec),
    retry: retryRule(spec?.retryPolicy),
    timeout: spec?.timeout,
    cachePolicy: spec?.cachePolicy || undefined,
    tracePolicy: spec?.tracePolicy ?? undefined,
    isHandled: spec?.errorHandlerNode !== undefined,
    isMade: runnable?._work !== undefined && !isPlain(runnable),
  };
}

/** @param {string} name @param {NodeSpec} node */
function nodeDefinition(name, node) {
  const { defer, ends, errorHandlerNode: handler, cachePolicy } = node;
  return {
    name,
    defer: defer ? true : undefined,
    cache: cachePolicy ? true : undefined,
    ends,
    handler,
  };
}

/**
 * Reads a channel. The engine folds messages only where a conversation begins empty; with other
 * initial messages, or without a default (the first write is taken as it is), the host does.
 * @param {object} declared a channel
 * @returns {ChannelPart}
 */
export function channelPart(declared) {
  const channel = /** @type {Channel} */ (declared);
  // A user's own class, or one of another package.
  if (channel.kind === undefined || channel.kind === "host") {
    const own = /** @type {OwnChannel} */ (declared);
    const fresh = makeLive(own);
    return {
      isMessages: false,
      own,
      ...(fresh.isAvailable() ? { makeDefault: () => savedOf(makeLive(own)) } : {}),
    };
  }
  // If the initial value is undefined, the first write is taken as it is, as without a default.
  const makeDefault =
    channel.value === undefined && !channel.fold ? undefined : channel.initialValueFactory;
  const isMessages = channel.operator === messagesStateReducer && isEmptyList(makeDefault?.());
  /** @type {ChannelPart} */
  const part = { isMessages };
  if (channel.kind === "topic") part.isTopic = true;
  if (channel.fold !== undefined) Object.assign(part, { fold: channel.fold, delta: channel });
  if (channel.operator !== undefined) part.reducer = channel.operator;
  if (makeDefault !== undefined) part.makeDefault = makeDefault;
  return part;
}

/** @param {unknown} value */
function isEmptyList(value) {
  return Array.isArray(value) && value.length === 0;
}

/** @param {string} name @param {BaseChannel} channel @param {ChannelPart} part */
export function channelDefinition(name, channel, part) {
  const kind = part.isMessages ? "messages" : part.own === undefined ? channel.kind : "host";
  return {
    name,
    kind,
    ...(part.makeDefault === undefined ? {} : { default: true }),
    ...(part.own === undefined ? channel.options : {}),
  };
}

/**
 * Returns the number of the node that a conditional edge, a Command or a Send names.
 * @param {Plan} plan
 * @param {string} name
 * @returns {number} END_INDEX for END, NOWHERE for an unknown node
 */
export function destinationNumber(plan, name) {
  if (name === END) return END_INDEX;
  const number = plan.nodeNumbers.get(name);
  return number === undefined || number === 0 ? NOWHERE : number;
}
