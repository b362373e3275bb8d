// SPDX-License-Identifier: MIT
// interrupt() with the schema of its answer; what a node may throw, return and be sent as plain
// objects.
import { z as z3 } from "zod/v3";
import { z } from "zod";
import "weftgraph/zod";
import { fact, inTime, logState, pause, thread } from "./harness.mjs";

function asking(lib, node) {
  return new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation() }))
    .addNode("ask", node)
    .addEdge("__start__", "ask")
    .compile({ checkpointer: new lib.MemorySaver() });
}

const shape = (Z) =>
  Z.object({
    ok: Z.boolean(),
    n: Z.number().default(3),
    more: Z.object({ list: Z.array(Z.string()) }).optional(),
  });
/** All kinds of zod 3, bare, in an object and in a list. */
const kinds = () => ({
  optional: z3.string().optional(),
  nullish: z3.number().nullish(),
  both: z3.string().default("q").optional(),
  open: z3.object({ x: z3.object({ y: z3.string() }).passthrough() }).passthrough(),
  date: z3.date(),
  map: z3.map(z3.string(), z3.number()),
  set: z3.set(z3.number()),
  bigint: z3.bigint(),
  undefined: z3.undefined(),
  nan: z3.nan(),
  symbol: z3.symbol(),
  list: z3.array(z3.any()),
  pipe: z3
    .string()
    .transform((text) => text.length)
    .pipe(z3.number()),
  caught: z3.string().catch("c"),
  meeting: z3.intersection(z3.object({ x: z3.number() }), z3.object({ y: z3.number().optional() })),
});
const { symbol: _, ...FIELDS } = kinds();
const schemas = {
  "all kinds of zod 3": [
    z3.tuple([
      z3.object(FIELDS),
      ...Object.values(kinds()).filter((kind) => kind._def.typeName !== "ZodSymbol"),
    ]),
    [[1]],
  ],
  "zod 4": [
    shape(z),
    [{ ok: true, x: 1 }, { ok: "no" }, "text", { ok: true, more: { list: ["q"] } }],
  ],
  "zod 3": [shape(z3), [{ ok: true, x: 1 }, { ok: "no" }, { ok: true, more: { list: ["q"] } }]],
  "a number": [z.coerce.number(), ["5", "five"]],
  "JSON Schema": [{ type: "object", properties: { ok: { type: "boolean" } } }, [{ ok: "no" }]],
  "a Standard Schema": [
    { "~standard": { version: 1, vendor: "hand", validate: (value) => ({ value: [value] }) } },
    ["x"],
  ],
  "what cannot be printed": [z.date(), ["x"]],
  null: [null, ["x"]],
};

for (const [name, [responseSchema, answers]] of Object.entries(schemas)) {
  fact("10.2, 10.9", `the schema of an answer: ${name}`, async (lib, t) => {
    for (const [index, resume] of answers.entries()) {
      const config = thread(`${name} ${index}`);
      const graph = asking(lib, (_, runtime) => ({
        a:
          index === 0
            ? runtime.interrupt({ q: 1 }, { responseSchema })
            : lib.interrupt({ q: 1 }, { responseSchema }),
      }));
      await t.stream(graph, { a: 1 }, { ...config, streamMode: ["updates", "values", "tasks"] });
      await t.state(graph, config);
      await t.invoke(graph, new lib.Command({ resume }), config);
      await t.state(graph, config);
      await t.invoke(graph, new lib.Command({ resume: answers[0] }), config);
    }
  });
}

fact(
  "10.5",
  "interrupts that a node makes itself: any id, none, none asked for",
  async (lib, t) => {
    const nodes = [
      () => {
        throw new lib.GraphInterrupt([{ value: "x", id: "mine" }]);
      },
      () => {
        throw new lib.GraphInterrupt([
          { value: "x", when: "during", resumable: true, ns: ["n:1"] },
        ]);
      },
      () => {
        throw new lib.GraphInterrupt();
      },
      () => {
        throw new lib.NodeInterrupt({ legacy: true });
      },
      () => ({ a: lib.interrupt() }),
      () => ({ a: lib.interrupt(null) }),
    ];
    t.triggers = undefined; // the ids are the nodes' own
    for (const [index, node] of nodes.entries()) {
      const graph = asking(lib, node);
      await t.invoke(graph, { a: 1 }, thread(`${index}`));
      await t.state(graph, thread(`${index}`));
    }
  },
);

fact("7.2", "Commands that are plain objects, as input", async (lib, t) => {
  const inputs = [
    { update: { v: 5 }, goto: ["b"] },
    { update: { v: 5 } },
    { goto: "b" },
    { resume: "x" },
    { a: "plain" },
    {},
  ];
  for (const [index, input] of inputs.entries()) {
    const graph = new lib.StateGraph(logState(lib, { v: lib.Annotation() }))
      .addNode("a", () => ({ log: ["a"] }))
      .addNode("b", () => ({ log: ["b"] }))
      .addEdge("__start__", "a")
      .addConditionalEdges("a", () => "__end__")
      .compile({ checkpointer: new lib.MemorySaver() });
    await t.invoke(graph, { lg_name: "Command", ...input }, thread(`${index}`));
  }
});

fact(
  "9.7",
  "Sends that are plain objects: in a Command they are sent, returned they are nothing",
  async (lib, t) => {
    const plain = { lg_name: "Send", node: "b", args: { z: 1 } };
    const build = (node, path) => {
      const graph = new lib.StateGraph(logState(lib))
        .addNode("a", node, { ends: ["b"] })
        .addNode("b", (input) => ({ log: [input] }))
        .addEdge("__start__", "a");
      return (path === undefined ? graph : graph.addConditionalEdges("a", path)).compile();
    };
    await t.invoke(
      build(() => plain),
      { log: ["i"] },
    );
    await t.invoke(
      build(() => new lib.Command({ goto: { node: "b", args: { z: 1 } } })),
      { log: ["i"] },
    );
    await t.invoke(
      build(() => new lib.Command({ goto: [plain, "b"] })),
      { log: ["i"] },
    );
    // What a condition returns that is no node Weft refuses (tests/js/refused-early.test.mjs).
  },
);

for (const how of ["node", "call"])
  for (const names of [
    ["x", "W", "b"],
    ["a", "b"],
  ])
    for (const waits of [-1, 1]) {
      fact(
        "10.6",
        `questions side by side inside are all the task's: ${names} as ${how}, ${waits < 0 ? "at once" : "the last one first"}`,
        inTime(async (lib, t) => {
          t.around.add("p");
          const builder = new lib.StateGraph(logState(lib));
          for (const [i, name] of names.entries()) {
            const late = async () => {
              await pause((names.length - i) * 5);
              return { log: [lib.interrupt(name)] };
            };
            builder
              .addNode(name, waits < 0 ? () => ({ log: [lib.interrupt(name)] }) : late)
              .addEdge(lib.START, name);
          }
          const inner = builder.compile();
          const outer = new lib.StateGraph(logState(lib)).addNode(
            "p",
            how === "node" ? inner : async (_, config) => inner.invoke({ log: [] }, config),
          );
          const graph = outer
            .addEdge(lib.START, "p")
            .compile({ checkpointer: new lib.MemorySaver() });
          await t.stream(
            graph,
            { log: [] },
            thread("s", { streamMode: ["updates", "values"], subgraphs: true }),
          );
          await t.invoke(graph, { log: [] }, thread("i"));
          await t.state(graph, thread("i"));
        }),
      );
    }
