// SPDX-License-Identifier: MIT
// The SDK's AgentServerAdapter for a server in the same program: commands and events of a thread
// without requests, addresses and server-sent events between them.
import { checkArgument, isObject } from "../../base/check-arguments.js";
import { Pipe } from "./pipe.js";

/** @typedef {import("./pipe.js").Json} Json */
/** @typedef {ReturnType<typeof import("../server.js").createServer>} LocalServer */

const ORIGIN = "http://weft.local";

class Adapter {
  /** @protected */
  server;
  /** @protected */
  headers;
  /** Carries commands, and events that commands subscribe to. @type {Pipe | undefined} */
  #main;
  /** @type {Set<Pipe>} */
  #pipes = new Set();

  /**
   * @param {LocalServer} server
   * @param {string} threadId empty: it is not known yet
   * @param {Record<string, string>} headers
   */
  constructor(server, threadId, headers) {
    this.server = server;
    this.threadId = threadId;
    this.headers = headers;
  }

  /** There is nothing to wait for. */
  async open() {}

  /** @param {Json} command @returns {Promise<Json>} */
  async send(command) {
    return this.#mainPipe().ask(command);
  }

  /** @returns {AsyncIterable<Json>} events of subscriptions that were sent as commands */
  events() {
    return this.#mainPipe().events();
  }

  /**
   * @param {Json} params channels, namespaces, depth, since
   * @returns {{ events: AsyncIterable<Json>, ready: Promise<void>, close: () => void }}
   */
  openEventStream(params) {
    const pipe = this.#connect();
    const ready = pipe
      .ask({ id: 0, method: "subscription.subscribe", params })
      .then(({ type, message }) => {
        if (type !== "error") return;
        const error = new Error(String(message));
        pipe.end(error);
        throw error;
      });
    // Who reads the events gets the error too.
    ready.catch(() => {});
    return { events: pipe.events(), ready, close: () => pipe.leave() };
  }

  async close() {
    for (const pipe of this.#pipes) pipe.leave();
  }

  #mainPipe() {
    return (this.#main ??= this.#connect());
  }

  /** @returns {Pipe} */
  #connect() {
    const request = new Request(this.addressOf("stream/events"), { headers: this.headers });
    const pipe = new Pipe();
    this.#pipes.add(pipe);
    pipe.addEventListener("close", () => {
      this.#pipes.delete(pipe);
      if (this.#main === pipe) this.#main = undefined;
    });
    this.server.connect(pipe, this.threadId, { request });
    return pipe;
  }

  /** @param {string} path of the thread's @protected */
  addressOf(path) {
    checkArgument(this.threadId !== "", "createAdapter(server): no threadId yet");
    const thread = encodeURIComponent(this.threadId);
    return `${ORIGIN}${this.server.basePath}/threads/${thread}/${path}`;
  }
}

/**
 * Goes from thread to thread. It tells no states: the SDK asks for one before it says of which
 * thread, where its client knows.
 */
class FollowingAdapter extends Adapter {
  /** @param {string} threadId */
  setThreadId(threadId) {
    const { threadId: current } = this;
    if (threadId === current) return;
    this.close();
    this.threadId = threadId;
  }
}

/** Stays with one thread. */
class BoundAdapter extends Adapter {
  /** @returns {Promise<Json | null>} a ThreadState; null: there is no such thread */
  async getState() {
    return /** @type {Promise<Json | null>} */ (this.#request("GET", "state"));
  }

  /** @param {{ limit?: number }} [options] @returns {Promise<Json[]>} the newest first */
  async getHistory({ limit = 10 } = {}) {
    return /** @type {Json[] | null} */ (await this.#request("POST", "history", { limit })) ?? [];
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Json} [body]
   * @returns {Promise<unknown>} null: there is no such thread
   */
  async #request(method, path, body) {
    const response = await this.server.fetch(
      new Request(this.addressOf(path), {
        method,
        headers: this.headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    if (response.status === 404) return null;
    const answer = await response.json();
    if (response.ok) return answer;
    throw Object.assign(new Error(answer.detail), { status: response.status });
  }
}

/**
 * @param {LocalServer} server
 * @param {{ threadId?: string, headers?: Record<string, string> }} [options]
 * @returns {BoundAdapter | FollowingAdapter}
 * @throws BAD_ARGUMENT for what is no server
 */
export function createAdapter(server, options = {}) {
  checkArgument(isObject(options), "createAdapter(server, options): options must be an object");
  const { threadId, headers = {} } = options;
  checkArgument(
    typeof server?.fetch === "function" && typeof server.connect === "function",
    "createAdapter(server, options): server must be one of createServer's",
  );
  if (threadId === undefined) return new FollowingAdapter(server, "", headers);
  checkArgument(
    typeof threadId === "string" && threadId !== "",
    "createAdapter(server, { threadId }): threadId must be a text",
  );
  return new BoundAdapter(server, threadId, headers);
}
