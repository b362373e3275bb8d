// SPDX-License-Identifier: MIT
// The same tools, models and inputs (LangChain's) through LangGraph.js and Weft: what both have
// must be equal. docs/semantics.md 19 (ToolNode, createReactAgent), 10 (interrupts of several
// tools). Where Weft answers more, docs/differences.md says so.
import { test } from "node:test";
import assert from "node:assert/strict";
import { z } from "zod";
import * as peerGraph from "@langchain/langgraph";
import * as peerPrebuilt from "@langchain/langgraph/prebuilt";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import * as ownGraph from "weftgraph";
import * as ownPrebuilt from "weftgraph/prebuilt";

const PEER = { ...peerGraph, ...peerPrebuilt };
const OWN = { ...ownGraph, ...ownPrebuilt };

/** Answers by the number of AI messages it is shown; a copy per agent. */
class Model extends BaseChatModel {
  constructor(answers) {
    super({});
    this.answers = answers;
    this.heard = [];
  }
  _llmType() {
    return "test";
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    this.heard.push(messages.map((m) => [m.getType(), m.content, m.name]));
    const turn = messages.filter((m) => m.getType() === "ai").length;
    const answer = this.answers[Math.min(turn, this.answers.length - 1)];
    const { content = "", calls = [] } = typeof answer === "function" ? answer(turn) : answer;
    return { generations: [{ text: "", message: new AIMessage({ content, tool_calls: calls }) }] };
  }
}

const none = z.object({});
const add = tool(({ a, b }) => a + b, {
  name: "add",
  description: "",
  schema: z.object({ a: z.number(), b: z.number().default(2) }),
});
const fail = tool(
  () => {
    throw new TypeError("kaput");
  },
  { name: "fail", description: "", schema: none },
);
const object = tool(() => ({ x: 1, y: undefined }), {
  name: "object",
  description: "",
  schema: none,
});
const nothing = tool(() => undefined, { name: "nothing", description: "", schema: none });
const direct = tool(() => "direct", {
  name: "direct",
  description: "",
  schema: none,
  returnDirect: true,
});
const own = tool(
  (_, config) => new ToolMessage({ content: "own", tool_call_id: config.toolCall.id }),
  { name: "own", description: "", schema: none },
);
const pair = tool(() => ["text", { data: 1 }], {
  name: "pair",
  description: "",
  schema: none,
  responseFormat: "content_and_artifact",
});
const state = tool(
  (_, config) =>
    `${config.toolCallId} ${Object.keys(config.state).join()} ${config.state.messages?.length}`,
  { name: "state", description: "", schema: none },
);
const json = tool(({ a }) => `json ${a}`, {
  name: "json",
  description: "",
  schema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
});
const tools = [add, fail, object, nothing, direct, own, pair, state, json];

const call = (name, args = {}, id = "1") => ({ name, args, id, type: "tool_call" });
const ai = (...calls) => new AIMessage({ content: "", tool_calls: calls });
const view = (m) => [
  m.getType(),
  m.content,
  m.name,
  m.tool_call_id,
  m.status,
  m.artifact,
  m.tool_calls?.map((c) => [c.name, c.args, c.id]),
];
const plain = (value) => {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value?.getType === "function") return view(value);
  if (value?.lg_name === "Command")
    return {
      command: plain(value.update ?? null),
      goto: value.goto.map((to) => to.node ?? to),
      graph: value.graph,
    };
  return value !== null && typeof value === "object"
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]))
    : value;
};
const outcome = async (work) => {
  try {
    return plain(await work());
  } catch (error) {
    return { name: error.name, message: error.message, code: error.lc_error_code };
  }
};
/** Runs `work` with both libraries and compares. */
const same = async (work, note) => {
  const expected = await outcome(() => work(PEER));
  assert.deepEqual(await outcome(() => work(OWN)), expected, note);
};
/** As `same`, of what must succeed. */
const sameResult = async (work, note) => {
  assert.ok(Array.isArray(await outcome(() => work(PEER))), note);
  await same(work, note);
};

test("ToolNode: single calls of every kind", async () => {
  const rows = [
    call("add", { a: 1 }),
    call("add", { a: "x" }),
    call("add", {}),
    call("fail"),
    call("object"),
    call("nothing"),
    call("own"),
    call("pair"),
    call("state"),
    call("unknown"),
    call("json", { a: 1 }),
    call("json", { a: "x" }),
  ];
  for (const one of rows) {
    await same((lib) => new lib.ToolNode(tools).invoke({ messages: [ai(one)] }), one.name);
    await same((lib) => new lib.ToolNode(tools).invoke([ai(one)]), `${one.name}, list`);
    await same(
      (lib) => new lib.ToolNode(tools, { handleToolErrors: false }).invoke([ai(one)]),
      `${one.name}, unhandled`,
    );
  }
});

test("a ToolNode takes each form of input as in LangGraph.js", async () => {
  const rows = {
    several: {
      messages: [ai(call("add", { a: 1 }, "1"), call("fail", {}, "2"), call("add", { a: 2 }, "3"))],
    },
    answered: {
      messages: [
        ai(call("add", { a: 1 }, "1"), call("add", { a: 2 }, "2")),
        new ToolMessage({ content: "x", tool_call_id: "1" }),
      ],
    },
    "a human came last": { messages: [ai(call("add", { a: 1 })), new HumanMessage("hi")] },
    "no calls": { messages: [new AIMessage("x")] },
    "one call of v2": { messages: [], lg_tool_call: call("add", { a: 9 }) },
    "no AI message": { messages: [new HumanMessage("hi")] },
    "no message": { messages: [] },
    "no list": {},
    text: "x",
    plain: { messages: [{ role: "assistant", content: "" }] },
  };
  for (const [name, input] of Object.entries(rows))
    await same((lib) => new lib.ToolNode(tools).invoke(input), name);
});

test("a tool's Commands reach the graph as in LangGraph.js", async () => {
  const make = (lib) => [
    add,
    tool(
      (_, config) =>
        new lib.Command({
          update: {
            messages: [new ToolMessage({ content: "c", tool_call_id: config.toolCall.id })],
          },
        }),
      { name: "update", description: "", schema: none },
    ),
    tool(
      () => new lib.Command({ graph: lib.Command.PARENT, goto: [new lib.Send("x", { v: 1 })] }),
      { name: "leave", description: "", schema: none },
    ),
  ];
  const rows = [
    [call("update")],
    [call("leave")],
    [call("add", { a: 1 }, "1"), call("update", {}, "2")],
    [call("leave", {}, "1"), call("add", { a: 1 }, "2"), call("leave", {}, "3")],
  ];
  for (const calls of rows) {
    await same((lib) => new lib.ToolNode(make(lib)).invoke({ messages: [ai(...calls)] }));
    await same((lib) => new lib.ToolNode(make(lib)).invoke([ai(...calls)]));
  }
});

test("toolsCondition leads where LangGraph.js leads", async () => {
  for (const input of [
    { messages: [ai(call("add"))] },
    [ai(call("add"))],
    [new AIMessage("x")],
    { messages: [] },
    [],
    { messages: [new HumanMessage("x")] },
  ]) {
    await same(async (lib) => lib.toolsCondition(input));
  }
});

test("a lone tool's interrupt has LangGraph's id and comes back as there", async () => {
  await sameResult(async (lib) => {
    const ask = tool(async ({ q }) => `heard ${lib.interrupt({ q })} ${lib.interrupt("and")}`, {
      name: "ask",
      description: "",
      schema: z.object({ q: z.string() }),
    });
    const graph = new lib.StateGraph(lib.MessagesAnnotation)
      .addNode("tools", new lib.ToolNode([ask, add]))
      .addEdge(lib.START, "tools")
      .compile({ checkpointer: new lib.MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    const trail = [];
    let result = await graph.invoke({ messages: [ai(call("ask", { q: "A" }, "a"))] }, config);
    for (const resume of ["first", "second"]) {
      trail.push(result.__interrupt__.map(({ value }) => value));
      result = await graph.invoke(new lib.Command({ resume }), config);
    }
    return [trail, result.messages];
  });
});

const scripts = {
  "one call": [{ calls: [call("add", { a: 1 })] }, { content: "done" }],
  "no call": [{ content: "done" }],
  "parallel calls": [
    { calls: [call("add", { a: 1 }, "1"), call("fail", {}, "2"), call("zz", {}, "3")] },
    { content: "done" },
  ],
  "two rounds": [
    { calls: [call("add", { a: 1 }, "1")] },
    { content: "text too", calls: [call("object", {}, "2")] },
    { content: "done" },
  ],
  direct: [{ calls: [call("direct")] }, { content: "never" }],
  "direct among others": [
    { calls: [call("direct", {}, "1"), call("add", { a: 1 }, "2")] },
    { content: "then" },
  ],
  "others before direct": [
    { calls: [call("add", { a: 1 }, "1"), call("direct", {}, "2")] },
    { content: "then" },
  ],
  forever: [(turn) => ({ calls: [call("add", { a: turn }, `call ${turn}`)] })],
};

/** Tasks of one step end in any order: their updates are sorted by call. */
function inOrder(seen) {
  const idOf = ([mode, chunk]) =>
    mode === "updates" ? chunk.tools?.messages?.[0]?.tool_call_id : undefined;
  for (let i = 1; i < seen.length; i++) {
    for (let j = i; j > 0 && idOf(seen[j]) < idOf(seen[j - 1]); j--)
      [seen[j - 1], seen[j]] = [seen[j], seen[j - 1]];
  }
  return seen;
}

test("createReactAgent: runs, updates, checkpoints and what the model heard", async () => {
  for (const version of ["v1", "v2"]) {
    for (const [name, script] of Object.entries(scripts)) {
      await sameResult(async (lib) => {
        const llm = new Model(script);
        const agent = lib.createReactAgent({
          llm,
          tools,
          version,
          prompt: "SYS",
          name: "bob",
          checkpointer: new lib.MemorySaver(),
        });
        const config = { configurable: { thread_id: "1" }, recursionLimit: 6 };
        const seen = [];
        try {
          for await (const chunk of await agent.stream(
            { messages: "hi" },
            { ...config, streamMode: ["updates", "values"] },
          ))
            seen.push(chunk);
        } catch (error) {
          seen.push([error.name, error.message]);
        }
        const history = [];
        for await (const { metadata, next, values } of agent.getStateHistory(config))
          history.push([metadata.source, metadata.step, next, values.messages?.length]);
        return [inOrder(seen), llm.heard, history, Object.keys(agent.nodes).sort()];
      }, `${version}, ${name}`);
    }
  }
});

test("an agent at its recursion limit says so as in LangGraph.js", async () => {
  for (const recursionLimit of [1, 2, 3, 4, 5]) {
    await same(
      (lib) =>
        lib
          .createReactAgent({ llm: new Model(scripts["one call"]), tools })
          .invoke({ messages: "hi" }, { recursionLimit }),
      `limit ${recursionLimit}`,
    );
  }
});

test("createReactAgent: prompts, models, tools, mistakes", async () => {
  const llm = () => new Model(scripts["no call"]);
  const options = {
    "system message": () => ({ prompt: new SystemMessage("S") }),
    function: () => ({ prompt: (s) => [new SystemMessage("F"), ...s.messages] }),
    runnable: () => ({
      prompt: RunnableLambda.from((s) => [new SystemMessage("R"), ...s.messages]),
    }),
    number: () => ({ prompt: 5 }),
    stateModifier: () => ({ stateModifier: "M" }),
    "two prompts": () => ({ prompt: "a", stateModifier: "b" }),
    "no tools": () => ({ tools: [] }),
    "model from a function": () => ({
      llm: async (s) => new Model([{ content: `dynamic ${s.messages.length}` }]),
    }),
    "no bindTools": () => ({ llm: Object.assign(llm(), { bindTools: undefined }) }),
    "no model": () => ({ llm: {} }),
    "names inside": () => ({ includeAgentName: "inline", name: "al" }),
  };
  const messages = () => [
    new HumanMessage("a"),
    new AIMessage({ content: "b", name: "z" }),
    new HumanMessage("c"),
  ];
  for (const [name, make] of Object.entries(options)) {
    await same(async (lib) => {
      const given = { llm: llm(), tools, ...make() };
      const result = await lib.createReactAgent(given).invoke({ messages: messages() });
      return [result.messages, given.llm.heard];
    }, name);
  }
});

test("createReactAgent: unanswered calls in the conversation are passed on", async () => {
  const half = () => [
    new HumanMessage("q"),
    ai(call("add", { a: 1 }, "x"), call("add", { a: 1 }, "y")),
    new ToolMessage({ content: "3", tool_call_id: "x" }),
    new HumanMessage("go"),
  ];
  await same((lib) =>
    lib
      .createReactAgent({ llm: new Model(scripts["no call"]), tools })
      .invoke({ messages: half() }),
  );
});

test("createReactAgent: breakpoints, hooks, metadata", async () => {
  await sameResult(async (lib) => {
    const agent = lib.createReactAgent({
      llm: new Model(scripts["one call"]),
      tools,
      checkpointer: new lib.MemorySaver(),
      interruptBefore: ["tools"],
      interruptAfter: ["tools"],
    });
    const config = { configurable: { thread_id: "1" } };
    const trail = [];
    for (const input of [{ messages: "hi" }, null, null]) {
      const result = await agent.invoke(input, config);
      trail.push([result.messages, result.__interrupt__, (await agent.getState(config)).next]);
    }
    return trail;
  });
  await sameResult(async (lib) => {
    const llm = new Model(scripts["one call"]);
    const seen = [];
    const agent = lib.createReactAgent({
      llm,
      tools,
      preModelHook: (s, config) => (
        seen.push([config.metadata.langgraph_node, config.metadata.langgraph_step]),
        { llmInputMessages: s.messages.slice(-2) }
      ),
      postModelHook: (s, config) => (
        seen.push([config.metadata.langgraph_node, config.metadata.langgraph_step]), {}
      ),
    });
    const { messages } = await agent.invoke({ messages: "hi" });
    return [messages, llm.heard, seen, Object.keys(agent.nodes).sort()];
  });
  await sameResult(async (lib) => {
    const llm = new Model(scripts["one call"]);
    llm.withStructuredOutput = () =>
      RunnableLambda.from((messages) => ({ heard: messages.length }));
    const agent = lib.createReactAgent({
      llm,
      tools,
      responseFormat: { prompt: "P", schema: z.object({ heard: z.number() }) },
    });
    return [await agent.invoke({ messages: "hi" }), Object.keys(agent.nodes).sort()];
  });
});

test("withAgentName marks messages as LangGraph.js does", async () => {
  for (const content of ["<name>al</name><content>yo</content>", "yo", "", "<name>al</name>yo"]) {
    await same(async (lib) => {
      const llm = new Model([{ content }]);
      const answer = await lib
        .withAgentName(llm, "inline")
        .invoke(
          [
            new HumanMessage("q"),
            new AIMessage({ content: "", name: "e" }),
            new AIMessage({ content: [{ type: "text", text: "t" }], name: "b" }),
            new AIMessage("n"),
          ].slice(0, content === "yo" ? 4 : 1),
        );
      return [answer, llm.heard];
    }, content);
  }
  await same(async (lib) => lib.withAgentName(new Model([]), "other"));
});
