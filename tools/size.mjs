// SPDX-License-Identifier: MIT
// Prints the bytes (raw, gzip, brotli) of each built part, of bundles, and of what a page with an
// agent really loads in Chromium. Fails when a figure is above what its budget allows.
// Usage: node tools/size.mjs
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { AGENT, AGENT_IDBFS, firstLoad } from "./bundle.mjs";
import { ADAPTER, ALLOWED, BESIDE, CEILINGS, CONNECT_MCP, MIDDLEWARE_AGENT } from "./ceilings.mjs";
import { AGENT_PAGE, CHROMIUM, SCHEMA_PAGE, loadPage } from "./page-load.mjs";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const PARTS = [
  "engine/generated/engine.wasm",
  "engine/generated/engine-text.js",
  "base/codes.js",
  "engine/generated/idbfs-glue.js",
  "engine/generated/idbfs-text.js",
].map((name) => `js/${name}`);

/** All that the named entries export. @param {string[]} entries */
function everything(entries) {
  const imports = entries.map(
    (entry, index) => `import * as e${index} from ${JSON.stringify(entry)};`,
  );
  return `${imports.join("\n")}\nglobalThis.weft = [${entries.map((_, index) => `e${index}`).join(", ")}];`;
}

let failed = false;

/**
 * @param {string} name
 * @param {number} raw
 * @param {number} gzip
 * @param {number | undefined} [brotli]
 * @param {number} [ceiling] of gzip
 * @param {number} [allowed] how much of it may be taken
 */
function row(name, raw, gzip, brotli, ceiling, allowed = ALLOWED) {
  const over = ceiling !== undefined && gzip > allowed * ceiling;
  const limit = ceiling === undefined ? "" : `  budget ${ceiling}${over ? "  OVER" : ""}`;
  console.log(
    `${name.padEnd(52)} ${String(raw).padStart(8)} ${String(gzip).padStart(8)} ${String(brotli ?? "").padStart(8)}${limit}`,
  );
  failed ||= over;
}

/** A name for an import. @param {string} entry */
const nameOf = (entry) => entry.replace("-", "");

/** @param {string} name @param {Uint8Array} bytes @param {number} [ceiling] */
function print(name, bytes, ceiling) {
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  }).length;
  row(name, bytes.length, gzipSync(bytes, { level: 9 }).length, brotli, ceiling);
}

console.log(
  `${"bytes".padEnd(52)} ${"raw".padStart(8)} ${"gzip".padStart(8)} ${"brotli".padStart(8)}`,
);
for (const path of PARTS) {
  if (existsSync(join(top, path))) print(path, readFileSync(join(top, path)));
}
print("agent page: first load", (await firstLoad(AGENT)).bytes, CEILINGS.first);
print(
  "agent page: everything in one file",
  (await firstLoad(AGENT, { whole: true })).bytes,
  CEILINGS.whole,
);
print(
  "agent page with IDBFS: first load",
  (await firstLoad(AGENT_IDBFS)).bytes,
  CEILINGS.firstSaved,
);
print(
  "agent page with IDBFS: everything in one file",
  (await firstLoad(AGENT_IDBFS, { whole: true })).bytes,
  CEILINGS.wholeSaved,
);
const edge = await firstLoad(AGENT, { whole: true, edge: true });
print(
  "agent, graph at the edge, with engine.wasm",
  Buffer.concat([edge.bytes, readFileSync(join(top, "js/engine/generated/engine.wasm"))]),
  CEILINGS.edge,
);
print("all of web", (await firstLoad(everything(["weftgraph/web"]))).bytes);
print(
  "all of web, IDBFS",
  (await firstLoad(everything(["weftgraph/web", "weftgraph/savers/idbfs"]))).bytes,
);
print(
  "all of web, prebuilt, tools, openai",
  (
    await firstLoad(
      everything([
        "weftgraph/web",
        "weftgraph/prebuilt",
        "weftgraph/tools",
        "weftgraph/models/openai",
      ]),
    )
  ).bytes,
);
const zipped = (/** @type {Uint8Array} */ part) => gzipSync(part, { level: 9 }).length;

/**
 * @param {string} what
 * @param {string} before what the page has
 * @param {string} more
 * @param {number} [ceiling] of gzip
 */
async function added(what, before, more, ceiling) {
  const [alone, both] = [await firstLoad(before), await firstLoad(`${before}\n${more}`)];
  const raw = both.bytes.length - alone.bytes.length;
  row(what, raw, zipped(both.bytes) - zipped(alone.bytes), undefined, ceiling, 1);
}

// With what adapters share, which a page with two of them has once.
const ADAPTERS = Object.keys(BESIDE).map((one) => `models/${one}`);
for (const name of [...ADAPTERS, "models/text-tools", "mcp", "mcp/server", "otel"])
  await added(`agent page: what ${name} adds`, AGENT, everything([`weftgraph/${name}`]));
for (const [name, others] of Object.entries(BESIDE)) {
  const first = others.map((one) => `export * as ${nameOf(one)} from "weftgraph/models/${one}";`);
  const more = everything([`weftgraph/models/${name}`]);
  await added(
    `beside models/${others.join(", ")}: models/${name}`,
    `${AGENT} ${first.join(" ")}`,
    more,
    ADAPTER,
  );
}
await added(
  "beside models/openai: models/text-tools",
  `${AGENT} export * as openai from "weftgraph/models/openai";`,
  everything(["weftgraph/models/text-tools"]),
);
const MODEL = 'import * as model from "weftgraph/models/openai"; globalThis.model = model;';
const CONNECT = 'export { connectMcp } from "weftgraph/mcp";';
await added(
  "beside weftgraph/models/openai: connectMcp",
  `${AGENT} ${MODEL}`,
  CONNECT,
  CONNECT_MCP,
);
print("connectMcp alone: first load", (await firstLoad(CONNECT)).bytes);
const CREATE_AGENT = 'export { createAgent } from "weftgraph/agent";';
await added("agent page: what createAgent adds", AGENT, CREATE_AGENT, MIDDLEWARE_AGENT);
print(
  "weftgraph/agent with all middlewares: first load",
  (await firstLoad(everything(["weftgraph/agent", "weftgraph/agent/middleware"]))).bytes,
);
if (existsSync(CHROMIUM)) {
  for (const [what, page, ceiling] of [
    ["tools by shape", AGENT_PAGE, CEILINGS.page],
    ["JSON Schema", SCHEMA_PAGE, CEILINGS.schemaPage],
  ]) {
    const { scripts, raw, gzip } = await loadPage(page);
    row(
      `a page of agent, graph, IDBFS, ${what}: ${scripts.length} files`,
      raw,
      gzip,
      undefined,
      ceiling,
    );
  }
}
process.exit(failed ? 1 : 0);
