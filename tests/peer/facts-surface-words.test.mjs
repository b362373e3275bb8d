// SPDX-License-Identifier: MIT
// The words of a graph outside of any run: error classes, what they are recognised by, Command,
// Send, Overwrite, and what asks for a config where there is none.
import { same } from "./surface.mjs";

const errors = (lib) => ({
  BaseLangGraphError: ["m", { lc_error_code: "X" }],
  GraphBubbleUp: ["m"],
  GraphRecursionError: ["m", { lc_error_code: "GRAPH_RECURSION_LIMIT" }],
  GraphValueError: ["m"],
  GraphInterrupt: [[{ value: 1, id: "a" }]],
  NodeInterrupt: ["m"],
  ParentCommand: [new lib.Command({ goto: "x" })],
  EmptyInputError: ["m"],
  EmptyChannelError: ["m"],
  InvalidUpdateError: ["m"],
  UnreachableNodeError: ["m"],
  MultipleSubgraphsError: ["m"],
  StateGraphInputError: [],
  RemoteException: ["m", { lc_error_code: "X" }],
  GraphDrained: ["why"],
  NodeError: ["n", new Error("x")],
  NodeTimeoutError: [{ node: "n", kind: "run", elapsed: 5, runTimeout: 3 }],
});
const TESTS = [
  "isGraphBubbleUp",
  "isGraphInterrupt",
  "isParentCommand",
  "isGraphDrained",
  "isNodeError",
  "isNodeTimeoutError",
  "isCommand",
  "isInterrupted",
];

/** The names of the classes above. */
function chainOf(value) {
  const chain = [];
  for (
    let proto = Object.getPrototypeOf(value);
    proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto)
  )
    chain.push(proto.constructor.name);
  return chain;
}

for (const made of ["with its fields", "with nothing"]) {
  same(`error classes, ${made}`, async (lib, t) => {
    for (const [name, given] of Object.entries(errors(lib))) {
      await t.try(name, async () => {
        const error = new lib[name](
          ...(made === "with nothing" && name !== "NodeTimeoutError" ? [] : given),
        );
        const { message, lc_error_code, is_bubble_up, interrupts, command } = error;
        return [
          error.name,
          message,
          String(error),
          Object.keys(error).sort(),
          JSON.stringify(error),
          lc_error_code,
          is_bubble_up,
          interrupts,
          command,
          lib[name].unminifiable_name,
          chainOf(error),
          TESTS.map((test) => lib[test](error)),
        ];
      });
    }
  });
}

same("what errors and words are recognised by", async (lib, t) => {
  const values = [
    undefined,
    5,
    "x",
    {},
    { name: "GraphInterrupt" },
    { name: "ParentCommand" },
    { is_bubble_up: true },
    { lg_name: "Command" },
    new lib.Command({}),
    { __interrupt__: [] },
    { __interrupt__: [{}] },
    { __interrupt__: 5 },
  ];
  for (const test of TESTS)
    t.note(
      test,
      values.map((value) => lib[test](value)),
    );
});

same("constants", (lib, t) =>
  t.note("are", [
    lib.START,
    lib.END,
    lib.INTERRUPT,
    String(lib.COMMAND_SYMBOL),
    lib.REMOVE_ALL_MESSAGES,
    lib.Command.PARENT,
  ]),
);

same("Command, Send, Overwrite", async (lib, t) => {
  const { Command, Send, Overwrite } = lib;
  const made = {
    empty: () => new Command({}),
    full: () => new Command({ update: { a: 1 }, goto: "x", resume: 1, graph: Command.PARENT }),
    sends: () => new Command({ goto: [new Send("a", 1), "b"] }),
    nested: () => new Command({ goto: new Send("a", { x: new Send("q", 1) }) }),
    "look-alikes": () =>
      new Command({ goto: [{ node: "n", args: { lg_name: "Command", update: 1 } }] }),
    send: () => new Send("n", { a: 1 }),
    "in time": () => new Send("n", 1, { timeout: { idleTimeout: 5 } }),
    "no time": () => new Send("n", 1, { timeout: 0 }),
    overwrite: () => new Overwrite(5),
    nothing: () => new Overwrite(undefined),
    "no fields": () => new Command(),
  };
  for (const [label, make] of Object.entries(made)) {
    await t.try(label, async () => {
      const value = make();
      return [
        JSON.stringify(value),
        Object.keys(value).sort(),
        { ...value },
        chainOf(value),
        value.lc_direct_tool_output,
        value._updateAsTuples?.(),
        value.value,
        lib.COMMAND_SYMBOL in value,
      ];
    });
  }
  for (const update of [undefined, null, 5, "x", [["a", 1]], [["a", 1, 2]], [], [1], { a: 1 }])
    await t.try("pairs", async () => new Command({ update })._updateAsTuples());
  t.note(
    "instances",
    [new Overwrite(1), { __overwrite__: 1 }, 5, null].map((value) => Overwrite.isInstance(value)),
  );
});

same("outside of a graph", async (lib, t) => {
  for (const name of [
    "getConfig",
    "getStore",
    "getWriter",
    "getCurrentTaskInput",
    "interrupt",
    "writer",
  ])
    await t.try(name, async () => lib[name]());
  for (const config of [{}, { configurable: {} }])
    for (const name of ["getStore", "getWriter", "getCurrentTaskInput"])
      await t.try(name, async () => lib[name](config));
});

same("inside of one", async (lib, t) => {
  const graph = new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation }))
    .addNode(
      "n",
      (_, config) =>
        t.note("found", [
          typeof lib.getConfig(),
          lib.getConfig().configurable.thread_id,
          typeof lib.getWriter(),
          lib.getStore() === undefined,
          lib.getCurrentTaskInput(),
          lib.getCurrentTaskInput(config),
        ]) && {},
    )
    .addEdge(lib.START, "n")
    .compile();
  await t.invoke(graph, { a: 1 }, { configurable: { thread_id: "t" } });
});

same("a graph's callback handler by itself", async (lib, t) => {
  const { GraphCallbackHandler: Handler } = lib;
  class Own extends Handler {
    name = "own";
  }
  const shown = (handler) => [
    handler.constructor.name,
    Object.entries(handler).filter(
      ([, value]) => typeof value !== "function" && typeof value !== "object",
    ),
    handler.lc_id,
    JSON.stringify(handler),
  ];
  for (const input of [
    undefined,
    null,
    {},
    { raiseError: true },
    { _awaitHandler: true },
    { ignoreLLM: true, ignoreChain: null, ignoreAgent: 0, name: "x", awaitHandlers: true },
  ]) {
    t.note(`of ${JSON.stringify(input)}`, [
      shown(new Handler(input)),
      new Handler(input).lc_kwargs,
    ]);
  }
  t.note("names", [Handler.lc_name(), Own.lc_name()]);
  const own = new Own({ ignoreLLM: true });
  const copy = own.copy();
  t.note("a copy", [
    shown(copy),
    copy === own,
    copy instanceof Own,
    copy.lc_kwargs === own,
    Handler.isInstance(copy),
  ]);
  const made = Handler.fromMethods({ raiseError: true, handleChainStart: () => 1 });
  const again = made.copy();
  t.note("of methods", [
    typeof made.name,
    again.name === made.name,
    made.handleChainStart(),
    again.handleChainStart(),
    Handler.isInstance(made),
    made instanceof Handler,
  ]);
  t.note("fields of methods", shown(Object.assign(made, { name: "n" })));
  for (const value of ["true", "false"]) {
    process.env.LANGCHAIN_CALLBACKS_BACKGROUND = value;
    t.note(`in the background: ${value}`, new Handler().awaitHandlers);
  }
  delete process.env.LANGCHAIN_CALLBACKS_BACKGROUND;
});
