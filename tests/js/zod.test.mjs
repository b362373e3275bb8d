// SPDX-License-Identifier: MIT
// `weftgraph/zod`: what importing it gives to zod 3.
// Own process: LangGraph.js, which other tests load, gives the same.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z as four } from "zod";
import * as mini from "zod/mini";
import { z } from "zod/v3";
import { MessagesZodState, START, StateGraph } from "weftgraph";
import { schemaMetaRegistry } from "weftgraph/zod";

const concat = (left, right) => left.concat(right);

test("zod 3: .langgraph.reducer and .langgraph.metadata", async () => {
  const state = z.object({
    list: z.array(z.string()).default(["d"]).langgraph.reducer(concat, z.string()),
    bare: z.array(z.string()).langgraph.reducer(concat),
    said: z.string().langgraph.metadata({ langgraph_nodes: ["x"] }),
  });
  assert.deepEqual(schemaMetaRegistry.get(state.shape.said), {
    jsonSchemaExtra: { langgraph_nodes: ["x"] },
  });
  const graph = new StateGraph(state)
    .addNode("work", () => ({ list: "n", bare: ["m"] }))
    .addEdge(START, "work")
    .compile();
  assert.deepEqual(await graph.invoke({ list: "i", said: "s" }), {
    list: ["d", "i", "n"],
    bare: ["m"],
    said: "s",
  });
  await assert.rejects(graph.invoke({ list: ["i"] }), { name: "ZodError" });
});

for (const [version, lib] of Object.entries({ "zod 3": z, "zod 4": four, "zod mini": mini })) {
  test(`${version}: the fields of MessagesZodState stand in an object of one's own`, async () => {
    const state = lib.object({ ...MessagesZodState.shape, n: lib.number() });
    const graph = new StateGraph(state)
      .addNode("work", ({ n }) => ({ messages: ["b"], n: n + 1 }))
      .addEdge(START, "work")
      .compile();
    const { messages, n } = await graph.invoke({ messages: "a", n: 1 });
    assert.deepEqual([messages.map(({ content }) => content), n], [["a", "b"], 2]);
    assert.equal((await graph.invoke({ n: 1 })).messages.length, 1, "messages may be left out");
    await assert.rejects(graph.invoke({ n: "x" }), { name: /ZodError/ });
    if (version === "zod 4") assert.deepEqual(four.toJSONSchema(state).required, ["n"]);
  });
}
