// SPDX-License-Identifier: MIT
// Makes each sample a module of its own in the built folder, with the text that it has in the
// sources: only its imports of the package lead to files beside it (`weftgraph` to
// `./weftgraph.js`), since a worker knows no package names. Owns the colours and the lines of the
// nodes, which the code screen shows, and finds them with TypeScript's parser when the page is
// built.
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** @typedef {import("esbuild").Metafile["outputs"]} Outputs */

const SAMPLES = fileURLToPath(new URL("./src/samples/", import.meta.url));
/** The list of samples is no module of a worker. */
const LIST = "index.js";
const ENTRY = "samples-import:";
/** What runs the samples. */
const STARTS = /\/worker\/worker\.js$/;
const PACKAGE = /(from\s+")(weftgraph(?:\/[\w./-]+)?)(")/g;

/** @returns {Promise<{ name: string, text: string }[]>} modules of samples, and what they share */
async function readModules() {
  const files = (await readdir(SAMPLES)).filter((file) => file.endsWith(".js") && file !== LIST);
  return Promise.all(
    files.sort().map(async (file) => ({
      name: file.slice(0, -".js".length),
      text: await readFile(join(SAMPLES, file), "utf8"),
    })),
  );
}

/**
 * @param {ts.SourceFile} source of a sample
 * @returns {{ from: string, names: string[] }[]} what it imports
 */
function importsIn(source) {
  return source.statements.filter(ts.isImportDeclaration).map((statement) => {
    const from = /** @type {ts.StringLiteral} */ (statement.moduleSpecifier).text;
    const bindings = statement.importClause?.namedBindings;
    if (!/^weftgraph|^\.\/[\w./-]+\.js$/.test(from) || !bindings || !ts.isNamedImports(bindings))
      throw new Error(`${statement.getText(source)}: a sample imports names of weftgraph or ./`);
    const names = bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
    return { from, names };
  });
}

/**
 * Makes what the samples need of a build: entry points that export what they import, and a plugin
 * that leaves imports of samples to the browser. They belong to the build of who imports samples,
 * so that the package is there once.
 * @returns {Promise<{ entryPoints: { in: string, out: string }[], isEntry: (source: string) =>
 *   boolean, plugin: import("esbuild").Plugin }>}
 */
export async function sampleEntries() {
  /** @type {Map<string, Set<string>>} */
  const wanted = new Map();
  const modules = await readModules();
  for (const { text } of modules)
    for (const { from, names } of importsIn(parse(text)))
      if (!from.startsWith(".")) wanted.set(from, new Set([...(wanted.get(from) ?? []), ...names]));
  const below = [...modules.map(({ name }) => name), ...wanted.keys()];
  return {
    entryPoints: [...wanted.keys()].map((from) => ({ in: ENTRY + from, out: from })),
    isEntry: (source) => source.startsWith(ENTRY),
    plugin: {
      name: "samples",
      setup(build) {
        build.onResolve({ filter: new RegExp(`^${ENTRY}`) }, ({ path }) => ({
          path: path.slice(ENTRY.length),
          namespace: ENTRY.slice(0, -1),
        }));
        build.onLoad({ filter: /./, namespace: ENTRY.slice(0, -1) }, ({ path }) => ({
          contents: `export { ${[...(wanted.get(path) ?? [])].sort().join(", ")} } from "${path}";`,
          resolveDir: SAMPLES,
        }));
        build.onResolve({ filter: /\/samples\/[\w/-]+\.js$/ }, ({ path, kind }) => {
          const file = path.split("/samples/")[1];
          return kind === "entry-point" || file === LIST
            ? undefined
            : { path: `../samples/${file}`, external: true };
        });
        // A browser would learn of what samples import when it has them. They come first: they are
        // small, and would wait behind the engine, since a browser asks a host for six at once.
        build.onLoad({ filter: STARTS }, async ({ path }) => ({
          contents:
            below.map((name) => `import "../samples/${name}.js";\n`).join("") +
            (await readFile(path, "utf8")),
        }));
      },
    },
  };
}

/**
 * Writes the samples beside a build, each with what the code screen shows of it, and the files that
 * their imports lead to.
 * @param {string} out the folder that has the build in a folder of its own
 * @param {Outputs} outputs of the build with the entry points above
 * @returns {Promise<string[]>} the files, below `out`
 */
export async function writeSamples(out, outputs) {
  /** @type {[string, string][]} */
  const files = [];
  for (const { name, text } of await readModules()) {
    const module = text.replace(PACKAGE, "$1./$2.js$3");
    files.push([`${name}.js`, module], [`${name}.json`, JSON.stringify(marksOf(module))]);
  }
  for (const [path, { entryPoint }] of Object.entries(outputs))
    if (entryPoint?.startsWith(ENTRY))
      files.push([`${entryPoint.slice(ENTRY.length)}.js`, await moved(out, path, entryPoint)]);
  for (const [name, text] of files) {
    const file = join(out, "samples", name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return files.map(([name]) => `samples/${name}`);
}

/**
 * @param {string} out
 * @param {string} path of an output, whose imports stand beside it
 * @param {string} entryPoint
 * @returns {Promise<string>} a module that exports the same from the folder of the samples
 */
async function moved(out, path, entryPoint) {
  const depth = entryPoint.split("/").length;
  const folder = `${"../".repeat(depth)}${basename(dirname(path))}/`;
  const text = await readFile(join(out, basename(dirname(path)), basename(path)), "utf8");
  return text
    .replace(/(from\s*|import\s*)"\.\//g, `$1"${folder}`)
    .replace(/\n?\/\/# sourceMappingURL.*\n?$/, "\n");
}

/** @param {string} text */
const parse = (text) =>
  ts.createSourceFile("sample.js", text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);

/**
 * Finds what to colour, which lines make which node, and which modules beside it are imported.
 * @param {string} text of a module
 * @returns {{ colours: [from: number, to: number, kind: string][], nodes: Record<string, [first:
 *   number, last: number][]>, imports: string[] }} characters from 0 up to `to`; lines from 1
 */
export function marksOf(text) {
  const source = parse(text);
  /** @type {[number, number, string][]} */
  const colours = [];
  /** @type {Record<string, [number, number][]>} */
  const nodes = {};
  const lineAt = (/** @type {number} */ at) => source.getLineAndCharacterOfPosition(at).line + 1;
  const add = (/** @type {string} */ name, /** @type {ts.Node} */ node, from = node.getStart()) =>
    (nodes[name] ??= []).push([lineAt(from), lineAt(node.getEnd())]);
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode)
      return;
    if (ts.isCallExpression(node)) readCall(node, add);
    const children = node.getChildren(source);
    if (children.length > 0) return void children.forEach(visit);
    const start = node.getStart(source, false);
    const before = node.getFullStart();
    for (const { 0: comment, index } of text
      .slice(before, start)
      .matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g))
      colours.push([before + index, before + index + comment.length, "comment"]);
    const kind = kindOf(node);
    if (kind !== undefined && node.getEnd() > start) colours.push([start, node.getEnd(), kind]);
  };
  visit(source);
  const imports = importsIn(source).flatMap(({ from }) =>
    from.startsWith("./") && !from.startsWith("./weftgraph") ? [from.slice(2, -".js".length)] : [],
  );
  return { colours, nodes, imports };
}

/**
 * @param {ts.CallExpression} call
 * @param {(name: string, node: ts.Node, from?: number) => void} add
 */
function readCall(call, add) {
  const { expression, arguments: given } = call;
  const [first] = given;
  if (ts.isPropertyAccessExpression(expression) && expression.name.text === "addNode") {
    if (first !== undefined && ts.isStringLiteralLike(first))
      add(first.text, call, expression.name.getStart());
  } else if (ts.isIdentifier(expression)) {
    if (expression.text === "tool") add("tools", call);
    if (expression.text === "createReactAgent") {
      const name = nameIn(first);
      if (name !== undefined) add(name, call);
      for (const node of ["agent", "tools"])
        add(name === undefined ? node : `${name}:${node}`, call);
    }
  }
}

/** @param {ts.Node | undefined} options @returns {string | undefined} the agent's name in them */
function nameIn(options) {
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return undefined;
  const name = options.properties.find((property) => property.name?.getText() === "name");
  return name !== undefined && ts.isPropertyAssignment(name) && ts.isStringLiteral(name.initializer)
    ? name.initializer.text
    : undefined;
}

/** @param {ts.Node} token @returns {string | undefined} how it is coloured; undefined: as text */
function kindOf(token) {
  const { kind, parent } = token;
  if (
    kind === ts.SyntaxKind.StringLiteral ||
    kind === ts.SyntaxKind.RegularExpressionLiteral ||
    (kind >= ts.SyntaxKind.FirstTemplateToken && kind <= ts.SyntaxKind.LastTemplateToken)
  )
    return "string";
  if (kind === ts.SyntaxKind.NumericLiteral) return "number";
  if (kind >= ts.SyntaxKind.FirstKeyword && kind <= ts.SyntaxKind.LastKeyword) return "keyword";
  if (kind !== ts.SyntaxKind.Identifier) return undefined;
  const isCalled = ts.isCallExpression(parent) || ts.isNewExpression(parent);
  if (isCalled && parent.expression === token) return "call";
  if (ts.isPropertyAccessExpression(parent) && parent.name === token)
    return ts.isCallExpression(parent.parent) && parent.parent.expression === parent
      ? "call"
      : "property";
  if (ts.isPropertyAssignment(parent) && parent.name === token) return "property";
  return undefined;
}
