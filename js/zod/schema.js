// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/zod/schema`: the JSON Schemas of a graph whose state,
// input, output or context is a zod schema. Does not depend on runs.
import { $ZodNever, clone, globalRegistry, toJSONSchema } from "zod/v4/core";
import { isStateSchema } from "../state/state-marks.js";
import { isZodObject } from "../state/zod.js";
import { printResponse } from "../tools/response-schema.js";
import { isZod3 } from "../tools/zod3.js";
import { META_EXTRAS_DESCRIPTION_PREFIX, schemaMetaRegistry } from "./registry.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./registry.js").Effects} Effects */

/**
 * Returns a schema that the user passed to a graph.
 * @param {Value} graph
 * @param {"state" | "input" | "output" | "context"} part
 */
function given(graph, part) {
  return graph?.lg_is_pregel === true ? graph.builder?._given?.[part] : undefined;
}

/** @param {unknown} schema */
function print(schema) {
  return isZod3(schema) ? printResponse(schema) : toJSONSchema(closed(taken(schema)));
}

/**
 * Returns a zod 4 schema without transforms, which describes the input. Like LangChain, goes into
 * objects, lists and optional values.
 * @param {Value} schema
 * @returns {Value}
 */
function taken(schema) {
  const { def } = schema._zod;
  if (def.type === "pipe") return named(clone(taken(def.in)), schema);
  if (def.type === "object") return withParts(schema, { shape: mapped(def.shape, taken) });
  if (def.type === "array") return withParts(schema, { element: taken(def.element) });
  return def.type === "optional" || def.type === "nullable"
    ? withParts(schema, { innerType: taken(def.innerType) })
    : schema;
}

/**
 * Closes a zod 4 schema: objects, also in objects and lists, allow no additional properties.
 * @param {Value} schema
 * @returns {Value}
 */
function closed(schema) {
  const { def } = schema._zod;
  if (def.type === "array") return withParts(schema, { element: closed(def.element) });
  return def.type === "object"
    ? withParts(schema, {
        shape: mapped(def.shape, closed),
        catchall: new $ZodNever({ type: "never" }),
      })
    : schema;
}

/** @param {Record<string, unknown>} shape @param {(field: unknown) => unknown} change */
function mapped(shape, change) {
  return Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, change(field)]));
}

/** @param {Value} schema @param {Record<string, unknown>} parts */
function withParts(schema, parts) {
  return named(clone(schema, { ...schema._zod.def, ...parts }), schema);
}

/** @param {Value} copy @param {Value} schema its description is copied, if there is one */
function named(copy, schema) {
  const said = globalRegistry.get(schema) ?? globalRegistry.get(copy);
  return said === undefined ? copy : (globalRegistry.add(copy, said), copy);
}

/** Replaces descriptions with extras by these extras. @param {unknown} json @returns {Value} */
function withExtras(json) {
  if (Array.isArray(json)) return json.map(withExtras);
  if (typeof json !== "object" || json === null) return json;
  const shown = Object.fromEntries(
    Object.entries(json).map(([key, value]) => [key, withExtras(value)]),
  );
  const { description } = shown;
  if (typeof description !== "string" || !description.startsWith(META_EXTRAS_DESCRIPTION_PREFIX))
    return shown;
  delete shown.description;
  return { ...shown, ...JSON.parse(description.slice(META_EXTRAS_DESCRIPTION_PREFIX.length)) };
}

/** @param {unknown} schema @param {Value} registry @param {Effects} effects */
function jsonOf(schema, registry, effects) {
  if (isStateSchema(schema))
    return effects.asPartial ? schema.getInputJsonSchema() : schema.getJsonSchema();
  if (!isZodObject(schema)) return undefined;
  const shown = withExtras(
    print(
      registry.getExtendedChannelSchemas(schema, {
        withJsonSchemaExtrasAsDescription: true,
        ...effects,
      }),
    ),
  );
  if (effects.asPartial) delete shown.required;
  return shown;
}

const UPDATE = { withReducerSchema: true, asPartial: true };

/** @param {unknown} graph */
export function getStateTypeSchema(graph, registry = schemaMetaRegistry) {
  return jsonOf(given(graph, "state"), registry, {});
}

/** @param {unknown} graph */
export function getUpdateTypeSchema(graph, registry = schemaMetaRegistry) {
  return jsonOf(given(graph, "state"), registry, UPDATE);
}

/** @param {unknown} graph */
export function getInputTypeSchema(graph, registry = schemaMetaRegistry) {
  return jsonOf(given(graph, "input") ?? given(graph, "state"), registry, UPDATE);
}

/** @param {unknown} graph */
export function getOutputTypeSchema(graph, registry = schemaMetaRegistry) {
  return jsonOf(given(graph, "output") ?? given(graph, "state"), registry, {});
}

/** @param {unknown} graph */
export function getConfigTypeSchema(graph, registry = schemaMetaRegistry) {
  return jsonOf(given(graph, "context"), registry, {});
}
