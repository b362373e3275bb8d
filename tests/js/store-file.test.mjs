// SPDX-License-Identifier: MIT
// The store contract over the file store; processes that write one thread at once (T7, T20); damage
// and a full disk (T5, T15).
// Own process: takes as long as many other files.
import { test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { storeContract } from "weftgraph/store-contract";
import { FileStore } from "../../js/savers/file/store.js";

const paths = new WeakMap();
const made = [];
async function makeStore() {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-store-"));
  made.push(path);
  return open(path);
}
function open(path) {
  const store = new FileStore({ path });
  paths.set(store, path);
  return store;
}
test.after(() =>
  Promise.all(made.map((path) => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }))),
);

storeContract({
  test,
  assert,
  makeStore,
  reopen: (store) => open(paths.get(store)),
  features: { witness: true },
});

async function writeMany(store, count, start = 0) {
  let head = start ? await store.head("t") : undefined;
  for (let seq = start + 1; seq <= start + count; seq++) {
    await store.append(
      "t",
      { seq, crc: seq * 3, firstSeq: seq },
      new Uint8Array([seq, seq >> 8, 7]),
      head,
    );
    head = { seq, crc: seq * 3 };
  }
}
const logFolder = async (store) => {
  const threads = join(paths.get(store), "threads");
  const folder = join(threads, (await fs.readdir(threads))[0]);
  return join(
    folder,
    (await fs.readdir(folder)).find((name) => name.startsWith("log-")),
  );
};

test("small commits are folded at 64, large ones stay alone, nothing is left aside", async () => {
  const store = await makeStore();
  await writeMany(store, 200);
  const names = await fs.readdir(await logFolder(store));
  assert.equal(names.filter((name) => name.startsWith("s-")).length, 3);
  assert.equal(names.filter((name) => name.startsWith("c-")).length, 200 - 192);
  assert.deepEqual(await fs.readdir(join(paths.get(store), "tmp")), []);
});

test("calls on one thread keep their order while more threads are used than are kept open", async () => {
  const store = await makeStore();
  const ends = [store.append("t", { seq: 1, crc: 3, firstSeq: 1 }, new Uint8Array([1]), undefined)];
  for (let i = 0; i < 1100; i++) ends.push(store.head(`other ${i}`));
  ends.push(
    store.append("t", { seq: 2, crc: 6, firstSeq: 2 }, new Uint8Array([2]), { seq: 1, crc: 3 }),
  );
  for (let i = 0; i < 1100; i++) ends.push(store.head(`another ${i}`));
  ends.push(store.head("t"));
  assert.deepEqual((await Promise.all(ends)).at(-1), { seq: 2, crc: 6 });
  await writeMany(store, 3, 2);
  assert.equal((await store.head("t")).seq, 5);
});

test("a late writer is fenced even where the file of its name was folded away", async () => {
  const store = await makeStore();
  await writeMany(store, 70);
  const late = open(paths.get(store));
  await assert.rejects(
    late.append("t", { seq: 4, crc: 1, firstSeq: 4 }, new Uint8Array([9]), { seq: 3, crc: 9 }),
    { code: "FENCED" },
  );
  // The writer that had looked before the fold, and links after it: its file is off the chain.
  const folder = await logFolder(store);
  await fs.copyFile(
    join(
      folder,
      (await fs.readdir(folder)).find((name) => name.startsWith("c-")),
    ),
    join(folder, "c-00000000000003-00000009"),
  );
  assert.equal((await store.head("t")).seq, 70);
  assert.equal(
    (await store.read("t")).reduce((sum, batch) => sum + batch.length, 0),
    210,
  );
  await writeMany(store, 70, 70);
  assert.equal(
    (await store.read("t")).reduce((sum, batch) => sum + batch.length, 0),
    420,
  );
  assert.ok(!(await fs.readdir(folder)).includes("c-00000000000003-00000009"));
});

test("a file that is gone from the middle is CORRUPT_LOG and names the thread", async () => {
  const store = await makeStore();
  await writeMany(store, 10);
  const folder = await logFolder(store);
  await fs.unlink(join(folder, "c-00000000000005-0000000f"));
  await assert.rejects(
    open(paths.get(store)).read("t"),
    (error) => error.code === "CORRUPT_LOG" && error.message.includes("t"),
  );
});

test("a commit file cut short is CORRUPT_LOG; other threads stay readable", async () => {
  const store = await makeStore();
  await writeMany(store, 3);
  const folder = await logFolder(store);
  await fs.truncate(join(folder, "c-00000000000002-00000006"), 10);
  await store.append("other", { seq: 1, crc: 1, firstSeq: 1 }, new Uint8Array([1]), undefined);
  const again = open(paths.get(store));
  await assert.rejects(again.head("t"), { code: "CORRUPT_LOG" });
  assert.equal((await again.head("other")).seq, 1);
});

test("a thread whose name was damaged is not listed, and keeps no other from it; by its name it is there", async () => {
  for (const name of ["", "\0", "u", "x".repeat(10_000), "t\n"]) {
    const store = await makeStore();
    await writeMany(store, 3);
    const [folder] = await fs.readdir(join(paths.get(store), "threads"));
    for (const id of ["u", "v"])
      await store.append(id, { seq: 1, crc: 7, firstSeq: 1 }, new Uint8Array([1]), undefined);
    await fs.writeFile(join(paths.get(store), "threads", folder, "id"), name);
    const other = open(paths.get(store));
    assert.deepEqual((await other.list()).sort(), ["u", "v"]);
    assert.equal((await other.list({ limit: 2 })).length, 2);
    assert.deepEqual(await other.head("t"), { seq: 3, crc: 9 });
  }
});

test("a folder that cannot be used is a STORE error", async () => {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-store-"));
  made.push(path);
  await fs.writeFile(join(path, "threads"), "a file");
  const store = new FileStore({ path });
  await assert.rejects(store.head("t"), { code: "STORE" });
  await fs.unlink(join(path, "threads"));
  assert.equal(await store.head("t"), undefined);
  assert.throws(() => new FileStore({ path: "" }), { code: "BAD_ARGUMENT" });
});

const writerFile = fileURLToPath(new URL("../runtime/store-file-writer.mjs", import.meta.url));
const runWriter = (path, name) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writerFile, path, name, "60"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (data) => (text += data));
    child.on("exit", (code) =>
      code === 0
        ? resolve(JSON.parse(text))
        : reject(new Error(`writer ${name} ended with ${code}`)),
    );
  });

test("four processes on one thread: no acknowledged commit lost, none twice", {
  timeout: 600_000,
}, async () => {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-store-"));
  made.push(path);
  const results = await Promise.all(["a", "b", "c", "d"].map((name) => runWriter(path, name)));
  const acknowledged = results.flatMap((result) => result.acknowledged);
  assert.equal(acknowledged.length, 240);
  assert.ok(results.reduce((sum, result) => sum + result.fenced, 0) > 0, "they met");
  const stored = Buffer.concat(await open(path).read("shared"))
    .toString()
    .trim()
    .split("\n");
  assert.deepEqual([...stored].sort(), acknowledged.sort());
  stored.forEach((line, i) => assert.equal(Number(line.split(" ")[0]), i + 1));
});
