// SPDX-License-Identifier: MIT
// Describes the parts of a tool that an approval covers: its name, description, policy, version,
// and its schema in a form that is the same in every process. Does not depend on how calls are
// planned.
import { ENGINE_SCHEMA } from "../../tools/tool-result.js";
import { refuseBadSchema } from "../../tools/refuse-schema.js";
import { toolJsonSchema } from "../../tools/schema.js";
import { UnsupportedSchemaError } from "../../base/errors.js";
import { optionOf } from "./tool-options.js";

/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */

/**
 * Names, valid in this process only, of schemas without a stable form.
 * @type {WeakMap<object, string>}
 */
const names = new WeakMap();

/**
 * Builds the definition for the engine's toolset. `digest`: a plan returns the digests of this
 * tool's calls.
 * @param {ToolLike} tool
 * @param {string | ((args: unknown, state: unknown) => unknown)} policy its approval policy
 */
export function toolDefinition(tool, policy) {
  refuseBadSchema(tool.name, tool.schema);
  const schema = tool[ENGINE_SCHEMA]?.() ?? null;
  if (policy === "auto")
    return {
      name: tool.name,
      schema,
      digest: false,
      description: tool.description,
      approval: policy,
    };
  return {
    name: tool.name,
    schema,
    digest: true,
    description: tool.description,
    approval: typeof policy === "function" ? "function" : policy,
    ...boundDefinition(tool, schema),
  };
}

/**
 * Returns what the digest covers beside the engine's schema: a schema that validates itself, and
 * the user's version.
 * @param {ToolLike} tool
 * @param {unknown} [checked] the schema that the engine validates
 */
export function boundDefinition(tool, checked) {
  const version = optionOf(tool, "version");
  return {
    definition:
      checked === null && tool.schema !== undefined && tool.schema !== null
        ? stableSchema(tool, version)
        : undefined,
    version,
  };
}

/**
 * Returns the JSON Schema; else nothing if the user's version replaces it; else a name of this
 * schema object that is unknown to other processes, so that approvals end with this process.
 * @param {ToolLike} tool
 * @param {string | undefined} version
 */
function stableSchema(tool, version) {
  try {
    return toolJsonSchema(tool);
  } catch (error) {
    if (!(error instanceof UnsupportedSchemaError)) throw error;
  }
  if (version !== undefined) return undefined;
  return nameOf(tool.schema);
}

/**
 * Checks whether approvals of the tool are valid in this process only.
 * @param {ToolLike} tool
 * @returns {boolean}
 */
export function isOfProcess({ schema }) {
  return schema !== null && schema !== undefined && names.has(schema);
}

/** @param {unknown} schema */
function nameOf(schema) {
  if ((typeof schema !== "object" || schema === null) && typeof schema !== "function")
    return String(schema);
  const name = names.get(schema) ?? crypto.randomUUID();
  names.set(schema, name);
  return name;
}
