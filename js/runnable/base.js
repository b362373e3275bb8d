// SPDX-License-Identifier: MIT
// Defines LangChain's Runnable by its shape: names, and the methods that follow from `invoke` alone
// (stream, transform, batch). Does not depend on compositions of Runnables (runnable.js).
import { checkArgument } from "../base/check-arguments.js";
import { streamOf, transformAny } from "./operators.js";
import { batchAny } from "./batch.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../base/merge-configs.js").Config} Config */

export class Shape {
  lc_serializable = false;
  lc_runnable = true;
  lc_namespace = ["langchain_core", "runnables"];
  /** @type {string | undefined} */
  name = undefined;

  /** @param {Value} thing @returns {boolean} */
  static isRunnable(thing) {
    return !!thing?.lc_runnable;
  }

  static lc_name() {
    return this.name;
  }

  get lc_id() {
    return [...this.lc_namespace, /** @type {typeof Shape} */ (this.constructor).lc_name()];
  }

  /** @returns {unknown} */
  toJSON() {
    return { lc: 1, type: "not_implemented", id: this.lc_id };
  }

  /** @param {string} [suffix] */
  getName(suffix = "") {
    checkArgument(typeof suffix === "string", "getName(suffix): suffix must be a text");
    return `${this.name ?? /** @type {typeof Shape} */ (this.constructor).lc_name()}${suffix}`;
  }

  /** @param {unknown} _input @param {Config} [_config] @returns {Promise<unknown>} */
  async invoke(_input, _config) {
    throw new Error("Not implemented.");
  }

  /**
   * @param {unknown} input
   * @param {Config} [config]
   * @returns {AsyncIterable<unknown>} the chunks for one input
   */
  async *_streamIterator(input, config) {
    yield this.invoke(input, config);
  }

  /**
   * @param {unknown} input
   * @param {Config} [config]
   * @returns {Promise<Value>} a ReadableStream that is its own async iterator
   */
  async stream(input, config) {
    return streamOf(config, (own) => this._streamIterator(input, own));
  }

  /**
   * @param {AsyncIterable<unknown>} chunks of the input
   * @param {Config} [config]
   * @returns {AsyncIterable<unknown>}
   */
  async *transform(chunks, config) {
    yield* transformAny(this, chunks, config);
  }

  /**
   * @param {unknown[]} inputs
   * @param {Config | Config[]} [options]
   * @param {{ returnExceptions?: boolean, maxConcurrency?: number }} [batchOptions]
   * @returns {Promise<unknown[]>}
   */
  async batch(inputs, options, batchOptions) {
    return batchAny(this, inputs, options, batchOptions);
  }
}
