// SPDX-License-Identifier: MIT
// JSON Schema: compiled once, values and JSON texts checked against it in the engine. No code is
// generated, so it runs under a strict Content-Security-Policy and in Workers.

/** A schema: an object, or true (everything fits) or false (nothing does). */
export type JsonSchema = boolean | { readonly [keyword: string]: any };

/**
 * `true`: the standard one; a pattern (unanchored, as in `pattern`) or a function; `false` turns a
 * standard one off.
 */
export type SchemaFormat = boolean | string | RegExp | ((text: string) => boolean);

/** How a schema is read. */
export interface SchemaOptions {
  /** The draft of schemas that do not name theirs in `$schema`. Default "2020-12". */
  draft?: "7" | "2019-09" | "2020-12";
  /**
   * Other documents, by their address, that `$ref` may name. Nothing is ever fetched. The
   * metaschemas are known.
   */
  remotes?: { readonly [uri: string]: JsonSchema };
  /**
   * `format` is an annotation unless this is given: `true` asserts the standard formats, an object
   * adds to them.
   */
  formats?: boolean | { readonly [name: string]: SchemaFormat };
  /** Fill in `default` of absent properties; a property that is filled in counts as present. */
  defaults?: boolean;
}

/** One unit of the "basic" output of JSON Schema. */
export interface SchemaError {
  /**
   * JSON Pointer to the keyword, by way of the references that led to it:
   * "/properties/a/$ref/type".
   */
  keywordLocation: string;
  /** Its address, when the schema has one. */
  absoluteKeywordLocation?: string;
  /** JSON Pointer to the value that does not fit; "" is the whole. */
  instanceLocation: string;
  /** "expected …, found …". */
  error: string;
  /**
   * Of a text that is no usable JSON: JSON_SYNTAX, JSON_DEPTH, JSON_SIZE, JSON_NODES, JSON_UTF8,
   * JSON_NUMBER, JSON_KEY.
   */
  code?: string;
}

/** What checking came to. */
export interface SchemaResult<Value = any> {
  valid: boolean;
  /** What was checked, with its defaults filled in; undefined for a text that is no JSON. */
  value: Value;
  /** At most 16. Empty when it is valid. */
  errors: SchemaError[];
}

/** A schema ready to check; holds memory of the engine until `free` or until it is collected. */
export interface CompiledSchema<Value = any> {
  /**
   * Checks a value by its JSON form. Throws WeftError with code SCHEMA_BUDGET when that takes too
   * much work.
   */
  validate(value: unknown): SchemaResult<Value>;
  /** Parses and checks a JSON text of at most 2 MiB, 100,000 values and 128 levels. */
  validateJson(text: string): SchemaResult<Value>;
  /** Gives the engine's memory back now, instead of when the object is gone. */
  free(): void;
}

/**
 * Compiles a schema. Throws WeftError: BAD_SCHEMA and BAD_PATTERN with the place and the reason,
 * SCHEMA_BUDGET, the codes of JSON.
 */
export function compileSchema<Value = any>(
  schema: JsonSchema,
  options?: SchemaOptions,
): CompiledSchema<Value>;

/** Errors as a person or a model reads them: `✖ /path: expected …, found …`, one line each. */
export function formatErrors(
  errors: readonly Pick<SchemaError, "instanceLocation" | "error">[],
): string;
