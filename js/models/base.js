// SPDX-License-Identifier: MIT
// Defines what LangChain-shaped code expects of a chat model (invoke, stream, bindTools), with
// structured output, merging of configs, callbacks around a call, and message ids. A model
// overrides `answer`, and `complete` if it can answer without streaming. Does not depend on any
// provider.
import { checkArgument, isRecord } from "../base/check-arguments.js";
import { within } from "../callbacks/notify-handlers.js";
import { setId } from "../messages/base.js";
import { coerceMessageLikeToMessage } from "../messages/index.js";
import { scopeOf } from "../base/ambient.js";
import { abortError } from "../base/waits.js";
import { inheritConfig } from "../base/inherited-config.js";
import { checkGiven, mergeCallbacks } from "../base/merge-configs.js";
import { toOpenAITool } from "../tools/index.js";
import { EXTRAS } from "./call-options.js";
import { structuredOutput } from "./structured-output.js";
import { beginRun, tellEnd, tellError, tellStart, tellToken, wantsTokens } from "./callbacks.js";

/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../messages/index.js").BaseMessage} BaseMessage */
/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Options */
/**
 * A chat model of this package or of LangChain, by its shape.
 * @typedef {{ invoke: (input: Value, config?: Value) => Promise<Value>, [key: string]: Value }}
 *   ModelLike
 */

const INSPECT = /* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom");

/** Base of this package's chat models. */
export class BaseChatModelLike {
  constructor() {
    /** @type {Options} call options and config that every call starts from */
    this.kwargs = {};
    /** @type {readonly unknown[]} the tools as they were bound */
    this.boundTools = [];
    /** What the model can do and take, as LangChain names it. @type {Options} */
    this.profile = {};
  }

  /** @returns {true} */
  get lc_runnable() {
    return true;
  }

  get lc_namespace() {
    return ["weftgraph", "models"];
  }

  _modelType() {
    return "base_chat_model";
  }

  _llmType() {
    return this.getName();
  }

  getName() {
    return (
      /** @type {Record<PropertyKey, Value>} */ (this.constructor).lc_name?.() ??
      this.constructor.name
    );
  }

  // A model has a key, so it never prints itself.
  toJSON() {
    return { lc: 1, type: "not_implemented", id: [...this.lc_namespace, this.getName()] };
  }

  /**
   * Yields the answer in chunks; returns the whole message.
   * @param {BaseMessage[]} _messages
   * @param {Options} _options
   * @returns {AsyncGenerator<Value, Value, void>}
   */
  // biome-ignore lint/correctness/useYield: a subclass yields the pieces
  async *answer(_messages, _options) {
    throw new TypeError(`${this.getName()} has no answer()`);
  }

  /**
   * Returns the answer in one piece.
   * @param {BaseMessage[]} messages
   * @param {Options} options
   * @returns {Promise<Value>}
   */
  async complete(messages, options) {
    const pieces = this.answer(messages, options);
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return value;
    }
  }

  /**
   * Returns a copy of this model that offers these tools.
   * @param {readonly ToolLike[]} tools
   * @param {Options} [options] `strict`: of each function that does not say it itself
   * @returns {this}
   */
  bindTools(tools, options) {
    if (!Array.isArray(tools)) throw new TypeError("bindTools takes a list of tools");
    const { strict, ...others } = options ?? {};
    const offered = tools.map((tool) => declared(tool, strict));
    return copyWith(this, { ...this.kwargs, ...others, tools: offered }, tools);
  }

  /**
   * Returns a Runnable that asks this model for a value that fits a schema.
   * @param {Value} schema
   * @param {import("./structured-output.js").OutputOptions} [options]
   */
  withStructuredOutput(schema, options) {
    return structuredOutput(this, schema, options);
  }

  /**
   * Returns a copy of this model whose calls start from this config.
   * @param {Options} config
   * @returns {this}
   */
  withConfig(config) {
    return copyWith(this, mergeOptions(this.kwargs, config), this.boundTools);
  }

  /**
   * @param {string | Value[] | { toChatMessages: () => Value[] }} input text, messages in any form,
   *   or a prompt value
   * @param {Options} [config]
   * @returns {Promise<Value>}
   */
  async invoke(input, config) {
    const messages = toMessages(input);
    const options = optionsOf(this, config);
    const run = beginRun(options);
    await tellStart(run, this, messages, options);
    try {
      const message = await within(run.handlers, run.id, () =>
        wantsTokens(run) && options.streaming !== false
          ? streamedAnswer(run, this.answer(messages, options))
          : this.complete(messages, options),
      );
      nameAfter(message, `run-${run.id}`);
      await tellEnd(run, message);
      return message;
    } catch (error) {
      await tellError(run, error);
      throw error;
    }
  }

  /**
   * @param {string | Value[] | { toChatMessages: () => Value[] }} input
   * @param {Options} [config]
   * @returns {AsyncGenerator<unknown, void, void>}
   */
  stream(input, config) {
    return streamOf(this, input, optionsOf(this, config));
  }

  /**
   * @param {Value[]} inputs
   * @param {Options} [config]
   * @returns {Promise<unknown[]>}
   */
  batch(inputs, config) {
    checkArgument(Array.isArray(inputs), "batch(inputs, config): inputs must be a list");
    return Promise.all(inputs.map((input) => this.invoke(input, config)));
  }
}

// Copies get plain fields only, so models keep their state in such fields.
/**
 * @template {BaseChatModelLike} M
 * @param {M} model @param {Options} kwargs @param {readonly unknown[]} boundTools
 * @returns {M}
 */
function copyWith(model, kwargs, boundTools) {
  return Object.assign(Object.create(Object.getPrototypeOf(model)), model, { kwargs, boundTools });
}

/**
 * Returns the options of a call. Called where the call is made, to find the run it belongs to.
 * @param {BaseChatModelLike} model
 * @param {Options | undefined} config
 */
function optionsOf(model, config) {
  return mergeOptions(model.kwargs, inheritConfig(config));
}

/**
 * Chunks of an answer, then the message. `take`: returns a chunk that has arrived, if there is one;
 * `more`: waits until more has arrived, or something that `next` tells, and returns what `then`
 * returns. Only between calls of `next`.
 * @typedef {AsyncGenerator<Value, Value, void> & { take?: () => Value, more?: <Result>(then: () =>
 *   Result | PromiseLike<Result>) => Promise<Result> | undefined }} Pieces
 */

/**
 * Yields the chunks of a call. Those that have arrived are given on without waiting.
 * @param {BaseChatModelLike} model
 * @param {unknown} input
 * @param {Options} options
 * @returns {AsyncGenerator<unknown, void, void>}
 */
function streamOf(model, input, options) {
  /** What has more chunks, while nobody waits for one. @type {Pieces | undefined} */
  let ready;
  /** The last call of `next`, while it waits for more. @type {Promise<unknown> | undefined} */
  let waiting;
  let id = "";
  const chunks = read();
  const [wait, end] = [chunks.next.bind(chunks), chunks.return.bind(chunks)];
  /** @returns {IteratorResult<unknown, void> | undefined} */
  const take = () => {
    const value = ready?.take?.();
    if (value === undefined) return undefined;
    nameAfter(value, id);
    return { done: false, value };
  };
  const arrived = () => {
    waiting = undefined;
    return take() ?? wait();
  };
  /** @returns {Promise<IteratorResult<unknown, void>>} */
  const next = () => {
    if (waiting !== undefined) return waiting.then(next, next);
    const taken = take();
    if (taken !== undefined) return Promise.resolve(taken);
    const found = ready?.more?.(arrived);
    if (found === undefined) return wait();
    waiting = found;
    return found;
  };
  return Object.assign(chunks, {
    next,
    /** @param {void} value @returns {Promise<IteratorResult<unknown, void>>} */
    return(value) {
      const leave = () => {
        ready = undefined;
        return end(value);
      };
      return waiting === undefined ? leave() : waiting.then(leave, leave);
    },
  });

  /** @returns {AsyncGenerator<unknown, void, void>} */
  async function* read() {
    const messages = toMessages(input);
    const run = beginRun(options);
    id = `run-${run.id}`;
    await tellStart(run, model, messages, options);
    /** @type {Pieces | undefined} */
    let pieces;
    let isOpen = true;
    try {
      pieces = model.answer(messages, options);
      const next = pieces.next.bind(pieces);
      for (;;) {
        const { done, value } = await within(run.handlers, run.id, next);
        nameAfter(value, id);
        if (done) {
          isOpen = false;
          await tellEnd(run, value);
          return;
        }
        const told = tellToken(run, value);
        if (told !== undefined) await told;
        // Each chunk is told to the handlers, if there are any.
        if (run.handlers.length === 0) ready = pieces;
        yield value;
        ready = undefined;
      }
    } catch (error) {
      isOpen = false;
      await tellError(run, error);
      throw error;
    } finally {
      ready = undefined;
      // Its reader left: the listeners hear of an end too.
      if (isOpen) await tellError(run, abortError(new AbortController().signal));
      await pieces?.return(undefined);
    }
  }
}

/** @param {import("./callbacks.js").Run} run @param {Pieces} pieces */
async function streamedAnswer(run, pieces) {
  const id = `run-${run.id}`;
  try {
    for (;;) {
      const ready = pieces.take?.();
      const { done, value } =
        ready === undefined ? await pieces.next() : { done: false, value: ready };
      if (done) return value;
      nameAfter(value, id);
      const wait = tellToken(run, value);
      if (wait !== undefined) await wait;
    }
  } finally {
    await pieces.return(undefined);
  }
}

/**
 * Returns a tool in OpenAI's form, or a service's own.
 * @param {Value} tool @param {unknown} strict
 */
function declared(tool, strict) {
  const extras = tool?.extras ?? tool?.lc_kwargs?.extras;
  if (isRecord(extras?.providerToolDefinition)) return extras.providerToolDefinition;
  const made = /** @type {Options} */ (toOpenAITool(tool));
  if (typeof made.function !== "object") return made;
  return {
    ...made,
    ...(isRecord(extras) ? { [EXTRAS]: extras } : {}),
    function: strict === undefined ? made.function : { strict, ...made.function },
  };
}

/** @param {Value} input @returns {BaseMessage[]} */
export function toMessages(input) {
  if (typeof input === "string") return [coerceMessageLikeToMessage(input)];
  if (Array.isArray(input)) return input.map(coerceMessageLikeToMessage);
  if (typeof input?.toChatMessages === "function") return input.toChatMessages();
  throw new TypeError("A chat model takes a text, a list of messages or a prompt value");
}

/** @param {Options} base @param {Options | undefined} config @returns {Options} */
function mergeOptions(base, config) {
  if (config === undefined || config === null) return base;
  const isNodes = scopeOf(config)?.config === config;
  if (isNodes && !Object.keys(base).some((key) => key in config)) return besides(base, config);
  checkGiven(config);
  const given = { ...config };
  for (const key of Object.keys(given)) if (given[key] === undefined) delete given[key];
  const merged = { ...base, ...given };
  if (base.tags && config.tags) merged.tags = [...base.tags, ...config.tags];
  if (base.metadata && config.metadata) merged.metadata = { ...base.metadata, ...config.metadata };
  if (base.callbacks && config.callbacks)
    merged.callbacks = mergeCallbacks(base.callbacks, config.callbacks);
  return merged;
}

/**
 * Returns options beside a node's config, which was checked before and makes its fields when they
 * are read: most models read few.
 * @param {Options} options @param {Options} config
 * @returns {Options}
 */
function besides(options, config) {
  const own = { ...options };
  const holder = (/** @type {PropertyKey} */ key) => (Object.hasOwn(own, key) ? own : config);
  const printed = {
    /** Makes Node print the fields. */
    [INSPECT]() {
      return { ...this };
    },
  };
  return new Proxy(/** @type {Options} */ (printed), {
    get: (_, key) => Reflect.get(holder(key), key),
    has: (_, key) => key in holder(key),
    ownKeys: () => [...new Set([...Reflect.ownKeys(config), ...Reflect.ownKeys(own)])],
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(holder(key), key),
    set: (_, key, value) => Reflect.set(own, key, value),
  });
}

/** @param {Message} message @param {string} id for a message without one */
function nameAfter(message, id) {
  if ((message.id ?? undefined) === undefined) setId(message, id);
}
