// SPDX-License-Identifier: MIT
// Makes js/engine/codes.js from the X-macro tables of the C sources, so that no number is typed twice,
// and prints the hash of the tables (weft_abi()) with --abi.
// Usage: node tools/tables.mjs js/engine/codes.js | node tools/tables.mjs --abi
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const STATUS = "src/base/status.def";
const OPS = "src/base/ops.def";
const TOKEN = /\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*|(X\()|("(?:[^"\\]|\\.)*")|(-?(?:0x[0-9a-fA-F]+|\d+)u?)|([A-Za-z_]\w*)|([,)])/gy;

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
  refuseTwice(status.map((row) => row[1]), STATUS);
  refuseTwice(status.map((row) => row[0]), STATUS);
  refuseTwice(ops.map(([group, name]) => `${group}.${name}`), OPS);
  return { status, ops };
}

function refuseTwice(keys, path) {
  const seen = new Set();
  for (const key of keys) {
    if (seen.has(key)) throw new Error(`${path}: ${key} stands there twice`);
    seen.add(key);
  }
}

/** A 32-bit number that changes with every change of a table's content, not with its layout. */
function hashTables(tables) {
  return createHash("sha256").update(JSON.stringify(tables)).digest().readUInt32LE(0);
}

function frozen(name, comment, entries) {
  return `/** ${comment} */\nexport const ${name} = /* @__PURE__ */ Object.freeze({\n${entries.join("\n")}\n});\n`;
}

function printModule(tables) {
  const parts = [
    "// SPDX-License-Identifier: MIT",
    `// Made by tools/tables.mjs from ${STATUS} and ${OPS}; not to be edited.`,
    "",
    "/** What weft_abi() of a fitting engine answers. */",
    `export const ABI = ${hashTables(tables)};`,
    "",
    frozen("STATUS", "Numbers of the statuses.", tables.status.map(([name, number]) => `  ${name}: ${number},`)),
    frozen(
      "STATUS_TABLE",
      "Everything about a status, by its number: [code, JavaScript class, text with {0} {1} places, LangGraph's lc_error_code or \"\"].\n * @type {Readonly<Record<number, readonly [string, string, string, string]>>} ",
      tables.status.map(([, number, ...rest]) => `  "${number}": ${JSON.stringify(rest)},`),
    ),
  ];
  for (const group of new Set(tables.ops.map(([group]) => group))) {
    const entries = tables.ops.filter((row) => row[0] === group).map(([, name, number]) => `  ${name}: ${number},`);
    parts.push(frozen(group, `${group} codes of the border.`, entries));
  }
  return parts.join("\n");
}

const [target] = process.argv.slice(2);
if (target === "--abi") {
  console.log(`${hashTables(readTables())}u`);
} else if (target) {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, printModule(readTables()));
} else {
  console.error("usage: node tools/tables.mjs <module to write> | --abi");
  process.exit(2);
}
