// SPDX-License-Identifier: MIT
// Checks the layers of js/ (docs/architecture.md): a file imports its own folder and folders of
// lower layers, statically or dynamically; each folder has its place; declarations import
// declarations only; files and folders stay small.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { init, parse } from "es-module-lexer";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");

/** The folders of js/, the lowest first; "." holds the package's entries. */
const LAYERS = [
  "base",
  "messages",
  "engine/generated",
  "engine/load",
  "engine",
  "log",
  "callbacks",
  "streams",
  "events/protocol",
  "events/langchain",
  "compat/streams",
  "events",
  "schema",
  "runnable",
  "tools",
  "models",
  "models/openai",
  "models/anthropic",
  "models/responses",
  "models/demo",
  "models/ai-sdk",
  "models/text-tools",
  "models/prompt-api",
  "models/webllm",
  "models/gemini",
  "models/workers-ai",
  "state",
  "plan",
  "run/tasks",
  "run",
  "record",
  "savers/core",
  "compat/savers",
  "savers/langgraph",
  "savers/maintenance",
  "savers",
  "savers/memory",
  "savers/file",
  "savers/idbfs",
  "savers/key-value",
  "savers/deno-kv",
  "savers/durable-object",
  "savers/sealed",
  "savers/testing",
  "stores",
  "calls",
  "calls/modes",
  "zod",
  "graph",
  "func",
  "drawing",
  "remote",
  "testing",
  "prebuilt/tool-calls",
  "prebuilt/approval",
  "prebuilt/tool-node",
  "prebuilt/agent",
  "compat",
  "prebuilt",
  "approval",
  "agent",
  "agent/middleware",
  "mcp",
  "server/http",
  "server/streams",
  "server/work",
  "server/tabs",
  "server",
  "server/local",
  "mcp/server",
  "ai-sdk",
  "ag-ui",
  "otel",
  "cli",
  ".",
];
/** Built from js/, or from the engine. */
const BUILT = ["cjs", "node", "engine/generated", "studio"];
const MOST_LINES = 400;
const LEAST_LINES = 15;
const MOST_MODULES = 20;
/** The declarations of what the package exports: no module imports them. */
const TYPES = "types";

await init;

/** @param {string} folder under js/ @returns {string[]} paths under js/ */
function filesIn(folder = ".") {
  return readdirSync(join(top, "js", folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return BUILT.includes(path) ? [] : filesIn(path);
    return /\.(js|d\.ts)$/.test(path) ? [path] : [];
  });
}

/** @param {string} path @returns {string} */
const textOf = (path) => readFileSync(join(top, "js", path), "utf8");

/**
 * The specifiers of a module's imports, or of a declaration's.
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
function importsOf(path, text) {
  if (path.endsWith(".d.ts"))
    return [...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, specifier]) => specifier);
  return parse(text, path)[0].flatMap(({ specifier, type }) =>
    type === "import-meta" ? [] : (specifier ?? []),
  );
}

const { imports } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
/** The files under js/ that conditions lead to. @returns {string[]} */
const targetsOf = (target) =>
  typeof target === "string"
    ? [target.slice("./js/".length)]
    : Object.values(target).flatMap(targetsOf);
const ALIASES = new Map(Object.entries(imports).map(([name, target]) => [name, targetsOf(target)]));

/**
 * @param {Iterable<[string, string]>} sources path and text
 * @returns {string[]} what breaks the order
 */
function violations(sources) {
  const wrong = [];
  for (const [path, text] of sources) {
    const isType = path.startsWith(`${TYPES}/`);
    const from = LAYERS.indexOf(posix.dirname(path));
    if (from < 0 && !isType) wrong.push(`${posix.dirname(path)} has no layer`);
    for (const specifier of importsOf(path, text)) {
      const targets =
        ALIASES.get(specifier) ??
        (specifier.startsWith(".")
          ? [posix.join(posix.dirname(path), specifier.split("?")[0])]
          : []);
      for (const target of targets) {
        const to = LAYERS.indexOf(posix.dirname(target));
        if (isType !== target.startsWith(`${TYPES}/`))
          wrong.push(`${path} imports ${target}: declarations import declarations`);
        else if (to > from) wrong.push(`${path} imports ${target}, which is above it`);
      }
    }
  }
  return wrong;
}

const files = filesIn();

test("each file of js/ imports from its own layer and lower ones", () => {
  assert.deepEqual(violations(files.map((path) => [path, textOf(path)])), []);
});

test("an import from above, a dynamic one, one in a declaration and a folder without a layer are found", () => {
  const planted = [
    ["base/errors.js", 'import { Run } from "../run/run.js";'],
    ["events/open.js", 'export const open = () => import("../graph/compiled.js");'],
    ["types/index.d.ts", 'export type Run = import("../run/run.js").Run;'],
    ["engine/engine.js", 'export * from "../log/reader.js";'],
    ["misc/helper.js", ""],
  ];
  assert.deepEqual(violations(planted), [
    "base/errors.js imports run/run.js, which is above it",
    "events/open.js imports graph/compiled.js, which is above it",
    "types/index.d.ts imports run/run.js: declarations import declarations",
    "engine/engine.js imports log/reader.js, which is above it",
    "misc has no layer",
  ]);
});

test("every layer is a folder of js/", () => {
  const folders = new Set(files.map((path) => posix.dirname(path)));
  assert.deepEqual(
    LAYERS.filter((layer) => !folders.has(layer) && !BUILT.includes(layer)),
    [],
  );
});

/** Reads or writes the memory of an engine: its views, or the memory itself. */
const MEMORY = /\.(u8|u32)\b|\bmemory\.buffer\b/;

test("only js/engine reads and writes the engine's memory", () => {
  const outside = files.filter((path) => path.endsWith(".js") && !path.startsWith("engine/"));
  assert.deepEqual(
    outside.filter((path) => MEMORY.test(textOf(path))),
    [],
  );
  assert.match("return engine.u8.subarray(at, at + 16);", MEMORY);
  assert.match("new Uint8Array(exports.memory.buffer, at)", MEMORY);
});

test("modules have 15 to 400 lines, folders at most 20 modules", () => {
  const modules = files.filter((path) => path.endsWith(".js"));
  const named = [
    ...readFileSync(join(top, "package.json"), "utf8").matchAll(/\.\/js\/([\w./-]+\.js)/g),
  ].map(([, path]) => path);
  const lazy = modules.flatMap((path) =>
    parse(textOf(path), path)[0].flatMap(({ specifier, type }) =>
      type === "dynamic" && specifier?.startsWith(".")
        ? [posix.join(posix.dirname(path), specifier)]
        : [],
    ),
  );
  // Entries, what an import() loads, and constants may be short.
  const mayBeShort = (path) =>
    named.includes(path) || lazy.includes(path) || /(index|constants|limits|lazy)\.js$/.test(path);
  const lines = new Map(modules.map((path) => [path, textOf(path).split("\n").length - 1]));
  assert.deepEqual(
    [...lines].filter(
      ([path, count]) => count > MOST_LINES || (count < LEAST_LINES && !mayBeShort(path)),
    ),
    [],
  );
  const folders = new Map();
  for (const path of modules)
    folders.set(posix.dirname(path), (folders.get(posix.dirname(path)) ?? 0) + 1);
  assert.deepEqual(
    [...folders].filter(([, count]) => count > MOST_MODULES),
    [],
  );
});

/** What is imported later, by feature: docs/decisions/008 says why of each. */
const LAZY = {
  "agent/response-format.js": { responseFormat: "../models/structured-answer.js" },
  "callbacks/environment.js": { tracing: "MODULE" },
  "events/lazy-views.js": { "the stream of events": "./event-views.js" },
  "mcp/client.js": { "arguments in headers": "./parameter-headers.js" },
  "mcp/connect.js": { "older servers": "./legacy-era.js" },
  "mcp/exchange.js": { authorization: "./challenge.js" },
  "models/gemini/gemini.js": {
    "arguments in pieces": "./partial-args.js",
    citations: "./citations.js",
  },
  "savers/lazy-methods.js": {
    "reading, writing and maintaining threads beside runs": "./methods.js",
  },
  "server/tabs/lazy-tabs.js": { "servers of several tabs": "./tabs.js" },
};
/** Lazy parts that a page with an agent may have. */
const MOST_LAZY = 5;
const PART =
  /new LazyModule\(\s*"([^"]+)",\s*\(\) => import\((?:\/\*.*?\*\/|\s)*(?:"([^"]+)"|(\w+))\)/g;

/**
 * The lazy parts of a module, by feature.
 * @param {string} text
 * @returns {Record<string, string>}
 */
const partsIn = (text) =>
  Object.fromEntries(
    [...text.matchAll(PART)].map(([, name, path, constant]) => [name, path ?? constant]),
  );
/** How many import() a module has. @param {string} path @param {string} text */
const dynamicIn = (path, text) =>
  parse(text, path)[0].filter(({ type }) => type === "dynamic").length;

test("what is imported later is what the decision lists: nothing is added unseen", () => {
  // The command line, in Node alone, imports the user's own files and what its commands need.
  const modules = files.filter((path) => path.endsWith(".js") && !path.startsWith("cli/"));
  const found = {};
  for (const path of modules.toSorted()) {
    // js/base/lazy.js calls what it is given.
    const parts = partsIn(textOf(path));
    assert.equal(dynamicIn(path, textOf(path)), Object.keys(parts).length, path);
    if (Object.keys(parts).length > 0) found[path] = parts;
  }
  assert.deepEqual(found, LAZY);
  const page = readFileSync(join(top, "docs/decisions/008-what-is-imported-lazily.md"), "utf8");
  const listed = [...page.matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name);
  assert.deepEqual(
    listed.filter((name) => !/^(part|-+)$/.test(name)).toSorted(),
    Object.values(LAZY).flatMap(Object.keys).toSorted(),
  );
  const planted = 'const A = new LazyModule("a", () => import("./a.js")); await import("./b.js");';
  assert.deepEqual(partsIn(planted), { a: "./a.js" });
  assert.equal(dynamicIn("a.js", planted), 2);
});

test("a page with an agent has at most five lazy parts", () => {
  const reached = new Set(["index.js", "prebuilt/index.js"]);
  for (const path of reached)
    for (const { specifier, type } of parse(textOf(path), path)[0]) {
      if (type !== "static") continue;
      // Of several targets the last is the one for browsers.
      const target =
        ALIASES.get(specifier)?.at(-1) ?? posix.join(posix.dirname(path), specifier ?? "");
      if (!target.startsWith("engine/generated/")) reached.add(target);
    }
  const lazy = [...reached].filter((path) => path in LAZY).toSorted();
  assert.deepEqual(lazy, [
    "callbacks/environment.js",
    "events/lazy-views.js",
    "savers/lazy-methods.js",
  ]);
  assert.ok(lazy.flatMap((path) => Object.keys(LAZY[path])).length <= MOST_LAZY);
});
