// SPDX-License-Identifier: MIT
// Serves: a language model of the AI SDK is taken as it is wherever a model is taken: by agents,
// middlewares, `toolsByText` and judges; without its adapter each of them says what to import.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { MockLanguageModelV2 } from "ai-5/test";
import { MockLanguageModelV4 } from "ai-7/test";
import {
  createAgent,
  createMiddleware,
  llmToolSelectorMiddleware,
  modelFallbackMiddleware,
  summarizationMiddleware,
  toolEmulatorMiddleware,
} from "weftgraph/agent";
import "weftgraph/models/ai-sdk";
import { ScriptedModel } from "weftgraph/models/scripted";
import { toolsByText } from "weftgraph/models/text-tools";
import { evaluate, judge } from "weftgraph/testing";
import { tool } from "weftgraph/tools";

const MOCKS = { v2: MockLanguageModelV2, v3: MockLanguageModelV3, v4: MockLanguageModelV4 };
const weather = tool(({ city }) => `4 °C in ${city}`, {
  name: "weather",
  description: "Tells the weather.",
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
});
const callOf = (toolName, input, toolCallId = "c1") => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input: JSON.stringify(input),
});

/** A model with these answers, in order: texts, or calls of tools; the last one is repeated. */
function modelWith(answers, version = "v4") {
  const isOld = version === "v2";
  const usage = isOld
    ? { inputTokens: 3, outputTokens: 1, totalTokens: 4 }
    : { inputTokens: { total: 3 }, outputTokens: { total: 1 } };
  let asked = 0;
  const next = () => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (answer instanceof Error) throw answer;
    const isCall = typeof answer !== "string";
    const unified = isCall ? "tool-calls" : "stop";
    const finishReason = isOld ? unified : { unified, raw: unified };
    return { content: isCall ? [answer] : [{ type: "text", text: answer }], finishReason, usage };
  };
  return new MOCKS[version]({
    doGenerate: async () => ({ ...next(), warnings: [] }),
    doStream: async () => {
      const { content, ...end } = next();
      const parts = content.flatMap((part) =>
        part.type === "text"
          ? [
              { type: "text-start", id: "1" },
              { type: "text-delta", id: "1", delta: part.text },
              { type: "text-end", id: "1" },
            ]
          : [part],
      );
      const chunks = [{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", ...end }];
      return {
        stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }),
      };
    },
  });
}

const promptsOf = ({ doGenerateCalls, doStreamCalls }) => [...doGenerateCalls, ...doStreamCalls];
const go = async (agent) =>
  (await agent.invoke({ messages: "Weather in Oslo?" })).messages.map(({ text }) => text);

for (const version of Object.keys(MOCKS))
  test(`${version}: createAgent takes it, whole and streamed`, async () => {
    const answers = [callOf("weather", { city: "Oslo" }), "It is cold."];
    const make = () => createAgent({ model: modelWith(answers, version), tools: [weather] });
    assert.deepEqual(await go(make()), ["Weather in Oslo?", "", "4 °C in Oslo", "It is cold."]);
    let text = "";
    for await (const [chunk] of await make().stream(
      { messages: "Weather in Oslo?" },
      { streamMode: "messages" },
    ))
      if (chunk.getType() === "ai") text += chunk.text;
    assert.equal(text, "It is cold.");
  });

test("a middleware gets it as the chat model that its declaration promises", async () => {
  const seen = [];
  const middleware = createMiddleware({
    name: "Look",
    wrapModelCall: async (request, handler) => {
      const { model } = request;
      seen.push([model.profile?.structuredOutput, (await model.invoke("hi")).text]);
      return handler(request);
    },
  });
  const agent = createAgent({
    model: modelWith(["aside", "said"]),
    tools: [],
    middleware: [middleware],
  });
  assert.deepEqual(await go(agent), ["Weather in Oslo?", "said"]);
  assert.deepEqual(seen, [[true, "aside"]]);
});

test("createAgent asks it for an answer in a form", async () => {
  const form = {
    title: "verdict",
    type: "object",
    properties: { ok: { type: "boolean" } },
    required: ["ok"],
  };
  const model = modelWith(['{"ok":true}']);
  const { structuredResponse } = await createAgent({
    model,
    tools: [],
    responseFormat: form,
  }).invoke({ messages: "hi" });
  assert.deepEqual(structuredResponse, { ok: true });
});

test("modelFallbackMiddleware asks it, with the agent's tools, and the one behind it", async () => {
  const broken = modelWith([new Error("also down")]);
  const second = modelWith([callOf("weather", { city: "Oslo" }), "It is cold."]);
  const agent = createAgent({
    model: new ScriptedModel({ responses: [new Error("down"), new Error("down")] }),
    tools: [weather],
    middleware: [modelFallbackMiddleware(broken, second)],
  });
  assert.deepEqual(await go(agent), ["Weather in Oslo?", "", "4 °C in Oslo", "It is cold."]);
  const [{ tools }] = promptsOf(second);
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["weather"],
  );
});

test("middlewares that ask a model of their own take it", async () => {
  const own = (responses) => new ScriptedModel({ responses });
  const summary = modelWith(["They spoke of Oslo."]);
  const [told] = await go(
    createAgent({
      model: own(["fine"]),
      tools: [],
      middleware: [
        summarizationMiddleware({
          model: summary,
          trigger: { messages: 1 },
          keep: { messages: 0 },
        }),
      ],
    }),
  );
  assert.match(told, /They spoke of Oslo\.$/);
  const call = { id: "c1", name: "weather", args: { city: "Oslo" } };
  const calling = own([{ tool_calls: [call] }, "done"]);
  const emulated = await go(
    createAgent({
      model: calling,
      tools: [weather],
      middleware: [toolEmulatorMiddleware({ model: modelWith(["9 °C, they say"]) })],
    }),
  );
  assert.equal(emulated[2], "9 °C, they say");
  const chosen = own(["fine"]);
  const selecting = modelWith(['{"tools":["weather"]}']);
  const time = tool(() => "noon", { name: "time", description: "Tells the time.", schema: {} });
  await go(
    createAgent({
      model: chosen,
      tools: [weather, time],
      middleware: [llmToolSelectorMiddleware({ model: selecting })],
    }),
  );
  assert.equal(promptsOf(selecting).length, 1);
});

test("toolsByText gives it tools, streamed and whole", async () => {
  const fence = '```tool_call\n{"name": "weather", "arguments": {"city": "Oslo"}}\n```';
  const model = modelWith([fence, "It is cold."]);
  const llm = toolsByText(model, { style: "fenced" });
  assert.equal(llm.model, model.modelId);
  assert.deepEqual(await go(createAgent({ model: llm, tools: [weather] })), [
    "Weather in Oslo?",
    "",
    "4 °C in Oslo",
    "It is cold.",
  ]);
  const asked = promptsOf(model);
  assert.ok(asked.every(({ tools }) => tools === undefined));
  assert.match(JSON.stringify(asked[0].prompt), /Tells the weather/);
});

test("a judge asks it, and reads its structured answer", async () => {
  const model = modelWith(['{"reasoning":"because","score":true}']);
  const { cases } = await evaluate(() => "Hello!", {
    cases: [{ id: "polite", input: "hi" }],
    scorers: { tone: judge(model, { rubric: "It is polite." }) },
  });
  const { score, reason } = cases[0].runs[0].scores.tone;
  assert.deepEqual([score, reason], [1, "because"]);
});

test("without the adapter each of them says what to import", async () => {
  const program = `
    import { createAgent, modelFallbackMiddleware } from "weftgraph/agent";
    import { toolsByText } from "weftgraph/models/text-tools";
    import { judge } from "weftgraph/testing";
    const model = { specificationVersion: "v3", doStream() {}, doGenerate() {} };
    for (const take of [
      () => createAgent({ model, tools: [] }),
      () => modelFallbackMiddleware(model),
      () => toolsByText(model),
      () => judge(model, { rubric: "It is polite." }),
    ])
      try {
        take();
        console.log("taken");
      } catch (error) {
        console.log(error.message);
      }`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "--eval",
    program,
  ]);
  const lines = stdout.trim().split("\n");
  assert.equal(lines.length, 4);
  for (const line of lines) assert.match(line, /import "weftgraph\/models\/ai-sdk"/);
});
