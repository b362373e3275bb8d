// SPDX-License-Identifier: MIT
// Reads the programs of the documents, the same that tests run (tests/js/guides.mjs).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, declarations, guides, isProgram, top } from "../tests/js/guides.mjs";

export { top };
export const manifest = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));

/** @param {string} text @returns {string[]} what a program imports, but for types alone */
export const importsOf = (text) =>
  [
    ...text
      .replaceAll(/^import type [^;]*;/gm, "")
      .matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g),
  ].map(([, name]) => name);

/** @param {import("../tests/js/guides.mjs").Block[]} blocks programs, with what they import */
export const programsOf = (blocks) =>
  blocks.filter(isProgram).map((block) => ({ ...block, imports: importsOf(block.text) }));

/** All programs of README.md and the guides. */
export const programs = () => programsOf(guides.flatMap(blocksOf));

/** All programs of the declarations' comments, which the reference shows. */
export const examples = () => programsOf(declarations.flatMap(blocksOf));
