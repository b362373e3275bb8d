// SPDX-License-Identifier: MIT
// createReactAgent end to end with the scripted and the demo model: plain, saved, breakpoints,
// streams, returnDirect, hooks, prompts, the guard of remaining steps, INVALID_CHAT_HISTORY,
// malformed calls that the model repairs.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  AIMessage,
  Annotation,
  Command,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  RemainingSteps,
  SystemMessage,
  ToolMessage,
  tool,
} from "weftgraph";
import { ToolNode, createReactAgent, withAgentName } from "weftgraph/prebuilt";
import { DemoModel } from "weftgraph/models/demo";
import { ScriptedModel } from "weftgraph/models/scripted";

const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
const double = tool(({ a }) => 2 * a, { name: "double", schema });
const direct = tool(() => "the end", {
  name: "direct",
  schema: { type: "object" },
  returnDirect: true,
});
const call = (name, args, id) => ({ name, args, id, type: "tool_call" });
const calls = (...list) => new AIMessage({ content: "", tool_calls: list });
const script = (...responses) => new ScriptedModel({ responses });
const told = ({ messages }) => messages.map((m) => [m.type, m.content]);
const thread = (id) => ({ configurable: { thread_id: id } });

test("a call, its answer, the last word", async () => {
  const llm = script(calls(call("double", { a: 2 }, "1")), "It is 4.");
  const agent = createReactAgent({ llm, tools: [double], prompt: "Be brief.", name: "bob" });
  assert.deepEqual(told(await agent.invoke({ messages: "2*2?" })), [
    ["human", "2*2?"],
    ["ai", ""],
    ["tool", "4"],
    ["ai", "It is 4."],
  ]);
  assert.deepEqual(
    llm.calls.map(({ messages }) => messages.map((m) => m.type)),
    [
      ["system", "human"],
      ["system", "human", "ai", "tool"],
    ],
  );
  assert.deepEqual(
    llm.calls[0].options.tools.map((t) => t.function.name),
    ["double"],
  );
  assert.equal(
    (await createReactAgent({ llm: script("x"), tools: [], name: "al" }).invoke({ messages: "q" }))
      .messages[1].name,
    "al",
  );
  assert.deepEqual(Object.keys(agent.nodes), ["__start__", "tools", "agent"]);
  assert.equal(agent.name, "bob");
});

test("parallel calls run at the same time and answer in call order", async () => {
  let running = 0;
  let most = 0;
  const slow = tool(
    async ({ a }) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20 - a));
      running--;
      return a;
    },
    { name: "slow", schema },
  );
  for (const version of ["v1", "v2"]) {
    most = 0;
    const agent = createReactAgent({
      llm: script(calls(call("slow", { a: 1 }, "1"), call("slow", { a: 9 }, "2")), "done"),
      tools: [slow],
      version,
    });
    assert.deepEqual(told(await agent.invoke({ messages: "go" })).slice(2), [
      ["tool", "1"],
      ["tool", "9"],
      ["ai", "done"],
    ]);
    assert.equal(most, 2);
  }
});

test("updates and tokens are streamed", async () => {
  const agent = createReactAgent({
    llm: script(calls(call("double", { a: 2 }, "1")), "It is four now"),
    tools: [double],
  });
  const seen = [];
  for await (const [mode, chunk] of await agent.stream(
    { messages: "?" },
    { streamMode: ["updates", "messages"] },
  )) {
    if (mode === "updates")
      seen.push(
        ...Object.entries(chunk).map(([name, update]) => `${name}:${update.messages.length}`),
      );
    else if (chunk[0].content !== "") seen.push(`${chunk[1].langgraph_node}>${chunk[0].content}`);
  }
  assert.deepEqual(
    seen.filter((line) => line.includes(":")),
    ["agent:1", "tools:1", "agent:1"],
  );
  assert.deepEqual(
    seen.filter((line) => line.includes(">")),
    ["tools>4", "agent>It", "agent> is", "agent> four", "agent> now"],
  );
});

test("saved threads go on, breakpoints stop before the tools", async () => {
  const checkpointer = new MemorySaver();
  const llm = script(calls(call("double", { a: 2 }, "1")), "four", "again");
  const agent = createReactAgent({
    llm,
    tools: [double],
    checkpointer,
    interruptBefore: ["tools"],
  });
  const stopped = await agent.invoke({ messages: "?" }, thread("t"));
  assert.deepEqual(stopped.__interrupt__, []);
  assert.deepEqual((await agent.getState(thread("t"))).next, ["tools"]);
  assert.deepEqual(told(await agent.invoke(null, thread("t"))).slice(2), [
    ["tool", "4"],
    ["ai", "four"],
  ]);
  assert.equal((await agent.invoke({ messages: "more" }, thread("t"))).messages.length, 6);
});

test("a tool that answers the user itself ends the run", async () => {
  const run = (version, ...list) =>
    createReactAgent({ llm: script(calls(...list), "never"), tools: [double, direct], version })
      .invoke({ messages: "?" })
      .then((r) => r.messages.at(-1).content);
  assert.equal(await run("v1", call("direct", {}, "1")), "the end");
  assert.equal(await run("v1", call("direct", {}, "1"), call("double", { a: 1 }, "2")), "2");
  assert.equal(await run("v2", call("direct", {}, "1")), "the end");
  assert.equal(await run("v2", call("direct", {}, "1"), call("double", { a: 1 }, "2")), "never");
});

test("the model repairs its malformed calls", async () => {
  const llm = script(
    calls(call("double", { a: "2" }, "1"), call("double", { a: 3 }, "1"), {
      name: "double",
      args: { a: 4 },
    }),
    calls(call("double", { a: 2 }, "2")),
    "ok",
  );
  for (const version of ["v1", "v2"]) {
    llm.calls.length = 0;
    const { messages } = await createReactAgent({ llm, tools: [double], version }).invoke({
      messages: "?",
    });
    const asked = messages
      .filter((m) => m.type === "ai")
      .flatMap((m) => m.tool_calls.map((c) => c.id));
    const answered = messages.filter((m) => m.type === "tool").map((m) => m.tool_call_id);
    assert.deepEqual(answered, asked);
    assert.equal(new Set(asked).size, 4);
    assert.deepEqual(
      messages.filter((m) => m.type === "tool").map((m) => m.status),
      ["error", "error", "error", "success"],
    );
  }
});

test("prompts of every form; one only", async () => {
  const forms = {
    system: new SystemMessage("S"),
    function: (state) => [new SystemMessage("S"), ...state.messages],
    runnable: { invoke: async (state) => [new SystemMessage("S"), ...state.messages] },
  };
  for (const prompt of Object.values(forms)) {
    const llm = script("x");
    await createReactAgent({ llm, tools: [], prompt }).invoke({ messages: "q" });
    assert.deepEqual(
      llm.calls[0].messages.map((m) => m.content),
      ["S", "q"],
    );
  }
  await assert.rejects(
    createReactAgent({ llm: script("x"), tools: [], prompt: 5 }).invoke({ messages: "q" }),
    { message: "Got unexpected type for 'prompt': number" },
  );
  await assert.rejects(
    createReactAgent({ llm: script("x"), tools: [], prompt: "a", stateModifier: "b" }).invoke({
      messages: "hi",
    }),
    {
      message:
        "Expected only one of prompt, stateModifier, or messageModifier, got multiple values",
    },
  );
});

test("models: chosen by a function, bound already, none", async () => {
  const dynamic = createReactAgent({
    llm: async (state) => script(`for ${state.messages.length}`),
    tools: [double],
  });
  assert.equal((await dynamic.invoke({ messages: "q" })).messages[1].content, "for 1");
  const bound = script("x").bindTools([double]);
  assert.equal(
    (await createReactAgent({ llm: bound, tools: [double] }).invoke({ messages: "q" })).messages[1]
      .content,
    "x",
  );
  await assert.rejects(
    createReactAgent({ llm: bound, tools: [direct] }).invoke({ messages: "q" }),
    /Missing tools 'direct' in the model\.bindTools/,
  );
  await assert.rejects(
    createReactAgent({ llm: bound, tools: [] }).invoke({ messages: "q" }),
    /Number of tools in the model\.bindTools/,
  );
  await assert.rejects(createReactAgent({ llm: {}, tools: [double] }).invoke({ messages: "q" }), {
    message: "llm [object Object] must define bindTools method.",
  });
  await assert.rejects(createReactAgent({ llm: "openai:x", tools: [] }).invoke({ messages: "q" }), {
    code: "BAD_ARGUMENT",
  });
});

test("without steps left the agent says so when the state has RemainingSteps", async () => {
  const forever = () =>
    new ScriptedModel({
      responses: [({ length }) => calls(call("double", { a: 1 }, `c${length}`))],
      loop: true,
    });
  const stateSchema = Annotation.Root({
    ...MessagesAnnotation.spec,
    remainingSteps: RemainingSteps,
  });
  for (const recursionLimit of [2, 3, 4, 5, 8]) {
    const { messages } = await createReactAgent({
      llm: forever(),
      tools: [double],
      stateSchema,
    }).invoke({ messages: "?" }, { recursionLimit });
    assert.equal(
      messages.at(-1).content,
      "Sorry, need more steps to process this request.",
      `limit ${recursionLimit}`,
    );
    assert.deepEqual(messages.at(-1).tool_calls, []);
  }
  await assert.rejects(
    createReactAgent({ llm: forever(), tools: [double] }).invoke(
      { messages: "?" },
      { recursionLimit: 5 },
    ),
    { name: "GraphRecursionError" },
  );
  const once = () =>
    createReactAgent({
      llm: script(calls(call("double", { a: 1 }, "1")), "two"),
      tools: [double],
      stateSchema,
    });
  assert.equal(
    (await once().invoke({ messages: "?" }, { recursionLimit: 4 })).messages.at(-1).content,
    "two",
  );
  assert.equal(
    (await once().invoke({ messages: "?" }, { recursionLimit: 3 })).messages.at(-1).content,
    "Sorry, need more steps to process this request.",
  );
  const checkpointer = new MemorySaver();
  const saved = createReactAgent({
    llm: forever(),
    tools: [double],
    stateSchema,
    checkpointer,
    interruptBefore: ["tools"],
  });
  await saved.invoke({ messages: "?" }, { ...thread("g"), recursionLimit: 25 });
  for (const recursionLimit of [2, 3]) {
    const resumed = await saved.invoke(null, {
      ...thread("g"),
      recursionLimit,
      interruptBefore: [],
    });
    assert.equal(
      resumed.messages.at(-1).content,
      "Sorry, need more steps to process this request.",
    );
    await saved.invoke({ messages: "more" }, thread("g"));
  }
});

test("a conversation with unanswered calls: LangGraph's way, or INVALID_CHAT_HISTORY when asked for", async () => {
  const messages = () => [
    new HumanMessage("q"),
    calls(call("double", { a: 1 }, "x"), call("double", { a: 2 }, "y")),
    new ToolMessage({ content: "2", tool_call_id: "x" }),
  ];
  assert.equal(
    (
      await createReactAgent({ llm: script("on"), tools: [double] }).invoke({
        messages: messages(),
      })
    ).messages.at(-1).content,
    "on",
  );
  const strict = createReactAgent({
    llm: script("on", "on"),
    tools: [double],
    validateHistory: true,
  });
  await assert.rejects(strict.invoke({ messages: messages() }), {
    lc_error_code: "INVALID_CHAT_HISTORY",
    message: /do not have a corresponding ToolMessage.*"y"/,
  });
  const whole = [...messages(), new ToolMessage({ content: "4", tool_call_id: "y" })];
  assert.equal((await strict.invoke({ messages: whole })).messages.at(-1).content, "on");
});

test("hooks before and after the model, and a structured answer", async () => {
  const llm = script(calls(call("double", { a: 2 }, "1")), "done");
  llm.withStructuredOutput = (given) => ({
    invoke: async (messages) => ({ given, heard: messages.map((m) => m.type) }),
  });
  const agent = createReactAgent({
    llm,
    tools: [double],
    preModelHook: (state) => ({ llmInputMessages: state.messages.slice(-1) }),
    postModelHook: () => ({}),
    responseFormat: { prompt: "Sum up.", schema },
  });
  const result = await agent.invoke({ messages: "q" });
  assert.deepEqual(Object.keys(agent.nodes), [
    "__start__",
    "tools",
    "pre_model_hook",
    "agent",
    "post_model_hook",
    "generate_structured_response",
  ]);
  assert.deepEqual(
    llm.calls.map(({ messages }) => messages.map((m) => m.type)),
    [["human"], ["tool"]],
  );
  assert.deepEqual(result.structuredResponse, {
    given: schema,
    heard: ["system", "human", "ai", "tool", "ai"],
  });
  assert.equal(result.messages.at(-1).content, "done");
});

test("retryPolicy: model and tools are tried again", async () => {
  const retryPolicy = {
    maxAttempts: 3,
    initialInterval: 1,
    jitter: false,
    logWarning: false,
    retryOn: () => true,
  };
  for (const version of ["v1", "v2"]) {
    const tries = { model: 0, tool: 0 };
    const llm = {
      bindTools: () => llm,
      invoke: async (messages) => {
        if (++tries.model % 2 === 1) throw new Error("busy");
        return messages.at(-1).type === "tool"
          ? new AIMessage("done")
          : calls(call("shaky", {}, "1"));
      },
    };
    const shaky = tool(
      () => {
        if (++tries.tool < 3) throw new Error("down");
        return "up";
      },
      { name: "shaky", schema: { type: "object" } },
    );
    const agent = createReactAgent({
      llm,
      tools: new ToolNode([shaky], { handleToolErrors: false }),
      retryPolicy,
      version,
    });
    assert.deepEqual(
      told(await agent.invoke({ messages: "go" })),
      [
        ["human", "go"],
        ["ai", ""],
        ["tool", "up"],
        ["ai", "done"],
      ],
      version,
    );
    assert.deepEqual(tries, { model: 4, tool: 3 }, version);
  }
});

test("names inside the text", async () => {
  const llm = script(new AIMessage({ content: "<name>al</name><content>yo</content>" }));
  const answer = await withAgentName(llm, "inline").invoke([
    new HumanMessage("q"),
    new AIMessage({ content: "hey", name: "bob" }),
  ]);
  assert.equal(llm.calls[0].messages[1].content, "<name>bob</name><content>hey</content>");
  assert.deepEqual([answer.content, answer.name], ["yo", "al"]);
  assert.throws(() => withAgentName(llm, "x"), {
    message: 'Invalid agent name mode: x. Needs to be one of: "inline"',
  });
});

test("names in a text full of tags that never close", async () => {
  for (const content of [
    "<name>".repeat(100_000),
    `<name>al</name>${"<content>".repeat(100_000)}`,
  ]) {
    const begun = process.cpuUsage();
    const answer = await withAgentName(script(new AIMessage({ content })), "inline").invoke([
      new HumanMessage("q"),
    ]);
    assert.ok(process.cpuUsage(begun).user < 5_000_000, "each end is looked for but once");
    assert.deepEqual([answer.content === content, answer.name], [true, undefined]);
  }
});

test("the demo model uses tools and repeats the reason of a rejection", async () => {
  const calculator = tool(
    ({ expression }) => String(expression.split("*").reduce((a, b) => a * b)),
    {
      name: "calculator",
      description: "Evaluates arithmetic",
      schema: {
        type: "object",
        properties: { expression: { type: "string" } },
        required: ["expression"],
      },
    },
  );
  const placed = [];
  const order = tool((args) => (placed.push(args), "order 1"), {
    name: "place_order",
    description: "Places an order",
    approval: "ask",
    schema: {
      type: "object",
      properties: { item: { type: "string" }, quantity: { type: "integer" } },
      required: ["item"],
    },
  });
  const agent = createReactAgent({
    llm: new DemoModel({ tokenDelayMs: 0 }),
    tools: new ToolNode([calculator, order]),
    checkpointer: new MemorySaver(),
  });
  assert.match(
    (await agent.invoke({ messages: "What is 6*7?" }, thread("c"))).messages.at(-1).content,
    /42/,
  );
  const asked = await agent.invoke({ messages: "Please order 2 pizzas" }, thread("o"));
  assert.equal(asked.__interrupt__[0].value.action_request.action, "place_order");
  const rejected = await agent.invoke(
    new Command({ resume: { type: "response", args: "We have no money" } }),
    thread("o"),
  );
  assert.match(rejected.messages.at(-1).content, /The order was not placed: We have no money/i);
  assert.deepEqual(placed, []);
});
