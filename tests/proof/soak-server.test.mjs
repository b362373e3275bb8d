// SPDX-License-Identifier: MIT
// T26: many runs of one Agent Server, without threads, on threads that come and go, and on long
// threads that are pruned, by each of its ways to start one: the heap holds as much after the last
// run as after the warm-up, the engine no more than a bound. 3,000 runs; 100,000 under WEFT_LONG.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MemorySaver, MessagesAnnotation, START, StateGraph, interrupt } from "weftgraph";
import { keepPruned } from "weftgraph/savers/retention";
import { createServer } from "weftgraph/server";
import { getEngine } from "../../js/engine/instance.js";
import { alive } from "../js/small-graph.mjs";
import { LONG, figure, isBroken } from "./kit.mjs";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");
const RUNS = LONG ? 100_000 : 3_000;
/** As many as it takes until each long thread has all the runs that a server keeps of one. */
const WARM = LONG ? 20_000 : 2_000;
const LONG_THREADS = 2;
const AT_ONCE = 20;
/** Bytes. The newest 200 to 400 runs are kept for those who join late. */
const MOST_MORE = (LONG ? 2 : 1) * 2 ** 20;
/** What the engine may keep of runs that are over, however many there were: values, and pages. */
const MOST_VALUES = 2200;
const MOST_PAGES = 64;

const saver = keepPruned(new MemorySaver(), { last: 5, every: 50 });
const agent = new StateGraph(MessagesAnnotation)
  .addNode("answer", ({ messages }) => {
    const [{ content }] = messages;
    const answer = content === "ask" ? interrupt({ may: "I?" }) : `You said: ${content}`;
    return { messages: [{ role: "assistant", id: "a", content: answer }] };
  })
  .addEdge(START, "answer")
  .compile();
const server = createServer({ graphs: { agent }, saver });

let serial = 0;
let runs = 0;
/** By its id a message takes the place of the one before: a thread does not grow. */
const say = (content) => ({ messages: [{ role: "user", id: "u", content }] });

async function ask(method, path, body) {
  const response = await server.fetch(`http://weft.local${path}`, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `T26: ${method} ${path}: ${response.status} ${text}`);
  return text;
}

const run = (path, input, more) =>
  ask("POST", path, { assistant_id: "agent", input, ...more }).finally(() => runs++);

/** What clients do, each as often as the others. */
const WAYS = [
  () => run("/runs/wait", say("hello")),
  () => run("/runs/stream", say("hello"), { stream_mode: ["values", "messages-tuple"] }),
  async () => {
    const { thread_id, run_id } = JSON.parse(await run("/runs", say("hello")));
    await ask("GET", `/threads/${thread_id}/runs/${run_id}/join`);
  },
  async () => {
    const thread = `/threads/long${serial++ % LONG_THREADS}`;
    const more = { if_not_exists: "create", multitask_strategy: "enqueue" };
    assert.match(await run(`${thread}/runs/wait`, say("hello"), more), /You said: hello/);
  },
  async () => {
    const thread = `/threads/short${serial++}`;
    const more = { if_not_exists: "create" };
    assert.match(await run(`${thread}/runs/stream`, say("ask"), more), /may/);
    const [[{ id }]] = Object.values(JSON.parse(await ask("GET", thread)).interrupts);
    const command = { resume: { [id]: "yes" } };
    assert.match(await run(`${thread}/runs/wait`, undefined, { command }), /yes/);
    // T26's planted bug: threads that nobody deletes.
    if (!isBroken("T26")) await ask("DELETE", thread);
  },
  async () => {
    const thread = `/threads/short${serial++}`;
    await ask("POST", "/threads", { thread_id: thread.split("/").at(-1) });
    const params = { assistant_id: "agent", input: say("hello") };
    const { result } = JSON.parse(
      await ask("POST", `${thread}/commands`, { id: 1, method: "run.start", params }),
    );
    runs++;
    await ask("GET", `${thread}/runs/${result.run_id}/join`);
    if (!isBroken("T26")) await ask("DELETE", thread);
  },
];

async function measure() {
  // What a run held is released with the next block; finalizers run a turn later.
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { values } = await alive();
  const pages = getEngine().x.memory.buffer.byteLength / 65_536;
  return { runs, values, pages, heap: process.memoryUsage().heapUsed };
}

async function runUntil(count) {
  while (runs < count)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => WAYS[i % WAYS.length]()));
  return measure();
}

test("T26: a server holds no more after its last run", {
  timeout: LONG ? Infinity : 1_200_000,
}, async () => {
  const warm = await runUntil(WARM);
  const middle = await runUntil((WARM + RUNS) / 2);
  const end = await runUntil(RUNS);
  await server.close();
  for (const later of [middle, end]) {
    const grown = later.heap - warm.heap;
    assert.ok(grown <= MOST_MORE, `T26: the heap grew by ${grown} bytes in ${later.runs} runs`);
    assert.ok(later.values <= MOST_VALUES, `T26: ${later.values} values in the engine`);
    assert.ok(later.pages <= MOST_PAGES, `T26: ${later.pages} pages of memory`);
  }
  figure("T26", {
    runs,
    "heap bytes after the warm-up": warm.heap,
    "in the middle": middle.heap,
    "at the end": end.heap,
    values: end.values,
    pages: end.pages,
  });
});
