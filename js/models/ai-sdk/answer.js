// SPDX-License-Identifier: MIT
// Joins the parts that a language model of the AI SDK streams, or answers at once, to chunks and a
// message. Does not depend on how the model is called.
import { withoutGaps } from "../../base/check-arguments.js";
import { bytesToText } from "../../base/base64.js";
import { AnswerParts } from "../answer-parts.js";
import { argumentsText, countOrNone, objectOf, textOrNone } from "../shapes.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Fields */
/**
 * A block or call that has begun. `args`: pieces of a call's arguments so far; `isHeld`: a call
 * that is told when it is whole, since the provider may run it or its pieces are no JSON
 * (`isWords`).
 * @typedef {{ key: number, metadata: Fields | undefined, args?: string, isDone?: boolean, isHeld?:
 *   boolean, isWords?: boolean }} Open
 */

const IGNORED = ["raw", "ping", "stream-start"];

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
    const { type } = part;
    if (type === "stream-start" && part.warnings?.length > 0)
      this.#parts.metadata({ warnings: part.warnings });
    if (!IGNORED.includes(type)) this.#addPart(part);
    // Until something is said, an error may be followed by another try.
    return this.#parts.isEmpty && !this.isFinished ? undefined : this.#parts.take();
  }

  /** Adds an answer that came at once. @param {Value} result */
  addWhole({ content, finishReason, usage, warnings, response, providerMetadata }) {
    this.add({ type: "stream-start", warnings: warnings ?? [] });
    this.add({ type: "response-metadata", ...response });
    for (const [at, part] of (content ?? []).entries()) {
      const id = `whole ${at}`;
      const { type, text, citations, providerMetadata: metadata } = part;
      if (type !== "text" && type !== "reasoning") {
        this.add(part);
        continue;
      }
      this.add({ type: `${type}-start`, id, providerMetadata: metadata });
      this.add({ type: `${type}-delta`, id, delta: text });
      this.add({ type: `${type}-end`, id, citations });
    }
    this.add({ type: "finish", finishReason, usage, providerMetadata });
  }

  /** Returns the whole message. */
  message() {
    return this.#parts.message();
  }

  /** @param {Fields} part */
  #addPart(part) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        return this.#begin(part);
      case "text-delta":
      case "reasoning-delta":
        return this.#continue(part);
      case "text-end":
      case "reasoning-end":
        return this.#end(part);
      case "tool-input-start":
        return this.#beginCall(part);
      case "tool-input-delta":
        return this.#continueCall(part);
      case "tool-call":
        return this.#call(part);
      case "tool-result":
        // Another one follows in its place.
        return part.preliminary ? undefined : this.#served(part, resultBlock(part));
      case "source":
        this.#sources.push(part);
        // They may come before the text, too.
        if (this.#text !== undefined && !this.#isInText()) this.#citeSources();
        return;
      case "file":
        return this.#block(part, fileBlock(part));
      case "custom":
      case "reasoning-file":
      case "tool-approval-request":
        return this.#block(part, { type: "non_standard", value: kept(part) });
      case "response-metadata":
        return this.#respond(part);
      case "finish":
        return this.#finish(part);
    }
  }

  /** @param {Fields} part */
  #begin({ type, id, providerMetadata }) {
    const kind = type.split("-")[0];
    const key = this.#next++;
    if (kind === "text") this.#text = key;
    // Where metadata will follow, the text is a block from its beginning on.
    if (providerMetadata !== undefined || kind === "reasoning") this.#parts.useBlocks();
    this.#open.set(`${kind} ${id}`, { key, metadata: providerMetadata });
  }

  /** @param {Fields} part */
  #continue(part) {
    const kind = part.type.split("-")[0];
    const name = `${kind} ${part.id}`;
    if (!this.#open.has(name)) this.#begin(part);
    const open = /** @type {Open} */ (this.#open.get(name));
    if (part.providerMetadata !== undefined)
      open.metadata = joined(open.metadata, part.providerMetadata);
    const text = textOrNone(part.delta ?? part.textDelta, "a `delta`");
    if (text === undefined) return;
    if (kind === "text") this.#parts.text(open.key, text);
    else this.#parts.block(open.key, pieceOf(kind, text));
  }

  /** @param {Fields} part */
  #end({ type, id, providerMetadata, citations }) {
    const kind = type.split("-")[0];
    const open = this.#open.get(`${kind} ${id}`);
    if (open === undefined) return;
    this.#open.delete(`${kind} ${id}`);
    this.#close(kind, { ...open, metadata: joined(open.metadata, providerMetadata) });
    if (kind !== "text") return;
    for (const { source, ...place } of citations ?? []) {
      this.#cited.add(nameOf(source));
      this.#annotate(open.key, { ...citationOf(source), ...place });
    }
    if (!this.#isInText()) this.#citeSources();
  }

  /** Is a text open, whose end may say where it cites its sources? */
  #isInText() {
    return [...this.#open.keys()].some((name) => name.startsWith("text "));
  }

  /** Adds the metadata of a block, once and whole. @param {string} kind @param {Open} open */
  #close(kind, { key, metadata }) {
    if (metadata !== undefined)
      this.#parts.block(key, { ...pieceOf(kind, ""), extras: { providerMetadata: metadata } });
  }

  /** @param {Fields} part */
  #beginCall({ id, toolName, providerMetadata, providerExecuted, inputEncoding }) {
    const isWords = inputEncoding === "text";
    const isHeld = providerExecuted === true || isWords || this.#mayServe(toolName);
    const open = { key: this.#next++, metadata: providerMetadata, isHeld, isWords };
    this.#open.set(`call ${id}`, open);
    if (!isHeld)
      this.#parts.call(open.key, {
        id: textOrNone(id, "a call's id"),
        name: textOrNone(toolName, "a tool's name"),
      });
  }

  /** @param {Fields} part */
  #continueCall({ id, delta, providerMetadata }) {
    const open = this.#open.get(`call ${id}`);
    if (open === undefined) return;
    open.metadata = joined(open.metadata, providerMetadata);
    const args = textOrNone(delta, "a `delta`");
    if (args === undefined || open.isHeld) return;
    open.args = (open.args ?? "") + args;
    this.#parts.call(open.key, { args });
  }

  /** @param {Fields} part */
  #call(part) {
    const { toolCallId: id, toolName, input, providerMetadata } = part;
    const begun = this.#open.get(`call ${id}`);
    if (part.providerExecuted) {
      this.#open.delete(`call ${id}`);
      const metadata = joined(begun?.metadata, providerMetadata);
      return this.#served({ ...part, providerMetadata: metadata }, servedBlock(part));
    }
    /** @type {Open} */
    const open =
      begun === undefined || begun.isDone ? { key: this.#next++, metadata: undefined } : begun;
    const isNew = open !== begun || open.isHeld;
    const metadata = joined(open.metadata, providerMetadata);
    // A call under the id of another one gets an id of its own.
    const own = begun?.isDone ? undefined : textOrNone(id, "a call's id");
    const text = argumentsText(input);
    // A tool that takes words, not an object; a function never does.
    const isWords = text.startsWith('"') && (open.isWords || this.#mayServe(toolName));
    const extras = {
      ...(metadata === undefined ? {} : { providerMetadata: metadata }),
      ...(isWords ? { isWords } : {}),
    };
    this.#parts.call(open.key, {
      ...(isNew ? { id: own, name: textOrNone(toolName, "a tool's name") } : {}),
      args: isWords ? `{"input":${text}}` : restOf(text, open.args),
      ...(Object.keys(extras).length === 0 ? {} : { extras }),
    });
    this.#open.set(`call ${id}`, { ...open, isDone: true });
  }

  /**
   * Adds what a tool of the provider was asked or found, which the text before cannot cite.
   * @param {Fields} part @param {Fields} block
   */
  #served(part, block) {
    if (!this.#isInText()) this.#text = undefined;
    this.#block(part, block);
  }

  /** Adds a block that came whole. @param {Fields} part @param {Fields} block */
  #block({ providerMetadata }, block) {
    const extras = providerMetadata === undefined ? {} : { extras: { providerMetadata } };
    this.#parts.block(this.#next++, { ...block, ...extras });
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
  #respond({ id, modelId }) {
    if (typeof id === "string") this.#parts.metadata({ response_id: id });
    if (typeof modelId === "string") this.#parts.metadata({ model_name: modelId });
  }

  /** @param {Fields} part */
  #finish({ usage, finishReason, providerMetadata }) {
    const reason = finishReason?.unified ?? finishReason;
    // The provider's own stream ended without its closing event.
    if (reason === "interrupted") return;
    for (const [name, open] of this.#open) {
      const kind = name.split(" ")[0];
      if (kind !== "call") this.#close(kind, open);
    }
    this.#open.clear();
    this.#citeSources();
    if (typeof reason === "string") this.#parts.metadata({ finish_reason: reason });
    if (typeof finishReason?.raw === "string")
      this.#parts.metadata({ raw_finish_reason: finishReason.raw });
    if (providerMetadata !== undefined)
      this.#parts.metadata({ provider_metadata: providerMetadata });
    if (usage !== undefined && usage !== null) this.#parts.usage(usageOf(usage));
    this.isFinished = true;
  }
}

/** @param {string} kind @param {string} text */
function pieceOf(kind, text) {
  return kind === "text" ? { type: "text", text } : { type: "reasoning", reasoning: text };
}

/**
 * Joins metadata of one block: a provider's later fields replace its earlier ones.
 * @param {Fields | undefined} before @param {Fields | undefined} next
 */
function joined(before, next) {
  if (before === undefined || next === undefined) return next ?? before;
  /** @type {Fields} */
  const all = { ...before };
  for (const [provider, fields] of Object.entries(next))
    all[provider] = { ...all[provider], ...fields };
  return all;
}

/** @param {Fields} part that is kept as it came, but as plain JSON */
function kept({ providerMetadata: _elsewhere, data, ...rest }) {
  if (!(data?.data instanceof Uint8Array)) return data === undefined ? rest : { ...rest, data };
  return { ...rest, data: { ...data, data: base64Of(data.data) } };
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

/**
 * Returns what the pieces of a call's arguments left out, if they began as the whole does.
 * @param {string} whole @param {string} [before]
 */
function restOf(whole, before = "") {
  return whole.startsWith(before) ? whole.slice(before.length) : "";
}

/** @param {Fields} part */
function servedBlock({ toolCallId: id, toolName: name, input }) {
  let args = input;
  try {
    args = typeof input === "string" ? JSON.parse(input || "{}") : input;
  } catch {
    // The provider ran it; its text is kept as it came.
  }
  return { type: "server_tool_call", id, name, args };
}

/** @param {Fields} part */
function resultBlock({ toolCallId, toolName, result, isError }) {
  const status = isError ? "error" : "success";
  return { type: "server_tool_call_result", toolCallId, toolName, status, output: result };
}

/** @param {Fields} part */
function fileBlock({ mediaType: mimeType, data }) {
  const family = String(mimeType).split("/")[0];
  const type = ["image", "audio", "video"].includes(family) ? family : "file";
  const inner = data?.data ?? data?.url ?? data;
  const place =
    data?.type === "url" || inner instanceof URL
      ? { url: String(inner) }
      : { data: base64Of(inner) };
  return { type, mimeType, ...place };
}

/** @param {Value} data */
function base64Of(data) {
  return data instanceof Uint8Array ? bytesToText(data) : data;
}

/** @param {Value} usage of any version of the specification */
function usageOf({ inputTokens: input, outputTokens: output, ...flat }) {
  const sent = countOrNone(input?.total ?? input) ?? 0;
  const made = countOrNone(output?.total ?? output) ?? 0;
  const details = {
    cache_read: countOrNone(input?.cacheRead ?? flat.cachedInputTokens),
    cache_creation: countOrNone(input?.cacheWrite),
  };
  const reasoning = countOrNone(output?.reasoning ?? flat.reasoningTokens);
  return {
    input_tokens: sent,
    output_tokens: made,
    total_tokens: countOrNone(flat.totalTokens) ?? sent + made,
    ...known("input_token_details", details),
    ...known("output_token_details", { reasoning }),
  };
}

/** @param {string} name @param {Fields} counts */
function known(name, counts) {
  const given = withoutGaps(counts);
  return Object.keys(given).length === 0 ? {} : { [name]: given };
}
