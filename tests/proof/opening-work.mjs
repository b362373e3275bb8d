// SPDX-License-Identifier: MIT
// What opening a long thread costs against reading and checking the same bytes through the same
// store, in the runtime that executes this file. Knows no runtime: savers are given.
import { Annotation, END, HumanMessage, MessagesAnnotation, START, StateGraph } from "weftgraph";
import { LogReader } from "../../js/log/reader.js";

const THREAD = "long";
/** Where in the thread older checkpoints are opened. */
const PARTS = [0.01, 0.5, 0.99];
const WARM_UPS = 2;

const TABLE = new Uint32Array(256).map((_, n) => {
  let crc = n;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0x82f63b78 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

/** CRC-32C, a table and a byte at a time. @param {Uint8Array[]} pieces */
function crcOf(pieces) {
  let crc = -1;
  for (const bytes of pieces)
    for (let i = 0; i < bytes.length; i++) crc = TABLE[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** A text of which each step changes a word, if `edits` says so: the log holds it as patches. */
const TEXT = Array.from({ length: 600 }, (_, i) => `word${(i * 7919) % 1009}`).join(" ");
const edited = (text, n) =>
  text.slice(0, (n * 131) % 4000) + `<${n}>` + text.slice(((n * 131) % 4000) + `<${n}>`.length);

const State = Annotation.Root({ ...MessagesAnnotation.spec, n: Annotation, text: Annotation });
const appOn = (checkpointer) =>
  new StateGraph(State)
    .addNode("say", ({ n, text }) => ({
      n: n + 1,
      messages: n % 10 === 0 ? [new HumanMessage({ content: `message ${n}`, id: `m${n}` })] : [],
      ...(text && { text: edited(text, n) }),
    }))
    .addEdge(START, "say")
    .addConditionalEdges("say", ({ n }, { configurable }) => (n < configurable.until ? "say" : END))
    .compile({ checkpointer });

const on = (more) => ({ configurable: { thread_id: THREAD, ...more }, recursionLimit: 1e6 });

/**
 * Writes a thread of so many checkpoints as a graph does, step by step; answers the ids of some of
 * them.
 */
export async function writeThread(saver, checkpoints, edits = false) {
  await appOn(saver).invoke({ n: 0, ...(edits && { text: TEXT }) }, on({ until: checkpoints - 2 }));
  const reader = new LogReader();
  const ids = [];
  const pieces = await saver.store.read(THREAD);
  for (const piece of pieces)
    for (const { isCheckpoint, id } of reader.read(piece)) if (isCheckpoint) ids.push(id);
  return {
    checkpoints: ids.length,
    pieces: pieces.length,
    bytes: await saver.byteLength(THREAD),
    ids: PARTS.map((part) => ids[Math.floor(ids.length * part)]),
  };
}

/**
 * What is timed, each over a saver that has not seen the thread.
 * @type {Record<string, (saver: any, ids: string[]) => Promise<unknown>>}
 */
export const WORKS = {
  read: async (saver) => crcOf(await saver.store.read(THREAD)),
  newest: async (saver) => {
    // The planted bug: whoever opens a thread opens it twice.
    if (globalThis.process?.env?.WEFT_BREAK === "opening") await saver.getTuple(on());
    return appOn(saver).getState(on());
  },
  older: async (saver, ids) => appOn(saver).getState(on({ checkpoint_id: ids[0] })),
  middle: async (saver, ids) => appOn(saver).getState(on({ checkpoint_id: ids[1] })),
  recent: async (saver, ids) => appOn(saver).getState(on({ checkpoint_id: ids[2] })),
  getTuple: (saver) => saver.getTuple(on()),
  list: async (saver) => {
    for await (const tuple of saver.list(on(), { limit: 10 }))
      if (!tuple.checkpoint) throw new Error("no checkpoint");
  },
};

/**
 * The least milliseconds of each, in turns: what else the machine does only adds. `work` does one
 * and answers what it took, if it is not this clock's.
 * @param {(name: string) => Promise<number | void>} work
 */
export async function timeAll(work, rounds) {
  const times = Object.fromEntries(Object.keys(WORKS).map((name) => [name, []]));
  for (let round = -WARM_UPS; round < rounds; round++) {
    for (const name of Object.keys(WORKS)) {
      const start = performance.now();
      const told = await work(name);
      if (round >= 0) times[name].push(told ?? performance.now() - start);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, Math.min(...list)]));
}

/**
 * @param {() => any} makeSaver a new one over the same storage
 * @param {{ checkpoints: number, rounds: number, edits?: boolean, now?: () => number }} size `now`:
 *   a clock in milliseconds
 */
export async function measure(
  makeSaver,
  { checkpoints, rounds, edits, now = () => performance.now() },
) {
  const thread = await writeThread(await makeSaver(), checkpoints, edits);
  let reads = 0;
  const ms = await timeAll(async (name) => {
    const saver = await makeSaver();
    const { read } = saver.store;
    if (name === "newest")
      saver.store.read = (...given) => (reads++, read.apply(saver.store, given));
    const start = now();
    await WORKS[name](saver, thread.ids);
    const took = now() - start;
    await saver.store.close?.();
    return took;
  }, rounds);
  return { ...thread, ms, reads: reads / (rounds + WARM_UPS) };
}
