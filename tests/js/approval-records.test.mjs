// SPDX-License-Identifier: MIT
// Approvals are records: what a person is asked stands in the log before it is shown, under an id
// of its own; an answer decides once, if it came behind that and is about what was shown. Here is
// who wants a tool to run without that: answers that come early, late or twice, definitions that
// change, edits and middleware that name another tool, copies, imports. Serves docs/reliability.md
// 1 (promise 4), docs/approval-safety.md, docs/semantics.md 20.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  AIMessage,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  interrupt,
  tool,
} from "weftgraph";
import { ToolNode, createReactAgent, reviewToolCalls } from "weftgraph/prebuilt";
import { copyThread, exportThread, importThread } from "weftgraph/savers/transfer";
import { ScriptedModel } from "weftgraph/models/scripted";

const schema = { type: "object" };
const call = (name, args = {}, id = name) => ({ name, args, id, type: "tool_call" });
const ai = (...calls) => new AIMessage({ id: "ai", content: "", tool_calls: calls });
const thread = (thread_id = "t") => ({ configurable: { thread_id } });
const said = ({ messages }) =>
  messages
    .filter(({ type }) => type === "tool")
    .map(({ tool_call_id, status }) => [tool_call_id, status]);
const graphOf = (tools, checkpointer, options) =>
  new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(tools, options))
    .addEdge(START, "tools")
    .compile({ checkpointer });
const accept = new Command({ resume: { type: "accept" } });
const questions = async (graph, config = thread()) =>
  (await graph.getState(config)).tasks.flatMap(({ interrupts }) => interrupts);
/** Accepts what waits, and names it. */
const acceptNamed = async (graph, config = thread()) => {
  const [{ id, value }] = await questions(graph, config);
  return graph.invoke(
    new Command({
      resume: {
        [id]: Array.isArray(value) ? value.map(() => ({ type: "accept" })) : { type: "accept" },
      },
    }),
    config,
  );
};
const OTHER = /^This is another question than the one that was asked first/;
const VOID = /^Nobody was asked about this call as it is now, or it was decided before\.$/;

/** A graph over `saver` whose tool `pay` wants a decision; `ran` has what it was run with. */
function paying(saver, { ran = [], approval = "ask", def = schema, others = [], options } = {}) {
  const pay = tool((args) => (ran.push(args), "paid"), { name: "pay", schema: def, approval });
  return { ran, graph: graphOf([pay, ...others], saver, options) };
}

/** Records of the ledger's kind: requests have no verdict. */
async function ledgerOf(saver, threadId = "t") {
  const [{ SavedThread }, { decisionOf }] = await Promise.all([
    import("../../js/log/saved-thread.js"),
    import("../../js/log/reader.js"),
  ]);
  const thread = new SavedThread(await saver.store.read(threadId));
  return thread.decisions
    .map((frame) => decisionOf(frame, thread))
    .map(({ verdict, call: id }) => [verdict, id]);
}

test("the log says what is asked before anybody sees it, in every durability", async () => {
  for (const durability of ["sync", "async", "exit"]) {
    const saver = new MemorySaver();
    const { ran, graph } = paying(saver);
    let before;
    for await (const chunk of await graph.stream(
      { messages: [ai(call("pay"))] },
      { ...thread(), durability, streamMode: "updates" },
    )) {
      if (chunk.__interrupt__ !== undefined) before = await ledgerOf(saver);
    }
    assert.deepEqual(before, [[0, "pay"]], durability);
    const [{ value }] = await questions(graph);
    assert.match(value.approval_id, /^[0-9a-f]{32}$/);
    await graph.invoke(accept, { ...thread(), durability });
    assert.equal(ran.length, 1);
    const [{ id, request_seq, seq, digest }] = await saver.decisions("t");
    assert.deepEqual([id, digest], [value.approval_id, value.digest]);
    assert.ok(request_seq < seq);
  }
});

test("an answer that comes before the question is none", async () => {
  const { ran, graph } = paying(new MemorySaver());
  const early = await graph.invoke(
    new Command({
      update: { messages: [ai(call("pay"))] },
      goto: "tools",
      resume: { type: "accept" },
    }),
    thread(),
  );
  assert.match(early.__interrupt__[0].value.problem, VOID);
  assert.match(
    (await graph.invoke(null, thread())).__interrupt__[0].value.problem ?? "",
    /^$|Nobody/,
  );
  assert.deepEqual(ran, []);
  assert.deepEqual(said(await graph.invoke(accept, thread())), [["pay", "success"]]);
  assert.equal(ran.length, 1);
});

test("a tool, or arguments, that changed since they were shown are shown anew", async () => {
  const saver = new MemorySaver();
  const withDefault = (n) => ({
    type: "object",
    properties: { n: { type: "integer", default: n } },
  });
  await paying(saver, { def: withDefault(1) }).graph.invoke(
    { messages: [ai(call("pay"))] },
    thread(),
  );
  const { ran, graph } = paying(saver, { def: withDefault(1000) });
  const asked = await graph.invoke(accept, thread());
  assert.match(asked.__interrupt__[0].value.problem, VOID);
  assert.deepEqual([ran, asked.__interrupt__[0].value.canonical], [[], '{"n":1000}']);
  // The message is another one by now: the new arguments are asked about, and the answer was not
  // about them.
  const edited = await graph.invoke(
    new Command({ update: { messages: [ai(call("pay", { n: 5 }))] }, resume: { type: "accept" } }),
    thread(),
  );
  assert.deepEqual([ran, edited.__interrupt__[0].value.canonical], [[], '{"n":5}']);
  // As in LangGraph such an update is of that run only: what runs is once more not what was shown.
  const back = await acceptNamed(graph);
  assert.deepEqual([ran, back.__interrupt__[0].value.canonical], [[], '{"n":1000}']);
  // A plain answer may have been meant for what was asked first.
  const plain = await graph.invoke(accept, thread());
  assert.match(plain.__interrupt__[0].value.problem, OTHER);
  assert.deepEqual(ran, []);
  await acceptNamed(graph);
  assert.deepEqual(ran, [{ n: 1000 }]);
});

test("an answer may name its request; one that does not wait is refused before anything is written", async () => {
  const saver = new MemorySaver();
  const { ran, graph } = paying(saver);
  await graph.invoke({ messages: [ai(call("pay"))] }, thread());
  const [{ value: first }] = await questions(graph);
  const [{ id }] = await questions(graph);
  const log = await ledgerOf(saver);
  for (const approval_id of [
    "0".repeat(32),
    "0123456789abcdef0123456789abcdef",
    "",
    "nonsense",
    7,
    null,
    first.digest,
  ]) {
    for (const resume of [
      { type: "accept", approval_id },
      { [id]: { type: "accept", approval_id } },
    ]) {
      const refused = {
        name: "UnknownInterruptError",
        code: "UNKNOWN_INTERRUPT",
        pendingIds: [first.approval_id],
        message: new RegExp(first.approval_id),
      };
      await assert.rejects(
        graph.invoke(new Command({ resume }), thread()),
        refused,
        String(approval_id),
      );
      await assert.rejects(async () => {
        for await (const _ of await graph.stream(new Command({ resume }), thread()));
      }, refused);
    }
  }
  for (const unknown of ["0".repeat(32), "f".repeat(32)]) {
    await assert.rejects(
      graph.invoke(new Command({ resume: { [unknown]: { type: "accept" } } }), thread()),
      {
        name: "UnknownInterruptError",
        reason: "not_pending",
        interruptIds: [unknown],
        pendingIds: [id],
      },
    );
  }
  assert.deepEqual(await ledgerOf(saver), log);
  const [{ value }] = await questions(graph);
  assert.equal(value.approval_id, first.approval_id);
  await graph.invoke(
    new Command({ resume: { type: "accept", approval_id: value.approval_id } }),
    thread(),
  );
  assert.equal(ran.length, 1);
});

test("an answer that JSON cannot hold decides as it says, and is kept as far as it can be; an id that is no text names nothing", async () => {
  const ring = { type: "accept" };
  ring.self = ring;
  const answers = [
    [{ type: "accept", by: 5n }, { type: "accept" }],
    [ring, { type: "accept" }],
    [{ type: "accept", toJSON: () => undefined }, { type: "accept" }],
  ];
  for (const [resume, kept] of answers) {
    const saver = new MemorySaver();
    const { ran, graph } = paying(saver);
    await graph.invoke({ messages: [ai(call("pay"))] }, thread());
    const done = await graph.invoke(new Command({ resume }), thread());
    assert.deepEqual([done.__interrupt__, ran.length], [undefined, 1]);
    assert.deepEqual(
      (await saver.decisions("t")).map(({ answer }) => answer),
      [kept],
    );
  }
  const { ran, graph } = paying(new MemorySaver());
  const [{ value }] = (await graph.invoke({ messages: [ai(call("pay"))] }, thread())).__interrupt__;
  await assert.rejects(
    graph.invoke(
      new Command({ resume: { type: "accept", approval_id: [value.approval_id] } }),
      thread(),
    ),
    { code: "UNKNOWN_INTERRUPT" },
  );
  assert.equal(ran.length, 0);
});

test("what was decided is not decided again: by going back, or by letting what ended run again", async () => {
  const saver = new MemorySaver();
  const { ran, graph } = paying(saver);
  await graph.invoke({ messages: [ai(call("pay"))] }, thread());
  const { config } = await graph.getState(thread());
  await graph.invoke(accept, thread());
  for (const input of [accept, null]) {
    const again = await graph.invoke(input, config);
    assert.equal(again.__interrupt__.length, 1);
    assert.equal(ran.length, 1);
  }
  let broken = true;
  const two = new StateGraph(MessagesAnnotation)
    .addNode(
      "tools",
      new ToolNode([
        tool((args) => (ran.push(args), "paid"), { name: "pay", schema, approval: "ask" }),
      ]),
    )
    .addNode("other", () => {
      if (broken) throw new Error("bad");
      return {};
    })
    .addNode("late", () => ({}), { defer: true })
    .addEdge(START, "tools")
    .addEdge(START, "other")
    .addEdge("tools", "late")
    .compile({ checkpointer: saver });
  broken = false;
  await two.invoke({ messages: [ai(call("pay"))] }, thread("2"));
  broken = true;
  ran.length = 0;
  await two.invoke(accept, thread("2")).catch(() => {});
  await two.invoke(null, (await two.getState(thread("2"))).config).catch(() => {});
  assert.ok(ran.length <= 1, `it ran ${ran.length} times`);
});

test("an edit runs under the policy of what it names; another tool that asks is asked about itself", async () => {
  const rows = [
    [
      { approval: ({ n = 0 }) => (n > 100 ? "deny" : "ask") },
      { action: "pay", args: { n: 1000 } },
      /^These arguments of "pay" are denied/,
    ],
    [{}, { action: "never", args: {} }, /must not be called/],
  ];
  const others = (ran) => [
    tool((args) => (ran.push(["big", args]), "big"), { name: "big", schema, approval: "ask" }),
    tool(() => ran.push("never"), { name: "never", schema, approval: "deny" }),
  ];
  for (const [options, args, problem] of rows) {
    const ran = [];
    const { graph } = paying(new MemorySaver(), { ran, others: others(ran), ...options });
    await graph.invoke({ messages: [ai(call("pay"))] }, thread());
    const asked = await graph.invoke(new Command({ resume: { type: "edit", args } }), thread());
    assert.match(asked.__interrupt__[0].value.problem, problem);
    assert.deepEqual(ran, []);
  }
  const ran = [];
  const saver = new MemorySaver();
  const { graph } = paying(saver, { ran, others: others(ran) });
  await graph.invoke({ messages: [ai(call("pay", { n: 1 }))] }, thread());
  const asked = await graph.invoke(
    new Command({ resume: { type: "edit", args: { action: "big", args: { n: 2 } } } }),
    thread(),
  );
  const [{ value }] = asked.__interrupt__;
  assert.deepEqual(
    [value.problem, value.action_request, value.canonical],
    [undefined, { action: "big", args: { n: 2 } }, '{"n":2}'],
  );
  assert.match((await graph.invoke(accept, thread())).__interrupt__[0].value.problem, OTHER);
  assert.deepEqual(ran, []);
  const done = await acceptNamed(graph);
  assert.deepEqual(ran, [["big", { n: 2 }]]);
  assert.deepEqual(
    done.messages[0].tool_calls.map(({ name, args, id }) => [name, args, id]),
    [["big", { n: 2 }, "pay"]],
  );
  assert.deepEqual(
    (await saver.decisions("t")).map(({ type }) => type),
    ["edit", "accept"],
  );
});

test("middleware that changes a call has it decided about", async () => {
  for (const [to, args] of [
    ["pay", { n: 1 }],
    ["never", {}],
    ["free", { n: 3 }],
  ]) {
    const ran = [];
    const others = [
      tool(() => (ran.push("free"), "free"), { name: "free", schema }),
      tool(() => ran.push("never"), { name: "never", schema, approval: "deny" }),
    ];
    const wrapToolCall = (request, handler) =>
      handler({ ...request, toolCall: { ...request.toolCall, name: to, args } });
    const { graph } = paying(new MemorySaver(), { ran, others, options: { wrapToolCall } });
    const done = await graph.invoke({ messages: [ai(call("free", {}, "1"))] }, thread());
    const asked = done.__interrupt__?.map(({ value }) => [
      value.action_request.action,
      value.canonical,
    ]);
    assert.deepEqual(
      [ran, said(done), asked],
      {
        free: [["free"], [["1", "success"]], undefined],
        never: [[], [["1", "error"]], undefined],
        pay: [[], [], [["pay", '{"n":1}']]],
      }[to],
      to,
    );
    if (to !== "pay") continue;
    assert.deepEqual(said(await acceptNamed(graph)), [["1", "success"]]);
    assert.deepEqual(ran, [{ n: 1 }]);
  }
  // Of an approved call that is only copied, the approval holds.
  const { ran, graph } = paying(new MemorySaver(), {
    options: {
      wrapToolCall: (request, handler) =>
        handler({ ...request, toolCall: { ...request.toolCall } }),
    },
  });
  await graph.invoke({ messages: [ai(call("pay", { n: 1 }))] }, thread());
  await graph.invoke(accept, thread());
  assert.deepEqual(ran, [{ n: 1 }]);
});

test("in a copy and in an import what waits is asked about anew", async () => {
  const saver = new MemorySaver();
  const { ran, graph } = paying(saver);
  await graph.invoke({ messages: [ai(call("pay"))] }, thread());
  const [{ value: original }] = await questions(graph);
  await copyThread(saver, "t", "copy");
  const imported = new MemorySaver();
  await importThread(imported, await exportThread(saver, "t"));
  for (const [over, config] of [
    [graph, thread("copy")],
    [paying(imported, { ran }).graph, thread()],
  ]) {
    const asked = await over.invoke(accept, config);
    assert.match(asked.__interrupt__[0].value.problem, VOID);
    assert.notEqual(asked.__interrupt__[0].value.approval_id, original.approval_id);
    assert.deepEqual(ran, []);
    assert.deepEqual(said(await acceptNamed(over, config)), [["pay", "success"]]);
    assert.equal(ran.splice(0).length, 1);
  }
  await graph.invoke(accept, thread());
  assert.equal(ran.length, 1);
});

test("a thread that was tidied up knows what waits and what was in flight", async () => {
  const saver = new MemorySaver();
  const { ran, graph } = paying(saver, {
    others: [tool(() => `heard ${interrupt("sure?")}`, { name: "ask", schema })],
  });
  const rounds = async () => {
    await graph.invoke(
      { messages: [new AIMessage({ content: "", tool_calls: [call("pay", {}, "1")] })] },
      thread(),
    );
    await saver.prune("t", { last: 1 });
    const [{ value }] = await questions(graph);
    await graph.invoke(accept, thread());
    assert.equal((await saver.decisions("t")).at(-1).id, value.approval_id);
    // The tool's own question is no call whose fate nobody knows; nor is a call of the same id
    // later on.
    const asked = await graph.invoke(
      { messages: [new AIMessage({ content: "", tool_calls: [call("ask", {}, "1")] })] },
      thread(),
    );
    assert.deepEqual(
      asked.__interrupt__.map((one) => one.value),
      ["sure?"],
    );
    await saver.prune("t", { last: 1 });
    assert.deepEqual(
      (await graph.invoke(new Command({ resume: "yes" }), thread())).__interrupt__,
      undefined,
    );
  };
  await rounds();
  await rounds();
  assert.equal(ran.length, 2);
  assert.equal((await saver.decisions("t")).length, 2);
});

test("reviewToolCalls: requests with digests and ids, decisions in the log, answers that are about what was shown", async () => {
  const agentOn = (saver, ran, description = "Pays") => {
    const tools = ["pay", "big", "free"].map((name) =>
      tool((args) => (ran.push([name, args]), name), { name, description, schema }),
    );
    const policies = { pay: "ask", big: "ask" };
    const llm = new ScriptedModel({
      responses: [
        ai(call("pay", { n: 1 }, "1"), call("pay", { n: 2 }, "2"), call("free", {}, "3")),
        "done",
      ],
    });
    return createReactAgent({
      llm,
      tools,
      checkpointer: saver,
      postModelHook: reviewToolCalls({ policies, tools }),
    });
  };
  const saver = new MemorySaver();
  const ran = [];
  const agent = agentOn(saver, ran);
  const {
    __interrupt__: [{ value }],
  } = await agent.invoke({ messages: "go" }, thread());
  assert.deepEqual(
    value.map(({ id, canonical }) => [id, canonical]),
    [
      ["1", '{"n":1}'],
      ["2", '{"n":2}'],
    ],
  );
  assert.deepEqual(await ledgerOf(saver), [
    [0, "1"],
    [0, "2"],
  ]);
  const wrong = {
    1: { type: "accept", digest: value[1].digest },
    2: { type: "accept", approval_id: value[0].approval_id },
  };
  const again = await agent.invoke(new Command({ resume: wrong }), thread());
  assert.deepEqual(
    again.__interrupt__[0].value.map(({ id }) => id),
    ["1", "2"],
  );
  const [first] = again.__interrupt__[0].value;
  const edit = {
    type: "edit",
    args: { action: "big", args: { n: 9 } },
    approval_id: first.approval_id,
  };
  const third = await agent.invoke(
    new Command({ resume: { 1: edit, 2: { type: "response", args: "no" } } }),
    thread(),
  );
  assert.deepEqual(
    third.__interrupt__[0].value.map(({ id, action_request, problem }) => [
      id,
      action_request,
      problem,
    ]),
    [["1", { action: "big", args: { n: 9 } }, undefined]],
  );
  assert.deepEqual(ran, []);
  assert.match(
    (await agent.invoke(new Command({ resume: [{ type: "accept" }] }), thread())).__interrupt__[0]
      .value[0].problem,
    OTHER,
  );
  assert.deepEqual(ran, []);
  await acceptNamed(agent);
  assert.deepEqual(ran, [
    ["big", { n: 9 }],
    ["free", {}],
  ]);
  assert.deepEqual(
    (await saver.decisions("t")).map(({ tool_call_id, type }) => [tool_call_id, type]),
    [
      ["1", "edit"],
      ["2", "response"],
      ["1", "accept"],
    ],
  );

  // The tool is another one by now.
  await agentOn(saver, ran).invoke({ messages: "go" }, thread("2"));
  const changed = await agentOn(saver, ran, "Pays everything").invoke(
    new Command({ resume: [{ type: "accept" }, { type: "accept" }] }),
    thread("2"),
  );
  assert.ok(changed.__interrupt__[0].value.every(({ problem }) => VOID.test(problem)));
  assert.equal(ran.length, 2);
});

test("the same seed makes the same ids, another place in the log others", async () => {
  const ids = async () => {
    const { graph } = paying(new MemorySaver());
    await graph.invoke({ messages: [ai(call("pay", {}, "1"), call("pay", {}, "2"))] }, thread());
    return (await questions(graph)).map(({ value }) => value.approval_id);
  };
  assert.equal(new Set([...(await ids()), ...(await ids())]).size, 4);
});
