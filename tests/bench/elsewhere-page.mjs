// SPDX-License-Identifier: MIT
// What tests/bench/elsewhere.mjs runs in a page, in Deno and in Bun: rows 1 to 3 and 8, and in a
// page row 15.
import * as langgraph from "@langchain/langgraph/web";
import * as core from "@langchain/core/messages";
import * as coreTools from "@langchain/core/tools";
import * as weft from "weftgraph";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import * as chain from "./chain.mjs";
import * as loop from "./loop.mjs";
import * as react from "./react.mjs";

const RECORD = new Uint8Array(1024).fill(7);
const libs = { weft, langgraph: { ...langgraph, ...core, tool: coreTools.tool } };

/**
 * @returns {Promise<object[]>} the rows of all three benchmarks; 1,000 nodes would take minutes,
 *   nearly all of them LangGraph.js's
 */
export async function runRows() {
  const rows = [];
  for (const bench of [chain, loop, react]) rows.push(...(await bench.rows(libs, [10, 100])));
  return rows;
}

/** @param {IDBRequest | IDBOpenDBRequest} request */
const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** One put of 1 KB by hand, durable as the store's is. */
async function rawPut() {
  const opening = indexedDB.open("bench-raw", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("records");
  const database = await answer(opening);
  let at = 0;
  return async () => {
    const transaction = database.transaction("records", "readwrite", { durability: "strict" });
    transaction.objectStore("records").put(RECORD, at++);
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
  };
}

/** A step's record on one thread of a store that holds so many. @param {number} threads */
async function threadsStore(threads) {
  const { store } = new IdbfsSaver({ prefix: `bench-${threads}` });
  const heads = new Map();
  const append = async (id) => {
    const head = heads.get(id);
    const seq = (head?.seq ?? 0) + 1;
    await store.append(id, { seq, crc: seq, firstSeq: seq }, RECORD, head);
    heads.set(id, { seq, crc: seq });
  };
  for (let i = 0; i < threads; i++) await append(`thread ${i}`);
  return () => append("thread 0");
}

/** Milliseconds of each, the median: a raw put, a step's record among 1 thread and among many. */
export async function runSaves(threads = 1000) {
  const works = {
    raw: await rawPut(),
    one: await threadsStore(1),
    many: await threadsStore(threads),
  };
  const times = { raw: [], one: [], many: [] };
  for (let i = -10; i < 60; i++) {
    for (const [kind, work] of Object.entries(works)) {
      const start = performance.now();
      await work();
      if (i >= 0) times[kind].push(performance.now() - start);
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([kind, list]) => [
      kind,
      list.sort((a, b) => a - b)[list.length >> 1],
    ]),
  );
}

globalThis.bench = { runRows, runSaves };
if (globalThis.document === undefined) console.log(JSON.stringify(await runRows()));
