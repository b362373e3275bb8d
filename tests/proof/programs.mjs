// SPDX-License-Identifier: MIT
// Random graphs and agents for the simulation: nodes that work, ask, call tools and fail now and
// then, as a function of a seed. What they do outside goes through `outside`, so that whoever runs
// them can count it.
import {
  AIMessage,
  Annotation,
  Command,
  END,
  MessagesAnnotation,
  START,
  Send,
  StateGraph,
  interrupt,
  tool,
} from "weftgraph";
import { ToolNode } from "weftgraph/prebuilt";
import { buildTalk, inputOfTalk } from "./talks.mjs";

const State = Annotation.Root({
  log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
  sum: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
});
const Item = Annotation.Root({ ...State.spec, item: Annotation });

/**
 * A plan is data: the same for each process that runs it.
 * @param {ReturnType<import("./world.mjs").makeRandom>} random
 */
export function makePlan(random) {
  if (random.chance(0.35)) return makeAgentPlan(random);
  const layers = Array.from({ length: 2 + random.below(3) }, (_, depth) =>
    Array.from({ length: 1 + random.below(3) }, (_, place) => ({
      name: `n${depth}${place}`,
      kind: random.pick(["plain", "work", "work", "ask", "flaky"]),
    })),
  );
  const edges = [];
  layers.forEach((layer, depth) => {
    if (depth === 0) return layer.forEach(({ name }) => edges.push([START, name]));
    const before = layers[depth - 1].map(({ name }) => name);
    for (const { name } of layer)
      edges.push([before.length > 1 && random.chance(0.5) ? before : random.pick(before), name]);
  });
  return {
    kind: "graph",
    layers,
    edges,
    sends: random.chance(0.4) ? 1 + random.below(4) : 0,
    rounds: random.below(3),
    durability: random.pick(["sync", "async"]),
  };
}

function makeAgentPlan(random) {
  const rounds = Array.from({ length: 1 + random.below(3) }, (_, round) =>
    Array.from({ length: 1 + random.below(3) }, (_, place) => ({
      id: `call-${round}-${place}`,
      name: random.pick(["pay", "pay", "note", "ask"]),
    })),
  );
  return { kind: "agent", rounds, durability: random.pick(["sync", "async"]) };
}

/**
 * @typedef {{ work(key: string): Promise<void>, mayFail(key: string): void, tool(id: string, name:
 *   string, key: string): Promise<void> }} Outside
 */

/** @param {any} plan @param {any} checkpointer @param {Outside} outside */
export function build(plan, checkpointer, outside) {
  if (plan.kind === "graph") return buildGraph(plan, checkpointer, outside);
  return plan.kind === "agent"
    ? buildAgent(plan, checkpointer, toolsOf(outside))
    : buildTalk(plan, checkpointer, outside, toolsOf(outside));
}

function buildGraph({ layers, edges, sends, rounds }, checkpointer, outside) {
  const graph = new StateGraph(State);
  for (const { name, kind } of layers.flat()) graph.addNode(name, nodeOf(name, kind, outside));
  for (const [from, to] of edges) graph.addEdge(from, to);
  graph.addNode("gather", ({ log }) => ({ log: [`gather ${log.length}`], sum: 1 }));
  graph.addNode(
    "item",
    async ({ item }) => {
      await outside.work(`item${item}`);
      return { log: [`done:item${item};`], sum: item };
    },
    { input: Item },
  );
  const last = layers.at(-1).map(({ name }) => name);
  graph.addEdge(last, "gather");
  graph.addNode("close", ({ log }) => ({ log: [`close ${log.length}`] }));
  graph.addConditionalEdges(
    "gather",
    ({ log }) => {
      const round = log.filter((line) => line.startsWith("gather")).length;
      if (round <= rounds && sends > 0)
        return Array.from({ length: sends }, (_, i) => new Send("item", { item: round * 10 + i }));
      return "close";
    },
    ["item", "close"],
  );
  graph.addEdge("item", "gather");
  graph.addEdge("close", END);
  return graph.compile({ checkpointer });
}

function nodeOf(name, kind, outside) {
  if (kind === "plain") return ({ log }) => ({ log: [`${name} ${log.length}`], sum: log.length });
  if (kind === "ask") return () => ({ log: [`${name} heard ${interrupt({ q: name })}`] });
  return async () => {
    await outside.work(name);
    if (kind === "flaky") outside.mayFail(name);
    return { log: [`done:${name};`], sum: 2 };
  };
}

/** @param {Outside} outside */
function toolsOf(outside) {
  const schema = { type: "object" };
  const toolOf = (name, fields) =>
    tool(
      async (_, { toolCallId: id, idempotencyKey, interrupt }) => {
        if (name === "ask") return `heard ${interrupt({ q: id })}`;
        await outside.tool(id, name, idempotencyKey);
        return `did ${id}`;
      },
      { name, schema, ...fields },
    );
  return [toolOf("pay", {}), toolOf("note", { idempotent: true }), toolOf("ask", {})];
}

function buildAgent({ rounds }, checkpointer, tools) {
  const model = ({ messages }) => {
    const round = messages.filter(({ type }) => type === "ai").length;
    const calls = rounds[round];
    return {
      messages: [
        new AIMessage({
          id: `ai-${round}`,
          content: calls === undefined ? "done" : "",
          tool_calls: (calls ?? []).map((call) => ({ ...call, args: {}, type: "tool_call" })),
        }),
      ],
    };
  };
  return new StateGraph(MessagesAnnotation)
    .addNode("model", model)
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "model")
    .addConditionalEdges(
      "model",
      ({ messages }) => (messages.at(-1).tool_calls?.length > 0 ? "tools" : END),
      ["tools", END],
    )
    .addEdge("tools", "model")
    .compile({ checkpointer });
}

/** What a run is given next, from what the thread says; undefined: it is over. */
export function nextInput(plan, snapshot) {
  if (snapshot.metadata === undefined && plan.kind === "talk") return inputOfTalk(plan);
  if (snapshot.metadata === undefined)
    return plan.kind === "agent"
      ? { messages: [{ type: "human", id: "h", content: "go" }] }
      : { log: [], sum: 0 };
  if (snapshot.next.length === 0) return undefined;
  const asked = snapshot.tasks.flatMap(({ interrupts }) => interrupts);
  if (asked.length === 0) return null;
  return new Command({
    resume: Object.fromEntries(
      asked.map(({ id, value }) => [
        id,
        value.kind === "unknown_tool_call"
          ? { type: "accept", args: null }
          : `answer to ${value.q}`,
      ]),
    ),
  });
}

/** What a thread ends with, without the ids that chance gives. */
export function endOf(plan, { values }) {
  if (plan.kind !== "graph")
    return JSON.stringify(
      values.messages.map(({ type, content, tool_call_id, tool_calls }) => [
        type,
        content,
        tool_call_id,
        tool_calls?.map(({ id }) => id),
      ]),
    );
  return JSON.stringify(values);
}
