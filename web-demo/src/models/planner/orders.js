// SPDX-License-Identifier: MIT
// Hears orders and questions about them. An order needs a verb for it ("order", "buy"), a thing and
// a count that the tool takes; a wish ("I'd like a coffee") is asked about first.
import { doneCalls } from "./outcomes.js";
import { bare, countOf, quoted } from "./words.js";

/** @typedef {import("../planner.js").Heard} Heard */
/** @typedef {import("../planner.js").Reply} Reply */
/** @typedef {import("../planner.js").Tool} Tool */

const LONGEST_THING = 200;
const WHAT = "What shall I order? For example: “order 2 pizzas”.";
const ABOUT = /\b(?:re)?order(?:s|ed|ing)?\b|\b(?:buy|bought|buying|purchase[ds]?)\b/i;
// "In order to", "in alphabetical order", "the order of operations": another word.
const OTHER_WORD =
  /\bin order (?:to|that)\b|\border of\b|alphabetical|numerical|chronological|(?:a|de)scending|law and order/i;
const COMMAND =
  /^(?:(?:place|make|put in|start) (?:an?|the|my|another) order (?:for|of)|order|buy|purchase)\b[\s:]*(?:(?:me|us|myself|for me)\s+)?(.+)$/is;
const UNDO =
  /\b(?:cancel|undo|revert|retract|withdraw|stop|return|refund|change|modify|update|edit|delete|remove|forget)\b.*\border|^(?:undo|cancel|revert|take back)\b|\bchanged my mind\b|\brefund\b/i;
const NEGATED = /\b(?:don't|dont|do not|never|not|stop|no more|nothing)\b.*\b(?:order|buy)/i;
const LISTED =
  /\b(?:did|have) i (?:already )?(?:order|buy|bought|purchase)|\bi (?:have |already )?(?:ordered|bought)\b|\b(?:my|all|any|past|previous|the) orders\b|\b(?:show|list|see|what's in|what is in|what was) (?:me )?my (?:last )?order\b|^(?:orders|order (?:history|list))$/i;
const FOLLOWED =
  /\b(?:where|when|track|arrive|deliver(?:y|ed)?|shipp(?:ed|ing))\b|^order (?:status|number|id|tracking|confirmation)\b/i;
const ASKED_HOW =
  /^(?:how (?:do|can|could|should|would|to)|what (?:happens|would happen|if)|(?:can|could|may|is it possible|am i able))\b/i;
const CONDITION =
  /\b(?:if|when(?:ever)?|unless|until|once|every|each (?:day|week|month)|as soon as|tomorrow|tonight|later|next \w+|(?:on|for) (?:mon|tues|wednes|thurs|fri|satur|sun)days?|at \d+(?::\d\d)?\s*(?:am|pm|o'clock)?)\b/i;
const UNSURE =
  /\bor\b|^(?:about|around|roughly|at (?:least|most)|up to|between|max(?:imum)?)\b|^\d+\s*(?:to|-|–)\s*\d+/i;
const AGAIN = /^(?:it again|again|the same(?: again| thing)?|another(?: one)?|more|one more)$/i;
const REPEATED = /\breorder\b|\brepeat (?:my|the) (?:last )?order\b/i;
const NO_THING =
  /^(?:it|that|this|these|those|them|both|one|some|something|anything|everything|stuff|things?|now|for me|me|please|all(?: of (?:it|them))?|whatever.*|something .*|the usual)$/i;
const NO_WISH =
  /\b(?:joke|story|poem|minutes?|hours?|seconds?|moment|second|hand|help|break|tip|hint|list|question|answer|idea|summary|e-?mail|human|person|receipt|invoice|refund|number|example|reason|hug|chance)\b/i;
const COUNTED = /^(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|some|\d+)\s+\p{L}/iu;

/** @param {Heard} heard @returns {Reply | undefined} */
export function orders(heard) {
  const { clause, said, isWish } = heard;
  const words = bare(said);
  if (NEGATED.test(clause))
    return { say: "All right: I order nothing that you do not ask for.", refuses: true };
  if (UNDO.test(words)) return { say: undoText(words), refuses: true };
  if (REPEATED.test(words)) return again(heard);
  if (!ABOUT.test(clause)) return isWish ? offered(heard) : undefined;
  const isListed = LISTED.test(words) && !/\b(?:can|could|should) (?:i|you|we)\b/i.test(clause);
  if (isListed) return { say: listed(heard) };
  if (FOLLOWED.test(words) && !/^(?:buy|order) (?:\d|an?\b)/i.test(words))
    return {
      say: `An order is only a line in this thread: nothing is delivered. ${listed(heard)}`,
    };
  const command = COMMAND.exec(words);
  if (command !== null && !OTHER_WORD.test(words)) return ordered(heard, bare(command[1]));
  return question(heard, words);
}

/** @param {Heard} heard @param {string} words @returns {Reply | undefined} */
function question({ clause }, words) {
  if (OTHER_WORD.test(words)) return undefined;
  if (/\bhow (?:much|expensive)\b|\bprice|\bcost/i.test(clause))
    return { say: "I know no prices: this is a sample, and nothing is really bought." };
  if (!ASKED_HOW.test(clause) && !/^(?:order|buy|purchase)$/i.test(words)) return undefined;
  const { count = 1, thing } = countOf(/\b(?:order|buy) (.+)$/i.exec(words)?.[1] ?? "");
  const shown = thing === "" || NO_THING.test(thing) ? "2 pizzas" : `${count} ${thing}`;
  return {
    say: `Tell me how many of what, for example: “order ${shown}”. You see it, and approve it, before it is placed.`,
  };
}

/**
 * Things with a count but no verb: it is asked whether they are to be ordered.
 * @param {Heard} heard
 * @returns {Reply | undefined}
 */
export function offered({ clause, said, tool }) {
  const words = bare(said)
    .replace(/^me /i, "")
    .replace(/^another /i, "a ");
  if (tool === undefined || !COUNTED.test(words) || NO_WISH.test(words)) return undefined;
  if (CONDITION.test(clause) || UNSURE.test(words) || words.split(/\s+/).length > 8)
    return undefined;
  const made = callOf(tool, words);
  if (typeof made === "string") return { say: made };
  const { count = 1, thing } = countOf(words);
  return { say: `Shall I order ${count} × ${thing}? Say yes, or “order ${count} ${thing}”.` };
}

/** @param {Heard} heard @param {string} given @returns {Reply | undefined} */
function ordered(heard, given) {
  const { clause, tool } = heard;
  if (tool === undefined) return { say: "I have no tool that orders anything." };
  const things = given.replace(/\s+(?:right )?(?:now|asap|immediately)$/i, "");
  if (/\b(?:by (?:name|date|size|price|age|length|number)|alphabetically|sell)\b/i.test(things))
    return undefined;
  if (AGAIN.test(things)) return again(heard);
  if (NO_THING.test(things)) return { say: WHAT };
  if (CONDITION.test(clause))
    return {
      say: "I can only order at once: I cannot wait for a time or a condition, so I did nothing.",
      refuses: true,
    };
  if (/^(?:nothing|no )/i.test(things))
    return { say: "All right: nothing is ordered.", refuses: true };
  if (UNSURE.test(things))
    return { say: "How many of what exactly? For example: “order 2 pizzas”.", refuses: true };
  if (/\?$/.test(clause.trim()) && !/^(?:can|could|would|will) you\b/i.test(clause))
    return offered({ ...heard, said: /^(?:\d|an?\b)/i.test(things) ? things : `1 ${things}` });
  const calls = [];
  for (const part of partsOf(things.replace(/^another /i, "a "))) {
    const made = callOf(tool, part);
    if (typeof made === "string") return { say: made, refuses: true };
    calls.push(made);
  }
  return { calls };
}

/** "2 apples and 3 lemons" is two things, "fish and chips" is one. @param {string} things */
function partsOf(things) {
  const parts = things.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i);
  const areCounted = parts.every((part) => countOf(part).count !== undefined);
  return areCounted ? parts : [things];
}

/**
 * @param {Tool} tool @param {string} text
 * @returns {import("../planner.js").Call | string} the call, or what is missing
 */
function callOf(tool, text) {
  const { count, thing, isVague } = countOf(text);
  const what = thing.trim();
  if (what === "") return WHAT;
  if (what.length > LONGEST_THING)
    return `The name of a thing has at most ${LONGEST_THING} characters here.`;
  const isPlural = /(?:[^su]|ss[e]?)s$/i.test(what);
  if (count === undefined && (isVague || isPlural))
    return `How many? Say for example: “order ${isPlural ? 2 : 1} ${what}”.`;
  const quantity = count ?? 1;
  const wrong = wrongCount(quantity, what, tool.parameters.properties.quantity);
  return wrong ?? { name: tool.name, args: { item: what, quantity } };
}

/** @param {number} count @param {string} what @param {any} schema */
function wrongCount(count, what, { minimum, maximum }) {
  if (!Number.isInteger(count))
    return `I can order whole numbers only, not ${count} of ${quoted(what)}. Say for example: “order 1 ${what}”.`;
  if (count < minimum) return `The least that can be ordered is ${minimum}; ${count} is too few.`;
  if (count > maximum)
    return `One order takes at most ${maximum}; ${count} is too many. Say for example: “order ${maximum} ${what}”.`;
  return undefined;
}

/** @param {Heard} heard @returns {Reply} */
function again({ messages, tool }) {
  const last = doneCalls(messages, tool?.name).at(-1);
  if (last === undefined)
    return { say: "Nothing was ordered in this thread yet. Say for example: “order 2 pizzas”." };
  return { calls: [{ name: last.name, args: last.args }] };
}

/** @param {Heard} heard */
function listed({ messages, tool }) {
  const done = doneCalls(messages, tool?.name);
  if (done.length === 0) return "Nothing was ordered in this thread yet.";
  return `In this thread you ordered:\n${done.map(({ result }) => `- ${result}`).join("\n")}`;
}

/** @param {string} clause */
function undoText(clause) {
  const verb = /\b(?:change|modify|update|edit)\b/i.test(clause) ? "change" : "cancel";
  return `I cannot ${verb} an order: I have no tool for it, so I did nothing. An order that still waits for you can be rejected${verb === "change" ? " or edited" : ""} on its card.`;
}
