// SPDX-License-Identifier: MIT
// Serves: an agent of version "v2" inside another graph asks about all tool calls of a message at
// once, as it does alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph, interrupt } from "weftgraph";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";

const thread = { configurable: { thread_id: "1" } };
const schema = { type: "object", properties: { n: { type: "number" } } };

for (const version of ["v1", "v2"]) {
  for (const how of ["as a node", "called in a node"]) {
    for (const kind of ["approval", "interrupt() in the tool"]) {
      test(`an agent ${version} ${how} asks about three calls at once: ${kind}`, async () => {
        const ran = [];
        const work = tool(
          ({ n }) => {
            if (kind !== "approval") interrupt(`go on with ${n}?`);
            ran.push(n);
            return `did ${n}`;
          },
          { name: "work", schema, ...(kind === "approval" ? { approval: "ask" } : {}) },
        );
        const tool_calls = [1, 2, 3].map((n) => ({
          name: "work",
          args: { n },
          id: `c${n}`,
          type: "tool_call",
        }));
        const agent = createReactAgent({
          llm: new ScriptedModel({ responses: [{ content: "", tool_calls }, { content: "done" }] }),
          tools: [work],
          version,
        });
        const node = how === "as a node" ? agent : (state, runtime) => agent.invoke(state, runtime);
        const graph = new StateGraph(MessagesAnnotation)
          .addNode("agent", node)
          .addEdge(START, "agent")
          .compile({ checkpointer: new MemorySaver() });
        const { __interrupt__: asked } = await graph.invoke({ messages: "go" }, thread);
        assert.equal(new Set(asked.map(({ id }) => id)).size, 3);
        assert.deepEqual(ran, []);
        const answer = kind === "approval" ? [{ type: "accept" }] : "yes";
        const { messages } = await graph.invoke(
          new Command({ resume: Object.fromEntries(asked.map(({ id }) => [id, answer])) }),
          thread,
        );
        assert.deepEqual(ran.sort(), [1, 2, 3]);
        assert.equal(messages.at(-1).content, "done");
      });
    }
  }
}
