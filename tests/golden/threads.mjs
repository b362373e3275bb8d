// SPDX-License-Identifier: MIT
// T18: threads as a released version left them, and what they must say when they are opened. `node tests/golden/threads.mjs
// format-1` writes the file of a new format once; a file that is there is never written again.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { MemorySaver } from "weftgraph";
import { build, endOf, makePlan, nextInput } from "../proof/programs.mjs";
import { World, makeRandom } from "../proof/world.mjs";

const THREADS = 60;
const HEADER = 44;
const config = { configurable: { thread_id: "t" } };
const quiet = { work: async () => {}, tool: async () => {}, mayFail: () => {} };
const fileOf = (format) => fileURLToPath(new URL(`${format}.json`, import.meta.url));

/** @param {string} format @returns {{ plan: any, log: string, says: string, end: string }[]} */
export function readGolden(format) {
  return JSON.parse(readFileSync(fileOf(format), "utf8"));
}

/** A saver in which the thread "t" is a log. @param {Uint8Array} all @param {boolean} forgotten whether its last record is left out */
function saverOf(all, forgotten) {
  const view = new DataView(all.buffer, all.byteOffset, all.length);
  let [last, before] = [0, 0];
  for (let at = 0; at < all.length; ) [before, last, at] = [last, at, at + HEADER + view.getUint32(at + 8, true) + 4];
  const bytes = forgotten ? all.subarray(0, last) : all;
  if (forgotten) last = before;
  const saver = new MemorySaver();
  const head = { seq: Number(view.getBigUint64(last + 12, true)), crc: view.getUint32(bytes.length - 4, true) };
  saver.store.append("t", { firstSeq: 1, ...head }, bytes, undefined);
  return saver;
}

/** What a thread says: a hash over its states, steps, tasks and questions; and what it ends with when it goes on. `forgetful`: without its last record. */
export async function open({ plan, log }, forgetful = false) {
  const saver = saverOf(new Uint8Array(inflateRawSync(Buffer.from(log, "base64"))), forgetful);
  const graph = build(plan, saver, quiet);
  const told = [];
  for await (const snapshot of graph.getStateHistory(config)) {
    const { next, metadata, tasks, config: at, parentConfig } = snapshot;
    const asked = tasks.map(({ id, name, interrupts, error }) => [id, name, interrupts.map((one) => [one.id, one.value.q ?? one.value.kind]), error !== undefined]);
    told.push([at.configurable.checkpoint_id, parentConfig?.configurable.checkpoint_id, metadata.step, metadata.source, next, asked, endOf(plan, { values: { messages: [], ...snapshot.values } })]);
  }
  const says = `${told.length} checkpoints, ${createHash("sha256").update(JSON.stringify(told)).digest("hex")}`;
  for (let runs = 0; runs < 30; runs++) {
    const snapshot = await graph.getState(config);
    const input = nextInput(plan, snapshot);
    if (input === undefined) return { says, end: endOf(plan, snapshot) };
    await graph.invoke(input, config);
  }
  throw new Error("the thread does not end");
}

/** A thread whose process died at some call of its store. */
async function record(seed) {
  const random = makeRandom(seed);
  const plan = makePlan(random);
  const world = new World(random);
  const process = world.spawn("p");
  const work = () => world.wait(process, "work");
  const graph = build(plan, process.saver, { work, tool: work, mayFail: () => {} });
  const run = async () => {
    for (;;) {
      const snapshot = await graph.getState(config);
      const input = nextInput(plan, snapshot);
      if (input === undefined) return;
      await graph.invoke(input, { ...config, durability: plan.durability });
    }
  };
  let left = 20 + random.below(150);
  await world.settle([run()], () => world.happen(random.pick(world.waiting), --left === 0 ? "dies after" : "done"));
  const log = deflateRawSync(world.log("t")).toString("base64");
  return { plan, log, ...(await open({ plan, log })) };
}

const format = process.argv[2];
if (process.argv[1] === fileURLToPath(import.meta.url) && format !== undefined) {
  if (existsSync(fileOf(format))) throw new Error(`${fileOf(format)} is there: golden files are never written again`);
  const threads = [];
  for (let seed = 1; threads.length < THREADS; seed++) {
    const thread = await record(seed).catch((error) => (/no checkpoint|Offset/.test(error.message) ? undefined : Promise.reject(error)));
    if (thread !== undefined && !thread.says.startsWith("0 ")) threads.push(thread);
  }
  writeFileSync(fileOf(format), `[\n${threads.map((thread) => JSON.stringify(thread)).join(",\n")}\n]\n`);
}
