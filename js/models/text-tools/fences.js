// SPDX-License-Identifier: MIT
// Reads the answer of a model that writes its tool calls between marks in its text, while it
// streams: the text outside of fences is passed on at once, but for the end that may begin a fence.
import { isArguments, readToolCall } from "../../messages/tool-arguments.js";
import { FenceBody } from "./fence-body.js";
import { Literals } from "./literals.js";

/** @typedef {import("./calls.js").WrittenCalls} WrittenCalls */
/** @typedef {import("./fence-body.js").Form} Form */

/** @type {Form[]} */
const FORMS = [
  { kind: "json", open: "<tool_call>", close: "</tool_call>", lead: /\s/, quotes: '"' },
  { kind: "json", open: "```tool_call", close: "```", lead: /\s/, quotes: '"' },
  { kind: "named", open: "<|tool_call>", close: "<tool_call|>", lead: /[\w\s.:-]/, quotes: '"' },
];
/** `[name(a=1)]`, of a tool that there is, at the beginning of a line. */
const LIST = { kind: /** @type {const} */ ("list"), lead: /\s/, quotes: "\"'" };
const LIST_OPEN = /\[\s{0,8}([\w.-]{1,128})\(/y;
const LIST_START = /\[\s{0,8}[\w.-]{0,128}$/y;
const MARK = /[<`[]/g;
/** What a model writes between these it thinks: nothing there is a call. */
const THOUGHT_OPENS = ["<think>", "<thinking>"];
const THOUGHT_CLOSES = ["</think>", "</thinking>"];
const THOUGHT_END = /<\/think(?:ing)?>/;
const OPENS = /* @__PURE__ */ THOUGHT_OPENS.concat(FORMS.map(({ open }) => open));
/** Maximum of blanks to hold back, which a fence after them would take away. */
const MOST_BLANKS = 64;

export class FenceReader {
  #calls;
  /** The end of what came, which may belong to a fence. */
  #held = "";
  /** Has the current line only blanks so far? */
  #isLineEmpty = true;
  /** Did a call end, and nothing was shown since? */
  #isAfterCall = false;
  /** @type {Form | undefined} */
  #form = undefined;
  /** @type {FenceBody | undefined} */
  #body = undefined;
  /** Does the text go on with a thought? */
  #isThought = false;
  /** After a body without an end, fences end at their next closing mark. */
  #isStrict = true;

  /** @param {WrittenCalls} calls gets the calls */
  constructor(calls) {
    this.#calls = calls;
  }

  /**
   * Adds a piece of the answer; returns the text to show.
   * @param {string} piece
   */
  push(piece) {
    let shown = "";
    let rest = piece;
    while (rest !== "") {
      if (this.#body !== undefined) rest = this.#addToBody(this.#body, rest);
      else if (this.#form !== undefined) rest = this.#afterBody(this.#form, rest);
      else {
        const { text, next } = this.#read(rest);
        shown += text;
        rest = next;
      }
    }
    return shown;
  }

  /** Ends the answer; returns the rest of the text to show. */
  end() {
    let shown = "";
    if (this.#body !== undefined) {
      const form = /** @type {Form} */ (this.#form);
      const text = this.#body.text;
      const mark = form.close ?? "\n";
      const at = this.#body.isMarked ? -1 : text.indexOf(mark);
      this.#close(form, at < 0 ? text : text.slice(0, at));
      // Its brackets or quotes never ended: what follows its mark is read again, and only once.
      this.#isStrict = false;
      if (at >= 0) shown += this.push(text.slice(at + mark.length)) + this.end();
      return shown;
    }
    const held = this.#held;
    this.#held = "";
    const isMark = this.#form !== undefined;
    this.#form = undefined;
    return isMark || (this.#isAfterCall && held.trim() === "") ? "" : this.#show(held);
  }

  /**
   * Reads text up to a fence.
   * @param {string} given
   * @returns {{ text: string, next: string }}
   */
  #read(given) {
    const text = this.#held + given;
    this.#held = "";
    if (this.#isThought) return this.#readThought(text);
    MARK.lastIndex = 0;
    for (let found = MARK.exec(text); found !== null; found = MARK.exec(text)) {
      const at = found.index;
      const form = this.#formAt(text, at);
      if (form === undefined) continue;
      if (form === "thought") {
        this.#isThought = true;
        return { text: this.#show(text.slice(0, at)), next: text.slice(at) };
      }
      if (form === "maybe") return { text: this.#hold(text, at), next: "" };
      const shown = this.#show(text.slice(0, at).trimEnd());
      this.#form = form;
      // Of a list the brackets of `[name(` are open.
      const level = form.kind === "list" ? 2 : 0;
      this.#body = new FenceBody(form, { level, isMarked: !this.#isStrict });
      return { text: shown, next: text.slice(at + form.open.length) };
    }
    return { text: this.#hold(text, text.length), next: "" };
  }

  /**
   * Reads text up to the end of a thought.
   * @param {string} text
   * @returns {{ text: string, next: string }}
   */
  #readThought(text) {
    const found = THOUGHT_END.exec(text);
    if (found !== null) {
      this.#isThought = false;
      const end = found.index + found[0].length;
      return { text: this.#show(text.slice(0, end)), next: text.slice(end) };
    }
    const last = text.lastIndexOf("<");
    const isHalf = last >= 0 && THOUGHT_CLOSES.some((mark) => mark.startsWith(text.slice(last)));
    const end = isHalf ? last : text.length;
    this.#held = text.slice(end);
    return { text: this.#show(text.slice(0, end)), next: "" };
  }

  /**
   * Returns the form that opens here; "maybe" if the text ends before that is known.
   * @param {string} text @param {number} at
   * @returns {Form | "thought" | "maybe" | undefined}
   */
  #formAt(text, at) {
    if (text[at] === "[") return this.#listAt(text, at);
    if (THOUGHT_OPENS.some((open) => text.startsWith(open, at))) return "thought";
    for (const form of FORMS) if (text.startsWith(form.open, at)) return form;
    const rest = text.slice(at);
    return OPENS.some((open) => open.startsWith(rest)) ? "maybe" : undefined;
  }

  /** @param {string} text @param {number} at @returns {Form | "maybe" | undefined} */
  #listAt(text, at) {
    let from = at;
    while (from > 0 && (text[from - 1] === " " || text[from - 1] === "\t")) from--;
    if (from === 0 ? !this.#isLineEmpty : text[from - 1] !== "\n") return undefined;
    LIST_START.lastIndex = at;
    if (LIST_START.test(text)) return "maybe";
    LIST_OPEN.lastIndex = at;
    const found = LIST_OPEN.exec(text);
    return found !== null && this.#calls.knows(found[1]) ? { ...LIST, open: found[0] } : undefined;
  }

  /**
   * Shows the text before `end`, but holds blanks and what follows back.
   * @param {string} text @param {number} end */
  #hold(text, end) {
    let from = end;
    while (from > 0 && end - from < MOST_BLANKS && text[from - 1].trim() === "") from--;
    this.#held = text.slice(from);
    return this.#show(text.slice(0, from));
  }

  /** @param {string} text */
  #show(text) {
    if (text === "") return text;
    const line = text.lastIndexOf("\n");
    const isBlank = text.slice(line + 1).trim() === "";
    this.#isLineEmpty = isBlank && (line >= 0 || this.#isLineEmpty);
    if (!isBlank) this.#isAfterCall = false;
    return text;
  }

  /** @param {FenceBody} body @param {string} piece @returns {string} what follows the body */
  #addToBody(body, piece) {
    const end = body.push(piece);
    if (end < 0) return "";
    const form = /** @type {Form} */ (this.#form);
    const { text, isMarked } = body;
    const mark = form.close ?? "\n";
    this.#close(form, isMarked ? text.slice(0, text.length - mark.length) : text);
    // The closing mark is still to come after the last bracket.
    if (!isMarked && form.close !== undefined) this.#form = form;
    return piece.slice(end);
  }

  /** Takes the closing mark, if it comes. */
  /** @param {Form} form @param {string} piece @returns {string} what follows it */
  #afterBody({ close = "" }, piece) {
    const text = this.#held + piece;
    this.#held = "";
    const rest = text.trimStart();
    if (close.startsWith(rest) && rest.length < close.length && text.length < MOST_BLANKS) {
      this.#held = text;
      return "";
    }
    this.#form = undefined;
    return rest.startsWith(close) ? rest.slice(close.length) : text;
  }

  /** Reads the calls of a body. @param {Form} form @param {string} body */
  #close(form, body) {
    this.#form = undefined;
    this.#body = undefined;
    this.#isLineEmpty = true;
    this.#isAfterCall = true;
    const raw = `${form.open}${body}${form.close ?? ""}`;
    if (form.kind === "json") this.#readJson(body.trim(), raw);
    else if (form.kind === "named") this.#readNamed(body, raw);
    else this.#readList(raw);
  }

  /** @param {string} body @param {string} raw */
  #readJson(body, raw) {
    const isList = body.startsWith("[");
    const { call, invalid } = readToolCall("", isList ? `{"calls":${body}}` : body, "");
    const given = isList ? call?.args.calls : [call?.args];
    if (call === undefined || !Array.isArray(given))
      return this.#calls.refuse(nameIn(body), raw, invalid?.error ?? "A call must be an object.");
    for (const one of given) this.#addJson(one, raw);
  }

  /** @param {unknown} given a call @param {string} raw */
  #addJson(given, raw) {
    const fields = /** @type {Record<string, unknown>} */ (given ?? {});
    const { name, args: words = {}, parameters = words, arguments: args = parameters } = fields;
    const isText = typeof args === "string";
    const { call, invalid } = isText
      ? readToolCall(textOf(name), args, "")
      : { call: { args }, invalid: undefined };
    if (call !== undefined && isArguments(call.args)) this.#calls.add(name, call.args, raw);
    else this.#calls.refuse(textOf(name), raw, invalid?.error ?? "`arguments` must be an object.");
  }

  /** @param {string} body `call:name{…}` @param {string} raw */
  #readNamed(body, raw) {
    const [head, name] = /^\s*call:\s*([\w.-]+)\s*/.exec(body) ?? ["", undefined];
    try {
      if (name === undefined) throw new SyntaxError("expected call:name{…}");
      const rest = body.slice(head.length).trim();
      const literals = new Literals(rest);
      const args = rest === "" ? {} : literals.object();
      literals.end();
      this.#calls.add(name, args, raw);
    } catch (error) {
      this.#refuse(error, name, raw);
    }
  }

  /** @param {string} raw `[name(a=1), …]` */
  #readList(raw) {
    const literals = new Literals(raw);
    const calls = [];
    try {
      literals.need("[");
      do calls.push(literals.call());
      while (literals.take(","));
      literals.need("]");
      literals.end();
    } catch (error) {
      return this.#refuse(error, /[\w.-]+/.exec(raw)?.[0], raw);
    }
    for (const { name, args, raw: written } of calls) this.#calls.add(name, args, written);
  }

  /** @param {unknown} error @param {string | undefined} name @param {string} raw */
  #refuse(error, name, raw) {
    if (!(error instanceof SyntaxError)) throw error;
    this.#calls.refuse(name, raw, `The call cannot be read: ${error.message}.`);
  }
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === "string" ? value : undefined;
}

/** The name in a broken call. @param {string} body */
function nameIn(body) {
  return /"name"\s*:\s*"([\w.-]{1,128})"/.exec(body)?.[1];
}
