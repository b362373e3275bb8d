// SPDX-License-Identifier: MIT
// Knows: LangChain's Runnable by its shape: its names, and what follows from `invoke` alone (stream, transform, batch).
// Must not know: what is made of Runnables (runnable.js).
import { checkArgument } from "../base/errors.js";
import { batchAny, streamOf, transformAny } from "./operators.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */

export class Shape {
  lc_serializable = false;
  lc_runnable = true;
  lc_namespace = ["langchain_core", "runnables"];
  /** @type {string | undefined} */
  name = undefined;

  /** @param {any} thing @returns {boolean} */
  static isRunnable(thing) {
    return !!thing?.lc_runnable;
  }

  static lc_name() {
    return this.name;
  }

  get lc_id() {
    return [...this.lc_namespace, /** @type {typeof Shape} */ (this.constructor).lc_name()];
  }

  /** @returns {any} */
  toJSON() {
    return { lc: 1, type: "not_implemented", id: this.lc_id };
  }

  /** @param {string} [suffix] */
  getName(suffix = "") {
    checkArgument(typeof suffix === "string", "getName(suffix): suffix must be a text");
    return `${this.name ?? /** @type {typeof Shape} */ (this.constructor).lc_name()}${suffix}`;
  }

  /** @param {any} _input @param {Config} [_config] @returns {Promise<any>} */
  async invoke(_input, _config) {
    throw new Error("Not implemented.");
  }

  /** @param {any} input @param {Config} [config] @returns {AsyncIterable<any>} the chunks for one input */
  async *_streamIterator(input, config) {
    yield this.invoke(input, config);
  }

  /** @param {any} input @param {Config} [config] @returns {Promise<any>} a ReadableStream that is its own async iterator */
  async stream(input, config) {
    return streamOf(config, (own) => this._streamIterator(input, own));
  }

  /** @param {AsyncIterable<any>} chunks of the input @param {Config} [config] @returns {AsyncIterable<any>} */
  async *transform(chunks, config) {
    yield* transformAny(this, chunks, config);
  }

  /**
   * @param {any[]} inputs
   * @param {Config | Config[]} [options]
   * @param {{ returnExceptions?: boolean, maxConcurrency?: number }} [batchOptions]
   * @returns {Promise<any[]>}
   */
  async batch(inputs, options, batchOptions) {
    return batchAny(this, inputs, options, batchOptions);
  }
}
