// SPDX-License-Identifier: MIT
// Serves: docs/semantics.md 5 (node returns, Commands, Sends, conditions), 6.7 (recursion limit), 7
// (kinds of input), 8 (order of writes), 4 (Overwrite), 11 (errors of a step), 19 (mutating nodes,
// config).
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import {
  Annotation,
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  Overwrite,
  START,
  Send,
  StateGraph,
  getConfig,
  getCurrentTaskInput,
  interrupt,
} from "weftgraph";

const State = Annotation.Root({
  a: Annotation(),
  l: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});
const one = (node, options) =>
  new StateGraph(State).addNode("x", node, options).addEdge(START, "x").compile();
const HELP = (code) =>
  `\n\nTroubleshooting URL: https://docs.langchain.com/oss/javascript/langgraph/${code}/\n`;

test("what a node returns is written", async () => {
  for (const [value, a, l] of [
    [undefined, 0, []],
    [null, 0, []],
    [0, 0, []],
    ["", 0, []],
    [false, 0, []],
    [{ zz: 1 }, 0, []],
    [{ a: 1, zz: 2 }, 1, []],
    [new Date(0), 0, []],
    [new Map([["a", 1]]), 0, []],
    [new Command({ update: { a: 1, zz: 1 } }), 1, []],
    [new Command({}), 0, []],
    [new Command({ update: 3 }), 0, []],
    [[new Command({ update: { a: 1 } }), { l: [5] }], 1, [5]],
    [[new Command({ update: { l: [1] } }), new Command({ update: { l: [2] } })], 0, [1, 2]],
    [
      [
        new Command({ update: { l: [1] } }),
        null,
        new Send("x", 1),
        [new Command({ update: { a: 2 } })],
      ],
      2,
      [1],
    ],
    [
      new Command({
        update: [
          ["l", [1]],
          ["l", [2]],
        ],
      }),
      0,
      [1, 2],
    ],
    [new Command({ goto: END }), 0, []],
    [new Command({ goto: "nowhere" }), 0, []],
    [{ l: new Overwrite([9]) }, 0, [9]],
    [{ l: { __overwrite__: [8] } }, 0, [8]],
  ]) {
    assert.deepEqual(await one(() => value).invoke({ a: 0 }), { a, l });
    assert.deepEqual(await one(async () => value).invoke({ a: 0 }), { a, l });
  }
});

test("what a node may not return", async () => {
  for (const [value, got] of [
    [3, "number"],
    ["s", "string"],
    [[], "array"],
    [[{ a: 1 }], "array"],
    [true, "boolean"],
    [() => 1, "function"],
    [[new Send("x", {})], "array"],
    [[new Command({}), 5], "number"],
    [[new Command({}), [{ a: 1 }]], "array"],
  ]) {
    await assert.rejects(one(() => value).invoke({ a: 0 }), {
      name: "InvalidUpdateError",
      lc_error_code: "INVALID_GRAPH_NODE_RETURN_VALUE",
      message: `Expected node "x" to return an object or an array containing at least one Command object, received ${got}${HELP("INVALID_GRAPH_NODE_RETURN_VALUE")}`,
    });
  }
  await assert.rejects(one(() => new Command({ goto: new Send("nope", {}) })).invoke({ a: 0 }), {
    message: 'Invalid node name "nope" in Send packet',
  });
  await assert.rejects(one(() => new Command({ goto: new Send(END, {}) })).invoke({ a: 0 }), {
    message: "Cannot send a packet to the END node",
  });
});

test("a key of a class of objects that came from JSON cannot reach a prototype", async () => {
  const app = one(() => JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 1, "a": 2}'));
  assert.deepEqual(await app.invoke({}), { a: 2, l: [] });
  assert.equal({}.polluted, undefined);
});

test("static edges fire beside a Command's goto", async () => {
  const log = (name) => () => ({ l: [name] });
  const app = new StateGraph(State)
    .addNode("x", () => new Command({ goto: "z", update: { l: ["x"] } }), { ends: ["z"] })
    .addNode("y", log("y"))
    .addNode("z", log("z"))
    .addEdge(START, "x")
    .addEdge("x", "y")
    .compile();
  assert.deepEqual((await app.invoke({})).l, ["x", "y", "z"]);
});

const branching = (path, map) =>
  new StateGraph(State)
    .addNode("x", () => ({ a: 1 }))
    .addNode("y", (state) => ({ l: ["y", state.a] }))
    .addEdge(START, "x")
    .addConditionalEdges("x", path, map)
    .compile();

test("where a condition leads", async () => {
  for (const [answer, map, l] of [
    ["y", undefined, ["y", 1]],
    [["y", END], undefined, ["y", 1]],
    [["y", "y"], undefined, ["y", 1]],
    [END, undefined, []],
    [[], undefined, []],
    [new Send("y", { a: 7 }), undefined, ["y", 7]],
    [[new Send("y", { a: 7 }), "y"], undefined, ["y", 1, "y", 7]],
    [true, { true: "y", false: END }, ["y", 1]],
    [false, { true: "y", false: END }, []],
    ["y", ["y"], ["y", 1]],
    [1, { 1: "y" }, ["y", 1]],
    [new Send("y", { a: 3 }), { any: "y" }, ["y", 3]],
  ]) {
    assert.deepEqual((await branching(() => answer, map).invoke({})).l, l);
    assert.deepEqual((await branching(async () => answer, map).invoke({})).l, l);
  }
});

test("where a condition cannot lead", async () => {
  const unknown = { message: "Branch condition returned unknown or null destination" };
  for (const answer of [undefined, null, "", ["y", null]])
    await assert.rejects(branching(() => answer).invoke({}), unknown);
  await assert.rejects(branching(() => "q", { a: "y" }).invoke({}), unknown);
  await assert.rejects(branching(() => new Send(END, {})).invoke({}), {
    name: "InvalidUpdateError",
    message: "Cannot send a packet to the END node",
  });
  await assert.rejects(
    branching(() => {
      throw new RangeError("mine");
    }).invoke({}),
    { name: "RangeError", message: "mine" },
  );
});

test("a condition sees its own task's writes and nobody else's", async () => {
  const seen = {};
  const app = new StateGraph(State)
    .addNode("x", () => ({ a: 1, l: ["x"] }))
    .addNode("w", () => ({ l: ["w"] }))
    .addEdge(START, "x")
    .addEdge(START, "w")
    .addConditionalEdges("x", (state) => {
      seen.x = state;
      return END;
    })
    .addConditionalEdges("w", async (state) => {
      seen.w = state;
      return END;
    })
    .compile();
  await app.invoke({ a: 0, l: ["i"] });
  assert.deepEqual(seen, { x: { a: 1, l: ["i", "x"] }, w: { a: 0, l: ["i", "w"] } });
});

test("map and reduce with Send: in the order of the Sends", async () => {
  const app = new StateGraph(State)
    .addNode("plan", () => ({}))
    .addNode("work", async ({ i }) => {
      await new Promise((resolve) => setTimeout(resolve, 10 - i));
      return { l: [i * 2] };
    })
    .addNode("sum", (state) => ({ a: state.l.reduce((left, right) => left + right, 0) }))
    .addEdge(START, "plan")
    .addConditionalEdges("plan", () => [5, 3, 4].map((i) => new Send("work", { i })), ["work"])
    .addEdge("work", "sum")
    .compile();
  assert.deepEqual(await app.invoke({}), { a: 24, l: [10, 6, 8] });
});

test("joins wait for all, deferred nodes for everything", async () => {
  const log = (name) => () => ({ l: [name] });
  const build = (options) =>
    new StateGraph(State)
      .addNode("a1", log("a1"))
      .addNode("b1", log("b1"))
      .addNode("b2", log("b2"))
      .addNode("c", log("c"), options)
      .addEdge(START, "a1")
      .addEdge(START, "b1")
      .addEdge("b1", "b2");
  const joined = build().addEdge(["a1", "b2"], "c").compile();
  assert.deepEqual((await joined.invoke({})).l, ["a1", "b1", "b2", "c"]);
  const deferred = build({ defer: true }).addEdge("a1", "c").addEdge("b2", "c").compile();
  assert.deepEqual((await deferred.invoke({})).l, ["a1", "b1", "b2", "c"]);
});

test("a join that finished tasks have filled leads on after an update", async () => {
  const app = new StateGraph(State)
    .addNode("p", () => ({}))
    .addNode("q", () => interrupt("?"))
    .addNode("r", () => ({}))
    .addNode("d", () => ({ l: ["d"] }))
    .addEdge(START, "p")
    .addEdge(START, "q")
    .addEdge(START, "r")
    .addEdge(["p", "r"], "d")
    .compile({ checkpointer: new MemorySaver() });
  const thread = { configurable: { thread_id: "joined" } };
  await app.invoke({}, thread);
  await app.updateState(thread, { a: 1 }, "q");
  assert.deepEqual((await app.getState(thread)).next, ["d"]);
  assert.deepEqual(await app.invoke(null, thread), { a: 1, l: ["d"] });
});

test("each kind of input runs or is refused by name", async () => {
  const app = one((state) => ({ l: [state.a ?? "none"] }));
  assert.deepEqual(await app.invoke({}), { l: ["none"] });
  assert.deepEqual(await app.invoke({ zz: 1 }), { l: ["none"] });
  assert.equal(await one(() => {}).invoke({}), undefined);
  assert.deepEqual(await app.invoke(new Command({ update: { a: 5 } })), { a: 5, l: [] });
  assert.deepEqual(await app.invoke(new Command({ goto: "x", update: { a: 4, zz: 3 } })), {
    a: 4,
    l: [4],
  });
  assert.deepEqual(await app.invoke(new Command({ goto: new Send("x", { a: "sent" }) })), {
    l: ["sent"],
  });
  for (const input of [null, undefined])
    await assert.rejects(app.invoke(input), {
      name: "EmptyInputError",
      message: 'Received no input writes for "__start__"',
    });
  await assert.rejects(app.invoke(new Command({})), {
    name: "EmptyInputError",
    message: "Received empty Command input",
  });
  await assert.rejects(app.invoke(new Command({ resume: 1 })), {
    message: "Cannot use Command(resume=...) without checkpointer",
  });
  await assert.rejects(app.invoke(new Command({ graph: Command.PARENT, goto: "x" })), {
    message: "There is no parent graph.",
  });
  await assert.rejects(app.invoke("text"), { lc_error_code: "INVALID_GRAPH_NODE_RETURN_VALUE" });
});

test("the recursion limit counts supersteps", async () => {
  const loop = new StateGraph(State)
    .addNode("x", (state) => ({ a: (state.a ?? 0) + 1 }))
    .addEdge(START, "x")
    .addConditionalEdges("x", (state) => (state.a >= 5 ? END : "x"))
    .compile();
  assert.equal((await loop.invoke({}, { recursionLimit: 6 })).a, 5);
  await assert.rejects(loop.invoke({}, { recursionLimit: 5 }), {
    name: "GraphRecursionError",
    lc_error_code: "GRAPH_RECURSION_LIMIT",
    message: `Recursion limit of 5 reached without hitting a stop condition. You can increase the limit by setting the "recursionLimit" config key.${HELP("GRAPH_RECURSION_LIMIT")}`,
  });
  for (const recursionLimit of [0, -1])
    await assert.rejects(loop.invoke({}, { recursionLimit }), {
      message: 'Passed "recursionLimit" must be at least 1.',
    });
  const endless = one(() => new Command({ goto: "x" }), { ends: ["x"] });
  await assert.rejects(endless.invoke({ a: 1 }), { message: /^Recursion limit of 25 / });
});

test("two writers of one value are an error, two of a reducer are not", async () => {
  const pair = (left, right) =>
    new StateGraph(State)
      .addNode("b", () => left)
      .addNode("c", () => right)
      .addEdge(START, "b")
      .addEdge(START, "c")
      .compile();
  await assert.rejects(pair({ a: 1 }, { a: 2 }).invoke({}), {
    name: "InvalidUpdateError",
    lc_error_code: "INVALID_CONCURRENT_GRAPH_UPDATE",
    message: `Invalid update for channel "a" with values [1,2]: LastValue can only receive one value per step.${HELP("INVALID_CONCURRENT_GRAPH_UPDATE")}`,
  });
  assert.deepEqual((await pair({ l: ["b"] }, { l: ["c"] }).invoke({})).l, ["b", "c"]);
  await assert.rejects(
    pair({ l: new Overwrite([1]) }, { l: new Overwrite([2]) }).invoke({ l: ["q"] }),
    /Can receive only one Overwrite value per step\./,
  );
  const talk = new StateGraph(MessagesAnnotation)
    .addNode("b", () => ({ messages: new Overwrite([]) }))
    .addNode("c", () => ({ messages: new Overwrite(["hi"]) }));
  await assert.rejects(
    talk.addEdge(START, "b").addEdge(START, "c").compile().invoke({ messages: [] }),
    {
      name: "InvalidUpdateError",
      message:
        'Invalid update for channel "messages": Can receive only one Overwrite value per step.',
    },
  );
});

test("errors of nodes and reducers come through as they are", async () => {
  const error = new TypeError("mine");
  await assert.rejects(
    one(() => {
      throw error;
    }).invoke({}),
    (thrown) => thrown === error,
  );
  await assert.rejects(
    one(async () => {
      throw error;
    }).invoke({}),
    (thrown) => thrown === error,
  );
  const Folded = Annotation.Root({
    l: Annotation({
      reducer: () => {
        throw error;
      },
      default: () => [],
    }),
  });
  await assert.rejects(
    new StateGraph(Folded)
      .addNode("x", () => ({ l: 1 }))
      .addEdge(START, "x")
      .compile()
      .invoke({ l: 2 }),
    (thrown) => thrown === error,
  );
});

test("the config of a node", async () => {
  let seen;
  let copied;
  const app = one(
    (state, config) => {
      seen = config;
      copied = { ...config };
      return {};
    },
    { metadata: { own: 1 } },
  );
  const store = { get() {} };
  await app.withConfig({ tags: ["w"], metadata: { w: 1 }, configurable: { base: 1 } }).invoke(
    { a: 1 },
    {
      tags: ["t"],
      metadata: { me: 2 },
      configurable: { foo: 1, thread_id: "q" },
      context: { user: "u" },
      store,
      recursionLimit: 7,
    },
  );
  for (const config of [seen, copied]) {
    assert.deepEqual(config.tags, ["w", "t"]);
    assert.equal(config.configurable.foo, 1);
    assert.equal(config.configurable.base, 1);
    assert.equal(config.recursionLimit, 7);
    assert.deepEqual(config.context, { user: "u" });
    assert.equal(config.store, store);
    assert.equal(config.runName, "x");
    assert.ok(config.signal instanceof AbortSignal);
    const {
      langgraph_node,
      langgraph_triggers,
      langgraph_path,
      langgraph_checkpoint_ns,
      checkpoint_ns,
      me,
      w,
      own,
      thread_id,
    } = config.metadata;
    assert.deepEqual(
      { langgraph_node, langgraph_triggers, langgraph_path, me, w, own, thread_id },
      {
        langgraph_node: "x",
        langgraph_triggers: ["branch:to:x"],
        langgraph_path: ["__pregel_pull", "x"],
        me: 2,
        w: 1,
        own: 1,
        thread_id: "q",
      },
    );
    assert.equal(langgraph_checkpoint_ns, checkpoint_ns);
    assert.match(checkpoint_ns, /^x:[0-9a-f]{8}-[0-9a-f]{4}-5/);
    assert.equal(config.executionInfo.taskId, checkpoint_ns.slice(2));
    assert.equal(config.executionInfo.nodeAttempt, 1);
  }
  assert.equal(seen.metadata, seen.metadata);
});

test("a node's config is an object like any other: printed, asked, changed", async () => {
  const app = one((state, config) => {
    assert.match(inspect(config), /tags: \[ 't' \][^]*langgraph_node: 'x'/);
    assert.ok("signal" in config && !("nothing" in config) && config instanceof Object);
    const { tags, writer, ...rest } = config;
    assert.deepEqual(
      [tags, typeof writer, rest.runName, "tags" in rest],
      [["t"], "function", "x", false],
    );
    config.metadata = { mine: 1 };
    assert.ok(delete config.tags);
    Object.defineProperty(config, "added", { value: 2, enumerable: true, configurable: true });
    assert.deepEqual(
      [config.metadata, config.tags, config.added, Object.keys(config).includes("tags")],
      [{ mine: 1 }, undefined, 2, false],
    );
    return { a: 2 };
  });
  assert.equal((await app.invoke({ a: 1 }, { tags: ["t"] })).a, 2);
});

test("ambient questions have answers inside a node, and errors outside", async () => {
  const app = one(async () => {
    await null;
    return { l: [getCurrentTaskInput().a, getConfig().runName] };
  });
  assert.deepEqual((await app.invoke({ a: 1 })).l, [1, "x"]);
  assert.equal(getConfig(), undefined);
  assert.throws(() => getCurrentTaskInput(), /^Error: Config not retrievable\./);
});

test("a graph called inside a node has the node's config", async () => {
  const seen = [];
  const inner = one((state, config) => {
    seen.push([config.tags, config.configurable.foo]);
    return { l: ["in"] };
  });
  for (const call of [
    (state, config) => inner.invoke({ l: ["o"] }, config),
    async () => (await null, inner.invoke({ l: ["o"] })),
  ]) {
    const outer = one(async (state, config) => ({ l: (await call(state, config)).l }));
    assert.deepEqual(
      (await outer.invoke({ l: ["q"] }, { tags: ["t"], configurable: { foo: 1 } })).l,
      ["q", "o", "in"],
    );
  }
  assert.deepEqual(seen, [
    [["t"], 1],
    [["t"], 1],
  ]);
  assert.deepEqual(await one(inner).invoke({ l: ["q"] }), { l: ["q", "q", "in"] });
});

test("batch, pipe and names", async () => {
  const app = new StateGraph(State)
    .addNode("x", (state) =>
      state.a === 3 ? Promise.reject(new Error("three")) : { l: [state.a] },
    )
    .addEdge(START, "x")
    .compile({ name: "mine" });
  assert.deepEqual(await app.batch([{ a: 1 }, { a: 2 }]), [
    { a: 1, l: [1] },
    { a: 2, l: [2] },
  ]);
  const [first, second] = await app.batch([{ a: 1 }, { a: 3 }], {}, { returnExceptions: true });
  assert.deepEqual([first.a, second.message], [1, "three"]);
  assert.equal(
    await app
      .pipe((output) => output.l.length)
      .pipe((count) => count + 1)
      .invoke({ a: 1 }),
    2,
  );
  assert.equal(app.getName(), "mine");
  assert.equal(one(() => {}).getName(), "LangGraph");
});

test("a signal stops the run and its nodes", async () => {
  const controller = new AbortController();
  let told = false;
  const app = one(async (state, config) => {
    setImmediate(() => controller.abort());
    await new Promise((resolve) => config.signal.addEventListener("abort", resolve));
    told = true;
    return { a: 1 };
  });
  await assert.rejects(app.invoke({ a: 0 }, { signal: controller.signal }));
  assert.ok(told);
  await assert.rejects(one(() => ({ a: 1 })).invoke({ a: 0 }, { signal: AbortSignal.abort() }));
});

test("a Command for the parent is the calling node's result; at the root it is swallowed", async () => {
  const inner = new StateGraph(State)
    .addNode("i", () => new Command({ graph: Command.PARENT, goto: "z", update: { l: ["child"] } }))
    .addNode("after", () => ({ l: ["after"] }))
    .addEdge(START, "i")
    .addEdge("i", "after")
    .compile();
  for (const node of [inner, async (state) => ({ l: [await inner.invoke(state)] })]) {
    const outer = new StateGraph(State)
      .addNode("sub", node, { ends: ["z"] })
      .addNode("z", () => ({ l: ["z"] }))
      .addNode("q", () => ({ l: ["q"] }))
      .addEdge(START, "sub")
      .addEdge("sub", "q")
      .compile();
    assert.deepEqual((await outer.invoke({ a: 1 })).l, ["child", "q", "z"]);
  }
  assert.deepEqual(await inner.invoke({ a: 1 }), { a: 1, l: [] });
});

test("no more than maxConcurrency nodes run at once, in order", async () => {
  let running = 0;
  let most = 0;
  const started = [];
  const app = new StateGraph(State)
    .addNode("work", async ({ i }) => {
      started.push(i);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      if (i === 1) throw new Error("one");
      return { l: [i] };
    })
    .addConditionalEdges(START, (state) => state.l.map((i) => new Send("work", { i })))
    .compile();
  assert.deepEqual(
    (await app.invoke({ l: [2, 3, 4, 5, 6] }, { maxConcurrency: 2 })).l,
    [2, 3, 4, 5, 6, 2, 3, 4, 5, 6],
  );
  assert.deepEqual([most, started], [2, [2, 3, 4, 5, 6]]);
  await assert.rejects(app.invoke({ l: [1, 2, 3] }, { maxConcurrency: 1 }), { message: "one" });
  assert.deepEqual(started.slice(5), [1]);
});
