// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph`.
export {
  BaseLangGraphError,
  EmptyChannelError,
  EmptyInputError,
  UnknownInterruptError,
  _markInvalidResume,
  isInvalidResume,
  isUnknownInterruptError,
  GraphBubbleUp,
  GraphDrained,
  GraphInterrupt,
  GraphRecursionError,
  GraphValueError,
  InvalidUpdateError,
  MultipleSubgraphsError,
  getSubgraphsSeenSet,
  NodeError,
  NodeInterrupt,
  NodeTimeoutError,
  ParentCommand,
  RemoteException,
  StateGraphInputError,
  UnreachableNodeError,
  WeftError,
  isGraphBubbleUp,
  isGraphDrained,
  isGraphInterrupt,
  isNodeError,
  isNodeTimeoutError,
  isParentCommand,
} from "./base/error-types.js";
export {
  CostLimitError,
  DeadlineError,
  LimitError,
  ModelCallLimitError,
  RepeatedCallError,
  TokenLimitError,
  ToolCallLimitError,
  isLimitError,
} from "./base/run-limits.js";
export type { Limits, ModelUsage } from "./base/run-limits.js";
export {
  ChatModelStreamImpl,
  EventLog,
  GraphRunStream,
  STREAM_EVENTS_V3_MODES,
  StreamChannel,
  SubgraphRunStream,
  convertToProtocolEvent,
  createGraphRunStream,
  createLifecycleTransformer,
  createMessagesTransformer,
  createSubgraphDiscoveryTransformer,
  createValuesTransformer,
  filterLifecycleEntries,
  filterSubgraphHandles,
  isCheckpointEnvelope,
  isNativeTransformer,
} from "./events/run.js";
export type {
  ChatModelStream,
  ConvertToProtocolEventOptions,
  CreateGraphRunStreamOptions,
  InferExtensions,
  InterruptPayload,
  LifecycleEntry,
  LifecycleProjection,
  LifecycleTransformerOptions,
  Namespace,
  NativeStreamTransformer,
  ProtocolEvent,
  StreamEmitter,
  StreamTransformer,
  SubgraphDiscoveryProjection,
  SubgraphDiscoveryTransformerOptions,
} from "./events/run.js";
export type {
  AgentStatus,
  LifecycleCause,
  LifecycleData,
  MessagesEventData,
  ToolCallStatus,
  ToolCallStream,
  ToolsEventData,
  UpdatesEventData,
  UsageInfo,
} from "./events/payloads.js";
export type {
  LangGraphErrorFields,
  LangGraphErrorFields as BaseLangGraphErrorFields,
} from "./base/error-types.js";
export {
  COMMAND_SYMBOL,
  Command,
  CommandInstance,
  END,
  GraphCallbackHandler,
  INTERRUPT,
  Overwrite,
  START,
  Send,
  getConfig,
  getCurrentTaskInput,
  getStore,
  getWriter,
  interrupt,
  isCommand,
  isInterrupted,
  pushMessage,
  writer,
} from "./base/common-types.js";
export type {
  CheckpointMetadata,
  CommandParams,
  ExecutionInfo,
  GraphInterruptEvent,
  GraphLifecycleEvent,
  GraphLifecycleStatus,
  GraphResumeEvent,
  Interrupt,
  InterruptOptions,
  LangGraphRunnableConfig,
  OverwriteValue,
  PregelTaskDescription,
  RunnableConfig,
  Runtime,
  SendLike,
  SendOptions,
  ServerInfo,
  StateSnapshot,
  StoreLike,
  TimeoutPolicy,
} from "./base/common-types.js";
export type {
  MultipleChannelSubscriptionOptions,
  Pregel,
  PregelNode,
  PregelOptions,
  PregelParams,
  SingleChannelSubscriptionOptions,
} from "./graph/pregel.js";
export { RunControl } from "./plan/policy-types.js";
export type {
  CachePolicy,
  Clock,
  NodeErrorHandler,
  NodePolicyOptions,
  RetryPolicy,
} from "./plan/policy-types.js";
export {
  Annotation,
  BaseChannel,
  BinaryOperatorAggregate,
  IsLastStep,
  RemainingSteps,
  DeltaChannel,
  MessagesAnnotation,
  MessagesValue,
  ReducedValue,
  StateSchema,
  UntrackedValue,
  UntrackedValueChannel,
  addMessages,
  getJsonSchemaFromSchema,
  getSchemaDefaultGetter,
  isSerializableSchema,
  isStandardSchema,
  messagesDeltaReducer,
  messagesStateReducer,
} from "./state/state.js";
export type {
  AnnotationFunction,
  AnnotationRoot,
  AnyStateSchema,
  AnyValue,
  BinaryOperator,
  ContextSchemaInit,
  DeltaReducer,
  DynamicBarrierValue,
  EphemeralValue,
  ExtractStateType,
  ExtractUpdateType,
  InferStateSchemaUpdate,
  InferStateSchemaValue,
  LastValue,
  Messages,
  NamedBarrierValue,
  NodeType,
  ReducedValueInit,
  SingleReducer,
  StateDefinition,
  StateDefinitionInit,
  StateSchemaField,
  StateSchemaFieldToChannel,
  StateSchemaFields,
  StateSchemaFieldsToStateDefinition,
  StateType,
  ToStateDefinition,
  Topic,
  UntrackedValueInit,
  UpdateType,
  WaitForNames,
} from "./state/state.js";
export { MessagesZodMeta, MessagesZodState } from "./state/zod-state.js";
export type {
  InteropZodToStateDefinition,
  MessagesZodObject,
  ReducedZodChannel,
} from "./state/zod-state.js";
export type {
  AddNodeOptions,
  ConditionalEdgeRouter,
  ConditionalEdgeRouterTypes,
  GraphNode,
  GraphNodeReturnValue,
  GraphNodeTypes,
  InferInterruptInputType,
  InferInterruptResumeType,
  InferWriterType,
  NodeSpec,
  RunnableFunc,
  RunnableInterface,
  RunnableLike,
  RunnableMapLike,
  StateGraphAddNodeOptions,
  StateGraphNodeSpec,
} from "./graph/nodes.js";
export { entrypoint, getPreviousState, task } from "./func/func.js";
export type { EntrypointFinal, EntrypointOptions, TaskOptions } from "./func/func.js";
export { Graph, MessageGraph } from "./compat/builders.js";
export { DeltaValue, MessagesDeltaValue } from "./state/more-channels.js";
export type { DeltaValueInit } from "./state/more-channels.js";
export { CompiledStateGraph, StateGraph } from "./graph/graph.js";
export type {
  Checkpointer,
  CompileOptions,
  CompiledGraph,
  CompiledGraphType,
  Durability,
  MultitaskStrategy,
  GetStateOptions,
  NodeAction,
  RunOptions,
  StateGraphArgs,
  StateGraphArgsWithInputOutputSchemas,
  StateGraphArgsWithStateSchema,
  StateGraphInit,
  StateGraphOptions,
} from "./graph/graph.js";
export type {
  IterableReadableStream,
  OwnPatch,
  RunLogPatch,
  StreamEvent,
  StreamMode,
  StreamOutputMap,
  StreamedCheckpoint,
  TaskEnd,
  TaskStart,
  ToolChunk,
} from "./graph/streams.js";
export type {
  BatchOptions,
  ChunkStream,
  DrawnEdge,
  DrawnGraph,
  DrawnNode,
  GraphOptions,
  MermaidOptions,
  OwnGraph,
  OwnStream,
  PipeInput,
  RunnableOf,
  RunnableShape,
  RunRecord,
} from "./runnable/types.js";
/** Options of `init`. */
export interface InitOptions {
  /** Maximum bytes that the engine may allocate; 512 MiB by default, 64 MiB at the edge. */
  memoryLimit?: number;
}
/** A compiled module, also without declarations of WebAssembly. */
type EngineModule = typeof globalThis extends {
  WebAssembly: { Module: { prototype: infer Module } };
}
  ? Module
  : object;
/**
 * Creates the engine before it is needed, without blocking the thread. `weftgraph/wasm` loads it
 * from a separate file.
 * @param input other bytes or another module, where the package cannot load its own
 * @param options `memoryLimit` of the engine
 * @throws ENGINE_NOT_READY if the engine cannot be loaded or compiled
 * @example
 * ```ts
 * import { init } from "weftgraph";
 *
 * await init();
 * console.log("the engine is there");
 * ```
 * ```text
 * the engine is there
 * ```
 */
export function init(
  input?:
    | EngineModule
    | ArrayBuffer
    | ArrayBufferView
    | string
    | URL
    | Response
    | Promise<Response>,
  options?: InitOptions,
): Promise<void>;
/**
 * Stores instances of a class: takes them apart when they are saved and restores them when they are
 * read.
 */
export interface Codec<Value, Parts> {
  /**
   * Checks whether a value is an instance that the codec stores.
   * @param value any value that is about to be saved
   */
  is(value: unknown): boolean;
  /**
   * Returns the data to store: any storable value.
   * @param value an instance for which `is` gave true
   */
  encode(value: Value): Parts;
  /**
   * Restores the instance.
   * @param parts what `encode` returned, as it was saved
   */
  decode(parts: Parts): Value;
}
/**
 * Registers a codec that stores instances of a class in checkpoints, for the whole process; a
 * second codec of a name replaces the first. The name is stored with the value, so a thread can
 * only be opened where its codecs are registered.
 * @param name stored with each value
 * @param codec converts the instances
 * @throws BAD_ARGUMENT for an invalid name or codec
 */
export function registerCodec<Value = any, Parts = any>(
  name: string,
  codec: Codec<Value, Parts>,
): void;
export { BaseCheckpointSaver } from "./savers/base-checkpoint-saver.js";
export type {
  ChannelVersions,
  Checkpoint,
  CheckpointListOptions,
  CheckpointPendingWrite,
  CheckpointTuple,
  PendingWrite,
  ReadonlyCheckpoint,
  SerializerProtocol,
} from "./savers/base-checkpoint-saver.js";
export { copyCheckpoint, emptyCheckpoint } from "./savers/core/checkpoints.js";
export { MemorySaver } from "./savers/memory/saver.js";
export { AsyncBatchedStore, BaseStore, InMemoryStore } from "./stores/stores.js";
export type {
  GetOperation,
  IndexConfig,
  Item,
  ListNamespacesOperation,
  MatchCondition,
  NameSpacePath,
  NamespaceMatchType,
  Operation,
  OperationResults,
  PutOperation,
  SearchItem,
  SearchOperation,
} from "./stores/stores.js";
export * from "./messages/index.js";
export * from "./tools/index.js";
