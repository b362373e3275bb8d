// SPDX-License-Identifier: MIT
// Between what a person was shown and what runs there is no code of the user, no object that
// somebody else can change and no second reading: schemas that make other arguments, wrappers,
// policies, lists of tools, arguments as text, answers that come twice, tools of LangChain.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  DynamicStructuredTool,
  DynamicTool,
  StructuredTool,
  tool as coreTool,
} from "@langchain/core/tools";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import {
  AIMessage,
  Command,
  MemorySaver,
  InjectedState,
  MessagesAnnotation,
  START,
  StateGraph,
  isUnknownInterruptError,
  tool,
} from "weftgraph";
import { exportThread, importThread } from "weftgraph/savers/transfer";
import { ToolExecutor, ToolNode, createReactAgent, reviewToolCalls } from "weftgraph/prebuilt";
import { ScriptedModel } from "weftgraph/models/scripted";

const call = (name, args = {}, id = name) => ({ name, args, id, type: "tool_call" });
const ai = (...calls) => new AIMessage({ id: "ai", content: "", tool_calls: calls });
const thread = (thread_id = "t") => ({ configurable: { thread_id } });
const graphOf = (tools, checkpointer = new MemorySaver(), options = {}, Node = ToolNode) =>
  new StateGraph(MessagesAnnotation)
    .addNode("tools", Array.isArray(tools) ? new Node(tools, options) : tools)
    .addEdge(START, "tools")
    .compile({ checkpointer });
const waiting = async (graph) =>
  (await graph.getState(thread())).tasks.flatMap(({ interrupts }) => interrupts);
const answer = (id, type, args = null, more = {}) =>
  new Command({ resume: { [id]: { type, args, ...more } } });
const begin = async (graph, ...calls) =>
  (await graph.invoke({ messages: [ai(...calls)] }, thread())).__interrupt__;
const accept = async (graph) => {
  const [{ id }] = await waiting(graph);
  return graph.invoke(answer(id, "accept"), thread());
};
const said = ({ messages }) =>
  messages.filter(({ type }) => type === "tool").map(({ status, content }) => [status, content]);

// ---- schemas that make something else of the arguments

const coerced = (lib) =>
  lib.object({
    to: lib.string().transform((to) => to.trim()),
    amount: lib.coerce.number().default(100_000_000),
    when: lib.string().optional(),
  });
const standard = {
  "~standard": {
    version: 1,
    vendor: "own",
    validate: (value) =>
      typeof value?.to === "string"
        ? { value: { amount: 100_000_000, ...value, to: value.to.trim() } }
        : { issues: [{ message: "to is missing" }] },
  },
};
const KINDS = {
  "zod 4": (run, schema = coerced(z)) => tool(run, { name: "pay", schema, approval: "ask" }),
  "zod 3": (run, schema = coerced(z3)) => tool(run, { name: "pay", schema, approval: "ask" }),
  "a Standard Schema": (run, schema = standard) =>
    tool(run, { name: "pay", schema, approval: "ask" }),
  "LangChain's tool()": (run, schema = coerced(z)) =>
    coreTool(run, { name: "pay", description: "Pays", schema, approval: "ask" }),
  "LangChain's class": (run, schema = coerced(z3)) =>
    new DynamicStructuredTool({
      name: "pay",
      description: "Pays",
      schema,
      func: run,
      approval: "ask",
    }),
};

for (const [kind, make] of Object.entries(KINDS)) {
  test(`what the schema makes of the arguments is shown, and runs: ${kind}`, async () => {
    const ran = [];
    const pay = make((args) => (ran.push(args), "paid"));
    const graph = graphOf([pay]);
    const [{ value }] = await begin(graph, call("pay", { to: " bob " }));
    assert.deepEqual(JSON.parse(value.canonical), { to: "bob", amount: 100_000_000 });
    assert.deepEqual(value.action_request, {
      action: "pay",
      args: { to: "bob", amount: 100_000_000 },
    });
    assert.equal(value.note, undefined);
    assert.deepEqual(said(await accept(graph)), [["success", "paid"]]);
    assert.deepEqual(ran, [{ to: "bob", amount: 100_000_000 }]);
  });

  test(`arguments that the schema refuses are answered before anybody is asked: ${kind}`, async () => {
    const graph = graphOf([make(() => "paid")]);
    const { messages, __interrupt__ } = await graph.invoke(
      { messages: [ai(call("pay", { to: 7 }))] },
      thread(),
    );
    assert.equal(__interrupt__, undefined);
    assert.equal(messages.at(-1).status, "error");
  });

  test(`an edit that the schema changes is shown before it runs: ${kind}`, async () => {
    const ran = [];
    const graph = graphOf([make((args) => (ran.push(args), "paid"))]);
    const [{ id }] = await begin(graph, call("pay", { to: "bob", amount: 1 }));
    const {
      __interrupt__: [{ value }],
    } = await graph.invoke(answer(id, "edit", { action: "pay", args: { to: "eve" } }), thread());
    assert.deepEqual([ran, JSON.parse(value.canonical)], [[], { to: "eve", amount: 100_000_000 }]);
    await accept(graph);
    assert.deepEqual(ran, [{ to: "eve", amount: 100_000_000 }]);
  });
}

test("LangChain's classes with private fields, and its tools of one text, run as they were shown", async () => {
  class Pay extends StructuredTool {
    #bank = "bank";
    name = "pay";
    description = "Pays";
    approval = "ask";
    schema = z.object({ to: z.string().transform((to) => to.toUpperCase()) });
    async _call(args) {
      return `${this.#bank} ${JSON.stringify(args)}`;
    }
  }
  const graph = graphOf([new Pay()]);
  const [{ value }] = await begin(graph, call("pay", { to: "bob" }));
  assert.equal(value.canonical, '{"to":"BOB"}');
  assert.deepEqual(said(await accept(graph)), [["success", 'bank {"to":"BOB"}']]);
  const told = graphOf([
    new DynamicTool({
      name: "tell",
      description: "Tells",
      func: async (text) => `told ${text}`,
      approval: "ask",
    }),
  ]);
  assert.equal(
    (await begin(told, call("tell", { input: "x" })))[0].value.canonical,
    '{"input":"x"}',
  );
  assert.deepEqual(said(await accept(told)), [["success", "told x"]]);
});

test("what JSON cannot hold is shown in a form of its own, and handed over by value", async () => {
  class Money {
    constructor(amount) {
      this.amount = amount;
    }
    double() {
      return this.amount * 2;
    }
  }
  const ran = [];
  const made = [];
  const schema = z.object({
    at: z.coerce.date(),
    sum: z.number().transform((amount) => made[made.push(new Money(amount)) - 1]),
    tags: z.array(z.string()).transform((tags) => new Set(tags)),
    $odd: z.any(),
  });
  const pay = tool(
    ({ at, sum, tags, $odd }) => (
      ran.push([at.toISOString(), sum.double(), [...tags], $odd]), "paid"
    ),
    { name: "pay", schema, approval: "ask" },
  );
  const graph = graphOf([pay]);
  const [{ value }] = await begin(
    graph,
    call("pay", { at: "2026-01-02T03:04:05Z", sum: 5, tags: ["a"], $odd: { $date: "forged" } }),
  );
  const shown = {
    $object: {
      at: { $date: "2026-01-02T03:04:05.000Z" },
      sum: { $class: ["Money", { amount: 5 }] },
      tags: { $set: ["a"] },
      $odd: { $object: { $date: "forged" } },
    },
  };
  assert.deepEqual(JSON.parse(value.canonical), shown);
  assert.match(value.note, /JSON cannot hold/);
  // Whoever made them has them still.
  const change = setInterval(() => made.forEach((money) => (money.amount = 9000)), 0);
  try {
    assert.deepEqual(said(await accept(graph)), [["success", "paid"]]);
  } finally {
    clearInterval(change);
  }
  assert.deepEqual(ran, [["2026-01-02T03:04:05.000Z", 10, ["a"], { $date: "forged" }]]);
});

test("a value that cannot be shown, and a schema that makes another one each time, are errors", async () => {
  const rows = [
    [z.object({ to: z.string().transform(() => () => {}) }), /a function at \/to/],
    [
      z.object({ to: z.string(), id: z.string().default(() => crypto.randomUUID()) }),
      /other arguments each time/,
    ],
    [z.object({ to: z.string().transform(() => Promise.resolve(1)) }), undefined],
  ];
  for (const [schema, message] of rows) {
    const ran = [];
    const graph = graphOf([
      tool((args) => ran.push(args), { name: "pay", schema, approval: "ask" }),
    ]);
    const outcome = graph.invoke({ messages: [ai(call("pay", { to: "bob" }))] }, thread());
    await (message === undefined
      ? outcome.catch(() => {})
      : assert.rejects(outcome, { code: "APPROVAL", message }));
    assert.deepEqual(ran, []);
  }
});

test("a schema that keeps what it made cannot change it behind an approval", async () => {
  const kept = [];
  const ran = [];
  const schema = z.object({
    to: z.object({ name: z.string() }).transform((to) => (kept.push(to), to)),
  });
  const pay = tool((args) => (ran.push(structuredClone(args)), "paid"), {
    name: "pay",
    schema,
    approval: ({ to }) => ((to.name = "eve"), kept.forEach((one) => (one.name = "eve")), "ask"),
  });
  const graph = graphOf([pay]);
  assert.equal(
    (await begin(graph, call("pay", { to: { name: "bob" } })))[0].value.canonical,
    '{"to":{"name":"bob"}}',
  );
  await accept(graph);
  assert.deepEqual(ran, [{ to: { name: "bob" } }]);
});

// ---- definitions that change while an approval waits

test("a schema that changed behind a waiting approval makes it void", async () => {
  const own = (limit) => ({
    "~standard": {
      version: 1,
      vendor: "own",
      validate: (value) => ({ value: { ...value, limit } }),
    },
  });
  const ownSame = () => ({
    "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }) },
  });
  const plain = (schema) => ({
    name: "pay",
    description: "Pays",
    schema,
    invoke: async () => "paid",
    approval: "ask",
  });
  const rows = [
    ["zod 4", () => z.object({ to: z.string() }), () => z.object({ to: z.string().max(3) }), true],
    [
      "zod 3",
      () => z3.object({ to: z3.string() }),
      () => z3.object({ to: z3.string().max(3) }),
      true,
    ],
    [
      "a transform",
      () => z.object({ to: z.string().transform((to) => to) }),
      () => z.object({ to: z.string().transform((to) => `${to}!`) }),
      true,
    ],
    ["the same zod", () => z.object({ to: z.string() }), () => z.object({ to: z.string() }), false],
    ["a Standard Schema without JSON Schema, another", () => own(1), () => own(2), true],
    ["a Standard Schema without JSON Schema, made anew", ownSame, ownSame, true],
    [
      "a Standard Schema without JSON Schema, the same object",
      ...Array(2).fill(() => standard),
      false,
    ],
    ["a version", ...Array(2).fill(() => ownSame()), false, ["1", "1"]],
    ["another version", ...Array(2).fill(() => ownSame()), true, ["1", "2"]],
    [
      "another version of a zod",
      ...Array(2).fill(() => z.object({ to: z.string() })),
      true,
      ["1", "2"],
    ],
  ];
  for (const [what, before, after, isVoid, versions = []] of rows) {
    for (const make of [
      (schema, version, ran) =>
        tool((args) => (ran?.push(args), "paid"), {
          name: "pay",
          schema,
          approval: "ask",
          version,
        }),
      (schema, version, ran) => ({
        ...plain(schema),
        version,
        invoke: async (request) => (ran?.push(request.args), "paid"),
      }),
    ]) {
      const saver = new MemorySaver();
      const ran = [];
      const [{ id }] = await begin(
        graphOf([make(before(), versions[0])], saver),
        call("pay", { to: "bob" }),
      );
      const graph = graphOf([make(after(), versions[1], ran)], saver);
      const { __interrupt__ } = await graph.invoke(answer(id, "accept"), thread());
      // A by-shape tool reads its arguments itself: what its schema would make of them is not its
      // arguments.
      const isTransform = what === "a transform" && make(before()).func === undefined;
      assert.deepEqual(
        [__interrupt__?.length, ran.length],
        isVoid && !isTransform ? [1, 0] : [undefined, 1],
        what,
      );
    }
  }
});

test("of two calls that wait, one that was accepted is asked about again when its tool changes before the other is answered", async () => {
  const saver = new MemorySaver();
  const ran = [];
  const make = (max) =>
    graphOf(
      [
        tool((args) => (ran.push(args), "paid"), {
          name: "pay",
          schema: { type: "object", properties: { n: { type: "integer", maximum: max } } },
          approval: "ask",
        }),
      ],
      saver,
    );
  const [one, two] = await begin(make(10), call("pay", { n: 1 }, "1"), call("pay", { n: 2 }, "2"));
  await make(10).invoke(answer(one.id, "accept"), thread());
  let { __interrupt__: asked } = await make(100).invoke(answer(two.id, "accept"), thread());
  const shown = [];
  while (asked !== undefined) {
    assert.deepEqual(ran, []);
    shown.push(...asked.map(({ value }) => value.canonical));
    ({ __interrupt__: asked } = await make(100).invoke(
      new Command({ resume: Object.fromEntries(asked.map(({ id }) => [id, { type: "accept" }])) }),
      thread(),
    ));
  }
  assert.deepEqual(shown.sort(), ['{"n":1}', '{"n":2}']);
  assert.deepEqual(ran.map(({ n }) => n).sort(), [1, 2]);
});

// ---- who stands between the approval and the tool

const CHANGES = {
  "in place": (request) => ((request.toolCall.args.amount = 5000), request),
  "in place, deeply": (request) => ((request.toolCall.args.to.name = "eve"), request),
  "another name": (request) => ((request.toolCall.name = "wipe"), request),
  "a copy with other arguments": (request) => ({
    ...request,
    toolCall: { ...request.toolCall, args: { ...request.toolCall.args, amount: 5000 } },
  }),
  "another tool": (request) => ({
    ...request,
    toolCall: { ...request.toolCall, name: "wipe", args: {} },
  }),
};
const changingTools = (ran) => [
  tool((args) => (ran.push(["pay", args]), "paid"), {
    name: "pay",
    schema: { type: "object" },
    approval: "ask",
  }),
  tool((args) => (ran.push(["wipe", args]), "wiped"), {
    name: "wipe",
    schema: { type: "object" },
    approval: "ask",
  }),
];
class Overriding extends ToolNode {
  change = (request) => request;
  runTool(toolCall, config, state) {
    return super.runTool(this.change({ toolCall }).toolCall, config, state);
  }
}
for (const [what, change] of Object.entries(CHANGES)) {
  for (const way of ["wrapToolCall", "runTool"]) {
    for (const number of [1, 2]) {
      test(`a call that ${way} changes after its approval is asked about again: ${what}, ${number} of a message`, async () => {
        const ran = [];
        const node =
          way === "runTool"
            ? Object.assign(new Overriding(changingTools(ran)), { change })
            : new ToolNode(changingTools(ran), {
                wrapToolCall: (request, handler) => handler(change(request)),
              });
        const graph = graphOf(node);
        const calls = Array.from({ length: number }, (_, at) =>
          call("pay", { amount: 5, to: { name: "bob" } }, `${at}`),
        );
        const asked = await begin(graph, ...calls);
        const canonical = '{"amount":5,"to":{"name":"bob"}}';
        assert.deepEqual(
          asked.map(({ value }) => value.canonical),
          calls.map(() => canonical),
        );
        const all = (list, type) =>
          new Command({ resume: Object.fromEntries(list.map(({ id }) => [id, { type }])) });
        const { __interrupt__: again } = await graph.invoke(all(asked, "accept"), thread());
        assert.deepEqual(ran, []);
        assert.equal(again.length, number);
        for (const { value } of again)
          assert.notDeepEqual([value.action_request.action, value.canonical], ["pay", canonical]);
        // The answers to what was asked first are none to this.
        await assert.rejects(graph.invoke(all(asked, "accept"), thread()), isUnknownInterruptError);
        const shown = again.map(({ value }) => [
          value.action_request.action,
          JSON.parse(value.canonical),
        ]);
        await graph.invoke(all(again, "accept"), thread());
        assert.deepEqual(ran, shown);
      });
    }
  }
}

for (const way of ["wrapToolCall", "runTool", "wrapToolCall with a tool of its own"])
  test(`what ${way} makes of a call is asked about under a policy that looks at the arguments: the answer is about that`, async () => {
    const change = (request) => ({
      ...request,
      toolCall: { ...request.toolCall, args: { amount: 50 } },
    });
    for (const [type, expected] of [
      ["accept", [50]],
      ["ignore", []],
    ]) {
      const ran = [];
      const [pay, own] = [0, 1].map(() =>
        tool(({ amount }) => (ran.push(amount), "paid"), {
          name: "pay",
          schema: { type: "object" },
          approval: ({ amount }) => (amount > 10 ? "ask" : "auto"),
        }),
      );
      const node =
        way === "runTool"
          ? Object.assign(new Overriding([pay]), { change })
          : new ToolNode([pay], {
              wrapToolCall: (request, handler) =>
                handler({ ...change(request), tool: way === "wrapToolCall" ? request.tool : own }),
            });
      const graph = graphOf(node);
      const [{ id, value }] = await begin(graph, call("pay", { amount: 5 }));
      assert.deepEqual([value.canonical, value.changed], ['{"amount":50}', true]);
      const done = await graph.invoke(answer(id, type), thread());
      assert.equal(done.__interrupt__, undefined);
      assert.deepEqual(ran, expected);
    }
  });

test("the answer about a call that a wrapper changed is heard although the policy has changed", async () => {
  for (const type of ["accept", "ignore"]) {
    const ran = [];
    let most = 10;
    const pay = tool(({ amount }) => (ran.push(amount), "paid"), {
      name: "pay",
      schema: { type: "object" },
      approval: ({ amount }) => (amount > most ? "ask" : "auto"),
    });
    const graph = graphOf([pay], new MemorySaver(), {
      wrapToolCall: (request, handler) =>
        handler({ ...request, toolCall: { ...request.toolCall, args: { amount: 50 } } }),
    });
    const [{ id }] = await begin(graph, call("pay", { amount: 5 }));
    most = 100;
    await graph.invoke(answer(id, type), thread());
    assert.deepEqual(ran, type === "accept" ? [50] : []);
  }
});

test("a wrapper that only looks at the call, copies it, or restores it, runs what was approved; a handler called twice runs it once", async () => {
  const looks = {
    looks: (request, handler) => (JSON.stringify(request.toolCall.args), handler(request)),
    "gives nothing": (_request, handler) => handler(),
    copies: (request, handler) =>
      handler({ ...request, toolCall: structuredClone(request.toolCall) }),
    restores: (request, handler) => (
      (request.toolCall.args.amount = 1), (request.toolCall.args.amount = 5), handler(request)
    ),
    twice: async (request, handler) => (await handler(request), handler(request)),
    "changes it while it runs": (request, handler) => {
      const answer = handler(request);
      request.toolCall.args.amount = 5000;
      return answer;
    },
  };
  for (const [what, wrapToolCall] of Object.entries(looks)) {
    const ran = [];
    const graph = graphOf(changingTools(ran), new MemorySaver(), { wrapToolCall });
    await begin(graph, call("pay", { amount: 5 }));
    assert.deepEqual(said(await accept(graph)), [["success", "paid"]], what);
    assert.deepEqual(ran, [["pay", { amount: 5 }]], what);
  }
});

test("a subclass that changes each call that it is given is asked about that once, and not entered again for it", async () => {
  const ran = [];
  let entered = 0;
  class Growing extends ToolNode {
    runTool(toolCall, config, state) {
      assert.ok(++entered < 20);
      return super.runTool(
        { ...toolCall, args: { ...toolCall.args, amount: toolCall.args.amount + 1 } },
        config,
        state,
      );
    }
  }
  const schema = z.object({ amount: z.number().transform((amount) => amount * 10) });
  const pay = tool((args) => (ran.push(args), "paid"), { name: "pay", schema, approval: "ask" });
  const graph = graphOf([pay], new MemorySaver(), {}, Growing);
  assert.equal(
    (await begin(graph, call("pay", { amount: 5 })))[0].value.canonical,
    '{"amount":50}',
  );
  await accept(graph);
  assert.equal((await waiting(graph))[0].value.canonical, '{"amount":510}');
  await accept(graph);
  assert.deepEqual(ran, [{ amount: 510 }]);
});

test("an approval is for one run: a wrapper that has run the call is not asked about another one", async () => {
  const ran = [];
  const wrapToolCall = async (request, handler) => (
    await handler(),
    handler({ ...request, toolCall: { ...request.toolCall, name: "wipe", args: {} } })
  );
  const graph = graphOf(changingTools(ran), new MemorySaver(), { wrapToolCall });
  await begin(graph, call("pay", { amount: 5 }));
  const done = await accept(graph);
  assert.deepEqual(ran, [["pay", { amount: 5 }]]);
  assert.equal(done.__interrupt__, undefined);
  assert.match(said(done)[0][1], /nobody approved it as it is/);
});

test("attempts of an approved call get the same arguments, whatever the one before did to its own", async () => {
  const ran = [];
  const pay = tool(
    (args) => {
      ran.push(structuredClone(args));
      args.amount = 5000;
      if (ran.length < 3) throw new Error("down");
      return "paid";
    },
    {
      name: "pay",
      schema: { type: "object" },
      approval: "ask",
      retryPolicy: { initialInterval: 1, jitter: false, logWarning: false },
    },
  );
  const graph = graphOf([pay]);
  await begin(graph, call("pay", { amount: 5 }));
  await accept(graph);
  assert.deepEqual(ran, [{ amount: 5 }, { amount: 5 }, { amount: 5 }]);
});

// ---- policies

test("a policy gets a copy of what would run", async () => {
  for (const schema of [
    { type: "object", properties: { amount: { type: "integer", maximum: 100 } } },
    z.object({ amount: z.coerce.number().max(100) }),
  ]) {
    const ran = [];
    const pay = tool((args) => (ran.push(args), "paid"), {
      name: "pay",
      schema,
      approval: async (args) => ((args.amount = 9000), "ask"),
    });
    const graph = graphOf([pay]);
    assert.equal(
      (await begin(graph, call("pay", { amount: 5 })))[0].value.canonical,
      '{"amount":5}',
    );
    await accept(graph);
    assert.deepEqual(ran, [{ amount: 5 }]);
    const auto = tool((args) => (ran.push(args), "paid"), {
      name: "pay",
      schema,
      approval: (args) => ((args.amount = 9000), "auto"),
    });
    await graphOf([auto]).invoke({ messages: [ai(call("pay", { amount: 6 }))] }, thread("2"));
    assert.deepEqual(ran.splice(0), [{ amount: 5 }, { amount: 6 }]);
  }
});

test("a policy sees what the schema makes of the arguments", async () => {
  const seen = [];
  const pay = tool(() => "paid", {
    name: "pay",
    schema: coerced(z),
    approval: ({ amount }) => (seen.push(amount), amount > 100 ? "ask" : "auto"),
  });
  assert.equal((await begin(graphOf([pay]), call("pay", { to: "bob" }))).length, 1);
  assert.ok(seen.every((amount) => amount === 100_000_000));
});

test("what was planned runs, whatever becomes of the list of tools while a policy is awaited", async () => {
  const changes = {
    reversed: (tools) => tools.reverse(),
    replaced: (tools, others) => tools.splice(0, 2, ...others),
    emptied: (tools) => (tools.length = 0),
  };
  for (const [what, change] of Object.entries(changes)) {
    const ran = [];
    const named = (name, approval) =>
      tool((args) => (ran.push([name, args]), name), {
        name,
        schema: { type: "object" },
        approval,
      });
    const tools = [
      named(
        "pay",
        async () => (
          await null, change(tools, [named("pay", "auto"), named("wipe", "auto")]), "auto"
        ),
      ),
      named("wipe", "deny"),
    ];
    const original = tools[0];
    await graphOf(tools).invoke({ messages: [ai(call("pay", { n: 1 }))] }, thread());
    assert.deepEqual(ran, [["pay", { n: 1 }]], what);
    assert.equal(original.name, "pay");
  }
});

test("two tools that a person cannot tell apart are refused where one wants a decision", () => {
  const named = (name, approval) =>
    tool(() => name, { name, schema: { type: "object" }, approval });
  for (const tools of [
    [named("pay"), named("pay", "ask")],
    [named("pay", "deny"), named("pay")],
    [named("caf\u00e9", "ask"), named("cafe\u0301")],
    [named("pay", "ask"), named("\uff50ay")],
  ]) {
    assert.throws(() => new ToolNode(tools), { code: "APPROVAL", message: /two tools/ });
    assert.throws(() => createReactAgent({ llm: new ScriptedModel({ responses: ["x"] }), tools }), {
      code: "APPROVAL",
    });
  }
  assert.doesNotThrow(() => new ToolNode([named("pay"), named("pay")]));
});

// ---- reviewToolCalls

test("reviewToolCalls reads arguments that came as text before any policy", async () => {
  const ran = [];
  const pay = tool((args) => (ran.push(args), "paid"), {
    name: "pay",
    schema: { type: "object", properties: { amount: { type: "integer" } } },
  });
  const policies = { pay: ({ amount }) => (amount > 100 ? "ask" : "auto") };
  for (const tools of [[pay], undefined]) {
    const rows = [
      [{ tool_calls: [call("pay", '{"amount":500}')] }, 1],
      [
        {
          tool_calls: [],
          invalid_tool_calls: [
            {
              name: "pay",
              args: '{"amount":500}',
              id: "pay",
              type: "invalid_tool_call",
              error: "bad",
            },
          ],
        },
        1,
      ],
      [{ tool_calls: [call("pay", '{"amount":5}')] }, undefined],
      [{ tool_calls: [call("pay", '{"amount":')] }, undefined],
      [{ tool_calls: [call("pay", "[1]")] }, undefined],
    ];
    for (const [fields, asked] of rows) {
      const llm = new ScriptedModel({
        responses: [new AIMessage({ id: "ai", content: "", ...fields }), "done", "done"],
      });
      const agent = createReactAgent({
        llm,
        tools: [pay],
        checkpointer: new MemorySaver(),
        postModelHook: reviewToolCalls({ policies, tools }),
      });
      const { __interrupt__, messages } = await agent.invoke({ messages: "go" }, thread());
      assert.equal(__interrupt__?.length, asked, JSON.stringify(fields));
      if (asked === 1) {
        assert.equal(__interrupt__[0].value[0].canonical, '{"amount":500}');
        await agent.invoke(answer(__interrupt__[0].id, "accept"), thread());
        assert.deepEqual(ran.splice(0), [{ amount: 500 }]);
      } else {
        const good = JSON.stringify(fields).includes(":5}");
        assert.deepEqual(
          [ran.splice(0), messages.find(({ type }) => type === "tool").status],
          good ? [[{ amount: 5 }], "success"] : [[], "error"],
        );
      }
    }
  }
});

test("reviewToolCalls shows what the schema makes of the arguments; the ToolNode runs that, or nothing", async () => {
  const agentWith = (schema, tools, ran) => {
    const pay = tool((args) => (ran.push(args), "paid"), { name: "pay", schema });
    const llm = new ScriptedModel({ responses: [ai(call("pay", { to: " bob " })), "done"] });
    return createReactAgent({
      llm,
      tools: [pay],
      checkpointer: new MemorySaver(),
      postModelHook: reviewToolCalls({
        policies: { pay: "ask" },
        tools: tools ? [pay] : undefined,
      }),
    });
  };
  const ran = [];
  const known = agentWith(coerced(z), true, ran);
  const {
    __interrupt__: [{ id, value }],
  } = await known.invoke({ messages: "go" }, thread());
  assert.deepEqual(JSON.parse(value[0].canonical), { to: "bob", amount: 100_000_000 });
  await known.invoke(answer(id, "accept"), thread());
  assert.deepEqual(ran.splice(0), [{ to: "bob", amount: 100_000_000 }]);
  // It does not know the tool: what it showed is not what would run.
  const unknown = agentWith(coerced(z), false, ran);
  const [asked] = (await unknown.invoke({ messages: "go" }, thread())).__interrupt__;
  await assert.rejects(unknown.invoke(answer(asked.id, "accept"), thread()), {
    code: "APPROVAL",
    message: /changes the arguments/,
  });
  const growing = agentWith(z.object({ to: z.string().transform((to) => `${to}!`) }), true, ran);
  await assert.rejects(growing.invoke({ messages: "go" }, thread()), {
    code: "APPROVAL",
    message: /arguments that it made itself/,
  });
  assert.deepEqual(ran, []);
});

test("a call that a review let through runs as it is: wrappers and subclasses change neither it nor, where any arguments may run, the tool", async () => {
  const ways = {
    wrapToolCall: (tools, change) =>
      new ToolNode(tools, { wrapToolCall: (request, handler) => handler(change(request)) }),
    runTool: (tools, change) => Object.assign(new Overriding(tools), { change }),
  };
  for (const [way, make] of Object.entries(ways)) {
    for (const [what, change] of Object.entries(CHANGES)) {
      for (const [policies, allows] of [
        [{ pay: "ask", wipe: "deny" }, () => false],
        [{ wipe: "deny" }, (name) => name === "pay"],
        [{ pay: () => "auto", wipe: "deny" }, () => false],
      ]) {
        const ran = [];
        const tools = ["pay", "wipe"].map((name) =>
          tool((args) => (ran.push([name, args]), name), { name, schema: { type: "object" } }),
        );
        const llm = new ScriptedModel({
          responses: [ai(call("pay", { amount: 5, to: { name: "bob" } })), "done"],
        });
        const agent = createReactAgent({
          llm,
          tools: make(tools, change),
          checkpointer: new MemorySaver(),
          postModelHook: reviewToolCalls({ policies, tools }),
        });
        const { __interrupt__ } = await agent.invoke({ messages: "go" }, thread());
        if (__interrupt__ !== undefined)
          await agent.invoke(answer(__interrupt__[0].id, "accept"), thread());
        assert.ok(
          ran.every(([name]) => allows(name)),
          `${way}, ${what}: ${JSON.stringify(ran)}`,
        );
      }
    }
  }
});

test("reviewToolCalls refuses tools that a person cannot tell apart", async () => {
  const tools = ["pay", "\uff50ay"].map((name) =>
    tool(() => name, { name, schema: { type: "object" } }),
  );
  const llm = new ScriptedModel({ responses: [ai(call("pay"))] });
  const agent = createReactAgent({
    llm,
    tools,
    checkpointer: new MemorySaver(),
    postModelHook: reviewToolCalls({ policies: { pay: "ask" }, tools }),
  });
  await assert.rejects(agent.invoke({ messages: "go" }, thread()), {
    code: "APPROVAL",
    message: /two tools/,
  });
});

// ---- answers

test("an edit that leaves out what a JSON Schema fills in is shown before it runs", async () => {
  const schema = {
    type: "object",
    properties: { to: { type: "string" }, amount: { type: "integer", default: 9000 } },
    required: ["to"],
  };
  for (const reviews of [false, true]) {
    const ran = [];
    const pay = tool((args) => (ran.push(args), "paid"), {
      name: "pay",
      schema,
      approval: reviews ? undefined : "ask",
    });
    const llm = new ScriptedModel({
      responses: [ai(call("pay", { to: "bob", amount: 5 })), "done"],
    });
    const agent = createReactAgent({
      llm,
      tools: [pay],
      checkpointer: new MemorySaver(),
      ...(reviews
        ? { postModelHook: reviewToolCalls({ policies: { pay: "ask" }, tools: [pay] }) }
        : {}),
    });
    const {
      __interrupt__: [{ id }],
    } = await agent.invoke({ messages: "go" }, thread());
    const {
      __interrupt__: [{ id: second, value }],
    } = await agent.invoke(answer(id, "edit", { action: "pay", args: { to: "carol" } }), thread());
    assert.deepEqual([ran, [value].flat()[0].canonical], [[], '{"to":"carol","amount":9000}']);
    await agent.invoke(answer(second, "accept"), thread());
    assert.deepEqual(ran, [{ to: "carol", amount: 9000 }]);
  }
});

test("an edit that comes twice is no answer to the question that it led to", async () => {
  for (const plain of [false, true]) {
    for (const again of ["the same", "accept"]) {
      const ran = [];
      const graph = graphOf(changingTools(ran));
      const [{ id }] = await begin(graph, call("pay", { amount: 5 }));
      const edit = { type: "edit", args: { action: "wipe", args: { all: true } } };
      const resume = new Command({ resume: plain ? edit : { [id]: edit } });
      const {
        __interrupt__: [next],
      } = await graph.invoke(resume, thread());
      assert.deepEqual([next.value.action_request.action, ran], ["wipe", []]);
      assert.notEqual(next.id, id);
      const second =
        again === "the same"
          ? resume
          : new Command({ resume: plain ? { type: "accept" } : { [id]: { type: "accept" } } });
      if (plain)
        assert.match(
          (await graph.invoke(second, thread())).__interrupt__[0].value.problem,
          /another question/,
        );
      else
        await assert.rejects(graph.invoke(second, thread()), {
          name: "UnknownInterruptError",
          pendingIds: [next.id],
        });
      assert.deepEqual(ran, []);
      const [{ id: open, value }] = await waiting(graph);
      assert.equal(value.action_request.action, "wipe");
      await graph.invoke(
        plain
          ? new Command({ resume: { type: "accept", digest: value.digest } })
          : answer(open, "accept"),
        thread(),
      );
      assert.deepEqual(ran, [["wipe", { all: true }]]);
    }
  }
});

test("the log says of an answer what was made of it, though it says something else each time", async () => {
  for (let turn = 0; turn < 8; turn++) {
    const ran = [];
    const saver = new MemorySaver();
    const graph = graphOf(changingTools(ran), saver);
    const [{ id }] = await begin(graph, call("pay", { amount: 5 }));
    let reads = 0;
    const shifty = {
      get type() {
        return reads++ <= turn ? "response" : "accept";
      },
      args: "no",
    };
    await graph.invoke(new Command({ resume: { [id]: shifty } }), thread());
    const [{ type, answer: kept }] = await saver.decisions("t");
    assert.deepEqual(
      [type, kept.type],
      ran.length === 1 ? ["accept", "accept"] : ["response", "response"],
      `${turn}`,
    );
  }
});

test("on LangGraph.js's own checkpointer an edit that comes twice is no answer either; its question has another id", async () => {
  const { MemorySaver: Theirs } = await import("@langchain/langgraph-checkpoint");
  for (const plain of [false, true]) {
    const ran = [];
    const graph = graphOf(changingTools(ran), new Theirs());
    const [{ id }] = await begin(graph, call("pay", { amount: 5 }));
    const edit = { type: "edit", args: { action: "wipe", args: { all: true } } };
    const resume = new Command({ resume: plain ? edit : { [id]: edit } });
    const {
      __interrupt__: [next],
    } = await graph.invoke(resume, thread());
    assert.notEqual(next.id, id);
    if (plain)
      assert.match(
        (await graph.invoke(resume, thread())).__interrupt__[0].value.problem,
        /another question/,
      );
    else await assert.rejects(graph.invoke(resume, thread()), isUnknownInterruptError);
    assert.deepEqual(ran, []);
    const [{ id: open, value }] = await waiting(graph);
    assert.deepEqual(
      said(await graph.invoke(answer(open, "accept", null, { digest: value.digest }), thread())),
      [["success", "wiped"]],
    );
    assert.deepEqual(ran, [["wipe", { all: true }]]);
  }
});

test("an answer that goes in circles, or is nested deeply, reaches a node that asks on LangGraph.js's own checkpointer", async () => {
  const { MemorySaver: Theirs } = await import("@langchain/langgraph-checkpoint");
  const ring = { list: [] };
  ring.list.push(ring);
  let deep = {};
  for (let depth = 0; depth < 50_000; depth++) deep = { deep };
  for (const said of [ring, deep]) {
    let heard;
    const graph = graphOf(
      async (_state, config) => ((heard = config.interrupt("?")), {}),
      new Theirs(),
    );
    await graph.invoke({ messages: [] }, thread());
    // What such a checkpointer cannot store it says itself, if it does.
    await graph
      .invoke(new Command({ resume: said }), thread())
      .catch((error) => assert.doesNotMatch(error.stack, /resume-check/));
    assert.ok(heard === undefined || typeof heard === "object");
  }
});

test("on LangGraph.js's own checkpointer an approval is of the tool as it was shown, plain and by id, for one call and in a review", async () => {
  const { MemorySaver: Theirs } = await import("@langchain/langgraph-checkpoint");
  for (const way of ["plain", "by id"]) {
    for (const reviews of [false, true]) {
      const saver = new Theirs();
      const ran = [];
      const make = (max) => {
        const pay = tool((args) => (ran.push(args), "paid"), {
          name: "pay",
          schema: { type: "object", properties: { amount: { type: "integer", maximum: max } } },
          approval: reviews ? undefined : "ask",
        });
        const llm = new ScriptedModel({ responses: [ai(call("pay", { amount: 5 })), "done"] });
        return createReactAgent({
          llm,
          tools: [pay],
          checkpointer: saver,
          ...(reviews
            ? { postModelHook: reviewToolCalls({ policies: { pay: "ask" }, tools: [pay] }) }
            : {}),
        });
      };
      const resumed = async (graph) => {
        const [{ id }] = await waiting(graph);
        const one = reviews ? [{ type: "accept" }] : { type: "accept" };
        return graph.invoke(
          new Command({ resume: way === "plain" ? one : { [id]: one } }),
          thread(),
        );
      };
      await make(10).invoke({ messages: "go" }, thread());
      const asked = await resumed(make(1_000_000));
      assert.deepEqual([ran, asked.__interrupt__?.length], [[], 1], `${way}, ${reviews}`);
      assert.equal((await resumed(make(1_000_000))).__interrupt__, undefined);
      assert.deepEqual(ran, [{ amount: 5 }]);
    }
  }
});

test("answers by the ids of graphs inside decide there, and only there: an agent as a node, in a node, in a tool, of both versions", async () => {
  const inner = (ran, version) => {
    const tools = changingTools(ran);
    const llm = new ScriptedModel({ responses: [ai(call("pay", { amount: 5 })), "done", "done"] });
    return createReactAgent({ llm, tools, version });
  };
  const PLACES = {
    "as a node": (agent) => new StateGraph(MessagesAnnotation).addNode("agent", agent),
    "in a node": (agent) =>
      new StateGraph(MessagesAnnotation).addNode("agent", async (state, config) => ({
        messages: (await agent.invoke(state, config)).messages.slice(-1),
      })),
    "in a tool": (agent) => {
      const helper = tool(
        async (_args, config) =>
          (await agent.invoke({ messages: "go" }, config)).messages.at(-1).content,
        { name: "helper", schema: { type: "object" } },
      );
      return new StateGraph(MessagesAnnotation).addNode(
        "agent",
        createReactAgent({
          llm: new ScriptedModel({ responses: [ai(call("helper")), "end", "end"] }),
          tools: [helper],
        }),
      );
    },
  };
  for (const [place, build] of Object.entries(PLACES)) {
    for (const version of ["v1", "v2"]) {
      const ran = [];
      const graph = build(inner(ran, version))
        .addEdge(START, "agent")
        .compile({ checkpointer: new MemorySaver() });
      const [{ id }] = (await graph.invoke({ messages: "go" }, thread())).__interrupt__;
      const edit = answer(id, "edit", { action: "wipe", args: {} });
      const [next] = (await graph.invoke(edit, thread())).__interrupt__;
      assert.deepEqual(
        [next.value.action_request.action, next.id === id, ran],
        ["wipe", false, []],
        `${place}, ${version}`,
      );
      await assert.rejects(graph.invoke(edit, thread()), isUnknownInterruptError);
      await graph.invoke(answer(next.id, "accept"), thread());
      assert.deepEqual(ran, [["wipe", {}]], `${place}, ${version}`);
    }
  }
});

test("arguments with getters, toJSON, shrinking lists and odd prototypes are read once: what they say then is shown and runs", async () => {
  let turn = 0;
  const list = new Proxy([1, 2, 3], {
    get: (target, key) => (key === "length" ? Math.max(1, 3 - turn++) : target[key]),
  });
  const rows = [
    {
      get amount() {
        return turn++ === 0 ? 5 : 9000;
      },
    },
    {
      amount: 5,
      toJSON() {
        return { amount: turn++ === 0 ? 5 : 9000 };
      },
    },
    { list },
    Object.create({ amount: 9000 }, { amount: { value: 5, enumerable: true } }),
    JSON.parse('{"__proto__":{"amount":9000},"constructor":{"prototype":{}}}'),
    new Proxy(
      { amount: 5 },
      { get: (target, key) => (key === "amount" && turn++ > 0 ? 9000 : target[key]) },
    ),
  ];
  for (const args of rows) {
    for (const schema of [{ type: "object" }, z.object({}).passthrough()]) {
      turn = 0;
      const ran = [];
      const pay = tool((given) => (ran.push(JSON.stringify(given)), "paid"), {
        name: "pay",
        schema,
        approval: ({ amount }) => (amount === 1 ? "auto" : "ask"),
      });
      const graph = graphOf([pay]);
      const { __interrupt__ } = await graph.invoke({ messages: [ai(call("pay", args))] }, thread());
      const { value } = __interrupt__[0];
      const again = await accept(graph);
      if (again.__interrupt__ === undefined) assert.deepEqual(ran, [value.canonical]);
      else assert.deepEqual(ran, []);
    }
  }
});

test("what the host fills in is neither shown nor taken from the model, and reaches the tool", async () => {
  const ran = [];
  for (const schema of [
    { type: "object", properties: { to: { type: "string" }, user: InjectedState("messages") } },
    undefined,
  ]) {
    const fields =
      schema === undefined
        ? {
            schema: z.object({ to: z.string(), user: z.any() }),
            injected: { user: InjectedState("messages") },
          }
        : { schema };
    const pay = tool(({ to, user }) => (ran.push([to, user.length]), "paid"), {
      name: "pay",
      approval: "ask",
      ...fields,
    });
    const graph = graphOf([pay]);
    const [{ value }] = await begin(graph, call("pay", { to: "bob", user: "eve" }));
    assert.equal(value.canonical, '{"to":"bob"}');
    await accept(graph);
    assert.deepEqual(ran.splice(0), [["bob", 1]]);
  }
});

test("an answer whose type is no kind of answer decides nothing", async () => {
  for (const type of [
    ["ignore"],
    ["accept"],
    "toString",
    "constructor",
    "__proto__",
    5n,
    null,
    {},
  ]) {
    for (const reviews of [false, true]) {
      const ran = [];
      const pay = tool((args) => ran.push(args), {
        name: "pay",
        schema: { type: "object" },
        approval: reviews ? undefined : "ask",
      });
      const llm = new ScriptedModel({ responses: [ai(call("pay")), "done"] });
      const agent = createReactAgent({
        llm,
        tools: [pay],
        checkpointer: new MemorySaver(),
        ...(reviews
          ? { postModelHook: reviewToolCalls({ policies: { pay: "ask" }, tools: [pay] }) }
          : {}),
      });
      const {
        __interrupt__: [{ id }],
      } = await agent.invoke({ messages: "go" }, thread());
      const asked = await agent
        .invoke(new Command({ resume: { [id]: { type } } }), thread())
        .catch((error) => assert.equal(typeof type, "bigint", error.stack));
      assert.deepEqual(ran, []);
      const [{ id: open }] = asked?.__interrupt__ ?? (await waiting(agent));
      await agent.invoke(answer(open, "accept"), thread());
      assert.equal(ran.length, 1, String(type));
    }
  }
});

test("an open question is decided by its answer, also when nobody would be asked any more", async () => {
  for (const reviews of [false, true]) {
    for (const [type, args] of [
      ["ignore", null],
      ["response", "no"],
    ]) {
      const ran = [];
      let policy = "ask";
      const approval = () => policy;
      const pay = tool((given) => ran.push(given), {
        name: "pay",
        schema: { type: "object" },
        approval: reviews ? undefined : approval,
      });
      const llm = new ScriptedModel({ responses: [ai(call("pay")), "done"] });
      const agent = createReactAgent({
        llm,
        tools: [pay],
        checkpointer: new MemorySaver(),
        ...(reviews
          ? { postModelHook: reviewToolCalls({ policies: { pay: approval }, tools: [pay] }) }
          : {}),
      });
      const {
        __interrupt__: [{ id }],
      } = await agent.invoke({ messages: "go" }, thread());
      policy = "auto";
      const done = await agent.invoke(answer(id, type, args), thread());
      assert.deepEqual([ran, said(done)[0][0]], [[], "error"]);
    }
  }
  const ran = [];
  const saver = new MemorySaver();
  const deployed = (approval) =>
    graphOf(
      [tool((args) => ran.push(args), { name: "pay", schema: { type: "object" }, approval })],
      saver,
    );
  const [{ id }] = await begin(deployed("ask"), call("pay"));
  await deployed(undefined).invoke(answer(id, "ignore"), thread());
  assert.deepEqual(ran, []);
});

test("a plain answer is for the question that waits first when it is given: not for one that is hidden beside it, or comes later", async () => {
  const named = (ran, name) =>
    tool(() => (ran.push(name), name), { name, schema: { type: "object" }, approval: "ask" });
  const accepted = new Command({ resume: { type: "accept" } });
  const ran = [];
  const inner = createReactAgent({
    llm: new ScriptedModel({ responses: [ai(call("wipe"), call("hello")), "done", "done"] }),
    tools: [named(ran, "wipe"), named(ran, "hello")],
    version: "v2",
  });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("agent", inner)
    .addEdge(START, "agent")
    .compile({ checkpointer: new MemorySaver() });
  const shown = (await graph.invoke({ messages: "go" }, thread())).__interrupt__.map(
    ({ value }) => value.action_request.action,
  );
  await graph.invoke(accepted, thread());
  assert.deepEqual([shown, ran], [["wipe", "hello"], ["wipe"]]);
  // A double click.
  const paid = [];
  const two = [
    ai(call("pay", { n: 5 }, "1")),
    new AIMessage({ id: "ai2", content: "", tool_calls: [call("pay", { n: 5000 }, "2")] }),
    "done",
  ];
  const agent = createReactAgent({
    llm: new ScriptedModel({ responses: two }),
    tools: [
      tool(({ n }) => paid.push(n), { name: "pay", schema: { type: "object" }, approval: "ask" }),
    ],
    checkpointer: new MemorySaver(),
  });
  await agent.invoke({ messages: "go" }, thread());
  await Promise.all([agent.invoke(accepted, thread()), agent.invoke(accepted, thread())]);
  assert.deepEqual(paid, [5]);
});

test("an answer that comes while a call goes on which has asked nothing yet is refused, and the question waits", async () => {
  const { MemorySaver: PeerSaver } = await import("@langchain/langgraph-checkpoint");
  for (const version of ["v1", "v2"]) {
    for (const Saver of [MemorySaver, PeerSaver]) {
      const ran = [];
      const pay = tool(() => (ran.push("pay"), "paid"), {
        name: "pay",
        schema: { type: "object" },
        approval: "ask",
      });
      const agent = createReactAgent({
        llm: new ScriptedModel({ responses: [ai(call("pay")), "done"] }),
        tools: [pay],
        version,
        checkpointer: new Saver(),
      });
      const first = agent.invoke({ messages: "go" }, thread());
      await assert.rejects(
        agent.invoke(new Command({ resume: { type: "accept" } }), thread()),
        isUnknownInterruptError,
      );
      const {
        __interrupt__: [{ id }],
      } = await first;
      assert.deepEqual([ran, (await waiting(agent)).map((one) => one.id)], [[], [id]]);
      // Whoever reads the question in a stream may answer before the stream has ended.
      for await (const _ of await agent.stream(
        new Command({ resume: { [id]: { type: "accept" } } }),
        thread(),
      ));
      assert.deepEqual(ran, ["pay"]);
    }
  }
});

test("a plain answer to a question that a stream has shown counts, also before the stream has ended", async () => {
  const ran = [];
  const pay = tool(() => (ran.push("pay"), "paid"), {
    name: "pay",
    schema: { type: "object" },
    approval: "ask",
  });
  const agent = createReactAgent({
    llm: new ScriptedModel({ responses: [ai(call("pay")), "done"] }),
    tools: [pay],
    checkpointer: new MemorySaver(),
  });
  let done;
  for await (const chunk of await agent.stream(
    { messages: "go" },
    { ...thread(), streamMode: "updates" },
  )) {
    if (chunk.__interrupt__ !== undefined)
      done = agent.invoke(new Command({ resume: { type: "accept" } }), thread());
  }
  await done;
  assert.deepEqual(ran, ["pay"]);
});

test("an answer under the id of a question that was answered already names that question's approval, or is refused", async () => {
  const asking = (name) => tool(() => name, { name, schema: { type: "object" }, approval: "ask" });
  const llm = new ScriptedModel({ responses: [ai(call("pay"), call("wipe")), "done"] });
  const agent = createReactAgent({
    llm,
    tools: [asking("pay"), asking("wipe")],
    version: "v2",
    checkpointer: new MemorySaver(),
  });
  const {
    __interrupt__: [first, second],
  } = await agent.invoke({ messages: "go" }, thread());
  await agent.invoke(answer(first.id, "ignore"), thread());
  await assert.rejects(
    agent.invoke(
      answer(first.id, "accept", null, { approval_id: second.value.approval_id }),
      thread(),
    ),
    isUnknownInterruptError,
  );
  assert.deepEqual((await waiting(agent)).map(({ id }) => id).includes(second.id), true);
});

test("so does one to a question whose call was approved and ran, while its step cannot end", async () => {
  let made = 0;
  const changing = {
    ...standard["~standard"],
    validate: () => ({ value: { n: made++ } }),
    jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
  };
  const note = tool(() => "noted", {
    name: "note",
    schema: { "~standard": changing },
    approval: "ask",
  });
  const wipe = tool(() => "wiped", { name: "wipe", schema: { type: "object" }, approval: "ask" });
  const agent = createReactAgent({
    llm: new ScriptedModel({ responses: [ai(call("note"), call("wipe")), "done"] }),
    tools: [note, wipe],
    version: "v2",
    checkpointer: new MemorySaver(),
  });
  await assert.rejects(agent.invoke({ messages: "go" }, thread()), { code: "APPROVAL" });
  const [{ id, value }] = await waiting(agent);
  await assert.rejects(
    agent.invoke(
      new Command({ resume: { type: "accept", approval_id: value.approval_id } }),
      thread(),
    ),
    { code: "APPROVAL" },
  );
  const approval_id = `${"0".repeat(31)}1`;
  await assert.rejects(
    agent.invoke(answer(id, "accept", null, { approval_id }), thread()),
    isUnknownInterruptError,
  );
  await assert.rejects(
    agent.invoke(new Command({ resume: { type: "accept", approval_id } }), thread()),
    isUnknownInterruptError,
  );
});

test("a ToolNode and a review that a node's code calls without its config ask as if it had been passed", async () => {
  for (const options of [undefined, {}, { tags: ["x"] }]) {
    const ran = [];
    let n = 5;
    const pay = tool((args) => ran.push(args.n), {
      name: "pay",
      schema: { type: "object" },
      approval: "ask",
    });
    const node = new ToolNode([pay]);
    const graph = graphOf(async () => {
      const message = ai(call("pay", { n }));
      n = 5000;
      return node.invoke({ messages: [message] }, options);
    });
    await graph.invoke({ messages: [] }, thread());
    const {
      __interrupt__: [{ value }],
    } = await graph.invoke(new Command({ resume: { type: "accept" } }), thread());
    assert.deepEqual([ran, value.canonical], [[], '{"n":5000}']);
  }
});

test("calls of one approval run once, however often the code around the ToolNode starts again", async () => {
  const ran = [];
  const saver = new MemorySaver();
  const node = new ToolNode([
    tool(({ n }) => (ran.push(n), "paid"), {
      name: "pay",
      schema: { type: "object" },
      approval: "ask",
    }),
  ]);
  const graph = graphOf(async (_state, config) => {
    for (const n of [1, 2, 3]) await node.invoke([ai(call("pay", { n }, `${n}`))], config);
    return {};
  }, saver);
  await graph.invoke({ messages: [] }, thread());
  for (let turn = 0; turn < 3; turn++) await accept(graph);
  assert.deepEqual(ran, [1, 2, 3]);
  assert.equal((await saver.decisions("t")).length, 3);
});

test("an approved call that still ran when its run failed or was stopped is asked about, and does not run again by itself", async () => {
  for (const durability of ["sync", "async", "exit"]) {
    for (const way of ["a neighbour fails", "it is aborted"]) {
      const ran = [];
      let begin;
      const begun = new Promise((resolve) => (begin = resolve));
      const pay = tool(
        () => (ran.push("pay"), begin(), ran.length > 1 ? "paid" : new Promise(() => {})),
        { name: "pay", schema: { type: "object" }, approval: "ask" },
      );
      let fails = 1;
      const bad = tool(
        async () => {
          await begun;
          if (fails-- > 0) throw new Error("bad");
          return "fine";
        },
        { name: "bad", schema: { type: "object" } },
      );
      const graph = graphOf([pay, bad], new MemorySaver(), { handleToolErrors: false });
      const calls = way === "it is aborted" ? [call("pay")] : [call("pay"), call("bad")];
      const {
        __interrupt__: [{ id }],
      } = await graph.invoke({ messages: [ai(...calls)] }, { ...thread(), durability });
      const stop = new AbortController();
      const stopped = assert.rejects(
        graph.invoke(answer(id, "accept"), { ...thread(), durability, signal: stop.signal }),
      );
      await begun;
      if (way === "it is aborted") stop.abort();
      await stopped;
      let { __interrupt__: asked } = await graph.invoke(null, { ...thread(), durability });
      // The answer died with the run: it is asked for first.
      if (asked[0].value.kind === undefined)
        ({ __interrupt__: asked } = await graph.invoke(answer(asked[0].id, "accept"), {
          ...thread(),
          durability,
        }));
      assert.deepEqual(
        [ran, asked.map(({ value }) => value.kind)],
        [["pay"], ["unknown_tool_call"]],
        `${way}, ${durability}`,
      );
    }
  }
});

test("a call that was approved, or written instead, and ran when its run was stopped is not said to be refused, whatever is answered then", async () => {
  for (const durability of ["sync", "async", "exit"]) {
    for (const edit of [
      undefined,
      { action: "pay", args: { n: 5 } },
      { action: "note", args: {} },
    ]) {
      for (const said of ["response", "ignore"]) {
        let begin;
        const begun = new Promise((resolve) => (begin = resolve));
        const run = () => (begin(), new Promise(() => {}));
        const pay = tool(run, {
          name: "pay",
          schema: { type: "object" },
          approval: ({ n }) => (n > 100 ? "ask" : "auto"),
        });
        const graph = graphOf([pay, tool(run, { name: "note", schema: { type: "object" } })]);
        const config = { ...thread(), durability };
        const {
          __interrupt__: [{ id }],
        } = await graph.invoke({ messages: [ai(call("pay", { n: 150 }))] }, config);
        const stop = new AbortController();
        const stopped = assert.rejects(
          graph.invoke(answer(id, edit === undefined ? "accept" : "edit", edit), {
            ...config,
            signal: stop.signal,
          }),
        );
        await begun;
        stop.abort();
        await stopped;
        const {
          __interrupt__: [again],
        } = await graph.invoke(null, config);
        const { messages } = await graph.invoke(
          answer(again.id, said, said === "response" ? "No." : null),
          config,
        );
        // Nobody is asked whether to allow what has begun, but what became of it.
        assert.deepEqual(
          [again.value.kind, again.value.action_request.action],
          ["unknown_tool_call", edit?.action ?? "pay"],
        );
        assert.match(
          messages.at(-1).content,
          said === "response" ? /^No\.$/ : /not known whether the call of "(pay|note)" took effect/,
          `${durability}, ${edit?.action}, ${said}`,
        );
      }
    }
  }
});

test("an edit that the schema turns into what was asked decides nothing; the question can still be accepted", async () => {
  const schema = {
    type: "object",
    properties: { to: { type: "string" }, amount: { type: "integer", default: 20 } },
  };
  for (const reviews of [false, true]) {
    const ran = [];
    const pay = tool((args) => (ran.push(args), "paid"), {
      name: "pay",
      schema,
      approval: reviews ? undefined : "ask",
    });
    const llm = new ScriptedModel({
      responses: [ai(call("pay", { to: "bob", amount: 20 })), "done"],
    });
    const agent = createReactAgent({
      llm,
      tools: [pay],
      checkpointer: new MemorySaver(),
      ...(reviews
        ? { postModelHook: reviewToolCalls({ policies: { pay: "ask" }, tools: [pay] }) }
        : {}),
    });
    const {
      __interrupt__: [{ id }],
    } = await agent.invoke({ messages: "go" }, thread());
    const {
      __interrupt__: [again],
    } = await agent.invoke(answer(id, "edit", { action: "pay", args: { to: "bob" } }), thread());
    assert.deepEqual(ran, []);
    assert.match([again.value].flat()[0].problem, /accept it as it is shown/);
    await agent.invoke(answer(again.id, "accept"), thread());
    assert.deepEqual(ran, [{ to: "bob", amount: 20 }]);
  }
});

test("a reviewed tool of one text runs; so does, of both versions, a call beside one that the review answered", async () => {
  const ran = [];
  const text = new DynamicTool({
    name: "tell",
    description: "Tells",
    func: async (said) => (ran.push(said), "told"),
  });
  const pay = tool((args) => (ran.push(args.n), "paid"), {
    name: "pay",
    schema: { type: "object" },
  });
  const never = tool(() => ran.push("never"), { name: "never", schema: { type: "object" } });
  for (const version of ["v1", "v2"]) {
    const tools = [text, pay, never];
    const llm = new ScriptedModel({
      responses: [ai(call("never"), call("pay", { n: 1 }), call("tell", { input: "x" })), "done"],
    });
    const agent = createReactAgent({
      llm,
      tools,
      version,
      checkpointer: new MemorySaver(),
      postModelHook: reviewToolCalls({
        policies: { pay: "ask", tell: "ask", never: "deny" },
        tools,
      }),
    });
    const {
      __interrupt__: [{ id, value }],
    } = await agent.invoke({ messages: "go" }, thread());
    await agent.invoke(
      new Command({ resume: { [id]: value.map(() => ({ type: "accept" })) } }),
      thread(),
    );
    assert.deepEqual(ran.splice(0).sort(), [1, "x"].sort(), version);
  }
});

test("an import of a thread in which one of two calls was accepted asks about both", async () => {
  const saver = new MemorySaver();
  const ran = [];
  const tools = [
    tool((args) => ran.push(args.n), { name: "pay", schema: { type: "object" }, approval: "ask" }),
  ];
  const [one] = await begin(
    graphOf(tools, saver),
    call("pay", { n: 1 }, "1"),
    call("pay", { n: 2 }, "2"),
  );
  await graphOf(tools, saver).invoke(answer(one.id, "accept"), thread());
  const moved = new MemorySaver();
  await importThread(moved, await exportThread(saver, "t"));
  const graph = graphOf(tools, moved);
  const shown = new Set();
  for (let { __interrupt__: asked } = await graph.invoke(null, thread()); asked !== undefined; ) {
    assert.deepEqual(ran, []);
    for (const { value } of asked) shown.add(value.canonical);
    ({ __interrupt__: asked } = await graph.invoke(
      new Command({ resume: Object.fromEntries(asked.map(({ id }) => [id, { type: "accept" }])) }),
      thread(),
    ));
  }
  assert.deepEqual([...shown].sort(), ['{"n":1}', '{"n":2}']);
  assert.deepEqual(ran.sort(), [1, 2]);
});

test("keys that begin with a dollar sign are shown and run as they are; without a text there is nothing to show", async () => {
  for (const schema of [
    { type: "object", properties: { $filter: { type: "string" } }, required: ["$filter"] },
    z.object({ $filter: z.string() }),
  ]) {
    const ran = [];
    const graph = graphOf([
      tool((args) => ran.push(args), { name: "find", schema, approval: "ask" }),
    ]);
    assert.equal(
      (await begin(graph, call("find", { $filter: "a" })))[0].value.canonical,
      '{"$filter":"a"}',
    );
    await accept(graph);
    assert.deepEqual(ran, [{ $filter: "a" }]);
  }
  const heard = [];
  const restart = graphOf([tool((text) => heard.push(text), { name: "restart", approval: "ask" })]);
  assert.equal((await begin(restart, call("restart")))[0].value.canonical, "{}");
  await accept(restart);
  assert.deepEqual(heard, [undefined]);
});

test("what is not in the fields of an argument is not taken for shown", async () => {
  const defaults = { amount: 5 };
  class Secret {
    #amount = 9000;
    get amount() {
      return this.#amount;
    }
  }
  for (const make of [
    (to) => Object.assign(Object.create(defaults), { to }),
    () => new Secret(),
    () => new URLSearchParams("a=1"),
    () => new (class extends Map {})(),
  ]) {
    const graph = graphOf([
      tool(() => "paid", {
        name: "pay",
        schema: z.object({ to: z.string().transform(make) }),
        approval: "ask",
      }),
    ]);
    await assert.rejects(graph.invoke({ messages: [ai(call("pay", { to: "bob" }))] }, thread()), {
      code: "APPROVAL",
      message: /cannot be shown/,
    });
  }
});

test("an answer to a review's question is none to its next one, which asks about more", async () => {
  const ran = [];
  let policy = "auto";
  const tools = ["pay", "wipe"].map((name) =>
    tool((args) => ran.push([name, args]), { name, schema: { type: "object" } }),
  );
  const review = reviewToolCalls({ policies: { pay: () => policy, wipe: "ask" }, tools });
  const agent = createReactAgent({
    llm: new ScriptedModel({ responses: [ai(call("pay"), call("wipe")), "done"] }),
    tools,
    checkpointer: new MemorySaver(),
    postModelHook: review,
  });
  const {
    __interrupt__: [first],
  } = await agent.invoke({ messages: "go" }, thread());
  assert.deepEqual(
    first.value.map(({ id }) => id),
    ["wipe"],
  );
  policy = "ask";
  const accepted = new Command({ resume: { [first.id]: [{ type: "accept" }] } });
  const {
    __interrupt__: [second],
  } = await agent.invoke(accepted, thread());
  assert.deepEqual(
    [second.value.map(({ id }) => id), second.id === first.id],
    [["pay", "wipe"], false],
  );
  await assert.rejects(agent.invoke(accepted, thread()), isUnknownInterruptError);
  assert.deepEqual(ran, []);
  await agent.invoke(
    new Command({ resume: { [second.id]: [{ type: "ignore" }, { type: "accept" }] } }),
    thread(),
  );
  assert.deepEqual(
    ran.map(([name]) => name),
    ["wipe"],
  );
});

test("a review repairs ids that calls lack or share, as a ToolNode does", async () => {
  const ran = [];
  const tools = [
    tool((args) => (ran.push(args.n), "paid"), { name: "pay", schema: { type: "object" } }),
  ];
  const calls = [
    call("pay", { n: 1 }, "same"),
    call("pay", { n: 2 }, "same"),
    { name: "pay", args: { n: 3 }, type: "tool_call" },
  ];
  const agent = createReactAgent({
    llm: new ScriptedModel({ responses: [ai(...calls), "done"] }),
    tools,
    checkpointer: new MemorySaver(),
    postModelHook: reviewToolCalls({ policies: { pay: "ask" }, tools }),
  });
  const {
    __interrupt__: [{ id, value }],
  } = await agent.invoke({ messages: "go" }, thread());
  const done = await agent.invoke(
    new Command({ resume: { [id]: value.map(() => ({ type: "accept" })) } }),
    thread(),
  );
  const [message] = done.messages.filter(({ type }) => type === "ai");
  const ids = message.tool_calls.map((one) => one.id);
  assert.deepEqual(
    [new Set(ids).size, ids.every((one) => typeof one === "string" && one !== "")],
    [3, true],
  );
  assert.deepEqual(
    new Set(
      done.messages.filter(({ type }) => type === "tool").map(({ tool_call_id }) => tool_call_id),
    ),
    new Set(ids),
  );
  assert.deepEqual(ran, [1]);
});

// ---- tools from elsewhere

test("what LangChain's tool() was given holds: approval, idempotent, onUnknown; a policy that is none is refused at once", async () => {
  const schema = z.object({ amount: z.number() });
  for (const make of [
    (fields) => coreTool(() => "paid", { name: "pay", description: "Pays", schema, ...fields }),
    (fields) =>
      new DynamicStructuredTool({
        name: "pay",
        description: "Pays",
        schema,
        func: async () => "paid",
        ...fields,
      }),
  ]) {
    const llm = () => new ScriptedModel({ responses: [ai(call("pay", { amount: 5 })), "done"] });
    const asked = await createReactAgent({
      llm: llm(),
      tools: [make({ approval: "ask" })],
      checkpointer: new MemorySaver(),
    }).invoke({ messages: "go" }, thread());
    assert.deepEqual(
      asked.__interrupt__.map(({ value }) => value.canonical),
      ['{"amount":5}'],
    );
    const denied = await createReactAgent({
      llm: llm(),
      tools: [make({ approval: "deny" })],
    }).invoke({ messages: "go" });
    assert.equal(said(denied)[0][0], "error");
    const decided = await createReactAgent({
      llm: llm(),
      tools: [make({ approval: ({ amount }) => (amount > 3 ? "deny" : "auto") })],
    }).invoke({ messages: "go" });
    assert.equal(said(decided)[0][0], "error");
    for (const approval of ["Ask", true, 1, {}])
      assert.throws(() => createReactAgent({ llm: llm(), tools: [make({ approval })] }), {
        code: "APPROVAL",
        message: /not "auto", "ask" or "deny"/,
      });
  }
});

test("what asks nobody refuses tools that want a decision", () => {
  const pay = tool(() => "paid", { name: "pay", schema: { type: "object" }, approval: "ask" });
  assert.throws(() => new ToolExecutor({ tools: [pay] }), { code: "APPROVAL" });
});

test("what cannot be shown does not run, nor does it fail the call that a wrapper ran before it", async () => {
  const ran = [];
  const pay = tool(() => (ran.push("pay"), "paid"), {
    name: "pay",
    schema: { type: "object" },
    approval: "ask",
  });
  const hide = tool(() => ran.push("hide"), {
    name: "hide",
    schema: z.object({}).transform(() => ({ secret: () => 1 })),
    approval: "ask",
  });
  const wrapToolCall = async (request, handler) => {
    await handler();
    return handler({ ...request, toolCall: { ...request.toolCall, name: "hide" } });
  };
  const llm = new ScriptedModel({ responses: [ai(call("pay", {})), "done"] });
  const agent = createReactAgent({
    llm,
    tools: new ToolNode([pay, hide], { wrapToolCall }),
    checkpointer: new MemorySaver(),
  });
  const {
    __interrupt__: [{ id }],
  } = await agent.invoke({ messages: "go" }, thread());
  const { messages } = await agent.invoke(answer(id, "accept"), thread());
  assert.deepEqual(ran, ["pay"]);
  assert.match(messages.at(-2).content, /"hide" was not run/);
});
