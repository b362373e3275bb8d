// SPDX-License-Identifier: MIT
// Answers to several questions at once, by id: approvals with their digests, edits under the policy
// of the tool that they name, calls that were in flight when the process died.
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AIMessage,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  tool,
} from "weftgraph";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { FileSaver } from "weftgraph/savers/file";

const schema = { type: "object", properties: { amount: { type: "number" } } };
const call = (name, args, id) => ({ name, args, id, type: "tool_call" });
const ai = (...calls) => new AIMessage({ id: "m", content: "", tool_calls: calls });
const thread = { configurable: { thread_id: "t" } };
const said = ({ messages }) =>
  messages
    .filter(({ type }) => type === "tool")
    .map(({ tool_call_id, status, content }) => [tool_call_id, status, content]);
const byCall = ({ __interrupt__ }) =>
  Object.fromEntries(__interrupt__.map(({ id, value }) => [value.tool_call_id, { id, ...value }]));
const edit = (action, args) => ({ type: "edit", args: { action, args } });
/** An answer to what was asked, by the id of its question. */
const to = (question, answer) => ({ [question.id]: { digest: question.digest, ...answer } });
const accept = { type: "accept", args: null };

/** An agent that makes these calls once; `ran` lists what its tools were run with. */
function agentOf(version, ...calls) {
  const ran = [];
  const make = (name, approval) =>
    tool((args) => (ran.push([name, args]), `${name} done`), { name, schema, approval });
  const llm = {
    bindTools: () => llm,
    invoke: async (messages) =>
      messages.at(-1).type === "human" ? ai(...calls) : new AIMessage("done"),
  };
  const tools = [
    make("pay", ({ amount }) => (amount > 1000 ? "deny" : "ask")),
    make("order", "ask"),
    make("look", "auto"),
    make("drop", "deny"),
  ];
  const agent = createReactAgent({ llm, tools, version, checkpointer: new MemorySaver() });
  return {
    ran,
    ask: () => agent.invoke({ messages: "go" }, thread),
    answer: (resume) => agent.invoke(new Command({ resume }), thread),
  };
}

for (const version of ["v1", "v2"]) {
  test(`approvals of one message, all answered by id at once, ${version}`, async () => {
    const { ran, ask, answer } = agentOf(
      version,
      call("pay", { amount: 1 }, "1"),
      call("order", { amount: 2 }, "2"),
      call("pay", { amount: 3 }, "3"),
      call("look", {}, "4"),
      call("order", {}, "5"),
    );
    const asked = byCall(await ask());
    assert.deepEqual(Object.keys(asked), ["1", "2", "3", "5"]);
    const done = await answer({
      ...to(asked[1], accept),
      ...to(asked[2], edit("look", { amount: 9 })),
      ...to(asked[3], { type: "response", args: "too dear" }),
      ...to(asked[5], { type: "ignore", args: null }),
    });
    assert.deepEqual(said(done).sort(), [
      ["1", "success", "pay done"],
      ["2", "success", "look done"],
      ["3", "error", 'The user rejected the call of "pay"; it was not run. Reason: too dear'],
      ["4", "success", "look done"],
      [
        "5",
        "error",
        'The user rejected the call of "order"; it was not run. Reason: none was given',
      ],
    ]);
    assert.deepEqual(ran.map(([name, args]) => JSON.stringify([name, args])).sort(), [
      '["look",{"amount":9}]',
      '["look",{}]',
      '["pay",{"amount":1}]',
    ]);
    assert.equal(done.messages.at(-1).content, "done");
  });
}

test("a digest of another question of the same message is refused; the other answer stands", async () => {
  const { ran, ask, answer } = agentOf(
    "v1",
    call("pay", { amount: 1 }, "1"),
    call("pay", { amount: 2 }, "2"),
  );
  const asked = byCall(await ask());
  const again = byCall(
    await answer({
      ...to(asked[1], { ...accept, digest: asked[2].digest }),
      ...to(asked[2], accept),
    }),
  );
  assert.deepEqual(
    Object.entries(again).map(([id, { problem }]) => [id, problem]),
    [["1", "The answer is about another call: its digest differs."]],
  );
  assert.deepEqual(ran, []);
  await answer(to(again[1], accept));
  assert.deepEqual(ran, [
    ["pay", { amount: 1 }],
    ["pay", { amount: 2 }],
  ]);
});

test("an edit is judged under the policy of the tool that it names, by its own arguments", async () => {
  const { ran, ask, answer } = agentOf("v1", call("order", { amount: 1 }, "1"));
  let asked = byCall(await ask());
  for (const [given, problem] of [
    [edit("drop", {}), 'The tool "drop" must not be called.'],
    [edit("pay", { amount: 5000 }), 'The tool "pay" must not be called.'],
    [
      edit("pay", { amount: "5" }),
      'Received tool input did not match expected schema\n\n✖ /amount: expected number, found string "5"',
    ],
    [edit("fly", {}), 'Tool "fly" not found.'],
  ]) {
    asked = byCall(await answer(to(asked[1], given)));
    assert.equal(asked[1].problem, problem);
  }
  // A tool that wants a decision is shown as it would run.
  asked = byCall(await answer(to(asked[1], edit("pay", { amount: 5 }))));
  assert.deepEqual(
    [asked[1].action_request, asked[1].problem, ran],
    [{ action: "pay", args: { amount: 5 } }, undefined, []],
  );
  await answer(to(asked[1], accept));
  assert.deepEqual(ran, [["pay", { amount: 5 }]]);
  const same = agentOf("v1", call("pay", { amount: 1 }, "1"));
  asked = byCall(await same.ask());
  assert.equal(
    byCall(await same.answer(to(asked[1], edit("pay", { amount: 5000 }))))[1].problem,
    'These arguments of "pay" are denied.',
  );
  assert.deepEqual(same.ran, []);
});

test("several calls in flight when the process died: each is asked about, answered by id, and cannot be edited", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-answers-"));
  try {
    const process = (body) => {
      const pay = tool(body, { name: "pay", schema });
      return new StateGraph(MessagesAnnotation)
        .addNode("tools", new ToolNode([pay]))
        .addEdge(START, "tools")
        .compile({ checkpointer: new FileSaver({ path }) });
    };
    const started = [];
    await new Promise((all) => {
      const begin = ({ amount }) => new Promise(() => started.push(amount) === 3 && all());
      process(begin).invoke(
        {
          messages: [
            ai(
              call("pay", { amount: 1 }, "1"),
              call("pay", { amount: 2 }, "2"),
              call("pay", { amount: 3 }, "3"),
            ),
          ],
        },
        // A dead process holds no thread.
        { ...thread, multitaskStrategy: "concurrent" },
      );
    });
    const ran = [];
    const next = process(({ amount }) => (ran.push(amount), `paid ${amount}`));
    const asked = byCall(await next.invoke(null, thread));
    assert.deepEqual(
      Object.values(asked).map(({ kind, tool_call_id, action_request, config }) => [
        kind,
        tool_call_id,
        action_request.args.amount,
        config.allow_edit,
      ]),
      [
        ["unknown_tool_call", "1", 1, false],
        ["unknown_tool_call", "2", 2, false],
        ["unknown_tool_call", "3", 3, false],
      ],
    );
    const resume = {
      ...to(asked[1], edit("pay", { amount: 100 })),
      ...to(asked[2], { type: "response", args: "paid, says the bank" }),
      ...to(asked[3], accept),
    };
    const again = byCall(await next.invoke(new Command({ resume }), thread));
    assert.deepEqual(
      Object.entries(again).map(([id, { problem }]) => [
        id,
        /accept.*response.*ignore/.test(problem),
      ]),
      [["1", true]],
    );
    const done = await next.invoke(
      new Command({ resume: to(again[1], { type: "ignore", args: null }) }),
      thread,
    );
    assert.deepEqual(said(done), [
      [
        "1",
        "error",
        'It is not known whether the call of "pay" took effect: the process stopped while it ran. It was not run again.',
      ],
      ["2", "success", "paid, says the bank"],
      ["3", "success", "paid 3"],
    ]);
    assert.deepEqual(ran, [3]);
  } finally {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
});
