// SPDX-License-Identifier: MIT
// A service worker that answers requests below /agents itself, and keeps threads.
import { MessagesAnnotation, START, StateGraph, interrupt } from "weftgraph";
import { createServer } from "weftgraph/server";
import { serve, waitUntil } from "weftgraph/server/service-worker";
import { ScriptedModel } from "weftgraph/models/scripted";

const responses = Array.from({ length: 20 }, () => "one two three four");
const llm = new ScriptedModel({ responses, tokenDelayMs: 60 });
const agent = new StateGraph(MessagesAnnotation)
  .addNode("answer", async ({ messages }) => ({
    messages: [
      messages.at(-1).content === "ask"
        ? { role: "ai", content: interrupt("may I?") }
        : await llm.invoke(messages),
    ],
  }))
  .addEdge(START, "answer")
  .compile();

serve(createServer({ graphs: { agent }, basePath: "/agents", waitUntil }));
