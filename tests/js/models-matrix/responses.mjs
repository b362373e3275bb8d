// SPDX-License-Identifier: MIT
// The column of OpenAI's Responses. What it wants back are the items: encrypted reasoning, and the
// ids of messages and calls.
import { ChatOpenAIResponses } from "weftgraph/models/responses";
import { REASON } from "./kit.mjs";

const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const halves = (text) => (text ? [text.slice(0, 4), text.slice(4)] : []);
const words = (text) => text?.match(/\S+\s*/g) ?? [];

/** The items of the answer, with the pieces that each arrives in. */
function itemsOf({ reasoning, text, calls = [], opaque }) {
  const items = [];
  if (reasoning !== undefined || opaque !== undefined)
    items.push({
      item: {
        type: "reasoning",
        id: `rs_${opaque?.length ?? 0}`,
        summary: reasoning === undefined ? [] : [{ type: "summary_text", text: reasoning }],
        encrypted_content: opaque ?? "gAAAA",
      },
      name: "reasoning_summary_text.delta",
      pieces: halves(reasoning),
    });
  if (text !== undefined)
    items.push({
      item: {
        type: "message",
        id: "msg_1",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text, annotations: [] }],
      },
      name: "output_text.delta",
      pieces: words(text),
    });
  for (const { id, name, args, pieces } of calls)
    items.push({
      item: { type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: args },
      name: "function_call_arguments.delta",
      pieces,
    });
  return items;
}

function whole({ usage: { input, cached, output, reasoning }, ...answer }) {
  return {
    id: "resp_1",
    object: "response",
    status: "completed",
    model: "gpt-6-sol",
    error: null,
    output: itemsOf(answer).map(({ item }) => item),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + output,
    },
  };
}

function stream(answer) {
  const events = itemsOf(answer).flatMap(({ item, name, pieces }, output_index) => {
    const begun = { ...item };
    if (item.type === "function_call") begun.arguments = "";
    if (item.type === "message") begun.content = [];
    if (item.type === "reasoning") begun.summary = [];
    return [
      { type: "response.output_item.added", output_index, item: begun },
      ...pieces.map((delta) => ({ type: `response.${name}`, output_index, delta })),
      { type: "response.output_item.done", output_index, item },
    ];
  });
  return [
    { type: "response.created", response: { id: "resp_1", status: "in_progress", output: [] } },
    ...events,
    { type: "response.completed", response: whole(answer) },
  ].map(event);
}

const textOf = (content) => content.map(({ text }) => text ?? "").join("");

function turns({ input }) {
  return input.flatMap(({ type, role, content, name, arguments: args, output }) => {
    if (type === "function_call") return [["call", name, JSON.parse(args)]];
    if (type === "function_call_output") return [["result", output]];
    return type === "message" ? [[role, textOf(content)]] : [];
  });
}

/** What must not change, whatever the order of an item's fields. */
const idsOf = ({ type, id, call_id, encrypted_content, summary }) => [
  type,
  id,
  call_id,
  encrypted_content,
  summary,
];

const faultOf = (code) => ({ error: { message: REASON, type: code, code, param: null } });

export const responses = {
  name: "responses",
  create: (options) =>
    new ChatOpenAIResponses({ model: "gpt-6-sol", apiKey: "sk-matrix-key", ...options }),
  stream,
  whole,
  errors: {
    refused: { status: 400, body: faultOf("invalid_value"), code: "invalid_value" },
    limited: { body: faultOf("rate_limit_exceeded") },
    event: { text: event({ type: "error", ...faultOf("server_error") }), code: "server_error" },
  },
  opaque: (answer) => itemsOf(answer).map(({ item }) => idsOf(item)),
  request: {
    isStream: ({ body }) => body.stream === true,
    turns,
    tools: ({ tools }) => tools?.map(({ name }) => name),
    images: ({ input }) =>
      input
        .flatMap(({ content }) => content ?? [])
        .filter(({ type }) => type === "input_image")
        .map(({ image_url }) => /^data:(?<mimeType>.*);base64,(?<data>.*)$/.exec(image_url).groups),
    files: ({ input }) =>
      input
        .flatMap(({ content }) => content ?? [])
        .filter(({ type }) => type === "input_file")
        .map(({ file_data }) => /^data:(?<mimeType>.*);base64,(?<data>.*)$/.exec(file_data).groups),
    schema: ({ text }) => text.format.schema,
    forced: ({ tool_choice }) => tool_choice.name,
    opaque: ({ input }) => {
      const made = ["reasoning", "function_call"];
      return input
        .filter(({ type, role }) => made.includes(type) || role === "assistant")
        .map(idsOf);
    },
  },
};
