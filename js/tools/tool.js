// SPDX-License-Identifier: MIT
// Defines a tool (`tool()`, the Tool class): a function with a name, a schema and rules of use, and
// how its result becomes a ToolMessage. Stores rules of approval and retry, but does not apply
// them. Does not depend on ToolNode or models.
import { timeoutPolicy } from "../base/constants.js";
import { tellTool } from "../callbacks/tool-run.js";
import { isRecord, refuseUnknown, shown } from "../base/check-arguments.js";
import { isPromise } from "../base/callable.js";
import { SCOPE, runWithConfig } from "../base/ambient.js";
import { inheritConfig } from "../base/inherited-config.js";
import { Layers } from "../base/config-layers.js";
import { checkGiven } from "../base/merge-configs.js";
import { Runnable } from "../runnable/runnable.js";
import { ToolMessage, isDirectToolOutput } from "../messages/index.js";
import { engineSchema, readInput } from "./input.js";
import { refuseBadSchema } from "./refuse-schema.js";
import {
  ENGINE_SCHEMA,
  FILL_ARGUMENTS,
  INJECTION,
  READ_ARGUMENTS,
  READ_CALLS,
  RENEW,
  messageContent,
  refuseMark,
} from "./tool-result.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../events/protocol/protocol.js").ProtocolEvent} ProtocolEvent */
/** @typedef {(event: ProtocolEvent) => void | Promise<void>} Tell */
/** @typedef {import("./injected.js").Source} Source */
/** @typedef {import("../base/callable.js").Value} Value */
/**
 * A tool of this package or of LangChain, by its shape.
 * @typedef {{ name: string, description?: string, schema?: import("./input.js").SchemaLike,
 *   invoke: (input: unknown, config?: unknown) => Promise<unknown>, [ENGINE_SCHEMA]?: () =>
 *   unknown,
 *   [READ_ARGUMENTS]?: (args: unknown) => unknown, [FILL_ARGUMENTS]?: (args: unknown, from: Source)
 *   => unknown, [RENEW]?: (calls: readonly { id?: unknown, name?: unknown, reviewed?: unknown }[],
 *   scope: import("../base/ambient.js").Scope | undefined) => Promise<void>, [key: string]: Value
 *   }} ToolLike
 */
/**
 * @typedef {import("../types/tools/index.js").ToolFields<unknown>} ToolFields
 * @typedef {Record<string, import("./injected.js").Injected>} Marks
 * @typedef {import("../messages/tool-calls.js").ToolCall} ToolCall
 */

const APPROVALS = ["auto", "ask", "deny"];
const ON_UNKNOWN = ["ask", "retry", "fail"];
const FORMATS = ["content", "content_and_artifact"];
const FIELDS = [
  ...["name", "description", "schema", "injected", "returnDirect", "responseFormat", "approval"],
  ...["expires", "onExpire", "version", "idempotent", "onUnknown", "reconcile", "idempotencyKey"],
  ...["timeout", "retryPolicy", "verboseParsingErrors", "metadata", "tags", "extras"],
];
/** Fields that a tool of LangChain has besides, of which one may be a copy. */
const COPIED = ["callbacks", "verbose", "defaultConfig", "func"];

/**
 * @param {unknown} fn
 * @param {ToolFields} fields
 */
export function tool(fn, fields) {
  return new Tool(fn, fields);
}

/** A function that models can call, in the shape of LangChain's tools. */
export class Tool extends Runnable {
  lc_namespace = ["langchain", "tools"];
  /** @type {typeof import("./injected.js").INJECTED | undefined} */
  #injection;

  /** @param {unknown} fn @param {ToolFields} fields */
  constructor(fn, fields) {
    super();
    checkFields(fn, fields);
    /** @type {string} */
    this.name = fields.name;
    /** @type {string} */
    this.description = fields.description ?? `${fields.name} tool`;
    this.#injection = injectionOf(fields);
    const given = /** @type {Marks | undefined} */ (fields.injected);
    const { schema, injected } = this.#injection?.split(fields.schema, given) ?? {
      schema: fields.schema,
      injected: given,
    };
    refuseBadSchema(fields.name, schema);
    /** Schema of the arguments that a model may pass. @type {unknown} */
    this.schema = schema;
    /** Arguments that the host injects. @type {Marks | undefined} */
    this.injected = injected;
    /** @type {(input: unknown, config: unknown) => unknown} */
    this.func = /** @type {(input: unknown, config: unknown) => unknown} */ (fn);
    /** @type {boolean} */
    this.returnDirect = fields.returnDirect ?? false;
    /** @type {"content" | "content_and_artifact"} */
    this.responseFormat = fields.responseFormat ?? "content";
    /** @type {boolean} */
    this.verboseParsingErrors = fields.verboseParsingErrors ?? false;
    /** @type {Record<string, unknown> | undefined} */
    this.metadata = fields.metadata;
    /** @type {string[] | undefined} */
    this.tags = fields.tags;
    /** @type {Record<string, unknown> | undefined} */
    this.extras = fields.extras;
    /**
     * Version of what the schema does not express, for approvals: a new text voids pending ones.
     * @type {string | undefined}
     */
    this.version = fields.version;
    /** @type {unknown} */
    this.approval = fields.approval;
    /** @type {unknown} */
    this.expires = fields.expires;
    /** @type {unknown} */
    this.onExpire = fields.onExpire;
    /** @type {boolean | undefined} */
    this.idempotent = fields.idempotent;
    /** @type {"ask" | "retry" | "fail" | undefined} */
    this.onUnknown = fields.onUnknown;
    /** @type {unknown} */
    this.reconcile = fields.reconcile;
    /** Timeout of an attempt. @type {unknown} */
    this.timeout = fields.timeout;
    /** @type {unknown} */
    this.retryPolicy = fields.retryPolicy;
    /** @type {((args: unknown, config: Config) => string) | undefined} */
    this.idempotencyKey = fields.idempotencyKey;
  }

  /** Returns the schema that a ToolNode passes to the engine; null if the tool itself checks. */
  [ENGINE_SCHEMA]() {
    return engineSchema(this);
  }

  /**
   * Reads the arguments as the function would get them, without the injected ones.
   * @param {unknown} args
   * @returns {unknown} or a promise; fails if they do not fit the schema
   */
  [READ_ARGUMENTS](args) {
    const [said] = this.#injection?.part(args, this.injected) ?? [args];
    return readInput(this.schema, said, this.verboseParsingErrors);
  }

  /** Adds the injected arguments. @param {unknown} args @param {Source} from */
  [FILL_ARGUMENTS](args, from) {
    return this.#injection?.fill(args, this.injected, from) ?? args;
  }

  /**
   * Runs with arguments, or with a model's tool call; then the result is a ToolMessage.
   * @param {unknown} input
   * @param {unknown} [config]
   * @returns {Promise<unknown>}
   */
  invoke(input, config) {
    try {
      return this.#start(input, config);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  // Not an async function: of many parallel calls each would stay in memory.
  /** @param {unknown} input @param {unknown} own the config @returns {Promise<unknown>} */
  #start(input, own) {
    const passed = /** @type {Config & { [SCOPE]?: unknown } | undefined} */ (own);
    // A node's own config was checked, and makes its fields on demand.
    if (!passed?.[SCOPE] && passed?.toolCall === undefined) checkGiven(passed);
    const config = inheritConfig(passed);
    const isCall = isToolCall(input);
    // A ToolNode's config already has the call, and its signal was checked: to copy or read it
    // would make all its fields.
    const isReady = isCall && config?.toolCall === input;
    if (!isReady) config?.signal?.throwIfAborted();
    const given = isCall && !isReady ? { ...config, toolCall: input } : config;
    const args = isCall ? input.args : input;
    const callId = isCall ? input.id : undefined;
    const value = isCall && READ_CALLS.has(input) ? args : this.#read(args);
    return isPromise(value)
      ? value.then((read) => this.#run(read, args, given, callId))
      : this.#run(value, args, given, callId);
  }

  /**
   * @param {unknown} value
   * @param {unknown} args as they came
   * @param {Config} config
   * @param {string | undefined} callId
   * @returns {Promise<unknown>}
   */
  #run(value, args, config, callId) {
    const callbacks = config?.callbacks;
    if (callbacks === undefined || callbacks === null)
      return Promise.resolve(this.func(value, config ?? {})).then((made) =>
        this.#finish(made, callId, ignore),
      );
    // Calls inside the function are traced below it.
    const run = async (/** @type {Tell} */ tell, /** @type {unknown} */ child) => {
      const inside = new Proxy({ callbacks: child }, new Layers(config));
      return this.#finish(
        await runWithConfig(inside, () => this.func(value, inside)),
        callId,
        tell,
      );
    };
    return tellTool(callbacks, this, args, config, callId, run);
  }

  /** @param {unknown} args @returns {unknown} or a promise */
  #read(args) {
    if (this.#injection === undefined)
      return readInput(this.schema, args, this.verboseParsingErrors);
    const [said, filled] = this.#injection.part(args, this.injected);
    const read = readInput(this.schema, said, this.verboseParsingErrors);
    const join = (/** @type {unknown} */ made) => ({ .../** @type {object} */ (made), ...filled });
    return isPromise(read) ? read.then(join) : join(read);
  }

  /**
   * @param {unknown} made the function's result
   * @param {string | undefined} callId
   * @param {Tell} tell receives what a generator yields
   * @returns {unknown} or a promise
   */
  #finish(made, callId, tell) {
    return isGenerator(made)
      ? drain(made, tell).then((result) => this.#answer(result, callId))
      : this.#answer(made, callId);
  }

  /** @param {unknown} result @param {string | undefined} callId */
  #answer(result, callId) {
    const { content, artifact } =
      this.responseFormat === "content_and_artifact"
        ? splitResult(result)
        : { content: result, artifact: undefined };
    if (!callId || isDirect(content)) return content;
    return new ToolMessage({
      content: messageContent(content),
      tool_call_id: callId,
      name: this.name,
      status: "success",
      artifact,
    });
  }
}

function ignore() {}

/** Returns the implementation that marks of injected arguments carry. @param {ToolFields} fields */
function injectionOf({ schema, injected }) {
  injected ??= {};
  const { properties } = /** @type {{ properties?: object }} */ (schema ?? {});
  const found = /** @type {(Marks[string] | null | undefined)[]} */ (
    Object.values({ ...properties, ...injected })
  ).find((mark) => mark?.[INJECTION]);
  if (found === undefined) Object.keys(injected).forEach(refuseMark);
  return found?.[INJECTION];
}

/** @param {unknown} value @returns {value is AsyncGenerator<ProtocolEvent, unknown, void>} */
function isGenerator(value) {
  const known = /** @type {Partial<AsyncGenerator> | null | undefined} */ (value);
  return typeof known?.[Symbol.asyncIterator] === "function" && typeof known.next === "function";
}

/**
 * @param {AsyncGenerator<ProtocolEvent, unknown, void>} generator
 * @param {Tell} tell
 * @returns {Promise<unknown>} what it returns
 */
async function drain(generator, tell) {
  for (;;) {
    const { done, value } = await generator.next();
    if (done) return value;
    await tell(value);
  }
}

/** @param {unknown} input @returns {input is ToolCall} */
function isToolCall(input) {
  return (
    isRecord(input) &&
    input.type === "tool_call" &&
    typeof input.name === "string" &&
    "args" in input
  );
}

/** @param {unknown} value */
function isDirect(value) {
  return isDirectToolOutput(value) || (isRecord(value) && value.lg_name === "Command");
}

/** @param {unknown} result */
function splitResult(result) {
  if (!Array.isArray(result) || result.length !== 2) {
    throw new Error(
      `Tool response format is "content_and_artifact" but the output was not a two-tuple.\nResult: ${JSON.stringify(result)}`,
    );
  }
  return { content: result[0], artifact: result[1] };
}

/** @param {unknown} fn @param {ToolFields} fields */
function checkFields(fn, fields) {
  if (typeof fn !== "function") throw new TypeError("tool(fn, fields): fn must be a function");
  if (typeof fields?.name !== "string" || fields.name === "")
    throw new TypeError("tool(fn, fields): fields.name must be a text that is not empty");
  const given = Object.entries(fields).filter(
    ([key]) => !COPIED.includes(key) && !key.startsWith("lc_"),
  );
  refuseUnknown(Object.fromEntries(given), "tool(fn, fields)", FIELDS);
  checkOneOf("responseFormat", fields.responseFormat, FORMATS);
  checkOneOf("onUnknown", fields.onUnknown, ON_UNKNOWN);
  if (typeof fields.approval !== "function") checkOneOf("approval", fields.approval, APPROVALS);
  if (fields.version !== undefined && typeof fields.version !== "string")
    throw new TypeError(`Tool ${fields.name}: version must be a text`);
  for (const key of /** @type {const} */ (["reconcile", "idempotencyKey"])) {
    if (fields[key] !== undefined && typeof fields[key] !== "function")
      throw new TypeError(`Tool ${fields.name}: ${key} must be a function`);
  }
  checkGiven({ tags: fields.tags }, "A tool");
  timeoutPolicy(fields.timeout);
}

/** @param {string} option @param {unknown} value @param {string[]} allowed */
function checkOneOf(option, value, allowed) {
  if (value === undefined || allowed.includes(/** @type {string} */ (value))) return;
  throw new TypeError(
    `A tool's ${option} must be one of ${allowed.join(", ")}, not ${shown(value)}`,
  );
}
