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

test("a schema that is none and an unknown method are refused before a model is called", () => {
  const model = new ChatOpenAICompatible({ model: "m" });
  assert.throws(() => model.withStructuredOutput({ type: "objct" }), { code: "BAD_SCHEMA" });
  assert.throws(() => model.withStructuredOutput("x"), {
    code: "BAD_ARGUMENT",
    message: /withStructuredOutput\(schema\)/,
  });
  assert.throws(() => model.withStructuredOutput(JSON_SCHEMA, { method: "guess" }), {
    code: "BAD_ARGUMENT",
    message: /options\.method/,
  });
});

const call = (args, name = "extract") => ({ tool_calls: [{ name, args, id: "1" }] });

test("each way to ask gives the value: the service's own, a tool of the schema, words alone", async () => {
  const ways = [
    [{ method: "tool" }, {}, call({ degrees: 3 })],
    [{ method: "functionCalling" }, {}, call({ degrees: 3 })],
    [{ method: "native" }, {}, '{"degrees":3}'],
    [{ method: "text" }, {}, '```json\n{"degrees":3}\n```'],
    [{}, { structuredOutput: true }, '{"degrees":3}'],
    [{}, {}, call({ degrees: 3 })],
    [{}, { toolCalling: false }, '{"degrees":3}'],
  ];
  const seen = [];
  for (const [options, profile, answer] of ways) {
    const llm = new ScriptedModel({ responses: [answer], profile });
    assert.deepEqual(await llm.withStructuredOutput(JSON_SCHEMA, options).invoke("warm?"), {
      degrees: 3,
    });
    const { messages, options: asked } = llm.calls[0];
    seen.push([messages.length, asked.tool_choice, asked.response_format?.json_schema.name]);
  }
  const [tool, native, text] = [
    [1, "extract", undefined],
    [1, undefined, "extract"],
    [2, undefined, undefined],
  ];
  assert.deepEqual(seen, [tool, tool, native, text, native, tool, text]);
});

test("a value that is no object stands in one for the model and comes without it", async () => {
  const cases = [
    [{ type: "array", items: { type: "integer" } }, { value: [1, 2] }, [1, 2]],
    [z.array(z.number().transform((n) => n + 1)), { value: [1, 2] }, [2, 3]],
    [{ type: "string" }, { input: "warm" }, "warm"],
    [z.string(), { input: "warm" }, "warm"],
  ];
  for (const [schema, args, value] of cases) {
    const llm = new ScriptedModel({ responses: [call(args), call({ value: ["no"], input: 1 })] });
    const asked = llm.withStructuredOutput(schema);
    assert.deepEqual(await asked.invoke("?"), value);
    await assert.rejects(asked.invoke("?"), { code: "BAD_ANSWER" });
  }
});

test("a choice of objects, and a schema of definitions, stand in an object with what they refer to", async () => {
  const place = { type: "object", properties: { in: { $ref: "#/$defs/place" } } };
  const cases = [
    [z.union([z.object({ k: z.number() }), z.object({ l: z.string() })]), { k: 1 }],
    [z.object({ k: z.number() }).nullable(), null],
    [{ $ref: "#/definitions/k", definitions: { k: { type: "object" } } }, { k: 1 }],
    [{ type: "array", items: { $ref: "#/$defs/place" }, $defs: { place } }, [{ in: {} }]],
    [{ anyOf: [{ type: "string" }, { type: "array", items: { $ref: "#" } }] }, ["a", ["b"]]],
  ];
  for (const method of ["tool", "native"])
    for (const [schema, value] of cases) {
      const answer = method === "tool" ? call({ value }) : JSON.stringify({ value });
      const llm = new ScriptedModel({ responses: [answer] });
      assert.deepEqual(await llm.withStructuredOutput(schema, { method }).invoke("?"), value);
      const { tools, response_format } = llm.calls[0].options;
      const asked = response_format?.json_schema.schema ?? tools[0].function.parameters;
      assert.equal(asked.type, "object");
      for (const [, path] of JSON.stringify(asked).matchAll(/"\$ref":"#([^"]*)"/g)) {
        const found = path.split("/").slice(1);
        assert.ok(found.length > 0 && found.reduce((at, key) => at?.[key], asked), path);
      }
    }
});

test("a service that does not know structured output may fence its answer", async () => {
  const llm = new ScriptedModel({ responses: ['```json\n{"degrees":3}\n```'] });
  const asked = llm.withStructuredOutput(JSON_SCHEMA, { method: "native" });
  assert.deepEqual(await asked.invoke("?"), { degrees: 3 });
});

test("an error about a structured answer says that the model refused, or had no tokens left", async () => {
  const llm = new ScriptedModel({
    responses: [
      { content: "", additional_kwargs: { refusal: "I will not." } },
      { content: '{"degrees":', response_metadata: { finish_reason: "length" } },
    ],
  });
  const asked = llm.withStructuredOutput(JSON_SCHEMA, { method: "native" });
  await assert.rejects(asked.invoke("?"), /refused: I will not\./);
  await assert.rejects(asked.invoke("?"), /cut off at the limit of tokens/);
});

test("an error about a structured answer holds the message, and so does a call that is no JSON", async () => {
  const invalid = { name: "extract", args: '{"degrees":', id: "1", error: "cut" };
  const llm = new ScriptedModel({ responses: [{ invalid_tool_calls: [invalid] }, "no"] });
  const asked = llm.withStructuredOutput(JSON_SCHEMA);
  await assert.rejects(asked.invoke("?"), (error) => {
    assert.deepEqual([error.code, error.body], ["BAD_ANSWER", '{"degrees":']);
    assert.deepEqual(error.raw.invalid_tool_calls, [invalid]);
    return true;
  });
  await assert.rejects(asked.invoke("?"), { code: "BAD_ANSWER", body: "no" });
});

test("an agent with responseFormat and a model without output of its own gets it by a tool", async () => {
  const llm = new ScriptedModel({ responses: ["It is warm.", call({ degrees: 30 })] });
  const agent = createReactAgent({ llm, tools: [], responseFormat: JSON_SCHEMA });
  const { structuredResponse } = await agent.invoke({ messages: "Rome?" });
  assert.deepEqual(structuredResponse, { degrees: 30 });
});
