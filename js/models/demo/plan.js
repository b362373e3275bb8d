// SPDX-License-Identifier: MIT
// Picks tools for a person's words, by the tools' names and descriptions: the demo planner's rules.
// Does not depend on messages, models or results.
import { fillArguments } from "./arguments.js";
import { askedMeanings, expressions, meanings, tellingWords, words } from "./vocabulary.js";

/**
 * @typedef {{ name: string, description: string, parameters: Record<string, unknown> }} ToolCard
 * @typedef {{ name: string, args: Record<string, unknown> }} PlannedCall
 * @typedef {{ calls: PlannedCall[], missing: { name: string, missing: string[] }[] }} Plan
 */

const ENOUGH = 3;
// "Remember that ..." and "buy ..." suffice; "show ..." needs the tool's name too.
const TELLING_ALONE = ["save", "order"];
const CLAUSE_STARTS =
  "what|how|which|save|list|show|order|note|remember|find|search|calculate|compute|tell|place|buy|delete|remove|forget|give|read|write|add|please|look";
const BETWEEN = new RegExp(
  `(?:[,;.?!]\\s+|\\s+)(?:and|then|also|und)\\s+(?=(?:then\\s+|also\\s+)?(?:${CLAUSE_STARTS})\\b)|,\\s+(?=(?:what|how)\\b)|[;?!]\\s+(?=\\S)|\\.\\s+(?=\\p{Lu})`,
  "iu",
);

/**
 * Plans the calls that the words request, in their order.
 * @param {string} text
 * @param {readonly ToolCard[]} tools
 * @returns {Plan}
 */
export function plan(text, tools) {
  /** @type {Plan} */
  const result = { calls: [], missing: [] };
  for (const { clause, tool } of assign(text, tools)) {
    for (const expression of isCalculator(tool) ? expressionsOr(clause) : [undefined]) {
      const { args, missing } = fillArguments(tool.parameters, clause, {
        name: tool.name,
        expression,
      });
      if (missing.length > 0) result.missing.push({ name: tool.name, missing });
      else result.calls.push({ name: tool.name, args });
    }
  }
  return result;
}

/** @param {string} clause @returns {(string | undefined)[]} */
function expressionsOr(clause) {
  const found = expressions(clause);
  return found.length > 0 ? found : [undefined];
}

// Adds a part that fits no tool to the part before it: "note: buy milk. And eggs."
/** @param {string} text @param {readonly ToolCard[]} tools */
function assign(text, tools) {
  /** @type {{ clause: string, tool: ToolCard }[]} */
  const assigned = [];
  for (const part of clauses(text)) {
    const tool = choose(part.text, tools);
    const last = assigned.at(-1);
    if (tool) assigned.push({ clause: part.text, tool });
    else if (last && !part.text.endsWith("?")) last.clause += part.separator + part.text;
  }
  return assigned;
}

/** @param {string} text */
function clauses(text) {
  /** @type {{ text: string, separator: string }[]} */
  const parts = [];
  let separator = "";
  for (let rest = text.trim(); rest !== ""; ) {
    const end = BETWEEN.exec(rest);
    parts.push({
      text: end ? rest.slice(0, end.index) + (/^[?!]/.exec(end[0])?.[0] ?? "") : rest,
      separator,
    });
    if (!end) break;
    separator = end[0];
    rest = rest.slice(end.index + end[0].length);
  }
  return parts;
}

/** @param {string} clause @param {readonly ToolCard[]} tools @returns {ToolCard | undefined} */
function choose(clause, tools) {
  let best;
  let bestScore = ENOUGH - 1;
  for (const tool of tools) {
    const points = score(clause, tool);
    if (points > bestScore) [best, bestScore] = [tool, points];
  }
  return best;
}

/** @param {string} clause @param {ToolCard} tool */
function score(clause, tool) {
  const spoken = new Set(words(clause));
  if (isCalculator(tool) && expressions(clause).length > 0) return 6;
  if (
    isClock(tool) &&
    /\b(?:time|date|day|today|clock|hour)\b/i.test(clause) &&
    !/\btimes\b/i.test(clause)
  )
    return 6;
  const name = words(tool.name.replaceAll("_", " "));
  const named = name.filter((word) => spoken.has(word)).length;
  const described = [...tellingWords(tool.description)].filter(
    (word) => spoken.has(word) && !name.includes(word),
  ).length;
  const asked = [...askedMeanings(clause)].filter(
    (meaning) => named > 0 || TELLING_ALONE.includes(meaning),
  );
  return 4 * named + described + verbPoints(new Set(asked), name, tool);
}

// Scores whether the verbs agree: "list my notes" is for list_notes, not for save_note.
/** @param {Set<string>} said @param {string[]} name @param {ToolCard} tool */
function verbPoints(said, name, tool) {
  const choices = Object.values(tool.parameters.properties ?? {}).flatMap(
    (schema) => schema.enum ?? [],
  );
  const does = meanings([
    ...name.filter((word) => word !== "note" || name.length === 1),
    ...choices.flatMap((choice) => words(String(choice))),
  ]);
  if (said.size === 0 || does.size === 0) return 0;
  return [...said].some((meaning) => does.has(meaning)) ? 3 : -2;
}

/** @param {{ name: string, description?: string }} tool */
export function isCalculator(tool) {
  return /calc|arithmetic|math/i.test(tool.name);
}

/** @param {{ name: string }} tool */
export function isClock(tool) {
  const name = words(tool.name.replaceAll("_", " "));
  return ["clock", "time", "date", "now", "today"].some((word) => name.includes(word));
}
