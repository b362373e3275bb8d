// SPDX-License-Identifier: MIT
// Compares ChatWorkersAI with Cloudflare's own provider for the AI SDK over the same binding: the
// same bytes are the same text, reasoning, calls, end and usage; the same messages are the same
// inputs, but for what the provider leaves out. So do recorded streams of chat completions.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createWorkersAI } from "workers-ai-provider";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "weftgraph/messages";
import { ChatWorkersAI } from "weftgraph/models/workers-ai";
import { bindingOf, completion, deltas, joined, stream } from "./workers-ai-binding.mjs";

const MODEL = "@cf/openai/gpt-oss-120b";
const PNG = "iVBORw0KGgo=";
const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const PARAMETERS = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
};
const PROMPT = [{ role: "user", content: [{ type: "text", text: "hi" }] }];

const RECORDED = join(process.env.WEFT_TEST_DATA ?? "../shared/data", "model-streams");
const missing = existsSync(RECORDED) ? false : `${RECORDED} is not there`;
const recorded = (name) =>
  readFileSync(join(RECORDED, `${name}.chunks.txt`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

const weft = (binding, options) =>
  new ChatWorkersAI({ binding, model: MODEL, maxRetries: 0, ...options });
const theirs = (binding, settings) => createWorkersAI({ binding })(MODEL, settings);

function read(message) {
  const { usage_metadata: usage, response_metadata, additional_kwargs } = message;
  return {
    text: message.text,
    reasoning: additional_kwargs.reasoning_content ?? "",
    calls: message.tool_calls.map(({ name, args }) => [name, args]),
    isCall: response_metadata.finish_reason === "tool_calls",
    input: usage?.input_tokens ?? 0,
    output: usage?.output_tokens ?? 0,
  };
}

function readParts(parts, usage, finishReason) {
  const textOf = (kind) =>
    parts
      .filter(({ type }) => type === kind || type === `${kind}-delta`)
      .map(({ text, delta }) => text ?? delta)
      .join("");
  return {
    text: textOf("text"),
    reasoning: textOf("reasoning"),
    calls: parts
      .filter(({ type }) => type === "tool-call")
      .map(({ toolName, input }) => [toolName, JSON.parse(input === "" ? "{}" : input)]),
    isCall: finishReason.unified === "tool-calls",
    input: usage.inputTokens.total,
    output: usage.outputTokens.total,
  };
}

async function streamedByThem(make) {
  const parts = [];
  const answer = await theirs(bindingOf(make)).doStream({ prompt: PROMPT });
  for await (const part of answer.stream) parts.push(part);
  const { usage, finishReason } = parts.find(({ type }) => type === "finish");
  return readParts(parts, usage, finishReason);
}

async function wholeByThem(answer) {
  const { content, usage, finishReason } = await theirs(bindingOf(answer)).doGenerate({
    prompt: PROMPT,
  });
  return readParts(content, usage, finishReason);
}

const piece = (index, fields, id) => ({
  tool_calls: [{ index, id, type: "function", function: fields }],
});
const EVENTS = {
  "the service's own text, padded": [
    { response: "Hé", p: "abcdef" },
    { response: "llo 🌍", p: "" },
    { response: "", usage: USAGE },
  ],
  "a call in the service's own form": [
    { response: "I look." },
    { response: "", tool_calls: [{ name: "weather", arguments: { city: "Oslo" } }], usage: USAGE },
  ],
  "chat completions: text and reasoning": [
    ...deltas(
      { role: "assistant", content: "" },
      { reasoning_content: "Hm, " },
      { reasoning_content: "so." },
      { content: "Yes." },
      { finish_reason: "stop" },
    ),
    { choices: [], usage: USAGE },
  ],
  "chat completions: parallel calls in pieces, then an empty one": [
    ...deltas(
      piece(0, { name: "weather", arguments: "" }, "a"),
      piece(0, { arguments: '{"city":' }),
      piece(0, { arguments: '"Oslo"}' }),
      piece(1, { name: "weather", arguments: '{"city":"Bergen"}' }, "b"),
      piece(1, { name: null, arguments: null }, null),
      { finish_reason: "tool_calls" },
    ),
    { choices: [], usage: USAGE },
  ],
};
const WHOLE = {
  "the service's own text": { response: "Hello", usage: USAGE },
  "a call in the service's own form": {
    response: null,
    tool_calls: [{ name: "weather", arguments: { city: "Oslo" } }],
    usage: USAGE,
  },
  "an object": { response: { city: "Oslo" }, usage: USAGE },
  "chat completions": completion({ content: "Yes.", reasoning_content: "Hm." }, "stop", {
    usage: USAGE,
  }),
  "chat completions: calls": completion(
    {
      content: null,
      tool_calls: ["Oslo", "Bergen"].map((city) => ({
        id: city,
        type: "function",
        function: { name: "weather", arguments: JSON.stringify({ city }) },
      })),
    },
    "tool_calls",
    { usage: USAGE },
  ),
};

/** The service's own form does not say why it ends, which the provider takes for a stop. */
function compare({ isCall, ...own }, { isCall: theirCall, ...their }) {
  assert.deepEqual(own, their);
  assert.equal(isCall, own.calls.length > 0);
  assert.ok(isCall || !theirCall);
}

/** As it is sent: without fields that are undefined. */
const sent = (value) => JSON.parse(JSON.stringify(value));

for (const [name, events] of Object.entries(EVENTS))
  test(`the same stream is the same answer: ${name}`, async () => {
    for (const size of [undefined, 1]) {
      const make = () => stream(events, { size });
      compare(read(await joined(weft(bindingOf(make)).stream("hi"))), await streamedByThem(make));
    }
  });

for (const [name, answer] of Object.entries(WHOLE))
  test(`the same object is the same answer: ${name}`, async () => {
    const own = read(await weft(bindingOf(answer)).invoke("hi"));
    compare(own, await wholeByThem(answer));
    assert.deepEqual(read(await joined(weft(bindingOf(answer)).stream("hi"))), own);
  });

/** `reasoning_tokens` of the recording: 307 tokens in, 26 said and these are its total of 560. */
const REASONING_OF_XAI = 227;

for (const name of [
  "groq/groq-tool-call",
  "deepseek/deepseek-tool-call",
  "deepseek/deepseek-reasoning",
  "mistral/mistral-tool-call",
  "mistral/mistral-text",
  "openai-chat/openai-text",
  "xai/xai-tool-call",
])
  test(`a recorded stream is the same answer: ${name}`, { skip: missing }, async () => {
    const make = () => stream(recorded(name), { size: 100 });
    const own = read(await joined(weft(bindingOf(make)).stream("hi")));
    const their = await streamedByThem(make);
    // xAI counts its reasoning beside what was said, which the provider leaves out.
    if (name.startsWith("xai/")) their.output += REASONING_OF_XAI;
    assert.deepEqual(own, their);
  });

test("the same messages, tools and settings are the same inputs and options", async () => {
  const binding = bindingOf({ response: "ok" });
  await theirs(binding, {
    sessionAffinity: "s",
    reasoning_effort: "low",
    gateway: { id: "g" },
  }).doGenerate({
    prompt: [
      { role: "system", content: "Be kind." },
      {
        role: "user",
        content: [
          { type: "text", text: "Weather?" },
          { type: "file", mediaType: "image/png", data: { type: "data", data: PNG } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm." },
          { type: "text", text: "I look." },
          { type: "tool-call", toolCallId: "a", toolName: "weather", input: { city: "Oslo" } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "a",
            toolName: "weather",
            output: { type: "text", value: "4 °C" },
          },
        ],
      },
      { role: "user", content: [{ type: "text", text: "And now?" }] },
    ],
    tools: [
      { type: "function", name: "weather", description: "Tells it.", inputSchema: PARAMETERS },
    ],
    toolChoice: { type: "tool", toolName: "weather" },
    maxOutputTokens: 99,
    temperature: 0.5,
    topP: 0.9,
  });
  const weather = {
    type: "function",
    function: { name: "weather", description: "Tells it.", parameters: PARAMETERS },
  };
  await weft(binding, {
    sessionAffinity: "s",
    gateway: { id: "g" },
    maxTokens: 99,
    temperature: 0.5,
    modelKwargs: { reasoning_effort: "low" },
  })
    .bindTools([weather], { tool_choice: "weather" })
    .invoke(
      [
        new SystemMessage("Be kind."),
        new HumanMessage({
          content: [
            { type: "text", text: "Weather?" },
            { type: "image", mimeType: "image/png", data: PNG },
          ],
        }),
        new AIMessage({
          content: "I look.",
          tool_calls: [{ id: "a", name: "weather", args: { city: "Oslo" } }],
          additional_kwargs: { reasoning_content: "Hm." },
          response_metadata: { model_provider: "workers-ai" },
        }),
        new ToolMessage({ content: "4 °C", tool_call_id: "a", name: "weather" }),
        new HumanMessage("And now?"),
      ],
      { top_p: 0.9 },
    );
  const [first, second] = binding.asked;
  assert.equal(second.model, first.model);
  assert.deepEqual(sent(second.inputs), sent(first.inputs));
  const { signal: _ours, ...options } = second.options;
  assert.deepEqual(options, sent(first.options));
});

test("a structured answer is asked for with the same inputs", async () => {
  const binding = bindingOf({ response: { city: "Oslo" } });
  const responseFormat = { type: "json", schema: PARAMETERS };
  await theirs(binding).doGenerate({ prompt: PROMPT, responseFormat });
  await weft(binding).withStructuredOutput(PARAMETERS).invoke("hi");
  const [first, second] = binding.asked;
  assert.deepEqual(sent(second.inputs), sent(first.inputs));
});

test("errors that the binding throws have the same status, and whether to try again", async () => {
  for (const code of [
    3003, 3006, 3007, 3008, 3023, 3039, 3040, 3041, 3042, 5004, 5005, 5007, 5016, 5018, 5019,
  ]) {
    const thrown = Object.assign(new Error(`${code}: Something`), {
      name: "InferenceUpstreamError",
    });
    const failing = (promise) => promise.then(assert.fail, (error) => error);
    const own = await failing(weft(bindingOf(thrown)).invoke("hi"));
    const their = await failing(theirs(bindingOf(thrown)).doGenerate({ prompt: PROMPT }));
    assert.deepEqual([own.status, own.retryable], [their.statusCode, their.isRetryable], `${code}`);
  }
});
