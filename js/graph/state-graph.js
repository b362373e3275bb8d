// SPDX-License-Identifier: MIT
// Builds a graph from nodes, edges and conditions by LangGraph's rules. Does not depend on the
// engine's numbers (definition.js) or on how nodes run (node-task.js).
import { END, START } from "../base/constants.js";
import { StateGraphInputError } from "../base/errors.js";
import { checkArgument, hasText, refuseRenamed } from "../base/check-arguments.js";
import { readLegacyChannels, readSchema } from "../state/annotation.js";
import { Builder, LATE } from "./builder.js";
import { LastValue } from "../state/channels.js";
import { CompiledStateGraph } from "./compiled-state-graph.js";
import { takeManaged } from "../state/managed.js";
import { handlerName, handlerSpec, readPolicies } from "../plan/policies.js";
import { isZodObject, zodParse } from "../state/zod.js";
import { runnableOf } from "../runnable/runnable.js";

/** @typedef {import("../calls/call.js").CallContext} CallContext */
/** @typedef {import("../base/callable.js").RunnableLike} RunnableLike */
/**
 * Options of a node as the user passes them in.
 * @typedef {import("../plan/policies.js").GivenPolicies & { ends?: string[] | Record<string,
 *   string>, input?: unknown } & Pick<NodeSpec, "defer" | "metadata" | "subgraphs" |
 *   "tracePolicy">} NodeOptions
 * @typedef {[name: string, action: unknown, options: NodeOptions | undefined]} NodeEntry
 */
/** @typedef {import("../state/channels.js").BaseChannel} BaseChannel */
/** @typedef {import("../state/annotation.js").Schema} Schema */
/**
 * @typedef {{ runnable: RunnableLike, input?: Record<string, BaseChannel>, ends?: string[], defer?:
 *   boolean, metadata?: Record<string, unknown>, subgraphs?: RunnableLike[], tracePolicy?: unknown,
 *   retryPolicy?: unknown, timeout?: import("../run/tasks/attempt-timers.js").TimeoutRule,
 *   cachePolicy?: import("../plan/definition.js").CachePolicy, errorHandlerNode?: string,
 *   isErrorHandler?: boolean }} NodeSpec
 */

/** Former option names, and the current ones. */
const RENAMED = { configSchema: "context" };
/** Names that LangGraph has elsewhere: a breakpoint or a checkpointer must not be lost silently. */
const COMPILE_RENAMED = {
  configSchema: "context of new StateGraph",
  checkpointSaver: "checkpointer",
  interrupt_before: "interruptBefore",
  interrupt_after: "interruptAfter",
};
const RESERVED_CHARACTERS = ["|", ":"];

export class StateGraph extends Builder {
  /** @type {Record<string, NodeSpec>} */
  nodes = Object.create(null);
  /** @type {Set<[string, string]>} */
  edges = new Set();
  /** @type {Set<[string[], string]>} */
  waitingEdges = new Set();
  /** @type {Record<string, BaseChannel>} */
  channels = Object.create(null);
  /** @type {import("../plan/policies.js").Policies} */
  nodeDefaults = {};
  /** @type {Record<string, import("../state/managed.js").ManagedValue>} */
  managed = {};

  /**
   * Creates the builder.
   * @param {unknown} state Annotation.Root, zod object, StateSchema, or `{ state | stateSchema,
   *   input, output, context, nodes, interrupt, writer }`
   * @param {unknown} [options]
   */
  constructor(state, options) {
    super();
    const init = readInit(state, options);
    const { channels, checks } = init.state;
    // LangGraph.js's names, which other packages read.
    this._schemaDefinition = channels;
    this._inputDefinition = init.input?.channels ?? channels;
    this._outputDefinition = init.output?.channels ?? channels;
    this._checkField = checks?.field;
    this._checkInput = init.input === undefined ? checks?.some : init.input.checks?.all;
    this._checkContext = init.context;
    this._given = init.given;
    for (const part of [channels, this._inputDefinition, this._outputDefinition])
      this.#addChannels(part);
  }

  /** @returns {Set<[string, string]>} */
  get allEdges() {
    const joined = [...this.waitingEdges].flatMap(([starts, end]) =>
      starts.map((start) => /** @type {[string, string]} */ ([start, end])),
    );
    return new Set([...this.edges, ...joined]);
  }

  /** @param {Record<string, BaseChannel>} channels of a schema */
  #addChannels(channels) {
    takeManaged(channels, this.managed);
    for (const [key, channel] of Object.entries(channels)) {
      const known = this.channels[key];
      if (known === undefined) {
        this.channels[key] = channel;
      } else if (
        !known.equals(channel) &&
        channel.lc_graph_name !== new LastValue().lc_graph_name
      ) {
        throw new Error(`Channel "${key}" already exists with a different type.`);
      }
    }
  }

  /**
   * Adds nodes.
   * @param {unknown} nodes a name, an object of nodes, or a list of [name, node, options]
   * @param {unknown} [action]
   * @param {NodeOptions} [options]
   * @returns {this}
   */
  addNode(nodes, action, options) {
    for (const [name, node, own] of nodesToAdd(nodes, action, options))
      this.#addOne(name, node, own);
    return this;
  }

  /** @param {string} name @param {unknown} action @param {NodeOptions} [options] @returns {this} */
  #addOne(name, action, options) {
    checkName(name);
    options ??= {};
    if (name in this.channels) {
      throw new Error(
        `${name} is already being used as a state attribute (a.k.a. a channel), cannot also be used as a node name.`,
      );
    }
    this.warnIfCompiled("Adding a node to" + LATE);
    if (name === END || name === START) throw new Error(`Node \`${name}\` is reserved.`);
    if (name in this.nodes) throw new Error(`Node \`${name}\` already present.`);
    const { ends, defer, metadata, subgraphs, tracePolicy } = options;
    const input = options.input ? schemaOf(options.input).channels : this._schemaDefinition;
    this.#addChannels(input);
    const { errorHandler, ...policies } = readPolicies(options);
    const errorHandlerNode = errorHandler === undefined ? undefined : handlerName(name);
    if (errorHandler !== undefined && errorHandlerNode !== undefined) {
      if (errorHandlerNode in this.nodes)
        throw new Error(`Node \`${errorHandlerNode}\` already present.`);
      this.nodes[errorHandlerNode] = handlerSpec(errorHandler, input, errorHandlerNode);
    }
    this.nodes[name] = {
      runnable: runnableOf(action, name),
      input,
      ends: ends && endNames(ends),
      defer,
      metadata,
      subgraphs,
      tracePolicy,
      ...policies,
      errorHandlerNode,
    };
    return this;
  }

  /**
   * Sets default policies of nodes that have none; a later call overrides an earlier one.
   * @param {unknown} defaults
   * @returns {this}
   */
  setNodeDefaults(defaults) {
    Object.assign(this.nodeDefaults, readPolicies(defaults));
    return this;
  }

  /**
   * Adds an edge.
   * @param {string | string[]} startKey a list: the edge fires when all of them have run
   * @param {string} end
   * @returns {this}
   */
  addEdge(startKey, end) {
    this.warnIfCompiled("Adding an edge to" + LATE);
    if (typeof startKey === "string") {
      if (startKey === END) throw new Error("END cannot be a start node");
      if (end === START) throw new Error("START cannot be an end node");
      this.edges.add([startKey, end]);
      return this;
    }
    checkArgument(
      Array.isArray(startKey),
      "addEdge(startKey, endKey): startKey must be a node's name or a list of names",
    );
    checkArgument(hasText(end), "addEdge(startKey, endKey): endKey must be a node's name");
    for (const name of startKey) {
      if (name === END) throw new Error("END cannot be a start node");
      this.#requireNode(name);
    }
    if (end === END) throw new Error("END cannot be an end node");
    this.#requireNode(end);
    this.waitingEdges.add([startKey, end]);
    return this;
  }

  /** @param {string} name */
  #requireNode(name) {
    if (!(name in this.nodes)) throw new Error(`Need to add a node named "${name}" first`);
  }

  /**
   * Adds nodes that run one after the other.
   * @param {unknown} nodes as for addNode
   * @returns {this}
   */
  addSequence(nodes) {
    const list = nodeList(nodes);
    if (list.length === 0) throw new Error("Sequence requires at least one node.");
    /** @type {string | undefined} */
    let previous;
    for (const [name, action, options] of list) {
      if (name in this.nodes)
        throw new Error(`Node names must be unique: node with the name "${name}" already exists.`);
      this.addNode(name, action, options);
      if (previous !== undefined) this.addEdge(previous, name);
      previous = name;
    }
    return this;
  }

  /** Checks the graph as compile() does. @param {string[]} [interrupt] nodes that must be there */
  validate(interrupt) {
    void new CompiledStateGraph(this, { interruptBefore: interrupt });
    this.compiled = true;
  }

  /**
   * Checks the graph and makes it runnable; later changes of the builder do not affect it.
   * @param {import("./thread-state.js").GraphOptions} [options]
   * @returns {CompiledStateGraph}
   */
  compile(options) {
    options ??= {};
    refuseRenamed(options, "compile", COMPILE_RENAMED);
    // Calls an overridden check; Weft's own is part of compiling.
    if (this.validate !== StateGraph.prototype.validate)
      this.validate([options.interruptBefore, options.interruptAfter].filter(Array.isArray).flat());
    const compiled = new CompiledStateGraph(this, options);
    this.compiled = true;
    return compiled;
  }
}

/** @param {unknown} value */
const isName = (value) => typeof value === "string";

/** @param {string} name */
export function checkName(name) {
  checkArgument(isName(name), "addNode(name, action): name must be a text");
  for (const character of RESERVED_CHARACTERS) {
    if (name.includes(character))
      throw new Error(`"${character}" is a reserved character and is not allowed in node names.`);
  }
}

/**
 * @param {unknown} nodes
 * @param {unknown} [action]
 * @param {NodeOptions} [options]
 * @returns {NodeEntry[]}
 */
export function nodesToAdd(nodes, action, options) {
  if (typeof nodes === "string") return [[nodes, action, options]];
  const list = nodeList(nodes);
  if (list.length === 0) throw new Error("No nodes provided in `addNode`");
  return list;
}

/** @param {unknown} nodes @returns {NodeEntry[]} */
function nodeList(nodes) {
  if (Array.isArray(nodes)) {
    checkArgument(
      nodes.every(Array.isArray),
      "a list of nodes must hold lists, as [name, action, options]",
    );
    return /** @type {NodeEntry[]} */ (nodes);
  }
  return typeof nodes === "object" && nodes !== null
    ? Object.entries(nodes).map(([name, action]) => [name, action, undefined])
    : [];
}

/** @param {string[] | Record<string, string>} ends @returns {string[]} */
function endNames(ends) {
  return Array.isArray(ends) ? ends : Object.keys(ends);
}

/** @param {unknown} definition @returns {Schema} */
function schemaOf(definition) {
  const schema = readSchema(definition);
  if (schema === undefined) throw new StateGraphInputError();
  return schema;
}

/**
 * The fields of the constructor's arguments.
 * @typedef {{ state?: unknown, stateSchema?: unknown, channels?: unknown, input?: unknown, output?:
 *   unknown, context?: unknown, nodes?: unknown, interrupt?: object, writer?: unknown }} Init
 */
/**
 * Reads the constructor's arguments in any of their forms. Without a state, the input is the state
 * and must be complete.
 * @param {unknown} state
 * @param {unknown} options
 * @returns {{ state: Schema, input: Schema | undefined, output: Schema | undefined, context:
 *   ((context: CallContext) => void) | undefined, given: Record<"state" | "input" | "output" |
 *   "context", unknown> & { interrupt?: object } }} `given`: as the user passed them in
 */
function readInit(state, options) {
  const whole = readSchema(state);
  const more = /** @type {Init | undefined} */ (options);
  const isContext =
    isZodObject(options) ||
    (!(more?.interrupt ?? more?.writer) && readSchema(options) !== undefined);
  if (!isContext) refuseRenamed(options, "new StateGraph", RENAMED);
  if (whole === undefined) refuseRenamed(state, "new StateGraph", RENAMED);
  const fields = {
    ...(whole === undefined ? /** @type {Init} */ (state) : undefined),
    ...(isContext ? { context: options } : more),
  };
  const { input, output, context } = fields;
  const given = fields.state ?? fields.stateSchema ?? input;
  const main =
    whole ??
    (!given && typeof fields.channels === "object"
      ? readLegacyChannels(/** @type {object} */ (fields.channels))
      : schemaOf(given));
  return {
    state: main,
    input: input ? schemaOf(input) : undefined,
    output: output ? schemaOf(output) : undefined,
    given: {
      state: whole === undefined ? given : state,
      input,
      output,
      context,
      interrupt: fields.interrupt,
    },
    context: isZodObject(context) ? (value) => void zodParse(context, value) : undefined,
  };
}
