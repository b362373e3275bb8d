// SPDX-License-Identifier: MIT
// docs/differences.md, what a compiled graph shows and graphs on a server: each claim holds of
// LangGraph.js, and Weft does the other thing.
// Own process: shortens the waits of all timers, and listens on servers of its own.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import * as coreMessages from "@langchain/core/messages";
import { Runnable } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { RemoteGraph as Theirs } from "@langchain/langgraph/remote";
import { AIMessage as OwnMessage } from "weftgraph/messages";
import { RemoteGraph as Ours } from "weftgraph/remote";
import { toOpenAITool } from "weftgraph/tools";
import { z } from "zod/v3";
import { chain, logState, thread } from "./harness.mjs";
import { differs, saved, tried } from "./differences.mjs";
import { drain } from "./scripted-model.mjs";

const made = (act) => tried(() => (act(), "made"));

differs(
  "what the engine works with is shown, not heeded",
  async (lib) => {
    const act = (name) => () => ({ log: [name] });
    const run = (change) => {
      const graph = chain(lib, { a: act("a"), b: act("b") });
      return tried(async () => (change(graph), (await graph.invoke({ log: [] }))?.log));
    };
    const graph = chain(lib, { a: act("a") });
    return {
      writers: graph.nodes.a.writers === undefined,
      inputChannels: await run((graph) => (graph.inputChannels = "none")),
      channel: await run((graph) => delete graph.channels["branch:to:b"]),
      outputKeys: await tried(() => graph.invoke({}, { outputKeys: ["branch:to:a"] })),
      bound: await run((graph) => (graph.nodes.a.bound = graph.nodes.b.bound)),
    };
  },
  {
    theirs: {
      writers: false,
      inputChannels: undefined,
      channel: ["a"],
      outputKeys: { "branch:to:a": null },
      bound: ["b", "b"],
    },
    ours: {
      writers: true,
      inputChannels: ["a", "b"],
      channel: ["a", "b"],
      outputKeys: "Error: Key branch",
      bound: ["b", "b"],
    },
  },
);

differs(
  "questions by name are the graph's that has them",
  async (lib) => {
    const names = [];
    const node = (_, { interrupt }) => (names.push(Object.keys(interrupt)), {});
    const build = (name, inner) => {
      const builder = new lib.StateGraph(logState(lib), { interrupt: { [name]: lib.interrupt } });
      return builder
        .addNode("n", inner ?? node)
        .addEdge(lib.START, "n")
        .compile(saved(lib));
    };
    await build("outer", build("inner")).invoke({ log: [] }, thread("t"));
    return names;
  },
  { theirs: [["outer"]], ours: [["inner"]] },
);

differs(
  "errors of the caller come early and by name",
  async (lib) => {
    const a = () => ({ log: ["a"] });
    const log = lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] });
    class Unchecked extends lib.StateGraph {
      validate() {
        return this;
      }
    }
    const joins = () => {
      const builder = new lib.StateGraph(logState(lib));
      for (const name of ["a+b", "c", "a", "b+c", "z"]) builder.addNode(name, () => ({}));
      for (const name of ["a+b", "c", "a", "b+c"]) builder.addEdge(lib.START, name);
      builder.addEdge(["a+b", "c"], "z").addEdge(["a", "b+c"], "z").compile();
    };
    const bad = tool(() => "", { name: "t", schema: { type: 7 } });
    return {
      checkpointer: await made(() => chain(lib, { a }, { checkpointer: "memory" })),
      schema: await made(() => new lib.ToolNode([bad])),
      tools: await made(() => new lib.ToolNode()),
      channel: await made(() => new lib.StateGraph(lib.Annotation.Root({ log, bad: 5 }))),
      task: await tried(() => lib.task("t", async () => 1)()),
      previous: await tried(() => lib.getPreviousState()),
      joins: await made(joins),
      validate: await made(() =>
        new Unchecked(logState(lib)).addNode("a", a).addEdge(lib.START, "none").compile(),
      ),
      message: await tried(() => lib.messagesStateReducer([], [null])),
    };
  },
  {
    theirs: {
      checkpointer: "made",
      schema: "made",
      tools: "made",
      channel: "made",
      task: "TypeError: Cannot read properties of undefined (reading 'configurable')",
      previous: "TypeError: Cannot read properties of undefined (reading 'configurable')",
      joins: "made",
      validate: "made",
      message: "TypeError: Cannot read properties of null (reading 'role')",
    },
    ours: {
      checkpointer: "BAD_ARGUMENT",
      schema: "BAD_SCHEMA",
      tools: "BAD_ARGUMENT",
      channel: "StateGraphInputError: Invalid StateGraph input",
      task: "Error: Called a task outside of an entrypoint or of a graph's node",
      previous: "Error: Called getPreviousState() outside the context of an entrypoint",
      joins: "BAD_DEFINITION",
      validate: "UnreachableNodeError: Node `a` is not reachable",
      message: "Error: Unable to coerce message from array",
    },
  },
);

differs(
  "a bad write to a join fails its node, and leaves a thread that can be read",
  async (lib) => {
    const state = logState(lib, { join: () => new lib.NamedBarrierValue(new Set(["a"])) });
    const graph = chain(lib, { a: () => ({ join: "none" }) }, saved(lib, { state }));
    await tried(() => graph.invoke({ log: [] }, thread("t")));
    return tried(async () => (await graph.getState(thread("t"))).next);
  },
  {
    theirs: 'InvalidUpdateError: Invalid update for channel "join" with values ["none"]',
    ours: ["a"],
  },
);

differs(
  "core's classes are not loaded: graphs are Runnables by their looks, messages are equal to core's",
  async (lib) => {
    const graph = chain(lib, { a: () => ({}) });
    const fields = { id: "1", content: "x" };
    const [own, core] = [
      lib.isPeer ? new coreMessages.AIMessage(fields) : new OwnMessage(fields),
      new coreMessages.AIMessage(fields),
    ];
    return {
      looks: [Runnable.isRunnable(graph), graph instanceof Runnable],
      inside: "recurse" in graph.nodes.a.bound,
      message: [coreMessages.AIMessage.isInstance(own), own instanceof coreMessages.AIMessage],
      strict: await made(() => assert.deepStrictEqual(own, core)).catch(() => "another class"),
      json: Object.keys(own.toJSON().kwargs)[0],
    };
  },
  {
    theirs: {
      looks: [true, true],
      inside: true,
      message: [true, true],
      strict: "made",
      json: "id",
    },
    ours: {
      looks: [true, false],
      inside: false,
      message: [true, true],
      strict: "another class",
      json: "content",
    },
  },
);

differs(
  "descriptions of tools name a zod 3 schema that stands in one twice in full",
  async (lib) => {
    const place = z.object({ street: z.string() });
    const schema = z.object({ from: place, to: place });
    const describe = lib.isPeer ? convertToOpenAITool : toOpenAITool;
    const { parameters } = describe(tool(() => "", { name: "t", schema })).function;
    return Object.keys(parameters.properties.to)[0];
  },
  { theirs: "$ref", ours: "type" },
);

differs(
  "low-level graphs do not show a Send that a ChannelWrite wrote, and need more than an untracked input",
  async (lib) => {
    const { Channel, Pregel } = lib;
    const ChannelWrite = Channel.writeTo([]).constructor;
    const build = (nodes, channels) =>
      new Pregel({
        nodes,
        channels,
        inputChannels: ["in"],
        outputChannels: ["out"],
        ...saved(lib),
      });
    const one = Channel.subscribeTo("in").pipe(new ChannelWrite([new lib.Send("two", 7)]));
    const two = Channel.subscribeTo("other").pipe(Channel.writeTo(["out"]));
    const [given, out, other] = [new lib.LastValue(), new lib.LastValue(), new lib.LastValue()];
    const last = { in: given, out, other };
    const updates = thread("t", { streamMode: "updates" });
    const [first] = await drain(build({ one, two }, last).stream({ in: 1 }, updates));
    const add = Channel.subscribeTo("in").pipe(Channel.writeTo(["out"]));
    const untracked = build({ add }, { ...last, in: new lib.UntrackedValueChannel() });
    await drain(untracked.stream({ in: 1 }, thread("t", { interruptBefore: ["add"] })));
    return [
      Object.keys(first.one ?? {}),
      await tried(async () => (await untracked.invoke(null, thread("t"))) && "quiet"),
    ];
  },
  {
    theirs: [["__pregel_tasks"], "quiet"],
    ours: [[], "EmptyInputError: Received no input writes for ["],
  },
);

differs(
  "builders are compiled as a whole; a condition of the older Graph is asked",
  async (lib) => {
    const parts = ["attachNode", "attachEdge", "attachBranch"];
    const graph = chain(lib, { a: () => ({}) });
    const old = new lib.Graph()
      .addNode("a", (text) => `${text}a`)
      .addNode("b", (text) => `${text}b`)
      .addEdge(lib.START, "a")
      .addConditionalEdges("a", () => "b", ["b"])
      .addEdge("b", lib.END);
    return [parts.filter((name) => name in graph).length, await old.compile().invoke("in ")];
  },
  { theirs: [3, undefined], ours: [0, "in ab"] },
);

/** A server that answers each request by `answer`; `asked` has their bodies and headers. */
async function serve(answer) {
  const asked = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    asked.push({ body: body === "" ? {} : JSON.parse(body), request });
    answer(response, request, asked.length);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const close = () => (server.closeAllConnections(), server.close());
  return { url: `http://127.0.0.1:${port}`, asked, close };
}

const STREAM = { "content-type": "text/event-stream" };
const event = (id) => `id: ${id}\nevent: values\ndata: {"a":${id}}\n\n`;
const { setTimeout } = globalThis;

/**
 * A claim about a graph on a server that answers so; nobody waits before it is asked again.
 * @param {string} title
 * @param {(response: any, request: any, nth: number) => any} answer
 * @param {(graph: any, server: any) => any} program
 */
function remote(title, answer, program, expected) {
  differs(
    title,
    async (lib) => {
      const server = await serve(answer);
      globalThis.setTimeout = /** @type {any} */ (
        (call, ms, ...rest) => setTimeout(call, ms >= 800 ? 1 : ms, ...rest)
      );
      try {
        const graph = new (lib.isPeer ? Theirs : Ours)({
          graphId: "agent",
          url: server.url,
          apiKey: "key",
        });
        return await program(graph, server);
      } finally {
        globalThis.setTimeout = setTimeout;
        server.close();
      }
    },
    expected,
  );
}

const tells = (response) => response.writeHead(200, STREAM).end(event(1));
const breaks = (response) => {
  const location = "/threads/t/runs/r/stream";
  response.writeHead(200, { ...STREAM, location });
  response.write(event(1), () => setImmediate(() => response.destroy()));
};

remote(
  "RemoteGraph keeps the recursion limit of withConfig, and sends Dates as ISO texts",
  tells,
  async (graph, { asked }) => {
    await graph.withConfig({ recursionLimit: 7 }).invoke({ at: new Date(0) });
    const [{ body }] = asked;
    return [body.config.recursion_limit, body.input.at];
  },
  { theirs: [25, {}], ours: [7, "1970-01-01T00:00:00.000Z"] },
);

remote(
  "a version 3 run on a server has one stream for all that is read",
  (response, { url }) => {
    if (url.endsWith("/stream/events")) return response.writeHead(200, STREAM).write(": here\n\n");
    const result = { id: 1, type: "success", result: { run_id: "r" } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
  },
  async (graph, { asked }) => {
    const run = await graph.streamEvents({}, { version: "v3", ...thread("t") });
    const read = async (stream) => {
      for await (const _ of stream);
    };
    for (const stream of [run.values, run.messages, run]) read(stream).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 150));
    run.abort?.();
    return asked.filter(({ request }) => request.url.endsWith("/stream/events")).length > 1;
  },
  { theirs: true, ours: false },
);

remote(
  "a stream that breaks off each time after the same event is given up",
  breaks,
  async (graph, { asked }) => {
    const stop = new AbortController();
    const look = setInterval(() => asked.length > 30 && stop.abort(), 5);
    const given = await tried(() => graph.invoke({}, thread("t", { signal: stop.signal })));
    clearInterval(look);
    return given.split(":")[0];
  },
  { theirs: "AbortError", ours: "MaxReconnectAttemptsError" },
);

remote(
  "a server that cannot say whether a run goes on is asked again",
  (response, { method, url }, nth) => {
    if (nth === 1) return breaks(response);
    const isAsked = method === "GET" && url.endsWith("/runs/r");
    if (isAsked) return response.writeHead(500).end("broken");
    response.writeHead(200, STREAM).end(nth < 9 ? event(nth) : "event: end\ndata: null\n\n");
  },
  (graph) => tried(() => graph.invoke({}, thread("t"))),
  { theirs: { a: 8 }, ours: "Error: HTTP 500" },
);

differs(
  "a redirect to another origin is an error",
  async (lib) => {
    const elsewhere = await serve(tells);
    const server = await serve((response, { url }) =>
      response.writeHead(307, { location: elsewhere.url + url }).end(),
    );
    const Graph = lib.isPeer ? Theirs : Ours;
    const graph = new Graph({ graphId: "agent", url: server.url, apiKey: "key" });
    const given = await tried(() => graph.invoke({}));
    for (const { close } of [server, elsewhere]) close();
    return [given, elsewhere.asked.map(({ request }) => request.headers["x-api-key"])];
  },
  { theirs: [{ a: 1 }, ["key"]], ours: ["REDIRECT", []] },
);
