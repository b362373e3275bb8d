// SPDX-License-Identifier: MIT
// Facts 3.1 to 3.4, 13.5: what a checkpointer made for LangGraph.js is asked, in which order, and
// what it then holds.
import { setTimeout } from "node:timers/promises";
import * as langgraph from "@langchain/langgraph";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { MemorySaver as WeftSaver } from "weftgraph";
import { chain, fact, logState, thread } from "./harness.mjs";
import { contents, noting, place, withoutCalls } from "./saver-kit.mjs";

/** in -> a -> (b asks, c) -> end */
function diamond(lib, checkpointer, options) {
  return new lib.StateGraph(logState(lib, { extra: lib.Annotation }))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", () => ({ log: [`b ${lib.interrupt("ask")}`], extra: { by: "b" } }))
    .addNode("c", () => ({ log: ["c"] }))
    .addNode("end", () => ({ log: ["end"] }), options)
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .addEdge("a", "c")
    .addEdge(["b", "c"], "end")
    .compile({ checkpointer });
}

for (const durability of ["async", "sync", "exit"]) {
  fact(
    "3.1, 3.2, 3.3, 13.5",
    `the calls of a run, a question and its answer: ${durability}`,
    async (lib, t) => {
      const saver = noting(t, { reads: true });
      const graph = diamond(lib, saver);
      await t.invoke(graph, { log: ["in"] }, thread("t", { durability }));
      await t.invoke(graph, new lib.Command({ resume: "yes" }), thread("t", { durability }));
      await t.invoke(graph, { log: ["more"] }, thread("t", { durability }));
      t.note("held", await contents(saver));
    },
  );
}

fact("3.1, 4.8", "deferred nodes and their joins", async (lib, t) => {
  const saver = noting(t);
  const graph = diamond(lib, saver, { defer: true });
  await t.invoke(graph, { log: [] }, thread("t"));
  await t.invoke(graph, new lib.Command({ resume: 1 }), thread("t"));
  t.note("held", await contents(saver));
});

fact("3.1, 3.3, 9.2", "Sends, Overwrite, a node without writes", async (lib, t) => {
  const saver = noting(t);
  const graph = new lib.StateGraph(logState(lib, { extra: lib.Annotation }))
    .addNode(
      "a",
      () =>
        new lib.Command({
          update: { log: new lib.Overwrite(["new"]) },
          goto: [new lib.Send("s", { n: 1 }), new lib.Send("s", [2])],
        }),
      { ends: ["s"] },
    )
    .addNode("s", (arg) => ({ log: [JSON.stringify(arg)], extra: undefined }))
    .addNode("quiet", async () => {
      for (let turns = 0; turns < 50; turns++) await null;
      return null;
    })
    .addEdge(lib.START, "a")
    .addConditionalEdges("a", () => ["quiet"], ["quiet"])
    .compile({ checkpointer: saver, interruptBefore: ["s"] });
  await t.invoke(graph, { log: ["in"] }, thread("t"));
  await t.state(graph, thread("t"));
  await t.invoke(graph, null, thread("t"));
  t.note("held", await contents(saver));
});

fact("3.3, 11.1", "failures are kept, what was done is not done again", async (lib, t) => {
  const saver = noting(t);
  let left = 2;
  const graph = new lib.StateGraph(logState(lib))
    .addNode("good", () => ({ log: ["good"] }))
    .addNode("bad", async () => {
      await setTimeout(2);
      if (left-- > 0) throw new TypeError(`left ${left}`);
      return { log: ["bad"] };
    })
    .addEdge(lib.START, "good")
    .addEdge(lib.START, "bad")
    .compile({ checkpointer: saver });
  await t.invoke(graph, { log: [] }, thread("t"));
  await t.invoke(graph, null, thread("t"));
  await t.state(graph, thread("t"));
  await t.invoke(graph, null, thread("t"));
  t.note("held", await contents(saver));
});

fact("3.2, 12.6, 12.7", "history, edits and time travel", async (lib, t) => {
  t.triggers.push("join:b+c:end");
  const saver = noting(t);
  const graph = diamond(lib, saver);
  await t.invoke(graph, { log: ["in"] }, thread("t"));
  await t.invoke(graph, new lib.Command({ resume: "yes" }), thread("t"));
  t.note("updated", place(await graph.updateState(thread("t"), { log: ["edit"] }, "b")));
  await t.invoke(graph, null, thread("t"));
  await t.history(graph, thread("t"), { limit: 4 });
  const history = [];
  for await (const snapshot of graph.getStateHistory(thread("t"))) history.push(snapshot);
  await t.history(graph, thread("t"), { before: history[1].config, filter: { source: "loop" } });
  await t.state(graph, history[2].config);
  await t.invoke(graph, null, history[2].config);
  await t.invoke(graph, { log: ["again"] }, history[3].config);
  t.note("held", await contents(saver));
});

fact("3.4", "versions that are strings, by the saver's getNextVersion", async (lib, t) => {
  const versions = (current) =>
    String((current === undefined ? 0 : Number(current.slice(0, 4))) + 1).padStart(4, "0") + ".x";
  const saver = noting(t, { versions });
  const graph = diamond(lib, saver);
  await t.invoke(graph, { log: ["in"] }, thread("t"));
  await t.invoke(graph, new lib.Command({ resume: "yes" }), thread("t"));
  await t.invoke(graph, { log: ["more"] }, thread("t"));
  await t.state(graph, thread("t"));
  t.note("held", await contents(saver));
});

fact("3.4", "versions that are fractions", async (lib, t) => {
  const saver = noting(t, { versions: (current) => (current ?? 0) + 0.5 });
  const graph = diamond(lib, saver);
  await t.invoke(graph, { log: ["in"] }, thread("t"));
  await t.invoke(graph, new lib.Command({ resume: "yes" }), thread("t"));
  t.note("held", await contents(saver));
});

fact(
  "13.3, 13.5",
  "a put that fails, a getTuple that fails, puts that take their time",
  async (lib, t) => {
    for (const durability of ["async", "sync", "exit"]) {
      const failing = noting(t, { failsAt: (step) => step >= 1, slow: 2 });
      await t.invoke(diamond(lib, failing), { log: [] }, thread("t", { durability }));
    }
    const mute = new MemorySaver();
    mute.getTuple = async () => {
      throw new RangeError("cannot read");
    };
    await t.invoke(diamond(lib, mute), { log: [] }, thread("t"));
    await t.state(diamond(lib, mute), thread("t"));
  },
);

fact("3.1", "a class's values and Dates reach the saver as they are", async (lib, t) => {
  class Money {
    constructor(amount) {
      this.amount = amount;
    }
  }
  const seen = [];
  const saver = new (class extends MemorySaver {
    async put(config, checkpoint, metadata) {
      seen.push(
        checkpoint.channel_values.extra instanceof Money,
        checkpoint.channel_values.when instanceof Date,
      );
      return super.put(config, checkpoint, metadata);
    }
  })();
  const graph = new lib.StateGraph(logState(lib, { extra: lib.Annotation, when: lib.Annotation }))
    .addNode("a", () => ({ extra: new Money(3), when: new Date(0) }))
    .addEdge(lib.START, "a")
    .compile({ checkpointer: saver });
  await t.invoke(graph, { log: [] }, thread("t"));
  t.note("seen", seen);
});

fact("3.1, 19.1", "messages go through a saver and stay messages", async (lib, t) => {
  const saver = new MemorySaver();
  const graph = new lib.StateGraph(lib.MessagesAnnotation)
    .addNode("model", (state) => ({
      messages: [
        new lib.AIMessage({
          id: `ai${state.messages.length}`,
          content: `${state.messages.length}`,
        }),
      ],
    }))
    .addEdge(lib.START, "model")
    .compile({ checkpointer: saver });
  await t.invoke(
    graph,
    { messages: [new lib.HumanMessage({ id: "h1", content: "one" })] },
    thread("t"),
  );
  await t.invoke(
    graph,
    {
      messages: [
        new lib.HumanMessage({ id: "h2", content: "two" }),
        new lib.RemoveMessage({ id: "h1" }),
      ],
    },
    thread("t"),
  );
  await t.state(graph, thread("t"));
  await t.history(graph, thread("t"));
  const { messages } = (await saver.getTuple(thread("t"))).checkpoint.channel_values;
  t.note(
    "kept",
    messages.map((message) => [message.getType(), message.id, message.content]),
  );
});

/** Each package's own MemorySaver, or ours under both. */
for (const [title, own] of [
  ["its own MemorySaver", true],
  ["Weft's MemorySaver under LangGraph.js", false],
]) {
  fact(
    "3.1, 3.2, 3.3",
    `what ${title} tells of a thread: tuples, lists, storage`,
    async (lib, t) => {
      const saver = own ? new lib.MemorySaver() : t.isPeer ? new MemorySaver() : new WeftSaver();
      const graph = diamond(own ? lib : langgraph, saver);
      const tell = async (config) =>
        t.note("tuple", JSON.parse(JSON.stringify((await saver.getTuple(config)) ?? null)));
      await t.invoke(graph, { log: ["in"] }, thread("t"));
      await tell(thread("t"));
      await t.invoke(graph, new lib.Command({ resume: "yes" }), thread("t"));
      await tell(thread("t"));
      const { parentConfig } = await saver.getTuple(thread("t"));
      await tell(parentConfig);
      await graph.updateState(thread("t"), { extra: 3 }, "end");
      for (const options of [
        undefined,
        { limit: 2 },
        { before: parentConfig },
        { filter: { source: "loop", step: 1 } },
      ]) {
        for await (const tuple of saver.list(thread("t"), options))
          t.note("listed", JSON.parse(JSON.stringify(tuple)));
      }
      t.note("held", await contents(saver));
      await t.invoke(graph, { log: ["more"] }, thread("t"));
      t.note("held", await contents(saver));
      await saver.deleteThread("t");
      t.note("held", await contents(saver));
    },
  );
}

fact(
  "3.1, 12.6",
  "a thread goes on in the other package and back, at questions, joins, Sends and failures",
  async (lib, t) => {
    t.triggers.push("join:b+c:end");
    const saver = new MemorySaver();
    let turns = 0;
    let fails = true;
    const build = () => {
      // LangGraph.js alone, or each of the two in turn.
      const one = t.isPeer || turns++ % 2 === 0 ? langgraph : lib;
      return new one.StateGraph(logState(one, { extra: one.Annotation }))
        .addNode("a", () => ({ log: ["a"] }))
        .addNode("b", () => ({ log: [`b ${one.interrupt("b?")} ${one.interrupt("again?")}`] }))
        .addNode(
          "c",
          () =>
            new one.Command({
              update: { extra: 1 },
              goto: [new one.Send("s", { n: 1 }), new one.Send("s", { n: 2 })],
            }),
          { ends: ["s"] },
        )
        .addNode("s", async ({ n }) => {
          await setTimeout(1);
          if (n === 2 && fails) throw new RangeError("not yet");
          return { log: [`s${n}`] };
        })
        .addNode("end", () => ({ log: ["end"] }), { defer: true })
        .addEdge(one.START, "a")
        .addEdge("a", "b")
        .addEdge("a", "c")
        .addEdge(["b", "c"], "end")
        .compile({ checkpointer: saver });
    };
    const resume = (value) => new langgraph.Command({ resume: value });
    const move = async (input) => {
      // Ids that two packages draw within one millisecond do not follow each other.
      await setTimeout(2);
      await t.invoke(build(), input, thread("t"));
    };
    for (const input of [{ log: ["in"] }, resume("one"), null, resume("two"), null])
      await move(input);
    fails = false;
    for (const input of [null, { log: ["more"] }, resume("three"), resume("four")])
      await move(input);
    await t.state(build(), thread("t"));
    await t.history(build(), thread("t"));
  },
);

for (const own of [true, false]) {
  fact(
    "3.1, 3.3, 14.2",
    `an entrypoint's thread: its tasks' results and questions, ${own ? "in one's own saver" : "in a saver for both"}`,
    async (lib, t) => {
      const saver = own ? new lib.MemorySaver() : new MemorySaver();
      const square = lib.task("square", async (n) => n * n);
      const ask = lib.task("ask", async (what) => lib.interrupt(what));
      const flow = lib.entrypoint({ checkpointer: saver, name: "flow" }, async ({ n }) => {
        const squared = await square(n);
        const answer = await ask(`is it ${squared}?`);
        return lib.entrypoint.final({ value: [squared, answer], save: squared });
      });
      await t.invoke(flow, { n: 3 }, thread("t"));
      await t.invoke(flow, new lib.Command({ resume: "yes" }), thread("t"));
      t.note("held", withoutCalls(await contents(saver)));
    },
  );
}

fact(
  "3.1, 3.2, 12.3",
  "graphs in nodes: namespaces and parents in one's own saver",
  async (lib, t) => {
    const saver = new lib.MemorySaver();
    const inner = new lib.StateGraph(logState(lib))
      .addNode("q", () => ({ log: [lib.interrupt("q?")] }))
      .addEdge(lib.START, "q")
      .compile();
    const graph = new lib.StateGraph(logState(lib))
      .addNode("inner", inner)
      .addNode("end", () => ({ log: ["end"] }))
      .addEdge(lib.START, "inner")
      .addEdge("inner", "end")
      .compile({ checkpointer: saver });
    await t.invoke(graph, { log: ["in"] }, thread("t"));
    await t.invoke(graph, new lib.Command({ resume: "yes" }), thread("t"));
    t.note("held", await contents(saver));
  },
);

fact(
  "10.1, 12.2",
  "a graph inside is gone on with by its own config: an answer, nothing, a new input",
  async (lib, t) => {
    t.around.add("sub");
    const inputs = [
      () => new lib.Command({ resume: "yes" }),
      () => null,
      () => ({ log: ["again"] }),
    ];
    for (const own of [{ checkpointer: true }, {}]) {
      for (const input of inputs) {
        const inner = chain(
          lib,
          {
            first: () => ({ log: ["first"] }),
            ask: () => ({ log: [lib.interrupt("who?")] }),
            last: () => ({ log: ["last"] }),
          },
          own,
        );
        const graph = chain(
          lib,
          { sub: inner, after: () => ({ log: ["after"] }) },
          { checkpointer: new MemorySaver() },
        );
        await t.invoke(graph, { log: ["in"] }, thread("t"));
        const { state } = (await graph.getState(thread("t"))).tasks[0];
        await t.invoke(graph, input(), state);
        await t.state(graph, thread("t"), { subgraphs: true });
        await t.invoke(graph, new lib.Command({ resume: "late" }), thread("t"));
        await t.state(graph, thread("t"));
      }
    }
  },
);

/** LangGraph.js begins a thread, and the package in question goes on with it. */
function handedOver(t, lib, build) {
  const saver = new MemorySaver();
  return { before: build(langgraph, saver), after: build(t.isPeer ? langgraph : lib, saver) };
}

fact(
  "3.3, 10.8",
  "a thread whose questions were answered by their ids goes on in the other package",
  async (lib, t) => {
    const ask = (one, name) => () => ({ log: [`${name} ${one.interrupt(name)}`] });
    const { before, after } = handedOver(t, lib, (one, checkpointer) => {
      const graph = new one.StateGraph(logState(one))
        .addNode("a", ask(one, "a"))
        .addNode("b", ask(one, "b"));
      return graph.addEdge(one.START, "a").addEdge(one.START, "b").compile({ checkpointer });
    });
    await t.invoke(before, { log: ["in"] }, thread("t"));
    const [{ id }] = (await before.getState(thread("t"))).tasks[0].interrupts;
    await t.invoke(before, new langgraph.Command({ resume: { [id]: "one" } }), thread("t"));
    await t.state(after, thread("t"));
    await t.invoke(after, new langgraph.Command({ resume: "two" }), thread("t"));
    await t.history(after, thread("t"));
  },
);

fact(
  "13.1, 10.4",
  "a checkpoint that LangGraph.js made its own parent goes on in the other package",
  async (lib, t) => {
    const { before, after } = handedOver(t, lib, (one, checkpointer) =>
      chain(
        one,
        { a: () => ({ log: ["a"] }), b: () => ({ log: [one.interrupt("b?")] }) },
        { checkpointer },
      ),
    );
    const exit = thread("t", { durability: "exit" });
    for (const input of [{ log: ["in"] }, null]) await t.invoke(before, input, exit);
    await t.state(after, thread("t"));
    await t.history(after, thread("t"));
    await t.invoke(after, new langgraph.Command({ resume: "yes" }), exit);
    await t.state(after, thread("t"));
  },
);

fact(
  "3.3, 19.1",
  "messages without ids that wait in a thread get them when it goes on in the other package",
  async (lib, t) => {
    t.triggers.push("join:a+b:c");
    for (const give of [
      () => "text",
      (one) => new one.AIMessage("one"),
      () => [["ai", "pair"], { role: "user", content: "new", id: "1" }],
    ]) {
      const { before, after } = handedOver(t, lib, (one, checkpointer) =>
        new one.StateGraph(one.MessagesAnnotation)
          .addNode("a", () => ({ messages: give(lib) }))
          .addNode("b", () => one.interrupt("b?") && {})
          .addNode("c", () => ({ messages: [new lib.AIMessage({ content: "c", id: "3" })] }))
          .addEdge(one.START, "a")
          .addEdge(one.START, "b")
          .addEdge(["a", "b"], "c")
          .compile({ checkpointer }),
      );
      const shown = (messages) =>
        messages.map((message) => [message.getType(), message.content, typeof message.id]);
      await before.invoke(
        { messages: [new lib.HumanMessage({ content: "in", id: "1" })] },
        thread("t"),
      );
      t.note("waits", shown((await after.getState(thread("t"))).values.messages));
      t.note(
        "went on",
        shown((await after.invoke(new langgraph.Command({ resume: 1 }), thread("t"))).messages),
      );
      const ids = async () =>
        (await after.getState(thread("t"))).values.messages.map(({ id }) => id);
      t.note("the ids are kept", String(await ids()) === String(await ids()));
    }
  },
);
