// SPDX-License-Identifier: MIT
// Opens threads as a released version left them, in any runtime.
import { build, endOf, nextInput } from "../proof/programs.mjs";

const HEADER = 44;
const config = { configurable: { thread_id: "t" } };
const quiet = { work: async () => {}, tool: async () => {}, mayFail: () => {} };

/** @param {string} text base64 */
export const bytesOf = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

/** @param {string} text deflated, base64 @returns {Promise<Uint8Array>} */
async function inflated(text) {
  return new Uint8Array(
    await new Response(
      new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw")),
    ).arrayBuffer(),
  );
}

/** @param {string} text */
async function digestOf(text) {
  const digest = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)),
  );
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Makes the saver's thread "t" of a log.
 * @param {any} saver
 * @param {Uint8Array} all
 * @param {boolean} forgotten whether its last record is left out
 */
async function fill(saver, all, forgotten) {
  const view = new DataView(all.buffer, all.byteOffset, all.length);
  let [last, before] = [0, 0];
  for (let at = 0; at < all.length; )
    [before, last, at] = [last, at, at + HEADER + view.getUint32(at + 8, true) + 4];
  const bytes = forgotten ? all.subarray(0, last) : all;
  if (forgotten) last = before;
  const head = {
    seq: Number(view.getBigUint64(last + 12, true)),
    crc: view.getUint32(bytes.length - 4, true),
  };
  await saver.store.append("t", { firstSeq: 1, ...head }, bytes, undefined);
}

/**
 * Makes the saver's thread "t" of one whose values are patches.
 * @param {any} saver
 * @param {{ log: string }} thread
 */
export async function fillPatched(saver, { log }) {
  await fill(saver, await inflated(log), false);
}

/**
 * What a thread says: a hash over its states, steps, tasks and questions; and what it ends with
 * when it goes on.
 * @param {{ plan: any, log: string }} thread
 * @param {any} saver that has no thread "t"
 * @param {boolean} [forgetful] without its last record
 */
export async function open({ plan, log }, saver, forgetful = false) {
  await fill(saver, await inflated(log), forgetful);
  const graph = build(plan, saver, quiet);
  const told = [];
  for await (const snapshot of graph.getStateHistory(config)) {
    const { next, metadata, tasks, config: at, parentConfig } = snapshot;
    const asked = tasks.map(({ id, name, interrupts, error }) => [
      id,
      name,
      interrupts.map((one) => [one.id, one.value.q ?? one.value.kind]),
      error !== undefined,
    ]);
    told.push([
      at.configurable.checkpoint_id,
      parentConfig?.configurable.checkpoint_id,
      metadata.step,
      metadata.source,
      next,
      asked,
      endOf(plan, { values: { messages: [], ...snapshot.values } }),
    ]);
  }
  const says = `${told.length} checkpoints, ${await digestOf(JSON.stringify(told))}`;
  for (let runs = 0; runs < 30; runs++) {
    const snapshot = await graph.getState(config);
    const input = nextInput(plan, snapshot);
    if (input === undefined) return { says, end: endOf(plan, snapshot) };
    await graph.invoke(input, config);
  }
  throw new Error("the thread does not end");
}
