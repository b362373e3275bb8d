// SPDX-License-Identifier: MIT
// Zod states with reducers: the registry, withLangGraph, MessagesZodState.
import * as theirs from "@langchain/langgraph/zod";
import { z as z3 } from "zod/v3";
import { z } from "zod";
import * as mini from "zod/mini";
import * as ours from "../../js/zod/registry.js";
import { LIBRARIES, fact } from "./harness.mjs";

const zodOf = (lib) => (lib === LIBRARIES.weft ? ours : theirs);
const concat = (left, right) => left.concat(right);

function one(lib, args, node = () => ({})) {
  return new lib.StateGraph(...args).addNode("work", node).addEdge("__start__", "work").compile();
}

fact("5.13", "zod reducers: which channels a state has", async (lib, t) => {
  const { registry, schemaMetaRegistry, withLangGraph } = zodOf(lib);
  const channels = (schema) =>
    Object.entries(schemaMetaRegistry.getChannelsForSchema(schema)).map(([key, channel]) => [
      key,
      channel.lc_graph_name,
      channel.initialValueFactory?.(),
    ]);
  const list = () => z.array(z.string());
  t.note(
    "zod 4",
    channels(
      z.object({
        d: list()
          .default(["d"])
          .register(registry, { reducer: { fn: concat } }),
        o: list()
          .register(registry, { reducer: { fn: concat } })
          .optional(),
        described: list()
          .register(registry, { reducer: { fn: concat } })
          .describe("x"),
        w: withLangGraph(list(), { reducer: { fn: concat }, default: () => ["w"] }),
        wo: withLangGraph(list().optional(), { reducer: { fn: concat } }),
        k: withLangGraph(z.string(), { default: () => "k" }),
      }),
    ),
  );
  t.note(
    "zod 3",
    channels(
      z3.object({
        d: withLangGraph(z3.array(z3.string()).default(["d"]), { reducer: { fn: concat } }),
        w: withLangGraph(z3.array(z3.string()), { reducer: { fn: concat }, default: () => ["w"] }),
        later: withLangGraph(z3.array(z3.string()), { reducer: { fn: concat } }).default(["z"]),
      }),
    ),
  );
  t.note("messages", [
    channels(lib.MessagesZodState),
    channels(lib.MessagesZodState.extend({ a: z3.string() })),
    channels(z3.object({ m: lib.MessagesZodState.shape.messages, q: z3.string() })),
    channels(z.object({ m: z.custom().register(registry, lib.MessagesZodMeta) })),
  ]);
});

fact("5.13", "zod reducers: the registry itself", async (lib, t) => {
  const { META_EXTRAS_DESCRIPTION_PREFIX, registry, schemaMetaRegistry, withLangGraph } =
    zodOf(lib);
  const text = z.string();
  t.note("added", [
    registry.add(text, { default: () => "a" }) === registry,
    registry.has(text),
    schemaMetaRegistry.has(text),
    Object.keys(registry.get(text)),
    META_EXTRAS_DESCRIPTION_PREFIX,
  ]);
  text.register(registry, { reducer: { fn: concat } });
  t.note("again", Object.keys(schemaMetaRegistry.get(text)));
  schemaMetaRegistry.extend(text, (meta) => ({
    ...meta,
    jsonSchemaExtra: { langgraph_nodes: ["n"] },
  }));
  t.note("extended", [Object.keys(registry.get(text)), registry.has(text)]);
  registry.remove(text);
  t.note("removed", [
    registry.has(text),
    schemaMetaRegistry.has(text),
    schemaMetaRegistry.remove(text) === schemaMetaRegistry,
  ]);
  const reduced = withLangGraph(z.string(), { reducer: { fn: concat } });
  t.note("marks", [
    reduced.lg_reducer_schema === reduced,
    "lg_reducer_schema" in withLangGraph(z.string(), { default: () => "" }),
  ]);
  const state = z.object({
    a: withLangGraph(z.string(), {
      reducer: { fn: concat, schema: z.number() },
      jsonSchemaExtra: { langgraph_nodes: ["x"] },
    }),
    b: z.string(),
  });
  for (const effects of [
    {},
    { withReducerSchema: true },
    { asPartial: true },
    { withJsonSchemaExtrasAsDescription: true },
  ]) {
    const schema = schemaMetaRegistry.getExtendedChannelSchemas(state, effects);
    t.note(JSON.stringify(effects), [
      z.toJSONSchema(schema),
      schema === schemaMetaRegistry.getExtendedChannelSchemas(state, effects),
    ]);
  }
});

for (const [version, Z] of [
  ["4", z],
  ["3", z3],
]) {
  fact("5.13, 5.14", `zod ${version} reducers: input, updates and Overwrite`, async (lib, t) => {
    const { withLangGraph } = zodOf(lib);
    const state = Z.object({
      l: withLangGraph(
        Z.array(Z.string()).default(() => ["zod"]),
        {
          reducer: { schema: Z.union([Z.string(), Z.array(Z.string())]), fn: concat },
          default: () => ["said"],
        },
      ),
      m: withLangGraph(Z.number(), {
        reducer: { fn: (left, right) => left + right },
        default: () => 10,
      }),
      k: withLangGraph(Z.string(), { default: () => "k" }),
      p: withLangGraph(Z.string().default("p"), { jsonSchemaExtra: { langgraph_nodes: ["x"] } }),
    });
    const graph = one(lib, [state], (seen) => (t.note("seen", seen), { l: "x", m: 1 }));
    for (const input of [
      { l: "i", m: 2 },
      {},
      { l: 5 },
      { m: "x" },
      { l: new lib.Overwrite(["o"]) },
      { l: { __overwrite__: ["o"] } },
      { k: new lib.Overwrite("o") },
    ])
      await t.invoke(graph, input);
    for (const value of [
      { l: new lib.Overwrite(["o"]) },
      { l: new lib.Overwrite("o") },
      { l: { type: "__overwrite__", value: ["o"] } },
      { k: new lib.Overwrite("o") },
      { k: new lib.Overwrite(5) },
      { l: ["a", "b"] },
      { m: "1" },
    ]) {
      await t.invoke(
        one(lib, [state], () => value),
        { l: "i" },
      );
    }
  });
}

fact("5.13, 5.14", "zod mini reducers", async (lib, t) => {
  const { registry } = zodOf(lib);
  const state = mini.object({
    r: mini
      .array(mini.string())
      .register(registry, { reducer: { fn: concat, schema: mini.string() }, default: () => [] }),
  });
  for (const input of [{ r: "i" }, { r: ["i"] }])
    await t.invoke(
      one(lib, [state], () => ({ r: "n" })),
      input,
    );
});

fact("5.13, 5.14", "MessagesZodState, alone, extended and as a field", async (lib, t) => {
  const states = [
    lib.MessagesZodState,
    lib.MessagesZodState.extend({ a: z3.string() }),
    z3.object({ messages: lib.MessagesZodState.shape.messages, a: z3.string() }),
    lib.MessagesZodState.merge(z3.object({ a: z3.string() })),
  ];
  for (const state of states) {
    const graph = one(lib, [state], () => ({
      messages: [{ role: "ai", content: "yes", id: "2" }],
    }));
    for (const input of [
      { messages: [{ role: "user", content: "hi", id: "1" }] },
      { messages: [], a: 5 },
      5,
      [],
      null,
    ])
      await t.invoke(graph, input);
  }
  t.note("parsed", [
    lib.MessagesZodState.parse({ messages: [1], b: 1 }),
    lib.MessagesZodState.safeParse({}),
    lib.MessagesZodState.safeParse(5).success,
  ]);
  t.note(
    "shapes",
    [
      lib.MessagesZodState.partial(),
      lib.MessagesZodState.pick({ messages: true }),
      lib.MessagesZodState.omit({ messages: true }),
    ].map(({ shape }) => Object.keys(shape)),
  );
  const nested = z3.object({ chat: lib.MessagesZodState.extend({ a: z3.string() }) });
  for (const value of [{ chat: { messages: [], a: "x" } }, { chat: { a: 5 } }, { chat: 5 }])
    t.note(
      "nested",
      nested.safeParse(value).success ? nested.parse(value) : nested.safeParse(value).error.issues,
    );
  t.note("said", [Object.keys(lib.MessagesZodMeta), lib.MessagesZodMeta.jsonSchemaExtra]);
});

fact("5.13", "schemas asked for a default and a JSON Schema", async (lib, t) => {
  const made = (validate, more) => ({
    "~standard": { version: 1, vendor: "hand", validate, ...more },
  });
  const json = { jsonSchema: { input: () => ({ type: "in" }), output: () => ({ type: "out" }) } };
  const schemas = [
    z.string(),
    z.string().default("q"),
    z.string().optional(),
    z3.string(),
    z3.string().default("q"),
    made(() => 1),
    made(() => ({ value: 1 }), json),
    made(() => ({})),
    made(() => ({ value: 1, issues: [] })),
    made(async () => ({ value: 1 }), json),
    made(
      () => {
        throw new Error("no");
      },
      {
        jsonSchema: {
          input: () => {
            throw new Error("no");
          },
          output: () => 1,
        },
      },
    ),
    {},
    null,
    undefined,
    () => 1,
    { "~standard": {} },
    z.object({ a: z.string().default("x").describe("d") }),
  ];
  for (const schema of schemas) {
    const getter = lib.getSchemaDefaultGetter(schema);
    t.note("schema", [
      lib.isStandardSchema(schema),
      lib.isSerializableSchema(schema),
      lib.getJsonSchemaFromSchema(schema),
      getter === undefined ? "none" : [getter()],
    ]);
  }
});
