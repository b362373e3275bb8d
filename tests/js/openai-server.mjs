// SPDX-License-Identifier: MIT
// Knows: OpenAI's chat completions on the wire, whole and streamed, with every fault a test wants.
// Owns: one local HTTP server per call. Must not know: the client under test.
//
// A script is a list of steps, one per request, or a function (request, index) => step. A step:
//   "text" or { content, tool_calls: [{ id, name, args }], usage, finish_reason }   a good answer,
//       streamed (words; arguments in pieces of `pieceSize`) or whole, as the request asks;
//       `delayMs` between pieces; `cutAfter: n` breaks the connection after n pieces
//   { status, headers, body }                         any HTTP answer
//   { raw: [string | Uint8Array], end, headers }      exact bytes; end: "close" | "cut" | "hang"
//   { refuse: true }                                  the connection is closed without an answer
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*",
  "access-control-allow-methods": "*",
};
const DEFAULT_USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/**
 * @param {{ script: any[] | ((request: any, index: number) => any), port?: number }} options
 * @returns {Promise<{ url: string, requests: any[], close: () => Promise<void> }>}
 */
export async function startOpenAIServer({ script, port = 0 }) {
  const requests = [];
  const server = createServer(async (incoming, response) => {
    try {
      await handle({ incoming, response, requests, script });
    } catch (error) {
      response.destroy(error);
    }
  });
  await new Promise((resolve, reject) =>
    server.once("error", reject).listen(port, "127.0.0.1", resolve),
  );
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function handle({ incoming, response, requests, script }) {
  if (incoming.method === "OPTIONS") return response.writeHead(204, CORS).end();
  const text = await readBody(incoming);
  if (incoming.method !== "POST" || incoming.url !== "/v1/chat/completions")
    return reply(response, 404, {
      error: { message: `No ${incoming.method} ${incoming.url}`, type: "not_found", code: null },
    });
  const request = {
    at: Date.now(),
    headers: incoming.headers,
    body: JSON.parse(text),
    closed: false,
  };
  response.once("close", () => {
    request.closed = !response.writableFinished;
  });
  const index = requests.push(request) - 1;
  const step = typeof script === "function" ? await script(request, index) : script[index];
  if (step === undefined)
    return reply(response, 500, {
      error: { message: `The script has no step ${index}`, type: "server_error", code: "no_step" },
    });
  if (step.refuse) return response.destroy();
  if (step.status !== undefined) return reply(response, step.status, step.body ?? "", step.headers);
  if (step.raw !== undefined) return writeRaw(response, step);
  const answer = typeof step === "string" ? { content: step } : step;
  return request.body.stream
    ? stream(response, request.body, answer, index)
    : reply(response, 200, whole(request.body, answer, index));
}

async function readBody(incoming) {
  const parts = [];
  for await (const part of incoming) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

function reply(response, status, body, headers) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response
    .writeHead(status, {
      "content-type": typeof body === "string" ? "text/plain" : "application/json",
      ...CORS,
      "access-control-expose-headers": "retry-after",
      ...headers,
    })
    .end(text);
}

async function writeRaw(response, { raw, end = "close", headers, delayMs = 5 }) {
  response.writeHead(200, { "content-type": "text/event-stream", ...CORS, ...headers });
  response.flushHeaders();
  for (const bytes of raw) {
    response.write(bytes);
    await sleep(delayMs);
  }
  if (end === "cut") response.destroy();
  else if (end === "close") response.end();
}

function envelope(body, index, object) {
  return {
    id: `chatcmpl-${index}`,
    object,
    created: 1700000000,
    model: body.model,
    system_fingerprint: "fp_test",
  };
}

function wireCalls(calls = []) {
  return calls.map(({ id, name, args }) => ({
    id,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
}

function finishReason({ finish_reason, tool_calls = [] }) {
  return finish_reason ?? (tool_calls.length > 0 ? "tool_calls" : "stop");
}

function whole(body, answer, index) {
  const message = { role: "assistant", content: answer.content ?? null, refusal: null };
  if (answer.tool_calls) message.tool_calls = wireCalls(answer.tool_calls);
  return {
    ...envelope(body, index, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(answer) }],
    usage: answer.usage ?? DEFAULT_USAGE,
  };
}

/** The events of a streamed answer, in OpenAI's order. */
export function streamEvents(body, answer, index = 0) {
  const withUsage = body.stream_options?.include_usage === true;
  const chunk = (delta, finish_reason = null) => ({
    ...envelope(body, index, "chat.completion.chunk"),
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...(withUsage ? { usage: null } : {}),
  });
  const events = [
    chunk({
      role: "assistant",
      content: answer.tool_calls && !answer.content ? null : "",
      refusal: null,
    }),
  ];
  for (const word of (answer.content ?? "").match(/\s*\S+\s*$|\s*\S+/g) ?? [])
    events.push(chunk({ content: word }));
  wireCalls(answer.tool_calls).forEach((call, at) => {
    events.push(
      chunk({
        tool_calls: [
          {
            index: at,
            id: call.id,
            type: "function",
            function: { name: call.function.name, arguments: "" },
          },
        ],
      }),
    );
    for (const piece of pieces(call.function.arguments, answer.pieceSize ?? 4))
      events.push(chunk({ tool_calls: [{ index: at, function: { arguments: piece } }] }));
  });
  events.push(chunk({}, finishReason(answer)));
  if (withUsage)
    events.push({
      ...envelope(body, index, "chat.completion.chunk"),
      choices: [],
      usage: answer.usage ?? DEFAULT_USAGE,
    });
  return events;
}

function pieces(text, size) {
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, "gu")) ?? [];
}

async function stream(response, body, answer, index) {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    ...CORS,
  });
  response.flushHeaders();
  let sent = 0;
  for (const event of streamEvents(body, answer, index)) {
    if (response.destroyed) return;
    if (answer.cutAfter !== undefined && sent >= answer.cutAfter) {
      await sleep(10);
      return response.destroy();
    }
    response.write(`data: ${JSON.stringify(event)}\n\n`);
    sent++;
    if (answer.delayMs) await sleep(answer.delayMs);
  }
  response.end("data: [DONE]\n\n");
}
