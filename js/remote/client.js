// SPDX-License-Identifier: MIT
// Implements the part of the LangGraph Platform's HTTP protocol that RemoteGraph needs, with the
// interface of the SDK's client. Does not depend on graphs or configs.
import { checkArgument } from "../base/check-arguments.js";
import { RedirectError, fetchWithin, readOrigins } from "../models/redirects.js";
import { EventParser } from "../models/sse.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Fields */
/**
 * @typedef {{ json?: Fields, query?: Fields, headers?: Record<string, string>, signal?: AbortSignal
 *   }} Request
 */

const RETRIES = 4;
const RETRY_MS = 1000;
/** Status codes that a retry would not change. */
const FINAL = [400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 422];
const KEYS = ["LANGGRAPH_API_KEY", "LANGSMITH_API_KEY", "LANGCHAIN_API_KEY"];

/** Maximum number of reconnections of a broken stream. */
const RECONNECTS = 5;
const LONGEST_MS = 5000;

/** Reports that the server refused a request. */
class HTTPError extends Error {
  /** @param {number} status @param {string} text @param {Response} response */
  constructor(status, text, response) {
    super(`HTTP ${status}: ${text}`);
    this.status = status;
    this.text = text;
    this.response = response;
  }
}

/** Reports that a stream broke too often. */
class MaxReconnectAttemptsError extends Error {
  name = "MaxReconnectAttemptsError";

  /** @param {unknown} cause */
  constructor(cause) {
    super(`Exceeded maximum SSE reconnection attempts (${RECONNECTS})`, { cause });
  }
}

/** Makes the error of a server that cannot be reached. @param {Value} error of fetch */
function unreachable(error) {
  const text = `Unable to connect to LangGraph server. Please ensure the server is running and accessible. Original error: ${error.message}`;
  return Object.assign(new Error(text, { cause: error }), { name: "ConnectionError" });
}

/**
 * Waits before the next attempt, or until the signal aborts.
 * @param {number} attempt from 0
 * @param {AbortSignal} [signal]
 */
function pause(attempt, signal, longest = Infinity) {
  return /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(
        end,
        Math.min(RETRY_MS * 2 ** attempt, longest) + RETRY_MS * Math.random(),
      );
      signal?.addEventListener("abort", end);
    })
  );
}

/** Encodes a part of a URL; a foreign id must not lead to another path. @param {string} id */
function segment(id) {
  if (/^\.\.?$/.test(id)) throw new Error(`Invalid path segment: "${id}"`);
  return encodeURIComponent(id);
}

/** @returns {string | undefined} API key in the environment, if there is one */
function findKey() {
  const env = /** @type {any} */ (globalThis).process?.env;
  return KEYS.map((name) => env?.[name]?.trim().replace(/^["']|["']$/g, "")).find(Boolean);
}

/** Renames fields to the names of the protocol. @param {Fields} fields */
function wire(fields) {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

export class PlatformClient {
  #url;
  /** @type {Record<string, string>} */
  #headers;
  #origins;

  /**
   * @param {{ apiUrl?: string, apiKey?: string, headers?: Record<string, string>, redirectOrigins?:
   *   string[] }} options
   */
  constructor({ apiUrl, apiKey = findKey(), headers, redirectOrigins }) {
    this.#origins = readOrigins(redirectOrigins);
    checkArgument(
      apiUrl === undefined || apiUrl === null || typeof apiUrl === "string",
      "new RemoteGraph(params): params.url must be a text",
    );
    this.#url = (apiUrl ?? "http://localhost:8123").replace(/\/$/, "");
    this.#headers = { ...headers, ...(apiKey ? { "x-api-key": apiKey } : {}) };
    /** @param {string} id @param {string} runId @returns {Promise<unknown>} */
    const cancel = (id, runId) =>
      this.#ask("POST", `/threads/${segment(id)}/runs/${segment(runId)}/cancel`, {
        query: { wait: 0, action: "interrupt" },
      });
    this.runs = { stream: this.#streamRun.bind(this), cancel };
    this.threads = {
      /**
       * @param {string} id
       * @param {unknown} [checkpoint]
       * @param {{ subgraphs?: boolean, signal?: AbortSignal }} [options]
       */
      getState: (id, checkpoint, options) =>
        checkpoint === undefined
          ? this.#ask("GET", `/threads/${segment(id)}/state`, {
              query: { subgraphs: options?.subgraphs },
              signal: options?.signal,
            })
          : this.#ask("POST", `/threads/${segment(id)}/state/checkpoint`, {
              json: { checkpoint, subgraphs: options?.subgraphs },
              signal: options?.signal,
            }),
      /** @param {string} id @param {Fields} fields */
      updateState: (id, { signal, ...fields }) =>
        this.#ask("POST", `/threads/${segment(id)}/state`, { json: wire(fields), signal }),
      /** @param {string} id @param {Fields} fields */
      getHistory: (id, { signal, ...fields }) =>
        this.#ask("POST", `/threads/${segment(id)}/history`, { json: wire(fields), signal }),
    };
    /** Requests of `streamEvents` of version 3. */
    this.protocol = {
      /** @param {string} id @param {Fields} params @returns {Promise<unknown>} */
      start: (id, params) =>
        this.#ask("POST", `/threads/${segment(id)}/commands`, {
          json: { id: 3, method: "run.start", params },
        }),
      /** @param {string} id @param {string[]} channels @param {AbortSignal} signal */
      events: (id, channels, signal) =>
        this.#events(`/threads/${segment(id)}/stream/events`, { json: { channels }, signal }),
      cancel,
    };
    this.assistants = {
      /** @param {string} id @param {{ xray?: boolean | number, signal?: AbortSignal }} [options] */
      getGraph: (id, { signal, ...query } = {}) =>
        this.#ask("GET", `/assistants/${segment(id)}/graph`, { query, signal }),
      /** @param {string} id @param {{ namespace?: string, recurse?: boolean }} [options] */
      getSubgraphs: (id, { namespace, recurse } = {}) =>
        this.#ask(
          "GET",
          `/assistants/${segment(id)}/subgraphs${namespace == null ? "" : `/${segment(namespace)}`}`,
          { query: { recurse } },
        ),
    };
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Request} request
   * @returns {Promise<Value>}
   */
  async #ask(method, path, request) {
    const response = await this.#send(method, path, request);
    return response.status === 202 || response.status === 204 ? undefined : response.json();
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Request} request
   * @returns {Promise<Response>}
   */
  async #send(method, path, { json, query, headers: more, signal }) {
    const asked = Object.entries(query ?? {})
      .filter(([, value]) => value != null)
      .map(([key, value]) => [key, String(value)]);
    const url = `${this.#url}${path}${asked.length === 0 ? "" : `?${new URLSearchParams(asked)}`}`;
    const body = json === undefined ? undefined : JSON.stringify(json);
    const headers = {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...more,
    };
    for (let attempt = 0; ; attempt++) {
      try {
        const response = await fetchWithin(
          url,
          { method, headers, body, signal },
          this.#headers,
          this.#origins,
        );
        if (response.ok) return response;
        throw new HTTPError(response.status, await response.text(), response);
      } catch (/** @type {Value} */ error) {
        if (signal?.aborted || error instanceof RedirectError || FINAL.includes(error.status))
          throw error;
        // A repeated write may take effect twice: only reads are retried.
        if (method !== "GET" || attempt === RETRIES)
          throw error instanceof HTTPError ? error : unreachable(error);
      }
      await pause(attempt, signal);
    }
  }

  /**
   * Streams a run.
   * @param {string | null | undefined} threadId none: a run without a thread
   * @param {string} assistantId
   * @param {Fields} payload
   * @returns {AsyncGenerator<{ event: string, data: unknown }>}
   */
  async *#streamRun(threadId, assistantId, { signal, ...payload }) {
    const path = threadId == null ? "/runs/stream" : `/threads/${segment(threadId)}/runs/stream`;
    let response = await this.#stream("POST", path, {
      json: wire({ ...payload, assistantId }),
      signal,
    });
    /** URL at which the server continues a broken stream. @type {string | null} */
    let location = null;
    /** @type {string | undefined} */
    let lastId;
    for (let attempt = 0; ; attempt++) {
      location = response.headers.get("location") ?? location;
      const parser = new EventParser();
      let isEnded = false;
      let cause;
      try {
        for await (const { event = "message", data } of eventsOf(response, parser)) {
          isEnded ||= event === "end" || event === "error";
          yield { event, data: data ? JSON.parse(data) : null };
        }
        if (isEnded || (await this.#isOver(location, signal))) return;
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        if (signal?.aborted || !location?.startsWith("/")) throw error.cause;
        ({ cause } = error);
      }
      // Counts only attempts without new events: a long run may lose its connection often.
      if ((parser.lastId ?? lastId) !== lastId) attempt = 0;
      if (attempt === RECONNECTS) throw new MaxReconnectAttemptsError(cause);
      lastId = parser.lastId ?? lastId;
      await pause(attempt, signal, LONGEST_MS);
      response = await this.#stream("GET", /** @type {string} */ (location), {
        headers: lastId === undefined ? {} : { "Last-Event-ID": lastId },
        signal,
      });
    }
  }

  /**
   * Checks whether a run has ended whose stream ended without an end event.
   * @param {string | null} location of its stream
   * @param {AbortSignal} [signal]
   */
  async #isOver(location, signal) {
    const run = /^(\/threads\/[^/?]+\/runs\/[^/?]+)\/stream(\?|$)/.exec(location ?? "")?.[1];
    if (run === undefined) return true;
    try {
      const { status } = await this.#ask("GET", run, { signal });
      return status !== "pending" && status !== "running";
    } catch (/** @type {Value} */ error) {
      // The server does not know its runs.
      if (
        error instanceof SyntaxError ||
        error instanceof TypeError ||
        FINAL.includes(error.status)
      )
        return true;
      throw error;
    }
  }

  /** @param {string} path @param {Request} request @returns {AsyncGenerator<unknown>} */
  async *#events(path, request) {
    try {
      for await (const { data } of eventsOf(
        await this.#stream("POST", path, request),
        new EventParser(),
      ))
        if (data) yield JSON.parse(data);
    } catch (error) {
      throw error instanceof Broken ? error.cause : error;
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Request} request
   * @returns {Promise<Response>} an event stream
   */
  async #stream(method, path, request) {
    const response = await this.#send(method, path, request);
    if (response.body === null || response.status === 204)
      throw new Error("Expected response body from stream endpoint");
    const type = response.headers.get("content-type") ?? "";
    if (type.includes("text/event-stream")) return response;
    await response.body.cancel();
    throw new Error(
      `Expected response header Content-Type to contain 'text/event-stream', got '${type}'`,
    );
  }
}

/** Reports that the connection ended before the stream did. */
class Broken extends Error {}

/**
 * @param {Response} response
 * @param {EventParser} parser
 * @returns {AsyncGenerator<import("../models/sse.js").ServerEvent>}
 */
async function* eventsOf(response, parser) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  try {
    for (let ended = false; !ended; ) {
      const { done, value } = await reader.read().catch((cause) => {
        throw new Broken("", { cause });
      });
      ended = done;
      yield* value === undefined ? parser.end() : parser.push(value);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
