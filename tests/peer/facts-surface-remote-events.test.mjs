// SPDX-License-Identifier: MIT
// RemoteGraph's streamEvents of version 3 against a server of our own that speaks the streaming
// protocol.
// Own process: listens on a server of its own.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { HumanMessage } from "@langchain/core/messages";
import { RemoteGraph as Theirs } from "@langchain/langgraph/remote";
import { RemoteGraph as Ours } from "weftgraph/remote";
import { drain, same } from "./surface.mjs";

// The SDK that LangGraph.js came with: an older or a newer one next to it may have no streams of
// threads.
const { Client } = createRequire(import.meta.resolve("@langchain/langgraph"))(
  "@langchain/langgraph-sdk",
);

// The SDK asks a server that is no more again and again: that holds nobody up.
const { setTimeout: later } = globalThis;
globalThis.setTimeout = /** @type {any} */ (
  Object.assign((...call) => /** @type {any} */ (later)(...call).unref(), later)
);

const BEGIN = [
  ["lifecycle", { event: "running", graph_name: "agent" }],
  ["values", { a: 0 }],
];
const END = [
  ["values", { a: 1 }],
  ["lifecycle", { event: "completed", graph_name: "agent" }],
];
const message = (data) => ["messages", data, [], "n"];
const TEXT = [
  message({ event: "message-start", role: "ai", id: "m1" }),
  message({ event: "content-block-start", index: 0, content: { type: "text", text: "" } }),
  message({ event: "content-block-delta", index: 0, delta: { type: "text-delta", text: "hey" } }),
  message({ event: "content-block-finish", index: 0, content: { type: "text", text: "hey" } }),
  message({ event: "message-finish", reason: "stop" }),
];
const INSIDE = [
  ["lifecycle", { event: "started", graph_name: "sub" }, ["s:1"]],
  ["values", { a: 5 }, ["s:1"]],
  ["lifecycle", { event: "completed", graph_name: "sub" }, ["s:1"]],
];
const WHOLE = [
  ...BEGIN,
  ...INSIDE,
  ["updates", { n: { a: 1 } }, [], "n"],
  ...TEXT,
  ["custom", { name: "c", payload: 1 }],
  ...END,
];
const ASKS = [
  ...BEGIN,
  ["input.requested", { interrupt_id: "i1", payload: "q" }, ["n:1"]],
  ["values", { a: 1, __interrupt__: [{ id: "i2", value: "z" }] }],
  ["lifecycle", { event: "interrupted", graph_name: "agent" }],
];

/**
 * @param {Array<[method: string, data: any, namespace?: string[], node?: string]>} script
 * @param {any} answer to the command that starts the run
 */
async function startServer(
  script,
  answer = { type: "success", result: { run_id: "r1" } },
  code = 200,
) {
  const asked = [];
  let opened = 0;
  const text = (channels) =>
    script
      .map(([method, data, namespace = [], node], index) => ({
        type: "event",
        method,
        seq: index + 1,
        event_id: `e${index}`,
        params: { namespace, timestamp: 1000 + index, node, data },
      }))
      .filter(({ method }) => channels.includes(method.split(".")[0]))
      .map((event) => `id: ${event.seq}\nevent: message\ndata: ${JSON.stringify(event)}\n\n`)
      .join("");
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const given = body === "" ? undefined : JSON.parse(body);
    const path = request.url ?? "";
    if (path.endsWith("/stream/events")) {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": here\n\n");
      // LangGraph.js opens a second stream, for all that is read, and closes the first one: the
      // last one tells all, after turns of the event loop in which the second one comes, however
      // busy the machine is.
      const mine = ++opened;
      for (let turn = 0; turn < 25 && mine === opened; turn++) await sleep(2);
      if (mine === opened) response.write(text(given.channels));
      return;
    }
    asked.push([
      request.method,
      path.replace(/[0-9a-f-]{36}/, "ID"),
      request.headers["x-api-key"],
      given,
    ]);
    response
      .writeHead(code, { "content-type": "application/json" })
      .end(JSON.stringify(path.endsWith("/commands") ? { id: given.id, ...answer } : {}));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

/**
 * What a run gives, and what it asked the server besides its streams: with an address, and with the
 * SDK's client.
 */
function run(
  title,
  script,
  read,
  { options = {}, input = { a: 0 }, answer, code, params = {} } = {},
) {
  for (const isClient of [false, true])
    same(`${title}${isClient ? ", by a client" : ""}`, async (_, t) => {
      const server = await startServer(script, answer, code);
      try {
        const address = isClient
          ? { client: new Client({ apiUrl: server.url, apiKey: "key" }) }
          : { url: server.url, apiKey: "key" };
        const graph = new (t.isPeer ? Theirs : Ours)({ graphId: "agent", ...address, ...params });
        await t.try("gives", async () => {
          const opened = await graph.streamEvents(input, {
            version: "v3",
            configurable: { thread_id: "t" },
            ...options,
          });
          const found = await read(opened, server.asked);
          return [
            found,
            opened.interrupted,
            opened.interrupts,
            opened.path,
            opened.extensions,
            isClient && [opened.thread?.threadId.length, opened.thread?.assistantId],
          ];
        });
        t.note("asked", server.asked);
      } finally {
        server.close();
      }
    });
}
const output = (opened) => opened.output;

run("events", WHOLE, drain);
run("output", WHOLE, output);
run("values", WHOLE, (opened) => drain(opened.values));
run("values awaited", WHOLE, async (opened) => await opened.values);
run("lives", WHOLE, (opened) => drain(opened.lifecycle));
run("messages", WHOLE, async (opened) => {
  const found = [];
  for await (const one of opened.messages)
    found.push(one.namespace, await one.text, (await one.output).content, (await one.output).id);
  return found;
});
run(
  "as server-sent events",
  WHOLE,
  async (opened) => (await drain(opened)).map((bytes) => new TextDecoder().decode(bytes)),
  { options: { encoding: "text/event-stream" } },
);
run("a question", ASKS, async (opened) => [await drain(opened), await opened.output]);
run(
  "a failure",
  [...BEGIN, ["lifecycle", { event: "failed", graph_name: "agent", error: "boom" }]],
  async (opened) => [await drain(opened), await opened.output],
);
run("a run that is aborted", BEGIN, async (opened, asked) => {
  const events = [];
  for await (const event of opened) if (events.push(event) === 2) opened.abort("why");
  while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  return [events, await opened.output, opened.signal.aborted];
});
run("a config", WHOLE, output, {
  options: {
    tags: ["x"],
    recursionLimit: 7,
    context: { c: 1 },
    configurable: { thread_id: "t", k: 1 },
    runName: "rn",
  },
});
run("no thread", WHOLE, output, { options: { configurable: {} } });
run("messages as input", WHOLE, output, { input: { messages: [new HumanMessage("hi")] } });
run("no input", WHOLE, output, { input: null });
run("a refusal", WHOLE, output, {
  answer: { type: "error", error: "no_such_run", message: "bad" },
});
run("an answer of no meaning", WHOLE, output, { answer: {} });
run("status 400", WHOLE, output, { code: 400 });
for (const options of [
  { transformers: [] },
  { control: null },
  { interruptBefore: [] },
  { interruptAfter: "*" },
  { control: 1, interruptBefore: [], interruptAfter: [] },
])
  run(`no ${Object.keys(options)}`, WHOLE, output, { options });
run("no interruptBefore of the graph", WHOLE, output, { params: { interruptBefore: ["n"] } });
same("a Command", async (lib, t) => {
  const server = await startServer(WHOLE);
  const graph = new (t.isPeer ? Theirs : Ours)({ graphId: "agent", url: server.url });
  const opened = await graph.streamEvents(
    new lib.Command({ resume: 5, update: { a: 1 }, goto: "x" }),
    { version: "v3", configurable: { thread_id: "t" } },
  );
  t.note("output", await opened.output);
  t.note("asked", server.asked);
  server.close();
});
