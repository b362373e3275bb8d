// SPDX-License-Identifier: MIT
// Defines the nodes of a low-level graph, with what they read and write, as Channel makes them.
// Does not depend on how a graph of them is run.
import { isSend, timeoutPolicy } from "../base/constants.js";
import { ERR_SEND_NODE } from "../base/codes.js";
import { InvalidUpdateError, makeError } from "../base/errors.js";
import { checkArgument, isListOf, isObject } from "../base/check-arguments.js";
import { isPromise } from "../base/callable.js";
import { writePairs } from "./writes.js";
import { Runnable, coerce } from "../runnable/runnable.js";
import { checkGiven } from "../base/merge-configs.js";
import { currentScope, scopeOf } from "../base/ambient.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../base/callable.js").RunnableLike} RunnableLike */
/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("../base/callable.js").Value} Value */

const TASKS = "__pregel_tasks";

/** Value of an entry that writes its writer's input. */
export const PASSTHROUGH = Object.freeze({});

/** Returns its input. */
class Passthrough extends Runnable {
  static lc_name = () => "RunnablePassthrough";

  /** @param {unknown} input */
  async invoke(input) {
    return input;
  }
}

/**
 * @typedef {{ channel?: string, value: unknown, skipNone?: boolean, mapper?: unknown }} WriteEntry
 *   without a channel the mapper returns pairs
 */

/** Writes its input, or what its entries make of it, to channels and returns the input. */
export class ChannelWrite extends Runnable {
  lc_namespace = ["langgraph"];

  static lc_name = () => "ChannelWrite";

  /** @param {Value[]} writes entries and Sends @param {string[]} [tags] */
  constructor(writes, tags) {
    super();
    checkArgument(
      isListOf(writes, isObject),
      "new ChannelWrite(writes): writes must be a list of entries and Sends",
    );
    this.writes = writes;
    this.tags = tags;
    this.name = `ChannelWrite<${writes.map((write) => (isSend(write) ? write.node : "channel" in write ? write.channel : "...")).join(",")}>`;
  }

  /** @param {unknown} input @param {unknown} [config] */
  async invoke(input, config) {
    const scope = scopeOf(config) ?? currentScope();
    if (scope === undefined) throw new Error("A ChannelWrite can only be called inside a graph.");
    await this.write(scope, input);
    return input;
  }

  /**
   * @param {import("../base/ambient.js").Scope} scope
   * @param {unknown} input
   * @returns {void | Promise<void>}
   */
  write(scope, input) {
    for (const { channel } of this.writes)
      if (channel === TASKS)
        throw new InvalidUpdateError("Cannot write to the reserved channel TASKS");
    return writeFrom(scope, this.writes, input, 0);
  }

  /** @param {RunnableLike} runnable @returns {boolean} */
  static isWriter(runnable) {
    return runnable instanceof ChannelWrite || runnable?._isChannelWriter === true;
  }

  /** @param {RunnableLike} runnable */
  static registerWriter(runnable) {
    return Object.defineProperty(runnable, "_isChannelWriter", { value: true });
  }
}

/**
 * @param {Scope} scope
 * @param {Value[]} writes
 * @param {unknown} input
 * @param {number} from
 * @returns {void | Promise<void>}
 */
function writeFrom(scope, writes, input, from) {
  for (let i = from; i < writes.length; i++) {
    const write = writes[i];
    if (isSend(write)) {
      putPairs(scope, [[TASKS, write]]);
      continue;
    }
    const value = write.value === PASSTHROUGH ? input : write.value;
    const made = write.mapper === undefined ? value : write.mapper.invoke(value, scope.config);
    if (isPromise(made))
      return made.then(
        (result) => (putEntry(scope, write, result), writeFrom(scope, writes, input, i + 1)),
      );
    putEntry(scope, write, made);
  }
}

/** @param {Scope} scope @param {WriteEntry} write @param {Value} value */
function putEntry(scope, write, value) {
  const { channel, skipNone, mapper } = write;
  if (channel !== undefined) {
    if (!skipNone || value !== undefined) putPairs(scope, [[channel, value]]);
  } else {
    if (!mapper) throw new Error(`Invalid write entry: ${JSON.stringify(write)}`);
    putPairs(scope, value ?? []);
  }
}

/** @param {any} scope @param {[string, Value][]} pairs */
function putPairs({ plan, task }, pairs) {
  for (const pair of pairs) {
    const [channel, value] = pair;
    if (channel !== TASKS) {
      writePairs(plan, task, [pair]);
      continue;
    }
    const number = plan.nodeNumbers.get(value.node);
    if (!number) throw makeError(ERR_SEND_NODE, [value.node]);
    task.writes.send(number, value.args, value.timeout);
  }
}

/** Defines a node: the channels that it reads, those that trigger it, its action and its writes. */
export class PregelNode extends Runnable {
  lc_graph_name = "PregelNode";
  lc_namespace = ["langchain_core", "runnables"];

  static lc_name = () => "PregelNode";

  /**
   * Writes its output by other means than writers.
   * @type {((scope: Scope, output: unknown) => void | Promise<void>) | undefined}
   */
  write;

  /** @param {Value} fields */
  constructor(fields) {
    super();
    checkArgument(
      isObject(fields),
      "new PregelNode(fields): fields must be an object, as { channels, triggers }",
    );
    checkGiven({ tags: fields.tags }, "new PregelNode(fields): fields");
    this.bound = fields.bound ?? new Passthrough();
    this.config = {
      ...fields.config,
      tags: [...(fields.config?.tags ?? []), ...(fields.tags ?? [])],
    };
    this.kwargs = fields.kwargs ?? {};
    /** @type {Record<string, string> | string[]} */
    this.channels = fields.channels;
    /** @type {string[]} */
    this.triggers = fields.triggers;
    /** @type {((input: unknown) => unknown) | undefined} */
    this.mapper = fields.mapper;
    /** @type {unknown[]} */
    this.writers = fields.writers ?? [];
    this.metadata = fields.metadata ?? {};
    /** @type {string[]} */
    this.tags = this.config.tags;
    this.retryPolicy = fields.retryPolicy;
    this.cachePolicy = fields.cachePolicy;
    this.timeout = timeoutPolicy(fields.timeout);
    this.subgraphs = fields.subgraphs;
    this.ends = fields.ends;
  }

  getName() {
    return this.bound.getName();
  }

  /** @param {unknown} input @param {Config} [config] */
  invoke(input, config) {
    return this.bound.invoke(input, config);
  }

  /** Lists the writers; adjacent ones that only write are merged. @returns {unknown[]} */
  getWriters() {
    /** @type {unknown[]} */
    const writers = [];
    for (const writer of this.writers) {
      const last = writers[writers.length - 1];
      if (writer instanceof ChannelWrite && last instanceof ChannelWrite)
        writers[writers.length - 1] = new ChannelWrite(
          [...last.writes, ...writer.writes],
          last.tags,
        );
      else writers.push(writer);
    }
    return writers;
  }

  /** Returns the node and its writers as one; undefined if it does nothing. @returns {unknown} */
  getNode() {
    const writers = this.getWriters();
    const isIdle = this.bound instanceof Passthrough;
    if (isIdle && writers.length === 0) return undefined;
    const steps = isIdle ? writers : [this.bound, ...writers];
    return steps.reduce((first, next) => first.pipe(next));
  }

  /** Makes it read more channels that do not trigger it. @param {string[]} channels */
  join(channels) {
    return this.#with({
      channels: {
        ...this.channels,
        ...Object.fromEntries(channels.map((channel) => [channel, channel])),
      },
    });
  }

  /**
   * @param {Value} next a Runnable or a function; a ChannelWrite becomes a writer
   * @returns {unknown}
   */
  pipe(next) {
    if (ChannelWrite.isWriter(next)) return this.#with({ writers: [...this.writers, next] });
    return this.#with({
      bound: this.bound instanceof Passthrough ? coerce(next) : this.bound.pipe(next),
    });
  }

  /** @param {Value} changes */
  #with(changes) {
    return new PregelNode({ ...this, tags: undefined, ...changes });
  }
}

export class Channel {
  /**
   * Makes a node that runs when a channel was written.
   * @param {string | string[]} channels several are read as an object
   * @param {{ key?: string, tags?: string[] }} [options] `key`: reads one channel as an object with
   *   this key
   */
  static subscribeTo(channels, options) {
    const { key, tags } = { key: undefined, tags: undefined, ...options };
    if (Array.isArray(channels) && key !== undefined)
      throw new Error("Can't specify a key when subscribing to multiple channels");
    const read = Array.isArray(channels)
      ? Object.fromEntries(channels.map((channel) => [channel, channel]))
      : key === undefined
        ? [channels]
        : { [key]: channels };
    return new PregelNode({
      channels: read,
      triggers: Array.isArray(channels) ? channels : [channels],
      tags,
    });
  }

  /**
   * Makes the Runnable into which a node pipes its output.
   * @param {string[]} channels receive the output as it is
   * @param {Record<string, Value>} [writes] other channels: a value, or a mapper of the output
   */
  static writeTo(channels, writes) {
    checkArgument(
      Array.isArray(channels),
      "Channel.writeTo(channels): channels must be a list of names",
    );
    const made = Object.entries(writes ?? {}).map(([channel, write]) => {
      const isMapper = typeof write === "function" || write?.lc_runnable === true;
      return isMapper
        ? { channel, value: PASSTHROUGH, skipNone: true, mapper: coerce(write) }
        : { channel, value: write, skipNone: false };
    });
    return new ChannelWrite([
      ...channels.map((channel) => ({ channel, value: PASSTHROUGH, skipNone: false })),
      ...made,
    ]);
  }
}
