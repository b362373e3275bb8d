// SPDX-License-Identifier: MIT
// Knows: Anthropic's Messages API on the wire: events, answers, a scripted `fetch` that keeps what
// it is asked. Must not know: the client under test.

const encoder = new TextEncoder();

/** @param {object} [usage] @param {string} [id] */
export const start = (usage = { input_tokens: 10, output_tokens: 1 }, id = "msg_1") => ({
  type: "message_start",
  message: {
    id,
    type: "message",
    role: "assistant",
    model: "claude-test",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
});
export const begin = (index, content_block) => ({
  type: "content_block_start",
  index,
  content_block,
});
export const delta = (index, type, fields) => ({
  type: "content_block_delta",
  index,
  delta: { type, ...fields },
});
export const stop = (index) => ({ type: "content_block_stop", index });
export const text = (index, ...pieces) => [
  begin(index, { type: "text", text: "" }),
  ...pieces.map((piece) => delta(index, "text_delta", { text: piece })),
  stop(index),
];
export const thinking = (index, signature, ...pieces) => [
  begin(index, { type: "thinking", thinking: "", signature: "" }),
  ...pieces.map((piece) => delta(index, "thinking_delta", { thinking: piece })),
  delta(index, "signature_delta", { signature }),
  stop(index),
];
export const call = (index, id, name, ...pieces) => [
  begin(index, { type: "tool_use", id, name, input: {} }),
  ...["", ...pieces].map((piece) => delta(index, "input_json_delta", { partial_json: piece })),
  stop(index),
];
/** @param {string} [stop_reason] @param {object} [usage] @param {object} [more] */
export const end = (stop_reason = "end_turn", usage = { output_tokens: 5 }, more = {}) => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null, ...more }, usage },
  { type: "message_stop" },
];
/** @param {string} type @param {string} message */
export const error = (type, message) => ({ type: "error", error: { type, message } });

/** @param {object[]} events @returns {string} */
export const sse = (events) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

/** The answer that is not streamed, for these events. @param {object[]} events */
export function whole(events) {
  const [{ message }] = events;
  const content = [];
  const args = [];
  let answer = { ...message };
  for (const { type, index, content_block, delta: piece, ...rest } of events) {
    if (type === "content_block_start") content[index] = structuredClone(content_block);
    if (type === "content_block_delta") {
      const block = content[index];
      if (piece.type === "text_delta") block.text += piece.text;
      if (piece.type === "thinking_delta") block.thinking += piece.thinking;
      if (piece.type === "signature_delta") block.signature = piece.signature;
      if (piece.type === "input_json_delta")
        args[index] = `${args[index] ?? ""}${piece.partial_json}`;
      if (piece.type === "citations_delta")
        block.citations = [...(block.citations ?? []), piece.citation];
    }
    if (type === "content_block_stop" && args[index])
      content[index].input = JSON.parse(args[index]);
    if (type === "message_delta")
      answer = { ...answer, ...piece, usage: { ...answer.usage, ...rest.usage } };
  }
  return { ...answer, content };
}

/** @param {string | Uint8Array} body @param {number} size bytes of a piece */
export function inPieces(body, size) {
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

/**
 * Returns a `fetch` that gives these answers, one per request, and keeps the requests in `asked`.
 * An answer is a list of events (streamed or whole, as the request asks), a Response, or a function
 * of the request that returns one of them.
 * @param {...(object[] | Response | ((request: object) => object[] | Response))} answers
 */
export function scripted(...answers) {
  const asked = [];
  const fetch = async (url, { headers, body, signal, method }) => {
    const request = { url: String(url), method, headers, signal, body: JSON.parse(body) };
    request.headers = Object.fromEntries(new Headers(headers));
    const given = answers[Math.min(asked.push(request) - 1, answers.length - 1)];
    const answer = typeof given === "function" ? given(request) : given;
    if (!Array.isArray(answer)) return answer;
    return request.body.stream
      ? new Response(sse(answer), { headers: { "content-type": "text/event-stream" } })
      : Response.json(whole(answer));
  };
  return Object.assign(fetch, { asked });
}

/** @param {number} status @param {string} type @param {string} message @param {object} [headers] */
export const refusal = (status, type, message, headers) =>
  Response.json({ ...error(type, message), request_id: "req_1" }, { status, headers });
