// SPDX-License-Identifier: MIT
// Reads and edits the state of threads, lists subgraphs and binds configs for a compiled graph.
// Does not depend on how a run proceeds.
import { isInterrupted } from "../base/constants.js";
import { makeError } from "../base/errors.js";
import { checkArgument, isObject } from "../base/check-arguments.js";
import { ERR_NO_SAVER } from "../base/codes.js";
import { currentScope, scopeOf } from "../base/ambient.js";
import { ROOT_SAVES } from "../calls/call.js";
import { checkGiven, mergeConfigs } from "../base/merge-configs.js";
import { Runnable } from "../runnable/runnable.js";
import { METHODS } from "../savers/lazy.js";
import { areVersioned, listSubgraphs } from "../plan/subgraphs.js";
import { readHistory } from "./state-history.js";
import { updateGraph } from "./update-state.js";
import { graphAt, readState, savedAt } from "./get-state.js";

/** @typedef {import("../calls/config.js").Config} Config */
/** @typedef {import("../calls/caching.js").Cache} Cache */
/** @typedef {import("../calls/call.js").Store} Store */
/** @typedef {import("../plan/definition.js").NodeNames} NodeNames */
/** @typedef {import("../plan/subgraphs.js").Specs} Specs */
/** @typedef {import("../savers/base-checkpoint-saver.js").SaverLike} SaverLike */
/** @typedef {import("../types/base/common-types.js").StateSnapshot} StateSnapshot */
/** @typedef {import("./compiled.js").Compiled} Compiled */
/**
 * Options of `compile`; a copy of a graph is made from the graph's own fields.
 * @typedef {object} GraphOptions
 * @property {string} [name]
 * @property {string} [description]
 * @property {(() => unknown)[]} [transformers]
 * @property {SaverLike | boolean} [checkpointer]
 * @property {Store} [store]
 * @property {Cache & { clear(namespaces: string[][]): Promise<void> }} [cache]
 * @property {object} [limits]
 * @property {number} [stateVersion]
 * @property {import("../savers/maintenance/migrate.js").Versioned["migrate"]} [migrate]
 * @property {NodeNames} [interruptBefore]
 * @property {NodeNames} [interruptAfter]
 * @property {Config["multitaskStrategy"]} [multitaskStrategy]
 */

/** @typedef {{ streamTransformers?: (() => unknown)[] }} Transformers a copied graph's */

/** @template {object} [Builder=object] what the graph was made from */
export class ThreadState extends Runnable {
  /** @type {boolean | undefined} */
  #isVersioned;

  /**
   * @param {Builder} builder
   * @param {GraphOptions} options
   * @param {boolean} isNew whether a user passed the options in
   */
  constructor(builder, options, isNew) {
    super();
    if (isNew) {
      checkArgument(isObject(options), "the options of a graph must be an object");
      checkGiven(options, "options");
    }
    this.builder = builder;
    this.name = options.name;
    const { transformers, streamTransformers } = /** @type {GraphOptions & Transformers} */ (
      options
    );
    this.streamTransformers = transformers ?? streamTransformers ?? [];
    this.description = options.description;
    this.checkpointer = options.checkpointer;
    this.store = options.store;
    this.cache = options.cache;
    this.limits = options.limits;
    /** @type {Config | undefined} */
    this.config = undefined;
    this.stateVersion = options.stateVersion;
    this.migrate = options.migrate;
  }

  /** Empties the graph's cache. */
  async clearCache() {
    await this.cache?.clear([]);
  }

  /**
   * Checks whether a run ended at an interrupt.
   * @param {unknown} values of the run
   * @returns {boolean} did it end at an interrupt?
   */
  isInterrupted(values) {
    return isInterrupted(values);
  }

  /** Whether the graph or a subgraph has a state version. @returns {boolean} */
  get _isVersioned() {
    return (this.#isVersioned ??= this.stateVersion !== undefined || areVersioned(this._specs));
  }

  /**
   * Migrates the thread's state to this graph's version.
   * @param {Config} config
   * @returns {Promise<Config>}
   */
  async _bringUp(config) {
    return (await METHODS.load()).openVersioned(
      /** @type {Compiled} */ (/** @type {unknown} */ (this)),
      config.checkpointer ?? this.checkpointer,
      config,
    );
  }

  /**
   * Returns the config and checkpointer for reading or editing a thread.
   * @param {Config} options
   * @returns {Promise<{ config: Config, checkpointer: SaverLike }>}
   */
  async #stored(options) {
    const given = options?.checkpointer ?? this.config?.checkpointer ?? this.checkpointer;
    // The config of a task names the saver of its graph.
    const saver = given === true ? scopeOf(options)?.task.run.request.context.saver : given;
    if (given === true && saver === undefined) throw new Error(ROOT_SAVES);
    if (typeof saver !== "object" || saver === null) throw makeError(ERR_NO_SAVER);
    checkArgument(isObject(options), "config must be an object with configurable.thread_id");
    checkGiven(options);
    // Uses the caller's config only: a surrounding task's config does not affect which thread is
    // read or edited.
    const config = mergeConfigs(this.config, { ...options, configurable: options.configurable });
    return {
      config: this._isVersioned ? await this._bringUp(config) : config,
      checkpointer: saver,
    };
  }

  /** Node specifications by name, in which subgraphs are found. @returns {Specs} */
  get _specs() {
    return {};
  }

  /**
   * Parts for reading and editing threads; each kind of graph overrides it.
   * @returns {import("./get-state.js").Parts}
   */
  get _parts() {
    return /** @type {never} */ (undefined);
  }

  /**
   * Lists the subgraphs of its nodes.
   * @param {string} [namespace] only the subgraph at this namespace
   * @param {boolean} [recurse] whether to include subgraphs of subgraphs
   * @returns {Generator<[string, Compiled]>}
   */
  getSubgraphs(namespace, recurse) {
    checkArgument(
      namespace === undefined || typeof namespace === "string",
      "getSubgraphs(namespace): namespace must be a text",
    );
    return listSubgraphs(this._specs, namespace, recurse);
  }

  /** @param {string} [namespace] @param {boolean} [recurse] */
  async *getSubgraphsAsync(namespace, recurse) {
    yield* this.getSubgraphs(namespace, recurse);
  }

  /**
   * Reads the state of a thread or of one of its checkpoints; with a `checkpoint_ns`, of a
   * subgraph.
   * @param {Config} options
   * @param {{ subgraphs?: boolean }} [query] `subgraphs`: include the states of subgraphs
   * @returns {Promise<StateSnapshot>}
   */
  async getState(options, query) {
    const { config, checkpointer } = await this.#stored(options);
    // As in LangGraph.js the thread is the call's, not that of withConfig.
    const graph = graphAt(this, options) ?? this;
    return readState(
      graph._parts,
      config,
      checkpointer,
      !!query?.subgraphs,
      savedAt(graph, options),
    );
  }

  /**
   * Reads the checkpoints of a thread, the newest first.
   * @param {Config} options
   * @param {{ limit?: number, before?: Config, filter?: Record<string, unknown> }} [query]
   * @returns {AsyncGenerator<StateSnapshot, void, void>}
   */
  async *getStateHistory(options, query) {
    const { config, checkpointer } = await this.#stored(options);
    const graph = graphAt(this, config) ?? this;
    yield* readHistory(graph._parts, savedAt(graph, config), checkpointer, query);
  }

  /**
   * Writes to a thread's state as if a node had written.
   * @param {Config} options
   * @param {unknown} values
   * @param {string} [asNode]
   * @returns {Promise<Config>} config of the new checkpoint
   */
  updateState(options, values, asNode) {
    return this.bulkUpdateState(options, [{ updates: [{ values, asNode }] }]);
  }

  /**
   * Writes several supersteps, each with the updates of several nodes. Callbacks receive only the
   * first superstep's updates.
   * @param {Config} options
   * @param {Array<{ updates: Array<{ values?: unknown, asNode?: string }> }>} supersteps
   * @returns {Promise<Config>} config of the newest checkpoint
   */
  async bulkUpdateState(options, supersteps) {
    // Not known any more after an `await` where there is no AsyncLocalStorage.
    const scope = scopeOf(options) ?? currentScope();
    const { config, checkpointer } = await this.#stored(options);
    return updateGraph(
      /** @type {Compiled} */ (/** @type {unknown} */ (this)),
      options,
      config,
      checkpointer,
      supersteps,
      scope,
    );
  }

  /**
   * Copies the graph with a config that each call's config overrides.
   * @param {Config} config
   * @returns {this}
   */
  withConfig(config) {
    checkArgument(isObject(config), "withConfig(config): config must be an object");
    checkGiven(config);
    const copy = new /** @type {new (builder: Builder, options: this, from: this) => this} */ (
      this.constructor
    )(this.builder, this, this);
    copy.config = mergeConfigs(
      this.config,
      Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null)),
    );
    if (config.streamTransformers)
      copy.streamTransformers = [...this.streamTransformers, ...config.streamTransformers];
    return copy;
  }

  /** @param {Config} [config] */
  async getGraphAsync(config) {
    return this.getGraph(config);
  }
}
