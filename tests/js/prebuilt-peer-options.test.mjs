// SPDX-License-Identifier: MIT
// createReactAgent with its options, through LangGraph.js and Weft: chunks, what the model heard,
// nodes, channels, drawing.
// Own process: takes as long as many other files.
import { test } from "node:test";
import assert from "node:assert/strict";
import * as OWN from "weftgraph/prebuilt";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { z } from "zod";
import { same } from "./both.mjs";

/** Answers by the number of AI messages it is shown; knows which tools it was bound to. */
class Model extends BaseChatModel {
  heard = [];
  structured = [];
  constructor(answers) {
    super({});
    this.answers = answers;
  }
  _llmType() {
    return "test";
  }
  bindTools(tools) {
    const model = new Model(this.answers);
    model.heard = this.heard;
    return model.withConfig({
      tools: tools.map((one) => ({ type: "function", function: { name: one.name } })),
    });
  }
  withStructuredOutput(schema, options) {
    this.structured.push([typeof schema, options]);
    return RunnableLambda.from((messages) => ({ n: messages.length, first: messages[0].content }));
  }
  async _generate(messages) {
    this.heard.push(messages.map((message) => [message.getType(), message.content, message.name]));
    const turn = messages.filter((message) => message.getType() === "ai").length;
    const { content = "", calls = [] } = this.answers[Math.min(turn, this.answers.length - 1)];
    return { generations: [{ text: "", message: new AIMessage({ content, tool_calls: calls }) }] };
  }
}

const call = (name, args = {}, id = "1") => ({ name, args, id, type: "tool_call" });
const none = z.object({});
const add = tool(({ a, b }) => a + b, {
  name: "add",
  description: "",
  schema: z.object({ a: z.number(), b: z.number().default(2) }),
});
const direct = tool(() => "direct", {
  name: "direct",
  description: "",
  schema: none,
  returnDirect: true,
});
const oneCall = [{ calls: [call("add", { a: 1 })] }, { content: "done" }];
const noCall = [{ content: "done" }];

const visible = (names) => names.filter((name) => !/^(branch|__)/.test(name)).sort();

/** @param {(lib: any) => any} options of the agent */
const run =
  (options, input = { messages: "hi" }, config = {}) =>
  async (lib) => {
    const given = { llm: new Model(oneCall), tools: [add, direct], ...options(lib) };
    const agent = lib.createReactAgent(given);
    const chunks = [];
    for await (const chunk of await agent.stream(input, {
      streamMode: ["updates", "values"],
      ...config,
    }))
      chunks.push(chunk);
    return [
      chunks,
      given.llm.heard,
      given.llm.structured,
      agent.name,
      agent.description,
      Object.keys(agent.nodes).sort(),
      visible(Object.keys(agent.channels)),
    ];
  };
const withState = (lib, more) => lib.Annotation.Root({ ...lib.MessagesAnnotation.spec, ...more });
const moving = (lib, more) =>
  tool(
    (_, config) =>
      new lib.Command({
        ...more,
        update: {
          ...more.update,
          messages: [new ToolMessage({ content: "moved", tool_call_id: config.toolCall.id })],
        },
      }),
    { name: "go", description: "", schema: none },
  );
const thread = { configurable: { thread_id: "1" } };

const rows = {
  "hook before: removes": [
    () => ({
      preModelHook: (state) => ({
        messages: [new RemoveMessage({ id: "__remove_all__" }), ...state.messages.slice(-3)],
      }),
    }),
  ],
  "hook before: chooses": [
    () => ({
      preModelHook: (state) => ({ llmInputMessages: [new SystemMessage("x"), ...state.messages] }),
    }),
  ],
  "hook before: a Runnable, with a prompt": [
    () => ({
      prompt: "P",
      preModelHook: RunnableLambda.from((state) => ({
        llmInputMessages: state.messages.slice(0, 1),
      })),
    }),
    undefined,
    { recursionLimit: 8 },
  ],
  "hook before: what the prompt sees": [
    () => ({
      prompt: (state) => [new SystemMessage(Object.keys(state).sort().join()), ...state.messages],
      preModelHook: (state) => ({ llmInputMessages: state.messages.slice() }),
    }),
  ],
  "hook before: own state": [
    (lib) => ({
      stateSchema: withState(lib, { x: lib.Annotation() }),
      preModelHook: (state) => ({ llmInputMessages: state.messages.slice() }),
    }),
  ],
  "hook after": [() => ({ postModelHook: () => ({}) })],
  "hook after: edits": [
    () => ({
      postModelHook: (state) => ({
        messages: [new AIMessage({ id: state.messages.at(-1).id, content: "edited" })],
      }),
    }),
  ],
  "hook after: answers": [
    () => ({
      postModelHook: (state) =>
        state.messages.at(-1).tool_calls?.length
          ? { messages: [new ToolMessage({ content: "no", tool_call_id: "1" })] }
          : {},
    }),
  ],
  "hook after: asks more": [
    () => ({
      llm: new Model(noCall),
      postModelHook: (state) =>
        state.messages.length < 4 ? { messages: [new HumanMessage("again")] } : {},
    }),
  ],
  "hook after, structured": [
    () => ({ responseFormat: z.object({ n: z.number() }), postModelHook: () => ({}) }),
  ],
  "structured: JSON Schema": [
    () => ({
      responseFormat: { type: "object", title: "T", properties: { n: { type: "number" } } },
    }),
  ],
  "structured: strict, prompt": [
    () => ({ responseFormat: { schema: z.object({ n: z.number() }), strict: true, prompt: "SP" } }),
  ],
  "structured, direct tool": [
    () => ({
      llm: new Model([{ calls: [call("direct")] }, { content: "x" }]),
      responseFormat: z.object({ n: z.number() }),
    }),
  ],
  "structured, own state without its key": [
    (lib) => ({ stateSchema: withState(lib, {}), responseFormat: z.object({ n: z.number() }) }),
  ],
  "structured, own state": [
    (lib) => ({
      stateSchema: withState(lib, { structuredResponse: lib.Annotation() }),
      responseFormat: z.object({ n: z.number() }),
    }),
  ],
  "own state": [
    (lib) => ({
      stateSchema: withState(lib, { extra: lib.Annotation() }),
      prompt: (state) => [new SystemMessage(state.extra ?? "none"), ...state.messages],
    }),
    { messages: "hi", extra: "e" },
  ],
  "own state without messages": [
    (lib) => ({ stateSchema: lib.Annotation.Root({ extra: lib.Annotation() }) }),
  ],
  "context chooses the model": [
    () => ({
      contextSchema: z.object({ u: z.string() }),
      llm: (state, runtime) =>
        new Model([{ content: `for ${runtime.context?.u} ${Object.keys(state)}` }]),
    }),
    undefined,
    { context: { u: "bob" } },
  ],
  "prompt sees the config": [
    () => ({
      prompt: (state, config) => [
        new SystemMessage(`${config.configurable?.k} ${config.context?.u}`),
        ...state.messages,
      ],
    }),
    undefined,
    { configurable: { k: "v" }, context: { u: 1 } },
  ],
  "a ToolNode": [
    (lib) => ({ tools: new lib.ToolNode([add], { name: "mine", handleToolErrors: false }) }),
  ],
  "a ToolNode that fails": [
    (lib) => ({
      llm: new Model([{ calls: [call("add", { a: "x" })] }, { content: "d" }]),
      tools: new lib.ToolNode([add], { handleToolErrors: false }),
    }),
  ],
  "tools of the provider": [() => ({ tools: [{ type: "web_search" }, add] })],
  "name and description": [() => ({ name: "ag", description: "desc" })],
  "breakpoints before all": [
    (lib) => ({ checkpointer: new lib.MemorySaver(), interruptBefore: "*" }),
    undefined,
    thread,
  ],
  "breakpoints after the agent": [
    (lib) => ({ checkpointSaver: new lib.MemorySaver(), interruptAfter: ["agent"] }),
    undefined,
    thread,
  ],
  "checkpointer true at the root": [() => ({ checkpointer: true }), undefined, thread],
  "a tool's Command": [
    (lib) => ({
      llm: new Model([{ calls: [call("go")] }, { content: "d" }]),
      stateSchema: withState(lib, { extra: lib.Annotation() }),
      tools: [moving(lib, { update: { extra: "set" } })],
    }),
  ],
  "a tool's Command to the end": [
    (lib) => ({
      llm: new Model([{ calls: [call("go")] }, { content: "d" }]),
      tools: [moving(lib, { goto: lib.END })],
    }),
  ],
  "two Commands and a result": [
    (lib) => ({
      llm: new Model([
        { calls: [call("go", {}, "1"), call("go", {}, "2"), call("add", { a: 1 }, "3")] },
        { content: "d" },
      ]),
      tools: [add, moving(lib, {})],
    }),
  ],
  "unknown tool, bad arguments": [
    () => ({ llm: new Model([{ calls: [call("zz"), call("add", {}, "2")] }, { content: "d" }]) }),
  ],
  "forms of messages": [
    () => ({}),
    { messages: [["user", "a"], { role: "assistant", content: "b" }, "c"] },
  ],
  "direct, then another": [
    () => ({
      llm: new Model([
        { calls: [call("direct", {}, "1"), call("add", { a: 1 }, "2")] },
        { content: "x" },
      ]),
    }),
  ],
  "two direct": [
    () => ({
      llm: new Model([
        { calls: [call("direct", {}, "1"), call("direct", {}, "2")] },
        { content: "x" },
      ]),
    }),
  ],
  "direct, but it fails": [
    () => ({
      tools: [
        tool(
          () => {
            throw new Error("no");
          },
          { name: "bad", description: "", schema: none, returnDirect: true },
        ),
      ],
      llm: new Model([{ calls: [call("bad")] }, { content: "x" }]),
    }),
  ],
  "a model of a moment": [
    () => ({
      llm: async (state) => (await null, new Model([{ content: `n${state.messages.length}` }])),
    }),
  ],
  "a model function that throws": [
    () => ({
      llm: async () => {
        throw new RangeError("no model");
      },
    }),
  ],
  "prompt: a promise": [
    () => ({ prompt: async (state) => [new SystemMessage("late"), ...state.messages] }),
  ],
  "prompt: a message with a name": [
    () => ({ prompt: new SystemMessage({ content: "s", name: "nm" }) }),
  ],
  "prompt: a Runnable": [
    () => ({ prompt: RunnableLambda.from((state) => [new SystemMessage("r"), ...state.messages]) }),
  ],
  "hooks: promises": [
    () => ({
      preModelHook: async (state) => ({ llmInputMessages: [...state.messages] }),
      postModelHook: async () => ({}),
    }),
  ],
  "hook before: nothing": [() => ({ preModelHook: () => undefined })],
  "names inside": [
    () => ({ name: "bob", includeAgentName: "inline" }),
    {
      messages: [
        new HumanMessage("a"),
        new AIMessage({ content: "b", name: "amy" }),
        new HumanMessage("c"),
      ],
    },
  ],
  "names in another way": [() => ({ name: "bob", includeAgentName: "no" })],
  "names inside, without a name": [() => ({ includeAgentName: "inline" })],
  "a tool twice": [() => ({ tools: [add, add] })],
  "breakpoints nowhere": [
    (lib) => ({ checkpointer: new lib.MemorySaver(), interruptBefore: ["nobody"] }),
    undefined,
    thread,
  ],
  "a tool's list of Commands": [
    (lib) => ({
      llm: new Model([{ calls: [call("many")] }, { content: "d" }]),
      tools: [
        tool(
          (_, config) => [
            new lib.Command({
              update: {
                messages: [new ToolMessage({ content: "m", tool_call_id: config.toolCall.id })],
              },
            }),
          ],
          { name: "many", description: "", schema: none },
        ),
      ],
    }),
  ],
  "calls that a person talked over": [
    () => ({}),
    {
      messages: [
        new AIMessage({ content: "", tool_calls: [call("add", { a: 1 })] }),
        new HumanMessage("x"),
      ],
    },
  ],
  "empty input": [() => ({}), {}],
  "no messages": [() => ({}), { messages: [] }],
};

for (const version of ["v1", "v2"]) {
  test(`options, ${version}`, async () => {
    for (const [note, [options, input, config]] of Object.entries(rows))
      await same(
        note,
        run((lib) => ({ version, ...options(lib) }), input, config),
      );
  });
}

test("models in all forms", async () => {
  const models = {
    bound: () => new Model(oneCall).bindTools([add]),
    "bound to others": () => new Model(oneCall).bindTools([direct]),
    "with a config": () => new Model(oneCall).withConfig({ tags: ["t"] }),
    "in a sequence": () => new Model(oneCall).pipe(RunnableLambda.from((message) => message)),
    "bound, in a sequence": () =>
      RunnableLambda.from((messages) => messages).pipe(new Model(oneCall).bindTools([add])),
    "from a function": () => () => new Model(oneCall),
    "no bindTools": () => ({ invoke: () => new AIMessage("x") }),
  };
  for (const [note, make] of Object.entries(models)) {
    // Without tools Weft takes a model that knows none.
    for (const tools of [[add], [add, direct], ...(note === "no bindTools" ? [] : [[]])])
      await same(
        `${note}, ${tools.length} tools`,
        async (lib) =>
          (await lib.createReactAgent({ llm: make(), tools }).invoke({ messages: "hi" })).messages,
      );
  }
  await same(
    "modifier",
    async (lib) =>
      (
        await lib
          .createReactAgent({
            llm: new Model(noCall),
            tools: [],
            messageModifier: (messages) => [new SystemMessage("m"), ...messages],
          })
          .invoke({ messages: "hi" })
      ).messages,
  );
});

test("a model is told of an empty list of tools too", async () => {
  await same("none", async (lib) => {
    const told = [];
    const llm = new Model(noCall);
    llm.bindTools = (...args) => told.push(args) && llm;
    return [
      (await lib.createReactAgent({ llm, tools: [] }).invoke({ messages: "hi" })).messages,
      told,
    ];
  });
});

test("a model chosen by a function has the tools that it was given, or none", async () => {
  for (const bind of [false, true]) {
    await same(`bound: ${bind}`, async (lib) => {
      const tools = [];
      const noting = new (class extends Model {
        async _generate(messages, options) {
          tools.push(options.tools?.length);
          return super._generate(messages);
        }
        bindTools(given) {
          return this.withConfig({ tools: given });
        }
      })(oneCall);
      await lib
        .createReactAgent({ llm: () => (bind ? noting.bindTools([add]) : noting), tools: [add] })
        .invoke({ messages: "hi" });
      return tools;
    });
  }
});

test("a structured answer: the model inside of bindings and sequences, but not of one that a function chose", async () => {
  const forms = {
    bound: (llm) => llm.bindTools([add]),
    "with a config": (llm) => llm.withConfig({ tags: ["t"] }),
    twice: (llm) => llm.bindTools([add]).withConfig({ tags: ["t"] }),
    retried: (llm) => llm.withRetry(),
    "in a sequence": (llm) =>
      RunnableLambda.from((messages) => messages).pipe(llm.bindTools([add])),
    "before another": (llm) => llm.bindTools([add]).pipe(RunnableLambda.from((message) => message)),
  };
  for (const [note, form] of Object.entries(forms)) {
    for (const choose of [(llm) => llm, (llm) => async () => llm]) {
      await same(note, async (lib) => {
        const llm = new Model(oneCall);
        const { structuredResponse } = await lib
          .createReactAgent({ llm: choose(form(llm)), tools: [add], responseFormat: none })
          .invoke({ messages: "hi" });
        return [structuredResponse, llm.structured];
      });
    }
  }
  await same("none", (lib) =>
    lib
      .createReactAgent({
        llm: () => RunnableLambda.from(() => new AIMessage("x")),
        tools: [],
        responseFormat: none,
      })
      .invoke({ messages: "hi" }),
  );
});

test("a structured answer that its parser cannot read fails, as in LangGraph.js: null is no answer, false, 0 and an empty text are", async () => {
  for (const parsed of [null, undefined, false, 0, ""]) {
    await same(String(parsed), async (lib) => {
      const llm = new Model(noCall);
      llm.withStructuredOutput = () => RunnableLambda.from(() => parsed);
      return (
        await lib
          .createReactAgent({ llm, tools: [add], responseFormat: none })
          .invoke({ messages: "hi" })
      ).structuredResponse;
    });
  }
});

test("prompts that are none", async () => {
  for (const given of [
    new HumanMessage("h"),
    new AIMessage("a"),
    { role: "system", content: "x" },
    ["system", "x"],
    true,
    {},
  ]) {
    for (const key of ["prompt", "stateModifier", "messageModifier"])
      await same(key, (lib) =>
        lib
          .createReactAgent({ llm: new Model(noCall), tools: [add], [key]: given })
          .invoke({ messages: "hi" }),
      );
  }
});

test("a store reaches tools, hooks, prompts and the function that chooses the model", async () => {
  const read = async (config) => (await config.store.get(["of"], "k")).value.v;
  for (const version of ["v1", "v2"]) {
    await same(version, async (lib) => {
      const store = new lib.InMemoryStore();
      await store.put(["of"], "k", { v: "kept" });
      const seen = [];
      const note = (place) => async (state, config) => (
        seen.push([place, await read(config)]), place === "prompt" ? state.messages : {}
      );
      const look = tool((_, config) => read(config), {
        name: "add",
        description: "",
        schema: z.object({ a: z.number() }),
      });
      const llm = async (_state, config) => (
        seen.push(["llm", await read(config)]), new Model(oneCall)
      );
      const { messages } = await lib
        .createReactAgent({
          llm,
          tools: [look],
          version,
          store,
          preModelHook: note("before"),
          postModelHook: note("after"),
          prompt: note("prompt"),
        })
        .invoke({ messages: "hi" });
      return [messages, seen];
    });
  }
});

test("debug tells the steps on the console, as a graph's", async (t) => {
  const told = t.mock.method(console, "log", () => {});
  for (const debug of [undefined, false, true]) {
    const before = told.mock.callCount();
    await OWN.createReactAgent({ llm: new Model(noCall), tools: [], debug }).invoke({
      messages: "hi",
    });
    assert.equal(told.mock.callCount() > before, debug === true);
  }
});

test("the context is checked", async () => {
  const llm = (_state, runtime) =>
    new Model([{ content: JSON.stringify(runtime.context ?? null) }]);
  for (const contextSchema of [
    z.object({ u: z.string() }),
    z.object({ u: z.string().default("d") }),
    z.object({ u: z.coerce.number() }),
  ]) {
    for (const context of [{ u: 5 }, {}, undefined, { u: "a", x: 1 }]) {
      await same(JSON.stringify(context), async (lib) => {
        try {
          return (
            await lib
              .createReactAgent({ llm, tools: [add], contextSchema })
              .invoke({ messages: "hi" }, { context })
          ).messages;
        } catch (error) {
          return error.message;
        }
      });
    }
  }
});

test("agents of each option are drawn as LangGraph.js draws them", async () => {
  const hook = () => ({});
  const options = [
    {},
    { preModelHook: hook },
    { postModelHook: hook },
    { responseFormat: none },
    { tools: [add, direct] },
    { version: "v2" },
    { version: "v2", preModelHook: hook, postModelHook: hook, responseFormat: none },
    { tools: [] },
  ];
  for (const one of options)
    await same(Object.keys(one).join(), async (lib) =>
      (
        await lib.createReactAgent({ llm: new Model(noCall), tools: [add], ...one }).getGraphAsync()
      ).drawMermaid(),
    );
});
