// SPDX-License-Identifier: MIT
// Facts 4.1 to 4.13: the channel classes by themselves, outside of any graph.
import * as peerChannels from "@langchain/langgraph/channels";
import * as channels from "weftgraph/channels";
import { fact } from "./harness.mjs";

/** Every channel by itself: each step's writes, and what is to be seen of it after each verb. */
function exercise(C, note) {
  const tryIt = (label, f) => {
    try {
      note(label, f());
    } catch (e) {
      note(label + " threw", [e.name, e.message, e.lc_error_code]);
    }
  };
  const look = (label, c) => {
    tryIt(`${label} available`, () => c.isAvailable());
    tryIt(`${label} get`, () => c.get());
    tryIt(`${label} checkpoint`, () => c.checkpoint());
  };
  const O = (v) => new C.Overwrite(v);
  const makers = {
    LastValue: () => new C.LastValue(),
    LastValueInit: () => new C.LastValue(() => 7),
    Binop: () => new C.BinaryOperatorAggregate((a, b) => a + b),
    BinopInit: () =>
      new C.BinaryOperatorAggregate(
        (a, b) => a + b,
        () => 10,
      ),
    Ephemeral: () => new C.EphemeralValue(),
    EphemeralFree: () => new C.EphemeralValue(false),
    Any: () => new C.AnyValue(),
    Topic: () => new C.Topic(),
    TopicAcc: () => new C.Topic({ accumulate: true }),
    TopicUnique: () => new C.Topic({ unique: true }),
    TopicBoth: () => new C.Topic({ unique: true, accumulate: true }),
    Named: () => new C.NamedBarrierValue(new Set([1, 2])),
    NamedAfter: () => new C.NamedBarrierValueAfterFinish(new Set([1, 2])),
    LastAfter: () => new C.LastValueAfterFinish(),
    Dynamic: () => new C.DynamicBarrierValue(),
    Untracked: () => new C.UntrackedValueChannel(),
    UntrackedFree: () =>
      new C.UntrackedValueChannel({ guard: false, initialValueFactory: () => 3 }),
  };
  const steps = [
    [],
    [1],
    [2],
    [1, 2],
    [],
    [[1, 2], 2],
    [9],
    [undefined],
    [null],
    [2, 1],
    [O(5)],
    [O(1), 2],
    [1, O(2), 3],
    [O(1), O(2)],
    [{ __names: [1, 2] }],
    [1],
    [2],
    [{ __names: new Set([3]) }, 4],
    [{ __names: [1] }, { __names: [2] }],
    [{ __overwrite__: 4 }],
    [{ type: "__overwrite__", value: 6 }],
  ];
  for (const [name, make] of Object.entries(makers)) {
    tryIt(`${name} name`, () => [
      make().lc_graph_name,
      make().lg_is_channel,
      make() instanceof C.BaseChannel,
    ]);
    const channel = make();
    look(name, channel);
    steps.forEach((values, n) => {
      tryIt(`${name} ${n} update`, () => channel.update(values));
      look(`${name} ${n}`, channel);
      if (n % 2) {
        tryIt(`${name} ${n} finish`, () => channel.finish());
        look(`${name} ${n} finished`, channel);
      }
      tryIt(`${name} ${n} consume`, () => channel.consume());
      look(`${name} ${n} consumed`, channel);
    });
    for (const values of [[1], [1, 2], [[3]]]) {
      tryIt(`${name} restored ${JSON.stringify(values)}`, () => {
        const a = make();
        a.update(values);
        const b = a.fromCheckpoint(a.checkpoint());
        look(`${name} from`, b);
        note("same", b === a);
        b.update([2]);
        look(`${name} from changed`, b);
        look(`${name} origin`, a);
        return b.lc_graph_name;
      });
    }
    tryIt(`${name} empty`, () => {
      const b = make().fromCheckpoint();
      look(`${name} fresh`, b);
      return b.lc_graph_name;
    });
    tryIt(`${name} null`, () => {
      const b = make().fromCheckpoint(null);
      look(`${name} from null`, b);
      return b.lc_graph_name;
    });
    for (const other of Object.keys(makers))
      tryIt(`${name} equals ${other}`, () => make().equals(makers[other]()));
    tryIt(`${name} equals itself`, () => {
      const c = make();
      return c.equals(c);
    });
  }
}

fact("4.4, 4.5, 4.6, 4.7, 4.8, 4.11, 4.12, 4.13, 4.14", "channels by themselves", (lib, t) => {
  exercise({ ...lib, ...(t.isPeer ? peerChannels : channels) }, (label, value) =>
    t.note(label, value),
  );
});

fact("4.10", "a DeltaChannel by itself", async (lib, t) => {
  const { DeltaChannel, Overwrite } = lib;
  const join = (state, writes) => state.concat(...writes);
  const channel = new DeltaChannel(join);
  const look = () =>
    t.note("looks", [
      channel.isAvailable(),
      channel.isAvailable() && channel.get(),
      String(channel.checkpoint()),
    ]);
  for (const writes of [
    [],
    [[1], [2]],
    [[5], new Overwrite([9]), [6]],
    [new Overwrite(null)],
    [[3]],
  ]) {
    t.note("update", channel.update(writes));
    look();
  }
  await t.try("two", () => channel.update([new Overwrite([1]), new Overwrite([2])]));
  for (const snapshotFrequency of [0, -1, 1.5])
    await t.try("frequency", () => void new DeltaChannel(join, { snapshotFrequency }));
  const replayed = channel.fromCheckpoint([1]);
  replayed.replayWrites([
    ["t", "c", [2]],
    ["t", "c", new Overwrite([7])],
    ["t", "c", [8]],
  ]);
  t.note("replayed", [
    replayed.get(),
    channel.fromCheckpoint().get(),
    new DeltaChannel(join).equals(new DeltaChannel(join)),
    new DeltaChannel(join).equals(channel.fromCheckpoint()),
  ]);
});

fact("4.10", "messages joined all at once", (lib, t) => {
  const { HumanMessage, RemoveMessage, messagesDeltaReducer, REMOVE_ALL_MESSAGES } = lib;
  const human = (content, id) => new HumanMessage({ content, id });
  const gone = (id) => new RemoveMessage({ id });
  const two = [human("a", "1"), human("b", "2")];
  const writes = [
    [[human("A", "1"), human("c", "3")]],
    [gone("2"), gone("none"), human("d")],
    [[gone(REMOVE_ALL_MESSAGES), human("n", "9")]],
    [{ role: "user", content: "x" }, "text"],
    [gone("1"), human("again", "1")],
    [],
  ];
  for (const list of writes) t.note("joined", messagesDeltaReducer(two, list));
});

fact("4.10", "a DeltaChannel in a StateGraph", async (lib, t) => {
  const state = lib.Annotation.Root({
    log: () => new lib.DeltaChannel((log, writes) => log.concat(`${writes.length} writes`)),
  });
  const graph = new lib.StateGraph(state)
    .addNode("a", () => ({ log: "a" }))
    .addNode("b", () => ({ log: "b" }))
    .addNode("c", () => ({ log: new lib.Overwrite(["new"]) }))
    .addEdge(lib.START, "a")
    .addEdge(lib.START, "b")
    .addEdge(["a", "b"], "c")
    .compile();
  await t.stream(graph, { log: "in" }, { streamMode: "values" });
});
