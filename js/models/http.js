// SPDX-License-Identifier: MIT
// Knows: one request to a model service: its errors, how long to wait, when to try again.
// Owns: ModelError and the limits of retrying. Must not know: what is asked and answered.
import { abortError, pause } from "./base.js";

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;
const MAX_RETRY_AFTER_MS = 60_000;
/** A timer of more rings at once. */
const LONGEST_MS = 2 ** 31 - 1;
const BODY_EXCERPT = 2000;
const FINAL_CODES = ["insufficient_quota", "billing_hard_limit_reached"];

/**
 * @typedef {{ status?: number, code: string, body?: string, headers?: Record<string, string>, retryable?: boolean, retryAfterMs?: number, cause?: unknown }} Details
 * @typedef {{ url: string, headers: () => Promise<Record<string, string>>, body: string, fetch: typeof globalThis.fetch, timeout: number | undefined, signal: AbortSignal | undefined }} Request
 */

/** A model service refused, failed or broke off. */
export class ModelError extends Error {
  /** @param {string} message @param {Details} details */
  constructor(message, { status, code, body, headers, retryable = false, retryAfterMs, cause }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ModelError";
    this.status = status;
    this.code = code;
    this.body = body;
    this.headers = headers ?? {};
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Runs `attempt` until it delivers, its error is final or the retries are used up. Once
 * something was delivered, nothing is tried again.
 * @template T
 * @param {{ maxRetries: number, signal: AbortSignal | undefined }} limits
 * @param {() => AsyncGenerator<T, any, void>} attempt
 * @returns {AsyncGenerator<T, any, void>}
 */
export async function* withRetries({ maxRetries, signal }, attempt) {
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
      const wait = delivered || retry >= maxRetries ? undefined : delayBefore(retry, error);
      if (wait === undefined) throw error;
      await pause(wait, signal);
    } finally {
      await pieces.return(undefined);
    }
  }
}

/**
 * How long to wait before another try; undefined when there must be none.
 * @param {number} retry @param {unknown} error
 */
function delayBefore(retry, error) {
  if (!(error instanceof ModelError) || !error.retryable) return undefined;
  if (error.retryAfterMs !== undefined) return error.retryAfterMs <= MAX_RETRY_AFTER_MS ? error.retryAfterMs : undefined;
  const step = Math.min(FIRST_DELAY_MS * 2 ** retry, MAX_DELAY_MS);
  return step * (0.75 + Math.random() * 0.25);
}

/**
 * Sends one request; gives the answer's chunks of bytes, after a first value, the response.
 * The timeout is for silence: until the response, and between chunks.
 * @param {Request} request
 * @returns {AsyncGenerator<Response | Uint8Array, void, void>}
 */
export async function* send({ url, headers, body, fetch, timeout, signal }) {
  if (signal?.aborted) throw abortError(signal);
  const told = await headers();
  const watch = watchdog(timeout, signal);
  try {
    const started = (async () => fetch(url, { method: "POST", headers: told, body, signal: watch.signal }))();
    const response = await watch.race(started).catch((error) => Promise.reject(networkError(error, url)));
    if (!response.ok) throw await statusError(response, watch);
    yield response;
    yield* readBody(response, watch, url);
  } finally {
    watch.stop();
  }
}

/** @param {Response} response @param {Watchdog} watch @param {string} url @returns {AsyncGenerator<Uint8Array, void, void>} */
async function* readBody(response, watch, url) {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  let finished = false;
  try {
    for (;;) {
      const { done, value } = await watch.race(reader.read()).catch((error) => Promise.reject(networkError(error, url)));
      if (done) {
        finished = true;
        return;
      }
      yield value;
    }
  } finally {
    // Not awaited: a service that hangs must not hold up an abort.
    if (!finished) reader.cancel().catch(() => undefined);
  }
}

/**
 * Turns silence and the caller's abort into rejections at once, whatever `fetch` does.
 * @typedef {{ signal: AbortSignal, race: <T>(work: Promise<T>) => Promise<T>, stop: () => void }} Watchdog
 * @param {number | undefined} timeout
 * @param {AbortSignal | undefined} signal
 * @returns {Watchdog}
 */
function watchdog(timeout, signal) {
  const controller = new AbortController();
  /** @type {(error: Error) => void} */
  let fail = () => undefined;
  const stopWith = (/** @type {Error} */ error) => {
    fail(error);
    controller.abort(error);
  };
  const onAbort = () => stopWith(abortError(/** @type {AbortSignal} */ (signal)));
  signal?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    race(work) {
      let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
      return new Promise((resolve, reject) => {
        if (signal?.aborted) reject(abortError(signal));
        // Even when the abort came first: a failure of the work must find a listener.
        work.then(resolve, reject);
        fail = reject;
        if (timeout !== undefined) timer = setTimeout(() => stopWith(timeoutError(timeout)), Math.min(timeout, LONGEST_MS));
      }).finally(() => clearTimeout(timer));
    },
    stop() {
      signal?.removeEventListener("abort", onAbort);
      fail = () => undefined;
    },
  };
}

/** @param {number} timeout */
function timeoutError(timeout) {
  return new ModelError(`The model service was silent for ${timeout} ms`, { code: "TIMEOUT", retryable: true });
}

/** @param {any} error @param {string} url */
function networkError(error, url) {
  if (error instanceof ModelError || error?.name === "AbortError") return error;
  return new ModelError(`The model service at ${originOf(url)} could not be reached: ${error?.message ?? error}`, { code: "NETWORK", retryable: true, cause: error });
}

/** @param {string} url */
function originOf(url) {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** @param {Response} response @param {Watchdog} watch */
async function statusError(response, watch) {
  const body = await watch.race(response.text()).catch((error) => {
    if (error?.name === "AbortError") throw error;
    return "";
  });
  const { status } = response;
  const { message, code } = errorFields(body);
  const retryable = (status === 429 || status === 408 || status >= 500) && !FINAL_CODES.includes(code ?? "");
  return new ModelError(`The model service answered ${status}${message ? `: ${message}` : ""}`, {
    status,
    code: code ?? `HTTP_${status}`,
    body: body.slice(0, BODY_EXCERPT),
    headers: plainHeaders(response.headers),
    retryable,
    retryAfterMs: retryable ? retryAfter(response.headers) : undefined,
  });
}

/** @param {Headers} headers */
function plainHeaders(headers) {
  /** @type {Record<string, string>} */
  const plain = {};
  headers.forEach((value, key) => {
    if (key !== "set-cookie") plain[key] = value;
  });
  return plain;
}

/**
 * What a service says about its error, in any of the usual forms.
 * @param {string | Record<string, any>} body
 * @returns {{ message: string | undefined, code: string | undefined }}
 */
export function errorFields(body) {
  try {
    const json = typeof body === "string" ? JSON.parse(body) : body;
    const error = json?.error ?? json;
    const message = typeof error === "string" ? error : (error?.message ?? json?.detail ?? json?.message);
    const code = error?.code ?? error?.type;
    return { message: typeof message === "string" ? message : undefined, code: code === undefined || code === null ? undefined : String(code) };
  } catch {
    return { message: typeof body === "string" ? body.slice(0, 200).trim() : undefined, code: undefined };
  }
}

// In seconds or as a date; some services tell milliseconds in a header of their own.
/** @param {Headers} headers @returns {number | undefined} */
function retryAfter(headers) {
  const exact = Number(headers.get("retry-after-ms") ?? NaN);
  if (exact >= 0) return exact;
  const told = headers.get("retry-after");
  if (told === null || told.trim() === "") return undefined;
  const seconds = Number(told);
  const ms = Number.isNaN(seconds) ? Date.parse(told) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
