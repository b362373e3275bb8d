// SPDX-License-Identifier: MIT
// Knows: LangChain's Runnable by its shape: its names, and what follows from `invoke` alone (stream, transform, batch).
// Must not know: what is made of Runnables (runnable.js).
import { newStream } from "../pregel/stream.js";
import { settleAll, sumOf, valuesOf } from "./chunks.js";

/** @typedef {import("../pregel/stream.js").RunStream} RunStream */
/** @typedef {Record<string, any>} Config */

export class Shape {
  lc_serializable = false;
  lc_runnable = true;
  lc_namespace = ["langchain_core", "runnables"];
  /** @type {string | undefined} */
  name = undefined;

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
    return streamOf(this._streamIterator(input, config));
  }

  /** @param {AsyncIterable<any>} chunks of the input @param {Config} [config] @returns {AsyncIterable<any>} */
  async *transform(chunks, config) {
    yield* this._streamIterator(await sumOf(chunks), config);
  }

  /**
   * @param {any[]} inputs
   * @param {Config | Config[]} [options]
   * @param {{ returnExceptions?: boolean, maxConcurrency?: number }} [batchOptions]
   * @returns {Promise<any[]>}
   */
  async batch(inputs, options, batchOptions) {
    const configs = configList(inputs, options);
    const limit = configs[0]?.maxConcurrency ?? batchOptions?.maxConcurrency;
    return valuesOf(await settleAll(inputs, limit, async (input, index) => this.invoke(input, configs[index])), batchOptions?.returnExceptions);
  }
}

/** @param {any[]} inputs @param {Config | Config[] | undefined} options @returns {Config[]} */
function configList(inputs, options) {
  if (!Array.isArray(options)) return inputs.map(() => options ?? {});
  if (options.length === inputs.length) return options;
  throw new Error(`Passed "options" must be an array with the same length as the inputs, but got ${options.length} options for ${inputs.length} inputs`);
}

/** @param {AsyncIterable<any>} chunks @returns {RunStream} the same, read as fast as they come */
function streamOf(chunks) {
  const stream = newStream();
  const read = async () => {
    for await (const chunk of chunks) stream.push(chunk);
  };
  read().then(() => stream.end(false), (error) => stream.end(true, error));
  return stream;
}
