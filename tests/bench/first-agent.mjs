// SPDX-License-Identifier: MIT
// The agent whose first answer is timed in pages, Workers and Node: it asks a model by shape, calls
// a tool made with tool() and answers, with a MemorySaver. The same program for both packages.

/** What each package is imported as, by side. @param {string} langgraph its entry there */
export function importsOf(langgraph) {
  return {
    weft: 'import { MemorySaver } from "weftgraph"; import { createReactAgent } from "weftgraph/prebuilt"; import { tool } from "weftgraph/tools"; const message = (fields) => ({ role: "assistant", ...fields });',
    // LangGraph.js takes no model by shape that answers plain objects: it gets core's message
    // class, which it loads anyway.
    langgraph: `import { MemorySaver } from "${langgraph}"; import { createReactAgent } from "@langchain/langgraph/prebuilt"; import { tool } from "@langchain/core/tools"; import { AIMessage } from "@langchain/core/messages"; const message = (fields) => new AIMessage(fields);`,
  };
}

/** Defines answer(), which makes the agent and gives its answer. */
export const AGENT = `
async function answer() {
  const schema = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] };
  const add = tool(({ a, b }) => String(a + b), { name: "add", description: "Adds.", schema });
  const llm = {
    lc_runnable: true,
    _modelType: () => "base_chat_model",
    bindTools: () => llm,
    invoke: async (messages) => {
      const last = messages[messages.length - 1];
      if (last.tool_call_id !== undefined) return message({ content: "It is " + last.content });
      return message({ content: "", tool_calls: [{ id: "1", name: "add", args: { a: 1, b: 2 }, type: "tool_call" }] });
    },
  };
  const agent = createReactAgent({ llm, tools: [add], checkpointer: new MemorySaver() });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: "1 and 2?" }] }, { configurable: { thread_id: "t" } });
  const { content } = messages[messages.length - 1];
  if (content !== "It is 3") throw new Error("wrong");
  return content;
}
`;
