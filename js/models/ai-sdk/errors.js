// SPDX-License-Identifier: MIT
// Converts what a provider of the AI SDK throws, or reports in its stream, to the package's error.
import { abortError } from "../../base/waits.js";
import { BODY_EXCERPT, LONGEST_MESSAGE, errorFields } from "../http.js";
import { ModelError } from "../model-error.js";
import { retryAfter } from "../retry-after.js";
import { Unexpected, countOrNone } from "../shapes.js";

/** @typedef {import("../../base/callable.js").Value} Value */

/** Marks of the AI SDK's errors, by which it recognises them itself. */
const API_ERROR = /* @__PURE__ */ Symbol.for("vercel.ai.error.AI_APICallError");
/** Codes of errors in a stream that are worth another try, from providers that do not say so. */
const PASSING = /^(?:overloaded_error|rate_limit_\w+|server_error|api_error|429|5\d\d)$/;
/** Another try is of no use, whatever the provider says. */
const USED_UP = "insufficient_quota";
const TOO_LONG = /prompt is too long|context_length_exceeded|maximum context length/i;

/**
 * @param {Value} error
 * @param {AbortSignal | undefined} signal of the call
 * @returns {Error}
 */
export function errorOf(error, signal) {
  if (signal?.aborted) return abortError(signal);
  if (error instanceof ModelError || error?.name === "AbortError") return error;
  // A message that the model cannot take is the caller's error.
  if (error instanceof TypeError && error.message.startsWith("Message ")) return error;
  if (error instanceof Unexpected)
    return new ModelError(`The model provider's answer cannot be read: ${error.message}`, {
      code: error.code ?? "BAD_ANSWER",
    });
  const given = Object(error);
  const { statusCode, isRetryable, responseBody, responseHeaders, data, message } = given;
  const isApi = API_ERROR in given;
  const fields = errorFields(
    isApi ? (responseBody ?? data ?? {}) : error instanceof Error ? { message } : error,
  );
  const status = countOrNone(statusCode);
  const usual = isApi ? (status === undefined ? "NETWORK" : `HTTP_${status}`) : "STREAM_ERROR";
  const code = fields.code ?? given.code ?? usual;
  const retryable = (isRetryable ?? PASSING.test(code)) === true && code !== USED_UP;
  const { "set-cookie": _secret, ...headers } = responseHeaders ?? {};
  const shown = isApi
    ? message
    : `The model's provider reported an error: ${fields.message ?? "no reason given"}`;
  return new ModelError(String(shown).slice(0, LONGEST_MESSAGE), {
    status,
    code: TOO_LONG.test(`${message} ${code}`) ? "context_overflow" : code,
    body: typeof responseBody === "string" ? responseBody.slice(0, BODY_EXCERPT) : undefined,
    headers,
    retryable,
    retryAfterMs: retryable ? retryAfter(new Headers(headers)) : undefined,
    cause: error,
  });
}
