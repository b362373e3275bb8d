// SPDX-License-Identifier: MIT
// Answers the AI SDK's HTTP chat transport: POST runs, GET …/:id/stream joins what goes on, DELETE
// of the same ends it.
import { checkArgument } from "../base/check-arguments.js";
import { objectOf, readBody } from "../server/http/fields.js";
import { Refusal } from "../server/http/replies.js";
import { toJson } from "../server/http/wire.js";
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
 * `onDisconnect`: what becomes of a run whose connection ends, by default it is stopped;
 * `waitUntil`: is told what goes on without one; `maxBodyBytes`: of a request.
 * @typedef {ChatOptions & { onDisconnect?: "stop" | "continue", maxBodyBytes?: number, waitUntil?:
 *   (work: Promise<void>) => void }} HandleOptions
 */
/**
 * @param {Request} request
 * @param {HandleOptions} options of this request; the graph is the same each time
 * @returns {Promise<Response>}
 */
export async function handleChat(
  request,
  { onDisconnect = "stop", waitUntil, maxBodyBytes = MOST_BYTES, ...options },
) {
  checkArgument(maxBodyBytes > 0, "maxBodyBytes must be a number above 0");
  checkArgument(
    onDisconnect === "stop" || onDisconnect === "continue",
    'onDisconnect must be "stop" or "continue"',
  );
  const chat = new Chat(options);
  try {
    if (request.method === "GET") {
      const id = chatIdOf(request);
      const stream = id === undefined ? null : await chat.reconnect(id);
      return stream === null ? new Response(null, { status: 204 }) : respond(stream);
    }
    if (request.method === "DELETE") {
      const id = chatIdOf(request);
      if (id === undefined) throw new ChatError(405, "DELETE …/:id/stream ends a run.");
      chat.stop(id);
      return new Response(null, { status: 204 });
    }
    if (request.method !== "POST") throw new ChatError(405, "POST a chat, or GET …/:id/stream.");
    const { id, messages, trigger, messageId, ...body } = objectOf(
      await readBody(request, maxBodyBytes),
    );
    return respond(
      await chat.send({
        chatId: /** @type {string} */ (id),
        messages: /** @type {import("./chat.js").UIMessage[]} */ (messages),
        trigger,
        messageId: typeof messageId === "string" ? messageId : undefined,
        body,
        signal: onDisconnect === "stop" ? request.signal : undefined,
        waitUntil,
      }),
    );
  } catch (error) {
    if (!(error instanceof ChatError || error instanceof Refusal)) throw error;
    return new Response(error.message, { status: error.status });
  }
}

/** @param {Request} request @returns {string | undefined} undefined: its address has none */
function chatIdOf(request) {
  const id = /\/([^/]+)\/stream\/?$/.exec(new URL(request.url).pathname)?.[1];
  try {
    return id && decodeURIComponent(id);
  } catch {
    throw new ChatError(422, "The chat's id is no text.");
  }
}

/** @param {ReadableStream<UIChunk>} stream @returns {Response} */
function respond(stream) {
  const encoder = new TextEncoder();
  const frames = new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(encoder.encode(`data: ${toJson(chunk)}\n\n`));
    },
    flush(controller) {
      controller.enqueue(encoder.encode("data: [DONE]\n\n"));
    },
  });
  return new Response(stream.pipeThrough(frames), { headers: HEADERS });
}
