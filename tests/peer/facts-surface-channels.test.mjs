// SPDX-License-Identifier: MIT
// Channels by themselves: what each makes of scripts of updates, what it saves and is restored to;
// checkpoints of channels; DeltaValue in a graph.
import * as theirs from "@langchain/langgraph/channels";
import { HumanMessage, RemoveMessage } from "@langchain/core/messages";
import * as ours from "weftgraph/channels";
import { z } from "zod";
import { drain, same } from "./surface.mjs";

const over = (value) => ({ __overwrite__: value });
const pick = (t) => (t.isPeer ? theirs : ours);
const AB = ["a", "b"];

const kinds = {
  LastValue: (C) => new C.LastValue(),
  "LastValue with a beginning": (C) => new C.LastValue(() => 7),
  BinaryOperatorAggregate: (C) => new C.BinaryOperatorAggregate((left, right) => left + right),
  "BinaryOperatorAggregate with a beginning": (C) =>
    new C.BinaryOperatorAggregate(
      (left, right) => left.concat(right),
      () => [],
    ),
  EphemeralValue: (C) => new C.EphemeralValue(),
  "EphemeralValue for many": (C) => new C.EphemeralValue(false),
  AnyValue: (C) => new C.AnyValue(),
  Topic: (C) => new C.Topic(),
  "Topic that grows": (C) => new C.Topic({ accumulate: true }),
  "Topic of different ones": (C) => new C.Topic({ unique: true }),
  "Topic of different ones that grows": (C) => new C.Topic({ unique: true, accumulate: true }),
  NamedBarrierValue: (C) => new C.NamedBarrierValue(new Set(AB)),
  NamedBarrierValueAfterFinish: (C) => new C.NamedBarrierValueAfterFinish(new Set(AB)),
  DynamicBarrierValue: (C) => new C.DynamicBarrierValue(),
  LastValueAfterFinish: (C) => new C.LastValueAfterFinish(),
  UntrackedValue: (C) => new C.UntrackedValueChannel(),
  "UntrackedValue for many": (C) => new C.UntrackedValueChannel({ guard: false }),
  "UntrackedValue with a beginning": (C) =>
    new C.UntrackedValueChannel({ initialValueFactory: () => 3 }),
  DeltaChannel: (C) => new C.DeltaChannel((value, writes) => [value, writes].flat(2)),
  "DeltaChannel with a beginning": (C) =>
    new C.DeltaChannel((value, writes) => value + writes.length, {
      initialValueFactory: () => 0,
      snapshotFrequency: 2,
    }),
};
const scripts = {
  values: [
    ["update", [1]],
    ["update", []],
    ["update", [2, 3]],
    ["update", [null]],
  ],
  lists: [
    ["update", [[1, 2]]],
    ["update", [[3], 4]],
    ["update", []],
    ["update", [[1]]],
  ],
  names: [
    ["update", ["a"]],
    ["consume"],
    ["finish"],
    ["update", ["a"]],
    ["update", ["b"]],
    ["finish"],
    ["finish"],
    ["consume"],
    ["update", ["zz"]],
  ],
  replacing: [
    ["update", [1]],
    ["update", [over(5)]],
    ["update", [over(5), 6]],
    ["update", [6, over(7)]],
    ["update", [over(1), over(2)]],
    ["update", [over(null)]],
    ["update", [over([9])]],
  ],
  "replacing at first": [["update", [over(5), 1]]],
  finishing: [
    ["update", [1]],
    ["finish"],
    ["consume"],
    ["update", [2]],
    ["update", []],
    ["finish"],
    ["update", [1, 2]],
  ],
  waiting: [
    ["update", [{ __names: ["x", "y"] }]],
    ["update", ["x"]],
    ["update", ["y"]],
    ["consume"],
    ["update", [{ __names: ["q"] }, { __names: ["r"] }]],
    ["update", ["x"]],
  ],
};

/** What an act gives or throws. */
function outcome(act) {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
const held = (channel) => [
  outcome(() => channel.get()),
  outcome(() => channel.isAvailable()),
  outcome(() => channel.checkpoint()),
];

for (const [kind, make] of Object.entries(kinds)) {
  same(kind, (lib, t) => {
    const C = pick(t);
    t.note("is", [
      make(C).lc_graph_name,
      make(C).lg_is_channel,
      make(C).constructor.name,
      make(C).equals(make(C).fromCheckpoint()),
    ]);
    for (const [label, script] of Object.entries(scripts)) {
      const channel = make(C).fromCheckpoint();
      t.note(label, held(channel));
      for (const [method, values] of script) {
        t.note(`${label}: ${method} ${JSON.stringify(values)}`, [
          outcome(() => channel[method](structuredClone(values))),
          held(channel),
        ]);
        t.note(
          "restored",
          outcome(() => held(make(C).fromCheckpoint(structuredClone(channel.checkpoint())))),
        );
      }
    }
  });
}

const CHECKPOINT = {
  v: 4,
  id: "1efa0000-0000-6000-8000-000000000000",
  ts: "2024-01-01T00:00:00.000Z",
  channel_values: { a: 5, b: [1], x: 1 },
  channel_versions: { a: 1, b: 2 },
  versions_seen: { n: { a: 1 } },
};

same("checkpoints of channels", async (lib, t) => {
  const C = pick(t);
  const channels = () => ({
    a: new C.LastValue(),
    b: new C.Topic({ accumulate: true }),
    c: new C.LastValue(() => 9),
    d: new C.BinaryOperatorAggregate((left, right) => left + right),
  });
  const show = (all) => Object.entries(all).map(([name, channel]) => [name, held(channel)]);
  const live = C.empty(channels(), CHECKPOINT);
  t.note("empty", show(live));
  t.note("restored", show(await C.channelsFromCheckpoint(channels(), CHECKPOINT)));
  live.d.update([4]);
  t.note("made", C.createCheckpoint(CHECKPOINT, live, 7));
  t.note("without channels", C.createCheckpoint(CHECKPOINT, undefined, 7, { id: "mine" }));
  const delta = new C.DeltaChannel((value, writes) => [...value, ...writes], {
    snapshotFrequency: 2,
  }).fromCheckpoint();
  delta.update(["q"]);
  t.note("deltas", [C.isDeltaChannel(delta), C.isDeltaChannel(new C.LastValue())]);
  for (const channelsToSnapshot of [undefined, new Set(["a"])])
    t.note(
      "of deltas",
      C.createCheckpoint(CHECKPOINT, { a: delta }, 7, { channelsToSnapshot }).channel_values.a
        ?.value,
    );
  for (const counters of [
    {},
    { a: [1, 1] },
    { a: [2, 1] },
    { a: [0, 5000] },
    { a: [0, 4999] },
    { z: [9, 9] },
  ])
    t.note("due", [...C.deltaChannelsToSnapshot({ a: delta, b: new C.LastValue() }, counters)]);
  delta.replayWrites([
    ["t", "a", 1],
    ["t", "a", over([7])],
    ["t", "a", 3],
  ]);
  t.note("replayed", held(delta));
  for (const step of [0, 3, 123456789])
    t.note("ids", String(C.exitDeltaTaskId(step, "12345678-1234-1234-1234-123456789012")));
  await t.try("a wrong id", async () =>
    C.exitDeltaTaskId(1, "zz345678-1234-1234-1234-123456789012"),
  );
  for (const snapshotFrequency of [0, 1.5, -1, "x"])
    await t.try(
      "a wrong frequency",
      async () => new C.DeltaChannel((value) => value, { snapshotFrequency }),
    );
});

same("messagesDeltaReducer", async (lib, t) => {
  const x = () => new HumanMessage({ content: "x", id: "1" });
  const cases = [
    [[], [[{ role: "human", content: "a", id: "1" }], { role: "ai", content: "b", id: "2" }]],
    [[x()], [[new HumanMessage({ content: "y", id: "1" })]]],
    [[x()], [[new RemoveMessage({ id: "1" }), new RemoveMessage({ id: "zz" })]]],
    [
      [x()],
      [
        [
          new HumanMessage({ content: "q", id: "2" }),
          new RemoveMessage({ id: "__remove_all__" }),
          new HumanMessage({ content: "r", id: "3" }),
        ],
      ],
    ],
    [[new HumanMessage("no id")], ["text", [new HumanMessage("nor here")]]],
    [[x()], [[new RemoveMessage({ id: "1" })], [new HumanMessage({ content: "again", id: "1" })]]],
  ];
  for (const [messages, writes] of cases)
    await t.try("joined", async () => lib.messagesDeltaReducer(messages, writes));
});

same("DeltaValue in a graph", async (lib, t) => {
  const list = new lib.DeltaValue(
    z.array(z.string()).default(() => ["d"]),
    { reducer: (value, writes) => value.concat(writes.flat()), snapshotFrequency: 3 },
  );
  t.note("is", [
    lib.DeltaValue.isInstance(list),
    lib.DeltaValue.isInstance({}),
    lib.ReducedValue.isInstance(list),
    Object.keys(list).sort(),
    lib.MessagesDeltaValue.jsonSchemaExtra,
  ]);
  const graph = new lib.StateGraph(new lib.StateSchema({ list, messages: lib.MessagesDeltaValue }))
    .addNode("a", () => ({ list: ["a"], messages: [new HumanMessage({ content: "x", id: "1" })] }))
    .addNode("b", () => ({
      list: ["b"],
      messages: [new RemoveMessage({ id: "1" }), new HumanMessage({ content: "y", id: "2" })],
    }))
    .addNode("c", () => ({ list: new lib.Overwrite(["z"]) }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .addEdge("b", "c")
    .compile({ checkpointer: new lib.MemorySaver() });
  const thread = { configurable: { thread_id: "t" } };
  await t.stream(graph, { list: ["in"] }, { ...thread, streamMode: "values" });
  await t.try("state", async () => (await graph.getState(thread)).values);
  await t.invoke(
    graph,
    { list: ["again"], messages: [{ role: "user", content: "q", id: "9" }] },
    thread,
  );
});

same("no channels are due for a snapshot", async (_, t) => {
  for (const channels of [undefined, null, {}, 5])
    for (const counters of [undefined, null, {}])
      t.note(`${channels} ${counters}`, [...pick(t).deltaChannelsToSnapshot(channels, counters)]);
});

same("a Topic's write that waits for a neighbour is shown as it was written", async (lib, t) => {
  for (const value of ["one", ["one"], ["a", "b"], [], [["in"]], undefined]) {
    const state = lib.Annotation.Root({
      topic: () => new (pick(t).Topic)({ accumulate: true }),
      x: lib.Annotation,
    });
    const builder = new lib.StateGraph(state)
      .addNode("a", () => ({ topic: value }))
      .addNode("q", () => ({ x: lib.interrupt("q") }))
      .addEdge("__start__", "a")
      .addEdge("__start__", "q");
    const graph = builder.compile({ checkpointer: new lib.MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke({}, config);
    t.note(
      "waits",
      (await graph.getState(config)).tasks.map(({ result }) => result),
    );
    t.note(
      "resumed",
      await drain(
        graph.stream(new lib.Command({ resume: 1 }), {
          ...config,
          streamMode: ["updates", "tasks", "checkpoints"],
        }),
      ).then((chunks) =>
        chunks.map(([, { result, tasks, a }]) => [result, tasks?.map((task) => task.result), a]),
      ),
    );
    t.note("ended", (await graph.getState(config)).values);
  }
});
