// SPDX-License-Identifier: MIT
// Declares `weftgraph/zod`: reducers and initial values of zod states. These declarations need zod;
// importing them states that.
import type { core } from "zod/v4";
import type { z as z3 } from "zod/v3";
import type { BaseChannel } from "../state/state.js";
import type {
  InteropZodToStateDefinition,
  ReducedZodChannel,
  ZodShape,
} from "../state/zod-state.js";
import type { OverwriteValue } from "../base/common-types.js";

export type { InteropZodToStateDefinition, ReducedZodChannel } from "../state/zod-state.js";

/** A schema of zod 3 or 4. */
export type InteropZodType<Output = any, Input = Output> =
  | z3.ZodType<Output, any, Input>
  | core.$ZodType<Output, Input>;
/** A zod object of version 3 or 4. */
export type InteropZodObject = z3.AnyZodObject | core.$ZodObject;

/** Prefix of a field's extras in its description. */
export const META_EXTRAS_DESCRIPTION_PREFIX = "lg:";

/** Metadata of a field: its reducer, its initial value, additions to its JSON Schema. */
export interface SchemaMeta<TValue = any, TUpdate = TValue> {
  jsonSchemaExtra?: {
    langgraph_nodes?: string[];
    langgraph_type?: "prompt" | "messages";
    [key: string]: unknown;
  };
  reducer?: {
    /** Schema of the writes, if it differs from the value's. */
    schema?: InteropZodType<TUpdate>;
    fn: (left: TValue, right: TUpdate) => TValue;
  };
  default?: () => TValue;
}
/** A state of this zod object as nodes write it. */
export type UpdateType<T extends InteropZodObject, Shape = ZodShape<T>> = {
  [Key in keyof Shape]?: InteropZodToStateDefinition<T, Shape>[Key] extends BaseChannel<
    infer Value,
    infer Update
  >
    ? Update | OverwriteValue<Value>
    : never;
};

/** Stores metadata of zod schemas. */
export class SchemaMetaRegistry {
  _map: Map<InteropZodType, SchemaMeta>;
  _extensionCache: Map<string, Map<InteropZodType, InteropZodType>>;
  /**
   * Returns the schema's metadata.
   * @param schema of a field; found by identity, so that a copy of it has no metadata
   */
  get<TValue, TUpdate = TValue>(
    schema: InteropZodType<TValue>,
  ): SchemaMeta<TValue, TUpdate> | undefined;
  /**
   * Replaces the metadata by a function of the old.
   * @param schema of a field
   * @param predicate gets the metadata so far, undefined without any, and returns the new
   */
  extend<TValue, TUpdate>(
    schema: InteropZodType<TValue>,
    predicate: (meta: SchemaMeta<TValue, TUpdate> | undefined) => SchemaMeta<TValue, TUpdate>,
  ): void;
  /**
   * Deletes the schema's metadata.
   * @param schema of a field; one without metadata is no error
   */
  remove(schema: InteropZodType): this;
  /**
   * Checks whether the schema has metadata.
   * @param schema of a field; found by identity
   */
  has(schema: InteropZodType): boolean;
  /**
   * Returns the channels that a graph makes from a zod object.
   * @param schema zod object; a field without metadata becomes a LastValue
   */
  getChannelsForSchema<T extends InteropZodObject>(schema: T): InteropZodToStateDefinition<T>;
  /**
   * Returns a copy of an object schema for a graph's input, output or JSON Schema.
   * @param schema zod object; stays unchanged, and is returned itself if no effect is on
   * @param effects how the copy differs
   * @param effects.withReducerSchema whether fields have the schema of their writes; default false
   * @param effects.withJsonSchemaExtrasAsDescription whether `jsonSchemaExtra` is put into
   *   descriptions; default false
   * @param effects.asPartial whether all fields are optional; default false
   */
  getExtendedChannelSchemas<T extends InteropZodObject>(
    schema: T,
    effects: {
      withReducerSchema?: boolean;
      withJsonSchemaExtrasAsDescription?: boolean;
      asPartial?: boolean;
    },
  ): InteropZodObject;
}
/** The registry that graphs read. */
export const schemaMetaRegistry: SchemaMetaRegistry;

/** Presents the same registry for `schema.register(registry, meta)` of zod 4. */
export class LanggraphZodMetaRegistry<
  Meta extends SchemaMeta = SchemaMeta,
  Schema extends core.$ZodType = core.$ZodType,
> extends core.$ZodRegistry<Meta & { [key: string]: unknown }, Schema> {
  /** @param parent registry that is shown; both always have the same entries */
  constructor(parent: SchemaMetaRegistry);
  protected parent: SchemaMetaRegistry;
}
/**
 * Registry for zod 4: `z.array(z.string()).register(registry, { reducer, default })`.
 * @example
 * ```ts
 * import { LanggraphZodMetaRegistry, registry } from "weftgraph/zod";
 * import { z } from "zod/v4";
 *
 * const lines = z.array(z.string()).register(registry, { default: () => [] });
 * console.log(registry.has(lines), registry instanceof LanggraphZodMetaRegistry);
 * ```
 * ```text
 * true true
 * ```
 */
export const registry: LanggraphZodMetaRegistry;

/**
 * Sets the metadata of a schema of either zod version.
 * @param schema of a field
 * @param meta reducer, default and texts of the field
 * @returns the schema itself: the metadata lies beside it in the registry
 * @throws TypeError if meta is null or undefined, or with a reducer for a schema that is none or
 *   frozen
 * @example
 * ```ts
 * import { StateGraph } from "weftgraph";
 * import {
 *   META_EXTRAS_DESCRIPTION_PREFIX,
 *   SchemaMetaRegistry,
 *   schemaMetaRegistry,
 *   withLangGraph,
 * } from "weftgraph/zod";
 * import { z } from "zod";
 *
 * const lines = withLangGraph(z.array(z.string()), {
 *   reducer: { fn: (left: string[], right: string[]) => left.concat(right) },
 *   default: () => [],
 * });
 * const graph = new StateGraph(z.object({ lines }))
 *   .addNode("write", () => ({ lines: ["one"] }))
 *   .addEdge("__start__", "write")
 *   .compile();
 * console.log(await graph.invoke({ lines: ["zero"] }));
 * console.log(schemaMetaRegistry instanceof SchemaMetaRegistry, META_EXTRAS_DESCRIPTION_PREFIX);
 * ```
 * ```text
 * { lines: [ 'zero', 'one' ] }
 * true lg:
 * ```
 */
export function withLangGraph<TValue, TUpdate, TSchema extends InteropZodType<TValue>>(
  schema: TSchema,
  meta: SchemaMeta<TValue, TUpdate> & { reducer?: undefined },
): TSchema;
export function withLangGraph<TValue, TUpdate, TSchema extends InteropZodType<TValue>>(
  schema: TSchema,
  meta: SchemaMeta<TValue, TUpdate>,
): ReducedZodChannel<TSchema, InteropZodType<TUpdate>>;

interface ZodLangGraphTypesV3<T extends z3.ZodTypeAny, Output> {
  reducer<Input = z3.output<T>>(
    transform: (left: Output, right: Input) => Output,
    schema?: z3.ZodType<Input>,
  ): ReducedZodChannel<z3.ZodType<Output, any, Output>, z3.ZodType<Input>>;
  metadata(payload: {
    langgraph_nodes?: string[];
    langgraph_type?: "prompt";
    [key: string]: unknown;
  }): T;
}
declare module "zod/v3" {
  interface ZodType<Output> {
    langgraph: ZodLangGraphTypesV3<this, Output>;
  }
}
declare module "zod/v4" {
  interface ZodType<
    out Output = unknown,
    out Input = unknown,
    out Internals extends core.$ZodTypeInternals<Output, Input> = core.$ZodTypeInternals<
      Output,
      Input
    >,
  > extends core.$ZodType<Output, Input, Internals> {
    register<
      R extends LanggraphZodMetaRegistry,
      TOutput = core.output<this>,
      TInput = core.input<this>,
    >(
      registry: R,
      meta: SchemaMeta<TOutput, TInput>,
    ): ReducedZodChannel<this, ZodType<TOutput, TInput>>;
  }
}
declare module "zod/v4-mini" {
  interface ZodMiniType<
    out Output = unknown,
    out Input = unknown,
    out Internals extends core.$ZodTypeInternals<Output, Input> = core.$ZodTypeInternals<
      Output,
      Input
    >,
  > extends core.$ZodType<Output, Input, Internals> {
    register<
      R extends LanggraphZodMetaRegistry,
      TOutput = core.output<this>,
      TInput = core.input<this>,
    >(
      registry: R,
      meta: SchemaMeta<TOutput, TInput>,
    ): ReducedZodChannel<this, ZodMiniType<TOutput, TInput>>;
  }
}
