// SPDX-License-Identifier: MIT
// Serves: a tool's result with a file at an address that no service loads, such as a resource of an
// MCP server, goes to every model as text, for else each later request of the thread is refused;
// so does what a model takes from no tool, such as sound; its texts are kept apart.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { AIMessage, HumanMessage, ToolMessage } from "weftgraph/messages";
import { fromAISDK } from "weftgraph/models/ai-sdk";
import { ChatAnthropicMessages } from "weftgraph/models/anthropic";
import { ChatGemini } from "weftgraph/models/gemini";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { ChatOpenAIResponses } from "weftgraph/models/responses";
import { ScriptedModel } from "weftgraph/models/scripted";
import { toolsByText } from "weftgraph/models/text-tools";
import { ChatWorkersAI } from "weftgraph/models/workers-ai";

const resource = {
  type: "file",
  source_type: "url",
  url: "demo://note/1",
  mime_type: "text/plain",
};
const stored = { type: "image", url: "https://files.example/a.png", mimeType: "image/png" };
const call = { id: "c1", name: "find", args: {}, type: "tool_call" };
const talk = (...content) => [
  new HumanMessage("hi"),
  new AIMessage({ content: "", tool_calls: [call] }),
  new ToolMessage({ content, tool_call_id: "c1" }),
];

/** The request's body for these messages, as text. */
async function bodyOf(make, messages) {
  let body;
  const fetch = async (_, init) => {
    body = JSON.parse(init.body);
    return new Response("{}", { status: 400 });
  };
  await make({ apiKey: "k", maxRetries: 0, fetch })
    .invoke(messages)
    .catch(() => undefined);
  return body;
}

const services = {
  "a model of the AI SDK": ({ fetch }) =>
    fromAISDK(createAnthropic({ apiKey: "k", fetch })("claude-sonnet-5"), { maxRetries: 0 }),
  anthropic: (options) => new ChatAnthropicMessages({ model: "claude-sonnet-5", ...options }),
  gemini: (options) => new ChatGemini({ model: "gemini-3-pro-preview", ...options }),
  responses: (options) => new ChatOpenAIResponses({ model: "gpt-6-sol", ...options }),
};

/** Values of these fields, wherever they stand. */
function valuesOf(value, keys) {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    keys.includes(key) && typeof inner === "string" ? [inner] : valuesOf(inner, keys),
  );
}

for (const [name, make] of Object.entries(services))
  test(`a resource of a tool goes to ${name} as text`, async () => {
    const body = await bodyOf(make, talk({ type: "text", text: "See " }, resource));
    const addresses = valuesOf(body, ["url", "fileUri", "file_url", "image_url"]);
    assert.deepEqual(addresses, []);
    assert.ok(JSON.stringify(body).includes("demo://note/1"));
  });

test("an address that a service loads stays one; Gemini loads its own files alone", async () => {
  const addressOf = async (make, block) =>
    valuesOf(await bodyOf(make, talk(block)), ["url", "fileUri", "image_url"]);
  for (const name of ["a model of the AI SDK", "anthropic", "responses"])
    assert.deepEqual(await addressOf(services[name], stored), [stored.url], name);
  const own = "https://generativelanguage.googleapis.com/v1beta/files/x";
  assert.deepEqual(await addressOf(services.gemini, stored), []);
  for (const url of [own, "gs://bucket/a.png"])
    assert.deepEqual(await addressOf(services.gemini, { ...stored, url }), [url]);
});

const DATA = "Q".repeat(400);
const sound = (mimeType) => ({ type: "audio", mimeType, data: DATA });
const OPENAI_AUDIO = "gpt-4o-audio-preview";
const all = {
  ...services,
  openai: (options) => new ChatOpenAICompatible({ model: "gpt-6-sol", ...options }),
  "workers-ai": ({ apiKey, ...options }) =>
    new ChatWorkersAI({ model: "@cf/m", accountId: "a", apiToken: apiKey, ...options }),
};

for (const [name, make] of Object.entries(all))
  test(`what ${name} takes from no tool is left out in a few words, and the thread goes on`, async () => {
    const taken =
      name === "gemini" ? [] : [sound("audio/ogg"), { ...sound("video/mp4"), type: "video" }];
    const drawing = { type: "image", mimeType: "image/svg+xml", data: DATA };
    const broken = { type: "image_url", image_url: {} };
    for (const block of [...taken, drawing, broken, { type: "audio", url: "https://" }]) {
      const body = await bodyOf(make, [...talk(block), new HumanMessage("and now?")]);
      assert.ok(body !== undefined, `${block.type} is refused`);
      const told = block.data === undefined ? block.type : `${block.mimeType}: left out`;
      assert.ok(JSON.stringify(body).includes(told), told);
      assert.ok(!JSON.stringify(body).includes(DATA), block.type);
    }
  });

test("a user's own sound stays an error with a model that takes none", async () => {
  const model = new ChatAnthropicMessages({ model: "claude-sonnet-5", apiKey: "k" });
  const refused = { name: "TypeError", message: /block "audio", which Anthropic cannot take/ };
  await assert.rejects(
    model.invoke([new HumanMessage({ content: [sound("audio/wav")] })]),
    refused,
  );
});

test("a document in Anthropic's own form stays one in a result", async () => {
  const content = [{ type: "text", text: "a page" }];
  const document = { type: "document", source: { type: "content", content } };
  const body = await bodyOf(services.anthropic, talk(document));
  assert.deepEqual(body.messages.at(-1).content[0].content, [document]);
});

test("sound of a tool follows its results in chat completions, if the model takes that", async () => {
  const sent = async (mimeType, options) => {
    const make = (rest) => new ChatOpenAICompatible({ model: OPENAI_AUDIO, ...rest, ...options });
    const { messages } = await bodyOf(make, talk(sound(mimeType)));
    return messages.slice(2).map(({ content }) => content);
  };
  const behind = (format) => [
    { type: "text", text: "The tool find returned:" },
    { type: "input_audio", input_audio: { data: DATA, format } },
  ];
  for (const [mimeType, format] of [
    ["audio/wav", "wav"],
    ["audio/mpeg", "mp3"],
  ])
    assert.deepEqual(await sent(mimeType), [
      `[${mimeType}: the sound follows the results]`,
      behind(format),
    ]);
  const left = ["[audio/wav: left out: the model takes none from a tool]"];
  assert.deepEqual(await sent("audio/wav", { model: "gpt-4.1" }), left);
  assert.deepEqual(await sent("audio/wav", { profile: { audioInputs: false } }), left);
  const other = { model: "voice", baseURL: "https://models.example/v1" };
  assert.deepEqual((await sent("audio/wav", other))[1], behind("wav"));
});

/** What a model with tools by text is sent last for these messages. */
async function toldByText(messages, profile) {
  const seen = [];
  const inner = new ScriptedModel({ responses: ["Found."], profile });
  const invoke = inner.complete.bind(inner);
  inner.complete = (messages, options) => {
    seen.push(messages);
    return invoke(messages, options);
  };
  const tools = [{ type: "function", function: { name: "find", parameters: { type: "object" } } }];
  await toolsByText(inner, { style: "fenced" }).bindTools(tools).invoke(messages);
  return seen[0].at(-1).content;
}

test("a model with tools by text is told of a resource too", async () => {
  const content = await toldByText(talk(resource));
  assert.equal(typeof content, "string");
  assert.ok(content.includes("demo://note/1"));
});

test("a model with tools by text gets of a result what its profile says that it takes", async () => {
  const picture = { type: "image", mimeType: "image/png", data: DATA };
  const blocks = [picture, stored, sound("audio/wav"), { type: "custom", value: 1 }];
  const types = async (profile) => {
    const content = await toldByText(talk(...blocks), profile);
    return [content].flat().map((block) => block.type ?? "text");
  };
  assert.deepEqual(await types({}), ["text", "image", "image"]);
  const tab = { imageUrlInputs: false, audioInputs: true };
  assert.deepEqual(await types(tab), ["text", "image", "audio"]);
  assert.deepEqual(await types({ imageInputs: false }), ["text"]);
  const told = await toldByText(talk(...blocks), { imageInputs: false });
  assert.match(told, /image\/png: left out.*audio\/wav: left out.*custom/s);
  assert.ok(!told.includes(DATA));
});

test("each text of a tool's result stays one of its own", async () => {
  const texts = ["Result: 5", "Source: a book"].map((text) => ({ type: "text", text }));
  const isApart = /Result: 5(\\+n|"\},\{[^}]*"text":")Source: a book/;
  const openai = (options) => new ChatOpenAICompatible({ model: "m", ...options });
  for (const [name, make] of Object.entries({ ...services, openai }))
    assert.match(JSON.stringify(await bodyOf(make, talk(...texts))), isApart, name);
  assert.match(await toldByText(talk(...texts)), isApart);
});
