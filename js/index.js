// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph`. The engine comes first, so that its bytes are not placed
// between the modules in a bundle: compressors look back only 32 KB, and contiguous code compresses
// better.
export { init } from "./engine/instance.js";
export { registerCodec } from "./engine/codec-registry.js";
export {
  COMMAND_SYMBOL,
  Command,
  CommandInstance,
  END,
  INTERRUPT,
  Overwrite,
  START,
  Send,
  isCommand,
  isInterrupted,
} from "./base/constants.js";
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
} from "./base/errors.js";
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
export { Annotation, MessagesAnnotation } from "./state/annotation.js";
export { BaseChannel, BinaryOperatorAggregate, UntrackedValueChannel } from "./state/channels.js";
export {
  ChatModelStreamImpl,
  GraphRunStream,
  STREAM_EVENTS_V3_MODES,
  StreamChannel,
  StreamChannel as EventLog,
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
} from "./events/protocol/index.js";
export { GraphCallbackHandler } from "./callbacks/graph-handler.js";
export { entrypoint, getPreviousState } from "./func/entrypoint.js";
export { task } from "./func/task.js";
export { DeltaValue, MessagesDeltaValue } from "./state/delta-value.js";
export { CompiledStateGraph } from "./graph/compiled-state-graph.js";
export { DeltaChannel, messagesDeltaReducer } from "./state/delta.js";
export { Graph, MessageGraph } from "./compat/builders.js";
export {
  messagesStateReducer as addMessages,
  messagesStateReducer,
} from "./state/messages-reducer.js";
export { MessagesZodMeta, MessagesZodState } from "./state/messages-zod.js";
export {
  isSerializableSchema,
  isStandardSchema,
  schemaDefault as getSchemaDefaultGetter,
  schemaJson as getJsonSchemaFromSchema,
} from "./state/standard-schema.js";
export { IsLastStep, RemainingSteps } from "./state/managed.js";
export { StateGraph } from "./graph/state-graph.js";
export { MessagesValue, ReducedValue, StateSchema, UntrackedValue } from "./state/state-schema.js";
export { RunControl } from "./calls/control.js";
export {
  getConfig,
  getCurrentTaskInput,
  getStore,
  getWriter,
  interrupt,
  writer,
} from "./calls/interrupt.js";
export { pushMessage } from "./calls/push-message.js";
export { BaseCheckpointSaver } from "./savers/base-checkpoint-saver.js";
export { copyCheckpoint, emptyCheckpoint } from "./savers/core/checkpoints.js";
export { MemorySaver } from "./savers/memory/saver.js";
export { AsyncBatchedStore, BaseStore } from "./stores/base-store.js";
export { InMemoryStore } from "./stores/memory.js";
export * from "./messages/index.js";
export * from "./tools/index.js";
