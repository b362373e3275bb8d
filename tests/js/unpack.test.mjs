// SPDX-License-Identifier: MIT
// Serves: a WebAssembly module survives its travel inside JavaScript, byte for byte, whatever instructions and bytes it
// holds, in letters that no bundler escapes; the engine in the strings is the engine beside it; the tool refuses what it
// does not know, and the unpacker letters that were damaged on the way.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import plain from "../../js/engine/base64.js";
import engine from "../../js/engine/bytes.js";
import store from "../../js/engine/idbfs-bytes.js";
import log from "../../js/engine/log-bytes.js";
import rest from "../../js/engine/rest-bytes.js";
import { unpack } from "../../js/engine/unpack.js";

const folder = mkdtempSync(join(tmpdir(), "weft-bytes-"));
after(() => rmSync(folder, { recursive: true }));

const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

async function travel(name, bytes) {
  const target = join(folder, `${name}.js`);
  writeFileSync(join(folder, name), bytes);
  execFileSync(process.execPath, [path("tools/bytes.mjs"), path("build/wasm/pack.wasm"), join(folder, name), target], { stdio: "pipe" });
  return (await import(pathToFileURL(target).href)).default;
}

function leb(value) {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}
const sized = (bytes) => [...leb(bytes.length), ...bytes];
const moduleOf = (...sections) => Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flatMap(([id, bytes]) => [id, ...sized(bytes)]));
const code = (...bodies) => [10, [...leb(bodies.length), ...bodies.flatMap((body) => sized([0, ...body, 0x0b]))]];

/** Every opcode once with what follows it, alignments natural and not. */
function everything() {
  const made = [];
  for (let op = 0x28; op <= 0x3e; op++) for (const align of [0, 1, 2, 3]) made.push(op, align, ...leb(op * 77));
  for (const type of [0x40, 0x7f, 0x7e, 3, ...leb(300)]) if (type < 128) made.push(0x02, type, 0x03, type, 0x0b, 0x04, type, 0x05, 0x0b, 0x0b);
  for (const op of [0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x41, 0x42]) made.push(op, 5, op, ...leb(70_000));
  for (let op = 0x45; op <= 0xc4; op++) made.push(op);
  for (let kind = 0; kind < 8; kind++) made.push(0xfc, kind);
  made.push(0x00, 0x01, 0x0f, 0x1a, 0x1b, 0x0e, 2, 1, 0, 3, 0x0e, 0, 9, 0x11, 4, 0, 0x3f, 0, 0x40, 0, 0x44, 1, 2, 3, 4, 250, 251, 252, 253);
  made.push(0xfc, 8, 1, 0, 0xfc, 10, 0, 0, 0xfc, 11, 0);
  return made;
}

test("every instruction comes back, and every byte value", async () => {
  const all = Array.from({ length: 256 }, (_, value) => value);
  const many = Array.from({ length: 300 }, (_, index) => Array.from({ length: index * 2 }, (_, at) => (at % 2 ? 0x6a : 0x45)));
  const modules = {
    none: moduleOf(), all: moduleOf([1, all], [11, [...all].reverse()]), same: moduleOf([11, Array(99_999).fill(7)]),
    each: moduleOf([3, [1, 0]], code(everything()), [11, all]), many: moduleOf(code(...many)), empty: moduleOf(code()),
    blocks: moduleOf(code(Array.from({ length: 9_000 }, (_, at) => (at < 6_000 ? [0x02, 0x40][at % 2] : 0x0b)))),
  };
  for (const [name, bytes] of Object.entries(modules)) assert.deepEqual(unpack(await travel(name, bytes)), bytes, name);
});

test("what the tool does not know it refuses, and what is too long for the letters", async () => {
  for (const [name, body] of Object.entries({ simd: [0xfd, 0], prefix: [0xfc, 12, 0], legacy: [0x06, 0x40], drop: [0xfc, 9, 0], reference: [0xd0, 0x70], tail: [0x12, 0], single: [0x43, 0, 0, 0, 0] })) {
    await assert.rejects(travel(name, moduleOf(code(body))), /unknown opcode/, name);
  }
  await assert.rejects(travel("long", Buffer.alloc(1 << 18)), /too long/);
});

test("the strings of the package hold their modules and nothing that must be escaped", () => {
  const bytes = readFileSync(path("build/wasm/core.wasm"));
  const [more, writer] = ["rest", "log"].map((name) => readFileSync(path(`build/wasm/${name}.wasm`)));
  const idbfs = readFileSync(path("build/emcc/idbfs.wasm"));
  for (const text of [engine, rest, log, store]) assert.match(text, /^[>-[\]-~]+$/);
  for (const module of [bytes, more, writer, idbfs]) assert.ok(WebAssembly.validate(module));
  // In every order, again and again.
  const ask = [() => assert.deepEqual(unpack(engine), new Uint8Array(bytes)), () => assert.deepEqual(unpack(store, engine), new Uint8Array(idbfs)), () => assert.deepEqual(unpack(rest, engine), new Uint8Array(more)), () => assert.deepEqual(unpack(log, engine), new Uint8Array(writer))];
  for (const which of [1, 0, 0, 3, 1, 2, 1, 0, 2, 2, 3]) ask[which]();
  assert.equal(plain, readFileSync(path("js/engine/engine.wasm"), "base64"));
});

test("what goes on from other letters wants these, undamaged", async () => {
  const alone = await travel("alone", moduleOf([11, Array(999).fill(7)]));
  for (const [text, before] of [[store], [store, alone], [store, store], [engine.slice(9), engine], ["", engine]]) {
    assert.throws(() => unpack(text, before), WebAssembly.RuntimeError);
  }
});

test("damaged letters end in an error, soon, wherever the damage is", async () => {
  const store = await travel("idbfs", readFileSync(path("build/emcc/idbfs.wasm")));
  const other = (letter) => (letter === ">" ? "?" : ">");
  const swap = (at) => store.slice(0, at) + other(store[at]) + store.slice(at + 1);
  // The last letters may say more than is asked for.
  const places = [...Array(24).keys(), ...Array.from({ length: 40 }, (_, index) => Math.floor((store.length - 8) * (index / 40)))];
  const damaged = [...places.map(swap), store.slice(0, -9), store.slice(0, 5_000), "", ">".repeat(9_000), "~".repeat(9_000)];
  const from = performance.now();
  for (const text of damaged) assert.throws(() => unpack(text), WebAssembly.RuntimeError);
  assert.ok(performance.now() - from < 60_000);
});
