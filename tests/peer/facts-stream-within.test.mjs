// SPDX-License-Identifier: MIT
// A stream that a node reads, inside a stream: what both readers see.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import * as peer from "@langchain/langgraph";
import * as own from "weftgraph";

test("a node that streams a graph's messages hides none of them from the stream around it", async () => {
  for (const streamMode of ["messages", ["messages", "values"], "values"]) {
    for (const subgraphs of [false, true]) {
      const program = async (lib) => {
        const inner = new lib.StateGraph(lib.MessagesAnnotation)
          .addNode("deep", () => ({ messages: [new AIMessage({ content: "whole", id: "w1" })] }))
          .addNode(
            "deeper",
            (state, config) =>
              lib.pushMessage(new AIMessage({ content: "pushed", id: "p1" }), {
                ...config,
                stateKey: null,
              }) && {},
          )
          .addEdge(lib.START, "deep")
          .addEdge("deep", "deeper")
          .compile();
        const read = [];
        const graph = new lib.StateGraph(lib.MessagesAnnotation)
          .addNode("n", async (state, config) => {
            for await (const chunk of await inner.stream(state, { ...config, streamMode }))
              read.push(chunk);
            return {};
          })
          .addEdge(lib.START, "n")
          .compile();
        const told = [];
        for await (const chunk of await graph.stream(
          { messages: [new HumanMessage("hi")] },
          { streamMode: "messages", subgraphs },
        )) {
          const [message, metadata] = subgraphs ? chunk[1] : chunk;
          told.push([message.content, metadata.langgraph_node]);
        }
        return [
          told,
          streamMode === "messages" ? read.map(([message]) => message.content) : undefined,
        ];
      };
      const [told, read] = await program(own);
      assert.deepEqual(told, (await program(peer))[0]);
      // LangGraph.js gives what is pushed to the outer stream alone.
      if (read !== undefined) assert.deepEqual(read, ["whole", "pushed"]);
    }
  }
});
