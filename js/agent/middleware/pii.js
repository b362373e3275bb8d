// SPDX-License-Identifier: MIT
// Keeps personal data from an agent's model, and from its answers: replaces it in messages, or
// ends the run. Does not depend on how it is found.
import {
  badArgument,
  checkArgument,
  isObject,
  refuseUnknown,
  shown,
} from "../../base/check-arguments.js";
import { HASH_SHA256 } from "../../base/codes.js";
import { hexOf } from "../../base/uuid.js";
import { hashOf } from "../../log/hash.js";
import { messageType } from "../../messages/index.js";
import { withContent } from "../../messages/trim.js";
import { createMiddleware } from "../create-middleware.js";
import { detectorOf } from "./pii-detectors.js";

/** @typedef {import("../../messages/base.js").ContentBlock} ContentBlock */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("./pii-detectors.js").PIIMatch} PIIMatch */
/** @typedef {(match: string, type: string) => string} Replace */

const CALL = "piiMiddleware(type, options)";
const OPTIONS = ["strategy", "detector", "applyToInput", "applyToOutput", "applyToToolResults"];
const HASH_LETTERS = 8;
const SHOWN = 4;
/** Field of a changed message's response_metadata: types that were replaced in it. */
const MARK = "pii";
const encoder = new TextEncoder();

/** There is personal data where the strategy is "block". It does not hold the data itself. */
export class PIIDetectionError extends Error {
  /** @param {string} piiType @param {readonly PIIMatch[]} matches */
  constructor(piiType, matches) {
    super(`PII detected: ${piiType} found ${matches.length} occurrence(s)`);
    this.name = "PIIDetectionError";
    this.piiType = piiType;
    this.matches = matches.map(({ start, end }) => ({ start, end }));
  }
}

/** @type {Record<string, Replace>} */
const STRATEGIES = {
  redact: (_match, type) => `[REDACTED_${type.toUpperCase()}]`,
  mask,
  hash: (match, type) =>
    `<${type}_hash:${hexOf(hashOf(HASH_SHA256, encoder.encode(match))).slice(0, HASH_LETTERS)}>`,
};

/** Hides most of it. @type {Replace} */
function mask(match, type) {
  if (type === "email") return `${match[0]}***${match.slice(match.indexOf("@"))}`;
  if (type === "credit_card") return `****-****-****-${match.replace(/\D/g, "").slice(-SHOWN)}`;
  return match.length <= SHOWN
    ? "*".repeat(match.length)
    : "*".repeat(match.length - SHOWN) + match.slice(-SHOWN);
}

/**
 * Makes a middleware that handles one type of personal data.
 * @param {string} type a known one, or a name for what `options.detector` finds
 * @param {import("../../types/agent/middleware.js").PIIOptions} [options]
 */
export function piiMiddleware(type, options = {}) {
  checkArgument(
    typeof type === "string" && /^[^|:]+$/.test(type),
    `${CALL}: type must be a text without "|" and ":", not ${shown(type)}`,
  );
  checkArgument(isObject(options), `${CALL}: options must be an object`);
  refuseUnknown(options, CALL, OPTIONS);
  const { strategy = "redact", detector } = options;
  const { applyToInput = true, applyToOutput = false, applyToToolResults = false } = options;
  for (const [name, value] of Object.entries({ applyToInput, applyToOutput, applyToToolResults }))
    checkArgument(typeof value === "boolean", `${CALL}: options.${name} must be true or false`);
  if (strategy !== "block" && !Object.hasOwn(STRATEGIES, strategy))
    throw badArgument(
      `${CALL}: options.strategy must be "redact", "mask", "hash" or "block", not ${shown(strategy)}`,
    );
  const detect = detectorOf(type, detector, CALL);
  /** @param {string} text @returns {string} */
  const clean = (text) => {
    const matches = detect(text);
    if (matches.length === 0) return text;
    if (strategy === "block") throw new PIIDetectionError(type, matches);
    let from = 0;
    const parts = [];
    for (const { text: match, start, end } of matches) {
      parts.push(text.slice(from, start), STRATEGIES[strategy](match, type));
      from = end;
    }
    return parts.join("") + text.slice(from);
  };
  /** @param {readonly Message[]} messages */
  const update = (messages) => {
    const changed = messages.flatMap((message) => cleaned(message, type, clean));
    return changed.length === 0 ? undefined : { messages: changed };
  };

  const kinds = [applyToInput ? "human" : undefined, applyToToolResults ? "tool" : undefined];
  return createMiddleware({
    name: `PIIMiddleware[${type}]`,
    beforeModel: ({ messages }) =>
      update(messages.filter((one) => kinds.includes(messageType(one)))),
    afterModel: ({ messages }) => {
      const last = messages.findLast((one) => messageType(one) === "ai");
      return applyToOutput && last !== undefined ? update([last]) : undefined;
    },
  });
}

/**
 * Returns a changed copy of a message, or nothing.
 * @param {Message} message
 * @param {string} type
 * @param {(text: string) => string} clean
 * @returns {Message[]}
 */
function cleaned(message, type, clean) {
  const { content, response_metadata: before } = message;
  const done = Array.isArray(before?.[MARK]) ? before[MARK] : [];
  // A pattern may find what was left of its own matches.
  if (done.includes(type)) return [];
  const next = Array.isArray(content)
    ? content.map((block) => cleanBlock(block, clean))
    : typeof content === "string"
      ? clean(content)
      : content;
  const isSame = Array.isArray(next)
    ? next.every((block, at) => block === content[at])
    : next === content;
  if (isSame) return [];
  const copy = withContent(message, next);
  const response_metadata = { ...before, [MARK]: [...done, type] };
  copy.response_metadata = response_metadata;
  if (Object.hasOwn(copy, "lc_kwargs")) copy.lc_kwargs = { ...copy.lc_kwargs, response_metadata };
  return [copy];
}

/** @param {ContentBlock} block @param {(text: string) => string} clean @returns {ContentBlock} */
function cleanBlock(block, clean) {
  if (typeof block?.text !== "string") return block;
  const text = clean(block.text);
  return text === block.text ? block : { ...block, text };
}
