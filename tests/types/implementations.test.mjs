// SPDX-License-Identifier: MIT
// Assigns each value that the package exports to its declaration, name by name. Where TypeScript cannot hold that, for a
// reason that the table states, it compares what can be compared: the number of parameters, the names of members, the
// keys of options.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { Runnable } from "../../js/runnable/runnable.js";
import { sharedHost } from "./host.mjs";

const top = join(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = join(top, "build/types-of-exports");
const { exports } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const { config } = ts.readConfigFile(join(top, "tsconfig.json"), ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, top);

/** @typedef {{ entry: string, js: string, types: string }} Entry */
/** @type {Entry[]} */
const ENTRIES = Object.entries(exports).flatMap(([entry, target]) => (target.types === undefined ? [] : [{ entry, js: target.default, types: target.types }]));

/** Names that cannot be assigned, by reason. A name that can be must leave the table. */
const REASONS = {
};
const KNOWN = [];

const importable = (path) => relative(folder, join(top, path)).replace(/\.d\.ts$/, ".js");

/**
 * Compiles a module that assigns what each entry exports to what it declares.
 * @param {Entry[]} entries
 * @returns what TypeScript says by name, and the two types of each name; a name that several entries have counts once
 */
async function assign(entries) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "check.ts");
  const seen = new Map();
  const lines = [];
  const values = [];
  for (const [at, { js, types }] of entries.entries()) {
    const module = await import(pathToFileURL(join(top, js)).href);
    lines.push(`import * as impl${at} from "${importable(js)}";`, `import type * as decl${at} from "${importable(types)}";`);
    for (const [name, value] of Object.entries(module)) {
      if (seen.has(name) && seen.get(name) === value) continue;
      seen.set(name, value);
      values.push(value);
      lines.push(`impl${at}.${name} satisfies typeof decl${at}.${name};`);
    }
  }
  writeFileSync(file, lines.join("\n"));
  const program = ts.createProgram([file], options, sharedHost(options));
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const problems = new Map();
  for (const { start, messageText } of program.getSemanticDiagnostics(source)) {
    const line = lines[source.getLineAndCharacterOfPosition(start).line];
    problems.set(/^impl\d+\.(\w+)/.exec(line)?.[1] ?? line, ts.flattenDiagnosticMessageText(messageText, "\n"));
  }
  const pairs = source.statements.filter(ts.isExpressionStatement).map(({ expression }, at) => ({
    value: values[at],
    name: expression.expression.name.text,
    made: checker.getTypeAtLocation(expression.expression),
    declared: checker.getTypeFromTypeNode(expression.type),
  }));
  return { checker, problems, pairs };
}

/** The keys of an object of options, which is no class, list or function; undefined where any key may stand in it. */
function keysOf(checker, type) {
  const parts = type.isUnion() ? type.types : [type];
  const keys = new Set();
  for (const part of parts) {
    if (part.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return undefined;
    if (!(part.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) || checker.isArrayLikeType(part)) continue;
    if (part.getCallSignatures().length > 0 || part.getConstructSignatures().length > 0 || part.isClass() || part.symbol?.flags & ts.SymbolFlags.Class) continue;
    if (checker.getIndexInfosOfType(part).length > 0) return undefined;
    const names = part.getProperties().map(({ name }) => name);
    // A symbol's name begins so: a stream or an iterator has one.
    if (!names.some((name) => name.startsWith("__@"))) for (const name of names) keys.add(name);
  }
  return keys;
}

const isPublic = (name) => !/^(_|#|lc_|lg_|prototype$|toString$|toJSON)/.test(name);
/** Members that are types only: no program reads them. */
const isTypeOnly = (name) => /^(~|ValueType$|InputType$|UpdateType$|State$|Update$|Node$)/.test(name);
/** What every Runnable has, which declarations of tools and the like leave out. */
const OF_RUNNABLES = new Set(["isRunnable", ...[Runnable.prototype, Object.getPrototypeOf(Runnable.prototype)].flatMap((one) => Object.getOwnPropertyNames(one))]);
const isRest = ({ valueDeclaration }) => valueDeclaration?.dotDotDotToken !== undefined;
const MOST_PARAMETERS = 10;
const isAbstract = (symbol) => symbol.declarations?.some((one) => ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Abstract);
const missing = (from, names) => [...from].filter((name) => !names.has(name));
const signaturesOf = (type) => [...type.getCallSignatures(), ...type.getConstructSignatures()];

/** Methods of implementations that were compared: a subclass does not repeat them. */
const told = new Set();

/** What differs between an implementation and its declaration, in what can be compared of all of them. */
function differences(checker, { name, value, made, declared }) {
  const found = [];
  const typeOf = (symbol) => checker.getTypeOfSymbol(symbol);
  const compareCalls = (place, made, declared) => {
    const [ours, theirs] = [made, declared].map(signaturesOf);
    if (made.flags & ts.TypeFlags.Any) return;
    if ((ours.length === 0) !== (theirs.length === 0)) found.push(`${place}: only one is a function`);
    if (ours.length === 0 || theirs.length === 0) return;
    const most = (list) => Math.max(...list.map(({ parameters }) => (parameters.some(isRest) ? Infinity : parameters.length)));
    if (most(ours) < Infinity && most(theirs) < Infinity && most(ours) !== most(theirs)) found.push(`${place}: takes ${most(ours)} parameters, ${most(theirs)} are declared`);
    for (let at = 0; at < Math.min(most(ours), most(theirs), MOST_PARAMETERS); at++) {
      const keys = (list) => {
        const sets = list.flatMap(({ parameters }) => (parameters[at] === undefined ? [] : [keysOf(checker, checker.getNonNullableType(typeOf(parameters[at])))]));
        return sets.includes(undefined) ? undefined : new Set(sets.flatMap((set) => [...set]));
      };
      const [taken, named] = [keys(ours), keys(theirs)];
      if (taken === undefined || named === undefined || named.size === 0) continue;
      for (const key of missing(named, taken)) found.push(`${place}: takes no ${key}, which is declared`);
      for (const key of missing(taken, named)) found.push(`${place}: takes ${key}, which is not declared`);
    }
  };
  const compareMembers = (place, made, declared, value) => {
    const [ours, theirs] = [made, declared].map((type) => new Map(type.getProperties().map((symbol) => [symbol.name, symbol])));
    for (const key of missing(theirs.keys(), ours)) {
      const symbol = theirs.get(key);
      // Some are put on a class by a function.
      const isThere = key in value || isAbstract(symbol) || symbol.flags & ts.SymbolFlags.Optional;
      if (isPublic(key) && !isTypeOnly(key) && !isThere) found.push(`${place}.${key} is declared only`);
    }
    for (const [key, symbol] of ours) {
      if (!isPublic(key)) continue;
      const other = theirs.get(key);
      if (other !== undefined) compareCalls(`${place}.${key}`, typeOf(symbol), typeOf(other));
      else if (typeOf(symbol).getCallSignatures().length > 0 && !OF_RUNNABLES.has(key) && !told.has(symbol)) found.push(`${place}.${key} is not declared`);
      told.add(symbol);
    }
  };
  compareCalls(name, made, declared);
  const [ours] = made.getConstructSignatures();
  const [theirs] = declared.getConstructSignatures();
  if (ours === undefined || theirs === undefined) return found;
  compareMembers(name, made, declared, value);
  compareMembers(`${name}.prototype`, ours.getReturnType(), theirs.getReturnType(), value.prototype);
  return found;
}

const { checker, problems, pairs } = await assign(ENTRIES);

test("each implementation can be assigned to its declaration, but for those that the table names", () => {
  const excepted = new Set(Object.values(REASONS).flat());
  const wrong = [...problems].filter(([name]) => !excepted.has(name)).map(([name, text]) => `${name}: ${text}`);
  assert.deepEqual(wrong, []);
  assert.deepEqual([...excepted].filter((name) => !problems.has(name)), [], "can be assigned: take them off the table");
});

test("implementations and declarations take the same parameters and options, and have the same members", () => {
  assert.deepEqual(pairs.flatMap((pair) => differences(checker, pair)).filter((text) => !KNOWN.includes(text)), []);
});
