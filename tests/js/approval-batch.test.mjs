// SPDX-License-Identifier: MIT
// approvals: "batch": the calls of a message that need approval are one question, answered by one
// list of decisions, bound to exactly these calls. Serves docs/guides/approval.md and
// docs/semantics.md 20.7.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  AIMessage,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  interrupt,
  isInvalidResume,
  tool,
} from "weftgraph";
import { MemorySaver as PeerSaver } from "@langchain/langgraph";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { FileSaver } from "weftgraph/savers/file";
import { copyThread, exportThread, importThread } from "weftgraph/savers/transfer";
import { ScriptedModel } from "weftgraph/models/scripted";

const schema = {
  type: "object",
  properties: { item: { type: "string", minLength: 1 }, count: { type: "integer", maximum: 9 } },
  required: ["item"],
  additionalProperties: false,
};
const call = (id, args = { item: id }, name = "order") => ({ name, args, id });
const thread = (thread_id = "t") => ({ configurable: { thread_id } });
const APPROVE = { type: "approve" };
const edit = (args, name = "order") => ({ type: "edit", edited_action: { name, args } });

/** The tools of these tests; `ran` lists what they were run with. */
function makeTools(ran, { order = {}, pay = {} } = {}) {
  const make = (name, more) =>
    tool((args) => (ran.push([name, args]), `${name}: ${args.item}`), {
      name,
      description: name,
      schema,
      ...more,
    });
  return [
    make("order", { approval: "ask", ...order }),
    make("pay", { approval: "ask", ...pay }),
    make("free", {}),
    make("never", { approval: "deny" }),
  ];
}

/** An agent whose model makes these calls once. */
function makeAgent({
  calls = [call("a"), call("b"), call("c")],
  checkpointer = new MemorySaver(),
  ran = [],
  ...options
} = {}) {
  const llm = new ScriptedModel({ responses: [{ content: "", tool_calls: calls }, "Fine."] });
  const agent = createReactAgent({
    llm,
    tools: makeTools(ran, options),
    checkpointer,
    approvals: "batch",
  });
  return { agent, ran };
}

/** The question that waits, if it is one. */
async function questionOf(agent, config = thread()) {
  const { tasks } = await agent.getState(config);
  const questions = tasks.flatMap(({ interrupts }) => interrupts);
  assert.equal(questions.length, 1);
  return questions[0];
}
const said = ({ messages }) =>
  messages
    .filter(({ type }) => type === "tool")
    .map(({ tool_call_id, status, content }) => [tool_call_id, status, content]);
const refusalOf = (agent, resume, config = thread()) =>
  agent.invoke(new Command({ resume }), config).then(
    (result) => assert.fail(`taken: ${JSON.stringify(result.__interrupt__)}`),
    (error) => {
      assert.ok(isInvalidResume(error), error.stack);
      assert.equal(error.code, "APPROVAL");
      return error.message;
    },
  );
const rejected = (reason) =>
  `The user rejected the call of "order"; it was not run. Reason: ${reason}`;

const SAVERS = [
  ["Weft's saver", () => new MemorySaver()],
  ["LangGraph.js's saver", () => new PeerSaver()],
];

for (const [where, saverOf] of SAVERS) {
  test(`${where}: several calls are one question; each decision is for its call`, async () => {
    const calls = ["a", "b", "c", "d"].map((id) => call(id));
    for (const byId of [true, false]) {
      const { agent, ran } = makeAgent({ calls, checkpointer: saverOf() });
      const { __interrupt__: asked } = await agent.invoke({ messages: "?" }, thread());
      assert.equal(asked.length, 1);
      const [{ id, value }] = asked;
      assert.deepEqual(
        value.action_requests.map(({ approval_id: _, ...one }) => one),
        calls.map(({ id, args }) => ({
          name: "order",
          args,
          arguments: args,
          description: 'The agent wants to call "order".',
          id,
          canonical: JSON.stringify(args),
        })),
      );
      const review = { action_name: "order", allowed_decisions: ["approve", "edit", "reject"] };
      assert.deepEqual(value.review_configs, [review, review, review, review]);
      assert.match(value.digest, /^[0-9a-f]{64}$/);
      assert.deepEqual(
        JSON.parse(value.canonical).calls.map(({ id, name, args }) => ({ name, args, id })),
        calls,
      );
      assert.equal("action_request" in value, false, "nothing that shows one call alone");
      const answer = {
        digest: value.digest,
        decisions: [
          APPROVE,
          edit({ item: "milk", count: 2 }),
          { type: "reject", message: "too dear" },
          { type: "respond", message: "I have one" },
        ],
      };
      const done = await agent.invoke(
        new Command({ resume: byId ? { [id]: answer } : answer }),
        thread(),
      );
      assert.deepEqual(ran, [
        ["order", { item: "a" }],
        ["order", { item: "milk", count: 2 }],
      ]);
      assert.deepEqual(said(done), [
        ["a", "success", "order: a"],
        ["b", "success", "order: milk"],
        ["c", "error", rejected("too dear")],
        ["d", "error", rejected("I have one")],
      ]);
      assert.deepEqual(done.messages[1].tool_calls[1].args, { item: "milk", count: 2 });
      assert.equal(done.messages.at(-1).content, "Fine.");
    }
  });

  test(`${where}: an answer that does not decide about exactly these calls is refused, and the question waits`, async () => {
    const { agent, ran } = makeAgent({ checkpointer: saverOf() });
    await agent.invoke({ messages: "?" }, thread());
    const { id, value } = await questionOf(agent);
    const three = (last) => ({ decisions: [APPROVE, APPROVE, last] });
    for (const [answer, problem] of [
      [{ decisions: [] }, /one for each of the 3 calls/],
      [{ decisions: [APPROVE, APPROVE] }, /one for each of the 3 calls/],
      [{ decisions: Array(4).fill(APPROVE) }, /one for each of the 3 calls/],
      [{ decisions: Array(10_000).fill(APPROVE) }, /one for each of the 3 calls/],
      [{ decisions: { 0: APPROVE, 1: APPROVE, 2: APPROVE, length: 3 } }, /one for each/],
      [true, /one for each/],
      [{ approved: true }, /one for each/],
      [{ type: "accept" }, /one for each/],
      [[{ type: "accept" }], /one for each/],
      [{ a: { type: "accept" }, b: { type: "accept" }, c: { type: "accept" } }, /one for each/],
      [[7, true, "yes"], /Decision 1 is none of/],
      [three({ type: "accept" }), /Decision 3 is none of approve, edit, reject and respond/],
      [three("approve"), /Decision 3/],
      [three(null), /Decision 3/],
      [{ decisions: Object.assign(Array(3), [APPROVE]) }, /Decision 2/],
      [{ ...three(APPROVE), digest: "0".repeat(64) }, /its digest differs/],
      [three({ ...APPROVE, digest: value.digest.replace(/./g, "0") }), /its digest differs/],
      [three({ type: "edit" }), /An edit needs \{ action, args \}/],
      [three(edit({ item: "" })), /order.*\/item/s],
      [three(edit({ item: "tea", count: 99 })), /\/count/],
      [three(edit({ item: "tea" }, "nothing")), /Tool "nothing" not found/],
      [three(edit({ item: "tea" }, "never")), /The tool "never" must not be called/],
      [three({ type: "respond" }), /A response needs a text/],
    ])
      for (const resume of [answer, { [id]: answer }]) {
        assert.match(await refusalOf(agent, resume), problem, JSON.stringify(answer));
        assert.deepEqual(ran, []);
        assert.deepEqual(await questionOf(agent), { id, value });
      }
    for (const input of [null, new Command({ resume: { [id]: "yes" } })]) {
      await agent.invoke(input, thread()).catch((error) => assert.ok(isInvalidResume(error)));
      assert.deepEqual([(await questionOf(agent)).id, ran], [id, []]);
    }
    const done = await agent.invoke(
      new Command({ resume: { [id]: { decisions: [APPROVE, { type: "reject" }, APPROVE] } } }),
      thread(),
    );
    assert.deepEqual(
      said(done).map(([id, status]) => [id, status]),
      [
        ["a", "success"],
        ["b", "error"],
        ["c", "success"],
      ],
    );
    assert.equal(ran.length, 2);
  });

  test(`${where}: a refusal in one word is one of every call`, async () => {
    for (const [no, reason] of [
      [false, /rejected/],
      [{ approved: false }, /rejected/],
      [{ approved: false, reason: "not today" }, /not today/],
    ]) {
      const { agent, ran } = makeAgent({ checkpointer: saverOf() });
      await agent.invoke({ messages: "?" }, thread());
      const done = await agent.invoke(new Command({ resume: no }), thread());
      assert.deepEqual(ran, []);
      assert.equal(said(done).length, 3);
      for (const [, status, content] of said(done)) {
        assert.equal(status, "error");
        assert.match(content, reason);
      }
    }
  });

  test(`${where}: when the calls are others by now they are shown anew, and nothing runs`, async () => {
    const yes = (count) => ({ decisions: Array(count).fill(APPROVE) });
    for (const [before, after, isShown] of [
      [{}, { order: { description: "Orders much" } }, ["a", "b", "c", "p"]],
      [{}, { order: { schema: { ...schema, required: [] } } }, ["a", "b", "c", "p"]],
      [{}, { pay: { approval: "deny" } }, ["a", "b", "c"]],
      [{ pay: { approval: "auto" } }, {}, ["a", "b", "c", "p"]],
      [
        { pay: { approval: "deny" } },
        { order: { approval: ({ item }) => (item === "a" ? "deny" : "ask") } },
        ["b", "c", "p"],
      ],
    ]) {
      const checkpointer = saverOf();
      const calls = [call("a"), call("b"), call("c"), call("p", { item: "p" }, "pay")];
      const ran = [];
      await makeAgent({ calls, checkpointer, ran, ...before }).agent.invoke(
        { messages: "?" },
        thread(),
      );
      const { agent } = makeAgent({ calls, checkpointer, ran, ...after });
      const { id, value } = await questionOf(agent);
      const answer = { [id]: yes(value.action_requests.length) };
      await agent.invoke(new Command({ resume: answer }), thread());
      const again = await questionOf(agent);
      assert.deepEqual(
        again.value.action_requests.map((one) => one.id),
        isShown,
      );
      assert.notEqual(again.value.digest, value.digest);
      assert.match(again.value.problem, /Nobody was asked|other calls/);
      assert.deepEqual(ran, []);
      await refusalOf(agent, { [again.id]: { ...yes(isShown.length), digest: value.digest } });
      await agent.invoke(new Command({ resume: { [again.id]: yes(isShown.length) } }), thread());
      assert.ok(ran.length >= isShown.length);
    }
  });

  test(`${where}: an edit that nobody has seen as it runs is asked about by itself, also after a restart`, async () => {
    const checkpointer = saverOf();
    const ran = [];
    const { agent } = makeAgent({ checkpointer, ran });
    await agent.invoke({ messages: "?" }, thread());
    const first = await questionOf(agent);
    const decisions = [edit({ item: "a" }, "pay"), APPROVE, edit({ item: "c" }, "pay")];
    await agent.invoke(new Command({ resume: { [first.id]: { decisions } } }), thread());
    for (const item of ["a", "c"]) {
      const { id, value } = await questionOf(agent);
      assert.deepEqual(value.action_request, { action: "pay", args: { item } });
      assert.deepEqual(ran, []);
      const { agent: next } = makeAgent({ checkpointer, ran });
      const old = next.invoke(new Command({ resume: { [first.id]: { decisions } } }), thread());
      if (id !== first.id) await assert.rejects(old, { code: "UNKNOWN_INTERRUPT" });
      const answer = { type: "accept", digest: value.digest };
      await next.invoke(new Command({ resume: { [id]: answer } }), thread());
    }
    assert.deepEqual(
      ran.map(([name, { item }]) => [name, item]),
      [
        ["pay", "a"],
        ["order", "b"],
        ["pay", "c"],
      ],
    );
  });
}

test("one call, and several without the option, ask as ever", async () => {
  const one = makeAgent({ calls: [call("a")] });
  const { __interrupt__: asked } = await one.agent.invoke({ messages: "?" }, thread());
  assert.deepEqual(asked[0].value.action_request, { action: "order", args: { item: "a" } });
  const wrong = await one.agent.invoke(new Command({ resume: { decisions: [] } }), thread());
  assert.equal(typeof wrong.__interrupt__[0].value.problem, "string");
  await one.agent.invoke(new Command({ resume: true }), thread());
  assert.equal(one.ran.length, 1);
  for (const approvals of [undefined, "each"]) {
    const agent = createReactAgent({
      llm: new ScriptedModel({
        responses: [{ content: "", tool_calls: [call("a"), call("b")] }, "Fine."],
      }),
      tools: makeTools([]),
      checkpointer: new MemorySaver(),
      approvals,
    });
    const each = await agent.invoke({ messages: "?" }, thread());
    assert.equal(each.__interrupt__.length, 2);
  }
});

test("calls that need no approval wait for the others; a policy may choose by the arguments", async () => {
  const { agent, ran } = makeAgent({
    calls: [
      call("free", { item: "f" }, "free"),
      ...["a", "b", "c"].map((id) => call(id)),
      call("no", { item: "n" }, "never"),
      call("bad", { item: 7 }),
    ],
    order: { approval: ({ item }) => (item === "b" ? "auto" : "ask") },
  });
  await agent.invoke({ messages: "?" }, thread());
  const { value } = await questionOf(agent);
  assert.deepEqual(
    value.action_requests.map(({ id }) => id),
    ["a", "c"],
  );
  assert.deepEqual(ran, []);
  const decisions = [{ type: "reject" }, APPROVE];
  const done = await agent.invoke(new Command({ resume: { decisions } }), thread());
  assert.deepEqual(
    said(done).map(([id, status]) => [id, status]),
    [
      ["free", "success"],
      ["a", "error"],
      ["b", "success"],
      ["c", "success"],
      ["no", "error"],
      ["bad", "error"],
    ],
  );
  assert.deepEqual(
    ran.map(([, { item }]) => item),
    ["f", "b", "c"],
  );
});

test("a ToolNode by itself, as a node's code and in a graph inside, asks so too", async () => {
  const message = new AIMessage({ id: "ai", content: "", tool_calls: [call("a"), call("b")] });
  const decisions = [APPROVE, { type: "reject", message: "no" }];
  const make = (ran, isWrapped) => {
    const node = new ToolNode(makeTools(ran), { approvals: "batch" });
    return new StateGraph(MessagesAnnotation)
      .addNode("tools", isWrapped ? (state) => node.invoke(state) : node)
      .addEdge(START, "tools");
  };
  for (const kind of ["node", "code", "inside"]) {
    const ran = [];
    const graph =
      kind === "inside"
        ? new StateGraph(MessagesAnnotation)
            .addNode("inside", make(ran, false).compile())
            .addEdge(START, "inside")
            .compile({ checkpointer: new MemorySaver() })
        : make(ran, kind === "code").compile({ checkpointer: new MemorySaver() });
    const asked = await graph.invoke({ messages: [message] }, thread());
    const [{ id, value }] = asked.__interrupt__;
    assert.equal(value.action_requests.length, 2);
    await refusalOf(graph, { [id]: { decisions: [APPROVE] } });
    await refusalOf(graph, { [id]: { decisions: [APPROVE, edit({ item: "x" }, "never")] } });
    const done = await graph.invoke(new Command({ resume: { [id]: { decisions } } }), thread());
    assert.deepEqual(said(done), [
      ["a", "success", "order: a"],
      ["b", "error", rejected("no")],
    ]);
    assert.equal(ran.length, 1, kind);
  }
});

test("a tool's own question comes after the decisions, and what ran does not run again for it", async () => {
  const ran = [];
  const ask = tool(({ item }) => (ran.push(item), `heard ${interrupt(item)}`), {
    name: "order",
    schema,
    approval: "ask",
  });
  const llm = new ScriptedModel({
    responses: [{ content: "", tool_calls: [call("a"), call("p", { item: "p" }, "pay")] }, "Fine."],
  });
  const agent = createReactAgent({
    llm,
    tools: [ask, ...makeTools(ran).slice(1)],
    checkpointer: new MemorySaver(),
    approvals: "batch",
  });
  await agent.invoke({ messages: "?" }, thread());
  const { id } = await questionOf(agent);
  const answer = { [id]: { decisions: [APPROVE, APPROVE] } };
  await agent.invoke(new Command({ resume: answer }), thread());
  const own = await questionOf(agent);
  assert.equal(own.value, "a");
  await agent.invoke(new Command({ resume: answer }), thread());
  assert.deepEqual(await questionOf(agent), own, "an old answer is none to it");
  const done = await agent.invoke(new Command({ resume: { [own.id]: "yes" } }), thread());
  assert.deepEqual(said(done), [
    ["a", "success", "heard yes"],
    ["p", "success", "pay: p"],
  ]);
  assert.equal(ran.filter(([name]) => name === "pay").length, 1);
});

test("the log has a request and a decision of each call, under the digest of the question", async () => {
  const saver = new MemorySaver();
  const { agent } = makeAgent({ checkpointer: saver });
  await agent.invoke({ messages: "?" }, thread());
  const { id, value } = await questionOf(agent);
  await refusalOf(agent, { [id]: { decisions: [APPROVE, APPROVE, edit({ item: "" })] } });
  assert.deepEqual(await saver.decisions("t"), []);
  const decisions = [APPROVE, edit({ item: "milk" }), { type: "reject", message: "no" }];
  await agent.invoke(new Command({ resume: { [id]: { by: "Ada", decisions } } }), thread());
  const kept = await saver.decisions("t");
  assert.deepEqual(
    kept.map((one) => [one.id, one.tool_call_id, one.type, one.digest, one.answer.by]),
    value.action_requests.map(({ approval_id, id }, at) => [
      approval_id,
      id,
      ["accept", "edit", "response"][at],
      value.digest,
      "Ada",
    ]),
  );
});

test("an answer may name the request of each call; a name of another one decides nothing", async () => {
  const named = (value, decisions, shift = 0) =>
    decisions.map((one, at) => ({
      ...one,
      approval_id: value.action_requests[(at + shift) % 3].approval_id,
    }));
  const accepted = Array(3).fill({ type: "accept" });
  for (const answerTo of [
    (value, shift) => ({ decisions: named(value, Array(3).fill(APPROVE), shift) }),
    (value, shift) => named(value, accepted, shift),
  ]) {
    const { agent, ran } = makeAgent();
    await agent.invoke({ messages: "?" }, thread());
    const before = await questionOf(agent);
    const swapped = { [before.id]: answerTo(before.value, 1) };
    await agent.invoke(new Command({ resume: swapped }), thread());
    assert.deepEqual(ran, []);
    const { id, value } = await questionOf(agent);
    assert.match(value.problem, /Nobody was asked/);
    const unknown = accepted.map((one) => ({ ...one, approval_id: "f".repeat(32) }));
    await assert.rejects(agent.invoke(new Command({ resume: { [id]: unknown } }), thread()), {
      code: "UNKNOWN_INTERRUPT",
    });
    await agent.invoke(new Command({ resume: { [id]: answerTo(value, 0) } }), thread());
    assert.equal(ran.length, 3);
  }
});

test("a file's thread is answered by the next process; what was approved runs once", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-batch-"));
  const ran = [];
  const next = () => makeAgent({ checkpointer: new FileSaver({ path }), ran }).agent;
  try {
    await next().invoke({ messages: "?" }, thread());
    const { id } = await questionOf(next());
    await refusalOf(next(), { [id]: { decisions: [APPROVE] } });
    await refusalOf(next(), { decisions: [APPROVE, APPROVE, edit({ item: "x" }, "never")] });
    assert.equal((await next().invoke(null, thread())).__interrupt__[0].id, id);
    const decisions = [APPROVE, edit({ item: "b" }, "pay"), APPROVE];
    await next().invoke(new Command({ resume: { [id]: { decisions } } }), thread());
    assert.deepEqual(ran, []);
    const second = await questionOf(next());
    assert.equal(second.value.action_request.action, "pay");
    const answer = { [second.id]: { type: "response", args: "no" } };
    const done = await next().invoke(new Command({ resume: answer }), thread());
    assert.deepEqual(
      said(done).map(([id, status]) => [id, status]),
      [
        ["a", "success"],
        ["b", "error"],
        ["c", "success"],
      ],
    );
    assert.equal(ran.length, 2);
    await assert.rejects(next().invoke(new Command({ resume: answer }), thread()));
    assert.equal(ran.length, 2);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
});

test("in a copy and in an import what waits is asked about anew, also what was half answered", async () => {
  for (const isHalf of [false, true])
    for (const move of [
      async (saver) => (await copyThread(saver, "t", "u"), [saver, thread("u")]),
      async (saver) => {
        const other = new MemorySaver();
        await importThread(other, await exportThread(saver, "t"));
        return [other, thread("t")];
      },
    ]) {
      const saver = new MemorySaver();
      const { agent, ran } = makeAgent({ checkpointer: saver });
      await agent.invoke({ messages: "?" }, thread());
      const first = await questionOf(agent);
      const decisions = [APPROVE, APPROVE, edit({ item: "c" }, "pay")];
      if (isHalf)
        await agent.invoke(new Command({ resume: { [first.id]: { decisions } } }), thread());
      const [checkpointer, config] = await move(saver);
      const moved = makeAgent({ checkpointer, ran }).agent;
      const answer = async () => {
        const { id, value } = await questionOf(moved, config);
        const yes = value.action_requests.map(() => APPROVE);
        await moved.invoke(new Command({ resume: { [id]: { decisions: yes } } }), config);
      };
      // What was answered before is no answer here.
      await answer();
      assert.deepEqual(ran, []);
      const { value } = await questionOf(moved, config);
      assert.equal(value.action_requests.length, 3);
      await answer();
      assert.deepEqual(
        ran.slice(0, 3).map(([name, { item }]) => [name, item]),
        [
          ["order", "a"],
          ["order", "b"],
          ["order", "c"],
        ],
      );
    }
});

test("a call without an id, or with another one's, is not asked about and does not run", async () => {
  const { agent, ran } = makeAgent({
    calls: [
      call("x", { item: "a" }),
      call("x", { item: "b" }),
      { ...call("", { item: "c" }), id: undefined },
      call("y", { item: "d" }),
    ],
  });
  await agent.invoke({ messages: "?" }, thread());
  const { value } = await questionOf(agent);
  assert.deepEqual(
    value.action_requests.map(({ id }) => id),
    ["x", "y"],
  );
  const decisions = [{ type: "reject" }, APPROVE];
  const done = await agent.invoke(new Command({ resume: { decisions } }), thread());
  assert.deepEqual(ran, [["order", { item: "d" }]]);
  assert.deepEqual(
    said(done).map(([, status]) => status),
    ["error", "error", "error", "success"],
  );
});

test("two answers at once: one decides, and each call runs once", async () => {
  for (const byId of [true, false]) {
    const { agent, ran } = makeAgent();
    await agent.invoke({ messages: "?" }, thread());
    const { id } = await questionOf(agent);
    const resume = (decisions) =>
      new Command({ resume: byId ? { [id]: { decisions } } : { decisions } });
    const both = await Promise.allSettled([
      agent.invoke(resume([APPROVE, APPROVE, { type: "reject" }]), thread()),
      agent.invoke(resume([{ type: "reject" }, { type: "reject" }, APPROVE]), thread()),
    ]);
    assert.ok(both.some(({ status }) => status === "fulfilled"));
    const items = ran.map(([, { item }]) => item).join("");
    assert.ok(items === "ab" || items === "c", items);
  }
});

test("answers with getters, proxies, odd prototypes and later changes run what the log says of them, or nothing", async () => {
  const flipping = (key, first, then, rest = {}) => {
    let reads = 0;
    return Object.defineProperty({ ...rest }, key, {
      get: () => (reads++ % 2 === 0 ? first : then),
      enumerable: true,
    });
  };
  let reads = 0;
  const growing = new Proxy([APPROVE, { type: "reject" }, { type: "reject" }, APPROVE], {
    get: (list, key) => (key === "length" ? [3, 4, 2, 7][reads++ % 4] : list[key]),
  });
  const endless = new Proxy([], { get: (list, key) => (key === "length" ? 1e9 : list[key]) });
  const no = { type: "reject" };
  const action = flipping("args", { item: "ok" }, { item: "no" }, { name: "order" });
  const getting = [no, no, no];
  Object.defineProperty(getting, 0, { get: () => (getting.push(APPROVE), APPROVE) });
  for (const answer of [
    { decisions: [flipping("type", "reject", "approve"), no, no] },
    { decisions: [flipping("type", "approve", "reject"), no, no] },
    { decisions: [flipping("type", "approve", "edit", { edited_action: action }), no, no] },
    { decisions: [{ type: "edit", edited_action: action }, no, no] },
    { decisions: [flipping("digest", undefined, "0".repeat(64), APPROVE), no, no] },
    flipping("decisions", [no, no, no], [APPROVE, APPROVE, APPROVE]),
    { decisions: growing },
    { decisions: endless },
    { decisions: getting },
    Object.create({ decisions: [no, APPROVE, no] }),
    { decisions: [Object.create(APPROVE), no, no] },
    JSON.parse('{"decisions":[{"__proto__":{"type":"approve"}},{},{}]}'),
    JSON.parse('{"__proto__":{"decisions":[]},"type":"accept"}'),
    [flipping("type", "ignore", "accept"), { type: "ignore" }, { type: "ignore" }],
  ]) {
    const saver = new MemorySaver();
    const { agent, ran } = makeAgent({ checkpointer: saver });
    await agent.invoke({ messages: "?" }, thread());
    const { id } = await questionOf(agent);
    const result = await agent
      .invoke(new Command({ resume: { [id]: answer } }), thread())
      .catch((error) => assert.ok(isInvalidResume(error), error.stack));
    const kept = await saver.decisions("t");
    assert.equal(kept.length, result === undefined ? 0 : 3);
    assert.deepEqual(
      ran.map(([, args]) => args),
      kept.flatMap((one) =>
        one.type === "accept"
          ? [{ item: one.tool_call_id }]
          : one.type === "edit"
            ? [one.answer.args.args]
            : [],
      ),
    );
  }
});

test("what becomes of an answer's objects after it was given changes nothing", async () => {
  const { agent, ran } = makeAgent();
  await agent.invoke({ messages: "?" }, thread());
  const args = { item: "milk" };
  const decisions = [{ type: "reject" }, edit(args), { type: "reject" }];
  const run = agent.invoke(new Command({ resume: { decisions } }), thread());
  await new Promise(setImmediate);
  decisions[0].type = "approve";
  decisions.push(APPROVE);
  await run;
  args.item = "gold";
  assert.deepEqual(ran, [["order", { item: "milk" }]]);
});

test("a thousand calls are one question", async () => {
  const calls = Array.from({ length: 1000 }, (_, at) =>
    call(`c${at}`, { item: "x", count: at % 9 }),
  );
  const { agent, ran } = makeAgent({ calls });
  await agent.invoke({ messages: "?" }, thread());
  const { id, value } = await questionOf(agent);
  assert.equal(value.action_requests.length, 1000);
  const decisions = calls.map((_, at) => (at % 2 ? APPROVE : { type: "reject" }));
  await agent.invoke(new Command({ resume: { [id]: { decisions } } }), thread());
  assert.equal(ran.length, 500);
});

test("what cannot ask together is refused when it is made", () => {
  const llm = new ScriptedModel({ responses: ["Fine."] });
  const tools = makeTools([]);
  assert.throws(() => new ToolNode(tools, { approvals: "all" }), { code: "BAD_ARGUMENT" });
  assert.throws(() => createReactAgent({ llm, tools, approvals: true }), { code: "BAD_ARGUMENT" });
  const node = new ToolNode(tools, { approvals: "batch" });
  for (const more of [
    { tools, approvals: "batch", version: "v2" },
    { tools: node, version: "v2" },
    { tools: node, approvals: "batch" },
  ])
    assert.throws(() => createReactAgent({ llm, ...more }), { code: "BAD_ARGUMENT" });
  createReactAgent({ llm, tools: node });
});
