// SPDX-License-Identifier: MIT
// tool() of LangChain and of Weft: arguments of every kind of schema, results in both forms, what
// both are as Runnables.
import { test } from "node:test";
import assert from "node:assert/strict";
import * as core from "@langchain/core/tools";
import { RunnableLambda } from "@langchain/core/runnables";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import * as own from "weftgraph";

const view = (value) =>
  typeof value?.getType === "function"
    ? [value.getType(), value.content, value.name, value.tool_call_id, value.status, value.artifact]
    : value;
const outcome = async (tool, work) => {
  try {
    return view(await work(tool));
  } catch (error) {
    // LangChain leaves its class the name of Error.
    return { class: error.constructor.name, message: error.message, output: error.output };
  }
};
const same = async (note, work) =>
  assert.deepEqual(await outcome(own.tool, work), await outcome(core.tool, work), note);
const call = (args = {}) => ({ name: "t", args, id: "1", type: "tool_call" });

const schemas = {
  zod: [
    z.object({ a: z.number(), b: z.string().optional() }),
    [{ a: 1 }, { a: "x" }, {}, { a: 1, b: 2 }, { a: 1, z: 1 }, 5, null, [1], "text"],
  ],
  "zod 3": [
    z3.object({ a: z3.number(), n: z3.object({ k: z3.array(z3.string()) }).optional() }),
    [{ a: 1 }, { a: "x" }, {}, { a: 1, n: { k: [1, "b"] } }],
  ],
  nested: [
    z.object({ p: z.object({ q: z.array(z.object({ r: z.enum(["x", "y"]) })) }) }),
    [{ p: { q: [{ r: "x" }] } }, { p: { q: [{ r: "z" }, { r: 1 }] } }, { p: 1 }],
  ],
  "JSON Schema": [
    { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
    [{ a: 1 }, { a: 1, more: 2 }],
  ],
  text: [z.string(), ["text", { input: "t" }]],
  none: [undefined, ["text", { input: "t" }]],
  defaults: [z.object({ a: z.number().default(4) }), [{}, { a: 2 }]],
  transformed: [z.object({ a: z.string().transform((text) => text.length) }), [{ a: "four" }]],
  refined: [
    z
      .object({ a: z.number(), b: z.number() })
      .refine(({ a, b }) => a < b, { message: "a<b", path: ["a"] }),
    [
      { a: 2, b: 1 },
      { a: 1, b: 2 },
    ],
  ],
  "refined later": [
    z.object({ a: z.number() }).refine(async ({ a }) => a > 1, { message: "late" }),
    [{ a: 1 }, { a: 2 }],
  ],
  kinds: [
    z.discriminatedUnion("k", [
      z.object({ k: z.literal("a"), x: z.number() }),
      z.object({ k: z.literal("b") }),
    ]),
    [{ k: "a", x: 1 }, { k: "c" }, { k: "a" }],
  ],
  messages: [z.object({ a: z.string().min(3, "three").regex(/^x/, "an x") }), [{ a: "y" }]],
};

test("a tool reads its arguments as LangChain's does", async () => {
  for (const [kind, [schema, inputs]] of Object.entries(schemas)) {
    for (const input of inputs) {
      for (const verboseParsingErrors of [false, true]) {
        const made = (tool) =>
          tool((args) => `got ${JSON.stringify(args)}`, {
            name: "t",
            description: "d",
            verboseParsingErrors,
            ...(schema === undefined ? {} : { schema }),
          });
        const note = `${kind} ${JSON.stringify(input)}`;
        await same(note, (tool) => made(tool).invoke(input));
        await same(note, (tool) => made(tool).invoke(call(input)));
      }
    }
  }
});

test("a tool's results become messages as LangChain's do", async () => {
  const results = [
    "s",
    3,
    null,
    undefined,
    false,
    [1, 2],
    { a: 1 },
    [{ type: "text", text: "x" }],
    [{ type: "text", text: "x" }, 1],
    "",
    new Date(0),
    new Map([[1, 2]]),
    NaN,
    ["a", "b"],
    [{ type: "image", source_type: "url", url: "u" }],
    [],
  ];
  const made = (tool, result, responseFormat) =>
    tool(() => result, { name: "t", description: "d", schema: z.object({}), responseFormat });
  for (const result of results) {
    for (const input of [{}, call()]) {
      await same(JSON.stringify(result), (tool) => made(tool, result).invoke(input));
      await same("a pair", (tool) =>
        made(tool, [result, result], "content_and_artifact").invoke(input),
      );
      await same("no pair", (tool) => made(tool, result, "content_and_artifact").invoke(input));
    }
  }
});

test("a tool is a Runnable as LangChain's is", async () => {
  const made = (tool) =>
    tool(({ a }, config) => `${a} ${config.tags?.join() ?? ""} ${config.metadata?.m}`, {
      name: "t",
      description: "d",
      schema: z.object({ a: z.number() }),
    });
  const ways = {
    names: (one) => [
      one.name,
      one.getName(),
      one.description,
      one.returnDirect,
      one.responseFormat,
      one.verboseParsingErrors,
      one.lc_runnable,
      one.lc_namespace,
    ],
    batch: (one) => one.batch([{ a: 1 }, { a: 2 }]),
    stream: async (one) => {
      const chunks = [];
      for await (const chunk of await one.stream({ a: 1 })) chunks.push(chunk);
      return chunks;
    },
    pipe: (one) => one.pipe(RunnableLambda.from((text) => text.length)).invoke({ a: 1 }),
    withConfig: (one) => one.withConfig({ tags: ["z"], metadata: { m: 1 } }).invoke({ a: 1 }),
    withFallbacks: (one) =>
      one.withFallbacks([RunnableLambda.from(() => "other")]).invoke({ a: "no" }),
  };
  for (const [note, way] of Object.entries(ways)) await same(note, async (tool) => way(made(tool)));
  await same("withRetry", (tool) => {
    let turns = 0;
    const shaky = tool(
      () => {
        if (turns++ === 0) throw new Error("first");
        return `turn ${turns}`;
      },
      { name: "t", description: "d", schema: z.object({}) },
    );
    return shaky.withRetry({ stopAfterAttempt: 2 }).invoke({});
  });
});
