// SPDX-License-Identifier: MIT
// Formats chunks for the reader: bare for one mode, with their mode for a list, with their
// namespace if requested, or as the bytes of server-sent events. Does not depend on runs.
import { encodeEvent, encoder } from "./server-events.js";
import { newStream } from "./chunk-stream.js";

/** @typedef {import("../base/callable.js").Value} Value */

const EVENTS = "text/event-stream";
/** Option with a callback that receives each chunk when it is made, for recorders of a run. */
export const ON_CHUNK = Symbol("onChunk");
/** Option of a caller that reads the stream by a loop alone. */
export const IN_LOOP = Symbol("inLoop");

/** @typedef {(namespace: string[], mode: string, payload: unknown) => unknown} Shape */

export class Outlet {
  stream;
  #isEmpty = true;
  #encodes;
  #shape;
  #onChunk;

  /**
   * @param {unknown} mode
   * @param {boolean} isDefault
   * @param {{ subgraphs?: boolean, encoding?: string, [ON_CHUNK]?: (chunk: unknown) => void,
   *   [IN_LOOP]?: true } | undefined} options
   */
  constructor(mode, isDefault, options) {
    this.stream = newStream(options?.[IN_LOOP] === true);
    this.#encodes = options?.encoding === EVENTS;
    this.#onChunk = options?.[ON_CHUNK];
    const withNamespace = !!options?.subgraphs;
    this.#shape = this.#encodes
      ? encoder(withNamespace)
      : shapeOf(Array.isArray(mode) && !isDefault, withNamespace);
  }

  /** @param {string[]} namespace @param {string} mode @param {unknown} payload */
  push(namespace, mode, payload) {
    this.#isEmpty = false;
    try {
      const chunk = this.#shape(namespace, mode, payload);
      this.#onChunk?.(chunk);
      this.stream.push(chunk);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {import("../run/start.js").RunResult} result */
  end(result) {
    this.stream.result = result;
    this.stream.end(false);
  }

  /**
   * Ends the stream with an error; in server-sent events it is the last event, unless nothing was
   * sent before.
   * @param {Value} error
   */
  fail(error) {
    if (!this.#encodes || this.#isEmpty) {
      this.stream.end(true, error);
      return;
    }
    this.stream.push(encodeEvent([], "error", { error: error?.name, message: error?.message }));
    this.stream.end(false);
  }
}

/** @param {boolean} isList @param {boolean} withNamespace @returns {Shape} */
function shapeOf(isList, withNamespace) {
  if (withNamespace)
    return isList
      ? (namespace, mode, payload) => [namespace, mode, payload]
      : (namespace, _, payload) => [namespace, payload];
  return isList ? (_, mode, payload) => [mode, payload] : (_namespace, _mode, payload) => payload;
}
