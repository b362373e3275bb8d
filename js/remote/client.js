// SPDX-License-Identifier: MIT
// Knows: the HTTP protocol of the LangGraph Platform, as far as RemoteGraph needs it, in the shape of the SDK's client.
// Must not know: graphs and configs.
import { EventParser } from "../models/sse.js";

/** @typedef {Record<string, any>} Fields */
/** @typedef {{ json?: Fields, query?: Fields, signal?: AbortSignal }} Request */

const RETRIES = 4;
const RETRY_MS = 1000;
/** The server will say the same again. */
const FINAL = [400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 422];
const KEYS = ["LANGGRAPH_API_KEY", "LANGSMITH_API_KEY", "LANGCHAIN_API_KEY"];

/** The server refused. */
export class HTTPError extends Error {
  /** @param {number} status @param {string} text @param {Response} response */
  constructor(status, text, response) {
    super(`HTTP ${status}: ${text}`);
    this.status = status;
    this.text = text;
    this.response = response;
  }
}

/** @returns {string | undefined} the key that the environment holds, where there is one */
function findKey() {
  const env = /** @type {any} */ (globalThis).process?.env;
  return KEYS.map((name) => env?.[name]?.trim().replace(/^["']|["']$/g, "")).find(Boolean);
}

/** Own fields under the names of the protocol. @param {Fields} fields */
function wire(fields) {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]));
}

export class PlatformClient {
  #url;
  /** @type {Record<string, string>} */
  #headers;

  /** @param {{ apiUrl?: string, apiKey?: string, headers?: Record<string, string> }} options */
  constructor({ apiUrl = "http://localhost:8123", apiKey = findKey(), headers }) {
    this.#url = apiUrl.replace(/\/$/, "");
    this.#headers = { ...headers, ...(apiKey ? { "x-api-key": apiKey } : {}) };
    this.runs = { stream: this.#streamRun.bind(this) };
    this.threads = {
      /** @param {string} id @param {any} [checkpoint] @param {{ subgraphs?: boolean, signal?: AbortSignal }} [options] */
      getState: (id, checkpoint, { subgraphs, signal } = {}) =>
        checkpoint === undefined
          ? this.#ask("GET", `/threads/${id}/state`, { query: { subgraphs }, signal })
          : this.#ask("POST", `/threads/${id}/state/checkpoint`, { json: { checkpoint, subgraphs }, signal }),
      /** @param {string} id @param {Fields} fields */
      updateState: (id, { signal, ...fields }) => this.#ask("POST", `/threads/${id}/state`, { json: wire(fields), signal }),
      /** @param {string} id @param {Fields} fields */
      getHistory: (id, { signal, ...fields }) => this.#ask("POST", `/threads/${id}/history`, { json: wire(fields), signal }),
    };
    this.assistants = {
      /** @param {string} id @param {{ xray?: boolean | number, signal?: AbortSignal }} [options] */
      getGraph: (id, { signal, ...query } = {}) => this.#ask("GET", `/assistants/${id}/graph`, { query, signal }),
      /** @param {string} id @param {{ namespace?: string, recurse?: boolean }} [options] */
      getSubgraphs: (id, { namespace, recurse } = {}) =>
        this.#ask("GET", `/assistants/${id}/subgraphs${namespace === undefined ? "" : `/${namespace}`}`, { query: { recurse } }),
    };
  }

  /** @param {string} method @param {string} path @param {Request} request @returns {Promise<any>} */
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
  async #send(method, path, { json, query, signal }) {
    const asked = Object.entries(query ?? {}).filter(([, value]) => value !== undefined).map(([key, value]) => [key, String(value)]);
    const url = `${this.#url}${path}${asked.length === 0 ? "" : `?${new URLSearchParams(asked)}`}`;
    const body = json === undefined ? undefined : JSON.stringify(json);
    const headers = body === undefined ? this.#headers : { "Content-Type": "application/json", ...this.#headers };
    for (let attempt = 0; ; attempt++) {
      try {
        const response = await fetch(url, { method, headers, body, signal });
        if (response.ok) return response;
        throw new HTTPError(response.status, await response.text(), response);
      } catch (error) {
        if (attempt === RETRIES || signal?.aborted || FINAL.includes(/** @type {any} */ (error).status)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * (1 + Math.random()) * 2 ** attempt));
    }
  }

  /**
   * @param {string | null | undefined} threadId none: a run that leaves no thread
   * @param {string} assistantId
   * @param {Fields} payload
   * @returns {AsyncGenerator<{ event: string, data: any }>}
   */
  async *#streamRun(threadId, assistantId, { signal, ...payload }) {
    const path = threadId == null ? "/runs/stream" : `/threads/${threadId}/runs/stream`;
    const { body } = await this.#send("POST", path, { json: wire({ ...payload, assistantId }), signal });
    if (body === null) return;
    const parser = new EventParser();
    const reader = body.getReader();
    try {
      for (let ended = false; !ended; ) {
        const { done, value } = await reader.read();
        ended = done;
        for (const { event, data } of done ? parser.end() : parser.push(value)) yield { event: event ?? "message", data: data === "" ? undefined : JSON.parse(data) };
      }
    } finally {
      await reader.cancel();
    }
  }
}
