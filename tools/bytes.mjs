// SPDX-License-Identifier: MIT
// Writes .wasm files as JavaScript modules that export their bytes as one string, with the declaration beside each (so that
// a type checker need not read the string): in the letters of wasm/unpack/unpack.c for browsers, where the letters of up
// to three further files go on from what those of the first taught; with - in place of a packer in base64, for runtimes that load from
// a disk.
// Usage: node tools/bytes.mjs pack.wasm|- in.wasm out.js [more.wasm more.js]…
import { readFileSync, writeFileSync } from "node:fs";
import { unpack } from "../js/engine/unpack.js";

const [packer, source, target, ...more] = process.argv.slice(2);
if (!target?.endsWith(".js") || more.some((path, index) => path.endsWith(".js") !== (index % 2 === 1)) || more.length % 2 === 1 || more.length > 6) {
  console.error("usage: node tools/bytes.mjs pack.wasm|- in.wasm out.js [more.wasm more.js]…");
  process.exit(2);
}

// As in wasm/unpack/unpack.c.
const INPUT = 9 << 20;
const LONGEST = 1 << 18;
const NOTHING = Buffer.alloc(0);
/** The letter of 64. */
const END = String.fromCharCode(127);

/** @param {Buffer} bytes @param {Buffer} [more] goes on from these @param {Buffer[]} [others] do so too, in letters of their own */
function pack(bytes, more = NOTHING, others = []) {
  const all = Buffer.concat([bytes, more, ...others]);
  if (all.length >= LONGEST) throw new Error(`${source} and what goes on from it are too long: ${all.length} bytes`);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(packer)));
  const memory = new Uint8Array(exports.memory.buffer);
  memory.set(all, INPUT);
  const count = exports.pack(bytes.length, more.length, others[0]?.length ?? 0, others[1]?.length ?? 0);
  if (count < 0) throw new Error(`${source} or what goes on from it has an unknown opcode, ${-count}`);
  const start = INPUT + all.length;
  const letters = Array.from(memory.subarray(start, start + count), (value) => String.fromCharCode(value + 62 + Number(value >= 30)));
  return letters.join("").split(END);
}

function write(path, text) {
  const banner = "// SPDX-License-Identifier: MIT\n// Made by tools/bytes.mjs from the WebAssembly module; not to be edited.\n";
  writeFileSync(path, `${banner}export default "${text}";\n`);
  writeFileSync(path.replace(/\.js$/, ".d.ts"), `${banner}declare const text: string;\nexport default text;\n`);
}

const bytes = readFileSync(source);
const parts = more.filter((path) => path.endsWith(".wasm")).map((path) => readFileSync(path));
if (packer === "-") {
  write(target, bytes.toString("base64"));
} else {
  const [text] = pack(bytes, parts[0], parts.slice(1));
  if (!bytes.equals(unpack(text))) throw new Error(`${source} does not survive the packing`);
  write(target, text);
  for (const [index, part] of parts.entries()) {
    const [same, letters] = pack(bytes, part, parts.toSpliced(index, 1));
    if (same !== text || !part.equals(unpack(letters, text))) throw new Error(`${more[2 * index]} does not survive the packing`);
    write(more[2 * index + 1], letters);
  }
}
