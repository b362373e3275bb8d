// SPDX-License-Identifier: MIT
// The JSON Schemas of a compiled graph: what its state is, what an update, an input and an output
// of it may be, and its context. Undefined for graphs whose part is not described by zod or a
// StateSchema.
import type { SchemaMetaRegistry } from "./index.js";

// Only what says so is exported.
export {};

type JSONSchema = Record<string, any>;

/** What nodes read. */
export function getStateTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
/** What nodes may write. */
export function getUpdateTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
/** What the graph may be called with. */
export function getInputTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
/** What it answers. */
export function getOutputTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
/** Its context. */
export function getConfigTypeSchema(
  graph: unknown,
  registry?: SchemaMetaRegistry,
): JSONSchema | undefined;
