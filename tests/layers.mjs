// SPDX-License-Identifier: MIT
// The order of the floors (docs/architecture.md): a file uses its own floor and lower ones, rooms and
// modules form no circles, the engine's objects take nothing from outside but memory functions and
// arithmetic, keep no global state and call no cJSON function that the reliability rules ban (G6).
import { test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { init, parse } from "es-module-lexer";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const objects = resolve(top, process.env.WEFT_PLAIN_OBJECTS ?? "build/plain");

// From the ground up. A folder under src/, or "engine" for src/engine.c and src/weft.h.
const FLOORS = ["base", "value", "log", "schema", "channel", "graph", "sched", "run", "prebuilt", "engine"];
const STORE_FLOORS = FLOORS.slice(0, FLOORS.indexOf("log") + 1);
const PURE_HEADERS = ["float", "limits", "math", "stdalign", "stdbool", "stddef", "stdint", "stdnoreturn", "string"];
const OUTSIDE = /^(mem(cpy|move|set|cmp|chr)|str(len|cmp|ncmp|chr)|floor|ceil|trunc|fabs|fmod|ldexp|frexp|__stack_chk_fail|__tls_get_addr|_GLOBAL_OFFSET_TABLE_)$/;
const CJSON_ALLOWED = /^cJSON_(ParseWithLengthOpts|GetObjectItemCaseSensitive|Is\w+|Create\w+|AddItem\w+|Delete|InitHooks)$/;

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
  return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)/gm)].map(([, quoted, angled]) => ({
    name: quoted ?? angled,
    quoted: quoted !== undefined,
  }));
}

/** The repository's file behind a quoted include, or undefined. */
function findHeader(from, name) {
  const candidates = [posix.join(posix.dirname(from), name), posix.join("src", name)];
  return candidates.find((path) => existsSync(join(top, path)));
}

function floorOf(path) {
  const [, room, file] = path.split("/");
  return path.startsWith("src/") ? (file === undefined ? "engine" : room) : undefined;
}

/** The first circle of a graph (Map: node -> nodes), as a list of nodes, or undefined. */
function findCircle(edges) {
  const done = new Set();
  const trail = [];
  const visit = (node) => {
    if (done.has(node)) return undefined;
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    trail.push(node);
    for (const next of edges.get(node) ?? []) {
      const circle = visit(next);
      if (circle) return circle;
    }
    trail.pop();
    done.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const circle = visit(node);
    if (circle) return circle;
  }
  return undefined;
}

const cFiles = listFiles("src", /\.(c|h|def)$/);

test("the circle finder finds circles", () => {
  assert.deepEqual(findCircle(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]])), ["b", "c", "b"]);
  assert.equal(findCircle(new Map([["a", ["b", "c"]], ["b", ["c"]], ["c", []]])), undefined);
});

test("every folder of src is a floor", () => {
  const unknown = cFiles.filter((path) => !FLOORS.includes(floorOf(path)));
  assert.deepEqual(unknown, []);
  assert.ok(cFiles.length > 0);
});

test("no C file includes a higher floor or an impure header", () => {
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
      else if (!(FLOORS.indexOf(floorOf(target)) <= FLOORS.indexOf(floorOf(path)))) {
        wrong.push(`${path} (${floorOf(path)}) includes ${target} (${floorOf(target) ?? "outside src"})`);
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
      const allowed = isStore ? STORE_FLOORS.includes(floorOf(target ?? "")) : target === "src/weft.h";
      if (!own && !allowed) wrong.push(`${path} includes "${name}"`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("C rooms form no circle", () => {
  const room = (path) => path.replace(/\.[a-z]+$/, "");
  const edges = new Map();
  for (const path of cFiles) {
    const targets = readIncludes(path)
      .map(({ name, quoted }) => quoted && findHeader(path, name))
      .filter((target) => target && room(target) !== room(path))
      .map(room);
    edges.set(room(path), [...(edges.get(room(path)) ?? []), ...targets]);
  }
  assert.equal(findCircle(edges), undefined);
});

/** The symbols of one object: [{ name, kind (nm's letter), isThreadLocal }]. */
function readSymbols(path) {
  const text = execFileSync("nm", ["-f", "sysv", path], { encoding: "utf8" });
  return text
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter((cells) => cells.length === 7 && cells[2].length === 1)
    .map(([name, , kind, type]) => ({ name: name.replace(/@.*/, ""), kind, isThreadLocal: type === "TLS" }));
}

test("the engine's objects are pure", (t) => {
  const sources = cFiles.filter((path) => path.endsWith(".c"));
  const paths = sources.map((path) => [path, join(objects, path.replace(/\.c$/, ".o"))]);
  const missing = paths.filter(([, object]) => !existsSync(object));
  assert.deepEqual(missing, [], "make builds the objects before this test");
  const symbols = paths.map(([source, object]) => ({ source, list: readSymbols(object) }));
  const defined = new Set(symbols.flatMap(({ list }) => list.filter(({ kind }) => kind !== "U").map(({ name }) => name)));
  assert.ok(defined.size > 0);
  const foreign = [];
  const state = [];
  for (const { source, list } of symbols) {
    for (const { name, kind, isThreadLocal } of list) {
      if (kind === "U" && !defined.has(name)) {
        const allowed = name.startsWith("cJSON_") ? CJSON_ALLOWED.test(name) : OUTSIDE.test(name);
        if (!allowed) foreign.push(`${source} calls ${name}`);
      }
      const threadParse = isThreadLocal && posix.dirname(source) === "src/value";
      if (/[dDbBCsS]/.test(kind) && !threadParse) state.push(`${source} keeps ${name}`);
    }
  }
  const reason = "memory only through weft_memory; no stdio, clock, chance, abort, banned cJSON, global state";
  assert.deepEqual([...foreign, ...state], [], reason);
  t.diagnostic(`${paths.length} objects`);
});

await init;

/** The modules that a JavaScript file names, static and dynamic; null stands for a computed one. */
function readImports(path) {
  const [imports] = parse(readFileSync(join(top, path), "utf8"), path);
  return imports.filter(({ type }) => type !== "import-meta").map(({ specifier }) => specifier);
}

const manifest = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const jsFiles = listFiles("js", /\.m?js$/).filter((path) => !/\/((engine|idbfs)-text|engine-base64|idbfs-glue)\.js$|^js\/node\//.test(path));

/** The package's files behind a specifier, or undefined for a foreign one. */
function findModules(from, specifier) {
  if (specifier in manifest.imports) return Object.values(manifest.imports[specifier]).map((path) => path.slice(2));
  return /^\.\.?\//.test(specifier) ? [posix.join(posix.dirname(from), specifier)] : undefined;
}

/** zod belongs to the user: only the entry that changes its classes imports it, and it need not be installed. */
function isOptionalPeer(path, specifier) {
  const name = specifier.split("/")[0];
  return path.startsWith("js/zod/") && name === "zod" && manifest.peerDependenciesMeta[name]?.optional === true;
}

/** The one name that is computed: bundlers look for those that they can read, and @langchain/core need not be installed. */
const COMPUTED = "js/callbacks/environment.js";

test("the package imports only itself, by names that can be read", () => {
  const wrong = [];
  for (const path of jsFiles) {
    for (const specifier of readImports(path)) {
      if (specifier === undefined && path === COMPUTED) continue;
      const targets = specifier == null ? undefined : findModules(path, specifier);
      if (specifier == null) wrong.push(`${path} imports a computed name`);
      else if (!targets && !specifier.startsWith("node:") && !isOptionalPeer(path, specifier)) wrong.push(`${path} imports ${specifier}`);
      else if (targets?.some((target) => !target.startsWith("js/"))) wrong.push(`${path} imports ${specifier}, outside js/`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.equal(manifest.dependencies, undefined, "the package has no run-time dependency");
  assert.deepEqual(Object.keys(manifest.peerDependencies).filter((name) => manifest.peerDependenciesMeta[name]?.optional !== true), []);
  const users = jsFiles.filter((path) => !path.startsWith("js/zod/") && readImports(path).some((specifier) => specifier?.includes("/zod/plugin.js") || specifier?.includes("/zod/index.js")));
  assert.deepEqual(users, [], "only who imports weftgraph/zod needs zod");
});

test("modules form no circle", () => {
  const edges = new Map(
    jsFiles.map((path) => [path, readImports(path).flatMap((specifier) => (specifier && findModules(path, specifier)) || [])]),
  );
  assert.equal(findCircle(edges), undefined);
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
      assert.ok(!specifier?.startsWith("node:"), `${[...trail, path].join(" > ")} imports ${specifier}`);
      for (const target of (specifier && findModules(path, specifier)) || []) visit(target, [...trail, path]);
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
