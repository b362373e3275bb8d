// SPDX-License-Identifier: MIT
// Reads what the package exports from its declarations (js/types): each name once, with what its
// comment says, and the entries that export it.
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import ts from "typescript";
import { manifest, top } from "../programs.mjs";
import { describeComments, inherited, saidByAlias } from "./comments.mjs";
import { readCall, readSignatures } from "./parameters.mjs";

/**
 * @typedef {import("./comments.mjs").Described} Described
 * @typedef {Described & {
 *   name: string, signature: string, parameters: import("./parameters.mjs").Parameter[],
 *   isAlsoOther: boolean,
 * }} Member `isAlsoOther`: its value need not be a function
 *
 * @typedef {Described & {
 *   name: string, kind: string, isType: boolean, signature: string, members: Member[],
 *   mentions: string[], file: string, entries: string[], result: string,
 *   parameters: import("./parameters.mjs").Parameter[], throwsNothing: boolean,
 * }} Name
 *
 * @typedef {{ name: string, file: string, what: string, names: Map<string, Name> }} Entry
 */

const KINDS = [
  [ts.SymbolFlags.Class, "class"],
  [ts.SymbolFlags.Function, "function"],
  [ts.SymbolFlags.Variable, "constant"],
  [ts.SymbolFlags.Interface, "interface"],
  [ts.SymbolFlags.TypeAlias, "type"],
  [ts.SymbolFlags.Namespace, "namespace"],
];

/** What README.md says of each entry. */
const said = new Map(
  [
    ...readFileSync(resolve(top, "README.md"), "utf8")
      .split("## Entry points")[1]
      .matchAll(/^\| `(weftgraph[^`]*)` \| (.*) \|$/gm),
  ].map(([, name, what]) => [name, what]),
);

/** @returns {Entry[]} the entries in the order of README.md */
export function readEntries() {
  const declared = [...said.keys()].flatMap((name) => {
    const types = manifest.exports[name.replace("weftgraph", ".")].types;
    return types === undefined ? [] : [{ name, file: resolve(top, types) }];
  });
  const program = ts.createProgram(
    declared.map(({ file }) => file),
    {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    },
  );
  const reader = new Reader(program.getTypeChecker());
  const entries = declared.map(({ name, file }) => ({
    name,
    file: relative(top, file),
    what: said.get(name) ?? "",
    names: reader.namesOf(name, program.getSourceFile(file)),
  }));
  const known = new Set(entries.flatMap(({ names }) => [...names.keys()]));
  for (const { names } of entries)
    for (const one of names.values())
      one.mentions = one.mentions.filter((name) => known.has(name) && name !== one.name);
  return entries;
}

class Reader {
  /** By symbol and exported name. @type {Map<ts.Symbol, Map<string, Name>>} */
  #read = new Map();

  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.checker = checker;
  }

  /** @param {string} entry @param {ts.SourceFile} file */
  namesOf(entry, file) {
    const exported = this.checker.getExportsOfModule(this.checker.getSymbolAtLocation(file));
    return new Map(
      exported
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((symbol) => {
          const name = this.#nameOf(symbol);
          name.entries.push(entry);
          return [symbol.name, name];
        }),
    );
  }

  /** @param {ts.Symbol} symbol @returns {Name} */
  #nameOf(symbol) {
    const { checker } = this;
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const read = this.#read.get(target) ?? new Map();
    this.#read.set(target, read);
    const known = read.get(symbol.name);
    if (known !== undefined) return known;
    const declarations = (target.declarations ?? []).filter((one) => !ts.isSourceFile(one));
    const isTypeOnly = (symbol.declarations ?? []).some(
      (one) => ts.isExportSpecifier(one) && (one.isTypeOnly || one.parent.parent.isTypeOnly),
    );
    const described = this.#describe(target, declarations);
    const members = declarations.flatMap((one) => this.#membersOf(one));
    const made = members.find(({ name }) => name === "constructor");
    const call = readCall(checker, target, [...described.parameters, ...(made?.parameters ?? [])]);
    const name = {
      name: symbol.name,
      throwsNothing: throwsNothing(symbol.name, target, call, described.errors),
      kind: KINDS.find(([flag]) => target.flags & flag)?.[1] ?? "name",
      isType: isTypeOnly || (target.flags & ts.SymbolFlags.Value) === 0,
      signature: declarations.map(signatureOf).join("\n"),
      members,
      mentions: [...new Set(declarations.flatMap(identifiersIn))],
      file:
        declarations.length === 0 ? "" : relative(top, declarations[0].getSourceFile().fileName),
      entries: [],
      ...described,
      errors: [...new Set([...described.errors, ...(made?.errors ?? [])])].filter(
        (text) => text !== NOTHING,
      ),
      ...call,
    };
    read.set(symbol.name, name);
    return name;
  }

  /** @param {ts.Node} declaration @returns {Member[]} those with a comment of their own */
  #membersOf(declaration) {
    if (!ts.isClassDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) return [];
    /** @type {Map<string, ts.Node[]>} */
    const byName = new Map();
    for (const member of declaration.members) {
      const isPrivate = ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private;
      if (isPrivate) continue;
      const name = ts.isConstructorDeclaration(member)
        ? "constructor"
        : (member.name?.getText() ?? "");
      if (name === "" || name.startsWith("#") || name.startsWith("_")) continue;
      byName.set(name, [...(byName.get(name) ?? []), member]);
    }
    return [...byName].map(([name, members]) => {
      const described = describeComments(members);
      const symbol = members[0].name && this.checker.getSymbolAtLocation(members[0].name);
      const type = symbol && this.checker.getTypeOfSymbol(symbol);
      const parts = (type?.isUnion() ? type.types : [type]).filter(
        (one) => one !== undefined && (one.flags & ts.TypeFlags.Undefined) === 0,
      );
      const signatures = parts.flatMap((one) => one.getCallSignatures());
      return {
        name,
        signature: members.map(signatureOf).join("\n"),
        isAlsoOther: parts.some((one) => one.getCallSignatures().length === 0),
        ...described,
        ...(signatures.length === 0
          ? {}
          : readSignatures(this.checker, signatures, [
              ...saidByAlias(signatures),
              ...inherited(signatures),
              ...described.parameters,
            ])),
      };
    });
  }

  /** @param {ts.Symbol} symbol @param {ts.Node[]} declarations @returns {Described} */
  #describe(symbol, declarations) {
    // The comment of `export const a: …` stands on the statement.
    const nodes = declarations.map((one) =>
      ts.isVariableDeclaration(one) ? one.parent.parent : one,
    );
    const described = describeComments(nodes);
    if (described.text !== "") return described;
    const text = ts.displayPartsToString(symbol.getDocumentationComment(this.checker));
    return { ...described, text };
  }
}

/** What `@throws` says of a function that takes whatever it is given. */
const NOTHING = "nothing";

/**
 * Says whether a function takes whatever it is given: one whose comment says so, a check of any
 * value, or one without parameters. A test calls each.
 * @param {string} name
 * @param {ts.Symbol} symbol
 * @param {{ parameters: object[], result: string }} call
 * @param {string[]} errors that its comment names
 */
function throwsNothing(name, symbol, { parameters, result }, errors) {
  if ((symbol.flags & ts.SymbolFlags.Function) === 0) return false;
  if (errors.length > 0) return errors.every((text) => text === NOTHING);
  return parameters.length === 0 || (/^is[A-Z]/.test(name) && /^(\w+ is .*|boolean)$/.test(result));
}

/** Public names that a declaration mentions. @param {ts.Node} node @returns {string[]} */
function identifiersIn(node) {
  const names = [];
  const visit = (part) => {
    if (ts.isIdentifier(part) && ts.isTypeReferenceNode(part.parent)) names.push(part.text);
    if (ts.isExpressionWithTypeArguments(part) && ts.isIdentifier(part.expression))
      names.push(part.expression.text);
    ts.forEachChild(part, visit);
  };
  visit(node);
  return names;
}

/** The text of a declaration without comments. @param {ts.Node} node */
function signatureOf(node) {
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const file = statement.getSourceFile();
  const text = file.text.slice(statement.getStart(file), statement.end);
  const scanner = ts.createScanner(
    ts.ScriptTarget.ES2022,
    false,
    ts.LanguageVariant.Standard,
    text,
  );
  let code = "";
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan())
    if (
      kind !== ts.SyntaxKind.SingleLineCommentTrivia &&
      kind !== ts.SyntaxKind.MultiLineCommentTrivia
    )
      code += scanner.getTokenText();
  const indent = indentOf(file, statement);
  return code
    .split("\n")
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line).trimEnd())
    .filter((line) => line !== "")
    .join("\n")
    .replace(/^export (declare )?/, "");
}

/** @param {ts.SourceFile} file @param {ts.Node} node */
function indentOf(file, node) {
  const start = node.getStart(file);
  const line = file.text.lastIndexOf("\n", start - 1) + 1;
  return /^\s*/.exec(file.text.slice(line, start))[0];
}

/** Where declarations lie. @param {string} file */
export const folderOf = (file) => dirname(file).replace(/^js\/types\/?/, "");
