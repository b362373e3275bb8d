// SPDX-License-Identifier: MIT
// State definitions: the forms of a StateGraph's arguments, zod of every version, StateSchema,
// context; what is parsed, when, and what is thrown.
import { z as z3 } from "zod/v3";
import { z } from "zod";
import * as mini from "zod/mini";
import { fact, thread } from "./harness.mjs";

/** A graph of one node. */
function one(lib, args, node) {
  return new lib.StateGraph(...args).addNode("work", node).addEdge("__start__", "work").compile();
}

/** A Standard Schema made by hand. */
function standard(validate, jsonSchema) {
  return { "~standard": { version: 1, vendor: "hand", validate, ...jsonSchema } };
}

fact("5.13", "the forms of a StateGraph's arguments", async (lib, t) => {
  const A = lib.Annotation.Root({ a: lib.Annotation(), b: lib.Annotation() });
  const B = lib.Annotation.Root({ b: lib.Annotation() });
  const context = z.object({ user: z.string() });
  const forms = {
    nothing: [undefined],
    null: [null],
    empty: [{}],
    number: [1],
    string: ["x"],
    list: [[]],
    field: [z.string()],
    root: [A],
    spec: [A.spec],
    made: [{ a: () => lib.Annotation() }],
    state: [{ state: A }],
    stateSchema: [{ stateSchema: A }],
    input: [{ input: A }],
    inputOutput: [{ input: A, output: B }],
    outputOnly: [{ output: B }],
    noState: [{ state: undefined }],
    twoStates: [{ state: A, stateSchema: B }],
    options: [A, { input: B }],
    allOptions: [A, { input: B, output: B }],
    channels: [{ channels: { a: null, b: { value: (_, right) => right, default: () => 1 } } }],
    nodes: [{ state: A, nodes: ["work"] }],
    noChannels: [{ channels: {} }],
    channelList: [{ channels: [] }],
    channelsNull: [{ channels: null }],
    noKinds: [{ channels: undefined }],
    channelsBeside: [{ channels: {}, stateSchema: A }],
    channelsAndInput: [{ channels: { c: null }, input: A }],
    channelsNullBeside: [{ channels: null, state: A }],
    channelsAndNull: [{ channels: { a: null }, input: null }],
    inputNull: [A, { input: null }],
    outputNull: [{ stateSchema: A, output: null }],
    inputSchema: [{ state: A, inputSchema: B }],
    outputSchema: [{ state: A, outputSchema: B }],
    contextSecond: [A, context],
    contextRoot: [A, A],
    context: [{ state: A, context }],
    context3: [{ state: A, context: z3.object({ user: z3.string() }) }],
    zod: [z.object({ a: z.string().optional() })],
    zod3: [z3.object({ a: z3.string().optional() })],
    mini: [mini.object({ a: mini.optional(mini.string()) })],
    schema: [new lib.StateSchema({ a: z.string().optional() })],
    emptySchema: [new lib.StateSchema({})],
    emptyZod: [z.object({})],
    emptyRoot: [lib.Annotation.Root({})],
    standard: [standard((value) => ({ value }))],
  };
  for (const [name, args] of Object.entries(forms)) {
    await t.try(name, async () => {
      const builder = new lib.StateGraph(...args);
      const graph = builder
        .addNode("work", () => ({ a: "x", other: 1 }))
        .addEdge("__start__", "work")
        .compile();
      return {
        keys: Object.keys(builder.channels),
        output: await graph.invoke({ a: "i", b: "j" }, { context: { user: "u" } }),
      };
    });
  }
});

fact("5.13", "one key in two schemas: kinds and reducers", async (lib, t) => {
  const reducer = (left, right) => [left, right];
  const kinds = {
    last: () => lib.Annotation(),
    reduced: () => lib.Annotation({ reducer, default: () => 1 }),
    other: () => lib.Annotation({ reducer: (left, right) => [left, right] }),
    bare: () => lib.Annotation({ reducer }),
  };
  const o = lib.Annotation();
  for (const [first, makeFirst] of Object.entries(kinds)) {
    for (const [second, makeSecond] of Object.entries(kinds)) {
      const again = lib.Annotation.Root({ k: makeSecond() });
      await t.try(
        `${first}, ${second} as input`,
        () =>
          new lib.StateGraph({ state: lib.Annotation.Root({ k: makeFirst(), o }), input: again })
            .channels.k.lc_graph_name,
      );
      await t.try(
        `${first}, ${second} of a node`,
        () =>
          new lib.StateGraph(lib.Annotation.Root({ k: makeFirst(), o })).addNode(
            "work",
            () => ({}),
            { input: again },
          ).channels.k.lc_graph_name,
      );
    }
  }
});

for (const [version, Z] of [
  ["4", z],
  ["3", z3],
]) {
  fact("5.14", `zod ${version}: input and updates, good and bad`, async (lib, t) => {
    const state = Z.object({
      a: Z.string(),
      n: Z.number().default(3),
      o: Z.string().optional(),
      c: Z.coerce.number().optional(),
    });
    const graph = one(lib, [state], (seen) => {
      t.note("seen", seen);
      return { a: `${seen.a}!`, c: "7" };
    });
    for (const input of [
      { a: "x" },
      { a: 1 },
      {},
      { n: 4 },
      { a: "x", other: 1 },
      "x",
      [],
      [["a", "q"]],
      null,
      0,
    ])
      await t.invoke(graph, input);
    for (const update of [{ a: "y" }, { a: 5 }, [["a", 5]], [["a", "k"]], { a: "x", other: 1 }])
      await t.invoke(graph, new lib.Command({ update, goto: "work" }));
    const returns = [
      { a: 5 },
      new lib.Command({ update: { a: 5 } }),
      new lib.Command({ update: [["a", 5]] }),
      [new lib.Command({ update: { c: "5" } }), { a: 9 }],
      { other: 9, a: undefined },
      { a: null },
      { n: undefined },
      { a: new lib.Overwrite("o") },
      { a: new lib.Overwrite(5) },
    ];
    for (const value of returns)
      await t.invoke(
        one(lib, [state], () => value),
        { a: "x" },
      );
    await t.try("a stream of bad input", async () => void (await graph.stream({ a: 5 })));
  });

  fact("5.14", `zod ${version}: what is parsed, and how often`, async (lib, t) => {
    const seen = [];
    const spy = (name) => Z.any().transform((value) => (seen.push([name, value]), value));
    const state = Z.object({ a: spy("a"), b: spy("b").optional() });
    const input = Z.object({ a: spy("input a"), x: spy("input x") });
    const own = Z.object({ a: spy("own a"), p: spy("own p") });
    for (const [name, args] of [
      ["one", [state]],
      ["two", [{ state, input }]],
      ["three", [{ state, output: Z.object({ b: Z.any() }) }]],
    ]) {
      const graph = new lib.StateGraph(...args)
        .addNode("n1", (values) => (seen.push(["n1", values]), { a: 2, p: 3, x: 4, other: 5 }))
        .addNode(
          "n2",
          (values) => (seen.push(["n2", values]), new lib.Command({ update: { b: 6 } })),
          { input: own },
        )
        .addNode(
          "n3",
          (values) => (
            seen.push(["n3", values]),
            new lib.Command({
              update: [
                ["b", 7],
                ["x", 8],
              ],
            })
          ),
        )
        .addEdge("__start__", "n1")
        .addEdge("n1", "n2")
        .addEdge("n2", "n3")
        .compile({ checkpointer: new lib.MemorySaver() });
      const config = thread(name);
      await t.invoke(graph, { a: 1, x: 9, other: 3 }, config);
      t.note("run", seen.splice(0));
      await t.history(graph, config);
      await t.invoke(graph, new lib.Command({ update: { a: 11, x: 12 }, goto: "n3" }), config);
      t.note("command", seen.splice(0));
      await t.update(graph, config, { a: 20, x: 21, p: 22 }, "n1");
      t.note("update", seen.splice(0));
      await t.state(graph, config);
    }
  });

  fact(
    "5.14",
    `zod ${version}: strict, open and transformed objects, an input of its own`,
    async (lib, t) => {
      const field = Z.string();
      const shapes = {
        strict: Z.object({ a: field, d: Z.string().default("d") }).strict(),
        open: Z.object({ a: field }).passthrough(),
        plain: Z.object({ a: field }),
        catchall: Z.object({ a: field }).catchall(Z.number()),
        refined: Z.object({ a: field }).refine((value) => value.a !== "x", "no x"),
        transformed: Z.object({ a: field.transform((text) => text.length) }),
        caught: Z.object({ a: field.catch("caught") }),
        nullable: Z.object({ a: field.nullable() }),
        nested: Z.object({ a: Z.object({ b: field, c: Z.number().default(1) }) }),
        choice: Z.object({ a: Z.enum(["x", "later"]) }),
      };
      for (const [name, shape] of Object.entries(shapes)) {
        for (const args of [
          [shape],
          [{ state: shape, input: shape }],
          [{ input: shape, output: Z.object({ b: Z.any() }) }],
        ]) {
          await t.try(name, async () => {
            const graph = one(lib, args, (seen) => (t.note("seen", seen), { a: "later", q: 1 }));
            for (const input of [
              { a: "x" },
              { a: "x", q: 1 },
              { a: "x", q: "s" },
              {},
              { a: null },
              { a: { b: "x" } },
              0,
              "",
            ])
              await t.invoke(graph, input);
          });
        }
      }
    },
  );

  fact("19.3", `zod ${version}: context is checked and handed over as it was`, async (lib, t) => {
    const context = Z.object({
      user: Z.string(),
      d: Z.string().default("d"),
      n: Z.coerce.number().optional(),
    });
    for (const args of [
      [lib.MessagesAnnotation, context],
      [{ state: lib.MessagesAnnotation, context }],
      [lib.MessagesAnnotation, { context }],
    ]) {
      const graph = one(
        lib,
        args,
        (_, config) => void t.note("context", [config.context, config.configurable?.user]),
      );
      const configs = [
        undefined,
        {},
        { context: { user: "x" } },
        { context: { user: 5, n: "7" } },
        { context: { user: "x", other: 1, n: "7" } },
      ];
      const others = [
        { configurable: { user: "c" } },
        { configurable: { user: 5 } },
        { context: { user: "x" }, configurable: { user: "y" } },
        { context: null },
        { context: "x" },
      ];
      for (const config of [...configs, ...others]) await t.invoke(graph, { messages: [] }, config);
    }
  });
}

fact("19.3", "contexts of other kinds are not checked", async (lib, t) => {
  const kinds = {
    root: lib.Annotation.Root({ user: lib.Annotation() }),
    schema: new lib.StateSchema({ user: z.string() }),
    standard: standard(() => ({ issues: [{ message: "no" }] })),
  };
  for (const context of Object.values(kinds)) {
    const graph = one(
      lib,
      [{ state: lib.Annotation.Root({ a: lib.Annotation() }), context }],
      (_, config) => void t.note("context", config.context),
    );
    for (const given of [undefined, { user: 5 }, null, "x"])
      await t.invoke(graph, { a: 1 }, { context: given });
  }
});

fact("5.14", "a zod mini state", async (lib, t) => {
  const state = mini.object({ a: mini.string(), d: mini._default(mini.number(), 4) });
  const graph = one(lib, [state], (seen) => ({ a: `${seen.a}!` }));
  for (const input of [{ a: "x" }, { a: 5 }, {}, { d: 1 }]) await t.invoke(graph, input);
  await t.invoke(
    one(lib, [state], () => ({ a: 5 })),
    { a: "x" },
  );
});
