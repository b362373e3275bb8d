// SPDX-License-Identifier: MIT
// Joins the parts that a page or worker loads at its start into one file. esbuild cuts what scripts
// share by who uses it: the worker's start would be 26 parts, found in four rounds, since a browser
// learns what a part imports when it has it. Must not know: what is in them.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** @typedef {import("esbuild").Metafile["outputs"]} Outputs */
/** @typedef {Map<string, string>} Files texts by name */

/** A static import of another file, as esbuild writes it. */
const IMPORT = /\bimport\s*(?:\{([^}]*)\}\s*from\s*)?"\.\/([\w.-]+)"/g;
/** A name with its hash, where it is said. */
const NAME = /(?<=[/=" ]|^)([\w-]{1,40}-)([A-Z0-9]{8})(?=\.js)/g;
const MAP = /\/\/# sourceMappingURL=\S+/;
const LICENSE = /\/\*! For license information please see \S+ \*\/\n?/;

/**
 * Builds with splitting, joins, and writes the files.
 * @param {import("esbuild").BuildOptions & { outdir: string }} options
 * @param {{ name: string, startsWith: (source: string) => boolean }} joined `startsWith`: which
 *   entry points a start loads
 * @returns {Promise<Outputs>} what was written
 */
export async function buildJoined(options, { name, startsWith }) {
  const made = await build({ ...options, metafile: true, splitting: true, write: false });
  const found = partsOf(made.metafile.outputs, startsWith);
  const { outputs, files } = renamed(made, found.join());
  const parts = partsOf(outputs, startsWith);
  const whole = await build({
    ...options,
    entryPoints: undefined,
    entryNames: `${name}-[hash]`,
    metafile: true,
    write: false,
    legalComments: "none",
    stdin: { contents: exportsOf(outputs, parts), sourcefile: `${name}.js`, resolveDir: "/" },
    plugins: [linked(parts, files)],
  });
  const [path] = Object.keys(whole.metafile.outputs).filter((output) => output.endsWith(".js"));
  let licenses = "";
  for (const part of parts) {
    licenses += files.get(`${basename(part)}.LEGAL.txt`) ?? "";
    delete outputs[part];
    for (const end of ["", ".map", ".LEGAL.txt"]) files.delete(basename(part) + end);
  }
  for (const [file, text] of files)
    if (file.endsWith(".js")) files.set(file, relinked(text, parts, basename(path)));
  for (const file of whole.outputFiles) files.set(basename(file.path), file.text);
  if (licenses !== "") files.set(`${basename(path)}.LEGAL.txt`, licenses);
  await mkdir(options.outdir, { recursive: true });
  for (const [file, text] of files) await writeFile(join(options.outdir, file), text);
  const to = (/** @type {string} */ one) => (parts.includes(one) ? path : one);
  for (const output of Object.values(outputs))
    output.imports = output.imports.map((one) => ({ ...one, path: to(one.path) }));
  // Of what stays outside, esbuild says only how it is written.
  const imports = whole.metafile.outputs[path].imports.map(({ kind, path: outside }) => ({
    kind,
    path: `${dirname(path)}/${basename(outside)}`,
  }));
  outputs[path] = { ...whole.metafile.outputs[path], entryPoint: undefined, imports };
  return outputs;
}

/**
 * Finds what is loaded before the entry points run. Entry points keep a file of their own. So does
 * what imports a file that is not built here: that one may import an entry point in its turn.
 * @param {Outputs} outputs
 * @param {(source: string) => boolean} startsWith
 * @returns {string[]}
 */
function partsOf(outputs, startsWith) {
  const paths = Object.keys(outputs).filter((path) => startsWith(outputs[path].entryPoint ?? ""));
  const isPart = (/** @type {string} */ path) =>
    outputs[path].entryPoint === undefined &&
    ![...reachedFrom(outputs, [path])].some((one) =>
      outputs[one].imports.some(({ external }) => external),
    );
  return [...reachedFrom(outputs, paths)].filter(isPart);
}

/** @param {Outputs} outputs @param {string[]} from */
function reachedFrom(outputs, from) {
  const found = new Set(from);
  for (const path of found)
    for (const { path: to, kind, external } of outputs[path].imports)
      if (!external && kind === "import-statement") found.add(to);
  return found;
}

/**
 * Gives files other hashes: what they say will depend on the whole, and esbuild's do not.
 * @param {import("esbuild").BuildResult<{ metafile: true, write: false }>} made
 * @param {string} salt
 * @returns {{ outputs: Outputs, files: Files }}
 */
function renamed({ metafile, outputFiles }, salt) {
  const names = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
  const rename = (/** @type {string} */ text) =>
    text.replace(NAME, (said, name, hash) =>
      names.has(`${said}.js`) ? name + digestOf(salt + hash) : said,
    );
  return {
    outputs: JSON.parse(rename(JSON.stringify(metafile.outputs))),
    files: new Map(outputFiles.map(({ path, text }) => [rename(basename(path)), rename(text)])),
  };
}

/** @param {string} text */
const digestOf = (text) =>
  createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();

/** A name in the whole: parts have the same ones. @param {string} name @param {number} index */
const nameIn = (name, index) => `${name}_${index}`;

/**
 * @param {Outputs} outputs
 * @param {string[]} parts
 * @returns {string} a module of all that they export
 */
const exportsOf = (outputs, parts) =>
  parts
    .map((path, index) => {
      const names = outputs[path].exports.map((name) => `${name} as ${nameIn(name, index)}`);
      return `export { ${names.join(", ")} } from "./${basename(path)}";`;
    })
    .join("\n");

/**
 * Lets a build read the parts, and leaves the other files to the browser.
 * @param {string[]} parts
 * @param {Files} files
 * @returns {import("esbuild").Plugin}
 */
function linked(parts, files) {
  const names = parts.map((path) => basename(path));
  return {
    name: "parts",
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ path }) => {
        const file = basename(path);
        return names.includes(file) ? { path: file, namespace: "part" } : { path, external: true };
      });
      build.onLoad({ filter: /./, namespace: "part" }, ({ path }) => {
        const map = Buffer.from(files.get(`${path}.map`) ?? "").toString("base64");
        const inline = `//# sourceMappingURL=data:application/json;base64,${map}`;
        return { contents: files.get(path)?.replace(LICENSE, "").replace(MAP, inline) };
      });
    },
  };
}

/**
 * @param {string} text of a script
 * @param {string[]} parts
 * @param {string} whole the file that they are in now
 */
const relinked = (text, parts, whole) =>
  text.replace(IMPORT, (said, /** @type {string | undefined} */ names = "", file) => {
    const index = parts.findIndex((path) => basename(path) === file);
    if (index < 0) return said;
    const list = names.split(",").flatMap((one) => {
      const [name, own = name] = one.trim().split(/\s+as\s+/);
      return name === "" ? [] : [`${nameIn(name, index)} as ${own}`];
    });
    return list.length === 0 ? `import"./${whole}"` : `import{${list}}from"./${whole}"`;
  });
