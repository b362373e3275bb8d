// SPDX-License-Identifier: MIT
// Reads the programs of README.md and of the guides. A block ```ts is a program for Node, ```ts
// page one that is bundled for browsers; the ```text block after it is what the program prints. A
// block ```ts file=path (also tsx, js and svelte) is an excerpt of that file. Blocks in comments of
// the declarations are programs, too; ```ts part does not run alone, and the site says so.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const top = fileURLToPath(new URL("../../", import.meta.url));
/** @param {string} folder @returns {string[]} its pages, relative to the top folder */
export const pagesIn = (folder) =>
  readdirSync(join(top, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
export const guides = [
  "README.md",
  ...pagesIn("docs/guides"),
  ...pagesIn("docs/guides/front-ends"),
];

/** Files of declarations whose comments may have examples. */
export const declarations = readdirSync(join(top, "js/types"), { recursive: true })
  .map((name) => join("js/types", String(name)))
  .filter((path) => path.endsWith(".d.ts"))
  .sort();

/**
 * @typedef {object} Block
 * @property {string} page
 * @property {number} line of its first line, the fence
 * @property {string} info what stands behind the fence
 * @property {string} text
 * @property {string | undefined} output what it prints
 * @property {string} name of a file for it, without an ending
 */

/** @param {string} page @returns {Block[]} */
export const blocksOf = (page) => blocksIn(readFileSync(join(top, page), "utf8"), page);

/**
 * @param {string} text of a page, or of a file of declarations, whose blocks stand in comments
 * @param {string} page its path
 * @returns {Block[]}
 */
export function blocksIn(text, page) {
  const isComment = page.endsWith(".d.ts");
  const lines = text.split("\n").map((line) => (isComment ? line.replace(/^ *\* ?/, "") : line));
  /** @type {Block[]} */
  const blocks = [];
  for (let at = 0; at < lines.length; at++) {
    const indent = /^( *)```/.exec(lines[at])?.[1];
    if (indent === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    assert.ok(end > 0, `${page}:${at + 1}: the block has no end`);
    const code = `${lines
      .slice(at + 1, end)
      .map((line) => line.slice(indent.length))
      .join("\n")}\n`;
    const info = lines[at].trim().slice(3);
    const last = blocks.at(-1);
    if (info === "text" && last !== undefined && isCode(last)) last.output = code;
    else
      blocks.push({
        page,
        line: at + 1,
        info,
        text: code,
        output: undefined,
        name: `${page.replace(/\.md$|\.d\.ts$/, "").replaceAll("/", "-")}-${at + 1}`,
      });
    at = end;
  }
  return blocks.filter(isCode);
}

/** Also languages that no test runs: a test refuses them. */
const isCode = (/** @type {Block} */ { info }) =>
  /^(js|ts|jsx|tsx|svelte|javascript|typescript|mjs)\b/.test(info);
/** @param {Block} block */
export const isProgram = ({ info }) => info === "ts" || info === "ts page";
