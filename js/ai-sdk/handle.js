// SPDX-License-Identifier: MIT
// Answers the AI SDK's HTTP chat transport: POST runs, GET …/:id/stream joins what goes on.
import { checkArgument, isObject } from "../base/check-arguments.js";
import { Chat, ChatError } from "./chat.js";

/** @typedef {import("./chat.js").ChatOptions} ChatOptions */
/** @typedef {import("./chat.js").Fields} Fields */
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
 * One for each graph, so that a request can join what another one started.
 * @type {WeakMap<object, Chat>}
 */
const chats = new WeakMap();

/**
 * @param {Request} request
 * @param {ChatOptions} options the same graph each time
 * @returns {Promise<Response>}
 */
export async function handleChat(request, options) {
  checkArgument(isObject(options), "handleChat(request, options): options need { graph }");
  let chat = chats.get(options.graph);
  if (chat === undefined) chats.set(options.graph, (chat = new Chat(options)));
  try {
    if (request.method === "GET") {
      const id = /\/([^/]+)\/stream\/?$/.exec(new URL(request.url).pathname)?.[1];
      const stream = id === undefined ? null : await chat.reconnect(decodeURIComponent(id));
      return stream === null ? new Response(null, { status: 204 }) : respond(stream);
    }
    if (request.method !== "POST") throw new ChatError(405, "POST a chat, or GET …/:id/stream.");
    const { id, messages, trigger, messageId, ...body } = await readBody(request);
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
    if (!(error instanceof ChatError)) throw error;
    return new Response(error.message, { status: error.status });
  }
}

/** @param {Request} request @returns {Promise<Fields>} */
async function readBody(request) {
  const length = Number(request.headers.get("content-length") ?? 0);
  if (length > MOST_BYTES) throw new ChatError(413, `The body has more than ${MOST_BYTES} bytes.`);
  const text = await request.text();
  if (text.length > MOST_BYTES)
    throw new ChatError(413, `The body has more than ${MOST_BYTES} bytes.`);
  try {
    const body = JSON.parse(text);
    if (isObject(body) && !Array.isArray(body)) return body;
  } catch {} // said below
  throw new ChatError(422, "The body must be a JSON object.");
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
