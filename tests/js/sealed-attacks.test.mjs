// SPDX-License-Identifier: MIT
// The attacks of docs/sealed-format.md, each by somebody who reads and writes the storage and has
// no key: splicing, reordering, replay, rollback, truncation, downgrade, confusion of ids, domains
// and keys. And the way from old seals to new ones.
import { test } from "node:test";
import assert from "node:assert/strict";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";
import { exportThread } from "weftgraph/savers/transfer";
import { resealThreads, sealSaver } from "weftgraph/savers/sealed";
import { SaverStore } from "weftgraph/stores/saver";
import { kvOver } from "./kv-map.mjs";
import { MemoryStore } from "../../js/savers/memory/store.js";
import { makeFrames } from "./frames.mjs";

const macKey = (hash = "SHA-256") =>
  crypto.subtle.generateKey({ name: "HMAC", hash }, false, ["sign", "verify"]);
const aesKey = () =>
  crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
const KEYS = [
  ["signed", macKey],
  ["encrypted", aesKey],
];
const on = (thread_id) => ({ configurable: { thread_id } });
const appOn = (checkpointer) =>
  new StateGraph(Annotation.Root({ n: Annotation }))
    .addNode("add", ({ n }) => ({ n: n + 1 }))
    .addEdge(START, "add")
    .compile({ checkpointer });
const over = (inner, options) =>
  sealSaver(Object.assign(new MemorySaver(), { store: inner }), options);
const broken = { code: "UNSEALED" };

/** A storage whose every commit as it is stored is in the hands of somebody else. */
class Storage extends MemoryStore {
  commits = [];
  append(id, commit, bytes, expected) {
    super.append(id, commit, bytes, expected);
    this.commits.push({ id, commit, bytes: bytes.slice(), expected });
  }
}
/** What somebody makes of commits: a storage that holds these, in this order. */
function storing(id, batches) {
  const store = new MemoryStore();
  let seq = 0;
  for (const bytes of batches)
    store.append(
      id,
      { firstSeq: seq + 1, seq: ++seq, crc: seq },
      bytes,
      seq === 1 ? undefined : { seq: seq - 1, crc: seq - 1 },
    );
  return store;
}
/** A sealed thread of `count` commits: what was stored of each. */
async function sealedCommits(options, id = "t", count = 5) {
  const storage = new Storage();
  const { store } = over(storage, options);
  let head;
  for (let seq = 1; seq <= count; seq++) {
    const frame = makeFrames(id, head ?? { seq: 0, crc: 0 }, [20 + seq]);
    await store.append(id, { ...frame.head, firstSeq: seq }, frame.bytes, head);
    head = frame.head;
  }
  return storage.commits.map(({ bytes }) => bytes);
}
const readAs = (options, id, batches) => over(storing(id, batches), options).store.read(id);

for (const [kind, makeKey] of KEYS) {
  test(`commits that are reordered, doubled, left out, cut, or of another thread are refused: ${kind}`, async () => {
    const key = await makeKey();
    const [a, b, c, d, e] = await sealedCommits({ key });
    const other = await sealedCommits({ key }, "u");
    assert.equal((await readAs({ key }, "t", [a, b, c, d, e])).length, 5);
    const spliced = {
      swapped: [a, c, b, d, e],
      doubled: [a, b, b, c, d],
      "one left out": [a, b, d, e],
      "the first left out": [b, c, d, e],
      backwards: [e, d, c, b, a],
      "of another thread": [a, b, other[2], d, e],
      "another thread's": other,
    };
    for (const [name, batches] of Object.entries(spliced))
      await assert.rejects(readAs({ key }, "t", batches), broken, name);
    for (const length of [10, 75, 90, c.length - 1])
      await assert.rejects(readAs({ key }, "t", [a, b, c.subarray(0, length)]), {
        code: "CORRUPT_LOG",
        message: /at record 3: its seal is cut off/,
      });
    await assert.rejects(readAs({ key }, "t", [a, b.subarray(0, 90), c]), ({ code }) =>
      ["CORRUPT_LOG", "UNSEALED"].includes(code),
    );
  });

  test(`commits of a thread's earlier life, or of a fork that lost, do not fit behind those of another: ${kind}`, async () => {
    const key = await makeKey();
    const [first, second] = [await sealedCommits({ key }), await sealedCommits({ key })];
    for (let at = 1; at < 5; at++)
      await assert.rejects(readAs({ key }, "t", [...first.slice(0, at), ...second.slice(at)]), {
        code: "UNSEALED",
        message: /another place/,
      });
    // The storage says FENCED to a commit that it keeps, and its writer makes another one.
    const storage = new Storage();
    const { store } = over(storage, { key });
    const start = makeFrames("t", { seq: 0, crc: 0 }, [9]);
    await store.append("t", { ...start.head, firstSeq: 1 }, start.bytes, undefined);
    const append = MemoryStore.prototype.append;
    const kept = [];
    const frame = makeFrames("t", start.head, [30]);
    storage.append = (id, commit, bytes) => {
      kept.push(bytes.slice());
      throw Object.assign(new Error("no"), { code: "FENCED" });
    };
    await assert.rejects(
      store.append("t", { ...frame.head, firstSeq: 2 }, frame.bytes, start.head),
    );
    storage.append = append;
    await store.append("t", { ...frame.head, firstSeq: 2 }, frame.bytes, start.head);
    const next = makeFrames("t", frame.head, [40]);
    await store.append("t", { ...next.head, firstSeq: 3 }, next.bytes, frame.head);
    const [whole] = storage.read("t");
    const third = whole.subarray(whole.length - (await sizeOf(store, key, next.bytes)));
    // The same records under the seal that lost: what came behind the other one does not stand
    // behind it.
    assert.equal((await readAs({ key }, "t", [storage.commits[0].bytes, kept[0]])).length, 2);
    await assert.rejects(readAs({ key }, "t", [storage.commits[0].bytes, kept[0], third]), {
      code: "UNSEALED",
      message: /another place/,
    });
  });

  test(`a thread that is put back to an older state of itself is whole to a seal, and DATA_LOSS to a witness elsewhere: ${kind}`, async () => {
    const key = await makeKey();
    const heads = new Map();
    const storage = new Storage();
    const witnessed = (inner) =>
      Object.assign(over(inner, { key }), {
        witness: { get: (id) => heads.get(id), set: (id, head) => void heads.set(id, head) },
      });
    await appOn(witnessed(storage)).invoke({ n: 1 }, on("t"));
    const before = storage.commits.length;
    await appOn(witnessed(storage)).invoke({ n: 5 }, on("t"));
    const older = () => {
      const store = new MemoryStore();
      for (const { id, commit, bytes, expected } of storage.commits.slice(0, before))
        store.append(id, commit, bytes, expected);
      return store;
    };
    assert.equal((await appOn(over(older(), { key })).getState(on("t"))).values.n, 2);
    await assert.rejects(appOn(witnessed(older())).getState(on("t")), { code: "DATA_LOSS" });
    await assert.rejects(witnessed(older()).getTuple(on("t")), { code: "DATA_LOSS" });
  });

  test(`a seal of another domain, or of a key under another's name, is refused: ${kind}`, async () => {
    const [key, second] = [await makeKey(), await makeKey()];
    const mine = await sealedCommits({ key, domain: "orders" });
    assert.equal((await readAs({ key, domain: "orders" }, "t", mine)).length, 5);
    for (const options of [
      { key },
      { key, domain: "order" },
      { key, domain: "orders " },
      { key: second, domain: "orders" },
    ])
      await assert.rejects(readAs(options, "t", mine), broken);
    const named = await sealedCommits({ keys: { a: key, b: second }, current: "a" });
    assert.equal((await readAs({ keys: { a: key, b: second } }, "t", named)).length, 5);
    const renamed = named.map((bytes) =>
      Uint8Array.from(bytes, (byte, at) => (at === 76 ? 0x62 : byte)),
    );
    await assert.rejects(readAs({ keys: { a: key, b: second } }, "t", renamed), broken);
    await assert.rejects(readAs({ keys: { a: key, b: key } }, "t", renamed), broken);
    await assert.rejects(readAs({ keys: { b: second } }, "t", named), {
      code: "UNSEALED",
      message: /"a" that is not there/,
    });
  });

  test(`no nonce and no link comes twice: ${kind}`, async () => {
    const key = await makeKey();
    const commits = (
      await Promise.all(["a", "b", "c"].map((id) => sealedCommits({ key }, id, 100)))
    ).flat();
    for (const [from, to] of [
      [48, 64],
      [64, 76],
    ])
      assert.equal(
        new Set(commits.map((bytes) => Buffer.from(bytes.subarray(from, to)).toString("hex"))).size,
        300,
      );
  });
}

async function sizeOf(store, key, bytes) {
  return 76 + bytes.length + (key.algorithm.name === "HMAC" ? 32 : 16);
}

// ---- format 1

const encoder = new TextEncoder();
/** A seal as earlier versions made it. */
async function sealOld(key, name, id, { firstSeq, seq, crc }, bytes) {
  const isSigned = key.algorithm.name === "HMAC";
  const head = new Uint8Array(44);
  const view = new DataView(head.buffer);
  head.set([0x57, 0x46, 0x53, 0x4c, 1, isSigned ? 1 : 2]);
  view.setUint16(6, name.length, true);
  view.setUint32(8, bytes.length + (isSigned ? 0 : 16), true);
  view.setFloat64(12, firstSeq, true);
  view.setFloat64(20, seq, true);
  view.setUint32(28, crc, true);
  crypto.getRandomValues(head.subarray(32));
  const context = Buffer.concat([encoder.encode(id), Uint8Array.of(0), head, encoder.encode(name)]);
  if (isSigned)
    return Buffer.concat([
      head,
      encoder.encode(name),
      bytes,
      new Uint8Array(await crypto.subtle.sign("HMAC", key, Buffer.concat([context, bytes]))),
    ]);
  return Buffer.concat([
    head,
    encoder.encode(name),
    new Uint8Array(
      await crypto.subtle.encrypt(
        { name: "AES-GCM", iv: head.slice(32), additionalData: context },
        key,
        bytes,
      ),
    ),
  ]);
}
/** A thread as an earlier version left it: sealed, or not. */
async function oldThread(into, key, { name = "", id = "t", isSealed = true } = {}) {
  const plain = new Storage();
  const saver = Object.assign(new MemorySaver(), { store: plain });
  for (const n of [1, 11, 21]) await appOn(saver).invoke({ n }, on(id));
  for (const { commit, bytes, expected } of plain.commits)
    await into.append(
      id,
      commit,
      isSealed ? await sealOld(key, name, id, commit, bytes) : bytes,
      expected,
    );
  return plain.commits.length;
}

test("an id that holds the head of a seal gets no record for another thread", async () => {
  const key = await macKey();
  // What is signed for the thread `chosen` is, to format 1, also what is signed for "t": a head in
  // the id, and the rest as its body.
  const headOf = (bodyLength) => {
    const head = new Uint8Array(44);
    head.set([0x57, 0x46, 0x53, 0x4c, 1, 1]);
    new DataView(head.buffer).setUint32(8, 1 + bodyLength, true);
    return head;
  };
  const head = headOf(44 + 300);
  assert.ok(
    head.every((byte) => byte < 128),
    "it is text",
  );
  const chosen = `t\0${new TextDecoder().decode(head)}`;
  const signed = await sealOld(
    key,
    "",
    chosen,
    { firstSeq: 1, seq: 1, crc: 1 },
    new Uint8Array(300).fill(7),
  );
  const forged = Buffer.concat([head, Uint8Array.of(0), signed]);
  assert.equal(
    (await readAs({ key, acceptOldSeals: true }, "t", [forged]))[0].length,
    345,
    "which is why they are refused",
  );
  await assert.rejects(readAs({ key }, "t", [forged]), {
    code: "UNSEALED",
    message: /acceptOldSeals/,
  });
  // Of today's seals none is another's: each way to part the bytes that were signed.
  const [sealed] = await sealedCommits({ key }, chosen, 1);
  for (const id of ["t", "t\0", chosen.slice(0, -1), `${chosen}\0`]) {
    await assert.rejects(readAs({ key }, id, [sealed]), broken);
    const around = Buffer.concat([headOf(sealed.length - 32), Uint8Array.of(0), sealed]);
    for (const acceptOldSeals of [false, true])
      await assert.rejects(readAs({ key, acceptOldSeals }, id, [around]), broken);
  }
});

for (const [kind, makeKey] of KEYS) {
  test(`seals of format 1 are refused unless they are asked for, and moved to format 2 by resealThreads: ${kind}`, async () => {
    const [old, fresh] = [await makeKey(), await aesKey()];
    for (const make of [() => new MemorySaver(), () => kvOver(new Map())]) {
      const inner = make();
      await oldThread(inner.store, old, { name: "old" });
      await oldThread(inner.store, old, { name: "old", id: "u" });
      const saverOf = (options) => over(inner.store, options);
      const keys = { old, fresh };
      for (const call of [
        () => appOn(saverOf({ keys })).getState(on("t")),
        () => saverOf({ keys }).getTuple(on("t")),
        () => appOn(saverOf({ keys })).invoke({ n: 1 }, on("t")),
      ])
        await assert.rejects(call, {
          code: "UNSEALED",
          message: /format 1.*acceptOldSeals: true.*resealThreads/,
        });
      // It goes on before it is moved.
      assert.equal(
        (await appOn(saverOf({ keys, acceptOldSeals: true })).invoke({ n: 40 }, on("t"))).n,
        41,
      );
      assert.deepEqual(await resealThreads(saverOf({ keys, acceptOldSeals: true })), {
        threads: 2,
        resealed: 2,
      });
      assert.deepEqual(await resealThreads(saverOf({ keys })), { threads: 2, resealed: 0 });
      // Neither the option nor the old key is needed any more.
      for (const [id, n] of [
        ["t", 41],
        ["u", 22],
      ]) {
        assert.equal((await appOn(saverOf({ keys: { fresh } })).getState(on(id))).values.n, n);
        const history = [];
        for await (const { values } of appOn(saverOf({ keys: { fresh } })).getStateHistory(on(id)))
          history.push(values.n);
        assert.ok(history.includes(2) && history.includes(12), String(history));
      }
      assert.equal((await appOn(saverOf({ keys: { fresh } })).invoke({ n: 50 }, on("t"))).n, 51);
    }
  });

  test(`who dies while a thread is sealed anew leaves it readable as before: ${kind}`, async () => {
    const [old, fresh] = [await makeKey(), await makeKey()];
    const options = { keys: { old, fresh }, acceptOldSeals: true };
    for (let n = 1, calls = n; calls >= n; n++) {
      const inner = new MemoryStore();
      await oldThread(inner, old, { name: "old" });
      calls = 0;
      const dying = Object.fromEntries(
        ["head", "append", "list", "drop", "witness", "byteLength"].map((verb) => [
          verb,
          (...args) => inner[verb](...args),
        ]),
      );
      for (const verb of ["read", "fold"])
        dying[verb] = (...args) => (++calls === n ? assert.fail("died") : inner[verb](...args));
      // Each commit is a batch, and each batch is folded by itself.
      await resealThreads(over(dying, options), { onError: () => {} });
      assert.equal((await appOn(over(inner, options)).getState(on("t"))).values.n, 22);
      assert.deepEqual(await resealThreads(over(inner, options)), {
        threads: 1,
        resealed: calls >= n ? 1 : 0,
      });
      assert.equal((await appOn(over(inner, { keys: { fresh } })).invoke({ n: 1 }, on("t"))).n, 2);
    }
  });

  test(`a long thread is sealed anew in pieces, from its end; who dies between two of them leaves it readable: ${kind}`, async () => {
    const key = await makeKey();
    const options = { key, acceptOldSeals: true };
    const { store: inner } = kvOver(new Map());
    let head;
    const records = [];
    for (let seq = 1; seq <= 300; seq++) {
      const frame = makeFrames("t", head ?? { seq: 0, crc: 0 }, [10]);
      const commit = { ...frame.head, firstSeq: seq };
      await inner.append("t", commit, await sealOld(key, "", "t", commit, frame.bytes), head);
      records.push(frame.bytes);
      head = frame.head;
    }
    const whole = Buffer.concat(records);
    let folds = 0;
    const dying = {
      ...Object.fromEntries(
        ["head", "append", "list", "drop", "witness", "byteLength", "read"].map((verb) => [
          verb,
          (...args) => inner[verb](...args),
        ]),
      ),
      fold: (...args) => (++folds === 2 ? assert.fail("died") : inner.fold(...args)),
    };
    await assert.rejects(resealThreads(over(dying, options)), /died/);
    assert.equal(folds, 2);
    assert.equal(
      Buffer.compare(Buffer.concat(await over(inner, options).store.read("t")), whole),
      0,
    );
    await assert.rejects(over(inner, { key }).store.read("t"), {
      code: "UNSEALED",
      message: /format 1/,
    });
    await resealThreads(over(inner, options));
    assert.equal(
      Buffer.compare(Buffer.concat(await over(inner, { key }).store.read("t")), whole),
      0,
    );
    const next = makeFrames("t", head, [10]);
    await over(inner, { key }).store.append("t", { ...next.head, firstSeq: 301 }, next.bytes, head);
    assert.equal((await over(inner, { key }).store.read("t", { from: 301 })).length, 1);
  });

  test(`an old seal behind a new one, and a record without a seal behind one with, is refused with every option: ${kind}`, async () => {
    const key = await makeKey();
    const options = { key, acceptOldSeals: true, mandatory: false };
    const [a, b] = await sealedCommits({ key });
    const frame = makeFrames("t", makeFrames("t", { seq: 0, crc: 0 }, [21]).head, [9]);
    const old = await sealOld(key, "", "t", { firstSeq: 2, seq: 2, crc: 1 }, frame.bytes);
    assert.equal((await readAs(options, "t", [old])).length, 1);
    assert.equal((await readAs(options, "t", [frame.bytes])).length, 1);
    await assert.rejects(readAs(options, "t", [a, old]), {
      code: "UNSEALED",
      message: /format 1, and stands behind one of format 2/,
    });
    await assert.rejects(readAs(options, "t", [a, frame.bytes]), {
      code: "UNSEALED",
      message: /no seal, and stands behind one that has/,
    });
    await assert.rejects(readAs(options, "t", [old, frame.bytes]), {
      code: "UNSEALED",
      message: /no seal/,
    });
    // What begins in today's form names what is before it, so nothing older can be put there.
    await assert.rejects(readAs(options, "t", [old, a, b]), {
      code: "UNSEALED",
      message: /another place/,
    });
  });
}

test("a thread that was begun without seals is sealed by resealThreads", async () => {
  const key = await aesKey();
  const inner = new MemoryStore();
  await oldThread(inner, key, { isSealed: false });
  await assert.rejects(resealThreads(over(inner, { key })), {
    code: "UNSEALED",
    message: /no seal/,
  });
  const told = [];
  assert.deepEqual(
    await resealThreads(over(inner, { key }), {
      onError: (error, id) => told.push([error.code, id]),
    }),
    { threads: 0, resealed: 0 },
  );
  assert.deepEqual(told, [["UNSEALED", "t"]]);
  assert.deepEqual(await resealThreads(over(inner, { key, mandatory: false }), { threadId: "t" }), {
    threads: 1,
    resealed: 1,
  });
  assert.equal((await appOn(over(inner, { key })).getState(on("t"))).values.n, 22);
  await assert.rejects(resealThreads(new MemorySaver()), { code: "BAD_ARGUMENT" });
});

test("what a SaverStore keeps under a seal is sealed anew too, and is no thread's", async () => {
  const [old, fresh] = [await macKey(), await aesKey()];
  const inner = new MemoryStore();
  const storeOf = (options) => new SaverStore(over(inner, options));
  await storeOf({ keys: { old } }).put(["users"], "anna", { visits: 1 });
  await assert.rejects(storeOf({ keys: { fresh } }).get(["users"], "anna"), { code: "UNSEALED" });
  assert.deepEqual(await resealThreads(over(inner, { keys: { old, fresh } })), {
    threads: 1,
    resealed: 1,
  });
  assert.deepEqual((await storeOf({ keys: { fresh } }).get(["users"], "anna")).value, {
    visits: 1,
  });
  // Its log under the id of a thread.
  const items = inner.partition("store");
  const [id] = items.list();
  const head = items.head(id);
  inner.append(id, { ...head, firstSeq: 1 }, Buffer.concat(items.read(id)), undefined);
  await assert.rejects(over(inner, { keys: { fresh } }).store.read(id), {
    code: "UNSEALED",
    message: /broken seal/,
  });
});

test("what is before a broken seal comes out with onDamage of exportThread", async () => {
  const key = await macKey();
  const storage = new Storage();
  await appOn(over(storage, { key })).invoke({ n: 1 }, on("t"));
  const damaged = new MemoryStore();
  for (const { id, commit, bytes, expected } of storage.commits) {
    if (commit.firstSeq > 2) bytes[100] ^= 1;
    damaged.append(id, commit, bytes, expected);
  }
  const saver = over(damaged, { key });
  await assert.rejects(exportThread(saver, "t"), {
    code: "UNSEALED",
    message: /record \d+ has a broken seal/,
  });
  const told = [];
  assert.ok(
    (await exportThread(saver, "t", { onDamage: ({ code }) => told.push(code) })).length > 0,
  );
  assert.deepEqual(told, ["UNSEALED"]);
  await assert.rejects(
    exportThread(over(damaged, { key: await macKey() }), "t", { onDamage: () => assert.fail() }),
    broken,
  );
});

test("a key that cannot make or open such seals is refused when it is given", async () => {
  const verifies = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
    "decrypt",
  ]);
  for (const options of [
    { key: await macKey("SHA-512") },
    { key: await macKey("SHA-1") },
    { key: verifies },
    { key: await aesKey(), domain: 5 },
    { keys: { ["x".repeat(70_000)]: await aesKey() } },
  ]) {
    assert.throws(() => over(new MemoryStore(), options), { code: "BAD_ARGUMENT" });
  }
  assert.ok(over(new MemoryStore(), { keys: { old: verifies, now: await aesKey() } }));
});
