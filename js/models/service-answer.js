// SPDX-License-Identifier: MIT
// Reads a service's answer, in events or whole, by an adapter's reader: bounds of size, a stream
// that breaks off, errors inside a good response. Does not depend on any service's protocol.
import { EventParser } from "./sse.js";
import { Unexpected } from "./shapes.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./http.js").Arrival} Arrival */
/** @typedef {import("./http.js").Fault} Fault */
/** @typedef {AsyncGenerator<Arrival | Uint8Array, void, void>} Incoming */
/**
 * Joins one answer; an adapter makes one per attempt. `add` takes the data of an event of a stream,
 * `addWhole` an answer that is not streamed; both return the addition as a chunk, if there is one,
 * and throw Unexpected for data of another shape. `hasBegun`: a part of the answer has arrived;
 * `isFinished`: the stream may end here; `isClosed`: nothing after this is read; `hasClosingEvent`:
 * only an event of its own ends it, not `[DONE]`. `message` returns the whole message.
 * @typedef {{ add: (data: Value, event?: string) => Value, addWhole: (data: Value) => Value,
 *   hasBegun: boolean, isFinished: boolean, isClosed?: boolean, hasClosingEvent?: boolean, message:
 *   () => Value }} Reader
 */
/**
 * `faultIn` returns the error that the data of an event, or of a whole answer, reports.
 * @typedef {{ limits: Record<string, number>, faultIn: (data: Value, event?: string) => Fault |
 *   undefined }} Reading
 */

/**
 * Yields the chunks of a streamed answer; returns the whole message.
 * @param {Incoming} incoming
 * @param {Reader} reader
 * @param {Reading} reading
 * @returns {AsyncGenerator<Value, Value, void>}
 */
export async function* streamAnswer(incoming, reader, reading) {
  const arrival = /** @type {Arrival} */ ((await incoming.next()).value);
  // Some services answer a request for a stream with a whole answer.
  if (arrival.type.includes("application/json")) {
    const chunk = await readWhole(arrival, incoming, reader, reading);
    if (chunk !== undefined) yield chunk;
    return reader.message();
  }
  let isDone = false;
  answer: for await (const batch of batches(arrival, incoming, reading.limits))
    for (const { data: text, event } of batch) {
      if (text === "[DONE]") {
        isDone = !reader.hasClosingEvent;
        break answer;
      }
      if (!text?.trim()) continue;
      const data = parseData(arrival, text, reading, event);
      const chunk = within(arrival, text, () => reader.add(data, event));
      if (chunk !== undefined) yield chunk;
      if (reader.isClosed) break answer;
    }
  const isStream = arrival.type === "" || arrival.type.includes("text/event-stream");
  if (!reader.hasBegun && (isDone || !isStream)) throw empty(arrival);
  if (!isDone && !reader.isFinished)
    throw arrival.error("The model service broke off its answer", {
      code: "STREAM_CUT",
      retryable: true,
    });
  return reader.message();
}

/**
 * Yields nothing; returns the message of an answer that is not streamed.
 * @param {Incoming} incoming
 * @param {Reader} reader
 * @param {Reading} reading
 * @returns {AsyncGenerator<Value, Value, void>}
 */
// biome-ignore lint/correctness/useYield: read like an answer in pieces, and has none
export async function* wholeAnswer(incoming, reader, reading) {
  const arrival = /** @type {Arrival} */ ((await incoming.next()).value);
  await readWhole(arrival, incoming, reader, reading);
  return reader.message();
}

/**
 * @param {Arrival} arrival
 * @param {Incoming} incoming
 * @param {Reader} reader
 * @param {Reading} reading
 */
async function readWhole(arrival, incoming, reader, reading) {
  const text = await readText(arrival, incoming, reading.limits);
  const data = parseData(arrival, text, reading);
  const chunk = within(arrival, text, () => reader.addWhole(data));
  if (!reader.hasBegun) throw empty(arrival);
  return chunk;
}

/** @param {Arrival} arrival */
function empty(arrival) {
  return arrival.fault("The model service's answer has no choices");
}

/**
 * Turns an Unexpected of the reader into the error of the answer.
 * @template T
 * @param {Arrival} arrival
 * @param {string} text what was received
 * @param {() => T} read
 * @returns {T}
 */
function within(arrival, text, read) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    throw arrival.fault(
      `The model service's answer cannot be read: ${error.message}`,
      text,
      error.code === undefined ? {} : { code: error.code },
    );
  }
}

/**
 * Yields the events that each piece of the body completes: one step for all of them, since tokens
 * are frequent.
 * @param {Arrival} arrival
 * @param {Incoming} incoming
 * @param {Record<string, number>} limits
 * @returns {AsyncGenerator<import("./sse.js").ServerEvent[], void, void>}
 */
async function* batches(arrival, incoming, { maxEventLength }) {
  const parser = new EventParser(maxEventLength);
  /** @param {() => import("./sse.js").ServerEvent[]} read */
  const bounded = (read) => {
    try {
      return read();
    } catch (/** @type {Value} */ error) {
      throw error?.code === "EVENT_TOO_LONG" ? tooLong(arrival, maxEventLength) : error;
    }
  };
  for await (const bytes of incoming)
    yield bounded(() => parser.push(/** @type {Uint8Array} */ (bytes)));
  yield bounded(() => parser.end());
}

/** @param {Arrival} arrival @param {number} most */
function tooLong(arrival, most) {
  return arrival.fault(
    `The model service sent more than ${most} characters in one piece (\`maxEventLength\`)`,
    undefined,
    { code: "TOO_LARGE" },
  );
}

/** @param {Arrival} arrival @param {Incoming} incoming @param {Record<string, number>} limits */
async function readText(arrival, incoming, { maxEventLength }) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of incoming) {
    text += decoder.decode(/** @type {Uint8Array} */ (bytes), { stream: true });
    if (text.length > maxEventLength) throw tooLong(arrival, maxEventLength);
  }
  return text + decoder.decode();
}

/**
 * @param {Arrival} arrival
 * @param {string} text
 * @param {Reading} reading
 * @param {string} [event]
 * @returns {unknown}
 */
function parseData(arrival, text, { faultIn }, event) {
  let data;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw arrival.fault("The model service sent data that is not JSON", text, { cause: error });
  }
  const fault = faultIn(data, event);
  if (fault === undefined) return data;
  const { message, code, retryable = isPassing(code), retryAfterMs, status } = fault;
  throw arrival.error(`The model service reported an error: ${message ?? "no reason given"}`, {
    ...(status === undefined ? {} : { status }),
    code: code ?? "STREAM_ERROR",
    body: text,
    retryable,
    retryAfterMs: retryable ? retryAfterMs : undefined,
  });
}

/** @param {string | undefined} code */
function isPassing(code) {
  return code === "server_error" || code === "overloaded_error";
}
