// SPDX-License-Identifier: MIT
// Facts 3 and 4: low-level graphs of channels and nodes, in each kind of channel.
import { RunnableLambda } from "@langchain/core/runnables";
import * as peerChannels from "@langchain/langgraph/channels";
import * as peerPregel from "@langchain/langgraph/pregel";
import * as channels from "weftgraph/channels";
import * as pregel from "weftgraph/pregel";
import { fact, thread } from "./harness.mjs";

const both = { streamMode: ["updates", "values"] };

/** The names of both packages' `channels` and `pregel`. */
function low(t) {
  return t.isPeer ? { ...peerChannels, ...peerPregel } : { ...channels, ...pregel };
}

/** A node that reads a channel and writes what `act` makes of it. */
function node(names, from, act, to, writes) {
  return names.Channel.subscribeTo(from).pipe(act).pipe(names.Channel.writeTo(to, writes));
}

/** A graph that reads `a` and gives `b`. */
function machine(names, nodes, more, options) {
  return new names.Pregel({
    nodes,
    channels: { a: new names.EphemeralValue(), b: new names.LastValue(), ...more },
    inputChannels: "a",
    outputChannels: "b",
    ...options,
  });
}

fact("3.1", "what Channel makes", async (lib, t) => {
  const { Channel } = low(t);
  const show = (one) =>
    t.note("node", [
      one.channels,
      one.triggers,
      one.tags,
      one.writers.length,
      one.kwargs,
      one.metadata,
      one.lc_graph_name,
    ]);
  show(Channel.subscribeTo("a"));
  show(Channel.subscribeTo(["a", "b"]));
  show(Channel.subscribeTo("a", { key: "k", tags: ["x"] }));
  show(Channel.subscribeTo(["a", "b"]).join(["c"]));
  await t.try("key of several", () => Channel.subscribeTo(["a", "b"], { key: "k" }));
  const writer = Channel.writeTo(["x", "y"], { z: (v) => v + 1, q: 5 });
  t.note("writer", [
    writer.name,
    writer.writes.map(({ channel, skipNone, mapper }) => [channel, skipNone, mapper !== undefined]),
  ]);
  const piped = Channel.subscribeTo("a")
    .pipe((x) => x + 1)
    .pipe(writer);
  t.note("piped", [
    piped.writers.length,
    piped.getWriters().map(({ name }) => name),
    piped.pipe((x) => x).writers.length,
  ]);
});

fact("3.1", "what a low-level graph refuses", async (lib, t) => {
  const names = low(t);
  const one = node(names, "a", (x) => x + 1, ["b"]);
  const known = { a: new names.EphemeralValue(), b: new names.LastValue() };
  const make = (fields) => () => {
    new names.Pregel({
      nodes: { one },
      channels: known,
      inputChannels: "a",
      outputChannels: "b",
      ...fields,
    });
  };
  await t.try("no nodes", make({ nodes: {} }));
  await t.try("input", make({ channels: { b: known.b } }));
  await t.try("output", make({ channels: { a: known.a } }));
  await t.try("outputs", make({ outputChannels: ["b", "c"] }));
  await t.try("streamed", make({ streamChannels: ["b", "c"] }));
  await t.try("subscribed", make({ nodes: { one: names.Channel.subscribeTo("zz") } }));
  await t.try("before", make({ interruptBefore: ["q"] }));
  await t.try("after", make({ interruptAfter: ["q"] }));
  await t.try("name", make({ nodes: { __interrupt__: one } }));
  await t.try("function", make({ nodes: { x: () => 1 } }));
  await t.try("tasks", make({ channels: { ...known, __pregel_tasks: new names.LastValue() } }));
});

fact("3.1, 4.3", "one node: every mode", async (lib, t) => {
  const names = low(t);
  const graph = machine(names, { one: node(names, "a", (x) => x + 1, ["b"]) });
  t.note("fields", [
    graph.streamMode,
    graph.streamChannelsList,
    graph.getName(),
    graph.triggerToNodes,
  ]);
  await t.invoke(graph, 1);
  for (const streamMode of ["values", "updates", "tasks"]) await t.stream(graph, 1, { streamMode });
  await t.invoke(graph, 1, { streamMode: "updates" });
  await t.invoke(graph, 1, { outputKeys: ["b"] });
  await t.invoke(graph, null);
});

fact("3.1, 9.3", "several nodes, several inputs and outputs, a saver", async (lib, t) => {
  const names = low(t);
  const nodes = {
    one: node(names, "a", (x) => x + 1, ["b"]),
    two: node(names, "b", (x) => x * 2, ["c"]),
    three: node(names, ["a", "c"], (x) => x, ["d"]),
    four: names.Channel.subscribeTo("c").join(["b"]),
  };
  const graph = machine(
    names,
    nodes,
    { c: new names.LastValue(), d: new names.LastValue() },
    { inputChannels: ["a", "b"], outputChannels: ["c", "d"], checkpointer: new lib.MemorySaver() },
  );
  t.triggers = ["a", "b", "c"];
  await t.stream(graph, { a: 1 }, thread("t", both));
  await t.state(graph, thread("t"));
  await t.history(graph, thread("t"));
  await t.update(graph, thread("t"), 5, "one");
  await t.state(graph, thread("t"));
  await t.stream(graph, null, thread("t", both));
  await t.invoke(graph, 5, thread("u"));
  await t.invoke(graph, {}, thread("u"));
  await t.invoke(graph, new lib.Command({ update: { b: 7 } }), thread("v"));
});

fact("4.1, 4.2, 4.4, 4.9", "kinds of channel in a low-level graph", async (lib, t) => {
  const names = low(t);
  const kinds = {
    last: () => new names.LastValue(),
    any: () => new names.AnyValue(),
    ephemeral: () => new names.EphemeralValue(),
    free: () => new names.EphemeralValue(false),
    sum: () => new names.BinaryOperatorAggregate((x, y) => x + y),
    from: () =>
      new names.BinaryOperatorAggregate(
        (x, y) => x + y,
        () => 100,
      ),
    untracked: () => new names.UntrackedValueChannel({ guard: false }),
    topic: () => new names.Topic(),
    all: () => new names.Topic({ accumulate: true }),
    // The writes of a step go by the ids of their tasks, which are random: equal ones show no
    // order.
    delta: () =>
      new names.DeltaChannel((state, writes) => state.concat(writes.map((write) => typeof write))),
  };
  for (const [kind, make] of Object.entries(kinds)) {
    const nodes = {
      one: node(names, "a", (x) => x, ["c"]),
      two: node(names, "a", (x) => x * 10, ["c"]),
      three: node(names, "c", (x) => x, ["b"]),
      four: node(names, "b", (x) => x, ["d"]),
    };
    const graph = machine(
      names,
      nodes,
      { c: make(), d: new names.LastValue() },
      { checkpointer: new lib.MemorySaver() },
    );
    t.note("kind", kind);
    await t.stream(graph, 1, thread("t", { ...both, recursionLimit: 6 }), {
      sorted: true,
      fallible: true,
    });
    await t.stream(graph, 2, thread("t", { ...both, recursionLimit: 6 }), {
      sorted: true,
      fallible: true,
    });
  }
});

fact(
  "3.1",
  "writers: values, mappers, what is skipped, Sends, channels that are not there",
  async (lib, t) => {
    const names = low(t);
    const cycle = machine(
      names,
      {
        one: node(names, "a", (x) => (x < 5 ? x + 1 : null), ["b"], {
          c: (x) => x,
          d: 7,
          a: (x) => (x === null ? null : x),
        }),
      },
      { a: new names.LastValue(), c: new names.AnyValue(), d: new names.AnyValue() },
    );
    await t.stream(cycle, 1, both);
    await t.invoke(machine(names, { one: node(names, "a", (x) => x, ["nope", "b"]) }), 1);
  },
);

fact(
  "3.1, 9.3",
  "undefined is no input: a cycle ends with it, another channel of the list is not asked",
  async (lib, t) => {
    t.triggers = ["a", "c", "d"];
    const names = low(t);
    const channels = () => ({ c: new names.LastValue(), d: new names.LastValue() });
    const cycle = () => ({
      one: node(names, "a", (x) => x, ["c"]),
      more: node(names, "c", (x) => (x < 3 ? x + 1 : undefined), ["c"]),
      show: node(names, ["c", "d"], (x) => JSON.stringify(x), ["b"]),
    });
    for (const saved of [false, true]) {
      const graph = machine(
        names,
        cycle(),
        channels(),
        saved ? { checkpointer: new lib.MemorySaver() } : {},
      );
      await t.stream(graph, 1, thread("t", { ...both, recursionLimit: 8 }));
      if (saved) await t.history(graph, thread("t"));
    }
    const list = {
      one: node(names, "a", () => undefined, ["c"]),
      show: names.Channel.subscribeTo("c")
        .pipe((x) => [typeof x])
        .pipe(names.Channel.writeTo(["b"])),
    };
    await t.stream(machine(names, list, channels()), 1, both);
  },
);

fact("10.1", "breakpoints of a low-level graph", async (lib, t) => {
  const names = low(t);
  const nodes = {
    one: node(names, "a", (x) => x + 1, ["c"]),
    two: node(names, "c", (x) => x * 2, ["b"]),
  };
  const graph = machine(
    names,
    nodes,
    { c: new names.LastValue() },
    { checkpointer: new lib.MemorySaver(), interruptBefore: ["two"] },
  );
  t.triggers = ["a", "c"];
  await t.stream(graph, 1, thread("t", both));
  await t.state(graph, thread("t"));
  await t.stream(graph, null, thread("t", both));
});

fact("3.2", "the older Graph", async (lib, t) => {
  const graph = new lib.Graph()
    .addNode("a", (x) => x + 1)
    .addNode("b", (x) => x * 2)
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .addEdge("b", lib.END);
  const compiled = graph.compile();
  await t.invoke(compiled, 3);
  for (const streamMode of ["values", "updates", "tasks"])
    await t.stream(compiled, 3, { streamMode });
  await t.stream(compiled, 3);
  t.note("parts", [
    Object.keys(compiled.nodes),
    Object.keys(compiled.channels).sort(),
    compiled.streamChannels,
  ]);
  await t.try("two edges", () => graph.addEdge("a", lib.END));
  await t.try("twice", () => graph.addNode("a", (x) => x));
  await t.try("unknown", () =>
    new lib.Graph()
      .addNode("a", (x) => x)
      .addEdge(lib.START, "z")
      .compile(),
  );
});

fact("3.2", "MessageGraph", async (lib, t) => {
  const graph = new lib.MessageGraph()
    .addNode("bot", () => ({ role: "ai", content: "hi", id: "1" }))
    .addEdge(lib.START, "bot")
    .addEdge("bot", lib.END)
    .compile();
  await t.invoke(graph, [{ role: "user", content: "x", id: "0" }]);
  await t.invoke(graph, { role: "user", content: "x", id: "0" });
  await t.stream(graph, [{ role: "user", content: "x", id: "0" }], both);
});

fact("3.1", "an update as a node that writes nothing", async (lib, t) => {
  const names = low(t);
  const silent = names.Channel.subscribeTo("a").pipe((x) => x);
  const graph = machine(
    names,
    { silent, loud: node(names, "a", (x) => x, ["b"]) },
    {},
    { checkpointer: new lib.MemorySaver() },
  );
  for (const asNode of ["silent", "loud"])
    for (const values of [1, null, undefined]) await t.update(graph, thread("t"), values, asNode);
  await t.try("both", () =>
    graph.bulkUpdateState(thread("t"), [
      {
        updates: [
          { values: 1, asNode: "loud" },
          { values: 2, asNode: "silent" },
        ],
      },
    ]),
  );
  await t.state(graph, thread("t"));
});

fact("4.8, 4.11", "a LastValueAfterFinish is gone once it has triggered", async (lib, t) => {
  const names = low(t);
  const nodes = {
    one: node(names, "a", (x) => x + 1, ["b"]),
    two: node(names, "b", (x) => [x], ["c"]),
  };
  const graph = machine(
    names,
    nodes,
    { b: new names.LastValueAfterFinish(), c: new names.LastValue() },
    { outputChannels: ["b", "c"], checkpointer: new lib.MemorySaver() },
  );
  t.triggers = ["a", "b"];
  for (const input of [1, 2]) await t.stream(graph, input, thread("t", both));
  await t.state(graph, thread("t"));
  await t.history(graph, thread("t"));
});

fact(
  "4.3",
  "a call gives what its last step showed, also where a later one empties it",
  async (lib, t) => {
    const names = low(t);
    const kinds = {
      topic: () => new names.Topic(),
      ephemeral: () => new names.EphemeralValue(),
      any: () => new names.AnyValue(),
      last: () => new names.LastValue(),
    };
    for (const [label, make] of Object.entries(kinds)) {
      for (const outputChannels of ["c", ["c"], ["b", "c"]]) {
        const graph = machine(
          names,
          {
            one: node(names, "a", (x) => x + 1, ["c"]),
            two: names.Channel.subscribeTo("c").pipe(() => 1),
          },
          { c: make() },
          { outputChannels },
        );
        await t.try(label, () => graph.invoke(1));
        await t.try(`${label} by key`, () => graph.invoke(1, { outputKeys: "c" }));
      }
      const state = lib.Annotation.Root({ x: lib.Annotation, e: make });
      const graph = new lib.StateGraph(state)
        .addNode("a", () => ({ e: 5 }))
        .addNode("b", () => ({}))
        .addEdge(lib.START, "a")
        .addEdge("a", "b")
        .compile();
      await t.try(`${label} of a state`, () => graph.invoke({ x: 0 }));
    }
  },
);

fact(
  "4.3, 10.9",
  "a call whose outputs a step may empty gives all that is asked, and the values beside it",
  async (lib, t) => {
    const names = low(t);
    const ask = (what) => async (x) => [x, lib.interrupt(what)];
    for (const kind of ["EphemeralValue", "Topic", "LastValue"]) {
      const channel = () => new names[kind]();
      for (const outputChannels of [["b", "c"], "c"]) {
        const nodes = {
          one: node(names, "a", ask("?1"), ["b"]),
          two: node(names, "a", ask("?2"), ["b"]),
          three: node(names, "c", (x) => `${x}!`, ["b"]),
        };
        const graph = machine(
          names,
          nodes,
          { c: channel() },
          { inputChannels: ["a", "c"], outputChannels, checkpointer: new lib.MemorySaver() },
        );
        await t.invoke(graph, { a: "a" }, thread("t"));
        await t.invoke(graph, new lib.Command({ update: { c: "up" } }), thread("t"));
        await t.invoke(graph, { a: "a", c: "c" }, thread("u"));
        const steps = {
          one: node(names, "a", (x) => x + 1, ["c"]),
          two: node(names, "c", (x) => x + 2, ["b"]),
        };
        const stops = machine(
          names,
          steps,
          { c: channel() },
          { outputChannels, interruptBefore: ["two"], checkpointer: new lib.MemorySaver() },
        );
        for (const input of ["i", null]) await t.invoke(stops, input, thread("t"));
      }
      const state = lib.Annotation.Root({ e: channel, x: lib.Annotation });
      const builder = new lib.StateGraph(state)
        .addNode("a", () => ({ e: "E" }))
        .addEdge(lib.START, "a");
      for (const name of ["b", "c"])
        builder.addNode(name, async () => ({ e: lib.interrupt(name) })).addEdge("a", name);
      await t.invoke(
        builder.compile({ checkpointer: new lib.MemorySaver() }),
        { x: 1 },
        thread("t"),
      );
    }
  },
);

fact("3.1", "what a writer refuses", async (lib, t) => {
  const names = low(t);
  const ChannelWrite = names.Channel.writeTo(["a"]).constructor;
  const entries = {
    "a Send": new lib.Send("two", 7),
    "a Send to nobody": new lib.Send("zz", 7),
    "a Send to the end": new lib.Send("__end__", 7),
    "the Sends' channel": { channel: "__pregel_tasks", value: 1 },
    "no entry": { value: 1 },
    "a plain Send": { lg_name: "Send", node: "two", args: 1 },
  };
  for (const [label, entry] of Object.entries(entries)) {
    const one = names.Channel.subscribeTo("a")
      .pipe((x) => x)
      .pipe(new ChannelWrite([entry]));
    const graph = machine(
      names,
      { one, two: node(names, "c", (x) => x + 1, ["b"]) },
      { c: new names.LastValue() },
    );
    await t.try(label, () => graph.invoke(1));
  }
});

fact(
  "3.1",
  "what a ChannelWrite writes inside a node's Runnable is shown with what the node gives",
  async (lib, t) => {
    const names = low(t);
    const write = names.Channel.writeTo([], { b: "written" });
    const bounds = {
      "its first step": write,
      "a step": RunnableLambda.from((x) => x + 1)
        .pipe(write)
        .pipe(RunnableLambda.from((x) => x + 1)),
      "called by it": RunnableLambda.from(
        async (x, config) => (await write.invoke(x, config), x + 1),
      ),
    };
    for (const bound of Object.values(bounds)) {
      const one = names.Channel.subscribeTo("a")
        .pipe(bound)
        .pipe(names.Channel.writeTo(["c"]));
      const graph = machine(
        names,
        { one },
        { c: new names.LastValue() },
        { outputChannels: ["b", "c"] },
      );
      for (const streamMode of ["updates", "tasks", "debug"])
        await t.stream(graph, 1, { streamMode });
    }
    const State = lib.Annotation.Root({
      x: lib.Annotation(),
      y: lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
    });
    const add = names.Channel.writeTo([], { y: ["w"] });
    const nodes = {
      once: async (state, config) => (await add.invoke(state, config), { x: 1 }),
      "beside its own": async (state, config) => (await add.invoke(state, config), { y: ["own"] }),
      alone: async (state, config) => void (await add.invoke(state, config)),
    };
    for (const run of Object.values(nodes)) {
      const graph = new lib.StateGraph(State).addNode("n", run).addEdge(lib.START, "n").compile();
      for (const streamMode of ["updates", "tasks", "debug"])
        await t.stream(graph, { x: 0 }, { streamMode });
    }
  },
);
