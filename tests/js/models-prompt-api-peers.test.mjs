// SPDX-License-Identifier: MIT
// Serves: the browser's own model beside @browser-ai/core, the AI SDK's provider of it, over the
// same stand-in of the Prompt API (language-model.mjs): ChatPromptAPI and the provider's model in
// fromAISDK say and ask the same, but for what the last test names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browserAI } from "@browser-ai/core";
import { ChatPromptAPI } from "weftgraph/models/prompt-api";
import { fromAISDK } from "weftgraph/models/ai-sdk";
import { HumanMessage } from "weftgraph/messages";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";
import { languageModel } from "./language-model.mjs";

const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weather = tool(({ city }) => `4 °C in ${city}`, {
  name: "weather",
  description: "Tells the weather.",
  schema,
});
const CALL = `I look.
\`\`\`tool_call
{"id": "c1", "name": "weather", "arguments": {"city": "Oslo"}}
\`\`\``;

/** Both models, each over an API of its own that gives these answers in turn. */
function bothOver(t, ...answers) {
  const before = Object.getOwnPropertyDescriptor(globalThis, "LanguageModel");
  t.after(() => {
    if (before === undefined) delete globalThis.LanguageModel;
    else Object.defineProperty(globalThis, "LanguageModel", before);
  });
  const make = (modelOver) => {
    let at = 0;
    const say = (_turns, { isStream }) => {
      const answer = answers[at++ % answers.length];
      return isStream ? answer.split(/(?<= )/) : answer;
    };
    const { LanguageModel, log } = languageModel({ say });
    return { llm: modelOver(LanguageModel), log, LanguageModel };
  };
  const own = make((api) => new ChatPromptAPI({ languageModel: api, style: "fenced" }));
  const peer = make(() => fromAISDK(browserAI("text")));
  // The provider takes the page's.
  globalThis.LanguageModel = peer.LanguageModel;
  return { own, peer };
}

async function pieces(llm, input) {
  const texts = [];
  for await (const { text } of await llm.stream(input)) if (text !== "") texts.push(text);
  return texts;
}

test("answers and their pieces are those of @browser-ai/core", async (t) => {
  const { own, peer } = bothOver(t, "Hello there, you.");
  for (const { llm } of [own, peer]) {
    assert.equal((await llm.invoke("Hi")).content, "Hello there, you.");
    assert.deepEqual(await pieces(llm, "Hi"), ["Hello ", "there, ", "you."]);
  }
});

test("a schema is given to the browser alike, and its value is the same", async (t) => {
  const { own, peer } = bothOver(t, '{"city":"Oslo"}');
  for (const { llm, log } of [own, peer]) {
    const value = await llm.withStructuredOutput(schema).invoke("Where?");
    assert.deepEqual(value, { city: "Oslo" });
    assert.deepEqual(log.prompts[0].given.responseConstraint, schema);
  }
});

test("the same text is the same call, and an agent goes on with its result", async (t) => {
  const { own, peer } = bothOver(t, CALL, "It is cold.");
  for (const { llm, log } of [own, peer]) {
    const agent = createReactAgent({ llm, tools: [weather] });
    const { messages } = await agent.invoke({ messages: "Weather in Oslo?" });
    const [, { text, tool_calls }, result, last] = messages;
    assert.equal(text.trim(), "I look.");
    assert.deepEqual(
      tool_calls.map(({ name, args }) => [name, args]),
      [["weather", { city: "Oslo" }]],
    );
    assert.deepEqual([result.content, last.text], ["4 °C in Oslo", "It is cold."]);
    assert.match(JSON.stringify(log.prompts.at(-1).prompts), /4 °C in Oslo/);
  }
});

test("@browser-ai/core counts no tokens and sends a conversation again; ChatPromptAPI does not", async (t) => {
  const { own, peer } = bothOver(t, "Hello.");
  const told = [];
  for (const { llm, log } of [own, peer]) {
    const first = await llm.invoke([new HumanMessage("one")]);
    const second = await llm.invoke([new HumanMessage("one"), first, new HumanMessage("two")]);
    told.push([second.usage_metadata.total_tokens > 0, log.prompts.at(-1).prompts.length]);
  }
  assert.deepEqual(told, [
    [true, 1],
    [false, 3],
  ]);
});
