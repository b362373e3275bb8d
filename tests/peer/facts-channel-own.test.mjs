// SPDX-License-Identifier: MIT
// Facts 4.5 to 4.8, 4.11, 4.12, 8.5, 8.6 with channels whose class says itself how they are
// updated, read and saved: one's own, unique topics, barriers, also of LangGraph.js's classes; in
// StateGraphs and in low-level graphs.
import * as peerChannels from "@langchain/langgraph/channels";
import * as peerPregel from "@langchain/langgraph/pregel";
import { MemorySaver } from "@langchain/langgraph";
import * as channels from "weftgraph/channels";
import * as pregel from "weftgraph/pregel";
import { fact, logState, thread } from "./harness.mjs";

const classes = (t) => (t.isPeer ? peerChannels : channels);

/**
 * Own classes: the greatest value, one that counts the steps it sees, one that is read once and at
 * the end.
 */
function own({ BaseChannel }, lib) {
  class Max extends BaseChannel {
    lc_graph_name = "Max";
    fromCheckpoint(saved) {
      const made = new Max();
      made.value = saved;
      return made;
    }
    update(values) {
      if (values.includes("bad")) throw new lib.InvalidUpdateError("not a number");
      if (values.includes("worse")) throw new TypeError("no number at all");
      if (values.length === 0) return false;
      const before = this.value;
      this.value = Math.max(before ?? -Infinity, ...values);
      return this.value !== before;
    }
    get() {
      if (this.value === undefined) throw new lib.EmptyChannelError();
      return this.value;
    }
    checkpoint() {
      return this.get();
    }
  }
  class Steps extends BaseChannel {
    lc_graph_name = "Steps";
    count = 0;
    fromCheckpoint(saved) {
      const made = new Steps();
      made.count = saved ?? 0;
      return made;
    }
    update(values) {
      this.count += values.length === 0 ? 1 : 100 * values.length;
      return true;
    }
    get() {
      return { steps: this.count };
    }
    checkpoint() {
      return this.count;
    }
  }
  class Once extends BaseChannel {
    lc_graph_name = "Once";
    state = ["", "empty"];
    fromCheckpoint(saved) {
      const made = new Once();
      if (saved !== undefined) made.state = saved;
      return made;
    }
    update(values) {
      if (values.length === 0) return false;
      this.state = [values.join("+"), "waits"];
      return true;
    }
    get() {
      if (!this.isAvailable()) throw new lib.EmptyChannelError();
      return this.state[0];
    }
    isAvailable() {
      return this.state[1] === "there";
    }
    consume() {
      if (!this.isAvailable()) return false;
      this.state = ["", "consumed"];
      return true;
    }
    finish() {
      if (this.state[1] !== "waits") return false;
      this.state = [this.state[0], "there"];
      return true;
    }
    checkpoint() {
      return this.state;
    }
  }
  return { Max, Steps, Once };
}

function fields(C, lib) {
  const { Max, Steps, Once } = own(C, lib);
  return {
    max: () => new Max(),
    steps: () => new Steps(),
    once: () => new Once(),
    seen: () => new C.Topic({ unique: true, accumulate: true }),
    turn: () => new C.Topic({ unique: true }),
    both: () => new C.NamedBarrierValue(new Set(["a", "b"])),
    after: () => new C.NamedBarrierValueAfterFinish(new Set(["a", "b"])),
    last: () => new C.LastValueAfterFinish(),
    wait: () => new C.DynamicBarrierValue(),
  };
}

async function useState(lib, t, C, saver) {
  const state = logState(lib, fields(C, lib));
  const show = (name) => (given) => [
    name,
    Object.keys(given).sort().join(),
    given.max,
    given.steps,
    given.seen?.slice(),
    given.turn?.slice(),
  ];
  const a = (given) => ({
    log: [show("a")(given)],
    max: 3,
    seen: ["x", "y"],
    turn: "p",
    both: "a",
    after: "a",
    last: 1,
    once: "o",
    wait: { __names: ["k"] },
  });
  const b = (given) => ({
    log: [show("b")(given)],
    max: 2,
    seen: ["y", "z"],
    turn: ["p", "q"],
    both: "b",
    after: "b",
    last: 2,
    once: "n",
    wait: "k",
  });
  const graph = new lib.StateGraph(state)
    .addNode("a", a)
    .addNode("b", b)
    .addNode("c", (given) => ({
      log: [show("c")(given), lib.interrupt("go on?")],
      max: 9,
      turn: ["p"],
      steps: 1,
    }))
    .addNode("d", (given) => ({ log: [show("d")(given)] }))
    .addEdge(lib.START, "a")
    .addEdge(lib.START, "b")
    .addEdge(["a", "b"], "c")
    .addConditionalEdges(
      "c",
      (given) => (
        t.note("branch", [given.max, given.turn, given.steps, Object.hasOwn(given, "once")]), "d"
      ),
    )
    .addConditionalEdges(
      "d",
      (given) => (
        t.note("end", [given.max, given.turn, given.steps, given.seen?.slice()]), lib.END
      ),
    )
    .compile({ checkpointer: saver });
  const config = thread("t", { streamMode: ["values", "checkpoints"] });
  t.triggers.push("join:a+b:c");
  // A growing topic is one list in LangGraph.js, and grows in what was shown before.
  const seen = async (input) => {
    const chunks = [];
    for await (const chunk of await graph.stream(input, config))
      chunks.push(JSON.parse(JSON.stringify(chunk)));
    t.note("stream", chunks);
    await t.state(graph, thread("t"));
    t.note("saved", (await saver.getTuple(thread("t"))).checkpoint.channel_values);
  };
  await seen({ max: 1, seen: ["i"] });
  await seen(new lib.Command({ resume: "yes" }));
  await seen({ max: 4, seen: ["i", "j"] });
  await t.update(graph, thread("t"), { max: 100, both: "a" }, "a");
  await t.state(graph, thread("t"));
  await seen(new lib.Command({ resume: "again", update: { max: 7 } }));
  await t.history(graph, thread("t"));
  for (const value of ["bad", "worse"]) await t.invoke(graph, { max: value }, thread(value));
  await t.invoke(graph, { both: "nobody" }, thread("u"));
}

fact("4.5, 4.6, 4.8, 8.5, 8.6", "channels of own classes in a state", (lib, t) =>
  useState(lib, t, classes(t), new lib.MemorySaver()),
);
fact("4.5, 4.6, 4.8", "channels of own classes with LangGraph.js's saver", (lib, t) =>
  useState(lib, t, classes(t), new MemorySaver()),
);
fact("4.5, 4.6, 4.8", "LangGraph.js's channels in a state", (lib, t) =>
  useState(lib, t, peerChannels, new lib.MemorySaver()),
);

fact(
  "4.6, 4.7, 4.8, 4.11, 4.12",
  "what own channels trigger in a low-level graph",
  async (lib, t) => {
    const C = classes(t);
    const { Pregel, Channel } = t.isPeer ? peerPregel : pregel;
    const { Once, Steps } = own(C, lib);
    const node = (channel, name) =>
      Channel.subscribeTo(channel, { key: "given" })
        .pipe((given) => (t.note(name, given), name))
        .pipe(Channel.writeTo(["log"]));
    const graph = new Pregel({
      nodes: {
        left: Channel.subscribeTo("in")
          .pipe((given) => `l${given}`)
          .pipe(
            Channel.writeTo([], {
              both: () => "a",
              later: () => "a",
              turn: () => ["x", "x"],
              wait: () => ({ __names: ["q", "r"] }),
            }),
          ),
        right: Channel.subscribeTo("in")
          .pipe((given) => `r${given}`)
          .pipe(
            Channel.writeTo([], {
              both: () => "b",
              later: () => "b",
              once: () => "o",
              turn: () => ["x", "y"],
            }),
          ),
        turned: Channel.subscribeTo("turn")
          .pipe((given) => (t.note("turned", given), "t"))
          .pipe(Channel.writeTo([], { log: () => "t", wait: () => "q" })),
        ended: Channel.subscribeTo("once")
          .pipe((given) => (t.note("ended", given), given))
          .pipe(Channel.writeTo(["log"])),
        joined: Channel.subscribeTo("both", { key: "given" })
          .pipe((given) => (t.note("joined", given), "joined"))
          .pipe(Channel.writeTo(["log"], { wait: () => "r" })),
        late: node("later", "late"),
        waited: node("wait", "waited"),
      },
      channels: {
        in: new C.EphemeralValue(),
        log: new C.Topic({ accumulate: true }),
        both: new C.NamedBarrierValue(new Set(["a", "b"])),
        later: new C.NamedBarrierValueAfterFinish(new Set(["a", "b"])),
        once: new Once(),
        turn: new C.Topic({ unique: true }),
        wait: new C.DynamicBarrierValue(),
        steps: new Steps(),
      },
      inputChannels: "in",
      outputChannels: ["log", "steps", "once"],
      checkpointer: new lib.MemorySaver(),
    });
    t.triggers = undefined;
    // A DynamicBarrierValue that was consumed is complete again in LangGraph.js once it was saved.
    for (const input of [1]) {
      const chunks = [];
      for await (const chunk of await graph.stream(
        input,
        thread("t", { streamMode: ["values", "tasks"] }),
      ))
        chunks.push(JSON.parse(JSON.stringify(chunk)));
      t.note("stream", chunks);
      t.note("saved", (await graph.checkpointer.getTuple(thread("t"))).checkpoint.channel_values);
    }
  },
);
