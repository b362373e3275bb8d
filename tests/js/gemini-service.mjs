// SPDX-License-Identifier: MIT
// A Gemini service for tests: a fetch function that gives scripted answers and keeps what it was
// asked. Shared by models-gemini*.test.mjs.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const RECORDED = join(process.env.WEFT_TEST_DATA ?? "../shared/data", "model-streams/google");
export const missing = existsSync(RECORDED) ? false : `${RECORDED} is not there`;

/** The events of a recorded stream. */
export function recordedEvents(name) {
  return readFileSync(join(RECORDED, `${name}.chunks.txt`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** A recorded whole answer. */
export const recordedWhole = (name) =>
  JSON.parse(readFileSync(join(RECORDED, `${name}.json`), "utf8"));

/** Bytes in pieces of this size, as a network may cut them. */
export function piecesOf(bytes, size = bytes.length || 1) {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

/** A response with these events. */
export function sse(events, { separator = "\r\n\r\n", size } = {}) {
  const text = events
    .map(
      (event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}${separator}`,
    )
    .join("");
  return new Response(piecesOf(new TextEncoder().encode(text), size), {
    headers: { "content-type": "text/event-stream" },
  });
}

export const whole = (body, status = 200, headers) => Response.json(body, { status, headers });

/** A piece of a stream: these parts, and the reason why it ends if it does. */
export const chunk = (parts, finishReason, more) => ({
  candidates: [
    {
      content: { role: "model", parts },
      index: 0,
      ...(finishReason === undefined ? {} : { finishReason }),
      ...more,
    },
  ],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
  modelVersion: "gemini-3-pro-preview",
  responseId: "r1",
});

/**
 * A fetch that gives these answers in order: responses, or functions that make one. `asked` has the
 * requests.
 */
export function scripted(...answers) {
  const asked = [];
  const rest = [...answers];
  const fetch = async (url, init) => {
    const request = url instanceof Request ? url : new Request(url, { ...init, duplex: "half" });
    const text = await request.clone().text();
    asked.push({
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: text === "" ? undefined : JSON.parse(text),
    });
    const next = rest.length > 1 ? rest.shift() : rest[0];
    if (next instanceof Error) throw next;
    return typeof next === "function" ? next(init) : next.clone();
  };
  return { fetch, asked };
}

/** Joins the chunks of a stream. */
export async function joined(stream) {
  let message;
  for await (const piece of stream) message = message === undefined ? piece : message.concat(piece);
  return message;
}
