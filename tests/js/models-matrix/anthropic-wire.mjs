// SPDX-License-Identifier: MIT
// Anthropic's Messages on the wire, for every adapter that speaks them: all of a column but its
// name and how its model is made.
import { REASON } from "./kit.mjs";

const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const halves = (text) => (text ? [text.slice(0, 4), text.slice(4)] : []);
const words = (text) => text?.match(/\S+\s*/g) ?? [];
const blocksOf = (content) =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;
const textIn = (content) =>
  blocksOf(content ?? "")
    .map(({ text }) => text ?? "")
    .join("");
const allBlocks = ({ messages }) => messages.flatMap(({ content }) => blocksOf(content));

function inputOf({ input, cached }) {
  return {
    input_tokens: input - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
  };
}

function outputOf({ output, reasoning }) {
  return { output_tokens: output, output_tokens_details: { thinking_tokens: reasoning } };
}

const stopOf = ({ calls = [] }) => (calls.length > 0 ? "tool_use" : "end_turn");

function messageOf(content, usage, stop_reason) {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content,
    stop_reason,
    stop_sequence: null,
    usage,
  };
}

function stream(answer) {
  const blocks = [];
  const add = (content_block, deltas) => {
    const index = blocks.length;
    const pieces = deltas.map((delta) => event({ type: "content_block_delta", index, delta }));
    const start = event({ type: "content_block_start", index, content_block });
    blocks.push([start, ...pieces, event({ type: "content_block_stop", index })]);
  };
  if (answer.reasoning !== undefined)
    add({ type: "thinking", thinking: "", signature: "" }, [
      ...halves(answer.reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: answer.opaque ?? "sig" },
    ]);
  if (answer.text !== undefined)
    add(
      { type: "text", text: "" },
      words(answer.text).map((text) => ({ type: "text_delta", text })),
    );
  for (const { id, name, pieces } of answer.calls ?? [])
    add({ type: "tool_use", id, name, input: {} }, [
      { type: "input_json_delta", partial_json: "" },
      ...pieces.map((partial_json) => ({ type: "input_json_delta", partial_json })),
    ]);
  // The counts of the output are those so far: they do not sum up.
  const usage = { ...inputOf(answer.usage), output_tokens: 3 };
  return [
    event({ type: "message_start", message: messageOf([], usage, null) }),
    event({ type: "ping" }),
    ...blocks.flat(),
    event({
      type: "message_delta",
      delta: { stop_reason: stopOf(answer), stop_sequence: null },
      usage: outputOf(answer.usage),
    }),
    event({ type: "message_stop" }),
  ];
}

function whole(answer) {
  const { reasoning, opaque = "sig", text, calls = [], usage } = answer;
  const content = calls.map(({ id, name, args }) => ({
    type: "tool_use",
    id,
    name,
    input: JSON.parse(args || "{}"),
  }));
  if (text !== undefined) content.unshift({ type: "text", text });
  if (reasoning !== undefined)
    content.unshift({ type: "thinking", thinking: reasoning, signature: opaque });
  return messageOf(content, { ...inputOf(usage), ...outputOf(usage) }, stopOf(answer));
}

function turns({ messages }) {
  return messages.flatMap(({ role, content }) =>
    blocksOf(content).flatMap((block) => {
      if (block.type === "text") return [[role, block.text]];
      if (block.type === "tool_use") return [["call", block.name, block.input]];
      return block.type === "tool_result" ? [["result", textIn(block.content)]] : [];
    }),
  );
}

const faultOf = (type) => ({ type: "error", error: { type, message: REASON } });
const code = "invalid_request_error";

export const anthropicWire = {
  stream,
  whole,
  errors: {
    refused: { status: 400, body: faultOf(code), code },
    limited: { body: faultOf("rate_limit_error") },
    event: { text: event(faultOf("overloaded_error")), code: "overloaded_error" },
  },
  opaque: ({ reasoning, opaque }) => [{ type: "thinking", thinking: reasoning, signature: opaque }],
  request: {
    isStream: ({ body }) => body.stream === true,
    turns,
    tools: ({ tools }) => tools?.map(({ name }) => name),
    images: (body) =>
      allBlocks(body)
        .filter(({ type }) => type === "image")
        .map(({ source }) => ({ mimeType: source.media_type, data: source.data })),
    files: (body) =>
      allBlocks(body)
        .filter(({ type }) => type === "document")
        .map(({ source }) => ({ mimeType: source.media_type, data: source.data })),
    schema: ({ output_config }) => output_config.format.schema,
    forced: ({ tool_choice }) => tool_choice.name,
    opaque: (body) => allBlocks(body).filter(({ type }) => type === "thinking"),
  },
};
