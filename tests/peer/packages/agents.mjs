// SPDX-License-Identifier: MIT
// LangChain's createAgent and its middleware.
import {
  Command,
  InMemoryStore,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  StateSchema,
  interrupt,
} from "@langchain/langgraph";
import {
  AIMessage,
  HumanMessage,
  ToolMessage,
  createAgent,
  createMiddleware,
  dynamicSystemPromptMiddleware,
  humanInTheLoopMiddleware,
  modelCallLimitMiddleware,
  modelFallbackMiddleware,
  modelRetryMiddleware,
  piiMiddleware,
  summarizationMiddleware,
  todoListMiddleware,
  tool,
  toolCallLimitMiddleware,
  toolRetryMiddleware,
  toolStrategy,
} from "langchain";
import { z } from "zod";
import {
  Scripted,
  add,
  adding,
  ask,
  call,
  calling,
  drain,
  mail,
  onThread,
  saying,
} from "./model.mjs";

const adder = (options) =>
  createAgent({
    model: new Scripted(calling(adding), saying("3 it is")),
    tools: [add],
    ...options,
  });
const nothing = z.object({});
const modes = [
  "values",
  "updates",
  "messages",
  "custom",
  "tasks",
  "debug",
  "checkpoints",
  "tools",
  ["updates", "messages"],
];
const decisions = {
  approve: { type: "approve" },
  edit: { type: "edit", editedAction: { name: "mail", args: { to: "eve" } } },
  reject: { type: "reject", message: "not him" },
};

async function review(decision) {
  const agent = createAgent({
    model: new Scripted(
      calling(call("mail", { to: "bob" }, "c1"), call("add", { a: 1, b: 1 }, "c2")),
      saying("done"),
    ),
    tools: [mail, add],
    checkpointer: new MemorySaver(),
    middleware: [humanInTheLoopMiddleware({ interruptOn: { mail: true } })],
  });
  const asked = await agent.invoke(ask(), onThread);
  const { next, tasks } = await agent.graph.getState(onThread);
  return {
    asked,
    next,
    tasks,
    done: await agent.invoke(new Command({ resume: { decisions: [decision] } }), onThread),
  };
}

function hooks() {
  const heard = [];
  const hear = (word) => void heard.push(word);
  const middleware = createMiddleware({
    name: "Heard",
    stateSchema: z.object({ turns: z.number().default(0) }),
    beforeAgent: () => hear("before the agent"),
    beforeModel: (state) => (hear(`before the model ${state.turns}`), { turns: state.turns + 1 }),
    wrapModelCall: (request, next) => (hear("around the model"), next(request)),
    wrapToolCall: (request, next) => (hear(`around ${request.toolCall.name}`), next(request)),
    afterModel: (state) => hear(`after the model ${state.messages.length}`),
    afterAgent: () => hear("after the agent"),
  });
  return { heard, middleware };
}

const flaky = (failures) => {
  let calls = 0;
  return tool(
    () => {
      if (calls++ < failures) throw new Error(`failure ${calls}`);
      return "fine";
    },
    { name: "flaky", description: "fails first", schema: nothing },
  );
};

export const agents = {
  "an agent": () => adder().invoke(ask()),
  ...Object.fromEntries(
    modes.map((streamMode) => [
      `an agent's stream: ${streamMode}`,
      () =>
        drain(
          adder({ checkpointer: new MemorySaver() }).stream(ask(), { ...onThread, streamMode }),
        ),
    ]),
  ),
  "an agent's events": async () =>
    (await drain(adder().streamEvents(ask(), { version: "v2" }))).map(
      ({ event, name, tags, metadata }) => ({
        event,
        name,
        tags,
        node: metadata.langgraph_node,
        step: metadata.langgraph_step,
      }),
    ),
  "an agent's drawing": async () =>
    (
      await adder({
        middleware: [humanInTheLoopMiddleware({ interruptOn: { add: true } })],
      }).graph.getGraphAsync()
    ).drawMermaid(),
  "an agent as a node": () =>
    drain(
      new StateGraph(MessagesAnnotation)
        .addNode("agent", adder({ name: "inner" }).graph)
        .addEdge(START, "agent")
        .compile({ checkpointer: new MemorySaver() })
        .stream(ask(), { ...onThread, streamMode: ["updates", "values"], subgraphs: true }),
    ),
  ...Object.fromEntries(
    Object.entries(decisions).map(([name, decision]) => [
      `human in the loop: ${name}`,
      () => review(decision),
    ]),
  ),
  "human in the loop: a decision too few": async () => {
    const agent = createAgent({
      model: new Scripted(
        calling(call("mail", { to: "bob" }, "c1"), call("mail", { to: "eve" }, "c2")),
        saying("done"),
      ),
      tools: [mail],
      checkpointer: new MemorySaver(),
      middleware: [humanInTheLoopMiddleware({ interruptOn: { mail: true } })],
    });
    await agent.invoke(ask(), onThread);
    return agent.invoke(new Command({ resume: { decisions: [decisions.approve] } }), onThread);
  },
  "all hooks of a middleware": async () => {
    const { heard, middleware } = hooks();
    return { result: await adder({ middleware: [middleware] }).invoke(ask()), heard };
  },
  "a hook that jumps to the end": () =>
    adder({
      middleware: [
        createMiddleware({
          name: "Jump",
          beforeModel: {
            canJumpTo: ["end"],
            hook: (state) => (state.messages.length > 2 ? { jumpTo: "end" } : undefined),
          },
        }),
      ],
    }).invoke(ask()),
  "a limit of model calls that ends": () =>
    createAgent({
      model: new Scripted(calling(adding)),
      tools: [add],
      middleware: [modelCallLimitMiddleware({ runLimit: 1, exitBehavior: "end" })],
    }).invoke(ask()),
  "a limit of model calls that throws": () =>
    createAgent({
      model: new Scripted(calling(adding)),
      tools: [add],
      middleware: [modelCallLimitMiddleware({ runLimit: 1, exitBehavior: "error" })],
    }).invoke(ask()),
  "a limit of tool calls": () =>
    createAgent({
      model: new Scripted(calling(adding), calling({ ...adding, id: "c2" }), saying("stop")),
      tools: [add],
      middleware: [toolCallLimitMiddleware({ toolName: "add", runLimit: 1 })],
    }).invoke(ask()),
  "a tool that throws": () =>
    createAgent({
      model: new Scripted(calling(call("flaky", {}, "c1")), saying("oh")),
      tools: [flaky(9)],
    }).invoke(ask()),
  "a tool that is tried again": () =>
    createAgent({
      model: new Scripted(calling(call("flaky", {}, "c1")), saying("ok")),
      tools: [flaky(2)],
      middleware: [toolRetryMiddleware({ maxRetries: 3, initialDelayMs: 1 })],
    }).invoke(ask()),
  "an unknown tool": () =>
    createAgent({
      model: new Scripted(calling(call("none", {}, "c1")), saying("oh")),
      tools: [add],
    }).invoke(ask()),
  "a model that is tried again": () => {
    const model = new Scripted(saying("second"));
    const generate = model._generate.bind(model);
    let calls = 0;
    model._generate = async (messages) => {
      if (calls++ === 0) throw new Error("first");
      return generate(messages);
    };
    return createAgent({
      model,
      tools: [],
      middleware: [modelRetryMiddleware({ maxRetries: 1, initialDelayMs: 1 })],
    }).invoke(ask());
  },
  "another model": () => {
    const model = new Scripted();
    model._generate = async () => {
      throw new Error("down");
    };
    return createAgent({
      model,
      tools: [],
      middleware: [modelFallbackMiddleware(new Scripted(saying("I am here")))],
    }).invoke(ask());
  },
  "to-dos": () =>
    createAgent({
      model: new Scripted(
        calling(call("write_todos", { todos: [{ content: "a", status: "pending" }] }, "c1")),
        saying("ok"),
      ),
      tools: [],
      middleware: [todoListMiddleware()],
    }).invoke(ask()),
  "a summary": () =>
    createAgent({
      model: new Scripted(saying("answer")),
      tools: [],
      middleware: [
        summarizationMiddleware({
          model: new Scripted(saying("all before")),
          trigger: { messages: 4 },
          keep: { messages: 2 },
        }),
      ],
    }).invoke({
      messages: ["a", "b", "c", "d", "e"].map(
        (content, i) => new (i % 2 === 1 ? AIMessage : HumanMessage)({ content, id: `m${i}` }),
      ),
    }),
  "a prompt from the context": async () => {
    const model = new Scripted(saying("hi"));
    const agent = createAgent({
      model,
      tools: [],
      contextSchema: z.object({ user: z.string() }),
      middleware: [
        dynamicSystemPromptMiddleware((_state, runtime) => `you serve ${runtime.context.user}`),
      ],
    });
    return { result: await agent.invoke(ask(), { context: { user: "ann" } }), asked: model.asked };
  },
  "personal data": () =>
    createAgent({
      model: new Scripted(saying("mail a@b.com")),
      tools: [],
      middleware: [
        piiMiddleware("email", { strategy: "redact", applyToInput: true, applyToOutput: true }),
      ],
    }).invoke(ask("mine is x@y.org")),
  "a structured answer": () =>
    createAgent({
      model: new Scripted(calling(call("extract-1", { x: 1 }, "c1"))),
      tools: [],
      responseFormat: toolStrategy(z.object({ x: z.number() })),
    }).invoke(ask()),
  "a tool with store, writer and Command": async () => {
    const store = new InMemoryStore();
    const keep = tool(
      async (_input, runtime) => {
        await runtime.store.put(["a"], "k", { v: 1 });
        runtime.writer("kept");
        return new Command({
          update: {
            messages: [
              new ToolMessage({ content: "kept", tool_call_id: runtime.toolCallId, id: "t1" }),
            ],
          },
        });
      },
      { name: "keep", description: "keeps", schema: nothing },
    );
    const agent = createAgent({
      model: new Scripted(calling(call("keep", {}, "c1")), saying("ok")),
      tools: [keep],
      store,
    });
    return {
      chunks: await drain(agent.stream(ask(), { streamMode: ["custom", "updates"] })),
      kept: (await store.get(["a"], "k")).value,
    };
  },
  "a tool that reads the state": async () => {
    const count = tool(
      (_input, runtime) =>
        new Command({
          update: {
            n: runtime.state.n + 1,
            messages: [
              new ToolMessage({ content: "counted", tool_call_id: runtime.toolCallId, id: "t1" }),
            ],
          },
        }),
      { name: "count", description: "counts", schema: nothing },
    );
    const told = (stateSchema) =>
      createAgent({
        model: new Scripted(calling(call("count", {}, "c1")), saying("ok")),
        tools: [count],
        stateSchema,
      }).invoke(ask());
    return [
      await told(z.object({ n: z.number().default(5) })),
      await told(new StateSchema({ n: z.number().default(3) })),
    ];
  },
  "a run's messages, tool calls and agents below": async () => {
    const inner = adder({ name: "inner" });
    const outer = createAgent({
      model: new Scripted(calling(call("ask", {}, "o1")), saying("it is 3")),
      name: "outer",
      tools: [
        tool(
          async (_input, runtime) =>
            (await inner.invoke(ask("1 + 2", "q"), runtime)).messages.at(-1).text,
          { name: "ask", description: "asks", schema: nothing },
        ),
      ],
    });
    const run = await outer.streamEvents(ask(), { version: "v3" });
    const each = async (items, see) => {
      const seen = [];
      for await (const item of items) seen.push(await see(item));
      return seen;
    };
    return Promise.all([
      each(run.messages, async (message) => [message.node, await message.text]),
      each(run.toolCalls, async (one) => [one.name, one.input, await one.output, await one.status]),
      each(run.subagents, async (one) => [one.name, await one.output]),
      run.output,
    ]);
  },
  "a question in a tool": async () => {
    const who = tool(() => `it is ${interrupt("who?")}`, {
      name: "who",
      description: "asks",
      schema: nothing,
    });
    const agent = createAgent({
      model: new Scripted(calling(call("who", {}, "c1")), saying("ok")),
      tools: [who],
      checkpointer: new MemorySaver(),
    });
    const results = [
      await agent.invoke(ask(), onThread),
      await agent.invoke(new Command({ resume: "me" }), onThread),
    ];
    return {
      results,
      history: (await drain(agent.graph.getStateHistory(onThread))).map(
        ({ values, next, metadata }) => ({ values, next, metadata }),
      ),
    };
  },
};
