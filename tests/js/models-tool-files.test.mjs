// SPDX-License-Identifier: MIT
// Serves: a tool's result with a file at an address that no service loads, such as a resource of an
// MCP server, goes to every model as text, for else each later request of the thread is refused;
// its texts are kept apart.
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

/** What a model with tools by text is sent last for these messages. */
async function toldByText(messages) {
  const seen = [];
  const inner = new ScriptedModel({ responses: ["Found."] });
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

test("each text of a tool's result stays one of its own", async () => {
  const texts = ["Result: 5", "Source: a book"].map((text) => ({ type: "text", text }));
  const isApart = /Result: 5(\\+n|"\},\{[^}]*"text":")Source: a book/;
  const openai = (options) => new ChatOpenAICompatible({ model: "m", ...options });
  for (const [name, make] of Object.entries({ ...services, openai }))
    assert.match(JSON.stringify(await bodyOf(make, talk(...texts))), isApart, name);
  assert.match(await toldByText(talk(...texts)), isApart);
});
