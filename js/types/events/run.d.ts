// SPDX-License-Identifier: MIT
// A run as events of LangGraph's streaming protocol (`streamEvents` of version 3).
import type { StreamMode } from "../graph/streams.js";
import type { StateAIMessage as AIMessage } from "../messages/core.js";
import type {
  AgentStatus,
  ChatModelStreamEvent,
  LifecycleCause,
  LifecycleData,
  StreamedToolCall,
  UsageInfo,
} from "./payloads.js";

/** Where in the tree of graphs something happens: `node:task` of each level; the root is empty. */
export type Namespace = string[];
/** What an event tells: a stream mode, the life of a graph, or a question to a person (`input`). */
export type ProtocolMethod = StreamMode | "lifecycle" | "input" | (string & {});
/** One event of a run in LangGraph's streaming protocol. */
export interface ProtocolEvent {
  readonly type: "event";
  /** Rises by one from event to event of a run. */
  readonly seq: number;
  /** What kind of event it is; says what `data` is (see the types of `payloads`). */
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
/** A chunk of `stream()`, taken apart, and the number that its event gets. */
export interface ConvertToProtocolEventOptions {
  namespace: Namespace;
  mode: StreamMode;
  payload: unknown;
  seq: number;
}
/**
 * The events that a chunk of a stream becomes: one, or none for what the protocol does not tell
 * (`debug`, whole checkpoints).
 */
export function convertToProtocolEvent(options: ConvertToProtocolEventOptions): ProtocolEvent[];

/** A list that grows; each reader begins where it likes. */
export class StreamChannel<Item> implements AsyncIterable<Item> {
  /**
   * @param name under which a run forwards the items to remote readers; none: they stay in the
   *   process
   */
  constructor(name?: string);
  readonly channelName?: string;
  /** One whose items stay in the process. */
  static local<Item>(): StreamChannel<Item>;
  /** One whose items a run sends on as events `custom:<name>`. */
  static remote<Item>(name: string): StreamChannel<Item>;
  static isInstance(value: unknown): value is StreamChannel<unknown>;
  /** Adds an item; readers that wait get it. */
  push(item: Item): void;
  /**
   * Reads from item `startAt` (0) on, waits for those to come, ends when the channel is closed,
   * throws what it failed with.
   */
  iterate(startAt?: number): AsyncIterator<Item>;
  toAsyncIterable(startAt?: number): AsyncIterable<Item>;
  /** Server-sent events, one for each item. */
  toEventStream(options?: {
    event?: string;
    startAt?: number;
    serialize?: (item: Item) => string;
  }): ReadableStream<Uint8Array>;
  /** @throws RangeError */
  get(index: number): Item;
  /** Items so far. */
  get size(): number;
  /** Whether it was closed, or failed. */
  get done(): boolean;
  /** No more items will come. */
  close(): void;
  /** No more items will come, and readers are told why. */
  fail(error: unknown): void;
  [Symbol.asyncIterator](): AsyncIterator<Item>;
}
export { StreamChannel as EventLog };

/** Adds events of its own to a run; only within `process`. */
export interface StreamEmitter {
  push(namespace: Namespace, event: ProtocolEvent): void;
}
/** Sees every event of a run, and makes something of them. */
export interface StreamTransformer<Projection = unknown> {
  /** What the run shows as `extensions`: channels, promises, anything. */
  init(): Projection;
  /** Called once, before the first event. */
  onRegister?(emitter: StreamEmitter): void;
  /** @returns false: the event is dropped */
  process(event: ProtocolEvent): boolean;
  /**
   * The run has ended; it is waited for. What it throws ends the run's events; its values and
   * output stand.
   */
  finalize?(): void | PromiseLike<void>;
  /** The run has failed. Readers are told that, also where this throws. */
  fail?(error: unknown): void;
}
/**
 * Marks the library's own transformers, of which a run shows the projection itself (`lifecycle`,
 * `subgraphs`).
 */
export interface NativeStreamTransformer<Projection = unknown>
  extends StreamTransformer<Projection> {
  readonly __native: true;
}
/** What a run with these transformers shows as `extensions`. */
export type InferExtensions<Makers extends ReadonlyArray<() => StreamTransformer<any>>> =
  Makers extends readonly []
    ? Record<string, never>
    : Makers extends readonly [() => StreamTransformer<infer Projection>]
      ? Projection
      : Makers extends readonly [
            () => StreamTransformer<infer Projection>,
            ...infer Rest extends ReadonlyArray<() => StreamTransformer<any>>,
          ]
        ? Projection & InferExtensions<Rest>
        : Record<string, unknown>;
/** Whether the transformer says that it is a native one (`__native`). */
export function isNativeTransformer(
  transformer: StreamTransformer<unknown>,
): transformer is NativeStreamTransformer;

/**
 * A question of a run that stopped: what `interrupt()` was given, and the id that an answer names.
 */
export interface InterruptPayload<Payload = unknown> {
  interruptId: string;
  payload: Payload;
}
/** A graph of the run began or ended; `timestamp` in milliseconds since 1970. */
export interface LifecycleEntry {
  readonly namespace: Namespace;
  readonly timestamp: number;
  readonly event: AgentStatus;
  readonly graph_name?: string;
  /** What began it: a tool call or an edge, where the protocol has one. */
  readonly cause?: LifecycleCause;
  readonly checkpoint?: LifecycleData["checkpoint"];
  readonly error?: string;
}

/** Pieces to iterate, the whole to await, what there is so far as `full`. */
export type Projected<Piece, Whole> = AsyncIterable<Piece> &
  PromiseLike<Whole> & { readonly full: AsyncIterable<Whole> };
/** One message as it arrives. */
export class ChatModelStreamImpl
  implements AsyncIterable<ChatModelStreamEvent>, PromiseLike<AIMessage>
{
  constructor(source: AsyncIterable<ChatModelStreamEvent>);
  readonly namespace?: Namespace;
  readonly node?: string;
  /** The text, piece by piece. */
  get text(): Projected<string, string>;
  /** What the model thought aloud. */
  get reasoning(): Projected<string, string>;
  /** Each call of a tool, once it is whole. */
  get toolCalls(): Projected<StreamedToolCall, StreamedToolCall[]>;
  /** Tokens it took, as often as the model says so; undefined where it never did. */
  get usage(): Projected<UsageInfo, UsageInfo | undefined>;
  /** The whole message. */
  get output(): PromiseLike<AIMessage>;
  then<Done = AIMessage, Failed = never>(
    resolve?: ((value: AIMessage) => Done | PromiseLike<Done>) | null,
    reject?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): PromiseLike<Done | Failed>;
  [Symbol.asyncIterator](): AsyncIterator<ChatModelStreamEvent>;
}
/** One message as it arrives; `output` is awaited for the whole of it. */
export type ChatModelStream = Omit<ChatModelStreamImpl, "then">;

/** A run: its events, and what can be read from them. */
export class GraphRunStream<
  Values = Record<string, any>,
  Extensions extends Record<string, any> = Record<string, any>,
> implements AsyncIterable<ProtocolEvent>
{
  constructor(
    path: Namespace,
    mux: any,
    discoveryStart?: number,
    eventStart?: number,
    extensions?: Extensions,
    abortController?: AbortController,
  );
  /** Its place among graphs; empty for the root. */
  readonly path: Namespace;
  /** What transformers made, by the names that their `init` gave. */
  readonly extensions: Extensions;
  [Symbol.asyncIterator](): AsyncIterator<ProtocolEvent>;
  /** Streams of the graphs right below, as they begin. */
  get subgraphs(): AsyncIterable<SubgraphRunStream>;
  /** Each state; awaited: the last one. */
  get values(): AsyncIterable<Values> & PromiseLike<Values>;
  /** Each message of its nodes, as it begins; to be read while it arrives. */
  get messages(): AsyncIterable<ChatModelStream>;
  /** Those of one node. */
  messagesFrom(node: string): AsyncIterable<ChatModelStream>;
  /** Graphs that begin and end, itself and those inside. */
  get lifecycle(): AsyncIterable<LifecycleEntry>;
  /** The last state; rejects with what the run failed with. */
  get output(): Promise<Values>;
  /** Whether it has stopped for a person. */
  get interrupted(): boolean;
  /** What it asks. */
  get interrupts(): readonly InterruptPayload[];
  /** Stops the run. */
  abort(reason?: unknown): void;
  /** Aborted by `abort`. */
  get signal(): AbortSignal;
}
/** The part of a run that happens in one graph inside it. */
export class SubgraphRunStream<
  Values = Record<string, any>,
  Extensions extends Record<string, any> = Record<string, any>,
> extends GraphRunStream<Values, Extensions> {
  /** The node that runs it. */
  readonly name: string;
  /** The number behind its name in the path, 0 where that is none. */
  readonly index: number;
}
/** `abortController`: what `abort()` of the run aborts; one of its own by default. */
export interface CreateGraphRunStreamOptions {
  abortController?: AbortController;
}
/** @param source chunks of a stream with several modes and namespaces */
export function createGraphRunStream<
  Values = Record<string, any>,
  const Transformers extends ReadonlyArray<() => StreamTransformer<any>> = [],
>(
  source: AsyncIterable<any>,
  transformers?: Transformers,
  options?: CreateGraphRunStreamOptions | AbortController,
): GraphRunStream<Values, InferExtensions<Transformers>>;

/** Keeps the states of the graph at `path`. */
export function createValuesTransformer(
  path: Namespace,
): StreamTransformer<{ _valuesLog: StreamChannel<Record<string, unknown>> }>;
/**
 * Groups the events of messages of the nodes right below `path` into one stream for each message;
 * `nodeFilter`: of this node only.
 */
export function createMessagesTransformer(
  path: Namespace,
  nodeFilter?: string,
): StreamTransformer<{ messages: AsyncIterable<ChatModelStream> }>;
/** What the lifecycle transformer keeps: the entries, to iterate. */
export interface LifecycleProjection {
  _lifecycleLog: StreamChannel<LifecycleEntry>;
  lifecycle: AsyncIterable<LifecycleEntry>;
}
/**
 * By default the root is called "root" and begins as "running", a graph inside is called as its
 * node, an error is told by its message.
 */
export interface LifecycleTransformerOptions {
  rootGraphName?: string;
  initialStatus?: string;
  emitRootOnRegister?: boolean;
  getGraphName?: (namespace: Namespace) => string;
  getTerminalStatusOverride?: () => Promise<string | undefined>;
  serializeError?: (error: unknown) => string;
}
/** Tells when graphs begin and end: by events of its own in the run, and as a list of entries. */
export function createLifecycleTransformer(
  options?: LifecycleTransformerOptions,
): NativeStreamTransformer<LifecycleProjection>;
/** The entries of the graph at `path` and of those inside it, from the entry `startAt` on. */
export function filterLifecycleEntries(
  log: StreamChannel<LifecycleEntry>,
  path: Namespace,
  startAt?: number,
): AsyncIterable<LifecycleEntry>;
/**
 * `createStream` makes the stream of a graph when it is first heard of; the numbers say where in
 * the lists of graphs and of events it begins.
 */
export interface SubgraphDiscoveryTransformerOptions<Stream = any> {
  createStream: (path: Namespace, discoveryStart: number, eventStart: number) => Stream;
}
/** What the discovery transformer keeps: the streams of graphs inside, to iterate. */
export interface SubgraphDiscoveryProjection<Stream = any> {
  _discoveries: StreamChannel<any>;
  subgraphs: AsyncIterable<Stream>;
}
/**
 * Makes a stream for each graph right below the root when its first event comes. `mux` is what
 * createGraphRunStream gives its transformers to.
 */
export function createSubgraphDiscoveryTransformer<Stream = any>(
  mux: any,
  options: SubgraphDiscoveryTransformerOptions<Stream>,
): NativeStreamTransformer<SubgraphDiscoveryProjection<Stream>>;
/** The streams of the graphs right below `path`, from the discovery `startAt` on. */
export function filterSubgraphHandles<Stream = any>(
  log: StreamChannel<any>,
  path: Namespace,
  startAt?: number,
): AsyncIterable<Stream>;
