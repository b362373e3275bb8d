// SPDX-License-Identifier: MIT
// Threads as files: exported from one saver and imported into another, history and open questions
// included; answers that wait are void in the copy; damaged, foreign, too large and truncated files
// are refused and store nothing. Serves docs/reliability.md 1 (imported approvals are history, not
// permission).
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, Command, MemorySaver, START, StateGraph, interrupt } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";
import {
  copyThread,
  exportThread,
  exportThreads,
  importThread,
  importThreads,
} from "weftgraph/savers/transfer";
import { kvOver } from "./kv-map.mjs";

const State = Annotation.Root({
  log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
});
let broken = false;
const appOn = (checkpointer) =>
  new StateGraph(State)
    .addNode("first", () => ({ log: ["first"] }))
    .addNode("order", () => {
      const answer = interrupt("place it?");
      if (broken) throw new Error("crash");
      return { log: [`ordered ${answer}`] };
    })
    .addEdge(START, "first")
    .addEdge("first", "order")
    .compile({ checkpointer });
const on = (thread_id) => ({ configurable: { thread_id } });
const historyOf = async (app, id) => {
  const seen = [];
  for await (const { values, next, metadata, config, tasks } of app.getStateHistory(on(id)))
    seen.push([
      values,
      next,
      metadata.step,
      config.configurable.checkpoint_id,
      tasks.map((task) => [task.name, task.id, task.interrupts]),
    ]);
  return seen;
};

test("threads of any name come back, alone and among others", async () => {
  const names = [
    "a\u2028b",
    "a\u2029b",
    "a\nb",
    "a\r\nb",
    "a\u0000b",
    "\u0085",
    '"\\',
    "}",
    "ü",
    "\u{1f600}".repeat(256),
    "\u0001".repeat(1024),
  ];
  const saver = new MemorySaver();
  for (const name of names) {
    await appOn(saver).invoke({ log: [name] }, on(name));
    const other = new MemorySaver();
    assert.equal(await importThread(other, await exportThread(saver, name)), name);
    assert.deepEqual(await historyOf(appOn(other), name), await historyOf(appOn(saver), name));
  }
  const { imported } = await importThreads(new MemorySaver(), await exportThreads(saver));
  assert.deepEqual(imported.sort(), names.sort());
});

test("two imports of one file at once: each thread is stored by one and present to the other", async () => {
  const origin = new MemorySaver();
  for (const id of ["a", "b", "c"]) await appOn(origin).invoke({ log: [id] }, on(id));
  const file = await exportThreads(origin);
  const map = new Map();
  const told = await Promise.all([
    importThreads(kvOver(map), file),
    importThreads(kvOver(map), file),
  ]);
  for (const id of ["a", "b", "c"]) {
    assert.deepEqual(
      told
        .map(
          ({ imported, present }) => Number(imported.includes(id)) - Number(present.includes(id)),
        )
        .sort(),
      [-1, 1],
    );
    assert.deepEqual(await historyOf(appOn(kvOver(map)), id), await historyOf(appOn(origin), id));
  }
  // Another failure is told.
  const full = kvOver(new Map());
  full.store.append = async () => assert.fail("full");
  await assert.rejects(importThreads(full, file), /full/);
});

test("an open question goes with its thread, from files into memory", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-transfer-"));
  try {
    const files = new FileSaver({ path });
    await appOn(files).invoke({ log: ["in"] }, on("a"));
    const file = await exportThread(files, "a");
    assert.match(
      new TextDecoder().decode(file.subarray(0, 80)),
      /^weft-thread 1 \{"threadId":"a","records":\d+,"crc":\d+\}\n/,
    );
    const memory = new MemorySaver();
    assert.equal(await importThread(memory, file), "a");
    assert.equal(await importThread(memory, file, { threadId: "b" }), "b");
    const history = await historyOf(appOn(files), "a");
    for (const id of ["a", "b"]) {
      assert.deepEqual(await historyOf(appOn(memory), id), history);
      const { log } = await appOn(memory).invoke(new Command({ resume: id }), on(id));
      assert.deepEqual(log, ["in", "first", `ordered ${id}`]);
    }
    assert.deepEqual(await exportThread(files, "a"), file);
    await copyThread(memory, "a", "a2", files);
    assert.deepEqual((await appOn(files).getState(on("a2"))).values.log, [
      "in",
      "first",
      "ordered a",
    ]);
  } finally {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("an answer that was not acted on is asked for again in a copy", async () => {
  const saver = new MemorySaver();
  const app = appOn(saver);
  await app.invoke({ log: [] }, on("a"));
  broken = true;
  try {
    await assert.rejects(app.invoke(new Command({ resume: "yes" }), on("a")), { message: "crash" });
  } finally {
    broken = false;
  }
  await copyThread(saver, "a", "b");
  assert.deepEqual((await app.invoke(null, on("a"))).log, ["first", "ordered yes"]);
  const again = await app.invoke(null, on("b"));
  assert.deepEqual(
    again.__interrupt__.map(({ value }) => value),
    ["place it?"],
  );
  assert.deepEqual((await app.invoke(new Command({ resume: "no" }), on("b"))).log, [
    "first",
    "ordered no",
  ]);
});

test("a file that is none, damaged, cut, longer or too large is refused", async () => {
  const saver = new MemorySaver();
  await appOn(saver).invoke({ log: [] }, on("a"));
  const file = await exportThread(saver, "a");
  const empty = new MemorySaver();
  const changed = (at) => Uint8Array.from(file, (byte, index) => (index === at ? byte ^ 1 : byte));
  const bad = [
    new Uint8Array(0),
    file.subarray(1),
    file.subarray(0, -1),
    file.subarray(0, 90),
    changed(0),
    changed(12),
    changed(200),
    changed(file.length - 1),
    Uint8Array.of(...file, ...file),
  ];
  const first = file.indexOf(10) + 1;
  const shorter = new Uint8Array([
    ...new TextEncoder().encode('weft-thread 1 {"threadId":"a","records":1,"crc":0}\n'),
    ...file.subarray(first),
  ]);
  const newer = new Uint8Array([
    ...new TextEncoder().encode("weft-thread 2 {}\n"),
    ...file.subarray(first),
  ]);
  for (const one of [...bad, shorter])
    await assert.rejects(importThread(empty, one), (error) =>
      ["CORRUPT_LOG", "LOG_FORMAT"].includes(error.code),
    );
  await assert.rejects(importThread(empty, newer), {
    code: "LOG_FORMAT",
    message: /has format 2, this version reads 1/,
  });
  assert.deepEqual(await empty.listThreads(), []);
  await assert.rejects(importThread(empty, file, { maxBytes: 100 }), { code: "BAD_ARGUMENT" });
  await assert.rejects(importThread(empty, "text"), { code: "BAD_ARGUMENT" });
  await assert.rejects(importThread({}, file), { code: "BAD_ARGUMENT" });
  await assert.rejects(importThread(saver, file), {
    code: "BAD_ARGUMENT",
    message: /there already/,
  });
  await assert.rejects(exportThread(saver, "none"), {
    code: "BAD_ARGUMENT",
    message: /no thread "none"/,
  });
  await assert.rejects(importThread(empty, file, { threadId: "" }), { code: "BAD_ARGUMENT" });
});

test("a byte of a file that is turned over is told, wherever it is, and nothing is stored", async () => {
  const saver = new MemorySaver();
  for (const id of ["a", "b"]) await appOn(saver).invoke({ log: [] }, on(id));
  const [one, all] = [await exportThread(saver, "a"), await exportThreads(saver)];
  for (const [file, take] of [
    [one, importThread],
    [all, importThreads],
  ]) {
    for (let at = 0; at < file.length; at++) {
      const copy = file.slice();
      copy[at] ^= 1 << (at % 8);
      const empty = new MemorySaver();
      const error = await take(empty, copy).then(
        () => undefined,
        (failure) => failure,
      );
      // How many records there are is said for people.
      if (
        error === undefined &&
        /"records":\d+,$/.test(new TextDecoder().decode(file.subarray(0, file.indexOf(44, at) + 1)))
      )
        continue;
      assert.ok(error, `byte ${at}: ${new TextDecoder().decode(copy.subarray(at - 20, at + 20))}`);
      assert.ok(
        ["CORRUPT_LOG", "LOG_FORMAT", "BAD_ARGUMENT", "BAD_STRING"].includes(error.code),
        `byte ${at}: ${error.stack}`,
      );
      assert.deepEqual(await empty.listThreads(), [], `byte ${at}`);
    }
  }
});

test("of several threads none is stored when one is damaged", async () => {
  const saver = new MemorySaver();
  for (const id of ["a", "b", "c"]) await appOn(saver).invoke({ log: [] }, on(id));
  const file = await exportThreads(saver);
  const empty = new MemorySaver();
  const damaged = file.slice();
  damaged[file.length - 100] ^= 1;
  await assert.rejects(importThreads(empty, damaged), { code: "CORRUPT_LOG" });
  await assert.rejects(importThreads(empty, Uint8Array.of(...file, 0)), {
    code: "CORRUPT_LOG",
    message: /behind its threads/,
  });
  assert.deepEqual(await empty.listThreads(), []);
});

test("one damaged thread of a folder is named; the others are exported and counted", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-"));
  try {
    const saver = new FileSaver({ path });
    for (const id of ["a", "b", "c"]) await appOn(saver).invoke({ log: [] }, on(id));
    const bytes = await saver.byteLength();
    const log = readdirSync(join(path, "threads"), { recursive: true }).map((name) =>
      join(path, "threads", name),
    );
    const file = log.filter((name) => statSync(name).isFile() && !name.endsWith("id"))[1];
    truncateSync(file, 20);
    const damaged = new FileSaver({ path });
    const told = [];
    const exported = await exportThreads(damaged, {
      onError: (error, threadId) => told.push([error.code, threadId]),
    });
    assert.equal(told.length, 1);
    assert.equal(told[0][0], "CORRUPT_LOG");
    const { imported } = await importThreads(new MemorySaver(), exported);
    assert.deepEqual([...imported, told[0][1]].sort(), ["a", "b", "c"]);
    await assert.rejects(
      exportThreads(damaged),
      (error) => error.code === "CORRUPT_LOG" && error.message.includes(told[0][1]),
    );
    const left = await damaged.byteLength();
    assert.ok(left > bytes / 2 && left < bytes, `${left} of ${bytes}`);
  } finally {
    rmSync(path, { recursive: true, maxRetries: 5 });
  }
});

test("all threads of a saver in one file; those that are there stay as they are", async () => {
  const saver = new MemorySaver();
  const ids = Array.from({ length: 120 }, (_, index) => `t${index}`).sort();
  for (const id of ids) await appOn(saver).invoke({ log: [id] }, on(id));
  const file = await exportThreads(saver);
  const other = new MemorySaver();
  await appOn(other).invoke({ log: ["own"] }, on("t7"));
  const told = await importThreads(other, file);
  assert.deepEqual([told.imported, told.present], [ids.filter((id) => id !== "t7"), ["t7"]]);
  assert.deepEqual(await other.listThreads(), ids);
  assert.deepEqual((await appOn(other).getState(on("t7"))).values.log, ["own", "first"]);
  assert.deepEqual(await historyOf(appOn(other), "t8"), await historyOf(appOn(saver), "t8"));
  assert.deepEqual(await importThreads(new MemorySaver(), await exportThreads(new MemorySaver())), {
    imported: [],
    present: [],
  });
  const empty = new MemorySaver();
  await assert.rejects(importThreads(empty, file.subarray(0, -10)), { code: "CORRUPT_LOG" });
  await assert.rejects(importThreads(empty, await exportThread(saver, "t0")), {
    code: "CORRUPT_LOG",
  });
  await assert.rejects(importThreads(empty, file, { maxBytes: 1000 }), { code: "BAD_ARGUMENT" });
});

test("a thread that is deleted while all are exported is left out", async () => {
  const saver = new MemorySaver();
  for (const id of ["a", "b", "c"]) await appOn(saver).invoke({ log: [] }, on(id));
  const { store } = saver;
  const { list } = store;
  store.list = async (options) => {
    const ids = await list.call(store, options);
    if (ids.includes("b")) store.drop("b");
    return ids;
  };
  assert.deepEqual(await importThreads(new MemorySaver(), await exportThreads(saver)), {
    imported: ["a", "c"],
    present: [],
  });
});

test("a MemorySaver that keeps LangGraph's form is refused: it has no logs to copy", async () => {
  const looked = new MemorySaver();
  await appOn(looked).invoke({ log: [] }, on("t"));
  assert.deepEqual(Object.keys(looked.storage), ["t"]);
  const own = Object.assign(new MemorySaver(), { getTuple: async () => undefined });
  const other = new MemorySaver();
  await appOn(other).invoke({ log: [] }, on("t"));
  for (const saver of [looked, own]) {
    const refused = { code: "BAD_ARGUMENT", message: /no logs to copy/ };
    await assert.rejects(exportThread(saver, "t"), refused);
    await assert.rejects(exportThreads(saver), refused);
    await assert.rejects(copyThread(other, "t", "c", saver), refused);
    await assert.rejects(importThreads(saver, await exportThreads(other)), refused);
  }
});
