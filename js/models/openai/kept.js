// SPDX-License-Identifier: MIT
// Gathers what an answer has beside text and calls, and what its service needs back: signed
// reasoning, sound, sources, probabilities. Does not depend on HTTP or streams.
import { isRecord } from "../../base/check-arguments.js";
import { shallow } from "../shapes.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

/** What says that two pieces are of one part of the reasoning. */
const NAMES = ["type", "index", "id"];
/** Texts that a later piece of reasoning or sound continues. */
const CONTINUED = ["text", "summary", "data", "transcript"];

/**
 * @param {Fields} kept fields of the message, changed in place
 * @param {Fields} delta @param {Fields} data the whole chunk @param {Fields} [choice]
 */
export function addKept(kept, delta, data, choice) {
  // By name, not in loops: this is called for each token, which has hardly ever one of them.
  const { citations, search_results } = data;
  const { reasoning_details, annotations, audio, extra_content } = delta;
  // Sources are listed whole with every chunk.
  if (isFilled(citations)) kept.citations = shallow(citations, "`citations`");
  if (isFilled(search_results)) kept.search_results = shallow(search_results, "`search_results`");
  if (isFilled(reasoning_details)) addItems((kept.reasoning_details ??= []), reasoning_details);
  if (isFilled(annotations)) addItems((kept.annotations ??= []), annotations);
  if (isRecord(audio)) join((kept.audio ??= {}), shallow(audio, "`audio`"));
  // The signature of a text of Gemini.
  if (extra_content?.google?.thought_signature)
    kept.extra_content = shallow(extra_content, "`extra_content`");
  const logprobs = choice?.logprobs?.content;
  if (isFilled(logprobs)) addItems((kept.logprobs ??= []), logprobs);
}

/** @param {unknown} list @returns {list is unknown[]} */
function isFilled(list) {
  return Array.isArray(list) && list.length > 0;
}

/**
 * Adds items; the pieces of a part of the reasoning are joined, until it is signed.
 * @param {Fields[]} list changed in place @param {unknown[]} given
 */
function addItems(list, given) {
  for (const item of given) {
    if (!isRecord(item)) continue;
    /** @type {Fields} */
    const piece = shallow(item, "an item of a list");
    const last = list[list.length - 1];
    const isPart = piece.index !== undefined && last !== undefined;
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
