// SPDX-License-Identifier: MIT
// A thread whose stored bytes were changed is CORRUPT_LOG and names the record, one that lost its
// end is DATA_LOSS, by every way in and over every store; what is before the damage comes out as a
// new thread.
import { test } from "node:test";
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";
import { DenoKvSaver } from "weftgraph/savers/deno-kv";
import { FileSaver } from "weftgraph/savers/file";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { WeftSaver } from "weftgraph/savers/own";
import { exportThread, importThread } from "weftgraph/savers/transfer";
import { framesOf } from "../../js/log/frames.js";
import { createDenoKv } from "./deno-kv.mjs";
import { createInstance, createOrigin } from "./idbfs-origin.mjs";
import { kvOver } from "./kv-map.mjs";

const on = (thread_id) => ({ configurable: { thread_id } });
const appOn = (checkpointer) =>
  new StateGraph(
    Annotation.Root({ log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }) }),
  )
    .addNode("first", ({ log }) => ({ log: [`first ${log.length}`] }))
    .addNode("then", ({ log }) => ({ log: [`then ${log.length}`] }))
    .addEdge(START, "first")
    .addEdge("first", "then")
    .compile({ checkpointer });
const TURNS = 3;
async function all(given) {
  const items = [];
  for await (const item of given) items.push(item);
  return items;
}
const begin = async (saver) => {
  for (let turn = 0; turn < TURNS; turn++)
    await appOn(saver).invoke({ log: [`turn ${turn}`] }, on("t"));
};
const historyOf = async (saver, id) =>
  (await all(saver.list(on(id)))).map(({ checkpoint }) => checkpoint.channel_values.log ?? []);

/** A store of which every batch is read through `change`. */
function readThrough(inner, change) {
  const store = Object.fromEntries(
    ["head", "append", "fold", "list", "drop", "witness", "byteLength"].map((verb) => [
      verb,
      (...args) => inner[verb](...args),
    ]),
  );
  return new WeftSaver({
    ...store,
    read: async (...args) => change((await inner.read(...args)).map((bytes) => bytes.slice())),
  });
}
/** Every way to a thread's content: what each says. */
const ways = {
  getState: (saver) => appOn(saver).getState(on("t")),
  invoke: (saver) => appOn(saver).invoke({ log: ["more"] }, on("t")),
  updateState: (saver) => appOn(saver).updateState(on("t"), { log: ["more"] }),
  getTuple: (saver) => saver.getTuple(on("t")),
  list: (saver) => all(saver.list(on("t"))),
  decisions: (saver) => saver.decisions("t"),
  prune: (saver) => saver.prune("t", { last: 1 }),
  exportThread: (saver) => exportThread(saver, "t"),
};

async function stores(t) {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-damaged-"));
  t.after(() => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }));
  const [map, held, origin, memory, instance] = [
    new Map(),
    new Map(),
    createOrigin(),
    new MemorySaver(),
    createInstance(),
  ];
  return {
    memory: () => memory,
    files: () => new FileSaver({ path }),
    kv: () => kvOver(map),
    "Deno KV": () => new DenoKvSaver({ kv: createDenoKv(held) }),
    IndexedDB: () => new IdbfsSaver({ ...origin, instance: () => instance }),
  };
}

test("a changed byte is CORRUPT_LOG with its record's number, a cut end DATA_LOSS, by every way in, over every store", async (t) => {
  for (const [kind, open] of Object.entries(await stores(t))) {
    await begin(open());
    const { store } = open();
    const head = await store.head("t");
    const log = Buffer.concat(await store.read("t"));
    const ends = [...framesOf(log)].map(({ at, length }) => at + length + 4);
    assert.equal(ends.length, head.seq);
    const split = (bytes) =>
      [bytes.subarray(0, ends[2]), bytes.subarray(ends[2])].filter(({ length }) => length > 0);
    // The last byte of all, too.
    for (
      let at = 3;
      at < log.length;
      at = at + 71 < log.length ? at + 71 : at === log.length - 1 ? log.length : log.length - 1
    ) {
      const change = (batches) => {
        const bytes = Uint8Array.from(Buffer.concat(batches));
        bytes[at] ^= 1 << (at % 8);
        return split(bytes);
      };
      const record = ends.findIndex((end) => at < end) + 1;
      for (const [name, way] of Object.entries(ways)) {
        await assert.rejects(
          way(readThrough(store, change)),
          (error) =>
            error.code === "CORRUPT_LOG" &&
            error.message.includes(`thread t is damaged at record ${record}:`) &&
            error.message.includes("onDamage"),
          `${kind}: ${name}, byte ${at} of record ${record}`,
        );
      }
    }
    for (const length of [
      0,
      1,
      ends[0] - 1,
      ends[0],
      ends[1] + 20,
      ends[1] + 60,
      ends.at(-2),
      log.length - 1,
    ]) {
      const lost = ends.length - ends.filter((end) => end <= length).length;
      for (const [name, way] of Object.entries(ways)) {
        await assert.rejects(
          way(readThrough(store, (batches) => split(Buffer.concat(batches).subarray(0, length)))),
          { code: "DATA_LOSS", message: new RegExp(`thread t lost ${lost} acknowledged records`) },
          `${kind}: ${name}, cut to ${length}`,
        );
      }
    }
    assert.deepEqual(
      [await store.head("t"), Buffer.compare(Buffer.concat(await store.read("t")), log)],
      [head, 0],
      `${kind}: nothing was written`,
    );
  }
});

test("what is before the damage is exported once its error was told, and goes on as a new thread; the damaged one stays as it is", async (t) => {
  for (const [kind, open] of Object.entries(await stores(t))) {
    await begin(open());
    const { store } = open();
    const whole = await historyOf(open(), "t");
    const log = Buffer.concat(await store.read("t"));
    const ends = [...framesOf(log)].map(({ at, length }) => at + length + 4);
    for (const [code, record, change] of [
      ["CORRUPT_LOG", 5, (bytes) => ((bytes[ends[3] + 50] ^= 1), bytes)],
      ["DATA_LOSS", 6, (bytes) => bytes.subarray(0, ends[4] + 30)],
    ]) {
      const saver = readThrough(store, (batches) => [change(Buffer.concat(batches))]);
      const told = [];
      const file = await exportThread(saver, "t", { onDamage: (error) => told.push(error.code) });
      assert.deepEqual(told, [code], kind);
      const fresh = new MemorySaver();
      await importThread(fresh, file, { threadId: "rescued" });
      const rescued = await historyOf(fresh, "rescued");
      assert.ok(rescued.length > 0 && rescued.length <= record, kind);
      assert.deepEqual(rescued, whole.slice(-rescued.length), kind);
      assert.deepEqual(
        (await appOn(fresh).invoke({ log: ["on"] }, on("rescued"))).log.slice(0, rescued[0].length),
        rescued[0],
      );
      await assert.rejects(appOn(saver).getState(on("t")), { code });
    }
    // Nothing is left of one whose first record is damaged; one that is whole, or is not there,
    // tells of nothing.
    const none = readThrough(store, (batches) => ((batches[0][50] ^= 1), batches));
    const tell = { onDamage: (error) => assert.fail(error) };
    await assert.rejects(exportThread(none, "t", tell), { code: "CORRUPT_LOG" });
    assert.ok((await exportThread(open(), "t", tell)).length > 0);
    await assert.rejects(exportThread(open(), "nobody", tell), { code: "BAD_ARGUMENT" });
  }
});

test("any byte of any file of a FileSaver's thread that is changed is CORRUPT_LOG, or harmless; what is before it is exported", async (t) => {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-damaged-"));
  t.after(() => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }));
  const open = () => new FileSaver({ path });
  await begin(open());
  const { values } = await appOn(open()).getState(on("t"));
  const whole = await historyOf(open(), "t");
  const [key] = await fs.readdir(join(path, "threads"));
  const log = (await fs.readdir(join(path, "threads", key))).find((name) =>
    name.startsWith("log-"),
  );
  const folder = join(path, "threads", key, log);
  const counts = { refused: 0, harmless: 0, rescued: 0 };
  for (const [place, name] of (await fs.readdir(folder)).sort().entries()) {
    const sound = await fs.readFile(join(folder, name));
    for (let at = place % 3; at < sound.length; at += at < 32 ? 3 : 53) {
      const bytes = Buffer.from(sound);
      bytes[at] ^= 1 << (at % 8);
      await fs.writeFile(join(folder, name), bytes);
      const said = await Promise.all(
        [ways.getState(open()), ways.getTuple(open()), ways.exportThread(open())].map((call) =>
          call.then(
            () => "read",
            ({ code }) => code,
          ),
        ),
      );
      assert.ok(
        said.every((one) => one === said[0]),
        `${said} at ${at} of ${name}`,
      );
      if (said[0] === "read") {
        assert.ok(at < 32, name);
        assert.deepEqual(
          [(await appOn(open()).getState(on("t"))).values, await historyOf(open(), "t")],
          [values, whole],
        );
        counts.harmless++;
        continue;
      }
      assert.equal(said[0], "CORRUPT_LOG", `${at} of ${name}`);
      await assert.rejects(ways.invoke(open()), { code: "CORRUPT_LOG" });
      counts.refused++;
      if (place === 0) continue;
      let told;
      const fresh = new MemorySaver();
      await importThread(
        fresh,
        await exportThread(open(), "t", { onDamage: ({ code }) => (told = code) }),
        { threadId: "rescued" },
      );
      const rescued = await historyOf(fresh, "rescued");
      assert.deepEqual([told, rescued], ["CORRUPT_LOG", whole.slice(-rescued.length)]);
      counts.rescued++;
    }
    await fs.writeFile(join(folder, name), sound);
  }
  assert.deepEqual((await appOn(open()).getState(on("t"))).values, values);
  assert.ok(counts.refused > 40 && counts.rescued > 30, JSON.stringify(counts));
});

test("a changed byte of a FileSaver's witness tells of no loss; a whole one does, with and without a sum", async (t) => {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-damaged-"));
  t.after(() => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }));
  await begin(new FileSaver({ path: join(path, "written") }));
  // Where no witness is on its way any more.
  await fs.cp(join(path, "written", "threads"), join(path, "threads"), { recursive: true });
  const open = () => new FileSaver({ path });
  const head = await open().store.head("t");
  await open().store.witness("t", head);
  const [key] = await fs.readdir(join(path, "witness"));
  const file = join(path, "witness", key);
  const sound = await fs.readFile(file);
  assert.deepEqual(await open().store.witness("t"), head);
  for (let bit = 0; bit < sound.length * 8; bit += 1) {
    const bytes = Buffer.from(sound);
    bytes[bit >> 3] ^= 1 << (bit % 8);
    await fs.writeFile(file, bytes);
    assert.equal(await open().store.witness("t"), undefined, `bit ${bit}`);
  }
  assert.equal((await appOn(open()).getState(on("t"))).values.log.length, 9);
  for (const text of [sound, `${head.seq} ${head.crc}\n`]) {
    await fs.writeFile(file, text);
    await fs.rename(join(path, "threads", key), join(path, "away"));
    await assert.rejects(appOn(open()).getState(on("t")), { code: "DATA_LOSS" });
    await fs.rename(join(path, "away"), join(path, "threads", key));
  }
});

test("of a thread with a file, a value or a row gone from its midst, what is before it is exported", async (t) => {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-damaged-"));
  t.after(() => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }));
  const [map, held] = [new Map(), new Map()];
  const gone = {
    files: [
      () => new FileSaver({ path }),
      async () => {
        const [key] = await fs.readdir(join(path, "threads"));
        const folder = join(
          path,
          "threads",
          key,
          (await fs.readdir(join(path, "threads", key))).find((name) => name.startsWith("log-")),
        );
        await fs.unlink(join(folder, (await fs.readdir(folder)).sort()[3]));
      },
    ],
    kv: [
      () => kvOver(map),
      () => map.delete([...map.keys()].filter((key) => key.includes("/p/")).sort()[3]),
    ],
    "Deno KV": [
      () => new DenoKvSaver({ kv: createDenoKv(held) }),
      () => held.delete([...held.keys()].filter((key) => key.includes('"log"')).sort()[3]),
    ],
  };
  for (const [kind, [open, lose]] of Object.entries(gone)) {
    await begin(open());
    const whole = await historyOf(open(), "t");
    await lose();
    for (const way of [ways.getState, ways.getTuple, ways.exportThread])
      await assert.rejects(way(open()), { code: "CORRUPT_LOG", message: /at record [4-9]:/ }, kind);
    let told;
    const fresh = new MemorySaver();
    await importThread(
      fresh,
      await exportThread(open(), "t", { onDamage: ({ code }) => (told = code) }),
      { threadId: "rescued" },
    );
    const rescued = await historyOf(fresh, "rescued");
    assert.equal(told, "CORRUPT_LOG");
    assert.ok(rescued.length >= 2 && rescued.length < whole.length, kind);
    assert.deepEqual(rescued, whole.slice(-rescued.length));
  }
});
