// SPDX-License-Identifier: MIT
// Facts 10.1 to 10.10 (without calls of the functional API): static and dynamic interrupts, and
// their resumes.
import { setTimeout } from "node:timers/promises";
import { fact, logState, thread } from "./harness.mjs";

const both = { streamMode: ["updates", "values"] };

function chain(lib, names, options) {
  const builder = new lib.StateGraph(logState(lib));
  let last = lib.START;
  for (const name of names) {
    builder.addNode(name, () => ({ log: [name] })).addEdge(last, name);
    last = name;
  }
  return builder.compile({ checkpointer: new lib.MemorySaver(), ...options });
}

/**
 * START -> every named node, side by side; each action is given `ask`, the interrupt of its
 * library.
 */
function fan(lib, actions, options) {
  const builder = new lib.StateGraph(logState(lib));
  for (const [name, act] of Object.entries(actions)) {
    builder
      .addNode(name, (state, config) => act(lib.interrupt, state, config))
      .addEdge(lib.START, name)
      .addEdge(name, "end");
  }
  builder.addNode("end", () => ({ log: ["end"] }));
  return builder.compile({ checkpointer: new lib.MemorySaver(), ...options });
}

const breakpoints = {
  "before b": { interruptBefore: ["b"] },
  "after a": { interruptAfter: ["a"] },
  "before all": { interruptBefore: "*" },
  "after all": { interruptAfter: "*" },
  "before and after b": { interruptBefore: ["b"], interruptAfter: ["b"] },
  "after a, before b": { interruptBefore: ["b"], interruptAfter: ["a"] },
  "before the first": { interruptBefore: ["a"] },
  "after the last": { interruptAfter: ["c"] },
};

for (const [title, options] of Object.entries(breakpoints)) {
  fact("10.1, 7.4", `static: ${title}, resumed with nothing`, async (lib, t) => {
    const graph = chain(lib, ["a", "b", "c"], options);
    await t.stream(graph, { log: [] }, thread("t", both));
    for (let n = 0; n < 4; n++) {
      await t.state(graph, thread("t"));
      await t.stream(graph, null, thread("t", both));
    }
    await t.history(graph, thread("t"));
  });
}

fact("10.1", "static: given with the call, by invoke, without a saver", async (lib, t) => {
  const graph = chain(lib, ["a", "b", "c"]);
  await t.invoke(graph, { log: [] }, thread("t", { interruptBefore: ["c"] }));
  await t.invoke(graph, null, thread("t", { interruptAfter: "*" }));
  await t.invoke(graph, null, thread("t"));
  const unsaved = chain(lib, ["a", "b"], { checkpointer: undefined, interruptBefore: ["b"] });
  await t.invoke(unsaved, { log: [] });
  await t.stream(unsaved, { log: [] }, both);
});

fact("10.1, 7.5", "static: new input instead of a resume", async (lib, t) => {
  const graph = chain(lib, ["a", "b"], { interruptBefore: ["b"] });
  await t.invoke(graph, { log: ["1"] }, thread("t"));
  await t.invoke(graph, { log: ["2"] }, thread("t"));
  await t.invoke(graph, new lib.Command({ update: { log: ["u"] } }), thread("t"));
  await t.invoke(graph, null, thread("t"));
  await t.state(graph, thread("t"));
});

fact("10.1", "static: several nodes in a step, one of them listed", async (lib, t) => {
  const actions = { a: () => ({ log: ["a"] }), b: () => ({ log: ["b"] }) };
  for (const options of [{ interruptBefore: ["b"] }, { interruptAfter: ["b"] }]) {
    const graph = fan(lib, actions, options);
    await t.stream(graph, { log: [] }, thread("t", both));
    await t.stream(graph, null, thread("t", both));
    await t.history(graph, thread("t"));
  }
});

fact("10.2", "interrupt() where it cannot be", async (lib, t) => {
  await t.try("outside", () => lib.interrupt("q"));
  await t.invoke(fan(lib, { a: (ask) => ({ log: [ask("q")] }) }, { checkpointer: undefined }), {
    log: [],
  });
});

fact("10.2, 10.5, 10.9", "one question, its answer", async (lib, t) => {
  const graph = fan(lib, { a: (ask) => t.note("asks", 1) && { log: [ask({ question: "q" })] } });
  await t.invoke(graph, { log: [] }, thread("t"));
  await t.state(graph, thread("t"));
  await t.invoke(graph, new lib.Command({ resume: { answer: [1] } }), thread("t"));
  await t.state(graph, thread("t"));
  await t.history(graph, thread("t"));
});

fact(
  "10.3, 10.4",
  "several questions of one node: asked anew from the start, matched by order",
  async (lib, t) => {
    const graph = fan(lib, {
      a: (ask) => {
        const answers = [];
        for (const n of [1, 2, 3]) {
          answers.push(ask(`q${n}`));
          t.note("answered", answers.at(-1));
        }
        return { log: answers };
      },
    });
    await t.stream(graph, { log: [] }, thread("t", both));
    for (const resume of ["one", "two", "three"]) {
      await t.state(graph, thread("t"));
      await t.stream(graph, new lib.Command({ resume }), thread("t", both));
    }
    await t.history(graph, thread("t"));
  },
);

fact("10.4, 10.6", "a resume without one: the question stands", async (lib, t) => {
  const graph = fan(lib, { a: (ask) => ({ log: [ask("q")] }) });
  await t.stream(graph, { log: [] }, thread("t", both));
  for (const input of [null, new lib.Command({ resume: null })]) {
    await t.stream(graph, input, thread("t", both));
  }
  await t.state(graph, thread("t"));
  await t.stream(graph, new lib.Command({ resume: "at last" }), thread("t", both));
});

fact(
  "10.4, 10.6, 11.1",
  "tasks side by side: one asks, others are done and stay done",
  async (lib, t) => {
    const graph = fan(lib, {
      asks: (ask) => ({ log: [ask("q")] }),
      sync: () => t.note("ran", "sync") && { log: ["sync"] },
      slow: async () => {
        await setTimeout(10);
        t.note("ran", "slow");
        return { log: ["slow"] };
      },
    });
    await t.stream(graph, { log: [] }, thread("t", both), { sorted: true });
    await t.state(graph, thread("t"));
    await t.stream(graph, new lib.Command({ resume: "r" }), thread("t", both), { sorted: true });
    await t.history(graph, thread("t"));
  },
);

fact("10.4", "two that ask at once both get a plain resume", async (lib, t) => {
  const graph = fan(lib, {
    a: (ask) => ({ log: [`a ${ask("qa")}`] }),
    b: (ask) => ({ log: [`b ${ask("qb")}`] }),
  });
  await t.stream(graph, { log: [] }, thread("t", both));
  await t.state(graph, thread("t"));
  await t.stream(graph, new lib.Command({ resume: "r" }), thread("t", both));
  await t.history(graph, thread("t"));
});

fact("10.8", "resume by id: all, one, another one, unknown ids", async (lib, t) => {
  const actions = {};
  for (const name of ["a", "b", "c"])
    actions[name] = (ask) => ({ log: [`${name} ${ask(`q${name}`)} ${ask(`r${name}`)}`] });
  const graph = fan(lib, actions);
  const at = thread("t");
  const idsOf = async () =>
    Object.fromEntries(
      (await graph.getState(at)).tasks
        .filter((task) => task.interrupts.length > 0)
        .map((task) => [task.name, task.interrupts[0].id]),
    );
  await t.invoke(graph, { log: [] }, at);
  const ids = await idsOf();
  t.note("ids", ids);
  await t.stream(
    graph,
    new lib.Command({ resume: { [ids.b]: "b1" } }),
    { ...at, ...both },
    { sorted: true },
  );
  await t.state(graph, at);
  // Each question has an id of its own; LangGraph.js takes that of a task's first one for the later
  // ones, too.
  const second = await idsOf();
  t.note("ids", second);
  await t.stream(
    graph,
    new lib.Command({ resume: { [ids.a]: "a1", [second.b]: "b2", [ids.c]: "c1" } }),
    { ...at, ...both },
    { sorted: true },
  );
  await t.stream(
    graph,
    new lib.Command({ resume: { ["0".repeat(31) + "f"]: "nobody" } }),
    { ...at, ...both },
    { sorted: true },
  );
  await t.stream(
    graph,
    new lib.Command({
      resume: Object.fromEntries(
        Object.entries(await idsOf()).map(([name, id]) => [id, `${name}2`]),
      ),
    }),
    { ...at, ...both },
    { sorted: true },
  );
  await t.history(graph, at);
});

fact("10.8", "a resume that is no map of ids is a value", async (lib, t) => {
  for (const [n, resume] of [{}, { a: 1 }, [], ["x"], { ["a".repeat(32)]: 1, b: 2 }].entries()) {
    const graph = fan(lib, { a: (ask) => ({ log: [ask("q")] }) });
    await t.invoke(graph, { log: [] }, thread(`t${n}`));
    await t.invoke(graph, new lib.Command({ resume }), thread(`t${n}`));
  }
});

fact("10.5", "the legacy NodeInterrupt", async (lib, t) => {
  const graph = fan(lib, {
    a: () => {
      throw new lib.NodeInterrupt("old way");
    },
    b: () => ({ log: ["b"] }),
  });
  await t.stream(graph, { log: [] }, thread("t", both), { sorted: true });
  await t.state(graph, thread("t"));
  await t.stream(graph, null, thread("t", both), { sorted: true });
});

fact("10.6", "an interrupt that is caught, and errors after answers", async (lib, t) => {
  const graph = fan(lib, {
    a: (ask) => {
      try {
        ask("q");
      } catch (error) {
        t.note("caught", [lib.isGraphInterrupt(error), error.name, error.interrupts]);
        throw error;
      }
      throw new Error("after the answer");
    },
  });
  await t.invoke(graph, { log: [] }, thread("t"));
  await t.invoke(graph, new lib.Command({ resume: "r" }), thread("t"));
  await t.state(graph, thread("t"));
  await t.invoke(graph, null, thread("t"));
});

fact("10.6, 18.2", "a node that fails after its answer has written the answer", async (lib, t) => {
  const act = () => {
    throw new RangeError(lib.interrupt("q"));
  };
  const graph = new lib.StateGraph(logState(lib))
    .addNode("n", act)
    .addNode("o", () => ({ log: ["o"] }))
    .addEdge(lib.START, "n")
    .addEdge(lib.START, "o")
    .compile({ checkpointer: new lib.MemorySaver() });
  const config = thread("t", { streamMode: "updates" });
  for (const input of [
    { log: [] },
    new lib.Command({ resume: "A" }),
    null,
    new lib.Command({ resume: "B" }),
  ])
    await t.stream(graph, input, config);
  await t.state(graph, thread("t"));
});

fact("10.2", "interrupt() after an await, and by its config", async (lib, t) => {
  const graph = fan(lib, {
    a: async (ask) => {
      await setTimeout(1);
      const first = ask("q1");
      await setTimeout(1);
      return { log: [first, ask("q2")] };
    },
    b: (_, state, config) => ({ log: [config.interrupt("by config")] }),
  });
  await t.invoke(graph, { log: [] }, thread("t"));
  await t.invoke(graph, new lib.Command({ resume: "r1" }), thread("t"));
  await t.invoke(graph, new lib.Command({ resume: "r2" }), thread("t"));
  await t.state(graph, thread("t"));
});

fact("10.3, 9.2", "tasks of Sends that ask", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("w", ({ k }) => ({ log: [`w${k} ${k === 2 ? "silent" : lib.interrupt(`q${k}`)}`] }))
    .addEdge(lib.START, "a")
    .addConditionalEdges("a", () => [1, 2, 3].map((k) => new lib.Send("w", { k })), ["w"])
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("t", both), { sorted: true });
  await t.state(graph, thread("t"));
  await t.stream(graph, new lib.Command({ resume: "r" }), thread("t", both), { sorted: true });
  await t.history(graph, thread("t"));
});

fact("10.8, 7.2", "resume with an update and a goto beside it", async (lib, t) => {
  const graph = fan(lib, { a: (ask) => ({ log: [ask("q")] }), b: () => ({ log: ["b"] }) });
  await t.invoke(graph, { log: [] }, thread("t"));
  await t.stream(
    graph,
    new lib.Command({ resume: "r", update: { log: ["u"] } }),
    thread("t", both),
    { sorted: true },
  );
  await t.state(graph, thread("t"));
});

fact("7.2", "a goto from outside that names nothing is passed over", async (lib, t) => {
  for (const [at, goto] of [[""], ["", "b"], ["b", ""], "", [], ["nobody", "b"]].entries()) {
    for (const update of [undefined, { log: ["u"] }]) {
      const graph = chain(lib, ["a", "b"]);
      const config = thread(`${at}`);
      await t.stream(graph, new lib.Command({ goto, update }), {
        ...config,
        streamMode: ["values", "updates"],
      });
      await t.history(graph, config);
    }
  }
});

fact("10.4, 21.4", "a spent answer is not used again by the next question", async (lib, t) => {
  const graph = new lib.StateGraph(logState(lib))
    .addNode("a", () => ({ log: [lib.interrupt("qa")] }))
    .addNode("b", () => ({ log: [lib.interrupt("qb")] }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { log: [] }, thread("t", both));
  await t.stream(graph, new lib.Command({ resume: "r1" }), thread("t", both));
  await t.stream(graph, null, thread("t", both));
  await t.stream(graph, new lib.Command({ resume: "r2" }), thread("t", both));
  await t.history(graph, thread("t"));
});

fact("10.10", "time travel to a question asks it again", async (lib, t) => {
  const graph = fan(lib, { a: (ask) => ({ log: [ask("q")] }) });
  await t.invoke(graph, { log: [] }, thread("t"));
  const asked = (await graph.getState(thread("t"))).config;
  await t.invoke(graph, new lib.Command({ resume: "first" }), thread("t"));
  await t.invoke(graph, null, asked);
  await t.invoke(graph, new lib.Command({ resume: "second" }), thread("t"));
  await t.history(graph, thread("t"));
});

for (const durability of ["sync", "async", "exit"])
  for (const [title, steps] of [
    ["the next input", ["beside", "input"]],
    ["an input that overwrites it", ["beside", "other"]],
    ["no input, then one", ["beside", "nothing", "input"]],
    ["another answer, then an input", ["beside", "answer", "input"]],
    ["another one, which replaces it", ["beside", "beside", "input"]],
    ["several inputs", ["beside", "input", "input"]],
    ["an update of the state", ["beside", "state", "input"]],
  ])
    fact(
      "7.2",
      `what a Command wrote beside an answer that nothing asked for: ${title}, ${durability}`,
      async (lib, t) => {
        const graph = new lib.StateGraph(logState(lib, { v: lib.Annotation() }))
          .addNode("a", ({ v }) => ({ log: [`a${v}`] }))
          .addEdge("__start__", "a")
          .compile({ checkpointer: new lib.MemorySaver() });
        const config = { ...thread("t"), durability };
        await t.invoke(graph, { v: 1 }, config);
        const inputs = {
          beside: () => new lib.Command({ resume: "r", update: { v: 7, log: ["u"] } }),
          answer: () => new lib.Command({ resume: "s" }),
          input: () => ({ log: ["i"] }),
          other: () => ({ v: 3 }),
          nothing: () => null,
        };
        for (const step of steps) {
          if (step === "state") await graph.updateState(config, { log: ["s"] });
          else await t.invoke(graph, inputs[step](), config);
          await t.state(graph, config);
        }
        await t.history(graph, config);
      },
    );
