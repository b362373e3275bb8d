// SPDX-License-Identifier: MIT
// Serves: R12: answers in the form of a schema, from the package's own model and in agents with it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { startOpenAIServer } from "./openai-server.mjs";

const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));
const JSON_SCHEMA = {
  type: "object",
  properties: { degrees: { type: "number" } },
  required: ["degrees"],
};

async function setUp(script) {
  const server = await startOpenAIServer({ script });
  servers.push(server);
  return {
    server,
    model: new ChatOpenAICompatible({ baseURL: server.url, model: "m", maxRetries: 0 }),
  };
}

test("an agent with responseFormat and the package's own model gives the value of the schema", async () => {
  const { server, model } = await setUp(["It is warm.", '{"degrees": 30}']);
  const agent = createReactAgent({ llm: model, tools: [], responseFormat: JSON_SCHEMA });
  const { structuredResponse, messages } = await agent.invoke({ messages: "Rome?" });
  assert.deepEqual(structuredResponse, { degrees: 30 });
  assert.equal(messages.at(-1).content, "It is warm.");
  assert.deepEqual(server.requests[1].body.response_format, {
    type: "json_schema",
    json_schema: { name: "extract", schema: JSON_SCHEMA },
  });
});

test("schemas of zod 4 and 3 read the answer, and the model is told their JSON Schema", async () => {
  for (const zod of [z, z3]) {
    const { server, model } = await setUp(['{"day":"2026-01-02"}']);
    const schema = zod.object({ day: zod.string().transform((text) => text.slice(0, 4)) });
    assert.deepEqual(
      await model.withStructuredOutput(schema, { name: "day", strict: true }).invoke("when?"),
      { day: "2026" },
    );
    const { name, strict, schema: told } = server.requests[0].body.response_format.json_schema;
    assert.deepEqual([name, strict, told.properties.day.type], ["day", true, "string"]);
  }
});

test("an answer that does not fit is a ModelError with what came, and null beside the message where that is asked for", async () => {
  const cases = [
    ["no JSON", JSON_SCHEMA, /^The model's answer is not JSON; received: no JSON$/],
    [
      '{"degrees":"warm"}',
      JSON_SCHEMA,
      /does not fit the schema at \/degrees: .*; received: \{"degrees":"warm"\}$/,
    ],
    ["{}", z.object({ degrees: z.number() }), /does not fit the schema: /],
  ];
  for (const [answer, schema, message] of cases) {
    const { model } = await setUp([answer, answer]);
    await assert.rejects(model.withStructuredOutput(schema).invoke("hi"), {
      name: "ModelError",
      code: "BAD_ANSWER",
      body: answer,
      message,
    });
    const { raw, parsed } = await model
      .withStructuredOutput(schema, { includeRaw: true })
      .invoke("hi");
    assert.deepEqual([raw.content, parsed], [answer, null]);
  }
});

test("what cannot give a structured answer is refused before a model is called", async () => {
  const llm = new ScriptedModel({ responses: ["hi"] });
  assert.throws(() => createReactAgent({ llm, tools: [], responseFormat: JSON_SCHEMA }), {
    code: "BAD_ARGUMENT",
    message:
      /responseFormat needs a model with withStructuredOutput, as ChatOpenAICompatible; ScriptedModel has none/,
  });
  const model = new ChatOpenAICompatible({ model: "m" });
  assert.throws(() => model.withStructuredOutput({ type: "objct" }), { code: "BAD_SCHEMA" });
  assert.throws(() => model.withStructuredOutput("x"), {
    code: "BAD_ARGUMENT",
    message: /withStructuredOutput\(schema\)/,
  });
  assert.throws(() => model.withStructuredOutput(JSON_SCHEMA, { method: "functionCalling" }), {
    code: "BAD_ARGUMENT",
    message: /options\.method/,
  });
});
