// SPDX-License-Identifier: MIT
// Reads an answer of OpenAI's Responses, whole or in events: joins its items by their place in the
// output, and keeps with each block and call what the service needs back. Does not depend on HTTP.
import { AnswerParts } from "../answer-parts.js";
import {
  argumentsText,
  indexOrNone,
  listOf,
  objectOf,
  shallow,
  textOrNone,
  unexpected,
} from "../shapes.js";
import { isWritten, usesIn } from "./arguments.js";
import { hostedBlocks, isHosted } from "./hosted.js";
import { withoutNulls } from "./strict-schema.js";
import { idOf, partOf, restOf } from "./item-fields.js";
import { usageFrom } from "./usage.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */
/** @typedef {"text" | "reasoning" | "refusal"} Kind */
/**
 * An item of the output. `item`: its last version; `blocks`: its blocks by key; `args`: text of the
 * arguments so far; `calls`: keys of its calls; `isHeld`: the arguments are given on when they are
 * complete; `isSplit`: it was a wrapper of its calls.
 * @typedef {{ item: Fields, isDone: boolean, blocks: Map<string, { kind: Kind, at: number }>, args:
 *   string, calls: string[], isHeld: boolean, isSplit?: boolean }} Open
 */
/**
 * `provider`: name of the service in the message; `toolNames`: the tools offered; `strictTools`:
 * the schemas of those in strict mode, as they were before.
 * @typedef {{ maxToolCalls: number, provider: string, newCallId: () => string, toolNames:
 *   Set<string>, strictTools: Map<string, Fields> }} AnswerOptions
 */

/** A model's own name for several calls in one, which is no tool. */
const WRAPPER = /^(multi_tool_use\.)?parallel$/;
/** Types of items that are text, reasoning or calls for the program. */
const KNOWN = ["message", "reasoning", "function_call", "custom_tool_call"];

export class ResponseAnswer {
  #options;
  #parts;
  /**
   * The items by `output_index`; their ids may change within a stream.
   * @type {Map<number, Open>}
   */
  #items = new Map();
  /** The text of each part of an item so far. @type {Map<string, string>} */
  #said = new Map();
  /** Place of the last item. */
  #last = 0;
  hasBegun = false;
  isFinished = false;
  /** Only `response.completed` or `response.incomplete` ends a stream. */
  hasClosingEvent = true;

  /** @param {AnswerOptions} options */
  constructor(options) {
    this.#options = options;
    this.#parts = new AnswerParts({ ...options, asBlocks: true });
    this.#parts.metadata({ model_provider: options.provider });
  }

  get isClosed() {
    return this.isFinished;
  }

  /**
   * Adds an event; returns its addition, if any.
   * @param {unknown} given @param {string} [event] its name
   */
  add(given, event) {
    const data = objectOf(given, "an event");
    this.#event(textOrNone(data.type, "an event's `type`") ?? event ?? "", data);
    return this.hasBegun ? this.#parts.take() : undefined;
  }

  /** Adds an answer that is not streamed. @param {unknown} given */
  addWhole(given) {
    const response = objectOf(given, "an answer");
    if (response.output !== undefined || response.status !== undefined) this.#finish(response);
    return this.#parts.take();
  }

  /** Returns the whole message. */
  message() {
    return this.#parts.message();
  }

  /** @param {string} type @param {Fields} data */
  #event(type, data) {
    if (!type.startsWith("response.")) return;
    this.hasBegun = true;
    switch (type.slice("response.".length)) {
      case "output_text.delta":
        return this.#say("text", data, data.content_index, data.delta);
      case "output_text.done":
        return this.#sayRest("text", data, data.content_index, data.text);
      case "refusal.delta":
        return this.#say("refusal", data, data.content_index, data.delta);
      case "refusal.done":
        return this.#sayRest("refusal", data, data.content_index, data.refusal);
      case "reasoning_summary_text.delta":
        return this.#say("reasoning", data, data.summary_index, data.delta);
      case "reasoning_summary_text.done":
        return this.#sayRest("reasoning", data, data.summary_index, data.text);
      case "reasoning_text.delta":
        return this.#say("reasoning", data, data.content_index, data.delta, "content");
      case "reasoning_text.done":
        return this.#sayRest("reasoning", data, data.content_index, data.text, "content");
      case "function_call_arguments.delta":
        return this.#argue(this.#placeOf(data), textOrNone(data.delta, "a `delta`") ?? "");
      case "function_call_arguments.done":
        return this.#argueRest(this.#placeOf(data), argumentsText(data.arguments));
      case "output_item.added":
        return this.#item(this.#placeOf(data), objectOf(data.item, "an `item`"), false);
      case "output_item.done":
        return this.#item(this.#placeOf(data), objectOf(data.item, "an `item`"), true);
      case "completed":
      case "incomplete":
        return this.#finish(objectOf(data.response, "`response`"));
    }
  }

  /** @param {Fields} data */
  #placeOf({ output_index }) {
    this.#last = indexOrNone(output_index, "`output_index`") ?? this.#last;
    return this.#last;
  }

  /** @param {number} place @param {string} type of an item whose beginning was not told */
  #openAt(place, type) {
    let open = this.#items.get(place);
    if (open === undefined) {
      open = {
        item: { type },
        isDone: false,
        blocks: new Map(),
        args: "",
        calls: [],
        isHeld: false,
      };
      this.#items.set(place, open);
    }
    return open;
  }

  /**
   * Adds a piece of text, of a refusal or of reasoning.
   * @param {Kind} kind
   * @param {Fields} data the event, or an item's place
   * @param {unknown} part its number within the item
   * @param {unknown} text
   * @param {string} [list] the list of the item that has the part, if it has two
   */
  #say(kind, data, part, text, list = "") {
    if (typeof text !== "string") throw unexpected(`a piece of ${kind} to be a string`, text);
    const place = this.#placeOf(data);
    const at = indexOrNone(part, "the number of a part") ?? 0;
    const isReasoning = kind === "reasoning";
    // The parts of reasoning are paragraphs of one block.
    const block = isReasoning ? `reasoning ${place}` : `${kind} ${place} ${at}`;
    const key = isReasoning ? `${block} ${list}${at}` : block;
    const said = this.#said.get(key);
    this.#said.set(key, said === undefined ? text : said + text);
    const { blocks } = this.#openAt(place, isReasoning ? kind : "message");
    const isNext = isReasoning && said === undefined && text !== "" && this.#said.has(block);
    if (isReasoning && text !== "") this.#said.set(block, "");
    if (!blocks.has(block)) blocks.set(block, { kind, at });
    if (kind === "text") this.#parts.text(block, text);
    else this.#parts.block(block, { type: kind, [kind]: isNext ? `\n\n${text}` : text });
  }

  /**
   * Adds what a whole text has beyond its pieces.
   * @param {Kind} kind @param {Fields} data @param {unknown} part @param {unknown} text
   * @param {string} [list]
   */
  #sayRest(kind, data, part, text, list = "") {
    if (typeof text !== "string") return;
    const key = `${kind} ${this.#placeOf(data)} ${list}${indexOrNone(part, "the number of a part") ?? 0}`;
    const said = this.#said.get(key);
    if (said === undefined) this.#say(kind, data, part, text, list);
    else if (text.length > said.length && text.startsWith(said))
      this.#say(kind, data, part, text.slice(said.length), list);
  }

  /**
   * Adds an item as far as it is known; its last version counts.
   * @param {number} place @param {Fields} item @param {boolean} isDone
   */
  #item(place, item, isDone) {
    const type = textOrNone(item.type, "an item's `type`") ?? "message";
    const isNew = !this.#items.has(place);
    const open = this.#openAt(place, type);
    if (open.item.type !== type) throw unexpected("one item at each `output_index`", item);
    const wasDone = open.isDone;
    open.item = { ...shallow(item, "an item"), type };
    open.isDone ||= isDone;
    const data = { output_index: place };
    if (type === "message" && isDone) this.#sayContent(data, listOf(item.content, "`content`"));
    else if (type === "reasoning") {
      // Keeps its place among the blocks, also without words.
      const block = `reasoning ${place}`;
      if (isNew) this.#parts.block(block, { type: "reasoning", reasoning: "" });
      open.blocks.set(block, { kind: "reasoning", at: 0 });
      if (isDone) this.#sayReasoning(data, item);
    } else if (type === "function_call") {
      if (open.calls.length === 0) this.#begin(place, open);
      if (isDone) this.#argueRest(place, argumentsText(item.arguments));
      if (isDone && open.isHeld && !wasDone) this.#release(place, open);
    } else if (isDone && !wasDone) this.#whole(place, open);
  }

  /** @param {Fields} data @param {unknown[]} content */
  #sayContent(data, content) {
    for (const [at, given] of content.entries()) {
      const part = objectOf(given, "each of `content`");
      if (part.type === "output_text") this.#sayRest("text", data, at, part.text);
      else if (part.type === "refusal") this.#sayRest("refusal", data, at, part.refusal);
    }
  }

  /** @param {Fields} data @param {Fields} item */
  #sayReasoning(data, { summary, content }) {
    for (const [list, parts] of Object.entries({ "": summary, content }))
      for (const [at, part] of listOf(parts, "reasoning").entries())
        this.#sayRest("reasoning", data, at, objectOf(part, "each of `summary`").text, list);
  }

  /** Begins a call. @param {number} place @param {Open} open */
  #begin(place, open) {
    const { toolNames, strictTools } = this.#options;
    const name = textOrNone(open.item.name, "a call's `name`") ?? "";
    open.isHeld = strictTools.has(name) || (WRAPPER.test(name) && !toolNames.has(name));
    const key = `call ${place}`;
    open.calls.push(key);
    if (!open.isHeld) this.#parts.call(key, { id: idOf(open.item), name });
    // Pieces that came before the call's name.
    if (!open.isHeld && open.args !== "") this.#parts.call(key, { args: open.args });
  }

  /** @param {number} place @param {string} args */
  #argue(place, args) {
    const open = this.#openAt(place, "function_call");
    open.args += args;
    const [key] = open.calls;
    if (key !== undefined && !open.isHeld && args !== "") this.#parts.call(key, { args });
  }

  /** @param {number} place @param {string} whole text of the arguments */
  #argueRest(place, whole) {
    const args = this.#items.get(place)?.args ?? "";
    if (whole.length > args.length && whole.startsWith(args))
      this.#argue(place, whole.slice(args.length));
  }

  /**
   * Adds a call that was held back, or the calls in it.
   * @param {number} place @param {Open} open
   */
  #release(place, open) {
    const { item, args } = open;
    const name = textOrNone(item.name, "a call's `name`") ?? "";
    const uses = WRAPPER.test(name) ? usesIn(args) : undefined;
    if (uses === undefined) {
      this.#parts.call(`call ${place}`, { id: idOf(item), name, args: this.#cleaned(name, args) });
      return;
    }
    const id = idOf(item) ?? this.#options.newCallId();
    open.calls = uses.map(({ recipient_name, parameters }, at) => {
      const key = `call ${place} ${at}`;
      const called = recipient_name.replace(/^functions\./, "");
      const text = this.#cleaned(called, argumentsText(parameters));
      this.#parts.call(key, { id: `${id}_${at}`, name: called, args: text });
      return key;
    });
    open.isSplit = true;
  }

  /** @param {string} name @param {string} args */
  #cleaned(name, args) {
    const schema = this.#options.strictTools.get(name);
    try {
      return schema === undefined ? args : JSON.stringify(withoutNulls(JSON.parse(args), schema));
    } catch {
      return args;
    }
  }

  /**
   * Adds an item of any other type, which is of use when it is complete.
   * @param {number} place @param {Open} open
   */
  #whole(place, open) {
    const { item } = open;
    if (item.type === "custom_tool_call") {
      const key = `call ${place}`;
      open.calls.push(key);
      const input = textOrNone(item.input, "a call's `input`") ?? "";
      const name = textOrNone(item.name, "a call's `name`");
      this.#parts.call(key, { id: idOf(item), name, args: JSON.stringify({ input }) });
      return;
    }
    if (item.type === "message") return;
    const shown = hostedBlocks(item, place) ?? [{ type: "non_standard" }];
    for (const [at, block] of shown.entries()) this.#parts.block(`item ${place} ${at}`, block);
  }

  /** @param {Fields} response */
  #finish(response) {
    const status = textOrNone(response.status, "`status`") ?? "completed";
    if (status !== "completed" && status !== "incomplete")
      throw unexpected("a finished response", `its status is ${status}`);
    this.#reconcile(listOf(response.output, "`output`"));
    for (const [place, open] of this.#items) {
      if (!open.isDone) this.#item(place, open.item, true);
      this.#seal(place, open);
    }
    this.#tellEnd(response, status);
    this.hasBegun = true;
    this.isFinished = true;
  }

  /**
   * Adds the items as the end of the answer tells them: the last version.
   * @param {unknown[]} output
   */
  #reconcile(output) {
    const places = [...this.#items.keys()].sort((one, other) => one - other);
    const byId = new Map(places.map((place) => [this.#items.get(place)?.item.id, place]));
    const isSame = places.length === output.length;
    for (const [at, given] of output.entries()) {
      const item = objectOf(given, "each of `output`");
      const known = item.id === undefined ? undefined : byId.get(item.id);
      const place = known ?? (isSame ? places[at] : at);
      const open = this.#items.get(place);
      if (open === undefined || open.item.type === item.type)
        if (open === undefined || known !== undefined || isSame) this.#item(place, item, true);
    }
  }

  /**
   * Adds what the service needs back, once and in one piece.
   * @param {number} place @param {Open} open
   */
  #seal(place, { item, blocks, calls, args, isSplit }) {
    const { type, name } = item;
    if (!KNOWN.includes(type) && !isHosted(item))
      this.#parts.block(`item ${place} 0`, {
        type: "non_standard",
        value: item,
        extras: { output_index: place },
      });
    const kept = type === "reasoning" ? item : restOf(item);
    const extras = { output_index: place, item: kept };
    for (const [key, { kind, at }] of blocks) {
      const part = kind === "text" ? partOf(item, at) : {};
      this.#parts.block(key, { type: kind, [kind]: "", ...part, extras });
      if (kind === "refusal") this.#parts.kwargs({ refusal: this.#said.get(key) });
    }
    for (const key of calls) {
      // The service knows the wrapper, not these calls.
      if (isSplit) this.#parts.call(key, { extras: { output_index: place } });
      else if (type === "custom_tool_call")
        this.#parts.call(key, { extras: { ...extras, item: { type, ...kept } } });
      else {
        const isKnown = isWritten(this.#cleaned(name, args), args);
        this.#parts.call(key, { extras: isKnown ? extras : { ...extras, arguments: args } });
      }
    }
  }

  /** @param {Fields} response @param {string} status */
  #tellEnd({ id, model, usage, incomplete_details, service_tier, store }, status) {
    const reason = textOrNone(incomplete_details?.reason, "a `reason`");
    const finish_reason =
      status === "incomplete"
        ? reason === "max_output_tokens"
          ? "length"
          : (reason ?? "incomplete")
        : this.#parts.calls.length > 0
          ? "tool_calls"
          : "stop";
    /** @type {Fields} */
    const metadata = { status, finish_reason };
    const named = { response_id: id, model_name: model, service_tier };
    for (const [key, value] of Object.entries(named))
      if (typeof value === "string" && value !== "") metadata[key] = value;
    if (status === "incomplete")
      metadata.incomplete_details = reason === undefined ? {} : { reason };
    if (store === true) metadata.store = true;
    this.#parts.metadata(metadata);
    if (usage !== undefined && usage !== null) this.#parts.usage(usageFrom(usage));
  }
}
