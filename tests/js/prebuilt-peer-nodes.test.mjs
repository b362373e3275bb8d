// SPDX-License-Identifier: MIT
// ToolNode as LangGraph.js has it: what tools return and throw, the node as a Runnable, forms of
// input, toolsCondition.
// Own process: takes as long as many other files.
import { test } from "node:test";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { z } from "zod";
import { same } from "./both.mjs";

const call = (id = "1") => ({ name: "t", args: {}, id, type: "tool_call" });
const ai = (...tool_calls) => new AIMessage({ id: "m", content: "", tool_calls });
const make = (fn) =>
  tool(fn, { name: "t", description: "", schema: { type: "object", properties: {} } });

test("what a tool returns", async () => {
  const cycle = {};
  cycle.o = cycle;
  const results = {
    text: "s",
    number: 3,
    null: null,
    undefined,
    boolean: false,
    list: [1, 2],
    object: { a: 1 },
    blocks: [{ type: "text", text: "x" }],
    mixed: [{ type: "text", text: "x" }, 1],
    empty: "",
    date: new Date(0),
    map: new Map([[1, 2]]),
    nan: NaN,
    cycle,
  };
  for (const [note, result] of Object.entries(results))
    await same(note, (lib) =>
      new lib.ToolNode([make(() => result)]).invoke({ messages: [ai(call())] }),
    );
  for (const message of [
    new ToolMessage({ content: "own", tool_call_id: "other" }),
    new HumanMessage("as result"),
  ])
    await same(message.type, (lib) => new lib.ToolNode([make(() => message)]).invoke([ai(call())]));
});

test("what a Runnable as a tool returns", async () => {
  const made = RunnableLambda.from(({ a }) => `l ${a}`).asTool({
    name: "t",
    description: "d",
    schema: z.object({ a: z.string() }),
  });
  await same("text", (lib) =>
    new lib.ToolNode([made]).invoke({ messages: [ai({ ...call(), args: { a: "1" } })] }),
  );
});

test("what a tool throws", async () => {
  const errors = {
    error: () => new Error("e"),
    type: () => new TypeError("t"),
    "no text": () => new Error(""),
    aggregate: () => new AggregateError([new Error("a")], "agg"),
    object: () => ({ message: "m" }),
  };
  const classes = [
    "GraphInterrupt",
    "GraphBubbleUp",
    "GraphRecursionError",
    "NodeInterrupt",
    "InvalidUpdateError",
  ];
  for (const handleToolErrors of [true, false]) {
    for (const [note, error] of Object.entries(errors))
      await same(note, (lib) =>
        new lib.ToolNode(
          [
            make(() => {
              throw error();
            }),
          ],
          { handleToolErrors },
        ).invoke({ messages: [ai(call())] }),
      );
    for (const name of classes)
      await same(name, (lib) =>
        new lib.ToolNode(
          [
            make(() => {
              throw new lib[name](name === "GraphInterrupt" ? [{ value: 1 }] : "msg");
            }),
          ],
          { handleToolErrors },
        ).invoke([ai(call())]),
      );
  }
});

const told = (id, content = "c") => ({
  messages: [new ToolMessage({ id: `t${id}`, content, tool_call_id: id })],
});
const commands = {
  update: (lib, id) => new lib.Command({ update: told(id) }),
  "update as pairs": (lib, id) => new lib.Command({ update: Object.entries(told(id)) }),
  goto: (lib, id) => new lib.Command({ goto: "other", update: told(id) }),
  "goto a Send": (lib) =>
    new lib.Command({ goto: new lib.Send("other", { messages: [new HumanMessage("sent")] }) }),
  "goto several": (lib, id) =>
    new lib.Command({
      goto: ["other", new lib.Send("other", { messages: [new HumanMessage("sent")] })],
      update: told(id),
    }),
  parent: (lib, id) =>
    new lib.Command({ graph: lib.Command.PARENT, goto: "outer", update: told(id) }),
  "parent, Sends": (lib, id) =>
    new lib.Command({
      graph: lib.Command.PARENT,
      goto: [new lib.Send("outer", { messages: [new HumanMessage(id)] })],
    }),
  "a list": (lib, id) => [
    new lib.Command({ update: told(id) }),
    new lib.Command({ goto: "other" }),
  ],
  "a message and a Command": (lib, id) => [
    told(id).messages[0],
    new lib.Command({ goto: "other" }),
  ],
  "a Send": (lib) => new lib.Send("other", { messages: [] }),
  resume: (lib) => new lib.Command({ resume: 1 }),
  nowhere: (lib) => new lib.Command({ goto: "nowhere" }),
  end: (lib) => new lib.Command({ goto: lib.END }),
};

test("Commands of tools: in the node, in a graph inside a graph, in an agent of both versions", async () => {
  const other = make(() => "plain");
  const say = (name) => (state) => ({
    messages: [
      new AIMessage(`${name} heard ${state.messages.map(({ content }) => content).join("|")}`),
    ],
  });
  const around = (lib, inner) =>
    new lib.StateGraph(lib.MessagesAnnotation)
      .addNode("inner", inner, { ends: ["outer"] })
      .addNode("outer", say("outer"))
      .addEdge(lib.START, "inner")
      .compile();
  for (const [note, command] of Object.entries(commands)) {
    const cmd = (lib) =>
      tool((_, config) => command(lib, config.toolCall.id), {
        name: "cmd",
        description: "",
        schema: { type: "object", properties: {} },
      });
    for (const names of [["cmd"], ["cmd", "cmd"], ["t", "cmd", "t"]]) {
      const message = ai(...names.map((name, index) => ({ ...call(String(index)), name })));
      await same(`${note}, ${names}`, (lib) =>
        new lib.ToolNode([cmd(lib), other]).invoke({ messages: [message] }),
      );
      await same(`${note}, ${names}, a list`, (lib) =>
        new lib.ToolNode([cmd(lib), other]).invoke([message]),
      );
      await same(`${note}, ${names}, in a graph`, (lib) => {
        const inner = new lib.StateGraph(lib.MessagesAnnotation)
          .addNode("tools", new lib.ToolNode([cmd(lib), other]), { ends: ["other", lib.END] })
          .addNode("other", say("other"))
          .addEdge(lib.START, "tools")
          .compile();
        return around(lib, inner).invoke({ messages: [message] });
      });
      for (const version of ["v1", "v2"]) {
        await same(`${note}, ${names}, ${version}`, (lib) => {
          const llm = Object.assign(
            RunnableLambda.from((messages) =>
              messages.some((one) => one.getType() === "ai") ? new AIMessage("done") : message,
            ),
            { bindTools: () => llm },
          );
          return around(
            lib,
            lib.createReactAgent({ llm: () => llm, tools: [cmd(lib), other], version }),
          ).invoke({ messages: "hi" });
        });
      }
    }
  }
});

test("the node is a Runnable", async () => {
  const node = (lib) =>
    new lib.ToolNode([make((_, config) => JSON.stringify([config.tags, config.metadata?.a]))]);
  const input = { messages: [ai(call())] };
  const ways = {
    batch: (lib) => node(lib).batch([input, input.messages]),
    "batch, each with its config": (lib) =>
      node(lib).batch([input, input], [{ tags: ["a"] }, { tags: ["b"] }]),
    stream: async (lib) =>
      Array.fromAsync?.(await node(lib).stream(input)) ??
      (async (chunks = []) => {
        for await (const chunk of await node(lib).stream(input)) chunks.push(chunk);
        return chunks;
      })(),
    pipe: (lib) =>
      node(lib)
        .pipe(RunnableLambda.from(({ messages }) => messages.length))
        .invoke(input),
    withConfig: (lib) =>
      node(lib)
        .withConfig({ tags: ["q"], metadata: { a: 1 } })
        .invoke(input),
    withRetry: (lib) => node(lib).withRetry({ stopAfterAttempt: 2 }).invoke(input),
    withFallbacks: (lib) =>
      new lib.ToolNode([], { handleToolErrors: false }).withFallbacks([node(lib)]).invoke(input),
    names: (lib) => [node(lib).name, node(lib).getName(), node(lib).lc_runnable, node(lib).trace],
  };
  for (const [note, way] of Object.entries(ways)) await same(note, async (lib) => way(lib));
});

test("toolsCondition takes messages in any form", async () => {
  const inputs = [
    [ai(call())],
    { messages: [ai(call())] },
    { messages: [{ role: "assistant", tool_calls: [call()] }] },
    { messages: [new ToolMessage({ content: "", tool_call_id: "1" })] },
    [new HumanMessage("x")],
    { messages: [new AIMessage("x")] },
  ];
  for (const input of inputs)
    await same(JSON.stringify(input), async (lib) => lib.toolsCondition(input));
});

test("a Runnable used as a tool does not pass the call on to what it calls; a tool does, as in LangGraph.js", async () => {
  const asked = async (lib) => {
    const seen = [];
    const probe = (place) =>
      RunnableLambda.from(
        (_, config) => (seen.push([place, config.toolCall?.id, config.toolCallId]), "x"),
      );
    const named = (runnable, name) => Object.assign(runnable, { name });
    const tools = [
      named(probe("lambda"), "lambda"),
      named(RunnableLambda.from(() => 1).pipe(probe("sequence")), "sequence"),
      probe("like").asTool({ name: "like", schema: z.object({}) }),
      tool(
        (_, config) => (
          seen.push(["tool", config.toolCall?.id]), probe("in a tool").invoke(1, config)
        ),
        { name: "tool", description: "", schema: z.object({}) },
      ),
    ];
    for (const { name } of tools) {
      const message = new AIMessage({
        content: "",
        tool_calls: [{ name, args: {}, id: "1", type: "tool_call" }],
      });
      await new lib.StateGraph(lib.MessagesAnnotation)
        .addNode("tools", new lib.ToolNode(tools))
        .addEdge(lib.START, "tools")
        .compile()
        .invoke({ messages: [message] });
    }
    return seen;
  };
  await same("", asked);
});
