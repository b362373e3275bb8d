// SPDX-License-Identifier: MIT
// Bundles the demo into web-demo/dist: the studio (index.html), what it loads (assets/,
// whose names change with their content), a service worker, and the headers that a host has to
// send. Any web server can serve that folder.
// Usage: node web-demo/build.mjs [FOLDER]    instead of web-demo/dist
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildJoined } from "./join-parts.mjs";
import { contentSecurityPolicy, headersFile, modelSources } from "./policy.mjs";
import { sampleEntries, writeSamples } from "./sample-modules.mjs";
import { heroHtml, screensHtml } from "./static-parts.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const PAGE = ["main.js", "shell/style.css"];
/** What has the engine in it. */
const ENGINE = ["worker/worker.js", "screens/recordings/player-worker.js"];
const RACE = ["screens/race/weft-worker.js", "screens/race/langgraph-worker.js"];
/** Each in one file, with a library of its own. */
const ALONE = [...RACE, "front-ends/use-stream.js", "front-ends/use-stream.css"];
const STUDIO = "index.html";
const PAGES = [STUDIO, "use-stream.html"];
const COPIED = ["icon.svg", "icon-waiting.svg", "manifest.webmanifest"];
/** What the first page needs before a person can use it. */
const FIRST = ["main.js", "screens/start/index.js"];
/** What it loads next, so that the first run need not wait. */
const NEXT = "screens/workbench/index.js";
/** What is not kept for use offline: it is large, and asked for by a button. */
const ON_DEMAND = [...RACE, "models/webllm.js"];

const PACKAGE_PAGE = "https://www.npmjs.com/package/weftgraph#readme";

/** @typedef {import("esbuild").Metafile["outputs"]} Outputs */

/**
 * @param {{ out?: string, connect?: string[], alias?: Record<string, string>, minify?: boolean,
 *   docs?: string }} [options] `docs`: address of the documentation
 * @returns {Promise<string>} the folder
 */
export async function buildDemo({
  out = join(here, "dist"),
  connect = [],
  alias,
  minify = true,
  docs = PACKAGE_PAGE,
} = {}) {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const common = /** @type {const} */ ({
    absWorkingDir: here,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify,
    sourcemap: true,
    legalComments: "linked",
    logLevel: "warning",
    metafile: true,
    outdir: join(out, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    alias,
  });
  const entries = (/** @type {string[]} */ names) =>
    names.map((name) => ({ in: `src/${name}`, out: basename(name, extname(name)) }));
  const samples = await sampleEntries();
  // The page and what has the engine share little: parts in common would only be more requests.
  const [page, engine, alone, classic] = await Promise.all([
    buildJoined(
      {
        ...common,
        entryPoints: entries(PAGE),
        define: { "globalThis.STUDIO_DOCS": JSON.stringify(docs) },
      },
      { name: "page", startsWith: (source) => FIRST.some((first) => source === `src/${first}`) },
    ),
    buildJoined(
      {
        ...common,
        entryPoints: [...entries(ENGINE), ...samples.entryPoints],
        // The worker shares its threads with other tabs from its start on.
        alias: { ...alias, "#server-tabs": join(here, "../js/server/tabs/included-tabs.js") },
        plugins: [samples.plugin],
      },
      {
        name: "weft",
        startsWith: (source) => source === `src/${ENGINE[0]}` || samples.isEntry(source),
      },
    ),
    build({
      ...common,
      entryPoints: entries(ALONE),
      // LangGraph.js and React ask Node for it.
      define: { "process.env.NODE_ENV": '"production"' },
    }),
    build({ ...common, entryPoints: entries(["shell/first-paint.js"]), format: "iife" }),
  ]);
  const made = [alone, classic].map(({ metafile }) => metafile.outputs);
  /** @type {Outputs} */
  const outputs = Object.assign({}, page, engine, ...made);
  for (const name of PAGES) await writePage(name, { out, outputs, connect });
  for (const name of COPIED) await copyFile(join(here, "src", name), join(out, name));
  const sampleFiles = await writeSamples(out, outputs);
  await writeFile(join(out, "_headers"), headersFile({ connect }));
  await buildServiceWorker(out, outputs, [...PAGES, ...COPIED, ...sampleFiles]);
  return out;
}

/** @param {string} output @returns {string} the address in a page */
const addressOf = (output) => `assets/${basename(output)}`;

/** @param {Outputs} outputs @param {string} source below src */
function outputOf(outputs, source) {
  const found = Object.entries(outputs).find(([, made]) => made.entryPoint === `src/${source}`);
  if (found === undefined) throw new Error(`Nothing was built of src/${source}`);
  return found[0];
}

/**
 * Collects what is loaded with some outputs.
 * @param {Outputs} outputs
 * @param {string[]} from
 * @param {(kind: string, output: string) => boolean} follows
 */
function loadedWith(outputs, from, follows) {
  const found = new Set(from);
  for (const name of found)
    for (const { path, kind } of outputs[name].imports)
      if (path in outputs && follows(kind, path)) found.add(path);
  return found;
}

/** @param {string} name @param {{ out: string, outputs: Outputs, connect: string[] }} made */
async function writePage(name, { out, outputs, connect }) {
  const first = FIRST.map((source) => outputOf(outputs, source));
  const isStatic = (/** @type {string} */ kind) => kind === "import-statement";
  const preloads = loadedWith(outputs, first, isStatic);
  const importsOf = (/** @type {string} */ source) =>
    [...loadedWith(outputs, [outputOf(outputs, source)], isStatic)]
      .slice(1)
      .filter((output) => !preloads.has(output))
      .map(addressOf);
  /** @type {Record<string, () => string>} */
  const parts = {
    policy: () => contentSecurityPolicy(),
    connect: () => modelSources(connect).join(" "),
    preloads: () =>
      [...preloads]
        .map((output) => `<link rel="modulepreload" href="${addressOf(output)}">`)
        .join("\n    "),
    "page ahead": () => importsOf(NEXT).join(" "),
    "engine ahead": () => importsOf(ENGINE[0]).join(" "),
    screens: screensHtml,
    hero: heroHtml,
  };
  const page = await readFile(join(here, "src", name), "utf8");
  const filled = page.replace(/{{(.+?)}}/g, (_, part) =>
    part in parts ? parts[part]() : addressOf(outputOf(outputs, part)),
  );
  await writeFile(join(out, name), filled);
}

/**
 * Writes the service worker, which knows the files of this version.
 * @param {string} out
 * @param {Outputs} outputs
 * @param {string[]} named files whose names do not say their content
 */
async function buildServiceWorker(out, outputs, named) {
  const later = ON_DEMAND.map((source) => `src/${source}`);
  const entries = Object.keys(outputs).filter((name) => {
    const source = outputs[name].entryPoint;
    return source !== undefined && !later.includes(source);
  });
  const used = loadedWith(
    outputs,
    entries.filter((name) => !isImported(outputs, name)),
    (_, path) => !later.includes(outputs[path].entryPoint ?? ""),
  );
  /** @type {Record<string, string>} */
  const pages = {};
  for (const name of named)
    pages[name] = createHash("sha256")
      .update(await readFile(join(out, name)))
      .digest("hex");
  const files = [...used].map(addressOf).sort();
  const version = createHash("sha256")
    .update(JSON.stringify([files, pages]))
    .digest("hex")
    .slice(0, 12);
  await build({
    absWorkingDir: here,
    entryPoints: ["src/shell/offline-worker.js"],
    outfile: join(out, "offline.js"),
    bundle: true,
    minify: true,
    target: "es2022",
    logLevel: "warning",
    define: { "globalThis.STUDIO_FILES": JSON.stringify({ version, files, pages }) },
  });
}

/** Whether another output imports it. @param {Outputs} outputs @param {string} name */
function isImported(outputs, name) {
  return Object.values(outputs).some(({ imports }) => imports.some(({ path }) => path === name));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildDemo({ out: process.argv[2] && resolve(process.argv[2]) });
