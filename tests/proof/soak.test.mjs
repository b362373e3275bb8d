// SPDX-License-Identifier: MIT
// T14: many steps in one process, with fan-outs, questions, threads that come and go, and a long
// thread that is pruned: the engine holds as much after the last step as after the warm-up, its
// memory does not grow, nor does the log. 3,000 steps; 100,000 under WEFT_LONG.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  Annotation,
  Command,
  END,
  MemorySaver,
  START,
  Send,
  StateGraph,
  interrupt,
} from "weftgraph";
import { keepPruned } from "weftgraph/savers/retention";
import { getEngine } from "../../js/engine/instance.js";
import { alive } from "../js/small-graph.mjs";
import { LONG, figure, isBroken } from "./kit.mjs";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");
const STEPS = LONG ? 100_000 : 3_000;
const WARM = STEPS / 10;
const THREADS = 50;

const State = Annotation.Root({
  round: Annotation(),
  recent: Annotation({ reducer: (a, b) => a.concat(b).slice(-20), default: () => [] }),
});
let steps = 0;
const step = (update) => (steps++, update);

function makeGraph(checkpointer) {
  return new StateGraph(State)
    .addNode("plan", ({ round }) => step({ round: (round ?? 0) + 1 }))
    .addNode("part", ({ part }) => ({ recent: [`part ${part} ${"x".repeat(100)}`] }))
    .addNode("join", ({ recent }) => step({ recent: [`join ${recent.length}`] }))
    .addNode("ask", ({ round }) => step(round % 7 === 0 ? { recent: [interrupt({ round })] } : {}))
    .addEdge(START, "plan")
    .addConditionalEdges(
      "plan",
      () => (steps++, [1, 2, 3].map((part) => new Send("part", { part }))),
      ["part"],
    )
    .addEdge("part", "join")
    .addEdge("join", "ask")
    .addConditionalEdges("ask", ({ round }) => (round % 5 === 0 ? END : "plan"), ["plan", END])
    .compile({ checkpointer });
}

async function turn(graph, thread_id) {
  const config = { configurable: { thread_id } };
  let result = await graph.invoke({ round: undefined }, { ...config, recursionLimit: 100 });
  while (result.__interrupt__ !== undefined)
    result = await graph.invoke(new Command({ resume: "yes" }), { ...config, recursionLimit: 100 });
  return result;
}

async function measure() {
  // What a run held is released with the next block; finalizers run a turn later.
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { values, slots } = await alive();
  return {
    values,
    slots,
    pages: getEngine().x.memory.buffer.byteLength / 65_536,
    heap: process.memoryUsage().heapUsed,
  };
}

test("T14: nothing grows with the steps", { timeout: LONG ? Infinity : 1_200_000 }, async () => {
  const saver = keepPruned(new MemorySaver(), { last: 5, every: 200 });
  const graph = makeGraph(saver);
  const kept = [];
  let warm, warmBytes;
  for (let i = 0; steps < STEPS; i++) {
    await turn(graph, i % 3 === 0 ? "long" : `t${i % THREADS}`);
    if (i % THREADS === THREADS - 1) await saver.deleteThread(`t${(i * 7) % THREADS}`);
    // T14's planted bug: a host that keeps values of the engine.
    if (isBroken("T14"))
      kept.push(
        makeGraph(new MemorySaver()).invoke(
          { round: 0 },
          { configurable: { thread_id: `k${i}` }, interruptBefore: ["join"] },
        ),
      );
    if (warm === undefined && steps >= WARM)
      [warm, warmBytes] = [await measure(), await saver.byteLength("long")];
  }
  const end = await measure();
  const bytes = await saver.byteLength("long");
  const limit = Math.max(warm.values, 1) * 1.05 + 200;
  assert.ok(
    end.values <= limit,
    `T14: ${end.values} values in the engine, ${warm.values} after the warm-up`,
  );
  assert.ok(
    end.pages <= warm.pages * 1.25 + 2,
    `T14: ${end.pages} pages of memory, ${warm.pages} after the warm-up`,
  );
  assert.ok(
    end.heap - warm.heap <= 2 * 2 ** 20,
    `T14: the heap grew by ${end.heap - warm.heap} bytes`,
  );
  assert.ok(
    bytes <= 4 * Math.max(warmBytes, 50_000),
    `T14: the log has ${bytes} bytes, ${warmBytes} after the warm-up`,
  );
  figure("T14", {
    steps,
    values: end.values,
    pages: end.pages,
    "heap bytes more": Math.max(0, end.heap - warm.heap),
    "log bytes": bytes,
  });
});
