// SPDX-License-Identifier: MIT
// Writes .wasm files as JavaScript modules that export their bytes as one string, with the declaration beside each (so that
// a type checker need not read the string): in the letters of wasm/unpack/unpack.c for browsers; the first also in base64,
// for runtimes that load from a disk. The letters of a second file go on from what those of the first taught.
// Usage: node tools/bytes.mjs pack.wasm in.wasm out.js [base64.js [more.wasm more.js]]
import { readFileSync, writeFileSync } from "node:fs";
import { unpack } from "../js/engine/unpack.js";

const [packer, source, target, plain, more, moreTarget] = process.argv.slice(2);
if (!target?.endsWith(".js") || (more && !moreTarget?.endsWith(".js"))) {
  console.error("usage: node tools/bytes.mjs pack.wasm in.wasm out.js [base64.js [more.wasm more.js]]");
  process.exit(2);
}

// As in wasm/unpack/unpack.c.
const INPUT = 4 << 20;
const LONGEST = 1 << 18;
/** The letter of 64. */
const END = String.fromCharCode(127);

/** @param {Buffer} bytes @param {Buffer} others */
function pack(bytes, others) {
  if (bytes.length >= LONGEST || others.length >= LONGEST) throw new Error(`${source} or ${more} is too long: ${bytes.length} and ${others.length} bytes`);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(packer)));
  const memory = new Uint8Array(exports.memory.buffer);
  memory.set(bytes, INPUT);
  memory.set(others, INPUT + bytes.length);
  const count = exports.pack(bytes.length, others.length);
  if (count < 0) throw new Error(`${source} or ${more} has an unknown opcode, ${-count}`);
  const start = INPUT + bytes.length + others.length;
  const letters = Array.from(memory.subarray(start, start + count), (value) => String.fromCharCode(value + 62 + Number(value >= 30)));
  return letters.join("").split(END);
}

function write(path, text) {
  const banner = "// SPDX-License-Identifier: MIT\n// Made by tools/bytes.mjs from the WebAssembly module; not to be edited.\n";
  writeFileSync(path, `${banner}export default "${text}";\n`);
  writeFileSync(path.replace(/\.js$/, ".d.ts"), `${banner}declare const text: string;\nexport default text;\n`);
}

const bytes = readFileSync(source);
const others = more ? readFileSync(more) : Buffer.alloc(0);
const [text, moreText] = pack(bytes, others);
if (!bytes.equals(unpack(text))) throw new Error(`${source} does not survive the packing`);
write(target, text);
if (plain !== undefined) write(plain, bytes.toString("base64"));
if (more) {
  if (!others.equals(unpack(moreText, text))) throw new Error(`${more} does not survive the packing`);
  write(moreTarget, moreText);
}
