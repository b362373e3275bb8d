// SPDX-License-Identifier: MIT
// MCP servers whose schemas explode: small in bytes, without end when they are followed. A tool is
// refused or its call answered with an error, in bounded time and text; it is offered to every
// model, repaired and shown in a form within the same bounds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Command, INTERRUPT, MemorySaver } from "weftgraph";
import { createAgent } from "weftgraph/agent";
import { formOf, readForm } from "weftgraph/approval";
import { loadMcpTools } from "weftgraph/mcp";
import { ScriptedModel } from "weftgraph/models/scripted";
import { repairBySchema, toolJsonSchema } from "weftgraph/tools";
import { columns } from "./models-matrix/columns.mjs";
import { HELLO } from "./models-matrix/kit.mjs";
import { serviceOf } from "./models-matrix/service.mjs";
import { URL_OF_ALL } from "./mcp-servers.mjs";

const LONGEST_MS = 5000;

/** A server with the tool "t". */
const serverOf = (fields, structuredContent) => async (_url, init) => {
  const { id, method } = JSON.parse(init.body);
  const answers = {
    "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
    "tools/list": { tools: [{ name: "t", inputSchema: { type: "object" }, ...fields }] },
    "tools/call": { content: [{ type: "text", text: "done" }], structuredContent },
  };
  return Response.json({ jsonrpc: "2.0", id, result: answers[method] });
};

const $n = (at) => ({ $ref: `#/$defs/n${at}` });
const object = (v, $defs) => ({ type: "object", properties: { v }, $defs });
/** 2^40 times the same schema. */
function doubled(keyword) {
  const levels = Array.from({ length: 40 }, (_, at) => [
    `n${at + 1}`,
    { [keyword]: [$n(at), $n(at)] },
  ]);
  return object($n(40), { n0: { type: "string" }, ...Object.fromEntries(levels) });
}
const nested = (levels) =>
  levels === 0 ? { type: "integer" } : { anyOf: [nested(levels - 1), nested(levels - 1)] };
const lists = { type: "array", items: { $ref: "#/$defs/a" } };
const deepList = Array.from({ length: 40 }).reduce((inner) => [inner], 5);
const long = `${"a".repeat(50)}!`;

const CASES = [
  ["doubled allOf", doubled("allOf"), { v: "x" }, "error"],
  ["doubled anyOf", doubled("anyOf"), { v: 1 }, "error"],
  ["doubled oneOf", doubled("oneOf"), { v: "x" }, "error"],
  ["4096 alternatives inside each other", object(nested(12)), { v: "x" }, "error"],
  [
    "a circle of references",
    object({ $ref: "#/$defs/a" }, { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }),
    { v: 1 },
    "error",
  ],
  ["a reference to itself", { type: "object", $ref: "#" }, {}, "error"],
  [
    "twice as many ways for each level of a value",
    object({ $ref: "#/$defs/a" }, { a: { anyOf: [lists, { ...lists, minItems: 0 }] } }),
    { v: deepList },
    "error",
  ],
  [
    "a pattern that tries everything",
    object({ type: "string", pattern: "^(a+)+$" }),
    { v: long },
    "error",
  ],
  [
    "such a pattern that looks ahead",
    object({ type: "string", pattern: "^(?!x)((a|a)*)*$" }),
    { v: long },
    "error",
  ],
  [
    "such a pattern that looks back",
    object({ type: "string", pattern: "^(a*)*\\1$" }),
    { v: long },
    "error",
  ],
  [
    "such a pattern of keys",
    { type: "object", patternProperties: { "^(?=a)(a|a)*$": {} } },
    { [long]: 1 },
    "success",
  ],
  [
    "a pattern of a billion letters",
    object({ type: "string", pattern: "^((a{0,1000}){0,1000}){0,1000}$" }),
    { v: long },
    "BAD_PATTERN",
  ],
];

/** The result of `run`, which must not take long. */
async function quickly(run) {
  const begun = performance.now();
  const result = await run();
  const passed = performance.now() - begun;
  assert.ok(passed < LONGEST_MS, `${passed} ms`);
  return result;
}

/** The tool "t", or the code that it was refused with. */
async function load(fields, structuredContent, options) {
  const refused = [];
  const tools = await loadMcpTools(URL_OF_ALL, {
    fetch: serverOf(fields, structuredContent),
    onRefused: ({ error }) => refused.push(error.code),
    ...options,
  });
  return { tools, refused };
}

/** An agent whose model calls the tool once. */
function agentOf(tools, args) {
  const tool_calls = [{ name: "t", args, id: "1" }];
  const model = new ScriptedModel({ responses: [{ content: "", tool_calls }, "Done."] });
  return createAgent({ model, tools, checkpointer: new MemorySaver(), repair: repairBySchema });
}

const resultIn = ({ messages }) => messages.find(({ type }) => type === "tool");
const THREAD = { configurable: { thread_id: "1" } };

for (const [what, inputSchema, args, wanted] of CASES) {
  test(`a tool that takes ${what} ends a call with: ${wanted}`, async () => {
    const { tools, refused } = await quickly(() => load({ inputSchema }));
    if (tools.length === 0) return assert.deepEqual(refused, [wanted]);
    const done = await quickly(() => agentOf(tools, args).invoke({ messages: "go" }, THREAD));
    const { status, content } = resultIn(done);
    assert.equal(status, wanted, content);
    assert.ok(JSON.stringify(content).length < 20_000, `${content.length} characters`);
  });

  // What a tool gives is read at its first call.
  const ended = wanted === "success" ? wanted : "error";
  test(`a tool that gives ${what} ends a call with: ${ended}`, async () => {
    const { tools } = await quickly(() => load({ outputSchema: inputSchema }, args));
    const done = await quickly(() => agentOf(tools, {}).invoke({ messages: "go" }, THREAD));
    const { status, content } = resultIn(done);
    assert.equal(status, ended, content);
    assert.ok(JSON.stringify(content).length < 20_000, `${content.length} characters`);
  });

  if (wanted === "BAD_PATTERN") continue;

  test(`a tool that takes ${what} is shown in a form, and an edit that is wrong asks again`, async () => {
    const { tools } = await load({ inputSchema }, undefined, { approval: "ask" });
    const agent = agentOf(tools, args);
    const asked = await quickly(() => agent.invoke({ messages: "go" }, THREAD));
    const schema = toolJsonSchema(tools[0]);
    if (asked[INTERRUPT] === undefined) return assert.equal(resultIn(asked).status, "error");
    const [{ value }] = asked[INTERRUPT];
    const form = await quickly(async () => formOf(schema, value.action_request.args));
    await quickly(async () => readForm(form, {}));
    const edit = { type: "edit", args: { action: "t", args } };
    await quickly(() => agent.invoke(new Command({ resume: edit }), THREAD));
  });

  test(`a tool that takes ${what} is offered to every model, or refused`, async () => {
    const { tools } = await load({ inputSchema });
    for (const column of columns) {
      const service = serviceOf(column, [{ answer: HELLO }]);
      const model = column.create({ fetch: service.fetch, maxRetries: 0 });
      await quickly(async () => {
        try {
          await model.bindTools(tools).invoke("hi");
          const sent = JSON.stringify(service.requests[0].body).length;
          assert.ok(sent < 2_000_000, `${column.name}: ${sent} characters`);
        } catch (error) {
          assert.ok(error.code !== undefined, `${column.name}: ${error.stack}`);
        }
      });
    }
  });
}
