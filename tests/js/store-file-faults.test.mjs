// SPDX-License-Identifier: MIT
// T5 and T15 for the file store: EIO or ENOSPC at every call of the file system in a scenario that
// also folds. A typed error, nothing acknowledged is lost, nothing is stored twice, and the thread
// goes on.
// Own process: makes calls of the file system fail.
import { test } from "node:test";
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { figure, isBroken } from "../proof/kit.mjs";
import { FileStore } from "../../js/savers/file/store.js";
import { present } from "../../js/savers/file/file-system.js";

const counts = { faults: 0, acknowledged: 0 };
const VERBS = ["open", "link", "readdir", "rename", "unlink", "readFile", "mkdir"];
const real = Object.fromEntries(VERBS.map((verb) => [verb, fs[verb]]));

/** Lets the n-th call fail; `after` lets it happen first and then says that it failed. */
function injectFault(n, code, after) {
  const state = { calls: 0, hit: "" };
  for (const verb of VERBS) {
    fs[verb] = async (...args) => {
      if (++state.calls !== n) return real[verb](...args);
      state.hit = verb;
      if (after && verb !== "open") await real[verb](...args);
      throw Object.assign(new Error(`${code}: injected`), { code });
    };
  }
  syncBuiltinESMExports();
  return state;
}

function restore() {
  Object.assign(fs, real);
  syncBuiltinESMExports();
}

async function appendNext(store, writer) {
  const seq = (writer.head?.seq ?? 0) + 1;
  const next = { seq, crc: (seq * 2654435761 + writer.tries++) >>> 0 };
  const text = `${seq}.${next.crc} ${"x".repeat(100_000)}\n`;
  await store.append(
    "thread",
    { ...next, firstSeq: seq },
    new TextEncoder().encode(text),
    writer.head,
  );
  writer.head = next;
  writer.acknowledged.push(text);
}

/** Appends 3 commits of 100 KB on top of one, so that they fold; answers the errors met. */
async function runScenario(path, writer) {
  const codes = [];
  const store = new FileStore({ path });
  // T5's planted bug: a store that says nothing of what failed.
  if (isBroken("T5"))
    store.append = (...given) => FileStore.prototype.append.apply(store, given).catch(() => {});
  for (let i = 0; i < 3; i++) {
    await appendNext(store, writer).catch(async (error) => {
      codes.push(error.code);
      const before = writer.head;
      writer.head = await store.head("thread").catch(() => writer.head);
      assert.ok(
        error.unknown || writer.head?.seq === before?.seq,
        `${error.stack} stored its commit all the same`,
      );
    });
  }
  return codes;
}

for (const [code, expected, after] of [
  ["EIO", "STORE", false],
  ["ENOSPC", "QUOTA", false],
  ["EIO", "STORE", true],
]) {
  test(`${code} at every call${after ? ", after it took effect" : ""}`, {
    timeout: 1_200_000,
  }, async (t) => {
    const base = await fs.mkdtemp(join(tmpdir(), "weft-faults-"));
    t.after(() => fs.rm(base, { recursive: true, force: true, maxRetries: 5 }));
    t.after(restore);
    const start = { head: undefined, acknowledged: [], tries: 0 };
    const origin = new FileStore({ path: join(base, "origin") });
    await appendNext(origin, start);
    const hits = new Set();
    for (let n = 1; ; n++) {
      const path = join(base, `run-${n}`);
      await fs.cp(join(base, "origin"), path, { recursive: true });
      const writer = { ...start, acknowledged: [...start.acknowledged] };
      const state = injectFault(n, code, after);
      const codes = await runScenario(path, writer);
      restore();
      if (!state.hit) {
        assert.deepEqual(codes, []);
        break;
      }
      hits.add(state.hit);
      counts.faults++;
      counts.acknowledged += writer.acknowledged.length;
      assert.ok(
        codes.every((one) => one === expected || one === "FENCED"),
        `call ${n} (${state.hit}): ${codes}`,
      );
      const fresh = new FileStore({ path });
      const lines = new TextDecoder()
        .decode(Buffer.concat(await fresh.read("thread")))
        .split(/(?<=\n)/);
      lines.forEach((line, i) =>
        assert.equal(parseInt(line, 10), i + 1, `call ${n} (${state.hit})`),
      );
      for (const line of writer.acknowledged)
        assert.equal(
          lines[parseInt(line, 10) - 1],
          line,
          `T5: an acknowledged commit is lost, call ${n} (${state.hit})`,
        );
      writer.head = await fresh.head("thread");
      assert.equal(writer.head.seq, lines.length);
      await appendNext(fresh, writer);
      await fs.rm(path, { recursive: true, maxRetries: 5 });
    }
    if (after) figure("T5", counts);
    assert.ok(
      ["open", "link", "readdir", "rename", "unlink", "readFile"].every((verb) => hits.has(verb)),
      [...hits].join(),
    );
  });
}

test("a link whose answer got lost, and that is made again, is the writer's own", async (t) => {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-faults-"));
  t.after(() => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }));
  t.after(restore);
  const store = new FileStore({ path });
  const writer = { head: undefined, acknowledged: [], tries: 0 };
  await appendNext(store, writer);
  // As NFS answers a request that it got twice.
  fs.link = async (...args) => (await real.link(...args), real.link(...args));
  syncBuiltinESMExports();
  await appendNext(store, writer);
  const rival = { ...writer, acknowledged: [] };
  await appendNext(new FileStore({ path }), rival);
  await assert.rejects(appendNext(store, writer), { code: "FENCED" });
  restore();
  assert.equal(
    Buffer.concat(await new FileStore({ path }).read("thread")).toString(),
    [...writer.acknowledged, ...rival.acknowledged].join(""),
  );
});

test("a process whose clock is hours ahead sweeps at every call: the others go on as if it had not", async (t) => {
  const base = await fs.mkdtemp(join(tmpdir(), "weft-faults-"));
  t.after(() => fs.rm(base, { recursive: true, force: true, maxRetries: 5 }));
  t.after(restore);
  const now = Date.now();
  const clock = t.mock.method(Date, "now", () => now);
  const remove = fs.rm;
  const removeHalf = async (path) => {
    const [first] = (await present(real.readdir(path))) ?? [];
    await remove(first === undefined ? path : join(path, first), { recursive: true });
  };
  const sweep = async (path) => {
    clock.mock.mockImplementation(() => now + 3 * 60 * 60 * 1000);
    // It is not through with a folder when the other goes on.
    fs.rm = removeHalf;
    syncBuiltinESMExports();
    await new FileStore({ path }).head("another");
    fs.rm = remove;
    syncBuiltinESMExports();
    clock.mock.mockImplementation(() => now);
  };
  let swept = 0;
  for (let n = 1, calls = n; calls >= n; n++) {
    const path = join(base, `run-${n}`);
    calls = 0;
    let isSweeping = false;
    for (const verb of VERBS) {
      fs[verb] = async (...args) => {
        if (!isSweeping && ++calls === n) {
          isSweeping = true;
          swept += ((await present(real.readdir(join(path, "tmp")))) ?? []).length;
          await sweep(path);
          isSweeping = false;
        }
        return real[verb](...args);
      };
    }
    syncBuiltinESMExports();
    const store = new FileStore({ path });
    const writer = { head: undefined, acknowledged: [], tries: 0 };
    for (let i = 0; i < 3; i++) await appendNext(store, writer);
    await store.witness("thread", writer.head);
    restore();
    const fresh = new FileStore({ path });
    assert.equal(
      Buffer.concat(await fresh.read("thread")).toString(),
      writer.acknowledged.join(""),
      `call ${n}`,
    );
    assert.deepEqual(
      [
        await fresh.list(),
        await fresh.witness("thread"),
        (await fs.readdir(join(path, "tmp"))).filter((name) => !name.startsWith("drop-")),
      ],
      [["thread"], writer.head, []],
    );
    await fs.rm(path, { recursive: true, maxRetries: 5 });
  }
  assert.ok(swept >= 8, `only ${swept} were swept`);
});

test("a thread with a file gone from its midst is damaged, and hides no other", async () => {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-faults-"));
  try {
    const ids = ["a", "b", "c"];
    for (const id of ids)
      for (let seq = 1; seq <= 3; seq++)
        await new FileStore({ path }).append(
          id,
          { firstSeq: seq, seq, crc: seq },
          new Uint8Array(8),
          seq === 1 ? undefined : { seq: seq - 1, crc: seq - 1 },
        );
    const store = new FileStore({ path });
    const listed = await store.list();
    const folder = join(path, "threads", (await fs.readdir(join(path, "threads"))).sort()[1]);
    const log = join(
      folder,
      (await fs.readdir(folder)).find((name) => name.startsWith("log-")),
    );
    await fs.unlink(join(log, (await fs.readdir(log)).sort()[1]));
    await assert.rejects(store.head(listed[1]), { code: "CORRUPT_LOG" });
    assert.deepEqual([await store.list(), listed.toSorted()], [listed, ids]);
    await store.drop(listed[1]);
    assert.deepEqual(await store.list(), [listed[0], listed[2]]);
  } finally {
    await fs.rm(path, { recursive: true, maxRetries: 5 });
  }
});
