// SPDX-License-Identifier: MIT
// The JSON Schemas of a graph's state, input, output, update and context, of zod 3 and 4 and of
// StateSchema; and the set of namespaces that running graphs have seen.
import * as theirs from "@langchain/langgraph/zod/schema";
import * as theirZod from "@langchain/langgraph/zod";
import { z as zod3 } from "zod/v3";
import { z as zod4 } from "zod/v4";
import * as mini from "zod/mini";
import * as ours from "weftgraph/zod/schema";
import * as ourZod from "weftgraph/zod";
import { same } from "./surface.mjs";

function graphs(lib, { withLangGraph }) {
  const of = (...args) =>
    new lib.StateGraph(...args)
      .addNode("n", () => ({}))
      .addEdge(lib.START, "n")
      .compile();
  const made = {};
  for (const [version, z] of [
    ["3", zod3],
    ["4", zod4],
  ]) {
    const state = () =>
      z.object({
        a: z.string().describe("A"),
        b: z.number().int().min(1).default(3),
        c: z.array(z.string()).optional(),
        d: z.enum(["x", "y"]).nullable(),
        e: z.object({ f: z.boolean(), g: z.union([z.string(), z.number()]) }),
        h: z.record(z.string(), z.number()),
        i: z.tuple([z.string(), z.number()]),
        j: z.literal("lit"),
        k: z.any(),
      });
    made[`state of zod ${version}`] = of(state());
    made[`all of zod ${version}`] = of(
      { state: state(), input: z.object({ a: z.string() }), output: z.object({ b: z.number() }) },
      z.object({ user: z.string(), deep: z.object({ n: z.number().default(1) }).optional() }),
    );
    made[`reducers of zod ${version}`] = of(
      z.object({
        list: withLangGraph(z.array(z.string()), {
          reducer: {
            schema: z.union([z.string(), z.array(z.string())]),
            fn: (left, right) => left.concat(right),
          },
          default: () => [],
          jsonSchemaExtra: { langgraph_type: "list", more: { x: 1 } },
        }),
        text: withLangGraph(z.string().describe("said"), {
          jsonSchemaExtra: { description: "said better", kind: "text" },
        }),
        plain: z.string(),
      }),
    );
  }
  const text = (z) => z.string().transform((said) => said.length);
  made["transforms and open objects of zod 4"] = of(
    zod4.object({
      bare: text(zod4),
      said: text(zod4).describe("in letters"),
      read: zod4.string().describe("a number").transform(Number),
      twice: text(zod4).pipe(zod4.number()).transform(String),
      missing: text(zod4).optional(),
      none: text(zod4).nullable(),
      list: zod4.array(text(zod4)).min(2),
      deep: zod4.object({ a: text(zod4).optional() }).optional(),
      open: zod4.looseObject({ b: zod4.looseObject({ c: text(zod4) }) }),
      lists: zod4.array(zod4.looseObject({})).describe("of any"),
      rest: zod4.object({ a: zod4.string() }).catchall(zod4.number()),
      strict: zod4.strictObject({ a: text(zod4) }),
      maybe: zod4.looseObject({}).nullable(),
      filled: zod4.looseObject({}).default({}),
      both: zod4.codec(zod4.string(), zod4.number(), { decode: Number, encode: String }),
    }),
    zod4.looseObject({ user: text(zod4) }),
  );
  made["enums of zod 3"] = of(
    zod3.object({
      mixed: zod3.nativeEnum({ A: 1, B: "x", 1: "A" }),
      texts: zod3.nativeEnum({ A: "a" }),
      numbers: zod3.nativeEnum({ A: 1, 1: "A" }).optional(),
      said: text(zod3),
    }),
  );
  made["zod mini"] = of(
    mini.object({
      a: mini.string(),
      b: mini.optional(mini.number()),
      c: mini._default(mini.string(), "x"),
      d: mini.nullable(mini.string()),
      deep: mini.object({ e: mini.string() }),
      list: withLangGraph(mini.array(mini.string()), {
        reducer: { schema: mini.string(), fn: (left, right) => left.concat(right) },
        default: () => [],
      }),
    }),
    mini.object({ user: mini.string() }),
  );
  made.messages = of(lib.MessagesZodState);
  made.schema = of(
    new lib.StateSchema({
      a: zod4.string(),
      list: new lib.ReducedValue(
        zod4.array(zod4.string()).default(() => []),
        {
          inputSchema: zod4.string(),
          reducer: (left, right) => left.concat(right),
          jsonSchemaExtra: { kind: "list" },
        },
      ),
    }),
  );
  made.annotation = of(lib.MessagesAnnotation);
  return made;
}

same("JSON Schemas of graphs", (lib, t) => {
  const [schemas, zod] = t.isPeer ? [theirs, theirZod] : [ours, ourZod];
  const all = graphs(lib, zod);
  for (const [label, graph] of Object.entries(all)) {
    for (const [name, read] of Object.entries(schemas)) t.note(`${name} of ${label}`, read(graph));
    t.note(
      `${label} with an empty registry`,
      schemas.getStateTypeSchema(graph, new zod.SchemaMetaRegistry()),
    );
  }
  for (const other of [undefined, null, {}, all.messages.builder, "x"])
    for (const [name, read] of Object.entries(schemas)) t.note(`${name} of nothing`, read(other));
});

same("getSubgraphsSeenSet", (lib, t) => {
  const seen = lib.getSubgraphsSeenSet();
  t.note("is", [seen instanceof Set, seen.size, lib.getSubgraphsSeenSet() === seen]);
});
