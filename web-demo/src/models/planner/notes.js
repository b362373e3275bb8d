// SPDX-License-Identifier: MIT
// Hears notes: save, list, find. Deleting and what no tool is there for is said, not done.
import { bare } from "./words.js";

/** @typedef {import("../planner.js").Heard} Heard */
/** @typedef {import("../planner.js").Reply} Reply */

const SAVE =
  /^(?:(?:save|add|write down|make|take|create|jot down|keep)(?: me)?(?: an?| this| the)?(?: new)? note(?: that| saying| of| about)?|remember(?: this| that| to)?|note(?: that| down| to self)?|write down(?: that)?)\s*[:,]?\s+(.+)$/is;
const LIST =
  /^(?:(?:list|show|read|see|display|what(?:'s| is| are)?|open|tell)(?: me)?(?: all)?(?: of)?(?: in)?(?: my| the)? notes?|what did i (?:note|write down|save)|what do you remember.*|my notes|notes)$/i;
const FIND =
  /^(?:find|search|look for|look up)\b(?:.*\bnotes?)?(?: for| about| with| that (?:contain|mention|say)s?| on)?\s+(?:the |my )?(.+)$/i;
const DELETE = /\b(?:forget|delete|remove|erase|clear|drop)\b/i;

/** @param {Heard} heard @returns {Reply | undefined} */
export function notes({ clause, said, tools }) {
  const words = bare(said);
  const isAbout = /\bnotes?\b/i.test(words);
  if (DELETE.test(words) && (isAbout || /\b(?:forget|erase)\b/i.test(words)))
    return { say: "I have no tool that deletes notes, so I did nothing." };
  const saved =
    /\?$/.test(clause.trim()) && !/^(?:can|could|would|will) you\b/i.test(clause)
      ? null
      : SAVE.exec(words);
  if (saved !== null) return use(tools.saveNote, { text: bare(saved[1]) });
  if (LIST.test(words)) return use(tools.listNotes, {});
  const found = isAbout ? FIND.exec(words) : null;
  if (found !== null) return use(tools.findNotes, { query: bare(found[1]) });
  return undefined;
}

/**
 * @param {import("./tools.js").Tool | undefined} tool
 * @param {Record<string, string>} args
 * @returns {Reply}
 */
function use(tool, args) {
  if (tool === undefined)
    return { say: "I have no tool for notes here, so nothing was kept but this thread itself." };
  return { calls: [{ name: tool.name, args }] };
}
