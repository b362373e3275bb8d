// SPDX-License-Identifier: MIT
// Manages the callback handlers of a call and its runs, with the methods of LangChain's managers.
// Does not depend on who reports the events.
import { randomUuid } from "../base/uuid.js";
import { OF_RUN, tell } from "./notify-handlers.js";

/** @typedef {import("../base/callable.js").Value} Value */
/**
 * A handler in LangChain's format, whose methods and marks are looked up by name.
 * @typedef {Record<string, Value>} Handler
 */
/**
 * A run whose events are reported; LangChain's runs have the same methods.
 * @typedef {CallbackRun & Record<`handle${keyof typeof OF_RUN}`, (...args: unknown[]) =>
 *   Promise<void>>} ReportedRun
 */

/** Base of managers and runs. */
class Listeners {
  /** @type {Handler[]} */
  handlers = [];
  /** @type {Handler[]} */
  inheritableHandlers = [];
  /** @type {string[]} */
  tags = [];
  /** @type {string[]} */
  inheritableTags = [];
  /** @type {Record<string, unknown>} */
  metadata = {};
  /** @type {Record<string, unknown>} */
  inheritableMetadata = {};

  /** @type {() => string} */
  newId = randomUuid;

  /** @param {string | undefined} parentRunId */
  constructor(parentRunId) {
    this._parentRunId = parentRunId;
  }

  get parentRunId() {
    return this._parentRunId;
  }

  /** @param {Listeners} from */
  take(from) {
    this.newId = from.newId ?? randomUuid;
    this.handlers = [...from.handlers];
    this.inheritableHandlers = [...from.inheritableHandlers];
    this.tags = [...from.tags];
    this.inheritableTags = [...from.inheritableTags];
    this.metadata = { ...from.metadata };
    this.inheritableMetadata = { ...from.inheritableMetadata };
    return this;
  }
}

export class CallbackManager extends Listeners {
  name = "callback_manager";

  getParentRunId() {
    return this._parentRunId;
  }

  /** @param {Handler} handler @param {boolean} [inherit] */
  addHandler(handler, inherit = true) {
    this.handlers.push(handler);
    if (inherit) this.inheritableHandlers.push(handler);
  }

  /** @param {Handler} handler */
  removeHandler(handler) {
    const { handlers, inheritableHandlers } = this;
    this.handlers = handlers.filter((one) => one !== handler);
    this.inheritableHandlers = inheritableHandlers.filter((one) => one !== handler);
  }

  /** @param {Handler[]} handlers @param {boolean} [inherit] */
  setHandlers(handlers, inherit = true) {
    this.handlers = [];
    this.inheritableHandlers = [];
    for (const handler of handlers) this.addHandler(handler, inherit);
  }

  /** @param {Handler} handler */
  setHandler(handler) {
    this.setHandlers([handler]);
  }

  /** @param {string[]} tags @param {boolean} [inherit] */
  addTags(tags, inherit = true) {
    this.removeTags(tags);
    this.tags.push(...tags);
    if (inherit) this.inheritableTags.push(...tags);
  }

  /** @param {string[]} tags */
  removeTags(tags) {
    const { tags: own, inheritableTags } = this;
    this.tags = own.filter((tag) => !tags.includes(tag));
    this.inheritableTags = inheritableTags.filter((tag) => !tags.includes(tag));
  }

  /** @param {Record<string, unknown>} metadata @param {boolean} [inherit] */
  addMetadata(metadata, inherit = true) {
    const { metadata: own, inheritableMetadata } = this;
    this.metadata = { ...own, ...metadata };
    if (inherit) this.inheritableMetadata = { ...inheritableMetadata, ...metadata };
  }

  /** @param {Record<string, unknown>} metadata */
  removeMetadata(metadata) {
    for (const key of Object.keys(metadata)) {
      delete this.metadata[key];
      delete this.inheritableMetadata[key];
    }
  }

  /** @param {Handler[]} [more] @param {boolean} [inherit] */
  copy(more = [], inherit = true) {
    const copy = /** @type {CallbackManager} */ (new CallbackManager(this._parentRunId).take(this));
    for (const handler of more)
      if (!copy.handlers.includes(handler)) copy.addHandler(handler, inherit);
    return copy;
  }

  /**
   * @param {string} event
   * @param {string} ignored
   * @param {string} runId
   * @param {unknown[]} before
   * @param {unknown[]} after
   */
  async #begin(event, ignored, runId, before, after) {
    const run = /** @type {ReportedRun} */ (new CallbackRun(runId, this._parentRunId).take(this));
    await tell(this.handlers, event, ignored, [...before, runId, this._parentRunId, ...after]);
    return run;
  }

  /**
   * @param {unknown} chain
   * @param {unknown} inputs
   * @param {string} [runId]
   * @param {string} [runType]
   * @param {string[]} [_tags]
   * @param {unknown} [_metadata]
   * @param {string} [runName]
   * @param {string} [_parent]
   * @param {unknown} [extra]
   */
  handleChainStart(
    chain,
    inputs,
    runId = this.newId(),
    runType,
    _tags,
    _metadata,
    runName,
    _parent,
    extra,
  ) {
    // LangChain's tracers read it only when they make the run, which LangChain's own manager
    // requests before it notifies them.
    if (extra !== undefined) {
      for (const handler of this.handlers)
        handler._createRunForChainStart?.(
          chain,
          inputs,
          runId,
          this._parentRunId,
          this.tags,
          this.metadata,
          runType,
          runName,
          extra,
        );
    }
    return this.#begin(
      "ChainStart",
      "ignoreChain",
      runId,
      [chain, inputs],
      [this.tags, this.metadata, runType, runName, extra],
    );
  }

  /**
   * Begins a model's run for each input of one call.
   * @param {string} event
   * @param {unknown} model
   * @param {unknown[]} inputs
   * @param {string | undefined} runId of the first
   * @param {unknown} extra
   * @param {string | undefined} runName
   */
  #beginModel(event, model, inputs, runId, extra, runName) {
    return Promise.all(
      inputs.map((input, i) =>
        this.#begin(
          event,
          "ignoreLLM",
          (i === 0 && runId) || this.newId(),
          [model, [input]],
          [extra, this.tags, this.metadata, runName],
        ),
      ),
    );
  }

  /**
   * @param {unknown} model
   * @param {unknown[]} prompts
   * @param {string} [runId]
   * @param {unknown} [_parent]
   * @param {unknown} [extra]
   * @param {unknown} [_tags]
   * @param {unknown} [_metadata]
   * @param {string} [runName]
   */
  handleLLMStart(model, prompts, runId, _parent, extra, _tags, _metadata, runName) {
    return this.#beginModel("LLMStart", model, prompts, runId, extra, runName);
  }

  /**
   * @param {unknown} model
   * @param {unknown[][]} lists
   * @param {string} [runId]
   * @param {unknown} [_parent]
   * @param {unknown} [extra]
   * @param {unknown} [_tags]
   * @param {unknown} [_metadata]
   * @param {string} [runName]
   */
  handleChatModelStart(model, lists, runId, _parent, extra, _tags, _metadata, runName) {
    return this.#beginModel("ChatModelStart", model, lists, runId, extra, runName);
  }

  /**
   * @param {unknown} tool
   * @param {unknown} input
   * @param {string} [runId]
   * @param {unknown} [_parent]
   * @param {unknown} [_tags]
   * @param {unknown} [_metadata]
   * @param {string} [runName]
   * @param {string} [callId]
   */
  handleToolStart(tool, input, runId = this.newId(), _parent, _tags, _metadata, runName, callId) {
    return this.#begin(
      "ToolStart",
      "ignoreAgent",
      runId,
      [tool, typeof input === "string" ? input : JSON.stringify(input)],
      [this.tags, this.metadata, runName, callId],
    );
  }

  /**
   * @param {unknown} retriever
   * @param {string} query
   * @param {string} [runId]
   * @param {unknown} [_parent]
   * @param {unknown} [_tags]
   * @param {unknown} [_metadata]
   * @param {string} [runName]
   */
  handleRetrieverStart(retriever, query, runId = this.newId(), _parent, _tags, _metadata, runName) {
    return this.#begin(
      "RetrieverStart",
      "ignoreRetriever",
      runId,
      [retriever, query],
      [this.tags, this.metadata, runName],
    );
  }

  /** @param {string} name @param {unknown} data @param {string} runId */
  handleCustomEvent(name, data, runId) {
    return tell(this.handlers, "CustomEvent", "ignoreCustomEvent", [
      name,
      data,
      runId,
      this.tags,
      this.metadata,
    ]);
  }
}

/** One run of a chain, model, tool or retriever; its other methods are defined below. */
export class CallbackRun extends Listeners {
  /** @param {string} runId @param {string | undefined} parentRunId */
  constructor(runId, parentRunId) {
    super(parentRunId);
    this.runId = runId;
  }

  /** @param {string} [tag] @returns {CallbackManager} for runs inside this one */
  getChild(tag) {
    const child = new CallbackManager(this.runId);
    child.newId = this.newId;
    child.setHandlers(this.inheritableHandlers);
    child.addTags(this.inheritableTags);
    child.addMetadata(this.inheritableMetadata);
    if (tag !== undefined) child.addTags([tag], false);
    return child;
  }

  /** @param {string} name @param {unknown} data */
  handleCustomEvent(name, data) {
    return tell(this.handlers, "CustomEvent", "ignoreCustomEvent", [
      name,
      data,
      this.runId,
      this.tags,
      this.metadata,
    ]);
  }
}

for (const [event, ignored] of Object.entries(OF_RUN)) {
  const method = event === "LLMNewToken" ? tellToken : tellRun(event, ignored);
  Object.assign(CallbackRun.prototype, { [`handle${event}`]: method });
}

/** @param {string} event @param {string} ignored */
function tellRun(event, ignored) {
  return /** @this {CallbackRun} */ function (
    /** @type {unknown} */ value,
    /** @type {unknown[]} */ ...rest
  ) {
    return tell(this.handlers, event, ignored, [
      value,
      this.runId,
      this._parentRunId,
      this.tags,
      ...rest.slice(3),
    ]);
  };
}

/** @this {CallbackRun} @param {string} token @param {unknown} [index] @param {unknown[]} rest */
function tellToken(token, index, ...rest) {
  const args = [
    token,
    index ?? { prompt: 0, completion: 0 },
    this.runId,
    this._parentRunId,
    this.tags,
    rest[3],
  ];
  return tell(this.handlers, "LLMNewToken", "ignoreLLM", args);
}

/**
 * Returns the manager of callbacks: LangChain's own as it is, one of Weft's for a list.
 * @param {unknown} callbacks
 * @returns {CallbackManager | undefined} undefined for none
 */
export function managerOf(callbacks) {
  return callbacks === undefined || callbacks === null ? undefined : managerFrom(callbacks);
}

/** @param {{}} callbacks @returns {CallbackManager} */
export function managerFrom(callbacks) {
  const given = /** @type {CallbackManager} */ (callbacks);
  if (typeof given.handleChainStart === "function" && typeof given.copy === "function")
    return given;
  const manager = new CallbackManager(undefined);
  manager.setHandlers(Array.isArray(callbacks) ? callbacks : given.handlers);
  return manager;
}
