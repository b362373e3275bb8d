// SPDX-License-Identifier: MIT
// MCP's own conformance tests, for clients and for servers. They need Node 22 or Bun, so they run
// in Bun; our client and our server run in this Node. `make check-long` runs all scenarios of what
// there is here (a server has tools; it has no resources, prompts or logging, and does not ask for
// sampling or roots), otherwise one of each era.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const require = createRequire(import.meta.url);
const program = join(
  dirname(require.resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);
const bun = join(dirname(require.resolve("bun/package.json")), "bin/bun.exe");
const here = dirname(fileURLToPath(import.meta.url));
const client = join(here, "mcp-conformance-client.mjs");
const folder = mkdtempSync(join(tmpdir(), "weft-conformance-"));
let server, url;

before(async () => {
  server = spawn(process.execPath, [join(here, "mcp-conformance-server.mjs")]);
  [url] = (await once(server.stdout.setEncoding("utf8"), "data"))[0].split("\n");
});
after(() => {
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** @returns {Promise<string>} what the program printed */
async function run(...words) {
  const options = { timeout: 60_000, cwd: folder };
  const { stdout, stderr } = await promisify(execFile)(
    bun,
    ["--bun", program, ...words],
    options,
  ).catch((error) => error);
  return `${stdout}${stderr}`;
}

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

const SERVER_SCENARIOS = [
  ["tools-call-elicitation", LEGACY],
  ["input-required-result-tampered-state", MODERN],
];
const LONG_SERVER_SCENARIOS = [
  ...[
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
  ].map((scenario) => [scenario, LEGACY]),
  ...[
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
    "json-schema-2020-12",
  ].flatMap((scenario) => [
    [scenario, LEGACY],
    [scenario, MODERN],
  ]),
  ...[
    "server-stateless",
    "sep-2164-resource-not-found",
    "http-header-validation",
    "http-custom-header-server-validation",
    "input-required-result-basic-elicitation",
    "input-required-result-request-state",
    "input-required-result-multi-round",
    "input-required-result-missing-input-response",
    "input-required-result-result-type",
    "input-required-result-unsupported-methods",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
  ].map((scenario) => [scenario, MODERN]),
];
/** It wants a tool that asks the client's model, which no tool here does. */
const EXPECTED = "server:\n  - server-stateless:sep-2575-server-rejects-undeclared-capability\n";
const isLong = Boolean(process.env.WEFT_LONG);

for (const [scenario, version] of [...SCENARIOS, ...(isLong ? LONG_SCENARIOS : [])])
  test(`a client passes the conformance scenario ${scenario} of ${version}`, async () => {
    const words = ["client", "--command", `${process.execPath} ${client}`];
    const printed = await run(...words, "--scenario", scenario, "--spec-version", version);
    assert.match(printed, /OVERALL: PASSED/);
  });

for (const [scenario, version] of [...SERVER_SCENARIOS, ...(isLong ? LONG_SERVER_SCENARIOS : [])])
  test(`a server passes the conformance scenario ${scenario} of ${version}`, async () => {
    const words = ["server", "--url", url, "--scenario", scenario, "--spec-version", version];
    const isPartial = EXPECTED.includes(scenario);
    const file = join(folder, "expected.yml");
    if (isPartial) writeFileSync(file, EXPECTED);
    const printed = await run(...words, ...(isPartial ? ["--expected-failures", file] : []));
    const [, passed, failed] = /Passed: (\d+)\/\d+, (\d+) failed/.exec(printed) ?? [];
    assert.ok(Number(passed) > 0, printed);
    assert.equal(Number(failed), isPartial ? 1 : 0, printed);
  });
