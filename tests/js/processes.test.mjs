// SPDX-License-Identifier: MIT
// Processes that share a folder and a thread: their runs wait for each other, and a killed one
// holds nobody up for long.
// Own process: replaces the clock and the file system's stat.
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs/promises";
import builtin from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Annotation, START, StateGraph } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";

const USER = fileURLToPath(new URL("thread-user.mjs", import.meta.url));
const on = { configurable: { thread_id: "1" } };

async function folder(t) {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-processes-"));
  t.after(() => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

async function start(t, ...args) {
  const child = fork(USER, args.map(String));
  t.after(() => child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

/** @returns {Promise<any[]>} what a process tells until it ends */
async function use(child) {
  const told = [];
  child.on("message", (message) => told.push(message));
  child.send("begin");
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
  return told;
}

const counting = (path) =>
  new StateGraph(
    Annotation.Root({ count: Annotation({ reducer: (a, b) => a + b, default: () => 0 }) }),
  )
    .addNode("one", () => ({ count: 1 }))
    .addEdge(START, "one")
    .compile({ checkpointer: new FileSaver({ path }) });

/** The lock of thread 1. */
const lockOf = (path) =>
  join(path, "tmp", `lock-${createHash("sha256").update("1").digest("hex")}`);

/** The lock of the folder's one thread that is held, as if nobody had touched it for so long. */
async function age(path, ms) {
  const [name, ...more] = (await fs.readdir(join(path, "tmp"))).filter((one) =>
    /^lock-[\da-f]+$/.test(one),
  );
  assert.equal(more.length, 0);
  const then = new Date(Date.now() - ms);
  await fs.utimes(join(path, "tmp", name), then, then);
}

for (const [name, first, second] of [
  ["with no strategy", [], []],
  ["enqueued", ["enqueue"], ["enqueue"]],
  ["one enqueued, one with no strategy", ["enqueue"], []],
])
  test(`two processes, 20 runs each on one thread, ${name}: all succeed, in turn, each step once`, async (t) => {
    const path = await folder(t);
    const children = await Promise.all([first, second].map((how) => start(t, path, 20, ...how)));
    const told = await Promise.all(children.map(use));
    const counts = told.map((results) => results.map((result) => result.count ?? result));
    assert.deepEqual(
      counts.flat().sort((a, b) => a - b),
      Array.from({ length: 40 }, (_, i) => 2 * i + 2),
    );
    assert.deepEqual((await counting(path).getState(on)).values, { count: 80 });
    assert.deepEqual(await fs.readdir(join(path, "tmp")), []);
  });

test("a process of this machine that was killed holds its thread no more: the next run begins at once", async (t) => {
  const path = await folder(t);
  const child = await start(t, path, 0);
  child.send("begin");
  await once(child, "message");
  child.kill("SIGKILL");
  await once(child, "exit");
  const graph = counting(path);
  await graph.invoke({}, { ...on, multitaskStrategy: "reject" });
  await assert.rejects(fs.stat(lockOf(path)), { code: "ENOENT" });
});

test("a killed process of another machine holds its thread until its lock is 10 s old: then runs of others go on, and no other run is told BUSY", async (t) => {
  const path = await folder(t);
  const child = await start(t, path, 0, "enqueue");
  child.send("begin");
  await once(child, "message");
  const graph = counting(path);
  await assert.rejects(graph.invoke({}, { ...on, multitaskStrategy: "reject" }), { code: "BUSY" });
  child.kill("SIGKILL");
  await once(child, "exit");
  await fs.writeFile(lockOf(path), `123456 ${child.pid} elsewhere`);
  const waiting = [1, 2].map(() => graph.invoke({}, { ...on, multitaskStrategy: "enqueue" }));
  await assert.rejects(
    graph.invoke({}, { ...on, multitaskStrategy: "enqueue", signal: AbortSignal.timeout(50) }),
    { name: "TimeoutError" },
  );
  await age(path, 10_001);
  const counts = (await Promise.all(waiting)).map(({ count }) => count);
  assert.equal(counts[1], counts[0] + 1);
  await graph.invoke({}, { ...on, multitaskStrategy: "reject" });
  assert.deepEqual(
    (await fs.readdir(join(path, "tmp"))).filter((name) => /^lock-[\da-f]+$/.test(name)),
    [],
  );
});

test("a run with no strategy is seen by one of another process that would be rejected", async (t) => {
  const path = await folder(t);
  const child = await start(t, path, 0);
  child.send("begin");
  await once(child, "message");
  const graph = counting(path);
  await assert.rejects(graph.invoke({}, { ...on, multitaskStrategy: "reject" }), { code: "BUSY" });
  // The other run's input may be stored by now; nothing of the rejected one is.
  const inputs = [];
  for await (const { metadata } of graph.getStateHistory(on))
    if (metadata.source === "input") inputs.push(metadata);
  assert.ok(inputs.length <= 1, JSON.stringify(inputs));
});

test("a lock that is let go while somebody looks at it is taken", async (t) => {
  const path = join(await folder(t), "lock-00");
  const [one, two] = await Promise.all(
    ["gone-one", "gone-two"].map((name) => import(`../../js/savers/file/thread-lock.js?${name}`)),
  );
  const release = await one.lockThread(path, {});
  const { readFile } = builtin;
  const read = t.mock.method(builtin, "readFile", (...args) => {
    if (read.mock.callCount() === 0) release();
    return readFile(...args);
  });
  syncBuiltinESMExports();
  t.after(() => syncBuiltinESMExports());
  const again = await two.lockThread(path, { wait: true });
  read.mock.restore();
  assert.equal(typeof again, "function");
  again();
});

test("who lets go of a thread that another process waits for does not take it again before that one", async (t) => {
  const path = join(await folder(t), "lock-00");
  // Each with a memory of its own, as another process has.
  const [one, two] = await Promise.all(
    ["one", "two"].map((name) => import(`../../js/savers/file/thread-lock.js?${name}`)),
  );
  const release = await one.lockThread(path, {});
  const order = [];
  const second = two.lockThread(path, { wait: true }).then((free) => (order.push("two"), free));
  while (!(await fs.readdir(join(path, ".."))).includes("lock-00-wanted"))
    await new Promise((resolve) => setTimeout(resolve, 1));
  release();
  const third = one.lockThread(path, { wait: true }).then((free) => (order.push("one"), free));
  (await second)();
  (await third)();
  assert.deepEqual(order, ["two", "one"]);
});

test("a mark of those who wait that cannot be removed costs nobody the lock", async (t) => {
  const path = join(await folder(t), "lock-00");
  const { lockThread } = await import("../../js/savers/file/thread-lock.js?marked");
  const release = await lockThread(path, {});
  const { unlink } = builtin;
  t.after(() => ((builtin.unlink = unlink), syncBuiltinESMExports()));
  builtin.unlink = (name) =>
    String(name).endsWith("-wanted")
      ? Promise.reject(Object.assign(new Error("busy"), { code: "EBUSY" }))
      : unlink(name);
  syncBuiltinESMExports();
  const next = lockThread(path, { wait: true });
  while (!(await fs.readdir(join(path, ".."))).includes("lock-00-wanted"))
    await new Promise((resolve) => setTimeout(resolve, 1));
  release();
  (await next)();
  assert.deepEqual(await fs.readdir(join(path, "..")), []);
});

test("who takes over an old lock in the moment in which another one has done so gives it back", async (t) => {
  const path = await folder(t);
  const { store } = new FileSaver({ path });
  (await store.hold("1"))();
  const name = lockOf(path);
  await fs.writeFile(name, "dead");
  await age(path, 10_001);
  const { rename } = fs.default;
  t.after(() => ((fs.default.rename = rename), syncBuiltinESMExports()));
  fs.default.rename = async (...args) => {
    await fs.unlink(name);
    await fs.writeFile(name, "other");
    return rename(...args);
  };
  syncBuiltinESMExports();
  assert.equal(await store.hold("1"), undefined);
  assert.equal(await fs.readFile(name, "utf8"), "other");
  assert.deepEqual((await fs.readdir(join(path, "tmp"))).length, 1);
});

test("a run that another process does not end is waited for 10 minutes: then those that wait are told BUSY, until another one holds the thread", async (t) => {
  const path = await folder(t);
  const graph = counting(path);
  await graph.invoke({}, on);
  const name = lockOf(path);
  await fs.writeFile(name, "hangs");
  const { stat } = fs.default;
  const now = performance.now.bind(performance);
  t.after(() => ((fs.default.stat = stat), (performance.now = now), syncBuiltinESMExports()));
  // Its holder touches it all the time.
  fs.default.stat = async (...args) =>
    args[0] === name ? { ...(await stat(...args)), mtimeMs: Date.now() } : stat(...args);
  syncBuiltinESMExports();
  const enqueued = () => graph.invoke({}, { ...on, multitaskStrategy: "enqueue" });
  /** Until a run that waits has looked for the lock. */
  const wanted = async (run) => {
    let isOver = false;
    run.catch(() => (isOver = true));
    while (!isOver && !(await fs.readdir(join(path, "tmp"))).some((one) => one.endsWith("-wanted")))
      await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const waiting = [enqueued(), enqueued()];
  await wanted(waiting[0]);
  performance.now = () => now() + 601_000;
  for (const run of waiting) await assert.rejects(run, { code: "BUSY", message: /thread 1/ });
  await fs.writeFile(name, "another");
  await fs.unlink(`${name}-wanted`);
  const last = enqueued();
  await wanted(last);
  await fs.unlink(name);
  assert.deepEqual(await last, { count: 2 });
});
