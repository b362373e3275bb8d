// SPDX-License-Identifier: MIT
// Sends one HTTP request to an MCP server and reads the JSON-RPC messages of its answer, which is
// JSON or server-sent events, within limits of time and size. Does not depend on what is asked.
import { isListOf, isRecord, withoutGaps } from "../base/check-arguments.js";
import { LazyModule } from "../base/lazy.js";
import { abortError } from "../base/waits.js";
import { fetchWithin, originOf, saidBy } from "../models/redirects.js";
import { isTooDeep, parseFinite } from "../messages/tool-arguments.js";
import { EventParser } from "../models/sse.js";
import { watchdog } from "../models/time-limits.js";
import { McpError, serverError, shorten } from "./mcp-error.js";
import { statusError } from "./messages.js";

/** @typedef {<T>(work: Promise<T>) => Promise<T>} Race */
/** @typedef {import("./challenge.js").Challenge} Challenge */
/** @typedef {import("../types/mcp.js").McpHeaders} McpHeaders */
/**
 * `timeoutMs` limits silence, `maxDurationMs` one request. `headers`: of the next attempt of a
 * request, whose earlier ones were refused with `refused`.
 * @typedef {{ url: string, fetch: typeof globalThis.fetch | undefined, headers: (challenge:
 *   Challenge | undefined, refused: McpHeaders[]) => Promise<McpHeaders | undefined>,
 *   redirectOrigins: readonly string[], timeoutMs: number | undefined, maxDurationMs: number,
 *   maxResponseBytes: number }} Wire
 * @typedef {{ method: "POST" | "GET" | "DELETE", headers: Record<string, string>, body?: string,
 *   signal?: AbortSignal }} Sent
 * @typedef {{ jsonrpc?: unknown, id?: unknown, method?: unknown, params?: unknown, result?:
 *   unknown, error?: unknown }} Message
 */

/** Headers of a request with a message. */
export const ACCEPT = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
};
/**
 * Imported once a server has refused who asks. Without it the refusal is told all the same.
 * @type {LazyModule<typeof import("./challenge.js")>}
 */
export const CHALLENGES = /* @__PURE__ */ new LazyModule(
  "authorization",
  () => import("./challenge.js"),
);
/** Maximum bytes to read of an answer that is no message. */
const MOST_ERROR_BYTES = 65536;
/** What is nested deeper could not be stored with a thread. */
const MOST_DEPTH = 200;

/** An answer that has begun. */
export class Answer {
  #isStream;
  #race;
  #wire;
  /**
   * Settles when a person who is asked has answered: until then silence is no fault.
   * @type {Promise<unknown> | undefined}
   */
  asked;

  /**
   * @param {Response} response @param {Race} race
   * @param {Wire} wire
   */
  constructor(response, race, wire) {
    this.response = response;
    /** Has the id of the last event, to go on after it, and how long to wait before that. */
    this.parser = new EventParser(wire.maxResponseBytes);
    const type = response.headers.get("content-type") ?? "";
    this.#isStream = /^text\/event-stream\b/i.test(type);
    /** Does the body hold messages? */
    this.isReadable = this.#isStream || /^application\/json\b/i.test(type);
    this.#race = race;
    this.#wire = wire;
  }

  /**
   * Yields the messages of the body. Throws at its end if the server refused without one that does.
   * @returns {AsyncGenerator<Message, void, void>}
   */
  async *messages() {
    const { ok, status } = this.response;
    if (!this.isReadable) throw statusError(status, await this.text(true));
    if (!this.#isStream) yield* parse(await this.text(), this.response);
    else
      for await (const bytes of this.#bytes())
        for (const { event = "message", data } of this.parser.push(bytes))
          if (data && event === "message") yield* parse(data, this.response);
    if (!ok) throw statusError(status, "");
  }

  /** Reads the body, or its beginning. @param {boolean} [isExcerpt] */
  async text(isExcerpt) {
    const decoder = new TextDecoder();
    let text = "";
    for await (const bytes of this.#bytes(isExcerpt))
      text += decoder.decode(bytes, { stream: true });
    return text + decoder.decode();
  }

  /**
   * @param {boolean} [isExcerpt] is the beginning enough? Else too many bytes are an error
   * @returns {AsyncGenerator<Uint8Array, void, void>}
   */
  async *#bytes(isExcerpt) {
    const most = isExcerpt ? MOST_ERROR_BYTES : this.#wire.maxResponseBytes;
    const reader = this.response.body?.getReader();
    if (reader === undefined) return;
    let isOver = false;
    try {
      for (let count = 0; count <= most; ) {
        const chunk = reader.read();
        // Raced alone, so that an end is noticed meanwhile.
        if (this.asked) await Promise.race([chunk, this.asked]).catch(() => undefined);
        const { done, value } = await this.#race(chunk);
        isOver = done;
        if (done) return;
        count += value.length;
        if (!isExcerpt && count > most)
          throw serverError(
            `at ${originOf(this.#wire.url)} sent more than ${most} bytes (\`maxResponseBytes\`)`,
            { code: "TOO_LARGE" },
          );
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
  /** @type {McpHeaders[]} */
  const refused = [];
  /** @type {Challenge | undefined} */
  let challenge;
  for (;;) {
    const own = await wire.headers(challenge, refused);
    if (challenge && !own) throw unauthorized(wire.url, challenge);
    const found = await attempt(wire, sent, own, read);
    if ("value" in found) return found.value;
    refused.push({ ...own });
    // Without the part that reads it, the refusal is told all the same.
    const part = await CHALLENGES.load().catch(() => undefined);
    const { status } = found.refusal;
    challenge = part?.readChallenge(found.refusal) ?? { status, scheme: "", parameters: {} };
  }
}

/** @param {string} url of the server @param {Challenge} challenge */
function unauthorized(url, challenge) {
  const {
    status,
    parameters: { scope },
  } = challenge;
  const told = scope ? ` (scope: ${shorten(scope)})` : "";
  return serverError(
    `at ${originOf(url)} refused with ${status}${told}: give \`headers\`, or a function that makes them`,
    { code: "UNAUTHORIZED", status, challenge },
  );
}

/**
 * @template T
 * @param {Wire} wire
 * @param {Sent} sent
 * @param {McpHeaders | undefined} own headers
 * @param {(answer: Answer) => Promise<T>} read
 * @returns {Promise<{ refusal: Response } | { value: T }>}
 */
async function attempt(wire, sent, own = {}, read) {
  const { signal } = sent;
  const { timeoutMs, maxDurationMs } = wire;
  const watch = watchdog({ timeout: timeoutMs, maxDurationMs, signal });
  /** @type {Race} */
  const race = (work) =>
    watch.race(work).catch((error) => {
      throw toError(error, wire);
    });
  try {
    signal?.throwIfAborted();
    const given = readHeaders(own);
    const request = { ...sent, fetch: wire.fetch, signal: watch.signal };
    const response = await race(fetchWithin(wire.url, request, given, wire.redirectOrigins));
    if (![401, 403].includes(response.status))
      return { value: await read(new Answer(response, race, wire)) };
    response.body?.cancel().catch(() => undefined);
    return { refusal: response };
  } catch (error) {
    // What a callback of the user's throws stays as it is.
    throw signal?.aborted ? endOf(signal) : error;
  } finally {
    watch.stop();
  }
}

/**
 * Leaves out what is undefined, and refuses what fetch would send as something else, or refuse with
 * an error that repeats the values.
 * @param {McpHeaders} headers
 */
function readHeaders(headers) {
  try {
    const given = /** @type {Record<string, string>} */ (withoutGaps(headers));
    const isTexts = isListOf(Object.values(given), (value) => typeof value === "string");
    if (!isTexts || Symbol.iterator in headers) throw headers;
    new Headers(given);
    return given;
  } catch {
    const names = Object.keys(Object(headers));
    throw new TypeError(
      `connectMcp: \`headers\` (${names}) must be an object of texts that HTTP can send`,
    );
  }
}

/**
 * @param {string} text one message, or a list of them
 * @param {Response} response that has it
 * @returns {Message[]}
 */
function parse(text, { ok, status }) {
  if (isTooDeep(text, MOST_DEPTH)) throw serverError("sent JSON of too many levels");
  try {
    return [parseFinite(text)].flat().filter(isRecord);
  } catch (cause) {
    // A refusal says more by its status than by a body in another form.
    if (!ok) throw statusError(status, text);
    throw serverError(`sent what is not JSON: ${shorten(text)}`, { cause });
  }
}

/**
 * @param {unknown} error @param {Wire} wire
 * @returns {unknown}
 */
function toError(error, wire) {
  if (error instanceof McpError || !(error instanceof Error)) return error;
  const { name, message, code, retryable } =
    /** @type {Error & { code?: unknown, retryable?: boolean }} */ (error);
  if (code === "REDIRECT") return new McpError(message, { code });
  if (code === "TIMEOUT") return overdue(wire, retryable);
  if (name === "AbortError") return error;
  return serverError(`at ${originOf(wire.url)} could not be reached: ${saidBy(error)}`, {
    code: "NETWORK",
    cause: error,
  });
}

/** @param {Wire} wire @param {boolean} [isSilence] */
export function overdue({ url, timeoutMs, maxDurationMs }, isSilence) {
  const limit = isSilence
    ? `silence: ${timeoutMs} ms, \`timeoutMs\``
    : `${maxDurationMs} ms, \`maxDurationMs\``;
  return serverError(`at ${originOf(url)} did not answer in time (${limit})`, { code: "TIMEOUT" });
}

/** Makes the error of an aborted request. @param {AbortSignal} signal @returns {Error} */
export function endOf(signal) {
  return signal.reason instanceof McpError ? signal.reason : abortError(signal);
}
