// SPDX-License-Identifier: MIT
// Smoke checks of failures: LangGraph's classes and texts, abort, an engine that traps
// (docs/semantics.md 5, 6, 11, 16; docs/semantics.md 21).
import { equal, fails, holds, later } from "./smoke-assert.mjs";
import { listState } from "./smoke-graphs.mjs";

async function checkBuilding({ weft }) {
  const make = () => new weft.StateGraph(listState(weft)).addNode("a", () => ({}));
  await fails(
    () =>
      make()
        .addEdge(weft.START, "a")
        .addNode("lost", () => ({}))
        .compile(),
    { name: "UnreachableNodeError", text: "Node `lost` is not reachable." },
  );
  await fails(() => make().addEdge(weft.START, "a").addEdge("a", "nowhere").compile(), {
    text: "nowhere",
  });
  await fails(() => make().addNode("a", () => ({})), { text: "Node `a` already present." });
}

async function checkRules({ weft }) {
  const loop = new weft.StateGraph(listState(weft))
    .addNode("a", () => ({ count: 1 }))
    .addEdge(weft.START, "a")
    .addEdge("a", "a")
    .compile();
  const recursion = await fails(() => loop.invoke({}, { recursionLimit: 5 }), {
    name: "GraphRecursionError",
    text: "Recursion limit of 5 reached without hitting a stop condition.",
  });
  equal(recursion.lc_error_code, "GRAPH_RECURSION_LIMIT");
  const two = new weft.StateGraph(listState(weft))
    .addNode("a", () => ({ count: 1 }))
    .addNode("b", () => ({ count: 2 }))
    .addEdge(weft.START, "a")
    .addEdge(weft.START, "b")
    .compile();
  const clash = await fails(() => two.invoke({}), { name: "InvalidUpdateError" });
  equal(clash.lc_error_code, "INVALID_CONCURRENT_GRAPH_UPDATE");
  const wrong = new weft.StateGraph(listState(weft))
    .addNode("a", () => "text")
    .addEdge(weft.START, "a")
    .compile();
  await fails(() => wrong.invoke({}), {
    name: "InvalidUpdateError",
    text: 'Expected node "a" to return an object',
  });
}

async function checkThreads({ weft, saver, thread }) {
  const build = () =>
    new weft.StateGraph(listState(weft))
      .addNode("a", () => ({ count: 1 }))
      .addEdge(weft.START, "a");
  await fails(() => build().compile().getState(thread()), {
    name: "GraphValueError",
    text: "No checkpointer set",
  });
  await fails(
    () =>
      build()
        .compile()
        .invoke(new weft.Command({ resume: 1 })),
    { text: "Cannot use Command(resume=...) without checkpointer" },
  );
  await fails(() => build().compile({ checkpointer: saver }).invoke({}), {
    text: 'missing a required "thread_id"',
  });
  await fails(() => build().compile({ checkpointer: saver }).invoke(null, thread()), {
    name: "EmptyInputError",
  });
}

async function checkNodeError({ weft, saver, thread }) {
  const thrown = new TypeError("the node's own");
  let broken = true;
  const graph = new weft.StateGraph(listState(weft))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", async () => {
      if (broken) throw thrown;
      return { log: ["b"] };
    })
    .addEdge(weft.START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: saver });
  const config = thread();
  holds(
    (await fails(() => graph.invoke({}, config), { name: "TypeError" })) === thrown,
    "the error is the node's own object",
  );
  equal((await graph.getState(config)).next, ["b"]);
  broken = false;
  equal((await graph.invoke(null, config)).log, ["a", "b"]);
}

async function checkAbort({ weft, saver, thread }) {
  let told = false;
  let begun;
  const working = new Promise((resolve) => (begun = resolve));
  const graph = new weft.StateGraph(listState(weft))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode(
      "slow",
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            told = true;
            resolve({ log: ["late"] });
          });
          begun();
        }),
    )
    .addEdge(weft.START, "a")
    .addEdge("a", "slow")
    .compile({ checkpointer: saver });
  const config = thread();
  const controller = new AbortController();
  const run = graph.invoke({}, { ...config, signal: controller.signal });
  await Promise.all([
    fails(() => run, { name: "AbortError" }),
    working.then(() => controller.abort()),
  ]);
  holds(told, "the node's signal says so");
  const { values, next } = await graph.getState(config);
  equal([values.log, next], [["a"], ["slow"]]);
}

/**
 * The engine's memory is overwritten in the middle of a run: that run ends, the next call has a new
 * engine.
 */
async function checkTrap({ weft, saver, thread, getEngine }) {
  let open;
  const gate = new Promise((resolve) => (open = resolve));
  const graph = new weft.StateGraph(listState(weft))
    .addNode("a", () => ({ log: ["a"] }))
    .addNode("b", async ({ count }, runtime) => {
      if (count === 1) await gate;
      return { log: [`b ${runtime.interrupt("b?")}`] };
    })
    .addEdge(weft.START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: saver });
  const [idle, running] = [thread(), thread()];
  await graph.invoke({ count: 0 }, idle);
  const lost = graph.invoke({ count: 1 }, running);
  while ((await graph.getState(running)).next[0] !== "b") await later();
  const before = getEngine();
  new Uint8Array(before.x.memory.buffer).fill(0xff);
  open();
  await fails(() => lost, { name: "WeftError", code: "ENGINE_TRAPPED" });
  equal((await graph.invoke(new weft.Command({ resume: "kept" }), idle)).log, ["a", "b kept"]);
  holds(getEngine() !== before, "the engine is another one");
  const { next, values } = await graph.getState(running);
  equal([next, values.log], [["b"], ["a"]]);
  await graph.invoke(null, running);
  equal((await graph.invoke(new weft.Command({ resume: "again" }), running)).log, ["a", "b again"]);
}

export const errorChecks = [
  ["mistakes in a graph's edges, with LangGraph's texts", checkBuilding],
  ["recursion limit, two writers, a wrong update", checkRules],
  ["no saver, no thread, no input", checkThreads],
  ["a node's error is handed out, and the thread goes on", checkNodeError],
  ["an AbortSignal ends the run and tells the node", checkAbort],
  ["a trap: ENGINE_TRAPPED, and threads reopen from their logs", checkTrap],
];
