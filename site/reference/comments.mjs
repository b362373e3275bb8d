// SPDX-License-Identifier: MIT
// Reads what the comments of declarations say: texts, parameters, results, errors, examples.
import ts from "typescript";

/**
 * @typedef {object} Described
 * @property {string} text what the comment says
 * @property {{ name: string, text: string }[]} parameters
 * @property {string | undefined} returns
 * @property {string[]} errors
 * @property {string[]} examples
 * @property {string | undefined} deprecated
 */

/** @param {ts.Node[]} nodes declarations of one name @returns {Described} */
export function describeComments(nodes) {
  const comments = nodes.flatMap((node) => ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc));
  const tags = comments.flatMap(({ tags }) => [...(tags ?? [])]);
  const textOf = (comment) => (ts.getTextOfJSDocComment(comment) ?? "").trim();
  const named = (...names) =>
    tags.filter(({ tagName }) => names.includes(tagName.text)).map((tag) => tag);
  const parameters = new Map(
    tags
      .filter(ts.isJSDocParameterTag)
      .map((tag) => [tag.name.getText(), textOf(tag.comment).replace(/^- /, "")]),
  );
  return {
    text: [...new Set(comments.map(({ comment }) => textOf(comment)))].filter(Boolean).join("\n\n"),
    parameters: [...parameters].map(([name, text]) => ({ name, text })),
    returns: named("returns", "return").map(({ comment }) => textOf(comment))[0],
    errors: [...new Set(named("throws").map(throwsText))],
    examples: named("example").map(({ comment }) => textOf(comment)),
    deprecated: named("deprecated").map(({ comment }) => textOf(comment))[0],
  };
}

/** @param {ts.JSDocTag} tag `@throws {Type} when` or `@throws CODE when` */
function throwsText(tag) {
  const type = "typeExpression" in tag && tag.typeExpression ? tag.typeExpression.getText() : "";
  const name = type.replace(/^\{|\}$/g, "");
  return [name, (ts.getTextOfJSDocComment(tag.comment) ?? "").trim()].filter(Boolean).join(" ");
}

/**
 * What comments say of parameters, those of base classes for a method without `@param`: what
 * editors show.
 * @param {readonly ts.Signature[]} signatures of a method
 */
export const inherited = (signatures) =>
  signatures
    .flatMap((signature) => signature.getJsDocTags())
    .filter(({ name }) => name === "param")
    .map(({ text: [name, ...rest] }) => ({
      name: name.text,
      text: ts.displayPartsToString(rest).replace(/^[ -]+/, ""),
    }));

/**
 * What the comment of a type says of the parameters of its function, for a member of that type.
 * @param {readonly ts.Signature[]} signatures
 */
export const saidByAlias = (signatures) =>
  signatures.flatMap(({ declaration }) => {
    const said = ts.findAncestor(
      declaration,
      (one) => ts.isTypeAliasDeclaration(one) || ts.isPropertySignature(one),
    );
    return said === undefined ? [] : describeComments([said]).parameters;
  });
