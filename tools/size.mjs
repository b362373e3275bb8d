// SPDX-License-Identifier: MIT
// Prints the bytes (raw, gzip, brotli) of each built part and of bundles as a browser would load them at first,
// and fails when a bundle is over its budget.
// Usage: node tools/size.mjs
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { firstLoad } from "./bundle.mjs";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const PARTS = ["engine.wasm", "bytes.js", "codes.js", "idbfs-glue.js", "idbfs-bytes.js"].map((name) => `js/engine/${name}`);
// Budgets in bytes of gzip, for a page that takes everything the named entries export.
const BUNDLES = [
  { name: "web", entries: ["weftgraph/web"] },
  { name: "web + idbfs", entries: ["weftgraph/web", "weftgraph/savers/idbfs"], budget: 100 * 1024 },
  { name: "web + prebuilt + tools + openai", entries: ["weftgraph/web", "weftgraph/prebuilt", "weftgraph/tools", "weftgraph/models/openai"] },
];

function print(name, bytes, budget) {
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
  const gzip = gzipSync(bytes, { level: 9 }).length;
  const over = budget !== undefined && gzip > budget;
  const limit = budget === undefined ? "" : `  of ${budget}${over ? "  OVER" : ""}`;
  console.log(`${name.padEnd(32)} ${String(bytes.length).padStart(8)} ${String(gzip).padStart(8)} ${String(brotli).padStart(8)}${limit}`);
  return over;
}

async function bundle(entries) {
  const contents = entries.map((entry, index) => `import * as e${index} from ${JSON.stringify(entry)};`).join("\n");
  const names = entries.map((_, index) => `e${index}`).join(", ");
  return (await firstLoad(`${contents}\nglobalThis.weft = [${names}];`)).bytes;
}

console.log(`${"bytes".padEnd(32)} ${"raw".padStart(8)} ${"gzip".padStart(8)} ${"brotli".padStart(8)}`);
for (const path of PARTS) {
  if (existsSync(join(top, path))) print(path, readFileSync(join(top, path)));
}
let failed = false;
for (const { name, entries, budget } of BUNDLES) {
  if (print(name, await bundle(entries), budget)) failed = true;
}
process.exit(failed ? 1 : 0);
