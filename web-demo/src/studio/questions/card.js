// SPDX-License-Identifier: MIT
// Knows: what a person is doing with one request for approval: what was seen of it, what is being
// edited (in fields or as JSON), what was decided. Owns when Approve works. Must not know: the
// page, threads.
import { formOf, readForm, spellJson } from "weftgraph/approval";
import { layOut } from "../reveal.js";

/**
 * How long something has to be in sight, and a page in front, before a press counts as meant for
 * it.
 */
export const ARM_MS = 700;

/** @typedef {"look" | "edit" | "reject"} Mode */
/** @typedef {import("weftgraph/approval").FormProblem} Problem */
/**
 * What an edit says: the arguments, or what is wrong with it; `problems`: with single fields.
 * @typedef {{ args: any } | { fault: string, problems?: Problem[] }} Edited
 */
/** What has to be seen: the end of the arguments, the button. @typedef {"end" | "button"} Part */
/**
 * What was decided here; `json`: what was to run, if it was changed.
 * @typedef {{ word: string, json?: string }} Verdict
 */
/** `seen`: in sight for long enough. @typedef {"out" | "in" | "seen"} Sight */

export class Card {
  /** @type {Mode} */
  mode = "look";
  /** @type {"fields" | "json"} */
  tab = "fields";
  /** The edit as JSON. */
  draft = "";
  /** The edit as fields, and what was written in them, by path. */
  form = formOf(true);
  /** @type {Record<string, string | boolean>} */
  values = {};
  reason = "";
  isSent = false;
  /** @type {Verdict | undefined} */
  verdict = undefined;
  /** The page is in front since a while. */
  #isAwake = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;
  /** With which words each part was seen. @type {Map<Part, string>} */
  #seen = new Map();
  /** @type {Map<Part, Sight>} */
  #sight = new Map();
  /** What a press that has begun is about. @type {string | undefined} */
  #pressed = undefined;
  #isGreeted = false;

  /**
   * @param {string} about the call; for another one there is another card
   * @param {() => void} changed
   */
  constructor(about, changed) {
    this.about = about;
    this.changed = changed;
  }

  /**
   * The page came back: Approve waits, so that a click meant for something else does not approve.
   */
  arm() {
    clearTimeout(this.#timer);
    this.#isAwake = false;
    this.#timer = setTimeout(() => {
      this.#isAwake = true;
      this.changed();
    }, ARM_MS);
  }

  /** @param {Part} part @param {Sight} sight @param {string} words that are shown */
  see(part, sight, words) {
    if (sight === "seen") this.#seen.set(part, words);
    this.#sight.set(part, sight);
    this.changed();
  }

  /**
   * A part is known to be out of sight, and was not seen with these words.
   * @param {Part} part
   * @param {string} words
   */
  lacks(part, words) {
    return this.#sight.get(part) === "out" && this.#seen.get(part) !== words;
  }

  /** Has all been seen, with the words that are there now? @param {string} words */
  canDecide(words) {
    return (
      this.#isAwake &&
      !this.isSent &&
      this.#seen.get("end") === words &&
      this.#seen.get("button") === words
    );
  }

  /** A press of the pointer begins. @param {string} words */
  press(words) {
    this.#pressed = this.canDecide(words) ? words : undefined;
  }

  /**
   * May a click decide? One of a pointer has to begin and to end on what was seen, and the second
   * click of two was meant for what was there before.
   * @param {string} words @param {number} clicks 0: by the keyboard
   */
  accepts(words, clicks) {
    const isWhole = clicks === 0 || (clicks === 1 && this.#pressed === words);
    this.#pressed = undefined;
    return isWhole && this.canDecide(words);
  }

  /**
   * Begins an edit: in fields, if the schema has any.
   * @param {string} canonical the arguments as they are shown
   * @param {any} schema
   */
  edit(canonical, schema) {
    const form = formOf(schema, JSON.parse(canonical));
    const tab = hasFields(form) ? "fields" : "json";
    this.set({ mode: "edit", tab, form, values: {}, draft: spellJson(layOut(canonical)) });
  }

  /**
   * Shows the edit in the other form, if what is written can be shown so.
   * @param {"fields" | "json"} tab
   * @param {any} schema
   */
  turnTo(tab, schema) {
    const read = tab === this.tab ? undefined : this.written();
    if (read === undefined || !("args" in read)) return;
    const json = JSON.stringify(read.args);
    if (tab === "json") this.set({ tab, draft: spellJson(layOut(json)) });
    else this.set({ tab, form: formOf(schema, read.args), values: {} });
  }

  /** What is written, as arguments, whatever the schema says of them. @returns {Edited} */
  written() {
    if (this.tab === "json") return readJson(this.draft);
    const read = readForm(this.form, this.values);
    return "args" in read ? read : { fault: "Correct what is marked.", problems: read.problems };
  }

  /** The edited arguments, or what is wrong with them. @param {any} schema @returns {Edited} */
  edited(schema) {
    const read = this.written();
    const fault = "args" in read ? findFault(read.args, schema ?? {}) : undefined;
    return fault ? { fault } : read;
  }

  /**
   * @param {Partial<Pick<Card, "mode" | "tab" | "draft" | "form" | "values" | "reason">>} change
   */
  set(change) {
    Object.assign(this, change);
    this.changed();
  }

  /** A new card draws attention once: true the first time. */
  greet() {
    const isFirst = !this.#isGreeted;
    this.#isGreeted = true;
    return isFirst;
  }

  close() {
    clearTimeout(this.#timer);
  }
}

/** @param {import("weftgraph/approval").ApprovalForm} form */
export const hasFields = ({ fields }) => fields.length > 0 && fields[0].path !== "";

/** @param {string} text @returns {Edited} */
function readJson(text) {
  let args;
  try {
    args = JSON.parse(text);
  } catch (error) {
    return { fault: `This is not JSON: ${/** @type {Error} */ (error).message}` };
  }
  return typeof args !== "object" || args === null || Array.isArray(args)
    ? { fault: "The arguments must be an object in braces { }" }
    : { args };
}

/** @param {any} args @param {any} schema of a server: it may be none */
function findFault(args, { properties, required, additionalProperties }) {
  const rules = Object(properties);
  const missing = Array.isArray(required) && required.find((name) => !Object.hasOwn(args, name));
  if (typeof missing === "string") return `"${missing}" is missing`;
  for (const [name, value] of Object.entries(args)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined && additionalProperties === false)
      return `"${name}" is not an argument of this tool`;
    const fault = rule && faultOf(value, rule);
    if (fault) return `"${name}" ${fault}`;
  }
  return undefined;
}

/** @param {any} value @param {any} rule */
function faultOf(value, { type, minimum, maximum, minLength, maxLength }) {
  if (type === "integer" && !Number.isInteger(value)) return "must be a whole number";
  if (type === "number" && typeof value !== "number") return "must be a number";
  if (type === "string" && typeof value !== "string") return "must be a text in quotes";
  if (type === "boolean" && typeof value !== "boolean") return "must be true or false";
  if (value < minimum) return `must be ${minimum} or more`;
  if (value > maximum) return `must be ${maximum} or less`;
  if (value?.length < minLength)
    return minLength === 1 ? "must not be empty" : `must have ${minLength} characters or more`;
  if (value?.length > maxLength) return `must have ${maxLength} characters or fewer`;
  return undefined;
}
