// SPDX-License-Identifier: MIT
// Owns which model the samples' agents ask: the choice is kept in the browser, keys in this tab
// alone, each for the origin of one service. Must not know: models, the page.
import { serviceOf } from "./services.js";

/**
 * `source`: what answers. `service`, `url`, `model`: of a service. `webllm`: a model of WebLLM.
 * @typedef {{ source: "builtin" | "browser" | "webllm" | "service", service: string,
 *   url: string, model: string, webllm: string }} Choice
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Place
 */

const PLACE = "weft-studio-model";
const KEYS = "weft-studio-keys";
const SOURCES = ["builtin", "browser", "webllm", "service"];
/** @type {Readonly<Choice>} */
export const FIRST = Object.freeze({
  source: "builtin",
  service: "openai",
  url: serviceOf("openai").url,
  model: "",
  webllm: "Qwen3-0.6B-q4f16_1-MLC",
});

/** The choice and the keys; an event "change" tells that one of them is another. */
export class Settings extends EventTarget {
  #local;
  #session;
  /** @type {Choice} */
  #choice;
  /** Keys that were forgotten: what was recorded with one still holds it. @type {Set<string>} */
  #forgotten = new Set();

  /** @param {{ local?: Place, session?: Place }} [places] */
  constructor({ local = placeOf("localStorage"), session = placeOf("sessionStorage") } = {}) {
    super();
    this.#local = local;
    this.#session = session;
    this.#choice = readChoice(parse(local.getItem(PLACE)));
  }

  /** @returns {Readonly<Choice>} */
  get choice() {
    return this.#choice;
  }

  /** The key for the address; empty: there is none. @param {string} [url] */
  keyFor(url = this.#choice.url) {
    const key = this.#keys()[originOf(url)];
    return typeof key === "string" ? key : "";
  }

  /** Every key that this page holds or held, of all addresses. @returns {string[]} */
  get secrets() {
    const held = Object.values(this.#keys()).filter((key) => typeof key === "string");
    return [...new Set([...held, ...this.#forgotten])];
  }

  /**
   * @param {Partial<Choice>} choice
   * @param {string} [key] for its address; empty: forget it
   */
  choose(choice, key) {
    this.#choice = readChoice({ ...this.#choice, ...choice });
    this.#local.setItem(PLACE, JSON.stringify(this.#choice));
    if (key !== undefined) this.#keepKey(this.#choice.url, key);
    this.dispatchEvent(new Event("change"));
  }

  /** @param {string} url @param {string} key */
  #keepKey(url, key) {
    const { [originOf(url)]: before, ...others } = this.#keys();
    if (typeof before === "string" && before !== key) this.#forgotten.add(before);
    const keys = key === "" ? others : { ...others, [originOf(url)]: key };
    if (Object.keys(keys).length === 0) this.#session.removeItem(KEYS);
    else this.#session.setItem(KEYS, JSON.stringify(keys));
  }

  /** @returns {Record<string, unknown>} */
  #keys() {
    return parse(this.#session.getItem(KEYS));
  }
}

/**
 * The browser's own; where it refuses that, one that ends with the page.
 * @param {"localStorage" | "sessionStorage"} name
 * @returns {Place}
 */
function placeOf(name) {
  try {
    return globalThis[name];
  } catch {
    /** @type {Map<string, string>} */
    const kept = new Map();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  }
}

/** What answers, in few words. @param {Readonly<Choice>} choice */
export function nameOf({ source, model, webllm }) {
  if (source === "service") return model;
  return { builtin: "built in", browser: "the browser's own", webllm }[source];
}

/** @param {Record<string, any>} kept @returns {Choice} */
function readChoice(kept) {
  const text = (/** @type {"service" | "url" | "model" | "webllm"} */ name) =>
    typeof kept[name] === "string" ? kept[name] : FIRST[name];
  return {
    source: SOURCES.includes(kept.source) ? kept.source : FIRST.source,
    service: serviceOf(text("service")).id,
    url: text("url"),
    model: text("model"),
    webllm: text("webllm"),
  };
}

/** @param {string} url */
function originOf(url) {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** @param {string | null} text @returns {Record<string, any>} */
function parse(text) {
  try {
    return Object(JSON.parse(text ?? "{}"));
  } catch {
    return {};
  }
}
