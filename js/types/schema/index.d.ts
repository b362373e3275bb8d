// SPDX-License-Identifier: MIT
// Declares JSON Schema: schemas are compiled once, and the engine checks values and JSON texts.
// Generates no code, so it works under a strict Content-Security-Policy and in Workers.

/** A schema: an object, or true (everything is valid) or false (nothing is). */
export type JsonSchema = boolean | { readonly [keyword: string]: any };

/**
 * A format: `true` is the standard one; a pattern (unanchored, as in `pattern`) or a function
 * replaces it; `false` disables it.
 */
export type SchemaFormat = boolean | string | RegExp | ((text: string) => boolean);

/** Options of compiling a schema. */
export interface SchemaOptions {
  /** Draft of schemas without `$schema`. Default "2020-12". */
  draft?: "7" | "2019-09" | "2020-12";
  /**
   * Other documents, by URI, that `$ref` may name. Nothing is ever fetched. The metaschemas are
   * included.
   */
  remotes?: { readonly [uri: string]: JsonSchema };
  /**
   * Whether `format` is checked instead of being an annotation: `true` checks the standard formats,
   * an object adds to them.
   */
  formats?: boolean | { readonly [name: string]: SchemaFormat };
  /** Whether to fill in the `default` of absent properties, which count as present then. */
  defaults?: boolean;
}

/** One unit of the "basic" output of JSON Schema. */
export interface SchemaError {
  /**
   * JSON Pointer to the keyword, through the references that led to it: "/properties/a/$ref/type".
   */
  keywordLocation: string;
  /** URI of the keyword, if the schema has one. */
  absoluteKeywordLocation?: string;
  /** JSON Pointer to the invalid value; "" is the whole. */
  instanceLocation: string;
  /** Text: "expected …, found …". */
  error: string;
  /**
   * Code for an unusable JSON text: JSON_SYNTAX, JSON_DEPTH, JSON_SIZE, JSON_NODES, JSON_UTF8,
   * JSON_NUMBER, JSON_KEY.
   */
  code?: string;
}

/** Result of a check. */
export interface SchemaResult<Value = any> {
  valid: boolean;
  /** The checked value, with defaults filled in; undefined for an invalid JSON text. */
  value: Value;
  /** At most 16 errors. Empty when valid. */
  errors: SchemaError[];
}

/** A compiled schema; holds memory of the engine until `free` or garbage collection. */
export interface CompiledSchema<Value = any> {
  /**
   * Checks a value by its JSON form. Throws WeftError SCHEMA_BUDGET when that takes too much work.
   * @param value any value; one without a JSON form is invalid
   */
  validate(value: unknown): SchemaResult<Value>;
  /**
   * Parses and checks a JSON text of at most 2 MiB, 100,000 values and 128 levels.
   * @param text one JSON value
   * @throws BAD_ARGUMENT for what is no string
   */
  validateJson(text: string): SchemaResult<Value>;
  /** Frees the engine's memory now instead of at garbage collection. */
  free(): void;
}

/**
 * Compiles a schema.
 * @param schema the schema
 * @param options how to read it
 * @returns the compiled schema, to be kept: each `validate` uses it without compiling again
 * @throws WeftError BAD_SCHEMA and BAD_PATTERN with the place and the reason, SCHEMA_BUDGET, the
 *   codes of JSON; BAD_ARGUMENT for a wrong option
 */
export function compileSchema<Value = any>(
  schema: JsonSchema,
  options?: SchemaOptions,
): CompiledSchema<Value>;

/**
 * Formats errors for a person or a model: `✖ /path: expected …, found …`, one line each.
 * @param errors list that `validate()` gave; empty gives ""
 * @returns one line for each error
 * @throws BAD_ARGUMENT if errors is no list of objects
 */
export function formatErrors(
  errors: readonly Pick<SchemaError, "instanceLocation" | "error">[],
): string;
