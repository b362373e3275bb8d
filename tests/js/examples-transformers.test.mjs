// SPDX-License-Identifier: MIT
// What docs/guides/models.md shows of transformers.js: examples/transformers. A small fake with the
// shapes of @huggingface/transformers takes its place, since no model can be loaded in tests.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { ChatWebLLM } from "weftgraph/models/webllm";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";
import { generatorOf } from "./fake-transformers.mjs";

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const outfile = pathOf("../../build/transformers/engine.mjs");
mkdirSync(pathOf("../../build/transformers/"), { recursive: true });
await build({
  entryPoints: [pathOf("../../examples/transformers/engine.js")],
  bundle: true,
  format: "esm",
  outfile,
  alias: { "@huggingface/transformers": pathOf("fake-transformers.mjs") },
});
const { engineOf } = await import(outfile);

/** @param {string[]} answers @param {object} [options] */
function setUp(answers, options) {
  const written = [];
  const engine = engineOf(generatorOf(answers, written));
  const profile = { structuredOutput: false };
  return { written, llm: new ChatWebLLM({ engine, style: "fenced", profile, ...options }) };
}

test("a model of transformers.js calls tools, whose calls it writes as text", async () => {
  const weather = tool(({ city }) => `4 °C in ${city}`, {
    name: "weather",
    schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  });
  const call = '<tool_call>{"name": "weather", "arguments": {"city": "Oslo"}}</tool_call>';
  const { llm } = setUp([call, "It is cold there."]);
  const { messages } = await createReactAgent({ llm, tools: [weather] }).invoke({
    messages: "How is Oslo?",
  });
  assert.deepEqual(
    messages.map(({ text }) => text),
    ["How is Oslo?", "", "4 °C in Oslo", "It is cold there."],
  );
});

test("its answer streams word by word, and says when it was cut", async () => {
  const texts = [];
  for await (const { text } of await setUp(["It is cold there."]).llm.stream("How?"))
    if (text !== "") texts.push(text);
  assert.deepEqual(texts, ["It ", "is ", "cold ", "there."]);
  const { text, response_metadata } = await setUp(["It is cold."], { maxTokens: 2 }).llm.invoke(
    "?",
  );
  assert.deepEqual([text, response_metadata.finish_reason], ["It is ", "length"]);
});

test("an abort stops the model itself, and the next answer is whole", async () => {
  const { llm, written } = setUp(["word ".repeat(1000), "Whole."]);
  const controller = new AbortController();
  await assert.rejects(
    async () => {
      for await (const { text } of await llm.stream("Go", { signal: controller.signal }))
        if (text !== "") controller.abort();
    },
    { name: "AbortError" },
  );
  assert.equal((await llm.invoke("Again")).text, "Whole.");
  assert.ok(written.length < 20, `${written.length} words`);
});
