// SPDX-License-Identifier: MIT
// T22, under WEFT_LONG: gcc's analyzer and clang-tidy (bugprone-*, clang-analyzer-*) over the
// engine and the border, the C tests under MSan and under UBSan with its integer checks. Each
// finding is mended or stands in findings.json with the reason why it is none; what stands there
// and is not found any more is an error too.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { LONG, figure, isBroken } from "./kit.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const cjson = process.env.CJSON_DIR ?? "build/cjson";
const accepted = JSON.parse(readFileSync(new URL("findings.json", import.meta.url), "utf8"));

const filesOf = (folder) =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .filter((name) => name.endsWith(".c"))
    .map((name) => `${folder}/${name}`);
// Parts of a C library are for WebAssembly alone.
const files = [
  ...filesOf("src"),
  ...filesOf("wasm").filter((file) => !/heap|libc/.test(file)),
].toSorted();

/** Runs `tool` over all files, two at a time: its warnings as "file | check | the line's text". */
async function findings(command) {
  const found = [];
  // T22's planted bug: a finding that nobody gave a reason for.
  if (isBroken("T22")) return ["src/engine.c | planted | a finding"];
  const waiting = [...files];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const [program, ...words] = command(file);
      const { stdout, stderr } = await run(program, words, { cwd: root, maxBuffer: 1 << 26 }).catch(
        (error) => error,
      );
      for (const [, path, line, check] of `${stdout}${stderr}`.matchAll(
        /^(\S+?):(\d+):\d+: (?:warning|error): .*\[([^\]]+)\]$/gm,
      )) {
        const name = path.replace(root, "");
        found.push(
          `${name} | ${check.replace(/CWE-\d+\] \[/, "")} | ${readFileSync(`${root}${name}`, "utf8").split("\n")[line - 1].trim()}`,
        );
      }
    }
  };
  await Promise.all([work(), work()]);
  return [...new Set(found)];
}

function compare(tool, found) {
  const reasons = accepted[tool];
  assert.deepEqual(
    found.filter((one) => reasons[one] === undefined),
    [],
    `T22: ${tool} has findings`,
  );
  assert.deepEqual(
    Object.keys(reasons).filter((one) => !found.includes(one)),
    [],
    `T22: findings.json has more than ${tool}`,
  );
}

const counts = { files: files.length, tools: 0 };

const slow = LONG || isBroken("T22") ? false : "slow: make check-long PART=T22";

test("T22: gcc -fanalyzer finds nothing", { skip: slow, timeout: Infinity }, async (t) => {
  const gcc = process.env.GCC ?? "gcc";
  if (!/^gcc/.test(execFileSync(gcc, ["--version"], { encoding: "utf8" }))) return t.skip("no gcc");
  const found = await findings((file) => [
    gcc,
    "-std=c11",
    "-O1",
    "-fanalyzer",
    "-Isrc",
    "-isystem",
    cjson,
    "-ffp-contract=off",
    "-c",
    file,
    "-o",
    "/dev/null",
  ]);
  compare("gcc", found);
  counts.tools++;
});

test("T22: clang-tidy finds nothing", { skip: slow, timeout: Infinity }, async () => {
  // memcpy_s is not there, and which arguments could be confused is a matter of taste.
  const checks =
    "-*,bugprone-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,-bugprone-implicit-widening-of-multiplication-result,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling";
  counts.tools++;
  compare(
    "clang-tidy",
    await findings((file) => [
      "clang-tidy",
      "--quiet",
      `--checks=${checks}`,
      file,
      "--",
      "-std=c11",
      "-Isrc",
      "-isystem",
      cjson,
      "-Wno-everything",
    ]),
  );
});

for (const [name, sanitize] of [
  ["MSan", "-fsanitize=memory -fno-sanitize-recover=all -fno-omit-frame-pointer"],
  // Sums and shifts of unsigned numbers that wrap are what hashes are made of.
  [
    "UBSan with integers",
    "-fsanitize=undefined,integer,implicit-conversion -fno-sanitize=unsigned-integer-overflow,unsigned-shift-base -fno-sanitize-recover=all",
  ],
]) {
  test(`T22: the C tests pass under ${name}`, {
    skip: LONG ? false : slow || "nothing is planted in it",
    timeout: Infinity,
  }, async () => {
    counts.tools++;
    const build = `build/${name.split(" ")[0].toLowerCase()}`;
    await run(
      process.env.MAKE ?? "make",
      [`BUILD=${build}`, "CC=clang-14", `SANITIZE=${sanitize}`, "test-c"],
      { cwd: root, maxBuffer: 1 << 28 },
    ).catch((error) => {
      throw new Error(
        `T22: ${name}: ${`${error.stdout}${error.stderr}`
          .split("\n")
          .filter((line) => /FAIL|WARNING|runtime error|#\d/.test(line))
          .slice(0, 20)
          .join("\n")}`,
      );
    });
  });
}

test("T22: every tool was run", { skip: slow }, (t) =>
  counts.tools === 0 ? t.skip("no gcc") : figure("T22", counts),
);
