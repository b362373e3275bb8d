// SPDX-License-Identifier: MIT
// The lock of a thread among the processes that share a Deno KV: an entry that its holder touches.
// One that was not touched for LEASE_MS is taken over, and the database deletes it later.
//
//   [prefix, "lock", hash]  { mark, at, wanted }: `at` in ms since 1970; `wanted`: another process
//   waits
import { LEASE_MS, ProcessLocks } from "../core/process-lock.js";
import { drawName } from "./pieces.js";
import { patiently } from "./retry-locked.js";

/** @typedef {{ mark: string, at: number, wanted?: boolean }} Held */
/**
 * @typedef {{ key: (string | number)[], value: Held | null, versionstamp: string | null }} Entry
 */

/** Lifetime in ms of the entry of a process that is gone. */
const EXPIRE_MS = 60_000;

const locks = /* @__PURE__ */ new ProcessLocks();
/** Locks that this process is releasing, by name. @type {Map<string, Promise<unknown>>} */
const releasing = new Map();

/**
 * Locks a thread. In this process one caller at a time asks for it.
 * @param {import("./store.js").Kv} kv
 * @param {(string | number)[]} key of the lock
 * @param {{ wait?: boolean, signal?: AbortSignal }} options
 * @returns {Promise<(() => void) | undefined>} releases the lock, soon after it is called;
 *   undefined when another process holds it, or held it for 10 minutes
 */
export async function lockThread(kv, key, options) {
  const name = JSON.stringify(key);
  await releasing.get(name);
  const mark = drawName();
  /** The lock as it was last seen: at first none is expected. @type {Entry} */
  let entry = { key, value: null, versionstamp: null };
  const look = async () => {
    entry = await kv.get(key);
    return entry.value;
  };
  /** @param {Held | undefined} value @returns {Promise<boolean>} whether nobody changed it since */
  const put = async (value) => {
    const write = kv.atomic().check(entry);
    if (value === undefined) write.delete(key);
    else write.set(key, value, { expireIn: EXPIRE_MS });
    const { ok, versionstamp } = await patiently(() => write.commit());
    if (ok) entry = { key, value: value ?? null, versionstamp };
    return ok;
  };
  let isOver = false;
  const lock = {
    take: async () => {
      for (;;) {
        if (isFree(entry.value) && (await put({ mark, at: Date.now() }))) return undefined;
        const held = await look();
        // An earlier try may have been stored although it failed.
        if (held?.mark === mark) return undefined;
        if (held !== null && !isFree(held)) return String(held.mark);
      }
    },
    ask: async () => {
      if (entry.value && !entry.value.wanted) await put({ ...entry.value, wanted: true });
    },
    touch: async () => {
      // A beat that fails is made up for by the next one.
      try {
        const held = await look();
        if (held?.mark === mark && !isOver) await put({ ...held, at: Date.now() });
      } catch {}
    },
    letGo: async () => {
      isOver = true;
      try {
        while (entry.value?.mark === mark) {
          const { wanted } = entry.value;
          if (await put(undefined)) return wanted === true;
          await look();
        }
      } catch {
        // The lock ends by itself.
      }
      return false;
    },
    pollMs: [30, 90],
    giveWayMs: 200,
  };
  const release = await locks.take(name, lock, options);
  return (
    release &&
    (() => {
      const released = Promise.resolve(release()).then(() => {
        if (releasing.get(name) === released) releasing.delete(name);
      });
      releasing.set(name, released);
    })
  );
}

/** @param {Held | null} held */
function isFree(held) {
  return held === null || !(Math.abs(Date.now() - held.at) <= LEASE_MS);
}
