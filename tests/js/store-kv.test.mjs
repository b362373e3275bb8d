// SPDX-License-Identifier: MIT
// The store contract over the key-value store, with small values and with large ones; writers at
// once; what losers leave.
// Own process: takes as long as many other files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { KvStore } from "../../js/savers/key-value/store.js";
import { storeContract } from "weftgraph/store-contract";
import * as weft from "weftgraph";
import { KvSaver } from "weftgraph/savers/kv";
import { makeFrames } from "./frames.mjs";

const same = (a, b) => (a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0);

/** A Map that answers late, as a storage elsewhere does. */
function makeKv(map = new Map()) {
  const late = async (answer) => (await null, answer);
  return {
    map,
    get: (key) => late(map.get(key)),
    put: (key, value) => late(void map.set(key, value.slice())),
    list: async function* (prefix) {
      for (const key of [...map.keys()].reverse()) if (key.startsWith(prefix)) yield key;
    },
    delete: (key) => late(void map.delete(key)),
    cas: (key, expected, value) =>
      late(same(map.get(key), expected) && (map.set(key, value.slice()), true)),
  };
}

/** One that keeps its keys in order and gives pages; `given` counts them. */
function makePagedKv(map = new Map()) {
  const given = { keys: 0 };
  return {
    ...makeKv(map),
    given,
    list: async (prefix, page) => {
      let keys = [...map.keys()].filter((key) => key.startsWith(prefix)).sort();
      if (page !== undefined) keys = keys.filter((key) => key > page.after).slice(0, page.limit);
      given.keys += keys.length;
      return keys;
    },
  };
}

const maps = new WeakMap();
for (const [make, maxValueBytes] of [
  [makeKv, 1024],
  [makeKv, undefined],
  [makePagedKv, 1024],
]) {
  const open = (map) => {
    const store = new KvStore({ ...make(map), maxValueBytes });
    maps.set(store, map);
    return store;
  };
  storeContract({
    test,
    assert,
    makeStore: () => open(new Map()),
    reopen: (store) => open(maps.get(store)),
    features: { witness: true },
  });
}

/**
 * One that takes its keys for paths of addresses, as a bucket behind HTTP does: "." and ".." are
 * steps in them.
 */
function makeUrlKv(map = new Map()) {
  const kv = makeKv(map);
  const normal = (key) => new URL(key, "https://bucket/").pathname.slice(1);
  return {
    ...kv,
    get: (key) => kv.get(normal(key)),
    put: (key, value) => kv.put(normal(key), value),
    list: (prefix) => kv.list(normal(prefix)),
    delete: (key) => kv.delete(normal(key)),
    cas: (key, expected, value) => kv.cas(normal(key), expected, value),
  };
}

storeContract({
  test: (name, run) => test(`keys as addresses: ${name}`, run),
  assert,
  makeStore: () => {
    const map = new Map();
    const store = new KvStore(makeUrlKv(map));
    maps.set(store, map);
    return store;
  },
  reopen: (store) => new KvStore(makeUrlKv(maps.get(store))),
  features: { witness: true },
});

test("no thread's keys leave the prefix, and no other key is taken for a thread's", async () => {
  const kv = makeUrlKv();
  await kv.put("head", new Uint8Array([1]));
  await kv.put("weft/head", new Uint8Array([2]));
  for (const key of [
    "weft/%61/head",
    "weft/=a/head",
    "weft/./head",
    "weft/../head",
    "weft//head",
    "weft/=store/a/head",
  ])
    kv.map.set(key, new Uint8Array([3]));
  const before = new Map(kv.map);
  const store = new KvStore(kv);
  const { head, bytes } = makeFrames("..", { seq: 0, crc: 0 }, [10]);
  for (const id of [".", "..", "=.", "..."]) {
    assert.equal(await store.head(id), undefined);
    await store.append(id, { ...head, firstSeq: 1 }, bytes, undefined);
    await store.witness(id, head);
  }
  assert.deepEqual((await store.list()).sort(), [".", "..", "...", "=."]);
  for (const key of kv.map.keys())
    assert.ok(before.has(key) || /^weft\/[^/.]+[^/]*\/|^weft\/\.\.\.\//.test(key), key);
  for (const id of [".", "..", "=.", "..."]) await store.drop(id);
  assert.deepEqual(kv.map, before);
});

test("a loser's pieces are deleted when the thread folds", async () => {
  const kv = makeKv();
  const store = new KvStore(kv);
  const frames = (before) => makeFrames("t", before, [10]);
  const first = frames({ seq: 0, crc: 0 });
  await store.append("t", { ...first.head, firstSeq: 1 }, first.bytes, undefined);
  const [a, b] = [frames(first.head), frames(first.head)];
  const ends = await Promise.allSettled(
    [a, b].map(({ bytes, head }) => store.append("t", { ...head, firstSeq: 2 }, bytes, first.head)),
  );
  assert.deepEqual(ends.map(({ status, reason }) => reason?.code ?? status).sort(), [
    "FENCED",
    "fulfilled",
  ]);
  const pieces = () => [...kv.map.keys()].filter((key) => key.includes("/p/")).length;
  assert.equal(pieces(), 3);
  await kv.put("weft/t/p/0000000000000002-lost.0", new Uint8Array(3));
  await kv.put("weft/t/p/0000000000000003-coming.0", new Uint8Array(3));
  await store.fold("t", { firstSeq: 1, lastSeq: 2 }, new Uint8Array(20));
  assert.deepEqual(
    [...kv.map.keys()]
      .filter((key) => key.includes("/p/"))
      .map((key) => key.includes("coming"))
      .sort(),
    [false, true],
  );
});

/** Appends one frame after the other. */
async function appended(store, count, before = undefined) {
  const all = [];
  for (let i = 0; i < count; i++) {
    const { head, bytes } = makeFrames("t", before ?? { seq: 0, crc: 0 }, [10]);
    await store.append("t", { ...head, firstSeq: head.seq }, bytes, before);
    all.push(...bytes);
    before = head;
  }
  return { bytes: Uint8Array.from(all), head: before };
}
const textOf = async (store) => Buffer.concat(await store.read("t"));

test("a compare-and-set that says no to what it did loses nothing", async () => {
  const kv = makeKv();
  const store = new KvStore({ ...kv, cas: async (...given) => void (await kv.cas(...given)) });
  const { bytes, head } = await appended(store, 3);
  await store.fold("t", { firstSeq: 1, lastSeq: 3 }, bytes);
  assert.deepEqual(
    [await store.head("t"), await textOf(store), (await store.read("t")).length],
    [head, Buffer.from(bytes), 1],
  );
});

test("nor does one whose reads lag", async () => {
  const kv = makeKv();
  const first = await appended(new KvStore(kv), 2);
  const old = new Map(kv.map);
  const lagging = new KvStore({
    ...kv,
    get: async (key) => old.get(key),
    cas: async (...given) => void (await kv.cas(...given)),
  });
  // It was stored, and nobody can tell: FENCED would say that it was not.
  await assert.rejects(appended(lagging, 1, first.head), { code: "STORE", unknown: true });
  const store = new KvStore(kv);
  assert.deepEqual([(await store.head("t")).seq, (await store.read("t")).length], [3, 3]);
  old.set("weft/t/head", kv.map.get("weft/t/head"));
  const whole = await textOf(store);
  await lagging.fold("t", { firstSeq: 1, lastSeq: 2 }, first.bytes);
  assert.deepEqual([await textOf(store), (await store.read("t")).length], [whole, 2]);
});

test("a thread's first commit that was stored is not FENCED, however far reads lag", async () => {
  for (const isTold of [false, true]) {
    const kv = makeKv();
    let lags = true;
    const lagging = new KvStore({
      ...kv,
      get: (key) => (lags ? undefined : kv.get(key)),
      cas: async (...given) => (await kv.cas(...given)) && isTold,
    });
    const first = appended(lagging, 1);
    if (isTold) await first;
    else await assert.rejects(first, { code: "STORE", unknown: true });
    lags = false;
    const { seq } = await lagging.head("t");
    assert.deepEqual([seq, (await lagging.read("t")).length], [1, 1]);
    // Where another one's is shown, it is FENCED.
    await assert.rejects(appended(lagging, 1), { code: "FENCED" });
  }
});

/**
 * A storage each of whose keys is read as it was before, until it was read so `often` times after
 * it was written.
 */
function makeLagging(often, map = new Map()) {
  const kv = makeKv(map);
  const before = new Map();
  const lagging =
    (verb) =>
    (key, ...words) => {
      if (!before.has(key)) before.set(key, { value: map.get(key), left: often });
      return kv[verb](key, ...words);
    };
  const get = async (key) => {
    const old = before.get(key);
    if (old === undefined || old.left-- <= 0) before.delete(key);
    return before.has(key) ? old.value : kv.get(key);
  };
  return { ...kv, get, put: lagging("put"), cas: lagging("cas"), map };
}

for (const often of [1, 3]) {
  test(`whose reads lag ${often} times behind: no commit of one's own is FENCED, nor is the next one`, async () => {
    const kv = makeLagging(often);
    const store = new KvStore(kv);
    const { bytes, head } = await appended(store, 12);
    await store.fold(
      "t",
      { firstSeq: 3, lastSeq: 9 },
      bytes.slice(...[3, 10].map((seq) => ((seq - 1) * bytes.length) / 12)),
    );
    const more = await appended(store, 3, head);
    assert.deepEqual(
      [await store.head("t"), await textOf(store)],
      [more.head, Buffer.concat([bytes, more.bytes])],
    );
    assert.deepEqual(
      await textOf(new KvStore({ ...kv, get: (key) => kv.map.get(key) })),
      Buffer.concat([bytes, more.bytes]),
    );

    const { Annotation, StateGraph, START } = weft;
    const graph = new StateGraph(
      Annotation.Root({ n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }) }),
    )
      .addNode("add", () => ({ n: 1 }))
      .addEdge(START, "add")
      .compile({ checkpointer: new KvSaver(makeLagging(often)) });
    for (let n = 1; n <= 30; n++)
      assert.equal((await graph.invoke({ n: 0 }, { configurable: { thread_id: "t" } })).n, n);
  });

  test(`two writers whose reads lag ${often} times behind: what one was told is stored, what was FENCED is not`, async () => {
    const map = new Map();
    let fencings = 0;
    const told = [];
    const writer = async (name) => {
      const store = new KvStore(makeLagging(often, map));
      for (let n = 0; n < 15; n++) {
        const before = await store.head("t");
        const { bytes, head } = makeFrames("t", before ?? { seq: 0, crc: 0 }, [10 + n]);
        const line = Buffer.from(bytes).toString("hex");
        await store.append("t", { ...head, firstSeq: head.seq }, bytes, before).then(
          () => told.push([line, true]),
          (error) => {
            assert.equal(error.code, "FENCED", `${name}: ${error.stack}`);
            fencings++;
            told.push([line, false]);
          },
        );
      }
    };
    await Promise.all([writer("a"), writer("b")]);
    const stored = (await new KvStore(makeKv(map)).read("t")).map((piece) =>
      Buffer.from(piece).toString("hex"),
    );
    assert.deepEqual(
      [...stored].sort(),
      told
        .filter(([, isStored]) => isStored)
        .map(([line]) => line)
        .sort(),
    );
    assert.ok(fencings > 0 && stored.length > 3, `${fencings} fenced, ${stored.length} stored`);
  });
}

/** One whose reads of a key show what was there before, the first `often` times. */
function makeStale(map, key, value, often) {
  const kv = makeKv(map);
  return { ...kv, get: async (wanted) => (wanted === key && often-- > 0 ? value : kv.get(wanted)) };
}

test("a head that a new process reads late is no loss, of the store's own witness nor of the host's", async () => {
  for (const isHost of [false, true]) {
    const map = new Map();
    const heads = new Map();
    const witness = { get: (id) => heads.get(id), set: (id, head) => void heads.set(id, head) };
    const open = (often, old) => {
      const saver = new KvSaver(makeStale(map, "weft/t/head", old, often));
      if (isHost) saver.witness = witness;
      return saver;
    };
    const on = { configurable: { thread_id: "t" } };
    const graphOn = (checkpointer) =>
      new weft.StateGraph(
        weft.Annotation.Root({
          n: weft.Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
        }),
      )
        .addNode("add", () => ({ n: 1 }))
        .addEdge(weft.START, "add")
        .compile({ checkpointer });
    const turn = async () => {
      const saver = open(0);
      await graphOn(saver).invoke({}, on);
      const { seq } = await saver.store.head("t");
      while ((await saver.store.witness("t"))?.seq !== seq) await new Promise(setImmediate);
    };
    await turn();
    const old = map.get("weft/t/head");
    await turn();
    if (isHost) map.delete("weft/t/witness");
    const calls = {
      getState: (saver) =>
        graphOn(saver)
          .getState(on)
          .then(({ values }) => values.n),
      getTuple: (saver) => saver.getTuple(on).then(({ checkpoint }) => checkpoint.channel_values.n),
      prune: (saver) => saver.prune("t", { last: 9 }).then(({ dropped }) => dropped + 2),
    };
    for (const [name, call] of Object.entries(calls))
      for (const late of [undefined, old]) assert.equal(await call(open(2, late)), 2, name);
    // What is still shown after a while is what there is.
    await assert.rejects(calls.getState(open(Infinity, old)), { code: "DATA_LOSS" });
  }
});

test("a commit that a head may name stays, though the compare-and-set said no and reads show no thread", async () => {
  const kv = makeKv();
  const { bytes, head } = await appended(new KvStore(kv), 2);
  let isEmpty = false;
  const lying = new KvStore({
    ...kv,
    get: async (key) => (isEmpty ? undefined : kv.get(key)),
    cas: async (...given) => ((isEmpty = true), await kv.cas(...given), false),
  });
  assert.deepEqual(await lying.head("t"), head);
  await assert.rejects(
    appended(lying, 1, head),
    ({ code, unknown }) => code === "FENCED" || unknown === true,
  );
  const store = new KvStore(kv);
  assert.deepEqual(
    [(await store.head("t")).seq, (await textOf(store)).length],
    [3, (bytes.length / 2) * 3],
  );
});

test("a fold by somebody else in the midst of a commit fences nobody", async () => {
  const kv = makeKv();
  const other = new KvStore(kv);
  const { bytes, head } = await appended(other, 4);
  let folds = 0;
  const one = new KvStore({
    ...kv,
    cas: async (...given) => (
      folds++ > 0 || (await other.fold("t", { firstSeq: 1, lastSeq: 4 }, bytes)), kv.cas(...given)
    ),
  });
  const more = await appended(one, 2, head);
  assert.deepEqual(
    [await textOf(other), (await other.read("t")).length],
    [Buffer.concat([bytes, more.bytes]), 3],
  );
});

test("who sweeps leaves what another one folds, until it has lost", async () => {
  const kv = makeKv();
  let open, reach, other;
  const gate = new Promise((resolve) => (open = resolve));
  const reached = new Promise((resolve) => (reach = resolve));
  const { bytes } = await appended(new KvStore(kv), 4);
  const half = bytes.length / 2;
  // The other one folds all while this one, which has folded the first half, looks for what is
  // lost.
  const slow = new KvStore({
    ...kv,
    cas: async (...given) => (reach(), await gate, kv.cas(...given)),
  });
  const store = new KvStore({
    ...kv,
    list: async function* (prefix) {
      other ??= slow.fold("t", { firstSeq: 1, lastSeq: 4 }, bytes);
      await reached;
      yield* kv.list(prefix);
    },
  });
  await store.fold("t", { firstSeq: 1, lastSeq: 2 }, bytes.slice(0, half));
  open();
  await other;
  assert.deepEqual([await textOf(store), (await store.read("t")).length], [Buffer.from(bytes), 1]);
  // One that came to nothing is deleted by the second that looks.
  await kv.put("weft/t/p/0000000000000001_lost.0", new Uint8Array(3));
  const lost = () => [...kv.map.keys()].filter((key) => key.includes("lost")).length;
  const seen = [];
  for (const first of [5, 7]) {
    const more = await appended(store, 2, await store.head("t"));
    await store.fold("t", { firstSeq: first, lastSeq: first + 1 }, more.bytes);
    seen.push(lost());
  }
  assert.deepEqual(seen, [1, 0]);
});

test("a thread that begins anew while the old one is dropped stays", async () => {
  const kv = makeKv();
  await appended(new KvStore(kv), 2);
  let anew;
  const dropping = new KvStore({
    ...kv,
    delete: async (key) => (
      await kv.delete(key), key.endsWith("/head") && (anew ??= await appended(new KvStore(kv), 1))
    ),
  });
  await dropping.drop("t");
  const store = new KvStore(kv);
  assert.deepEqual(
    [await store.head("t"), await textOf(store)],
    [anew.head, Buffer.from(anew.bytes)],
  );
});

test("of a thread that is deleted while a run writes to it nothing is shown, and the run is told; what it had put goes with the next deletion", async () => {
  for (const from of [
    makeKv,
    () => ({ ...makeKv(), delete: async () => assert.fail("not now") }),
  ]) {
    const kv = from();
    const store = new KvStore(kv);
    const first = await appended(store, 1);
    const { head, bytes } = makeFrames("t", first.head, [10]);
    const { put } = kv;
    // Before its piece is there.
    kv.put = async (key, value) => {
      kv.put = put;
      if (from === makeKv) await new KvStore(kv).drop("t");
      else kv.map.delete("weft/t/head");
      await put(key, value);
    };
    await assert.rejects(store.append("t", { ...head, firstSeq: head.seq }, bytes, first.head), {
      code: "FENCED",
    });
    assert.deepEqual([await store.head("t"), await store.list()], [undefined, []]);
    if (from !== makeKv) continue;
    // Nobody can tell this one from a commit that a head names which is not shown yet.
    assert.equal(kv.map.size, 1);
    await store.drop("t");
    assert.equal(kv.map.size, 0);
  }
});

test("a failed compare-and-set is of unknown fate, a failed put is not", async () => {
  const { bytes, head } = makeFrames("t", { seq: 0, crc: 0 }, [10]);
  const fail = async () => {
    throw new Error("gone");
  };
  await assert.rejects(
    new KvStore({ ...makeKv(), cas: fail }).append("t", { ...head, firstSeq: 1 }, bytes, undefined),
    (error) => error.unknown === true,
  );
  await assert.rejects(
    new KvStore({ ...makeKv(), put: fail }).append("t", { ...head, firstSeq: 1 }, bytes, undefined),
    (error) => error.unknown === undefined,
  );
  assert.throws(() => new KvSaver({ ...makeKv(), cas: undefined }), /needs the function cas/);
});

test("wrong options, a storage that fails or answers nonsense: an error with a code that names it, and nothing is stored", async () => {
  for (const options of [
    undefined,
    null,
    "redis",
    {},
    { ...makeKv(), get: "get" },
    { ...makeKv(), prefix: 5 },
    { ...makeKv(), prefix: "\ud800" },
    { ...makeKv(), maxValueBytes: "2000" },
    { ...makeKv(), maxValueBytes: 1000 },
    { ...makeKv(), maxValueBytes: NaN },
  ]) {
    assert.throws(() => new KvSaver(options), {
      code: "BAD_ARGUMENT",
      message: /function|prefix|maxValueBytes/,
    });
  }
  const { head, bytes } = makeFrames("t", { seq: 0, crc: 0 }, [10]);
  const verbs = {
    head: (store) => store.head("t"),
    read: (store) => store.read("t"),
    append: (store) => store.append("t", { ...head, firstSeq: 1 }, bytes, undefined),
    fold: (store) => store.fold("t", { firstSeq: 1, lastSeq: 1 }, bytes),
    list: (store) => store.list(),
    drop: (store) => store.drop("t"),
    witness: (store) => store.witness("t"),
    "witness to be set": (store) => store.witness("t", head),
    "byteLength of one": (store) => store.byteLength("t"),
    byteLength: (store) => store.byteLength(),
  };
  const nonsense = {
    get: ["text", 5, {}, [1, 2], true, () => {}, Symbol("x")],
    list: [undefined, null, 5, "weft/t/head", {}, [5], [null], ["weft/t/head", {}]],
    cas: ["OK", {}, { ok: false }, [], 2, Symbol("x")],
  };
  for (const [name, answers] of Object.entries(nonsense)) {
    let seen = 0;
    for (const answer of answers) {
      for (const [verb, call] of Object.entries(verbs)) {
        const kv = makeKv();
        if (verb === "fold")
          await new KvStore(kv).append("t", { ...head, firstSeq: 1 }, bytes, undefined);
        const before = new Map(kv.map);
        const failure = await call(new KvStore({ ...kv, [name]: () => answer })).then(
          () => undefined,
          (error) => error,
        );
        if (
          failure === undefined ||
          failure.code === "FENCED" ||
          (verb === "fold" && failure.code === "BAD_ARGUMENT")
        )
          continue;
        seen++;
        assert.deepEqual(
          [failure.code, failure.message.includes(`${name}(`)],
          ["STORE", true],
          `${verb}: ${failure.stack}`,
        );
        if (name !== "cas") continue;
        assert.equal(failure.unknown, true);
        for (const key of before.keys()) assert.ok(kv.map.has(key), `${verb} deleted ${key}`);
      }
    }
    assert.ok(seen >= answers.length, `${name}: ${seen}`);
  }
  for (const name of ["get", "put", "list", "delete", "cas"]) {
    for (const reason of [new Error("no line"), "no line", undefined, null]) {
      for (const isAsync of [true, false]) {
        for (const [verb, call] of Object.entries(verbs)) {
          const kv = makeKv();
          if (verb !== "append")
            await new KvStore(kv).append("t", { ...head, firstSeq: 1 }, bytes, undefined);
          const fail = () => {
            if (isAsync) return Promise.reject(reason);
            throw reason;
          };
          const failure = await call(new KvStore({ ...kv, [name]: fail })).then(
            () => undefined,
            (error) => error,
          );
          if (failure !== undefined)
            assert.ok(
              failure.code === "STORE" && failure instanceof Error,
              `${name}, ${verb}: ${failure?.stack}`,
            );
        }
      }
    }
  }
});

test("a storage without room is QUOTA; the thread is read meanwhile and goes on when there is room", async () => {
  const kv = makeKv();
  let full = false;
  for (const name of ["put", "cas"]) {
    const call = kv[name];
    kv[name] = (...given) =>
      full
        ? Promise.reject(Object.assign(new Error("no room"), { name: "QuotaExceededError" }))
        : call(...given);
  }
  const graph = new weft.StateGraph(
    weft.Annotation.Root({ n: weft.Annotation({ reducer: (a, b) => a + b, default: () => 0 }) }),
  )
    .addNode("add", () => ({ n: 1 }))
    .addEdge(weft.START, "add")
    .compile({ checkpointer: new KvSaver(kv) });
  const on = { configurable: { thread_id: "t" } };
  await graph.invoke({}, on);
  full = true;
  await assert.rejects(graph.invoke({}, on), { code: "QUOTA", message: /no room/ });
  assert.deepEqual((await graph.getState(on)).values, { n: 1 });
  full = false;
  assert.deepEqual(await graph.invoke({}, on), { n: 2 });
});

test("a thread of which a value is gone or too short, or whose head is no head, is CORRUPT_LOG, and hides no other", async () => {
  const first = makeFrames("t", { seq: 0, crc: 0 }, [10]);
  const second = makeFrames("t", first.head, [3000]);
  const other = makeFrames("u", { seq: 0, crc: 0 }, [10]);
  const encode = (text) => new TextEncoder().encode(text);
  const damages = {
    "a value is gone": [(map) => map.delete([...map.keys()].find((key) => key.endsWith(".2"))), 1],
    "the first value is gone": [
      (map) =>
        map.delete(
          [...map.keys()].find((key) => key.includes("p/0000000000000001") && key.endsWith(".0")),
        ),
      0,
    ],
    "a value is too short": [
      (map) =>
        map.set(
          [...map.keys()].find((key) => key.endsWith(".1")),
          new Uint8Array(9),
        ),
      1,
    ],
    "a value is too long": [
      (map) =>
        map.set(
          [...map.keys()].find((key) => key.endsWith(".2")),
          new Uint8Array(1024),
        ),
      1,
    ],
    "the head is no JSON": [(map) => map.set("weft/t/head", encode("{")), 0],
    "the head is null": [(map) => map.set("weft/t/head", encode("null")), 0],
    "the head has no pieces": [(map) => map.set("weft/t/head", encode('{"seq":2,"crc":1}')), 0],
    "the head has no end": [
      (map) => map.set("weft/t/head", encode('{"seq":"2","crc":1,"pieces":[]}')),
      0,
    ],
  };
  for (const [name, [damage, sound]] of Object.entries(damages)) {
    const map = new Map();
    const store = new KvStore({ ...makeKv(map), maxValueBytes: 1024 });
    await store.append("t", { ...first.head, firstSeq: 1 }, first.bytes, undefined);
    await store.append("t", { ...second.head, firstSeq: 2 }, second.bytes, first.head);
    await store.append("u", { ...other.head, firstSeq: 1 }, other.bytes, undefined);
    damage(map);
    const saver = new KvSaver({ ...makeKv(map), maxValueBytes: 1024 });
    await assert.rejects(saver.getTuple({ configurable: { thread_id: "t" } }), (error) => {
      assert.deepEqual(
        [error.code, error.message.includes(`at record ${sound + 1}:`)],
        ["CORRUPT_LOG", true],
        name,
      );
      return true;
    });
    assert.deepEqual(await saver.listThreads(), ["t", "u"], name);
    await saver.deleteThread("t");
    assert.deepEqual(
      [await saver.listThreads(), [...map.keys()].filter((key) => key.startsWith("weft/t/"))],
      [["u"], []],
      name,
    );
  }
});

test("values of another limit are read, and what is no thread's key or no witness says nothing", async () => {
  const map = new Map();
  const { head, bytes } = makeFrames("t", { seq: 0, crc: 0 }, [5000]);
  await new KvStore({ ...makeKv(map), maxValueBytes: 1024 }).append(
    "t",
    { ...head, firstSeq: 1 },
    bytes,
    undefined,
  );
  for (const maxValueBytes of [2048, undefined, 1025])
    assert.deepEqual(
      await new KvStore({ ...makeKv(map), maxValueBytes }).read("t"),
      [bytes],
      `${maxValueBytes}`,
    );
  map.set("weft/%E0%A4/head", new Uint8Array([1]));
  const store = new KvStore(makeKv(map));
  assert.deepEqual(await store.list(), ["t"]);
  for (const text of ["{", "null", '{"seq":"1","crc":2}', "\u0000"]) {
    map.set("weft/t/witness", new TextEncoder().encode(text));
    assert.equal(await store.witness("t"), undefined);
  }
});

test("a page of threads reads a page of keys, where the storage has pages", async () => {
  const map = new Map();
  // Some threads have many keys; names that others begin with, and marks that a key writes in
  // another way.
  const ids = [
    "a",
    "a b",
    "a-b",
    "a~",
    "a/b",
    "é",
    ...Array.from({ length: 1500 }, (_, i) => `t${i}`),
  ];
  for (const id of ids) {
    const place = `weft/${encodeURIComponent(id)}/`;
    map
      .set(`${place}head`, new TextEncoder().encode(JSON.stringify({ seq: 1, crc: 0, pieces: [] })))
      .set(`${place}witness`, new Uint8Array(1));
    for (let i = 0; i < (id === "a-b" || id === "t7" ? 1200 : 1); i++)
      map.set(`${place}p/${i}`, new Uint8Array(1));
  }
  const paged = makePagedKv(map);
  for (const kv of [paged, makeKv(map)]) {
    const store = new KvStore(kv);
    const seen = [];
    for (let after; ; after = seen.at(-1)) {
      const before = paged.given.keys;
      const page = await store.list({ limit: 100, after });
      assert.ok(paged.given.keys - before <= 500, `${paged.given.keys - before} keys for a page`);
      seen.push(...page);
      if (page.length < 100) break;
    }
    assert.deepEqual(seen.slice().sort(), ids.slice().sort());
    assert.deepEqual(await store.list(), seen);
  }
});

test("graphs run on it and go on elsewhere", async () => {
  const kv = makeKv();
  const State = weft.Annotation.Root({
    log: weft.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
  });
  const build = () =>
    new weft.StateGraph(State)
      .addNode("a", () => ({ log: [weft.interrupt("q")] }))
      .addEdge(weft.START, "a")
      .compile({ checkpointer: new KvSaver(kv) });
  const thread = { configurable: { thread_id: "né/1" } };
  await build().invoke({ log: ["in"] }, thread);
  assert.deepEqual(await build().invoke(new weft.Command({ resume: "yes" }), thread), {
    log: ["in", "yes"],
  });
  const saver = new KvSaver(kv);
  assert.deepEqual(await saver.listThreads(), ["né/1"]);
  assert.ok((await saver.byteLength()) > 0);
  assert.deepEqual((await saver.getTuple(thread)).checkpoint.channel_values.log, ["in", "yes"]);
  await saver.deleteThread("né/1");
  assert.equal(kv.map.size, 0);
});
