// SPDX-License-Identifier: MIT
// For bundlers that do not read `exports` (Parcel, as it comes): in the tarball each sub-path is a
// folder too, whose package.json names the same files. They exist while npm packs; `--remove` takes
// them away. Usage: node tools/subpaths.mjs [--remove]
import { mkdirSync, readFileSync, readdirSync, rmSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const { exports, files } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));

for (const [name, target] of Object.entries(exports)) {
  if (name === "." || typeof target === "string") continue;
  const folder = name.slice(2);
  const path = `${folder}/package.json`;
  if (!files.includes(`/${path}`)) throw new Error(`package.json: files lacks /${path}`);
  if (process.argv.includes("--remove")) {
    rmSync(join(top, path), { force: true });
    for (
      let above = folder;
      above !== "." && readdirSync(join(top, above)).length === 0;
      above = posix.dirname(above)
    )
      rmdirSync(join(top, above));
    continue;
  }
  const up = (/** @type {string} */ file) => posix.relative(folder, file.slice(2));
  const { default: source, types, require: required } = /** @type {any} */ (target);
  mkdirSync(join(top, folder), { recursive: true });
  writeFileSync(
    join(top, path),
    `${JSON.stringify({ main: up(required?.default ?? source), module: up(source), types: up(types) })}\n`,
  );
}
