// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/checkpoint`: those of @langchain/langgraph-checkpoint.
export { BaseCheckpointSaver, JsonPlusSerializer } from "./savers/base-checkpoint-saver.js";
export {
  EXCLUDED_METADATA_KEYS,
  copyCheckpoint,
  deepCopy,
  emptyCheckpoint,
  uuid6,
} from "./savers/core/checkpoints.js";
export { DeltaSnapshot, isDeltaSnapshot } from "./savers/langgraph/delta-snapshot.js";
export { WRITES_IDX_MAP, compareWritesSortKeys, writesSortKey } from "./log/write-order.js";
export {
  compareChannelVersions,
  getCheckpointId,
  maxChannelVersion,
} from "./savers/core/versions.js";
export { ERROR, INTERRUPT, RESUME, SCHEDULED, TASKS, uuid5 } from "./savers/core/constants.js";
export { MemorySaver } from "./savers/memory/saver.js";
export {
  AsyncBatchedStore,
  BaseStore,
  InvalidNamespaceError,
  validateNamespace,
} from "./stores/base-store.js";
export { InMemoryStore, MemoryStore } from "./stores/memory.js";
export { getTextAtPath, tokenizePath } from "./stores/paths.js";
export { BaseCache, InMemoryCache } from "./stores/cache.js";
