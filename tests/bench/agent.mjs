// SPDX-License-Identifier: MIT
// docs/benchmarks.md: createAgent with three middlewares and one tool call, through langchain and
// Weft.
import * as langchain from "langchain";
import * as weftAgent from "weftgraph/agent";
import { compare } from "./measure.mjs";

let serial = 0;

/** A model that answers at once: one tool call, then a text. */
function model(lib) {
  return {
    bindTools() {
      return this;
    },
    async invoke(messages) {
      const isAnswered = messages[messages.length - 1].getType() === "tool";
      const id = `a${serial++}`;
      if (isAnswered) return new lib.AIMessage({ content: "done", id });
      const calls = [{ name: "add", args: { a: 1, b: 2 }, id: `c${serial++}`, type: "tool_call" }];
      return new lib.AIMessage({ content: "", id, tool_calls: calls });
    },
    lc_runnable: true,
    _modelType: () => "base_chat_model",
    _streamResponseChunks() {}, // langchain knows a chat model by it
  };
}

function middlewares({ createMiddleware }) {
  let seen = 0;
  return [
    createMiddleware({
      name: "Count",
      beforeModel: () => void seen++,
      afterModel: () => void seen++,
    }),
    createMiddleware({
      name: "Prompt",
      wrapModelCall: (request, handler) => handler({ ...request, systemPrompt: "Be brief." }),
    }),
    createMiddleware({ name: "Tools", wrapToolCall: (request, handler) => handler(request) }),
  ];
}

function agent(lib, runs) {
  const schema = {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  };
  const add = lib.tool(async ({ a, b }) => String(a + b), {
    name: "add",
    description: "adds",
    schema,
  });
  const app = lib.createAgent({ model: model(lib), tools: [add], middleware: middlewares(lib) });
  return async () => {
    for (let i = 0; i < runs; i++) {
      const result = await app.invoke({ messages: [new lib.HumanMessage("add 1 and 2")] });
      if (result.messages.length !== 4)
        throw new Error(`the agent said ${result.messages.length} messages`);
    }
  };
}

/** Work that is `times` as much as what is told of: a round is long enough on both sides. */
function scaled(work, times) {
  return async () => {
    const start = performance.now();
    await work();
    return (performance.now() - start) / times;
  };
}

export async function rows({ weft, langgraph }) {
  return [
    await compare("createAgent, three middlewares, one tool call", {
      unit: "µs/invoke",
      per: 30,
      // What a server sees after its first thousand runs, as the row of the ReAct agent.
      warmups: 30,
      rounds: 9,
      sides: {
        weft: scaled(agent({ ...weft, ...weftAgent }, 300), 10),
        langgraph: agent({ ...langgraph, ...langchain }, 30),
      },
      must: 20,
    }),
  ];
}
