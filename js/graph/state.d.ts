// SPDX-License-Identifier: MIT
// How a state is written down, and what types follow from that. Knows zod and Standard Schema by shape only.
import type { BaseMessage, BaseMessageLike } from "../messages/index.js";
import type { Command, LangGraphRunnableConfig, OverwriteValue, Send } from "../pregel/words.js";

export type ChannelKind = "last" | "binop" | "ephemeral" | "any" | "topic" | "untracked" | "finish" | "host";

/** A channel: what a key of the state holds (`Value`), what may be written to it (`Update`) and what is saved (`Saved`). */
export abstract class BaseChannel<Value = unknown, Update = Value, Saved = any> {
  /** Never set: carries the types. */
  ValueType: Value;
  UpdateType: Update;
  lg_is_channel: true;
  lc_graph_name: string;
  initialValueFactory?: () => Value;
  get kind(): ChannelKind;
  /** A channel of the same kind that holds what was saved. */
  fromCheckpoint(checkpoint?: Saved): this;
  /** The writes of one step; none: the step passed. Says whether that changed it; throws InvalidUpdateError. */
  update(values: Update[]): boolean;
  /** Throws EmptyChannelError when it holds nothing. */
  get(): Value;
  checkpoint(): Saved | undefined;
  consume(): boolean;
  finish(): boolean;
  isAvailable(): boolean;
  equals(other: BaseChannel<any, any>): boolean;
  /** The same channel with what was saved, or its initial value. In a graph the engine holds the values; these are for use by itself. */
  fromCheckpoint(checkpoint?: any): this;
  /** Takes a step's values; has it changed? Throws InvalidUpdateError. */
  update(values: Update[]): boolean;
  /** Throws EmptyChannelError. */
  get(): Value;
  checkpoint(): any;
  isAvailable(): boolean;
  consume(): boolean;
  finish(): boolean;
}
export class LastValue<Value> extends BaseChannel<Value, Value, Value> { constructor(initialValueFactory?: () => Value) }
export class BinaryOperatorAggregate<Value, Update = Value> extends BaseChannel<Value, Update | OverwriteValue<Value>, Value> {
  constructor(operator: (left: Value, right: Update) => Value, initialValueFactory?: () => Value);
  operator: (left: Value, right: Update) => Value;
}
export class EphemeralValue<Value> extends BaseChannel<Value, Value, Value> { constructor(guard?: boolean); guard: boolean }
export class AnyValue<Value> extends BaseChannel<Value, Value, Value> {}
export class Topic<Value> extends BaseChannel<Value[], Value | Value[]> {
  constructor(fields?: { unique?: boolean; accumulate?: boolean });
  unique: boolean;
  accumulate: boolean;
}
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
export class NamedBarrierValueAfterFinish<Value> extends NamedBarrierValue<Value> { finished: boolean }
export class LastValueAfterFinish<Value> extends BaseChannel<Value, Value, [Value, boolean]> { finished: boolean }
export class DynamicBarrierValue<Value> extends BaseChannel<void, Value | { __names: Iterable<Value> }> {
  names?: Set<Value>;
  seen: Set<Value>;
}
/** A channel whose reducer takes all writes of a step at once. */
export class DeltaChannel<Value = unknown, Update = unknown> extends BaseChannel<Value, Update | OverwriteValue<Value>, undefined> {
  constructor(reducer: (state: Value, writes: Update[]) => Value, options?: { snapshotFrequency?: number; initialValueFactory?: () => Value });
  reducer: (state: Value, writes: Update[]) => Value;
  snapshotFrequency: number;
  replayWrites(writes: [task: string, channel: string, value: any][]): void;
}
export function isDeltaChannel(channel: unknown): boolean;
/** Messages joined all at once: replaced by id, removed by RemoveMessage, else appended. */
export function messagesDeltaReducer(state: BaseMessage[], writes: (BaseMessageLike | BaseMessageLike[])[]): BaseMessage[];

export interface StateDefinition { [key: string]: BaseChannel<any, any> | (() => BaseChannel<any, any>) }
type ValueOf<Channel> = Channel extends BaseChannel<infer Value, any> ? Value : Channel extends () => infer Made ? (Made extends BaseChannel<infer Value, any> ? Value : never) : never;
type UpdateOf<Channel> = Channel extends BaseChannel<any, infer Update> ? Update : Channel extends () => infer Made ? (Made extends BaseChannel<any, infer Update> ? Update : never) : never;
export type StateType<Definition extends StateDefinition> = { [Key in keyof Definition]: ValueOf<Definition[Key]> };
export type UpdateType<Definition extends StateDefinition> = { [Key in keyof Definition]?: UpdateOf<Definition[Key]> };

type Maybe<Value> = Value | Promise<Value>;
/** What a node may return. */
export type NodeReturn<Update, Nodes extends string = string> =
  | Update
  | Command<any, any, Nodes>
  | (Update | Command<any, any, Nodes>)[]
  | Send
  | void
  | null
  | undefined;
export type NodeFunction<State, Update, Context = any, Nodes extends string = string> = (
  state: State,
  config: LangGraphRunnableConfig<Context>,
) => Maybe<NodeReturn<Update, Nodes>>;

/** A state as a set of channels by key; made by Annotation.Root. */
export interface AnnotationRoot<Definition extends StateDefinition> {
  lc_graph_name: "AnnotationRoot";
  spec: Definition;
  /** Types only: `typeof Root.State`, `.Update`, `.Node`. */
  State: StateType<Definition>;
  Update: UpdateType<Definition>;
  Node: NodeFunction<StateType<Definition>, UpdateType<Definition>>;
}

export interface ReducerAnnotation<Value, Update> {
  reducer: (left: Value, right: Update) => Value;
  default?: () => Value;
}
/** The older form of a reducer annotation. */
export interface ValueAnnotation<Value, Update> {
  value: (left: Value, right: Update) => Value;
  default?: () => Value;
}
export interface AnnotationFunction {
  <Value, Update = Value>(annotation: ReducerAnnotation<Value, Update> | ValueAnnotation<Value, Update>): BinaryOperatorAggregate<Value, Update>;
  <Value>(): LastValue<Value>;
  Root: <Definition extends StateDefinition>(spec: Definition) => AnnotationRoot<Definition>;
}
/** One key of a state: the last value, or the fold by a reducer. */
export const Annotation: AnnotationFunction;

export type Messages = BaseMessageLike | BaseMessageLike[];
export function messagesStateReducer(left: Messages, right: Messages): BaseMessage[];
export { messagesStateReducer as addMessages };
/** The state of a conversation. */
export const MessagesAnnotation: AnnotationRoot<{ messages: BinaryOperatorAggregate<BaseMessage[], Messages> }>;

/** What is said of a field of messages, for a registry of zod. */
export const MessagesZodMeta: {
  reducer: { fn: (left: BaseMessage[], right: Messages) => BaseMessage[] };
  jsonSchemaExtra: { langgraph_type: "messages" };
  default: () => BaseMessage[];
};
/** The state of a conversation, in the shape of a zod 3 object. */
export const MessagesZodState: ZodObjectLike & {
  shape: { messages: any };
  _input: { messages: BaseMessage[] };
  _output: { messages: BaseMessage[] };
  extend(shape: Record<string, any>): any;
};
/** Can it validate? */
export function isStandardSchema(schema: unknown): boolean;
/** Can it validate, and tell its JSON Schema? */
export function isSerializableSchema(schema: unknown): boolean;
/** What the schema makes of nothing, when it takes nothing. */
export function getSchemaDefaultGetter(schema: unknown): (() => unknown) | undefined;
export function getJsonSchemaFromSchema(schema: unknown): Record<string, unknown> | undefined;

/** A Standard Schema, by shape (zod, valibot, arktype …). */
export interface SchemaLike<Input = any, Output = any> {
  readonly "~standard": { readonly validate: (value: unknown) => any; readonly types?: { readonly input: Input; readonly output: Output } | undefined };
}
/** A zod object of version 3 or 4, by shape. */
export interface ZodObjectLike { shape: Record<string, any>; parse(value: unknown): any; partial(...args: any[]): any; _input: any; _output: any }

type SchemaInput<Schema> = Schema extends { _input: infer Input } ? Input : Schema extends SchemaLike<infer Input, any> ? Input : any;
type SchemaOutput<Schema> = Schema extends { _output: infer Output } ? Output : Schema extends SchemaLike<any, infer Output> ? Output : any;

/** A field that is folded by a reducer; what is written may have another schema than what is kept. */
export class ReducedValue<Value = any, Update = Value> {
  constructor(
    valueSchema: SchemaLike<any, Value>,
    init: { reducer: (left: Value, right: Update) => Value; inputSchema?: SchemaLike<any, Update>; jsonSchemaExtra?: Record<string, unknown> },
  );
  valueSchema: SchemaLike<any, Value>;
  inputSchema: SchemaLike<any, Update>;
  reducer: (left: Value, right: Update) => Value;
  static isInstance(value: unknown): value is ReducedValue;
}
/** A field that is never saved. */
export class UntrackedValue<Value = any> {
  constructor(schema?: SchemaLike<any, Value>, init?: { guard?: boolean });
  schema?: SchemaLike<any, Value>;
  guard: boolean;
  static isInstance(value: unknown): value is UntrackedValue;
}
export const MessagesValue: ReducedValue<BaseMessage[], Messages>;

export type StateFields = Record<string, SchemaLike | ReducedValue<any, any> | UntrackedValue<any>>;
type FieldValue<Field> = Field extends ReducedValue<infer Value, any> ? Value : Field extends UntrackedValue<infer Value> ? Value : SchemaOutput<Field>;
type FieldUpdate<Field> = Field extends ReducedValue<infer Value, infer Update>
  ? Update | OverwriteValue<Value>
  : Field extends UntrackedValue<infer Value>
    ? Value
    : SchemaInput<Field>;
export class StateSchema<Fields extends StateFields> {
  constructor(fields: Fields);
  fields: Fields;
  State: { [Key in keyof Fields]: FieldValue<Fields[Key]> };
  Update: { [Key in keyof Fields]?: FieldUpdate<Fields[Key]> };
  Node: NodeFunction<this["State"], this["Update"]>;
  getChannels(): Record<string, BaseChannel>;
  getChannelKeys(): string[];
  getAllKeys(): string[];
  getJsonSchema(): Record<string, any>;
  getInputJsonSchema(): Record<string, any>;
  /** Parses the fields that are there; the Error names the first bad one. */
  validateInput<T>(data: T): Promise<T>;
  static isInstance(value: unknown): value is StateSchema<any>;
}

/** A zod schema that was told its reducer. */
export type ReducedZodChannel<Schema, Reducer> = Schema & { lg_reducer_schema: Reducer };
type ZodOutput<Schema> = Schema extends { _zod: { output: infer Output } } ? Output : Schema extends { _output: infer Output } ? Output : any;
type ZodInput<Schema> = Schema extends { _zod: { input: infer Input } } ? Input : Schema extends { _input: infer Input } ? Input : any;
/** The channels of a zod object. */
export type InteropZodToStateDefinition<Schema, Shape = Schema extends { shape: infer Fields } ? Fields : never> = {
  [Key in keyof Shape]: Shape[Key] extends { lg_reducer_schema: infer Reducer }
    ? BaseChannel<ZodOutput<Shape[Key]>, OverwriteValue<ZodOutput<Shape[Key]>> | ZodOutput<Reducer>>
    : BaseChannel<ZodOutput<Shape[Key]>, ZodInput<Shape[Key]>>;
};

/** Any form of a state. */
export type StateInit = AnnotationRoot<any> | StateSchema<any> | ZodObjectLike | StateDefinition;
export type StateOf<Init> = Init extends AnnotationRoot<infer Definition>
  ? StateType<Definition>
  : Init extends StateSchema<infer Fields>
    ? { [Key in keyof Fields]: FieldValue<Fields[Key]> }
    : Init extends ZodObjectLike
      ? Init["_output"]
      : Init extends StateDefinition
        ? StateType<Init>
        : never;
export type UpdateOfState<Init> = Init extends AnnotationRoot<infer Definition>
  ? UpdateType<Definition>
  : Init extends StateSchema<infer Fields>
    ? { [Key in keyof Fields]?: FieldUpdate<Fields[Key]> }
    : Init extends ZodObjectLike
      ? Partial<Init["_input"]>
      : Init extends StateDefinition
        ? UpdateType<Init>
        : never;
