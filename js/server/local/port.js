// SPDX-License-Identifier: MIT
// Requests and their answers over a MessagePort. Of a body each piece is sent when its reader asks
// for it; who stops reading, or is aborted, ends the request on the other side.
import { checkArgument, isObject } from "../../base/check-arguments.js";
import { ownLock, whenGone } from "./life.js";

/** @typedef {(type: "message", listener: (event: MessageEvent) => void) => void} Listening */
/**
 * A MessagePort, or a worker, to which other messages may go too: ours have a `weft`.
 * @typedef {{ postMessage: (message: unknown) => void, addEventListener: Listening,
 *   removeEventListener: Listening, start?: () => void, close?: () => void }} Port
 */
/** @typedef {(input: Request, init?: RequestInit) => Promise<Response>} Fetch */
/**
 * @typedef {{ weft: "request", id: string, url: string, method: string, headers: [string,
 *   string][], body?: ArrayBuffer } | { weft: "pull" | "cancel" | "end", id: string } | { weft:
 *   "head", id: string, status: number, headers: [string, string][], hasBody: boolean } | { weft:
 *   "piece", id: string, bytes: Uint8Array } | { weft: "failed", id: string, message: string } | {
 *   weft: "hello", lock?: string, asks: boolean } | { weft: "gone" }} Message
 */
/**
 * A request whose answer is not over.
 * @typedef {{ resolve: (response: Response) => void, reject: (error: unknown) => void, controller?:
 *   ReadableStreamDefaultController<Uint8Array>, pulled?: () => void }} Asked
 */

const GONE = "Who answers these requests is gone.";

/** The asking end. */
export class PortClient {
  #port;
  /** @type {Map<string, Asked>} */
  #asked = new Map();
  #life = new AbortController();
  /**
   * Sends what was asked before the other side said that it answers: nobody would hear it.
   * @type {(() => void)[] | undefined}
   */
  #waiting = [];

  /** @param {Port} port */
  constructor(port) {
    checkArgument(
      typeof port?.postMessage === "function" && typeof port.addEventListener === "function",
      "serveFrom(port): port must be a MessagePort",
    );
    this.#port = port;
    port.addEventListener("message", ({ data }) => this.#hear(data));
    port.start?.();
    sayHello(port, true);
  }

  get isGone() {
    return this.#life.signal.aborted;
  }

  /** @param {Request} request @param {AbortSignal} [signal] @returns {Promise<Response>} */
  async fetch(request, signal) {
    const { url, method, headers } = request;
    const hasBody = method !== "GET" && method !== "HEAD";
    const body = hasBody ? await request.arrayBuffer() : undefined;
    signal?.throwIfAborted();
    if (this.isGone) throw new TypeError(GONE);
    const id = crypto.randomUUID();
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      const leave = () => {
        if (!this.#asked.has(id)) return;
        this.#post({ weft: "cancel", id });
        this.#fail(id, signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      const send = () => {
        if (this.#asked.has(id))
          this.#post({ weft: "request", id, url, method, headers: [...headers], body });
      };
      if (this.#waiting === undefined) send();
      else this.#waiting.push(send);
    });
  }

  /** Nobody answers any more. */
  end() {
    this.#life.abort();
    for (const id of [...this.#asked.keys()]) this.#fail(id, new TypeError(GONE));
  }

  /** @param {Message} message */
  #post(message) {
    this.#port.postMessage(message);
  }

  /** @param {Message} message or somebody else's */
  #hear(message) {
    if (message?.weft === "gone") this.end();
    else if (message?.weft === "hello") this.#begin(message.lock);
    if (!isObject(message) || !("id" in message)) return;
    const { id } = message;
    const asked = this.#asked.get(id);
    if (asked === undefined) return;
    if (message.weft === "head") {
      asked.resolve(this.#responseOf(message, asked));
      if (!message.hasBody) this.#asked.delete(id);
    } else if (message.weft === "piece") {
      asked.controller?.enqueue(message.bytes);
      asked.pulled?.();
    } else if (message.weft === "end") {
      this.#asked.delete(id);
      asked.controller?.close();
      asked.pulled?.();
    } else if (message.weft === "failed") this.#fail(id, new TypeError(message.message));
  }

  /** @param {string | undefined} lock what the other side holds while it lives */
  #begin(lock) {
    if (this.#waiting === undefined) return;
    whenGone(lock, this.#life.signal, () => this.end());
    for (const send of this.#waiting) send();
    this.#waiting = undefined;
  }

  /**
   * @param {Message & { weft: "head" }} head
   * @param {Asked} asked
   * @returns {Response}
   */
  #responseOf({ id, status, headers, hasBody }, asked) {
    const start = (/** @type {ReadableStreamDefaultController<Uint8Array>} */ controller) => {
      asked.controller = controller;
    };
    const pull = () =>
      new Promise((resolve) => {
        asked.pulled = () => resolve(undefined);
        this.#post({ weft: "pull", id });
      });
    const cancel = () => {
      this.#asked.delete(id);
      this.#post({ weft: "cancel", id });
    };
    const body = hasBody ? new ReadableStream({ start, pull, cancel }, { highWaterMark: 0 }) : null;
    return new Response(body, { status, headers });
  }

  /** @param {string} id @param {unknown} error */
  #fail(id, error) {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    asked?.reject(error);
    asked?.controller?.error(error);
    asked?.pulled?.();
  }
}

/** @param {Port} port @param {boolean} [asks] whether the other side answers, too */
async function sayHello(port, asks = false) {
  port.postMessage({ weft: "hello", lock: await ownLock(), asks });
}

/**
 * The answering end.
 * @param {Port} port
 * @param {{ fetch: Fetch }} server
 * @param {() => void} [onEnd] it is ended, or the other side is gone
 * @returns {() => void} ends it, and what is being answered
 */
export function answerOn(port, server, onEnd) {
  const life = new AbortController();
  /** @type {Map<string, { controller: AbortController, reader?: ReadableStreamDefaultReader }>} */
  const open = new Map();
  const post = (/** @type {Message} */ message) => port.postMessage(message);

  const begin = async (/** @type {Message & { weft: "request" }} */ message) => {
    const { id, url, method, headers, body } = message;
    const controller = new AbortController();
    open.set(id, { controller });
    const { signal } = controller;
    const response = await server.fetch(new Request(url, { method, headers, body }), { signal });
    const reader = response.body?.getReader();
    const hasBody = reader !== undefined;
    if (signal.aborted) return reader?.cancel();
    if (hasBody) open.set(id, { controller, reader });
    else open.delete(id);
    const { status } = response;
    post({ weft: "head", id, status, headers: [...response.headers], hasBody });
  };

  const pull = async (/** @type {string} */ id) => {
    const found = await open.get(id)?.reader?.read();
    if (found === undefined) return;
    if (found.done) open.delete(id);
    post(found.done ? { weft: "end", id } : { weft: "piece", id, bytes: found.value });
  };

  const cancel = (/** @type {string} */ id) => {
    const found = open.get(id);
    open.delete(id);
    found?.controller.abort(new DOMException("Its reader went away.", "AbortError"));
    found?.reader?.cancel().catch(() => {});
  };

  const hear = async (/** @type {MessageEvent} */ { data }) => {
    try {
      if (data?.weft === "request") await begin(data);
      else if (data?.weft === "pull") await pull(data.id);
      else if (data?.weft === "cancel") cancel(data.id);
      else if (data?.weft === "hello") {
        whenGone(data.lock, life.signal, stop);
        // Who came later did not hear the first one.
        if (data.asks === true) await sayHello(port);
      }
    } catch (error) {
      open.delete(data.id);
      post({ weft: "failed", id: data.id, message: String(error) });
    }
  };
  const stop = () => {
    if (life.signal.aborted) return;
    life.abort();
    for (const id of [...open.keys()]) cancel(id);
    post({ weft: "gone" });
    port.removeEventListener("message", hear);
    port.close?.();
    onEnd?.();
  };
  port.addEventListener("message", hear);
  port.start?.();
  sayHello(port);
  return stop;
}
