// SPDX-License-Identifier: MIT
// The JSON Schemas of a compiled graph: what its state is, what an update, an input and an output of it may be, and its
// context. Undefined for graphs whose part is not described by zod or a StateSchema.
import type { SchemaMetaRegistry } from "./index.js";

type JSONSchema = Record<string, any>;

export function getStateTypeSchema(graph: unknown, registry?: SchemaMetaRegistry): JSONSchema | undefined;
export function getUpdateTypeSchema(graph: unknown, registry?: SchemaMetaRegistry): JSONSchema | undefined;
export function getInputTypeSchema(graph: unknown, registry?: SchemaMetaRegistry): JSONSchema | undefined;
export function getOutputTypeSchema(graph: unknown, registry?: SchemaMetaRegistry): JSONSchema | undefined;
export function getConfigTypeSchema(graph: unknown, registry?: SchemaMetaRegistry): JSONSchema | undefined;
