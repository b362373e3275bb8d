// SPDX-License-Identifier: MIT
// `weftgraph/zod`: what importing it gives to zod 3. (LangGraph.js gives the same, so one process can try only one.)
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod/v3";
import { START, StateGraph } from "weftgraph";
import { schemaMetaRegistry } from "weftgraph/zod";

const concat = (left, right) => left.concat(right);

test("zod 3: .langgraph.reducer and .langgraph.metadata", async () => {
  const state = z.object({
    list: z.array(z.string()).default(["d"]).langgraph.reducer(concat, z.string()),
    bare: z.array(z.string()).langgraph.reducer(concat),
    said: z.string().langgraph.metadata({ langgraph_nodes: ["x"] }),
  });
  assert.deepEqual(schemaMetaRegistry.get(state.shape.said), { jsonSchemaExtra: { langgraph_nodes: ["x"] } });
  const graph = new StateGraph(state).addNode("work", () => ({ list: "n", bare: ["m"] })).addEdge(START, "work").compile();
  assert.deepEqual(await graph.invoke({ list: "i", said: "s" }), { list: ["d", "i", "n"], bare: ["m"], said: "s" });
  await assert.rejects(graph.invoke({ list: ["i"] }), { name: "ZodError" });
});
