// SPDX-License-Identifier: MIT
// Approval of tool calls: LangGraph's HumanInterrupt goes out, a HumanResponse comes back; accept,
// edit (judged like a model's call), response, ignore, policies as functions, answers that cannot
// be used, several calls, no tool before every decision (docs/malformed-output.md "Answers to
// approvals": wrong, stale; docs/approval-safety.md: what is shown is what runs).
import { test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { z } from "zod";
import {
  AIMessage,
  Annotation,
  Command,
  MemorySaver,
  MessagesAnnotation,
  StateGraph,
  interrupt,
  tool,
} from "weftgraph";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { ScriptedModel } from "weftgraph/models/scripted";

const call = (name, args, id) => ({ name, args, id, type: "tool_call" });
const schema = {
  type: "object",
  properties: { item: { type: "string" }, count: { type: "integer", default: 1 } },
  required: ["item"],
};
const thread = (id) => ({ configurable: { thread_id: id } });
const resume = (type, args = null, more = {}) => new Command({ resume: { type, args, ...more } });

/** An agent whose model makes these calls once; `ran` lists what its tools were run with. */
function makeAgent(calls, approval = "ask") {
  const ran = [];
  const order = tool((args) => (ran.push(args), `ordered ${args.count} ${args.item}`), {
    name: "order",
    description: "Orders",
    schema,
    approval,
  });
  const free = tool((args) => (ran.push(args), "free"), {
    name: "free",
    schema: { type: "object" },
  });
  const never = tool(() => ran.push("never"), {
    name: "never",
    schema: { type: "object" },
    approval: "deny",
  });
  const llm = new ScriptedModel({
    responses: [new AIMessage({ content: "", tool_calls: calls }), "done"],
  });
  return {
    ran,
    agent: createReactAgent({ llm, tools: [order, free, never], checkpointer: new MemorySaver() }),
  };
}
const answersOf = ({ messages }) =>
  messages.filter((m) => m.type === "tool").map((m) => [m.status, m.content]);

test("the person sees the call as it would run", async () => {
  const { agent, ran } = makeAgent([call("order", { item: "tea" }, "c1")]);
  const { __interrupt__: list } = await agent.invoke({ messages: "?" }, thread("1"));
  assert.equal(list.length, 1);
  const { digest, approval_id, ...request } = list[0].value;
  assert.match(approval_id, /^[0-9a-f]{32}$/);
  const args = { item: "tea", count: 1 };
  const description = 'The agent wants to call "order".';
  assert.deepEqual(request, {
    action_requests: [{ name: "order", args, arguments: args, description, id: "c1" }],
    review_configs: [{ action_name: "order", allowed_decisions: ["approve", "edit", "reject"] }],
    action_request: { action: "order", args },
    config: { allow_ignore: true, allow_respond: true, allow_edit: true, allow_accept: true },
    description: 'The agent wants to call "order".',
    tool_call_id: "c1",
    canonical: '{"item":"tea","count":1}',
  });
  const framed = (bytes) =>
    Buffer.concat([Buffer.from(new Uint32Array([bytes.length]).buffer), bytes]);
  const definition = createHash("sha256")
    .update(
      JSON.stringify({
        name: "order",
        schema,
        digest: true,
        description: "Orders",
        approval: "ask",
      }),
    )
    .digest();
  const state = await agent.getState(thread("1"));
  const scope = `1\n${state.tasks[0].id}\n${state.values.messages.at(-1).id}`;
  const parts = [
    ...["weft.tool-call.2", scope, "c1", "order"].map((text) => Buffer.from(text)),
    definition,
    Buffer.from(request.canonical),
  ];
  assert.equal(
    digest,
    createHash("sha256")
      .update(Buffer.concat(parts.map(framed)))
      .digest("hex"),
  );
  assert.deepEqual(ran, []);
});

test("accept runs exactly that, once", async () => {
  const { agent, ran } = makeAgent([call("order", { item: "tea" }, "c1")]);
  await agent.invoke({ messages: "?" }, thread("1"));
  const done = await agent.invoke(resume("accept"), thread("1"));
  assert.deepEqual(answersOf(done), [["success", "ordered 1 tea"]]);
  assert.deepEqual(ran, [{ item: "tea", count: 1 }]);
  assert.equal(done.messages.at(-1).content, "done");
});

test("edit runs what the person wrote, and the conversation says so", async () => {
  const { agent, ran } = makeAgent([call("order", { item: "tea" }, "c1")]);
  await agent.invoke({ messages: "?" }, thread("1"));
  const done = await agent.invoke(
    resume("edit", { action: "order", args: { item: "milk", count: 3 } }),
    thread("1"),
  );
  assert.deepEqual(answersOf(done), [["success", "ordered 3 milk"]]);
  assert.deepEqual(ran, [{ item: "milk", count: 3 }]);
  assert.deepEqual(
    done.messages[1].tool_calls.map((c) => [c.name, c.args, c.id]),
    [["order", { item: "milk", count: 3 }, "c1"]],
  );
  assert.equal(done.messages.length, 4);
});

test("an edit by a form of texts is refused where a number is wanted: the call that was shown stays", async () => {
  const { agent, ran } = makeAgent([call("order", { item: "7", count: 2 }, "c1")]);
  await agent.invoke({ messages: "?" }, thread("1"));
  const edit = { action: "order", args: { item: "7", count: "3" } };
  const [{ value }] = (await agent.invoke(resume("edit", edit), thread("1"))).__interrupt__;
  assert.match(value.problem, /expected (number|integer), found string/);
  await agent.invoke(resume("accept"), thread("1"));
  assert.deepEqual(ran, [{ item: "7", count: 2 }]);
});

test("an edit to another tool runs that one, under its policy", async () => {
  const { agent, ran } = makeAgent([call("order", { item: "tea" }, "c1")]);
  await agent.invoke({ messages: "?" }, thread("1"));
  const refused = await agent.invoke(resume("edit", { action: "never", args: {} }), thread("1"));
  assert.equal(refused.__interrupt__[0].value.problem, 'The tool "never" must not be called.');
  const done = await agent.invoke(resume("edit", { action: "free", args: { x: 1 } }), thread("1"));
  assert.deepEqual(answersOf(done), [["success", "free"]]);
  assert.deepEqual(ran, [{ x: 1 }]);
});

test("response rejects with a reason, ignore without one", async () => {
  for (const [answer, reason] of [
    [resume("response", "Too dear"), "Too dear"],
    [resume("ignore"), "none was given"],
    [resume("response", " "), "none was given"],
  ]) {
    const { agent, ran } = makeAgent([call("order", { item: "tea" }, "c1")]);
    await agent.invoke({ messages: "?" }, thread("1"));
    const done = await agent.invoke(answer, thread("1"));
    assert.deepEqual(answersOf(done), [
      ["error", `The user rejected the call of "order"; it was not run. Reason: ${reason}`],
    ]);
    assert.deepEqual(ran, []);
  }
});

test("answers that cannot be used are asked for again", async () => {
  const { agent, ran } = makeAgent([call("order", { item: "tea" }, "c1")]);
  let { __interrupt__: list } = await agent.invoke({ messages: "?" }, thread("1"));
  const wrong = [
    [new Command({ resume: "yes" }), /must be an object/],
    [resume("yes"), /type "yes" is none of/],
    [resume("response", 7), /needs a text/],
    [resume("edit", { item: "x" }), /needs \{ action, args \}/],
    [
      resume("edit", { action: "order", args: { item: 7 } }),
      /\/item: expected string, found number 7/,
    ],
    [resume("edit", { action: "nope", args: {} }), /Tool "nope" not found/],
    [resume("accept", null, { digest: "0" }), /its digest differs/],
  ];
  for (const [answer, problem] of wrong) {
    ({ __interrupt__: list } = await agent.invoke(answer, thread("1")));
    assert.match(list[0].value.problem, problem);
  }
  const done = await agent.invoke(
    resume("accept", null, { digest: list[0].value.digest }),
    thread("1"),
  );
  assert.deepEqual(answersOf(done), [["success", "ordered 1 tea"]]);
  assert.equal(ran.length, 1);
});

test("no tool starts before every decision is there; each runs once", async () => {
  const { agent, ran } = makeAgent([
    call("free", { n: 0 }, "c0"),
    call("order", { item: "a" }, "c1"),
    call("never", {}, "c2"),
    call("order", { item: "b" }, "c3"),
    call("order", { item: 5 }, "c4"),
  ]);
  const first = await agent.invoke({ messages: "?" }, thread("1"));
  assert.deepEqual(
    first.__interrupt__.map(({ value }) => value.tool_call_id),
    ["c1", "c3"],
  );
  const second = await agent.invoke(resume("accept"), thread("1"));
  assert.deepEqual(
    second.__interrupt__.map(({ value }) => value.tool_call_id),
    ["c3"],
  );
  assert.deepEqual(ran, []);
  const done = await agent.invoke(resume("response", "no"), thread("1"));
  assert.deepEqual(answersOf(done), [
    ["success", "free"],
    ["success", "ordered 1 a"],
    [
      "error",
      'The call of "never" was denied; it was not run. Reason: this tool must not be called here.',
    ],
    ["error", 'The user rejected the call of "order"; it was not run. Reason: no'],
    [
      "error",
      "Error: Received tool input did not match expected schema\n\n✖ /item: expected string, found number 5\n Please fix your mistakes.",
    ],
  ]);
  assert.deepEqual(ran, [{ n: 0 }, { item: "a", count: 1 }]);
});

test("a function decides call by call", async () => {
  const seen = [];
  const policy = async (args, state) => (
    seen.push([args, state.messages.length]), args.count > 5 ? "ask" : "auto"
  );
  const small = makeAgent([call("order", { item: "tea", count: 2 }, "c1")], policy);
  assert.deepEqual(answersOf(await small.agent.invoke({ messages: "?" }, thread("1"))), [
    ["success", "ordered 2 tea"],
  ]);
  assert.deepEqual(seen, [[{ item: "tea", count: 2 }, 2]]);
  const large = makeAgent([call("order", { item: "tea", count: 9 }, "c1")], policy);
  assert.equal((await large.agent.invoke({ messages: "?" }, thread("1"))).__interrupt__.length, 1);
  const odd = makeAgent([call("order", { item: "tea" }, "c1")], () => "perhaps");
  await assert.rejects(odd.agent.invoke({ messages: "?" }, thread("1")), { code: "APPROVAL" });
});

test("without a saver approval is LangGraph's error; a node's default serves tools of other makes", async () => {
  const plain = {
    name: "plain",
    description: "",
    schema: z.object({ a: z.number() }),
    invoke: async ({ args }) => `ran ${args.a}`,
  };
  const message = () =>
    new AIMessage({ content: "", id: "m", tool_calls: [call("plain", { a: 1 }, "1")] });
  const graph = (checkpointer) =>
    new StateGraph(MessagesAnnotation)
      .addNode("tools", new ToolNode([plain], { approval: "ask" }))
      .addEdge("__start__", "tools")
      .compile({ checkpointer });
  await assert.rejects(graph(undefined).invoke({ messages: [message()] }), {
    name: "GraphValueError",
    lc_error_code: "MISSING_CHECKPOINTER",
  });
  const saved = graph(new MemorySaver());
  await saved.invoke({ messages: [message()] }, thread("1"));
  assert.equal(
    (await saved.invoke(resume("accept"), thread("1"))).messages.at(-1).content,
    "ran 1",
  );
});

test("many approvals at once, one saver", async () => {
  const ran = [];
  const many = Array.from({ length: 50 }, (_, i) => i);
  const order = tool((args) => (ran.push(args.item), args.item), {
    name: "order",
    schema,
    approval: "ask",
  });
  const llm = {
    bindTools: () => llm,
    invoke: async (messages) =>
      messages.length === 1
        ? new AIMessage({
            content: "",
            tool_calls: [call("order", { item: messages[0].content }, "x")],
          })
        : new AIMessage("done"),
  };
  const shared = createReactAgent({ llm, tools: [order], checkpointer: new MemorySaver() });
  const asked = await Promise.all(
    many.map((i) => shared.invoke({ messages: `item ${i}` }, thread(`t${i}`))),
  );
  assert.deepEqual(
    asked.map((r) => r.__interrupt__[0].value.action_request.args.item),
    many.map((i) => `item ${i}`),
  );
  const done = await Promise.all(
    many.map((i) => shared.invoke(i % 2 ? resume("accept") : resume("ignore"), thread(`t${i}`))),
  );
  assert.deepEqual(
    ran.sort(),
    many
      .filter((i) => i % 2)
      .map((i) => `item ${i}`)
      .sort(),
  );
  assert.equal(
    done.every((r) => r.messages.at(-1).content === "done"),
    true,
  );
});

test("interrupt() inside a tool comes after the approvals", async () => {
  const ask = tool(({ q }) => `heard ${interrupt({ q })}`, {
    name: "ask",
    schema: { type: "object", properties: { q: { type: "string" } } },
    approval: "ask",
  });
  const state = Annotation.Root(MessagesAnnotation.spec);
  const graph = new StateGraph(state)
    .addNode("tools", new ToolNode([ask]))
    .addEdge("__start__", "tools")
    .compile({ checkpointer: new MemorySaver() });
  const first = await graph.invoke(
    {
      messages: [
        new AIMessage({ content: "", id: "m", tool_calls: [call("ask", { q: "why" }, "1")] }),
      ],
    },
    thread("1"),
  );
  assert.equal(first.__interrupt__[0].value.tool_call_id, "1");
  const second = await graph.invoke(resume("accept"), thread("1"));
  assert.deepEqual(second.__interrupt__[0].value, { q: "why" });
  const done = await graph.invoke(new Command({ resume: "because" }), thread("1"));
  assert.equal(done.messages.at(-1).content, "heard because");
});
