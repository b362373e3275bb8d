// SPDX-License-Identifier: MIT
// Reducers and initial values of zod states: `weftgraph/zod`. These declarations need zod, which
// importing this says.
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

/** What stands before the extras of a field in its description. */
export const META_EXTRAS_DESCRIPTION_PREFIX = "lg:";

/**
 * What is said of a field: how it is folded, what it begins with, what is added to its JSON Schema.
 */
export interface SchemaMeta<TValue = any, TUpdate = TValue> {
  jsonSchemaExtra?: {
    langgraph_nodes?: string[];
    langgraph_type?: "prompt" | "messages";
    [key: string]: unknown;
  };
  reducer?: {
    /** What is written, when that is not what is kept. */
    schema?: InteropZodType<TUpdate>;
    fn: (left: TValue, right: TUpdate) => TValue;
  };
  default?: () => TValue;
}
/** What nodes write to a state of this zod object. */
export type UpdateType<T extends InteropZodObject, Shape = ZodShape<T>> = {
  [Key in keyof Shape]?: InteropZodToStateDefinition<T, Shape>[Key] extends BaseChannel<
    infer Value,
    infer Update
  >
    ? Update | OverwriteValue<Value>
    : never;
};

/** What is said of schemas beside zod. */
export class SchemaMetaRegistry {
  _map: Map<InteropZodType, SchemaMeta>;
  _extensionCache: Map<string, Map<InteropZodType, InteropZodType>>;
  /** What was said of the schema. */
  get<TValue, TUpdate = TValue>(
    schema: InteropZodType<TValue>,
  ): SchemaMeta<TValue, TUpdate> | undefined;
  /** Says it anew, from what was said. */
  extend<TValue, TUpdate>(
    schema: InteropZodType<TValue>,
    predicate: (meta: SchemaMeta<TValue, TUpdate> | undefined) => SchemaMeta<TValue, TUpdate>,
  ): void;
  remove(schema: InteropZodType): this;
  has(schema: InteropZodType): boolean;
  /** The channels that a graph makes of a zod object. */
  getChannelsForSchema<T extends InteropZodObject>(schema: T): InteropZodToStateDefinition<T>;
  getExtendedChannelSchemas<T extends InteropZodObject>(
    schema: T,
    effects: {
      withReducerSchema?: boolean;
      withJsonSchemaExtrasAsDescription?: boolean;
      asPartial?: boolean;
    },
  ): InteropZodObject;
}
/** The list that graphs read. */
export const schemaMetaRegistry: SchemaMetaRegistry;

/** The same list for `schema.register(registry, meta)` of zod 4. */
export class LanggraphZodMetaRegistry<
  Meta extends SchemaMeta = SchemaMeta,
  Schema extends core.$ZodType = core.$ZodType,
> extends core.$ZodRegistry<Meta & { [key: string]: unknown }, Schema> {
  constructor(parent: SchemaMetaRegistry);
  protected parent: SchemaMetaRegistry;
}
/** For zod 4: `z.array(z.string()).register(registry, { reducer, default })`. */
export const registry: LanggraphZodMetaRegistry;

/** Says it of a schema of either version. */
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
