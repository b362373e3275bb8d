// SPDX-License-Identifier: MIT
// Serves: what graphs show of themselves, and classes of one's own, as a compiler sees them
// (tests/types/same.test.mjs compiles it with both packages).
import {
  Annotation,
  AsyncBatchedStore,
  BaseChannel,
  BaseCheckpointSaver,
  BaseStore,
  CompiledStateGraph,
  END,
  Graph,
  GraphInterrupt,
  InMemoryStore,
  InvalidUpdateError,
  MemorySaver,
  MessageGraph,
  START,
  StateGraph,
  entrypoint,
  task,
} from "weftgraph";
import { EphemeralValue, LastValue } from "weftgraph/channels";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { Channel, Pregel } from "weftgraph/pregel";
import { RemoteGraph } from "weftgraph/remote";

const State = Annotation.Root({
  a: Annotation<number>,
  l: Annotation<string[]>({ reducer: (left, right) => left.concat(right), default: () => [] }),
});

// ---- builders

const builder = new StateGraph(State)
  .addNode("n", async ({ a }) => ({ a: a + 1 }))
  .addNode("m", () => ({ l: ["m"] }))
  .addEdge(START, "n")
  .addEdge("n", "m")
  .addEdge("m", END);
void builder.nodes.n.runnable.invoke({ a: 1, l: [] });
void [
  builder.branches,
  builder.edges,
  builder.waitingEdges,
  builder.channels,
  builder.allEdges,
  builder.compiled,
];
builder.validate(["n"]);
// @ts-expect-error no such node
void builder.nodes.z;

// ---- compiled graphs

const graph = builder.compile({
  name: "g",
  description: "d",
  checkpointer: new MemorySaver(),
  interruptBefore: ["n"],
  interruptAfter: "*",
});
void graph.builder.nodes;
void graph.nodes.n.invoke({ a: 1, l: [] }, { configurable: { user: 1 } });
void [
  graph.nodes.n.bound,
  graph.nodes.n.triggers,
  graph.nodes.n.channels,
  graph.nodes.n.metadata,
  graph.nodes.n.writers,
  graph.nodes.n.retryPolicy,
  graph.nodes.__start__,
];
// @ts-expect-error a node is no number
const noNode: number = graph.nodes.n;
// @ts-expect-error a channel is no number
const noChannel: number = graph.channels.a;
void [
  graph.channels.a,
  graph.inputChannels,
  graph.outputChannels,
  graph.streamChannels,
  graph.streamChannelsList,
  graph.streamChannelsAsIs,
];
void [
  graph.store,
  graph.cache,
  graph.retryPolicy,
  graph.config,
  graph.name,
  graph.description,
  graph.autoValidate,
  graph.lg_is_pregel,
  graph.lc_namespace,
];
graph.streamMode = ["values"];
graph.debug = true;
graph.stepTimeout = 5;
graph.interruptBefore = ["n"];
graph.interruptAfter = "*";
graph.checkpointer = false;
for (const [name, inner] of graph.getSubgraphs("n", true)) void [name.length, inner.invoke];
void graph.validate().getGraph({ xray: 1 }).drawMermaid({ withStyles: false });
void [
  graph.clearCache(),
  graph.isInterrupted({}),
  graph.toJSON(),
  graph.lc_id,
  graph.pick("a"),
  graph.assign({ z: () => 1 }),
];

void graph.invoke(
  { a: 1 },
  {
    inputKeys: ["a"],
    outputKeys: "a",
    debug: true,
    cache: undefined,
    subgraphs: true,
    checkpointDuring: true,
    streamMode: "values",
    interruptBefore: "*",
    context: { x: 1 },
  },
);
void graph.stream(
  { a: 1 },
  {
    inputKeys: ["a"],
    outputKeys: "a",
    debug: true,
    cache: undefined,
    subgraphs: true,
    durability: "sync",
    streamMode: "values",
    interruptBefore: "*",
  },
);
void graph.batch(
  [{ a: 1 }],
  { debug: true, inputKeys: ["a"] },
  { maxConcurrency: 1, returnExceptions: true },
);
void graph.streamEvents(
  { a: 1 },
  { version: "v2", debug: true, streamMode: ["values"], subgraphs: true, outputKeys: "a" },
  { includeNames: ["n"] },
);
void graph.withConfig({
  debug: true,
  streamMode: "values",
  outputKeys: ["a"],
  interruptBefore: ["n"],
  recursionLimit: 1,
  configurable: { a: 1 },
  tags: [],
  runName: "x",
});
void graph
  .getStateHistory({}, { limit: 1 })
  .next()
  .then(({ value }) => value?.values);
void [
  graph.updateState({}, { a: 1 }),
  graph.updateState({}, null),
  graph.updateState({}, undefined, "n"),
  graph.bulkUpdateState({}, [{ updates: [{ values: { a: 1 } }] }]),
];

// ---- classes of one's own

export class OwnBuilder extends StateGraph<typeof State.spec> {}
export class OwnGraph extends CompiledStateGraph<any, any> {
  hello() {
    return this.getName();
  }
}
export class OwnOlder extends Graph<any> {}
export class OwnMessages extends MessageGraph {}
export class OwnMachine extends Pregel<any, any> {}
export class OwnTools extends ToolNode {}
export class OwnRemote extends RemoteGraph {}
export class OwnSaver extends MemorySaver {
  async put(config: any, checkpoint: any, metadata: any) {
    return super.put(config, checkpoint, metadata);
  }
}
export class WholeSaver extends BaseCheckpointSaver {
  async getTuple() {
    return undefined;
  }
  async *list() {}
  async put() {
    return {};
  }
  async putWrites() {}
  async deleteThread() {}
}
export class OwnStore extends InMemoryStore {}
export class OwnBatches extends AsyncBatchedStore {}
export class WholeStore extends BaseStore {
  async batch(): Promise<any> {
    return [];
  }
}
export class OwnPause extends GraphInterrupt {}
export class OwnError extends InvalidUpdateError {}
export class Sum extends BaseChannel<number, number, number> {
  lc_graph_name = "Sum";
  fromCheckpoint() {
    return this as any;
  }
  update() {
    return true;
  }
  get() {
    return 1;
  }
  checkpoint() {
    return 1;
  }
}

// ---- other graphs

const machine = new Pregel({
  nodes: {
    one: Channel.subscribeTo("a")
      .pipe((value: any) => value)
      .pipe(Channel.writeTo(["b"])),
  },
  channels: { a: new EphemeralValue<number>(), b: new LastValue<number>() },
  inputChannels: "a",
  outputChannels: "b",
  streamChannels: ["b"],
  interruptBefore: ["one"],
  autoValidate: true,
});
void [
  machine.config,
  machine.interruptBefore,
  machine.interruptAfter,
  machine.autoValidate,
  machine.streamChannelsList,
  machine.nodes,
  machine.channels,
];
for (const [name] of machine.getSubgraphs()) void name.length;

const main = entrypoint({ name: "main" }, async (value: number) => value);
void task("more", async (given: number) => given + 1);
void [main.nodes, main.channels, main.invoke(1)];

const agent = createReactAgent({ llm: {} as any, tools: [], name: "agent" });
void [agent.nodes.agent, agent.nodes.tools, agent.getGraph()];
void createReactAgent({
  llm: {} as any,
  tools: [],
  preModelHook: (state) => ({
    llmInputMessages: [...(state.llmInputMessages ?? []), ...state.messages].slice(-3),
  }),
});
void createReactAgent({
  llm: (state) => (state.llmInputMessages.length > 9 ? ({} as any) : ({} as any)),
  tools: [],
});
