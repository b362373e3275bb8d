// SPDX-License-Identifier: MIT
// The studio's bytes per step, against the logs of its samples: what the engine appended, and how
// large the thread is.
import { test } from "node:test";
import assert from "node:assert/strict";
import { MemorySaver } from "weftgraph";
import { SAMPLES } from "../../web-demo/src/samples/index.js";
import { makeOrders } from "../../web-demo/src/samples/orders.js";
import { research } from "../../web-demo/src/samples/research.js";
import { review } from "../../web-demo/src/samples/review.js";
import { team } from "../../web-demo/src/samples/team.js";
import { plannerModel } from "../../web-demo/src/models/planner.js";
import { stepBytes } from "../../web-demo/src/worker/step-bytes.js";

const GRAPHS = { orders: makeOrders(plannerModel()), research, review, team };

/** A saver, and how large the log was after each append. */
function watched() {
  const saver = new MemorySaver();
  const { store } = saver;
  const sizes = [];
  const append = store.append.bind(store);
  store.append = (thread, commit, bytes, expected) => {
    const answer = append(thread, commit, bytes, expected);
    sizes.push((sizes.at(-1) ?? 0) + bytes.length);
    return answer;
  };
  return { saver, sizes };
}

async function idsOf(graph, config) {
  const ids = [];
  for await (const { config: at } of graph.getStateHistory(config))
    ids.push(at.configurable.checkpoint_id);
  return ids.reverse();
}

for (const { graph: name, stories } of SAMPLES.filter(({ graph }) => graph in GRAPHS))
  test(`${name}: the bytes of the steps are those of the thread, each where a commit ends`, async () => {
    const { saver, sizes } = watched();
    const graph = GRAPHS[name];
    graph.checkpointer = saver;
    const config = { configurable: { thread_id: "t" }, durability: "sync" };
    for (const { input } of stories) await graph.invoke(input, config);
    const found = await stepBytes(saver, "t");
    assert.deepEqual([...found.keys()], await idsOf(graph, config));
    const { next } = await graph.getState(config);
    let sum = 0;
    for (const bytes of found.values()) {
      sum += bytes;
      assert.ok(sizes.includes(sum), `${sum} is no end of a commit: ${sizes.join(", ")}`);
    }
    const whole = await saver.byteLength("t");
    // A question is stored after the last checkpoint.
    if (next.length === 0) assert.equal(sum, whole);
    else assert.ok(sum < whole);
  });

test("a fork's step is counted where it was written, and a thread that is not there has none", async () => {
  const saver = new MemorySaver();
  research.checkpointer = saver;
  const config = { configurable: { thread_id: "t" } };
  await research.invoke(SAMPLES.find(({ graph }) => graph === "research").stories[0].input, config);
  const before = await stepBytes(saver, "t");
  const [first] = before.keys();
  await research.invoke(null, { configurable: { thread_id: "t", checkpoint_id: first } });
  const after = await stepBytes(saver, "t");
  assert.deepEqual([...after].slice(0, before.size), [...before]);
  assert.ok(after.size > before.size);
  assert.deepEqual(await stepBytes(saver, "none"), new Map());
});
