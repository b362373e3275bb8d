// SPDX-License-Identifier: MIT
// The layers (docs/architecture.md): a file of src/ includes and calls what stands in its own layer
// and in lower ones, files form no cycle, neither of includes nor of calls (which are read from the
// symbols of the objects); the engine's objects take nothing from outside but memory functions and
// arithmetic, keep no global state and call no cJSON function that the reliability rules ban (G6).
// JavaScript modules form no cycle either.
import { test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { init, parse } from "es-module-lexer";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const objects = resolve(top, process.env.WEFT_PLAIN_OBJECTS ?? "build/plain");

// From below. A folder under src/, or "engine" for src/engine.c and src/weft.h.
const LAYERS = [
  "base",
  "value",
  "log",
  "schema",
  "channel",
  "graph",
  "sched",
  "run/state",
  "run/host",
  "run/record",
  "run/restore",
  "run/task",
  "run/machine",
  "prebuilt",
  "engine",
];
const STORE_LAYERS = LAYERS.slice(0, LAYERS.indexOf("log") + 1);
const PURE_HEADERS = [
  "float",
  "limits",
  "math",
  "stdalign",
  "stdbool",
  "stddef",
  "stdint",
  "stdnoreturn",
  "string",
];
const OUTSIDE =
  /^(mem(cpy|move|set|cmp|chr)|str(len|cmp|ncmp|chr)|floor|ceil|trunc|fabs|fmod|ldexp|frexp|__stack_chk_fail|__tls_get_addr|_GLOBAL_OFFSET_TABLE_)$/;
/** Keep something of the thread: what it parses, what it has computed. */
const THREADS = ["src/value/document.c", "src/base/hash_crc.c"];
const CJSON_ALLOWED =
  /^cJSON_(ParseWithLengthOpts|GetObjectItemCaseSensitive|Is\w+|Create\w+|AddItem\w+|Delete|InitHooks)$/;

function listFiles(folder, extension) {
  const full = join(top, folder);
  if (!existsSync(full)) return [];
  return readdirSync(full, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules") return [];
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(path, extension);
    return extension.test(entry.name) ? [path] : [];
  });
}

/** The #include lines of a C file, comments left out: [name, quoted?]. */
function readIncludes(path) {
  const text = readFileSync(join(top, path), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "");
  return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)/gm)].map(
    ([, quoted, angled]) => ({
      name: quoted ?? angled,
      quoted: quoted !== undefined,
    }),
  );
}

/** The repository's file behind a quoted include, or undefined. */
function findHeader(from, name) {
  const candidates = [posix.join(posix.dirname(from), name), posix.join("src", name)];
  return candidates.find((path) => existsSync(join(top, path)));
}

function layerOf(path) {
  const folder = posix.dirname(path);
  return folder === "src"
    ? "engine"
    : folder.startsWith("src/")
      ? folder.slice("src/".length)
      : undefined;
}

/** The first cycle of a graph (Map: node -> nodes), as a list of nodes, or undefined. */
function findCycle(edges) {
  const done = new Set();
  const trail = [];
  const visit = (node) => {
    if (done.has(node)) return undefined;
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    trail.push(node);
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    trail.pop();
    done.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const cycle = visit(node);
    if (cycle) return cycle;
  }
  return undefined;
}

const cFiles = listFiles("src", /\.(c|h|def)$/);

test("cycles are found", () => {
  assert.deepEqual(
    findCycle(
      new Map([
        ["a", ["b"]],
        ["b", ["c"]],
        ["c", ["b"]],
      ]),
    ),
    ["b", "c", "b"],
  );
  assert.equal(
    findCycle(
      new Map([
        ["a", ["b", "c"]],
        ["b", ["c"]],
        ["c", []],
      ]),
    ),
    undefined,
  );
});

test("every folder of src is a layer", () => {
  const unknown = cFiles.filter((path) => !LAYERS.includes(layerOf(path)));
  assert.deepEqual(unknown, []);
  assert.deepEqual(
    LAYERS.filter((layer) => !cFiles.some((path) => layerOf(path) === layer)),
    [],
  );
});

test("no C file includes a higher layer or an impure header", () => {
  const wrong = [];
  for (const path of cFiles) {
    for (const { name, quoted } of readIncludes(path)) {
      if (!quoted) {
        const pure = PURE_HEADERS.includes(name.replace(/\.h$/, "")) || name === "cJSON.h";
        if (!pure) wrong.push(`${path} includes <${name}>`);
        continue;
      }
      if (name === "cJSON.h") continue;
      const target = findHeader(path, name);
      if (!target) wrong.push(`${path} includes "${name}", which does not exist`);
      else if (!(LAYERS.indexOf(layerOf(target)) <= LAYERS.indexOf(layerOf(path)))) {
        wrong.push(
          `${path} (${layerOf(path)}) includes ${target} (${layerOf(target) ?? "outside src"})`,
        );
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test("the border knows weft.h only, the IDBFS store the log and what is below it", () => {
  const wrong = [];
  for (const path of listFiles("wasm", /\.[ch]$/)) {
    const isStore = path.startsWith("wasm/idbfs/");
    for (const { name, quoted } of readIncludes(path)) {
      if (!quoted || name === "cJSON.h") continue;
      const target = findHeader(path, name);
      const own = target && posix.dirname(target) === posix.dirname(path);
      const allowed = isStore
        ? STORE_LAYERS.includes(layerOf(target ?? ""))
        : target === "src/weft.h";
      if (!own && !allowed) wrong.push(`${path} includes "${name}"`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("includes of C files form no cycle", () => {
  const unit = (path) => path.replace(/\.[a-z]+$/, "");
  const edges = new Map();
  for (const path of cFiles) {
    const targets = readIncludes(path)
      .map(({ name, quoted }) => quoted && findHeader(path, name))
      .filter((target) => target && unit(target) !== unit(path))
      .map(unit);
    edges.set(unit(path), [...(edges.get(unit(path)) ?? []), ...targets]);
  }
  assert.equal(findCycle(edges), undefined);
});

/** The symbols of one object: [{ name, kind (nm's letter), isThreadLocal }]. */
function readSymbols(path) {
  const text = execFileSync("nm", ["-f", "sysv", path], { encoding: "utf8" });
  return text
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter((cells) => cells.length === 7 && cells[2].length === 1)
    .map(([name, , kind, type]) => ({
      name: name.replace(/@.*/, ""),
      kind,
      isThreadLocal: type === "TLS",
    }));
}

const sources = cFiles.filter((path) => path.endsWith(".c"));
const isOutside = ({ kind }) => kind === "U";
// Upper case: seen by other files.
const isShared = ({ kind }) => kind !== "U" && kind === kind.toUpperCase();
let cache;

/** [{ source, list }]: the symbols of the object of each source. */
function readAllSymbols() {
  if (cache) return cache;
  const paths = sources.map((path) => [path, join(objects, path.replace(/\.c$/, ".o"))]);
  assert.deepEqual(
    paths.filter(([, object]) => !existsSync(object)),
    [],
    "make builds the objects before this test",
  );
  cache = paths.map(([source, object]) => ({ source, list: readSymbols(object) }));
  return cache;
}

/**
 * Who calls what: [{ from, to, name }], from the symbols of files; a function's own file is no
 * call.
 */
function findCalls(symbols) {
  const home = new Map(
    symbols.flatMap(({ source, list }) => list.filter(isShared).map(({ name }) => [name, source])),
  );
  return symbols.flatMap(({ source, list }) =>
    list
      .filter((symbol) => isOutside(symbol) && home.has(symbol.name))
      .map(({ name }) => ({ from: source, to: home.get(name), name })),
  );
}

/** The first cycle of calls as text, or undefined. */
function findCallCycle(calls) {
  const edges = new Map();
  for (const { from, to } of calls) edges.set(from, [...(edges.get(from) ?? []), to]);
  const cycle = findCycle(edges);
  return cycle
    ?.slice(1)
    .map(
      (to, i) =>
        `${cycle[i]} calls ${calls.find((call) => call.from === cycle[i] && call.to === to).name} of ${to}`,
    );
}

const findUpwardCalls = (calls) =>
  calls
    .filter(({ from, to }) => LAYERS.indexOf(layerOf(to)) > LAYERS.indexOf(layerOf(from)))
    .map(({ from, to, name }) => `${from} calls ${name} of ${to}, a higher layer`);

test("a file calls its own layer and lower ones", () => {
  const calls = findCalls(readAllSymbols());
  assert.ok(calls.length > 500, `${calls.length} calls were read`);
  assert.deepEqual(findUpwardCalls(calls), []);
});

test("calls between C files form no cycle", (t) => {
  const calls = findCalls(readAllSymbols());
  assert.equal(findCallCycle(calls), undefined);
  t.diagnostic(`${calls.length} calls between ${sources.length} files`);
});

test("a planted call upwards and a planted cycle are found", () => {
  const symbols = readAllSymbols();
  const plant = (source, name) =>
    symbols.map((file) =>
      file.source === source ? { ...file, list: [...file.list, { name, kind: "U" }] } : file,
    );
  const upwards = findCalls(plant("src/run/record/record.c", "weft_drive"));
  assert.deepEqual(findUpwardCalls(upwards), [
    "src/run/record/record.c calls weft_drive of src/run/machine/drive.c, a higher layer",
  ]);
  // In the same layer it is a cycle: the driver calls the step.
  const cyclic = findCalls(plant("src/run/machine/step.c", "weft_drive"));
  assert.deepEqual(findUpwardCalls(cyclic), []);
  assert.ok(
    findCallCycle(cyclic)?.includes(
      "src/run/machine/step.c calls weft_drive of src/run/machine/drive.c",
    ),
  );
});

test("the engine's objects are pure", (t) => {
  const symbols = readAllSymbols();
  const defined = new Set(
    symbols.flatMap(({ list }) => list.filter(({ kind }) => kind !== "U").map(({ name }) => name)),
  );
  assert.ok(defined.size > 0);
  const foreign = [];
  const state = [];
  for (const { source, list } of symbols) {
    for (const { name, kind, isThreadLocal } of list) {
      if (kind === "U" && !defined.has(name)) {
        const allowed = name.startsWith("cJSON_") ? CJSON_ALLOWED.test(name) : OUTSIDE.test(name);
        if (!allowed) foreign.push(`${source} calls ${name}`);
      }
      const isOfThread = isThreadLocal && THREADS.includes(source);
      if (/[dDbBCsS]/.test(kind) && !isOfThread) state.push(`${source} keeps ${name}`);
    }
  }
  const reason =
    "memory only through weft_memory; no stdio, clock, chance, abort, banned cJSON, global state";
  assert.deepEqual([...foreign, ...state], [], reason);
  t.diagnostic(`${symbols.length} objects`);
});

await init;

/** The modules that a JavaScript file names, static and dynamic; null stands for a computed one. */
function readImports(path) {
  const [imports] = parse(readFileSync(join(top, path), "utf8"), path);
  return imports.filter(({ type }) => type !== "import-meta").map(({ specifier }) => specifier);
}

const manifest = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const jsFiles = listFiles("js", /\.m?js$/).filter(
  (path) => !/\/((engine|idbfs)-text|engine-base64|idbfs-glue)\.js$|^js\/node\//.test(path),
);

/** The files that conditions lead to. */
const pathsOf = (target) =>
  typeof target === "string" ? [target.slice(2)] : Object.values(target).flatMap(pathsOf);

/** The package's files behind a specifier, or undefined for a foreign one. */
function findModules(from, specifier) {
  if (specifier in manifest.imports) return pathsOf(manifest.imports[specifier]);
  return /^\.\.?\//.test(specifier) ? [posix.join(posix.dirname(from), specifier)] : undefined;
}

/**
 * zod belongs to the user: only the entry that changes its classes imports it, and it need not be
 * installed.
 */
function isOptionalPeer(path, specifier) {
  const name = specifier.split("/")[0];
  return (
    path.startsWith("js/zod/") &&
    name === "zod" &&
    manifest.peerDependenciesMeta[name]?.optional === true
  );
}

/**
 * Where a name is computed. Bundlers look for those that they can read, and @langchain/core need
 * not be installed; the command imports its user's graphs, with the copy of the package that these
 * have.
 */
const COMPUTED = ["js/callbacks/environment.js", "js/cli/graphs.js", "js/cli/main.js"];
/** A program beside the package: it imports entries by their names, as its user's graphs do. */
const COMMAND = /^js\/cli\/.* weftgraph(\/|$)/;

test("the package imports only itself, by names that can be read", () => {
  const wrong = [];
  for (const path of jsFiles) {
    for (const specifier of readImports(path)) {
      if (specifier === undefined && COMPUTED.includes(path)) continue;
      if (COMMAND.test(`${path} ${specifier}`)) continue;
      const targets = specifier == null ? undefined : findModules(path, specifier);
      if (specifier == null) wrong.push(`${path} imports a computed name`);
      else if (!targets && !specifier.startsWith("node:") && !isOptionalPeer(path, specifier))
        wrong.push(`${path} imports ${specifier}`);
      else if (targets?.some((target) => !target.startsWith("js/")))
        wrong.push(`${path} imports ${specifier}, outside js/`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.equal(manifest.dependencies, undefined, "the package has no run-time dependency");
  assert.deepEqual(
    Object.keys(manifest.peerDependencies).filter(
      (name) => manifest.peerDependenciesMeta[name]?.optional !== true,
    ),
    [],
  );
  const users = jsFiles.filter(
    (path) =>
      !path.startsWith("js/zod/") &&
      readImports(path).some(
        (specifier) =>
          specifier?.includes("/zod/plugin.js") || specifier?.includes("/zod/index.js"),
      ),
  );
  assert.deepEqual(users, [], "only who imports weftgraph/zod needs zod");
});

test("modules form no cycle", () => {
  const edges = new Map(
    jsFiles.map((path) => [
      path,
      readImports(path).flatMap((specifier) => (specifier && findModules(path, specifier)) || []),
    ]),
  );
  assert.equal(findCycle(edges), undefined);
});

test("what browsers and workers load reaches no node: module", () => {
  const entries = Object.entries(manifest.exports)
    .filter(([name, target]) => typeof target === "object" && name !== "./savers/file")
    .map(([, target]) => target.default.slice(2));
  const reached = new Map();
  const visit = (path, trail) => {
    if (reached.has(path) || !existsSync(join(top, path)) || !/\.m?js$/.test(path)) return;
    if (`./${path}` === manifest.imports["#load"].node) return;
    reached.set(path, trail);
    for (const specifier of readImports(path)) {
      assert.ok(
        !specifier?.startsWith("node:"),
        `${[...trail, path].join(" > ")} imports ${specifier}`,
      );
      for (const target of (specifier && findModules(path, specifier)) || [])
        visit(target, [...trail, path]);
    }
  };
  for (const entry of entries) visit(entry, []);
});

test("demo and examples use the package's public entries only", () => {
  const wrong = [];
  for (const folder of ["web-demo", "examples"]) {
    for (const path of listFiles(folder, /\.m?js$/)) {
      for (const specifier of readImports(path)) {
        if (specifier === null || !/^\.\.?\//.test(specifier)) continue;
        const target = posix.join(posix.dirname(path), specifier);
        if (!target.startsWith(`${folder}/`)) wrong.push(`${path} imports ${specifier}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});
