// SPDX-License-Identifier: MIT
// Knows: the listener that a graph tells of its pauses. Its shape is LangChain's BaseCallbackHandler.

const MARK = Symbol.for("langgraph.graph_callback_handler");

/** @param {any} value @returns {boolean} */
export function isGraphCallbackHandler(value) {
  return typeof value === "object" && value !== null && value[MARK] === true;
}

/** Extend it and pass an instance in `callbacks`. */
export class GraphCallbackHandler {
  lc_serializable = false;
  lc_kwargs = {};
  ignoreLLM = false;
  ignoreChain = false;
  ignoreAgent = false;
  ignoreRetriever = false;
  ignoreCustomEvent = false;
  raiseError = false;
  awaitHandlers = true;
  name = "GraphCallbackHandler";

  constructor() {
    Object.defineProperty(this, MARK, { value: true, enumerable: true });
  }

  /** @param {unknown} value */
  static isInstance(value) {
    return isGraphCallbackHandler(value);
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

  copy() {
    return this;
  }
}
