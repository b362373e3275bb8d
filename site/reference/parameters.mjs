// SPDX-License-Identifier: MIT
// Reads what is called with what from a declaration: parameters of a function or a constructor with
// their types, properties of an object that is written out as parameters of their own, results.
import ts from "typescript";

/**
 * @typedef {object} Parameter
 * @property {string} name with `?` where it may be left out, `...` where it takes the rest
 * @property {string} type "" where it is longer than a table has room for
 * @property {string} text what a comment says
 */

/** A longer type is read in the signature. */
const MOST_TYPE = 140;

/**
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} symbol
 * @param {{ name: string, text: string }[]} said what comments say, by name
 * @returns {{ parameters: Parameter[], result: string }}
 */
export function readCall(checker, symbol, said) {
  const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
  const type = isValue ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol);
  const constructs = type.getConstructSignatures();
  return readSignatures(checker, [...constructs, ...type.getCallSignatures()], said);
}

/**
 * @param {ts.TypeChecker} checker
 * @param {readonly ts.Signature[]} signatures of one name
 * @param {{ name: string, text: string }[]} said
 */
export function readSignatures(checker, signatures, said) {
  /** @type {Map<string, { name: string, types: Set<string>, text: string }>} */
  const rows = new Map();
  const texts = new Map(said.map(({ name, text }) => [name, text]));
  const add = (plain, shown, type, text) => {
    const row = rows.get(plain) ?? { name: shown, types: new Set(), text: "" };
    if (shown.length > row.name.length) row.name = shown; // optional in one of them
    row.types.add(type);
    row.text ||= texts.get(plain) ?? text;
    texts.delete(plain);
    rows.set(plain, row);
  };
  for (const { parameters } of signatures)
    for (const parameter of parameters) {
      const node = /** @type {ts.ParameterDeclaration | undefined} */ (parameter.valueDeclaration);
      const isOpen = node !== undefined && ts.isParameter(node);
      const plain = isOpen && !ts.isIdentifier(node.name) ? "options" : parameter.name;
      if (plain === "this") continue;
      const ending = isOpen && (node.questionToken || node.initializer) ? "?" : "";
      const shown = `${isOpen && node.dotDotDotToken ? "..." : ""}${plain}${ending}`;
      const typeNode = isOpen ? node.type : undefined;
      const isWritten = typeNode !== undefined && ts.isTypeLiteralNode(typeNode);
      const type = isWritten
        ? "object"
        : typeNode === undefined
          ? checker.typeToString(checker.getTypeOfSymbol(parameter))
          : textOf(typeNode);
      add(plain, shown, type, "");
      if (isWritten)
        for (const member of typeNode.members)
          if (ts.isPropertySignature(member) || ts.isMethodSignature(member)) {
            const name = `${plain}.${member.name.getText()}`;
            add(
              name,
              `${name}${member.questionToken ? "?" : ""}`,
              memberType(member),
              saidOf(member),
            );
          }
    }
  // What a comment names and no signature does, like a property of an interface.
  for (const [name, text] of texts) if (text !== "") add(name, name, "", text);
  const results = new Set(
    signatures.flatMap(({ declaration }) =>
      declaration?.type && !ts.isConstructorDeclaration(declaration)
        ? [textOf(declaration.type)]
        : [],
    ),
  );
  return {
    parameters: [...rows.values()].map(({ name, types, text }) => ({
      name,
      type: short([...types].filter(Boolean)),
      text,
    })),
    result: short([...results].filter((type) => type !== "void")),
  };
}

/** @param {string[]} types */
function short(types) {
  const text = types.join(" or ");
  return text.length > MOST_TYPE ? "" : text;
}

/** @param {ts.PropertySignature | ts.MethodSignature} member */
function memberType(member) {
  if (ts.isMethodSignature(member)) return "function";
  if (member.type === undefined) return "";
  return ts.isTypeLiteralNode(member.type) ? "object" : textOf(member.type);
}

/** What the comment of a property says. @param {ts.Node} node */
const saidOf = (node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
    .join(" ")
    .trim();

/** A type in one line, without comments. @param {ts.Node} node */
function textOf(node) {
  return node
    .getText()
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "")
    .replaceAll(/\s+/g, " ")
    .replace(/^\| /, "");
}
