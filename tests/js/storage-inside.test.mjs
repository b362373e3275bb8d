// SPDX-License-Identifier: MIT
// What a call of a graph inside stores of the conversation that it is given and gives back: what is
// new, and at most 256 bytes for each commit, however long the conversation is.
// Own process: takes as long as many other files.
import assert from "node:assert/strict";
import test from "node:test";
import {
  AIMessage,
  Annotation,
  Command,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  START,
  Send,
  StateGraph,
  interrupt,
  tool,
} from "weftgraph";
import { Topic } from "weftgraph/channels";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent, createSupervisor } from "weftgraph/prebuilt";
import { pruneThread } from "weftgraph/savers/retention";
import { exportThread, importThread } from "weftgraph/savers/transfer";
import { readGolden } from "../golden/threads.mjs";
import { readDamaged } from "./damaged-log.mjs";
import { arrivals } from "./arrivals.mjs";

const on = { configurable: { thread_id: "1" }, recursionLimit: 100 };
const note = tool(({ n }) => `noted ${n}`, { name: "note", schema: { type: "object" } });
let calls = 0;
const call = (name, args = {}) =>
  new AIMessage({
    content: "",
    id: `a${calls}`,
    tool_calls: [{ name, args, id: `c${calls++}`, type: "tool_call" }],
  });
const turns = (...each) => Array.from({ length: 12 }, (_, i) => each.map((make) => make(i))).flat();
const agent = (name, more) =>
  createReactAgent({
    llm: new ScriptedModel({
      responses: turns(
        (i) => call("note", { n: i }),
        (i) => new AIMessage({ content: `answer ${i}`, id: `${name}${i}` }),
      ),
    }),
    tools: [note],
    name,
    ...more,
  });
const around = (node, more) => (checkpointer) =>
  new StateGraph(MessagesAnnotation)
    .addNode("agent", node)
    .addEdge(START, "agent")
    .compile({ checkpointer, ...more });
const calling = (use) => {
  const inner = agent("a");
  return around(async ({ messages }) => ({
    messages: use(await inner.invoke({ messages }), messages),
  }));
};
const sending =
  (node, args, many = 1) =>
  (checkpointer) => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("plan", () => ({ messages: new AIMessage("planned") }))
      .addNode("agent", node)
      .addEdge(START, "plan");
    return graph
      .addConditionalEdges(
        "plan",
        ({ messages }) =>
          Array.from({ length: many }, (_, i) => new Send("agent", args(messages, i))),
        ["agent"],
      )
      .compile({ checkpointer });
  };
const supervisor = (outputMode) => (checkpointer) =>
  createSupervisor({
    agents: [agent("one"), agent("two")],
    llm: new ScriptedModel({
      responses: turns(
        () => call("transfer_to_one"),
        () => call("transfer_to_two"),
        () => new AIMessage("Done."),
      ),
    }),
    outputMode,
  }).compile({ checkpointer });

const answer = ({ messages }) => ({ messages: new AIMessage(`seen ${messages.length}`) });

/**
 * How the thread is made, and what is new in a turn beside its commits: messages, in the graph
 * around and in those inside.
 */
const SHAPES = {
  "an agent as a node": around(agent("a")),
  "an agent as a node, one task for each call": around(agent("a", { version: "v2" })),
  "an agent that a node calls": calling(({ messages }) => messages),
  "an agent that a node calls, its last message taken": calling(({ messages }) => messages.at(-1)),
  "an agent that sees the last messages": (() => {
    const inner = agent("a");
    return around(async ({ messages }) => ({
      messages: (await inner.invoke({ messages: messages.slice(-5) })).messages,
    }));
  })(),
  "two graphs around an agent": around(around(agent("a"))(undefined)),
  "a graph that keeps its state": around(around(() => ({ messages: new AIMessage("well") }))(true)),
  "Sends of a list to a node": sending(answer, (messages, n) => ({ messages, n }), 4),
  "Sends of a list with a message before it": sending(answer, (messages) => ({
    messages: [new HumanMessage({ content: "Be brief.", id: "brief" }), ...messages],
  })),
  "Sends of a list to an agent": sending(agent("a"), (messages) => ({ messages }), 2),
  "a supervisor with two agents": supervisor("last_message"),
  "a supervisor with two agents, all that they said": supervisor("full_history"),
};

const history = (length) =>
  Array.from(
    { length },
    (_, i) =>
      new (i % 2 ? AIMessage : HumanMessage)({ content: `${i} `.padEnd(200, "abc"), id: `h${i}` }),
  );

/**
 * What a turn may take at 150 messages, 28 kB more, that takes so much at 10: how small records are
 * packed hangs on their ids too.
 * @param {number} short
 */
const most = (short) => 64 + 1.05 * short;

/** Runs a thread of that many messages on by three turns. */
async function converse(make, length) {
  const saver = new MemorySaver();
  let sizes = [];
  const { append } = saver.store;
  saver.store.append = (id, commit, bytes, expected) => (
    sizes.push(bytes.length), append.call(saver.store, id, commit, bytes, expected)
  );
  await make(saver).updateState(on, { messages: history(length) });
  let end;
  const turnsTaken = [];
  for (let turn = 0; turn < 3; turn++) {
    sizes = [];
    end = await make(saver).invoke(
      { messages: [new HumanMessage({ content: `turn ${turn}`, id: `turn${turn}` })] },
      on,
    );
    turnsTaken.push(sizes);
  }
  return { saver, turns: turnsTaken, end };
}

const told = async (list) => {
  const all = [];
  for await (const each of list) all.push(each);
  return JSON.parse(JSON.stringify(all));
};

for (const [name, make] of Object.entries(SHAPES)) {
  test(`a turn costs what is new: ${name}`, async (t) => {
    const sums = [];
    for (const length of [10, 150]) {
      const { saver, turns, end } = await converse(make, length);
      // The first one says which messages a list begins with, the following ones go on from there.
      sums.push(turns.map((sizes) => sizes.reduce((a, b) => a + b)));
      assert.ok(Math.max(...turns.flat()) <= 1400, `${turns.map((sizes) => `[${sizes}]`)}`);
      // Every way of reading tells the same.
      const listed = await told(saver.list({ configurable: { thread_id: "1" } }));
      const inputs = listed.filter(
        ({ checkpoint, config }) =>
          config.configurable.checkpoint_ns !== "" &&
          checkpoint.channel_values.__start__ !== undefined,
      );
      if (!name.includes("sees the last"))
        for (const { checkpoint, pendingWrites } of inputs) {
          const { messages } = checkpoint.channel_values.__start__;
          assert.deepEqual(
            messages.slice(0, length).map(({ kwargs }) => kwargs.id),
            history(length).map(({ id }) => id),
          );
          assert.deepEqual(
            pendingWrites.find(([, channel]) => channel === "messages")[2],
            messages,
          );
        }
      const sent = listed
        .flatMap(({ pendingWrites = [] }) => pendingWrites)
        .filter(([, channel]) => channel === "__pregel_tasks");
      for (const [, , { args }] of sent)
        if (args.messages)
          assert.ok(
            JSON.stringify(args.messages.map(({ kwargs }) => kwargs.id)).includes(
              JSON.stringify(history(length).map(({ id }) => id)).slice(1, -1),
            ),
          );
      assert.ok(inputs.length + sent.length >= 3);
      const other = new MemorySaver();
      await importThread(other, await exportThread(saver, "1"));
      const values = (tuples) =>
        tuples.map(({ checkpoint, pendingWrites }) => [checkpoint.channel_values, pendingWrites]);
      assert.deepEqual(
        values(await told(other.list({ configurable: { thread_id: "1" } }))),
        values(listed),
      );
      assert.ok((await other.byteLength("1")) <= (await saver.byteLength("1")) + 200);
      const shown = (states) => states.map(({ values, tasks }) => [values, tasks]);
      assert.deepEqual(
        shown(await told(make(other).getStateHistory(on))),
        shown(await told(make(saver).getStateHistory(on))),
      );
      await pruneThread(saver, "1", { last: 1 });
      assert.deepEqual(
        (await make(saver).getState(on)).values,
        (await make(other).getState(on)).values,
      );
      assert.deepEqual(
        JSON.parse(JSON.stringify(end.messages)),
        JSON.parse(JSON.stringify((await make(saver).getState(on)).values.messages)),
      );
    }
    const [short, long] = sums;
    long.forEach((sum, turn) =>
      assert.ok(sum <= most(short[turn]), `turn ${turn}: ${sum}, ${short[turn]}`),
    );
    t.diagnostic(`${long} bytes in a turn at 150 messages, ${short} at 10`);
  });
}

const Wide = Annotation.Root({ ...MessagesAnnotation.spec, doc: Annotation() });
const DOCUMENT = Array.from(
  { length: 500 },
  (_, i) => `line ${(i * 7919) % 10_007} of the document`,
).join("\n");
const wide = (checkpointer) => {
  const inner = new StateGraph(Wide)
    .addNode("say", answer)
    .addNode("edit", ({ doc }) => ({ doc: `${doc}.` }))
    .addEdge(START, "say")
    .addEdge("say", "edit")
    .compile();
  return new StateGraph(Wide)
    .addNode("agent", inner)
    .addEdge(START, "agent")
    .compile({ checkpointer });
};
const made = agent("m");
const anew = ({ type, content, id }) => ({
  role: type === "human" ? "user" : "assistant",
  content,
  id,
});

/** What is new in a turn, also where no process knows what the one before had. */
const ELSEWHERE = {
  "an agent as a node": around(agent("e")),
  "messages that a node makes anew for an agent": around(async ({ messages }) => ({
    messages: (await made.invoke({ messages: messages.map(anew) })).messages.at(-1),
  })),
  "a graph that is given a list and a document": wide,
  "Sends of a list": sending(answer, (messages, n) => ({ messages, n }), 3),
};

for (const [name, make] of Object.entries(ELSEWHERE)) {
  test(`a turn costs what is new, each in another process: ${name}`, async () => {
    const sums = [];
    for (const length of [20, 150]) {
      const { commits, arrive } = arrivals();
      const turnsTaken = [];
      // Each message in a commit of its own, as they come.
      for (const message of history(length))
        await make(await arrive()).updateState(on, {
          messages: [message],
          ...(make === wide && message.id === "h0" ? { doc: DOCUMENT } : {}),
        });
      for (let turn = 0; turn < 4; turn++) {
        const before = commits.length;
        const saver = await arrive();
        const { messages } = await make(saver).invoke(
          { messages: [new HumanMessage({ content: `turn ${turn}`, id: `turn${turn}` })] },
          on,
        );
        turnsTaken.push(commits.slice(before).map(([, bytes]) => bytes.length));
        assert.deepEqual(
          messages.slice(0, length).map(({ id }) => id),
          history(length).map(({ id }) => id),
        );
        assert.deepEqual(
          JSON.parse(JSON.stringify((await make(await arrive()).getState(on)).values.messages)),
          JSON.parse(JSON.stringify(messages)),
        );
      }
      assert.ok(
        Math.max(...turnsTaken.slice(1).flat()) <= 1400,
        `${turnsTaken.map((sizes) => `[${sizes}]`)}`,
      );
      sums.push(turnsTaken.slice(1).map((sizes) => sizes.reduce((a, b) => a + b)));
    }
    const [short, long] = sums;
    long.forEach((sum, turn) =>
      assert.ok(sum <= most(short[turn]), `turn ${turn + 1}: ${sum}, ${short[turn]}`),
    );
  });
}

const long = (at) =>
  Array.from({ length: 500 }, (_, i) => `word ${(i * 7919 + at * 31) % 10_007} said`).join(" ");
const leaf = (...nodes) =>
  nodes
    .reduce(
      (graph, node, i) => graph.addNode(`n${i}`, node).addEdge(i ? `n${i - 1}` : START, `n${i}`),
      new StateGraph(Wide),
    )
    .compile();
const wrapped = (inner) => (checkpointer) =>
  new StateGraph(Wide).addNode("agent", inner).addEdge(START, "agent").compile({ checkpointer });

/** Graphs inside that write long texts: how many in a turn. */
const WRITERS = {
  "a message": [
    1,
    wrapped(
      leaf(({ messages }) => ({
        messages: new AIMessage({ id: `l${messages.length}`, content: long(messages.length) }),
      })),
    ),
  ],
  "a document": [
    1,
    wrapped(
      leaf(
        ({ messages }) => ({ doc: long(messages.length) }),
        () => ({ messages: new AIMessage({ id: `s${calls++}`, content: "done" }) }),
      ),
    ),
  ],
  "three messages, in two graphs": [
    3,
    wrapped(
      wrapped(
        leaf(
          ...[0, 1, 2].map((n) => ({ messages }) => ({
            messages: new AIMessage({
              id: `l${messages.length}`,
              content: long(messages.length * 3 + n),
            }),
          })),
        ),
      )(undefined),
    ),
  ],
  "a message, of a graph that a node calls": [
    1,
    (() => {
      const inner = leaf(({ messages }) => ({
        messages: new AIMessage({ id: `l${messages.length}`, content: long(messages.length) }),
      }));
      return wrapped(async (state) => ({ messages: (await inner.invoke(state)).messages.at(-1) }));
    })(),
  ],
};

for (const [name, [many, make]] of Object.entries(WRITERS)) {
  test(`a long text of a graph inside is stored once: ${name}`, async () => {
    const { saver, turns, end } = await converse(make, 2);
    for (const sizes of turns) {
      const sum = sizes.reduce((a, b) => a + b);
      assert.ok(sum < many * long(1).length + 256 * sizes.length + 1000, `${sizes}`);
    }
    const values = JSON.parse(JSON.stringify((await make(saver).getState(on)).values));
    assert.deepEqual(values, JSON.parse(JSON.stringify(end)));
    const [newest] = await told(saver.list(on, { limit: 1 }));
    assert.deepEqual(newest.checkpoint.channel_values.messages, values.messages);
    await pruneThread(saver, "1", { last: 1 });
    assert.deepEqual(JSON.parse(JSON.stringify((await make(saver).getState(on)).values)), values);
  });
}

for (const [name, said, answered] of [
  ["everybody says the same", "x", "x"],
  ["every answer is the same", "", "y"],
  ["both say the same again and again", "x", "y"],
]) {
  test(`messages that repeat cost no more the longer the thread is: ${name}`, async () => {
    const saver = new MemorySaver();
    let sizes = [];
    const { append } = saver.store;
    saver.store.append = (id, commit, bytes, expected) => (
      sizes.push(bytes.length), append.call(saver.store, id, commit, bytes, expected)
    );
    const graph = around(
      around(() => ({ messages: new AIMessage(answered.repeat(500)) }))(undefined),
    )(saver);
    for (let turn = 0; turn < 40; turn++) {
      sizes = [];
      await graph.invoke(
        { messages: new HumanMessage(said === "" ? long(turn).slice(0, 500) : said.repeat(500)) },
        on,
      );
      // A message of 500 bytes, what stands around it, and 256 bytes: in the first turns, too.
      assert.ok(Math.max(...sizes) <= 500 + 100 + 256, `turn ${turn}: ${sizes}`);
    }
    const { messages } = (await graph.getState(on)).values;
    const [newest] = await told(saver.list(on, { limit: 1 }));
    assert.deepEqual(
      newest.checkpoint.channel_values.messages,
      JSON.parse(JSON.stringify(messages)),
    );
    assert.deepEqual(
      messages.filter((_, at) => at % 2).map(({ content }) => content),
      Array(40).fill(answered.repeat(500)),
    );
  });
}

test("a graph inside that asks is gone on with by another process", async () => {
  const inner = around(({ messages }) => ({
    messages: new AIMessage({
      id: `r${messages.length}`,
      content: `${interrupt("so?")} of ${messages.length}`,
    }),
  }))(undefined);
  const make = around(inner);
  const saver = new MemorySaver();
  await make(saver).updateState(on, { messages: history(50) });
  await make(saver).invoke({ messages: new HumanMessage({ content: "go", id: "go" }) }, on);
  const other = new MemorySaver();
  await importThread(other, await exportThread(saver, "1"));
  for (const from of [saver, other]) {
    const { tasks } = await make(from).getState(on, { subgraphs: true });
    assert.equal(tasks[0].state.values.messages.length, 51);
  }
  const { messages } = await make(saver).invoke(new Command({ resume: "yes" }), on);
  assert.deepEqual([messages.length, messages.at(-1).content], [52, "yes of 51"]);
});

test("a topic without messages that is sent is read by LangGraph's methods too", async () => {
  const topic = Array.from({ length: 90 }, (_, i) => `item ${i} ${Math.sin(i)} ${Math.cos(i)}`);
  const saver = new MemorySaver();
  const graph = new StateGraph(
    Annotation.Root({ topic: () => new Topic({ accumulate: true }), n: Annotation }),
  )
    .addNode("plan", () => ({}))
    .addNode("work", () => ({}))
    .addEdge(START, "plan")
    .addConditionalEdges(
      "plan",
      (state) => [0, 1].map((n) => new Send("work", { topic: state.topic, n })),
      ["work"],
    )
    .compile({ checkpointer: saver });
  await graph.updateState(on, { topic });
  await graph.invoke({ n: 7 }, on);
  const sent = (await told(saver.list({ configurable: { thread_id: "1" } }))).flatMap(
    ({ checkpoint }) => checkpoint.channel_values.__pregel_tasks ?? [],
  );
  assert.deepEqual(
    sent.map(({ args }) => args),
    [0, 1].map((n) => ({ topic, n })),
  );
});

for (const [name, golden] of [
  ["a log whose list snapshots are damaged", "rolled-3"],
  ["a log whose packed records are damaged", "packed-5"],
]) {
  test(`${name} reads as something or is told to be damaged`, async () => {
    const counts = await readDamaged(readGolden(golden), 23);
    assert.ok(counts.refused > 0 && counts.read > 0);
  });
}

test("a message that quotes what a graph inside was given is an item of the next one's list", async () => {
  // Its text is near to that of the list, so it may be stored as an edit of what the log has of it.
  const words = (i) =>
    Array.from({ length: 400 }, (_, at) =>
      ((i * 7919 + at * 104729 + at * at * 31) % 36).toString(36),
    ).join("");
  const innermost = around(({ messages }) => ({
    messages: new AIMessage({ id: "r", content: `${interrupt("so?")} of ${messages.length}` }),
  }))(undefined);
  const quote = ({ messages }) => ({
    messages: new AIMessage({
      id: "q",
      content: `You said: ${messages.map(({ content }) => content).join(", ")}`,
    }),
  });
  const inner = new StateGraph(MessagesAnnotation)
    .addNode("quote", quote)
    .addNode("agent", innermost)
    .addEdge(START, "quote")
    .addEdge("quote", "agent")
    .compile();
  const make = around(inner);
  const saver = new MemorySaver();
  await make(saver).updateState(on, {
    messages: Array.from(
      { length: 6 },
      (_, i) => new HumanMessage({ content: words(i), id: `h${i}` }),
    ),
  });
  await make(saver).invoke({ messages: new HumanMessage({ content: "go", id: "go" }) }, on);
  const { messages } = await make(saver).invoke(new Command({ resume: "yes" }), on);
  assert.deepEqual([messages.length, messages.at(-1).content], [9, "yes of 8"]);
  for await (const { config, checkpoint } of saver.list({ configurable: { thread_id: "1" } })) {
    const { values } = await make(saver).getState(config);
    assert.equal(values.messages?.length, checkpoint.channel_values.messages?.length);
  }
});
