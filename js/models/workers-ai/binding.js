// SPDX-License-Identifier: MIT
// Asks a Worker's binding as if it were an HTTP service: its stream, object or response becomes a
// response, what it throws a refusal. Does not depend on what is asked and answered.
import { filled } from "../shapes.js";
import { knownIn } from "./faults.js";

/** @typedef {import("../service-model.js").Options} Options */
/**
 * @typedef {{ run: (model: string, inputs: Options, options: Options) => unknown }} Binding
 * @typedef {{ body: string, signal: AbortSignal, headers: Record<string, string> }} Sent
 */

const LONGEST_WORDS = 900;
const EVENTS = { "content-type": "text/event-stream" };

/**
 * Returns a fetch function that runs the model. The request's headers but its content type become
 * `extraHeaders`.
 * @param {Binding} binding
 * @param {string} model
 * @param {Options} options of its `run`
 * @returns {typeof globalThis.fetch}
 */
export function fetchOf(binding, model, options) {
  return async (_, init) => {
    const sent = /** @type {Sent} */ (/** @type {unknown} */ (init));
    const { "content-type": _type, ...headers } = sent.headers;
    const extraHeaders = filled({ ...options.extraHeaders, ...headers });
    const given = { ...options, ...(extraHeaders && { extraHeaders }) };
    try {
      const response = responseOf(await runWith(binding, model, sent, given));
      // An aborted call is over: nobody reads its answer.
      if (sent.signal.aborted) response.body?.cancel().catch(() => undefined);
      return response;
    } catch (error) {
      return refusalOf(error);
    }
  };
}

/** @param {Binding} binding @param {string} model @param {Sent} sent @param {Options} options */
async function runWith(binding, model, { body, signal }, options) {
  try {
    return await binding.run(model, JSON.parse(body), { ...options, signal });
  } catch (error) {
    // A service of another Worker may take no signal; then nothing has run.
    if (Object(error).name !== "DataCloneError") throw error;
    return await binding.run(model, JSON.parse(body), options);
  }
}

/** @param {unknown} result @returns {Response} */
function responseOf(result) {
  if (result instanceof Response) return readable(result.body, result);
  if (typeof Object(result).getReader === "function") {
    const stream = /** @type {ReadableStream<unknown>} */ (result);
    return readable(stream, new Response(null, { headers: EVENTS }));
  }
  return Response.json(result ?? null);
}

/**
 * Makes a response of the stream; throws if it cannot be read.
 * @param {ReadableStream<unknown> | null} stream
 * @param {Response} response
 */
function readable(stream, { ok, status, headers }) {
  const body = stream === null ? null : bodyOf(stream.getReader());
  return /** @type {Response} */ (/** @type {unknown} */ ({ ok, status, headers, body }));
}

/**
 * Makes the reader of a stream, whose pieces need not be bytes, one of bytes.
 * @param {ReadableStreamDefaultReader<unknown>} reader
 */
function bodyOf(reader) {
  const encoder = new TextEncoder();
  const read = async () => {
    try {
      const { done, value } = await reader.read();
      if (done) return { done };
      const bytes = ArrayBuffer.isView(value)
        ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
        : encoder.encode(textOf(value));
      // A stream of nothing must leave timers their turn.
      if (bytes.length === 0) await new Promise((resolve) => setTimeout(resolve));
      return { done, value: bytes };
    } catch (error) {
      throw plainError(error);
    }
  };
  const cancel = async (/** @type {unknown} */ reason) => reader.cancel(reason);
  return { cancel, getReader: () => ({ read, cancel }) };
}

/** @param {unknown} value */
function textOf(value) {
  if (typeof value !== "string") throw new TypeError("its stream has pieces that are no bytes");
  return value;
}

/**
 * Returns the refusal that the service's number stands for; throws where there is none.
 * @param {unknown} error that the binding threw
 */
function refusalOf(error) {
  const plain = plainError(error);
  const known = knownIn(`${codeIn(error)}: ${plain.message}`);
  if (known === undefined) throw plain;
  const { code, status } = known;
  return Response.json({ errors: [{ message: plain.message, code }] }, { status });
}

/**
 * Returns the number that some errors have beside their words.
 * @param {unknown} error
 */
function codeIn(error) {
  try {
    return String(Object(error).code);
  } catch {
    return "";
  }
}

/**
 * Returns an Error with the words of what was thrown, whatever that is.
 * @param {unknown} thrown
 */
function plainError(thrown) {
  let words = "it threw something without words";
  try {
    words = String(Object(thrown).message ?? thrown).slice(0, LONGEST_WORDS);
  } catch {
    // Words that cannot be read are none.
  }
  return new Error(words, { cause: thrown });
}
