// SPDX-License-Identifier: MIT
// Sends one HTTP request to an MCP server and reads the JSON-RPC messages of its answer, which is
// JSON or server-sent events, within limits of time and size. Does not depend on what is asked.
import { RedirectError, fetchWithin } from "../models/redirects.js";
import { isTooDeep, parseFinite } from "../messages/tool-arguments.js";
import { EventParser } from "../models/sse.js";
import { watchdog } from "../models/time-limits.js";
import { readChallenge } from "./challenge.js";
import { McpError } from "./mcp-error.js";

/** @typedef {import("./challenge.js").Challenge} Challenge */
/**
 * `timeoutMs` limits silence, `maxDurationMs` one request.
 * @typedef {{ url: string, fetch: typeof globalThis.fetch, headers: (challenge?: Challenge) =>
 *   Promise<Record<string, string> | undefined>, redirectOrigins: readonly string[], timeoutMs:
 *   number | undefined,
 *   maxDurationMs: number, maxResponseBytes: number }} Wire
 * @typedef {{ method: "POST" | "GET" | "DELETE", headers: Record<string, string>, body?: string,
 *   signal?: AbortSignal }} Sent
 * @typedef {{ jsonrpc?: unknown, id?: unknown, method?: unknown, params?: unknown, result?:
 *   unknown, error?: unknown }} Message
 */

/** Maximum bytes to read of an answer that is no message. */
const MOST_ERROR_BYTES = 65536;
const LONGEST_SHOWN = 500;
/** What is nested deeper could not be stored with a thread. */
const MOST_DEPTH = 200;

/** An answer that has begun. */
export class Answer {
  /** Id of the last event, to go on after it. @type {string | undefined} */
  lastEventId;
  /** Time that the server asks to wait before going on. @type {number | undefined} */
  retryMs;
  #type;
  #watch;
  #wire;

  /**
   * @param {Response} response @param {import("../models/time-limits.js").Watchdog} watch
   * @param {Wire} wire
   */
  constructor(response, watch, wire) {
    this.response = response;
    this.status = response.status;
    this.#type = response.headers.get("content-type") ?? "";
    this.#watch = watch;
    this.#wire = wire;
  }

  get #isStream() {
    return /^text\/event-stream\b/i.test(this.#type);
  }

  /** Does the body hold messages? */
  get isReadable() {
    return this.#isStream || /^application\/json\b/i.test(this.#type);
  }

  /**
   * Yields the messages of the body.
   * @returns {AsyncGenerator<Message, void, void>}
   */
  async *messages() {
    if (this.#isStream) return yield* this.#events();
    const message = parse(await this.#text(this.#wire.maxResponseBytes));
    if (Array.isArray(message)) yield* message;
    else yield message;
  }

  /** @returns {AsyncGenerator<Message, void, void>} */
  async *#events() {
    const parser = new EventParser(this.#wire.maxResponseBytes);
    let count = 0;
    for await (const bytes of this.#bytes()) {
      count += bytes.length;
      if (count > this.#wire.maxResponseBytes) throw tooLarge(this.#wire);
      const events = parser.push(bytes);
      this.lastEventId = parser.lastId ?? this.lastEventId;
      this.retryMs = parser.retryMs ?? this.retryMs;
      for (const { event, data } of events)
        if (data && (event === undefined || event === "message")) yield parse(data);
    }
  }

  /** Reads a body that is no message, or its beginning. */
  explanation() {
    return this.#text(MOST_ERROR_BYTES);
  }

  /** @param {number} most bytes */
  async #text(most) {
    const decoder = new TextDecoder();
    let text = "";
    let count = 0;
    for await (const bytes of this.#bytes()) {
      count += bytes.length;
      if (count > most && most > MOST_ERROR_BYTES) throw tooLarge(this.#wire);
      text += decoder.decode(bytes, { stream: true });
      if (count > most) break;
    }
    return text + decoder.decode();
  }

  /** @returns {AsyncGenerator<Uint8Array, void, void>} */
  async *#bytes() {
    const reader = this.response.body?.getReader();
    if (reader === undefined) return;
    let isOver = false;
    try {
      for (;;) {
        const { done, value } = await this.#watch.race(reader.read());
        isOver = done;
        if (done) return;
        yield value;
      }
    } finally {
      // Not awaited: a server that hangs must not delay an abort.
      if (!isOver) reader.cancel().catch(() => undefined);
    }
  }
}

/**
 * Sends a request; calls `read` with the answer. A 401 or 403 asks `headers` once more, with what
 * the server demands, for as long as that takes.
 * @template T
 * @param {Wire} wire
 * @param {Sent} sent
 * @param {(answer: Answer) => Promise<T>} read
 * @returns {Promise<T>}
 */
export async function exchange(wire, sent, read) {
  const first = await attempt(wire, sent, await wire.headers(), read);
  if (first.challenge === undefined) return first.value;
  const own = await wire.headers(first.challenge);
  const second = own && (await attempt(wire, sent, own, read));
  if (second === undefined || second.challenge !== undefined)
    throw unauthorized(wire, second?.challenge ?? first.challenge);
  return second.value;
}

/**
 * @template T
 * @param {Wire} wire
 * @param {Sent} sent
 * @param {Record<string, string> | undefined} own headers
 * @param {(answer: Answer) => Promise<T>} read
 * @returns {Promise<{ challenge: Challenge } | { challenge?: undefined, value: T }>}
 */
async function attempt(wire, { method, headers, body, signal }, own = {}, read) {
  if (signal?.aborted) throw endOf(signal);
  checkHeaders(own);
  const { timeoutMs, maxDurationMs } = wire;
  const watch = watchdog({ timeout: timeoutMs, maxDurationMs, signal });
  try {
    const request = { method, headers, body, fetch: wire.fetch, signal: watch.signal };
    const response = await watch.race(fetchWithin(wire.url, request, own, wire.redirectOrigins));
    if (response.status !== 401 && response.status !== 403)
      return { value: await read(new Answer(response, watch, wire)) };
    response.body?.cancel().catch(() => undefined);
    return { challenge: readChallenge(response) };
  } catch (error) {
    throw toError(error, wire, signal);
  } finally {
    watch.stop();
  }
}

/**
 * Refuses headers that fetch would refuse with an error that repeats their values.
 * @param {Record<string, string>} headers
 */
function checkHeaders(headers) {
  for (const [name, value] of Object.entries(headers))
    try {
      new Headers([[name, value]]);
    } catch {
      throw new TypeError(
        `connectMcp: the header ${shorten(name)} has a value that cannot be sent`,
      );
    }
}

/** @param {string} text @returns {Message} */
function parse(text) {
  if (isTooDeep(text, MOST_DEPTH))
    throw new McpError(`The MCP server sent JSON of more than ${MOST_DEPTH} levels`, {
      code: "BAD_ANSWER",
    });
  try {
    return /** @type {Message} */ (parseFinite(text));
  } catch (cause) {
    throw new McpError(`The MCP server sent what is not JSON: ${shorten(text)}`, {
      code: "BAD_ANSWER",
      cause,
    });
  }
}

/**
 * @param {unknown} error @param {Wire} wire @param {AbortSignal | undefined} signal
 * @returns {unknown}
 */
function toError(error, { url, timeoutMs }, signal) {
  if (signal?.aborted) return endOf(signal);
  if (error instanceof McpError || !(error instanceof Error)) return error;
  const { name, message, code } = /** @type {Error & { code?: unknown }} */ (error);
  if (error instanceof RedirectError) return new McpError(message, { code: "REDIRECT" });
  if (code === "TIMEOUT")
    return new McpError(
      `The MCP server at ${originOf(url)} did not answer in time (silence: ${timeoutMs} ms, \`timeoutMs\`)`,
      { code: "TIMEOUT" },
    );
  if (code === "EVENT_TOO_LONG") return new McpError(message, { code: "TOO_LARGE" });
  if (name === "AbortError") return error;
  return new McpError(`The MCP server at ${originOf(url)} could not be reached: ${message}`, {
    code: "NETWORK",
    cause: error,
  });
}

/** Makes the error of an aborted request. @param {AbortSignal} signal @returns {Error} */
function endOf({ reason }) {
  if (reason instanceof McpError || reason?.name === "AbortError") return reason;
  const error = new Error("The request to the MCP server was aborted", { cause: reason });
  error.name = "AbortError";
  return error;
}

/** @param {Wire} wire @param {Challenge} challenge */
function unauthorized({ url }, challenge) {
  const { status, parameters } = challenge;
  const scope = parameters.scope === undefined ? "" : ` (scope: ${shorten(parameters.scope)})`;
  return new McpError(
    `The MCP server at ${originOf(url)} refused with ${status}${scope}: give \`headers\` with an authorization; a function gets what the server demands`,
    { code: "UNAUTHORIZED", status, challenge },
  );
}

/** @param {Wire} wire */
function tooLarge({ url, maxResponseBytes }) {
  return new McpError(
    `The MCP server at ${originOf(url)} sent more than ${maxResponseBytes} bytes (\`maxResponseBytes\`)`,
    { code: "TOO_LARGE" },
  );
}

/** @param {string} url */
export function originOf(url) {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** @param {string} text */
export function shorten(text) {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}\u2026` : text;
}
