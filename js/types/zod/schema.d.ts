// SPDX-License-Identifier: MIT
// Declares the JSON Schemas of a compiled graph: of its state, update, input, output and context.
// Undefined for a part that neither zod nor a StateSchema describes.
import type { SchemaMetaRegistry } from "./index.js";

// Exports only the declarations marked so.
export {};

type JSONSchema = Record<string, any>;

/**
 * Returns the JSON Schema of the state as nodes read it.
 * @param graph a compiled StateGraph; for any other value, or a state that is neither zod nor
 *   StateSchema, the result is undefined
 * @param registry where the fields' reducers and texts are looked up; default: the one that graphs
 *   read
 * @throws Error for a field of a zod object that JSON Schema cannot express, like zod 4's date or
 *   bigint
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
/**
 * Returns the JSON Schema of the state as nodes write it.
 * @param graph a compiled StateGraph; for any other value, or a state that is neither zod nor
 *   StateSchema, the result is undefined
 * @param registry where the fields' reducers and texts are looked up; default: the one that graphs
 *   read
 * @throws Error for a field of a zod object that JSON Schema cannot express, like zod 4's date or
 *   bigint
 */
export function getUpdateTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
/**
 * Returns the JSON Schema of the graph's input.
 * @param graph a compiled StateGraph; for any other value, or a state that is neither zod nor
 *   StateSchema, the result is undefined
 * @param registry where the fields' reducers and texts are looked up; default: the one that graphs
 *   read
 * @throws Error for a field of a zod object that JSON Schema cannot express, like zod 4's date or
 *   bigint
 */
export function getInputTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
/**
 * Returns the JSON Schema of the graph's output.
 * @param graph a compiled StateGraph; for any other value, or a state that is neither zod nor
 *   StateSchema, the result is undefined
 * @param registry where the fields' reducers and texts are looked up; default: the one that graphs
 *   read
 * @throws Error for a field of a zod object that JSON Schema cannot express, like zod 4's date or
 *   bigint
 */
export function getOutputTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
/**
 * Returns the JSON Schema of the graph's context.
 * @param graph a compiled StateGraph with a context; without one, or for any other value, the
 *   result is undefined
 * @param registry where the fields' reducers and texts are looked up; default: the one that graphs
 *   read
 * @throws Error for a field of a zod object that JSON Schema cannot express, like zod 4's date or
 *   bigint
 */
export function getConfigTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
