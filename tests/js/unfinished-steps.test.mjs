// SPDX-License-Identifier: MIT
// What a process that died left of a step: getState shows what the thread goes on from, what ended
// is kept whatever else becomes of the step, and answers to what nobody knows are taken however the
// store times its acknowledgements.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AIMessage,
  Annotation,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  Send,
  StateGraph,
  entrypoint,
  task,
  tool,
} from "weftgraph";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";

const DURABILITIES = ["sync", "async", "exit"];
const never = new Promise(() => {});
const schema = { type: "object" };
const call = (name, id = name) => ({ name, args: {}, id, type: "tool_call" });
const configOf = (durability) => ({ configurable: { thread_id: "t" }, durability });
const turn = () => new Promise((resolve) => setImmediate(resolve));
const until = async (condition) => {
  while (!condition()) await turn();
};

/** Another process's saver, on what is stored now. */
function savedIn(saver) {
  const next = new MemorySaver();
  const head = saver.store.head("t");
  if (head !== undefined)
    next.store.append(
      "t",
      { firstSeq: 1, ...head },
      Buffer.concat(saver.store.read("t")),
      undefined,
    );
  return next;
}

/** Acknowledges each commit some turns after it is stored; how many, a row of numbers says. */
function slowly(saver, turns) {
  const { store } = saver;
  const append = store.append.bind(store);
  store.copies = undefined;
  let appends = 0;
  store.append = async (...given) => {
    append(...given);
    for (let left = turns[appends++ % turns.length]; left > 0; left--) await turn();
  };
  return saver;
}

/** An agent that calls `names` at once, then reads what they came to. */
function agentOn(checkpointer, version, names, pay, read = () => undefined) {
  const model = {
    _modelType: "base_chat_model",
    bindTools: () => model,
    invoke: async (messages) => {
      if (messages.at(-1).getType() === "human")
        return new AIMessage({
          content: "",
          tool_calls: names.map((id) => call("pay", `${id}${messages.length}`)),
        });
      await read(messages);
      return new AIMessage("done");
    },
  };
  return createReactAgent({
    llm: model,
    tools: [tool(pay, { name: "pay", schema })],
    version,
    checkpointer,
  });
}

for (const version of ["v1", "v2"]) {
  for (const durability of DURABILITIES) {
    test(`two calls in flight are answered by hand, whenever the store acknowledges: ${version}, ${durability}`, async () => {
      for (const type of ["response", "ignore", "accept"]) {
        for (const turns of [
          [0],
          [4, 0],
          [0, 2, 4, 1, 3],
          [2, 4, 1, 3, 0],
          [4, 1, 3, 0, 2],
          [1, 3, 0, 2, 4],
          [3, 0, 2, 4, 1],
        ]) {
          const config = configOf(durability);
          let begun = 0;
          const dead = new MemorySaver();
          agentOn(dead, version, ["a", "b"], () => (begun++, never)).invoke(
            { messages: "go" },
            config,
          );
          await until(() => begun === 2);
          const graph = agentOn(
            slowly(savedIn(dead), turns),
            version,
            ["a", "b"],
            () => (begun++, "paid"),
          );
          const asked = await graph.invoke(null, config);
          const answers = asked.__interrupt__.map(({ id }) => [
            id,
            { type, args: type === "response" ? "by hand" : null },
          ]);
          assert.equal(answers.length, 2);
          // Who watches also decides when results are fed.
          for await (const _ of await graph.stream(
            new Command({ resume: Object.fromEntries(answers) }),
            { ...config, streamMode: "debug" },
          ))
            await turn();
          const { messages } = (await graph.getState(config)).values;
          const said = { response: "by hand", ignore: /not known/, accept: "paid" }[type];
          for (const { content } of messages.slice(2, 4)) assert.match(content, new RegExp(said));
          assert.deepEqual([messages.length, begun], [5, type === "accept" ? 4 : 2]);
        }
      }
    });

    test(`what dies while the model reads a result is unfinished, and the result stays: ${version}, ${durability}`, async () => {
      for (const names of [["a"], ["a", "b"]]) {
        for (const input of [null, { messages: "more" }]) {
          const config = configOf(durability);
          let paid = 0;
          let isReading = false;
          const seen = [];
          const dead = new MemorySaver();
          const pay = () => `paid ${++paid}`;
          agentOn(dead, version, names, pay, () => ((isReading = true), never)).invoke(
            { messages: "go" },
            config,
          );
          await until(() => isReading);
          const graph = agentOn(savedIn(dead), version, names, pay, (messages) =>
            seen.push(messages.map((message) => message.getType())),
          );
          const { next, values, tasks } = await graph.getState(config);
          assert.deepEqual(
            [next, tasks.map(({ name }) => name), values.messages.length],
            [["agent"], ["agent"], 2 + names.length],
          );
          const done = await graph.invoke(input, config);
          const answered = ["human", "ai", ...names.map(() => "tool")];
          assert.deepEqual(seen[0], input === null ? answered : [...answered, ...answered]);
          assert.deepEqual(
            done.messages.slice(0, values.messages.length).map(({ id }) => id),
            values.messages.map(({ id }) => id),
          );
          assert.equal(paid, names.length * (input === null ? 1 : 2));
        }
      }
    });
  }
}

test("of a step whose tasks had all ended, before its checkpoint was made, what follows is next", async () => {
  const config = configOf("sync");
  const noted = [];
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("tools", () => assert.fail("it had ended"))
    .addNode("after", ({ messages }) => void noted.push(messages.length))
    .addEdge(START, "tools")
    .addEdge("tools", "after")
    .compile({ checkpointer: new MemorySaver(), interruptBefore: ["tools"] });
  await graph.invoke({ messages: "go" }, config);
  const before = await graph.getState(config);
  assert.deepEqual(before.next, ["tools"]);
  await graph.checkpointer.putWrites(
    before.config,
    [
      ["messages", ["a result"]],
      ["branch:to:after", null],
    ],
    before.tasks[0].id,
  );
  const { next, values } = await graph.getState(config);
  assert.deepEqual([next, values.messages.length], [["after"], 2]);
  await graph.invoke(null, config);
  assert.deepEqual(noted, [2]);
  assert.deepEqual((await graph.getState(config)).next, []);
});

test("a call whose result a reducer or the store refused does not run again unasked", async () => {
  for (const durability of DURABILITIES) {
    const config = configOf(durability);
    let paid = 0;
    let isBroken = true;
    const odd = Annotation({
      reducer: (_, value) => (isBroken ? assert.fail("it breaks") : value),
      default: () => 0,
    });
    const tools = new ToolNode([tool(() => `paid ${++paid}`, { name: "pay", schema })]);
    const graph = new StateGraph(Annotation.Root({ ...MessagesAnnotation.spec, odd }))
      .addNode("tools", async (state, own) => ({ ...(await tools.invoke(state, own)), odd: 1 }))
      .addEdge(START, "tools")
      .compile({ checkpointer: new MemorySaver() });
    await assert.rejects(
      graph.invoke(
        { messages: [new AIMessage({ content: "", tool_calls: [call("pay")] })] },
        config,
      ),
      /it breaks/,
    );
    isBroken = false;
    assert.deepEqual((await graph.getState(config)).next, ["tools"]);
    const asked = await graph.invoke(null, config);
    assert.equal(asked.__interrupt__[0].value.kind, "unknown_tool_call");
    const { messages } = await graph.invoke(
      new Command({ resume: { type: "response", args: "paid 1" } }),
      config,
    );
    assert.deepEqual([messages.at(-1).content, paid], ["paid 1", 1]);
  }
});

/** Tasks that end in the same turn, some of which fail once. */
const WIDE = {
  "tasks of Sends": (checkpointer, count, run) => {
    const State = Annotation.Root({
      out: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
    });
    return new StateGraph(State)
      .addNode("one", ({ i }) => ({ out: [run(i)] }), {
        input: Annotation.Root({ ...State.spec, i: Annotation }),
      })
      .addConditionalEdges(
        START,
        () => Array.from({ length: count }, (_, i) => new Send("one", { i })),
        ["one"],
      )
      .compile({ checkpointer });
  },
  "calls of task()": (checkpointer, count, run) => {
    const one = task("one", async (i) => run(i));
    return entrypoint({ name: "all", checkpointer }, async () => ({
      out: await Promise.all(Array.from({ length: count }, (_, i) => one(i))),
    }));
  },
};

for (const [what, build] of Object.entries(WIDE)) {
  test(`of more than a thousand ${what} that end together, one fails: all others are saved`, async () => {
    for (const durability of DURABILITIES) {
      for (const [count, bad] of [
        [900, 0],
        [1001, 0],
        [2500, 5],
        [2500, 950],
      ]) {
        const config = configOf(durability);
        const runs = new Map();
        let isBroken = true;
        const graph = build(new MemorySaver(), count, (i) => {
          runs.set(i, (runs.get(i) ?? 0) + 1);
          if (i === bad && isBroken) throw new Error("it breaks");
          return i;
        });
        await assert.rejects(graph.invoke({}, config), /it breaks/);
        isBroken = false;
        assert.equal((await graph.invoke(null, config)).out.length, count);
        assert.deepEqual(
          [...runs].filter(([, times]) => times > 1),
          [[bad, 2]],
          `${durability} ${count} ${bad}`,
        );
      }
    }
  });
}
