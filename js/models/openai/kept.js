// SPDX-License-Identifier: MIT
// Gathers what an answer has beside text and calls, and what its service needs back: signed
// reasoning, sound, sources, probabilities. Does not depend on HTTP or streams.
import { isRecord } from "../../base/check-arguments.js";
import { shallow } from "../shapes.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

/** What says that two pieces are of one part of the reasoning. */
const NAMES = ["type", "index", "id"];
/** Texts that a later piece of reasoning or sound continues. */
const CONTINUED = ["text", "summary", "data", "transcript", "thinking"];

/**
 * @param {Fields} kept fields of the message, changed in place
 * @param {Fields} delta @param {Fields} data the whole chunk @param {Fields} [choice]
 */
export function addKept(kept, delta, data, choice) {
  // By name, not in loops: this is called for each token, which has hardly ever one of them.
  const { audio, extra_content } = delta;
  // Sources are listed whole with every chunk.
  keepList(kept, "citations", data.citations);
  keepList(kept, "search_results", data.search_results);
  addItems(kept, "reasoning_details", delta.reasoning_details);
  // Of Claude behind LiteLLM.
  addItems(kept, "thinking_blocks", delta.thinking_blocks);
  addItems(kept, "annotations", delta.annotations);
  if (isRecord(audio)) join((kept.audio ??= {}), shallow(audio, "`audio`"));
  // The signature of a text of Gemini.
  if (extra_content?.google?.thought_signature)
    kept.extra_content = shallow(extra_content, "`extra_content`");
  addItems(kept, "logprobs", choice?.logprobs?.content);
}

/** @param {Fields} kept @param {string} name @param {unknown} given */
function keepList(kept, name, given) {
  if (isFilled(given)) kept[name] = shallow(given, `\`${name}\``);
}

/** @param {unknown} list @returns {list is unknown[]} */
function isFilled(list) {
  return Array.isArray(list) && list.length > 0;
}

/**
 * Adds items; the pieces of a part of the reasoning are joined, until it is signed.
 * @param {Fields} kept changed in place @param {string} name of its list
 * @param {unknown} given
 */
function addItems(kept, name, given) {
  if (!isFilled(given)) return;
  /** @type {Fields[]} */
  const list = (kept[name] ??= []);
  for (const item of given) {
    if (!isRecord(item)) continue;
    /** @type {Fields} */
    const piece = shallow(item, `\`${name}\``);
    const last = list[list.length - 1];
    const isPart = (piece.index ?? piece.thinking) !== undefined && last !== undefined;
    const isNext =
      isPart && NAMES.every((key) => (piece[key] ?? last[key]) === last[key]) && isOpen(last);
    if (isNext) join(last, piece);
    else list.push({ ...piece });
  }
}

/** @param {Fields} part of the reasoning */
function isOpen({ signature, data }) {
  return !signature && !data;
}

/** @param {Fields} whole changed in place @param {Fields} piece */
function join(whole, piece) {
  for (const [key, value] of Object.entries(piece)) {
    if (value === null && whole[key] !== undefined) continue;
    const before = whole[key];
    const isNext = CONTINUED.includes(key) && typeof before === "string";
    whole[key] = isNext && typeof value === "string" ? before + value : value;
  }
}
