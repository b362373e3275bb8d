// SPDX-License-Identifier: MIT
// Answers the AI SDK's HTTP chat transport: POST runs, GET …/:id/stream joins what goes on.
import { objectOf, readBody } from "../server/http/fields.js";
import { Refusal } from "../server/http/replies.js";
import { Chat, ChatError } from "./chat.js";

/** @typedef {import("./chat.js").ChatOptions} ChatOptions */
/** @typedef {import("./chunks.js").UIChunk} UIChunk */

const MOST_BYTES = 10 * 1024 * 1024;
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  connection: "keep-alive",
  "x-vercel-ai-ui-message-stream": "v1",
  "x-accel-buffering": "no",
};
/**
 * @param {Request} request
 * @param {ChatOptions} options of this request; the graph is the same each time
 * @returns {Promise<Response>}
 */
export async function handleChat(request, options) {
  const chat = new Chat(options);
  try {
    if (request.method === "GET") {
      const id = /\/([^/]+)\/stream\/?$/.exec(new URL(request.url).pathname)?.[1];
      const stream = id === undefined ? null : await chat.reconnect(decodeURIComponent(id));
      return stream === null ? new Response(null, { status: 204 }) : respond(stream);
    }
    if (request.method !== "POST") throw new ChatError(405, "POST a chat, or GET …/:id/stream.");
    const { id, messages, trigger, messageId, ...body } = objectOf(
      await readBody(request, MOST_BYTES),
    );
    return respond(
      await chat.send({
        chatId: /** @type {string} */ (id),
        messages: /** @type {import("./chat.js").UIMessage[]} */ (messages),
        trigger,
        messageId: typeof messageId === "string" ? messageId : undefined,
        body,
        signal: request.signal,
      }),
    );
  } catch (error) {
    if (!(error instanceof ChatError || error instanceof Refusal)) throw error;
    return new Response(error.message, { status: error.status });
  }
}

/** @param {ReadableStream<UIChunk>} stream @returns {Response} */
function respond(stream) {
  const encoder = new TextEncoder();
  const frames = new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`));
    },
    flush(controller) {
      controller.enqueue(encoder.encode("data: [DONE]\n\n"));
    },
  });
  return new Response(stream.pipeThrough(frames), { headers: HEADERS });
}
