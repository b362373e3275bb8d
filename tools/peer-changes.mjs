// SPDX-License-Identifier: MIT
// Prints what differs between two versions of @langchain/langgraph: exported names, types, and
// which tests of tests/peer pass with one and fail with the other. Each version is installed in
// build/peer-changes/, with the oldest of what it depends on. Usage: node tools/peer-changes.mjs
// 1.4.17 1.7.3 [--only=names,types,results] (make peer-changes FROM=1.4.17 TO=1.7.3)
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const TOP = fileURLToPath(new URL("../", import.meta.url));
const PEER = "@langchain/langgraph";
/** What the tests read besides the packages. */
const COPIED = [
  "js",
  "tests",
  "tools",
  "docs",
  "Makefile",
  "README.md",
  "CHANGELOG.md",
  "tsconfig.json",
];
const TEST_MS = 60_000;
const SHOWN_LINES = 12;

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @param {number[]} [accepted]
 * @returns {string} what it prints
 */
function run(command, args, cwd, accepted = [0]) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (error !== undefined) throw error;
  if (!accepted.includes(status ?? -1))
    throw new Error(`${command} ${args.join(" ")}: ${stderr || stdout}`);
  return stdout;
}

/**
 * A copy of the checkout in which that version of the peer is installed.
 * @param {string} version
 * @returns {string} its folder
 */
function install(version) {
  const folder = join(TOP, "build/peer-changes", version);
  mkdirSync(folder, { recursive: true });
  for (const name of COPIED) {
    rmSync(join(folder, name), { recursive: true, force: true });
    cpSync(join(TOP, name), join(folder, name), { recursive: true });
  }
  if (existsSync(join(folder, "node_modules", PEER))) return folder;
  const depends = JSON.parse(
    run("npm", ["view", `${PEER}@${version}`, "dependencies", "--json"], TOP),
  );
  const manifest = JSON.parse(readFileSync(join(TOP, "package.json"), "utf8"));
  for (const [name, range] of Object.entries(depends))
    if (name in manifest.devDependencies)
      manifest.devDependencies[name] = range.replace(/^[\^~]/, "");
  manifest.devDependencies[PEER] = version;
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  run(
    "npm",
    [
      "install",
      "--legacy-peer-deps",
      "--no-package-lock",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ],
    folder,
  );
  return folder;
}

/** Every public name with what it is. @param {string} folder @returns {string[]} */
function namesIn(folder) {
  const print = `const { readPeer } = await import("./tools/peer-names.mjs"); console.log(JSON.stringify(await readPeer()));`;
  const { exports, checkpoint } = JSON.parse(
    run("node", ["--input-type=module", "--eval", print], folder),
  );
  return Object.entries({ ...exports, "@langchain/langgraph-checkpoint": checkpoint }).flatMap(
    ([path, names]) => Object.entries(names).map(([name, kind]) => `${path} ${name} (${kind})`),
  );
}

/**
 * Changed lines of the declarations, without imports and comments.
 * @param {string} from
 * @param {string} to
 * @returns {string[]}
 */
function typeChanges(from, to) {
  const files = (/** @type {string} */ folder, /** @type {string} */ name) =>
    readdirSync(join(folder, "node_modules", name, "dist"), {
      recursive: true,
      encoding: "utf8",
    }).filter((file) => file.endsWith(".d.ts"));
  return [PEER, "@langchain/langgraph-checkpoint"].flatMap((name) =>
    [...new Set([...files(from, name), ...files(to, name)])].sort().flatMap((file) => {
      const [left, right] = [from, to]
        .map((folder) => join(folder, "node_modules", name, "dist", file))
        .map((path) => (existsSync(path) ? path : "/dev/null"));
      const lines = run(
        "git",
        ["diff", "--no-index", "--unified=0", left, right],
        TOP,
        [0, 1],
      ).split("\n");
      const changed = lines.filter(
        (line) =>
          /^[-+](?![-+])/.test(line) && !/^[-+]\s*(\*|\/\*|\/\/|import |export \{|$)/.test(line),
      );
      return changed.length === 0 ? [] : [`${name}/${file}`, ...changed.map((line) => `  ${line}`)];
    }),
  );
}

/**
 * Tests that fail, with the first lines of why.
 * @param {string} folder
 * @returns {Map<string, string[]>}
 */
function failuresIn(folder) {
  const tests = readdirSync(join(folder, "tests/peer"))
    .filter((name) => name.endsWith(".test.mjs"))
    .map((name) => `tests/peer/${name}`);
  const printed = run(
    "node",
    [
      "--require",
      "./tests/unfollowed.cjs",
      "--test",
      "--test-concurrency=2",
      `--test-timeout=${TEST_MS}`,
      "--test-reporter=tap",
      ...tests,
    ],
    folder,
    [0, 1],
  );
  /** @type {Map<string, string[]>} */
  const failures = new Map();
  for (const block of printed.split(/^(?=# Subtest: )/m)) {
    const title = /^# Subtest: (.*)/.exec(block)?.[1];
    if (title === undefined || !/^not ok/m.test(block)) continue;
    failures.set(
      title,
      block
        .split("\n")
        .filter((line) => /^ {4}[-+] /.test(line))
        .slice(0, SHOWN_LINES),
    );
  }
  return failures;
}

/** @param {string} title @param {string[]} lines */
function section(title, lines) {
  console.log(`\n${title}: ${lines.length === 0 ? "none" : ""}`);
  for (const line of lines) console.log(line);
}

const [from, to] = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const only = process.argv
  .find((arg) => arg.startsWith("--only="))
  ?.slice("--only=".length)
  .split(",") ?? ["names", "types", "results"];
if (from === undefined || to === undefined)
  throw new Error("usage: make peer-changes FROM=1.4.17 TO=1.7.3");
const [older, newer] = [install(from), install(to)];
if (only.includes("names")) {
  const [before, after] = [namesIn(older), namesIn(newer)];
  section("Names", [
    ...before.filter((name) => !after.includes(name)).map((name) => `- ${name}`),
    ...after.filter((name) => !before.includes(name)).map((name) => `+ ${name}`),
  ]);
}
if (only.includes("types")) section("Types", typeChanges(older, newer));
if (only.includes("results")) {
  const [before, after] = [failuresIn(older), failuresIn(newer)];
  section(
    `Tests that fail with ${to} and pass with ${from}`,
    [...after]
      .filter(([title]) => !before.has(title))
      .flatMap(([title, lines]) => [title, ...lines]),
  );
  section(
    `Tests that fail with ${from} and pass with ${to}`,
    [...before.keys()].filter((title) => !after.has(title)),
  );
}
