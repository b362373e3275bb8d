// SPDX-License-Identifier: MIT
// MCP's own conformance tests for clients. They need Node 22 or Bun, so they run in Bun; the client
// runs in this Node. `make check-long` runs all scenarios, otherwise one of each era.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const require = createRequire(import.meta.url);
const program = join(
  dirname(require.resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);
const bun = join(dirname(require.resolve("bun/package.json")), "bin/bun.exe");
const client = join(dirname(fileURLToPath(import.meta.url)), "mcp-conformance-client.mjs");

const LEGACY = "2025-11-25";
const MODERN = "2026-07-28";
const SCENARIOS = [
  ["elicitation-sep1034-client-defaults", LEGACY],
  ["sep-2322-client-request-state", MODERN],
];
const LONG_SCENARIOS = [
  ["initialize", LEGACY],
  ["tools_call", LEGACY],
  ["sse-retry", LEGACY],
  ["tools_call", MODERN],
  ["request-metadata", MODERN],
  ["http-standard-headers", MODERN],
  ["http-custom-headers", MODERN],
  ["http-invalid-tool-headers", MODERN],
  ["json-schema-ref-no-deref", MODERN],
];

for (const [scenario, version] of [...SCENARIOS, ...(process.env.WEFT_LONG ? LONG_SCENARIOS : [])])
  test(`passes the conformance scenario ${scenario} of ${version}`, async () => {
    const args = ["client", "--command", `${process.execPath} ${client}`];
    const { stdout, stderr } = await promisify(execFile)(
      bun,
      ["--bun", program, ...args, "--scenario", scenario, "--spec-version", version],
      { timeout: 60_000 },
    ).catch((error) => error);
    assert.match(`${stdout}${stderr}`, /OVERALL: PASSED/);
  });
