// SPDX-License-Identifier: MIT
// humanInTheLoopMiddleware: LangChain's questions and decisions, bound to the calls as they were
// shown; in a tab too, where langchain's fails.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import {
  OWN,
  Model,
  call,
  calling,
  makeTool,
  onThread,
  outcome,
  same,
} from "./agent-middleware-both.mjs";

const { createAgent, Command, MemorySaver, humanInTheLoopMiddleware, createMiddleware } = OWN;

/** An agent that calls tools once, and its tools. */
function make(api, calls, interruptOn, more = {}) {
  const tools = [makeTool("a"), makeTool("b")];
  const agent = api.createAgent({
    model: new Model([calling(...calls), "done"]),
    tools,
    checkpointer: new api.MemorySaver(),
    middleware: [api.humanInTheLoopMiddleware({ interruptOn, ...more })],
  });
  return { agent, ran: () => tools.map((tool) => tool.ran) };
}
const ask = async (agent) => {
  const state = await agent.invoke({ messages: "go" }, onThread);
  return state.__interrupt__?.map(({ value }) => value);
};
const answer = (agent, resume) => outcome(agent.invoke(new OWN.Command({ resume }), onThread));
const edit = (name, args) => ({ type: "edit", editedAction: { name, args } });

const ONE = [call("a", { x: 1 })];
const NUMBERED = { type: "object", properties: { x: { type: "number" } } };
for (const [title, decision, rule] of [
  ["approved", { type: "approve" }, true],
  ["edited", edit("a", { x: 5 }), true],
  ["edited to another tool", edit("b", { x: 5 }), true],
  ["rejected with a message", { type: "reject", message: "no" }, true],
  ["rejected", { type: "reject" }, true],
  [
    "described",
    { type: "approve" },
    { allowedDecisions: ["approve"], description: "D", argsSchema: { type: "object" } },
  ],
  [
    "described by a function",
    { type: "approve" },
    {
      allowedDecisions: ["approve"],
      description: async ({ name, args }, { messages }) => `${name} ${args.x} ${messages.length}`,
    },
  ],
  ["asked when", { type: "approve" }, { allowedDecisions: ["approve"], when: () => true }],
  ["not asked when", undefined, { allowedDecisions: ["approve"], when: async () => false }],
  ["not asked", undefined, false],
])
  test(`one call ${title}: question, next node, conversation and runs as in langchain`, () =>
    same(async (api) => {
      const { agent, ran } = make(api, ONE, { a: rule });
      const asked = (await ask(agent))?.map(({ actionRequests, reviewConfigs }) => ({
        actionRequests,
        reviewConfigs,
      }));
      const { next } = await agent.graph.getState(onThread);
      const command = new api.Command({ resume: { decisions: [decision] } });
      const said = decision && (await outcome(agent.invoke(command, onThread)));
      return [asked, next, said, ran()];
    }));

test("all calls rejected lead to the model at once, as in langchain", () =>
  same(async (api) => {
    const { agent, ran } = make(api, [...ONE, call("a", { x: 2 }, "c2")], { a: true });
    await ask(agent);
    const decisions = [{ type: "reject" }, { type: "reject", message: "no" }];
    return [
      await outcome(agent.invoke(new api.Command({ resume: { decisions } }), onThread)),
      ran(),
    ];
  }));

test("a rejected call does not drop its approved and its free siblings", async () => {
  const calls = [call("a", { x: 1 }), call("b", { x: 2 }, "c2"), call("a", { x: 3 }, "c3")];
  const { agent, ran } = make(OWN, calls, { a: true });
  const [{ actionRequests }] = await ask(agent);
  assert.deepEqual(
    actionRequests.map(({ name, args }) => [name, args]),
    [
      ["a", { x: 1 }],
      ["a", { x: 3 }],
    ],
  );
  const { messages } = await answer(agent, {
    decisions: [{ type: "reject", message: "not this" }, { type: "approve" }],
  });
  assert.deepEqual(ran(), [[{ x: 3 }], [{ x: 2 }]]);
  const results = messages.filter(([type]) => type === "tool").map(([, text, id]) => [id, text]);
  assert.deepEqual(results.sort(), [
    ["c1", "not this"],
    ["c2", 'b {"x":2}'],
    ["c3", 'a {"x":3}'],
  ]);
  assert.deepEqual(messages.at(-1), ["ai", "done"]);
});

test("a decision that the question does not allow runs nothing, and the question is asked again", async () => {
  for (const resume of [
    { decisions: [{ type: "what" }] },
    { decisions: [{ type: "approve" }, { type: "approve" }] },
    { decisions: [edit("a", { x: 5 })] },
    { type: "reject" },
    "yes",
  ]) {
    const { agent, ran } = make(OWN, ONE, { a: { allowedDecisions: ["approve", "reject"] } });
    const [first] = await ask(agent);
    assert.equal(first.problem, undefined);
    const state = await agent.invoke(new Command({ resume }), onThread);
    assert.match(
      state.__interrupt__[0].value.problem,
      /Answer \{ decisions: \[\{ type: "approve" \} or \{ type: "reject", message \}\] \}/,
    );
    assert.deepEqual(ran(), [[], []]);
    await answer(agent, { decisions: [{ type: "approve" }] });
    assert.deepEqual(ran(), [[{ x: 1 }], []]);
  }
});

test("decisions about several calls count together or not at all", async () => {
  const { agent, ran } = make(OWN, [...ONE, call("a", { x: 2 }, "c2")], {
    a: { allowedDecisions: ["approve"] },
  });
  await ask(agent);
  for (const decisions of [
    [{ type: "approve" }],
    [{ type: "approve" }, { type: "reject" }],
    [{ type: "approve" }, edit("a", { x: 9 })],
  ])
    await assert.rejects(agent.invoke(new Command({ resume: { decisions } }), onThread), {
      code: "APPROVAL",
    });
  assert.deepEqual(ran(), [[], []]);
  await answer(agent, { decisions: [{ type: "approve" }, { type: "approve" }] });
  assert.deepEqual(ran(), [[{ x: 1 }, { x: 2 }], []]);
});

test("a late second answer does not approve the next question", async () => {
  const tools = [makeTool("a")];
  const agent = createAgent({
    model: new Model([calling(call("a", { x: 1 })), calling(call("a", { x: 2 }, "c2")), "done"]),
    tools,
    checkpointer: new MemorySaver(),
    middleware: [humanInTheLoopMiddleware({ interruptOn: { a: true } })],
  });
  const [{ digest, approval_id }] = await ask(agent);
  const click = new Command({ resume: { decisions: [{ type: "approve", digest, approval_id }] } });
  const state = await agent.invoke(click, onThread);
  assert.notEqual(state.__interrupt__[0].value.digest, digest);
  const again = await agent.invoke(click, onThread);
  assert.match(again.__interrupt__[0].value.problem, /another call/);
  assert.deepEqual(tools[0].ran, [{ x: 1 }]);
});

test("an edit that names another tool that needs approval is shown before it runs", async () => {
  const { agent, ran } = make(OWN, ONE, { a: true, b: true });
  await ask(agent);
  const state = await agent.invoke(
    new Command({ resume: { decisions: [edit("b", { x: 5 })] } }),
    onThread,
  );
  const [{ value }] = state.__interrupt__;
  assert.deepEqual(value.actionRequests[0].name, "b");
  assert.deepEqual(ran(), [[], []]);
  await answer(agent, { decisions: [{ type: "approve", digest: value.digest }] });
  assert.deepEqual(ran(), [[], [{ x: 5 }]]);
});

test("a call that changes after its approval does not run", async () => {
  const swap = createMiddleware({
    name: "Swap",
    afterModel: ({ messages }) => {
      const last = messages.at(-1);
      if (!last.tool_calls?.length) return;
      const tool_calls = last.tool_calls.map((one) => ({ ...one, args: { x: 666 } }));
      return { messages: [new OWN.AIMessage({ content: "", id: last.id, tool_calls })] };
    },
  });
  const tool = makeTool("a");
  const agent = createAgent({
    model: new Model([calling(...ONE), "done"]),
    tools: [tool],
    checkpointer: new MemorySaver(),
    middleware: [swap, humanInTheLoopMiddleware({ interruptOn: { a: true } })],
  });
  await ask(agent);
  const { messages } = await answer(agent, { decisions: [{ type: "approve" }] });
  assert.deepEqual(tool.ran, []);
  assert.match(messages[2][1], /nobody approved it as it is/);
});

for (const [where, hooks, answers = [calling(...ONE)]] of [
  ["afterModel", { afterModel: { canJumpTo: ["tools"], hook: () => ({ jumpTo: "tools" }) } }],
  [
    "afterAgent",
    {
      afterModel: { canJumpTo: ["end"], hook: () => ({ jumpTo: "end" }) },
      afterAgent: {
        canJumpTo: ["tools"],
        hook: ({ messages }) =>
          messages.at(-1).tool_calls?.length > 0 ? { jumpTo: "tools" } : undefined,
      },
    },
  ],
  [
    "beforeModel",
    {
      beforeModel: {
        canJumpTo: ["tools"],
        hook: ({ messages }) =>
          messages.length > 1
            ? undefined
            : {
                messages: [new OWN.AIMessage({ content: "", tool_calls: ONE })],
                jumpTo: "tools",
              },
      },
    },
    [],
  ],
])
  test(`a jump of another middleware to the tools goes by the person: ${where}`, async () => {
    const tool = makeTool("a");
    const agent = createAgent({
      model: new Model([...answers, "done"]),
      tools: [tool],
      checkpointer: new MemorySaver(),
      middleware: [
        humanInTheLoopMiddleware({ interruptOn: { a: true } }),
        createMiddleware({ name: "Jump", ...hooks }),
      ],
    });
    const [{ actionRequests }] = await ask(agent);
    assert.deepEqual([actionRequests[0].args, tool.ran], [{ x: 1 }, []]);
    const { messages } = await answer(agent, { decisions: [{ type: "approve" }] });
    assert.deepEqual([tool.ran, messages.at(-1)], [[{ x: 1 }], ["ai", "done"]]);
  });

for (const version of ["v1", "v2"])
  for (const [what, add] of [
    ["a hook adds a call of the tool", (calls) => [...calls, call("a", { x: 77 }, "c9")]],
    ["a hook writes the call anew", () => [call("a", { x: 77 }, "c9")]],
    ["a hook changes the call", ([one]) => [{ ...one, args: { x: 77 } }]],
  ])
    test(`what nobody was asked about does not run behind the question (${version}): ${what}`, async () => {
      const late = createMiddleware({
        name: "Late",
        afterModel: ({ messages }) => {
          const { id, tool_calls = [] } = messages.at(-1);
          if (tool_calls.length > 0)
            return {
              messages: [new OWN.AIMessage({ content: "", id, tool_calls: add(tool_calls) })],
            };
        },
      });
      const tool = makeTool("a");
      const agent = createAgent({
        model: new Model([calling(...ONE), "done"]),
        tools: [tool],
        version,
        checkpointer: new MemorySaver(),
        middleware: [late, humanInTheLoopMiddleware({ interruptOn: { a: true } })],
      });
      await ask(agent);
      const { messages } = await answer(agent, { decisions: [{ type: "approve" }] });
      assert.ok(tool.ran.every(({ x }) => x === 1));
      assert.match(messages.at(-2)[1], /nobody approved it as it is/);
    });

for (const [what, calls, change, ran] of [
  ["a free call becomes one of the tool", [call("b", { x: 1 })], () => call("a", { x: 5 }), []],
  ["a free call stays one", [call("b", { x: 1 })], (one) => ({ ...one, args: { x: 5 } }), [5]],
  [
    "a call that the rule lets pass",
    [call("a", { x: 1 })],
    (one) => ({ ...one, args: { x: 5 } }),
    [],
  ],
])
  test(`a wrapper does not bring a tool past the person: ${what}`, async () => {
    const tools = [makeTool("a"), makeTool("b")];
    const agent = createAgent({
      model: new Model([calling(...calls), "done"]),
      tools,
      checkpointer: new MemorySaver(),
      middleware: [
        humanInTheLoopMiddleware({
          interruptOn: { a: { allowedDecisions: ["approve"], when: () => false } },
        }),
        createMiddleware({
          name: "Change",
          wrapToolCall: (request, handler) =>
            handler({ ...request, toolCall: change(request.toolCall) }),
        }),
      ],
    });
    assert.equal(await ask(agent), undefined);
    assert.deepEqual(
      tools.flatMap((tool) => tool.ran.map(({ x }) => x)),
      ran,
    );
  });

for (const [what, changed] of [
  ["other arguments", { name: "a", args: { x: 99 } }],
  ["another tool", { name: "evil", args: { x: 99 } }],
])
  test(`a wrapper runs nothing but what was approved of a tool that it alone knows: ${what}`, async () => {
    const ran = [];
    const of = (name) =>
      OWN.tool((args) => (ran.push([name, args]), "ok"), { name, schema: NUMBERED });
    const bring = createMiddleware({
      name: "Bring",
      wrapModelCall: (request, handler) => handler({ ...request, tools: [of("a")] }),
      wrapToolCall: ({ toolCall, ...request }, handler) =>
        handler({ ...request, tool: of(changed.name), toolCall: { id: toolCall.id, ...changed } }),
    });
    const agent = createAgent({
      model: new Model([calling(...ONE), "done"]),
      checkpointer: new MemorySaver(),
      middleware: [bring, humanInTheLoopMiddleware({ interruptOn: { a: true } })],
    });
    await ask(agent);
    const { messages } = await answer(agent, { decisions: [{ type: "approve" }] });
    assert.deepEqual(ran, []);
    assert.match(messages[2][1], /nobody approved it as it is/);
  });

test("an approved call does not run by another definition of its tool than the one that was shown", async () => {
  for (const isOther of [false, true]) {
    const saver = new MemorySaver();
    const ran = [];
    const build = (description, answers) =>
      createAgent({
        model: new Model(answers),
        tools: [OWN.tool((args) => (ran.push(args), "ok"), { name: "a", description, schema: {} })],
        checkpointer: saver,
        middleware: [humanInTheLoopMiddleware({ interruptOn: { a: true } })],
      });
    const before = build("Deletes one note", [calling(...ONE)]);
    await ask(before);
    await before.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), {
      ...onThread,
      interruptBefore: ["tools"],
    });
    assert.deepEqual(ran, []);
    const after = build(isOther ? "Deletes all notes" : "Deletes one note", ["done"]);
    const { messages } = await outcome(after.invoke(null, onThread));
    assert.deepEqual(ran, isOther ? [] : [{ x: 1 }]);
    assert.match(messages[2][1], isOther ? /nobody approved it as it is/ : /ok/);
  }
});

/** An agent with one tool of this schema, and what it ran with. */
function withSchema(schema, args, { middleware = [], ...more } = {}) {
  const ran = [];
  const made = OWN.tool((read) => (ran.push(read), "ok"), { name: "a", schema });
  const agent = createAgent({
    model: new Model([calling(call("a", args)), "done"]),
    tools: [made],
    checkpointer: new MemorySaver(),
    middleware: [...middleware, humanInTheLoopMiddleware({ interruptOn: { a: true } })],
    ...more,
  });
  return { agent, ran, tool: made };
}

for (const [what, schema, args, shown, run = shown] of [
  [
    "a default",
    z.object({ x: z.number(), to: z.string().default("all") }),
    { x: 1 },
    { x: 1, to: "all" },
  ],
  ["a coercion", z.object({ x: z.coerce.number() }), { x: "5" }, { x: 5 }],
  ["a transform", z.object({ x: z.string().transform(Number) }), { x: "5" }, { x: 5 }],
  [
    "a value that JSON lacks",
    z.object({ x: z.string().transform((text) => new Date(text)) }),
    { x: "2026-01-01" },
    { x: { $date: "2026-01-01T00:00:00.000Z" } },
    { x: new Date("2026-01-01") },
  ],
])
  test(`what the tool's schema makes of the arguments is shown, and runs: ${what}`, async () => {
    const { agent, ran } = withSchema(schema, args);
    const [{ actionRequests, canonical, description }] = await ask(agent);
    assert.deepEqual(actionRequests[0].args, shown);
    assert.equal(canonical, JSON.stringify(shown));
    assert.ok(description.includes(JSON.stringify(shown, null, 2)));
    const { messages } = await answer(agent, { decisions: [{ type: "approve" }] });
    assert.deepEqual(ran, [run]);
    assert.deepEqual(messages[1][2], [["a", args, "c1"]]);
  });

test("an edit that the schema completes is shown before it runs", async () => {
  const schema = z.object({ x: z.number(), to: z.string().default("all") });
  const { agent, ran } = withSchema(schema, { x: 1 });
  await ask(agent);
  const decisions = [edit("a", { x: 5 })];
  const state = await agent.invoke(new Command({ resume: { decisions } }), onThread);
  const [{ value }] = state.__interrupt__;
  assert.deepEqual([value.actionRequests[0].args, ran], [{ x: 5, to: "all" }, []]);
  await answer(agent, { decisions: [{ type: "approve", digest: value.digest }] });
  assert.deepEqual(ran, [{ x: 5, to: "all" }]);
});

test("an approval is void if the schema makes something else of the arguments by then", async () => {
  let to = "ann";
  const schema = z.object({ x: z.number(), to: z.string().default(() => to) });
  const before = withSchema(schema, { x: 1 });
  await ask(before.agent);
  to = "eve";
  const again = await before.agent.invoke(
    new Command({ resume: { decisions: [{ type: "approve" }] } }),
    onThread,
  );
  assert.deepEqual(again.__interrupt__[0].value.actionRequests[0].args, { x: 1, to: "eve" });
  assert.deepEqual(before.ran, []);

  to = "ann";
  const late = createMiddleware({ name: "Late", afterModel: () => void (to = "eve") });
  const after = withSchema(schema, { x: 1 }, { middleware: [late] });
  await ask(after.agent);
  const { messages } = await answer(after.agent, { decisions: [{ type: "approve" }] });
  assert.deepEqual(after.ran, []);
  assert.match(messages[2][1], /nobody approved it as it is/);
});

test("a tool that only a wrapper knows runs with the arguments that were shown, or not at all", async () => {
  for (const [schema, expected] of [
    [z.object({ x: z.number() }), [{ x: 1 }]],
    [z.object({ x: z.number(), to: z.string().default("eve") }), []],
  ]) {
    const ran = [];
    const hidden = OWN.tool((read) => (ran.push(read), "ok"), { name: "a", schema });
    const bring = createMiddleware({
      name: "Bring",
      wrapModelCall: (request, handler) => handler({ ...request, tools: [hidden] }),
      wrapToolCall: (request, handler) => handler({ ...request, tool: hidden }),
    });
    const agent = createAgent({
      model: new Model([calling(...ONE), "done"]),
      checkpointer: new MemorySaver(),
      middleware: [bring, humanInTheLoopMiddleware({ interruptOn: { a: true } })],
    });
    await ask(agent);
    const resumed = agent.invoke(
      new Command({ resume: { decisions: [{ type: "approve" }] } }),
      onThread,
    );
    if (expected.length > 0) await resumed;
    else await assert.rejects(resumed, { code: "APPROVAL", message: /changes the arguments/ });
    assert.deepEqual(ran, expected);
  }
});

test("a schema that makes something else each time is an error, and nobody is asked", async () => {
  const schema = z.object({ x: z.number().default(() => Math.random()) });
  const { agent, ran } = withSchema(schema, {});
  await assert.rejects(agent.invoke({ messages: "go" }, onThread), { code: "APPROVAL" });
  assert.deepEqual(ran, []);
});

test("arguments that do not fit the schema are the model's fault: nobody is asked", async () => {
  for (const schema of [
    z.object({ x: z.number() }),
    { type: "object", properties: { x: { type: "number" } } },
  ]) {
    const { agent, ran } = withSchema(schema, { x: "one" });
    const { messages } = await outcome(agent.invoke({ messages: "go" }, onThread));
    assert.deepEqual([messages.at(-1), messages[2][4], ran], [["ai", "done"], "error", []]);
  }
});

test("arguments that cannot be read are the model's fault: nobody is asked", async () => {
  const bad = { name: "a", args: "{x", id: "c1", type: "invalid_tool_call", error: "x" };
  const agent = createAgent({
    model: new Model([{ content: "", invalid_tool_calls: [bad] }, "done"]),
    tools: [makeTool("a")],
    checkpointer: new MemorySaver(),
    middleware: [humanInTheLoopMiddleware({ interruptOn: { a: true } })],
  });
  const { messages } = await outcome(agent.invoke({ messages: "go" }, onThread));
  assert.deepEqual(messages.at(-1), ["ai", "done"]);
  assert.equal(messages[2][4], "error");
});

test("a fresh process goes on with the question of the one before", async () => {
  const saver = new MemorySaver();
  const tools = [makeTool("a")];
  const build = (answers) =>
    createAgent({
      model: new Model(answers),
      tools,
      checkpointer: saver,
      middleware: [humanInTheLoopMiddleware({ interruptOn: { a: true } })],
    });
  await ask(build([calling(...ONE)]));
  await answer(build(["done"]), { decisions: [{ type: "approve" }] });
  assert.deepEqual(tools[0].ran, [{ x: 1 }]);
});

test("without a checkpointer the agent says what it needs", async () => {
  const agent = createAgent({
    model: new Model([calling(...ONE), "done"]),
    tools: [makeTool("a")],
    middleware: [humanInTheLoopMiddleware({ interruptOn: { a: true } })],
  });
  await assert.rejects(agent.invoke({ messages: "go" }), /No checkpointer set/);
});

test("rules that cannot be meant are refused", () => {
  for (const interruptOn of [
    undefined,
    [],
    { a: "yes" },
    { a: {} },
    { a: { allowedDecisions: [] } },
    { a: { allowedDecisions: ["accept"] } },
    { a: { allowedDecisions: ["approve"], when: true } },
    { a: { allowedDecisions: ["approve"], description: 7 } },
    { a: { allowedDecisions: ["approve"], When: () => true } },
  ])
    assert.throws(() => humanInTheLoopMiddleware({ interruptOn }), { code: "BAD_ARGUMENT" });
});

test("a rule that would guard nothing ends the run before the call", async () => {
  for (const [rules, text] of [
    [{ A: true }, /interruptOn\["A"\] is for no tool: the tool is "a"/],
    [{ a: { allowedDecisions: ["approve"], when: () => "yes" } }, /when must return true or false/],
    [{ a: { allowedDecisions: ["approve"], when: async () => {} } }, /not undefined: nothing ran/],
  ]) {
    const { agent, ran } = make(OWN, ONE, rules);
    await assert.rejects(agent.invoke({ messages: "go" }, onThread), text);
    assert.deepEqual(ran(), [[], []]);
  }
  // Rules for tools of other agents, and for tools that have one, stay.
  const { agent } = make(OWN, ONE, { a: true, A: true, other: true });
  assert.equal((await ask(agent)).length, 1);
});

test("a rule for a tool that is not there is told once, with the nearest name", async (t) => {
  const warn = t.mock.method(console, "warn", () => {});
  const rules = { place_ordr: true, place_order: false };
  for (const _ of [1, 2])
    await createAgent({
      model: new Model([calling(call("place_order", {})), "done"]),
      tools: [makeTool("search"), makeTool("place_order")],
      middleware: [humanInTheLoopMiddleware({ interruptOn: rules })],
    }).invoke({ messages: "go" });
  assert.deepEqual(
    warn.mock.calls.map(({ arguments: said }) => said),
    [
      [
        'humanInTheLoopMiddleware(options): options.interruptOn["place_ordr"]: no tool of this agent has this name: nothing is asked, unless one is added later. The nearest name is "place_order".',
      ],
    ],
  );
});
