// SPDX-License-Identifier: MIT
// MCP's own conformance tests, for clients and for servers. They need Node 22 or Bun, so they run
// in Bun; our client and our server run in this Node. `make check-long` runs all scenarios of what
// there is here, otherwise one of each era. NOT_RUN names the others, with the reason.
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
  ["json-schema-2020-12-preservation", LEGACY],
  ["json-schema-2020-12-preservation", MODERN],
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
    "caching",
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
/** Scenarios that are not run, for what they need. */
const NOT_RUN = {
  "an extension of the protocol, of which there is none here": /^(sep-2640|tasks)-/,
  "a server's resources": /^resources-/,
  "a server's prompts": /^(prompts-|input-required-result-non-tool-request$)/,
  "a server's logging, which the newer revision has dropped":
    /^(logging-set-level|tools-call-with-logging)$/,
  "a server that completes arguments of prompts and resources": /^completion-complete$/,
  "a server that asks for the client's model or its roots":
    /^(tools-call-sampling|input-required-result-(basic-sampling|basic-list-roots|multiple-input-requests|capability-check))$/,
  "a stream that the server ends so that the client polls; here it stays open":
    /^server-sse-polling$/,
  "a client that gets tokens by OAuth itself; here `headers` does":
    /^(auth\/|authorization-server-metadata-endpoint$|authorization-code-grant$)/,
};
/** Checks that fail, of scenarios that ask beside tools for what a server here does not have. */
const EXPECTED = {
  // A tool that asks the client's model.
  "server-stateless": ["sep-2575-server-rejects-undeclared-capability"],
  // Lists of prompts and resources.
  caching: ["prompts-list", "resources-list", "resources-templates-list"].map(
    (name) => `sep-2549-${name}-caching-hints`,
  ),
};
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
    const expected = EXPECTED[scenario] ?? [];
    const file = join(folder, "expected.yml");
    if (expected.length > 0)
      writeFileSync(file, `server:\n${expected.map((id) => `  - ${scenario}:${id}\n`).join("")}`);
    const printed = await run(
      ...words,
      ...(expected.length > 0 ? ["--expected-failures", file] : []),
    );
    const [, passed, failed] = /Passed: (\d+)\/\d+, (\d+) failed/.exec(printed) ?? [];
    assert.ok(Number(passed) > 0, printed);
    assert.equal(Number(failed), expected.length, printed);
    assert.doesNotMatch(printed, /unexpected/i);
  });

test("each conformance scenario of both revisions is run, or named with the reason why not", async () => {
  const listed = [...(await run("list")).matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].flatMap(
    ([, scenario, versions]) => versions.split(",").map((version) => `${scenario} ${version}`),
  );
  const lists = [SCENARIOS, LONG_SCENARIOS, SERVER_SCENARIOS, LONG_SERVER_SCENARIOS];
  const ran = lists.flat().map(([scenario, version]) => `${scenario} ${version}`);
  const isNamed = (name) => Object.values(NOT_RUN).some((names) => names.test(name.split(" ")[0]));
  const ours = listed.filter((name) => [LEGACY, MODERN].includes(name.split(" ")[1]));
  assert.ok(ours.length > 80, listed.join());
  assert.deepEqual(ours.filter((name) => !isNamed(name)).toSorted(), ran.toSorted());
  for (const [reason, names] of Object.entries(NOT_RUN))
    assert.ok(
      listed.some((name) => names.test(name.split(" ")[0])),
      reason,
    );
});
