// SPDX-License-Identifier: MIT
// A Worker whose Durable Objects run the store contract over their own SQLite: /names lists the
// tests, /run?test=name runs one in an object of its own, /keep appends a commit to a kept thread
// and answers what was there before, /faults runs a scenario over a storage of which each statement
// fails in turn.
import { DurableObject } from "cloudflare:workers";
import { storeContract } from "../../js/savers/testing/contract.js";
import { DurableObjectSaver } from "../../js/savers/durable-object/saver.js";
import { DurableObjectStore } from "../../js/savers/durable-object/store.js";

function collectTests(makeStore) {
  const tests = new Map();
  storeContract({
    test: (name, run) => tests.set(name, run),
    assert: (condition, message) => {
      if (!condition) throw new Error(message);
    },
    makeStore,
    reopen: makeStore,
    features: { witness: true },
  });
  return tests;
}

/** A storage whose n-th statement fails, and with `on` all that follow. */
function failingStorage(storage, n, on, text) {
  let count = 0;
  const failing = {
    hit: false,
    sql: {
      exec(...given) {
        count++;
        if (count < n || (count > n && !on)) return storage.sql.exec(...given);
        failing.hit = true;
        throw new Error(text);
      },
    },
    transactionSync: (work) => storage.transactionSync(work),
  };
  return failing;
}

function append(store, threadId, seq, size, first) {
  store.append(
    threadId,
    { seq: seq + 1, crc: seq + 1, firstSeq: seq + 1 },
    new Uint8Array(size).fill(first),
    seq === 0 ? undefined : { seq, crc: seq },
  );
}

/**
 * Commits of one row and of two, told to the witness; answers what was acknowledged, by its first
 * byte.
 */
async function runScenario(store, threadId, codes) {
  const acknowledged = [];
  for (let i = 1; i <= 6; i++) {
    try {
      append(store, threadId, acknowledged.length, i === 4 ? 2_500_000 : 100, i);
      acknowledged.push(i);
      store.witness(threadId, { seq: acknowledged.length, crc: acknowledged.length });
    } catch (error) {
      if (error.code !== "STORE" && error.code !== "QUOTA") throw error;
      codes[error.code] = (codes[error.code] ?? 0) + 1;
    }
  }
  return acknowledged;
}

export class Thread extends DurableObject {
  async run(name) {
    try {
      await collectTests(() => new DurableObjectStore({ storage: this.ctx.storage })).get(name)();
      return "ok";
    } catch (error) {
      return `${error?.stack ?? error}`;
    }
  }

  async keep() {
    const saver = new DurableObjectSaver({ storage: this.ctx.storage });
    const { store } = saver;
    const head = store.head("kept");
    const seq = (head?.seq ?? 0) + 1;
    store.append(
      "kept",
      { seq, crc: seq * 5, firstSeq: seq },
      new Uint8Array(2_500_000).fill(seq),
      head,
    );
    store.witness("kept", { seq, crc: seq * 5 });
    const batches = store.read("kept").map((batch) => [batch.length, batch[0], batch.at(-1)]);
    return { head, batches, bytes: await saver.byteLength(), threads: await saver.listThreads() };
  }

  /**
   * Each statement of a scenario fails in turn; with `on` all behind it do too, until another
   * object takes over.
   */
  async faults(on, text) {
    const counts = { faults: 0, acknowledged: 0, codes: {} };
    for (let n = 1; ; n++) {
      const threadId = `${text} ${on} ${n}`;
      const storage = failingStorage(this.ctx.storage, n, on, text);
      const acknowledged = await runScenario(
        new DurableObjectStore({ storage }),
        threadId,
        counts.codes,
      );
      const store = new DurableObjectStore({ storage: this.ctx.storage });
      const stored = store.read(threadId).map(([first]) => first);
      const { seq = 0 } = store.head(threadId) ?? {};
      if (`${stored}` !== `${acknowledged}` || seq !== acknowledged.length)
        return `statement ${n}: ${stored} is stored, head ${seq}; acknowledged was ${acknowledged}`;
      // It goes on, with one row and with two, and nothing is left of what failed.
      for (const size of [10, 2_000_000])
        append(store, threadId, store.head(threadId)?.seq ?? 0, size, 7);
      const sizes = store.read(threadId).map(({ length }) => length);
      if (
        sizes.length !== acknowledged.length + 2 ||
        store.byteLength(threadId) !== sizes.reduce((sum, size) => sum + size)
      )
        return `statement ${n}: then there are ${sizes}`;
      store.drop(threadId);
      if (!storage.hit) return counts;
      counts.faults++;
      counts.acknowledged += acknowledged.length;
    }
  }

  /** What a saver finds that was used before its object forgot everything, and then stores. */
  async forget() {
    const { store } = new DurableObjectSaver({ storage: this.ctx.storage });
    append(store, "1", 0, 10, 1);
    await this.ctx.storage.deleteAll();
    const gone = { head: store.head("1") ?? null, witness: store.witness("1") ?? null };
    append(store, "1", 0, 10, 2);
    return { ...gone, seq: store.head("1").seq };
  }

  async refuse() {
    try {
      return `made ${new DurableObjectStore({ storage: {} })}`;
    } catch (error) {
      return error.code;
    }
  }
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const object = (name) => env.THREAD.get(env.THREAD.idFromName(name));
    if (url.pathname === "/names") return Response.json([...collectTests(() => {}).keys()]);
    if (url.pathname === "/run")
      return new Response(
        await object(`test ${url.searchParams.get("test")}`).run(url.searchParams.get("test")),
      );
    if (url.pathname === "/forget") return Response.json(await object("forgotten").forget());
    if (url.pathname === "/keep") return Response.json(await object("kept").keep());
    if (url.pathname === "/faults")
      return Response.json(
        await object("faults").faults(url.searchParams.has("on"), url.searchParams.get("text")),
      );
    return new Response(await object("refused").refuse());
  },
};
