// SPDX-License-Identifier: MIT
// A run as events of LangGraph's streaming protocol (`streamEvents` of version 3).
import type { StreamMode } from "../graph/graph.js";
import type { AIMessage } from "../messages/index.js";

/** Where in the tree of graphs something happens: `node:task` of each level; the root is empty. */
export type Namespace = string[];
export type ProtocolMethod = StreamMode | "lifecycle" | "input" | (string & {});
export interface ProtocolEvent {
  readonly type: "event";
  /** Rises by one from event to event of a run. */
  readonly seq: number;
  readonly method: ProtocolMethod;
  readonly params: {
    readonly namespace: Namespace;
    /** Milliseconds since 1970. */
    readonly timestamp: number;
    readonly node?: string;
    readonly data: any;
  };
}

/** The modes of `streamEvents` in version 3. */
export const STREAM_EVENTS_V3_MODES: StreamMode[];
/** Only a checkpoint's id and place, not its state? */
export function isCheckpointEnvelope(payload: unknown): boolean;
export interface ConvertToProtocolEventOptions { namespace: Namespace; mode: StreamMode; payload: unknown; seq: number }
export function convertToProtocolEvent(options: ConvertToProtocolEventOptions): ProtocolEvent[];

/** A list that grows; each reader begins where it likes. */
export class StreamChannel<Item> implements AsyncIterable<Item> {
  /** @param name under which a run forwards the items to remote readers; none: they stay in the process */
  constructor(name?: string);
  readonly channelName?: string;
  static local<Item>(): StreamChannel<Item>;
  static remote<Item>(name: string): StreamChannel<Item>;
  static isInstance(value: unknown): value is StreamChannel<unknown>;
  push(item: Item): void;
  iterate(startAt?: number): AsyncIterator<Item>;
  toAsyncIterable(startAt?: number): AsyncIterable<Item>;
  /** Server-sent events, one for each item. */
  toEventStream(options?: { event?: string; startAt?: number; serialize?: (item: Item) => string }): ReadableStream<Uint8Array>;
  /** @throws RangeError */
  get(index: number): Item;
  get size(): number;
  get done(): boolean;
  close(): void;
  fail(error: unknown): void;
  [Symbol.asyncIterator](): AsyncIterator<Item>;
}
export { StreamChannel as EventLog };

/** Adds events of its own to a run; only within `process`. */
export interface StreamEmitter { push(namespace: Namespace, event: ProtocolEvent): void }
/** Sees every event of a run, and makes something of them. */
export interface StreamTransformer<Projection = unknown> {
  /** What the run shows as `extensions`: channels, promises, anything. */
  init(): Projection;
  onRegister?(emitter: StreamEmitter): void;
  /** @returns false: the event is dropped */
  process(event: ProtocolEvent): boolean;
  finalize?(): void | PromiseLike<void>;
  fail?(error: unknown): void;
}
export interface NativeStreamTransformer<Projection = unknown> extends StreamTransformer<Projection> { readonly __native: true }
/** What a run with these transformers shows as `extensions`. */
export type InferExtensions<Makers extends ReadonlyArray<() => StreamTransformer<any>>> = Makers extends readonly []
  ? Record<string, never>
  : Makers extends readonly [() => StreamTransformer<infer Projection>]
    ? Projection
    : Makers extends readonly [() => StreamTransformer<infer Projection>, ...infer Rest extends ReadonlyArray<() => StreamTransformer<any>>]
      ? Projection & InferExtensions<Rest>
      : Record<string, unknown>;
export function isNativeTransformer(transformer: StreamTransformer<unknown>): transformer is NativeStreamTransformer;

export interface InterruptPayload<Payload = unknown> { interruptId: string; payload: Payload }
export interface LifecycleEntry {
  readonly namespace: Namespace;
  readonly timestamp: number;
  readonly event: string;
  readonly graph_name?: string;
  /** What began it: a tool call or an edge, where the protocol has one. */
  readonly cause?: unknown;
  readonly checkpoint?: unknown;
  readonly error?: string;
}

/** Pieces to iterate, the whole to await, what there is so far as `full`. */
export type Projected<Piece, Whole> = AsyncIterable<Piece> & PromiseLike<Whole> & { readonly full: AsyncIterable<Whole> };
/** One message as it arrives. */
export class ChatModelStreamImpl implements AsyncIterable<any>, PromiseLike<AIMessage> {
  constructor(source: AsyncIterable<any>);
  readonly namespace?: Namespace;
  readonly node?: string;
  get text(): Projected<string, string>;
  get reasoning(): Projected<string, string>;
  get toolCalls(): Projected<any, any[]>;
  get usage(): Projected<any, any>;
  get output(): PromiseLike<AIMessage>;
  then<Done = AIMessage, Failed = never>(resolve?: ((value: AIMessage) => Done | PromiseLike<Done>) | null, reject?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null): PromiseLike<Done | Failed>;
  [Symbol.asyncIterator](): AsyncIterator<any>;
}
export type ChatModelStream = Omit<ChatModelStreamImpl, "then">;

/** A run: its events, and what can be read from them. */
export class GraphRunStream<Values = Record<string, any>, Extensions extends Record<string, any> = Record<string, any>> implements AsyncIterable<ProtocolEvent> {
  constructor(path: Namespace, mux: any, discoveryStart?: number, eventStart?: number, extensions?: Extensions, abortController?: AbortController);
  readonly path: Namespace;
  readonly extensions: Extensions;
  [Symbol.asyncIterator](): AsyncIterator<ProtocolEvent>;
  /** Streams of the graphs right below, as they begin. */
  get subgraphs(): AsyncIterable<SubgraphRunStream>;
  /** Each state; awaited: the last one. */
  get values(): AsyncIterable<Values> & PromiseLike<Values>;
  get messages(): AsyncIterable<ChatModelStream>;
  messagesFrom(node: string): AsyncIterable<ChatModelStream>;
  get lifecycle(): AsyncIterable<LifecycleEntry>;
  get output(): Promise<Values>;
  get interrupted(): boolean;
  get interrupts(): readonly InterruptPayload[];
  /** Stops the run. */
  abort(reason?: unknown): void;
  get signal(): AbortSignal;
}
export class SubgraphRunStream<Values = Record<string, any>, Extensions extends Record<string, any> = Record<string, any>> extends GraphRunStream<Values, Extensions> {
  /** The node that runs it. */
  readonly name: string;
  readonly index: number;
}
export interface CreateGraphRunStreamOptions { abortController?: AbortController }
/** @param source chunks of a stream with several modes and namespaces */
export function createGraphRunStream<Values = Record<string, any>, const Transformers extends ReadonlyArray<() => StreamTransformer<any>> = []>(
  source: AsyncIterable<any>,
  transformers?: Transformers,
  options?: CreateGraphRunStreamOptions | AbortController,
): GraphRunStream<Values, InferExtensions<Transformers>>;

export function createValuesTransformer(path: Namespace): StreamTransformer<{ _valuesLog: StreamChannel<Record<string, unknown>> }>;
export function createMessagesTransformer(path: Namespace, nodeFilter?: string): StreamTransformer<{ messages: AsyncIterable<ChatModelStream> }>;
export interface LifecycleProjection { _lifecycleLog: StreamChannel<LifecycleEntry>; lifecycle: AsyncIterable<LifecycleEntry> }
export interface LifecycleTransformerOptions {
  rootGraphName?: string;
  initialStatus?: string;
  emitRootOnRegister?: boolean;
  getGraphName?: (namespace: Namespace) => string;
  getTerminalStatusOverride?: () => Promise<string | undefined>;
  serializeError?: (error: unknown) => string;
}
export function createLifecycleTransformer(options?: LifecycleTransformerOptions): NativeStreamTransformer<LifecycleProjection>;
export function filterLifecycleEntries(log: StreamChannel<LifecycleEntry>, path: Namespace, startAt?: number): AsyncIterable<LifecycleEntry>;
export interface SubgraphDiscoveryTransformerOptions<Stream = any> { createStream: (path: Namespace, discoveryStart: number, eventStart: number) => Stream }
export interface SubgraphDiscoveryProjection<Stream = any> {
  _discoveries: StreamChannel<any>;
  subgraphs: AsyncIterable<Stream>;
}
export function createSubgraphDiscoveryTransformer<Stream = any>(mux: any, options: SubgraphDiscoveryTransformerOptions<Stream>): NativeStreamTransformer<SubgraphDiscoveryProjection<Stream>>;
export function filterSubgraphHandles<Stream = any>(log: StreamChannel<any>, path: Namespace, startAt?: number): AsyncIterable<Stream>;
