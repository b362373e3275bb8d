// SPDX-License-Identifier: MIT
// Makes citations of the sources that Gemini grounded an answer in. Does not depend on how the
// answer is read.
import { isRecord } from "../../base/check-arguments.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */
/** @typedef {{ key: number, text: string }} Text */
/** @typedef {{ index: number, start?: number, end?: number, cited?: string }} Span */

/** Maximum citations of one answer; the whole stands in `grounding_metadata` all the same. */
const MOST = 1024;

/**
 * Returns the citations by the key of the text that they belong to.
 * @param {Fields | undefined} grounding `groundingMetadata` of the answer
 * @param {Text[]} texts of the answer, in order
 * @returns {Map<number, Fields[]>}
 */
export function citationsIn(grounding, texts) {
  /** @type {Map<number, Fields[]>} */
  const found = new Map();
  const sources = listIn(grounding?.groundingChunks).slice(0, MOST).map(sourceOf);
  if (texts.length === 0 || sources.length === 0) return found;
  const spans = spansIn(grounding);
  const cited = new Set(spans.map(({ index }) => index));
  for (const index of sources.keys()) if (!cited.has(index)) spans.push({ index });
  const { starts, ends } = placesOf(
    texts.map(({ text }) => text),
    spans.flatMap(({ start, end }) => [start, end]),
  );
  for (const { index, start, end, cited: citedText } of spans) {
    const source = sources[index];
    if (source === undefined) continue;
    const from = starts.get(start ?? -1);
    const to = ends.get(end ?? -1);
    const at = from?.at ?? texts.length - 1;
    /** @type {Fields} */
    const citation = { type: "citation", ...source };
    if (from !== undefined && to?.at === at)
      Object.assign(citation, { startIndex: from.index, endIndex: to.index });
    if (citedText !== undefined) citation.citedText = citedText;
    const { key } = texts[at];
    const known = found.get(key);
    if (known === undefined) found.set(key, [citation]);
    else known.push(citation);
  }
  return found;
}

/** @param {unknown} list @returns {Fields[]} */
function listIn(list) {
  return Array.isArray(list) ? list : [];
}

/** @param {Fields} chunk @returns {Fields | undefined} */
function sourceOf(chunk) {
  const source = chunk?.web ?? chunk?.retrievedContext ?? chunk?.maps;
  if (!isRecord(source)) return undefined;
  const { uri: url, title } = source;
  return {
    ...(typeof url === "string" ? { url } : {}),
    ...(typeof title === "string" ? { title } : {}),
  };
}

/** @param {Fields | undefined} grounding @returns {Span[]} */
function spansIn(grounding) {
  /** @type {Span[]} */
  const spans = [];
  for (const support of listIn(grounding?.groundingSupports)) {
    const { startIndex = 0, endIndex: end, text } = support?.segment ?? {};
    const place = Number.isInteger(startIndex) && Number.isInteger(end) && startIndex <= end;
    for (const index of listIn(support?.groundingChunkIndices)) {
      if (spans.length === MOST) return spans;
      if (!Number.isInteger(index)) continue;
      spans.push({
        index: Number(index),
        ...(place ? { start: startIndex, end } : {}),
        ...(typeof text === "string" ? { cited: text } : {}),
      });
    }
  }
  return spans;
}

/**
 * Finds places that are counted in bytes of UTF-8 over all texts; looks at each character once.
 * Where one text ends and the next one begins, an end is in the first, a start in the second.
 * @param {string[]} texts @param {(number | undefined)[]} bytes
 */
function placesOf(texts, bytes) {
  const wanted = new Set(bytes);
  /** @type {Map<number, { at: number, index: number }>} */
  const starts = new Map();
  /** @type {Map<number, { at: number, index: number }>} */
  const ends = new Map();
  let count = 0;
  for (const [at, text] of texts.entries()) {
    let index = 0;
    const note = () => {
      if (!wanted.has(count)) return;
      starts.set(count, { at, index });
      if (!ends.has(count)) ends.set(count, { at, index });
    };
    for (const letter of text) {
      note();
      const code = /** @type {number} */ (letter.codePointAt(0));
      count += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      index += letter.length;
    }
    note();
  }
  return { starts, ends };
}
