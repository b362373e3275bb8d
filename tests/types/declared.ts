// SPDX-License-Identifier: MIT
// Serves: what a program exports of its graphs without a word of their types
// (tests/types/alone.test.mjs prints its declarations).
import {
  Annotation,
  Command,
  MemorySaver,
  MessagesAnnotation,
  MessagesZodState,
  START,
  Send,
  StateGraph,
  entrypoint,
  interrupt,
  task,
  writer,
  type GraphNode,
} from "weftgraph";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { RemoteGraph } from "weftgraph/remote";

export const State = Annotation.Root({
  n: Annotation<number>,
  l: Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] }),
  ...MessagesAnnotation.spec,
});
export const Extended = MessagesZodState.extend({
  x: {} as { readonly _def: object; _input: string; _output: string },
});
export const builder = new StateGraph(State)
  .addNode("a", (state) => ({ n: state.n }))
  .addEdge(START, "a");
export const app = builder.compile({ checkpointer: new MemorySaver() });
export const extended = new StateGraph(Extended)
  .addNode("a", (state) => ({ x: state.x }))
  .addEdge(START, "a")
  .compile();
export const asking = new StateGraph({
  state: State,
  writer: writer<{ p: 1 }>,
  interrupt: interrupt<string, number>,
})
  .addNode("a", () => ({}))
  .compile();
export const run = async () => [
  await app.invoke({ n: 1 }),
  await extended.invoke({ x: "", messages: [] }),
];

export const plain = app.stream({});
export const told = app.stream({}, { streamMode: "tasks" });
export const saved = app.stream({}, { streamMode: "checkpoints" });
export const several = app.stream(
  {},
  { streamMode: ["custom", "debug", "tasks", "tools", "checkpoints", "messages"], subgraphs: true },
);
export const tools = app.stream({}, { streamMode: "tools" });
export const events = app.streamEvents({}, { version: "v2" });
export const bytes = app.streamEvents({}, { version: "v2", encoding: "text/event-stream" });
export const protocol = app.streamEvents({}, { version: "v3" });
export const log = app.streamLog({});

export const snapshot = app.getState({ configurable: {} });
export const history = app.getStateHistory({ configurable: {} });
export const drawn = [app.getGraph(), app.getGraphAsync()];
export const inside = app.getSubgraphsAsync();
export const parts = {
  nodes: app.nodes,
  channels: app.channels,
  builder: app.builder,
  piped: app.pipe((x) => x),
  saver: app.checkpointer,
  store: app.store,
  spec: State.spec,
};

export const flow = entrypoint("flow", async (x: number) =>
  entrypoint.final({ value: x, save: "q" }),
);
export const step = task("step", async (x: number) => x);
export const agent = createReactAgent({ llm: {} as any, tools: [] });
export const answers = agent.stream({ messages: "x" }, { streamMode: ["updates", "messages"] });
export const calls = new ToolNode([]);
export const command = new Command({ goto: new Send("a", { x: 1 }), update: { n: 1 } });
export const node: GraphNode<typeof State> = (state) => ({ n: state.n });
export const nodes = [
  node,
  (state: typeof State.State) => ({ n: state.n }),
  {} as typeof State.Node,
];
export const remote = new RemoteGraph({ graphId: "a" });
export const far = remote.stream({});
