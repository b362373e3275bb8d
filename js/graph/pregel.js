// SPDX-License-Identifier: MIT
// Implements the low-level graph that users build and call. Does not depend on its definition for
// the engine (low-level.js).
import { checkArgument, hasText, isObject } from "../base/check-arguments.js";
import { Topic } from "../state/channels.js";
import { Compiled } from "./compiled.js";
import { drawLone } from "../runnable/drawable.js";
import { lowLevelPlan, validate } from "../plan/low-level.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../plan/low-level.js").PregelFields} PregelFields */
/** @typedef {import("./thread-state.js").GraphOptions} GraphOptions */

const TASKS = "__pregel_tasks";

/** @extends {Compiled<PregelFields>} */
export class Pregel extends Compiled {
  /**
   * @param {PregelFields} fields
   * @param {GraphOptions & { config?: Config }} [options]
   * @param {Pregel} [from] graph whose plan is shared
   */
  constructor(fields, options = fields, from = undefined) {
    super(fields, options, from);
    this.nodes = fields.nodes;
    this.channels = { ...fields.channels, [TASKS]: fields.channels[TASKS] ?? new Topic() };
    this.autoValidate = fields.autoValidate ?? true;
    const { debug, stepTimeout, retryPolicy, streamMode } = /** @type {PregelFields} */ (
      from ?? fields
    );
    this.debug = debug ?? false;
    this.stepTimeout = stepTimeout;
    this.retryPolicy = retryPolicy;
    this.config = options.config;
    this.streamMode = [streamMode ?? "values"].flat();
    /** @type {Record<string, string[]>} */
    this.triggerToNodes = {};
    for (const [name, node] of Object.entries(this.nodes)) {
      for (const trigger of node.triggers) (this.triggerToNodes[trigger] ??= []).push(name);
    }
  }

  /** Counts a compiled StateGraph as an instance. @param {unknown} value */
  static [Symbol.hasInstance](value) {
    return this === Pregel
      ? /** @type {Partial<Compiled> | undefined} */ (value)?.lg_is_pregel === true
      : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /** @param {PregelFields} fields */
  _plan(fields) {
    checkFields(fields);
    const tasks = fields.channels[TASKS];
    if (tasks !== undefined && tasks.lc_graph_name !== "Topic")
      throw new Error(`Channel '${TASKS}' is reserved and cannot be used in the graph.`);
    if (fields.autoValidate !== false) validate(fields);
    return lowLevelPlan(fields);
  }

  /** Changes fields and renews the plan. @param {Partial<PregelFields>} fields that change */
  #edit(fields) {
    const { builder } = this;
    this.builder = { ...builder, ...fields };
    this._change(lowLevelPlan(this.builder));
  }

  get inputChannels() {
    return this.builder.inputChannels;
  }

  set inputChannels(inputChannels) {
    this.#edit({ inputChannels });
  }

  get outputChannels() {
    return this.builder.outputChannels;
  }

  set outputChannels(outputChannels) {
    this.#edit({ outputChannels });
  }

  get streamChannels() {
    return this.builder.streamChannels;
  }

  set streamChannels(streamChannels) {
    this.#edit({ streamChannels });
  }

  get _specs() {
    return Object.fromEntries(
      Object.entries(this.nodes).map(([name, { subgraphs, bound }]) => [
        name,
        { subgraphs, runnable: bound },
      ]),
    );
  }

  /** Checks the graph again. @returns {this} */
  validate() {
    validate(this);
    return this;
  }

  get streamChannelsList() {
    return [this.streamChannelsAsIs].flat();
  }

  get streamChannelsAsIs() {
    return this.streamChannels ?? Object.keys(this.channels);
  }

  /** @returns {unknown} */
  getGraph() {
    return drawLone(this);
  }
}

/** @param {PregelFields} fields */
function checkFields({ nodes, channels, inputChannels, outputChannels, streamChannels }) {
  for (const [key, value] of Object.entries({ nodes, channels }))
    checkArgument(isObject(value), `new Pregel(fields): fields.${key} must be an object, by name`);
  for (const [key, value] of Object.entries({ inputChannels, outputChannels, streamChannels })) {
    checkArgument(
      [value].flat().every(hasText),
      `new Pregel(fields): fields.${key} must be a name or a list of names`,
    );
  }
}
