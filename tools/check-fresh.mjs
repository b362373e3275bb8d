// SPDX-License-Identifier: MIT
// Keeps stale WebAssembly out of the package: --write records the hash of all sources beside the
// built files, without arguments it refuses when a built file is missing, changed, or older than
// the sources. Usage: node tools/check-fresh.mjs [--write]
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const SOURCES = [
  "Makefile",
  "src",
  "wasm",
  "tools/bytes.mjs",
  "js/engine/load/wasm-text.js",
  "tools/generate-codes.mjs",
];
const ENGINE = [
  "js/engine/generated/engine.wasm",
  "js/engine/generated/engine-text.js",
  "js/engine/generated/engine-base64.js",
  "js/base/codes.js",
];
const IDBFS = ["js/engine/generated/idbfs-text.js", "js/engine/generated/idbfs-glue.js"];
const STAMP = join(top, "build/js.stamp.json");

function listFiles(path) {
  const full = join(top, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full)
    .sort()
    .flatMap((name) => listFiles(`${path}/${name}`));
}

function hashFiles(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    const bytes = readFileSync(join(top, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

const hasStore = listFiles("wasm/idbfs").some((path) => path.endsWith(".c"));
const built = hasStore ? [...ENGINE, ...IDBFS] : ENGINE;
const missing = built.filter((path) => !existsSync(join(top, path)));
if (missing.length) {
  console.error(`not built: ${missing.join(", ")}. Run: make js`);
  process.exit(1);
}
const sources = SOURCES.flatMap(listFiles).filter((path) => !path.endsWith(".md"));
const now = { sources: hashFiles(sources), built: hashFiles(built) };
if (process.argv[2] === "--write") {
  writeFileSync(STAMP, `${JSON.stringify(now)}\n`);
} else {
  const then = existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, "utf8")) : {};
  if (then.sources !== now.sources || then.built !== now.built) {
    console.error("The built WebAssembly does not belong to these sources. Run: make js");
    process.exit(1);
  }
}
