// SPDX-License-Identifier: MIT
// A server that speaks the protocol of the LangGraph Platform as far as RemoteGraph asks: it notes
// each request and answers what the test laid down, in server-sent events cut into pieces at any
// byte.
import { createServer } from "node:http";

const STATE = {
  values: { a: 1 },
  next: ["n"],
  tasks: [
    {
      id: "task1",
      name: "n",
      path: ["__pregel_pull", "n"],
      error: null,
      interrupts: [{ value: "q", id: "i1" }],
      checkpoint: null,
      state: null,
      result: null,
    },
    {
      id: "task2",
      name: "sub",
      path: ["__pregel_pull", "sub"],
      interrupts: [],
      checkpoint: {
        thread_id: "t",
        checkpoint_ns: "sub:1",
        checkpoint_id: "c9",
        checkpoint_map: {},
      },
      state: null,
    },
  ],
  metadata: { step: 1, source: "loop" },
  created_at: "2026-01-01T00:00:00Z",
  checkpoint: {
    thread_id: "t",
    checkpoint_ns: "",
    checkpoint_id: "c2",
    checkpoint_map: { "": "c2" },
  },
  parent_checkpoint: { thread_id: "t", checkpoint_ns: "", checkpoint_id: "c1", checkpoint_map: {} },
};
const GRAPH = {
  nodes: [
    { id: "__start__", type: "schema", data: "__start__" },
    {
      id: "n",
      type: "runnable",
      data: { id: ["langgraph", "utils", "RunnableCallable"], name: "n" },
      metadata: { m: 1 },
    },
    { id: "__end__", type: "schema", data: "__end__" },
  ],
  edges: [
    { source: "__start__", target: "n" },
    { source: "n", target: "__end__", data: "go", conditional: true },
  ],
};

/** @param {Array<[event: string, data: any]>} events */
function frames(events) {
  return `: heartbeat\r\n\r\n${events.map(([event, data], index) => `id: ${index}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("")}`;
}

/** Writes a text in pieces that end anywhere, also within a letter. */
async function writeInPieces(response, text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 61) {
    response.write(bytes.subarray(at, at + 61));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

/** What a path answers, when a test does not say otherwise. */
function answerOf(method, path) {
  if (path.endsWith("/state") && method === "POST") return { checkpoint: STATE.checkpoint };
  if (path.includes("/state")) return STATE;
  if (path.endsWith("/history"))
    return [STATE, { ...STATE, checkpoint: STATE.parent_checkpoint, parent_checkpoint: null }];
  if (path.endsWith("/graph")) return GRAPH;
  if (path.includes("/subgraphs"))
    return { sub: { input_schema: {}, graph_id: "inner" }, "sub|deep": { graph_id: "deep" } };
  return {};
}

/**
 * @param {{ events?: Array<[string, any]>, answers?: Record<string, any>, status?: number[] }}
 *   [script] `status`: of the first answers
 * @returns {Promise<{ url: string, requests: any[], close: () => Promise<void> }>}
 */
export async function startPlatform({ events = [], answers = {}, status = [] } = {}) {
  const requests = [];
  const codes = [...status];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const path = request.url ?? "/";
    const headers = Object.fromEntries(
      ["content-type", "x-api-key", "x-own", "accept"]
        .filter((name) => request.headers[name] !== undefined)
        .map((name) => [name, request.headers[name]]),
    );
    requests.push({
      method: request.method,
      path,
      headers,
      body: body === "" ? undefined : JSON.parse(body),
    });
    const code = codes.shift() ?? 200;
    const bare = path.split("?")[0];
    if (code !== 200)
      return void response.writeHead(code, { "content-type": "text/plain" }).end("refused");
    if (bare.endsWith("/runs/stream")) {
      response.writeHead(200, {
        "content-type": "text/event-stream",
        "content-location": "/threads/t/runs/r",
      });
      return writeInPieces(response, frames(events));
    }
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(answers[bare] ?? answerOf(request.method, bare)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
