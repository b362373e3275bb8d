// SPDX-License-Identifier: MIT
// Serves: ChatOpenAIResponses beside the published clients of the same API: the same bytes give the
// same text, calls, reason of the end and usage; the same messages give the same request, but for
// the differences that are named here.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { ChatOpenAI } from "@langchain/openai";
import OpenAI from "openai";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "weftgraph/messages";
import { fromAISDK } from "weftgraph/models/ai-sdk";
import { OUTPUT, eventsFor, fetchOf, joined, modelOf, response } from "./responses-events.mjs";

const MODEL = "gpt-5";
const [, MESSAGE, CALL] = OUTPUT;
const SCHEMA = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const TOOLS = [
  { type: "function", function: { name: "weather", description: "tells", parameters: SCHEMA } },
];

const reasonOf = { completed: "stop", incomplete: "length" };
const parsed = (text) => (text === "" ? {} : JSON.parse(text));

/** What the official client makes of a stream. */
async function official(events) {
  const client = new OpenAI({ apiKey: "k", fetch: fetchOf(events), maxRetries: 0 });
  const { output_text, output, status, usage } = await client.responses
    .stream({ model: MODEL, input: "hi" })
    .finalResponse();
  const calls = output
    .filter(({ type }) => type === "function_call")
    .map((call) => [call.call_id, call.name, parsed(call.arguments)]);
  const stop = calls.length > 0 && status === "completed" ? "tool_calls" : reasonOf[status];
  return [output_text, calls, stop, usage.input_tokens, usage.output_tokens];
}

function summary({ content, text, tool_calls, response_metadata, usage_metadata }) {
  const words = text ?? content.map((block) => block.text ?? "").join("");
  return [
    words,
    tool_calls.map(({ id, name, args }) => [id, name, args]),
    response_metadata.finish_reason,
    usage_metadata.input_tokens,
    usage_metadata.output_tokens,
  ];
}

const ours = async (events) => summary(await joined(modelOf([events]).stream("hi")));

async function aiSdk(events) {
  const provider = createOpenAI({ apiKey: "k", fetch: fetchOf(events) });
  const message = await joined(fromAISDK(provider.responses(MODEL)).stream("hi"));
  const [words, calls, reason, ...usage] = summary(message);
  return [words, calls, reason.replace("tool-calls", "tool_calls"), ...usage];
}

const langChain = (fetch, options) =>
  new ChatOpenAI({
    model: MODEL,
    apiKey: "k",
    useResponsesApi: true,
    maxRetries: 0,
    configuration: { fetch },
    ...options,
  });

async function langChainOf(events) {
  const message = await joined(await langChain(fetchOf(events)).stream("hi"));
  // It tells no reason of the end.
  const { status } = message.response_metadata;
  const stop =
    message.tool_calls.length > 0 && status === "completed" ? "tool_calls" : reasonOf[status];
  return summary({ ...message, text: message.text, response_metadata: { finish_reason: stop } });
}

const PEERS = { openai: official, "@ai-sdk/openai": aiSdk, "@langchain/openai": langChainOf };
const STREAMS = {
  "reasoning, text and calls": eventsFor(),
  text: eventsFor([MESSAGE]),
  "a call without arguments": eventsFor([{ ...CALL, arguments: "{}" }]),
  "two texts": eventsFor([MESSAGE, { ...MESSAGE, id: "msg_2", phase: "final_answer" }]),
  "an incomplete text": eventsFor([MESSAGE], {
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
  }),
};

for (const [peer, read] of Object.entries(PEERS))
  for (const [name, events] of Object.entries(STREAMS))
    test(`${peer} reads the same from ${name}`, async () =>
      assert.deepEqual(await ours(events), await read(events)));

const RECORDED = join(
  process.env.WEFT_TEST_DATA ?? "../shared/data",
  "model-streams/openai-responses",
);

test("the clients read the same from recorded streams", {
  skip: existsSync(RECORDED) ? false : `${RECORDED} is not there`,
}, async () => {
  // The official client does not count calls of custom tools among those of functions, and stops
  // at the places that the recording of phases leaves out.
  const names = readdirSync(RECORDED).filter(
    (name) => name.endsWith(".txt") && !/custom-tool|phase/.test(name),
  );
  assert.ok(names.length > 4);
  for (const name of names) {
    const file = readFileSync(join(RECORDED, name), "utf8");
    const events = file.split("\n").filter(Boolean).map(JSON.parse);
    const [words, ...rest] = await ours(events);
    const [said, ...told] = await official(events);
    assert.deepEqual(rest, told, name);
    assert.equal(words, said, name);
  }
});

/** The request without what is said in another way: the defaults and the short forms. */
function plain({ input, instructions, text, include, ...body }) {
  const system = instructions === undefined ? [] : [{ role: "system", content: instructions }];
  const bare = ({ type, status: _status, detail: _detail, annotations: _notes, ...item }) => {
    const { role, content } = item;
    const isMessage = role !== undefined;
    const parts = typeof content === "string" ? [{ text: content }] : content?.map(bare);
    return {
      ...(isMessage || type?.endsWith("_text") ? {} : { type }),
      ...item,
      ...(role === "developer" ? { role: "system" } : {}),
      ...(isMessage ? { content: parts?.map(({ type: _type, ...part }) => part) } : {}),
    };
  };
  const { stream: _stream, stream_options: _options, ...rest } = body;
  return {
    ...rest,
    ...(text === undefined || Object.keys(text).length === 0 ? {} : { text }),
    ...(include === undefined ? {} : { include }),
    input: [...system, ...input].map(bare),
  };
}

const picture = {
  type: "image_url",
  image_url: { url: "data:image/png;base64,AAAA", detail: "auto" },
};
const document = {
  type: "file",
  source_type: "base64",
  mime_type: "application/pdf",
  data: "JVBERi0xLjQK",
  metadata: { filename: "a.pdf" },
};
const DIALOGUE = [
  new SystemMessage("Be kind."),
  new HumanMessage({ content: [{ type: "text", text: "See" }, picture, document] }),
  new AIMessage({
    content: "I look.",
    tool_calls: [{ id: "c1", name: "weather", args: { city: "Oslo" }, type: "tool_call" }],
  }),
  new ToolMessage({ content: "4 °C", tool_call_id: "c1" }),
  new HumanMessage("Thanks"),
];

test("@langchain/openai asks the same for a dialogue with tools, a picture and a PDF", async () => {
  const fetch = fetchOf(response([MESSAGE]));
  const options = { reasoning: { effort: "low" }, zdrEnabled: true };
  await langChain(fetch, options).bindTools(TOOLS, { tool_choice: "weather" }).invoke(DIALOGUE);
  const model = modelOf([response([MESSAGE])], { model: MODEL, reasoning: { effort: "low" } });
  await model.bindTools(TOOLS, { tool_choice: "weather" }).invoke(DIALOGUE);
  const [theirs, own] = [fetch.sent[0].body, model.sent[0].body].map(plain);
  // Without it the service gives no reasoning that could go back.
  delete own.include;
  // null is what the service reads as false.
  for (const tool of theirs.tools) tool.strict ??= false;
  assert.deepEqual(own, theirs);
});

test("@ai-sdk/openai asks the same for a dialogue with tools, a picture, a PDF and a form of the answer", async () => {
  const fetch = fetchOf(response([MESSAGE]));
  const openai = createOpenAI({ apiKey: "k", fetch });
  const llm = fromAISDK(openai.responses(MODEL), {
    providerOptions: {
      openai: {
        store: false,
        strictJsonSchema: true,
        reasoningEffort: "low",
        reasoningSummary: "detailed",
      },
    },
  });
  const format = { type: "json_schema", json_schema: { name: "extract", schema: SCHEMA } };
  const options = { response_format: format, tool_choice: "any" };
  await llm.bindTools(TOOLS, options).invoke(DIALOGUE);
  const model = modelOf([response([MESSAGE])], {
    model: MODEL,
    reasoning: { effort: "low", summary: "detailed" },
  });
  await model.bindTools(TOOLS, options).invoke(DIALOGUE);
  const [theirs, own] = [fetch.sent[0].body, model.sent[0].body].map(plain);
  for (const tool of theirs.tools) tool.strict ??= false;
  assert.deepEqual(own, theirs);
});

test("an answer of @langchain/openai goes on here with its items", async () => {
  const fetch = fetchOf(response());
  const message = await langChain(fetch).invoke("hi");
  const model = modelOf([response([MESSAGE])]);
  const results = ["call_1", "call_2"].map(
    (tool_call_id) => new ToolMessage({ content: "ok", tool_call_id }),
  );
  await model.invoke(["hi", message, ...results]);
  assert.deepEqual(model.sent[0].body.input.slice(1, 5), OUTPUT);
});
