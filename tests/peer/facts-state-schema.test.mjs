// SPDX-License-Identifier: MIT
// StateSchema and its fields: channels, defaults, JSON Schema, what is parsed and what is thrown.
import { z as z3 } from "zod/v3";
import { z } from "zod";
import { fact } from "./harness.mjs";

/** A Standard Schema made by hand. */
function standard(validate, more) {
  return { "~standard": { version: 1, vendor: "hand", validate, ...more } };
}

const json = { jsonSchema: { input: () => ({ type: "in" }), output: () => ({ type: "out" }) } };

function makeState(lib) {
  return new lib.StateSchema({
    a: z.string(),
    d: z.number().default(3),
    r: new lib.ReducedValue(
      z.array(z.string()).default(() => []),
      {
        inputSchema: z.string(),
        reducer: (left, right) => left.concat(right),
        jsonSchemaExtra: { extra: 1 },
      },
    ),
    u: new lib.UntrackedValue(z.string().default("u")),
    bare: new lib.UntrackedValue(),
    t: z
      .string()
      .transform((text) => `${text}!`)
      .optional(),
    later: standard(async (value) => ({ value: `${value}?` }), json),
    s: standard(
      (value) => (value === "bad" ? { issues: [{ message: "is bad", path: [] }] } : { value }),
      json,
    ),
  });
}

function one(lib, args, node) {
  return new lib.StateGraph(...args).addNode("work", node).addEdge("__start__", "work").compile();
}

fact("5.13", "a StateSchema tells its channels, keys and JSON Schemas", async (lib, t) => {
  const state = makeState(lib);
  t.note("keys", [state.getChannelKeys(), state.getAllKeys()]);
  t.note(
    "channels",
    Object.entries(state.getChannels()).map(([key, channel]) => [
      key,
      channel.lc_graph_name,
      channel.initialValueFactory?.(),
    ]),
  );
  t.note("json", [state.getJsonSchema(), state.getInputJsonSchema()]);
  t.note("messages", [
    new lib.StateSchema({ m: lib.MessagesValue }).getJsonSchema(),
    new lib.StateSchema({ m: lib.MessagesValue }).getInputJsonSchema(),
  ]);
  t.note(
    "extra only",
    new lib.StateSchema({
      k: new lib.ReducedValue(
        standard((value) => ({ issues: [value] })),
        { reducer: (a) => a, jsonSchemaExtra: { k: 1 } },
      ),
    }).getJsonSchema(),
  );
  t.note(
    "not printable",
    new lib.StateSchema({ date: z.date(), custom: z.custom(), zod3: z3.string() }).getJsonSchema(),
  );
  for (const fields of [{ a: 5 }, { a: {} }, { a: null }, { a: state }, { a: lib.Annotation() }])
    await t.try("bad field", () => Object.keys(new lib.StateSchema(fields).getChannels()));
  const reduced = new lib.ReducedValue(z.string(), { reducer: (left) => left });
  t.note("reduced", [
    Object.keys(reduced),
    reduced.inputSchema === reduced.valueSchema,
    lib.ReducedValue.isInstance(reduced),
    lib.ReducedValue.isInstance({}),
    lib.ReducedValue.isInstance(null),
  ]);
  const untracked = new lib.UntrackedValue(z.string(), { guard: false });
  t.note("untracked", [
    Object.keys(untracked),
    untracked.guard,
    new lib.UntrackedValue().guard,
    lib.UntrackedValue.isInstance(untracked),
    lib.UntrackedValue.isInstance(reduced),
  ]);
  t.note("schema", [
    Object.keys(state),
    lib.StateSchema.isInstance(state),
    lib.StateSchema.isInstance({}),
  ]);
});

fact("5.14", "validateInput parses what is there", async (lib, t) => {
  const state = makeState(lib);
  const inputs = [
    { a: "x", other: 1, r: "q", later: "1" },
    { a: 5 },
    { r: 5 },
    null,
    "x",
    [1],
    { r: new lib.Overwrite(["z"]) },
    { r: { __overwrite__: ["z"] } },
    { s: "bad" },
    { s: "bad", a: 5 },
    { a: undefined },
    { d: undefined },
  ];
  for (const input of inputs) await t.try("validateInput", () => state.validateInput(input));
});

fact("5.14", "StateSchema: input and updates, good and bad", async (lib, t) => {
  const state = makeState(lib);
  const graph = one(lib, [state], (seen) => void t.note("seen", seen));
  const inputs = [
    { a: "x", r: "p", t: "t", later: "z", s: "ok", other: 1 },
    {},
    { a: 1 },
    { r: ["x"] },
    "x",
    { s: "bad" },
    { r: new lib.Overwrite(["o"]) },
    { r: { __overwrite__: ["o"] } },
    { r: { type: "__overwrite__", value: ["o"] } },
    { u: 5 },
    { a: undefined, d: undefined },
  ];
  for (const input of inputs) await t.invoke(graph, input);
  for (const update of [
    { a: 5 },
    [
      ["r", "s"],
      ["t", "T"],
    ],
    { r: new lib.Overwrite(["q"]) },
  ])
    await t.invoke(graph, new lib.Command({ update, goto: "work" }));
  const returns = [
    { a: 5 },
    { r: "x" },
    { r: 5 },
    { r: new lib.Overwrite(["k"]) },
    { r: new lib.Overwrite(7) },
    { r: { __overwrite__: ["k"] } },
    { r: { type: "__overwrite__", value: ["k"] } },
    { other: 1 },
    { t: "T" },
    { later: "A" },
    { s: "bad" },
    { u: 7 },
    { a: undefined },
    { d: undefined },
    new lib.Command({ update: { a: 5 } }),
    new lib.Command({ update: [["a", 5]] }),
    { a: new lib.Overwrite("v") },
  ];
  for (const value of returns)
    await t.invoke(
      one(lib, [state], () => value),
      { r: "i" },
    );
  const input = new lib.StateSchema({ a: z.string(), x: z.string().default("x") });
  for (const given of [{ a: "q" }, { x: "q" }, { x: 5 }, { d: 1 }])
    await t.invoke(
      one(lib, [{ state, input }], () => ({ a: "n" })),
      given,
    );
  await t.try("the state as its own input", () => one(lib, [{ state, input: state }], () => ({})));
});

fact(
  "5.14",
  "asynchronous schemas in a row, with streams and conditions after them",
  async (lib, t) => {
    const state = new lib.StateSchema({
      a: standard(async (value) => ({ value: `${value}+` }), json),
      b: standard((value) => ({ value: `${value}-` }), json),
    });
    const graph = new lib.StateGraph(state)
      .addNode("one", () => new lib.Command({ update: { a: 1, b: 2 }, goto: "two" }), {
        ends: ["two"],
      })
      .addNode("two", async () => ({ b: 5, a: 6 }))
      .addNode("three", () => ({}))
      .addEdge("__start__", "one")
      .addConditionalEdges("two", (values) => (t.note("condition", values), "three"))
      .compile();
    await t.stream(graph, { a: "i" }, { streamMode: ["values", "updates"] });
  },
);
