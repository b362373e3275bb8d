// SPDX-License-Identifier: MIT
// What a compiled graph does with threads beside running on them: reads and edits their state,
// lists graphs inside, binds a config. Must not know: how a run goes on.
import { isInterrupted } from "../base/constants.js";
import { makeError } from "../base/errors.js";
import { checkArgument, isObject } from "../base/check-arguments.js";
import { ERR_NO_SAVER } from "../base/codes.js";
import { scopeOf } from "../base/ambient.js";
import { ROOT_SAVES } from "../calls/call.js";
import { checkGiven, mergeConfigs } from "../base/merge-configs.js";
import { Runnable } from "../runnable/runnable.js";
import { METHODS } from "../savers/lazy.js";
import { areVersioned, listSubgraphs } from "../plan/subgraphs.js";
import { readHistory } from "./state-history.js";
import { updateGraph } from "./update-state.js";
import { graphAt, readState, savedAt } from "./get-state.js";

/** @typedef {import("../calls/config.js").Config} Config */
/** @typedef {import("../base/callable.js").Value} Value */

export class ThreadState extends Runnable {
  /** @type {boolean | undefined} */
  #isVersioned;

  /**
   * @param {Value} builder
   * @param {Value} options
   * @param {boolean} isNew are the options a user's?
   */
  constructor(builder, options, isNew) {
    super();
    if (isNew) {
      checkArgument(isObject(options), "the options of a graph must be an object");
      checkGiven(options, "options");
    }
    this.builder = builder;
    this.name = options.name;
    this.streamTransformers = options.transformers ?? options.streamTransformers ?? [];
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

  /** @param {Value} values what a run gave @returns {boolean} did it end at an interrupt? */
  isInterrupted(values) {
    return isInterrupted(values);
  }

  /** Does it, or a graph inside it, hold its state's version? @returns {boolean} */
  get _isVersioned() {
    return (this.#isVersioned ??= this.stateVersion !== undefined || areVersioned(this._specs));
  }

  /**
   * The thread's state in this graph's version.
   * @param {Config} config
   * @returns {Promise<Config>}
   */
  async _bringUp(config) {
    return (await METHODS.load()).openVersioned(
      /** @type {any} */ (this),
      config.checkpointer ?? this.checkpointer,
      config,
    );
  }

  /** @param {Config} options @returns {Promise<{ config: Config, checkpointer: any }>} */
  async #stored(options) {
    const given = options?.checkpointer ?? this.config?.checkpointer ?? this.checkpointer;
    // A task's config says where its graph saves.
    const saver = given === true ? scopeOf(options)?.task.run.request.context.saver : given;
    if (given === true && saver === undefined) throw new Error(ROOT_SAVES);
    if (typeof saver !== "object" || saver === null) throw makeError(ERR_NO_SAVER);
    checkArgument(isObject(options), "config must be an object with configurable.thread_id");
    checkGiven(options);
    // A thread is read and edited by the config that is given: what a task around the call has does
    // not count.
    const config = mergeConfigs(this.config, { ...options, configurable: options.configurable });
    return {
      config: this._isVersioned ? await this._bringUp(config) : config,
      checkpointer: saver,
    };
  }

  /** What its nodes are, by name: where graphs inside are found. @returns {Record<string, any>} */
  get _specs() {
    return {};
  }

  /**
   * What reads and edits its threads; each kind of graph has its own.
   * @returns {import("./get-state.js").Parts}
   */
  get _parts() {
    return /** @type {any} */ (undefined);
  }

  /**
   * The graphs inside its nodes.
   * @param {string} [namespace] only this one
   * @param {boolean} [recurse] those inside them too
   * @returns {Generator<[string, any]>}
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
   * The state of a thread, or of one of its checkpoints; with a `checkpoint_ns` of a graph inside.
   * @param {Config} options
   * @param {{ subgraphs?: boolean }} [query] `subgraphs`: with the states of graphs inside
   * @returns {Promise<any>} a StateSnapshot
   */
  async getState(options, query) {
    const { config, checkpointer } = await this.#stored(options);
    // As in LangGraph.js the thread is the call's own, not that of withConfig.
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
   * The checkpoints of a thread, the newest first.
   * @param {Config} options
   * @param {{ limit?: number, before?: Config, filter?: Record<string, any> }} [query]
   * @returns {AsyncGenerator<any, void, void>}
   */
  async *getStateHistory(options, query) {
    const { config, checkpointer } = await this.#stored(options);
    const graph = graphAt(this, config) ?? this;
    yield* readHistory(graph._parts, savedAt(graph, config), checkpointer, query);
  }

  /**
   * Writes to a thread's state as if a node had.
   * @param {Config} options
   * @param {Value} values
   * @param {string} [asNode]
   * @returns {Promise<Config>} the new checkpoint
   */
  updateState(options, values, asNode) {
    return this.bulkUpdateState(options, [{ updates: [{ values, asNode }] }]);
  }

  /**
   * The same for several supersteps, each with the updates of several nodes. Callbacks hear of
   * those of the first.
   * @param {Config} options
   * @param {Array<{ updates: Array<{ values?: any, asNode?: string }> }>} supersteps
   * @returns {Promise<Config>} the newest checkpoint
   */
  async bulkUpdateState(options, supersteps) {
    const { config, checkpointer } = await this.#stored(options);
    return updateGraph(this, options, config, checkpointer, supersteps);
  }

  /**
   * The same graph with a config beneath that of each call.
   * @param {Config} config
   * @returns {this}
   */
  withConfig(config) {
    checkArgument(isObject(config), "withConfig(config): config must be an object");
    checkGiven(config);
    const copy = new /** @type {any} */ (this.constructor)(this.builder, this, this);
    copy.config = mergeConfigs(
      this.config,
      Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null)),
    );
    if (config.streamTransformers)
      copy.streamTransformers = [...this.streamTransformers, ...config.streamTransformers];
    return /** @type {this} */ (copy);
  }

  /** @param {any} [config] */
  async getGraphAsync(config) {
    return /** @type {any} */ (this).getGraph(config);
  }
}
