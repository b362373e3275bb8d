// SPDX-License-Identifier: MIT
// The smoke set in Node, Deno or Bun: `smoke-main.mjs <saver> <folder>`, saver being memory, file
// or deno-kv. Prints the results as one line of JSON.
import { runSmoke } from "./smoke-entry.mjs";

const [kind, folder] = globalThis.Deno?.args ?? process.argv.slice(2);

async function makeSaver() {
  if (kind === "file") {
    const { FileSaver } = await import("weftgraph/savers/file");
    return new FileSaver({ path: `${folder}/threads` });
  }
  if (kind === "deno-kv") {
    const { DenoKvSaver } = await import("weftgraph/savers/deno-kv");
    return new DenoKvSaver({ kv: await globalThis.Deno.openKv(`${folder}/threads.db`) });
  }
  return undefined;
}

console.log(JSON.stringify(await runSmoke({ als: true, saver: await makeSaver() })));
(globalThis.Deno ?? process).exit(0);
