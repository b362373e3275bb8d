// SPDX-License-Identifier: MIT
// T15: the quota used up, an abort or an I/O error at every writing request of a scenario: a typed
// error at once, nothing stored, and the next try works. T5: a database that hangs, a database
// emptied under its witness, damaged and missing files.
// Own process: replaces the requests of IndexedDB.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import FDBObjectStore from "fake-indexeddb/lib/FDBObjectStore";
import { IdbfsStore } from "../../js/savers/idbfs/store.js";
import { createInstance } from "../../js/savers/idbfs/module.js";
import { figure, isBroken } from "../proof/kit.mjs";
import { createOrigin, createWriter, injectFault, openTab, readHex } from "./idbfs-origin.mjs";

const instance = createInstance();
// A file that is not there is an error of Emscripten's, thousands of times: where it was thrown is
// most of its price.
const { stackTraceLimit } = Error;
before(() => (Error.stackTraceLimit = 2));
after(() => (Error.stackTraceLimit = stackTraceLimit));
const counts = { faults: 0, kinds: 0 };

function throwQuota() {
  throw new DOMException("no space", "QuotaExceededError");
}
const FAULTS = {
  "the request throws QuotaExceededError": [throwQuota, "QUOTA"],
  "the transaction aborts for the quota": [
    (store, request) => (
      setImmediate(() => store.transaction._abort("QuotaExceededError")), request()
    ),
    "QUOTA",
  ],
  "the transaction aborts": [
    (store, request) => (setImmediate(() => store.transaction.abort()), request()),
    "STORE",
  ],
  "the request throws UnknownError": [
    () => {
      throw new DOMException("connection lost", "UnknownError");
    },
    "STORE",
  ],
};

for (const [name, [fault, code]] of Object.entries(FAULTS)) {
  test(`${name}, at every request`, async () => {
    for (let n = 1; ; n++) {
      const origin = createOrigin();
      const store = openTab(origin, { instance });
      const { append } = store;
      // T15's planted bug: a store that says nothing of a quota used up.
      if (isBroken("T15")) store.append = (...given) => append.apply(store, given).catch(() => {});
      const writer = createWriter(store, "thread");
      const failures = [];
      const state = injectFault(n, fault);
      try {
        // Two commits behind the fault are enough to see that it goes on.
        for (let left = 3; writer.acknowledged.length < 68 && left > 0; left -= Number(state.hit)) {
          const before = writer.head;
          await writer.append([10]).catch(async (error) => {
            failures.push(error.code);
            assert.ok(!error.unknown);
            assert.deepEqual(await store.head("thread"), before, "nothing of it is stored");
          });
        }
      } finally {
        state.restore();
      }
      assert.equal(
        await readHex(openTab(origin, { instance: createInstanceOnce() }), "thread"),
        writer.acknowledged.join(""),
        `T15: what was acknowledged, request ${n}`,
      );
      assert.deepEqual(await store.list(), ["thread"]);
      await store.close();
      if (!state.hit) {
        if (++counts.kinds === Object.keys(FAULTS).length) figure("T15", counts);
        assert.ok(n > 68 * 2, `${n - 1} requests were failed in turn`);
        return;
      }
      counts.faults++;
      // The fifth is the index's mark behind the first commit, which is safe by then.
      assert.deepEqual(failures, n === 5 ? [] : [code], `request ${n}`);
    }
  });
}

let second;
function createInstanceOnce() {
  return (second ??= createInstance());
}

test("a database that hangs is given up after 5 s, not by a page that was frozen: the outcome is unknown, the head tells", async (t) => {
  const origin = createOrigin();
  const store = openTab(origin, { instance });
  const writer = createWriter(store, "thread");
  await writer.append();
  let spinning = true;
  const state = injectFault(1, (objectStore, request) => {
    const spin = () => {
      if (spinning) objectStore.get("nothing").onsuccess = spin;
    };
    spin();
    return request();
  });
  const { mock } = t.mock.method(
    globalThis,
    "setInterval",
    (call) => (seconds.push(call), seconds.length),
  );
  const seconds = [];
  const appending = writer.append();
  const watch = assert.rejects(
    appending,
    (error) =>
      error.code === "STORE" && error.unknown === true && /did not answer/.test(error.message),
  );
  while (!state.hit) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(mock.calls.at(-1).arguments[1], 1000);
  let given = false;
  watch.then(() => (given = true));
  // However long it was frozen, a page is told of one interval.
  for (let second = 1; second <= 5; second++) {
    assert.equal(given, false);
    seconds.at(-1)();
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  await watch;
  spinning = false;
  state.restore();
  mock.restore();
  await writer.reload();
  assert.equal(writer.head.seq, 1);
  await writer.append();
  assert.equal(await readHex(store, "thread"), writer.acknowledged.join(""));
});

test("an emptied database leaves its witness: the loss can be told from a new thread", async () => {
  const origin = createOrigin();
  const store = openTab(origin, { instance });
  const writer = createWriter(store, "thread");
  for (let i = 0; i < 5; i++) await writer.append();
  await store.witness("thread", writer.head);
  await store.close();
  for (const { name } of await origin.indexedDB.databases()) {
    await new Promise((resolve) => (origin.indexedDB.deleteDatabase(name).onsuccess = resolve));
  }
  const after = openTab(origin, { instance });
  assert.equal(await after.head("thread"), undefined);
  assert.deepEqual(await after.witness("thread"), writer.head);
});

/** A thread of `count` commits whose files `damage` then changes in the database. */
async function damaged(count, damage) {
  const origin = createOrigin();
  const store = openTab(origin, { instance });
  const writer = createWriter(store, "thread");
  for (let i = 0; i < count; i++) await writer.append([30]);
  await store.close();
  const name = (await origin.indexedDB.databases()).find((database) =>
    /[0-9a-f]{64}$/.test(database.name),
  ).name;
  const db = await new Promise(
    (resolve) => (origin.indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result)),
  );
  const transaction = db.transaction(["FILE_DATA"], "readwrite");
  const files = transaction.objectStore("FILE_DATA");
  files.getAllKeys().onsuccess = ({ target }) => {
    const keys = target.result.sort();
    const change = (key, edit) => {
      files.get(key).onsuccess = ({ target: { result } }) =>
        files.put({ ...result, contents: edit(result.contents) }, key);
    };
    damage({
      commits: keys.filter((key) => key.includes("/c")),
      head: `${name}/head`,
      files,
      change,
    });
  };
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  db.close();
  return { origin, writer };
}

/** What is left is the first `kept` commits, and the thread goes on from there. */
async function expectPrefix({ origin, writer }, kept) {
  const store = openTab(origin, { instance });
  const again = createWriter(store, "thread");
  await again.reload();
  assert.equal(again.head?.seq ?? 0, kept);
  again.acknowledged = writer.acknowledged.slice(0, kept);
  assert.equal(await readHex(store, "thread"), again.acknowledged.join(""));
  for (let i = 0; i < 3; i++) await again.append();
  const fresh = openTab(origin, { instance: createInstanceOnce() });
  assert.equal(await readHex(fresh, "thread"), again.acknowledged.join(""));
  assert.equal(await fresh.byteLength("thread"), again.acknowledged.join("").length / 2);
  await Promise.all([store.close(), fresh.close()]);
}

test("without its head record a log is found by its frames", async () => {
  await expectPrefix(await damaged(10, ({ files, head }) => files.delete(head)), 10);
  await expectPrefix(await damaged(70, ({ files, head }) => files.delete(head)), 70);
  await expectPrefix(
    await damaged(10, ({ change, head }) => change(head, (bytes) => bytes.slice(0, 20))),
    10,
  );
  await expectPrefix(
    await damaged(10, ({ change, head }) =>
      change(head, (bytes) => bytes.map((byte, i) => (i === 9 ? byte ^ 1 : byte))),
    ),
    10,
  );
});

test("the last files missing or cut: the longest valid prefix is kept", async () => {
  await expectPrefix(
    await damaged(10, ({ files, commits }) => commits.slice(7).forEach((key) => files.delete(key))),
    7,
  );
  await expectPrefix(
    await damaged(10, ({ files, change, commits, head }) => {
      files.delete(head);
      change(commits[9], (bytes) => bytes.slice(0, 50));
    }),
    9,
  );
  await expectPrefix(
    await damaged(3, ({ files, commits }) => commits.forEach((key) => files.delete(key))),
    0,
  );
});

test("a segment cut in its middle keeps the frames before", async () => {
  const frame = 30 + 48;
  await expectPrefix(
    await damaged(65, ({ files, change, commits, head }) => {
      files.delete(head);
      files.delete(commits[0]);
      files.getAllKeys().onsuccess = ({ target }) =>
        change(
          target.result.find((key) => key.includes("/s")),
          (bytes) => bytes.slice(0, 40 * frame + 5),
        );
    }),
    40,
  );
});

test("a file gone from the middle is CORRUPT_LOG, named; other threads go on", async () => {
  const { origin } = await damaged(10, ({ files, commits }) => files.delete(commits[4]));
  const store = openTab(origin, { instance });
  await assert.rejects(
    store.head("thread"),
    (error) => error.code === "CORRUPT_LOG" && error.message.includes("thread"),
  );
  await assert.rejects(store.read("thread"), { code: "CORRUPT_LOG" });
  const other = createWriter(store, "other");
  await other.append();
  assert.equal(await readHex(store, "other"), other.acknowledged.join(""));
});

test("threads are unmounted when many are open, and read again when asked for", async () => {
  const origin = createOrigin();
  const instance = createInstance();
  const store = openTab(origin, { instance, maxOpen: 3 });
  const writers = Array.from({ length: 12 }, (_, i) => createWriter(store, `thread ${i}`));
  for (let round = 0; round < 3; round++)
    await Promise.all(writers.map((writer) => writer.append()));
  const countMounts = () =>
    instance.FS.readdir("/").filter((name) => /^[0-9a-f]{8}$/.test(name)).length;
  assert.ok(countMounts() > 0 && countMounts() <= 3);
  for (const writer of writers)
    assert.equal(
      await readHex(
        store,
        writer === writers[0] ? "thread 0" : `thread ${writers.indexOf(writer)}`,
      ),
      writer.acknowledged.join(""),
    );
  await store.close();
  assert.equal(countMounts(), 0);
});

/** A browser that loses one database. */
const lose = (origin, name) =>
  new Promise((resolve, reject) => {
    const request = origin.indexedDB.deleteDatabase(name);
    request.onsuccess = resolve;
    request.onerror = request.onblocked = () => reject(request.error ?? new Error("blocked"));
  });

test("a browser that loses the index alone: threads are listed, go on, and are deleted", async () => {
  const origin = createOrigin();
  const first = openTab(origin, { instance });
  const ids = ["a", "b", "c", "ü/d"];
  const writers = ids.map((id) => createWriter(first, id));
  for (const writer of writers) await writer.append([10]);
  await first.drop("b");
  await first.close();
  await lose(origin, "/weft/index");
  const store = openTab(origin, { instance });
  assert.deepEqual(await store.list({ limit: 2 }), ["a", "c"]);
  assert.deepEqual(await store.list({ after: "a" }), ["c", "ü/d"]);
  assert.equal(await readHex(store, "c"), writers[2].acknowledged.join(""));
  await createWriter(store, "e").append([10]);
  assert.deepEqual(await store.list(), ["a", "c", "e", "ü/d"]);
  await store.close();
  await lose(origin, "/weft/index");
  const other = openTab(origin, { instance });
  await other.drop("a");
  assert.deepEqual(
    [await other.head("a"), await other.witness("a"), await readHex(other, "a")],
    [undefined, undefined, ""],
  );
  assert.deepEqual(await other.list(), ["c", "e", "ü/d"]);
  await other.close();
  // Without a list of databases what is known is listed.
  const { indexedDB } = origin;
  const old = openTab(
    { ...origin, indexedDB: { open: (...words) => indexedDB.open(...words) } },
    { instance },
  );
  assert.deepEqual(await old.list(), ["c", "e", "ü/d"]);
  await old.close();
});

test("a database that names no owner, and an entry of the index that says nothing, hide no other thread", async () => {
  const origin = createOrigin();
  const put = (name, key, value) =>
    new Promise((resolve, reject) => {
      const request = origin.indexedDB.open(name);
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const transaction = request.result.transaction(
          [...request.result.objectStoreNames],
          "readwrite",
        );
        transaction.objectStore(request.result.objectStoreNames[0]).put(value, key);
        transaction.oncomplete = () => resolve(request.result.close());
      };
    });
  for (const owner of [7, { thread: "a" }, null, new Uint8Array(3), new Map(), true]) {
    const first = openTab(origin, { instance });
    for (const id of ["a", "b", "c"]) await createWriter(first, id).append([10]);
    await first.close();
    await lose(origin, "/weft/index");
    const name = `/weft/${createHash("sha256").update("a").digest("hex")}`;
    await put(name, name, owner);
    const store = openTab(origin, { instance });
    assert.deepEqual(await store.list(), ["b", "c"]);
    await store.close();
    await put("/weft/index", "b", owner);
    const again = openTab(origin, { instance });
    assert.deepEqual(await again.list(), ["b", "c"]);
    await again.drop("a");
    for (const id of ["b", "c"]) await again.drop(id);
    assert.deepEqual(await again.list(), []);
    await again.close();
  }
});

test("a failure that gives no reason is called by its name", async () => {
  for (const [name, code] of [
    ["QuotaExceededError", "QUOTA"],
    ["UnknownError", "STORE"],
  ]) {
    const store = openTab(createOrigin(), { instance });
    const state = injectFault(1, () => {
      throw new DOMException("", name);
    });
    try {
      await assert.rejects(
        createWriter(store, "t").append([10]),
        (error) => error.code === code && error.message.includes(name),
      );
    } finally {
      state.restore();
    }
    await store.close();
  }
});

test("threads are listed where there is no room for the list's own mark", async () => {
  const origin = createOrigin();
  const writer = openTab(origin, { instance });
  await createWriter(writer, "t").append([10]);
  await writer.close();
  const store = openTab(origin, { instance });
  const state = injectFault(1, throwQuota);
  try {
    assert.deepEqual(await store.list(), ["t"]);
    assert.ok(state.hit);
  } finally {
    state.restore();
  }
  assert.deepEqual(await store.list(), ["t"]);
  await store.close();
});

test("a thread is deleted where there is no room for marks of it", async (t) => {
  // A page has its witness in localStorage; a worker, without one, marks it first.
  for (const [n, options] of [
    [2, {}],
    [1, { localStorage: null }],
    [2, { localStorage: null }],
  ]) {
    const store = openTab(createOrigin(), { instance, ...options });
    t.after(() => store.close());
    const writer = createWriter(store, "t");
    await writer.append([10]);
    await store.witness("t", writer.head);
    const state = injectFault(n, throwQuota);
    try {
      await store.drop("t");
      assert.ok(state.hit);
    } finally {
      state.restore();
    }
    assert.deepEqual(await store.list(), []);
    assert.equal(await store.head("t"), undefined);
    assert.equal(await store.witness("t"), undefined);
  }
});

test("a deletion that dies at any request: what is listed is there", async () => {
  for (let n = 1; ; n++) {
    const origin = createOrigin();
    const store = openTab(origin, { instance });
    for (const id of ["kept", "thread"]) await createWriter(store, id).append([10]);
    const verbs = ["put", "delete", "clear"];
    const real = verbs.map((verb) => FDBObjectStore.prototype[verb]);
    let requests = 0;
    // From the n-th on nothing is stored any more.
    verbs.forEach(
      (verb, at) =>
        (FDBObjectStore.prototype[verb] = function (...args) {
          if (++requests >= n) throw new DOMException("connection lost", "UnknownError");
          return real[at].apply(this, args);
        }),
    );
    const died = await store.drop("thread").then(
      () => false,
      () => true,
    );
    verbs.forEach((verb, at) => (FDBObjectStore.prototype[verb] = real[at]));
    const other = openTab(origin, { instance });
    const isThere = (await other.head("thread")) !== undefined;
    assert.deepEqual(await other.list(), isThere ? ["kept", "thread"] : ["kept"], `request ${n}`);
    await other.drop("thread");
    assert.deepEqual(
      [await other.head("thread"), await other.witness("thread"), await other.list()],
      [undefined, undefined, ["kept"]],
      `request ${n}`,
    );
    await Promise.all([store.close(), other.close()]);
    if (!died) return assert.ok(n > 3 && !isThere);
  }
});

test("a connection that was lost is opened again", async () => {
  const origin = createOrigin();
  const opened = [];
  const { indexedDB } = origin;
  const open = (name, version) => {
    const request = indexedDB.open(name, version);
    request.addEventListener("success", () => opened.push(request.result));
    return request;
  };
  const store = openTab({ ...origin, indexedDB: { open } }, { instance });
  const writer = createWriter(store, "thread");
  for (let i = 0; i < 4; i++) {
    await writer.append();
    opened.splice(0).forEach((db) => db.close());
    if (i % 2) assert.equal(await readHex(store, "thread"), writer.acknowledged.join(""));
    assert.deepEqual(await store.list(), ["thread"]);
    opened.splice(0).forEach((db) => db.close());
  }
});

test("bad options are refused by name", () => {
  for (const options of [
    { prefix: "" },
    { prefix: "a/b" },
    { prefix: ".." },
    { maxOpen: 0 },
    { indexedDB: null },
  ]) {
    assert.throws(() => openTab(createOrigin(), options), { code: "BAD_ARGUMENT" });
  }
});

// A trap as WebAssembly makes it.
const { trap } = new WebAssembly.Instance(
  new WebAssembly.Module(
    Uint8Array.of(
      0,
      97,
      115,
      109,
      1,
      0,
      0,
      0,
      1,
      4,
      1,
      96,
      0,
      0,
      3,
      2,
      1,
      0,
      7,
      8,
      1,
      4,
      116,
      114,
      97,
      112,
      0,
      0,
      10,
      5,
      1,
      3,
      0,
      0,
      11,
    ),
  ),
).exports;

for (const name of [
  "new",
  "window",
  "load",
  "head",
  "names",
  "append",
  "write",
  "plan",
  "lines",
  "build",
  "end",
]) {
  test(`T13: a trap in weft_idbfs_${name} is a typed error, and the store goes on in another instance`, async () => {
    const origin = createOrigin();
    const made = [];
    const store = new IdbfsStore({
      ...origin,
      instance: () =>
        made.at(-1)?.trapped === false
          ? made.at(-1)
          : (made.push(Object.assign(createInstance(), { trapped: false })), made.at(-1)),
    });
    const writer = createWriter(store, "thread");
    await writer.append([10]);
    // A thread is mounted, and its files are read, when it is used again.
    if (name === "new" || name === "load") await store.close();
    const broken = made.at(-1);
    broken[`_weft_idbfs_${name}`] = () => trap();
    await assert.rejects(name === "names" ? store.read("thread") : writer.append([10]), (error) => {
      assert.equal(error.code, "ENGINE_TRAPPED");
      assert.ok(error.cause instanceof WebAssembly.RuntimeError && error.unknown === true);
      return true;
    });
    // What became of it is told by the head.
    const [head, whole] = [await store.head("thread"), await readHex(openTab(origin), "thread")];
    assert.equal(await readHex(store, "thread"), whole);
    assert.ok(whole.startsWith(writer.acknowledged.join("")) && head.seq >= writer.head.seq);
    assert.equal(made.length, 2);
    await store.close();
  });
}
