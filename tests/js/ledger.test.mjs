// SPDX-License-Identifier: MIT
// Tool calls and crashes: the log says that a call begins before it does; a finished call never
// runs again; one in flight when the process died is asked about, repeated with the same key,
// settled or failed; what ended in good order is no mystery. Serves docs/reliability.md 1 (promises
// 3 and 4), docs/log-format.md 2 (INTENT, RESULT), docs/semantics.md 20.5 (questions of several
// calls at once).
// Own process: takes as long as many other files.
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
  Send,
  StateGraph,
  ToolMessage,
  interrupt,
  tool,
} from "weftgraph";
import { ScriptedModel } from "weftgraph/models/scripted";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { exportThread, importThread } from "weftgraph/savers/transfer";
import { FileSaver } from "weftgraph/savers/file";

const schema = { type: "object" };
const call = (name, args = {}, id = name) => ({ name, args, id, type: "tool_call" });
const ai = (...calls) => new AIMessage({ content: "", tool_calls: calls });
const thread = { configurable: { thread_id: "t" } };
const never = new Promise(() => {});
const said = ({ messages }) =>
  messages
    .filter(({ type }) => type === "tool")
    .map(({ tool_call_id, status, content }) => [tool_call_id, status, content]);
const graphOf = (tools, checkpointer, options) =>
  new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(tools, options))
    .addEdge(START, "tools")
    .compile({ checkpointer });
const until = async (condition) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

/** The saver of a process that is to die, and a wait until that has written all that it will. */
function dying(saver) {
  const append = saver.store.append.bind(saver.store);
  // A dead process holds no thread.
  saver.store.hold = undefined;
  let writing = 0;
  saver.store.append = async (...given) => {
    writing++;
    try {
      return await append(...given);
    } finally {
      writing--;
    }
  };
  const quiet = async () => {
    for (let idle = 0; idle < 4; idle = writing === 0 ? idle + 1 : 0)
      await new Promise((resolve) => setTimeout(resolve, 3));
  };
  return { saver, quiet };
}

/** Runs `work` with a folder for savers: each saver on it is a process of its own. */
async function inFolder(work) {
  const path = mkdtempSync(join(tmpdir(), "weft-ledger-"));
  try {
    return await work(() => new FileSaver({ path }));
  } finally {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * A process that dies while the call "pay" runs. Its keys and bodies are told; `fields` are the
 * tool's.
 * @returns the graph of the next process, and what ran there
 */
async function afterCrash(
  newSaver,
  { fields = {}, options, others = [], calls = [call("pay", { n: 1 })], config } = {},
) {
  const keys = [];
  const make = (body) => [
    tool((args, { idempotencyKey }) => (keys.push(idempotencyKey), body(args)), {
      name: "pay",
      schema,
      ...fields,
    }),
    ...others,
  ];
  const { saver, quiet } = dying(newSaver());
  graphOf(
    make(() => never),
    saver,
    options,
  ).invoke({ messages: [ai(...calls)] }, { ...thread, ...config });
  await until(() => keys.length === 1);
  await quiet();
  return {
    graph: graphOf(
      make(({ n }) => `paid ${n}`),
      newSaver(),
      options,
    ),
    keys,
  };
}

test("a call in flight is asked about, and goes on as the answer says", () =>
  inFolder(async (newSaver) => {
    const { graph, keys } = await afterCrash(newSaver);
    const asked = await graph.invoke(null, thread);
    const [{ value }] = asked.__interrupt__;
    assert.deepEqual(
      [value.kind, value.tool_call_id, value.action_request],
      ["unknown_tool_call", "pay", { action: "pay", args: { n: 1 } }],
    );
    assert.deepEqual((await graph.getState(thread)).next, ["tools"]);
    const again = await graph.invoke(new Command({ resume: { type: "perhaps" } }), thread);
    assert.match(again.__interrupt__[0].value.problem, /accept/);
    assert.equal(keys.length, 1);
    assert.deepEqual(
      said(await graph.invoke(new Command({ resume: { type: "accept", args: null } }), thread)),
      [["pay", "success", "paid 1"]],
    );
    assert.equal(keys.length, 2);
    assert.equal(keys[0], keys[1]);
    assert.match(keys[0], /^t\/[0-9a-f-]{36}\/pay$/);
  }));

test("a known result, or nothing, may be the answer", async () => {
  for (const [answer, expected] of [
    [{ type: "response", args: "paid by hand" }, ["pay", "success", "paid by hand"]],
    [
      [{ type: "ignore", args: null }],
      [
        "pay",
        "error",
        'It is not known whether the call of "pay" took effect: the process stopped while it ran. It was not run again.',
      ],
    ],
  ]) {
    await inFolder(async (newSaver) => {
      const { graph, keys } = await afterCrash(newSaver);
      await graph.invoke(null, thread);
      assert.deepEqual(said(await graph.invoke(new Command({ resume: answer }), thread)), [
        expected,
      ]);
      assert.equal(keys.length, 1);
    });
  }
});

test("idempotent calls are repeated with their key; a tool may settle or fail them", async () => {
  const rows = [
    [{ fields: { idempotent: true } }, 2, ["pay", "success", "paid 1"]],
    [{ fields: { onUnknown: "retry" } }, 2, ["pay", "success", "paid 1"]],
    [{ options: { onUnknown: "retry" } }, 2, ["pay", "success", "paid 1"]],
    [{ fields: { reconcile: ({ n }) => `found ${n}` } }, 1, ["pay", "success", "found 1"]],
    [
      {
        fields: {
          reconcile: () =>
            new ToolMessage({
              content: "as a message",
              name: "pay",
              tool_call_id: "pay",
              status: "error",
            }),
        },
      },
      1,
      ["pay", "error", "as a message"],
    ],
    [
      {
        fields: {
          reconcile: () =>
            new Command({
              update: {
                messages: [
                  new ToolMessage({ content: "by a Command", name: "pay", tool_call_id: "pay" }),
                ],
              },
            }),
        },
      },
      1,
      ["pay", undefined, "by a Command"],
    ],
    [{ fields: { reconcile: async () => undefined } }, 2, ["pay", "success", "paid 1"]],
  ];
  for (const [options, bodies, expected] of rows) {
    await inFolder(async (newSaver) => {
      const { graph, keys } = await afterCrash(newSaver, options);
      assert.deepEqual(said(await graph.invoke(null, thread)), [expected]);
      assert.equal(new Set(keys).size, 1);
      assert.equal(keys.length, bodies);
    });
  }
  await inFolder(async (newSaver) => {
    const { graph } = await afterCrash(newSaver, { fields: { onUnknown: "fail" } });
    await assert.rejects(graph.invoke(null, thread), {
      code: "UNKNOWN_TOOL_CALL",
      message: /"pay"/,
    });
  });
});

test("what is answered about a crash is no answer to the call's own question; another crash is another question", () =>
  inFolder(async (newSaver) => {
    let runs = 0;
    const graphOn = (saver, body) =>
      graphOf([tool(() => (runs++, body()), { name: "pay", schema })], saver);
    const crash = async (input) => {
      const before = runs;
      const { saver, quiet } = dying(newSaver());
      graphOn(saver, () => never).invoke(input, thread);
      await until(() => runs > before);
      await quiet();
    };
    const accept = new Command({ resume: { type: "accept", args: null } });
    await crash({ messages: [ai(call("pay"))] });
    assert.equal(
      (await graphOn(newSaver(), () => "").invoke(null, thread)).__interrupt__[0].value.kind,
      "unknown_tool_call",
    );
    await crash(accept);
    assert.equal(
      (await graphOn(newSaver(), () => "").invoke(null, thread)).__interrupt__[0].value.kind,
      "unknown_tool_call",
    );
    assert.equal(runs, 2);
    const asking = () => graphOn(newSaver(), () => `heard ${interrupt("sure?")}`);
    assert.equal((await asking().invoke(accept, thread)).__interrupt__[0].value, "sure?");
    assert.deepEqual(said(await asking().invoke(new Command({ resume: "yes" }), thread)), [
      ["pay", "success", "heard yes"],
    ]);
  }));

test("what the dead call had asked itself does not answer for it", async () => {
  const accept = { type: "accept", args: null };
  for (const [calls, first] of [
    [[call("pay")], null],
    [[call("pay"), call("note")], null],
    [[call("pay")], new Command({ resume: accept })],
  ]) {
    await inFolder(async (newSaver) => {
      const heard = [];
      const note = tool(() => "noted", { name: "note", schema });
      const graphOn = (saver, body) =>
        graphOf(
          [
            tool(
              () => {
                heard.push(interrupt("sure?"));
                return body();
              },
              { name: "pay", schema },
            ),
            note,
          ],
          saver,
        );
      const next = (input) => graphOn(newSaver(), () => "paid").invoke(input, thread);
      await graphOn(newSaver(), () => never).invoke({ messages: [ai(...calls)] }, thread);
      const { saver, quiet } = dying(newSaver());
      graphOn(saver, () => never).invoke(new Command({ resume: accept }), thread);
      await until(() => heard.length === 1);
      await quiet();
      // Neither the answer in the log, nor one given before anybody was asked; nor either of them
      // once somebody was.
      let id;
      for (const input of [first, null]) {
        const [asked, ...more] = (await next(input)).__interrupt__;
        assert.deepEqual(
          [asked.value.kind, asked.value.problem, more],
          ["unknown_tool_call", undefined, []],
        );
        assert.equal(heard.length, 1);
        id = asked.id;
      }
      const again = await next(new Command({ resume: { [id]: accept } }));
      assert.deepEqual(
        again.__interrupt__.map((asked) => asked.value),
        ["sure?"],
      );
      const done = said(await next(new Command({ resume: "yes" })));
      assert.deepEqual(done[0], ["pay", "success", "paid"]);
      assert.deepEqual(heard, [accept, "yes"]);
    });
  }
});

test("under exit the call after an approval is kept: in flight it is asked about, finished it does not run again", async () => {
  for (const dies of ["inside", "after"]) {
    await inFolder(async (newSaver) => {
      let runs = 0;
      const exit = { ...thread, durability: "exit" };
      const graphOn = (saver, body, after) =>
        new StateGraph(MessagesAnnotation)
          .addNode(
            "tools",
            new ToolNode([tool(() => (runs++, body()), { name: "pay", schema, approval: "ask" })]),
          )
          .addNode("after", after)
          .addEdge(START, "tools")
          .addEdge("tools", "after")
          .compile({ checkpointer: saver });
      const next = (input) =>
        graphOn(
          newSaver(),
          () => "paid twice",
          () => ({}),
        ).invoke(input, exit);
      const accept = new Command({ resume: { type: "accept", args: null } });
      assert.equal(
        (
          await graphOn(
            newSaver(),
            () => "",
            () => ({}),
          ).invoke({ messages: [ai(call("pay"))] }, exit)
        ).__interrupt__.length,
        1,
      );
      const { saver, quiet } = dying(newSaver());
      let isAfter = false;
      graphOn(
        saver,
        () => (dies === "inside" ? never : "paid"),
        () => ((isAfter = true), never),
      ).invoke(accept, exit);
      await until(() => (dies === "inside" ? runs === 1 : isAfter));
      await quiet();
      if (dies === "after") {
        assert.deepEqual(said(await next(null)), [["pay", "success", "paid"]]);
        assert.equal(runs, 1);
        return;
      }
      // The approval's answer died with the run; asking for it again does not forget the call.
      assert.equal((await next(null)).__interrupt__[0].value.kind, undefined);
      const [{ id, value }] = (await next(accept)).__interrupt__;
      assert.equal(value.kind, "unknown_tool_call");
      assert.equal(runs, 1);
      // The same answer once more is none to this question.
      assert.match((await next(accept)).__interrupt__[0].value.problem, /another question/);
      assert.equal(runs, 1);
      assert.deepEqual(
        said(
          await next(new Command({ resume: { [id]: { type: "response", args: "paid by hand" } } })),
        ),
        [["pay", "success", "paid by hand"]],
      );
      assert.equal(runs, 1);
    });
  }
});

test("what was decided stands in the log, once, and goes with the thread", async () => {
  const saver = new MemorySaver();
  const pay = tool(() => `paid ${interrupt("sure?")}`, { name: "pay", schema, approval: "ask" });
  const graph = graphOf([pay], saver);
  const asked = await graph.invoke({ messages: [ai(call("pay"))] }, thread);
  const [{ id, value }] = asked.__interrupt__;
  const answers = [
    { type: "accept", digest: "no such" },
    { type: "accept", args: null, digest: value.digest, by: "Ada" },
  ];
  const {
    __interrupt__: [{ id: secondId, value: second }],
  } = await graph.invoke(new Command({ resume: { [id]: answers[0] } }), thread);
  assert.match(second.problem, /digest/);
  assert.deepEqual(await saver.decisions("t"), []);
  assert.equal(
    (await graph.invoke(new Command({ resume: { [secondId]: answers[1] } }), thread))
      .__interrupt__[0].value,
    "sure?",
  );
  const [first, ...more] = await saver.decisions("t");
  assert.deepEqual(more, []);
  assert.ok(
    first.checkpoint_seq > 0 &&
      first.request_seq > first.checkpoint_seq &&
      first.seq > first.request_seq,
  );
  const told = {
    id: second.approval_id,
    digest: value.digest,
    type: "accept",
    answer: answers[1],
    tool_call_id: "pay",
    checkpoint_ns: "",
  };
  assert.deepEqual(first, {
    ...told,
    seq: first.seq,
    request_seq: first.request_seq,
    checkpoint_seq: first.checkpoint_seq,
  });
  // The call's own question runs the node again; a decision is told once.
  assert.deepEqual(said(await graph.invoke(new Command({ resume: "yes" }), thread)), [
    ["pay", "success", "paid yes"],
  ]);
  assert.deepEqual(await saver.decisions("t"), [first]);

  const calls = ["ignore", "response", "edit"].map((name) => call("pay", { name }, name));
  const many = await graph.invoke({ messages: [ai(...calls)] }, thread);
  const byCall = Object.fromEntries(many.__interrupt__.map((one) => [one.value.tool_call_id, one]));
  const given = {
    ignore: { type: "ignore" },
    response: { type: "response", args: "no" },
    edit: { type: "edit", args: { action: "pay", args: { n: 2 } } },
  };
  await graph.invoke(
    new Command({
      resume: Object.fromEntries(
        Object.entries(given).map(([name, answer]) => [byCall[name].id, answer]),
      ),
    }),
    thread,
  );
  const rest = (await saver.decisions("t")).slice(1);
  assert.deepEqual(
    Object.fromEntries(
      rest.map(({ tool_call_id, id: of, digest, type, answer }) => [
        tool_call_id,
        [of, digest, type, answer],
      ]),
    ),
    Object.fromEntries(
      Object.entries(given).map(([name, answer]) => [
        name,
        [byCall[name].value.approval_id, byCall[name].value.digest, name, answer],
      ]),
    ),
  );
  assert.equal(rest.length, 3);

  // Of an imported thread they are history: what waits is asked about again, under another digest.
  const other = new MemorySaver();
  await graph.invoke(
    { messages: [ai(call("pay", {}, "last"))] },
    { configurable: { thread_id: "u" } },
  );
  await graph.invoke(new Command({ resume: { type: "accept" } }), {
    configurable: { thread_id: "u" },
  });
  await importThread(other, await exportThread(saver, "u"), { threadId: "v" });
  const [before] = await saver.decisions("u");
  const [moved, ...others] = await other.decisions("v");
  assert.deepEqual([moved, others], [{ ...before, seq: moved.seq, request_seq: undefined }, []]);
  const again = await graphOf([pay], other).invoke(null, { configurable: { thread_id: "v" } });
  assert.equal(again.__interrupt__[0].value.action_request.action, "pay");
  assert.notEqual(again.__interrupt__[0].value.digest, before.digest);
});

test("of several calls the finished ones stay done", () =>
  inFolder(async (newSaver) => {
    const ran = [];
    const note = tool(({ n }) => (ran.push(n), `noted ${n}`), { name: "note", schema });
    const { graph, keys } = await afterCrash(newSaver, {
      others: [note],
      calls: [call("note", { n: 1 }, "1"), call("pay", { n: 2 }, "2"), call("note", { n: 3 }, "3")],
    });
    const asked = await graph.invoke(null, thread);
    assert.deepEqual(
      asked.__interrupt__.map(({ value }) => value.tool_call_id),
      ["2"],
    );
    assert.deepEqual(
      said(await graph.invoke(new Command({ resume: { type: "accept" } }), thread)),
      [
        ["1", "success", "noted 1"],
        ["2", "success", "paid 2"],
        ["3", "success", "noted 3"],
      ],
    );
    assert.deepEqual([ran, keys.length], [[1, 3], 2]);
  }));

test("the log says it before the call begins, in durability sync and async", async () => {
  for (const durability of ["sync", "async"]) {
    const saver = new MemorySaver();
    const { append } = saver.store;
    let acknowledged = 0;
    let asked = 0;
    saver.store.append = async function (...given) {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 4));
      append.apply(this, given);
      acknowledged++;
    };
    let seen;
    const pay = tool(() => ((seen = [acknowledged, asked]), "ok"), { name: "pay", schema });
    await graphOf([pay], saver).invoke({ messages: [ai(call("pay"))] }, { ...thread, durability });
    assert.equal(seen[0], seen[1], durability);
    assert.ok(seen[0] >= 3, durability);
  }
});

test("what ended in good order is no mystery: questions, failures, aborts, failing neighbours", async () => {
  const ran = [];
  let body = () => {
    throw new Error("kaput");
  };
  const pay = tool((args, runtime) => (ran.push("pay"), body(args, runtime)), {
    name: "pay",
    schema,
  });
  const graph = graphOf([pay], new MemorySaver(), { handleToolErrors: false });
  await assert.rejects(graph.invoke({ messages: [ai(call("pay"))] }, thread), { message: "kaput" });
  const stop = new AbortController();
  body = (_, { signal }) => {
    setImmediate(() => stop.abort());
    return new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(new Error("stopped"))),
    );
  };
  await assert.rejects(graph.invoke(null, { ...thread, signal: stop.signal }));
  body = () => `heard ${interrupt("sure?")}`;
  assert.equal((await graph.invoke(null, thread)).__interrupt__[0].value, "sure?");
  assert.deepEqual(said(await graph.invoke(new Command({ resume: "yes" }), thread)), [
    ["pay", "success", "heard yes"],
  ]);
  assert.equal(ran.length, 4);

  let broken = true;
  const slow = tool(() => (ran.push("slow"), broken ? never : "slow"), { name: "slow", schema });
  const two = new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode([slow]))
    .addNode("bad", () => {
      if (broken) throw new Error("neighbour");
      return {};
    })
    .addEdge(START, "tools")
    .addEdge(START, "bad")
    .compile({ checkpointer: new MemorySaver() });
  await assert.rejects(two.invoke({ messages: [ai(call("slow"))] }, thread), {
    message: "neighbour",
  });
  broken = false;
  assert.deepEqual(said(await two.invoke(null, thread)), [["slow", "success", "slow"]]);
});

test("questions of several calls come together; a plain answer is for the first, others go by id; nothing runs twice", async () => {
  const ran = [];
  const ask = tool(
    ({ q }) => {
      const answer = interrupt({ q });
      ran.push(q);
      return `heard ${answer}`;
    },
    { name: "ask", schema },
  );
  const note = tool(({ q }) => (ran.push(q), "noted"), { name: "note", schema });
  const graph = graphOf([ask, note], new MemorySaver());
  const chunks = [];
  for await (const chunk of await graph.stream(
    {
      messages: [
        ai(
          call("ask", { q: "A" }, "a"),
          call("note", { q: "N" }, "n"),
          call("ask", { q: "B" }, "b"),
          call("ask", { q: "C" }, "c"),
        ),
      ],
    },
    { ...thread, streamMode: ["updates", "tasks"] },
  ))
    chunks.push(chunk);
  const first = await graph.getState(thread);
  assert.deepEqual(
    first.tasks.map(({ name, interrupts }) => [name, interrupts.map(({ value }) => value.q)]),
    [["tools", ["A", "B", "C"]]],
  );
  const ids = first.tasks[0].interrupts.map(({ id }) => id);
  assert.equal(new Set(ids).size, 3);
  // No task and no update but the node's own.
  assert.deepEqual(
    chunks.filter(([mode]) => mode === "updates").map(([, chunk]) => Object.keys(chunk)),
    [["__interrupt__"]],
  );
  assert.ok(chunks.every(([mode, chunk]) => mode === "updates" || chunk.name === "tools"));
  const second = await graph.invoke(new Command({ resume: "1" }), thread);
  assert.deepEqual(
    second.__interrupt__.map(({ value }) => value.q),
    ["B", "C"],
  );
  const third = await graph.invoke(new Command({ resume: { [ids[2]]: "3" } }), thread);
  assert.deepEqual(
    third.__interrupt__.map(({ value }) => value.q),
    ["B"],
  );
  const last = await graph.invoke(new Command({ resume: { [ids[1]]: "2" } }), thread);
  assert.deepEqual(
    said(last).map(([, , content]) => content),
    ["heard 1", "noted", "heard 2", "heard 3"],
  );
  assert.deepEqual(ran, ["N", "A", "C", "B"]);
});

test("who answers an old question anew runs its step anew: what ended there is no mystery, what then dies is one", () =>
  inFolder(async (open) => {
    const ran = [];
    const tools = (hangs) => [
      tool(
        async () => {
          ran.push(interrupt("how much?"));
          return hangs ? never : `paid ${ran.at(-1)}`;
        },
        { name: "pay", schema },
      ),
      tool(async () => `sent ${ran.push("send")}`, { name: "send", schema, approval: "ask" }),
    ];
    const graph = graphOf(tools(false), open());
    await graph.invoke({ messages: [ai(call("pay"))] }, thread);
    const { config: asked } = await graph.getState(thread);
    assert.deepEqual(said(await graph.invoke(new Command({ resume: "1" }), thread)), [
      ["pay", "success", "paid 1"],
    ]);
    assert.deepEqual(said(await graph.invoke(new Command({ resume: "2" }), asked)), [
      ["pay", "success", "paid 2"],
    ]);
    assert.deepEqual(ran, ["1", "2"]);
    graphOf(tools(true), dying(open()).saver)
      .invoke(new Command({ resume: "3" }), asked)
      .catch(() => {});
    await until(() => ran.length === 3);
    const [unknown] = (
      await graphOf(tools(false), open()).invoke(new Command({ resume: "4" }), asked)
    ).__interrupt__;
    assert.deepEqual([unknown.value.kind, ran.length], ["unknown_tool_call", 3]);
    // What a person approved was approved once.
    const other = { configurable: { thread_id: "other" } };
    const [question] = (await graph.invoke({ messages: [ai(call("send"))] }, other)).__interrupt__;
    const { config: before } = await graph.getState(other);
    const yes = new Command({
      resume: { type: "accept", digest: question.value.digest, args: null },
    });
    assert.deepEqual(said(await graph.invoke(yes, other)), [["send", "success", "sent 4"]]);
    assert.equal((await graph.invoke(yes, before)).__interrupt__[0].value.tool_call_id, "send");
    assert.equal(ran.length, 4);
  }));

test("agents of both versions; without a saver nothing is kept", async () => {
  for (const version of ["v1", "v2"]) {
    await inFolder(async (newSaver) => {
      let started = 0;
      const agentOn = (checkpointer, body) =>
        createReactAgent({
          version,
          checkpointer,
          tools: [tool(() => (started++, body()), { name: "pay", schema })],
          llm: new ScriptedModel({
            responses: [
              ai(call("pay", {}, "1"), call("pay", {}, "2")),
              new AIMessage("done"),
            ].slice(started === 0 ? 0 : 1),
          }),
        });
      const { saver, quiet } = dying(newSaver());
      agentOn(saver, () => (started === 1 ? "first" : never)).invoke({ messages: "go" }, thread);
      await until(() => started === 2);
      await quiet();
      const next = agentOn(newSaver(), () => "again");
      const asked = await next.invoke(null, thread);
      assert.deepEqual(
        asked.__interrupt__.map(({ value }) => value.tool_call_id),
        ["2"],
        version,
      );
      const { messages } = await next.invoke(new Command({ resume: { type: "accept" } }), thread);
      assert.deepEqual(
        messages.map(({ content }) => content).slice(2),
        ["first", "again", "done"],
        version,
      );
      assert.equal(started, 3);
    });
  }
  const alone = await new ToolNode([tool(() => "x", { name: "pay", schema })]).invoke([
    ai(call("pay"), call("pay", {}, "2")),
  ]);
  assert.equal(alone.length, 2);
});

/** Programs under exit: where the tool node stands. */
const UNDER_EXIT = {
  "a first step": (node) =>
    new StateGraph(MessagesAnnotation).addNode("tools", node).addEdge(START, "tools"),
  "a later step": (node) =>
    new StateGraph(MessagesAnnotation)
      .addNode("before", () => ({}))
      .addNode("tools", node)
      .addEdge(START, "before")
      .addEdge("before", "tools"),
  "a task of a Send": (node) =>
    new StateGraph(MessagesAnnotation)
      .addNode("before", () => ({}))
      .addNode("tools", node)
      .addEdge(START, "before")
      .addConditionalEdges("before", (state) => [new Send("tools", state)]),
  "a graph in a graph": (node) => {
    const inner = new StateGraph(MessagesAnnotation)
      .addNode("first", () => ({}))
      .addNode("tools", node)
      .addEdge(START, "first")
      .addEdge("first", "tools")
      .compile();
    const middle = new StateGraph(MessagesAnnotation)
      .addNode("early", () => ({}))
      .addNode("inner", inner)
      .addEdge(START, "early")
      .addEdge("early", "inner")
      .compile();
    return new StateGraph(MessagesAnnotation)
      .addNode("before", () => ({}))
      .addNode("middle", middle)
      .addEdge(START, "before")
      .addEdge("before", "middle");
  },
};

for (const [where, build] of Object.entries(UNDER_EXIT)) {
  test(`under exit no finished tool runs again and none in flight unasked: ${where}`, async () => {
    for (const dies of ["inside", "after"]) {
      await inFolder(async (newSaver) => {
        let runs = 0;
        const exit = { ...thread, durability: "exit" };
        const graphOn = (saver, body, late) => {
          const tools = new ToolNode([
            tool(() => (runs++, body()), { name: "pay", schema }),
            tool(() => late, { name: "late", schema }),
          ]);
          return build(tools).compile({ checkpointer: saver });
        };
        const { saver, quiet } = dying(newSaver());
        graphOn(saver, () => (dies === "inside" ? never : "paid"), never).invoke(
          { messages: [ai(call("pay"), call("late"))] },
          exit,
        );
        await until(() => runs === 1);
        await quiet();
        const next = (input) => graphOn(newSaver(), () => "paid again", "late").invoke(input, exit);
        const asked = await next(null);
        assert.deepEqual(
          asked.__interrupt__.map(({ value }) => [value.kind, value.tool_call_id]),
          (dies === "inside" ? ["pay", "late"] : ["late"]).map((id) => ["unknown_tool_call", id]),
          dies,
        );
        assert.equal(runs, 1);
        const answers = asked.__interrupt__.map(({ id, value }) => [
          id,
          { type: "response", args: `${value.tool_call_id} by hand` },
        ]);
        const done = await next(new Command({ resume: Object.fromEntries(answers) }));
        assert.deepEqual(said(done), [
          ["pay", "success", dies === "inside" ? "pay by hand" : "paid"],
          ["late", "success", "late by hand"],
        ]);
        assert.equal(runs, 1);
      });
    }
  });
}

test("under exit graphs that call no tools save at the end only; steps of tools are saved when a call begins", async () => {
  const commits = async (withTool) => {
    const saver = new MemorySaver();
    const { append } = saver.store;
    let count = 0;
    saver.store.append = function (...given) {
      count++;
      return append.apply(this, given);
    };
    const graph = UNDER_EXIT["a later step"](
      withTool ? new ToolNode([tool(() => "paid", { name: "pay", schema })]) : () => ({}),
    ).compile({ checkpointer: saver });
    await graph.invoke({ messages: [ai(call("pay"))] }, { ...thread, durability: "exit" });
    const history = [];
    for await (const { metadata } of graph.getStateHistory(thread)) history.push(metadata.step);
    return [count, history];
  };
  assert.deepEqual(await commits(false), [1, [2]]);
  assert.deepEqual(await commits(true), [2, [2, 1]]);
});
