// SPDX-License-Identifier: MIT
// Turns what a program saw into plain data that two packages can agree on: ids that are random or
// hashes of random ones are renamed by their first occurrence, times lose their value, instances
// show their shape.
const ID =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![0-9a-z])[0-9a-f]{32}(?![0-9a-z])/g;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NULL_ID = "00000000-0000-0000-0000-000000000000";
/**
 * How LangGraph.js marks checkpoints whose writes of DeltaChannels have versions; Weft stores such
 * steps whole there.
 */
const VERSIONED = "delta_writes_versioned";
const MESSAGE_FIELDS = [
  "content",
  "id",
  "name",
  "tool_calls",
  "invalid_tool_calls",
  "tool_call_id",
  "status",
  "usage_metadata",
  "additional_kwargs",
  "response_metadata",
];

export class Names {
  #names = new Map();
  /** A key that is not shown. @type {string | undefined} */
  hidden;
  /** Shows a question once that LangGraph.js shows twice: one of a call in an entrypoint inside. */
  once = false;

  /** @param {string} text */
  rename(text) {
    if (TIME.test(text)) return "<time>";
    return text.replace(/\(elapsed: \d+ms\)/, "(elapsed)").replace(ID, (id) => {
      if (id === NULL_ID) return id;
      if (!this.#names.has(id)) this.#names.set(id, `<id ${this.#names.size + 1}>`);
      return this.#names.get(id);
    });
  }

  /** What a key is sorted by: random ids that were seen by their names. @param {string} key */
  placeOf(key) {
    return key.replace(ID, (id) => this.#names.get(id) ?? id);
  }
}

/** Leaves ids as they are. */
export class Verbatim extends Names {
  /** @param {string} text */
  rename(text) {
    return TIME.test(text) ? "<time>" : text.replace(/\(elapsed: \d+ms\)/, "(elapsed)");
  }
}

function isMessage(value) {
  return typeof value.getType === "function" || typeof value._getType === "function";
}

function isEmpty(value) {
  return (
    value === undefined ||
    value === null ||
    (typeof value === "object" && Object.keys(value).length === 0)
  );
}

/** LangGraph.js counts what it aborted itself as a failure, when it hears of it early enough. */
function withoutAborts(error) {
  if (!(error instanceof AggregateError)) return error;
  const errors = error.errors.filter(({ name }) => name !== "AbortError");
  return errors.length === 1
    ? errors[0]
    : Object.assign(new AggregateError(errors, error.message), {
        lc_error_code: error.lc_error_code,
      });
}

/** What a host says of a value of the wrong kind; Weft names the argument instead. */
const INTERNAL =
  /^(?:Cannot (?:use 'in' operator|read properties|destructure property|set properties|convert)|\S.* is not (?:iterable|a function|an object)|number \d+ is not iterable)/;

/** @param {any} error */
const isWrongArgument = (error) =>
  error.code === "BAD_ARGUMENT" || (error instanceof TypeError && INTERNAL.test(error.message));

function plainError(given, names) {
  const error = withoutAborts(given);
  if (isWrongArgument(error)) return { "<error>": "a wrong argument" };
  const shown = { "<error>": error.name, message: names.rename(error.message) };
  if (error.lc_error_code !== undefined) shown.lc_error_code = error.lc_error_code;
  if (Array.isArray(error.errors)) shown.errors = error.errors.map((one) => plain(one, names));
  return shown;
}

function plainMessage(message, names) {
  const shown = { "<message>": (message.getType ?? message._getType).call(message) };
  for (const field of MESSAGE_FIELDS) {
    if (field === "content" || !isEmpty(message[field]))
      shown[field] = plain(message[field], names);
  }
  return shown;
}

/**
 * @param {any} value
 * @param {Names} names
 * @returns {any} JSON data
 */
export function plain(value, names) {
  if (typeof value === "string") return names.rename(value);
  if (value === undefined) return "<undefined>";
  if (typeof value === "function") return "<function>";
  if (typeof value === "bigint" || typeof value === "symbol") return `<${String(value)}>`;
  if (typeof value === "number" && !Number.isFinite(value)) return `<${value}>`;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Array.from(value, (item) => plain(item, names));
  if (value instanceof Error) return plainError(value, names);
  if (value instanceof Date) return "<date>";
  if (value instanceof Map) return { "<map>": plain([...value], names) };
  if (value instanceof Set) return { "<set>": plain([...value], names) };
  if (isMessage(value)) return plainMessage(value, names);
  if (value.lg_name === "Send") return { "<send>": value.node, args: plain(value.args, names) };
  const shown = {};
  const places = Object.keys(value)
    .map((key) => [names.placeOf(key), key])
    .sort();
  for (const [, key] of places) {
    if (value[key] !== undefined && key !== names.hidden && key !== VERSIONED)
      shown[names.rename(key)] = plain(
        names.once && QUESTIONS.includes(key) ? eachOnce(value[key]) : value[key],
        names,
      );
  }
  return shown;
}

const QUESTIONS = ["interrupts", "__interrupt__"];

/** @param {any} questions */
function eachOnce(questions) {
  return Array.isArray(questions)
    ? questions.filter(
        ({ id }, at) => id === undefined || questions.findIndex((other) => other.id === id) === at,
      )
    : questions;
}

const SHOWN_LINES = 60;
const AROUND = 6;

/** The longest common subsequence of two lists of lines, as [mark, line] rows. */
function align(left, right) {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        left[i] === right[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const rows = [];
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    if (i < left.length && left[i] === right[j]) rows.push([" ", left[i++]]), j++;
    else if (
      j === right.length ||
      (i < left.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])
    )
      rows.push(["-", left[i++]]);
    else rows.push(["+", right[j++]]);
  }
  return rows;
}

/** JSON with short objects and lists on one line. */
function pretty(value, indent = "") {
  const flat = JSON.stringify(value);
  if (flat.length + indent.length <= 100 || typeof value !== "object" || value === null)
    return flat;
  const deeper = `${indent} `;
  if (Array.isArray(value))
    return `[\n${value.map((item) => `${deeper}${pretty(item, deeper)}`).join(",\n")}\n${indent}]`;
  const members = Object.entries(value).map(
    ([key, item]) => `${deeper}${key}: ${pretty(item, deeper)}`,
  );
  return `{\n${members.join(",\n")}\n${indent}}`;
}

/**
 * The lines that differ ("-" LangGraph.js, "+" Weft) and those around them; undefined when none
 * does.
 */
export function difference(weft, langgraph) {
  const [left, right] = [langgraph, weft].map((value) => pretty(value).split("\n"));
  if (left.join("\n") === right.join("\n")) return undefined;
  let start = 0;
  while (left[start] === right[start]) start++;
  let end = 0;
  while (
    end < Math.min(left.length, right.length) - start &&
    left.at(-1 - end) === right.at(-1 - end)
  )
    end++;
  const before = left.slice(Math.max(0, start - AROUND), start).map((line) => [" ", line]);
  const after = left
    .slice(left.length - end, left.length - end + AROUND)
    .map((line) => [" ", line]);
  const rows = [
    ...before,
    ...align(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...after,
  ];
  const text = rows.slice(0, SHOWN_LINES).map(([mark, line]) => `${mark} ${line}`);
  return rows.length > SHOWN_LINES
    ? `${text.join("\n")}\n... ${rows.length - SHOWN_LINES} lines more`
    : text.join("\n");
}
