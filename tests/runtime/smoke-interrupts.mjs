// SPDX-License-Identifier: MIT
// Smoke checks of dynamic interrupts: before and after the first await, maps of answers, fifty at
// once (docs/semantics.md 10, 11).
import { collect, equal, fails, holds, later } from "./smoke-assert.mjs";
import { listState } from "./smoke-graphs.mjs";

/** A graph of one node, `ask`. */
function asking(weft, saver, ask) {
  return new weft.StateGraph(listState(weft))
    .addNode("ask", ask)
    .addEdge(weft.START, "ask")
    .compile({ checkpointer: saver });
}

/** Runs to the interrupt, looks at it, resumes. */
async function askAndAnswer({ weft, thread }, graph) {
  const config = thread();
  const stopped = await graph.invoke({ count: 1 }, config);
  holds(weft.isInterrupted(stopped), "the run says that it stopped");
  equal(
    stopped.__interrupt__.map(({ value }) => value),
    [{ question: "go on?" }],
  );
  const state = await graph.getState(config);
  equal(
    [state.next, state.tasks.map(({ interrupts }) => interrupts)],
    [["ask"], [stopped.__interrupt__]],
  );
  equal(await graph.invoke(new weft.Command({ resume: "yes" }), config), {
    log: ["yes"],
    count: 1,
  });
}

async function checkBefore(kit) {
  const { weft, saver } = kit;
  await askAndAnswer(
    kit,
    asking(weft, saver, () => ({ log: [weft.interrupt({ question: "go on?" })] })),
  );
  await askAndAnswer(
    kit,
    asking(weft, saver, async () => ({ log: [weft.interrupt({ question: "go on?" })] })),
  );
}

async function checkAfter(kit) {
  const { weft, saver, als, thread } = kit;
  const graph = asking(weft, saver, async () => {
    await later();
    return { log: [weft.interrupt({ question: "go on?" })] };
  });
  if (als) return askAndAnswer(kit, graph);
  await fails(() => graph.invoke({ count: 1 }, thread()), {
    name: "Error",
    text: "runtime.interrupt",
  });
}

async function checkSecondArgument(kit) {
  const { weft, saver } = kit;
  const graph = asking(weft, saver, async (_, runtime) => {
    await later();
    return { log: [runtime.interrupt({ question: "go on?" })] };
  });
  await askAndAnswer(kit, graph);
}

async function checkStream({ weft, saver, thread }) {
  const graph = asking(weft, saver, () => ({ log: [weft.interrupt("one")] }));
  const config = thread();
  const chunks = await collect(
    graph.stream({ count: 1 }, { ...config, streamMode: ["updates", "values"] }),
  );
  const [mode, chunk] = chunks.find(([, payload]) => payload.__interrupt__ !== undefined);
  holds(mode === "updates" || mode === "values", "the stream tells the interrupt");
  equal(chunk.__interrupt__[0].value, "one");
  equal(await collect(graph.stream(new weft.Command({ resume: "r" }), config)), [
    { ask: { log: ["r"] } },
  ]);
}

async function checkTwoInOneNode({ weft, saver, thread }) {
  let calls = 0;
  const graph = asking(weft, saver, async (_, runtime) => {
    calls++;
    const first = runtime.interrupt("first");
    await later();
    return { log: [first, runtime.interrupt("second")] };
  });
  const config = thread();
  equal((await graph.invoke({ count: 1 }, config)).__interrupt__[0].value, "first");
  equal(
    (await graph.invoke(new weft.Command({ resume: "1" }), config)).__interrupt__[0].value,
    "second",
  );
  equal((await graph.invoke(new weft.Command({ resume: "2" }), config)).log, ["1", "2"]);
  equal(calls, 3);
}

async function checkMap({ weft, saver, thread }) {
  const ask = (name) => async (_, runtime) => {
    await later();
    return { log: [`${name}: ${runtime.interrupt(name)}`] };
  };
  const graph = new weft.StateGraph(listState(weft))
    .addNode("a", ask("a"))
    .addNode("b", ask("b"))
    .addEdge(weft.START, "a")
    .addEdge(weft.START, "b")
    .compile({ checkpointer: saver });
  const config = thread();
  const { tasks } = (await graph.invoke({}, config), await graph.getState(config));
  const asked = tasks.flatMap(({ interrupts }) => interrupts);
  equal(asked.map(({ value }) => value).sort(), ["a", "b"]);
  const resume = Object.fromEntries(asked.map(({ id, value }) => [id, `answer to ${value}`]));
  const done = await graph.invoke(new weft.Command({ resume }), config);
  equal(done.log, ["a: answer to a", "b: answer to b"]);
}

async function checkFifty({ weft, saver, thread }) {
  const graph = asking(weft, saver, async ({ count }, runtime) => {
    await later(1 + (count % 7));
    const answer = runtime.interrupt({ asked: count });
    await later(1 + ((50 - count) % 5));
    return { log: [`${count} ${answer} ${runtime.configurable.thread_id}`] };
  });
  const runs = Array.from({ length: 50 }, (_, count) => ({ count, config: thread() }));
  const stopped = await Promise.all(
    runs.map(({ count, config }) => graph.invoke({ count }, config)),
  );
  equal(
    stopped.map((result) => result.__interrupt__[0].value.asked),
    runs.map(({ count }) => count),
  );
  holds(new Set(stopped.map((result) => result.__interrupt__[0].id)).size === 50, "fifty ids");
  const backwards = [...runs].reverse();
  const done = await Promise.all(
    backwards.map(({ count, config }) =>
      graph.invoke(new weft.Command({ resume: `answer ${count}` }), config),
    ),
  );
  equal(
    done.map(({ log }) => log),
    backwards.map(({ count, config }) => [
      `${count} answer ${count} ${config.configurable.thread_id}`,
    ]),
  );
}

/**
 * A whole workflow without ambient context: its tasks and its question come from the second
 * argument.
 */
async function checkWorkflow({ weft, saver, als, thread }) {
  const done = [];
  const step = weft.task("step", async (n) => {
    await later();
    done.push(n);
    return n + 1;
  });
  const flow = weft.entrypoint({ name: "flow", checkpointer: saver }, async (n, runtime) => {
    const sum = (await runtime.task(step, n)) + (await runtime.task(step, 10));
    return `${runtime.interrupt({ sum })} ${await runtime.task(step, sum)}`;
  });
  const config = thread();
  equal((await flow.invoke(1, config)).__interrupt__[0].value, { sum: 13 });
  equal(await flow.invoke(new weft.Command({ resume: "yes" }), config), "yes 14");
  equal(done, [1, 10, 13]);
  if (!als)
    await fails(() => weft.entrypoint("lost", async (n) => step(await step(n))).invoke(1), {
      name: "Error",
      text: "runtime.task",
    });
}

export const interruptChecks = [
  ["interrupt() before the first await", checkBefore],
  [
    "interrupt() after an await: works with AsyncLocalStorage, else names runtime.interrupt",
    checkAfter,
  ],
  ["runtime.interrupt of the second argument, after an await", checkSecondArgument],
  [
    "a workflow by runtime.task and runtime.interrupt; task() after an await without AsyncLocalStorage names runtime.task",
    checkWorkflow,
  ],
  ["an interrupt in a stream, resumed by a stream", checkStream],
  ["two interrupts of one node, one after the other", checkTwoInOneNode],
  ["a map of answers by interrupt id", checkMap],
  ["fifty runs at once, each with its own interrupt and answer", checkFifty],
];
