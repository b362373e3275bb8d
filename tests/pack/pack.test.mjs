// SPDX-License-Identifier: MIT
// The tarball as a user gets it: what is in it, that its manifest is sound (publint, attw), and
// that it runs an agent from an empty folder in Node, Deno, Bun, and through esbuild, Vite and
// workerd. Under WEFT_LONG also through the tools of tools.mjs, which come from npm's registry:
// make check-long PART=packaging.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build as esbuild } from "esbuild";
import { Miniflare } from "miniflare";
import { publint } from "publint";
import { build as vite } from "vite";
import { LONG } from "../proof/kit.mjs";
import { bundleWorker } from "../runtime/smoke-bundle.mjs";
import { TOOLS } from "./tools.mjs";

const top = join(dirname(fileURLToPath(import.meta.url)), "../..");
const bin = join(top, "node_modules/.bin");
const manifest = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const exported = Object.keys(manifest.exports).filter(
  (name) => typeof manifest.exports[name] === "object",
);
// "./zod" needs the user's zod, an optional peer that the empty folder does not have; the last test
// installs it.
const subpaths = exported.filter((name) => !name.startsWith("./zod"));
const anywhere = subpaths
  .filter((name) => name !== "./savers/file")
  .map((name) => `weftgraph${name.slice(1)}`);

// What tests/pack/app answers, in every runtime, from an engine that the runtime loaded itself.
const ANSWER = "place_order; 0; 1; The order is placed: 1 order: 3 x teapots.; true";

// What the examples answer of a thread that is not there yet.
const EMPTY_THREAD = { messages: [], next: [], approvals: [] };

let folder;
let tarball;
let packed;

function run(program, args, options = {}) {
  return execFileSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
  }).trim();
}

before(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-pack-"));
  const [report] = JSON.parse(
    run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: top }),
  );
  packed = report.files.map((file) => file.path);
  tarball = join(folder, report.filename);
  writeFileSync(
    join(folder, "package.json"),
    '{ "name": "empty", "private": true, "type": "module" }\n',
  );
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball]);
  cpSync(join(top, "tests/pack/app"), folder, { recursive: true });
});

after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test("the tarball holds the package and nothing else", () => {
  const strangers = packed.filter(
    (path) =>
      !exported.some((name) => path === `${name.slice(2)}/package.json`) &&
      !/^(js\/|docs\/|examples\/|tests\/bench\/results\.json$|LICENSE$|THIRD_PARTY_NOTICES$|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|package\.json$)/.test(
        path,
      ),
  );
  assert.deepEqual(strangers, []);
  const expected = [
    "LICENSE",
    "THIRD_PARTY_NOTICES",
    "README.md",
    "CHANGELOG.md",
    "js/engine/generated/engine.wasm",
    "js/engine/generated/engine-text.js",
    "js/engine/generated/engine-base64.js",
    "js/base/codes.js",
    "docs/guides/getting-started.md",
    "docs/pictures/studio.webp",
    "examples/agent/agent.ts",
  ];
  assert.deepEqual(
    expected.filter((path) => !packed.includes(path)),
    [],
  );
  assert.deepEqual(
    readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")),
    ["weftgraph"],
  );
});

test("packing refuses WebAssembly that does not belong to the sources", () => {
  const copy = join(folder, "stale");
  mkdirSync(join(copy, "tools"), { recursive: true });
  copyFileSync(join(top, "tools/check-fresh.mjs"), join(copy, "tools/check-fresh.mjs"));
  assert.throws(() => run(process.execPath, ["tools/check-fresh.mjs"], { cwd: copy }), /not built/);
  for (const name of [
    "engine/generated/engine.wasm",
    "engine/generated/engine-text.js",
    "engine/generated/engine-base64.js",
    "base/codes.js",
  ]) {
    mkdirSync(dirname(join(copy, "js", name)), { recursive: true });
    copyFileSync(join(top, "js", name), join(copy, "js", name));
  }
  mkdirSync(join(copy, "build"));
  run(process.execPath, ["tools/check-fresh.mjs", "--write"], { cwd: copy });
  run(process.execPath, ["tools/check-fresh.mjs"], { cwd: copy });
  mkdirSync(join(copy, "src"));
  writeFileSync(join(copy, "src/new.c"), "int x;\n");
  assert.throws(
    () => run(process.execPath, ["tools/check-fresh.mjs"], { cwd: copy }),
    /does not belong/,
  );
});

test("for bundlers that do not read exports each sub-path is a folder that names the same files, and the engine is a file", () => {
  const installed = join(folder, "node_modules/weftgraph");
  for (const name of exported.filter((one) => one !== ".")) {
    const at = join(installed, name);
    const { module, types } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
    assert.deepEqual(
      [join(at, module), join(at, types)],
      ["default", "types"].map((key) => join(installed, manifest.exports[name][key])),
      name,
    );
  }
  for (const [from, to] of Object.entries(manifest.alias))
    assert.ok(existsSync(join(installed, from)) && existsSync(join(installed, to)));
  assert.deepEqual(
    readdirSync(join(top, "tools")).filter((name) => name === "package.json"),
    [],
    "they are there only while npm packs",
  );
});

test("publint finds nothing", async () => {
  const { messages } = await publint({
    pkgDir: join(folder, "node_modules/weftgraph"),
    pack: false,
    strict: true,
  });
  assert.deepEqual(
    messages.map(({ code, path }) => `${code} ${path?.join(".")}`),
    [],
  );
});

test("attw finds no wrong types, for ES modules and for CommonJS", () => {
  const report = join(folder, "attw.json");
  const file = openSync(report, "w");
  // It exits with 1 where it finds something, before a pipe has all that it says.
  const { stderr, error } = spawnSync(
    join(bin, "attw"),
    [tarball, "--format", "json", "--exclude-entrypoints", "engine.wasm"],
    { cwd: folder, stdio: ["ignore", file, "pipe"], encoding: "utf8" },
  );
  closeSync(file);
  assert.ifError(error);
  const text = readFileSync(report, "utf8");
  assert.ok(text.startsWith("{"), `${text}${stderr}`);
  const { types, problems } = JSON.parse(text).analysis;
  assert.equal(types.kind, "included");
  const isForRequire = (name) => manifest.exports[name].require !== undefined;
  assert.deepEqual(
    problems.filter(
      ({ entrypoint, resolutionKind }) =>
        resolutionKind !== "node10" &&
        (resolutionKind !== "node16-cjs" || isForRequire(entrypoint)),
    ),
    [],
  );
});

test("Node requires every sub-path that is for it, as one package", () => {
  const names = JSON.stringify(
    subpaths
      .filter((name) => manifest.exports[name].require !== undefined)
      .map((name) => `weftgraph${name.slice(1)}`),
  );
  const program = `const all = ${names}.map((name) => Object.keys(require(name)).length > 0);
const { AIMessage, Annotation, END, START, StateGraph, ToolMessage } = require("weftgraph");
const { ToolNode } = require("weftgraph/prebuilt");
const { tool } = require("weftgraph/tools");
const double = tool(({ a }) => String(a * 2), { name: "double", description: "", schema: { type: "object", properties: { a: { type: "number" } } } });
const State = Annotation.Root({ messages: Annotation({ reducer: (left, right) => left.concat(right) }) });
const graph = new StateGraph(State).addNode("tools", new ToolNode([double])).addEdge(START, "tools").addEdge("tools", END).compile();
const call = new AIMessage({ content: "", tool_calls: [{ id: "c", name: "double", args: { a: 21 }, type: "tool_call" }] });
graph.invoke({ messages: [call] }).then(({ messages }) => console.log(all.every(Boolean), messages[1] instanceof ToolMessage, messages[1].content));
`;
  writeFileSync(join(folder, "required.cjs"), program);
  assert.equal(
    run(process.execPath, ["--no-experimental-require-module", "required.cjs"]),
    "true true 42",
  );
});

test("Node imports every sub-path: what the sources export, by the same names, as one package in few files", async () => {
  const program = `const shown = {};
for (const name of ${JSON.stringify(subpaths)}) shown[name] = Object.entries(await import("weftgraph" + name.slice(1))).map(([key, value]) => [key, value?.name ?? null]);
const { MemorySaver } = await import("weftgraph");
console.log(JSON.stringify({ shown, isOne: MemorySaver === (await import("weftgraph/savers/memory")).MemorySaver }));
`;
  writeFileSync(join(folder, "all.mjs"), program);
  const { shown, isOne } = JSON.parse(run(process.execPath, ["all.mjs"]));
  assert.ok(isOne);
  for (const name of subpaths) {
    const source = await import(pathToFileURL(join(top, manifest.exports[name].default)).href);
    assert.deepEqual(
      shown[name],
      Object.entries(source).map(([key, value]) => [
        key,
        typeof value?.name === "string" ? value.name : null,
      ]),
      name,
    );
  }
  assert.equal(run(process.execPath, ["print.mjs"]), ANSWER);
  const files = (name) =>
    [
      ...readFileSync(join(folder, "node_modules/weftgraph/js/node", name), "utf8").matchAll(
        / from "\.\/(.*)";$/gm,
      ),
    ].map(([, path]) => path);
  assert.deepEqual(["index.js", "graphs.js", "prebuilt.js", "agents.js"].map(files), [
    ["graphs.js"],
    ["rolldown-runtime.js"],
    ["agents.js"],
    ["rolldown-runtime.js", "graphs.js"],
  ]);
  const isAscii = (name) =>
    /^[\x00-\x7f]*$/.test(
      readFileSync(join(folder, "node_modules/weftgraph/js/node", name), "utf8"),
    );
  assert.deepEqual(["graphs.js", "agents.js"].filter(isAscii), ["graphs.js", "agents.js"]);
});

test("its command serves a graph that imports it", async () => {
  const command = join(folder, "node_modules/.bin/weftgraph");
  assert.equal(run(command, ["--version"]), manifest.version);
  writeFileSync(
    join(folder, "graph.mjs"),
    `import { Annotation, START, StateGraph } from "weftgraph";
export const graph = new StateGraph(Annotation.Root({ count: Annotation() }))
  .addNode("add", ({ count }) => ({ count: count + 1 }))
  .addEdge(START, "add")
  .compile();
`,
  );
  const server = spawn(command, ["serve", "graph.mjs", "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let said = "";
    while (!/http:\S+\n/.test(said)) said += (await once(server.stdout, "data"))[0];
    const [origin] = /http:\S+/.exec(said);
    const answer = await fetch(`${origin}/runs/wait`, {
      method: "POST",
      body: JSON.stringify({ assistant_id: "graph", input: { count: 1 } }),
    });
    assert.deepEqual(await answer.json(), { count: 2 });
    server.kill("SIGTERM");
    assert.deepEqual(await once(server, "exit"), [0, null]);
  } finally {
    server.kill("SIGKILL");
  }
});

test("the checkout runs its sources, after packing too", () => {
  const read = (name) => readFileSync(join(top, "js/node", `${name}.js`), "utf8").split("\n")[1];
  assert.deepEqual(["index", "savers-memory"].map(read), [
    'export * from "../index.js";',
    'export * from "../savers/memory/saver.js";',
  ]);
});

test("Deno imports it", () => {
  assert.equal(
    run(join(bin, "deno"), [
      "run",
      "--node-modules-dir=manual",
      "--no-lock",
      "--cached-only",
      "print.mjs",
    ]),
    ANSWER,
  );
});

test("Bun imports it, and bundles it for itself and for browsers", () => {
  assert.equal(run(join(bin, "bun"), ["print.mjs"]), ANSWER);
  for (const [target, runtime] of [
    ["browser", process.execPath],
    ["bun", join(bin, "bun")],
  ]) {
    run(join(bin, "bun"), ["build", "print.mjs", "--target", target, "--outdir", `bun-${target}`]);
    assert.equal(run(runtime, [`bun-${target}/print.js`]), ANSWER, target);
  }
});

test("esbuild bundles it for browsers", async () => {
  const outfile = join(folder, "esbuild/out.mjs");
  await esbuild({
    entryPoints: [join(folder, "print.mjs")],
    bundle: true,
    format: "esm",
    platform: "browser",
    minify: true,
    outfile,
    logLevel: "silent",
  });
  assert.equal(run(process.execPath, [outfile]), ANSWER);
});

test("esbuild bundles every sub-path that is not Node's own", async () => {
  const contents = anywhere
    .map((name) => `export * as ${name.replace(/\W/g, "_")} from "${name}";`)
    .join("\n");
  const result = await esbuild({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  assert.deepEqual(
    result.warnings.map(({ text }) => text),
    [],
  );
});

test("Vite bundles it, as a page and for the server", async () => {
  const shared = { root: folder, configFile: false, logLevel: "silent" };
  // Vite's preloading needs a document, and this page is run in Node.
  const page = {
    outDir: "vite-page",
    target: "esnext",
    modulePreload: false,
    rollupOptions: {
      input: join(folder, "agent.mjs"),
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "out.mjs" },
    },
  };
  await vite({ ...shared, build: page });
  const { answer } = await import(pathToFileURL(join(folder, "vite-page/out.mjs")).href);
  assert.equal(await answer(), ANSWER);
  await vite({
    ...shared,
    ssr: { noExternal: true },
    build: {
      outDir: "vite-server",
      ssr: join(folder, "print.mjs"),
      rollupOptions: { output: { entryFileNames: "out.mjs" } },
    },
  });
  assert.equal(run(process.execPath, [join(folder, "vite-server/out.mjs")]), ANSWER);
});

test("workerd runs it, with the engine as a module and without nodejs_compat, where the condition node holds too", async () => {
  const outdir = join(folder, "worker");
  await esbuild({
    entryPoints: [join(folder, "worker.mjs")],
    bundle: true,
    format: "esm",
    platform: "neutral",
    outdir,
    logLevel: "silent",
    conditions: ["node", "workerd", "worker", "browser"],
    loader: { ".wasm": "copy" },
    assetNames: "[name]",
  });
  const wasm = join(outdir, "engine.wasm");
  assert.ok(existsSync(wasm), "the bundle imports engine.wasm as a module");
  const flare = new Miniflare({
    compatibilityDate: "2026-01-01",
    modules: [
      {
        type: "ESModule",
        path: "worker.js",
        contents: readFileSync(join(outdir, "worker.js"), "utf8"),
      },
      { type: "CompiledWasm", path: "engine.wasm", contents: readFileSync(wasm) },
    ],
  });
  try {
    const response = await flare.dispatchFetch("http://weft.test/");
    assert.equal(await response.text(), ANSWER);
  } finally {
    await flare.dispose();
  }
});

test("beside a zod of the user's, weftgraph/zod is imported, required and bundled", async () => {
  const program = `const all = z.object({ list: z.array(z.string()).langgraph.reducer((left, right) => left.concat(right)) });
const graph = new StateGraph(all).addNode("add", () => ({ list: ["b"] })).addEdge(START, "add").addEdge("add", END).compile();
graph.invoke({ list: ["a"] }).then(({ list }) => console.log(list.join()));
`;
  writeFileSync(
    join(folder, "zod.mjs"),
    `import { z } from "zod/v3";\nimport "weftgraph/zod";\nimport { END, START, StateGraph } from "weftgraph";\n${program}`,
  );
  writeFileSync(
    join(folder, "zod.cjs"),
    `const { z } = require("zod/v3");\nrequire("weftgraph/zod");\nconst { END, START, StateGraph } = require("weftgraph");\n${program}`,
  );
  assert.throws(() => run(process.execPath, ["zod.mjs"]), /Cannot find package 'zod'/);
  cpSync(join(top, "node_modules/zod"), join(folder, "node_modules/zod"), { recursive: true });
  assert.equal(run(process.execPath, ["zod.mjs"]), "a,b");
  assert.equal(run(process.execPath, ["--no-experimental-require-module", "zod.cjs"]), "a,b");
  for (const platform of ["browser", "node"]) {
    const outfile = join(folder, `esbuild/zod-${platform}.mjs`);
    await esbuild({
      entryPoints: [join(folder, "zod.mjs")],
      bundle: true,
      format: "esm",
      platform,
      outfile,
      logLevel: "silent",
    });
    assert.equal(run(process.execPath, [outfile]), "a,b", platform);
  }
});

test("links of the README and of the guides lead to files of the package", () => {
  const pages = packed.filter(
    (path) =>
      path === "README.md" || path === "CHANGELOG.md" || /^docs\/guides\/.*\.md$/.test(path),
  );
  assert.ok(pages.length > 20);
  const dead = pages.flatMap((page) => {
    const links = [
      ...readFileSync(join(top, page), "utf8").matchAll(/\]\((?!\w+:)([^)#\s]+)(?:#[^)]*)?\)/g),
    ].map(([, path]) => path);
    return links
      .filter((path) => !packed.includes(join(dirname(page), path)))
      .map((path) => `${page} -> ${path}`);
  });
  assert.deepEqual(dead, []);
});

test("the examples build and start where they were copied out of the package", {
  timeout: 300_000,
}, async () => {
  const copy = join(folder, "application");
  cpSync(join(folder, "node_modules/weftgraph/examples"), copy, { recursive: true });
  // As README.md says; wrangler, which is not at hand here, bundles as bundleWorker does.
  run("npm", ["pkg", "delete", "devDependencies"], { cwd: copy });
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: copy });
  const settings = JSON.parse(readFileSync(join(copy, "cloudflare/wrangler.jsonc"), "utf8"));
  const flare = new Miniflare({
    modules: await bundleWorker(join(copy, "cloudflare", settings.main)),
    compatibilityDate: settings.compatibility_date,
    durableObjects: { THREADS: { className: "AgentThread", useSQLite: true } },
  });
  try {
    assert.deepEqual(
      await (await flare.dispatchFetch("http://agent/threads/anna/state")).json(),
      EMPTY_THREAD,
    );
  } finally {
    await flare.dispose();
  }

  rmSync(join(copy, "deno/deno.json"));
  const denoEnv = { ...process.env, DENO_DIR: join(folder, "deno-cache"), NO_COLOR: "1" };
  run(join(bin, "deno"), ["check", "--unstable-kv", "--no-lock", "deno/main.ts"], {
    cwd: copy,
    env: denoEnv,
  });
  const env = { ...denoEnv, PORT: "0", KV_PATH: join(folder, "kv") };
  const server = spawn(
    join(bin, "deno"),
    [
      "run",
      "--unstable-kv",
      "--no-lock",
      "--allow-net",
      "--allow-env",
      "--allow-read",
      "--allow-write",
      "deno/main.ts",
    ],
    { cwd: copy, env, stdio: ["ignore", "pipe", "pipe"] },
  );
  try {
    let errors = "";
    server.stderr.on("data", (text) => (errors += text));
    const [line] = await Promise.race([
      once(server.stdout, "data"),
      once(server, "exit").then(() => assert.fail(errors)),
    ]);
    const answer = await fetch(
      `http://127.0.0.1:${/:(\d+)\//.exec(String(line))[1]}/threads/anna/state`,
    );
    assert.deepEqual(await answer.json(), EMPTY_THREAD);
  } finally {
    server.kill("SIGKILL");
  }
});

for (const [name, answers] of Object.entries(TOOLS)) {
  test(name, {
    timeout: 900_000,
    skip: LONG ? false : "slow: make check-long PART=packaging",
  }, async () => {
    for (const answer of await answers({ folder, tarball })) assert.equal(answer, ANSWER);
  });
}
