// SPDX-License-Identifier: MIT
// Serves: R12: what cannot work is refused, by name and with what is allowed, where it is given and not in the middle of a run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, MemorySaver, START, StateGraph, entrypoint, tool } from "weftgraph";
import { ScriptedModel } from "weftgraph/models/scripted";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";

const State = Annotation.Root({ n: Annotation() });
const graph = () => new StateGraph(State).addNode("a", () => ({ n: 1 })).addEdge(START, "a");
const THREAD = { configurable: { thread_id: "1" } };
const model = () => new ScriptedModel({ responses: ["hi"], loop: true });

test("a tool's bad JSON Schema is refused by the tool's name where the tool, the node or the agent is made", () => {
  const bad = {
    "x/type: an unknown type": { type: "objct" },
    "x/properties/a/items/anyOf/1/type: an unknown type": { type: "object", properties: { a: { type: "array", items: { anyOf: [{ type: "string" }, { type: ["null", 5] }] } } } },
    "x/properties/a: a schema is an object or a boolean": { type: "object", properties: { a: "string" } },
    "x: a schema is an object: JSON Schema, or of zod or another library of schemas": "string",
  };
  for (const [text, schema] of Object.entries(bad)) {
    const refused = { code: "BAD_SCHEMA", message: `The schema is not usable at ${text}.` };
    const shaped = { name: "x", schema, invoke: async () => 1 };
    assert.throws(() => tool(() => 1, { name: "x", schema }), refused);
    assert.throws(() => new ToolNode([shaped]), refused);
    assert.throws(() => createReactAgent({ llm: model(), tools: [shaped] }), refused);
  }
  for (const schema of [5, true, []]) assert.throws(() => tool(() => 1, { name: "x", schema }), { code: "BAD_SCHEMA", message: /at x: / });
});

test("schemas with parts that nobody compiles yet, with references and in a ring are taken where the tool is made", () => {
  const ring = { type: "object", properties: {} };
  ring.properties.again = ring;
  for (const schema of [ring, {}, { $ref: "#/$defs/a", $defs: { a: { type: "object" } } }, { type: "object", properties: { type: { enum: ["objct"] } }, default: { type: "objct" } }]) {
    assert.equal(tool(() => 1, { name: "x", schema }).name, "x");
  }
});

test("a checkpointer that is none is refused where it is given, by what is expected", async () => {
  const refused = { code: "BAD_ARGUMENT", message: /checkpointer must be true, false or a checkpointer, as new MemorySaver\(\): an object with getTuple\(\), list\(\), put\(\) and putWrites\(\)/ };
  for (const none of ["memory", {}, MemorySaver, 5, Symbol("s"), [], { getTuple() {} }, new Map()]) {
    assert.throws(() => graph().compile({ checkpointer: none }), refused);
    assert.throws(() => entrypoint({ name: "e", checkpointer: none }, () => 1), refused);
    assert.throws(() => createReactAgent({ llm: model(), tools: [], checkpointer: none }), refused);
    await assert.rejects(graph().compile().invoke({ n: 0 }, { ...THREAD, checkpointer: none }), refused);
  }
  for (const none of [undefined, null, false]) assert.deepEqual(await graph().compile({ checkpointer: none }).invoke({ n: 0 }), { n: 1 });
  const app = graph().compile();
  app.checkpointer = {};
  await assert.rejects(app.invoke({ n: 0 }, THREAD), { code: "BAD_ARGUMENT", message: /checkpointer must have getTuple/ });
});
