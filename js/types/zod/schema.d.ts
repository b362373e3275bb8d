// SPDX-License-Identifier: MIT
// Declares the JSON Schemas of a compiled graph: of its state, update, input, output and context.
// Undefined for a part that neither zod nor a StateSchema describes.
import type { SchemaMetaRegistry } from "./index.js";

// Exports only the declarations marked so.
export {};

type JSONSchema = Record<string, any>;

/**
 * Returns the JSON Schema of the state as nodes read it.
 * @param graph whose state is of zod
 * @param registry that has the fields' metadata
 * @example
 * ```ts
 * import { StateGraph } from "weftgraph";
 * import {
 *   getConfigTypeSchema,
 *   getInputTypeSchema,
 *   getOutputTypeSchema,
 *   getStateTypeSchema,
 *   getUpdateTypeSchema,
 * } from "weftgraph/zod/schema";
 * import { z } from "zod";
 *
 * const graph = new StateGraph(z.object({ count: z.number() }))
 *   .addNode("add", ({ count }) => ({ count: count + 1 }))
 *   .addEdge("__start__", "add")
 *   .compile();
 * console.log(getStateTypeSchema(graph)?.properties);
 * for (const read of [getInputTypeSchema, getOutputTypeSchema, getUpdateTypeSchema])
 *   console.log(Object.keys(read(graph)?.properties ?? {}));
 * console.log(getConfigTypeSchema(graph));
 * ```
 * ```text
 * { count: { type: 'number' } }
 * [ 'count' ]
 * [ 'count' ]
 * [ 'count' ]
 * undefined
 * ```
 */
export function getStateTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
/** Returns the JSON Schema of the state as nodes write it. */
export function getUpdateTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
/** Returns the JSON Schema of the graph's input. */
export function getInputTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
/** Returns the JSON Schema of the graph's output. */
export function getOutputTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
/** Returns the JSON Schema of the graph's context. */
export function getConfigTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
