// SPDX-License-Identifier: MIT
// Serves: R12: a test runner's fake timers move retries and timeouts, also the first ones of a
// process.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";

const State = Annotation.Root({ n: Annotation() });
const realTurn = setImmediate;

/**
 * Lets what is under way go on, as test runners do between two timers: turns of the real event
 * loop.
 */
async function turns() {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => realTurn(resolve));
}

/** @param {(n: number) => any} node @param {any} options @param {any} config */
function start(node, options, config) {
  const app = new StateGraph(State)
    .addNode("a", node, options)
    .addEdge(START, "a")
    .compile({ checkpointer: new MemorySaver() });
  const run = { result: undefined, error: undefined };
  app.invoke({ n: 0 }, { configurable: { thread_id: "1" }, ...config }).then(
    (result) => (run.result = result),
    (error) => (run.error = error),
  );
  return run;
}

// The first test of the file: nothing was retried in this process before.
test("the first retry of a process comes when fake timers have moved to its time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval", "setImmediate", "Date"] });
  let tries = 0;
  const node = () => {
    if (++tries < 3) throw new Error("again");
    return { n: tries };
  };
  const run = start(node, {
    retryPolicy: {
      maxAttempts: 3,
      initialInterval: 500,
      backoffFactor: 2,
      jitter: false,
      logWarning: false,
    },
  });
  await turns();
  assert.equal(tries, 1);
  t.mock.timers.tick(499);
  await turns();
  assert.equal(tries, 1);
  t.mock.timers.tick(1);
  await turns();
  assert.equal(tries, 2);
  t.mock.timers.tick(1000);
  await turns();
  assert.deepEqual(run, { result: { n: 3 }, error: undefined });
});

test("a node's timeout ends when fake timers have moved to its time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval", "setImmediate", "Date"] });
  const run = start(() => new Promise(() => {}), { timeout: 1000 });
  await turns();
  t.mock.timers.tick(1000);
  await turns();
  assert.equal(run.error?.name, "NodeTimeoutError");
});
