// SPDX-License-Identifier: MIT
// Seals: signed and encrypted threads go on as others do over every store of this runtime; each
// changed, moved, foreign or missing seal is refused; keys change; nothing of a record can be read
// in an encrypted store. Serves docs/reliability.md 1 (stored bytes that somebody changed),
// docs/sealed-format.md (MAC and AES-GCM in the JavaScript layer).
// Own process: takes as long as many other files.
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, Command, MemorySaver, START, StateGraph, interrupt } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { emptyCheckpoint } from "weftgraph/checkpoint";
import { pruneThread } from "weftgraph/savers/retention";
import { sealSaver } from "weftgraph/savers/sealed";
import { copyThread, exportThread } from "weftgraph/savers/transfer";
import { storeContract } from "weftgraph/store-contract";
import { createInstance, createOrigin } from "./idbfs-origin.mjs";
import { kvOver } from "./kv-map.mjs";
import { MemoryStore } from "../../js/savers/memory/store.js";

const macKey = () =>
  crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
const aesKey = () =>
  crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
const appOn = (checkpointer) =>
  new StateGraph(
    Annotation.Root({ log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }) }),
  )
    .addNode("first", () => ({ log: ["a secret word"] }))
    .addNode("ask", () => ({ log: [`heard ${interrupt("well?")}`] }))
    .addEdge(START, "first")
    .addEdge("first", "ask")
    .compile({ checkpointer });
const on = (thread_id) => ({ configurable: { thread_id } });

for (const [name, makeKey] of [
  ["signed", macKey],
  ["encrypted", aesKey],
]) {
  test(`a thread goes on, ${name}, over memory and files, folded and pruned`, async () => {
    const path = mkdtempSync(join(tmpdir(), "weft-seal-"));
    const key = await makeKey();
    try {
      const memory = sealSaver(new MemorySaver(), { key });
      for (const open of [() => memory, () => sealSaver(new FileSaver({ path }), { key })]) {
        for (let turn = 0; turn < 24; turn++) {
          await appOn(open()).invoke({ log: [] }, on("t"));
          await appOn(open()).invoke(new Command({ resume: turn + 1 }), on("t"));
        }
        const app = appOn(open());
        const { log } = (await app.getState(on("t"))).values;
        assert.deepEqual([log.length, log.at(-1)], [48, "heard 24"]);
        assert.ok((await pruneThread(open(), "t", { last: 3 })).dropped > 60);
        assert.deepEqual((await appOn(open()).getState(on("t"))).values.log, log);
      }
      const files = readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => readFileSync(join(one.parentPath ?? one.path, one.name), "latin1"));
      assert.equal(
        files.some((text) => text.includes("a secret word")),
        name === "signed",
      );
    } finally {
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  test(`each changed byte of a seal is found, ${name}`, async () => {
    const key = await makeKey();
    const inner = new MemoryStore();
    const saver = sealSaver(Object.assign(new MemorySaver(), { store: inner }), { key });
    await appOn(saver).invoke({ log: [] }, on("t"));
    await appOn(saver).invoke(new Command({ resume: "x" }), on("t"));
    const stored = inner.read("t").at(-1).slice();
    let found = 0;
    for (let at = 0; at < stored.length; at++) {
      const bytes = Uint8Array.from(stored, (byte, index) => (index === at ? byte ^ 4 : byte));
      inner.drop("t");
      inner.append("t", { firstSeq: 1, seq: 9, crc: 1 }, bytes, undefined);
      const broken = sealSaver(Object.assign(new MemorySaver(), { store: inner }), { key });
      await assert.rejects(
        async () => broken.store.read("t"),
        (error) => ["UNSEALED", "CORRUPT_LOG"].includes(error.code),
      );
      found++;
    }
    assert.equal(found, stored.length);
  });
}

test("a seal is for its thread and its place; unsealed records are refused unless allowed", async () => {
  const key = await macKey();
  const store = new MemoryStore();
  const saver = sealSaver(Object.assign(new MemorySaver(), { store }), { key });
  await appOn(saver).invoke({ log: [] }, on("t"));
  const [first] = store.read("t");
  store.append("other", { firstSeq: 1, seq: 1, crc: 1 }, first, undefined);
  await assert.rejects(async () => saver.store.read("other"), {
    code: "UNSEALED",
    message: /broken/,
  });

  const plain = Object.assign(new MemorySaver(), { store: new MemoryStore() });
  await appOn(plain).invoke({ log: [] }, on("t"));
  const kept = plain.store;
  await assert.rejects(
    appOn(sealSaver(Object.assign(new MemorySaver(), { store: kept }), { key })).getState(on("t")),
    { code: "UNSEALED", message: /no seal/ },
  );
  const mixed = appOn(
    sealSaver(Object.assign(new MemorySaver(), { store: kept }), { key, mandatory: false }),
  );
  assert.deepEqual((await mixed.invoke(new Command({ resume: "ok" }), on("t"))).log, [
    "a secret word",
    "heard ok",
  ]);
});

test("a thread that was begun unsealed goes on sealed, however its store puts commits together", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-seal-"));
  const origin = createOrigin();
  const instance = createInstance();
  const held = new MemoryStore();
  try {
    const key = await macKey();
    for (const make of [
      () => Object.assign(new MemorySaver(), { store: held }),
      () => new FileSaver({ path }),
      () => new IdbfsSaver({ ...origin, instance: () => instance }),
    ]) {
      const turn = async (saver) =>
        (await appOn(saver).invoke({ log: [] }, on("t"))) &&
        appOn(saver).invoke(new Command({ resume: "yes" }), on("t"));
      for (let n = 0; n < 6; n++) await turn(make());
      const sealed = () => sealSaver(make(), { key, mandatory: false });
      for (let n = 0; n < 6; n++) await turn(sealed());
      for (let n = 0; n < 30; n++) await turn(sealed());
      const { log } = (await appOn(sealed()).getState(on("t"))).values;
      assert.deepEqual([log.length, log.at(-1)], [84, "heard yes"], make().constructor.name);
      await assert.rejects(appOn(sealSaver(make(), { key })).getState(on("t")), {
        code: "UNSEALED",
      });
      await sealed().prune("t", { last: 1 });
      assert.deepEqual((await appOn(sealSaver(make(), { key })).getState(on("t"))).values.log, log);
    }
  } finally {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("keys change; a key that is not there is named", async () => {
  const [old, fresh] = [await macKey(), await aesKey()];
  const store = new MemoryStore();
  const on1 = sealSaver(Object.assign(new MemorySaver(), { store }), { keys: { old } });
  await appOn(on1).invoke({ log: [] }, on("t"));
  const on2 = sealSaver(Object.assign(new MemorySaver(), { store }), {
    keys: { old, fresh },
    current: "fresh",
  });
  assert.deepEqual(
    (await appOn(on2).invoke(new Command({ resume: 1 }), on("t"))).log.at(-1),
    "heard 1",
  );
  await assert.rejects(
    appOn(sealSaver(Object.assign(new MemorySaver(), { store }), { keys: { fresh } })).getState(
      on("t"),
    ),
    { code: "UNSEALED", message: /"old"/ },
  );
  for (const options of [undefined, {}, { key: "text" }, { keys: { a: old }, current: "b" }])
    assert.throws(() => sealSaver(new MemorySaver(), options), { code: "BAD_ARGUMENT" });
  assert.throws(() => sealSaver({}, { key: old }), { code: "BAD_ARGUMENT" });
});

{
  const key = await aesKey();
  storeContract({
    makeStore: () =>
      sealSaver(Object.assign(new MemorySaver(), { store: new MemoryStore() }), { key }).store,
    features: { exactBytes: false },
    test: (name, body) => test(`sealed: ${name}`, body),
    assert,
  });
}

test("a saver without the key is told of the seal by every method, not of a loss, and writes nothing", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-seal-"));
  const map = new Map();
  try {
    for (const makeKey of [macKey, aesKey]) {
      for (const [id, open] of [
        ["files", () => new FileSaver({ path })],
        ["kv", () => kvOver(map)],
      ]) {
        const key = await makeKey();
        const thread = `${id}-${key.algorithm.name}`;
        await appOn(sealSaver(open(), { key })).invoke({ log: [] }, on(thread));
        const bytes = await open().byteLength(thread);
        const told = (call) =>
          assert.rejects(
            call,
            ({ code, message }) => code === "UNSEALED" && message.includes("sealSaver"),
            thread,
          );
        await told(appOn(open()).invoke(new Command({ resume: 1 }), on(thread)));
        await told(appOn(open()).invoke({ log: [] }, on(thread)));
        await told(appOn(open()).getState(on(thread)));
        await told(appOn(open()).updateState(on(thread), { log: ["x"] }));
        await told(open().getTuple(on(thread)));
        await told(open().list(on(thread)).next());
        await told(open().decisions(thread));
        await told(open().prune(thread, { last: 1 }));
        await told(exportThread(open(), thread));
        await told(
          open().put(on(thread), emptyCheckpoint(), { source: "input", step: -1, parents: {} }, {}),
        );
        assert.equal(await open().byteLength(thread), bytes);
        // One commit alone, with all of its records in sight where it is signed.
        await copyThread(sealSaver(open(), { key }), thread, `${thread}-copy`);
        await told(appOn(open()).getState(on(`${thread}-copy`)));
        await told(appOn(open()).invoke({ log: [] }, on(`${thread}-copy`)));
        assert.deepEqual(
          (await appOn(sealSaver(open(), { key })).getState(on(`${thread}-copy`))).values,
          { log: ["a secret word"] },
        );
        assert.deepEqual(
          (await appOn(sealSaver(open(), { key })).invoke(new Command({ resume: 1 }), on(thread)))
            .log,
          ["a secret word", "heard 1"],
        );
      }
    }
  } finally {
    rmSync(path, { recursive: true, maxRetries: 5 });
  }
});
