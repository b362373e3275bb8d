// SPDX-License-Identifier: MIT
// The column of OpenAI's chat completions. What a service wants back is Gemini's thought signature
// at its OpenAI endpoint, and the reasoning of services like DeepSeek.
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { REASON } from "./kit.mjs";

const ENVELOPE = { id: "chatcmpl-1", created: 1_700_000_000, model: "test-model" };

const event = (data) => `data: ${JSON.stringify(data)}\n\n`;
const halves = (text) => (text ? [text.slice(0, 4), text.slice(4)] : []);
const words = (text) => text?.match(/\S+\s*/g) ?? [];
const partsOf = (content) =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;
const textIn = (content) =>
  partsOf(content ?? "")
    .map(({ text }) => text ?? "")
    .join("");
const extra = ({ opaque }) =>
  opaque === undefined ? {} : { extra_content: { google: { thought_signature: opaque } } };

function usageOf({ input, cached, output, reasoning }) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

const finishOf = ({ calls = [] }) => (calls.length > 0 ? "tool_calls" : "stop");

function stream(answer) {
  const chunk = (delta, finish_reason = null) =>
    event({
      ...ENVELOPE,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason }],
      usage: null,
    });
  const calls = (answer.calls ?? []).flatMap(({ id, name, pieces }, index) => [
    chunk({
      tool_calls: [
        { index, id, type: "function", function: { name, arguments: "" }, ...extra(answer) },
      ],
    }),
    ...pieces.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  return [
    chunk({ role: "assistant", content: "" }),
    ...halves(answer.reasoning).map((reasoning_content) => chunk({ reasoning_content })),
    ...words(answer.text).map((content) => chunk({ content })),
    ...calls,
    chunk({}, finishOf(answer)),
    event({ ...ENVELOPE, choices: [], usage: usageOf(answer.usage) }),
    "data: [DONE]\n\n",
  ];
}

function whole(answer) {
  const { reasoning, text = null, calls } = answer;
  const message = { role: "assistant", content: text };
  if (reasoning !== undefined) message.reasoning_content = reasoning;
  if (calls !== undefined)
    message.tool_calls = calls.map(({ id, name, args }) => ({
      id,
      type: "function",
      function: { name, arguments: args },
      ...extra(answer),
    }));
  return {
    ...ENVELOPE,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finishOf(answer) }],
    usage: usageOf(answer.usage),
  };
}

function turns({ messages }) {
  return messages.flatMap(({ role, content, tool_calls = [] }) => {
    if (role === "system") return [];
    if (role === "tool") return [["result", textIn(content)]];
    const said = textIn(content) === "" ? [] : [[role, textIn(content)]];
    const calls = tool_calls.map(({ function: { name, arguments: args } }) => [
      "call",
      name,
      JSON.parse(args),
    ]);
    return [...said, ...calls];
  });
}

const faultOf = (code) => ({ error: { message: REASON, type: code, code, param: null } });

export const openai = {
  name: "openai",
  create: (options) =>
    new ChatOpenAICompatible({ model: "test-model", apiKey: "sk-matrix-key", ...options }),
  stream,
  whole,
  // The reason of the end closes it; the usage and [DONE] may be missing.
  closing: 3,
  errors: {
    refused: { status: 400, body: faultOf("invalid_value"), code: "invalid_value" },
    limited: { body: faultOf("rate_limit_exceeded") },
    event: { text: event(faultOf("server_error")), code: "server_error" },
  },
  opaque: ({ reasoning, opaque }) => [reasoning, { google: { thought_signature: opaque } }],
  request: {
    isStream: ({ body }) => body.stream === true,
    turns,
    tools: ({ tools }) => tools?.map((tool) => tool.function.name),
    images: ({ messages }) =>
      messages
        .flatMap(({ content }) => partsOf(content))
        .filter(({ type }) => type === "image_url")
        .map(
          ({ image_url: { url } }) => /^data:(?<mimeType>.*);base64,(?<data>.*)$/.exec(url).groups,
        ),
    files: ({ messages }) =>
      messages
        .flatMap(({ content }) => partsOf(content))
        .filter(({ type }) => type === "file")
        .map(({ file }) => /^data:(?<mimeType>.*);base64,(?<data>.*)$/.exec(file.file_data).groups),
    schema: ({ response_format }) => response_format.json_schema.schema,
    forced: ({ tool_choice }) => tool_choice.function.name,
    opaque: ({ messages }) =>
      messages
        .filter(({ role }) => role === "assistant")
        .flatMap(({ reasoning_content, tool_calls }) => [
          reasoning_content,
          ...tool_calls.map(({ extra_content }) => extra_content),
        ]),
  },
};
