// SPDX-License-Identifier: MIT
// Reads an answer of OpenAI's Responses, whole or in events: joins its items by their place in the
// output, and keeps with each block and call what the service needs back. Does not depend on HTTP.
import { AnswerParts } from "../answer-parts.js";
import {
  argumentsText,
  indexOrNone,
  listOf,
  objectOf,
  restOf,
  shallow,
  textOrNone,
  unexpected,
} from "../shapes.js";
import { rewritten, usesIn } from "./arguments.js";
import { metadataOf, usageFrom } from "./finish.js";
import { hostedBlocks } from "./hosted.js";
import { withoutNulls } from "../openai/strict-schema.js";
import { bareItem, idOf, nameOf, partOf } from "./item-fields.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */
/** @typedef {"text" | "reasoning" | "refusal"} Kind */
/**
 * A text of an item. `at`: its number; `text`: undefined before its first piece.
 * @typedef {{ open: Open, kind: Kind, at: number, block: string, text: string | undefined }} Said
 */
/**
 * An item of the output. `item`: its last version; `said`: its texts by list and number; `args`:
 * text of the arguments so far; `calls`: keys of its calls; `isHeld`: the arguments are given on
 * when they are complete; `isSplit`: it was a wrapper of its calls; `isSaid`: it has words of
 * reasoning.
 * @typedef {{ item: Fields, isDone?: boolean, said: Map<string, Said>, args: string, calls:
 *   string[], isHeld?: boolean, isSplit?: boolean, isSaid?: boolean }} Open
 */
/**
 * `provider`: name of the service in the message; `names`: those of the tools; `hasOwn`: some
 * of them are the service's; `schemas`: those of tools in strict mode, as they were.
 * @typedef {{ maxToolCalls: number, provider: string, newCallId: () => string, names:
 *   Set<string>, hasOwn: boolean, schemas: Map<string, Fields> }} AnswerOptions
 */

/** A model's own name for several calls in one, which is no tool. */
const WRAPPER = /^(multi_tool_use\.)?parallel$/;
/** Types of items that are text, reasoning or calls of the program's functions. */
const KNOWN = ["message", "reasoning", "function_call"];

export class ResponseAnswer {
  #options;
  #parts;
  /**
   * The items by `output_index`; their ids may change within a stream.
   * @type {Map<number, Open>}
   */
  #items = new Map();
  /** Place of the last item. */
  #last = 0;
  /** Places of items by `output_index`, where they differ. @type {Map<unknown, number>} */
  #places = new Map();
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
    this.#event(textOrNone(data.type, "`type`") ?? event ?? "", data);
    // Nothing goes out before the first piece: until then another attempt can take its place.
    return this.#parts.isEmpty && !this.isFinished ? undefined : this.#parts.take();
  }

  /** Adds an answer that is not streamed. @param {unknown} given */
  addWhole(given) {
    const response = objectOf(given, "an answer");
    if (response.output || response.status) this.#finish(response);
    return this.#parts.take();
  }

  /** Returns the whole message. */
  message() {
    return this.#parts.message();
  }

  /** @param {string} type @param {Fields} data gets the place as `output_index` */
  #event(type, data) {
    if (!type.startsWith("response.")) return;
    this.hasBegun = true;
    const index = data.output_index;
    data.output_index = this.#places.get(index) ?? index;
    switch (type) {
      case "response.output_text.delta":
        return this.#say("text", data, data.delta);
      case "response.output_text.done":
        return this.#sayRest("text", data, data.text);
      case "response.refusal.delta":
        return this.#say("refusal", data, data.delta);
      case "response.refusal.done":
        return this.#sayRest("refusal", data, data.refusal);
      case "response.reasoning_summary_text.delta":
        return this.#say("reasoning", data, data.delta);
      case "response.reasoning_summary_text.done":
        return this.#sayRest("reasoning", data, data.text);
      case "response.reasoning_text.delta":
        return this.#say("reasoning", data, data.delta, "content");
      case "response.reasoning_text.done":
        return this.#sayRest("reasoning", data, data.text, "content");
      case "response.function_call_arguments.delta":
        return this.#argue(this.#placeOf(data), textOrNone(data.delta, "a `delta`") ?? "");
      case "response.function_call_arguments.done":
        return this.#argueRest(this.#placeOf(data), argumentsText(data.arguments));
      case "response.output_item.added":
      case "response.output_item.done": {
        const item = objectOf(data.item, "an `item`");
        const isDone = type.endsWith("done");
        const known = this.#items.get(this.#placeOf(data));
        // Some services number no item, or several alike.
        if (!isDone && known && (known.isDone || known.item.type !== item.type))
          this.#places.set(index, (this.#last = this.#items.size));
        return this.#item(this.#last, item, isDone);
      }
      case "response.completed":
      case "response.incomplete":
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
      open = { item: { type }, said: new Map(), args: "", calls: [] };
      this.#items.set(place, open);
    }
    return open;
  }

  /**
   * Returns what was said of a part of an item.
   * @param {Kind} kind
   * @param {Fields} data the event, or a place in the output
   * @param {string} list the list of the item that has the part
   */
  #saidOf(kind, data, list) {
    const place = this.#placeOf(data);
    const at = indexOrNone(data.content_index ?? data.summary_index, "a part") ?? 0;
    const isReasoning = kind === "reasoning";
    const open = this.#openAt(place, isReasoning ? kind : "message");
    const key = `${list} ${at}`;
    let said = open.said.get(key);
    if (said === undefined) {
      // The parts of reasoning are paragraphs of one block.
      const block = isReasoning ? `${kind} ${place}` : `${kind} ${place} ${at}`;
      said = { open, kind, at, block, text: undefined };
      open.said.set(key, said);
    }
    return said;
  }

  /**
   * Adds a piece of text, of a refusal or of reasoning.
   * @param {Kind} kind @param {Fields} data @param {unknown} text @param {string} [list]
   */
  #say(kind, data, text, list = kind) {
    if (typeof text !== "string") throw unexpected("a `delta` to be a string", text);
    const said = this.#saidOf(kind, data, list);
    const { open, block } = said;
    if (kind === "text") this.#parts.text(block, text);
    else {
      const isNext = open.isSaid && said.text === undefined && text !== "";
      this.#parts.block(block, { type: kind, [kind]: isNext ? `\n\n${text}` : text });
      open.isSaid ||= kind === "reasoning" && text !== "";
    }
    said.text = (said.text ?? "") + text;
  }

  /**
   * Adds what a whole text has beyond its pieces.
   * @param {Kind} kind @param {Fields} data @param {unknown} text @param {string} [list]
   */
  #sayRest(kind, data, text, list = kind) {
    if (typeof text !== "string") return;
    const { text: said } = this.#saidOf(kind, data, list);
    const rest = restOf(text, said ?? "");
    if (said === undefined || rest !== "") this.#say(kind, data, rest, list);
  }

  /**
   * Adds an item as far as it is known; its last version counts.
   * @param {number} place @param {Fields} item @param {boolean} isDone
   */
  #item(place, item, isDone) {
    const type = textOrNone(item.type, "`type`") ?? "message";
    const isNew = !this.#items.has(place);
    const open = this.#openAt(place, type);
    if (open.item.type !== type) throw unexpected("an `item` of one `type`", item);
    const wasDone = open.isDone;
    open.item = { ...shallow(item, "an item"), type };
    open.isDone ||= isDone;
    // Reasoning keeps its place among the blocks, also without words.
    if (type === "reasoning" && isNew) this.#say(type, { output_index: place }, "", type);
    if (type === "function_call" && open.calls.length === 0) this.#begin(place, open);
    if (!isDone) return;
    if (type === "message" || type === "reasoning") this.#sayWhole(place, item);
    else if (type === "function_call") {
      this.#argueRest(place, argumentsText(item.arguments));
      if (open.isHeld && !wasDone) this.#release(place, open);
    } else if (!wasDone) this.#whole(place, open);
  }

  /**
   * Adds what the texts of a whole item have beyond their pieces.
   * @param {number} output_index @param {Fields} item
   */
  #sayWhole(output_index, { type, summary, content }) {
    for (const [list, parts] of Object.entries({ reasoning: summary, content }))
      for (const [content_index, given] of listOf(parts, list).entries()) {
        const part = objectOf(given, "a part");
        const data = { output_index, content_index };
        if (type === "reasoning") this.#sayRest(type, data, part.text, list);
        else if (part.type === "output_text") this.#sayRest("text", data, part.text);
        else if (part.type === "refusal") this.#sayRest("refusal", data, part.refusal);
      }
  }

  /** Begins a call. @param {number} place @param {Open} open */
  #begin(place, open) {
    const { names, schemas } = this.#options;
    const name = nameOf(open.item);
    open.isHeld = schemas.has(name) || (WRAPPER.test(name) && !names.has(name));
    const key = `call ${place}`;
    open.calls.push(key);
    // With the pieces that came before the call's name.
    if (!open.isHeld) this.#parts.call(key, { id: idOf(open.item), name, args: open.args });
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
    const rest = restOf(whole, this.#items.get(place)?.args ?? "");
    if (rest !== "") this.#argue(place, rest);
  }

  /**
   * Adds a call that was held back, or the calls in it.
   * @param {number} place @param {Open} open
   */
  #release(place, open) {
    const { item, args } = open;
    const name = nameOf(item);
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
    const schema = this.#options.schemas.get(name);
    return (schema && rewritten(args, (value) => withoutNulls(value, schema))) ?? args;
  }

  /**
   * Adds an item of any other type, which is of use when it is complete.
   * @param {number} place @param {Open} open
   */
  #whole(place, open) {
    const { item } = open;
    const { names, hasOwn } = this.#options;
    // xAI's search calls tools of its own in this form.
    const isServed = hasOwn && !item.namespace && !names.has(nameOf(item));
    if (item.type === "custom_tool_call" && !isServed) {
      const args = JSON.stringify({ input: textOrNone(item.input, "`input`") ?? "" });
      // Any text is valid: one that was cut off must not be run.
      open.args = item.status === "incomplete" ? args.slice(0, -2) : args;
      return this.#begin(place, open);
    }
    for (const [at, block] of hostedBlocks(item, place).slice(1).entries())
      this.#parts.block(`item ${place} ${at}`, block);
  }

  /** @param {Fields} response */
  #finish(response) {
    const status = textOrNone(response.status, "`status`") ?? "completed";
    if (status !== "completed" && status !== "incomplete")
      throw unexpected("a finished answer", status);
    this.#reconcile(listOf(response.output, "`output`"));
    for (const [place, open] of this.#items) {
      const { item } = open;
      if (!open.isDone)
        this.#item(place, status === "completed" ? item : { ...item, status }, true);
      this.#seal(place, open);
    }
    this.#parts.metadata(metadataOf(response, status, this.#parts.calls.length > 0));
    if (response.usage) this.#parts.usage(usageFrom(response.usage));
    this.hasBegun = true;
    this.isFinished = true;
  }

  /**
   * Adds the items as the end of the answer tells them: the last version.
   * @param {Fields[]} output
   */
  #reconcile(output) {
    const places = [...this.#items.keys()].sort((one, other) => one - other);
    /** @type {Map<unknown, number>} */
    const byId = new Map();
    const ids = new Set(output.map((item) => objectOf(item, "an `item`").id ?? 0));
    /** Types that the end has under other ids than the events. */
    const told = new Set();
    for (const [place, { item }] of this.#items)
      if (ids.has(item.id)) byId.set(item.id, place);
      else told.add(item.type);
    const isSame = places.length === output.length;
    for (const [at, item] of output.entries()) {
      const known = byId.get(item.id);
      const place = known ?? (isSame ? places[at] : at);
      const type = this.#items.get(place)?.item.type;
      const isNew = type === undefined && !told.has(item.type);
      if (isNew || (type === item.type && (known ?? isSame) !== false))
        this.#item(place, item, true);
    }
  }

  /**
   * Adds what the service needs back, once and in one piece.
   * @param {number} place @param {Open} open
   */
  #seal(place, { item, said, calls, args, isSplit }) {
    const { type, name } = item;
    if (!KNOWN.includes(type) && calls.length === 0)
      this.#parts.block(`item ${place} 0`, hostedBlocks(item, place)[0]);
    const extras = { output_index: place, item: bareItem(item) };
    for (const { kind, at, block, text } of said.values()) {
      const part = kind === "text" ? partOf(item, at) : {};
      this.#parts.block(block, { type: kind, [kind]: "", ...part, extras });
      if (kind === "refusal") this.#parts.kwargs({ refusal: text });
    }
    for (const key of calls) {
      // The service knows the wrapper, not these calls.
      if (isSplit) this.#parts.call(key, { extras: { output_index: place } });
      else {
        // Unless it is what the call's value is written as anyway.
        const usual = rewritten(this.#cleaned(name, args)) ?? args;
        this.#parts.call(key, { extras: usual === args ? extras : { ...extras, arguments: args } });
      }
    }
  }
}
