// SPDX-License-Identifier: MIT
// Reads what a JSON Schema says about one value, as far as a form can draw it: references and allOf
// are joined, a union with null is optional. Reads in bounded time whatever the schema. What a form
// does not draw (patterns, conditions) is left to the engine. Does not depend on fields.
import { isRecord } from "../base/check-arguments.js";

/** @typedef {Record<string, unknown>} Json */
/** @typedef {{ value: unknown, title?: unknown }} Choice */
/**
 * What is said about a value. `kind`: undefined if it cannot be drawn; `isNullable`: may it be
 * null? `refs`: the references that led to it.
 * @typedef {{ kind?: "choice" | "string" | "number" | "integer" | "boolean" | "object" | "array",
 *   said: Json, choices: Choice[], isNullable: boolean, refs: readonly string[] }} Rule
 */
/** @typedef {{ said: Json, choices?: Choice[], nulls: boolean, refs: string[] }} Flat */

/** Schemas, properties, required names and references that are read for one form. */
const MOST_STEPS = 100_000;
const MOST_CHOICES = 200;
/** Kinds by the name of the type. */
const KINDS = ["string", "number", "integer", "boolean", "object", "array"];
const LARGER = ["minimum", "exclusiveMinimum", "minLength", "minItems"];
const SMALLER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems"];

export class SchemaReader {
  #root;
  #left = MOST_STEPS;
  /**
   * Undefined for what is being read, and for what cannot be.
   * @type {Map<Json, Flat | undefined>}
   */
  #known = new Map();

  /** @param {unknown} root a JSON value */
  constructor(root) {
    this.#root = root;
  }

  /** @param {unknown} schema a part of the root @returns {Rule} */
  read(schema) {
    const flat = this.#flat(schema);
    if (flat === undefined)
      return {
        said: isRecord(schema) ? { title: schema.title, description: schema.description } : {},
        choices: [],
        isNullable: false,
        refs: [],
      };
    const { said, nulls, refs } = flat;
    const choices = flat.choices ?? choicesOf(said) ?? [];
    const kind = choices.length > 0 ? "choice" : kindOf(said);
    return { kind, said, choices, isNullable: nulls, refs };
  }

  /** @param {unknown} schema @returns {Flat | undefined} */
  #flat(schema) {
    if (schema === true || schema === undefined) return { said: {}, nulls: true, refs: [] };
    if (!isRecord(schema)) return undefined;
    if (this.#known.has(schema)) return this.#known.get(schema);
    this.#known.set(schema, undefined);
    const flat = this.#join(schema);
    this.#known.set(schema, flat);
    return flat;
  }

  /** @param {Json} schema @returns {Flat | undefined} */
  #join({ $ref, allOf, anyOf, oneOf, ...own }) {
    if (!this.#spend(own)) return undefined;
    /** @type {Flat | undefined} */
    let flat = { said: own, nulls: takesNull(own), refs: [] };
    const isKnown = kindOf(own) !== undefined;
    if (typeof $ref === "string") {
      const target = this.#flat(this.#resolve($ref));
      // Of a value whose kind is known the rest is for the engine.
      if (target !== undefined)
        flat = this.#both(flat, { ...target, refs: [...target.refs, $ref] });
      else if (!isKnown) return undefined;
    }
    for (const part of Array.isArray(allOf) ? allOf : []) {
      const more = this.#flat(part);
      if (flat !== undefined && more !== undefined) flat = this.#both(flat, more);
      else if (!isKnown) return undefined;
    }
    for (const branches of [anyOf, oneOf]) {
      if (!Array.isArray(branches) || flat === undefined) continue;
      const more = this.#either(branches);
      if (more !== undefined) flat = this.#both(flat, more);
      else if (kindOf(flat.said) === undefined) return undefined;
    }
    return flat;
  }

  /**
   * Joins the branches of a union: one and null, several constants, numbers, texts.
   * @param {unknown[]} branches
   * @returns {Flat | undefined} undefined: it cannot be drawn
   */
  #either(branches) {
    if (branches.length > MOST_CHOICES) return undefined;
    const all = branches.map((branch) => this.#flat(branch));
    if (!all.every((flat) => flat !== undefined)) return undefined;
    const rest = all.filter(({ said }) => !isNull(said));
    const nulls = rest.length < all.length || rest.some((flat) => flat.nulls);
    if (rest.length === 1) return { ...rest[0], nulls };
    const refs = [...new Set(rest.flatMap((flat) => flat.refs))];
    this.#left -= refs.length;
    const choices = rest.map((flat) => flat.choices ?? choicesOf(flat.said));
    if (choices.every((list) => list !== undefined)) {
      const flat = choices.flat();
      return flat.length > MOST_CHOICES ? undefined : { said: {}, choices: flat, nulls, refs };
    }
    const kinds = new Set(rest.map(({ said }) => kindOf(said)));
    if (kinds.size === 1 && kinds.has("string")) return { said: { type: "string" }, nulls, refs };
    return [...kinds].every((kind) => kind === "number" || kind === "integer")
      ? { said: { type: "number" }, nulls, refs }
      : undefined;
  }

  /**
   * Joins what has to hold both.
   * @param {Flat} first what it says about the text shown is preferred
   * @param {Flat} second
   * @returns {Flat | undefined}
   */
  #both(first, second) {
    this.#left -= second.refs.length;
    if (!this.#spend(second.said)) return undefined;
    const said = { ...first.said };
    for (const [key, value] of Object.entries(second.said)) {
      if (!Object.hasOwn(said, key)) said[key] = value;
      else if (key === "properties") said[key] = joinProperties(said[key], value);
      else if (key === "required") said[key] = [...new Set([said[key], value].flat())];
      else if (key === "items") said[key] = { allOf: [said[key], value] };
      else if (key === "type") said[key] = joinTypes(said, second.said);
      else if (LARGER.includes(key)) said[key] = tighter(said[key], value, Math.max);
      else if (SMALLER.includes(key)) said[key] = tighter(said[key], value, Math.min);
      else if ((key === "enum" || key === "const") && value !== said[key]) return undefined;
    }
    return {
      said,
      choices: first.choices ?? second.choices,
      nulls: first.nulls && second.nulls,
      refs: [...new Set([...first.refs, ...second.refs])],
    };
  }

  /** @param {Json} said @returns {boolean} false: too much has been read */
  #spend({ properties, required, type }) {
    const sizes = [isRecord(properties) ? Object.keys(properties) : [], required, type];
    for (const size of sizes) this.#left -= Array.isArray(size) ? size.length : 0;
    return --this.#left >= 0;
  }

  /** @param {string} ref @returns {unknown} null: there is no such place in the schema */
  #resolve(ref) {
    if (ref !== "#" && !ref.startsWith("#/")) return null;
    let place = this.#root;
    for (const part of ref.split("/").slice(1)) {
      const key = decode(part)?.replaceAll("~1", "/").replaceAll("~0", "~");
      if (key === undefined || place === null || typeof place !== "object") return null;
      if (!Object.hasOwn(place, key)) return null;
      place = /** @type {Json} */ (place)[key];
    }
    return place;
  }
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** @param {Json} said @returns {unknown[] | undefined} the types that are named */
const typesOf = ({ type }) => (type === undefined ? undefined : [type].flat());

/** @param {Json} said @returns {Rule["kind"]} */
function kindOf(said) {
  const types = typesOf(said)?.filter((type) => type !== "null");
  if (types === undefined)
    return isRecord(said.properties) ? "object" : isRecord(said.items) ? "array" : undefined;
  if (types.length > 0 && types.every((type) => type === "number" || type === "integer"))
    return types.includes("number") ? "number" : "integer";
  const [type] = types;
  return types.length === 1 && KINDS.includes(/** @type {string} */ (type))
    ? /** @type {Rule["kind"]} */ (type)
    : undefined;
}

/** @param {Json} said @returns {Choice[] | undefined} the values of which one is chosen */
function choicesOf(said) {
  if (Object.hasOwn(said, "const"))
    return said.const === null ? undefined : [{ value: said.const, title: said.title }];
  if (!Array.isArray(said.enum) || said.enum.length > MOST_CHOICES) return undefined;
  const values = said.enum.filter((value) => value !== null);
  return values.length === 0 ? undefined : values.map((value) => ({ value }));
}

/** @param {unknown} first @param {unknown} second @param {(...bounds: number[]) => number} pick */
function tighter(first, second, pick) {
  if (typeof first !== "number" || typeof second !== "number") return first ?? second;
  return pick(first, second);
}

/** @param {Json} said */
function isNull(said) {
  const types = typesOf(said);
  return (
    (types !== undefined && types.length > 0 && types.every((type) => type === "null")) ||
    said.const === null ||
    (Array.isArray(said.enum) && said.enum.length > 0 && said.enum.every((one) => one === null))
  );
}

/** @param {Json} said */
function takesNull(said) {
  const types = typesOf(said);
  return (
    (types === undefined || types.includes("null")) &&
    (!Array.isArray(said.enum) || said.enum.includes(null)) &&
    (!Object.hasOwn(said, "const") || said.const === null)
  );
}

/** @param {unknown} first @param {unknown} second */
function joinProperties(first, second) {
  if (!isRecord(first) || !isRecord(second)) return isRecord(first) ? first : second;
  const joined = new Map(Object.entries(first));
  for (const [key, schema] of Object.entries(second))
    joined.set(key, joined.has(key) ? { allOf: [joined.get(key), schema] } : schema);
  return Object.fromEntries(joined);
}

/** @param {Json} first @param {Json} second @returns {unknown} */
function joinTypes(first, second) {
  const wanted = /** @type {unknown[]} */ (typesOf(second));
  const types = /** @type {unknown[]} */ (typesOf(first)).flatMap((type) => {
    if (wanted.includes(type)) return [type];
    if (type === "number" && wanted.includes("integer")) return ["integer"];
    return type === "integer" && wanted.includes("number") ? ["integer"] : [];
  });
  return types.length === 1 ? types[0] : types;
}
