// SPDX-License-Identifier: MIT
// docs/benchmarks.md: a 2,000-token stream through streamMode "messages": µs per token over the raw
// iterator.
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { ScriptedModel } from "weftgraph/models/scripted";
import { compare, round } from "./measure.mjs";

const TOKENS = 2000;
const TEXT = Array.from({ length: TOKENS }, (_, i) => `w${i % 10} `).join("");

function graphOf(lib, model) {
  return new lib.StateGraph(lib.MessagesAnnotation)
    .addNode("say", async (state, config) => ({
      messages: [await model.invoke(state.messages, config)],
    }))
    .addEdge(lib.START, "say")
    .compile();
}

function streamed(lib, model) {
  const app = graphOf(lib, model);
  return async () => {
    let chunks = 0;
    for await (const [chunk] of await app.stream(
      { messages: [new lib.HumanMessage("go")] },
      { streamMode: "messages" },
    )) {
      if (chunk.content !== "") chunks++;
    }
    if (chunks < TOKENS) throw new Error(`only ${chunks} chunks came`);
  };
}

function raw(lib, model) {
  return async () => {
    for await (const chunk of await model.stream([new lib.HumanMessage("go")])) void chunk;
  };
}

export async function rows({ weft, langgraph }) {
  const ours = new ScriptedModel({ responses: [TEXT], loop: true, tokenDelayMs: 0 });
  const theirs = new FakeListChatModel({ responses: [TEXT], sleep: 0 });
  const row = await compare("", {
    unit: "µs/token",
    per: TOKENS,
    warmups: 5,
    rounds: 9,
    sides: {
      weft: streamed(weft, ours),
      weftRaw: raw(weft, ours),
      langgraph: streamed(langgraph, theirs),
      langgraphRaw: raw(langgraph, theirs),
    },
  });
  // LangChain's list model streams characters, ours words: each side is compared with its own raw
  // stream, per chunk.
  const perChunk = TOKENS / TEXT.length;
  const over = {
    name: "2,000-token stream through messages, over the raw stream",
    unit: "µs/chunk",
    weft: round(Math.max(0, row.weft - row.weftRaw)),
    langgraph: round(Math.max(0, (row.langgraph - row.langgraphRaw) * perChunk)),
    must: "<= 3 µs",
  };
  return [over];
}
