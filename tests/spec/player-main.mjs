// SPDX-License-Identifier: MIT
// The pages in Node, Deno or Bun: `player-main.mjs <wasm> <scripts>`; prints the hashes of their
// logs as one line of JSON.
import { readFileSync } from "node:fs";
import { playAll } from "./player.mjs";

const [wasm, scripts] = globalThis.Deno?.args ?? process.argv.slice(2);
console.log(
  JSON.stringify(
    await playAll(
      new WebAssembly.Module(readFileSync(wasm)),
      JSON.parse(readFileSync(scripts, "utf8")),
    ),
  ),
);
