// SPDX-License-Identifier: MIT
// Serves: docs/semantics.md 5 (building a graph, its errors with LangGraph's texts, schemas), 1
// (reserved names).
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import {
  Annotation,
  Command,
  END,
  Graph,
  MemorySaver,
  MessagesValue,
  Overwrite,
  ReducedValue,
  START,
  StateGraph,
  StateSchema,
  UntrackedValue,
} from "weftgraph";

const State = Annotation.Root({
  a: Annotation(),
  l: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});
const none = () => ({});
const graph = () => new StateGraph(State);
const withX = () => graph().addNode("x", none);

const UNREACHABLE = (name) =>
  `Node \`${name}\` is not reachable.\n\nIf you are returning Command objects from your node,\nmake sure you are passing names of potential destination nodes as an "ends" array\ninto ".addNode(..., { ends: ["node1", "node2"] })".\n\nTroubleshooting URL: https://docs.langchain.com/oss/javascript/langgraph/UNREACHABLE_NODE/\n`;
const UNSUPPORTED = "Expected a Runnable, function or object.\nInstead got an unsupported type.";
const BAD_STATE =
  "Invalid StateGraph input. Make sure to pass a valid StateDefinition, Annotation.Root, or Zod schema.";

for (const [name, build, message] of [
  ["a node twice", () => withX().addNode("x", none), "Node `x` already present."],
  ["END as a node", () => graph().addNode(END, none), "Node `__end__` is reserved."],
  ["START as a node", () => graph().addNode(START, none), "Node `__start__` is reserved."],
  [
    "a bar in a name",
    () => graph().addNode("a|b", none),
    '"|" is a reserved character and is not allowed in node names.',
  ],
  [
    "a colon in a name",
    () => graph().addNode("a:b", none),
    '":" is a reserved character and is not allowed in node names.',
  ],
  [
    "a key of the state as a node",
    () => graph().addNode("a", none),
    "a is already being used as a state attribute (a.k.a. a channel), cannot also be used as a node name.",
  ],
  ["a string as an action", () => graph().addNode("x", "y"), UNSUPPORTED],
  ["no action", () => graph().addNode("x"), UNSUPPORTED],
  ["no nodes", () => graph().addNode({}), "No nodes provided in `addNode`"],
  ["a number of nodes", () => graph().addNode(3, none), "No nodes provided in `addNode`"],
  ["an edge from END", () => withX().addEdge(END, "x"), "END cannot be a start node"],
  ["an edge to START", () => withX().addEdge("x", START), "START cannot be an end node"],
  [
    "a join of START",
    () => withX().addEdge([START], "x"),
    'Need to add a node named "__start__" first',
  ],
  ["a join of END", () => withX().addEdge([END], "x"), "END cannot be a start node"],
  [
    "a join of the unknown",
    () => withX().addEdge(["zz"], "x"),
    'Need to add a node named "zz" first',
  ],
  ["a join at END", () => withX().addEdge(["x"], END), "END cannot be an end node"],
  [
    "a join at the unknown",
    () => withX().addEdge(["x"], "u"),
    'Need to add a node named "u" first',
  ],
  [
    "an edge from the unknown",
    () => withX().addEdge(START, "x").addEdge("q", "x").compile(),
    "Found edge starting at unknown node `q`",
  ],
  [
    "an edge to the unknown",
    () => withX().addEdge(START, "x").addEdge("x", "u").compile(),
    "Found edge ending at unknown node `u`",
  ],
  [
    "a condition of the unknown",
    () =>
      withX()
        .addEdge(START, "x")
        .addConditionalEdges("q", () => "x")
        .compile(),
    "Found edge starting at unknown node `q`",
  ],
  [
    "a path map to the unknown",
    () => withX().addEdge(START, "x").addConditionalEdges("x", none, ["x", "u"]).compile(),
    "Found edge ending at unknown node `u`",
  ],
  [
    "ends that are unknown",
    () =>
      graph()
        .addNode("x", none, { ends: ["yy"] })
        .addEdge(START, "x")
        .compile(),
    "Found edge ending at unknown node `yy`",
  ],
  [
    "a node that nothing leads to",
    () => withX().addNode("y", none).addEdge(START, "x").compile(),
    UNREACHABLE("y"),
  ],
  ["no edge at all", () => withX().compile(), UNREACHABLE("x")],
  [
    "a condition twice",
    () => withX().addConditionalEdges("x", none).addConditionalEdges("x", none),
    "Condition `condition` already present for node `x`",
  ],
  ["a string as a condition", () => withX().addConditionalEdges("x", "s"), UNSUPPORTED],
  [
    "a breakpoint at the unknown",
    () =>
      withX()
        .addEdge(START, "x")
        .compile({ interruptBefore: ["q"] }),
    "Interrupt node `q` is not present",
  ],
  [
    "a text of nodes of one letter",
    () => withX().addEdge(START, "x").compile({ interruptAfter: "xq" }),
    "Node q not in nodes",
  ],
  [
    "a sequence with a name twice",
    () =>
      graph().addSequence([
        ["x", none],
        ["x", none],
      ]),
    'Node names must be unique: node with the name "x" already exists.',
  ],
  ["an empty sequence", () => graph().addSequence([]), "Sequence requires at least one node."],
  ["no state", () => new StateGraph(), BAD_STATE],
  ["a number as state", () => new StateGraph(3), BAD_STATE],
  ["an empty object as state", () => new StateGraph({}), BAD_STATE],
  [
    "a state with a key that is no channel",
    () => new StateGraph({ a: Annotation(), b: null }),
    BAD_STATE,
  ],
  [
    "two schemas that disagree",
    () =>
      new StateGraph(State, {
        input: Annotation.Root({ l: Annotation({ reducer: (left) => left }) }),
      }),
    'Channel "l" already exists with a different type.',
  ],
]) {
  test(`refused: ${name}`, () => assert.throws(build, { message }));
}

test("the class and code of an unreachable node", () => {
  assert.throws(() => withX().compile(), {
    name: "UnreachableNodeError",
    lc_error_code: "UNREACHABLE_NODE",
  });
});

test("nodes in all their forms run", async () => {
  const log = (name) => () => ({ l: [name] });
  const app = new StateGraph(State)
    .addNode({ one: log("one"), two: { invoke: () => ({ l: ["two"] }) } })
    .addNode([
      ["three", log("three"), { metadata: { m: 1 } }],
      ["four", async () => ({ l: ["four"] })],
    ])
    .addSequence({ five: log("five"), six: log("six") })
    .setEntryPoint("one")
    .addEdge("one", "two")
    .addEdge("two", "three")
    .addEdge("three", "four")
    .addEdge("four", "five")
    .setFinishPoint("six")
    .compile();
  assert.deepEqual((await app.invoke({})).l, ["one", "two", "three", "four", "five", "six"]);
});

test("a node that returns a Runnable is that Runnable; an object of functions is all of them", async () => {
  const runnable = { lc_runnable: true, invoke: async (state) => ({ l: [state.a] }) };
  const app = new StateGraph(State)
    .addNode("x", () => runnable)
    .addNode("y", { l: (state) => [`${state.a}!`], a: async () => 2 })
    .addEdge(START, "x")
    .addEdge("x", "y")
    .compile();
  assert.deepEqual(await app.invoke({ a: 1 }), { a: 2, l: [1, "1!"] });
});

test("a change after compiling warns and does not reach what was compiled", async (context) => {
  const warn = context.mock.method(console, "warn", () => {});
  const builder = graph()
    .addNode("x", () => ({ a: 1 }))
    .addEdge(START, "x");
  const app = builder.compile();
  builder.addNode("y", () => ({ a: 2 })).addEdge("x", "y");
  assert.deepEqual(
    warn.mock.calls.map((call) => call.arguments[0].split(" to ")[0]),
    ["Adding a node", "Adding an edge"],
  );
  assert.equal((await app.invoke({})).a, 1);
  assert.equal((await builder.compile().invoke({})).a, 2);
});

test("the older form of a state", async () => {
  const app = new StateGraph({
    channels: {
      a: null,
      b: { value: (left, right) => left + right, default: () => 10 },
      c: { reducer: (left, right) => left + right },
    },
  })
    .addNode("x", () => ({ a: 1, b: 2, c: 3 }))
    .addEdge(START, "x")
    .compile();
  assert.deepEqual(await app.invoke({ c: 1 }), { a: 1, b: 12, c: 4 });
});

test("a pathMap that is null is none, in both kinds of graph", async () => {
  for (const pathMap of [null, undefined]) {
    const older = new Graph()
      .addNode("a", (x) => `${x}a`)
      .addNode("b", (x) => `${x}b`)
      .addEdge(START, "a")
      .addEdge("b", END);
    assert.equal(
      await older
        .addConditionalEdges("a", () => "b", /** @type {any} */ (pathMap))
        .compile()
        .invoke("i"),
      "iab",
    );
    const graph = new StateGraph(Annotation.Root({ x: Annotation() }))
      .addNode("a", () => ({ x: "a" }))
      .addNode("b", ({ x }) => ({ x: `${x}b` }))
      .addEdge(START, "a");
    assert.deepEqual(
      await graph
        .addConditionalEdges({
          source: "a",
          path: () => "b",
          pathMap: /** @type {any} */ (pathMap),
        })
        .compile()
        .invoke({ x: "i" }),
      { x: "ab" },
    );
  }
});

test("input and output schemas: what is given, seen and returned", async () => {
  let seen;
  const app = new StateGraph({
    stateSchema: Annotation.Root({ a: Annotation(), b: Annotation() }),
    input: Annotation.Root({ a: Annotation() }),
    output: Annotation.Root({ b: Annotation() }),
  })
    .addNode("x", (state) => {
      seen = state;
      return { b: state.a, p: "private" };
    })
    .addNode("y", (state) => ({ b: [state.p, Object.keys(state)] }), {
      input: Annotation.Root({ p: Annotation() }),
    })
    .addEdge(START, "x")
    .addEdge("x", "y")
    .compile();
  assert.deepEqual(await app.invoke({ a: 1, b: 7 }), { b: ["private", ["p"]] });
  assert.deepEqual(seen, { a: 1 });
});

for (const [name, zod] of [
  ["4", z],
  ["3", z3],
]) {
  test(`a zod ${name} state checks the input and every update`, async () => {
    const error = name === "4" ? "$ZodError" : "ZodError";
    const app = (node) =>
      new StateGraph(
        zod.object({
          n: zod.number(),
          s: zod.string().optional(),
          size: zod
            .string()
            .transform((text) => text.length)
            .optional(),
        }),
      )
        .addNode("x", node)
        .addEdge(START, "x")
        .compile();
    assert.deepEqual(
      await app(() => ({ s: "q", size: "four", unknown: 1 })).invoke({ n: 1, other: 2 }),
      { n: 1, s: "q", size: 4 },
    );
    await assert.rejects(app(none).invoke({ n: "1" }), { name: error });
    await assert.rejects(app(() => ({ s: 5 })).invoke({ n: 1 }), { name: error });
    await assert.rejects(app(() => new Command({ update: { s: 5 } })).invoke({ n: 1 }), {
      name: error,
    });
    await assert.rejects(app(none).invoke(new Command({ update: { n: "x" } })), { name: error });
  });
}

test("a zod default stands for a missing field of the input only", async () => {
  const app = new StateGraph(z.object({ n: z.number().default(7), s: z.string().optional() }))
    .addNode("x", () => ({ s: "q" }))
    .addEdge(START, "x")
    .compile();
  assert.deepEqual(await app.invoke({}), { n: 7, s: "q" });
  assert.deepEqual(await app.invoke({ n: 1 }), { n: 1, s: "q" });
});

test("a StateSchema: reduced, untracked and plain fields, each checked", async () => {
  const schema = new StateSchema({
    messages: MessagesValue,
    n: z.number().default(3),
    words: new ReducedValue(
      z.array(z.string()).default(() => []),
      { inputSchema: z.string(), reducer: (left, right) => left.concat(right) },
    ),
    scratch: new UntrackedValue(),
  });
  const app = (node) => new StateGraph(schema).addNode("x", node).addEdge(START, "x").compile();
  assert.deepEqual(await app(() => ({ words: "b", scratch: 1 })).invoke({ words: "a" }), {
    messages: [],
    n: 3,
    words: ["a", "b"],
    scratch: 1,
  });
  assert.deepEqual(
    (await app(() => ({ words: new Overwrite(["z"]) })).invoke({ words: "a" })).words,
    ["z"],
  );
  await assert.rejects(
    app(() => ({ words: 4 })).invoke({ words: "a" }),
    /^Error: Validation failed for field "words": /,
  );
  await assert.rejects(app(none).invoke({ n: "a" }), /^Error: Validation failed for field "n": /);
  assert.ok(StateSchema.isInstance(schema) && !StateSchema.isInstance({}));
});

test("a Standard Schema that is a function, as arktype's are, is a field like others", async () => {
  const text = Object.assign(() => assert.fail("only validate() is called"), {
    "~standard": {
      version: 1,
      vendor: "hand",
      validate: (value) =>
        typeof value === "string" ? { value: value.trim() } : { issues: [{ message: "no text" }] },
      jsonSchema: { input: () => ({ type: "string" }), output: () => ({ type: "string" }) },
    },
  });
  const schema = new StateSchema({
    s: text,
    words: new ReducedValue(text, { reducer: (left, right) => `${left ?? ""}${right}` }),
    live: new UntrackedValue(text),
  });
  const app = new StateGraph(schema)
    .addNode("x", ({ s }) => ({ words: s, live: " l" }))
    .addEdge(START, "x")
    .compile();
  assert.deepEqual(await app.invoke({ s: " a ", words: "b" }), { s: "a", words: "ba", live: "l" });
  for (const key of ["s", "words"])
    await assert.rejects(app.invoke({ s: "a", [key]: 4 }), {
      message: `Validation failed for field "${key}": [{"message":"no text"}]`,
    });
  assert.deepEqual(schema.getJsonSchema().properties.s, { type: "string" });
});

test("what is drawn: nodes, edges, Mermaid", () => {
  const drawn = graph()
    .addNode("x", none, { ends: ["z z"], metadata: { q: 1 } })
    .addNode("y", none)
    .addNode("z z", none)
    .addEdge(START, "x")
    .addConditionalEdges("x", none, { yes: "y", y: "y", [END]: END })
    .compile({ interruptBefore: ["y"] })
    .getGraph();
  assert.deepEqual(Object.keys(drawn.nodes), [START, "x", "y", "z z", END]);
  assert.deepEqual(drawn.toJSON().edges, [
    { source: START, target: "x", conditional: false },
    { source: "x", target: "y", data: "yes", conditional: true },
    { source: "x", target: "y", conditional: true },
    { source: "x", target: END, conditional: true },
    { source: "x", target: "z z", conditional: true },
  ]);
  const text = drawn.drawMermaid();
  for (const line of [
    "\tx(x<hr/><small><em>q = 1</em></small>)",
    "\ty(y<hr/><small><em>__interrupt = before</em></small>)",
    "\tx -. &nbsp;yes&nbsp; .-> y;",
    "\tx -.-> z_z;",
  ]) {
    assert.ok(text.includes(`${line}\n`), line);
  }
});

test("an untracked value that comes with a Command reaches the run, and is not saved", async () => {
  const schema = new StateSchema({
    key: new UntrackedValue(),
    seen: new ReducedValue(
      {
        "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value ?? [] }) },
      },
      { reducer: (left, right) => left.concat(right) },
    ),
  });
  const app = new StateGraph(schema)
    .addNode("use", ({ key }) => ({ seen: [key] }))
    .addEdge(START, "use")
    .compile({ checkpointer: new MemorySaver(), interruptBefore: ["use"] });
  const config = { configurable: { thread_id: "t" } };
  await app.invoke({ key: "first" }, config);
  assert.deepEqual(
    await app.invoke(new Command({ update: { key: "second" }, goto: "use" }), {
      ...config,
      interruptBefore: [],
    }),
    { key: "second", seen: ["second"] },
  );
  assert.deepEqual((await app.getState(config)).values, { seen: ["second"] });
});
