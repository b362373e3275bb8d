// SPDX-License-Identifier: MIT
// Joins the parts that a language model of the AI SDK streams, or answers at once, to chunks and a
// message. Does not depend on how the model is called.
import { withoutGaps } from "../../base/check-arguments.js";
import { bytesToText } from "../../base/base64.js";
import { AnswerParts } from "../answer-parts.js";
import { kindOf, textIn } from "../../messages/media.js";
import { argumentsText, filled, objectOf, parsed, restOf, textOrNone, usageOf } from "../shapes.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Fields */
/**
 * A block or call that has begun. `kind`: "text", "reasoning" or "tool"; `args`: pieces of a
 * call's arguments so far; `isHeld`: a call that is told when it is whole, since the provider may
 * run it or its pieces are no JSON (`isWords`).
 * @typedef {{ kind: string, key: number, metadata: Fields | undefined, args: string, isDone:
 *   boolean, isHeld?: boolean, isWords?: boolean }} Open
 */

export class SdkAnswer {
  #parts;
  #next = 0;
  /** @type {Map<string, Open>} */
  #open = new Map();
  /** The last block of text, unless the provider ran a tool since. @type {number | undefined} */
  #text = undefined;
  /** Sources that wait for the end of the text. @type {Fields[]} */
  #sources = [];
  /** Addresses and titles that texts cite. @type {Set<unknown>} */
  #cited = new Set();
  #mayServe;
  isFinished = false;

  /**
   * @param {{ maxToolCalls: number, provider: string, newCallId: () => string, mayServe: (name:
   *   unknown) => boolean }} options `provider`: its name in the message; `mayServe`: may it run
   *   the tool of this name?
   */
  constructor({ mayServe, ...options }) {
    this.#mayServe = mayServe;
    this.#parts = new AnswerParts(options);
    this.#parts.metadata({ model_provider: options.provider });
  }

  /**
   * Adds a part of the stream; returns its addition, if any.
   * @param {unknown} given
   */
  add(given) {
    const part = objectOf(given, "a part of the stream");
    this.#addPart(part);
    // Until something is said, an error may be followed by another try.
    return this.#parts.isEmpty && !this.isFinished ? undefined : this.#parts.take();
  }

  /** Adds an answer that came at once. @param {Value} result */
  addWhole({ content, finishReason, usage, warnings, response, providerMetadata }) {
    this.add({ type: "stream-start", warnings });
    this.add({ type: "response-metadata", ...response });
    for (const [at, part] of (content ?? []).entries()) {
      const { type, text: delta } = part;
      if (type !== "text" && type !== "reasoning") this.add(part);
      else
        for (const step of ["start", "delta", "end"])
          this.add({ ...part, type: `${type}-${step}`, id: `whole ${at}`, delta });
    }
    this.add({ type: "finish", finishReason, usage, providerMetadata });
  }

  /** Returns the whole message. */
  message() {
    return this.#parts.message();
  }

  /** @param {Fields} part */
  #addPart(part) {
    const { type, id, toolCallId, providerMetadata } = part;
    // A text, reasoning or a tool's call.
    const kind = type === "text-delta" ? "text" : String(type).split("-")[0];
    const name = `${kind} ${id ?? toolCallId}`;
    const open = this.#open.get(name);
    if (open && providerMetadata) open.metadata = joined(open.metadata, providerMetadata);
    switch (type) {
      case "stream-start":
        if (part.warnings?.length > 0) this.#parts.metadata({ warnings: part.warnings });
        return;
      case "text-start":
      case "reasoning-start":
        return void this.#begin(kind, name, part);
      case "text-delta":
      case "reasoning-delta":
        return this.#continue(open ?? this.#begin(kind, name, part), part);
      case "text-end":
      case "reasoning-end":
        this.#open.delete(name);
        return open && this.#end(open, part);
      case "tool-input-start":
        return this.#beginCall(this.#opened(kind, name, part), part);
      case "tool-input-delta":
        return open && this.#continueCall(open, part);
      case "tool-call":
        if (!part.providerExecuted)
          return this.#call(open?.isDone === false ? open : this.#opened(kind, name, part), part);
        this.#open.delete(name);
        return this.#served(open?.metadata ?? providerMetadata, servedBlock(part));
      case "tool-result":
        // Another one follows in its place.
        return part.preliminary ? undefined : this.#served(providerMetadata, resultBlock(part));
      case "source":
        this.#sources.push(part);
        // They may come before the text, too.
        if (this.#text !== undefined && !this.#isInText()) this.#citeSources();
        return;
      case "file":
        return this.#block(providerMetadata, fileBlock(part));
      case "custom":
      case "reasoning-file":
      case "tool-approval-request":
        return this.#block(providerMetadata, { type: "non_standard", value: kept(part) });
      case "response-metadata":
        return this.#parts.metadata({
          response_id: textIn(part.id),
          model_name: textIn(part.modelId),
        });
      case "finish":
        return this.#finish(part);
    }
  }

  /** @param {string} kind @param {string} name @param {Fields} part @returns {Open} */
  #opened(kind, name, { providerMetadata: metadata }) {
    const open = { kind, key: this.#next++, metadata, args: "", isDone: false };
    this.#open.set(name, open);
    return open;
  }

  /** @param {string} kind @param {string} name @param {Fields} part */
  #begin(kind, name, part) {
    const open = this.#opened(kind, name, part);
    if (kind === "text") this.#text = open.key;
    // Where metadata will follow, the text is a block from its beginning on.
    if (open.metadata !== undefined || kind === "reasoning") this.#parts.useBlocks();
    return open;
  }

  /** @param {Open} open @param {Fields} part */
  #continue({ kind, key }, { delta }) {
    const text = textOrNone(delta, "a `delta`");
    if (text === undefined) return;
    if (kind === "text") this.#parts.text(key, text);
    else this.#parts.block(key, { type: kind, [kind]: text });
  }

  /** @param {Open} open @param {Fields} part */
  #end(open, { citations }) {
    this.#close(open);
    if (open.kind !== "text") return;
    for (const { source, ...place } of citations ?? []) {
      this.#cited.add(nameOf(source));
      this.#annotate(open.key, { ...citationOf(source), ...place });
    }
    if (!this.#isInText()) this.#citeSources();
  }

  /** Is a text open, whose end may say where it cites its sources? */
  #isInText() {
    return [...this.#open.values()].some(({ kind }) => kind === "text");
  }

  /** Adds the metadata of a block, once and whole. @param {Open} open */
  #close({ kind, key, metadata }) {
    if (metadata !== undefined)
      this.#parts.block(key, { type: kind, [kind]: "", ...extrasOf(metadata) });
  }

  /** @param {Open} open @param {Fields} part */
  #beginCall(open, { id, toolName, providerExecuted, inputEncoding }) {
    open.isWords = inputEncoding === "text";
    open.isHeld = providerExecuted === true || open.isWords || this.#mayServe(toolName);
    if (!open.isHeld) this.#parts.call(open.key, named(id, toolName));
  }

  /** @param {Open} open @param {Fields} part */
  #continueCall(open, { delta }) {
    const args = textOrNone(delta, "a `delta`");
    if (args === undefined || open.isHeld) return;
    open.args += args;
    this.#parts.call(open.key, { args });
  }

  /** @param {Open} open @param {Fields} part */
  #call(open, { toolCallId, toolName, input }) {
    open.isDone = true;
    const text = argumentsText(input);
    // A tool that takes words, not an object; a function never does.
    const isWords = text.startsWith('"') && (open.isWords || this.#mayServe(toolName));
    this.#parts.call(open.key, {
      ...named(toolCallId, toolName),
      args: isWords ? `{"input":${text}}` : restOf(text, open.args),
      ...extrasOf(open.metadata, isWords || undefined),
    });
  }

  /**
   * Adds what a tool of the provider was asked or found, which the text before cannot cite.
   * @param {Fields | undefined} metadata @param {Fields} block
   */
  #served(metadata, block) {
    if (!this.#isInText()) this.#text = undefined;
    this.#block(metadata, block);
  }

  /**
   * Adds a block that came whole.
   * @param {Fields | undefined} metadata @param {Fields} block
   */
  #block(metadata, block) {
    this.#parts.block(this.#next++, { ...block, ...extrasOf(metadata) });
  }

  /** Adds the sources that no text cites by itself to the last text. */
  #citeSources() {
    const sources = this.#sources;
    this.#sources = [];
    for (const source of sources) {
      if (this.#cited.has(nameOf(source))) continue;
      this.#text ??= this.#next++;
      this.#annotate(this.#text, citationOf(source));
    }
  }

  /** @param {number} key of a text @param {Fields} citation */
  #annotate(key, citation) {
    this.#parts.block(key, { type: "text", text: "", annotations: [citation] });
  }

  /** @param {Fields} part */
  #finish({ usage, finishReason, providerMetadata }) {
    const reason = finishReason?.unified ?? finishReason;
    // The provider's own stream ended without its closing event.
    if (reason === "interrupted") return;
    for (const open of this.#open.values()) if (open.kind !== "tool") this.#close(open);
    this.#open.clear();
    this.#citeSources();
    this.#parts.metadata({
      finish_reason: textIn(reason),
      raw_finish_reason: textIn(finishReason?.raw),
      provider_metadata: providerMetadata,
    });
    if (usage) this.#parts.usage(usageFrom(usage));
    this.isFinished = true;
  }
}

/** @param {unknown} id of a call @param {unknown} name of its tool */
function named(id, name) {
  return { id: textOrNone(id, "a call's id"), name: textOrNone(name, "a tool's name") };
}

/**
 * Returns what a block or call keeps for its provider, if there is anything.
 * @param {Fields | undefined} providerMetadata @param {true} [isWords]
 */
function extrasOf(providerMetadata, isWords) {
  const extras = filled({ providerMetadata, isWords });
  return extras === undefined ? {} : { extras };
}

/**
 * Joins what is for providers, such as metadata of one block: later fields replace earlier ones.
 * @param {Fields | undefined} before @param {Fields | undefined} next
 */
export function joined(before, next) {
  if (before === undefined || next === undefined) return next ?? before;
  /** @type {Fields} */
  const all = { ...before };
  for (const [provider, fields] of Object.entries(next))
    all[provider] = { ...all[provider], ...fields };
  return all;
}

/** @param {Fields} part that is kept as it came, but as plain JSON */
function kept({ providerMetadata: _elsewhere, ...rest }) {
  const { data } = rest;
  return data?.data === undefined
    ? rest
    : { ...rest, data: { ...data, data: base64Of(data.data) } };
}

/** @param {Fields} source */
function citationOf({ url, title, filename, sourceType, id }) {
  const named = { url, title: title ?? filename, source: sourceType === "url" ? undefined : id };
  return { type: "citation", ...withoutGaps(named) };
}

/** @param {Fields} source whose id may be new each time */
function nameOf({ url, title, filename }) {
  return url ?? title ?? filename;
}

/** @param {Fields} part */
function servedBlock({ toolCallId: id, toolName: name, input }) {
  // The provider ran it: a text that cannot be read is kept as it came.
  const args = typeof input === "string" ? (parsed(input || "{}") ?? input) : input;
  return { type: "server_tool_call", id, name, args };
}

/** @param {Fields} part */
function resultBlock({ toolCallId, toolName, result, isError }) {
  const status = isError ? "error" : "success";
  return { type: "server_tool_call_result", toolCallId, toolName, status, output: result };
}

/** @param {Fields} part */
function fileBlock({ mediaType: mimeType, data }) {
  const inner = data?.data ?? data?.url ?? data;
  const place =
    data?.type === "url" || inner instanceof URL
      ? { url: String(inner) }
      : { data: base64Of(inner) };
  return { type: kindOf(mimeType), mimeType, ...place };
}

/** @param {Value} data */
function base64Of(data) {
  return data instanceof Uint8Array ? bytesToText(data) : data;
}

/** @param {Value} usage of any version of the specification */
function usageFrom({ inputTokens: input, outputTokens: output, ...flat }) {
  return usageOf(
    input?.total ?? input,
    output?.total ?? output,
    flat.totalTokens,
    { cache_read: input?.cacheRead ?? flat.cachedInputTokens, cache_creation: input?.cacheWrite },
    { reasoning: output?.reasoning ?? flat.reasoningTokens },
  );
}
