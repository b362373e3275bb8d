// SPDX-License-Identifier: MIT
// Reads a service's answer, in events or whole, by an adapter's reader: bounds of size, a stream
// that breaks off, errors inside a good response, an answer in several requests. Does not depend on
// any service's protocol.
import { mayPass, send, withRetries } from "./http.js";
import { ModelError } from "./model-error.js";
import { EventParser } from "./sse.js";
import { Unexpected } from "./shapes.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./http.js").Arrival} Arrival */
/** @typedef {import("./http.js").Fault} Fault */
/** @typedef {import("./http.js").Request} Request */
/**
 * Joins one answer; an adapter makes one per attempt. `add` takes the data of an event of a stream,
 * `addWhole` an answer that is not streamed; both return the addition as a chunk, if there is one,
 * and throw Unexpected for data of another shape. `hasBegun`: a part of the answer has arrived;
 * `isFinished`: the stream may end here; `isClosed`: nothing after this is read; `hasClosingEvent`:
 * only an event of its own ends it, not `[DONE]`. `message` returns the whole message.
 * `continuation`: with it the service is asked for the rest of the answer, for which `resume` makes
 * the reader ready. `end` returns what the end of a stream adds.
 * @typedef {{ add: (data: Value, event?: string) => Value, addWhole: (data: Value) => Value,
 *   hasBegun: boolean, isFinished: boolean, isClosed?: boolean, hasClosingEvent?: boolean, message:
 *   () => Value, continuation?: string, resume?: () => Reader, end?: () => unknown }} Reader
 */
/**
 * `faultIn` returns the error that the data of an event, or of a whole answer, reports.
 * @typedef {{ limits: Record<string, number>, faultIn: (data: Value, event?: string) => Fault |
 *   undefined }} Reading
 */
/**
 * How a model is asked. `ask`: makes the request, or the one for the rest of the answer; `reader`:
 * makes a reader.
 * @typedef {Reading & { patience: import("./http.js").Patience, ask: (continuation?: string) =>
 *   Request, reader: () => Reader | Promise<Reader> }} Asking
 */

/**
 * HTTP's numbers of errors that a good response reports by name.
 * @type {Record<string, number | undefined>}
 */
const STATUSES = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};
/** Names of passing errors that stand for no status. */
const PASSING = ["server_error", "slow_down"];
/** Begins events, which some gateways send as JSON, or where none were asked for. */
const EVENTS = /^\s*(?:data|event|id|retry)?:/;
/** JSON that is no event, also behind the name of a field that no event has. */
const JSON_TEXT = /^\s*(error:\s*)?([[{].*[\]}])\s*$/s;
/** Maximum requests of one answer. */
const MOST_REQUESTS = 16;

/**
 * Yields a chunk of a streamed answer for each piece of the body; its result is the whole message.
 * `take` gives the other chunks, `more` waits for them.
 * @param {Asking} asking
 * @returns {import("./base.js").Pieces}
 */
export function streamedAnswer(asking) {
  /** What arrives now. @type {Arriving | undefined} */
  let arriving;
  return Object.assign(read(asking.ask()), {
    take: () => arriving?.take(),
    /** @type {import("./base.js").Pieces["more"]} */
    more: (then) => arriving?.more(then),
  });

  /** @param {Request} request @returns {AsyncGenerator<Value, Value, void>} */
  async function* read(request) {
    let { reader } = asking;
    for (let count = 1; ; count++) {
      const begun = await withRetries(asking.patience, () => begin(request, reader, asking));
      try {
        for (let chunk = begun.first; chunk !== undefined; chunk = await begun.next()) {
          arriving = begun;
          yield chunk;
        }
      } finally {
        arriving = undefined;
        begun.close();
      }
      const token = tokenOf(begun.reader, count);
      if (token === undefined) {
        const rest = begun.reader.end?.();
        if (rest !== undefined) yield rest;
        return begun.reader.message();
      }
      request = asking.ask(token);
      reader = resumed(begun.reader);
    }
  }
}

/**
 * Returns the message of an answer that is not streamed.
 * @param {Asking} asking
 * @returns {Promise<Value>}
 */
export async function wholeAnswer(asking) {
  let request = asking.ask();
  let { reader } = asking;
  for (let count = 1; ; count++) {
    const found = await withRetries(asking.patience, async () => {
      const arrival = await send(request);
      try {
        const arriving = new Arriving(arrival, await reader(), asking);
        for (let chunk = await arriving.whole(); chunk !== undefined; )
          chunk = await arriving.next();
        return arriving.reader;
      } finally {
        arrival.close();
      }
    });
    const token = tokenOf(found, count);
    if (token === undefined) {
      found.end?.();
      return found.message();
    }
    request = asking.ask(token);
    reader = resumed(found);
  }
}

/**
 * Returns with what the service must be asked for the rest of the answer.
 * @param {Reader} reader
 * @param {number} count of the requests so far
 */
function tokenOf({ continuation }, count) {
  if (continuation !== undefined && count === MOST_REQUESTS)
    throw new ModelError(`The model service did not end its answer in ${count} requests`, {
      code: "TOO_LARGE",
    });
  return continuation;
}

/** @param {Reader} reader */
function resumed(reader) {
  return () => reader.resume?.() ?? reader;
}

/**
 * Sends a request for a stream, and waits for the first chunk.
 * @param {Request} request
 * @param {Asking["reader"]} reader
 * @param {Reading} reading
 */
async function begin(request, reader, reading) {
  const arrival = await send(request);
  try {
    const arriving = new Arriving(arrival, await reader(), reading);
    // Some services answer a request for a stream with a whole answer.
    arriving.first = arrival.type.includes("application/json")
      ? await arriving.whole()
      : await arriving.next();
    return arriving;
  } catch (error) {
    arrival.close();
    throw error;
  }
}

/** The answer to one request for a stream. */
class Arriving {
  #arrival;
  #reading;
  #parser;
  /** Events that have arrived. @type {import("./sse.js").ServerEvent[]} */
  #events = [];
  /** Number of those that were read. */
  #at = 0;
  /** Is nothing read any more? */
  #isOver = false;
  /** Did the service say that this is the end? */
  #isDone = false;
  /** Why the next event cannot be read. @type {{ error: unknown } | undefined} */
  #failure = undefined;
  /** The first chunk. @type {Value} */
  first = undefined;

  /** @param {Arrival} arrival @param {Reader} reader @param {Reading} reading */
  constructor(arrival, reader, reading) {
    this.#arrival = arrival;
    this.#reading = reading;
    this.#parser = new EventParser(reading.limits.maxEventLength);
    this.reader = reader;
  }

  close() {
    this.#arrival.close();
  }

  /** Reads an answer that is no stream; returns it as a chunk. */
  async whole() {
    const text = await readText(this.#arrival, this.#reading.limits);
    this.#isOver = true;
    if (EVENTS.test(text)) {
      this.#events = [...this.#parse(new TextEncoder().encode(text)), ...this.#parse(undefined)];
      return this.next();
    }
    this.#isDone = true;
    return addWhole(this.#arrival, text, this.reader, this.#reading);
  }

  /** Returns the next chunk of the events that have arrived, if there is one. */
  take() {
    while (this.#at < this.#events.length) {
      const { data: text, event } = this.#events[this.#at++];
      const told = text?.trim();
      if (told === "[DONE]") {
        this.#isDone = !this.reader.hasClosingEvent;
        this.#stop();
      } else if (text && told) {
        const chunk = this.#add(text, event);
        if (chunk !== undefined) return chunk;
      }
    }
    return undefined;
  }

  /** @param {string} text @param {string | undefined} event its name */
  #add(text, event) {
    try {
      const chunk = this.reader.add(parseData(this.#arrival, text, this.#reading, event), event);
      if (this.reader.isClosed) this.#stop();
      return chunk;
    } catch (error) {
      this.#failure = { error: readable(error, this.#arrival, text) };
      this.#stop();
      return undefined;
    }
  }

  #stop() {
    this.#isOver = true;
    this.#events = [];
  }

  /** Waits for the next chunk; undefined at the end. */
  async next() {
    for (;;) {
      const chunk = this.take();
      if (chunk !== undefined) return chunk;
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#isOver) return this.#checkEnd();
      await this.more(() => undefined);
    }
  }

  /**
   * Waits until more has arrived, and returns what `then` returns. An error is told by `next`.
   * @template Result
   * @param {() => Result | PromiseLike<Result>} then
   * @returns {Promise<Result> | undefined} undefined if nothing more is read
   */
  more(then) {
    if (this.#isOver) return undefined;
    const fail = (/** @type {unknown} */ error) => {
      this.#failure = { error };
      this.#stop();
      return then();
    };
    return this.#arrival.next((bytes) => {
      this.#isOver = bytes === undefined;
      this.#at = 0;
      try {
        this.#events = this.#parse(bytes);
      } catch (error) {
        return fail(error);
      }
      return then();
    }, fail);
  }

  /** @param {Uint8Array | undefined} bytes undefined at the end */
  #parse(bytes) {
    try {
      return bytes === undefined ? this.#parser.end() : this.#parser.push(bytes);
    } catch (/** @type {Value} */ error) {
      if (error?.code !== "EVENT_TOO_LONG") throw error;
      throw tooLong(this.#arrival, this.#reading.limits.maxEventLength);
    }
  }

  /** Ends the stream; returns the answer as a chunk if it came in place of events. */
  #checkEnd() {
    const { type } = this.#arrival;
    const isStream = type === "" || type.includes("text/event-stream");
    if (!this.reader.hasBegun && (this.#isDone || !isStream)) throw empty(this.#arrival);
    if (this.#isDone || this.reader.isFinished) return undefined;
    const [, error, json] = JSON_TEXT.exec(this.#parser.strays) ?? [];
    // Gemini ends a stream with an error that is no event, llama.cpp with one in a field "error".
    if (json !== undefined) parseData(this.#arrival, json, this.#reading, error && "error");
    this.#isDone = json !== undefined && !this.reader.hasBegun;
    if (this.#isDone) return addWhole(this.#arrival, json, this.reader, this.#reading);
    throw this.#arrival.error("The model service broke off its answer", {
      code: "STREAM_CUT",
      retryable: true,
    });
  }
}

/**
 * @param {Arrival} arrival @param {string} text
 * @param {Reader} reader @param {Reading} reading
 */
function addWhole(arrival, text, reader, reading) {
  const data = parseData(arrival, text, reading);
  let chunk;
  try {
    chunk = reader.addWhole(data);
  } catch (error) {
    throw readable(error, arrival, text);
  }
  if (!reader.hasBegun) throw empty(arrival);
  return chunk;
}

/** @param {Arrival} arrival */
function empty(arrival) {
  return arrival.fault("The model service's answer has no choices");
}

/**
 * Returns the error of the answer for an Unexpected of the reader; others as they are.
 * @param {unknown} error
 * @param {Arrival} arrival
 * @param {string} text what was received
 */
function readable(error, arrival, text) {
  if (!(error instanceof Unexpected)) return error;
  return arrival.fault(
    `The model service's answer cannot be read: ${error.message}`,
    text,
    error.code === undefined ? {} : { code: error.code },
  );
}

/** @param {Arrival} arrival @param {number} most */
function tooLong(arrival, most) {
  return arrival.fault(
    `The model service sent more than ${most} characters in one piece (\`maxEventLength\`)`,
    undefined,
    { code: "TOO_LARGE" },
  );
}

/** @param {Arrival} arrival @param {Record<string, number>} limits */
async function readText(arrival, { maxEventLength }) {
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes; (bytes = await arrival.read()) !== undefined; ) {
    text += decoder.decode(bytes, { stream: true });
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
  const { message, code = "STREAM_ERROR", retryAfterMs } = fault;
  const known = Object.hasOwn(STATUSES, code) ? STATUSES[code] : undefined;
  const { status = known, retryable = PASSING.includes(code) || mayPass(status, code) } = fault;
  throw arrival.error(`The model service reported an error: ${message ?? "no reason given"}`, {
    ...(status === undefined ? {} : { status }),
    code,
    body: text,
    retryable,
    retryAfterMs: retryable ? retryAfterMs : undefined,
  });
}
