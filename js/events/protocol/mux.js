// SPDX-License-Identifier: MIT
// Passes the events of one run through its transformers, numbers and keeps them, and ends its
// streams. Does not depend on graphs or on what transformers do.
import { isPromise } from "../../base/callable.js";
import { StreamChannel, isStreamChannel } from "./stream-channel.js";
import { isPrefixMatch } from "./subscription.js";

export const RESOLVE_VALUES = Symbol.for("langgraph.resolve_values");
export const REJECT_VALUES = Symbol.for("langgraph.reject_values");

/** @typedef {import("./protocol.js").ProtocolEvent} ProtocolEvent */
/**
 * @typedef {{ [RESOLVE_VALUES]: (values: unknown) => void, [REJECT_VALUES]: (error: unknown) =>
 *   void }} StreamHandle
 */
/**
 * @typedef {{ init: () => unknown, onRegister?: (emitter: { push: (namespace: string[], event:
 *   ProtocolEvent) => void }) => void, process: (event: ProtocolEvent) => boolean | void,
 *   finalize?: () => unknown, fail?: (error: unknown) => void }} StreamTransformer
 */

export class StreamMux {
  /** @type {StreamChannel<ProtocolEvent>} */
  _events = StreamChannel.local();
  /** @type {StreamChannel<{ ns: string[], stream: unknown }>} */
  _discoveries = StreamChannel.local();
  /** @type {StreamTransformer[]} */
  #transformers = [];
  /** @type {StreamChannel<unknown>[]} channels of transformers */
  #channels = [];
  /** @type {Array<[name: string, value: PromiseLike<unknown>]>} */
  #finals = [];
  /** @type {Array<{ path: string[], stream: StreamHandle }>} */
  #streams = [];
  /** The last values by namespace. @type {Map<string, unknown>} */
  #values = new Map();
  /** @type {unknown[]} */
  #interrupts = [];
  #interrupted = false;
  #seq = 0;
  /** Namespace of the event that transformers process. @type {string[]} */
  #namespace = [];
  /** @type {{ failed: boolean, error?: unknown } | undefined} */
  #end;

  /** @param {string[]} path @param {StreamHandle} stream its values are resolved at the end */
  register(path, stream) {
    this.#streams.push({ path, stream });
  }

  /** @param {StreamTransformer} transformer also receives the events so far */
  addTransformer(transformer) {
    const count = this._events.size;
    this.#transformers.push(transformer);
    transformer.onRegister?.({ push: (namespace, event) => this.push(namespace, event) });
    for (let i = 0; i < count; i++) transformer.process(this._events.get(i));
    if (this.#end === undefined) return;
    if (this.#end.failed) transformer.fail?.(this.#end.error);
    else transformer.finalize?.();
  }

  /**
   * Connects the channels and promises of a projection.
   * @param {unknown} projection
   */
  wireChannels(projection) {
    for (const [key, value] of Object.entries(
      /** @type {Record<string, unknown>} */ (projection ?? {}),
    )) {
      if (isStreamChannel(value)) {
        this.#channels.push(value);
        if (value.channelName !== undefined)
          value._wire((/** @type {unknown} */ item) =>
            this.#append(this.#namespace, `custom:${value.channelName}`, item),
          );
      } else if (isPromise(value)) {
        // Its reader handles a rejection.
        value.then(undefined, () => {});
        this.#finals.push([key, value]);
      }
    }
  }

  /** @param {string[]} namespace @param {string} method @param {unknown} data */
  #append(namespace, method, data) {
    this._events.push({
      type: "event",
      seq: this.#seq++,
      method,
      params: { namespace, timestamp: Date.now(), data },
    });
  }

  /** @param {string[]} namespace @param {ProtocolEvent} event gets its number here */
  push(namespace, event) {
    if (event.method === "values") this.#note(namespace, event.params.data);
    const outer = this.#namespace;
    this.#namespace = namespace;
    let keeps = true;
    // A transformer added meanwhile receives this event too.
    for (let i = 0; i < this.#transformers.length; i++)
      if (!this.#transformers[i].process(event)) keeps = false;
    this.#namespace = outer;
    if (keeps) this._events.push({ ...event, seq: this.#seq++ });
  }

  /** @param {string[]} namespace @param {unknown} values */
  #note(namespace, values) {
    this.#values.set(namespace.join("|"), values);
    const interrupts = /** @type {{ __interrupt__?: unknown } | undefined} */ (values)
      ?.__interrupt__;
    if (Array.isArray(interrupts))
      this.markInterrupted(
        interrupts.map(({ id, value }) => ({ interruptId: id ?? "", payload: value })),
      );
  }

  close() {
    /** @type {unknown[]} */
    const waits = [];
    /** @type {{ error: unknown } | undefined} */
    let failure;
    for (const transformer of this.#transformers) {
      try {
        const wait = transformer.finalize?.();
        if (isPromise(wait)) waits.push(wait);
      } catch (error) {
        failure ??= { error };
      }
    }
    this.#end = { failed: false };
    for (const { path, stream } of this.#streams)
      stream[RESOLVE_VALUES](this.#values.get(path.join("|")));
    for (const channel of this.#channels) channel._close();
    this._discoveries._close();
    // The run succeeded, so its values stay; readers of its events get the transformer's error.
    if (failure !== undefined) this._events._fail(failure.error);
    else if (waits.length === 0 && this.#finals.length === 0) this._events._close();
    else this.#closeLate(waits);
  }

  /** Reports the final values of transformers before the events end. @param {unknown[]} waits */
  async #closeLate(waits) {
    await Promise.allSettled(waits);
    const finals = await Promise.allSettled(this.#finals.map(([, value]) => value));
    finals.forEach((final, i) => {
      if (final.status === "fulfilled")
        this.#append([], "custom", { name: this.#finals[i][0], payload: final.value });
    });
    this._events._close();
  }

  /** @param {unknown} error */
  fail(error) {
    for (const transformer of this.#transformers) {
      try {
        transformer.fail?.(error);
      } catch {
        // Readers get the run's error, whatever a transformer does.
      }
    }
    this.#end = { failed: true, error };
    for (const { stream } of this.#streams) stream[REJECT_VALUES](error);
    for (const channel of [...this.#channels, this._discoveries, this._events])
      channel._fail(error);
  }

  /** @param {unknown[]} interrupts */
  markInterrupted(interrupts) {
    this.#interrupted = true;
    this.#interrupts.push(...interrupts);
  }

  get interrupted() {
    return this.#interrupted;
  }

  get interrupts() {
    return this.#interrupts;
  }

  /**
   * @param {string[]} path
   * @param {number} [startAt]
   * @returns {AsyncIterator<ProtocolEvent>} events of this path and below
   */
  subscribeEvents(path, startAt = 0) {
    return select(this._events.toAsyncIterable(startAt), ({ params }) =>
      isPrefixMatch(params.namespace, path),
    );
  }
}

/**
 * @template Item
 * @param {AsyncIterable<Item>} items
 * @param {(item: Item) => boolean} isIn
 * @returns {AsyncGenerator<Item, void, void>}
 */
export async function* select(items, isIn) {
  for await (const item of items) if (isIn(item)) yield item;
}
