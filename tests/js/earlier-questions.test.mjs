// SPDX-License-Identifier: MIT
// Answers questions of a thread that an earlier version of the engine stored: later questions of a
// task had the id of its first one then.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Annotation, Command, MemorySaver, START, StateGraph, interrupt } from "weftgraph";

const ID = "de71a8959d41cb012484a7e00e818f47";
/** Exported by the earlier version: "first" is answered with "one", "second" waits under ID. */
const THREAD = [
  "d2VmdC10aHJlYWQgMSB7InRocmVhZElkIjoidCIsInJlY29yZHMiOjUsImNyYyI6MTYyMjg4OTAwMH0KV0VGVAEBAAA3",
  "AAAAAQAAAAAAAADjuYpNoxoSfUvebkMDP2a6AAAAAKL55kwAHx6YCyvWa4D//7hYCr9ifggBAAIGbG9nAAEKW10SX19z",
  "dGFydF9fAQEqeyJsb2ciOltdfQAA6s9Q21dFRlQBAQAAXwAAAAIAAAAAAAAA47mKTaMaEn1L3m5DAz9muurPUNuZbIhY",
  "AB8emAsr22mhgAC4WAq/Yn4FHx6YCyvWa4D//7hYCr9ifgAAAwZsb2cCAQpbXRpicmFuY2g6dG86YXNrAgEIEl9fc3Rh",
  "cnRfXwICAQUFAQEBBQUBAgABAApbXQADEAgShHDhV0VGVAECAAAyAAAAAwAAAAAAAADjuYpNoxoSfUvebkMDP2a6EoRw",
  "4cIOr0kAHx6YCyvbaaGAALhYCr9ifgEBBmFzaxpicmFuY2g6dG86YXNrAgECAAAeImZpcnN0Il+ssLlXRUZUAQIAAB4A",
  "AAAEAAAAAAAAAOO5ik2jGhJ9S95uQwM/ZrpfrLC5FRJVZwAfHpgLK9tpoYAAuFgKv2J+AQABAQMAABYib25lImMeMKJX",
  "RUZUAQIAADgAAAAFAAAAAAAAAOO5ik2jGhJ9S95uQwM/ZrpjHjCi8uBUcQAfHpgLK9tpoYAAuFgKv2J+AQEGYXNrGmJy",
  "YW5jaDp0bzphc2sCAgMAAAcAAgAAIiJzZWNvbmQiKFK7YA==",
].join("");
const State = Annotation.Root({
  log: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});
const thread = { configurable: { thread_id: "t" } };

/** @returns {Promise<any>} a graph that has the thread */
async function graphWithThread() {
  const checkpointer = new MemorySaver();
  const file = Buffer.from(THREAD, "base64");
  const head = file.indexOf("\n");
  const { records, crc } = JSON.parse(file.toString("utf8", "weft-thread 1 ".length, head));
  const log = new Uint8Array(file.subarray(head + 1));
  await checkpointer.store.append("t", { firstSeq: 1, seq: records, crc }, log, undefined);
  const ask = () => ({ log: [interrupt("first"), interrupt("second")] });
  return new StateGraph(State).addNode("ask", ask).addEdge(START, "ask").compile({ checkpointer });
}

test("answers a later question of an earlier version's thread by its id", async () => {
  const app = await graphWithThread();
  const [{ interrupts }] = (await app.getState(thread)).tasks;
  assert.deepEqual(interrupts, [{ id: ID, value: "second" }]);
  const result = await app.invoke(new Command({ resume: { [ID]: "two" } }), thread);
  assert.deepEqual(result, { log: ["one", "two"] });
});

test("answers a later question of an earlier version's thread without an id", async () => {
  const app = await graphWithThread();
  const result = await app.invoke(new Command({ resume: "two" }), thread);
  assert.deepEqual(result, { log: ["one", "two"] });
});
