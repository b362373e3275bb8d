// SPDX-License-Identifier: MIT
// What of a tool an approval is bound to: its name, description, policy, version, and its schema in
// a form that is the same in every process. Must not know how calls are planned.
import { ENGINE_SCHEMA } from "../../tools/tool-result.js";
import { refuseBadSchema } from "../../tools/refuse-schema.js";
import { toolJsonSchema } from "../../tools/schema.js";
import { UnsupportedSchemaError } from "../../base/errors.js";
import { optionOf } from "./tool-options.js";

/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../../base/callable.js").Value} Value */

/**
 * Names of schemas that cannot be told in a stable form, for this process.
 * @type {WeakMap<object, string>}
 */
const names = new WeakMap();

/**
 * The definition that the engine's toolset is made of. `digest`: a plan tells the digest of its
 * calls.
 * @param {Value} tool
 * @param {string | ((args: unknown, state: unknown) => unknown)} policy of its approval
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
 * What the digest covers beside what the engine reads: the schema that checks itself, and the
 * user's version.
 * @param {ToolLike} tool
 * @param {unknown} [checked] the schema that the engine checks
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
 * The JSON Schema; else nothing where the user's version stands for it; else a name of this schema
 * object that no other process has, so that approvals do not outlive it.
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

/** Do approvals of the tool hold in this process only? @param {Value} tool @returns {boolean} */
export function isOfProcess({ schema }) {
  return schema !== null && schema !== undefined && names.has(schema);
}

/** @param {Value} schema */
function nameOf(schema) {
  if (typeof schema !== "object" && typeof schema !== "function") return String(schema);
  const name = names.get(schema) ?? crypto.randomUUID();
  names.set(schema, name);
  return name;
}
