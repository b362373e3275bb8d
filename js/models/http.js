// SPDX-License-Identifier: MIT
// Sends one request to a model service: its errors, limits of time and size, retries. Does not
// depend on what is asked and answered.
import { abortError, pause } from "./base.js";
import { RedirectError, fetchWithin } from "./redirects.js";
import { retryAfter } from "./retry-after.js";
import { watchdog } from "./time-limits.js";
import { ModelError } from "./model-error.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./time-limits.js").Watchdog} Watchdog */

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;
const BODY_EXCERPT = 2000;
const MESSAGE_EXCERPT = 200;
const LONGEST_MESSAGE = 1000;
const LONGEST_CODE = 100;
/** Maximum bytes to read of an answer that only reports an error. */
const MOST_ERROR_BYTES = 65536;
/** Minimum length of a header's value that counts as a secret. */
const LEAST_SECRET = 8;
/** What services say about another try; it counts more than the status. */
const SHOULD_RETRY = /** @type {Record<string, boolean>} */ ({ true: true, false: false });
const FINAL_CODES = ["insufficient_quota", "billing_hard_limit_reached"];

/** @typedef {import("./model-error.js").Details} Details */
/**
 * An error as a service reports it. `retryable` and `retryAfterMs` are set if the service's own
 * rule is another one than that of the status; `status` is that of an error inside a stream.
 * @typedef {{ message: string | undefined, code: string | undefined, retryable?: boolean,
 *   retryAfterMs?: number, status?: number }} Fault
 */
/**
 * `headers` are secret and stay at the origin of `url`; `openHeaders` are not.
 * @typedef {{ url: string, headers: () => Promise<Record<string, string>>, openHeaders?:
 *   Record<string, string>, body: string, fetch: typeof globalThis.fetch, redirectOrigins:
 *   string[], timeout: number | undefined, maxDurationMs: number, maxResponseBytes: number, signal:
 *   AbortSignal | undefined, readFault: (body: string, response: Response) => Fault }} Request
 * @typedef {{ attempt: number, delayMs: number, error: ModelError }} Retry
 * @typedef {{ maxRetries: number, maxRetryAfterMs: number, onRetry: ((retry: Retry) => unknown) |
 *   undefined, signal: AbortSignal | undefined }} Patience
 */

/**
 * Runs `attempt` until it succeeds, its error is final or the retries are used up. After the first
 * value nothing is retried.
 * @template T
 * @param {Patience} patience
 * @param {() => AsyncGenerator<T, unknown, void>} attempt
 * @returns {AsyncGenerator<T, unknown, void>}
 */
export async function* withRetries({ maxRetries, maxRetryAfterMs, onRetry, signal }, attempt) {
  for (let retry = 0; ; retry++) {
    let delivered = false;
    const pieces = attempt();
    try {
      for (;;) {
        const { done, value } = await pieces.next();
        if (done) return value;
        delivered = true;
        yield value;
      }
    } catch (error) {
      const wait =
        delivered || retry >= maxRetries ? undefined : delayBefore(retry, error, maxRetryAfterMs);
      if (wait === undefined) throw error;
      await onRetry?.({
        attempt: retry + 1,
        delayMs: wait,
        error: /** @type {ModelError} */ (error),
      });
      await pause(wait, signal);
    } finally {
      await pieces.return(undefined);
    }
  }
}

/**
 * Returns the delay before another try; undefined if there must be none.
 * @param {number} retry @param {unknown} error @param {number} longest that a service may request
 */
function delayBefore(retry, error, longest) {
  if (!(error instanceof ModelError) || !error.retryable) return undefined;
  if (error.retryAfterMs !== undefined)
    return error.retryAfterMs <= longest ? error.retryAfterMs : undefined;
  const step = Math.min(FIRST_DELAY_MS * 2 ** retry, MAX_DELAY_MS);
  return step * (0.75 + Math.random() * 0.25);
}

/**
 * An answer that has begun. Makes errors about it with the received text, but without the values of
 * the request's headers.
 */
export class Arrival {
  #hide;
  /** The first bytes of the body. @type {Uint8Array[]} */
  #start = [];
  #room = BODY_EXCERPT;

  /** @param {Response} response @param {(text: string) => string} hide */
  constructor(response, hide) {
    this.response = response;
    this.#hide = hide;
    this.type = response.headers.get("content-type") ?? "";
  }

  /** @param {Uint8Array} bytes */
  note(bytes) {
    if (this.#room <= 0) return;
    this.#start.push(bytes.slice(0, this.#room));
    this.#room -= bytes.length;
  }

  get start() {
    const decoder = new TextDecoder();
    return (
      this.#start.map((bytes) => decoder.decode(bytes, { stream: true })).join("") +
      decoder.decode()
    );
  }

  /**
   * Makes the error for an unusable answer.
   * @param {string} reason @param {string} [text] received text; default: the body's beginning
   * @param {Partial<Details>} [details]
   */
  fault(reason, text = this.start, details) {
    const shown = text.length > MESSAGE_EXCERPT ? `${text.slice(0, MESSAGE_EXCERPT)}\u2026` : text;
    return this.error(
      `${reason}; received ${this.type || "no content type"}: ${shown === "" ? "(nothing)" : shown}`,
      { code: "BAD_ANSWER", body: text, ...details },
    );
  }

  /** @param {string} message @param {Details} details */
  error(message, details) {
    const body =
      details.body === undefined ? undefined : this.#hide(details.body).slice(0, BODY_EXCERPT);
    const headers = plainHeaders(this.response.headers, this.#hide);
    return new ModelError(this.#hide(message).slice(0, LONGEST_MESSAGE), {
      status: this.response.status,
      headers,
      ...details,
      code: this.#hide(details.code),
      body,
    });
  }
}

/**
 * Makes a function that removes headers' values from texts: services repeat keys.
 * @param {Record<string, string>} headers
 * @returns {(text: string) => string}
 */
function hiderOf(headers) {
  const values = Object.values(headers).flatMap((value) => [
    String(value),
    String(value).replace(/^\S+\s+/, ""),
  ]);
  const secrets = [...new Set(values)].filter((value) => value.length >= LEAST_SECRET);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "(hidden)"), text);
}

/**
 * Sends one request; yields the arrival first, then the answer's chunks of bytes. `timeout` limits
 * silence, until the response and between chunks; `maxDurationMs` limits the whole.
 * @param {Request} asked
 * @returns {AsyncGenerator<Arrival | Uint8Array, void, void>}
 */
export async function* send(asked) {
  const { url, headers, body, fetch, redirectOrigins, maxResponseBytes, signal } = asked;
  const { timeout, maxDurationMs } = asked;
  if (signal?.aborted) throw abortError(signal);
  const own = await headers();
  const hide = hiderOf(own);
  const watch = watchdog({ timeout, maxDurationMs, signal });
  try {
    const request = {
      method: "POST",
      headers: { "content-type": "application/json", ...asked.openHeaders },
      body,
      fetch,
      signal: watch.signal,
    };
    const response = await watch
      .race(fetchWithin(url, request, own, redirectOrigins))
      .catch((error) => Promise.reject(networkError(error, url, hide)));
    const arrival = new Arrival(response, hide);
    if (!response.ok) throw await statusError(arrival, watch, asked.readFault);
    yield arrival;
    let count = 0;
    for await (const bytes of readBody(response, watch, (error) =>
      networkError(error, url, hide),
    )) {
      arrival.note(bytes);
      count += bytes.length;
      if (count > maxResponseBytes)
        throw arrival.fault(
          `The model service sent more than ${maxResponseBytes} bytes (\`maxResponseBytes\`)`,
          undefined,
          { code: "TOO_LARGE" },
        );
      yield bytes;
    }
  } finally {
    watch.stop();
  }
}

/**
 * @param {Response} response
 * @param {Watchdog} watch
 * @param {(error: unknown) => unknown} toError
 * @returns {AsyncGenerator<Uint8Array, void, void>}
 */
async function* readBody(response, watch, toError) {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  let finished = false;
  try {
    for (;;) {
      const { done, value } = await watch
        .race(reader.read())
        .catch((error) => Promise.reject(toError(error)));
      if (done) {
        finished = true;
        return;
      }
      yield value;
    }
  } finally {
    // Not awaited: a service that hangs must not delay an abort.
    if (!finished) reader.cancel().catch(() => undefined);
  }
}

/** @param {Value} error @param {string} url @param {(text: string) => string} hide */
function networkError(error, url, hide) {
  if (error instanceof ModelError || error?.name === "AbortError") return error;
  const told = String(error?.message ?? error);
  const shown = hide(told);
  // An error that repeats a header is not exposed as the cause.
  const details = shown === told ? { cause: error } : {};
  if (error instanceof RedirectError)
    return new ModelError(shown, { code: error.code, ...details });
  return new ModelError(`The model service at ${originOf(url)} could not be reached: ${shown}`, {
    code: "NETWORK",
    retryable: true,
    ...details,
  });
}

/** @param {string} url */
function originOf(url) {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/**
 * @param {Arrival} arrival
 * @param {Watchdog} watch
 * @param {Request["readFault"]} readFault
 */
async function statusError(arrival, watch, readFault) {
  const { response } = arrival;
  const { status, headers } = response;
  const body = await errorBody(response, watch);
  const fault = readFault(body, response);
  const { message, code } = fault;
  const told = SHOULD_RETRY[headers.get("x-should-retry") ?? ""];
  const usual =
    (status === 429 || status === 408 || status >= 500) && !FINAL_CODES.includes(code ?? "");
  const retryable = told ?? fault.retryable ?? usual;
  return arrival.error(`The model service answered ${status}${message ? `: ${message}` : ""}`, {
    code: code ?? `HTTP_${status}`,
    body,
    retryable,
    retryAfterMs: retryable ? (fault.retryAfterMs ?? retryAfter(headers)) : undefined,
  });
}

/** Reads the beginning of the body. @param {Response} response @param {Watchdog} watch */
async function errorBody(response, watch) {
  const decoder = new TextDecoder();
  let text = "";
  let count = 0;
  try {
    for await (const bytes of readBody(response, watch, (error) => error)) {
      text += decoder.decode(bytes, { stream: true });
      count += bytes.length;
      if (count > MOST_ERROR_BYTES) break;
    }
  } catch (/** @type {Value} */ error) {
    if (error?.name === "AbortError") throw error;
  }
  return text;
}

/** @param {Headers} headers @param {(text: string) => string} hide */
function plainHeaders(headers, hide) {
  /** @type {Record<string, string>} */
  const plain = {};
  headers.forEach((value, key) => {
    if (key !== "set-cookie") plain[key] = hide(value);
  });
  return plain;
}

/**
 * Reads a service's message and code of an error, in any of the usual forms.
 * @param {string | Record<string, unknown>} body
 * @returns {Fault}
 */
export function errorFields(body) {
  try {
    const json = typeof body === "string" ? JSON.parse(body) : body;
    const error = json?.error ?? json;
    const message =
      typeof error === "string" ? error : (error?.message ?? json?.detail ?? json?.message);
    const code = error?.code ?? error?.type;
    const isCode = typeof code === "string" || typeof code === "number";
    return {
      message: typeof message === "string" ? message : undefined,
      code: isCode ? String(code).slice(0, LONGEST_CODE) : undefined,
    };
  } catch {
    return {
      message: typeof body === "string" ? body.slice(0, MESSAGE_EXCERPT).trim() : undefined,
      code: undefined,
    };
  }
}
