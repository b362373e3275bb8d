// SPDX-License-Identifier: MIT
// What the IDBFS tests run inside a page, or inside a worker that the page starts: the store
// contract, and a writer that competes with other tabs.
import { storeContract } from "../../js/savers/testing/contract.js";
import { IdbfsStore } from "../../js/savers/idbfs/store.js";
import { IdbfsSaver } from "../../js/savers/idbfs/saver.js";
import { createInstance } from "../../js/savers/idbfs/module.js";

let drawn = 0;

export async function runContract(features = {}) {
  const tests = [];
  const prefixes = new WeakMap();
  const open = (prefix) => {
    const instance = createInstance();
    const store = new IdbfsStore({ prefix, instance: () => instance });
    prefixes.set(store, prefix);
    return store;
  };
  storeContract({
    test: (name, run) => tests.push({ name, run }),
    assert: (condition, message) => {
      if (!condition) throw new Error(message);
    },
    makeStore: () => open(`contract-${Date.now()}-${++drawn}`),
    reopen: (store) => open(prefixes.get(store)),
    features: { witness: true, ...features },
  });
  const results = [];
  for (const { name, run } of tests) {
    const started = performance.now();
    const error = await run().then(
      () => null,
      (caught) => `${caught?.stack ?? caught}`,
    );
    results.push({ name, error, ms: Math.round(performance.now() - started) });
  }
  return results;
}

/** The contract in a dedicated worker, which has no localStorage. */
export function runContractInWorker() {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./idbfs-worker.mjs", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message || "the worker failed"));
  });
}

/**
 * A turn of the event loop; timers of a tab in the background are slowed down, messages are not.
 */
function takeTurn() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

/** Until another tab is here too. @param {string} name */
async function meetOther(name) {
  const channel = new BroadcastChannel(name);
  await new Promise((resolve) => {
    channel.onmessage = resolve;
    channel.postMessage("here");
  });
  channel.postMessage("here");
  channel.close();
}

/**
 * Appends until `count` commits were acknowledged; rereads the head when fenced. Commits are lines
 * of text; each that was acknowledged is told at once. A tab that `meets` another one waits for it,
 * so that both begin at one head.
 */
export async function compete({
  prefix,
  name,
  count,
  size = 0,
  tell,
  early = false,
  meets = false,
}) {
  const { store } = new IdbfsSaver({ prefix });
  const acknowledged = [];
  const times = [];
  let fenced = 0;
  let head = await store.head("shared");
  if (meets) await meetOther(`meet-${prefix}`);
  while (acknowledged.length < count) {
    const seq = (head?.seq ?? 0) + 1;
    const line = `${seq} ${name}${acknowledged.length} ${"x".repeat(size)}`;
    const next = { seq, crc: (Math.random() * 2 ** 32) >>> 0 };
    const started = performance.now();
    // T6's planted bug: what is stored a little later is told already.
    if (early) {
      tell(line);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    try {
      await store.append(
        "shared",
        { ...next, firstSeq: seq },
        new TextEncoder().encode(`${line}\n`),
        head,
      );
      times.push(performance.now() - started);
      acknowledged.push(line);
      if (!early) tell?.(line);
      head = next;
    } catch (error) {
      if (error.code !== "FENCED") throw error;
      fenced++;
      head = await store.head("shared");
    }
    for (let turns = Math.random() < 0.3 ? Math.random() * 20 : 0; turns > 0; turns--)
      await takeTurn();
  }
  if (head) await store.witness("shared", head);
  times.sort((a, b) => a - b);
  return { acknowledged, fenced, median: times[times.length >> 1], slowest: times.at(-1) };
}

export async function readShared(prefix) {
  const { store } = new IdbfsSaver({ prefix });
  const started = performance.now();
  const head = await store.head("shared");
  const batches = await store.read("shared");
  const ms = performance.now() - started;
  const text = batches.map((batch) => new TextDecoder().decode(batch)).join("");
  return {
    head,
    lines: text.trim().split("\n"),
    batches: batches.length,
    bytes: await store.byteLength("shared"),
    witness: await store.witness("shared"),
    threads: await store.list(),
    ms,
  };
}

/**
 * Threads of a set whose index the browser loses: what is listed before and behind that, and of one
 * that is deleted then.
 */
export async function loseIndex(prefix) {
  const bytes = new TextEncoder().encode("a commit");
  const first = new IdbfsStore({ prefix });
  for (const id of ["a", "b", "ü/c"])
    await first.append(id, { seq: 1, firstSeq: 1, crc: 7 }, bytes, undefined);
  const before = await first.list();
  await first.close();
  await new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(`/${prefix}/index`);
    request.onsuccess = resolve;
    request.onerror = request.onblocked = () => reject(request.error ?? new Error("blocked"));
  });
  const store = new IdbfsStore({ prefix });
  const after = await store.list();
  await store.drop("b");
  return { before, after, dropped: await store.list(), head: await store.head("ü/c") };
}

/** How the page stands to the lock of a thread: whether it gets it at once. */
export async function tryHold(prefix, keep) {
  const store = new IdbfsStore({ prefix });
  const release = await store.hold("shared");
  if (release && !keep) release();
  return release !== undefined;
}

export async function persistence() {
  return new IdbfsStore().persistence({ ask: true });
}
