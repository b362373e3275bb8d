// SPDX-License-Identifier: MIT
// Serves: R12: arguments of the wrong type are refused with a code and a text that names them, and
// what was called works afterwards.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AIMessageChunk,
  Annotation,
  BinaryOperatorAggregate,
  Command,
  DeltaChannel,
  MemorySaver,
  ReducedValue,
  START,
  Send,
  StateGraph,
  collapseToolCallChunks,
  convertToProtocolEvent,
  createGraphRunStream,
  createMessagesTransformer,
  entrypoint,
  filterLifecycleEntries,
  mergeContent,
  messagesDeltaReducer,
  task,
  tool,
} from "weftgraph";
import { createCheckpoint, empty } from "weftgraph/channels";
import { DemoModel } from "weftgraph/models/demo";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { ScriptedModel, messagePieces } from "weftgraph/models/scripted";
import {
  ToolExecutor,
  ToolNode,
  ValidationNode,
  createAgentExecutor,
  createHandoffTool,
  createReactAgent,
  createSupervisor,
  createSwarm,
  reviewToolCalls,
  toolsCondition,
  withAgentName,
} from "weftgraph/prebuilt";
import { Channel, ChannelWrite, Pregel, PregelNode } from "weftgraph/pregel";
import { record, replay } from "weftgraph/record";
import { RemoteGraph } from "weftgraph/remote";
import { compileSchema, formatErrors } from "weftgraph/schema";
import { resealThreads } from "weftgraph/savers/sealed";
import { createAdapter } from "weftgraph/server/adapter";
import { installFetch } from "weftgraph/server/install";
import { toNodeHandler } from "weftgraph/server/node";
import { offer, serve } from "weftgraph/server/service-worker";
import { isPrefixMatch, matchesSubscription, normalizeNamespaceSegment } from "weftgraph/stream";
import { drawSvg } from "weftgraph/svg";
import { TestClock, testIds } from "weftgraph/testing";

const State = Annotation.Root({ a: Annotation() });
const ALL = {
  a_symbol: Symbol("s"),
  a_number: 5,
  true: true,
  an_empty_object: {},
  without_prototype: Object.create(null),
  throws_as_text: {
    toString() {
      throw new Error("no text");
    },
  },
  a_function: () => {},
};
const WRONG = {
  callbacks: ALL,
  signal: ALL,
  tags: ALL,
  recursionLimit: {
    a_symbol: ALL.a_symbol,
    an_object: {},
    without_prototype: ALL.without_prototype,
  },
  timeout: { a_symbol: ALL.a_symbol, an_object: {}, without_prototype: ALL.without_prototype },
  maxConcurrency: { a_symbol: ALL.a_symbol, an_object: {} },
  streamMode: { a_symbol: ALL.a_symbol, an_object: {} },
  interruptBefore: { a_symbol: ALL.a_symbol, a_number: 5, an_object: {} },
  interruptAfter: { a_symbol: ALL.a_symbol, an_object: {} },
  outputKeys: {
    a_symbol: ALL.a_symbol,
    without_prototype: ALL.without_prototype,
    a_list_of_symbols: [ALL.a_symbol],
  },
  durability: { a_symbol: ALL.a_symbol, without_prototype: ALL.without_prototype },
  record: ALL,
  transformers: ALL,
  streamTransformers: ALL,
};
const THREAD = { configurable: { thread_id: "1" } };
const app = new StateGraph(State)
  .addNode("x", ({ a }) => ({ a: a + 1 }))
  .addEdge(START, "x")
  .compile({ checkpointer: new MemorySaver() });
const CALLS = {
  invoke: (config) => app.invoke({ a: 1 }, config),
  streamEvents: async (config) => {
    for await (const _ of app.streamEvents({ a: 1 }, { version: "v2", ...config }));
  },
  streamLog: async (config) => {
    for await (const _ of app.streamLog({ a: 1 }, config));
  },
  stream: async (config) => {
    for await (const _ of await app.stream({ a: 1 }, config));
  },
  batch: (config) => app.batch([{ a: 1 }], config),
  getState: (config) => app.getState(config),
  getStateHistory: async (config) => {
    for await (const _ of app.getStateHistory(config));
  },
  updateState: (config) => app.updateState(config, { a: 1 }),
  withConfig: async (config) => app.withConfig(config),
};

for (const [call, run] of Object.entries(CALLS)) {
  test(`${call}: a config of the wrong kind is refused by the name of its key, and the thread works afterwards`, async () => {
    for (const [key, values] of Object.entries(WRONG)) {
      for (const [name, value] of Object.entries(values)) {
        await assert.rejects(
          run({ ...THREAD, [key]: value }),
          { code: "BAD_ARGUMENT", message: new RegExp(`config\\.${key} must be`) },
          `${key}: ${name}`,
        );
      }
    }
    assert.equal((await app.invoke({ a: 1 }, THREAD)).a, 2);
    assert.equal((await app.getState(THREAD)).values.a, 2);
  });
}

test("addEdge and addConditionalEdges name what they are given", () => {
  for (const wrong of [Symbol("s"), null, 5, {}, undefined]) {
    const graph = new StateGraph(State).addNode("x", () => ({}));
    assert.throws(() => graph.addEdge(wrong, "x"), {
      code: "BAD_ARGUMENT",
      message: /addEdge.*startKey/,
    });
    assert.throws(() => graph.addConditionalEdges(wrong, () => "x"), {
      code: "BAD_ARGUMENT",
      message: /addConditionalEdges.*source/,
    });
    graph.addEdge(START, "x").compile();
  }
});

const lookup = tool(() => "r", { name: "lookup", schema: { type: "object", properties: {} } });
const model = () => new ScriptedModel({ responses: ["hi"], loop: true });
const client = { runs: { stream: async function* () {} } };
const remote = () => new RemoteGraph({ graphId: "g", client });
const chat = (options) => new ChatOpenAICompatible({ model: "m", ...options });
const [sym, bare] = [ALL.a_symbol, ALL.without_prototype];
/**
 * Of each call: what is wrong, and how its text names that.
 * @type {Array<[call: (wrong: any) => any, wrong: any[], named: RegExp]>}
 */
const REFUSED = [
  [
    (wrong) => new StateGraph(State).addNode(wrong, () => ({})),
    [[5], [null], [[sym, () => ({})]]],
    /addNode|list of nodes/,
  ],
  [
    (wrong) => new StateGraph(State).addSequence(wrong),
    [[5], [null]],
    /list of nodes must hold lists/,
  ],
  [
    (wrong) => new StateGraph(State).addNode("x", () => ({})).addEdge(["x"], wrong),
    [sym, bare],
    /addEdge.*endKey/,
  ],
  [(wrong) => new ReducedValue(undefined, wrong), [undefined, null, 5], /init must be an object/],
  [(wrong) => new BinaryOperatorAggregate(() => 1, wrong), [sym, 5, {}], /must be a function/],
  [(wrong) => new DeltaChannel(wrong), [undefined, 5], /reducer of a DeltaChannel/],
  [(wrong) => new Send(wrong, {}), [sym, bare], /new Send.*node/],
  [(wrong) => task({ name: wrong }, () => 1), [sym, bare], /task.*name/],
  [(wrong) => entrypoint(wrong, () => 1), [undefined, null, 5, sym], /entrypoint.*options/],
  [(wrong) => entrypoint({ name: wrong }, () => 1), [sym, bare], /entrypoint.*name/],
  [(wrong) => task("a", wrong), [undefined, null, 5, "f", {}, sym], /task.*func/],
  [(wrong) => entrypoint("a", wrong), [undefined, null, 5, "f", {}, sym], /entrypoint.*func/],
  [(wrong) => entrypoint.final(wrong), [undefined, null, 5], /entrypoint\.final.*options/],
  [
    (wrong) => app.streamEvents({ a: 1 }, { version: "v2" }, { includeNames: wrong }),
    [5, {}, "x", sym],
    /includeNames must be a list/,
  ],
  [(wrong) => app.batch(wrong), [undefined, null, 5, {}, "x"], /batch.*inputs/],
  [
    (wrong) => app.batch([{ a: 1 }], THREAD, { maxConcurrency: wrong }),
    [sym, {}],
    /maxConcurrency/,
  ],
  [
    (wrong) => app.bulkUpdateState(THREAD, wrong),
    [undefined, 5, {}, [null], [{ updates: 5 }], [{ updates: [null] }]],
    /bulkUpdateState.*supersteps/,
  ],
  [
    async (wrong) => {
      for await (const _ of app.getStateHistory(THREAD, { limit: wrong }));
    },
    [sym, 5n, bare],
    /getStateHistory.*limit/,
  ],
  [(wrong) => [...app.getSubgraphs(wrong)], [null, 5, [], sym], /getSubgraphs.*namespace/],
  [(wrong) => app.withConfig(wrong), [undefined, null, 5], /withConfig.*config/],
  [(wrong) => app.withListeners(wrong), [null, 5], /withListeners.*listeners/],
  [(wrong) => app.withFallbacks(wrong), [undefined, null, 5, [5]], /withFallbacks.*fallbacks/],
  [(wrong) => app.asTool(wrong), [undefined, null], /asTool.*fields/],
  [(wrong) => app.assign(wrong), [undefined, null], /assign.*mapping/],
  [(wrong) => app.pick(wrong), [undefined, 5, {}], /pick.*keys/],
  [(wrong) => app.getName(wrong), [sym, bare], /getName.*suffix/],
  [(wrong) => app.getGraph().extend(wrong), [undefined, 5], /extend.*graph/],
  [(wrong) => app.getGraph().removeNode(wrong), [undefined, null], /removeNode.*node/],
  [
    (wrong) => drawSvg(wrong),
    [undefined, 5, {}, { nodes: {}, edges: [null] }, { nodes: { a: 5 }, edges: [] }],
    /drawSvg.*graph/,
  ],
  [(wrong) => drawSvg(app.getGraph(), { title: wrong }), [sym, bare, 5], /title and the colors/],
  [
    (wrong) => app.getGraph().drawMermaid({ curveStyle: wrong }),
    [sym, bare],
    /drawMermaid.*curveStyle/,
  ],
  [(wrong) => tool(() => 1, { name: "t", tags: wrong }), [5, {}, sym], /tags must be a list/],
  [
    (wrong) => lookup.invoke({}, { callbacks: wrong }),
    [5, {}, sym, [null]],
    /config\.callbacks must be/,
  ],
  [(wrong) => lookup.invoke({}, { signal: wrong }), [5, {}, sym], /config\.signal must be/],
  [(wrong) => new ToolNode([lookup], { tags: wrong }), [5, {}, sym], /new ToolNode.*tags/],
  [
    (wrong) => new ToolNode([lookup], { messagesKey: wrong }),
    [5, sym, bare],
    /new ToolNode.*messagesKey/,
  ],
  [(wrong) => new ValidationNode(wrong), [undefined, null, 5], /new ValidationNode.*schemas/],
  [(wrong) => toolsCondition(wrong), [undefined, null, 5, {}], /toolsCondition.*state/],
  [(wrong) => createReactAgent({ llm: wrong, tools: [] }), [sym, bare], /createReactAgent.*llm/],
  [
    (wrong) => createReactAgent({ llm: wrong, tools: [] }),
    [DemoModel],
    /params\.llm must be a chat model, its name/,
  ],
  ...[toNodeHandler, createAdapter, installFetch, serve, offer, resealThreads].map((call) => [
    (wrong) => call({}, wrong),
    [null, 5],
    new RegExp(`${call.name}\\(.*\\): options must be an object`),
  ]),
  [(wrong) => createAgentExecutor(wrong), [undefined, null], /createAgentExecutor.*options/],
  [(wrong) => new ToolExecutor(wrong), [undefined, null], /new ToolExecutor.*fields/],
  [
    (wrong) => new ToolExecutor({ tools: wrong }),
    [undefined, 5, {}, [null]],
    /tools must be a list/,
  ],
  [
    (wrong) => createHandoffTool(wrong),
    [undefined, {}, { agentName: sym }],
    /createHandoffTool.*agentName/,
  ],
  [(wrong) => createSwarm(wrong), [undefined, {}, { agents: 5 }], /createSwarm|agents of a team/],
  [
    (wrong) => createSupervisor(wrong),
    [undefined, {}, { agents: 5 }],
    /createSupervisor|agents of a team/,
  ],
  [
    (wrong) => createSupervisor({ agents: [], llm: model(), tools: wrong }),
    [5, {}, sym],
    /createSupervisor.*tools/,
  ],
  [(wrong) => withAgentName(wrong, "inline"), [undefined, 5], /withAgentName.*model/],
  [(wrong) => new AIMessageChunk("x").concat(wrong), [undefined, null, 5], /concat.*chunk/],
  [
    (wrong) => new AIMessageChunk({ content: "", tool_call_chunks: wrong }),
    [[null]],
    /tool_call_chunks/,
  ],
  [(wrong) => collapseToolCallChunks(wrong), [undefined, 5, [null]], /tool_call_chunks/],
  [(wrong) => mergeContent("x", wrong), [null, 5, {}], /content of a message/],
  [(wrong) => messagesDeltaReducer(wrong, []), [undefined, 5], /messagesDeltaReducer/],
  [
    (wrong) => new ScriptedModel({ responses: [], tokenDelayMs: wrong }),
    [sym, 5n, bare],
    /new ScriptedModel.*tokenDelayMs/,
  ],
  [
    (wrong) => messagePieces(wrong, 0, undefined).next(),
    [undefined, 5, {}],
    /messagePieces.*message/,
  ],
  [(wrong) => model().batch(wrong), [undefined, 5], /batch.*inputs/],
  [(wrong) => model().invoke("hi", { tags: wrong }), [5, {}, sym], /config\.tags must be/],
  [(wrong) => model().invoke("hi", { signal: wrong }), [5, {}, sym], /config\.signal must be/],
  [
    (wrong) => new DemoModel({ tokenDelayMs: 0 }).invoke("hi", { tools: wrong }),
    [5, {}, sym],
    /tools must be a list/,
  ],
  [(wrong) => chat({ baseURL: wrong }), [5, sym, bare], /ChatOpenAICompatible.*baseURL/],
  [(wrong) => chat({ apiKey: wrong }), [5, sym, bare], /ChatOpenAICompatible.*apiKey/],
  [(wrong) => chat({ fetch: wrong }), [5, sym, {}], /ChatOpenAICompatible.*fetch/],
  [(wrong) => chat({ timeout: wrong }), ["5", sym, 5n], /ChatOpenAICompatible.*timeout/],
  [
    async (wrong) => {
      const tape = record();
      await app.invoke({ a: 1 }, { ...THREAD, record: tape });
      replay(tape.text(), { graph: wrong });
    },
    [null, 5, {}],
    /replay.*graph/,
  ],
  [(wrong) => new TestClock(wrong), [sym, 5n, {}], /new TestClock.*start/],
  [(wrong) => new TestClock().setTimeout(wrong, 1), [undefined, 5], /setTimeout.*call/],
  [(wrong) => new TestClock().advance(wrong), [undefined, sym, 5n], /advance.*ms/],
  [(wrong) => testIds(wrong), [sym, 5n, {}], /testIds.*seed/],
  [
    (wrong) => new RemoteGraph(wrong),
    [undefined, 5, {}, { graphId: sym }],
    /new RemoteGraph.*graphId/,
  ],
  [
    (wrong) => new RemoteGraph({ graphId: "g", client: wrong }),
    [5, "x", sym],
    /new RemoteGraph.*client/,
  ],
  [(wrong) => new RemoteGraph({ graphId: "g", url: wrong }), [5, {}, sym], /new RemoteGraph.*url/],
  [(wrong) => remote().invoke({}, { tags: wrong }), [5, {}, sym], /config\.tags must be/],
  [(wrong) => remote().invoke({}, { timeout: wrong }), [{}, sym, 5n], /config\.timeout must be/],
  [(wrong) => compileSchema(wrong), [sym, () => {}], /a schema is an object or a boolean/],
  [(wrong) => formatErrors(wrong), [undefined, 5, [null]], /formatErrors.*errors/],
  [(wrong) => convertToProtocolEvent(wrong), [undefined, null], /convertToProtocolEvent.*chunk/],
  [(wrong) => isPrefixMatch(wrong, ["a"]), [undefined, null, 5], /isPrefixMatch/],
  [(wrong) => normalizeNamespaceSegment(wrong), [undefined, 5, sym], /segment of a namespace/],
  [
    (wrong) => matchesSubscription({ method: "values", params: { namespace: [] } }, wrong),
    [undefined, {}, { channels: 5 }],
    /matchesSubscription.*channels/,
  ],
  [
    (wrong) => createGraphRunStream((async function* () {})(), wrong),
    [null, 5, [5]],
    /transformers must be a list/,
  ],
  [(wrong) => createMessagesTransformer(wrong), [undefined, 5], /createMessagesTransformer.*path/],
  [(wrong) => filterLifecycleEntries(wrong, []), [undefined, 5], /log must be a StreamChannel/],
  [
    (wrong) => empty(wrong, { channel_values: {} }),
    [undefined, null, [5]],
    /channels must be an object/,
  ],
  [(wrong) => createCheckpoint(wrong, {}, 1), [undefined, null], /createCheckpoint.*checkpoint/],
  [(wrong) => Channel.writeTo(wrong), [undefined, 5, "x"], /Channel\.writeTo.*channels/],
  [(wrong) => new ChannelWrite(wrong), [undefined, 5, [null]], /new ChannelWrite.*writes/],
  [(wrong) => new PregelNode(wrong), [undefined, null, 5], /new PregelNode.*fields/],
  [
    (wrong) => new Pregel(wrong),
    [undefined, null, {}, { nodes: {}, channels: 5 }],
    /new Pregel|options of a graph/,
  ],
];

test("what functions of all entries cannot use is refused by the name of the argument", async () => {
  for (const [call, wrong, named] of REFUSED) {
    for (const value of wrong)
      await assert.rejects(
        async () => call(value),
        { code: "BAD_ARGUMENT", message: named },
        `${call} with ${typeof value}`,
      );
  }
  assert.equal((await app.invoke({ a: 1 }, THREAD)).a, 2);
  assert.equal((await model().invoke("hi")).content, "hi");
});

test("what is made of nothing, or of a wrong kind, is refused by its name where it is made", async () => {
  const compiled = () => new StateGraph(State).addNode("x", () => ({})).addEdge(START, "x");
  const made = {
    "new Command\\(fields\\): fields": [
      () => new Command(),
      () => new Command(null),
      () => new Command("x"),
    ],
    "task\\(options, func\\): options": [() => task(undefined, () => 1), () => task(5, () => 1)],
    "reducer of a channel": [
      () => Annotation({ reducer: 5 }),
      () => new BinaryOperatorAggregate("x"),
    ],
    "reviewToolCalls\\(options\\)": [() => reviewToolCalls(null), () => reviewToolCalls("x")],
    "options.interruptBefore": [
      () => compiled().compile({ interruptBefore: 5 }),
      () => compiled().compile({ interruptBefore: Symbol("x") }),
    ],
    "config must be an object": [
      () => app.getState(),
      () => app.updateState(null, { a: 1 }),
      () => app.getStateHistory().next(),
    ],
  };
  for (const [text, calls] of Object.entries(made)) {
    for (const call of calls)
      await assert.rejects(
        async () => call(),
        { code: "BAD_ARGUMENT", message: new RegExp(text) },
        text,
      );
  }
});
