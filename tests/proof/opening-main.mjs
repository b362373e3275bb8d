// SPDX-License-Identifier: MIT
// Measures in Node, Deno or Bun: `opening-main.mjs <saver> <folder> <checkpoints> <rounds>`, saver
// being memory, file, kv or deno-kv, with `-edits` behind it for a thread whose values are patches.
// Prints what it measured as one line of JSON.
import { MemorySaver } from "weftgraph";
import { measure } from "./opening-work.mjs";

const [what, folder, checkpoints, rounds] = globalThis.Deno?.args ?? process.argv.slice(2);
const [, kind, edits] = /^(.*?)(-edits)?$/.exec(what);
const VERBS = ["head", "read", "append", "fold", "list", "drop", "witness", "byteLength"];

const same = (a, b) =>
  a === undefined || b === undefined
    ? a === b
    : a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Pairs in memory that answer later, as a storage that is elsewhere does. */
function pairs() {
  const held = new Map();
  return {
    get: async (key) => held.get(key)?.slice(),
    put: async (key, value) => void held.set(key, value.slice()),
    delete: async (key) => void held.delete(key),
    list: async (prefix) => [...held.keys()].filter((key) => key.startsWith(prefix)),
    cas: async (key, expected, value) =>
      same(held.get(key), expected) && Boolean(held.set(key, value.slice())),
  };
}

/** Savers over the same storage that know nothing of each other. @returns {Promise<() => any>} */
async function makerOf() {
  if (kind === "memory") {
    const { store } = new MemorySaver();
    return () => {
      const saver = new MemorySaver();
      for (const verb of VERBS) saver.store[verb] = (...given) => store[verb](...given);
      return saver;
    };
  }
  if (kind === "file") {
    const { FileSaver } = await import("weftgraph/savers/file");
    return () => new FileSaver({ path: `${folder}/threads` });
  }
  if (kind === "kv") {
    const { KvSaver } = await import("weftgraph/savers/kv");
    const kv = pairs();
    return () => new KvSaver(kv);
  }
  const { DenoKvSaver } = await import("weftgraph/savers/deno-kv");
  const kv = await globalThis.Deno.openKv(`${folder}/threads.db`);
  return () => new DenoKvSaver({ kv });
}

/**
 * Where nothing is waited for, what the processor did says more than the clock of a machine that
 * has other work.
 */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const now = kind === "memory" || kind === "kv" ? processorTime : undefined;
console.log(
  JSON.stringify(
    await measure(await makerOf(), {
      checkpoints: Number(checkpoints),
      rounds: Number(rounds),
      edits: edits !== undefined,
      now,
    }),
  ),
);
(globalThis.Deno ?? process).exit(0);
