// SPDX-License-Identifier: MIT
// Smoke checks of MCP (docs/guides/mcp.md): the client and the server in the same program, in both
// eras of the protocol, with questions.
import { equal, fails } from "./smoke-assert.mjs";

const ADDRESS = "https://tools.example/mcp";

/** A tool that reports its progress, and one that needs approval. */
function makeTools({ tool }, ran = []) {
  const count = tool(
    async function* ({ to }) {
      for (let progress = 1; progress <= to; progress++) yield { progress, total: to };
      return { to };
    },
    {
      name: "count",
      schema: { type: "object", properties: { to: { type: "integer" } }, required: ["to"] },
      metadata: { mcp: { outputSchema: { type: "object" } } },
    },
  );
  const pay = tool(
    ({ amount }) => {
      ran.push(amount);
      return `paid ${amount}`;
    },
    {
      name: "pay",
      schema: { type: "object", properties: { amount: { type: "number" } } },
      approval: "ask",
    },
  );
  return [count, pay];
}

/** A graph that asks in its second step. */
function makeGraph({ Annotation, START, StateGraph, interrupt }) {
  const State = Annotation.Root({ to: Annotation(), sent: Annotation() });
  return new StateGraph(State)
    .addNode("greet", ({ to }) => ({ to: `Dear ${to}` }))
    .addNode("write", ({ to }) => ({ sent: `${to}, ${interrupt("What?")}` }))
    .addEdge(START, "greet")
    .addEdge("greet", "write")
    .compile();
}

async function checkEras({ weft }) {
  const { connectMcp, serveMcp } = weft.mcp;
  const { fetch } = serveMcp(makeTools(weft));
  for (const era of ["modern", "legacy"]) {
    const client = await connectMcp(ADDRESS, { fetch, era });
    equal(
      (await client.listTools()).tools.map(({ name }) => name),
      ["count", "pay"],
    );
    const seen = [];
    const { structuredContent } = await client.callTool(
      { name: "count", arguments: { to: 2 } },
      { onProgress: ({ progress }) => seen.push(progress) },
    );
    equal(structuredContent, { to: 2 });
    equal(seen, [1, 2]);
    await fails(() => client.callTool({ name: "none" }), { name: "McpError" });
    await client.close();
  }
}

async function checkApproval({ weft, saver, thread }) {
  const { loadMcpTools, serveMcp } = weft.mcp;
  const ran = [];
  const { fetch } = serveMcp(makeTools(weft, ran));
  const tools = await loadMcpTools(ADDRESS, { fetch });
  const call = { type: "tool_call", id: "1", name: "pay", args: { amount: 3 } };
  const graph = new weft.StateGraph(weft.MessagesAnnotation)
    .addNode("tools", new weft.prebuilt.ToolNode(tools))
    .addEdge(weft.START, "tools")
    .compile({ checkpointer: saver });
  const config = thread();
  await graph.invoke(
    { messages: [new weft.AIMessage({ content: "", tool_calls: [call] })] },
    config,
  );
  const { tasks } = await graph.getState(config);
  const [key] = Object.keys(tasks[0].interrupts[0].value.requests);
  equal(ran, []);
  const resume = { [key]: { action: "accept", content: { decision: "approve" } } };
  const { messages } = await graph.invoke(new weft.Command({ resume }), config);
  equal(messages.at(-1).content, "paid 3");
  equal(ran, [3]);
}

async function checkSaver({ weft, saver }) {
  const { connectMcp, serveMcp } = weft.mcp;
  const open = async () => {
    const server = serveMcp(makeGraph(weft), {
      name: "mail",
      schema: { type: "object", properties: { to: { type: "string" } } },
      output: ({ sent }) => sent,
      saver,
    });
    return connectMcp(ADDRESS, { fetch: server.fetch });
  };
  const params = { name: "mail", arguments: { to: "Ada" } };
  const { inputRequests, requestState } = await (await open()).callTool(params);
  const [key] = Object.keys(inputRequests);
  const inputResponses = { [key]: { action: "accept", content: { answer: "hello" } } };
  const answered = { ...params, inputResponses, requestState };
  const { content } = await (await open()).callTool(answered);
  equal(content, [{ type: "text", text: "Dear Ada, hello" }]);
  await fails(async () => (await open()).callTool(answered), { code: -32602 });
}

export const mcpChecks = [
  ["an MCP client and an MCP server talk in both eras of the protocol", checkEras],
  ["a tool of an MCP server that needs approval interrupts the graph", checkApproval],
  ["a question of a served graph is answered through its saver, once", checkSaver],
];
