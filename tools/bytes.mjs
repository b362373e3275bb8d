// SPDX-License-Identifier: MIT
// Writes a .wasm file as a JavaScript module that exports its bytes as one string, and the declaration beside it (so
// that a type checker need not read the string). The module is taken apart into streams (wasm/unpack/unpack.c names
// them and puts them together again): what stands next to its like is smaller after gzip and brotli.
// Usage: node tools/bytes.mjs in.wasm out.js
import { readFileSync, writeFileSync } from "node:fs";
import { unpack } from "../js/engine/unpack.js";

const [source, target] = process.argv.slice(2);
if (!source || !target?.endsWith(".js")) {
  console.error("usage: node tools/bytes.mjs in.wasm out.js");
  process.exit(2);
}

const STREAMS = ["offsets", "labels", "locals", "opcodes", "numbers", "wides", "rest", "calls"];
const TABLES = [STREAMS.filter((name) => name !== "opcodes"), ["opcodes"]];
const LETTERS = Array.from({ length: 90 }, (_, index) => String.fromCharCode(37 + index)).filter((letter) => letter !== "\\");
const SINGLES = 87;
const EXPLICIT = 0xf0;
const NATURAL = [...("23230011001122232301012")].map(Number);
const OPERANDS = new Map([
  ...[0x0c, 0x0d, 0x23, 0x24, 0x3f, 0x40].map((op) => [op, "labels"]),
  ...[0x20, 0x21, 0x22].map((op) => [op, "locals"]),
  [0x10, "calls"], [0x41, "numbers"], [0x42, "wides"],
]);

/** Reads a module. @param {Buffer} bytes */
function takeApart(bytes) {
  const streams = Object.fromEntries(STREAMS.map((name) => [name, []]));
  let at = 8;

  function leb(stream) {
    let value = 0;
    for (let shift = 0, part = 128; part & 128; shift += 7) {
      part = bytes[at++];
      value += (part & 127) * 2 ** shift;
      if (stream) streams[stream].push(part);
    }
    return value;
  }
  const copy = (stream, count) => {
    for (; count > 0; count--) streams[stream].push(bytes[at++]);
  };

  function operands(op) {
    if (op >= 0x28 && op <= 0x3e) {
      if (bytes[at] === NATURAL[op - 0x28]) at++;
      else {
        streams.opcodes.splice(-1, 0, EXPLICIT);
        leb("labels");
      }
      leb("offsets");
    } else if (op >= 0x02 && op <= 0x04) {
      if (bytes[at] === 0x40) at++;
      else {
        streams.opcodes.splice(-1, 0, EXPLICIT);
        leb("labels");
      }
    } else if (op === 0x0e) {
      for (let count = leb("labels"); count >= 0; count--) leb("labels");
    } else if (op === 0x11) {
      leb("calls");
      leb("calls");
    } else if (op === 0x44) copy("rest", 8);
    else if (op === 0xfc) {
      streams.opcodes.push(bytes[at]);
      const kind = leb();
      if (kind > 7 && ![8, 10, 11].includes(kind)) throw new Error(`unknown opcode 0xfc ${kind}`);
      if (kind === 8 || kind === 10) leb("labels");
      if (kind > 7) leb("labels");
    } else if (OPERANDS.has(op)) leb(OPERANDS.get(op));
    else if (op > 0xc4 || op === 0x43 || (op > 0x11 && op < 0x1a) || (op > 0x1b && op < 0x20)) throw new Error(`unknown opcode ${op}`);
  }

  function readFunction() {
    const end = leb() + at;
    for (let groups = leb("rest"); groups > 0; groups--) {
      leb("rest");
      copy("rest", 1);
    }
    while (at < end) {
      streams.opcodes.push(bytes[at]);
      operands(bytes[at++]);
    }
  }

  while (at < bytes.length) {
    const id = bytes[at];
    copy("rest", 1);
    if (id === 10) {
      leb();
      for (let count = leb("rest"); count > 0; count--) readFunction();
    } else copy("rest", leb("rest"));
  }
  return streams;
}

/** The values that occur, the most frequent first. @param {number[]} values */
function rank(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([value]) => value);
}

const number = (value) => LETTERS[value % LETTERS.length] + LETTERS[Math.floor(value / LETTERS.length)];
const symbol = (index) => {
  const over = index - SINGLES;
  return over < 0 ? LETTERS[index] : LETTERS[SINGLES + Math.floor(over / LETTERS.length)] + LETTERS[over % LETTERS.length];
};

/** @param {Buffer} bytes */
function pack(bytes) {
  const streams = takeApart(bytes);
  const texts = {};
  let tables = "";
  for (const names of TABLES) {
    const values = rank(names.flatMap((name) => streams[name]));
    const codes = new Map(values.map((value, index) => [value, symbol(index)]));
    for (const name of names) texts[name] = streams[name].map((value) => codes.get(value)).join("");
    tables += number(values.length) + values.map(number).join("");
  }
  texts[STREAMS[0]] = tables + texts[STREAMS[0]];
  const lengths = STREAMS.map((name, index) => texts[name].length + (index === 0 ? 3 * STREAMS.length : 0));
  const size = LETTERS.length ** 2;
  const head = lengths.map((length) => number(length % size) + LETTERS[Math.floor(length / size)]).join("");
  return head + STREAMS.map((name) => texts[name]).join("");
}

const bytes = readFileSync(source);
const text = pack(bytes);
if (!bytes.equals(unpack(text))) throw new Error(`${source} does not survive the packing`);
const banner = "// SPDX-License-Identifier: MIT\n// Made by tools/bytes.mjs from the WebAssembly module; not to be edited.\n";
writeFileSync(target, `${banner}export default "${text}";\n`);
writeFileSync(target.replace(/\.js$/, ".d.ts"), `${banner}declare const text: string;\nexport default text;\n`);
