// SPDX-License-Identifier: MIT
// Writes the demo planner's sentences about outcomes of tool calls, or that nothing could be done.
// Does not depend on planning or models.
import { textOf } from "../../messages/index.js";
import { isCalculator, isClock } from "./plan.js";
import { meanings, words } from "./vocabulary.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("./plan.js").ToolCard} ToolCard */
/** @typedef {{ name: string, args: unknown, result: Value }} Outcome */

const HONEST = "I am the demo planner, a few rules and not a language model.";

/**
 * Describes the outcomes of the calls, with one sentence (or list) for each.
 * @param {readonly Outcome[]} outcomes
 * @returns {string}
 */
export function tellOutcomes(outcomes) {
  return outcomes
    .map(tellOutcome)
    .join(outcomes.some(({ result }) => listIn(result)) ? "\n\n" : " ");
}

/** @param {Outcome} outcome */
function tellOutcome({ name, args, result }) {
  if (result === undefined) return `${subject(name)} gave no result.`;
  const text = textOf(result.content).trim();
  if (isFailure(result, text)) return `${failure(name)}: ${sentence(reason(text))}`;
  return success(name, args, text, listIn(result));
}

/** @param {Value} result @param {string} text */
function isFailure(result, text) {
  return (
    result.status === "error" ||
    /^(?:error\b|(?:the )?user (?:rejected|denied|declined)|rejected\b|denied\b)/i.test(text)
  );
}

/** @param {string} name */
function failure(name) {
  const does = doing(name);
  if (does.has("order")) return "The order was not placed";
  if (isNote(name) && does.has("save")) return "The note was not saved";
  if (isCalculator({ name })) return "That could not be calculated";
  return `${subject(name)} did not work`;
}

/** @param {string} text */
function reason(text) {
  const plain = text.replace(/^error:\s*/i, "").replace(/\s*please fix your mistakes\.?\s*$/i, "");
  const told = /\breason:?\s+(.+)$/is.exec(plain);
  const said = told ? told[1].replace(/^none was given$/, "") : plain;
  return said || "no reason was given";
}

/**
 * @param {string} name
 * @param {Value} args
 * @param {string} text
 * @param {string[] | undefined} list
 */
function success(name, args, text, list) {
  const does = doing(name);
  const value = plainValue(text);
  if (isCalculator({ name }))
    return sentence(`${Object.values(args ?? {})[0] ?? "The result"} is ${value}`);
  if (isClock({ name })) return sentence(/^it is\b/i.test(value) ? value : `It is ${value}`);
  if (list)
    return list.length > 0
      ? `${isNote(name) ? "Your notes" : subject(name)}:\n${list.map((item) => `- ${item}`).join("\n")}`
      : `${isNote(name) ? "There are no notes" : `${subject(name)} found nothing`}.`;
  if (does.has("order")) return sentence(`The order is placed: ${value || describe(args)}`);
  if (isNote(name) && (does.has("save") || args?.action === "save"))
    return sentence(`I saved the note${args?.text ? `: ${args.text}` : ""}`);
  return sentence(value === "" ? `${subject(name)} is done` : `${subject(name)}: ${value}`);
}

/** @param {string} name */
function doing(name) {
  const parts = words(name.replaceAll("_", " "));
  return meanings(parts.filter((word) => word !== "note"));
}

/** @param {string} name */
function isNote(name) {
  return words(name.replaceAll("_", " ")).includes("note");
}

/** @param {string} name */
function subject(name) {
  const text = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {unknown} args */
function describe(args) {
  return Object.entries(args ?? {})
    .map(([key, value]) => `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

/** @param {string} text */
function sentence(text) {
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

/** @param {string} text @returns {unknown} */
function jsonIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Formats a result: one number, text or flag in JSON as such, an object by its fields.
/** @param {string} text @returns {string} */
function plainValue(text) {
  const json = jsonIn(text);
  if (json === undefined) return text;
  if (json === null || typeof json !== "object") return String(json);
  const values = Object.values(json);
  return values.length === 1 && typeof values[0] !== "object" ? String(values[0]) : describe(json);
}

/** @param {Value} result @returns {string[] | undefined} */
function listIn(result) {
  const json = result === undefined ? undefined : jsonIn(textOf(result.content));
  if (!Array.isArray(json)) return undefined;
  return json.map((item) =>
    item !== null && typeof item === "object"
      ? String(item.text ?? item.value ?? describe(item))
      : String(item),
  );
}

/**
 * Writes the answer if no tool fits.
 * @param {string} text
 * @param {readonly ToolCard[]} tools
 */
export function tellHelp(text, tools) {
  const greeting = /^\s*(?:hi|hello|hey|good (?:morning|evening|afternoon))\b/i.test(text)
    ? "Hello! "
    : "";
  const thanks = /\b(?:thanks|thank you)\b/i.test(text) ? "You are welcome. " : "";
  if (tools.length === 0)
    return `${greeting}${thanks}${HONEST} No tools are bound to me, so I can do nothing for you.`;
  const offers = tools.map(
    ({ name, description }) => `- ${name}: ${sentence(description || "no description")}`,
  );
  return `${greeting}${thanks}${HONEST} I found no tool for that. I can use:\n${offers.join("\n")}`;
}

/** @param {number} limit */
export function tellTooLong(limit) {
  return `${HONEST} I read at most ${limit} characters at once; please say it shorter.`;
}

/** @param {readonly { name: string, missing: string[] }[]} missing */
export function tellMissing(missing) {
  return missing
    .map(
      ({ name, missing: names }) =>
        `For ${subject(name).toLowerCase()} I need to know: ${names.join(", ")}.`,
    )
    .join(" ");
}
