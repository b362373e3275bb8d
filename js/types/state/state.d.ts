// SPDX-License-Identifier: MIT
// How a state is written down, and what types follow from that. Knows zod and Standard Schema by
// shape only.
import type {
  StateMessage as BaseMessage,
  StateMessageLike as BaseMessageLike,
} from "../messages/core.js";
import type { OverwriteValue } from "../base/common-types.js";
import type { DeltaValue } from "./more-channels.js";
import type { RunnableLike } from "../graph/nodes.js";
import type { InteropZodToStateDefinition, ZodObjectLike } from "./zod-state.js";

/** How a channel folds what is written to it; "host": by methods of its own class. */
export type ChannelKind =
  | "last"
  | "binop"
  | "ephemeral"
  | "any"
  | "topic"
  | "untracked"
  | "finish"
  | "host";

/**
 * A channel: what a key of the state holds (`Value`), what may be written to it (`Update`) and what
 * is saved (`Saved`).
 */
export abstract class BaseChannel<Value = unknown, Update = unknown, Saved = unknown> {
  /** Never set: carries the types. */
  ValueType: Value;
  UpdateType: Update;
  lg_is_channel: boolean;
  lc_graph_name: string;
  get kind(): ChannelKind;
  /**
   * A channel of the same kind that holds what was saved, or its initial value. In a graph the
   * engine holds the values.
   */
  fromCheckpoint(checkpoint?: Saved): this;
  /**
   * The writes of one step; none: the step passed. Says whether that changed it; throws
   * InvalidUpdateError.
   */
  update(values: Update[]): boolean;
  /** Throws EmptyChannelError when it holds nothing. */
  get(): Value;
  /** What is saved of it; undefined: nothing. */
  checkpoint(): Saved | undefined;
  /** A task that it triggered was run: has that changed it? */
  consume(): boolean;
  /** The run would end: has that changed it? */
  finish(): boolean;
  /** Whether get() has something to give. */
  isAvailable(): boolean;
  /** Whether the other is of the same kind with the same rule. */
  equals(other: BaseChannel<any, any>): boolean;
}
/** Holds what was written last; two writes in one step are an InvalidUpdateError. */
export class LastValue<Value> extends BaseChannel<Value, Value, Value> {
  constructor(initialValueFactory?: () => Value);
  initialValueFactory?: () => Value;
}
/** A reducer: what a channel holds after one more write. */
export type BinaryOperator<Value, Update> = (left: Value, right: Update) => Value;
/**
 * Folds writes one by one, from the value of `initialValueFactory` on, else from the first write.
 * An Overwrite replaces.
 */
export class BinaryOperatorAggregate<Value, Update = Value> extends BaseChannel<
  Value,
  OverwriteValue<Value> | Update,
  Value
> {
  constructor(operator: BinaryOperator<Value, Update>, initialValueFactory?: () => Value);
  operator: BinaryOperator<Value, Update>;
  initialValueFactory?: () => Value;
}
/**
 * Holds a value for one step. `guard` (default): two writes in one step are an InvalidUpdateError.
 */
export class EphemeralValue<Value> extends BaseChannel<Value, Value, Value> {
  constructor(guard?: boolean);
  guard: boolean;
}
/** Holds one of the values written in the last step; all are taken to be equal. */
export class AnyValue<Value> extends BaseChannel<Value, Value, Value> {}
/** A list of what a step wrote; `accumulate`: of all steps. `unique`: each value once. */
export class Topic<Value> extends BaseChannel<Value[], Value | Value[], [Value[], Value[]]> {
  constructor(fields?: { unique?: boolean; accumulate?: boolean });
  unique: boolean;
  accumulate: boolean;
}
/** Holds what was written last and is never saved. */
export class UntrackedValueChannel<Value> extends BaseChannel<Value, Value, undefined> {
  constructor(fields?: { guard?: boolean; initialValueFactory?: () => Value });
  guard: boolean;
}
/** Available once all names were written; then it waits anew. */
export class NamedBarrierValue<Value> extends BaseChannel<void, Value> {
  constructor(names: Set<Value>);
  names: Set<Value>;
  seen: Set<Value>;
}
/** The same, available when the run would end else. */
export class NamedBarrierValueAfterFinish<Value> extends NamedBarrierValue<Value> {
  finished: boolean;
}
/** A last value, available when the run would end else. */
export class LastValueAfterFinish<Value> extends BaseChannel<Value, Value, [Value, boolean]> {
  finished: boolean;
}
/** Written to a DynamicBarrierValue: the names that it waits for from now on. */
export interface WaitForNames<Value> {
  __names: Iterable<Value>;
}
/** A barrier whose names are written to it (WaitForNames). */
export class DynamicBarrierValue<Value> extends BaseChannel<void, Value | WaitForNames<Value>> {
  names?: Set<Value>;
  seen: Set<Value>;
}
/**
 * A reducer of all writes of a step. It must not matter whether writes come in one step or in
 * several.
 */
export type DeltaReducer<Value, Update = unknown> = (state: Value, writes: Update[]) => Value;
/** A channel whose reducer takes all writes of a step at once. */
export class DeltaChannel<Value = unknown, Update = unknown> extends BaseChannel<
  Value,
  Update | OverwriteValue<Value>,
  undefined
> {
  constructor(
    reducer: DeltaReducer<Value, Update>,
    options?: { snapshotFrequency?: number; initialValueFactory?: () => Value },
  );
  reducer: DeltaReducer<Value, Update>;
  /** After how many updates the value is saved whole; 1,000 by default. */
  snapshotFrequency: number;
  /** Folds writes that a saver kept. */
  replayWrites(writes: [task: string, channel: string, value: any][]): void;
}
/** Whether the value is a DeltaChannel, of Weft or of LangGraph.js. */
export function isDeltaChannel(channel: unknown): boolean;
/** Messages joined all at once: replaced by id, removed by RemoveMessage, else appended. */
export function messagesDeltaReducer(
  state: BaseMessage[],
  writes: (BaseMessageLike | BaseMessageLike[])[],
): BaseMessage[];

/**
 * Fields that the run fills in: how many steps the recursion limit allows, this one counted; is
 * this the last one?
 */
export const RemainingSteps: BaseChannel<number, never>;
/** As `RemainingSteps`: true in the last step that the recursion limit allows. */
export const IsLastStep: BaseChannel<boolean, never>;

// ---- annotations

/** How a key of the state is folded; null: the last value. */
export type SingleReducer<Value, Update = Value> =
  | { reducer: BinaryOperator<Value, Update>; default?: () => Value }
  | {
      /** @deprecated `reducer` */
      value: BinaryOperator<Value, Update>;
      default?: () => Value;
    }
  | null;
/** The keys of a state and their channels. */
export interface StateDefinition {
  [key: string]: BaseChannel | (() => BaseChannel);
}
type ValueOf<Channel> = Channel extends BaseChannel
  ? Channel["ValueType"]
  : Channel extends () => BaseChannel
    ? ReturnType<Channel>["ValueType"]
    : never;
type UpdateOf<Channel> = Channel extends BaseChannel
  ? Channel["UpdateType"]
  : Channel extends () => BaseChannel
    ? ReturnType<Channel>["UpdateType"]
    : never;
/** What nodes read of a state. */
export type StateType<SD extends StateDefinition> = { [Key in keyof SD]: ValueOf<SD[Key]> };
/** What nodes write to it. */
export type UpdateType<SD extends StateDefinition> = { [Key in keyof SD]?: UpdateOf<SD[Key]> };
/** A node of a graph with this state. */
export type NodeType<SD extends StateDefinition> = RunnableLike<
  StateType<SD>,
  UpdateType<SD> | Partial<StateType<SD>>
>;

/** A state as a set of channels by key; made by Annotation.Root. */
export class AnnotationRoot<SD extends StateDefinition> {
  constructor(spec: SD);
  lc_graph_name: string;
  spec: SD;
  /** Types only: `typeof Root.State`, `.Update`, `.Node`. */
  State: StateType<SD>;
  Update: UpdateType<SD>;
  Node: NodeType<SD>;
  static isInstance(value: unknown): value is AnnotationRoot<StateDefinition>;
}
/** `Annotation<T>()`, `Annotation({ reducer, default })` and `Annotation.Root({ … })`. */
export interface AnnotationFunction {
  <Value, Update = Value>(
    annotation: SingleReducer<Value, Update>,
  ): BaseChannel<Value, OverwriteValue<Value> | Update>;
  <Value>(): LastValue<Value>;
  Root: <SD extends StateDefinition>(spec: SD) => AnnotationRoot<SD>;
}
/** One key of a state: the last value, or the fold by a reducer. */
export const Annotation: AnnotationFunction;

/** What may be written to a list of messages: one or several, in any form. */
export type Messages = (BaseMessage | BaseMessageLike)[] | BaseMessage | BaseMessageLike;
/**
 * Messages joined: of the same id replaced, removed by RemoveMessage, else appended; ids are given
 * where there are none. Error: a message to remove is not there.
 */
export function messagesStateReducer(left: Messages, right: Messages): BaseMessage[];
export { messagesStateReducer as addMessages };
/** The state of a conversation. */
export const MessagesAnnotation: AnnotationRoot<{
  messages: BaseChannel<BaseMessage[], OverwriteValue<BaseMessage[]> | Messages>;
}>;

// ---- Standard Schema and StateSchema

/** A Standard Schema (zod, valibot, arktype …). */
export interface StandardSchemaLike<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown, options?: any) => any;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}
/** One that may tell its JSON Schema. */
export type SerializableSchema<Input = unknown, Output = Input> = StandardSchemaLike<Input, Output>;
/** Can it validate? */
export function isStandardSchema<Input = unknown, Output = Input>(
  schema: unknown,
): schema is StandardSchemaLike<Input, Output>;
/** Can it validate, and tell its JSON Schema? */
export function isSerializableSchema<Input = unknown, Output = Input>(
  schema: unknown,
): schema is SerializableSchema<Input, Output>;
/** What the schema makes of nothing, when it takes nothing. */
export function getSchemaDefaultGetter(schema: unknown): (() => unknown) | undefined;
/** The JSON Schema of a field's schema, undefined where it has none. */
export function getJsonSchemaFromSchema(schema: unknown): Record<string, unknown> | undefined;

interface FoldedInit<Value, Update, Reducer> {
  /** What is written, when that is not what is kept. */
  inputSchema: SerializableSchema<unknown, Update>;
  reducer: Reducer;
  /** Added to the field's JSON Schema. */
  jsonSchemaExtra?: Record<string, unknown>;
}
/** The reducer of a ReducedValue, and the schema of what is written if that is another one. */
export type ReducedValueInit<Value = unknown, Update = Value> =
  | FoldedInit<Value, Update, (current: Value, next: Update) => Value>
  | Omit<FoldedInit<Value, Value, (current: Value, next: Value) => Value>, "inputSchema">;
declare const REDUCED: unique symbol;
/**
 * A field that is folded by a reducer; what is written may have another schema than what is kept.
 */
export class ReducedValue<Value = unknown, Update = Value> {
  readonly [REDUCED]: true;
  constructor(
    valueSchema: SerializableSchema<unknown, Value>,
    init: FoldedInit<Value, Update, (current: Value, next: Update) => Value>,
  );
  constructor(
    valueSchema: SerializableSchema<Update, Value>,
    init: Omit<FoldedInit<Value, Value, (current: Value, next: Value) => Value>, "inputSchema">,
  );
  readonly valueSchema: SerializableSchema<unknown, Value>;
  readonly inputSchema: SerializableSchema<unknown, Update | Value>;
  readonly reducer: (current: Value, next: Update) => Value;
  readonly jsonSchemaExtra?: Record<string, unknown>;
  ValueType: Value;
  InputType: Update;
  static isInstance(value: unknown): value is ReducedValue;
}
/** What may be said of an UntrackedValue. */
export interface UntrackedValueInit {
  /** Are two writes in one step an error? They are, unless false. */
  guard?: boolean;
}
declare const UNTRACKED: unique symbol;
/** A field that is never saved. */
export class UntrackedValue<Value = unknown> {
  readonly [UNTRACKED]: true;
  constructor(schema?: SerializableSchema<unknown, Value>, init?: UntrackedValueInit);
  readonly schema?: SerializableSchema<unknown, Value>;
  readonly guard: boolean;
  ValueType: Value;
  static isInstance(value: unknown): value is UntrackedValue;
}
/** The field of a conversation: messages, joined by messagesStateReducer. */
export const MessagesValue: ReducedValue<BaseMessage[], Messages>;

/** What a field of a StateSchema may be. */
export type StateSchemaField<Input = unknown, Output = Input> =
  | ReducedValue<Input, Output>
  | DeltaValue<Input, Output>
  | UntrackedValue<Output>
  | SerializableSchema<Input, Output>;
/** The fields of a StateSchema by key. */
export interface StateSchemaFields {
  [key: string]: StateSchemaField<any, any>;
}
/** The channel that a field becomes. */
export type StateSchemaFieldToChannel<Field> =
  Field extends ReducedValue<infer Value, infer Update>
    ? BaseChannel<Value, OverwriteValue<Value> | Update>
    : Field extends UntrackedValue<infer Value>
      ? BaseChannel<Value, Value>
      : Field extends DeltaValue<infer Value, infer Update>
        ? BaseChannel<Value, OverwriteValue<Value> | Update>
        : Field extends SerializableSchema<infer Input, infer Output>
          ? BaseChannel<Output, Input>
          : BaseChannel<unknown, unknown>;
/** The channels that fields become, by key. */
export type StateSchemaFieldsToStateDefinition<Fields extends StateSchemaFields> = {
  [Key in keyof Fields]: StateSchemaFieldToChannel<Fields[Key]>;
};
/** What nodes read of a state with these fields. */
export type InferStateSchemaValue<Fields extends StateSchemaFields> = {
  [Key in keyof Fields]: Fields[Key] extends ReducedValue<any, any>
    ? Fields[Key]["ValueType"]
    : Fields[Key] extends UntrackedValue<any>
      ? Fields[Key]["ValueType"]
      : Fields[Key] extends SerializableSchema<any, infer Output>
        ? Output
        : never;
};
/** What nodes write to it; every key may be left out. */
export type InferStateSchemaUpdate<Fields extends StateSchemaFields> = {
  [Key in keyof Fields]?: Fields[Key] extends ReducedValue<infer Value, infer Update>
    ? OverwriteValue<Value> | Update
    : Fields[Key] extends UntrackedValue<any>
      ? Fields[Key]["ValueType"]
      : Fields[Key] extends SerializableSchema<infer Input, any>
        ? Input
        : never;
};
declare const STATE_SCHEMA: unique symbol;
/** A state whose fields are Standard Schemas, reduced or untracked values. */
export class StateSchema<Fields extends StateSchemaFields> {
  private readonly [STATE_SCHEMA]: true;
  constructor(fields: Fields);
  readonly fields: Fields;
  /** Types only. */
  State: InferStateSchemaValue<Fields>;
  Update: InferStateSchemaUpdate<Fields>;
  Node: RunnableLike<InferStateSchemaValue<Fields>, InferStateSchemaUpdate<Fields>>;
  /** The channels of its fields, by key. */
  getChannels(): Record<string, BaseChannel>;
  getChannelKeys(): string[];
  getAllKeys(): string[];
  /** The JSON Schema of what nodes read. */
  getJsonSchema(): Record<string, any>;
  /** The JSON Schema of what is written. */
  getInputJsonSchema(): Record<string, any>;
  /** Parses the fields that are there; the Error names the first bad one. */
  validateInput<T>(data: T): Promise<T>;
  static isInstance<Fields extends StateSchemaFields>(
    value: StateSchema<Fields>,
  ): value is StateSchema<Fields>;
  static isInstance(value: unknown): value is StateSchema<any>;
}
/** A StateSchema of whatever fields. */
export type AnyStateSchema = StateSchema<any>;

// ---- any form of a state

/**
 * The channels of a state in any form: StateSchema, Annotation.Root, zod object, channels by key.
 */
export type ToStateDefinition<T> =
  T extends StateSchema<infer Fields>
    ? StateSchemaFieldsToStateDefinition<Fields>
    : T extends AnnotationRoot<infer SD>
      ? SD
      : T extends ZodObjectLike
        ? InteropZodToStateDefinition<T>
        : T extends StateDefinition
          ? T
          : never;
/** All forms in which a state may be given. */
export type StateDefinitionInit =
  | StateDefinition
  | ZodObjectLike
  | AnyStateSchema
  | AnnotationRoot<any>;
/**
 * What a context may be described with: a Standard Schema or Annotation.Root; zod objects are
 * checked at run time.
 */
export type ContextSchemaInit = StandardSchemaLike<any, any> | AnnotationRoot<StateDefinition>;
/** What nodes read of a state in any form. */
export type ExtractStateType<Schema, Fallback = Schema> =
  Schema extends AnnotationRoot<infer SD>
    ? StateType<SD>
    : StateType<ToStateDefinition<Schema>> extends infer State
      ? [State] extends [never]
        ? Fallback
        : State
      : Fallback;
/** What nodes write to a state in any form. */
export type ExtractUpdateType<Schema, FallbackBase = Schema> =
  Schema extends AnnotationRoot<infer SD>
    ? UpdateType<SD>
    : UpdateType<ToStateDefinition<Schema>> extends infer Update
      ? [Update] extends [never]
        ? Partial<FallbackBase>
        : Update
      : Partial<FallbackBase>;

/** An older name of StateDefinitionInit. */
export type StateInit = StateDefinitionInit;
/** An older name of ExtractStateType. */
export type StateOf<Init> = ExtractStateType<Init>;
/** An older name of ExtractUpdateType. */
export type UpdateOfState<Init> = ExtractUpdateType<Init>;
