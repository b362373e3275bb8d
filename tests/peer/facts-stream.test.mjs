// SPDX-License-Identifier: MIT
// Facts 18.1 to 18.4 and 19.1, 19.2: stream modes, the messages reducer, errors with a code.
import { fact, logState, thread } from "./harness.mjs";

function chain(lib, nodes, state, options) {
  const builder = new lib.StateGraph(state ?? logState(lib));
  let last = lib.START;
  for (const [name, act] of Object.entries(nodes)) {
    builder.addNode(name, act).addEdge(last, name);
    last = name;
  }
  return builder.compile(options);
}

const modes = ["values", "updates", "messages", "custom"];

fact(
  "18.1",
  "the shape of chunks: one mode, a list of one, lists in any order, none",
  async (lib, t) => {
    const graph = chain(lib, {
      a: (_, config) => config.writer?.("custom a") ?? { log: ["a"] },
      b: () => ({ log: ["b"] }),
    });
    for (const streamMode of [
      ...modes,
      ...modes.map((mode) => [mode]),
      ["custom", "updates", "values"],
      modes,
      [],
      undefined,
    ]) {
      t.note("mode", streamMode);
      await t.stream(graph, { log: [] }, { streamMode });
    }
    await t.stream(graph, { log: [] }, { streamMode: "values", subgraphs: true });
    await t.stream(graph, { log: [] }, { streamMode: modes, subgraphs: true });
  },
);

fact("18.2", "values and updates of a run", async (lib, t) => {
  const graph = chain(lib, {
    nothing: () => null,
    several: () =>
      new lib.Command({
        update: [
          ["log", ["1"]],
          ["log", ["2"]],
        ],
      }),
    one: () => ({ log: ["one"], nobody: 1 }),
  });
  await t.stream(graph, { log: [] }, { streamMode: ["values", "updates"] });
  await t.stream(graph, { log: [] }, { streamMode: ["updates", "values"] });
});

fact("18.4", "custom chunks, in order with the others", async (lib, t) => {
  const graph = chain(lib, {
    a: async (_, config) => {
      config.writer({ n: 1 });
      await null;
      config.writer("two");
      return { log: ["a"] };
    },
    b: () => {
      lib.getWriter()?.(3);
      return { log: ["b"] };
    },
  });
  await t.stream(graph, { log: [] }, { streamMode: ["values", "custom", "updates"] });
  await t.stream(graph, { log: [] }, { streamMode: "values" });
});

fact("18.3", "messages: of nodes, once each, not those of the input", async (lib, t) => {
  const graph = chain(
    lib,
    {
      a: () => ({ messages: [new lib.AIMessage({ content: "a", id: "1" })] }),
      b: (state) => ({
        messages: [...state.messages, new lib.AIMessage({ content: "b", id: "2" })],
      }),
      c: () => ({ messages: new lib.AIMessage({ content: "c" }) }),
      d: () =>
        new lib.Command({ update: { messages: [{ role: "assistant", content: "d", id: "4" }] } }),
    },
    lib.MessagesAnnotation,
  );
  const input = { messages: [new lib.HumanMessage({ content: "in", id: "0" })] };
  for await (const [message, metadata] of await graph.stream(input, { streamMode: "messages" })) {
    t.note("message", message);
    t.note("metadata", [
      metadata.langgraph_node,
      metadata.langgraph_step,
      metadata.langgraph_triggers,
    ]);
  }
});

fact("18.3", "messages: tokens of a model that streams, then nothing twice", async (lib, t) => {
  const model = new lib.FakeListChatModel({ responses: ["hello you"] });
  const graph = chain(
    lib,
    {
      talk: async (state) => ({ messages: [await model.invoke(state.messages)] }),
      hush: async (state, config) => {
        await model
          .withConfig({ tags: ["nostream"] })
          .invoke(state.messages, { ...config, tags: ["nostream"] });
        return {};
      },
    },
    lib.MessagesAnnotation,
  );
  let text = "";
  for await (const [message, metadata] of await graph.stream(
    { messages: [["user", "hi"]] },
    { streamMode: "messages" },
  )) {
    text += message.content;
    t.note("chunk of", metadata.langgraph_node);
  }
  t.note("text", text);
});

fact("18.2, 10.1", "interrupts in every mode", async (lib, t) => {
  const asks = chain(lib, { a: () => ({ log: [lib.interrupt("q")] }) }, undefined, {
    checkpointer: new lib.MemorySaver(),
  });
  const stops = chain(lib, { a: () => ({ log: ["a"] }) }, undefined, {
    checkpointer: new lib.MemorySaver(),
    interruptBefore: ["a"],
  });
  for (const streamMode of modes) {
    await t.stream(asks, { log: [] }, thread(streamMode, { streamMode }));
    await t.stream(stops, { log: [] }, thread(streamMode, { streamMode }));
  }
  await t.invoke(asks, { log: [] }, thread("u", { streamMode: "updates" }));
});

const updates = {
  "append, replace": (lib) => [
    new lib.AIMessage({ content: "new a", id: "a" }),
    new lib.HumanMessage({ content: "c", id: "c" }),
  ],
  "one that is no list": (lib) => new lib.AIMessage({ content: "alone", id: "z" }),
  "a string": () => "text",
  "a pair": () => [["user", "from a pair"]],
  "an object": () => ({ role: "user", content: "object", id: "o" }),
  objects: () => [
    { role: "system", content: "s", id: "s" },
    { type: "ai", content: "typed", id: "t" },
  ],
  "without ids": (lib) => [new lib.AIMessage("one"), new lib.AIMessage("two")],
  "the same id twice": (lib) => [
    new lib.AIMessage({ content: "first", id: "d" }),
    new lib.AIMessage({ content: "second", id: "d" }),
  ],
  "remove one": (lib) => [new lib.RemoveMessage({ id: "a" })],
  "remove, then add again": (lib) => [
    new lib.RemoveMessage({ id: "a" }),
    new lib.AIMessage({ content: "back", id: "a" }),
  ],
  "replace, then remove": (lib) => [
    new lib.AIMessage({ content: "new", id: "a" }),
    new lib.RemoveMessage({ id: "a" }),
  ],
  "remove nobody": (lib) => [new lib.RemoveMessage({ id: "nobody" })],
  "remove all": (lib) => [new lib.RemoveMessage({ id: "__remove_all__" })],
  "remove all in between": (lib) => [
    new lib.AIMessage({ content: "before", id: "x" }),
    new lib.RemoveMessage({ id: "__remove_all__" }),
    new lib.AIMessage({ content: "after", id: "y" }),
  ],
  "remove all twice": (lib) => [
    new lib.RemoveMessage({ id: "__remove_all__" }),
    new lib.AIMessage({ content: "between", id: "y" }),
    new lib.RemoveMessage({ id: "__remove_all__" }),
  ],
  "an empty list": () => [],
  "a tool call": (lib) => [
    new lib.AIMessage({
      content: "",
      id: "t",
      tool_calls: [{ id: "1", name: "f", args: { x: 1 } }],
    }),
    new lib.ToolMessage({ content: "r", tool_call_id: "1", id: "r" }),
  ],
};

for (const saved of [false, true]) {
  fact("19.1", `the messages reducer ${saved ? "with" : "without"} a saver`, async (lib, t) => {
    for (const [label, make] of Object.entries(updates)) {
      t.note("update", label);
      const options = saved ? { checkpointer: new lib.MemorySaver() } : {};
      const graph = chain(
        lib,
        { n: () => ({ messages: make(lib) }) },
        lib.MessagesAnnotation,
        options,
      );
      const input = {
        messages: [
          new lib.HumanMessage({ content: "a", id: "a" }),
          new lib.HumanMessage({ content: "b", id: "b" }),
        ],
      };
      await t.stream(graph, input, thread("t", { streamMode: ["values", "updates"] }));
      // The state after a step that cannot be applied is another (docs/differences.md).
      if (saved && label !== "remove nobody") await t.state(graph, thread("t"));
    }
  });
}

fact("19.1", "the reducer by itself", async (lib, t) => {
  for (const [label, make] of Object.entries(updates)) {
    await t.try(label, () =>
      lib.messagesStateReducer([new lib.HumanMessage({ content: "a", id: "a" })], make(lib)),
    );
  }
});

fact("19.1", "several writers of messages in a step, and Sends", async (lib, t) => {
  const message = (id) => ({ messages: [new lib.AIMessage({ content: `of ${id}`, id })] });
  const graph = new lib.StateGraph(lib.MessagesAnnotation)
    .addNode("b", () => message("same"))
    .addNode("a", () => message("a"))
    .addNode("w", ({ id }) => message(id))
    .addEdge(lib.START, "b")
    .addEdge(lib.START, "a")
    .addConditionalEdges("a", () => ["same", "w1", "w0"].map((id) => new lib.Send("w", { id })), [
      "w",
    ])
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.invoke(
    graph,
    { messages: [new lib.HumanMessage({ content: "hi", id: "h" })] },
    thread("t"),
  );
  await t.invoke(graph, { messages: [new lib.RemoveMessage({ id: "w0" })] }, thread("t"));
  await t.history(graph, thread("t"));
});

fact("19.2", "classes of errors: names, codes, what recognises them", async (lib, t) => {
  const classes = [
    "GraphRecursionError",
    "GraphValueError",
    "InvalidUpdateError",
    "EmptyInputError",
    "EmptyChannelError",
    "UnreachableNodeError",
    "MultipleSubgraphsError",
  ];
  for (const name of classes) {
    for (const code of [undefined, "SOME_CODE"]) {
      const error = new lib[name]("text", code === undefined ? undefined : { lc_error_code: code });
      t.note(name, [
        error,
        lib[name].unminifiable_name,
        error instanceof lib.BaseLangGraphError,
        lib.isGraphBubbleUp(error),
        lib.isGraphInterrupt(error),
      ]);
    }
  }
  const interrupt = new lib.GraphInterrupt([{ value: 1, id: "i" }]);
  t.note("interrupt", [
    interrupt,
    interrupt.interrupts,
    lib.isGraphInterrupt(interrupt),
    lib.isGraphBubbleUp(interrupt),
  ]);
  const legacy = new lib.NodeInterrupt("n");
  t.note("legacy", [legacy, legacy.interrupts, lib.isGraphInterrupt(legacy)]);
  const parent = new lib.ParentCommand(new lib.Command({ goto: "x" }));
  t.note("parent", [
    parent,
    lib.isParentCommand(parent),
    lib.isGraphBubbleUp(parent),
    lib.isGraphInterrupt({ name: "GraphInterrupt" }),
  ]);
});
