// SPDX-License-Identifier: MIT
// Serves: a run whose nodes wait for nothing outside lets the event loop turn, so that signals,
// timeouts and everybody else's timers come. Each run here would go on until its recursion limit;
// what ends it is a timer.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mock, test } from "node:test";
import { Annotation, MemorySaver, START, Send, StateGraph, entrypoint, task } from "weftgraph";

const State = Annotation.Root({
  n: Annotation(),
  log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
});
const ENDLESS = 200_000;
let threads = 0;

function loop(node, options = {}) {
  return new StateGraph(State)
    .addNode("step", node)
    .addEdge(START, "step")
    .addConditionalEdges("step", () => "step")
    .compile(options);
}

const nodes = {
  synchronous: ({ n }) => ({ n: n + 1 }),
  "already resolved": async ({ n }) => ({ n: n + 1 }),
};
const savers = {
  "without a saver": () => ({}),
  "with a saver": () => ({ checkpointer: new MemorySaver() }),
};
const config = (more) => ({
  recursionLimit: ENDLESS,
  configurable: { thread_id: `${threads++}` },
  durability: "exit",
  ...more,
});

async function drain(stream) {
  for await (const _ of stream);
}

for (const [kind, node] of Object.entries(nodes)) {
  for (const [how, options] of Object.entries(savers)) {
    test(`${kind} nodes ${how}: a signal and a timeout end invoke() and stream()`, async () => {
      const app = loop(node, options());
      await assert.rejects(app.invoke({ n: 0 }, config({ signal: AbortSignal.timeout(30) })), {
        name: "TimeoutError",
      });
      await assert.rejects(app.invoke({ n: 0 }, config({ timeout: 30 })), { name: "TimeoutError" });
      await assert.rejects(
        drain(
          await app.stream(
            { n: 0 },
            config({ signal: AbortSignal.timeout(30), streamMode: "values" }),
          ),
        ),
        { name: "TimeoutError" },
      );
      await assert.rejects(
        drain(
          await app.stream({ n: 0 }, config({ timeout: 30, streamMode: ["updates", "custom"] })),
        ),
        { name: "TimeoutError" },
      );
    });
  }
}

test("a timeout longer than a timer of the host does not end a call at once", async () => {
  const app = new StateGraph(State)
    .addNode("wait", () => new Promise((resolve) => setTimeout(resolve, 20, { n: 1 })))
    .addEdge(START, "wait")
    .compile();
  for (const timeout of [3e9, 2 ** 40])
    assert.equal((await app.invoke({ n: 0 }, { timeout })).n, 1);
});

test("a graph inside a graph, as a node and called in one, lets it turn", async () => {
  const inner = loop(nodes.synchronous);
  const asNode = new StateGraph(State)
    .addNode("inside", inner)
    .addEdge(START, "inside")
    .compile({ checkpointer: new MemorySaver() });
  await assert.rejects(asNode.invoke({ n: 0 }, config({ signal: AbortSignal.timeout(30) })), {
    name: "TimeoutError",
  });
  const called = new StateGraph(State)
    .addNode("calls", async (state) => inner.invoke(state))
    .addEdge(START, "calls")
    .compile();
  await assert.rejects(called.invoke({ n: 0 }, config({ signal: AbortSignal.timeout(30) })), {
    name: "TimeoutError",
  });
});

test("tasks of an entrypoint that are resolved at once let it turn", async () => {
  const add = task("add", async (n) => n + 1);
  const app = entrypoint("counts", async (n) => {
    for (;;) n = await add(n);
  });
  await assert.rejects(
    app.invoke(0, { signal: AbortSignal.timeout(30), recursionLimit: ENDLESS }),
    { name: "TimeoutError" },
  );
});

/** Works for so many ms. */
function work(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

for (const [how, options] of Object.entries(savers)) {
  test(`a fan-out of 1,000 Sends ${how} lets it turn, and begins none once nobody waits`, async () => {
    let begun = 0;
    const app = new StateGraph(State)
      .addNode("one", () => {
        begun++;
        work(1);
        return { log: [1] };
      })
      .addConditionalEdges(START, () => Array.from({ length: 1000 }, () => new Send("one", {})))
      .compile(options());
    await assert.rejects(app.invoke({ n: 0 }, config({ signal: AbortSignal.timeout(30) })), {
      name: "TimeoutError",
    });
    assert.ok(begun < 900, `${begun}`);
    const { log } = await app.invoke({ n: 0 }, config());
    assert.equal(log.length, 1000);
  });
}

for (const [how, options] of Object.entries({
  "a reader": {},
  "events that are recorded": { version: "v2" },
  "a listener": { callbacks: [{ name: "listener", handleChainStart() {} }] },
})) {
  test(`a run with ${how} lets it turn as soon as others`, async () => {
    let steps = 0;
    let seen = Infinity;
    const app = loop(
      () => (work(1), steps++ < 100 ? { n: steps } : Promise.reject(new Error("over"))),
    );
    setTimeout(() => (seen = steps), 1);
    await assert.rejects(
      async () =>
        drain(
          await (options.version
            ? app.streamEvents({ n: 0 }, config(options))
            : app.stream({ n: 0 }, config(options))),
        ),
      { message: "over" },
    );
    assert.ok(seen < 100, `${seen}`);
  });
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a cancelled stream of nodes that wait for nothing ends its run", async () => {
  let steps = 0;
  const app = loop(({ n }) => ({ n: (steps = n + 1) }));
  const stream = await app.stream({ n: 0 }, config());
  while (steps < 3) await turn();
  await stream.cancel();
  await turn();
  const seen = steps;
  for (let i = 0; i < 3; i++) await turn();
  assert.equal(steps, seen);
  assert.ok(steps < ENDLESS, `${steps}`);
});

test("of two such runs both go on, and runs that were called later end beside them", async () => {
  const counts = [0, 0];
  const controller = new AbortController();
  const endless = counts.map((_, at) =>
    loop(({ n }) => ({ n: (counts[at] = n + 1) })).invoke(
      { n: 0 },
      config({ signal: controller.signal }),
    ),
  );
  const ends = new StateGraph(State)
    .addNode("x", ({ n }) => ({ n: n + 1 }))
    .addEdge(START, "x")
    .compile();
  const short = await Promise.all(Array.from({ length: 40 }, (_, n) => ends.invoke({ n })));
  assert.deepEqual(
    short.map(({ n }) => n),
    Array.from({ length: 40 }, (_, n) => n + 1),
  );
  const before = [...counts];
  while (!counts.every((count, at) => count > before[at])) await turn();
  controller.abort();
  for (const run of endless) await assert.rejects(run, { name: "AbortError" });
  for (const count of counts) assert.ok(count < ENDLESS, `${counts}`);
});

test("the timers of a test runner hold no run up", async () => {
  const app = loop(({ n }) => (work(1), { n: n + 1 }));
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "setImmediate", "Date"] });
  try {
    await assert.rejects(app.invoke({ n: 0 }, { recursionLimit: 40 }), {
      name: "GraphRecursionError",
    });
  } finally {
    mock.timers.reset();
  }
});

test("the first run of a page waits for the end of the task that loaded the scripts and made the graph", () => {
  const program = `
    import { Annotation, END, START, StateGraph } from "weftgraph";
    let turned = false;
    setImmediate(() => (turned = true));
    const app = new StateGraph(Annotation.Root({ seen: Annotation() })).addNode("look", () => ({ seen: turned })).addEdge(START, "look").addEdge("look", END).compile();
    const start = Date.now();
    while (Date.now() - start < 20);
    console.log((await app.invoke({})).seen);
  `;
  const told = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    cwd: new URL("../..", import.meta.url),
  });
  assert.equal(told.trim(), "true");
});
