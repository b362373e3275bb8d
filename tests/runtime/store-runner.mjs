// SPDX-License-Identifier: MIT
// Runs the store contract in the runtime that executes this file: `store-runner.mjs file <folder>`
// (Node, Deno, Bun) or `store-runner.mjs deno-kv <folder>` (Deno). With `--keep name` it appends
// one commit to a kept store instead, or, when the store has it already, reads it. Prints one line
// per failure and ends with "N passed, N failed".
import { storeContract } from "../../js/savers/testing/contract.js";

const [kind, folder, mode] = globalThis.Deno?.args ?? process.argv.slice(2);
let drawn = 0;

async function createOpen() {
  if (kind === "file") {
    const { FileStore } = await import("../../js/savers/file/store.js");
    return (name) => new FileStore({ path: `${folder}/${name}` });
  }
  const { DenoKvStore } = await import("../../js/savers/deno-kv/store.js");
  return async (name) =>
    new DenoKvStore({ kv: await globalThis.Deno.openKv(`${folder}/${name}.db`) });
}

const open = await createOpen();
if (mode === "--keep") {
  const store = await open("kept");
  const head = await store.head("thread");
  if (head) {
    const bytes = (await store.read("thread")).reduce((sum, batch) => sum + batch.length, 0);
    console.log(
      JSON.stringify({
        head,
        bytes,
        witness: await store.witness("thread"),
        threads: await store.list(),
      }),
    );
  } else {
    await store.append(
      "thread",
      { seq: 2, crc: 7, firstSeq: 1 },
      new Uint8Array(150_000).fill(3),
      undefined,
    );
    await store.witness("thread", { seq: 2, crc: 7 });
    console.log("stored");
  }
} else {
  const tests = [];
  const names = new WeakMap();
  const openNamed = async (name) => {
    const store = await open(name);
    names.set(store, name);
    return store;
  };
  storeContract({
    test: (name, run) => tests.push({ name, run }),
    assert: (condition, message) => {
      if (!condition) throw new Error(message);
    },
    makeStore: () => openNamed(`store-${++drawn}`),
    reopen: (store) => openNamed(names.get(store)),
    features: { witness: true },
  });
  let failed = 0;
  for (const { name, run } of tests) {
    try {
      await run();
    } catch (error) {
      failed++;
      console.log(`not ok: ${name}\n${error?.stack ?? error}`);
    }
  }
  console.log(`${tests.length - failed} passed, ${failed} failed`);
  if (failed) (globalThis.Deno ? globalThis.Deno.exit : process.exit)(1);
}
