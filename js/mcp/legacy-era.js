// SPDX-License-Identifier: MIT
// Speaks MCP's revisions 2025-03-26 to 2025-11-25: a handshake, often a session, and requests of
// the server's own in the middle of an answer. Goes on with an answer that breaks off.
import { isRecord } from "../base/check-arguments.js";
import { LONGEST_MS, pauseCall, unlessAborted } from "../base/waits.js";
import { ACCEPT, endOf, exchange, overdue } from "./exchange.js";
import {
  isForgotten,
  isNetwork,
  mayBeLegacy,
  mayBeOlder,
  olderTransport,
  unreachable,
} from "./legacy-errors.js";
import { INTERNAL_ERROR, METHOD_NOT_FOUND, McpError, serverError } from "./mcp-error.js";
import { resultOf, statusError } from "./messages.js";
import { fillDefaults } from "./elicitation.js";

/** @typedef {import("./client.js").Era} Era */
/** @typedef {import("./exchange.js").Wire} Wire */
/** @typedef {import("./exchange.js").Answer} Answer */
/** @typedef {import("./exchange.js").Message} Message */
/**
 * Answers a question that the server asks in the middle of a call.
 * @typedef {(params: Record<string, unknown>, options: { signal?: AbortSignal }) => unknown}
 *   OnElicit
 * @typedef {{ wire: Wire, clientInfo: unknown, onElicit: OnElicit | undefined }} Legacy
 */
/**
 * What was heard of a request. `isTaken`: the server began to answer it. `isAnswered`: with a
 * message that has its id. `asked`: settles when a person has answered.
 * @typedef {{ isTaken?: boolean, isAnswered?: boolean, lastEventId?: string, retryMs?: number,
 *   asked?: Promise<unknown> }} Heard
 */

const ELICIT = "elicitation/create";
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26"];
/** How often an answer is gone on with that brings nothing new. */
const MOST_TRIES = 5;
const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
/** Maximum time to wait for the connection of the server's own questions, the first time. */
const LISTEN_MS = 1000;
/** Time without a request after which that connection is closed: it keeps a program running. */
const IDLE_MS = 1000;

/**
 * Opens a session.
 * @param {Legacy} legacy
 * @param {AbortSignal | undefined} signal
 * @param {unknown} refused why the server was not found to be of the modern era
 * @returns {Promise<Era>}
 */
export async function connectLegacy(legacy, signal, refused) {
  if (refused !== undefined && !mayBeLegacy(refused)) throw refused;
  const session = new Session(legacy);
  const opened = await session.open(signal).catch((error) => {
    if (isNetwork(refused) && isNetwork(error)) throw unreachable(error);
    throw mayBeOlder(error) ? olderTransport(legacy.wire.url, error) : error;
  });
  return {
    name: "legacy",
    version: session.version,
    serverInfo: opened.serverInfo,
    capabilities: opened.capabilities,
    instructions: opened.instructions,
    request: (method, params, asking) => session.request(method, params, asking),
    close: () => session.close(),
  };
}

/**
 * Waits for a session that others wait for, too: an abort ends this waiting alone.
 * @param {Promise<unknown> | undefined} opening @param {AbortSignal | undefined} signal
 */
async function waitFor(opening, signal) {
  if (opening === undefined || signal === undefined) return opening;
  opening.catch(() => undefined);
  await unlessAborted(opening, signal).catch((error) => {
    throw signal.aborted ? endOf(signal) : error;
  });
}

class Session {
  version = VERSIONS[0];
  #wire;
  #clientInfo;
  #onElicit;
  #last = 0;
  /** @type {string | undefined} */
  #id;
  /** @type {Promise<Record<string, unknown>> | undefined} */
  #opening;
  #listening = new AbortController();
  /** The connection of the server's own questions. @type {Promise<unknown> | undefined} */
  #hearing;
  /** How long is waited for it, in ms. */
  #patience = LISTEN_MS;
  /** Number of requests that wait for their answers. */
  #underWay = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #idle;

  /** @param {Legacy} legacy */
  constructor({ wire, clientInfo, onElicit }) {
    this.#wire = wire;
    this.#clientInfo = clientInfo;
    this.#onElicit = onElicit;
  }

  /** Opens the session, once for all who wait. @param {AbortSignal} [signal] */
  open(signal) {
    this.#opening ??= this.#initialize(signal).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** @param {AbortSignal} [signal] @returns {Promise<Record<string, unknown>>} */
  async #initialize(signal) {
    this.#id = undefined;
    this.#stopHearing();
    const capabilities = this.#onElicit === undefined ? {} : { elicitation: { form: {}, url: {} } };
    const params = { protocolVersion: VERSIONS[0], capabilities, clientInfo: this.#clientInfo };
    const result = await this.#send("initialize", params, { signal });
    const version = String(result.protocolVersion);
    if (!VERSIONS.includes(version))
      throw serverError(
        `speaks the protocol's version ${version.slice(0, 20)}; this client: ${VERSIONS.join(", ")}`,
      );
    this.version = version;
    await this.#post({ method: "notifications/initialized" }, signal);
    return result;
  }

  /**
   * Asks, and hears meanwhile what the server asks outside of its answers.
   * @param {string} method @param {Record<string, unknown>} params
   * @param {import("./client.js").Asking} asking
   */
  async request(method, params, asking) {
    clearTimeout(this.#idle);
    this.#underWay++;
    try {
      await waitFor(this.#opening, asking.signal);
      const id = this.#id;
      await this.#hear();
      /** @type {Heard} */
      const heard = {};
      try {
        return await this.#send(method, params, asking, heard);
      } catch (error) {
        if (id === undefined || !isForgotten(error, heard)) throw error;
        if (this.#id === id || this.#opening !== undefined)
          await waitFor(this.open(), asking.signal);
        await this.#hear();
        return await this.#send(method, params, asking);
      }
    } finally {
      if (--this.#underWay === 0 && this.#hearing !== undefined)
        this.#idle = setTimeout(() => this.#stopHearing(), IDLE_MS);
    }
  }

  /**
   * Waits until the server took the connection for its own questions, or for a moment: it may have
   * none, and can still ask within its answers.
   */
  async #hear() {
    if (this.#onElicit !== undefined) await (this.#hearing ??= this.#listen());
  }

  #listen() {
    const listening = (this.#listening = new AbortController());
    const { signal } = listening;
    let isRefused = false;
    return new Promise((resolve) => {
      const headers = { accept: "text/event-stream", ...this.#headers("") };
      // It may be silent for as long as it is open.
      const wire = { ...this.#wire, timeoutMs: undefined, maxDurationMs: Infinity };
      const goOn = () => {
        clearTimeout(moment);
        resolve(undefined);
      };
      const moment = setTimeout(() => {
        this.#patience = 0;
        goOn();
      }, this.#patience);
      const read = async (/** @type {Answer} */ answer) => {
        goOn();
        isRefused = !answer.response.ok || !answer.isReadable;
        if (isRefused) return;
        // A question that failed is no reason to hear no others.
        for await (const message of answer.messages())
          await this.#serve(message, signal).catch(() => undefined);
      };
      const end = () => {
        goOn();
        if (!isRefused && this.#listening === listening) this.#hearing = undefined;
      };
      exchange(wire, { method: "GET", headers, signal }, read).then(end, end);
    });
  }

  #stopHearing() {
    this.#listening.abort();
    this.#hearing = undefined;
  }

  /**
   * @param {string} method @param {Record<string, unknown>} params
   * @param {import("./client.js").Asking} asking
   * @param {Heard} [heard]
   * @returns {Promise<Record<string, unknown>>}
   */
  async #send(method, params, { signal, onProgress }, heard = {}) {
    const id = ++this.#last;
    const meta =
      onProgress === undefined
        ? undefined
        : { _meta: { .../** @type {object | undefined} */ (params._meta), progressToken: id } };
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, ...meta } });
    const whole = new AbortController();
    const ended = signal === undefined ? whole.signal : AbortSignal.any([signal, whole.signal]);
    const read = async (/** @type {Answer} */ answer) => {
      const { ok, status, headers } = answer.response;
      heard.isTaken ||= ok;
      if (method === "initialize") this.#id = headers.get("mcp-session-id") ?? this.#id;
      answer.asked = heard.asked;
      const breaksOff = (/** @type {unknown} */ error) =>
        isNetwork(error) && answer.parser.lastId !== undefined;
      try {
        for await (const message of answer.messages()) {
          heard.isAnswered ||= message.id === id && message.method === undefined;
          const result = resultOf(message, id, status, onProgress);
          if (result !== undefined) return result;
          if (message.method !== ELICIT) await this.#serve(message, ended);
          else {
            await heard.asked;
            if (ended.aborted) throw endOf(ended);
            // The answer is read on meanwhile: it may end before the person answers.
            heard.asked = answer.asked = this.#serve(message, ended)
              .catch((error) => void (breaksOff(error) || whole.abort(error)))
              .finally(() => (heard.asked = undefined));
          }
        }
      } catch (error) {
        if (breaksOff(error)) return undefined;
        throw error;
      } finally {
        heard.lastEventId = answer.parser.lastId ?? heard.lastEventId;
        heard.retryMs = answer.parser.retryMs ?? heard.retryMs;
      }
      return undefined;
    };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** @type {Wire["headers"]} */
    const headers = async (challenge, refused) => {
      // Time counts from here on: a person may have to sign in for the headers.
      clearTimeout(timer);
      const own = await this.#wire.headers(challenge, refused);
      const late = () => whole.abort(overdue(this.#wire));
      timer = setTimeout(late, Math.min(this.#wire.maxDurationMs, LONGEST_MS));
      return own;
    };
    try {
      const sent = { headers: { ...ACCEPT, ...this.#headers(method) }, body, signal: ended };
      const wire = { ...this.#wire, headers };
      const result = await exchange(wire, { method: "POST", ...sent }, read);
      return result ?? (await this.#goOn(method, heard, read, ended));
    } catch (given) {
      const isOwn = whole.signal.aborted && !signal?.aborted;
      const error = isOwn ? /** @type {unknown} */ (whole.signal.reason) : given;
      const isLeft = signal?.aborted || (error instanceof McpError && error.code === "TIMEOUT");
      // Nobody waits for the answer any more.
      if (isLeft && method !== "initialize")
        this.#post({
          method: "notifications/cancelled",
          params: { requestId: id, reason: "The caller does not wait any more" },
        }).catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(timer);
      // Nobody needs to be asked any more.
      whole.abort();
    }
  }

  /**
   * Goes on with an answer that broke off.
   * @param {string} method
   * @param {Heard} heard
   * @param {(answer: Answer) => Promise<Record<string, unknown> | undefined>} read
   * @param {AbortSignal} signal
   */
  async #goOn(method, heard, read, signal) {
    for (let tries = 0; heard.lastEventId !== undefined && tries < MOST_TRIES; tries++) {
      const { lastEventId } = heard;
      await pauseCall(Math.min(heard.retryMs ?? RETRY_MS, LONGEST_RETRY_MS), signal);
      const headers = {
        accept: "text/event-stream",
        ...this.#headers(method),
        "last-event-id": lastEventId,
      };
      const result = await exchange(this.#wire, { method: "GET", headers, signal }, read);
      if (result !== undefined) return result;
      // While a person is asked nothing new is to be expected.
      if (heard.lastEventId !== lastEventId || heard.asked !== undefined) tries = 0;
    }
    throw serverError(`answered ${method} without a result`);
  }

  /**
   * Answers a request of the server.
   * @param {Message} message @param {AbortSignal} signal
   */
  async #serve({ id, method, params }, signal) {
    if (typeof method !== "string" || (typeof id !== "string" && typeof id !== "number")) return;
    const reply = await this.#reply(method, params, signal).catch((error) => {
      const refusal = { code: INTERNAL_ERROR, message: "The client could not answer" };
      if (!signal.aborted) this.#post({ id, error: refusal }).catch(() => undefined);
      throw error;
    });
    await this.#post({ id, ...reply }, signal);
  }

  /** @param {string} method @param {unknown} params @param {AbortSignal} signal */
  async #reply(method, params, signal) {
    if (method === "ping") return { result: {} };
    if (method !== ELICIT || this.#onElicit === undefined || !isRecord(params))
      return { error: { code: METHOD_NOT_FOUND, message: "Method not found" } };
    const asked = Promise.resolve(this.#onElicit(params, { signal }));
    // A person may take long: an aborted call does not wait for the answer.
    return { result: fillDefaults({ params }, await unlessAborted(asked, signal)) };
  }

  /** Sends what needs no answer. @param {object} message @param {AbortSignal} [signal] */
  #post(message, signal) {
    const sent = {
      method: /** @type {const} */ ("POST"),
      headers: { ...ACCEPT, ...this.#headers("") },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      signal,
    };
    return exchange(this.#wire, sent, async (answer) => {
      const text = await answer.text(true);
      if (!answer.response.ok) throw statusError(answer.response.status, text);
    });
  }

  /** @param {string} method @returns {Record<string, string>} */
  #headers(method) {
    if (method === "initialize") return {};
    return {
      "mcp-protocol-version": this.version,
      ...(this.#id === undefined ? undefined : { "mcp-session-id": this.#id }),
    };
  }

  async close() {
    clearTimeout(this.#idle);
    this.#stopHearing();
    if (this.#id === undefined) return;
    const sent = { method: /** @type {const} */ ("DELETE"), headers: this.#headers("") };
    // Servers may refuse to end a session; it ends by itself then.
    await exchange(this.#wire, sent, async () => undefined).catch(() => undefined);
    this.#id = undefined;
  }
}
