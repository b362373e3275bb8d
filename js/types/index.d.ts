// SPDX-License-Identifier: MIT
// The public names of `weftgraph`.
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
/** What `init` may be told beside the engine. */
export interface InitOptions {
  /** Bytes that the engine may allocate; 512 MiB by default, 64 at the edge. */
  memoryLimit?: number;
}
/** A compiled module, also where no declarations of WebAssembly are loaded. */
type EngineModule = typeof globalThis extends {
  WebAssembly: { Module: { prototype: infer Module } };
}
  ? Module
  : object;
/**
 * Makes the engine before it is needed, without blocking the thread; with `input` from other bytes
 * or another module, where the package cannot load its own. `weftgraph/wasm` loads it as a file of
 * its own.
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
 * How instances of a class are kept: taken apart when they are saved, made again when they are
 * read.
 */
export interface Codec<Value, Parts> {
  /** Is this value an instance that the codec keeps? */
  is(value: unknown): boolean;
  /** What is stored: anything that can be stored. */
  encode(value: Value): Parts;
  /** The instance again. */
  decode(parts: Parts): Value;
}
/**
 * Keeps instances of a class in checkpoints, for the whole process; a second codec of a name
 * replaces the first. The name is stored with the value, so a thread can be opened only where its
 * codecs are registered. Throws BAD_ARGUMENT for what is no codec.
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
