// SPDX-License-Identifier: MIT
// Every page of this folder is played by the native engine, by the WASI build and by the Emscripten
// build; all three must print the log that stands on the page. `node tests/spec/pages.test.mjs
// --write` writes the native log into the pages. Serves: docs/semantics.md 5 to 13, 19 as named on
// the pages; docs/semantics.md 23.1 (three builds, the same pages).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, "../..");
const pages = readdirSync(here).filter((name) => name.endsWith(".md"));
const wasi = `import { WASI } from "node:wasi"; import { readFileSync } from "node:fs";
const wasi = new WASI({ version: "preview1", returnOnExit: true });
const module = new WebAssembly.Module(readFileSync(process.argv[1]));
wasi.start(new WebAssembly.Instance(module, wasi.getImportObject()));`;
const builds = {
  native: ["build/native/spec/pages", []],
  wasi: [
    process.execPath,
    ["--no-warnings", "--input-type=module", "-e", wasi, "build/wasm/spec/pages.wasm"],
  ],
  emscripten: [process.execPath, ["build/emcc/spec/pages.js"]],
};

function read(name) {
  const text = readFileSync(join(here, name), "utf8");
  const [, script] = /```script\n([\s\S]*?)\n```/.exec(text) ?? [];
  const [, log] = /```log\n([\s\S]*?)```/.exec(text) ?? [];
  assert.ok(script !== undefined && log !== undefined, `${name} needs a script and a log`);
  return { text, script, log };
}

/**
 * What one process prints of each script, one after the other.
 * @param {string} build
 * @param {string[]} scripts
 */
function play(build, scripts) {
  const [program, args] = builds[build];
  const ran = spawnSync(program, args, {
    cwd: top,
    input: scripts.join("\f"),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  assert.equal(ran.status, 0, `${build}: ${ran.error ?? ran.stderr}`);
  return ran.stdout.split("\f");
}

if (process.argv.includes("--write")) {
  for (const name of pages) {
    const { text, script } = read(name);
    const [log] = play("native", [script]);
    writeFileSync(
      join(here, name),
      text.replace(/```log\n[\s\S]*?```/, () => `\`\`\`log\n${log}\`\`\``),
    );
  }
} else {
  assert.ok(pages.length >= 12, "the pages are there");
  const scripts = pages.map((name) => read(name).script);
  for (const build of Object.keys(builds)) {
    /** @type {string[] | undefined} */
    let logs;
    test(`the pages are played (${build})`, () => {
      logs = play(build, scripts);
      assert.equal(logs.length, pages.length);
    });
    for (const [i, name] of pages.entries()) {
      test(`${name} (${build})`, () => {
        const { script, log } = read(name);
        assert.ok(log.length > 0, `${name} has no log`);
        // Where a page ends the process, each has its own.
        assert.equal(logs?.[i] ?? play(build, [script])[0], log);
      });
    }
  }
}
