// SPDX-License-Identifier: MIT
// Serves: a WebAssembly module survives its travel inside JavaScript, byte for byte, whatever its bytes are, in letters
// that no bundler escapes; the engine in the string is the engine beside it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import engine from "../../js/engine/bytes.js";
import store from "../../js/engine/idbfs-bytes.js";
import { unpack } from "../../js/engine/unpack.js";

const folder = mkdtempSync(join(tmpdir(), "weft-bytes-"));
after(() => rmSync(folder, { recursive: true }));

async function travel(name, bytes) {
  const target = join(folder, `${name}.js`);
  writeFileSync(join(folder, name), bytes);
  execFileSync(process.execPath, [fileURLToPath(new URL("../../tools/bytes.mjs", import.meta.url)), join(folder, name), target]);
  return (await import(pathToFileURL(target).href)).default;
}

test("every byte value comes back, also where some never occur", async () => {
  const all = Uint8Array.from({ length: 256 }, (_, value) => value);
  const steep = Uint8Array.from({ length: 20_000 }, (_, index) => (index * index * 31) >> (index % 13));
  for (const [name, bytes] of Object.entries({ all, steep, one: all.slice(255), none: all.slice(0, 0), same: new Uint8Array(99) })) {
    assert.deepEqual(unpack(await travel(name, bytes)), bytes, name);
  }
});

test("the strings of the package hold their modules and nothing that must be escaped", () => {
  for (const text of [engine, store]) {
    assert.match(text, /^[0-9a-f]{64}[ !#%-[\]-_a-~]+$/);
    assert.ok(WebAssembly.validate(unpack(text)));
  }
  assert.deepEqual(unpack(engine), new Uint8Array(readFileSync(new URL("../../js/engine/engine.wasm", import.meta.url))));
});
