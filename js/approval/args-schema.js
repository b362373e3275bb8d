// SPDX-License-Identifier: MIT
// Adds to approval requests the JSON Schema of the arguments that a person may write, so that an
// interface can make a form of it. The digest of a request is over the tool's definition, which has
// the schema, and does not change by it. Does not depend on how requests are raised.
import { isRecord } from "../base/check-arguments.js";
import { toolJsonSchema } from "../tools/schema.js";

/** @typedef {Record<string, unknown>} Json */

/** Characters of a schema as JSON. */
const MOST = 64_000;
const CUT = "Cut, since it was too long: properties and definitions are missing.";

/**
 * Writes `args_schema` into the review configs of a request.
 * @param {unknown} value of the interrupt; one without review configs stays as it is
 * @param {readonly { call?: { tool: object } }[]} subjects the calls, in the order of the configs
 */
export function addSchemas(value, subjects) {
  const configs = isRecord(value) ? value.review_configs : undefined;
  if (!Array.isArray(configs) || configs.length !== subjects.length) return;
  for (const [at, { call }] of subjects.entries()) {
    const schema = call === undefined ? undefined : schemaOf(call.tool);
    if (schema !== undefined) configs[at].args_schema = schema;
  }
}

/**
 * Returns a copy of a tool's schema, cut if it is long.
 * @param {object} tool
 * @returns {Json | undefined} undefined: it has none that can be shown
 */
function schemaOf(tool) {
  let text;
  try {
    text = JSON.stringify(toolJsonSchema(tool));
  } catch {
    return undefined;
  }
  const schema = text === undefined ? undefined : JSON.parse(text);
  if (!isRecord(schema) || text.length <= MOST) return isRecord(schema) ? schema : undefined;
  return cutSchema(schema);
}

/** @param {Json} schema @returns {Json} the properties that fit, without what they refer to */
function cutSchema({ properties, required }) {
  const names = new Set(Array.isArray(required) ? required : []);
  const all = Object.entries(isRecord(properties) ? properties : {});
  let left = MOST;
  const kept = [
    ...all.filter(([key]) => names.has(key)),
    ...all.filter(([key]) => !names.has(key)),
  ].filter((entry) => {
    const { length } = JSON.stringify(entry);
    if (length > left) return false;
    left -= length;
    return true;
  });
  const keys = new Set(kept.map(([key]) => key));
  return {
    $comment: CUT,
    type: "object",
    properties: Object.fromEntries(kept),
    required: [...names].filter((name) => keys.has(name)),
  };
}
