// SPDX-License-Identifier: MIT
// A socket without a network: joins a client and a server of the same program. What is said crosses
// it as text, so that neither side holds the other's objects.

/** @typedef {Record<string, unknown>} Json */
/** @typedef {{ data?: unknown }} SocketEvent */

/** Codes of refusals: beside this, the status. */
const REFUSED = 4000;

/** To the server it is a WebSocket; the client has its other methods. */
export class Pipe {
  /** @type {Record<string, ((event: SocketEvent) => void)[]>} */
  #listeners = { message: [], close: [] };
  /** Events that the client has not taken yet. @type {{ event: Json, size: number }[]} */
  #events = [];
  /** @type {Map<unknown, { resolve: (answer: Json) => void, reject: (error: Error) => void }>} */
  #asked = new Map();
  #isClosed = false;
  /** Why it was closed, if not because it was over. @type {Error | undefined} */
  #error;
  #wake = () => {};
  /** Letters of events that wait: the server goes no faster than its reader. */
  bufferedAmount = 0;

  /** @param {string} type @param {(event: SocketEvent) => void} listener */
  addEventListener(type, listener) {
    this.#listeners[type]?.push(listener);
  }

  /** What the server says. @param {string} text */
  send(text) {
    const message = JSON.parse(text);
    if (message.type === "event") {
      this.#events.push({ event: message, size: text.length });
      this.bufferedAmount += text.length;
      this.#wake();
      return;
    }
    this.#asked.get(message.id)?.resolve(message);
    this.#asked.delete(message.id);
  }

  /** The server has no more to say. @param {number} [code] @param {string} [reason] */
  close(code = 1000, reason = "") {
    const status = code - REFUSED;
    const isRefused = status >= 400 && status < 500;
    this.end(isRefused ? Object.assign(new Error(reason), { status }) : undefined);
  }

  /** The client leaves: it takes no more events. */
  leave() {
    this.#events = [];
    this.end();
  }

  /** @param {Error} [error] that readers get */
  end(error) {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#error = error;
    for (const { reject } of this.#asked.values()) reject(this.#closed());
    this.#asked.clear();
    for (const listener of this.#listeners.close) listener({});
    this.#wake();
  }

  #closed() {
    return this.#error ?? new Error("The connection to the server is closed.");
  }

  /** @param {Json} command @returns {Promise<Json>} its answer */
  ask(command) {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw this.#closed();
      this.#asked.set(command.id, { resolve, reject });
      const data = JSON.stringify(command);
      for (const listener of this.#listeners.message) listener({ data });
    });
  }

  /** @returns {AsyncGenerator<Json, void, void>} what comes, until either side closes */
  async *events() {
    for (;;) {
      const next = this.#events.shift();
      if (next !== undefined) {
        this.bufferedAmount -= next.size;
        yield next.event;
      } else if (this.#isClosed) {
        if (this.#error !== undefined) throw this.#error;
        return;
      } else await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    }
  }
}
