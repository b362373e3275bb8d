// SPDX-License-Identifier: MIT
// The public names of `weftgraph/zod/schema`: the JSON Schemas of a graph whose state, input, output or context zod describes.
// Must not know: runs.
import { toJSONSchema } from "zod/v4/core";
import { isStateSchema } from "../graph/state-marks.js";
import { isZodObject } from "../graph/zod.js";
import { printResponse } from "../tools/response.js";
import { isZod3 } from "../tools/zod3.js";
import { META_EXTRAS_DESCRIPTION_PREFIX, schemaMetaRegistry } from "./registry.js";

/** @typedef {import("./registry.js").Effects} Effects */

/** What the user gave a graph as one of its schemas. @param {any} graph @param {"state" | "input" | "output" | "context"} part */
function given(graph, part) {
  return graph?.lg_is_pregel === true ? graph.builder?._given?.[part] : undefined;
}

/** @param {any} schema */
function print(schema) {
  return isZod3(schema) ? printResponse(schema) : toJSONSchema(schema);
}

/** Turns descriptions that hold extras into these extras. @param {any} json @returns {any} */
function withExtras(json) {
  if (Array.isArray(json)) return json.map(withExtras);
  if (typeof json !== "object" || json === null) return json;
  const shown = Object.fromEntries(Object.entries(json).map(([key, value]) => [key, withExtras(value)]));
  const { description } = shown;
  if (typeof description !== "string" || !description.startsWith(META_EXTRAS_DESCRIPTION_PREFIX)) return shown;
  delete shown.description;
  return { ...shown, ...JSON.parse(description.slice(META_EXTRAS_DESCRIPTION_PREFIX.length)) };
}

/** @param {any} schema @param {any} registry @param {Effects} effects */
function jsonOf(schema, registry, effects) {
  if (isStateSchema(schema)) return effects.asPartial ? schema.getInputJsonSchema() : schema.getJsonSchema();
  if (!isZodObject(schema)) return undefined;
  return withExtras(print(registry.getExtendedChannelSchemas(schema, { withJsonSchemaExtrasAsDescription: true, ...effects })));
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
