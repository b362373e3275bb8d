// SPDX-License-Identifier: MIT
// Reads the module that a sample runs as, and makes a project of it. Must not know: how it is
// shown.

/** @typedef {[from: number, to: number, kind: string]} Colour characters of the text */
/**
 * A module. `imports`: the modules beside it that it imports. `nodes`: lines that make them.
 * @typedef {{ name: string, text: string, colours: Colour[], nodes: Record<string, [number,
 *   number][]>, imports: string[] }} Source
 */
/** @typedef {{ text: string, kind: string }} Piece of a line; `kind`: "" for plain text */

/** Imports of the running module that lead to this page's copy of the package. */
const OWN_COPY = /(from\s+")\.\/(weftgraph(?:\/[\w./-]+)?)\.js(")/g;
/** Imports of modules beside it. */
const BESIDE = /^import .* from "\.\/(?!weftgraph)[\w-]+\.js";\n/gm;

/** @param {string} name @returns {Promise<Source[]>} a sample's module, then those it imports */
export async function readSources(name) {
  const source = await readModule(name);
  return [source, ...(await Promise.all(source.imports.map(readModule)))];
}

/** @param {string} name @returns {Promise<Source>} */
async function readModule(name) {
  const [module, marks] = await Promise.all(
    ["js", "json"].map((ending) => fetch(`samples/${encodeURIComponent(name)}.${ending}`)),
  );
  if (!module.ok || !marks.ok) throw new Error(`The module ${name}.js could not be loaded.`);
  return { name, text: await module.text(), ...(await marks.json()) };
}

/** @param {string} text @returns {Promise<string>} SHA-256, in hex */
export async function digestOf(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Cuts the text into lines, and these into pieces of one colour.
 * @param {string} text
 * @param {Colour[]} colours in order, without overlaps
 * @returns {Piece[][]}
 */
export function linesOf(text, colours) {
  /** @type {Piece[]} */
  const pieces = [];
  let at = 0;
  for (const [from, to, kind] of colours) {
    if (from > at) pieces.push({ text: text.slice(at, from), kind: "" });
    pieces.push({ text: text.slice(from, to), kind });
    at = to;
  }
  pieces.push({ text: text.slice(at), kind: "" });
  /** @type {Piece[][]} */
  const lines = [[]];
  for (const { text: part, kind } of pieces)
    part.split("\n").forEach((line, index) => {
      if (index > 0) lines.push([]);
      if (line !== "") lines.at(-1)?.push({ text: line, kind });
    });
  return lines;
}

/** The module with the package's own names, for Node or a bundler. @param {string} text */
export const portable = (text) => text.replace(OWN_COPY, "$1$2$3");

/**
 * Makes a project in one file: the modules, and a program that runs the sample once.
 * @param {{ graph: string, title: string, input: unknown, made?: string }} sample
 * @param {Source[]} sources
 * @returns {string}
 */
export function projectOf({ graph, title, input, made }, [main, ...beside]) {
  const parts = [...beside, main].map(({ text }) =>
    withoutLicense(portable(text)).replace(BESIDE, "").trim(),
  );
  if (made !== undefined) parts.push(made);
  return `// SPDX-License-Identifier: MIT
// ${title}: a sample of Weft. Save this file as index.mjs in an empty folder, then:
//
//   npm install weftgraph
//   node index.mjs

${parts.join("\n\n")}

// Runs the graph once and prints its state after each step.
{
  const { MemorySaver } = await import("weftgraph");
  ${graph}.checkpointer = new MemorySaver();
  const input = ${JSON.stringify(input, null, 2).replaceAll("\n", "\n  ")};
  const config = { configurable: { thread_id: "1" }, streamMode: "values" };
  for await (const state of await ${graph}.stream(input, config)) console.log(state);
}
`;
}

/** @param {string} text */
const withoutLicense = (text) => text.replace(/^\/\/ SPDX.*\n/, "");
