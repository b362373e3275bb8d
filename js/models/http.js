// SPDX-License-Identifier: MIT
// Sends one request to a model service: its errors, limits of time and size, retries. Does not
// depend on what is asked and answered.
import { abortError, pauseCall } from "../base/waits.js";
import { RedirectError, fetchWithin, originOf, saidBy } from "./redirects.js";
import { retryAfter } from "./retry-after.js";
import { watchdog } from "./time-limits.js";
import { ModelError } from "./model-error.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./time-limits.js").Watchdog} Watchdog */

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;
export const BODY_EXCERPT = 2000;
const MESSAGE_EXCERPT = 200;
export const LONGEST_MESSAGE = 1000;
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
 * rule is another one than that of the status; `status` is that of an error inside a stream, or
 * the one in a body whose response has another.
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
 * @typedef {{ maxRetries: number, maxRetryAfterMs: number, onRetry?: (retry: Retry) => unknown,
 *   signal: AbortSignal | undefined }} Patience
 */

/**
 * Runs `attempt` until it succeeds, its error is final or the retries are used up.
 * @template T
 * @param {Patience} patience
 * @param {() => Promise<T>} attempt ends before its first value is given on: nothing is retried
 *   after that
 * @returns {Promise<T>}
 */
export async function withRetries({ maxRetries, maxRetryAfterMs, onRetry, signal }, attempt) {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = retry >= maxRetries ? undefined : delayBefore(retry, error, maxRetryAfterMs);
      if (wait === undefined) throw error;
      await onRetry?.({
        attempt: retry + 1,
        delayMs: wait,
        error: /** @type {ModelError} */ (error),
      });
      await pauseCall(wait, signal);
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
 * An answer that has begun: reads its body, and makes errors about it with the received text, but
 * without the values of the request's headers.
 */
export class Arrival {
  #asked;
  #watch;
  #hide;
  #reader;
  #isOver = false;
  #count = 0;
  /** The first bytes of the body. @type {Uint8Array[]} */
  #start = [];
  #room = BODY_EXCERPT;

  /**
   * @param {Response} response
   * @param {Request} asked
   * @param {Watchdog} watch
   * @param {(text: string) => string} hide
   */
  constructor(response, asked, watch, hide) {
    this.response = response;
    this.#asked = asked;
    this.#watch = watch;
    this.#hide = hide;
    this.#reader = response.body?.getReader();
    this.type = response.headers.get("content-type") ?? "";
  }

  /**
   * Returns the next bytes of the body; undefined at its end.
   * @param {number} [most] maximum bytes of the whole
   */
  read(most) {
    return this.next(
      (bytes) => bytes,
      (error) => {
        throw error;
      },
      most,
    );
  }

  /**
   * Does the same, and returns what `use` makes of the bytes, or `refuse` of an error.
   * @template Result
   * @param {(bytes: Uint8Array | undefined) => Result | PromiseLike<Result>} use
   * @param {(error: unknown) => Result | PromiseLike<Result>} refuse
   * @param {number} [most]
   * @returns {Promise<Result>}
   */
  next(use, refuse, most = this.#asked.maxResponseBytes) {
    if (this.#reader === undefined) return Promise.resolve(undefined).then(use);
    return this.#watch.race(
      this.#reader.read(),
      (read) => {
        let bytes;
        try {
          bytes = this.#take(read, most);
        } catch (error) {
          return refuse(error);
        }
        return use(bytes);
      },
      (error) => refuse(networkError(error, this.#asked.url, this.#hide, "broke off its answer")),
    );
  }

  /**
   * @param {ReadableStreamReadResult<Uint8Array>} read
   * @param {number} most
   */
  #take({ done, value: bytes }, most) {
    if (done) {
      this.#isOver = true;
      return undefined;
    }
    if (this.#room > 0) {
      this.#start.push(bytes.slice(0, this.#room));
      this.#room -= bytes.length;
    }
    this.#count += bytes.length;
    if (this.#count > most)
      throw this.fault(
        `The model service sent more than ${most} bytes (\`maxResponseBytes\`)`,
        undefined,
        { code: "TOO_LARGE" },
      );
    return bytes;
  }

  /** Ends the reading, wherever it is. */
  close() {
    this.#watch.stop();
    // Not awaited: a service that hangs must not delay an abort.
    if (!this.#isOver) this.#reader?.cancel().catch(() => undefined);
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
 * Sends one request. `timeout` limits silence, until the response and between pieces of its body;
 * `maxDurationMs` limits the whole.
 * @param {Request} asked
 * @returns {Promise<Arrival>} the caller closes it
 */
export async function send(asked) {
  const { url, headers, body, fetch, redirectOrigins, signal, timeout, maxDurationMs } = asked;
  if (signal?.aborted) throw abortError(signal);
  const own = await headers();
  const hide = hiderOf(own);
  const watch = watchdog({ timeout, maxDurationMs, signal });
  /** @type {Arrival | undefined} */
  let arrival;
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
    arrival = new Arrival(response, asked, watch, hide);
    if (!response.ok) throw await statusError(arrival, asked.readFault);
    return arrival;
  } catch (error) {
    watch.stop();
    arrival?.close();
    throw error;
  }
}

/**
 * @param {Value} error @param {string} url @param {(text: string) => string} hide
 * @param {string} happened
 */
function networkError(error, url, hide, happened = "could not be reached") {
  if (error instanceof ModelError || error?.name === "AbortError") return error;
  const told = saidBy(error);
  const shown = hide(told);
  // An error that repeats a header is not exposed as the cause.
  const details = shown === told ? { cause: error } : {};
  if (error instanceof RedirectError)
    return new ModelError(shown, { code: error.code, ...details });
  return new ModelError(`The model service at ${originOf(url)} ${happened}: ${shown}`, {
    code: "NETWORK",
    retryable: true,
    ...details,
  });
}

/** @param {Arrival} arrival @param {Request["readFault"]} readFault */
async function statusError(arrival, readFault) {
  const { response } = arrival;
  const { status, headers } = response;
  const body = await errorBody(arrival);
  const fault = readFault(body, response);
  const { message, code } = fault;
  const told = SHOULD_RETRY[headers.get("x-should-retry") ?? ""];
  const retryable = told ?? fault.retryable ?? mayPass(fault.status ?? status, code);
  return arrival.error(`The model service answered ${status}${message ? `: ${message}` : ""}`, {
    code: code ?? `HTTP_${status}`,
    body,
    retryable,
    retryAfterMs: retryable ? (fault.retryAfterMs ?? retryAfter(headers)) : undefined,
  });
}

/** May another attempt help after this? @param {number} [status] @param {string} [code] */
export function mayPass(status = 0, code = "") {
  return (status === 429 || status === 408 || status >= 500) && !FINAL_CODES.includes(code);
}

/** Reads the beginning of the body. @param {Arrival} arrival */
async function errorBody(arrival) {
  const decoder = new TextDecoder();
  let text = "";
  let count = 0;
  try {
    for (let bytes; count <= MOST_ERROR_BYTES && (bytes = await arrival.read(Infinity)); ) {
      text += decoder.decode(bytes, { stream: true });
      count += bytes.length;
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
    const json = [typeof body === "string" ? JSON.parse(body) : body].flat()[0];
    const error = json?.error ?? json;
    const told = typeof error === "string" ? error : (error?.message ?? json?.detail);
    // A list has what is wrong with each field.
    const message = (told?.detail ?? told)?.[0]?.msg ?? told ?? json?.message;
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
