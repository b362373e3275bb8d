// SPDX-License-Identifier: MIT
// Represents a run for its reader: events, values, messages, subgraphs, lifecycle, output. Does not
// depend on graphs.
import { checkArgument, isListOf } from "../../base/check-arguments.js";
import { REJECT_VALUES, RESOLVE_VALUES, StreamMux } from "./mux.js";
import { convertToProtocolEvent } from "./protocol.js";
import {
  createLifecycleTransformer,
  createMessagesTransformer,
  createSubgraphDiscoveryTransformer,
  createValuesTransformer,
  filterLifecycleEntries,
  filterSubgraphHandles,
  isNativeTransformer,
} from "./transformers.js";

/** @typedef {import("../../base/callable.js").Value} Value */

export const SET_VALUES_LOG = Symbol.for("langgraph.set_values_log");
export const SET_MESSAGES_ITERABLE = Symbol.for("langgraph.set_messages_iterable");
export const SET_LIFECYCLE_ITERABLE = Symbol.for("langgraph.set_lifecycle_iterable");
const SET_SUBGRAPHS_ITERABLE = Symbol.for("langgraph.set_subgraphs_iterable");

/** @typedef {import("./protocol.js").ProtocolEvent} ProtocolEvent */
/** @typedef {import("./mux.js").StreamTransformer} StreamTransformer */

const NOTHING = { async *[Symbol.asyncIterator]() {} };

export class GraphRunStream {
  #controller;
  #discoveryStart;
  #eventStart;
  /** @type {Value} */
  #resolve;
  /** @type {Value} */
  #reject;
  /** @type {Promise<unknown>} */
  #output;
  /** @type {Value} */
  #values = NOTHING;
  /** @type {unknown} */
  #messages = NOTHING;
  /** @type {unknown} */
  #lifecycle = NOTHING;
  /** @type {unknown} */
  #subgraphs;
  /** Number of active loops over its events. */
  #readers = 0;
  /** Is anything but its events read? */
  #isShared = false;

  /**
   * @param {string[]} path
   * @param {StreamMux} mux
   * @param {number} [discoveryStart]
   * @param {number} [eventStart]
   * @param {Record<string, unknown>} [extensions]
   * @param {AbortController} [abortController]
   */
  constructor(
    path,
    mux,
    discoveryStart = 0,
    eventStart = 0,
    extensions = {},
    abortController = new AbortController(),
  ) {
    this.path = path;
    /** Projections of transformers. @type {Record<string, unknown>} */
    this.extensions = extensions;
    this._mux = mux;
    this.#discoveryStart = discoveryStart;
    this.#eventStart = eventStart;
    this.#controller = abortController;
    this.#output = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Without a reader of the output, the events report a failure.
    this.#output.catch(() => {});
  }

  /**
   * Iterates over events. A reader that leaves before the end stops the run, unless something else
   * of the run is read.
   * @returns {AsyncIterableIterator<ProtocolEvent>}
   */
  [Symbol.asyncIterator]() {
    const events = this._mux.subscribeEvents(this.path, this.#eventStart);
    const leave = () => {
      const isShared = this.#isShared || Object.keys(this.extensions).length > 0;
      if (--this.#readers === 0 && !isShared && this.path.length === 0) this.abort();
    };
    let isReading = true;
    this.#readers++;
    const iterator = {
      next: () => events.next(),
      return: async () => {
        if (isReading) leave();
        isReading = false;
        return { done: /** @type {const} */ (true), value: undefined };
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  get subgraphs() {
    this.#isShared = true;
    return (
      this.#subgraphs ??
      filterSubgraphHandles(this._mux._discoveries, this.path, this.#discoveryStart)
    );
  }

  get values() {
    this.#isShared = true;
    const log = this.#values;
    const output = this.#output;
    return {
      [Symbol.asyncIterator]: () => log[Symbol.asyncIterator](),
      then: output.then.bind(output),
    };
  }

  get messages() {
    this.#isShared = true;
    return this.#messages;
  }

  get lifecycle() {
    this.#isShared = true;
    return this.#lifecycle;
  }

  /** @param {string} node */
  messagesFrom(node) {
    this.#isShared = true;
    const transformer = createMessagesTransformer(this.path, node);
    const { messages } = transformer.init();
    this._mux.addTransformer(transformer);
    return messages;
  }

  get output() {
    this.#isShared = true;
    return this.#output;
  }

  get interrupted() {
    return this._mux.interrupted;
  }

  get interrupts() {
    return this._mux.interrupts;
  }

  /** @param {unknown} [reason] */
  abort(reason) {
    this.#controller.abort(reason);
  }

  get signal() {
    return this.#controller.signal;
  }

  /** @param {unknown} values */
  [RESOLVE_VALUES](values) {
    this.#resolve(values);
  }

  /** @param {unknown} error */
  [REJECT_VALUES](error) {
    this.#reject(error);
  }

  /** @param {unknown} log */
  [SET_VALUES_LOG](log) {
    this.#values = log;
  }

  /** @param {unknown} messages */
  [SET_MESSAGES_ITERABLE](messages) {
    this.#messages = messages;
  }

  /** @param {unknown} lifecycle */
  [SET_LIFECYCLE_ITERABLE](lifecycle) {
    this.#lifecycle = lifecycle;
  }

  /** @param {unknown} subgraphs */
  [SET_SUBGRAPHS_ITERABLE](subgraphs) {
    this.#subgraphs = subgraphs;
  }
}

/** The stream of a subgraph. */
export class SubgraphRunStream extends GraphRunStream {
  /** @param {ConstructorParameters<typeof GraphRunStream>} given */
  constructor(...given) {
    super(...given);
    const [, name, last] = /** @type {RegExpExecArray} */ (
      /^(?:(.*):)?(.*)$/s.exec(this.path.at(-1) ?? "")
    );
    this.name = name ?? last;
    this.index = name !== undefined && /^\d+$/.test(last) ? Number(last) : 0;
  }
}

/** Adds the messages of a stream. @param {StreamMux} mux @param {GraphRunStream} stream */
function addMessages(mux, stream) {
  const messages = createMessagesTransformer(stream.path);
  stream[SET_MESSAGES_ITERABLE](messages.init().messages);
  mux.addTransformer(messages);
}

/**
 * Yields the values among a stream's own events, without those that a transformer dropped.
 * @param {GraphRunStream} stream
 */
async function* valuesOf(stream) {
  for await (const { method, params } of stream)
    if (method === "values" && params.namespace.length === stream.path.length) yield params.data;
}

/**
 * @param {AsyncIterable<unknown>} source chunks of a stream: [namespace, mode, payload]
 * @param {ReadonlyArray<() => StreamTransformer>} [transformers]
 * @param {AbortController | { abortController?: AbortController }} [options]
 * @returns {GraphRunStream}
 */
export function createGraphRunStream(source, transformers = [], options) {
  const controller =
    options instanceof AbortController
      ? options
      : (options?.abortController ?? new AbortController());
  const mux = new StreamMux();
  /** @type {Record<string, unknown>} */
  const extensions = {};
  const root = new GraphRunStream([], mux, 0, 0, extensions, controller);
  mux.register([], root);
  const lifecycle = createLifecycleTransformer();
  const { _lifecycleLog: lives, lifecycle: all } = lifecycle.init();
  const discovery = createSubgraphDiscoveryTransformer(mux, {
    createStream(path, discoveryStart, eventStart) {
      const stream = new SubgraphRunStream(path, mux, discoveryStart, eventStart, {}, controller);
      stream[SET_VALUES_LOG]({ [Symbol.asyncIterator]: () => valuesOf(stream) });
      addMessages(mux, stream);
      stream[SET_LIFECYCLE_ITERABLE](filterLifecycleEntries(lives, path, lives.size));
      return stream;
    },
  });
  root[SET_SUBGRAPHS_ITERABLE](discovery.init().subgraphs);
  root[SET_LIFECYCLE_ITERABLE](all);
  const values = createValuesTransformer([]);
  root[SET_VALUES_LOG](values.init()._valuesLog);
  for (const transformer of [discovery, lifecycle, values])
    mux.addTransformer(/** @type {Value} */ (transformer));
  addMessages(mux, root);
  checkArgument(
    isListOf(transformers, (make) => typeof make === "function"),
    "transformers must be a list of functions that make transformers",
  );
  for (const make of transformers) {
    const transformer = make();
    // It receives the earlier events, then makes its projection.
    mux.addTransformer(transformer);
    const projection = transformer.init();
    if (!isNativeTransformer(transformer)) mux.wireChannels(projection);
    Object.assign(isNativeTransformer(transformer) ? root : extensions, projection);
  }
  pump(source, mux);
  return root;
}

/** @param {AsyncIterable<Value>} source @param {StreamMux} mux */
async function pump(source, mux) {
  // The number among the source's events, for transformers.
  let seq = 0;
  try {
    for await (const [namespace, mode, payload] of source) {
      for (const event of convertToProtocolEvent({ namespace, mode, payload, seq })) {
        seq++;
        mux.push(namespace, event);
      }
    }
    mux.close();
  } catch (error) {
    mux.fail(error);
  }
}
