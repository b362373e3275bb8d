// SPDX-License-Identifier: MIT
// The JSON Schemas of a graph's state, input, output, update and context, of zod 3 and 4 and of StateSchema; and the set of
// namespaces that running graphs have seen.
import * as theirs from "@langchain/langgraph/zod/schema";
import * as theirZod from "@langchain/langgraph/zod";
import { z as zod3 } from "zod/v3";
import { z as zod4 } from "zod/v4";
import * as ours from "weftgraph/zod/schema";
import * as ourZod from "weftgraph/zod";
import { same } from "./surface.mjs";

function graphs(lib, { withLangGraph }) {
  const of = (...args) => new lib.StateGraph(...args).addNode("n", () => ({})).addEdge(lib.START, "n").compile();
  const made = {};
  for (const [version, z] of [["3", zod3], ["4", zod4]]) {
    const state = () => z.object({
      a: z.string().describe("A"), b: z.number().int().min(1).default(3), c: z.array(z.string()).optional(), d: z.enum(["x", "y"]).nullable(),
      e: z.object({ f: z.boolean(), g: z.union([z.string(), z.number()]) }), h: z.record(z.string(), z.number()), i: z.tuple([z.string(), z.number()]), j: z.literal("lit"), k: z.any(),
    });
    made[`state of zod ${version}`] = of(state());
    made[`all of zod ${version}`] = of({ state: state(), input: z.object({ a: z.string() }), output: z.object({ b: z.number() }) }, z.object({ user: z.string(), deep: z.object({ n: z.number().default(1) }).optional() }));
    made[`reducers of zod ${version}`] = of(z.object({
      list: withLangGraph(z.array(z.string()), { reducer: { schema: z.union([z.string(), z.array(z.string())]), fn: (left, right) => left.concat(right) }, default: () => [], jsonSchemaExtra: { langgraph_type: "list", more: { x: 1 } } }),
      text: withLangGraph(z.string().describe("said"), { jsonSchemaExtra: { description: "said better", kind: "text" } }),
      plain: z.string(),
    }));
  }
  made.messages = of(lib.MessagesZodState);
  made.schema = of(new lib.StateSchema({ a: zod4.string(), list: new lib.ReducedValue(zod4.array(zod4.string()).default(() => []), { inputSchema: zod4.string(), reducer: (left, right) => left.concat(right), jsonSchemaExtra: { kind: "list" } }) }));
  made.annotation = of(lib.MessagesAnnotation);
  return made;
}

same("JSON Schemas of graphs", (lib, t) => {
  const [schemas, zod] = t.isPeer ? [theirs, theirZod] : [ours, ourZod];
  const all = graphs(lib, zod);
  for (const [label, graph] of Object.entries(all)) {
    for (const [name, read] of Object.entries(schemas)) t.note(`${name} of ${label}`, read(graph));
    t.note(`${label} with an empty registry`, schemas.getStateTypeSchema(graph, new zod.SchemaMetaRegistry()));
  }
  for (const other of [undefined, null, {}, all.messages.builder, "x"]) for (const [name, read] of Object.entries(schemas)) t.note(`${name} of nothing`, read(other));
});

same("getSubgraphsSeenSet", (lib, t) => {
  const seen = lib.getSubgraphsSeenSet();
  t.note("is", [seen instanceof Set, seen.size, lib.getSubgraphsSeenSet() === seen]);
});
