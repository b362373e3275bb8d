// SPDX-License-Identifier: MIT
// Serves: one instance per realm, made at its first use; init() takes a module, bytes or a
// Response; an engine of other tables is refused; the memory limit is an error of its own and the
// next call starts afresh; the clock only rises.
// Own process: replaces the engine and the clock.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { build } from "esbuild";
import { ABI_HASH } from "../../js/base/codes.js";
import { Engine } from "../../js/engine/engine.js";
import { loadEngine as inline } from "../../js/engine/load/load-inline.js";
import { loadEngine as plain } from "../../js/engine/load/load-node.js";
import { getEngine, init } from "../../js/engine/instance.js";
import { SmallGraph } from "./small-graph.mjs";

const bytes = readFileSync(new URL("../../js/engine/generated/engine.wasm", import.meta.url));
const one = () =>
  new SmallGraph({
    channels: { x: "last" },
    nodes: { a: ({ x }) => ({ x: x + 1 }) },
    edges: [["__start__", "a"]],
  });

const fresh = (limit) => new Engine(new WebAssembly.Instance(new WebAssembly.Module(bytes)), limit);

test("both texts in JavaScript are engine.wasm, which imports nothing", () => {
  for (const loaded of [inline(), plain()]) assert.ok(bytes.equals(loaded));
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes)), []);
  assert.equal(fresh(1 << 24).x.weft_abi() >>> 0, ABI_HASH);
});

test("what carries a module in JavaScript is plain ASCII, without what a page or a string would escape", () => {
  for (const name of ["engine-text", "idbfs-text", "engine-base64"]) {
    const text = readFileSync(
      new URL(`../../js/engine/generated/${name}.js`, import.meta.url),
      "latin1",
    );
    assert.match(/export default "(.*)";\n$/.exec(text)[1], /^[ -~]+$/);
    assert.doesNotMatch(/export default "(.*)";\n$/.exec(text)[1], /["\\`$<]/);
  }
});

test("init takes a module, bytes, a Response or a promise of one; graphs and threads go on in the new engine", async () => {
  const graph = one();
  assert.deepEqual(await graph.invoke({ x: 1 }), { x: 2 });
  const response = () => new Response(bytes, { headers: { "content-type": "application/wasm" } });
  for (const input of [
    new WebAssembly.Module(bytes),
    bytes,
    response(),
    Promise.resolve(response()),
  ]) {
    const before = getEngine();
    await init(input);
    assert.notEqual(getEngine(), before);
    assert.equal(getEngine(), getEngine());
    assert.deepEqual(await graph.invoke({ x: 2 }), { x: 3 });
  }
  await assert.rejects(init(new Response("gone", { status: 404 })), {
    code: "ENGINE_NOT_READY",
    message: /404/,
  });
  await assert.rejects(
    init(new Uint8Array([1, 2, 3])),
    ({ code, cause, message }) =>
      code === "ENGINE_NOT_READY" &&
      cause instanceof WebAssembly.CompileError &&
      message === "The engine's bytes are damaged",
  );
});

test("an engine of other tables is refused, and the one before stays", async () => {
  const name = (text) => [text.length, ...Buffer.from(text)];
  const section = (id, ...content) => [id, content.length, ...content];
  const other = new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 2, 0x60, 0, 0, 0x60, 0, 1, 0x7f),
    ...section(3, 2, 0, 1),
    ...section(5, 1, 0, 1),
    ...section(
      7,
      3,
      ...name("memory"),
      2,
      0,
      ...name("_initialize"),
      0,
      0,
      ...name("weft_abi"),
      0,
      1,
    ),
    ...section(10, 2, 2, 0, 0x0b, 4, 0, 0x41, 7, 0x0b),
  ]);
  const before = getEngine();
  await assert.rejects(init(other, { memoryLimit: 1 }), {
    code: "ABI_MISMATCH",
    message: `The engine 7 is not of this version ${ABI_HASH}.`,
  });
  await assert.rejects(init(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])), {
    code: "ENGINE_NOT_READY",
  });
  assert.equal(getEngine(), before);
});

test("the memory limit ends the run with its own code, the next call starts afresh", async () => {
  await init(bytes, { memoryLimit: 400_000 });
  const many = new SmallGraph({
    channels: { out: { kind: "binop", reducer: (a) => a, makeDefault: () => 0 } },
    nodes: { split: () => ({}), work: () => ({ out: 1 }) },
    edges: [["__start__", "split"]],
    branches: [{ from: "split", choose: () => Array.from({ length: 20_000 }, () => ["work", {}]) }],
  });
  await assert.rejects(many.invoke({ out: 0 }), { code: "MEMORY_LIMIT", message: /400000 bytes/ });
  assert.deepEqual(await one().invoke({ x: 1 }), { x: 2 });
  await init(bytes, { memoryLimit: 1 << 28 });
  assert.deepEqual(await many.invoke({ out: 5 }), { out: 0 });
});

test("the clock of ticks rises with every feed, whatever the system's clock does", () => {
  const engine = fresh(0);
  const { now } = Date;
  const seen = [];
  try {
    for (const ms of [
      1e12,
      1e12,
      999999999000,
      1e12 + 1,
      1e12 + 1,
      65536 * 20000000 - 1,
      65536 * 20000000,
    ]) {
      Date.now = () => ms;
      engine.tick(engine.batch.u32);
      seen.push(BigInt(engine.batch.u32[2]) * 4294967296n + BigInt(engine.batch.u32[1]));
      engine.ticks += ms === 1e12 ? 9999 : 3;
    }
  } finally {
    Date.now = now;
  }
  assert.equal(seen[0], 10n ** 16n);
  for (let i = 1; i < seen.length; i++)
    assert.ok(seen[i] > seen[i - 1], `${seen[i]} after ${seen[i - 1]}`);
  assert.equal(seen.at(-1), 65536n * 20000000n * 10000n);
});

/**
 * Browsers that compile nothing larger than 4 KiB on their main thread unless it is asynchronous:
 * Chromium before 114.
 */
const refusing = `
  const { Module, Instance } = WebAssembly;
  const refuse = (name, Old) => new Proxy(Old, { construct(Old, [source, imports]) {
    if (!(source instanceof Module) && source.byteLength <= 4096) return new Old(source, imports);
    throw new RangeError("WebAssembly." + name + " is disallowed on the main thread, if the buffer size is larger than 4KB.");
  } });
  WebAssembly.Module = refuse("Module", Module);
  WebAssembly.Instance = refuse("Instance", Instance);
  const { StateGraph, Annotation, init } = await import("weftgraph");
  const compile = () => new StateGraph(Annotation.Root({ n: Annotation() })).addNode("a", ({ n }) => ({ n: n + 1 })).addEdge("__start__", "a").compile();
  const refused = await (async () => compile().invoke({ n: 1 }))().catch((error) => [error.code, error.message.includes("await init()"), error.cause.name]);
  await init();
  console.log(JSON.stringify([refused, await compile().invoke({ n: 1 })]));`;

test("where the main thread refuses to compile, the error names init(), which needs no argument", async () => {
  const page = await build({
    stdin: { contents: refusing, resolveDir: import.meta.dirname },
    bundle: true,
    format: "esm",
    platform: "browser",
    conditions: ["browser"],
    write: false,
    external: ["node:*"],
    logLevel: "error",
  });
  for (const program of [refusing, page.outputFiles[0].text]) {
    const text = execFileSync(process.execPath, ["--input-type=module"], {
      input: program,
      encoding: "utf8",
    });
    assert.deepEqual(JSON.parse(text), [["ENGINE_NOT_READY", true, "RangeError"], { n: 2 }]);
  }
});
