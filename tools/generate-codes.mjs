// SPDX-License-Identifier: MIT
// Makes js/base/codes.js from the X-macro tables of the C sources, so that no number is typed
// twice. Usage: node tools/generate-codes.mjs js/base/codes.js
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const STATUS = "src/base/error_messages.def";
const OPS = "src/base/ops.def";
const TOKEN =
  /\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*|(X\()|("(?:[^"\\]|\\.)*")|(-?(?:0x[0-9a-fA-F]+|\d+)u?)|([A-Za-z_]\w*)|([,)])/gy;

/** The rows of an X-macro file: names and strings as strings, numbers as numbers. */
function readRows(path) {
  const text = readFileSync(join(top, path), "utf8");
  const rows = [];
  let row;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) {
      const line = text.slice(0, at).split("\n").length;
      throw new Error(`${path}:${line}: not a row X(...) of names, numbers and strings`);
    }
    const [, open, string, number, name, mark] = found;
    if (open) row = [];
    else if (string) row.push(JSON.parse(string));
    else if (number) row.push(Number(number.replace(/u$/, "")));
    else if (name) row.push(name);
    else if (mark === ")") rows.push(row);
  }
  return rows;
}

function readTables() {
  const status = readRows(STATUS);
  const ops = readRows(OPS);
  refuseTwice(
    status.map((row) => row[1]),
    STATUS,
  );
  refuseTwice(
    status.map((row) => row[0]),
    STATUS,
  );
  refuseTwice(
    ops.map(([group, name]) => `${group}.${name}`),
    OPS,
  );
  return { status, ops };
}

function refuseTwice(keys, path) {
  const seen = new Set();
  for (const key of keys) {
    if (seen.has(key)) throw new Error(`${path}: ${key} stands there twice`);
    seen.add(key);
  }
}

/**
 * FNV-1a (32 bits) over each row, ops before statuses: the number as four little-endian bytes, then
 * one byte, the length of its names. C computes the same from its own copy of the tables
 * (weft_abi()).
 */
function hashTables({ ops, status }) {
  const rows = [
    ...ops.map(([group, name, number]) => [number, group.length + name.length]),
    ...status.map(([name, number]) => [number, name.length]),
  ];
  let hash = 0x811c9dc5;
  for (const [number, length] of rows) {
    for (const byte of [number, number >> 8, number >> 16, number >> 24, length]) {
      hash = Math.imul(hash ^ (byte & 0xff), 0x01000193) >>> 0;
    }
  }
  return hash;
}

/**
 * The rows of statuses whose numbers follow each other downwards, by the first one's number without
 * its sign.
 */
function groupRows(status) {
  const groups = [];
  let expected;
  for (const [, number, ...row] of status) {
    if (number !== expected) groups.push([-number, []]);
    groups.at(-1)[1].push(printRow(...row));
    expected = number - 1;
  }
  return groups;
}

/**
 * What an error needs: `CODE text` of a WeftError, ` text` of an Error, `Class:CODE text` or `Class
 * text` of LangGraph's.
 */
function printRow(code, className, text, lcCode) {
  if (lcCode !== "" && lcCode !== code)
    throw new Error(`${STATUS}: the two codes of ${code} differ`);
  if (className === "WeftError") return `${code} ${text}`;
  if (className === "Error") return ` ${text}`;
  return `${className}${lcCode === "" ? "" : `:${lcCode}`} ${text}`;
}

const HEAD = [
  "// SPDX-License-Identifier: MIT",
  `// Made by tools/generate-codes.mjs from ${STATUS} and ${OPS}; not to be edited.`,
  "",
];

/** @param {string} name @param {any[]} status */
function printRows(name, status) {
  return [
    `export const ${name} = {`,
    ...groupRows(status).map(
      ([first, rows]) => `  ${first}: ${JSON.stringify(rows, null, 2).replaceAll("\n", "\n  ")},`,
    ),
    "};",
    "",
  ];
}

/** @param {any[]} rows of statuses */
const printNumbers = (rows) => rows.map(([name, number]) => `export const ${name} = ${number};`);

/**
 * The constants stand before all else: a bundler writes their numbers where they are used only
 * then.
 */
function printModule(tables) {
  return [
    ...HEAD,
    "/** What weft_abi() of a fitting engine answers. */",
    `export const ABI_HASH = ${hashTables(tables)};`,
    "",
    ...printNumbers(tables.status),
    ...tables.ops.map(([group, name, number]) => `export const ${group}_${name} = ${number};`),
    "",
    "/**",
    " * What makes an error of a status: the rows by the number (without its sign) of their first, one status after the",
    " * other. A row is `CODE text` of a WeftError, ` text` of an Error, `Class text` or `Class:CODE text` of LangGraph's.",
    " * @type {Readonly<Record<number, readonly string[]>>}",
    " */",
    ...printRows("STATUS_ROWS", tables.status),
  ].join("\n");
}

const [target] = process.argv.slice(2);
if (!target) {
  console.error("usage: node tools/generate-codes.mjs <module to write>");
  process.exit(2);
}
mkdirSync(dirname(target), { recursive: true });
const tables = readTables();
writeFileSync(target, printModule(tables));
