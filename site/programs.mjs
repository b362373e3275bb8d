// SPDX-License-Identifier: MIT
// Reads the programs of the documents, the same that tests run (tests/js/guides.mjs), and says
// which of them run in a page.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, declarations, guides, isProgram, top } from "../tests/js/guides.mjs";

export { top };
export const manifest = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));

/** Entries of the package that need Node's files or its http server. */
const NODE_ENTRIES = new Set(["weftgraph/savers/file", "weftgraph/server/node"]);

/** @param {string} text @returns {string[]} what a program imports */
export const importsOf = (text) =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name]) => name);

/**
 * Says why a program does not run in a page, which is a rule: it imports from Node.js, or an entry
 * of the package that does.
 * @param {string} text
 * @returns {string | undefined}
 */
export function whyNotHere(text) {
  const name = importsOf(text).find((name) => name.startsWith("node:") || NODE_ENTRIES.has(name));
  return name === undefined ? undefined : `Runs in Node.js: it imports \`${name}\`.`;
}

/** @param {import("../tests/js/guides.mjs").Block[]} blocks programs, with what they import */
export const programsOf = (blocks) =>
  blocks
    .filter(isProgram)
    .map((block) => ({ ...block, imports: importsOf(block.text), why: whyNotHere(block.text) }));

/** All programs of README.md and the guides. */
export const programs = () => programsOf(guides.flatMap(blocksOf));

/** All programs of the declarations' comments, which the reference shows. */
export const examples = () => programsOf(declarations.flatMap(blocksOf));
