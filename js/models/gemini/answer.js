// SPDX-License-Identifier: MIT
// Reads an answer of Gemini, whole or in pieces, and joins its parts; each signature stays at the
// part it came with. Does not depend on HTTP.
import { mergeUsage } from "../../messages/merge.js";
import { AnswerParts } from "../answer-parts.js";
import { inWords } from "../call-options.js";
import { kindOf } from "../../messages/media.js";
import {
  argumentsText,
  filled,
  firstOf,
  listOf,
  objectOf,
  shallow,
  textOrNone,
  tooLarge,
  unexpected,
} from "../shapes.js";
import { usageIn } from "./usage.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */
/** @typedef {import("./partial-args.js").ArgumentsWriter} ArgumentsWriter */
/** @typedef {import("../../messages/base.js").UsageMetadata} UsageMetadata */
/**
 * `Writer`: of arguments in pieces, if it could be loaded; `citationsIn`: if sources were asked
 * for; `asBlocks`: the content is a list of blocks even if it is one text.
 * @typedef {{ maxToolCalls: number, maxResponseBytes: number, asBlocks?: boolean, newCallId: () =>
 *   string, Writer?: new () => ArgumentsWriter, citationsIn?: typeof
 *   import("./citations.js").citationsIn }} Options
 */

/** Name of the service in its messages, as LangChain has it. */
export const PROVIDER = "google";

/** What a candidate says about itself, for `response_metadata`. */
const FACTS = /* @__PURE__ */ new Set([
  "groundingMetadata",
  "urlContextMetadata",
  "citationMetadata",
  "safetyRatings",
  "finishMessage",
  "avgLogprobs",
  "logprobsResult",
]);
/** Lists of `logprobsResult`. */
const PROBABILITIES = ["topCandidates", "chosenCandidates"];

/** Joins one answer, also of several requests that continue it. */
export class GeminiAnswer {
  #options;
  #parts;
  /** Kind of the block that the next piece of text continues. @type {string | undefined} */
  #kind = undefined;
  #calls = 0;
  /** Did the last call come without arguments? They may follow. */
  #isEmpty = false;
  /** Writes the arguments of the call that is streamed. @type {ArgumentsWriter | undefined} */
  #writer = undefined;
  /** Id of the last code that the service ran. @type {string | undefined} */
  #codeId = undefined;
  /** @type {Fields} */
  #facts = {};
  /** @type {Fields} */
  #named = {};
  /** Usage of the requests that this one continues. @type {UsageMetadata | undefined} */
  #before = undefined;
  /** @type {UsageMetadata | undefined} */
  #usage = undefined;
  #size = 0;
  hasBegun = false;
  isFinished = false;
  /** With it the request continues where this answer stopped. @type {string | undefined} */
  continuation = undefined;

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.#parts = new AnswerParts({ ...options, callBlock });
  }

  /** Makes the answer ready for the request that continues it. */
  resume() {
    this.continuation = undefined;
    this.isFinished = false;
    this.hasBegun = false;
    this.#before = this.#usage;
    return this;
  }

  /**
   * Adds an answer that is not streamed, or a stream that came as a list.
   * @param {unknown} given
   */
  addWhole(given) {
    for (const item of [given].flat()) this.#addPiece(item);
    return this.#parts.take();
  }

  /**
   * Adds one piece of the answer; returns its addition, if any.
   * @param {unknown} given
   */
  add(given) {
    this.#addPiece(given);
    return this.#parts.take();
  }

  /** @param {unknown} given */
  #addPiece(given) {
    const data = objectOf(given, "an answer");
    const candidate = firstOf(data.candidates, "`candidates`");
    if (candidate !== undefined) {
      this.hasBegun = true;
      // Each piece repeats them.
      if (this.#named.response_id === undefined) {
        this.#name("model_provider", PROVIDER);
        this.#name("model_name", data.modelVersion);
        this.#name("response_id", data.responseId);
      }
      const content = objectOf(candidate.content ?? {}, "`content`");
      for (const part of listOf(content.parts, "`parts`"))
        this.#addPart(objectOf(part, "each of `parts`"));
      for (const key in candidate) if (FACTS.has(key)) this.#addFact(key, candidate[key]);
    }
    if (data.usageMetadata !== undefined) this.#addUsage(data.usageMetadata);
    if (candidate !== undefined) this.#finish(candidate);
    if (this.isFinished && this.continuation === undefined) this.#tellFacts();
  }

  /** @param {string} fact @param {Fields | undefined} value */
  #addFact(fact, value) {
    const before = this.#facts[fact];
    // Each piece has the probabilities of its own tokens.
    for (const list of PROBABILITIES)
      if (Array.isArray(before?.[list]) && Array.isArray(value?.[list])) {
        value[list].forEach((/** @type {unknown} */ one) => before[list].push(one));
        value[list] = before[list];
      }
    this.#facts[fact] = value;
  }

  /** Returns the whole message. */
  message() {
    return this.#parts.message();
  }

  /** Sets a field of the metadata, once. @param {string} name @param {unknown} value */
  #name(name, value) {
    if (this.#named[name] !== undefined || typeof value !== "string" || value === "") return;
    this.#named[name] = value;
    this.#parts.metadata({ [name]: value });
  }

  /** @param {Fields} part */
  #addPart(part) {
    const signature = textOrNone(part.thoughtSignature, "`thoughtSignature`");
    const text = part.functionCall ? undefined : (part.text ?? textOf(part));
    if (text !== undefined) {
      if (typeof text !== "string") throw unexpected("`text` to be a string", text);
      this.#grow(text.length);
      return this.#addText(part.thought === true ? "reasoning" : "text", text, signature);
    }
    this.#kind = undefined;
    if (isGiven(part.functionCall))
      return this.#addCall(objectOf(part.functionCall, "`functionCall`"), signature);
    const block = this.#blockOf(part);
    if (block !== undefined)
      this.#parts.block(
        this.#parts.blocks.length,
        signature ? { ...block, thoughtSignature: signature } : block,
      );
  }

  /**
   * Adds a piece of text or of a thought. One with a signature is a block of its own.
   * @param {string} kind @param {string} text @param {string | undefined} thoughtSignature
   */
  #addText(kind, text, thoughtSignature) {
    const { length } = this.#parts.blocks;
    if (thoughtSignature !== undefined) {
      this.#kind = undefined;
      return this.#parts.block(length, { type: kind, [kind]: text, thoughtSignature });
    }
    if (text === "") return;
    const key = this.#kind === kind ? length - 1 : length;
    this.#kind = kind;
    if (kind === "text") this.#parts.text(key, text);
    else this.#parts.block(key, { type: kind, [kind]: text });
  }

  /** @param {Fields} part @returns {Fields | undefined} */
  #blockOf(part) {
    const { inlineData, fileData, executableCode: code, codeExecutionResult: result } = part;
    const data = inlineData ?? fileData;
    // Pictures of a thought are not part of the answer.
    const media =
      isGiven(data) && part.thought !== true
        ? this.#mediaOf(objectOf(data, "`inlineData`"))
        : undefined;
    if (media !== undefined) return media;
    if (isGiven(code)) {
      const args = shallow(objectOf(code, "`executableCode`"), "`executableCode`");
      this.#codeId = textOrNone(args.id, "`id`") ?? this.#options.newCallId();
      return { type: "server_tool_call", id: this.#codeId, name: "code_execution", args };
    }
    if (isGiven(result)) {
      const output = shallow(objectOf(result, "`codeExecutionResult`"), "`codeExecutionResult`");
      const status = output.outcome === "OUTCOME_OK" ? "success" : "error";
      const toolCallId = textOrNone(output.id, "`id`") ?? this.#codeId;
      return { type: "server_tool_call_result", toolCallId, status, output };
    }
    const { thoughtSignature: _kept, ...value } = part;
    if (Object.keys(value).length === 0) return undefined;
    this.#grow(argumentsText(value).length);
    return { type: "non_standard", value: shallow(value, "`parts`") };
  }

  /** @param {Fields} data @returns {Fields | undefined} undefined if nothing is in it */
  #mediaOf({ mimeType: given, data, fileUri }) {
    const mimeType = textOrNone(given, "`mimeType`") ?? "application/octet-stream";
    const type = kindOf(mimeType);
    const url = textOrNone(fileUri, "`fileUri`");
    if (url !== undefined) return { type, mimeType, url };
    const bytes = textOrNone(data, "`data`");
    if (bytes === undefined) return undefined;
    this.#grow(bytes.length);
    return { type, mimeType, data: bytes };
  }

  /** @param {Fields} call @param {string | undefined} thoughtSignature */
  #addCall(call, thoughtSignature) {
    const { args, willContinue } = call;
    const name = textOrNone(call.name, "`name`");
    const pieces = listOf(call.partialArgs, "`partialArgs`");
    const isPiece = willContinue === true || pieces.length > 0;
    // The arguments of a call that came without.
    const isRest = this.#isEmpty && name === undefined && isGiven(args);
    const isNew = name !== undefined || (!isRest && !this.#writer && isGiven(args));
    if (!isNew && !isRest && this.#writer === undefined) return;
    let text = isNew || isRest ? argumentsText(args ?? {}) : "";
    if (isNew) {
      this.#calls++;
      // Without what writes pieces the arguments stay unfinished, so that the call is invalid.
      const { Writer } = this.#options;
      this.#writer = isPiece && Writer ? new Writer() : undefined;
      if (isPiece) text = "{";
    }
    this.#isEmpty = text === "{}";
    if (this.#isEmpty) text = "";
    // Then the service wants it back.
    const callId = isNew ? textOrNone(call.id, "`id`") : undefined;
    if (this.#writer !== undefined) {
      let goesOn = willContinue === true;
      for (const given of pieces) {
        const one = objectOf(given, "each of `partialArgs`");
        text += this.#writer.add(one);
        goesOn ||= one.willContinue === true;
      }
      if (!goesOn) {
        text += this.#writer.end();
        this.#writer = undefined;
      }
    }
    this.#grow(text.length);
    if (!isNew && text === "" && thoughtSignature === undefined) return;
    const extras = filled({ thoughtSignature, callId });
    this.#parts.call(this.#calls, { name, id: callId, args: text, extras });
  }

  /** @param {number} length of what is kept of an answer in several requests */
  #grow(length) {
    const { maxResponseBytes } = this.#options;
    this.#size += length;
    if (this.#size > maxResponseBytes)
      throw tooLarge(`at most ${maxResponseBytes} bytes (\`maxResponseBytes\`)`);
  }

  /** @param {unknown} given */
  #addUsage(given) {
    const usage = usageIn(objectOf(given ?? {}, "`usageMetadata`"));
    if (usage === undefined) return;
    this.#usage = this.#before === undefined ? usage : mergeUsage(this.#before, usage);
    this.#parts.usage(/** @type {UsageMetadata} */ (this.#usage));
  }

  /** @param {Fields} candidate */
  #finish({ finishReason, continuationToken }) {
    const reason = textOrNone(finishReason, "`finishReason`");
    if (reason === undefined || reason === "FINISH_REASON_UNSPECIFIED" || this.isFinished) return;
    this.isFinished = true;
    const token = textOrNone(continuationToken, "`continuationToken`");
    if (reason === "CONTINUATION" && token !== undefined) {
      this.continuation = token;
      return;
    }
    this.#name("finish_reason", reason);
    this.#name("continuation_token", token);
  }

  /** Adds what the service said about the answer; it may do so after the end, too. */
  #tellFacts() {
    for (const fact of FACTS) {
      const name = inWords(fact);
      const value = this.#facts[fact];
      if (!isGiven(value) || this.#named[name] !== undefined) continue;
      this.#named[name] = shallow(value, `\`${fact}\``);
      this.#parts.metadata({ [name]: value });
      if (value === this.#facts.groundingMetadata) this.#cite();
    }
  }

  /** Adds the sources of the answer to its texts. */
  #cite() {
    const texts = this.#parts.blocks
      .map(({ type, text }, key) => ({ type, text, key }))
      .filter(({ type }) => type === "text");
    const found = this.#options.citationsIn?.(this.#facts.groundingMetadata, texts) ?? [];
    for (const [key, annotations] of found)
      this.#parts.block(key, { type: "text", text: "", annotations });
  }
}

/** @param {unknown} value */
function isGiven(value) {
  return value !== undefined && value !== null;
}

/**
 * Returns the text of a part without one: a signature alone is that of an empty text, since Gemini
 * refuses a part of nothing else.
 * @param {Fields} part
 */
function textOf({ thought: _isThought, thoughtSignature, ...rest }) {
  return thoughtSignature && Object.keys(rest).length === 0 ? "" : undefined;
}

/** A call among the blocks, in LangChain's form. @param {Fields} call */
function callBlock({ id, name, args, extras }) {
  const thoughtSignature = extras?.thoughtSignature;
  return { type: "tool_call", id, name, args, ...(thoughtSignature && { thoughtSignature }) };
}
