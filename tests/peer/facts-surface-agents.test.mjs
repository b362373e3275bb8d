// SPDX-License-Identifier: MIT
// What agents and their tools are given and give, in the corners: names of answers, a tool's
// runtime in both versions and without a graph.
import { AIMessage } from "@langchain/core/messages";
import { RunnableBinding, RunnableLambda, RunnableSequence } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import * as theirs from "@langchain/langgraph/prebuilt";
import * as ours from "weftgraph/prebuilt";
import { same } from "./surface.mjs";

const schema = { type: "object", properties: {} };
const call = (id) => ({ id, name: "look", args: {}, type: "tool_call" });

/** A model that says `answers` one after the other. */
function modelOf(...answers) {
  return {
    lc_runnable: true,
    _modelType: () => "base_chat_model",
    bindTools() {
      return this;
    },
    invoke: async (messages) =>
      answers[
        Math.min(
          messages.filter((message) => message.getType() === "ai").length,
          answers.length - 1,
        )
      ](),
  };
}

same("an answer has its agent's name, or none", async (lib, t) => {
  const { createReactAgent } = t.isPeer ? theirs : ours;
  for (const name of [undefined, "bob", ""]) {
    for (const own of [undefined, "model"]) {
      const agent = createReactAgent({
        llm: modelOf(() => new lib.AIMessage({ id: "1", content: "c", name: own })),
        tools: [],
        name,
      });
      await t.try("answer", async () =>
        (
          await agent.invoke({ messages: [new lib.HumanMessage({ id: "h", content: "hi" })] })
        ).messages.at(-1),
      );
    }
  }
});

same("a tool's runtime: its state is without the call that was sent", async (lib, t) => {
  const { createReactAgent, ToolNode } = t.isPeer ? theirs : ours;
  const look = tool(
    (_, runtime) => {
      const {
        state,
        toolCallId,
        toolCall,
        context,
        configurable,
        tags,
        metadata,
        recursionLimit,
        config,
      } = runtime;
      const keys = Object.keys(runtime)
        .filter((key) => runtime[key] !== undefined && key !== "idempotencyKey")
        .sort();
      t.note("runtime", [
        keys,
        state,
        toolCallId,
        toolCall,
        context,
        configurable.user,
        tags,
        Object.keys(metadata).sort(),
        recursionLimit,
        Object.keys(config).sort(),
      ]);
      return "seen";
    },
    { name: "look", description: "d", schema },
  );
  for (const version of ["v1", "v2"]) {
    const llm = modelOf(
      () => new lib.AIMessage({ id: "1", content: "", tool_calls: [call("a"), call("b")] }),
      () => new lib.AIMessage({ id: "2", content: "end" }),
    );
    const agent = createReactAgent({ llm, tools: [look], version, store: new lib.InMemoryStore() });
    await agent.invoke(
      { messages: [new lib.HumanMessage({ id: "h", content: "hi" })] },
      { context: { u: 1 }, configurable: { user: "x" } },
    );
  }
  const node = new ToolNode([look]);
  const message = new lib.AIMessage({ id: "1", content: "", tool_calls: [call("a")] });
  for (const input of [
    { messages: [message] },
    [message],
    { lg_tool_call: call("a"), messages: [] },
  ]) {
    for (const config of [
      undefined,
      {},
      { configurable: { user: "y" }, tags: ["t"], recursionLimit: 3 },
    ])
      await t.try("alone", () => node.invoke(input, config));
  }
});

same("a field remainingSteps of the state is no limit", async (lib, t) => {
  const { createReactAgent } = t.isPeer ? theirs : ours;
  const stateSchema = lib.Annotation.Root({
    ...lib.MessagesAnnotation.spec,
    remainingSteps: lib.Annotation,
  });
  const llm = modelOf(() => new lib.AIMessage({ id: "1", content: "", tool_calls: [call("a")] }));
  for (const input of [{}, { remainingSteps: 1 }]) {
    const agent = createReactAgent({
      llm,
      tools: [tool(() => "seen", { name: "look", description: "d", schema })],
      stateSchema,
    });
    await t.invoke(
      agent,
      { messages: [new lib.HumanMessage({ id: "h", content: "hi" })], ...input },
      { recursionLimit: 2 },
    );
  }
});

same("Sends of several tools to the parent, with updates of nothing", async (lib, t) => {
  const { ToolNode } = t.isPeer ? theirs : ours;
  const look = tool(
    (_, { toolCall: { id } }) =>
      new lib.Command({
        graph: lib.Command.PARENT,
        goto: [
          new lib.Send("other", { messages: [new lib.HumanMessage({ id: "h", content: id })] }),
        ],
        update: {},
      }),
    { name: "look", description: "d", schema },
  );
  const inner = new lib.StateGraph(lib.MessagesAnnotation)
    .addNode("tools", new ToolNode([look]))
    .addEdge(lib.START, "tools")
    .compile();
  const graph = new lib.StateGraph(lib.MessagesAnnotation)
    .addNode("inner", inner, { ends: ["other"] })
    .addEdge(lib.START, "inner")
    .addNode("other", ({ messages: [{ content }] }) => ({
      messages: [new lib.AIMessage({ id: content, content })],
    }))
    .compile();
  await t.invoke(graph, {
    messages: [new lib.AIMessage({ id: "1", content: "", tool_calls: [call("a"), call("b")] })],
  });
});

same(
  "a tool's Command for the parent arrives when its neighbour's question is answered",
  async (lib, t) => {
    const { createReactAgent } = t.isPeer ? theirs : ours;
    const leave = tool(
      (_, { toolCall: { id } }) =>
        new lib.Command({
          graph: lib.Command.PARENT,
          goto: "other",
          update: {
            messages: [new lib.ToolMessage({ id: "t", content: "left", tool_call_id: id })],
          },
        }),
      { name: "leave", description: "d", schema },
    );
    const look = tool(() => lib.interrupt("where?"), { name: "look", description: "d", schema });
    const llm = modelOf(
      () =>
        new lib.AIMessage({
          id: "1",
          content: "",
          tool_calls: [{ ...call("a"), name: "leave" }, call("b")],
        }),
      () => new lib.AIMessage({ id: "2", content: "stayed" }),
    );
    const graph = new lib.StateGraph(lib.MessagesAnnotation)
      .addNode("agent", createReactAgent({ llm, tools: [leave, look], version: "v1" }), {
        ends: ["other"],
      })
      .addEdge(lib.START, "agent")
      .addNode("other", () => ({ messages: [new lib.AIMessage({ id: "o", content: "other" })] }))
      .compile({ checkpointer: new lib.MemorySaver() });
    const thread = { configurable: { thread_id: "t" } };
    await t.invoke(graph, { messages: [new lib.HumanMessage({ id: "h", content: "hi" })] }, thread);
    await t.invoke(graph, new lib.Command({ resume: "here" }), thread);
  },
);

same("handleToolErrors that is nothing lets errors out", async (lib, t) => {
  const { ToolNode } = t.isPeer ? theirs : ours;
  const look = tool(
    () => {
      throw new TypeError("broken");
    },
    { name: "look", description: "d", schema },
  );
  for (const handleToolErrors of ["", 0, null, false])
    await t.try(
      "node",
      async () =>
        (
          await new ToolNode([look], { handleToolErrors }).invoke([
            new lib.AIMessage({ id: "1", content: "", tool_calls: [call("a")] }),
          ])
        )[0].content,
    );
});

same("a ToolExecutor's own word for unknown tools", async (lib, t) => {
  const { ToolExecutor } = t.isPeer ? theirs : ours;
  const look = tool(() => "seen", { name: "look", description: "d", schema });
  for (const invalidToolMsgTemplate of [
    "none",
    "no {requestedToolName}, only {availableToolNamesString}",
    "{requestedToolName} {requestedToolName}",
  ]) {
    await t.try("executor", () =>
      new ToolExecutor({ tools: [look, look], invalidToolMsgTemplate }).invoke({
        tool: "hear",
        toolInput: {},
      }),
    );
  }
});

const speaking = () => modelOf(() => new AIMessage({ id: "1", content: "c" }));

/**
 * Models without `withStructuredOutput`, or of one that gives nothing to call, each where an agent
 * may have it.
 */
const unformed = {
  "a chat model": () => speaking(),
  "one in a binding": () => new RunnableBinding({ bound: speaking(), config: {}, kwargs: {} }),
  "one in a sequence": () => RunnableSequence.from([(messages) => messages, speaking()]),
  "one that a function chose": () => async () => speaking(),
  "a binding that a function chose": () => async () =>
    new RunnableBinding({ bound: speaking(), config: {}, kwargs: {} }),
  "no chat model, chosen": () => async () => new RunnableLambda({ func: () => new AIMessage("x") }),
  "one still to be made": () => ({
    ...speaking(),
    _queuedMethodOperations: {},
    _model: async () => speaking(),
  }),
  "one still to be made, with forms": () => ({
    ...speaking(),
    _queuedMethodOperations: {},
    _model: async () => ({
      ...speaking(),
      withStructuredOutput: (...given) => ({ invoke: () => given.length }),
    }),
  }),
  ...Object.fromEntries(
    [undefined, null, 0, {}, { lc_runnable: true }].map((given) => [
      `a form that is ${JSON.stringify(given)}`,
      () => ({ ...speaking(), withStructuredOutput: () => given }),
    ]),
  ),
};

for (const [title, make] of Object.entries(unformed)) {
  same(`responseFormat: ${title}`, async (lib, t) => {
    const { createReactAgent } = t.isPeer ? theirs : ours;
    for (const responseFormat of [schema, { schema, prompt: "sum up" }]) {
      const agent = createReactAgent({ llm: make(), tools: [], responseFormat });
      await t.try("answer", () =>
        agent.invoke({ messages: [new lib.HumanMessage({ id: "h", content: "hi" })] }),
      );
    }
  });
}

same("the form is asked for without names of agents", async (lib, t) => {
  const { createReactAgent } = t.isPeer ? theirs : ours;
  for (const chosen of [false, true]) {
    const llm = {
      ...modelOf(() => new lib.AIMessage({ id: "1", content: "c" })),
      withStructuredOutput: () => ({ invoke: async (messages) => t.note("asked", messages) && 1 }),
    };
    const agent = createReactAgent({
      llm: chosen ? () => llm : llm,
      tools: [],
      responseFormat: schema,
      name: "bob",
      includeAgentName: "inline",
    });
    await t.try(
      "answer",
      async () =>
        (await agent.invoke({ messages: [new lib.HumanMessage({ id: "h", content: "hi" })] }))
          .structuredResponse,
    );
  }
});
