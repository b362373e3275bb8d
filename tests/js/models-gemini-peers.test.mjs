// SPDX-License-Identifier: MIT
// Compares ChatGemini with Google's own SDK, the AI SDK's provider and LangChain's adapter, each
// over the same fetch: the same bytes are the same text, calls, stop and usage; the same messages
// are the same request, but for what the peers get wrong. Then against the server of aimock.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createGoogle } from "@ai-sdk/google";
import { LLMock } from "@copilotkit/aimock";
import { GoogleGenAI } from "@google/genai";
import * as core from "@langchain/core/messages";
import { ChatGoogle } from "@langchain/google";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "weftgraph/messages";
import { ChatGemini, ModelError } from "weftgraph/models/gemini";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";
import { chunk, joined, missing, recordedEvents, scripted, sse, whole } from "./gemini-service.mjs";

const MODEL = "gemini-3-pro-preview";

const weft = ({ fetch }) =>
  new ChatGemini({ model: MODEL, apiKey: "k", fetch, maxRetries: 0, streamArguments: true });
const sdk = ({ fetch }) => new GoogleGenAI({ apiKey: "k", httpOptions: { fetch } });
const ai = ({ fetch }) => createGoogle({ apiKey: "k", fetch })(MODEL);
function langchain({ fetch }) {
  const apiClient = {
    hasApiKey: () => true,
    getProjectId: async () => "p",
    fetch: (request) => fetch(request),
  };
  return new ChatGoogle({ model: MODEL, apiClient, maxRetries: 0 });
}

// ---- the same bytes

const EVENTS = {
  "a text in pieces": [chunk([{ text: "Hé" }]), chunk([{ text: "llo 🌍" }], "STOP")],
  "thoughts, and usage of each kind": [
    chunk([{ text: "hm ", thought: true }]),
    {
      ...chunk([{ text: "so", thought: true }, { text: "Yes." }], "STOP"),
      usageMetadata: {
        promptTokenCount: 10,
        toolUsePromptTokenCount: 5,
        candidatesTokenCount: 2,
        thoughtsTokenCount: 30,
        cachedContentTokenCount: 4,
        totalTokenCount: 47,
      },
    },
  ],
  "parallel calls with one signature": [
    chunk([
      { text: "I look." },
      {
        functionCall: { name: "f", args: { n: [1, { a: "é" }] }, id: "a" },
        thoughtSignature: "S1",
      },
      { functionCall: { name: "g", args: {}, id: "b" } },
    ]),
    chunk([{ text: "", thoughtSignature: "S2" }], "STOP"),
  ],
  "a call without arguments and id": [chunk([{ functionCall: { name: "g" } }], "STOP")],
  "an answer cut short": [chunk([{ text: "so" }], "MAX_TOKENS")],
  "an answer that was filtered": [
    {
      candidates: [{ finishReason: "SAFETY", index: 0 }],
      usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
    },
  ],
  "a picture": [chunk([{ inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } }], "STOP")],
};

async function fromWeft(service) {
  const message = await joined(weft(service).stream("x"));
  const { usage_metadata: usage, response_metadata } = message;
  return {
    text: message.text,
    calls: message.tool_calls.map(({ name, args, extras }) => [
      name,
      args,
      extras?.thoughtSignature,
    ]),
    stop: response_metadata.finish_reason,
    input: usage.input_tokens,
    output: usage.output_tokens,
    total: usage.total_tokens,
    cached: usage.input_token_details?.cache_read ?? 0,
    reasoning: usage.output_token_details?.reasoning ?? 0,
    images: [message.content]
      .flat()
      .filter(({ type }) => type === "image")
      .map(({ data }) => data),
  };
}

async function fromSDK(service) {
  const parts = [];
  let usage;
  let stop;
  for await (const { candidates, usageMetadata } of await sdk(service).models.generateContentStream(
    {
      model: MODEL,
      contents: "x",
    },
  )) {
    parts.push(...(candidates?.[0]?.content?.parts ?? []));
    stop = candidates?.[0]?.finishReason ?? stop;
    usage = usageMetadata;
  }
  const count = (name) => usage[name] ?? 0;
  return {
    text: parts.map(({ text, thought }) => (thought ? "" : (text ?? ""))).join(""),
    calls: parts
      .filter((part) => part.functionCall)
      .map(({ functionCall: { name, args }, thoughtSignature }) => [
        name,
        args ?? {},
        thoughtSignature,
      ]),
    stop,
    input: count("promptTokenCount") + count("toolUsePromptTokenCount"),
    output: count("candidatesTokenCount") + count("thoughtsTokenCount"),
    total: usage.totalTokenCount,
    cached: count("cachedContentTokenCount"),
    reasoning: count("thoughtsTokenCount"),
    images: parts.filter((part) => part.inlineData).map((part) => part.inlineData.data),
  };
}

async function fromAI(service) {
  const prompt = [{ role: "user", content: [{ type: "text", text: "x" }] }];
  const { stream } = await ai(service).doStream({ prompt });
  const parts = [];
  for await (const part of stream) parts.push(part);
  const { usage, finishReason } = parts.find(({ type }) => type === "finish");
  const of = (kind) => parts.filter(({ type }) => type === kind);
  return {
    text: of("text-delta")
      .map(({ delta }) => delta)
      .join(""),
    calls: of("tool-call").map(({ toolName, input, providerMetadata }) => [
      toolName,
      JSON.parse(input),
      providerMetadata?.google?.thoughtSignature,
    ]),
    stop: finishReason.raw,
    input: usage.inputTokens.total,
    output: usage.outputTokens.total,
    total: usage.raw.totalTokenCount,
    cached: usage.inputTokens.cacheRead,
    reasoning: usage.outputTokens.reasoning,
    images: of("file").map(({ data }) => data?.data ?? data),
  };
}

/** `stop` and the tokens of tools' prompts are not in its streams. */
async function fromLangChain(service, toolTokens) {
  const message = await joined(await langchain(service).stream("x"));
  const { usage_metadata: usage } = message;
  return {
    text: message.text,
    calls: message.tool_calls.map(({ name, args, thoughtSignature }) => [
      name,
      args,
      thoughtSignature,
    ]),
    input: usage.input_tokens + toolTokens,
    output: usage.output_tokens,
    total: usage.total_tokens,
    cached: usage.input_token_details.cache_read,
    reasoning: usage.output_token_details.reasoning,
    images: [message.content]
      .flat()
      .filter(({ type }) => type === "inlineData")
      .map(({ inlineData }) => inlineData.data),
  };
}

async function compare(events) {
  const serve = () => scripted(sse(events, { size: 5 }));
  const ours = await fromWeft(serve());
  assert.deepEqual(ours, await fromSDK(serve()), "Google's SDK");
  assert.deepEqual(ours, await fromAI(serve()), "the AI SDK");
  const { stop: _none, ...rest } = ours;
  const tools = events.at(-1).usageMetadata.toolUsePromptTokenCount ?? 0;
  assert.deepEqual(rest, await fromLangChain(serve(), tools), "LangChain");
}

for (const [name, events] of Object.entries(EVENTS))
  test(`the same bytes are the same answer as of three peers: ${name}`, () => compare(events));

for (const name of ["google-text", "google-reasoning", "google-tool-call"])
  test(`so is a recorded stream: ${name}`, { skip: missing }, () => compare(recordedEvents(name)));

test("arguments in pieces are those that the AI SDK reads", { skip: missing }, async () => {
  const events = recordedEvents("google-stream-tool-call-arguments");
  const [ours, theirs] = [
    await fromWeft(scripted(sse(events))),
    await fromAI(scripted(sse(events))),
  ];
  assert.deepEqual(ours, theirs);
  assert.equal(ours.calls.length, 2);
});

test("CONTINUATION: the requests, the text and the usage of Google's SDK", async () => {
  const answers = () => [
    whole(chunk([{ text: "One, " }], "CONTINUATION", { continuationToken: "Z28=" })),
    whole(chunk([{ text: "two." }], "STOP")),
  ];
  const [mine, theirs] = [scripted(...answers()), scripted(...answers())];
  const message = await weft(mine).invoke("count");
  const response = await sdk(theirs).models.generateContent({ model: MODEL, contents: "count" });
  assert.equal(message.content, response.text);
  assert.equal(message.usage_metadata.total_tokens, response.usageMetadata.totalTokenCount);
  assert.deepEqual(
    mine.asked.map(({ body }) => body),
    theirs.asked.map(({ body }) => plain(body)),
  );
});

// ---- the same messages

const PARAMETERS = {
  type: "object",
  properties: {
    city: { type: "string", description: "Where." },
    days: { type: "integer", minimum: 1 },
  },
  required: ["city"],
  additionalProperties: false,
};
const TOOLS = [
  {
    type: "function",
    function: { name: "weather", description: "Tells it.", parameters: PARAMETERS },
  },
];
const PNG = "iVBORw0KGgo=";

async function bodyOf(ask) {
  const service = scripted(whole(chunk([{ text: "ok" }], "STOP")));
  await ask(service);
  return service.asked[0];
}

/** A body without a peer's empty additions, its results in Google's form, its roles merged. */
function plain({ contents, generationConfig = {}, ...body }) {
  const merged = [];
  for (const { role, parts } of contents) {
    const own = parts.map((part) => {
      const { functionResponse: answer } = part;
      if (answer === undefined) return part;
      const { name: _repeated, content, result, error, output } = answer.response;
      const response = error === undefined ? { output: content ?? result ?? output } : { error };
      return { functionResponse: { ...answer, response } };
    });
    if (merged.at(-1)?.role === role) merged.at(-1).parts.push(...own);
    else merged.push({ role, parts: own });
  }
  const { candidateCount: _one, ...config } = generationConfig;
  return {
    ...body,
    contents: merged,
    ...(Object.keys(config).length > 0 ? { generationConfig: config } : {}),
  };
}

test("a conversation with signed calls is the request of the AI SDK", async () => {
  const signed = { providerOptions: { google: { thoughtSignature: "S1" } } };
  const theirs = await bodyOf((service) =>
    ai(service).doGenerate({
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
            {
              type: "reasoning",
              text: "hm",
              providerOptions: { google: { thoughtSignature: "S0" } },
            },
            { type: "text", text: "I look." },
            {
              type: "tool-call",
              toolCallId: "a",
              toolName: "weather",
              input: { city: "Oslo" },
              ...signed,
            },
            { type: "tool-call", toolCallId: "b", toolName: "weather", input: { city: "Bergen" } },
          ],
        },
        {
          role: "tool",
          content: [
            ["a", { type: "text", value: "4 °C" }],
            ["b", { type: "error-text", value: "down" }],
          ].map(([toolCallId, output]) => ({
            type: "tool-result",
            toolCallId,
            toolName: "weather",
            output,
          })),
        },
        { role: "user", content: [{ type: "text", text: "and?" }] },
      ],
      tools: [
        { type: "function", name: "weather", description: "Tells it.", inputSchema: PARAMETERS },
      ],
      toolChoice: { type: "tool", toolName: "weather" },
      maxOutputTokens: 99,
      temperature: 0.5,
      topK: 4,
      topP: 0.9,
      seed: 7,
      stopSequences: ["END"],
      providerOptions: { google: { thinkingConfig: { includeThoughts: true } } },
    }),
  );
  const call = (id, city, extras) => ({
    id,
    name: "weather",
    args: { city },
    type: "tool_call",
    extras: { callId: id, ...extras },
  });
  const ours = await bodyOf(({ fetch }) =>
    new ChatGemini({
      model: MODEL,
      apiKey: "k",
      fetch,
      maxTokens: 99,
      temperature: 0.5,
      topK: 4,
      topP: 0.9,
      thinkingConfig: { includeThoughts: true },
    })
      .bindTools(TOOLS, { tool_choice: "weather" })
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
            content: [
              { type: "reasoning", reasoning: "hm", thoughtSignature: "S0" },
              { type: "text", text: "I look." },
            ],
            tool_calls: [call("a", "Oslo", { thoughtSignature: "S1" }), call("b", "Bergen")],
            response_metadata: { model_provider: "google" },
          }),
          new ToolMessage({ content: "4 °C", tool_call_id: "a" }),
          new ToolMessage({ content: "down", tool_call_id: "b", status: "error" }),
          new HumanMessage("and?"),
        ],
        { seed: 7, stop: ["END"] },
      ),
  );
  assert.deepEqual(ours.body, plain(theirs.body));
  assert.equal(ours.url, theirs.url);
  assert.equal(ours.headers["x-goog-api-key"], theirs.headers["x-goog-api-key"]);
});

test("calls of another model are marked as the AI SDK marks them", async () => {
  const theirs = await bodyOf((service) =>
    ai(service).doGenerate({
      prompt: [
        { role: "user", content: [{ type: "text", text: "hi" }] },
        {
          role: "assistant",
          content: ["a", "b"].map((toolCallId) => ({
            type: "tool-call",
            toolCallId,
            toolName: "f",
            input: {},
          })),
        },
      ],
    }),
  );
  const tool_calls = ["a", "b"].map((id) => ({ id, name: "f", args: {}, type: "tool_call" }));
  const ours = await bodyOf((service) =>
    weft(service).invoke([new HumanMessage("hi"), new AIMessage({ content: "", tool_calls })]),
  );
  const withoutIds = ({ parts }) =>
    parts.map(({ functionCall: { id: _made, ...functionCall }, ...part }) => ({
      ...part,
      functionCall,
    }));
  assert.deepEqual(ours.body.contents[1].parts, withoutIds(theirs.body.contents[1]));
});

test("a structured answer is the request of the AI SDK and of Google's SDK", async () => {
  const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const ours = await bodyOf(({ fetch }) =>
    new ChatGemini({ model: MODEL, fetch })
      .withStructuredOutput(schema, { includeRaw: true })
      .invoke("hi"),
  );
  const config = { responseMimeType: "application/json", responseJsonSchema: schema };
  const google = await bodyOf((service) =>
    sdk(service).models.generateContent({ model: MODEL, contents: "hi", config }),
  );
  assert.deepEqual(ours.body, google.body);
  const theirs = await bodyOf((service) =>
    ai(service).doGenerate({
      prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
      responseFormat: { type: "json", schema },
    }),
  );
  const { responseMimeType, ...rest } = plain(theirs.body).generationConfig;
  assert.equal(responseMimeType, config.responseMimeType);
  assert.deepEqual(rest.responseJsonSchema ?? rest.responseSchema, schema);
});

test("instructions, words, pictures and files are the request of LangChain", async () => {
  const make = ({ SystemMessage, HumanMessage, AIMessage }, blocks) => [
    new SystemMessage("Be kind."),
    new HumanMessage({
      [blocks]: [
        { type: "text", text: "What is it?" },
        { type: "image", mimeType: "image/png", data: PNG },
        { type: "file", mimeType: "application/pdf", data: PNG },
        { type: "audio", mimeType: "audio/wav", data: PNG },
      ],
    }),
    new AIMessage({ content: "A square.", response_metadata: { model_provider: "google" } }),
    new HumanMessage("Sure?"),
  ];
  const theirs = await bodyOf((service) => langchain(service).invoke(make(core, "contentBlocks")));
  const ours = await bodyOf((service) =>
    weft(service).invoke(make({ SystemMessage, HumanMessage, AIMessage }, "content")),
  );
  assert.deepEqual(ours.body, plain(theirs.body));
});

test("a message of LangChain's adapter goes on with ChatGemini", async () => {
  const parts = EVENTS["parallel calls with one signature"].flatMap(
    ({ candidates }) => candidates[0].content.parts,
  );
  const theirs = await langchain(scripted(whole(chunk(parts, "STOP")))).invoke("x");
  const { body } = await bodyOf((service) => weft(service).invoke([new HumanMessage("x"), theirs]));
  // Ids are sent if it is known that they are Gemini's, which LangChain does not say.
  const { functionCall, ...signed } = parts[1];
  const { id: _theirs, ...called } = functionCall;
  assert.deepEqual(body.contents[1].parts[1], { functionCall: called, ...signed });
  assert.deepEqual(
    body.contents[1].parts.map(({ thoughtSignature }) => thoughtSignature),
    parts.map(({ thoughtSignature }) => thoughtSignature),
  );
});

// ---- aimock's server

const mock = new LLMock({ port: 0 });
after(() => mock.stop());
mock.on(
  { userMessage: "words" },
  {
    content: "Hello from the mock.",
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  },
);
mock.on({ userMessage: "think" }, { content: "Four.", reasoning: "Two and two." });
mock.on(
  { userMessage: "calls", hasToolResult: false },
  { toolCalls: [{ name: "weather", arguments: '{"city":"Oslo"}' }] },
);
mock.on(
  { userMessage: "busy" },
  { error: { message: "slow down", type: "RESOURCE_EXHAUSTED" }, status: 429, retryAfter: 7 },
);
await mock.start();

const mocked = (options) =>
  new ChatGemini({ model: MODEL, apiKey: "k", baseURL: mock.url, maxRetries: 0, ...options });

test("aimock: words, thoughts and calls, streamed and whole", async () => {
  for (const ask of [(text) => joined(mocked().stream(text)), (text) => mocked().invoke(text)]) {
    assert.equal((await ask("words")).text, "Hello from the mock.");
    const thought = await ask("think");
    assert.equal(thought.text, "Four.");
    assert.ok(thought.content.some(({ reasoning }) => reasoning === "Two and two."));
    const { tool_calls } = await ask("calls");
    assert.deepEqual(
      tool_calls.map(({ name, args }) => [name, args]),
      [["weather", { city: "Oslo" }]],
    );
  }
});

test("aimock: an agent calls a tool and ends; a refusal is typed", async () => {
  mock.on({ userMessage: "calls", hasToolResult: true }, { content: "It is cold." });
  const weather = tool(({ city }) => `4 °C in ${city}`, {
    name: "weather",
    schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  });
  const agent = createReactAgent({ llm: mocked(), tools: [weather] });
  const { messages } = await agent.invoke({ messages: "calls" });
  assert.deepEqual(
    messages.map(({ content }) => content),
    ["calls", "", "4 °C in Oslo", "It is cold."],
  );
  await assert.rejects(mocked().invoke("busy"), (error) => {
    assert.ok(error instanceof ModelError);
    assert.deepEqual([error.status, error.retryable, error.retryAfterMs], [429, true, 7000]);
    return true;
  });
});
