// SPDX-License-Identifier: MIT
// Reads the server-sent events of an Agent Server: JSON by event name. Must not know: what the
// events mean.

/** @typedef {{ event: string, data: any }} ServerEvent */

/** Characters of one event: more is no event of an Agent Server. */
const MAX_EVENT = 50_000_000;

/**
 * Tells each event as it comes. Leaves out what is no JSON.
 * @param {ReadableStream<Uint8Array>} body
 * @param {(event: ServerEvent) => void} tell
 * @returns {Promise<void>} the body has ended
 */
export async function readEvents(body, tell) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let event = "message";
  /** @type {string[]} */
  let data = [];
  let size = 0;
  /** @param {string} line */
  const take = (line) => {
    if (line === "") {
      if (data.length > 0) tellParsed(event, data.join("\n"), tell);
      event = "message";
      data = [];
      size = 0;
    } else if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) {
      size += line.length;
      if (size > MAX_EVENT) throw new Error("An event of the server is too long.");
      data.push(line.slice(line[5] === " " ? 6 : 5));
    }
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      if (rest.length > MAX_EVENT) throw new Error("An event of the server is too long.");
      for (const line of lines) take(line);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** @param {string} event @param {string} text @param {(event: ServerEvent) => void} tell */
function tellParsed(event, text, tell) {
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    return;
  }
  tell({ event, data });
}
