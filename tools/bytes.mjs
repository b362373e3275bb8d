// SPDX-License-Identifier: MIT
// Writes a .wasm file as JavaScript modules that export its bytes as one string, with the declaration beside each (so that
// a type checker need not read the string): in the letters of wasm/unpack/unpack.c for browsers, and where a second target
// is named, in base64 for runtimes that load from a disk.
// Usage: node tools/bytes.mjs pack.wasm in.wasm out.js [base64.js]
import { readFileSync, writeFileSync } from "node:fs";
import { unpack } from "../js/engine/unpack.js";

const [packer, source, target, plain] = process.argv.slice(2);
if (!target?.endsWith(".js")) {
  console.error("usage: node tools/bytes.mjs pack.wasm in.wasm out.js [base64.js]");
  process.exit(2);
}

// As in wasm/unpack/unpack.c.
const INPUT = 4 << 20;
const LONGEST = 1 << 18;

/** @param {Buffer} bytes */
function pack(bytes) {
  if (bytes.length >= LONGEST) throw new Error(`${source} is too long: ${bytes.length} bytes`);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(packer)));
  const memory = new Uint8Array(exports.memory.buffer);
  memory.set(bytes, INPUT);
  const count = exports.pack(bytes.length);
  if (count < 0) throw new Error(`${source} has an unknown opcode, ${-count}`);
  const start = INPUT + bytes.length;
  return Array.from(memory.subarray(start, start + count), (value) => String.fromCharCode(value + 62 + Number(value >= 30))).join("");
}

function write(path, text) {
  const banner = "// SPDX-License-Identifier: MIT\n// Made by tools/bytes.mjs from the WebAssembly module; not to be edited.\n";
  writeFileSync(path, `${banner}export default "${text}";\n`);
  writeFileSync(path.replace(/\.js$/, ".d.ts"), `${banner}declare const text: string;\nexport default text;\n`);
}

const bytes = readFileSync(source);
const text = pack(bytes);
if (!bytes.equals(unpack(text))) throw new Error(`${source} does not survive the packing`);
write(target, text);
if (plain !== undefined) write(plain, bytes.toString("base64"));
