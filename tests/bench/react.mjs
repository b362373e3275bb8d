// SPDX-License-Identifier: MIT
// docs/benchmarks.md: a ReAct agent with one tool call, plain and saved; 50 parallel calls in a
// ToolNode.
import * as langgraphPrebuilt from "@langchain/langgraph/prebuilt";
import * as weftPrebuilt from "weftgraph/prebuilt";
import { compare } from "./measure.mjs";

let serial = 0;

/**
 * A model that answers at once: one tool call, then a text. The same object shape for both
 * libraries.
 */
function model(lib) {
  return {
    bindTools() {
      return this;
    },
    async invoke(messages) {
      const last = messages[messages.length - 1];
      const type = last.getType();
      return type === "tool"
        ? new lib.AIMessage({ content: "done", id: `a${serial++}` })
        : new lib.AIMessage({
            content: "",
            id: `a${serial++}`,
            tool_calls: [
              { name: "add", args: { a: 1, b: 2 }, id: `c${serial++}`, type: "tool_call" },
            ],
          });
    },
    lc_runnable: true,
    _modelType: () => "base_chat_model",
  };
}

function adder(lib) {
  const schema = {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  };
  return lib.tool(async ({ a, b }) => String(a + b), { name: "add", description: "adds", schema });
}

function agent(lib, saved, runs) {
  const app = lib.createReactAgent({
    llm: model(lib),
    tools: [adder(lib)],
    ...(saved ? { checkpointer: new lib.MemorySaver() } : {}),
  });
  return async () => {
    for (let i = 0; i < runs; i++) {
      const config = saved ? { configurable: { thread_id: `r${serial++}` } } : {};
      const result = await app.invoke({ messages: [new lib.HumanMessage("add 1 and 2")] }, config);
      if (result.messages.length !== 4)
        throw new Error(`the agent said ${result.messages.length} messages`);
    }
  };
}

/** Work that is `times` as much as what is told of. */
function scaled(work, times) {
  return async () => {
    const start = performance.now();
    await work();
    return (performance.now() - start) / times;
  };
}

function parallel(lib) {
  const node = new lib.ToolNode([adder(lib)]);
  const calls = Array.from({ length: 50 }, (_, i) => ({
    name: "add",
    args: { a: i, b: 1 },
    id: `c${i}`,
    type: "tool_call",
  }));
  return async () => {
    for (let i = 0; i < 5; i++) {
      const result = await node.invoke({
        messages: [new lib.AIMessage({ content: "", tool_calls: calls })],
      });
      if (result.messages.length !== 50) throw new Error("a call was not answered");
    }
  };
}

export async function rows(libs) {
  const weft = { ...libs.weft, ...weftPrebuilt };
  const langgraph = { ...libs.langgraph, ...langgraphPrebuilt };
  const made = [];
  for (const saved of [false, true]) {
    made.push(
      await compare(`ReAct agent, one tool call${saved ? " + MemorySaver" : ""}`, {
        unit: "µs/invoke",
        per: 30,
        // What a server sees after its first thousand runs; both sides are given the time to be
        // compiled.
        warmups: 30,
        rounds: 9,
        // A round is long enough to be measured on both sides.
        sides: {
          weft: scaled(agent(weft, saved, 300), 10),
          langgraph: agent(langgraph, saved, 30),
        },
        must: 20,
      }),
    );
  }
  made.push(
    await compare("ToolNode alone, 50 parallel calls", {
      unit: "µs",
      per: 5,
      warmups: 30,
      rounds: 9,
      sides: { weft: parallel(weft), langgraph: parallel(langgraph) },
      must: "<= 150 µs",
    }),
  );
  return made;
}
