// SPDX-License-Identifier: MIT
// What is stored crosses the border with its text: a step of a saved run is one crossing, as that
// of a plain one.
// Own process: counts crossings of the border, which other files also make.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, MemorySaver, START, StateGraph, StateSchema, UntrackedValue } from "weftgraph";
import { getEngine } from "../../js/engine/instance.js";

const State = Annotation.Root({
  one: Annotation(),
  many: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
});

function chain(nodes, schema = State, checkpointer = new MemorySaver()) {
  const graph = new StateGraph(schema);
  Object.entries(nodes).forEach(([name, node], at, all) =>
    graph.addNode(name, node).addEdge(at === 0 ? START : all[at - 1][0], name),
  );
  return graph.compile({ checkpointer });
}

/** How often the border is crossed meanwhile. */
async function feeds(work) {
  const engine = getEngine();
  const feed = engine.feed;
  let count = 0;
  engine.feed = function (...args) {
    count++;
    return feed.apply(this, args);
  };
  try {
    await work();
  } finally {
    delete engine.feed;
  }
  return count;
}

const thread = (id) => ({ configurable: { thread_id: id } });

test("a new thread whose steps write objects: one crossing for the input, one for START and one for each step", async () => {
  const app = chain({ a: () => ({ one: { deep: [1, "x"] } }), b: async () => ({ one: "text" }) });
  await app.invoke({ one: { n: 0 } }, thread("w"));
  assert.equal(await feeds(() => app.invoke({ one: { n: 1 } }, thread("x"))), 4);
  assert.deepEqual((await app.getState(thread("x"))).values, { one: "text", many: [] });
  assert.equal(
    await feeds(() => app.invoke({ one: { n: 2 } }, thread("x"))),
    4,
    "and a thread that was there",
  );
});

test("a value that runs code when it is read may begin and end other runs", async () => {
  const other = new AbortController();
  const slow = chain({
    wait: (_, { signal }) =>
      new Promise((_done, fail) => signal.addEventListener("abort", () => fail(signal.reason))),
  });
  const lost = assert.rejects(
    slow.invoke({ one: 1 }, { ...thread("slow"), signal: other.signal }),
    /abort/i,
  );
  await new Promise((done) => setTimeout(done, 5));
  const app = chain({
    a: () => ({
      one: {
        get first() {
          other.abort();
          return 1;
        },
        second: { n: 2 },
      },
      many: [{ n: 3 }],
    }),
    b: ({ one }) => ({ many: [one.second.n] }),
  });
  const { many } = await app.invoke({ one: 0 }, thread("t"));
  assert.deepEqual(many, [{ n: 3 }, 2]);
  await lost;
  assert.deepEqual((await app.getState(thread("t"))).values, {
    one: { first: 1, second: { n: 2 } },
    many: [{ n: 3 }, 2],
  });
});

/** A Standard Schema of any value. */
const anything = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };

test("what is never saved is never made a text", async () => {
  let asked = 0;
  const noisy = { toJSON: () => void asked++ };
  const schema = new StateSchema({ one: anything, live: new UntrackedValue() });
  const app = chain({ a: () => ({ one: 1, live: noisy }), b: () => ({ one: 2 }) }, schema);
  await app.invoke({ one: 0 }, thread("t"));
  assert.equal(asked, 0);
  const exit = chain({ a: () => ({ one: noisy }), b: () => ({ one: 2 }) });
  await exit.invoke({ one: 0 }, { ...thread("t"), durability: "exit" });
  assert.equal(asked, 0);
});

test("a value that cannot be stored ends the run with the error that it had, and nothing is lost before it", async () => {
  const app = chain({
    a: () => ({ one: 1 }),
    b: () => ({
      one: {
        get bad() {
          throw new Error("not readable");
        },
      },
    }),
  });
  await assert.rejects(app.invoke({ one: 0 }, thread("t")), /not readable/);
  assert.deepEqual((await app.getState(thread("t"))).values, { one: 1, many: [] });
});
