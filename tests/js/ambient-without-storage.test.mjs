// SPDX-License-Identifier: MIT
// Serves: docs/semantics.md 19 (implicit context) where the runtime has no AsyncLocalStorage, as in
// a tab or a plain Worker: right before the first await, a clear error after it, config.interrupt
// anywhere. The storage is taken away first.
// Own process: takes AsyncLocalStorage away before the package is loaded.
import assert from "node:assert/strict";
import { test } from "node:test";

process.getBuiltinModule = undefined;
const {
  Annotation,
  Command,
  MemorySaver,
  START,
  StateGraph,
  entrypoint,
  getConfig,
  interrupt,
  task,
  writer,
} = await import("weftgraph");
const { hasStorage } = await import("../../js/base/ambient.js");

const State = Annotation.Root({ a: Annotation() });
const one = (node) =>
  new StateGraph(State)
    .addNode("x", node)
    .addEdge(START, "x")
    .compile({ checkpointer: new MemorySaver() });
const thread = (id = "1") => ({ configurable: { thread_id: id } });

test("there is no storage here", () => assert.equal(hasStorage(), false));

test("before the first await interrupt() knows its task, fifty runs at once", async () => {
  const app = one(async (state) => {
    const answer = interrupt(state.a);
    await new Promise((resolve) => setTimeout(resolve, state.a % 5));
    return { a: answer };
  });
  const ids = Array.from({ length: 50 }, (_, i) => i);
  const stopped = await Promise.all(ids.map((i) => app.invoke({ a: i }, thread(`t${i}`))));
  assert.deepEqual(
    stopped.map((result) => result.__interrupt__[0].value),
    ids,
  );
  const ended = await Promise.all(
    ids.map((i) => app.invoke(new Command({ resume: `r${i}` }), thread(`t${i}`))),
  );
  assert.deepEqual(
    ended.map((result) => result.a),
    ids.map((i) => `r${i}`),
  );
});

test("after an await it says what to call instead, and never guesses", async () => {
  const waiting = one(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { a: interrupt("late") };
  });
  const busy = one((state) => ({ a: getConfig().configurable.thread_id + state.a }));
  const late = assert.rejects(
    waiting.invoke({ a: 1 }, thread()),
    /call runtime\.interrupt, of the node.s second argument/,
  );
  assert.equal((await busy.invoke({ a: 1 }, thread("b"))).a, "b1");
  await late;
  assert.equal(getConfig(), undefined);
});

test("config.interrupt works after an await, in runs side by side", async () => {
  const app = one(async (state, runtime) => {
    await new Promise((resolve) => setTimeout(resolve, 5 - (state.a % 5)));
    return { a: runtime.interrupt(state.a) };
  });
  const ids = Array.from({ length: 50 }, (_, i) => i);
  const stopped = await Promise.all(ids.map((i) => app.invoke({ a: i }, thread(`u${i}`))));
  assert.deepEqual(
    stopped.map((result) => result.__interrupt__[0].value),
    ids,
  );
});

test("writer() after an await says what to call instead: config.writer", async () => {
  const lost = one(async () => (await null, writer("late"), { a: "no" }));
  await assert.rejects(
    lost.invoke({ a: 1 }, thread()),
    /outside the context of a graph\..* call config\.writer/,
  );
  const told = [];
  const app = one(async (_, config) => (await null, config.writer("late"), { a: "yes" }));
  for await (const chunk of await app.stream({ a: 1 }, { ...thread("w"), streamMode: "custom" }))
    told.push(chunk);
  assert.deepEqual(told, ["late"]);
});

test("task() after an await says what to call instead: runtime.task, with which a whole workflow runs, asks and goes on", async () => {
  const done = [];
  const step = task("step", async (n) => {
    await null;
    done.push(n);
    return n + 1;
  });
  const lost = entrypoint("lost", async (n) => step(await step(n)));
  await assert.rejects(
    lost.invoke(1),
    /call runtime\.task\(step, \.\.\.args\), of the function's second argument/,
  );
  done.length = 0;
  const flow = entrypoint({ name: "flow", checkpointer: new MemorySaver() }, async (n, runtime) => {
    const one = await runtime.task(step, n);
    const more = await Promise.all([runtime.task(step, one), runtime.task(step, 10 * one)]);
    return [...more, runtime.interrupt({ sum: more[0] + more[1] }), await runtime.task(step, 100)];
  });
  const asked = await Promise.all([1, 2].map((n) => flow.invoke(n, thread(`flow ${n}`))));
  assert.deepEqual(
    asked.map(({ __interrupt__: [{ value }] }) => value),
    [{ sum: 24 }, { sum: 35 }],
  );
  done.length = 0;
  assert.deepEqual(
    await Promise.all(
      [1, 2].map((n) => flow.invoke(new Command({ resume: `yes ${n}` }), thread(`flow ${n}`))),
    ),
    [
      [3, 21, "yes 1", 101],
      [4, 31, "yes 2", 101],
    ],
  );
  assert.deepEqual(done, [100, 100], "what was done before the question is not done again");
});

test("runtime.task works in a node of a graph, and refuses what task() did not make", async () => {
  const double = task("double", (n) => n * 2);
  const app = one(async ({ a }, runtime) => ({
    a: await runtime.task(double, await runtime.task(double, a)),
  }));
  assert.deepEqual(await app.invoke({ a: 1 }, thread()), { a: 4 });
  for (const wrong of [undefined, null, (n) => n, {}, "double"]) {
    await assert.rejects(
      one(async (_, runtime) => ({ a: await runtime.task(wrong, 1) })).invoke({ a: 1 }, thread()),
      { code: "BAD_ARGUMENT", message: /step must be what task\(\) returned/ },
    );
  }
});

test("a node that throws, and one inside a node, leave no context behind", async () => {
  const inner = one(() => ({ a: getConfig().runName }));
  const outer = one((state, config) => {
    const run = inner.invoke({ a: 1 });
    assert.equal(getConfig(), config);
    return run;
  });
  assert.equal((await outer.invoke({ a: 0 }, thread())).a, "x");
  await assert.rejects(
    one(() => {
      throw new Error("boom");
    }).invoke({ a: 0 }, thread("2")),
    /boom/,
  );
  assert.equal(getConfig(), undefined);
});

/** A clock that a test moves. */
function standing() {
  const timers = new Map();
  let time = 1e12;
  let made = 0;
  const setTimeout = (call, ms) => (timers.set(++made, [time + ms, call]), made);
  const pass = (ms) => {
    time += ms;
    for (const [id, [at, call]] of [...timers]) if (at <= time && timers.delete(id)) call();
  };
  return {
    now: () => time,
    setTimeout,
    clearTimeout: (id) => void timers.delete(id),
    pass,
    timers,
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const until = async (isSo) => {
  while (!isSo()) await turn();
};

test("a node that calls a graph on its own thread after an await is told that it waits for itself; with its config it need not", async () => {
  const saver = new MemorySaver();
  const clock = standing();
  const inner = new StateGraph(State)
    .addNode("y", () => ({ a: 2 }))
    .addEdge(START, "y")
    .compile({ checkpointer: saver });
  const outer = (call) =>
    new StateGraph(State)
      .addNode("x", async (state, config) => {
        await turn();
        return call(config);
      })
      .addEdge(START, "x")
      .compile({ checkpointer: saver });
  const stuck = outer(() => inner.invoke({ a: 1 }, { ...thread(), clock })).invoke(
    { a: 0 },
    thread(),
  );
  const refused = assert.rejects(stuck, {
    name: "WeftError",
    code: "SELF_WAIT",
    message: /on thread 1.*graph\.invoke\(input, config\).*multitaskStrategy/,
  });
  await until(() => clock.timers.size > 0);
  clock.pass(30_000);
  await refused;
  assert.equal(
    (await outer((config) => inner.invoke({ a: 1 }, config)).invoke({ a: 0 }, thread())).a,
    2,
  );
});

test("an update in a node before its first await, or after it with the node's config, does not wait for itself", async () => {
  let count = 0;
  const graph = one(async (state, config) => {
    await graph.updateState(thread(), { a: "before" });
    await graph.updateState(config, { a: "after" });
    count++;
    return { a: 1 };
  });
  assert.deepEqual([await graph.invoke({ a: 0 }, thread()), count], [{ a: 1 }, 1]);
});

test("a run that comes during an update or pruning waits for it", async () => {
  const graph = one(() => ({ a: 1 }));
  await graph.invoke({ a: 0 }, thread());
  const { checkpointer } = graph;
  for (const work of [
    () => graph.updateState(thread(), { a: 2 }, "x"),
    () => checkpointer.prune("1", { last: 1 }),
  ]) {
    const { append, fold, head } = checkpointer.store;
    let begin;
    const begun = new Promise((resolve) => (begin = resolve));
    for (const [name, verb] of Object.entries({ append, fold, head }))
      checkpointer.store[name] = (...given) => (begin(), verb.apply(checkpointer.store, given));
    const working = work();
    await begun;
    const run = graph.invoke({ a: 3 }, thread());
    await working;
    assert.deepEqual(await run, { a: 1 });
    for (const name of ["append", "fold", "head"]) delete checkpointer.store[name];
  }
});

test("others that wait for a busy thread wait as long as its run gets on, and as long as they like with a strategy", async () => {
  const clock = standing();
  const opens = [];
  let begun = 0;
  const app = new StateGraph(State)
    .addNode("x", async () => (begun++, await new Promise((resolve) => opens.push(resolve)), {}))
    .addNode("y", async () => (begun++, await new Promise((resolve) => opens.push(resolve)), {}))
    .addEdge(START, "x")
    .addEdge("x", "y")
    .compile({ checkpointer: new MemorySaver() });
  const first = app.invoke({ a: 1 }, thread());
  const second = app.invoke({ a: 2 }, { ...thread(), clock });
  const third = app.invoke({ a: 3 }, { ...thread(), clock, multitaskStrategy: "enqueue" });
  await until(() => begun === 1 && clock.timers.size === 1);
  clock.pass(20_000);
  opens.shift()();
  await until(() => begun === 2);
  clock.pass(20_000);
  await turn();
  while (begun < 6 || opens.length > 0) {
    opens.shift()?.();
    await turn();
  }
  assert.deepEqual(
    (await Promise.all([first, second, third])).map(({ a }) => a),
    [1, 2, 3],
  );
  assert.equal(clock.timers.size, 0);
});

test("before the first await a model and a tool without config belong to the node's run; after it they take its config", async () => {
  const { ScriptedModel } = await import("weftgraph/models/scripted");
  const { tool } = await import("weftgraph/tools");
  const llm = new ScriptedModel({ responses: ["hi"], loop: true });
  const asks = tool(async () => (await llm.invoke("x")).content, {
    name: "asks",
    description: "Asks.",
    schema: { type: "object", properties: {} },
  });
  const ways = [
    () => llm.invoke("x"),
    async () => {
      for await (const _ of await llm.stream("x"));
    },
    () => asks.invoke({}),
    (state, config) => llm.invoke("x", config),
  ];
  for (const [at, way] of ways.entries()) {
    const app = one(async (state, config) => {
      if (at === 3) await new Promise((resolve) => setTimeout(resolve, 1));
      await way(state, config);
      return {};
    });
    await assert.rejects(app.invoke({ a: 1 }, { ...thread(`m${at}`), limits: { modelCalls: 0 } }), {
      code: "MODEL_CALL_LIMIT",
    });
  }
  // What asks() awaits before it calls the model is its own; its config has the rest.
  assert.equal(llm.calls.length, 0);
});
