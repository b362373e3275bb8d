// SPDX-License-Identifier: MIT
// Serves docs/semantics.md 19 (ToolNode calls tools by shape; ToolMessage and Command results pass
// through): tool() against @langchain/core's, and the JSON Schema of every kind of schema.
import { test } from "node:test";
import assert from "node:assert/strict";
import Ajv from "ajv";
import { tool as coreTool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import * as mini from "zod/mini";
import { ToolMessage } from "weftgraph/messages";
import {
  Tool,
  ToolInputParsingException,
  UnsupportedSchemaError,
  tool,
  toOpenAITool,
  toolJsonSchema,
} from "weftgraph/tools";
import { fromZod4 } from "../../js/tools/zod4.js";

const call = (args, name = "t", id = "c1") => ({ name, args, id, type: "tool_call" });
const both = (fn, fields) => [tool(fn, fields), coreTool(fn, fields)];
const outcome = async (run) => {
  try {
    const value = await run();
    return value?.tool_call_id === undefined
      ? { value }
      : {
          content: value.content,
          id: value.tool_call_id,
          name: value.name,
          status: value.status,
          artifact: value.artifact,
        };
  } catch (error) {
    return { error: error.message };
  }
};
const same = async (label, [ours, cores], input) =>
  assert.deepEqual(
    await outcome(() => ours.invoke(input)),
    await outcome(() => cores.invoke(input)),
    label,
  );

test("arguments and calls give what LangChain's tools give", async () => {
  for (const lib of [z, z3]) {
    const add = both(({ a, b }) => a + b, {
      name: "add",
      description: "adds",
      schema: lib.object({ a: lib.number(), b: lib.number().default(2) }),
    });
    for (const input of [
      { a: 1, b: 3 },
      { a: 1 },
      call({ a: 1 }),
      { name: "add", args: { a: 1 }, type: "tool_call" },
      { a: "x" },
      call({ a: "x" }),
      {},
      '{"a":1}',
      call({ a: 1, b: [{}] }),
    ])
      await same(JSON.stringify(input), add, input);
  }
  const nested = both((x) => x, {
    name: "n",
    schema: z.object({ list: z.array(z.object({ "odd key": z.string() })), first: z.string() }),
  });
  await same("paths of several issues", nested, call({ list: [{ "odd key": 1 }] }));
  const json = both((x) => x, {
    name: "j",
    description: "d",
    schema: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
  });
  await same("JSON Schema", json, call({ q: "1" }));
});

test("a tool without a schema, or with a text schema, takes text", async () => {
  for (const fields of [
    { name: "t", description: "d" },
    { name: "t", description: "d", schema: z.string() },
  ]) {
    const echo = both((x) => `got ${x}`, fields);
    for (const input of ["hi", { input: "q" }, call({ input: "z" })])
      await same(JSON.stringify(input), echo, input);
    await assert.rejects(
      echo[0].invoke(call({ input: 4 })),
      (error) => error instanceof ToolInputParsingException && error.output === '{"input":4}',
    );
  }
});

test("every kind of result becomes the same message content", async () => {
  const results = [
    "text",
    { a: 1 },
    3,
    undefined,
    null,
    true,
    [1, 2],
    [],
    [{ type: "text", text: "q" }],
    ["a"],
    new Date(0),
    10n,
    new Map([[1, 2]]),
  ];
  for (const result of results)
    await same(
      String(result),
      both(() => result, { name: "t", schema: z.object({}) }),
      call({}),
    );
  const direct = new ToolMessage({ content: "z", tool_call_id: "other" });
  assert.equal(await tool(() => direct, { name: "t" }).invoke(call({})), direct);
  const command = { lg_name: "Command", update: {} };
  assert.equal(await tool(() => command, { name: "t" }).invoke(call({})), command);
});

test("a tool of content_and_artifact gives its message both", async () => {
  const fields = {
    name: "t",
    description: "d",
    schema: z.object({}),
    responseFormat: "content_and_artifact",
  };
  const pair = both(() => ["content", { art: 1 }], fields);
  await same("raw", pair, {});
  await same("call", pair, call({}));
  await same(
    "no pair",
    both(() => "x", fields),
    call({}),
  );
});

test("the function sees the config and its call; errors and abort pass through", async () => {
  const seen = await tool((_, config) => config, { name: "t" }).invoke(
    { name: "t", args: {}, id: undefined, type: "tool_call" },
    { configurable: { a: 1 }, metadata: { z: 1 } },
  );
  assert.deepEqual(
    [seen.configurable, seen.metadata, seen.toolCall.name],
    [{ a: 1 }, { z: 1 }, "t"],
  );
  const boom = new RangeError("boom");
  await assert.rejects(tool(() => Promise.reject(boom), { name: "t" }).invoke("x"), boom);
  const gone = AbortSignal.abort(boom);
  let ran = false;
  await assert.rejects(
    tool(
      () => {
        ran = true;
      },
      { name: "t" },
    ).invoke("x", { signal: gone }),
    boom,
  );
  assert.equal(ran, false);
});

test("rules of use are kept and checked", () => {
  const reconcile = () => undefined;
  const order = tool(() => 1, {
    name: "order",
    approval: "ask",
    idempotent: false,
    onUnknown: "ask",
    reconcile,
    returnDirect: true,
  });
  assert.deepEqual(
    [
      order.approval,
      order.idempotent,
      order.onUnknown,
      order.reconcile,
      order.returnDirect,
      order.description,
    ],
    ["ask", false, "ask", reconcile, true, "order tool"],
  );
  assert.ok(order instanceof Tool && order.getName() === "order");
  for (const bad of [
    {},
    { name: "" },
    { name: "t", approval: "maybe" },
    { name: "t", onUnknown: "x" },
    { name: "t", responseFormat: "x" },
    { name: "t", reconcile: 1 },
    undefined,
  ])
    assert.throws(() => tool(() => 1, bad), TypeError);
  assert.throws(() => tool(undefined, { name: "t" }), TypeError);
});

test("Standard Schema: sync and async validation, transformed values, issue paths", async () => {
  const schema = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: async (value) =>
        value.n > 0
          ? { value: { n: value.n * 2 } }
          : { issues: [{ message: "too small", path: [{ key: "n" }, 0] }] },
    },
  };
  const double = tool(({ n }) => n, { name: "d", schema });
  assert.equal(await double.invoke({ n: 2 }), 4);
  assert.throws(
    () => toOpenAITool(double),
    UnsupportedSchemaError,
    "a schema that cannot be told to a model",
  );
  const told = tool(({ n }) => n, {
    name: "d",
    schema: { ...schema, toJsonSchema: () => ({ type: "object" }) },
  });
  assert.equal(await told.invoke({ n: 2 }), 4);
  await assert.rejects(
    told.invoke({ n: 0 }),
    (error) =>
      error.message ===
      "Received tool input did not match expected schema\n\n✖ too small\n  → at n[0]",
  );
});

const rich = (lib) =>
  lib.object({
    text: lib.string().min(1).max(5).describe("a text"),
    whole: lib.number().int().optional(),
    range: lib.number().min(0).max(9),
    open: lib.number().gt(0).lt(5),
    step: lib.number().multipleOf(2),
    choice: lib.enum(["a", "b"]),
    exact: lib.literal("x"),
    list: lib.array(lib.string()).min(1).max(3),
    maybe: lib.string().nullable(),
    either: lib.union([lib.string(), lib.number()]),
    map: lib.record(lib.string(), lib.number()),
    any: lib.any(),
    pair: lib.tuple([lib.string(), lib.number()]),
    code: lib.string().regex(/^[a-z]+$/),
    kind: lib.discriminatedUnion("k", [
      lib.object({ k: lib.literal("a"), n: lib.number() }),
      lib.object({ k: lib.literal("b") }),
    ]),
    flag: lib.boolean().default(true),
    nothing: lib.null(),
    strict: lib.object({ q: lib.string() }).strict(),
    read: lib.string().readonly(),
    native: lib.nativeEnum({ One: 1, Two: 2, 1: "One", 2: "Two" }),
    merged: lib.intersection(lib.object({ l: lib.string() }), lib.object({ r: lib.number() })),
    checked: lib.object({ c: lib.string() }).refine(() => true),
    mailed: lib.string().email(),
    lost: lib.number().catch(0),
  });
const good = {
  text: "abc",
  range: 3,
  open: 1,
  step: 4,
  choice: "a",
  exact: "x",
  list: ["q"],
  maybe: null,
  either: 2,
  map: { a: 1 },
  any: {},
  pair: ["a", 1],
  code: "abc",
  kind: { k: "a", n: 1 },
  nothing: null,
  strict: { q: "x" },
  read: "x",
  native: 1,
  merged: { l: "x", r: 1 },
  checked: { c: "" },
  mailed: "a@b.cd",
  lost: 1,
};
const changes = [
  { text: "" },
  { text: "toolong" },
  { text: undefined },
  { whole: 1.5 },
  { whole: 2 },
  { range: -1 },
  { range: 9 },
  { open: 0 },
  { open: 5 },
  { step: 3 },
  { choice: "c" },
  { exact: "y" },
  { list: [] },
  { list: ["a", "b", "c", "d"] },
  { list: [1] },
  { maybe: "x" },
  { maybe: 1 },
  { either: true },
  { map: { a: "x" } },
  { pair: ["a"] },
  { pair: ["a", "b"] },
  { pair: ["a", 1, 2] },
  { code: "A" },
  { kind: { k: "c" } },
  { kind: { k: "a" } },
  { kind: { k: "b" } },
  { flag: false },
  { flag: "x" },
  { flag: undefined },
  { nothing: 1 },
  { strict: { q: "x", z: 1 } },
  { strict: {} },
  { read: 1 },
  { native: 3 },
  { native: "One" },
  { merged: { l: "x" } },
  { checked: {} },
  { merged: { l: "x", r: 1, more: 1 } },
  { extra: 1 },
];

test("derived JSON Schema accepts and refuses what zod does", () => {
  const ajv = new Ajv({ strict: false, formats: { email: true }, allowUnionTypes: true });
  const kinds = [
    ["zod 3", rich(z3), toolJsonSchema({ schema: rich(z3) })],
    ["zod 4", rich(z), toolJsonSchema({ schema: rich(z) })],
    ["zod 4 derived", rich(z), fromZod4(rich(z))],
  ];
  for (const [label, schema, json] of kinds) {
    const { items: _, prefixItems, ...pair } = json.properties.pair;
    const draft7 = {
      ...json,
      properties: {
        ...json.properties,
        pair: { ...pair, items: prefixItems, additionalItems: false },
      },
    };
    const validate = ajv.compile(draft7);
    for (const change of [{}, ...changes]) {
      const value = Object.fromEntries(
        Object.entries({ ...good, ...change }).filter(([, field]) => field !== undefined),
      );
      assert.equal(
        validate(value),
        schema.safeParse(value).success,
        `${label} ${JSON.stringify(change)} ${ajv.errorsText(validate.errors)}`,
      );
    }
    assert.equal(json.properties.text.description, "a text");
    assert.equal(json.properties.flag.default, true);
    assert.ok(
      !json.required.includes("flag") &&
        !json.required.includes("whole") &&
        json.required.includes("text"),
    );
    assert.equal(json.$schema, undefined);
  }
});

test("a schema of one text takes the text or { input }, however it is wrapped", async () => {
  const classic = (lib) => [
    lib.string().min(1),
    lib.string().optional(),
    lib.string().default("d"),
    lib.string().readonly(),
    lib.string().brand("B"),
    lib.string().transform((x) => x),
    lib.string().pipe(lib.string()),
    lib.preprocess((x) => x, lib.string()),
    lib.lazy(() => lib.string()),
    lib.enum(["a"]),
    lib.string().nullable(),
    lib.string().catch("c"),
    lib.array(lib.string()),
    lib.object({ input: lib.string() }),
  ];
  const small = [
    mini.string(),
    mini.optional(mini.string()),
    mini._default(mini.string(), "d"),
    mini.readonly(mini.string()),
    mini.pipe(
      mini.string(),
      mini.transform((x) => x),
    ),
    mini.lazy(() => mini.string()),
    mini.nullable(mini.string()),
    mini.array(mini.string()),
  ];
  for (const schema of [...classic(z), ...classic(z3), ...small]) {
    const isText =
      toolJsonSchema({ schema }).required?.[0] === "input" &&
      schema.def?.type !== "object" &&
      schema._def?.typeName !== "ZodObject";
    const said = await tool((given) => given, { name: "t", schema })
      .invoke({ input: "a" })
      .catch(() => undefined);
    assert.equal(said === "a", isText, JSON.stringify(toolJsonSchema({ schema })));
  }
});

test("zod/mini, circles, descriptions and what cannot be said", () => {
  assert.deepEqual(
    toolJsonSchema({ schema: mini.object({ a: mini.optional(mini.string()), n: mini.int() }) }),
    {
      type: "object",
      properties: { a: { type: "string" }, n: { type: "integer" } },
      required: ["n"],
    },
  );
  const tree3 = z3.lazy(() => z3.object({ kids: z3.array(tree3) }));
  const tree4 = z.lazy(() => z.object({ kids: z.array(tree4) }));
  for (const json of [
    toolJsonSchema({ schema: z3.object({ tree: tree3 }) }),
    fromZod4(z.object({ tree: tree4 })),
  ])
    assert.equal(json.properties.tree.properties.kids.type, "array");
  assert.throws(
    () => toolJsonSchema({ schema: z3.object({ when: z3.date() }) }),
    (error) => error instanceof UnsupportedSchemaError && error.code === "UNSUPPORTED_SCHEMA",
  );
  assert.throws(() => fromZod4(z.object({ when: z.date() })), UnsupportedSchemaError);
});

test("OpenAI declarations, of tools of every make", () => {
  const parameters = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };
  const fields = { name: "j", description: "d", schema: parameters };
  const declared = { type: "function", function: { name: "j", description: "d", parameters } };
  assert.deepEqual(toOpenAITool(tool(() => 1, fields)), declared);
  assert.deepEqual(toOpenAITool(coreTool(() => 1, fields)), declared);
  assert.deepEqual(
    convertToOpenAITool(tool(() => 1, fields)),
    declared,
    "LangChain's models declare our tools alike",
  );
  assert.deepEqual(toOpenAITool(declared), declared);
  assert.deepEqual(
    toOpenAITool({ name: "j", description: "d", inputSchema: { jsonSchema: parameters } }),
    declared,
  );
  assert.deepEqual(
    toOpenAITool({ name: "j", description: "d", input_schema: parameters }),
    declared,
  );
  assert.deepEqual(toOpenAITool({ type: "web_search" }), { type: "web_search" });
  assert.deepEqual(toOpenAITool(tool(() => 1, { name: "t" })).function.parameters, {
    type: "object",
    properties: { input: { type: "string" } },
  });
  assert.deepEqual(toolJsonSchema(tool(() => 1, { name: "t", schema: z.string() })), {
    type: "object",
    properties: { input: { type: "string" } },
    required: ["input"],
  });
  for (const bad of [null, 3, {}, { name: "" }]) assert.throws(() => toOpenAITool(bad), TypeError);
});
