// SPDX-License-Identifier: MIT
// Defines the handler that a graph notifies of its pauses, in the shape of LangChain's
// BaseCallbackHandler.
import { randomUuid } from "../base/uuid.js";

/**
 * LangChain's options of a handler; a copy is made from the handler itself.
 * @typedef {Partial<Record<"ignoreLLM" | "ignoreChain" | "ignoreAgent" | "ignoreRetriever" |
 *   "ignoreCustomEvent" | "raiseError" | "_awaitHandler", boolean>>} HandlerOptions
 */

const MARK = Symbol.for("langgraph.graph_callback_handler");

/** @param {unknown} value @returns {value is GraphCallbackHandler} */
export function isGraphCallbackHandler(value) {
  const given = /** @type {{ [MARK]?: unknown } | null} */ (value);
  return typeof given === "object" && given !== null && given[MARK] === true;
}

/** The own members of LangChain's BaseCallbackHandler. */
class BaseHandler {
  lc_serializable = false;
  /** @type {object} */
  lc_kwargs;
  ignoreLLM = false;
  ignoreChain = false;
  ignoreAgent = false;
  ignoreRetriever = false;
  ignoreCustomEvent = false;
  raiseError = false;
  awaitHandlers =
    /** @type {import("./environment.js").Realm} */ (globalThis).process?.env
      ?.LANGCHAIN_CALLBACKS_BACKGROUND === "false";
  name = "";

  /** @param {HandlerOptions | null} [input] */
  constructor(input) {
    this.lc_kwargs = input || {};
    for (const key of /** @type {const} */ ([
      "ignoreLLM",
      "ignoreChain",
      "ignoreAgent",
      "ignoreRetriever",
      "ignoreCustomEvent",
      "raiseError",
    ]))
      this[key] = input?.[key] ?? this[key];
    this.awaitHandlers = this.raiseError || (input?._awaitHandler ?? this.awaitHandlers);
  }

  static lc_name() {
    return this.name;
  }

  /**
   * Makes a handler with these methods only; it is not notified of pauses.
   * @param {Record<string, unknown>} [methods]
   */
  static fromMethods(methods) {
    class Handler extends BaseHandler {
      name = randomUuid();

      constructor() {
        super();
        Object.assign(this, methods);
      }
    }
    return new Handler();
  }

  get lc_namespace() {
    return ["langchain_core", "callbacks", this.name];
  }

  get lc_id() {
    return [...this.lc_namespace, this.constructor.name];
  }

  toJSON() {
    return { lc: 1, type: "not_implemented", id: this.lc_id };
  }

  toJSONNotImplemented() {
    return this.toJSON();
  }

  copy() {
    return new /** @type {new (from: this) => this} */ (this.constructor)(this);
  }
}

/** Base of users' handlers: pass an instance in `callbacks`. */
export class GraphCallbackHandler extends BaseHandler {
  name = "GraphCallbackHandler";

  /** @param {HandlerOptions | null} [input] */
  constructor(input) {
    super(input);
    Object.defineProperty(this, MARK, { value: true, enumerable: true });
  }

  /** @param {unknown} value */
  static isInstance(value) {
    return isGraphCallbackHandler(value);
  }
}
