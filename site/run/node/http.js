// SPDX-License-Identifier: MIT
// As much of node:http as the documents' programs need: a port is one of this program, which alone
// can fetch from it. Nothing leaves the tab.
import { EventEmitter } from "./events.js";

/** @type {Map<number, Server>} */
const ports = new Map();
const FIRST_PORT = 49_152;
const HERE = ["localhost", "127.0.0.1", "[::1]"];

let isReached = false;
/** Lets the program's own fetch reach its ports, once it has one. */
function reach() {
  if (isReached) return;
  isReached = true;
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { hostname, port } = new URL(request.url);
    if (!HERE.includes(hostname)) return fetch(request);
    const server = ports.get(Number(port || 80));
    if (server === undefined) throw new TypeError("fetch failed: nobody listens on this port");
    return answer(server, request);
  };
}

/** @typedef {(request: Incoming, response: Outgoing) => unknown} Handler */

class Server extends EventEmitter {
  #port = 0;

  /** @param {number} port @param {unknown[]} more a host, and who is told that it listens */
  listen(port, ...more) {
    this.#port = port;
    while (this.#port === 0 || (port === 0 && ports.has(this.#port)))
      this.#port = FIRST_PORT + Math.floor(Math.random() * (65_536 - FIRST_PORT));
    if (ports.has(this.#port)) throw new Error(`EADDRINUSE: address already in use ${this.#port}`);
    ports.set(this.#port, this);
    reach();
    const told = more.at(-1);
    if (typeof told === "function") this.once("listening", () => told());
    queueMicrotask(() => this.emit("listening"));
    return this;
  }

  address() {
    return { address: "127.0.0.1", family: "IPv4", port: this.#port };
  }

  /** @param {() => void} [told] */
  close(told) {
    // The port may be another server's by now.
    if (ports.get(this.#port) === this) ports.delete(this.#port);
    if (told !== undefined) this.once("close", told);
    queueMicrotask(() => this.emit("close"));
    return this;
  }

  /** Each answer has a connection of its own, which ends with it. */
  closeAllConnections() {}
}

/** @param {Handler} handler */
export function createServer(handler) {
  return new Server().on("request", handler);
}

class Incoming extends EventEmitter {
  socket = {};
  #body;

  /** @param {Request} request */
  constructor(request) {
    super();
    const { host, pathname, search } = new URL(request.url);
    this.method = request.method;
    this.url = pathname + search;
    this.headers = { host, ...Object.fromEntries(request.headers) };
    this.#body = request.body;
  }

  async *iterator() {
    const reader = this.#body?.getReader();
    if (reader === undefined) return;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  }

  [Symbol.asyncIterator]() {
    return this.iterator();
  }
}

class Outgoing extends EventEmitter {
  statusCode = 200;
  headersSent = false;
  writableFinished = false;
  destroyed = false;
  #headers = new Headers();
  /** @type {ReadableStreamDefaultController<Uint8Array>} */
  #body;
  #stream;
  #send;

  /** @param {(response: Response) => void} send */
  constructor(send) {
    super();
    this.#send = send;
    this.#stream = new ReadableStream({
      start: (body) => void (this.#body = body),
      pull: () => void this.emit("drain"),
      cancel: () => this.#leave(),
    });
  }

  /** @param {string} name @param {string | string[]} value */
  setHeader(name, value) {
    this.#headers.delete(name);
    for (const one of [value].flat()) this.#headers.append(name, one);
    return this;
  }

  /** @param {number} status @param {Record<string, string>} [headers] */
  writeHead(status, headers = {}) {
    this.statusCode = status;
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value);
    return this;
  }

  flushHeaders() {
    if (this.headersSent) return;
    this.headersSent = true;
    const body = [204, 304].includes(this.statusCode) ? null : this.#stream;
    this.#send(new Response(body, { status: this.statusCode, headers: this.#headers }));
  }

  /** @param {string | Uint8Array} data */
  write(data) {
    this.flushHeaders();
    if (this.destroyed) return false;
    this.#body.enqueue(typeof data === "string" ? new TextEncoder().encode(data) : data);
    return (this.#body.desiredSize ?? 0) > 0;
  }

  /** @param {string | Uint8Array} [data] */
  end(data) {
    if (data === undefined) this.flushHeaders();
    else this.write(data);
    if (this.destroyed) return this;
    this.writableFinished = true;
    this.#body.close();
    this.emit("finish");
    this.#leave();
    return this;
  }

  /** Ends the connection in the midst of an answer. @param {unknown} [reason] */
  destroy(reason = new TypeError("fetch failed: the server ended the connection")) {
    if (this.destroyed) return this;
    this.#body.error(reason);
    this.flushHeaders();
    this.#leave();
    return this;
  }

  #leave() {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit("close");
  }
}

/** @param {Server} server @param {Request} request @returns {Promise<Response>} */
function answer(server, request) {
  return new Promise((resolve, reject) => {
    const outgoing = new Outgoing(resolve);
    const leave = () => {
      reject(request.signal.reason);
      outgoing.destroy(request.signal.reason);
    };
    if (request.signal.aborted) return leave();
    request.signal.addEventListener("abort", leave, { once: true });
    server.emit("request", new Incoming(request), outgoing);
  });
}
