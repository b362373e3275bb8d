// SPDX-License-Identifier: MIT
// T5: what a browser does to IndexedDB beside refusing a write. At each request of a scenario the
// browser closes the connection by force, another tab deletes all databases, or the transaction
// fails when it is to be committed; each transaction and each opening of a database hangs in turn.
// A typed error in bounded time, nothing acknowledged is lost unless it was deleted, and the store
// goes on.
// Own process: replaces timers and the requests of IndexedDB.
import { test } from "node:test";
import assert from "node:assert/strict";
import { forceCloseDatabase } from "fake-indexeddb";
import FDBDatabase from "fake-indexeddb/lib/FDBDatabase";
import FDBObjectStore from "fake-indexeddb/lib/FDBObjectStore";
import { figure, isBroken } from "../proof/kit.mjs";
import { createInstance, createOrigin, createWriter, openTab, readHex } from "./idbfs-origin.mjs";

const VERBS = ["get", "getAll", "getAllKeys", "put", "add", "delete"];
const COMMITS = 5;
const counts = { faults: 0, acknowledged: 0 };
const [instance, other] = [createInstance(), createInstance()];
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Calls `fault(store, request)` with the n-th request of any database, once it is made. */
function atRequest(t, n, fault) {
  const state = { count: 0, hit: false };
  for (const verb of VERBS) {
    const real = FDBObjectStore.prototype[verb];
    t.mock.method(FDBObjectStore.prototype, verb, function (...given) {
      const request = real.apply(this, given);
      if (++state.count === n) {
        state.hit = true;
        fault(this, request);
      }
      return request;
    });
  }
  return state;
}

/** Commits, with looks at the thread between them; answers the codes of what failed. */
async function runScenario(store, writer) {
  const codes = [];
  // T5's planted bug: a store that says nothing of what failed.
  const { append } = store;
  if (isBroken("T5")) store.append = (...given) => append.apply(store, given).catch(() => {});
  for (let tries = 0; writer.acknowledged.length < COMMITS && tries < COMMITS + 3; tries++) {
    await writer.append([10]).catch(async (error) => {
      codes.push(error.code);
      const before = writer.head;
      await writer.reload().catch(() => {});
      if (!error.unknown)
        assert.deepEqual(writer.head, before, `${error.stack} stored it all the same`);
    });
    await store.witness("thread", writer.head).catch(({ code }) => codes.push(code));
    await store.list().catch(({ code }) => codes.push(code));
  }
  return codes;
}

const FAULTS = {
  "the browser closes the connection": [
    ({ transaction }) => {
      forceCloseDatabase(transaction.db);
      queueMicrotask(() => transaction._abort("AbortError"));
    },
    ["STORE"],
  ],
  "the transaction is to be committed, and there is no room": [
    (store, request) =>
      request.addEventListener("success", () =>
        queueMicrotask(() => store.transaction._abort("QuotaExceededError")),
      ),
    ["QUOTA"],
  ],
  "the transaction has ended for want of room before anybody was told": [
    (store, request) =>
      request.addEventListener("success", () => store.transaction._abort("QuotaExceededError")),
    ["QUOTA"],
  ],
  "the transaction is to be committed, and the disk fails": [
    (store, request) =>
      request.addEventListener("success", () =>
        queueMicrotask(() => store.transaction._abort("UnknownError")),
      ),
    ["STORE"],
  ],
};

for (const [name, [fault, expected]] of Object.entries(FAULTS)) {
  test(`at each request ${name}`, async (t) => {
    for (let n = 1; ; n++) {
      const origin = createOrigin();
      const store = openTab(origin, { instance });
      const writer = createWriter(store, "thread");
      const state = atRequest(t, n, fault);
      const codes = await runScenario(store, writer);
      t.mock.restoreAll();
      assert.ok(
        codes.every((code) => expected.includes(code)),
        `request ${n}: ${codes}`,
      );
      assert.equal(writer.acknowledged.length, COMMITS);
      assert.equal(
        await readHex(openTab(origin, { instance: other }), "thread"),
        writer.acknowledged.join(""),
        `T5: what was acknowledged, request ${n}`,
      );
      await store.close();
      if (!state.hit) return assert.ok(n > 30, `${n} requests`);
      counts.faults++;
      counts.acknowledged += COMMITS;
    }
  });
}

test("at each request another tab deletes all databases: nobody waits, and what is gone is not taken for new", async (t) => {
  for (let n = 1; ; n++) {
    const origin = createOrigin();
    const store = openTab(origin, { instance });
    const writer = createWriter(store, "thread");
    let deletions = [];
    let before;
    const state = atRequest(t, n, () => {
      before = writer.head;
      deletions = origin.indexedDB
        .databases()
        .then((found) =>
          Promise.all(
            found.map(
              ({ name }) =>
                new Promise(
                  (resolve) => (origin.indexedDB.deleteDatabase(name).onsuccess = resolve),
                ),
            ),
          ),
        );
    });
    const codes = [];
    for (let i = 0; i < COMMITS; i++) {
      await writer
        .append([10])
        .then(() => store.witness("thread", writer.head))
        .catch(({ code }) => codes.push(code));
    }
    await deletions;
    t.mock.restoreAll();
    assert.ok(
      codes.every((code) => code === "FENCED" || code === "STORE"),
      `request ${n}: ${codes}`,
    );
    const fresh = openTab(origin, { instance: other });
    const [head, witness, hex] = [
      await fresh.head("thread"),
      await fresh.witness("thread"),
      await readHex(fresh, "thread"),
    ];
    if (before && head === undefined)
      assert.ok(witness.seq >= before.seq, "T5: the witness tells of what is gone");
    // All that was acknowledged is there, or nothing is: no thread without its beginning.
    assert.ok(
      hex === "" || (writer.acknowledged.join("").endsWith(hex) && head.seq === writer.head.seq),
      `request ${n}`,
    );
    assert.equal(hex.length > 0, head !== undefined);
    await Promise.all([store.close(), fresh.close()]);
    if (!state.hit) return assert.ok(n > 20, `${n} requests`);
    counts.faults++;
  }
});

/** Time passes a second at a time whenever nothing else happens. */
function watchClock(t) {
  const ticking = new Set();
  t.mock.method(globalThis, "setInterval", (call) => (ticking.add(call), call));
  t.mock.method(globalThis, "clearInterval", (call) => ticking.delete(call));
  return async (promise) => {
    let done = false;
    promise.then(
      () => (done = true),
      () => (done = true),
    );
    for (let turns = 0; !done; turns++) {
      await turn();
      if (turns % 50 === 49) for (const call of [...ticking]) call();
      assert.ok(turns < 5000, "T5: it hangs");
    }
    return promise;
  };
}

test("each transaction hangs in turn: given up, and the next one works", async (t) => {
  for (let n = 1; ; n++) {
    const origin = createOrigin();
    const store = openTab(origin, { instance });
    const writer = createWriter(store, "thread");
    const real = FDBDatabase.prototype.transaction;
    let [count, hit] = [0, false];
    t.mock.method(FDBDatabase.prototype, "transaction", function (...given) {
      const transaction = real.apply(this, given);
      if (given[1] === "versionchange" || ++count !== n) return transaction;
      hit = true;
      // It is at work for as long as it is let.
      let spins = true;
      for (const end of ["abort", "complete"])
        transaction.addEventListener(end, () => (spins = false));
      const own = transaction.objectStore(given[0][0]);
      const hold = () => {
        own.get("nothing").onsuccess = () => spins && hold();
      };
      hold();
      return transaction;
    });
    const run = watchClock(t);
    const codes = await run(runScenario(store, writer));
    t.mock.restoreAll();
    assert.ok(
      codes.every((code) => code === "STORE" || code === "FENCED"),
      `transaction ${n}: ${codes}`,
    );
    assert.equal(
      await readHex(openTab(origin, { instance: other }), "thread"),
      writer.acknowledged.join(""),
      `T5: what was acknowledged, transaction ${n}`,
    );
    await store.close();
    if (!hit) return assert.ok(n > 10, `${n} transactions`);
    counts.faults++;
    counts.acknowledged += writer.acknowledged.length;
  }
});

test("each opening of a database hangs in turn, as one that another tab's old connection blocks: given up, and the next one works", async (t) => {
  for (let n = 1; ; n++) {
    const origin = createOrigin();
    let [count, late] = [0, undefined];
    const open = (...given) => {
      if (++count !== n) return origin.indexedDB.open(...given);
      const request = new EventTarget();
      // It is there at last, when nobody waits for it any more.
      late = () =>
        (origin.indexedDB.open(...given).onsuccess = ({ target }) => {
          request.result = target.result;
          request.onsuccess?.();
        });
      return request;
    };
    const store = openTab({ ...origin, indexedDB: { open } }, { instance });
    const writer = createWriter(store, "thread");
    const run = watchClock(t);
    const codes = await run(runScenario(store, writer));
    t.mock.restoreAll();
    assert.ok(
      codes.every((code) => code === "STORE"),
      `opening ${n}: ${codes}`,
    );
    assert.equal(writer.acknowledged.length, COMMITS);
    if (late === undefined) {
      figure("T5 in IndexedDB", counts);
      return assert.ok(n > 2, `${n} openings`);
    }
    counts.faults++;
    counts.acknowledged += COMMITS;
  }
});
