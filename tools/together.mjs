// SPDX-License-Identifier: MIT
// Prints what `node --test` is given for a folder of tests: files that run by themselves, and
// groups of others that share a process, so that what they import is loaded and compiled once a
// group. Writes the groups.
// Usage: node tools/together.mjs FOLDER OUT FILE...    the folder's test files; groups are written
//   into OUT
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

// Of which folders what shares a process, and in how many groups. A file that must not, or that
// takes as long as many others, says so and why in its head: `// Own process: REASON`.
const TOGETHER = {
  peer: { groups: 5, files: /^facts-/ },
  js: { groups: 6, files: /./ },
};
const OWN_PROCESS = /^\/\/ Own process: ?(.*)$/m;

const [folder, out, ...files] = process.argv.slice(2);
const { groups, files: shared } = TOGETHER[folder];
const isShared = (file) => {
  const head = readFileSync(file, "utf8").match(/^(?:\/\/.*\n)*/)[0];
  const own = OWN_PROCESS.exec(head);
  if (own && !own[1].trim()) throw new Error(`${file} has no reason for its own process`);
  return !own && shared.test(basename(file, ".test.mjs"));
};

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
// The groups first: they take longest, so that none of them is left over at the end.
console.log([...paths, ...files.filter((file) => !isShared(file))].join("\n"));
