// SPDX-License-Identifier: MIT
// Converts what a provider of the AI SDK throws, or reports in its stream, to the package's error.
import { abortError } from "../../base/waits.js";
import { errorFields } from "../http.js";
import { ModelError } from "../model-error.js";
import { retryAfter } from "../retry-after.js";

/** @typedef {import("../../base/callable.js").Value} Value */

/** Marks of the AI SDK's errors, by which it recognises them itself. */
const API_ERROR = /* @__PURE__ */ Symbol.for("vercel.ai.error.AI_APICallError");
/** Codes of errors in a stream that are worth another try, from providers that do not say so. */
const PASSING = /^(?:overloaded_error|rate_limit_\w+|server_error|api_error|429|5\d\d)$/;
/** Another try is of no use, whatever the provider says. */
const USED_UP = "insufficient_quota";
const LONGEST_BODY = 2000;
const LONGEST_MESSAGE = 1000;
const TOO_LONG = /prompt is too long|context_length_exceeded|maximum context length/i;

/**
 * @param {Value} error
 * @param {AbortSignal | undefined} signal of the call
 * @returns {Error}
 */
export function errorOf(error, signal) {
  if (signal?.aborted) return abortError(signal);
  if (error instanceof ModelError || error?.name === "AbortError") return error;
  const isApi = error !== null && typeof error === "object" && API_ERROR in error;
  if (isApi) return apiError(error);
  const { message, code } = errorFields(
    error instanceof Error ? { message: error.message } : error,
  );
  const told = message ?? (typeof error === "string" ? error : "no reason given");
  const { statusCode, isRetryable } = Object(error);
  return new ModelError(`The model's provider reported an error: ${cut(told)}`, {
    ...(Number.isInteger(statusCode) ? { status: statusCode } : {}),
    code: code ?? error?.code ?? "STREAM_ERROR",
    retryable: typeof isRetryable === "boolean" ? isRetryable : PASSING.test(code ?? ""),
    cause: error,
  });
}

/** @param {Value} error */
function apiError(error) {
  const { statusCode: status, responseBody, responseHeaders, isRetryable } = error;
  const body = typeof responseBody === "string" ? responseBody.slice(0, LONGEST_BODY) : undefined;
  const { "set-cookie": _secret, ...headers } = responseHeaders ?? {};
  const fields = errorFields(responseBody ?? error.data ?? {});
  const usual = status === undefined ? "NETWORK" : `HTTP_${status}`;
  const code = TOO_LONG.test(`${error.message} ${fields.code}`) ? "context_overflow" : fields.code;
  const retryable = isRetryable === true && code !== USED_UP;
  return new ModelError(cut(error.message), {
    status,
    code: code ?? usual,
    body,
    headers,
    retryable,
    retryAfterMs: retryable ? retryAfter(new Headers(headers)) : undefined,
    cause: error,
  });
}

/** @param {unknown} text */
function cut(text) {
  return String(text).slice(0, LONGEST_MESSAGE);
}
