// SPDX-License-Identifier: MIT
// Makes the fields of a form from a tool's JSON Schema and the arguments of a call, as plain data.
// Bounded in number, depth and length whatever the schema; arguments that it does not show stay in
// the form as they are. Does not read what a person wrote (form-read.js).
import { badArgument, isRecord } from "../base/check-arguments.js";
import { showHidden } from "../base/show-hidden.js";
import { SchemaReader } from "./form-schema.js";
import { cut, labelOf, pathTo, spellJson } from "./form-texts.js";

/** @typedef {import("../types/approval/form.js").ApprovalForm} ApprovalForm */
/** @typedef {import("../types/approval/form.js").FormField} FormField */
/** @typedef {import("./form-schema.js").Rule} Rule */
/**
 * Where a value stands. `above`: references that are open above it, if no value is there.
 * @typedef {{ path: string, key: string | number, label: string, required: boolean, depth: number,
 *   above: readonly string[] }} Place
 */

const MOST_FIELDS = 300;
const MOST_ITEMS = 100;
const MOST_DEPTH = 8;
const MOST_KEY = 500;
const MOST_TITLE = 200;
const MOST_TEXT = 2000;
/** Values in a schema, counted each time that it refers to one. */
const MOST_VALUES = 200_000;
/** Characters of a schema as JSON. */
const MOST_SCHEMA = 1_000_000;
/** Characters of a text that one line shows. */
const LINE = 60;
/** Longest `maxLength` of a text of one line. */
const SHORT = 200;
/** Types of fields by the format of a text. @type {Map<unknown, FormField["type"]>} */
const FORMATS = new Map([
  ["date", "date"],
  ["date-time", "date-time"],
  ["time", "time"],
  ["email", "email"],
  ["idn-email", "email"],
  ["uri", "url"],
  ["url", "url"],
  ["iri", "url"],
]);
const TEXTS = ["minLength", "maxLength", "pattern"];

/**
 * @param {unknown} schema
 * @param {unknown} [args]
 * @returns {ApprovalForm}
 */
export function formOf(schema, args = {}) {
  const held = JSON.parse(jsonOf(args, "args"));
  const own = copySchema(schema ?? true);
  const drawing = new Drawing(own ?? true);
  const root = drawing.field(own ?? true, held, {
    path: "",
    key: "",
    label: "Arguments",
    required: true,
    depth: 0,
    above: [],
  });
  const { hidden } = drawing;
  return {
    fields: root.fields ?? [root],
    args: held,
    ...(own === undefined ? { note: "The schema is too long for fields." } : undefined),
    ...(hidden > 0
      ? {
          note: `${hidden} more ${hidden === 1 ? "argument is" : "arguments are"} not shown here; what is in them stays as it is.`,
        }
      : undefined),
  };
}

/** @param {unknown} schema @returns {unknown} undefined: it is too long */
function copySchema(schema) {
  let left = MOST_VALUES;
  const text = jsonOf(schema, "schema", (_, value) => (--left < 0 ? null : value));
  return left < 0 || text.length > MOST_SCHEMA ? undefined : JSON.parse(text);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {(key: string, value: unknown) => unknown} [replacer]
 */
function jsonOf(value, name, replacer) {
  let text;
  try {
    text = JSON.stringify(value, replacer);
  } catch {}
  if (text === undefined) throw badArgument(`formOf(schema, args): ${name} must be JSON`);
  return text;
}

class Drawing {
  /** Properties that have no field. */
  hidden = 0;
  #count = 0;
  #reader;

  /** @param {unknown} root the schema, of which nobody else has a reference */
  constructor(root) {
    this.#reader = new SchemaReader(root);
  }

  /** @param {unknown} schema @param {unknown} value @param {Place} place @returns {FormField} */
  field(schema, value, place) {
    this.#count++;
    const rule = this.#reader.read(schema);
    const field = fieldOf(rule, place);
    const isEndless = value === undefined && rule.refs.some((ref) => place.above.includes(ref));
    const isShown = place.depth < MOST_DEPTH && !isEndless;
    const isAbsent = value === undefined || (value === null && rule.isNullable);
    const inner = {
      depth: place.depth + 1,
      above: isAbsent ? [...place.above, ...rule.refs] : [],
    };
    const drawn = isShown
      ? this.#draw(rule, isAbsent ? undefined : value, field, inner)
      : undefined;
    return drawn ?? asJson(field, value);
  }

  /**
   * @param {Rule} rule
   * @param {unknown} value undefined for null too
   * @param {FormField} field
   * @param {Pick<Place, "depth" | "above">} inner
   * @returns {FormField | undefined} undefined: the value does not fit, or there are too many
   */
  #draw({ kind, said, choices }, value, field, inner) {
    const isAbsent = value === undefined;
    switch (kind) {
      case "choice":
        return selectOf(field, choices, value);
      case "boolean":
        return booleanOf(field, value);
      case "string":
        return isAbsent || isPlainText(value) ? textOf(field, said, value ?? "") : undefined;
      case "number":
      case "integer":
        return isAbsent || (kind === "number" ? Number.isFinite : Number.isInteger)(value)
          ? { ...field, type: kind, ...boundsOf(said, kind), value: isAbsent ? "" : String(value) }
          : undefined;
      case "object":
        return isAbsent || isRecord(value) ? this.#group(field, said, value, inner) : undefined;
      case "array":
        return isAbsent || Array.isArray(value) ? this.#list(field, said, value, inner) : undefined;
      default:
        return undefined;
    }
  }

  /**
   * @param {FormField} field
   * @param {Rule["said"]} said
   * @param {Record<string, unknown> | undefined} value
   * @param {Pick<Place, "depth" | "above">} inner
   * @returns {FormField | undefined}
   */
  #group(field, { properties, required, additionalProperties }, value, inner) {
    const names = new Set(Array.isArray(required) ? required : []);
    const schemas = new Map(Object.entries(isRecord(properties) ? properties : {}));
    const others = isRecord(additionalProperties) ? additionalProperties : true;
    for (const key of Object.keys(value ?? {})) if (!schemas.has(key)) schemas.set(key, others);
    // A map without keys of its own would be an empty group.
    if (schemas.size === 0 && additionalProperties !== false && field.path !== "") return undefined;
    let keys = [...schemas.keys()];
    const isUsed = (/** @type {string} */ key) =>
      names.has(key) || (value !== undefined && Object.hasOwn(value, key));
    if (keys.length > MOST_FIELDS - this.#count)
      keys = [...keys.filter(isUsed), ...keys.filter((key) => !isUsed(key))];
    /** @type {FormField[]} */
    const fields = [];
    for (const key of keys) {
      if (this.#count >= MOST_FIELDS || key.length > MOST_KEY) {
        this.hidden++;
        continue;
      }
      const held = value !== undefined && Object.hasOwn(value, key) ? value[key] : undefined;
      const place = { path: pathTo(field.path, key), key, label: labelOf(key), ...inner };
      fields.push(this.field(schemas.get(key), held, { ...place, required: names.has(key) }));
    }
    return { ...field, type: "group", fields };
  }

  /**
   * @param {FormField} field
   * @param {Rule["said"]} said
   * @param {unknown[] | undefined} value
   * @param {Pick<Place, "depth" | "above">} inner
   * @returns {FormField | undefined}
   */
  #list(field, { items, prefixItems, minItems, maxItems }, value = [], inner) {
    if (!isRecord(items) || prefixItems !== undefined || value.length > MOST_ITEMS)
      return undefined;
    const { hidden } = this;
    /** @param {string | number} key @param {unknown} held */
    const itemAt = (key, held) => {
      const label = `${field.label} ${key === "-" ? "" : Number(key) + 1}`.trim();
      const place = { path: pathTo(field.path, key), key, label, required: true, ...inner };
      return this.field(items, held, place);
    };
    const item = itemAt("-", undefined);
    const list = [];
    for (const [at, held] of value.entries()) {
      if (this.#count < MOST_FIELDS) list.push(itemAt(at, held));
    }
    // Of a list that is not whole, nobody could say what it becomes.
    if (list.length < value.length || this.hidden > hidden) {
      this.hidden = hidden;
      return undefined;
    }
    return {
      ...field,
      type: "list",
      item,
      items: list,
      next: value.length,
      ...numbers({ min: minItems, max: maxItems }),
    };
  }
}

/** @param {Rule} rule @param {Place} place @returns {FormField} */
function fieldOf({ said, isNullable }, { path, key, label, required }) {
  const { title, description } = said;
  return {
    path,
    key,
    name: cut(String(key), MOST_TITLE),
    label: typeof title === "string" && title.trim() !== "" ? cut(title, MOST_TITLE) : label,
    ...(typeof description === "string" ? { description: cut(description, MOST_TEXT) } : undefined),
    type: "json",
    required,
    nullable: isNullable,
    ...(isShort(said.default) ? { default: said.default } : undefined),
  };
}

/** @param {unknown} value */
const isShort = (value) => value !== undefined && JSON.stringify(value).length <= MOST_TEXT;

/** @param {FormField} field @param {unknown} value @returns {FormField} */
function asJson(field, value) {
  return {
    ...field,
    type: "json",
    value: value === undefined ? "" : spellJson(JSON.stringify(value, null, 2)),
  };
}

/**
 * Can a page's text field hold it? It would change other line breaks.
 * @param {unknown} value
 * @returns {value is string}
 */
const isPlainText = (value) => typeof value === "string" && !/[\r\p{Cs}]/u.test(value);

/**
 * @param {FormField} field
 * @param {Rule["said"]} said
 * @param {string} value
 * @returns {FormField}
 */
function textOf(field, said, value) {
  const isBroken = value.includes("\n");
  const isLong = isBroken || value.length > LINE || or(said.maxLength, 0) > SHORT;
  // A page shows nothing for a date that is none.
  const isOther = isBroken || (said.format === "date" && value !== "" && !isDate(value));
  const spelled = showHidden(value);
  return {
    ...field,
    type: (isOther ? undefined : FORMATS.get(said.format)) ?? (isLong ? "multiline" : "text"),
    ...Object.fromEntries(TEXTS.flatMap((key) => (isUsable(said[key]) ? [[key, said[key]]] : []))),
    value,
    ...(spelled === value ? undefined : { spelled }),
  };
}

/** @param {unknown} value */
const isUsable = (value) =>
  Number.isInteger(value) || (typeof value === "string" && value.length <= MOST_TEXT);

/** @param {string} text */
function isDate(text) {
  const date = new Date(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(date.getTime()) &&
    date.toISOString().slice(0, 10) === text
  );
}

/** @param {FormField} field @param {unknown} value @returns {FormField | undefined} */
function booleanOf(field, value) {
  if (value !== undefined && typeof value !== "boolean") return undefined;
  // A box cannot say that nothing was chosen.
  if (value === undefined && !(field.required && !field.nullable))
    return { ...field, type: "select", options: YES_NO, value: "" };
  return { ...field, type: "checkbox", value: value === true };
}

const YES_NO = [
  { key: "true", label: "Yes", value: true },
  { key: "false", label: "No", value: false },
];

/**
 * @param {FormField} field
 * @param {Rule["choices"]} choices
 * @param {unknown} value
 * @returns {FormField | undefined}
 */
function selectOf(field, choices, value) {
  const texts = choices.map(({ value: one }) => JSON.stringify(one));
  const plain = choices.map(({ value: one }, at) => (typeof one === "string" ? one : texts[at]));
  // A text may look like another value.
  const isPlain = new Set(plain).size === new Set(texts).size && !plain.includes("");
  const keys = isPlain ? plain : texts;
  const options = choices.map(({ value: one, title }, at) => ({
    key: keys[at],
    label: cut(typeof title === "string" && title.trim() !== "" ? title : plain[at], MOST_TITLE),
    value: one,
  }));
  const found = value === undefined ? undefined : texts.indexOf(JSON.stringify(value));
  if (found === -1) return undefined;
  return { ...field, type: "select", options, value: found === undefined ? "" : keys[found] };
}

/** @param {Rule["said"]} said @param {"number" | "integer"} kind */
function boundsOf(said, kind) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = said;
  if (kind === "number")
    return numbers({
      min: minimum,
      max: maximum,
      exclusiveMin: exclusiveMinimum,
      exclusiveMax: exclusiveMaximum,
      step: multipleOf,
    });
  return numbers({
    min: Math.max(
      Math.ceil(or(minimum, -Infinity)),
      Math.floor(or(exclusiveMinimum, -Infinity)) + 1,
    ),
    max: Math.min(Math.floor(or(maximum, Infinity)), Math.ceil(or(exclusiveMaximum, Infinity)) - 1),
    step: multipleOf ?? 1,
  });
}

/** @param {unknown} bound @param {number} none */
const or = (bound, none) => (typeof bound === "number" ? bound : none);

/** @param {Record<string, unknown>} given @returns {Record<string, number>} the numbers in it */
function numbers(given) {
  const entries = Object.entries(given).filter(([, value]) => Number.isFinite(value));
  return Object.fromEntries(/** @type {[string, number][]} */ (entries));
}
