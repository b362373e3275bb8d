// SPDX-License-Identifier: MIT
// Parses server-sent events from bytes, wherever the bytes are cut. Does not depend on the events'
// content.

/** Default maximum of characters per event; a server that sends more is faulty or hostile. */
const MOST = 2 ** 26;

const BYTE_ORDER_MARK = "\ufeff";
const LAST_ASCII = 0x7f;
/** Characters of lines without a known field that are kept. */
const MOST_STRAYS = 65_536;

/**
 * @typedef {{ event: string | undefined, data: string | undefined }} ServerEvent `data`: undefined
 *   for a bare name
 */

/** Takes bytes and returns the events that are complete. */
export class EventParser {
  // Bytes are decoded in several texts, and only the first may begin with the mark.
  #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Has no text come yet? */
  #isFresh = true;
  /** Pieces of the incomplete line. @type {string[]} */
  #pieces = [];
  /** Characters of the incomplete event. */
  #length = 0;
  /** Did the text end in a carriage return? A line feed after it belongs to the same line end. */
  #returned = false;
  /** @type {string | undefined} */
  #data = undefined;
  /** @type {string | undefined} */
  #event = undefined;
  /** @type {string | undefined} */
  #id = undefined;
  /** Id of the last complete event. @type {string | undefined} */
  lastId = undefined;
  /** Time that the server asks to wait before a new connection. @type {number | undefined} */
  retryMs = undefined;
  /** Lines that are no part of an event: an error may come as bare JSON. */
  strays = "";
  #most;

  /** @param {number} [most] maximum characters per event */
  constructor(most = MOST) {
    this.#most = most;
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {ServerEvent[]}
   */
  push(bytes) {
    return this.#lines(this.#decode(bytes));
  }

  // Bytes that end in a whole character, as events do, are decoded as a text of their own: engines
  // do that several times as fast as a part of a stream.
  /** @param {Uint8Array} bytes */
  #decode(bytes) {
    const isWhole = bytes[bytes.length - 1] <= LAST_ASCII;
    const text = this.#decoder.decode(bytes, isWhole ? undefined : { stream: true });
    if (!this.#isFresh || text === "") return text;
    this.#isFresh = false;
    return text[0] === BYTE_ORDER_MARK ? text.slice(1) : text;
  }

  /**
   * Ends the bytes; an event without its blank line counts.
   * @returns {ServerEvent[]}
   */
  end() {
    const events = this.#lines(`${this.#decoder.decode()}\n`);
    this.#close(events);
    return events;
  }

  /**
   * Splits into lines; looks at each character once, however the bytes were cut.
   * @param {string} text
   * @returns {ServerEvent[]}
   */
  #lines(text) {
    /** @type {ServerEvent[]} */
    const events = [];
    let start = this.#returned && text[0] === "\n" ? 1 : 0;
    if (text !== "") this.#returned = false;
    // Each end of a line is looked for once: a text may have many of one kind.
    let feed = text.indexOf("\n");
    let back = text.indexOf("\r");
    for (;;) {
      if (feed >= 0 && feed < start) feed = text.indexOf("\n", start);
      if (back >= 0 && back < start) back = text.indexOf("\r", start);
      const isReturn = back >= 0 && (feed < 0 || back < feed);
      const end = isReturn ? back : feed;
      if (end < 0) break;
      let line = text.slice(start, end);
      if (this.#pieces.length > 0) {
        this.#pieces.push(line);
        line = this.#pieces.join("");
        this.#pieces = [];
      }
      this.#count(end - start);
      this.#line(line, events);
      this.#returned = isReturn && end + 1 === text.length;
      start = end + (isReturn && feed === end + 1 ? 2 : 1);
    }
    if (start < text.length) this.#pieces.push(text.slice(start));
    this.#count(Math.max(0, text.length - start));
    return events;
  }

  /** @param {number} length */
  #count(length) {
    this.#length += length;
    if (this.#length > this.#most)
      throw Object.assign(new RangeError(`An event of more than ${this.#most} characters`), {
        code: "EVENT_TOO_LONG",
      });
  }

  /** @param {string} line @param {ServerEvent[]} events */
  #line(line, events) {
    if (line === "") return this.#close(events);
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    else if (field === "event") this.#event = value;
    else if (field === "id") this.#id = value;
    else if (field === "retry" && /^\d+$/.test(value)) this.retryMs = Number(value);
    else if (colon !== 0 && this.strays.length < MOST_STRAYS) this.strays += line;
  }

  /** @param {ServerEvent[]} events */
  #close(events) {
    this.lastId = this.#id;
    if (this.#data !== undefined || this.#event)
      events.push({ event: this.#event, data: this.#data });
    this.#data = undefined;
    this.#event = undefined;
    this.#length = 0;
  }
}
