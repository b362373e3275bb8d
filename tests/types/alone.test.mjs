// SPDX-License-Identifier: MIT
// Serves: declarations that need neither zod nor @langchain/core nor Node's types, with every library check on.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, "../..");

test("code that uses the package where nothing else is installed", () => {
  const folder = mkdtempSync(join(tmpdir(), "weft-types-"));
  try {
    const installed = join(folder, "node_modules/weftgraph");
    mkdirSync(installed, { recursive: true });
    cpSync(join(top, "package.json"), join(installed, "package.json"));
    cpSync(join(top, "js"), join(installed, "js"), { recursive: true, filter: (path) => statSync(path).isDirectory() || path.endsWith(".d.ts") });
    for (const file of ["graph.ts", "expect.ts", "tsconfig.json"]) cpSync(join(here, file), join(folder, file));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const { status, stdout, error } = spawnSync(process.execPath, [join(top, "node_modules/typescript/bin/tsc"), "-p", folder], { encoding: "utf8" });
    assert.ifError(error);
    assert.equal(stdout, "");
    assert.equal(status, 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
