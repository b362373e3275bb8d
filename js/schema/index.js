// SPDX-License-Identifier: MIT
// Compiles JSON Schemas once, and checks values and texts against them in the engine. Owns the form
// of results. Does not depend on tools or messages.
import { Checker } from "../engine/checker.js";
import { CHECK_FILL, ERR_ARGUMENT } from "../base/codes.js";
import { lettersIn } from "../engine/unicode-properties.js";
import { isOverflow, makeError } from "../base/errors.js";
import { checkArgument, isListOf, isObject } from "../base/check-arguments.js";
import { standardFormats } from "./formats.js";
import metaschemas from "./metaschemas.js";

/** @typedef {import("./formats.js").Format} Format */
/** @typedef {import("../engine/checker.js").Question} Question */

const DRAFTS = { 7: 7, "2019-09": 2019, "2020-12": 2020 };
const CHECK_NONE = 0;

/** @param {unknown} schema @returns {string} */
function written(schema) {
  try {
    return JSON.stringify(schema);
  } catch (error) {
    throw makeError(
      ERR_ARGUMENT,
      [
        isOverflow(error)
          ? "a schema is nested too deep"
          : `a schema is JSON: ${error instanceof Error ? error.message : String(error)}`,
      ],
      { cause: error },
    );
  }
}

class CompiledSchema {
  #checker;
  #flags;
  /** @type {Record<string, Format>} */
  #formats;
  /** @param {Question} question */
  #ask = ({ name, text }) => /** @type {(text: string) => boolean} */ (this.#formats[name])(text);

  /** @param {unknown} schema @param {import("../types/schema/index.js").SchemaOptions} [given] */
  constructor(schema, given) {
    const options = given ?? {};
    const draft = options.draft === undefined ? undefined : DRAFTS[options.draft];
    if (options.draft !== undefined && draft === undefined)
      throw makeError(ERR_ARGUMENT, [
        `there is no draft ${String(options.draft)}: '7', '2019-09' or '2020-12'`,
      ]);
    if (
      schema === undefined ||
      schema === null ||
      typeof schema === "symbol" ||
      typeof schema === "function"
    )
      throw makeError(ERR_ARGUMENT, ["a schema is an object or a boolean"]);
    const wanted = options.formats !== undefined && options.formats !== false;
    const text = written(schema);
    let remotes = options.remotes === undefined ? "" : written(options.remotes);
    // A metaschema may demand formats.
    const mayAssert = wanted || remotes.includes("/vocab/format-assertion");
    if (namesMetaschema(text) || namesMetaschema(remotes))
      remotes = JSON.stringify({ ...metaschemas, ...options.remotes });
    this.#formats = mayAssert ? formatsOf(options.formats) : {};
    this.#flags = options.defaults === true ? CHECK_FILL : CHECK_NONE;
    // JSON of the whole, written in parts so that each is serialised once.
    let around = draft === undefined ? "" : `,"draft":${draft}`;
    if (wanted) around += ',"assert":true';
    if (mayAssert) around += `,"formats":${JSON.stringify(tableOf(this.#formats))}`;
    if (remotes !== "") around += `,"remotes":${remotes}`;
    const letters = lettersIn(text + around);
    if (letters !== undefined) around += `,"letters":${JSON.stringify(letters)}`;
    this.#checker = new Checker(`{"schema":${text}${around}}`);
  }

  /** @param {unknown} value */
  validate(value) {
    let text;
    try {
      text = JSON.stringify(value);
    } catch (error) {
      return {
        valid: false,
        value,
        errors: [
          problem(
            `a value without JSON form: ${error instanceof Error ? error.message : String(error)}`,
          ),
        ],
      };
    }
    if (text === undefined)
      return {
        valid: false,
        value,
        errors: [problem(`expected a JSON value, found ${typeof value}`)],
      };
    const verdict = this.#checker.check(text, this.#flags, this.#ask);
    return verdict === null ? { valid: true, value, errors: [] } : resultOf(verdict, value);
  }

  /** @param {string} text */
  validateJson(text) {
    if (typeof text !== "string")
      throw makeError(ERR_ARGUMENT, [`validateJson takes a string, not ${typeof text}`]);
    const verdict = this.#checker.check(text, this.#flags, this.#ask);
    if (verdict === null) return { valid: true, value: this.#checker.read(text), errors: [] };
    return resultOf(verdict, verdict.broken === undefined ? JSON.parse(text) : undefined);
  }

  /**
   * Frees the engine's memory now rather than at collection. The next use compiles the schema
   * again.
   */
  free() {
    this.#checker.free();
  }
}

/**
 * @param {unknown} schema
 * @param {import("../types/schema/index.js").SchemaOptions} [options]
 */
export function compileSchema(schema, options) {
  return new CompiledSchema(schema, options);
}

/**
 * Formats errors for a model or a person, one line each.
 * @param {readonly { instanceLocation: string, error: string }[]} errors
 */
export function formatErrors(errors) {
  checkArgument(
    isListOf(errors, isObject),
    "formatErrors(errors): errors must be a list, as validate() gives it",
  );
  return errors
    .map(
      ({ instanceLocation, error }) =>
        `\u2716 ${instanceLocation === "" ? "(root)" : instanceLocation}: ${error}`,
    )
    .join("\n");
}

// Does it refer to a metaschema? Almost every schema names its dialect, which does not count.
/** @param {string} text */
function namesMetaschema(text) {
  return (
    text.includes("json-schema.org/draft") &&
    text.replace(/"\$schema":"[^"]*"/g, "").includes("json-schema.org/draft")
  );
}

/** @param {unknown} given @returns {Record<string, Format>} */
function formatsOf(given) {
  /** @type {Record<string, Format>} */
  const formats = { ...standardFormats };
  for (const [name, format] of Object.entries(
    given !== null && typeof given === "object" ? given : {},
  )) {
    if (format === false) delete formats[name];
    else if (format instanceof RegExp)
      formats[name] =
        format.flags === "u" || format.flags === ""
          ? format.source
          : (text) => new RegExp(format).test(text);
    else if (typeof format === "function" || typeof format === "string") formats[name] = format;
    else if (format !== true || formats[name] === undefined)
      throw makeError(ERR_ARGUMENT, [
        `the format "${name}" is a function, a pattern, or true for a standard one`,
      ]);
  }
  return formats;
}

/** @param {Record<string, Format>} formats */
function tableOf(formats) {
  return Object.fromEntries(
    Object.entries(formats).map(([name, format]) => [
      name,
      typeof format === "string" ? format : null,
    ]),
  );
}

/** @param {string} error @param {string} [code] */
function problem(error, code) {
  return {
    keywordLocation: "",
    instanceLocation: "",
    error,
    ...(code === undefined ? {} : { code }),
  };
}

/** @param {import("../engine/checker.js").Verdict} verdict @param {unknown} value */
function resultOf({ valid, filled, problems, broken }, value) {
  if (broken !== undefined)
    return {
      valid,
      value,
      errors: [problem(broken.message, /** @type {{ code?: string }} */ (broken).code)],
    };
  const errors = problems.map(({ instance, keyword, address, message }) => {
    const error = { keywordLocation: keyword, instanceLocation: instance, error: message };
    return address === ""
      ? error
      : {
          keywordLocation: keyword,
          absoluteKeywordLocation: address,
          instanceLocation: instance,
          error: message,
        };
  });
  return { valid, value: filled === "" ? value : JSON.parse(filled), errors };
}
