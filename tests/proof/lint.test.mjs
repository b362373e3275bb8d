// SPDX-License-Identifier: MIT
// T22, under WEFT_LONG: gcc's analyzer and clang's over the engine and the border, the C tests
// under MSan and under UBSan with its integer checks (`make lint` runs clang-tidy's quick checks).
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { cjson, clangTidy, compare, files, findings, root, run } from "./analyzers.mjs";
import { LONG, figure, isBroken } from "./kit.mjs";

const counts = { files: files.length, tools: 0 };

const slow = LONG || isBroken("T22") ? false : "slow: make check-long PART=T22";

/** T22's planted bug: a finding that nobody gave a reason for. */
const found = async (command) =>
  isBroken("T22") ? ["src/engine.c | planted | a finding"] : findings(command);

test("T22: gcc -fanalyzer finds nothing", { skip: slow, timeout: Infinity }, async (t) => {
  const gcc = process.env.GCC ?? "gcc";
  if (!/^gcc/.test(execFileSync(gcc, ["--version"], { encoding: "utf8" }))) return t.skip("no gcc");
  const words = ["-std=c11", "-O1", "-fanalyzer", "-Isrc", "-isystem", cjson, "-ffp-contract=off"];
  compare("gcc", await found((file) => [gcc, ...words, "-c", file, "-o", "/dev/null"]), "T22: ");
  counts.tools++;
});

test("T22: clang's analyzer finds nothing", { skip: slow, timeout: Infinity }, async () => {
  counts.tools++;
  // memcpy_s is not there.
  const checks =
    "-*,clang-analyzer-*,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling";
  compare("clang-analyzer", await found((file) => clangTidy(file, checks)), "T22: ");
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
