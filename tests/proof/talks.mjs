// SPDX-License-Identifier: MIT
// Random conversations for the simulation: a list that is long from the start is handed to graphs
// inside, to graphs that a node calls and to Sends, comes back, and is edited in between; so it
// stands in the log as list snapshots.
import {
  AIMessage,
  Annotation,
  END,
  HumanMessage,
  MessagesAnnotation,
  RemoveMessage,
  START,
  Send,
  StateGraph,
} from "weftgraph";
import { ToolNode } from "weftgraph/prebuilt";

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  turn: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
});
const Item = Annotation.Root({ ...MessagesAnnotation.spec, item: Annotation });
const TEXT = "what is said here takes its place in the log once ".repeat(3);

/**
 * A plan is data: the same for each process that runs it.
 * @param {ReturnType<import("./world.mjs").makeRandom>} random
 */
export function makeTalkPlan(random) {
  const turns = Array.from({ length: 2 + random.below(3) }, () => ({
    kind: random.pick(["agent", "agent", "outer", "calls", "sends", "reads", "edits"]),
    calls: Array.from({ length: 1 + random.below(2) }, () => random.pick(["pay", "note", "ask"])),
    items: 1 + random.below(3),
    flaky: random.chance(0.3),
  }));
  return {
    kind: "talk",
    length: 4 + random.below(30),
    turns,
    durability: random.pick(["sync", "async"]),
  };
}

/**
 * @param {any} plan
 * @param {any} checkpointer
 * @param {import("./programs.mjs").Outside} outside
 * @param {any[]} tools
 */
export function buildTalk({ turns }, checkpointer, outside, tools) {
  const turnOf = (messages) =>
    Number(messages.findLast(({ id }) => id.startsWith("turn-")).id.slice(5));
  const model = ({ messages }) => {
    const turn = turnOf(messages);
    const isFirst = messages.at(-1).type === "human";
    const calls = turns[turn].calls.map((name, place) => ({
      id: `call-${turn}-${place}`,
      name,
      args: {},
      type: "tool_call",
    }));
    return {
      messages: new AIMessage({
        id: `ai-${turn}-${isFirst ? 0 : 1}`,
        content: isFirst ? "" : `heard ${messages.length}, ${TEXT}`,
        tool_calls: isFirst ? calls : [],
      }),
    };
  };
  const agent = new StateGraph(MessagesAnnotation)
    .addNode("model", model)
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "model")
    .addConditionalEdges(
      "model",
      ({ messages }) => (messages.at(-1).tool_calls?.length > 0 ? "tools" : END),
      ["tools", END],
    )
    .addEdge("tools", "model")
    .compile();
  const outer = new StateGraph(MessagesAnnotation)
    .addNode("agent", agent)
    .addEdge(START, "agent")
    .compile();
  const says = (key, messages) => ({
    messages: new AIMessage({
      id: key,
      content: `done:${key}; ${messages.length} ${messages.at(-1).id}`,
    }),
  });
  const item = async ({ messages, item: key }) => {
    await outside.work(key);
    if (turns[turnOf(messages)].flaky) outside.mayFail(key);
    return says(key, messages);
  };
  const reader = new StateGraph({ stateSchema: Item, output: MessagesAnnotation })
    .addNode("reads", item)
    .addNode("ends", ({ messages, item: key }) => says(`${key}-end`, messages))
    .addEdge(START, "reads")
    .addEdge("reads", "ends")
    .compile();
  const edits = ({ messages }) => {
    const [first, second, ...others] = messages;
    const last = others.at(-2);
    return {
      messages: [
        new HumanMessage({ id: last.id, content: `${last.content} edited` }),
        new RemoveMessage({ id: messages.length % 2 ? first.id : second.id }),
        new HumanMessage({ id: `more-${messages.length}`, content: TEXT }),
      ],
    };
  };
  const route = ({ messages, turn }) => {
    if (turn > turns.length) return END;
    const { kind, items } = turns[turn - 1];
    if (kind !== "sends" && kind !== "reads") return kind;
    return Array.from(
      { length: items },
      (_, i) => new Send(kind, { messages, item: `item-${turn}-${i}` }),
    );
  };
  const graph = new StateGraph(State)
    .addNode("next", ({ turn }) => ({
      turn: 1,
      messages:
        turn < turns.length
          ? [new HumanMessage({ id: `turn-${turn}`, content: `turn ${turn}: ${TEXT}` })]
          : [],
    }))
    .addNode("agent", agent)
    .addNode("outer", outer)
    .addNode("calls", async ({ messages }) => ({
      messages: (await agent.invoke({ messages })).messages.at(-1),
    }))
    .addNode("sends", item, { input: Item })
    .addNode("reads", reader)
    .addNode("edits", edits)
    .addEdge(START, "next");
  const kinds = ["agent", "outer", "calls", "sends", "reads", "edits"];
  for (const kind of kinds) graph.addEdge(kind, "next");
  return graph.addConditionalEdges("next", route, [...kinds, END]).compile({ checkpointer });
}

/** What the conversation begins with. @param {any} plan */
export const inputOfTalk = ({ length }) => ({
  messages: Array.from({ length }, (_, i) => ({
    type: i % 2 ? "ai" : "human",
    id: `m${i}`,
    content: `${i}: ${TEXT}`,
  })),
});
