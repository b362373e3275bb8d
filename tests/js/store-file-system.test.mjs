// SPDX-License-Identifier: MIT
// What the file store makes of a file system that is only there to be read, and of a system with
// few open files to give.
import { test } from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, START, StateGraph } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";
import { exportThread } from "weftgraph/savers/transfer";

const WRITING = ["mkdir", "link", "rename", "unlink", "rm", "writeFile", "utimes"];
const real = Object.fromEntries([...WRITING, "open"].map((verb) => [verb, fs[verb]]));
const refuse = (code) => Promise.reject(Object.assign(new Error(`${code}: injected`), { code }));

/**
 * From now on nothing can be written, as on a file system that is mounted so: a folder that is
 * there is still there.
 */
function mountReadOnly(code) {
  for (const verb of WRITING)
    fs[verb] = async (...args) =>
      verb === "mkdir" && (await fs.stat(args[0]).catch(() => undefined))
        ? undefined
        : refuse(code);
  fs.open = async (path, flags = "r", ...rest) =>
    flags === "r" ? real.open(path, flags, ...rest) : refuse(code);
  syncBuiltinESMExports();
}
function restore() {
  Object.assign(fs, real);
  syncBuiltinESMExports();
}
async function makeFolder(t) {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-system-"));
  t.after(() => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }));
  t.after(restore);
  return path;
}
const on = (thread_id) => ({ configurable: { thread_id } });
const appOn = (checkpointer) =>
  new StateGraph(Annotation.Root({ n: Annotation }))
    .addNode("add", ({ n }) => ({ n: n + 1 }))
    .addEdge(START, "add")
    .compile({ checkpointer });

test("a folder given by a relative path stays where it is when the process goes elsewhere", async (t) => {
  const [folder, elsewhere] = [await makeFolder(t), await makeFolder(t)];
  const before = process.cwd();
  t.after(() => process.chdir(before));
  process.chdir(folder);
  const saver = new FileSaver({ path: "threads" });
  process.chdir(elsewhere);
  assert.equal((await appOn(saver).invoke({ n: 1 }, on("a"))).n, 2);
  assert.deepEqual([await fs.readdir(folder), await fs.readdir(elsewhere)], [["threads"], []]);
});

for (const code of ["EROFS", "EACCES"]) {
  test(`a store is read where nothing can be written (${code}), also with an old file in tmp/ or without tmp/; writing is a STORE error`, async (t) => {
    const path = await makeFolder(t);
    await appOn(new FileSaver({ path })).invoke({ n: 1 }, on("t"));
    await fs.writeFile(join(path, "tmp", "left-behind"), "x");
    await fs.utimes(join(path, "tmp", "left-behind"), 0, 0);
    for (const has of [true, false]) {
      if (!has) await fs.rm(join(path, "tmp"), { recursive: true });
      mountReadOnly(code);
      const saver = new FileSaver({ path });
      assert.deepEqual((await appOn(saver).getState(on("t"))).values, { n: 2 });
      assert.deepEqual(
        [await saver.listThreads(), (await saver.getTuple(on("t"))).checkpoint.channel_values.n],
        [["t"], 2],
      );
      assert.ok((await exportThread(saver, "t")).length > 0);
      assert.equal(await saver.store.head("another"), undefined);
      for (const write of [
        () => appOn(saver).invoke({ n: 1 }, on("t")),
        () => appOn(saver).invoke({ n: 1 }, on("new")),
        () => saver.deleteThread("t"),
      ]) {
        await assert.rejects(
          write,
          (error) =>
            error.code === "STORE" && error.message.includes(code) && error.cause?.code === code,
        );
      }
      restore();
    }
    assert.equal((await appOn(new FileSaver({ path })).invoke({ n: 5 }, on("t"))).n, 6);
  });
}

test("600 threads are written and read at once by a process that may open 128 files", {
  skip: process.platform === "win32",
}, async (t) => {
  const path = await makeFolder(t);
  const program = `
    import { FileStore } from ${JSON.stringify(new URL("../../js/savers/file/store.js", import.meta.url).href)};
    const store = new FileStore({ path: ${JSON.stringify(path)} });
    const ids = Array.from({ length: 600 }, (_, n) => "thread " + n);
    const settled = [];
    for (const call of [(id) => store.append(id, { firstSeq: 1, seq: 1, crc: 1 }, new Uint8Array(50), undefined), (id) => store.witness(id, { seq: 1, crc: 1 }), (id) => store.read(id)]) {
      settled.push(...(await Promise.allSettled(ids.map(call))));
    }
    const failed = settled.filter(({ status }) => status === "rejected");
    console.log(settled.length, failed.length, String(failed[0]?.reason ?? ""));`;
  const { stdout, stderr } = spawnSync(
    "sh",
    ["-c", 'ulimit -n 128 && exec "$0" --input-type=module', process.execPath],
    { input: program, encoding: "utf8" },
  );
  assert.equal(stdout, "1800 0 \n", stderr);
});

test("a system that has no file to give for a while is asked again; one that never has is a STORE error", async (t) => {
  const path = await makeFolder(t);
  let refusals = 0;
  fs.open = (...args) =>
    refusals++ < 6 ? refuse(refusals % 2 === 0 ? "EMFILE" : "ENFILE") : real.open(...args);
  syncBuiltinESMExports();
  await appOn(new FileSaver({ path })).invoke({ n: 1 }, on("t"));
  assert.ok(refusals > 6);
  fs.open = () => refuse("EMFILE");
  syncBuiltinESMExports();
  await assert.rejects(
    new FileSaver({ path }).store.head("t"),
    (error) => error.code === "STORE" && error.cause.code === "EMFILE",
  );
  restore();
  assert.deepEqual((await appOn(new FileSaver({ path })).getState(on("t"))).values, { n: 2 });
});
