// SPDX-License-Identifier: MIT
// Owns: the error for what JSON Schema cannot say.

/** A tool's schema has a part that cannot be told to a model as JSON Schema. */
export class UnsupportedSchemaError extends Error {
  /** @param {string} what */
  constructor(what) {
    super(`${what} has no JSON Schema form; describe the arguments of the tool with other types or as JSON Schema`);
    this.name = "UnsupportedSchemaError";
    this.code = "UNSUPPORTED_SCHEMA";
  }
}
