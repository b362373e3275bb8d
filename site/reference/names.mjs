// SPDX-License-Identifier: MIT
// Knows: how the list of all public names is written. Must not know: how a name is read.

/** @typedef {import("./declarations.mjs").Name} Name */

/**
 * A table for each letter: the browser lays out those alone that are near the screen.
 * @param {Name[]} names
 * @param {(name: Name) => string} linkTo
 */
export function tablesOfNames(names, linkTo) {
  const tables = new Map();
  const keyOf = ({ name }) => name.toLowerCase();
  for (const name of names.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
    const letter = /[a-z]/i.exec(name.name)?.[0].toUpperCase() ?? "";
    const kind = name.isType && name.kind === "class" ? "type" : name.kind;
    const entries = name.entries.filter((entry) => entry !== "weftgraph/web");
    const from = entries.map((entry) => `\`${entry}\``).join(", ");
    const row = `| ${linkTo(name)} | ${kind} | ${from} |\n`;
    tables.set(letter, [...(tables.get(letter) ?? []), row]);
  }
  return [...tables]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([letter, rows]) =>
        `## ${letter}\n\n| name | is a | import from |\n|---|---|---|\n${rows.join("")}`,
    )
    .join("\n");
}
