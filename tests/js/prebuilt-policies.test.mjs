// SPDX-License-Identifier: MIT
// Tools with policies of their own: timeout, retries, idempotency key; in a ToolNode alone, in a
// graph, with a saver, in both versions of the agent.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  AIMessage,
  Command,
  MemorySaver,
  MessagesAnnotation,
  NodeTimeoutError,
  StateGraph,
  interrupt,
  tool,
} from "weftgraph";
import { ScriptedModel } from "weftgraph/models/scripted";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";

const schema = { type: "object", properties: {} };
const quick = { initialInterval: 1, jitter: false, logWarning: false };
const call = (name, id = "1", args = {}) => ({ name, args, id, type: "tool_call" });
const ai = (...calls) => new AIMessage({ id: "m", content: "", tool_calls: calls });
const never = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const graphOf = (node, checkpointer) =>
  new StateGraph(MessagesAnnotation)
    .addNode("tools", node)
    .addEdge("__start__", "tools")
    .compile({ checkpointer });

/**
 * What the work comes to in a time of its own, which goes on when a turn of the event loop is over:
 * 1 ms for each.
 */
async function inTime(t, work) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.now() });
  try {
    let isOver = false;
    const outcome = Promise.allSettled([work()]).finally(() => (isOver = true));
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      t.mock.timers.tick(1);
    }
    const [{ value, reason }] = await outcome;
    if (reason !== undefined) throw reason;
    return value;
  } finally {
    t.mock.timers.reset();
  }
}

let threads = 0;
const thread = () => ({ configurable: { thread_id: `t${threads++}` } });

/** The same calls through a ToolNode alone, in a graph and in a saved one. */
const PLACES = {
  alone: (node, calls) => node.invoke([ai(...calls)]),
  "in a graph": async (node, calls) =>
    (await graphOf(node).invoke({ messages: [ai(...calls)] })).messages.slice(1),
  saved: async (node, calls) =>
    (
      await graphOf(node, new MemorySaver()).invoke({ messages: [ai(...calls)] }, thread())
    ).messages.slice(1),
};
for (const [place, run] of Object.entries(PLACES)) {
  test(`retryPolicy, ${place}: tried again with the same key, then what the last attempt threw`, async () => {
    const seen = [];
    const flaky = tool(
      (_, { idempotencyKey, executionInfo, toolCallId }) => {
        seen.push([toolCallId, executionInfo.nodeAttempt, idempotencyKey]);
        if (toolCallId === "never" || executionInfo.nodeAttempt < 3)
          throw new Error(`down ${executionInfo.nodeAttempt}`);
        return "up";
      },
      { name: "flaky", schema, retryPolicy: quick },
    );
    const answers = await run(new ToolNode([flaky]), [
      call("flaky", "soon"),
      call("flaky", "never"),
    ]);
    assert.deepEqual(
      answers.map((m) => [m.tool_call_id, m.status, m.content]),
      [
        ["soon", "success", "up"],
        ["never", "error", "Error: down 3\n Please fix your mistakes."],
      ],
    );
    for (const id of ["soon", "never"]) {
      const mine = seen.filter(([of]) => of === id);
      assert.deepEqual(
        mine.map(([, attempt]) => attempt),
        [1, 2, 3],
      );
      assert.equal(new Set(mine.map(([, , key]) => key)).size, 1);
    }
    assert.notEqual(seen[0][2], seen[1][2]);
  });

  test(`retryPolicy, ${place}: retryOn and maxAttempts are obeyed`, async () => {
    let tries = 0;
    const broken = tool(
      () => {
        tries++;
        throw new TypeError("no");
      },
      {
        name: "broken",
        schema,
        retryPolicy: {
          ...quick,
          maxAttempts: 5,
          retryOn: (error) => !(error instanceof TypeError),
        },
      },
    );
    await run(new ToolNode([broken]), [call("broken")]);
    assert.equal(tries, 1);
  });

  test(`timeout, ${place}: the signal aborts, the model is told, neighbours go on`, async (t) => {
    const slow = tool(never, { name: "slow", schema, timeout: 10 });
    const fine = tool(async () => (await pause(20), "fine"), { name: "fine", schema });
    const [late, good] = await inTime(t, () =>
      run(new ToolNode([slow, fine]), [call("slow"), call("fine", "2")]),
    );
    assert.equal(late.status, "error");
    assert.match(
      late.content,
      /^Error: Node "slow" exceeded its run timeout of 10ms \(elapsed: \d+(\.\d+)?ms\)\.\n Please fix your mistakes\.$/,
    );
    assert.equal(good.content, "fine");
  });

  test(`timeout, ${place}: an error of its own class, for handleToolErrors and for the caller`, async (t) => {
    const slow = tool(never, { name: "slow", schema, timeout: 10 });
    const told = await inTime(t, () =>
      run(new ToolNode([slow], { handleToolErrors: [NodeTimeoutError] }), [call("slow")]),
    );
    assert.equal(told[0].status, "error");
    await assert.rejects(
      inTime(t, () => run(new ToolNode([slow], { handleToolErrors: false }), [call("slow")])),
      (error) => error.name === "NodeTimeoutError" && error.node === "slow" && error.kind === "run",
    );
  });

  test(`timeout and retryPolicy, ${place}: each attempt has its time; an idle one lives by heartbeats`, async (t) => {
    const slowAtFirst = tool(
      (_, config) => (config.executionInfo.nodeAttempt === 1 ? never(_, config) : "second"),
      { name: "slowAtFirst", schema, timeout: 10, retryPolicy: { ...quick, retryOn: () => true } },
    );
    assert.equal(
      (await inTime(t, () => run(new ToolNode([slowAtFirst]), [call("slowAtFirst")])))[0].content,
      "second",
    );
    const alive = tool(
      async (_, { heartbeat }) => {
        for (let i = 0; i < 4; i++) await pause(30).then(heartbeat);
        return "alive";
      },
      { name: "alive", schema, timeout: { idleTimeout: 110 } },
    );
    assert.equal(
      (await inTime(t, () => run(new ToolNode([alive]), [call("alive")])))[0].content,
      "alive",
    );
  });

  test(`policies of the node, ${place}: for tools that say nothing`, async () => {
    let tries = 0;
    const plain = tool(
      () => {
        if (++tries < 2) throw new Error("down");
        return "up";
      },
      { name: "plain", schema },
    );
    const strict = tool(
      () => {
        throw new Error("down");
      },
      { name: "strict", schema, retryPolicy: { ...quick, maxAttempts: 1 } },
    );
    const answers = await run(
      new ToolNode([plain, strict], { retryPolicy: quick, timeout: 60_000 }),
      [call("plain"), call("strict", "2")],
    );
    assert.deepEqual(
      answers.map(({ content }) => content),
      ["up", "Error: down\n Please fix your mistakes."],
    );
  });
}

test("an idempotency key of the tool's own: from arguments and config", async () => {
  const keys = [];
  const pay = tool((_, { idempotencyKey }) => (keys.push(idempotencyKey), "paid"), {
    name: "pay",
    schema: { type: "object", properties: { order: { type: "number" } } },
    idempotencyKey: ({ order }, { configurable }) => `${configurable?.tenant ?? "nobody"}/${order}`,
  });
  await new ToolNode([pay]).invoke([ai(call("pay", "1", { order: 1 }))], {
    configurable: { tenant: "me" },
  });
  await new ToolNode([pay], {
    wrapToolCall: (request, handler) => (keys.push(request.runtime.idempotencyKey), handler()),
  }).invoke([ai(call("pay", "1", { order: 2 }))]);
  assert.deepEqual(keys, ["me/1", "nobody/2", "nobody/2"]);
});

test("a wrapper stands around all attempts", async () => {
  let tries = 0;
  let wrapped = 0;
  const flaky = tool(
    () => {
      if (++tries < 3) throw new Error("down");
      return "up";
    },
    { name: "flaky", schema, retryPolicy: quick },
  );
  const node = new ToolNode([flaky], {
    wrapToolCall: (_request, handler) => (wrapped++, handler()),
  });
  assert.deepEqual(
    [(await node.invoke([ai(call("flaky"))]))[0].content, tries, wrapped],
    ["up", 3, 1],
  );
});

test("a question is no failure: asked once, its answer holds for later attempts, and a saved result is not made again", async () => {
  let tries = 0;
  let done = 0;
  const ask = tool(
    (_, { executionInfo }) => {
      tries++;
      const answer = interrupt("sure?");
      if (executionInfo.nodeAttempt < 3) throw new Error("down");
      return `said ${answer}`;
    },
    { name: "ask", schema, retryPolicy: quick },
  );
  const once = tool(() => (done++, "done"), { name: "once", schema, retryPolicy: quick });
  const app = graphOf(new ToolNode([ask, once]), new MemorySaver());
  const config = thread();
  const first = await app.invoke({ messages: [ai(call("ask", "a"), call("once", "b"))] }, config);
  assert.deepEqual([first.__interrupt__.map(({ value }) => value), tries, done], [["sure?"], 1, 1]);
  const { messages } = await app.invoke(new Command({ resume: "yes" }), config);
  assert.deepEqual(
    messages.slice(1).map(({ content }) => content),
    ["said yes", "done"],
  );
  assert.deepEqual([tries, done], [4, 1]);
});

for (const version of ["v1", "v2"]) {
  test(`createReactAgent ${version}: its tools' policies hold`, async (t) => {
    let tries = 0;
    const flaky = tool(
      () => {
        if (++tries < 3) throw new Error("down");
        return "up";
      },
      { name: "flaky", schema, retryPolicy: quick },
    );
    const slow = tool(never, { name: "slow", schema, timeout: 10 });
    const llm = new ScriptedModel({
      responses: [ai(call("flaky", "1"), call("slow", "2")), new AIMessage("end")],
    });
    const agent = createReactAgent({
      llm,
      tools: [flaky, slow],
      version,
      checkpointer: new MemorySaver(),
    });
    const { messages } = await inTime(t, () => agent.invoke({ messages: "go" }, thread()));
    assert.deepEqual(
      messages
        .filter(({ type }) => type === "tool")
        .map(({ name, status }) => [name, status])
        .sort(),
      [
        ["flaky", "success"],
        ["slow", "error"],
      ],
    );
    assert.equal(tries, 3);
  });
}

test("policies that are none are refused", () => {
  const make = (fields) => () => tool(() => "", { name: "t", schema, ...fields });
  assert.throws(make({ timeout: 0 }), /runTimeout must be greater than 0/);
  assert.throws(make({ timeout: { idleTimeout: -1 } }), /idleTimeout must be greater than 0/);
  assert.throws(make({ idempotencyKey: "k" }), /Tool t: idempotencyKey must be a function/);
  assert.throws(() => new ToolNode([], { timeout: -1 }), /runTimeout must be greater than 0/);
});

test("under a checkpointer a wrapper that calls its handler twice runs the tool once, again only when it failed or was changed", async () => {
  const ran = [];
  const pay = tool(
    ({ order }) => {
      ran.push(order);
      if (order === 3 && ran.length < 5) throw new Error("busy");
      return `paid ${order}`;
    },
    { name: "pay", schema: { type: "object", properties: { order: { type: "number" } } } },
  );
  const run = async (wrapToolCall, order, checkpointer) => {
    ran.length = 0;
    const { messages } = await graphOf(new ToolNode([pay], { wrapToolCall }), checkpointer).invoke(
      { messages: [ai(call("pay", "1", { order }))] },
      thread(),
    );
    return [messages.at(-1).content, ran.slice()];
  };
  const twice = async (_request, handler) => [await handler(), await handler()][1];
  assert.deepEqual(await run(twice, 1, new MemorySaver()), ["paid 1", [1]]);
  assert.deepEqual(
    await run(
      async (_request, handler) => (await Promise.all([handler(), handler()]))[1],
      1,
      new MemorySaver(),
    ),
    ["paid 1", [1]],
  );
  assert.deepEqual(await run(twice, 1), ["paid 1", [1, 1]]);
  const edits = async (request, handler) => {
    const edited = { ...request, toolCall: { ...request.toolCall, args: { order: 2 } } };
    await handler(edited);
    await handler();
    return handler(edited);
  };
  assert.deepEqual(await run(edits, 1, new MemorySaver()), ["paid 2", [2, 1]]);
  const untilDone = async (_request, handler) => {
    for (;;) {
      const answer = await handler();
      if (answer.status !== "error") return answer;
    }
  };
  assert.deepEqual(await run(untilDone, 3, new MemorySaver()), ["paid 3", [3, 3, 3, 3, 3]]);
});
