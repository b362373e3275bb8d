// SPDX-License-Identifier: MIT
// Serves: docs/semantics.md 10 (interrupts static and dynamic, resume values and maps), 7 (resume
// inputs), 19 (implicit context).
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Annotation,
  Command,
  GraphInterrupt,
  INTERRUPT,
  MemorySaver,
  NodeInterrupt,
  START,
  Send,
  StateGraph,
  entrypoint,
  interrupt,
  isInterrupted,
  task,
} from "weftgraph";

const State = Annotation.Root({
  a: Annotation(),
  l: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});
const one = (node, options) =>
  new StateGraph(State)
    .addNode("x", node)
    .addEdge(START, "x")
    .compile({ checkpointer: new MemorySaver(), ...options });
const chain = (options) =>
  new StateGraph(State)
    .addNode("x", () => ({ l: ["x"] }))
    .addNode("y", () => ({ l: ["y"] }))
    .addEdge(START, "x")
    .addEdge("x", "y")
    .compile({ checkpointer: new MemorySaver(), ...options });
const thread = (id = "1") => ({ configurable: { thread_id: id } });

for (const [name, ask] of [
  ["interrupt() before the first await", (config, value) => interrupt(value)],
  ["interrupt() after an await", async (config, value) => (await null, interrupt(value))],
  ["config.interrupt() before the first await", (config, value) => config.interrupt(value)],
  [
    "config.interrupt() after an await",
    async (config, value) => (await null, config.interrupt(value)),
  ],
  ["interrupt of a copied config", (config, value) => ({ ...config }).interrupt(value)],
]) {
  test(`${name} stops and goes on`, async () => {
    const app = one(async (state, config) => ({
      a: await ask(config, { q: state.a }),
      l: ["got"],
    }));
    const stopped = await app.invoke({ a: 1 }, thread());
    assert.deepEqual(Object.keys(stopped), ["a", "l", "__interrupt__"]);
    assert.ok(isInterrupted(stopped));
    const [{ id, value }] = stopped.__interrupt__;
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.deepEqual(value, { q: 1 });
    assert.deepEqual(await app.invoke(new Command({ resume: "yes" }), thread()), {
      a: "yes",
      l: ["got"],
    });
  });
}

test("fifty runs at once, each with its own question and answer", async () => {
  const app = one(async (state) => {
    await new Promise((resolve) => setTimeout(resolve, state.a % 7));
    return { a: interrupt(state.a) };
  });
  const ids = Array.from({ length: 50 }, (_, i) => i);
  const stopped = await Promise.all(ids.map((i) => app.invoke({ a: i }, thread(`t${i}`))));
  assert.deepEqual(
    stopped.map((result) => result.__interrupt__[0].value),
    ids,
  );
  assert.equal(new Set(stopped.map((result) => result.__interrupt__[0].id)).size, 50);
  const ended = await Promise.all(
    ids.map((i) => app.invoke(new Command({ resume: `r${i}` }), thread(`t${i}`))),
  );
  assert.deepEqual(
    ended.map((result) => result.a),
    ids.map((i) => `r${i}`),
  );
});

test("two questions of one node are answered in their order", async () => {
  const app = one(() => ({ l: [interrupt("first"), interrupt("second")] }));
  const asked = async (input) =>
    (await app.invoke(input, thread())).__interrupt__?.map((one) => one.value);
  assert.deepEqual(await asked({ a: 1 }), ["first"]);
  assert.deepEqual(await asked(new Command({ resume: 1 })), ["second"]);
  assert.deepEqual((await app.invoke(new Command({ resume: 2 }), thread())).l, [1, 2]);
});

test("an answer that says nothing is no answer; null input asks again", async () => {
  const app = one(() => ({ a: interrupt("q") }));
  await app.invoke({ a: 1 }, thread());
  assert.equal((await app.invoke(null, thread())).__interrupt__[0].value, "q");
  await assert.rejects(app.invoke(new Command({ resume: null }), thread()), {
    name: "EmptyInputError",
  });
});

test("no, zero and an empty text are answers", async () => {
  for (const answer of [false, 0, ""]) {
    const app = one(() => ({ a: interrupt("q") }));
    await app.invoke({ a: 1 }, thread(`no ${answer}`));
    assert.equal(
      (await app.invoke(new Command({ resume: answer }), thread(`no ${answer}`))).a,
      answer,
    );
  }
});

test("an answer that nothing asked for is for one question, in an entrypoint's tasks too", async () => {
  const fails = new Set(["the first attempt"]);
  const check = task("check", () => {
    if (fails.delete("the first attempt")) throw new RangeError("not yet");
  });
  const asks = task("asks", () => interrupt("in a task"));
  const app = entrypoint(
    { name: "work", checkpointer: new MemorySaver() },
    async () => (await check(), [interrupt("first"), await asks()]),
  );
  await assert.rejects(app.invoke("in", thread()), /not yet/);
  assert.deepEqual(
    (await app.invoke(new Command({ resume: "r" }), thread())).__interrupt__.map(
      ({ value }) => value,
    ),
    ["in a task"],
  );
  assert.deepEqual(await app.invoke(new Command({ resume: "s" }), thread()), ["r", "s"]);
});

test("a Command resumes and updates in one", async () => {
  const app = one((state) => ({ a: interrupt("q"), l: [`saw ${state.l.length}`] }));
  await app.invoke({ a: 1 }, thread());
  assert.deepEqual(await app.invoke(new Command({ resume: "r", update: { l: ["u"] } }), thread()), {
    a: "r",
    l: ["u", "saw 1"],
  });
});

test("what a Command wrote beside an answer is there after a crash, and in the next turn", async () => {
  for (const durability of ["sync", "async", "exit"]) {
    const saver = new MemorySaver();
    let dies = true;
    const build = () =>
      one(
        (state) => {
          const a = interrupt("q");
          if (dies) throw new Error("dies");
          return { a, l: [`saw ${state.l}`] };
        },
        { checkpointer: saver },
      );
    const config = { ...thread(durability), durability };
    await build().invoke({ a: 1 }, config);
    const both = new Command({ resume: "r", update: { l: ["u"] } });
    await assert.rejects(build().invoke(both, config), /dies/);
    dies = false;
    assert.deepEqual(await build().invoke(null, config), { a: "r", l: ["u", "saw u"] });
    // Nothing waits any more: the update is the thread's.
    await build().invoke(new Command({ resume: "r", update: { l: ["v"] } }), config);
    const { l } = (await build().getState(config)).values;
    assert.deepEqual(l, ["u", "saw u", "v"]);
    const next = await build().invoke({ a: 2 }, config);
    assert.deepEqual(next.l, ["u", "saw u", "v"]);
    assert.deepEqual(next.__interrupt__[0].value, "q");
  }
});

test("parallel questions are answered by a map of their ids", async () => {
  const build = () =>
    new StateGraph(State)
      .addNode("work", ({ i }) => ({ l: [`${i}:${interrupt(i)}`] }))
      .addConditionalEdges(START, () => [1, 2, 3].map((i) => new Send("work", { i })))
      .compile({ checkpointer: new MemorySaver() });
  const app = build();
  const stopped = await app.invoke({ a: 0 }, thread());
  assert.deepEqual(stopped.__interrupt__.map((one) => one.value).sort(), [1, 2, 3]);
  const answers = Object.fromEntries(
    stopped.__interrupt__.map(({ id, value }) => [id, `r${value}`]),
  );
  assert.deepEqual((await app.invoke(new Command({ resume: answers }), thread())).l, [
    "1:r1",
    "2:r2",
    "3:r3",
  ]);
  const partly = build();
  const [first] = (await partly.invoke({ a: 0 }, thread())).__interrupt__;
  const left = await partly.invoke(new Command({ resume: { [first.id]: "only" } }), thread());
  assert.deepEqual(
    left.__interrupt__.map((one) => one.value).sort(),
    [1, 2, 3].filter((value) => value !== first.value),
  );
});

test("a caught interrupt is the node's own business", async () => {
  const app = one(() => {
    try {
      interrupt("q");
    } catch (error) {
      return { a: error instanceof GraphInterrupt };
    }
    return {};
  });
  assert.deepEqual(await app.invoke({ a: 1 }, thread()), { a: true, l: [] });
});

test("the legacy form is thrown, and goes on with null", async () => {
  let first = true;
  const app = one(() => {
    if (!first) return { a: "ok" };
    first = false;
    throw new NodeInterrupt("why");
  });
  assert.equal((await app.invoke({ a: 1 }, thread())).__interrupt__[0].value, "why");
  assert.equal((await app.invoke(null, thread())).a, "ok");
});

test("without a checkpointer, and outside of a graph, there is no interrupt", async () => {
  await assert.rejects(
    one(() => ({ a: interrupt(1) }), { checkpointer: undefined }).invoke({ a: 1 }),
    { name: "GraphValueError", lc_error_code: "MISSING_CHECKPOINTER" },
  );
  assert.throws(() => interrupt(1), {
    message: "Called interrupt() outside the context of a graph.",
  });
});

test("breakpoints before, after, everywhere, of the graph and of a call", async () => {
  const before = chain({ interruptBefore: ["y"] });
  assert.deepEqual(await before.invoke({ a: 0 }, thread()), { a: 0, l: ["x"], __interrupt__: [] });
  assert.deepEqual((await before.getState(thread())).next, ["y"]);
  assert.deepEqual(await before.invoke(null, thread()), { a: 0, l: ["x", "y"] });
  const after = chain({ interruptAfter: ["x"] });
  assert.deepEqual((await after.invoke({ a: 0 }, thread())).l, ["x"]);
  assert.deepEqual((await after.invoke(null, thread())).l, ["x", "y"]);
  const all = chain({ interruptBefore: "*" });
  assert.deepEqual((await all.invoke({ a: 0 }, thread())).l, []);
  assert.deepEqual((await all.invoke(null, thread())).l, ["x"]);
  assert.deepEqual(await all.invoke(null, thread()), { a: 0, l: ["x", "y"] });
  const plain = chain();
  assert.deepEqual((await plain.invoke({ a: 0 }, { ...thread(), interruptBefore: ["x"] })).l, []);
  assert.deepEqual((await plain.invoke(null, { ...thread(), interruptAfter: ["x"] })).l, ["x"]);
  assert.deepEqual((await plain.invoke(null, thread())).l, ["x", "y"]);
  assert.deepEqual(
    (
      await chain({ interruptBefore: ["y"] }).invoke(
        { a: 0 },
        { ...thread(), interruptBefore: ["unknown"] },
      )
    ).l,
    ["x", "y"],
  );
});

test("a task that asks twenty thousand questions can be looked at", async () => {
  const asked = Array.from({ length: 20000 }, (_, i) => ({ id: `q${i}`, value: i }));
  const app = one(() => {
    throw new GraphInterrupt(asked);
  });
  await app.invoke({ a: 1 }, thread());
  const [task] = (await app.getState(thread())).tasks;
  assert.deepEqual(
    task.interrupts.map(({ value }) => value),
    asked.map(({ value }) => value),
  );
});

test("questions by name are the graph's that has them, inside another graph too", async () => {
  const asked = [];
  const build = (own, name) =>
    new StateGraph(State, own)
      .addNode(name, (_, runtime) => {
        asked.push([name, Object.keys(runtime.interrupt)]);
        return { l: [runtime.interrupt.person?.("who?") ?? runtime.interrupt("plain?")] };
      })
      .addEdge(START, name);
  const inner = build({ interrupt: { person: interrupt } }, "in").compile();
  const graph = build({}, "out")
    .addNode("inner", inner)
    .addEdge("out", "inner")
    .compile({ checkpointer: new MemorySaver() });
  const shown = async (input) =>
    (await graph.invoke(input, thread())).__interrupt__?.map(({ value }) => value);
  assert.deepEqual(await shown({}), ["plain?"]);
  assert.deepEqual(await shown(new Command({ resume: "a" })), ["who?"]);
  assert.deepEqual((await graph.invoke(new Command({ resume: "b" }), thread())).l, ["a", "a", "b"]);
  assert.deepEqual(asked, [
    ["out", []],
    ["out", []],
    ["in", ["person"]],
    ["in", ["person"]],
  ]);
});

test("a question may hold a BigInt, and one that holds itself is asked too", async () => {
  const circle = { a: 1 };
  circle.self = circle;
  for (const value of [{ sum: 10n }, circle]) {
    const graph = new StateGraph(Annotation.Root({ said: Annotation() }))
      .addNode("ask", () => ({ said: interrupt(value) }))
      .addEdge(START, "ask")
      .compile({ checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: "1" } };
    const { [INTERRUPT]: asked } = await graph.invoke({ said: "" }, thread);
    assert.equal(asked[0].value, value);
    assert.deepEqual(await graph.invoke(new Command({ resume: 5n }), thread), { said: 5n });
  }
});
