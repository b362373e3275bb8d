// SPDX-License-Identifier: MIT
// Presents a run on a server to its reader (`streamEvents` of version 3): events numbered by the
// server, and the streams derived from them. Loaded on demand. Does not depend on HTTP (client.js)
// or graphs.
import { encodeRun } from "../events/protocol/server-events.js";
import { REJECT_VALUES, RESOLVE_VALUES, select } from "../events/protocol/mux.js";
import {
  GraphRunStream,
  SET_LIFECYCLE_ITERABLE,
  SET_MESSAGES_ITERABLE,
  SET_VALUES_LOG,
  SubgraphRunStream,
} from "../events/protocol/run-stream.js";
import { StreamChannel } from "../events/protocol/stream-channel.js";
import { SUPPORTED_CHANNELS, isPrefixMatch } from "../events/protocol/subscription.js";
import {
  createMessagesTransformer,
  createSubgraphDiscoveryTransformer,
  createValuesTransformer,
  filterLifecycleEntries,
} from "../events/protocol/transformers.js";

/** @typedef {import("../base/callable.js").Value} Value */

const ENDS = ["completed", "failed", "interrupted"];

/** @typedef {import("../events/protocol/protocol.js").ProtocolEvent} ProtocolEvent */
/** @typedef {import("../events/protocol/mux.js").StreamTransformer} StreamTransformer */

/** Reports that the server refused to start the run. */
class ProtocolError extends Error {
  name = "ProtocolError";
}

/** Stream of a run on a server. */
export class RemoteGraphRunStream extends GraphRunStream {
  /** The SDK's stream of the thread, if the graph has a client of the SDK. @type {unknown} */
  thread;
}

/** Distributes the events, as StreamMux does for a local run. */
class ServerMux {
  /** @type {StreamChannel<ProtocolEvent>} */
  _events = StreamChannel.local();
  /** @type {StreamChannel<unknown>} */
  _discoveries = StreamChannel.local();
  /** @type {StreamChannel<Value>} */
  lives = StreamChannel.local();
  /** @type {unknown[]} */
  interrupts = [];
  interrupted = false;
  /** @type {StreamTransformer[]} */
  #transformers = [];
  /** @type {Array<{ path: string[], stream: Value }>} */
  #streams = [];
  /** Last values by namespace. @type {Map<string, unknown>} */
  #values = new Map();
  #ended = false;

  /** @param {string[]} path @param {unknown} stream */
  register(path, stream) {
    this.#streams.push({ path, stream });
  }

  /** @param {Value} transformer also receives the events so far */
  addTransformer(transformer) {
    this.#transformers.push(transformer);
    for (let i = 0; i < this._events.size; i++) transformer.process(this._events.get(i));
    if (this.#ended) transformer.finalize?.();
  }

  /** @param {ProtocolEvent} event */
  push(event) {
    const { namespace, timestamp, data } = event.params;
    if (event.method === "values") this.#values.set(namespace.join("|"), data);
    if (event.method === "lifecycle") this.lives.push({ ...data, namespace, timestamp });
    if (event.method === "input.requested")
      this.interrupts.push({ interruptId: data.interrupt_id, payload: data.payload, namespace });
    this.interrupted = this.interrupts.length > 0;
    // A transformer added meanwhile receives this event too.
    for (let i = 0; i < this.#transformers.length; i++) this.#transformers[i].process(event);
    this._events.push(event);
  }

  close() {
    this.#ended = true;
    for (const transformer of this.#transformers) transformer.finalize?.();
    for (const { path, stream } of this.#streams)
      stream[RESOLVE_VALUES](this.#values.get(path.join("|")));
    for (const channel of [this.lives, this._discoveries, this._events]) channel._close();
  }

  /** @param {unknown} error */
  fail(error) {
    this.#ended = true;
    for (const transformer of this.#transformers) transformer.fail?.(error);
    for (const { stream } of this.#streams) stream[REJECT_VALUES](error);
    for (const channel of [this.lives, this._discoveries, this._events]) channel._fail(error);
  }

  /**
   * @param {string[]} path
   * @param {number} [startAt]
   * @returns {AsyncIterator<ProtocolEvent>} events of the namespace and below it
   */
  subscribeEvents(path, startAt = 0) {
    return select(this._events.toAsyncIterable(startAt), ({ params }) =>
      isPrefixMatch(params.namespace, path),
    );
  }
}

/**
 * Adds the common parts of all streams to a stream.
 * @template {GraphRunStream} Stream
 * @param {ServerMux} mux
 * @param {Stream} stream
 * @returns {Stream}
 */
function equip(mux, stream) {
  const values = createValuesTransformer(stream.path);
  const messages = createMessagesTransformer(stream.path, undefined, stream.path.length);
  stream[SET_VALUES_LOG](values.init()._valuesLog);
  stream[SET_MESSAGES_ITERABLE](messages.init().messages);
  stream[SET_LIFECYCLE_ITERABLE](filterLifecycleEntries(mux.lives, stream.path));
  mux.addTransformer(values);
  mux.addTransformer(messages);
  return stream;
}

/** @param {Value} mux @param {AbortController} controller */
function rootOf(mux, controller) {
  const root = new RemoteGraphRunStream([], mux, 0, 0, {}, controller);
  mux.register([], root);
  mux.addTransformer(
    createSubgraphDiscoveryTransformer(mux, {
      createStream: (path, discoveryStart, eventStart) =>
        equip(mux, new SubgraphRunStream(path, mux, discoveryStart, eventStart, {}, controller)),
    }),
  );
  return equip(mux, root);
}

/**
 * Starts a run and opens its stream.
 * @param {Value} protocol of a PlatformClient, or of the SDK's client (sdk-protocol.js)
 * @param {string} threadId
 * @param {Record<string, unknown>} params of the command that starts the run
 * @param {AbortSignal | undefined} signal
 * @param {boolean} isEncoded whether to encode it as server-sent events
 * @returns {Promise<unknown>}
 */
export async function openRemoteRun(protocol, threadId, params, signal, isEncoded) {
  const answer = await protocol.start(threadId, params);
  if (answer?.type === "error")
    throw Object.assign(new ProtocolError(answer.message), { code: answer.error });
  if (answer?.type !== "success")
    throw new Error("Protocol command did not return a valid response.");
  const controller = new AbortController();
  const mux = new ServerMux();
  const root = rootOf(mux, controller);
  root.thread = protocol.thread;
  const abort = () => controller.abort(signal?.reason);
  const cancel = () => protocol.cancel(threadId, answer.result.run_id).catch(() => {});
  controller.signal.addEventListener("abort", cancel);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  follow(
    protocol.events(threadId, [...SUPPORTED_CHANNELS], controller.signal),
    mux,
    controller.signal,
  ).then(() => {
    controller.signal.removeEventListener("abort", cancel);
    signal?.removeEventListener("abort", abort);
  });
  return isEncoded ? encodeRun(root) : root;
}

/** @param {AsyncIterable<Value>} events @param {ServerMux} mux @param {AbortSignal} signal */
async function follow(events, mux, signal) {
  let last = -1;
  try {
    for await (const event of events) {
      // A server that repeats earlier events may send an event twice.
      if (!Array.isArray(event?.params?.namespace) || event.seq <= last) continue;
      last = event.seq;
      mux.push(event);
      if (
        event.method === "lifecycle" &&
        event.params.namespace.length === 0 &&
        ENDS.includes(event.params.data?.event)
      )
        break;
    }
    mux.close();
  } catch (error) {
    if (signal.aborted) mux.close();
    else mux.fail(error);
  }
}
