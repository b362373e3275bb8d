// SPDX-License-Identifier: MIT
// Prints what `node --test` is given for a folder of tests: files that run by themselves, and
// groups of others that share a process, so that what they import is loaded and compiled once a
// group. Writes the groups.
// Usage: node tools/together.mjs FOLDER OUT FILE...    the folder's test files; groups are written
//   into OUT
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

// Of which folders what shares a process, in how many groups, and who does not.
const TOGETHER = {
  peer: {
    groups: 5,
    files: /^facts-/,
    alone: ["facts-port", "facts-surface-call", "facts-surface-remote-events"],
  },
  js: {
    groups: 3,
    files: /./,
    alone: [
      // They change what others would see, or count what others leave: the engine, timers, modules,
      // the ids' time, what was warned of.
      "ambient-without-storage",
      "engine",
      "malformed-threads",
      "prebuilt-tool-node",
      "processes",
      "pump",
      "pump-saver",
      "random",
      "retention-faults",
      "schema",
      "store-file-faults",
      "store-idbfs-adversaries",
      "store-idbfs-faults",
      "store-idbfs-tabs",
      "texts",
      // They take as long as many others.
      "ledger",
      "opening",
      "prebuilt-peer-modes",
      "prebuilt-peer-nodes",
      "prebuilt-peer-options",
      "readme",
      "retention",
      "sealed",
      "sse",
      "storage-cost",
      "storage-inside",
      "storage-put",
      "store-file",
      "store-kv",
      "turns",
    ],
  },
};

const [folder, out, ...files] = process.argv.slice(2);
const { groups, files: shared, alone } = TOGETHER[folder];
const nameOf = (file) => basename(file, ".test.mjs");
for (const name of alone)
  if (!files.some((file) => nameOf(file) === name))
    throw new Error(`tests/${folder} has no ${name}`);
const isShared = (file) => shared.test(nameOf(file)) && !alone.includes(nameOf(file));

// Each file, the largest first, goes to the group that has the least text.
const size = (file) => statSync(file).size;
const made = Array.from({ length: groups }, () => ({ size: 0, files: [] }));
for (const file of files.filter(isShared).sort((a, b) => size(b) - size(a))) {
  const least = made.reduce((a, b) => (b.size < a.size ? b : a));
  least.size += size(file);
  least.files.push(file);
}
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const paths = made.map(({ files }, at) => {
  const path = join(out, `${at + 1}.test.mjs`);
  writeFileSync(
    path,
    files
      .sort()
      .map((file) => `import ${JSON.stringify(resolve(file))};\n`)
      .join(""),
  );
  return path;
});
console.log([...files.filter((file) => !isShared(file)), ...paths].join("\n"));
