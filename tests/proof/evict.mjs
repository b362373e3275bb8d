// SPDX-License-Identifier: MIT
// T8's half that runs in any host: begins an agent on a thread and is evicted at a boundary of its
// first effect, or resumes what another host left. Knows no runtime; a disk and a ledger go in and
// out as JSON.
import { KvSaver } from "weftgraph/savers/kv";
import { build, endOf, nextInput } from "./programs.mjs";

const config = { configurable: { thread_id: "t" } };
const HEADER = 44;
const CHECKPOINT = 1;
const INTENT = 3;
const never = new Promise(() => {});

export const BOUNDARIES = [
  "before INTENT",
  "after INTENT",
  "during the call",
  "before RESULT",
  "after RESULT",
  "before the state",
  "after the state",
];

/** @param {string} text */
const latin = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
/** @param {Uint8Array} bytes */
const letters = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

/** Frames as [kind, body in Latin-1]. @param {Uint8Array} bytes @returns {[number, string][]} */
export function framesOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const frames = [];
  for (let at = 0; at + HEADER < bytes.length; ) {
    const length = view.getUint32(at + 8, true);
    frames.push([bytes[at + 5], letters(bytes.subarray(at + HEADER, at + HEADER + length))]);
    at += HEADER + length + 4;
  }
  return frames;
}

/**
 * A saver over a disk that answers nobody once the host is evicted.
 * @param {Map<string, Uint8Array>} disk
 * @param {{ isEvicted: boolean }} host
 */
function saverOn(disk, host) {
  const or = (act) => (host.isEvicted ? never : act());
  const holds = (key, expected) =>
    disk.has(key)
      ? expected !== undefined && letters(disk.get(key)) === letters(expected)
      : expected === undefined;
  return new KvSaver({
    get: (key) => or(() => disk.get(key)),
    put: (key, value) => or(() => disk.set(key, value.slice())),
    list: (prefix) => or(() => [...disk.keys()].filter((key) => key.startsWith(prefix))),
    delete: (key) => or(() => disk.delete(key)),
    cas: (key, expected, value) =>
      or(() => holds(key, expected) && (disk.set(key, value.slice()), true)),
  });
}

/** Lets the thread go on until it is over, or the host is gone. */
async function drive(plan, saver, outside, asked) {
  const graph = build(plan, saver, outside);
  for (let runs = 0; runs < 30; runs++) {
    const snapshot = await graph.getState(config);
    const input = nextInput(plan, snapshot);
    if (input === undefined) return endOf(plan, snapshot);
    for (const { value } of snapshot.tasks.flatMap(({ interrupts }) => interrupts))
      if (value.kind === "unknown_tool_call") asked.push(value.tool_call_id);
    await graph.invoke(input, { ...config, durability: plan.durability });
  }
  throw new Error("the thread does not end");
}

async function begin({ plan, boundary }) {
  const disk = new Map();
  const host = { isEvicted: false };
  const ledger = [];
  let evicted;
  const gone = new Promise((resolve) => (evicted = resolve));
  const evict = () => ((host.isEvicted = true), evicted(), never);
  const saver = saverOn(disk, host);
  const { store } = saver;
  const { append } = store;
  let returned = false;
  store.append = async (...given) => {
    const kinds = framesOf(given[2]).map(([kind]) => kind);
    const isTurn =
      boundary < 2
        ? kinds.includes(INTENT)
        : boundary === 3 || boundary === 4
          ? returned
          : boundary > 4 && returned && kinds.includes(CHECKPOINT);
    const isBefore = [0, 3, 5].includes(boundary);
    if (isTurn && isBefore) return evict();
    await append.apply(store, given);
    if (isTurn) return evict();
  };
  const tool = async (id, _name, key) => {
    if (host.isEvicted) return never;
    ledger.push([id, key]);
    if (boundary === 2) return evict();
    await Promise.resolve();
    returned = true;
  };
  await Promise.race([gone, drive(plan, saver, { tool }, [])]);
  return {
    isEvicted: host.isEvicted,
    ledger,
    disk: [...disk].map(([key, bytes]) => [key, btoa(letters(bytes))]),
  };
}

async function resume({ plan, disk }) {
  const ledger = [];
  const asked = [];
  const tool = async (id, _name, key) => void ledger.push([id, key]);
  const saver = saverOn(new Map(disk.map(([key, bytes]) => [key, latin(atob(bytes))])), {
    isEvicted: false,
  });
  const end = await drive(plan, saver, { tool }, asked);
  return { end, ledger, asked };
}

/** @param {any[]} jobs */
export async function runJobs(jobs) {
  const results = [];
  for (const job of jobs)
    results.push(
      await (job.disk === undefined ? begin(job) : resume(job)).catch((error) => ({
        failure: String(error.stack),
      })),
    );
  return results;
}
