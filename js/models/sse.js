// SPDX-License-Identifier: MIT
// Knows: server-sent events: bytes in, the data of events out, wherever the bytes are cut.
// Owns: nothing. Must not know: what the events say.

/**
 * @typedef {{ event: string | undefined, data: string | undefined }} ServerEvent `data`: undefined for a bare name
 */

/** Feeds on bytes; gives the events that are complete. */
export class EventParser {
  #decoder = new TextDecoder();
  #rest = "";
  /** @type {string[]} */
  #data = [];
  /** @type {string | undefined} */
  #event = undefined;
  /** @type {string | undefined} */
  #id = undefined;
  /** That of the last event which came whole. @type {string | undefined} */
  lastId = undefined;

  /**
   * @param {Uint8Array} bytes
   * @returns {ServerEvent[]}
   */
  push(bytes) {
    return this.#lines(this.#decoder.decode(bytes, { stream: true }), false);
  }

  /**
   * The end of the bytes; an event without its blank line counts.
   * @returns {ServerEvent[]}
   */
  end() {
    const events = this.#lines(`${this.#decoder.decode()}\n`, true);
    this.#close(events);
    return events;
  }

  /** @param {string} text @param {boolean} last @returns {ServerEvent[]} */
  #lines(text, last) {
    /** @type {ServerEvent[]} */
    const events = [];
    this.#rest += text;
    let start = 0;
    for (;;) {
      const end = nextBreak(this.#rest, start);
      if (end < 0) break;
      const isReturn = this.#rest[end] === "\r";
      // The line feed of this return may still be on its way.
      if (isReturn && end + 1 === this.#rest.length && !last) break;
      this.#line(this.#rest.slice(start, end), events);
      start = end + (isReturn && this.#rest[end + 1] === "\n" ? 2 : 1);
    }
    this.#rest = this.#rest.slice(start);
    return events;
  }

  /** @param {string} line @param {ServerEvent[]} events */
  #line(line, events) {
    if (line === "") return this.#close(events);
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    else if (field === "id") this.#id = value;
  }

  /** @param {ServerEvent[]} events */
  #close(events) {
    this.lastId = this.#id;
    const isBare = this.#data.length === 0;
    if (!isBare || this.#event) events.push({ event: this.#event, data: isBare ? undefined : this.#data.join("\n") });
    this.#data = [];
    this.#event = undefined;
  }
}

/** @param {string} text @param {number} from */
function nextBreak(text, from) {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return -1;
}
