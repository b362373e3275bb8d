// SPDX-License-Identifier: MIT
// Fills a tool's arguments from a person's words, by name, type and order. Does not depend on which
// tool is right, on messages or models.
import {
  askedMeanings,
  expressions,
  meanings,
  numbers,
  verbsOf,
  withoutFirstNumber,
  words,
} from "./vocabulary.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Json */
/**
 * @typedef {{ clause: string, numbers: number[], texts: string[], expression: string | undefined }}
 *   Source
 */

const EXPRESSION_NAMES = /^(expression|expr|formula|calculation|equation|input)$/i;
const COUNT_NAMES = /quantity|count|amount|number|qty/i;
const ZONE_NAMES = /^(time_?zone|zone|tz)$/i;
const PLACE_NAMES = /city|location|place|address|destination|where/i;
const LEAD =
  /^(?:(?:please|can you|could you|would you|i want to|i would like to|i'd like to|i want|i need|let's|now|also|and|then|that|this|a|an|the|my|me|down|up|to|of|with|for|about|do|i|have|is|are|any|there|called|saying|says|it|all|note|notes)\b[\s:,]*)+/i;

/**
 * Returns the arguments, and the names of required ones that the words do not contain.
 * @param {Json} parameters
 * @param {string} clause
 * @param {{ name: string, expression?: string }} tool
 * @returns {{ args: Json, missing: string[] }}
 */
export function fillArguments(parameters, clause, tool) {
  const source = readSource(clause, tool);
  const required = new Set(parameters.required ?? []);
  /** @type {Json} */
  const args = {};
  /** @type {string[]} */
  const missing = [];
  for (const [name, schema] of Object.entries(parameters.properties ?? {})) {
    const value =
      given(name, schema, clause) ??
      (required.has(name) || isTold(name, schema, source)
        ? fill(name, plainType(schema), source)
        : undefined);
    if (value !== undefined) args[name] = value;
    else if (required.has(name)) missing.push(name);
  }
  return { args, missing };
}

/** @param {string} clause @param {{ name: string, expression?: string }} tool @returns {Source} */
function readSource(clause, { name, expression }) {
  const quoted = [...clause.matchAll(/"([^"]+)"|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3],
  );
  return {
    clause,
    numbers: numbers(clause),
    texts: quoted.length > 0 ? quoted : [object(clause, name)].filter(Boolean),
    expression: expression ?? expressions(clause)[0],
  };
}

// Finds the object of the sentence: after its colon, or without the words that named the tool.
/** @param {string} clause @param {string} toolName */
function object(clause, toolName) {
  const colon = /^[^:]{0,40}:\s+(.+)$/s.exec(clause);
  if (colon) return tidy(colon[1]);
  const named = words(toolName.replaceAll("_", " "));
  const first = words(clause).find((word) => meanings([word]).size > 0) ?? "";
  const verbs = new Set([
    ...named,
    ...verbsOf(meanings(named)),
    ...verbsOf(meanings([first])),
    "get",
  ]);
  const rest = clause.trim().replace(LEAD, "").split(/\s+/);
  while (rest.length > 0 && (verbs.has(words(rest[0])[0]) || LEAD.test(`${rest[0]} `)))
    rest.shift();
  return tidy(rest.join(" ").replace(LEAD, ""));
}

/** @param {string} text */
function tidy(text) {
  return text
    .trim()
    .replace(/[\s.?!,;]+$/, "")
    .replace(/\s+please$/i, "");
}

// Reads "name: value" and "name=value" in the person's own words.
/** @param {string} name @param {Json} schema @param {string} clause */
function given(name, schema, clause) {
  const found = new RegExp(
    `\\b${name.replace(/\W/g, "\\$&").replaceAll("_", "[_ ]")}\\s*[=:]\\s*("[^"]*"|[^,;]+?)(?=\\s+\\w+\\s*=|[,;]|$)`,
    "i",
  ).exec(clause);
  if (!found) return undefined;
  const text = tidy(found[1].replace(/^"|"$/g, ""));
  const type = plainType(schema).type;
  if (type === "number" || type === "integer")
    return Number.isFinite(Number(text)) ? Number(text) : undefined;
  return type === "boolean" ? /^(true|yes|on)$/i.test(text) : text;
}

/** @param {Json} schema @returns {Json} */
function plainType(schema) {
  const options = (schema.anyOf ?? schema.oneOf ?? []).filter(
    (/** @type {Json} */ option) => option.type !== "null",
  );
  const inner = options.length > 0 ? options[0] : schema;
  return Array.isArray(inner.type)
    ? { ...inner, type: inner.type.find((/** @type {string} */ type) => type !== "null") }
    : inner;
}

// Do the words clearly mean this optional argument? Otherwise it is not filled.
/** @param {string} name @param {Json} raw @param {Source} source */
function isTold(name, raw, source) {
  const schema = plainType(raw);
  if (schema.enum)
    return schema.enum.some((/** @type {Value} */ value) => mentions(source.clause, value));
  if (schema.type === "number" || schema.type === "integer")
    return COUNT_NAMES.test(name) && count(source) !== undefined;
  if (schema.type === "boolean") return words(source.clause).includes(words(name)[0]);
  if (ZONE_NAMES.test(name)) return zone(source.clause) !== undefined;
  if (PLACE_NAMES.test(name)) return place(source.clause) !== undefined;
  return (
    schema.type === "string" &&
    /^(text|query|q|search|item|content|note|title|input)$/i.test(name) &&
    source.texts.length > 0
  );
}

/** @param {string} name @param {Json} schema @param {Source} source @returns {Value} */
function fill(name, schema, source) {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return chooseValue(schema, source.clause);
  switch (schema.type) {
    case "number":
    case "integer":
      return COUNT_NAMES.test(name)
        ? (count(source) ?? Math.max(1, schema.minimum ?? 1))
        : (source.numbers.shift() ?? schema.default);
    case "boolean":
      return !/\b(?:no|not|without)\b/i.test(source.clause);
    case "array":
      return source.texts[0]?.split(/\s*,\s*|\s+and\s+/).filter(Boolean);
    case "string":
      return fillText(name, source) ?? schema.default;
    default:
      return schema.default;
  }
}

// Finds how many: a number in front of the thing, not that of a house.
/** @param {Source} source */
function count({ clause }) {
  return numbers(clause.replace(/\s(?:to|at|in|near)\s.*$/is, ""))[0];
}

/** @param {string} name @param {Source} source */
function fillText(name, source) {
  if (EXPRESSION_NAMES.test(name) && source.expression !== undefined) return source.expression;
  if (ZONE_NAMES.test(name)) return zone(source.clause);
  if (PLACE_NAMES.test(name)) return place(source.clause) ?? source.texts[0];
  const text = source.texts.length > 1 ? source.texts.shift() : source.texts[0];
  if (text === undefined) return undefined;
  const wantsThing = /item|product|thing|what/i.test(name);
  return (
    (wantsThing
      ? withoutFirstNumber(text.replace(/\s+(?:to|for|at)\s+.+$/i, "")).replace(
          /^(?:a|an|the|some|of)\s+/i,
          "",
        )
      : text) || undefined
  );
}

/** @param {Json} schema @param {string} clause */
function chooseValue(schema, clause) {
  const told = schema.enum.find((/** @type {Value} */ value) => mentions(clause, value));
  if (told !== undefined) return told;
  const meant = askedMeanings(clause);
  return (
    schema.enum.find((/** @type {Value} */ value) =>
      [...meanings(words(String(value)))].some((meaning) => meant.has(meaning)),
    ) ?? schema.default
  );
}

/** @param {string} clause @param {Value} value */
function mentions(clause, value) {
  const spoken = words(clause);
  const wanted = words(String(value));
  return wanted.length > 0 && wanted.every((word) => spoken.includes(word));
}

/** @param {string} clause */
function zone(clause) {
  return /\b(?:UTC|GMT|[A-Z][a-z]+\/[A-Z][A-Za-z_]+)\b/.exec(clause)?.[0];
}

/** @param {string} clause */
function place(clause) {
  const found = /\b(?:in|at|to|near|for(?=\s+\p{Lu}))\s+(?!(?:the|my|a)\b)([^,?.!]+)/u.exec(clause);
  return found ? tidy(found[1]) : undefined;
}
