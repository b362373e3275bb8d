// SPDX-License-Identifier: MIT
// Smoke checks of MCP (docs/guides/mcp.md): the client and the server in the same program, in both
// eras of the protocol, with questions.
import { collect, equal, fails, holds, later } from "./smoke-assert.mjs";

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

/** A server with a resource and a prompt, as the answers of its methods. */
const WHOLE = {
  "server/discover": { supportedVersions: ["2026-07-28"], capabilities: {} },
  "resources/list": { resources: [{ uri: "note://1", name: "note" }] },
  "resources/read": { contents: [{ uri: "note://1", text: "Tromsø" }] },
  "prompts/list": { prompts: [{ name: "greet" }] },
  "prompts/get": { messages: [{ role: "user", content: { type: "text", text: "Greet" } }] },
};

async function checkWhole({ weft }) {
  const fetch = async (_, { body }) => {
    const { id, method } = JSON.parse(body);
    const result = { resultType: "complete", ...WHOLE[method] };
    return Response.json({ jsonrpc: "2.0", id, result });
  };
  const client = await weft.mcp.connectMcp(ADDRESS, { fetch });
  equal([(await client.listResources()).resources[0].uri, client.era], ["note://1", "modern"]);
  equal((await client.readResource({ uri: "note://1" })).contents[0].text, "Tromsø");
  equal((await client.listPrompts()).prompts[0].name, "greet");
  equal((await client.getPrompt({ name: "greet" })).messages[0].content.text, "Greet");
}

/** Calls of tools as a graph's input, and the graph. */
const callsOf = ({ AIMessage }, ...calls) => ({
  messages: [
    new AIMessage({
      content: "",
      tool_calls: calls.map(([name, args], at) => ({ type: "tool_call", id: `${at}`, name, args })),
    }),
  ],
});
const graphOf = ({ MessagesAnnotation, START, StateGraph, prebuilt }, tools, checkpointer) =>
  new StateGraph(MessagesAnnotation)
    .addNode("tools", new prebuilt.ToolNode(tools))
    .addEdge(START, "tools")
    .compile({ checkpointer });

async function checkStreams({ weft }) {
  const { loadMcpTools, serveMcp } = weft.mcp;
  const { fetch } = serveMcp(makeTools(weft));
  const graph = graphOf(weft, await loadMcpTools(ADDRESS, { fetch, include: ["count"] }));
  const input = callsOf(weft, ["count", { to: 2 }]);
  const events = await collect(graph.stream(input, { streamMode: "tools" }));
  equal(
    events.filter(({ event }) => event === "on_tool_event").map(({ data }) => data.progress),
    [1, 2],
  );
}

/** More steps than a call takes that is aborted. */
const STEPS = 200;

async function checkAbort({ weft }) {
  const { connectMcp, serveMcp } = weft.mcp;
  for (const era of ["modern", "legacy"]) {
    let isStopped = false;
    const long = weft.tool(
      async function* (_, { signal }) {
        signal.addEventListener("abort", () => (isStopped = true));
        for (let progress = 1; progress <= STEPS; progress++) {
          yield { progress };
          await later(5);
          signal.throwIfAborted();
        }
      },
      { name: "long", schema: { type: "object" } },
    );
    const client = await connectMcp(ADDRESS, { fetch: serveMcp([long]).fetch, era });
    const controller = new AbortController();
    const options = { signal: controller.signal, onProgress: () => controller.abort() };
    await fails(() => client.callTool({ name: "long" }, options), { name: "AbortError" });
    for (let tries = 0; !isStopped && tries < 100; tries++) await later(5);
    holds(isStopped, `the server of the ${era} era hears of it`);
  }
}

async function checkPolicies({ weft }) {
  const { loadMcpTools, serveMcp } = weft.mcp;
  const { fetch } = serveMcp(makeTools(weft));
  const tools = await loadMcpTools(
    { docs: { url: ADDRESS, fetch }, crm: { url: ADDRESS, fetch, approval: "ask" } },
    { approval: ({ name }) => (name === "pay" ? "deny" : "auto") },
  );
  equal(
    tools.map(({ name, approval }) => [name, approval]),
    [
      ["docs__count", "auto"],
      ["docs__pay", "deny"],
      ["crm__count", "ask"],
      ["crm__pay", "ask"],
    ],
  );
}

async function checkChange({ weft, saver, thread }) {
  const { loadMcpTools, serveMcp } = weft.mcp;
  let description = "Deletes a note";
  let count = 0;
  const fetch = (url, init) => {
    const schema = { type: "object" };
    const remove = weft.tool(() => `${++count} deleted`, { name: "remove", description, schema });
    return serveMcp([remove]).fetch(url, init);
  };
  const graph = async () =>
    graphOf(weft, await loadMcpTools(ADDRESS, { fetch, approval: "ask" }), saver);
  const config = thread();
  const asked = await (await graph()).invoke(callsOf(weft, ["remove", {}]), config);
  description = "Deletes all notes";
  const accept = (more) => new weft.Command({ resume: { type: "accept", ...more } });
  const again = await (await graph()).invoke(accept(), config);
  const [{ value }] = again[weft.INTERRUPT];
  holds(value.problem !== undefined, "the person is told that the approval does not hold");
  holds(value.digest !== asked[weft.INTERRUPT][0].value.digest, "it is another question");
  equal(count, 0);
  const { approval_id } = value;
  const { messages } = await (await graph()).invoke(accept({ approval_id }), config);
  equal([messages.at(-1).content, count], ["1 deleted", 1]);
}

async function checkShapes({ weft }) {
  const tools = [{ name: "echo", inputSchema: { type: "object" } }];
  const listTools = async () => ({ tools });
  const answer = async ({ arguments: { text } }, isAsked) => ({
    content: [{ type: "text", text: isAsked ? text : "asked otherwise" }],
  });
  const clients = {
    // The official client's second argument is a schema in its version 1, options in version 2.
    first: {
      listTools,
      callTool: (params, schema = "default", options = undefined) =>
        answer(params, schema === "default" && options !== undefined),
    },
    second: {
      listTools,
      callTool: (params, options) => answer(params, options.allowInputRequired === true),
    },
  };
  for (const [text, client] of Object.entries(clients)) {
    const [echo] = await weft.mcp.loadMcpTools(client);
    equal([echo.name, await echo.invoke({ text })], ["echo", text]);
  }
}

export const mcpChecks = [
  ["an MCP server's resources and prompts are listed and read", checkWhole],
  ["progress of an MCP server's tool goes to the stream of tools", checkStreams],
  ["an aborted call ends at once, and the MCP server hears of it, in both eras", checkAbort],
  ["approval of tools by MCP server and by tool", checkPolicies],
  ["a call that waits is asked about again when the MCP server changes its tool", checkChange],
  ["clients of other makes are taken by their shape", checkShapes],
  ["an MCP client and an MCP server talk in both eras of the protocol", checkEras],
  ["a tool of an MCP server that needs approval interrupts the graph", checkApproval],
  ["a question of a served graph is answered through its saver, once", checkSaver],
];
