// SPDX-License-Identifier: MIT
// Declares how a state is defined, and the types that follow. Accepts zod and Standard Schema by
// their members only.
import type {
  StateMessage as BaseMessage,
  StateMessageLike as BaseMessageLike,
} from "../messages/core.js";
import type { OverwriteValue } from "../base/common-types.js";
import type { DeltaValue } from "./more-channels.js";
import type { RunnableLike } from "../graph/nodes.js";
import type { InteropZodToStateDefinition, ZodObjectLike } from "./zod-state.js";

/** How a channel combines its writes; "host": by methods of its own class. */
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
 * A channel: type of a state's key (`Value`), of its writes (`Update`) and of its saved form
 * (`Saved`).
 * @example
 * ```ts
 * import { Annotation, BaseChannel, START, StateGraph } from "weftgraph";
 *
 * // Keeps the greatest number.
 * class Max extends BaseChannel<number, number, number> {
 *   #value = 0;
 *   update(values: number[]) {
 *     this.#value = Math.max(this.#value, ...values);
 *     return values.length > 0;
 *   }
 *   get = () => this.#value;
 *   checkpoint = () => this.#value;
 *   fromCheckpoint(saved?: number): this {
 *     const made = new Max();
 *     made.#value = saved ?? 0;
 *     return made as this;
 *   }
 * }
 * const graph = new StateGraph(Annotation.Root({ best: () => new Max() }))
 *   .addNode("try", () => ({ best: 3 }))
 *   .addEdge(START, "try")
 *   .compile();
 * console.log(await graph.invoke({ best: 7 }));
 * ```
 * ```text
 * { best: 7 }
 * ```
 */
export abstract class BaseChannel<Value = unknown, Update = unknown, Saved = unknown> {
  /** Never set: carries the types. */
  ValueType: Value;
  UpdateType: Update;
  lg_is_channel: boolean;
  lc_graph_name: string;
  get kind(): ChannelKind;
  /**
   * Creates a channel of the same kind with a saved or its initial value. In a graph the engine
   * holds the values.
   * @param checkpoint what `checkpoint()` returned; undefined: the initial value
   */
  fromCheckpoint(checkpoint?: Saved): this;
  /**
   * Applies the writes of one step, possibly none; returns whether the channel changed. Throws
   * InvalidUpdateError.
   * @param values writes of one step, in their order
   */
  update(values: Update[]): boolean;
  /** Returns the value; throws EmptyChannelError without one. */
  get(): Value;
  /** Returns the saved form; undefined when there is none. */
  checkpoint(): Saved | undefined;
  /** Notes that a triggered task has run; returns whether the channel changed. */
  consume(): boolean;
  /** Notes that the run would end; returns whether the channel changed. */
  finish(): boolean;
  /** Checks whether get() has a value. */
  isAvailable(): boolean;
  /**
   * Checks whether the other channel is of the same kind with the same rule.
   * @param other channel of another schema with the same key
   */
  equals(other: BaseChannel<any, any>): boolean;
}
/** Holds the last write; two writes in one step are an InvalidUpdateError. */
export class LastValue<Value> extends BaseChannel<Value, Value, Value> {
  constructor(initialValueFactory?: () => Value);
  initialValueFactory?: () => Value;
}
/**
 * A reducer: returns the value after one more write.
 * @param left the value so far
 * @param right one write
 */
export type BinaryOperator<Value, Update> = (left: Value, right: Update) => Value;
/**
 * Reduces writes one by one, beginning with the value of `initialValueFactory` or the first write.
 * An Overwrite replaces the value.
 */
export class BinaryOperatorAggregate<Value, Update = Value> extends BaseChannel<
  Value,
  OverwriteValue<Value> | Update,
  Value
> {
  /**
   * @param operator combines the value so far with one write
   * @param initialValueFactory makes the first value; without it the first write is
   * @throws BAD_ARGUMENT for what is no function
   */
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
/** Holds one of the values of the last step, which must all be equal. */
export class AnyValue<Value> extends BaseChannel<Value, Value, Value> {}
/** Holds a list of a step's writes; `accumulate`: of all steps. `unique`: each value once. */
export class Topic<Value> extends BaseChannel<Value[], Value | Value[], [Value[], Value[]]> {
  constructor(fields?: { unique?: boolean; accumulate?: boolean });
  unique: boolean;
  accumulate: boolean;
}
/**
 * Holds the last write and is never saved.
 * @example
 * ```ts
 * import { Annotation, MemorySaver, START, StateGraph, UntrackedValueChannel } from "weftgraph";
 *
 * const key = () => new UntrackedValueChannel<string>();
 * const graph = new StateGraph(Annotation.Root({ name: Annotation<string>, key }))
 *   .addNode("greet", ({ name, key }) => ({ name: `${name} has ${key}` }))
 *   .addEdge(START, "greet")
 *   .compile({ checkpointer: new MemorySaver() });
 * const thread = { configurable: { thread_id: "1" } };
 * await graph.invoke({ name: "Ann", key: "secret" }, thread);
 * console.log((await graph.getState(thread)).values);
 * ```
 * ```text
 * { name: 'Ann has secret' }
 * ```
 */
export class UntrackedValueChannel<Value> extends BaseChannel<Value, Value, undefined> {
  /**
   * @param fields first value, and how strict it is
   * @param fields.guard whether several writes in one step are an error; default true
   * @param fields.initialValueFactory makes the first value; without it the channel is empty at
   *   first
   */
  constructor(fields?: { guard?: boolean; initialValueFactory?: () => Value });
  guard: boolean;
}
/** Becomes available once all names were written; then waits again. */
export class NamedBarrierValue<Value> extends BaseChannel<void, Value> {
  constructor(names: Set<Value>);
  names: Set<Value>;
  seen: Set<Value>;
}
/**
 * A NamedBarrierValue that becomes available only when the run would otherwise end.
 * @param names all that must be written before the channel has a value
 */
export class NamedBarrierValueAfterFinish<Value> extends NamedBarrierValue<Value> {
  finished: boolean;
}
/**
 * A LastValue that becomes available only when the run would otherwise end.
 * @example
 * ```ts
 * import { LastValueAfterFinish, NamedBarrierValueAfterFinish } from "weftgraph/channels";
 *
 * const channel = new LastValueAfterFinish<number>();
 * channel.update([1]);
 * channel.finish();
 * console.log(channel.get());
 * const barrier = new NamedBarrierValueAfterFinish<string>(new Set(["a"]));
 * barrier.update(["a"]);
 * console.log(barrier.finish());
 * ```
 * ```text
 * 1
 * true
 * ```
 */
export class LastValueAfterFinish<Value> extends BaseChannel<Value, Value, [Value, boolean]> {
  finished: boolean;
}
/** Sets the names that a DynamicBarrierValue waits for. */
export interface WaitForNames<Value> {
  __names: Iterable<Value>;
}
/** A barrier whose names are written to it (WaitForNames). */
export class DynamicBarrierValue<Value> extends BaseChannel<void, Value | WaitForNames<Value>> {
  names?: Set<Value>;
  seen: Set<Value>;
}
/**
 * A reducer of all writes of a step. Must give the same value whether writes come in one step or in
 * several.
 * @param state the value so far
 * @param writes one or more, of one step or of several
 */
export type DeltaReducer<Value, Update = unknown> = (state: Value, writes: Update[]) => Value;
/**
 * A channel whose reducer receives all writes of a step at once.
 * @example
 * ```ts
 * import { Annotation, DeltaChannel, START, StateGraph } from "weftgraph";
 * import { isDeltaChannel } from "weftgraph/channels";
 *
 * const sum = (state: number, writes: number[]) => writes.reduce((a, b) => a + b, state);
 * const total = new DeltaChannel(sum, { initialValueFactory: () => 0 });
 * const graph = new StateGraph(Annotation.Root({ total: () => total }))
 *   .addNode("one", () => ({ total: 1 }))
 *   .addNode("two", () => ({ total: 2 }))
 *   .addEdge(START, "one")
 *   .addEdge(START, "two")
 *   .compile();
 * console.log(isDeltaChannel(total), await graph.invoke({ total: 10 }));
 * ```
 * ```text
 * true { total: 13 }
 * ```
 */
export class DeltaChannel<Value = unknown, Update = unknown> extends BaseChannel<
  Value,
  Update | OverwriteValue<Value>,
  undefined
> {
  /**
   * @param reducer gets the value and the list of all writes of a step, returns the new value
   * @param options first value, and how often the value is saved whole
   * @param options.snapshotFrequency updates after which LangGraph's savers get the whole value;
   *   default 100
   * @param options.initialValueFactory makes the first value; default `[]`
   * @throws BAD_ARGUMENT for what is no function
   * @throws Error unless `snapshotFrequency` is a whole number above 0
   */
  constructor(
    reducer: DeltaReducer<Value, Update>,
    options?: { snapshotFrequency?: number; initialValueFactory?: () => Value },
  );
  reducer: DeltaReducer<Value, Update>;
  /** Updates after which LangGraph's savers get the whole value; 100 by default. */
  snapshotFrequency: number;
  /**
   * Applies writes that a saver stored.
   * @param writes in the order in which they were made, each with its task's id and its channel's
   *   name; those before the last Overwrite have no effect
   */
  replayWrites(writes: [task: string, channel: string, value: any][]): void;
}
/**
 * Checks for a DeltaChannel of Weft or of LangGraph.js.
 * @param channel any value; a field of a StateSchema (DeltaValue) gives false
 */
export function isDeltaChannel(channel: unknown): boolean;
/**
 * Merges all messages of a step: replaces by id, removes by RemoveMessage, else appends.
 * @param state current messages
 * @param writes all writes of the step
 * @returns a new list; `state` stays as it is
 * @throws BAD_ARGUMENT for arguments that are no lists
 */
export function messagesDeltaReducer(
  state: BaseMessage[],
  writes: (BaseMessageLike | BaseMessageLike[])[],
): BaseMessage[];

/** A field that the run fills in: number of steps until the recursion limit, including this one. */
export const RemainingSteps: BaseChannel<number, never>;
/**
 * A field that the run fills in: true in the last step that the recursion limit allows.
 * @example
 * ```ts
 * import { Annotation, IsLastStep, RemainingSteps, START, StateGraph } from "weftgraph";
 *
 * const State = Annotation.Root({
 *   said: Annotation<string>,
 *   isLast: () => IsLastStep,
 *   left: () => RemainingSteps,
 * });
 * const graph = new StateGraph(State)
 *   .addNode("say", ({ isLast, left }) => ({ said: `${left} left, the last: ${isLast}` }))
 *   .addEdge(START, "say")
 *   .compile();
 * console.log((await graph.invoke({}, { recursionLimit: 5 })).said);
 * ```
 * ```text
 * 4 left, the last: false
 * ```
 */
export const IsLastStep: BaseChannel<boolean, never>;

// ---- annotations

/** How a key of the state is reduced; null: the last value. */
export type SingleReducer<Value, Update = Value> =
  | { reducer: BinaryOperator<Value, Update>; default?: () => Value }
  | {
      /** @deprecated use `reducer` */
      value: BinaryOperator<Value, Update>;
      default?: () => Value;
    }
  | null;
/** Channels of a state by key. */
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
/** The state as nodes read it. */
export type StateType<SD extends StateDefinition> = { [Key in keyof SD]: ValueOf<SD[Key]> };
/** The state as nodes write it. */
export type UpdateType<SD extends StateDefinition> = { [Key in keyof SD]?: UpdateOf<SD[Key]> };
/** A node of a graph with this state. */
export type NodeType<SD extends StateDefinition> = RunnableLike<
  StateType<SD>,
  UpdateType<SD> | Partial<StateType<SD>>
>;

/** A state as channels by key; created by Annotation.Root. */
export class AnnotationRoot<SD extends StateDefinition> {
  constructor(spec: SD);
  lc_graph_name: string;
  spec: SD;
  /** Types only: `typeof Root.State`, `.Update`, `.Node`. */
  State: StateType<SD>;
  Update: UpdateType<SD>;
  Node: NodeType<SD>;
  /** @param value any value; one of LangGraph.js counts too */
  static isInstance(value: unknown): value is AnnotationRoot<StateDefinition>;
}
/** Declares `Annotation<T>()`, `Annotation({ reducer, default })` and `Annotation.Root({ … })`. */
export interface AnnotationFunction {
  <Value, Update = Value>(
    annotation: SingleReducer<Value, Update>,
  ): BaseChannel<Value, OverwriteValue<Value> | Update>;
  <Value>(): LastValue<Value>;
  /**
   * @param spec channels by key: `Annotation<T>`, `Annotation({ reducer, default })`, or a function
   *   that makes a channel
   */
  Root: <SD extends StateDefinition>(spec: SD) => AnnotationRoot<SD>;
}
/**
 * Defines one key of a state: the last value, or a value combined by a reducer.
 * @param annotation `reducer` combines the value with each write, `default` makes the first value;
 *   without a reducer the key holds the last write
 */
export const Annotation: AnnotationFunction;

/** Writes to a list of messages: one or several, in any form. */
export type Messages = (BaseMessage | BaseMessageLike)[] | BaseMessage | BaseMessageLike;
/**
 * Merges messages: replaces by id, removes by RemoveMessage, else appends; assigns missing ids.
 * Throws an Error when a message to remove does not exist.
 * @param left current messages
 * @param right one write
 * @returns a new list; `left` stays as it is
 * @throws Error for a RemoveMessage whose message does not exist
 * @example
 * ```ts
 * import {
 *   HumanMessage,
 *   addMessages,
 *   messagesDeltaReducer,
 *   messagesStateReducer,
 * } from "weftgraph";
 *
 * const first = new HumanMessage({ content: "Hi", id: "1" });
 * const merged = messagesStateReducer([first], [{ role: "user", content: "Hello", id: "1" }]);
 * console.log(merged.map(({ content }) => content), addMessages === messagesStateReducer);
 * console.log(messagesDeltaReducer([], [first, { role: "assistant", content: "Yes?" }]).length);
 * ```
 * ```text
 * [ 'Hello' ] true
 * 2
 * ```
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
/** A Standard Schema that may have a JSON Schema. */
export type SerializableSchema<Input = unknown, Output = Input> = StandardSchemaLike<Input, Output>;
/**
 * Checks whether a schema can validate.
 * @param schema any value; an object or a function with `~standard`, of zod, valibot, arktype …
 * @example
 * ```ts
 * import {
 *   getJsonSchemaFromSchema,
 *   getSchemaDefaultGetter,
 *   isSerializableSchema,
 *   isStandardSchema,
 * } from "weftgraph";
 * import { z } from "zod/v4";
 *
 * const schema = z.number().default(3);
 * console.log(isStandardSchema(schema), isSerializableSchema(schema));
 * console.log(getSchemaDefaultGetter(schema)?.(), getJsonSchemaFromSchema(schema)?.type);
 * ```
 * ```text
 * true true
 * 3 number
 * ```
 */
export function isStandardSchema<Input = unknown, Output = Input>(
  schema: unknown,
): schema is StandardSchemaLike<Input, Output>;
/**
 * Checks whether a schema can validate and has a JSON Schema.
 * @param schema any value; what can validate but has no JSON Schema, as of zod 3, gives false
 */
export function isSerializableSchema<Input = unknown, Output = Input>(
  schema: unknown,
): schema is SerializableSchema<Input, Output>;
/**
 * Returns a function that makes the schema's default, if the schema accepts a missing value.
 * @param schema any value; a schema that is asynchronous or refuses undefined gives undefined
 * @throws nothing
 */
export function getSchemaDefaultGetter(schema: unknown): (() => unknown) | undefined;
/**
 * Returns the JSON Schema of a field's schema, undefined without one.
 * @param schema any value; what has no JSON Schema, or fails to make it, gives undefined
 * @throws nothing
 */
export function getJsonSchemaFromSchema(schema: unknown): Record<string, unknown> | undefined;

interface FoldedInit<Value, Update, Reducer> {
  /** Schema of the writes, if it differs from the value's. */
  inputSchema: SerializableSchema<unknown, Update>;
  reducer: Reducer;
  /** Added to the field's JSON Schema. */
  jsonSchemaExtra?: Record<string, unknown>;
}
/** Reducer of a ReducedValue, and the schema of its writes if that differs. */
export type ReducedValueInit<Value = unknown, Update = Value> =
  | FoldedInit<Value, Update, (current: Value, next: Update) => Value>
  | Omit<FoldedInit<Value, Value, (current: Value, next: Value) => Value>, "inputSchema">;
declare const REDUCED: unique symbol;
/** A field with a reducer; writes may have another schema than the value. */
export class ReducedValue<Value = unknown, Update = Value> {
  readonly [REDUCED]: true;
  /**
   * @param valueSchema schema of the value; its default is the first value
   * @param init the reducer, and the schema of a write if it differs
   * @throws BAD_ARGUMENT if init is no object
   */
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
  /**
   * @param current the value so far
   * @param next one write
   */
  readonly reducer: (current: Value, next: Update) => Value;
  readonly jsonSchemaExtra?: Record<string, unknown>;
  ValueType: Value;
  InputType: Update;
  /** @param value any value; one of LangGraph.js counts too */
  static isInstance(value: unknown): value is ReducedValue;
}
/** Options of an UntrackedValue. */
export interface UntrackedValueInit {
  /** Whether two writes in one step are an error; true by default. */
  guard?: boolean;
}
declare const UNTRACKED: unique symbol;
/**
 * A field that is never saved.
 * @example
 * ```ts
 * import { MemorySaver, START, StateGraph, StateSchema, UntrackedValue } from "weftgraph";
 * import { z } from "zod/v4";
 *
 * const Schema = new StateSchema({ name: z.string(), key: new UntrackedValue(z.string()) });
 * const graph = new StateGraph(Schema)
 *   .addNode("greet", ({ name, key }) => ({ name: `${name} has ${key}` }))
 *   .addEdge(START, "greet")
 *   .compile({ checkpointer: new MemorySaver() });
 * const thread = { configurable: { thread_id: "1" } };
 * await graph.invoke({ name: "Ann", key: "secret" }, thread);
 * console.log((await graph.getState(thread)).values);
 * ```
 * ```text
 * { name: 'Ann has secret' }
 * ```
 */
export class UntrackedValue<Value = unknown> {
  readonly [UNTRACKED]: true;
  /**
   * @param schema of the value; its default is the first value. Without one anything may be written
   * @param init `guard: false` allows several writes in one step, of which the last counts; default
   *   true
   */
  constructor(schema?: SerializableSchema<unknown, Value>, init?: UntrackedValueInit);
  readonly schema?: SerializableSchema<unknown, Value>;
  readonly guard: boolean;
  ValueType: Value;
  /** @param value any value; one of LangGraph.js counts too */
  static isInstance(value: unknown): value is UntrackedValue;
}
/** The field of a conversation: messages, merged by messagesStateReducer. */
export const MessagesValue: ReducedValue<BaseMessage[], Messages>;

/** A field of a StateSchema. */
export type StateSchemaField<Input = unknown, Output = Input> =
  | ReducedValue<Input, Output>
  | DeltaValue<Input, Output>
  | UntrackedValue<Output>
  | SerializableSchema<Input, Output>;
/** The fields of a StateSchema by key. */
export interface StateSchemaFields {
  [key: string]: StateSchemaField<any, any>;
}
/** Channel type of a field. */
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
/** Channel types of fields, by key. */
export type StateSchemaFieldsToStateDefinition<Fields extends StateSchemaFields> = {
  [Key in keyof Fields]: StateSchemaFieldToChannel<Fields[Key]>;
};
/** The state with these fields as nodes read it. */
export type InferStateSchemaValue<Fields extends StateSchemaFields> = {
  [Key in keyof Fields]: Fields[Key] extends ReducedValue<any, any>
    ? Fields[Key]["ValueType"]
    : Fields[Key] extends UntrackedValue<any>
      ? Fields[Key]["ValueType"]
      : Fields[Key] extends SerializableSchema<any, infer Output>
        ? Output
        : never;
};
/** The state with these fields as nodes write it; every key is optional. */
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
  /** @param fields schemas and values by key */
  constructor(fields: Fields);
  readonly fields: Fields;
  /** Types only. */
  State: InferStateSchemaValue<Fields>;
  Update: InferStateSchemaUpdate<Fields>;
  Node: RunnableLike<InferStateSchemaValue<Fields>, InferStateSchemaUpdate<Fields>>;
  /** Returns the channels of its fields, by key. */
  getChannels(): Record<string, BaseChannel>;
  getChannelKeys(): string[];
  getAllKeys(): string[];
  /** Returns the JSON Schema of the state as nodes read it. */
  getJsonSchema(): Record<string, any>;
  /** Returns the JSON Schema of an input. */
  getInputJsonSchema(): Record<string, any>;
  /**
   * Parses the present fields; rejects with an Error that names the first invalid one.
   * @param data object with some or all fields; keys that are no field stay, and what is no object
   *   is returned as it is
   */
  validateInput<T>(data: T): Promise<T>;
  /** @param value any value; one of LangGraph.js counts too */
  static isInstance<Fields extends StateSchemaFields>(
    value: StateSchema<Fields>,
  ): value is StateSchema<Fields>;
  static isInstance(value: unknown): value is StateSchema<any>;
}
/** A StateSchema of any fields. */
export type AnyStateSchema = StateSchema<any>;

// ---- any form of a state

/** Channels of a state in any form: StateSchema, Annotation.Root, zod object, channels by key. */
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
/** All forms of a state's definition. */
export type StateDefinitionInit =
  | StateDefinition
  | ZodObjectLike
  | AnyStateSchema
  | AnnotationRoot<any>;
/**
 * All forms of a context's definition: a Standard Schema or Annotation.Root; zod objects are
 * checked at run time.
 */
export type ContextSchemaInit = StandardSchemaLike<any, any> | AnnotationRoot<StateDefinition>;
/** A state in any form, as nodes read it. */
export type ExtractStateType<Schema, Fallback = Schema> =
  Schema extends AnnotationRoot<infer SD>
    ? StateType<SD>
    : StateType<ToStateDefinition<Schema>> extends infer State
      ? [State] extends [never]
        ? Fallback
        : State
      : Fallback;
/** A state in any form, as nodes write it. */
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
