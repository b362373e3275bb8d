// SPDX-License-Identifier: MIT
// An origin in memory for tests of the IDBFS store: IndexedDB and localStorage that tabs share,
// each tab with its own instance of idbfs.wasm; faults on chosen requests; and a small seeded
// source of chance.
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import FDBObjectStore from "fake-indexeddb/lib/FDBObjectStore";
import { IdbfsStore } from "../../js/savers/idbfs/store.js";
import { createInstance } from "../../js/savers/idbfs/module.js";
import { makeFrames } from "./frames.mjs";

export { createInstance };

globalThis.IDBKeyRange = IDBKeyRange;

export function createOrigin() {
  const values = new Map();
  return {
    indexedDB: new IDBFactory(),
    localStorage: {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, String(value)),
      removeItem: (key) => void values.delete(key),
    },
  };
}

export function openTab(origin, options = {}) {
  const instance = options.instance ?? createInstance();
  return new IdbfsStore({ ...origin, ...options, instance: () => instance });
}

/** Numbers in [0, limit), the same for the same seed (mulberry32). */
export function createChance(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  };
}

/**
 * Calls `fault(store, original, args)` instead of the n-th writing request (put, add, delete) of
 * any database; the count and the way back are answered.
 */
export function injectFault(n, fault) {
  const originals = new Map();
  const state = { requests: 0, hit: false };
  for (const verb of ["put", "add", "delete"]) {
    const original = FDBObjectStore.prototype[verb];
    originals.set(verb, original);
    FDBObjectStore.prototype[verb] = function (...args) {
      if (++state.requests !== n) return original.apply(this, args);
      state.hit = true;
      return fault(this, () => original.apply(this, args));
    };
  }
  state.restore = () =>
    originals.forEach((original, verb) => (FDBObjectStore.prototype[verb] = original));
  return state;
}

/** A writer of real frames over one store, with what it knows and what was acknowledged to it. */
export function createWriter(store, threadId) {
  return {
    head: undefined,
    acknowledged: [],
    async append(sizes = [20]) {
      const before = this.head ?? { seq: 0, crc: 0 };
      const { bytes, head } = makeFrames(threadId, before, sizes);
      await store.append(threadId, { ...head, firstSeq: before.seq + 1 }, bytes, this.head);
      this.head = head;
      this.acknowledged.push(Buffer.from(bytes).toString("hex"));
    },
    async reload() {
      this.head = await store.head(threadId);
    },
  };
}

export async function readHex(store, threadId) {
  return Buffer.concat(await store.read(threadId)).toString("hex");
}
