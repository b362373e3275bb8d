// SPDX-License-Identifier: MIT
// A page that uses MCP servers on other origins, keeps its threads in IndexedDB, and serves tools
// itself, to a frame or a worker over a port.
import { Command, MessagesAnnotation, START, StateGraph } from "weftgraph";
import { connectMcp, loadMcpTools } from "weftgraph/mcp";
import { serveMcp } from "weftgraph/mcp/server";
import { ToolNode } from "weftgraph/prebuilt";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { serveFrom } from "weftgraph/server/service-worker";
import { tool } from "weftgraph/tools";

const thread = { configurable: { thread_id: "1" } };

/** A graph that calls one tool of a server. */
async function graphOf(url) {
  return new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(await loadMcpTools(url)))
    .addEdge(START, "tools")
    .compile({ checkpointer: new IdbfsSaver({ prefix: "mcp" }) });
}

globalThis.tab = {
  /** Lists a server's tools and calls some. */
  async use(url, calls, answer) {
    const client = await connectMcp(url, answer && { onElicit: () => answer });
    const { tools } = await client.listTools();
    const progress = [];
    const results = [];
    for (const call of calls)
      results.push(
        await client.callTool(call, { onProgress: (one) => progress.push(one.progress) }),
      );
    await client.close();
    return { era: client.era, names: tools.map(({ name }) => name), results, progress };
  },

  /** Why a server cannot be reached. */
  async refused(url) {
    return connectMcp(url).then(
      () => "",
      ({ code, message }) => `${code}: ${message}`,
    );
  },

  /** Begins a call that asks. */
  async ask(url, name, args) {
    const tool_calls = [{ type: "tool_call", id: "1", name, args }];
    const graph = await graphOf(url);
    await graph.invoke({ messages: [{ role: "assistant", content: "", tool_calls }] }, thread);
  },

  /** The question that the thread has. */
  async question(url) {
    const { tasks } = await (await graphOf(url)).getState(thread);
    return tasks[0].interrupts[0].value.requests;
  },

  async resume(url, resume) {
    const { messages } = await (await graphOf(url)).invoke(new Command({ resume }), thread);
    return messages.at(-1).content;
  },

  /** Serves a tool over a port to a client in the same page. */
  async overPort() {
    const title = tool(() => document.title, { name: "title", schema: { type: "object" } });
    const { port1, port2 } = new MessageChannel();
    const stop = serveMcp([title]).listen(port1);
    const { fetch } = serveFrom(port2);
    const results = [];
    for (const era of ["modern", "legacy"]) {
      const client = await connectMcp("http://weft.local/mcp", { fetch, era });
      results.push((await client.callTool({ name: "title" })).content[0].text);
    }
    stop();
    return results;
  },
};
