// SPDX-License-Identifier: MIT
// Declares a run as events of LangGraph's streaming protocol (`streamEvents` of version 3).
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

/** Position in the tree of graphs: `node:task` per level; empty for the root. */
export type Namespace = string[];
/** Kind of an event: a stream mode, the lifecycle of a graph, or an interrupt (`input`). */
export type ProtocolMethod = StreamMode | "lifecycle" | "input" | (string & {});
/** One event of a run in LangGraph's streaming protocol. */
export interface ProtocolEvent {
  readonly type: "event";
  /** Number of the event in its run, increasing by one. */
  readonly seq: number;
  /** Kind of the event; determines the type of `data` (see the types of `payloads`). */
  readonly method: ProtocolMethod;
  readonly params: {
    readonly namespace: Namespace;
    /** Milliseconds since 1970. */
    readonly timestamp: number;
    readonly node?: string;
    readonly data: any;
  };
}

/** Stream modes of `streamEvents` in version 3. */
export const STREAM_EVENTS_V3_MODES: StreamMode[];
/**
 * Checks for a checkpoint's id and position without its state.
 * @param payload payload of a chunk in the mode checkpoints, or any other value
 */
export function isCheckpointEnvelope(payload: unknown): boolean;
/** A chunk of `stream()` in parts, and the number of its event. */
export interface ConvertToProtocolEventOptions {
  namespace: Namespace;
  mode: StreamMode;
  payload: unknown;
  seq: number;
}
/**
 * Converts a chunk of a stream into events: one, or none if the protocol has no such event
 * (`debug`, whole checkpoints).
 * @param options one chunk: its mode and payload, the namespace of its graph, and the number that
 *   the event gets
 * @returns a list of one event, or `[]`
 * @throws BAD_ARGUMENT for options of another form
 * @example
 * ```ts
 * import {
 *   STREAM_EVENTS_V3_MODES,
 *   convertToProtocolEvent,
 *   isCheckpointEnvelope,
 * } from "weftgraph/stream";
 *
 * const chunk = { namespace: [], mode: "values" as const, payload: { count: 1 }, seq: 0 };
 * const [event] = convertToProtocolEvent(chunk);
 * console.log(event.method, event.params.data);
 * console.log(STREAM_EVENTS_V3_MODES.includes("values"), isCheckpointEnvelope({ count: 1 }));
 * ```
 * ```text
 * values { count: 1 }
 * true false
 * ```
 */
export function convertToProtocolEvent(options: ConvertToProtocolEventOptions): ProtocolEvent[];

/**
 * A list that grows; each reader begins where it likes.
 * @example
 * ```ts
 * import { EventLog, StreamChannel } from "weftgraph/stream";
 *
 * const log = new StreamChannel<string>();
 * log.push("one");
 * log.push("two");
 * log.close();
 * for await (const item of log) console.log(item);
 * console.log(EventLog === StreamChannel);
 * ```
 * ```text
 * one
 * two
 * true
 * ```
 */
export class StreamChannel<Item> implements AsyncIterable<Item> {
  /**
   * Creates a channel.
   * @param name name under which a run forwards the items to remote readers; without one they stay
   *   in the process
   */
  constructor(name?: string);
  readonly channelName?: string;
  /** Creates a channel whose items stay in the process. */
  static local<Item>(): StreamChannel<Item>;
  /**
   * Creates a channel whose items a run forwards as events `custom:<name>`.
   * @param name part of the event's name behind `custom:`
   */
  static remote<Item>(name: string): StreamChannel<Item>;
  /** @param value any value; one of LangGraph.js or of another copy of the package counts too */
  static isInstance(value: unknown): value is StreamChannel<unknown>;
  /**
   * Adds an item; waiting readers receive it.
   * @param item any value; kept until the channel itself is dropped, for readers that begin later
   */
  push(item: Item): void;
  /**
   * Reads from item `startAt` (0) on and waits for new items; ends when the channel is closed,
   * throws its failure.
   * @param startAt number of the first item to read, from 0; default 0
   */
  iterate(startAt?: number): AsyncIterator<Item>;
  /**
   * Reads the items like `iterate`, as an iterable.
   * @param startAt number of the first item to read, from 0; default 0
   */
  toAsyncIterable(startAt?: number): AsyncIterable<Item>;
  /**
   * Encodes the items as server-sent events, one each.
   * @param options name, beginning and form of the events
   * @param options.event name of each event; default: the channel's, without one there is none
   * @param options.startAt number of the first item, from 0; default 0
   * @param options.serialize makes the text of an item; default `JSON.stringify`
   */
  toEventStream(options?: {
    event?: string;
    startAt?: number;
    serialize?: (item: Item) => string;
  }): ReadableStream<Uint8Array>;
  /**
   * Returns an item.
   * @param index number of the item, from 0
   * @throws RangeError for a number that no item has yet
   */
  get(index: number): Item;
  /** Number of items so far. */
  get size(): number;
  /** Whether it was closed or failed. */
  get done(): boolean;
  /** Ends the channel: no more items will come. */
  close(): void;
  /**
   * Ends the channel with an error for its readers.
   * @param error what waiting and later readers are thrown, after the items so far
   */
  fail(error: unknown): void;
  [Symbol.asyncIterator](): AsyncIterator<Item>;
}
export { StreamChannel as EventLog };

/** Adds events to a run; only within `process`. */
export interface StreamEmitter {
  /**
   * @param namespace of the graph that the event is of, `[]` for the root
   * @param event passes all transformers, this one too; its `seq` is replaced
   */
  push(namespace: Namespace, event: ProtocolEvent): void;
}
/** Receives every event of a run and derives data from them. */
export interface StreamTransformer<Projection = unknown> {
  /** Returns the run's `extensions`: channels, promises, anything. */
  init(): Projection;
  /**
   * Called once, before the first event.
   * @param emitter adds events of its own to the run
   */
  onRegister?(emitter: StreamEmitter): void;
  /**
   * Handles one event.
   * @param event one event of the run, or of a graph in it: `params.namespace` tells which
   * @returns false to drop the event
   */
  process(event: ProtocolEvent): boolean;
  /**
   * Called when the run has ended, and awaited. An error ends the run's events; its values and
   * output stay.
   */
  finalize?(): void | PromiseLike<void>;
  /**
   * Called when the run has failed. Readers receive the run's error even if this throws.
   * @param error the run's error
   */
  fail?(error: unknown): void;
}
/**
 * Marks the library's own transformers, whose projections a run exposes directly (`lifecycle`,
 * `subgraphs`).
 */
export interface NativeStreamTransformer<Projection = unknown>
  extends StreamTransformer<Projection> {
  readonly __native: true;
}
/** Type of a run's `extensions` with these transformers. */
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
/**
 * Checks whether the transformer is a native one (`__native`).
 * @param transformer a transformer, or any other value
 */
export function isNativeTransformer(
  transformer: StreamTransformer<unknown>,
): transformer is NativeStreamTransformer;

/** An interrupt of a stopped run: the value passed to `interrupt()`, and the id for the answer. */
export interface InterruptPayload<Payload = unknown> {
  interruptId: string;
  payload: Payload;
}
/** The start or end of a graph of the run; `timestamp` in milliseconds since 1970. */
export interface LifecycleEntry {
  readonly namespace: Namespace;
  readonly timestamp: number;
  readonly event: AgentStatus;
  readonly graph_name?: string;
  /** What started it: a tool call, a Send or an edge, if the protocol has one. */
  readonly cause?: LifecycleCause;
  readonly checkpoint?: LifecycleData["checkpoint"];
  readonly error?: string;
}

/** Parts to iterate, the whole to await, and intermediate wholes as `full`. */
export type Projected<Piece, Whole> = AsyncIterable<Piece> &
  PromiseLike<Whole> & { readonly full: AsyncIterable<Whole> };
/**
 * One message as it arrives.
 * @example
 * ```ts
 * import { ChatModelStreamImpl } from "weftgraph";
 *
 * async function* events() {
 *   yield { event: "message-start", role: "ai", id: "1" };
 *   yield { event: "content-block-start", index: 0, content: { type: "text", text: "" } };
 *   yield { event: "content-block-delta", index: 0, delta: { type: "text-delta", text: "Hello" } };
 *   yield { event: "content-block-finish", index: 0, content: { type: "text", text: "Hello" } };
 *   yield { event: "message-finish" };
 * }
 * console.log(await new ChatModelStreamImpl(events() as any).text);
 * ```
 * ```text
 * Hello
 * ```
 */
export class ChatModelStreamImpl
  implements AsyncIterable<ChatModelStreamEvent>, PromiseLike<AIMessage>
{
  /**
   * @param source events of one message, in their order; read at once, whether or not anybody reads
   *   the stream
   */
  constructor(source: AsyncIterable<ChatModelStreamEvent>);
  readonly namespace?: Namespace;
  readonly node?: string;
  /** The text, in parts. */
  get text(): Projected<string, string>;
  /** The model's reasoning. */
  get reasoning(): Projected<string, string>;
  /** Tool calls, each once it is complete. */
  get toolCalls(): Projected<StreamedToolCall, StreamedToolCall[]>;
  /** Token usage, each time the model reports it; undefined if it never does. */
  get usage(): Projected<UsageInfo, UsageInfo | undefined>;
  /** The whole message. */
  get output(): PromiseLike<AIMessage>;
  /**
   * @param resolve gets the whole message, as `await` does
   * @param reject gets the error with which the message ended
   */
  then<Done = AIMessage, Failed = never>(
    resolve?: ((value: AIMessage) => Done | PromiseLike<Done>) | null,
    reject?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): PromiseLike<Done | Failed>;
  [Symbol.asyncIterator](): AsyncIterator<ChatModelStreamEvent>;
}
/** One message as it arrives; await `output` for the whole message. */
export type ChatModelStream = Omit<ChatModelStreamImpl, "then">;

/**
 * A run: its events, and the streams derived from them.
 * @example
 * ```ts
 * import { Annotation, GraphRunStream, START, StateGraph, SubgraphRunStream } from "weftgraph";
 *
 * const State = Annotation.Root({ count: Annotation<number> });
 * const inner = new StateGraph(State)
 *   .addNode("add", ({ count }) => ({ count: count + 1 }))
 *   .addEdge(START, "add")
 *   .compile();
 * const graph = new StateGraph(State).addNode("inner", inner).addEdge(START, "inner").compile();
 * const run = await graph.streamEvents({ count: 1 }, { version: "v3" });
 * for await (const part of run.subgraphs)
 *   console.log(part.name, part instanceof SubgraphRunStream);
 * console.log(run instanceof GraphRunStream, await run.output);
 * ```
 * ```text
 * inner true
 * true { count: 2 }
 * ```
 */
export class GraphRunStream<
  Values = Record<string, any>,
  Extensions extends Record<string, any> = Record<string, any>,
> implements AsyncIterable<ProtocolEvent>
{
  /**
   * @param path namespace of the graph, `[]` for the root; fixes which events belong to it
   * @param mux collects the events of the run; made by createGraphRunStream
   * @param discoveryStart number of the first subgraph of the run that it may show, from 0; default
   *   0
   * @param eventStart number of the first event of the run that it may show, from 0; default 0
   * @param extensions projections of the transformers by name; empty by default
   * @param abortController aborted by `abort()`; a new one by default
   */
  constructor(
    path: Namespace,
    mux: any,
    discoveryStart?: number,
    eventStart?: number,
    extensions?: Extensions,
    abortController?: AbortController,
  );
  /** Namespace of its graph; empty for the root. */
  readonly path: Namespace;
  /** Projections of the transformers, by the names that their `init` returned. */
  readonly extensions: Extensions;
  [Symbol.asyncIterator](): AsyncIterator<ProtocolEvent>;
  /** Streams of the direct subgraphs, as they begin. */
  get subgraphs(): AsyncIterable<SubgraphRunStream>;
  /** Each state; awaited: the last one. */
  get values(): AsyncIterable<Values> & PromiseLike<Values>;
  /** Each message of its nodes when it begins; to be read as it arrives. */
  get messages(): AsyncIterable<ChatModelStream>;
  /**
   * Messages of one node.
   * @param node name of a node of this graph
   */
  messagesFrom(node: string): AsyncIterable<ChatModelStream>;
  /** Starts and ends of this graph and its subgraphs. */
  get lifecycle(): AsyncIterable<LifecycleEntry>;
  /** The last state; rejects with the run's error. */
  get output(): Promise<Values>;
  /** Whether the run has stopped for a person. */
  get interrupted(): boolean;
  /** Its interrupts. */
  get interrupts(): readonly InterruptPayload[];
  /**
   * Stops the run.
   * @param reason reason of `signal`; default: an AbortError
   */
  abort(reason?: unknown): void;
  /** Aborted by `abort`. */
  get signal(): AbortSignal;
}
/**
 * The part of a run in one of its subgraphs.
 * @param path namespace of the graph, `[]` for the root; fixes which events belong to it
 * @param mux collects the events of the run; made by createGraphRunStream
 * @param discoveryStart number of the first subgraph of the run that it may show, from 0; default 0
 * @param eventStart number of the first event of the run that it may show, from 0; default 0
 * @param extensions projections of the transformers by name; empty by default
 * @param abortController aborted by `abort()`; a new one by default
 */
export class SubgraphRunStream<
  Values = Record<string, any>,
  Extensions extends Record<string, any> = Record<string, any>,
> extends GraphRunStream<Values, Extensions> {
  /** Name of the node that runs it. */
  readonly name: string;
  /** Number after its name in the path; 0 without one. */
  readonly index: number;
}
/**
 * Options of createGraphRunStream. `abortController`: aborted by `abort()` of the run; a new one by
 * default.
 */
export interface CreateGraphRunStreamOptions {
  abortController?: AbortController;
}
/**
 * Builds a run from the chunks of a stream.
 * @param source chunks of a stream with several modes and namespaces
 * @param transformers functions that create the transformers of the run
 * @param options what `abort()` of the run aborts: a controller, or `{ abortController }`; default:
 *   a new one
 * @returns the run; its source is read at once, whether or not anybody reads the run
 * @throws BAD_ARGUMENT for transformers of another form
 * @example
 * ```ts
 * import { createGraphRunStream } from "weftgraph";
 *
 * async function* chunks() {
 *   yield [[], "values", { count: 1 }];
 *   yield [[], "values", { count: 2 }];
 * }
 * const run = createGraphRunStream(chunks());
 * for await (const values of run.values) console.log(values);
 * ```
 * ```text
 * { count: 1 }
 * { count: 2 }
 * ```
 */
export function createGraphRunStream<
  Values = Record<string, any>,
  const Transformers extends ReadonlyArray<() => StreamTransformer<any>> = [],
>(
  source: AsyncIterable<any>,
  transformers?: Transformers,
  options?: CreateGraphRunStreamOptions | AbortController,
): GraphRunStream<Values, InferExtensions<Transformers>>;

/**
 * Creates a transformer that collects the states of the graph at `path`.
 * @param path namespace of the graph as a list, `[]` for the root; states of its subgraphs are left
 *   out
 * @returns for the transformers of createGraphRunStream, from a function that makes a new one for
 *   each run
 * @throws nothing
 * @example
 * ```ts
 * import {
 *   createGraphRunStream,
 *   createMessagesTransformer,
 *   createValuesTransformer,
 * } from "weftgraph";
 *
 * async function* chunks() {
 *   yield [[], "values", { count: 1 }];
 * }
 * const makers = [() => createValuesTransformer([]), () => createMessagesTransformer([])] as const;
 * const run = createGraphRunStream(chunks(), makers);
 * await run.output;
 * console.log(Object.keys(run.extensions));
 * ```
 * ```text
 * [ '_valuesLog', 'messages' ]
 * ```
 */
export function createValuesTransformer(
  path: Namespace,
): StreamTransformer<{ _valuesLog: StreamChannel<Record<string, unknown>> }>;
/**
 * Creates a transformer that groups message events of the nodes directly below `path` into one
 * stream per message; `nodeFilter`: of this node only.
 * @param path namespace of the graph
 * @param nodeFilter only messages of this node; default: of all
 * @returns for the transformers of createGraphRunStream, from a function that makes a new one for
 *   each run
 * @throws BAD_ARGUMENT if path is no namespace
 */
export function createMessagesTransformer(
  path: Namespace,
  nodeFilter?: string,
): StreamTransformer<{ messages: AsyncIterable<ChatModelStream> }>;
/** Projection of the lifecycle transformer: the entries, to iterate. */
export interface LifecycleProjection {
  _lifecycleLog: StreamChannel<LifecycleEntry>;
  lifecycle: AsyncIterable<LifecycleEntry>;
}
/**
 * Options of the lifecycle transformer. By default the root is named "root" and begins as
 * "running", a subgraph is named after its node, and an error is reported by its message.
 */
export interface LifecycleTransformerOptions {
  rootGraphName?: string;
  initialStatus?: string;
  emitRootOnRegister?: boolean;
  /** @param namespace of a subgraph; its last part is `node:id` */
  getGraphName?: (namespace: Namespace) => string;
  getTerminalStatusOverride?: () => Promise<string | undefined>;
  /** @param error what the run failed with */
  serializeError?: (error: unknown) => string;
}
/**
 * Creates a transformer that reports when graphs begin and end: as events of the run, and as a list
 * of entries.
 * @param options names and first status of the graphs, and how an error is written; see the type
 *   for the defaults
 * @returns for the transformers of createGraphRunStream, from a function that makes a new one for
 *   each run
 * @throws TypeError if options is null
 * @example
 * ```ts
 * import {
 *   createLifecycleTransformer,
 *   filterLifecycleEntries,
 *   isNativeTransformer,
 * } from "weftgraph";
 *
 * const transformer = createLifecycleTransformer();
 * const { _lifecycleLog: log } = transformer.init();
 * log.push({ namespace: [], timestamp: 0, event: "completed", graph_name: "counter" });
 * log.close();
 * console.log(isNativeTransformer(transformer));
 * for await (const entry of filterLifecycleEntries(log, [])) console.log(entry.graph_name);
 * ```
 * ```text
 * true
 * counter
 * ```
 */
export function createLifecycleTransformer(
  options?: LifecycleTransformerOptions,
): NativeStreamTransformer<LifecycleProjection>;
/**
 * Selects the entries of the graph at `path` and its subgraphs, from entry `startAt` on.
 * @param log of the lifecycle transformer
 * @param path namespace of the graph
 * @param startAt default 0
 * @returns entries as they come; ends with the run
 * @throws BAD_ARGUMENT if log is no StreamChannel or path no namespace
 */
export function filterLifecycleEntries(
  log: StreamChannel<LifecycleEntry>,
  path: Namespace,
  startAt?: number,
): AsyncIterable<LifecycleEntry>;
/**
 * Options of the discovery transformer. `createStream` makes the stream of a graph at its first
 * event; the numbers are its first positions in the lists of graphs and of events.
 */
export interface SubgraphDiscoveryTransformerOptions<Stream = any> {
  /**
   * @param path namespace of the subgraph, with one part
   * @param discoveryStart number of subgraphs that were found before
   * @param eventStart number of events before its first
   */
  createStream: (path: Namespace, discoveryStart: number, eventStart: number) => Stream;
}
/** Projection of the discovery transformer: the streams of subgraphs, to iterate. */
export interface SubgraphDiscoveryProjection<Stream = any> {
  _discoveries: StreamChannel<any>;
  subgraphs: AsyncIterable<Stream>;
}
/**
 * Creates a transformer that makes a stream for each direct subgraph of the root at its first
 * event. `mux`: the object to which createGraphRunStream adds transformers.
 * @param mux collects the events of the run: the object to which createGraphRunStream adds
 *   transformers
 * @param options `createStream`, called once for each subgraph, when its first event comes
 * @returns a transformer that is added to `mux` after its `init()`
 * @throws BAD_ARGUMENT for arguments of another form
 * @example
 * ```ts part
 * const transformer = createSubgraphDiscoveryTransformer(mux, { createStream });
 * const { _discoveries } = transformer.init();
 * for await (const stream of filterSubgraphHandles(_discoveries, [])) show(stream);
 * ```
 */
export function createSubgraphDiscoveryTransformer<Stream = any>(
  mux: any,
  options: SubgraphDiscoveryTransformerOptions<Stream>,
): NativeStreamTransformer<SubgraphDiscoveryProjection<Stream>>;
/**
 * Selects the streams of the graphs directly below `path`, from discovery `startAt` on.
 * @param log of the discovery transformer
 * @param path namespace of the parent
 * @param startAt default 0
 * @returns streams as their graphs begin; ends with the run
 * @throws BAD_ARGUMENT if log is no StreamChannel or path no namespace
 * @example
 * ```ts part
 * for await (const stream of filterSubgraphHandles(_discoveries, ["outer:1"])) show(stream);
 * ```
 */
export function filterSubgraphHandles<Stream = any>(
  log: StreamChannel<any>,
  path: Namespace,
  startAt?: number,
): AsyncIterable<Stream>;
