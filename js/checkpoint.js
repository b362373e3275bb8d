// SPDX-License-Identifier: MIT
// The public names of `weftgraph/checkpoint`: those of @langchain/langgraph-checkpoint.
export { BaseCheckpointSaver, JsonPlusSerializer } from "./savers/base-saver.js";
export {
  EXCLUDED_METADATA_KEYS, WRITES_IDX_MAP, compareChannelVersions, copyCheckpoint, deepCopy, emptyCheckpoint, getCheckpointId, maxChannelVersion, uuid6,
} from "./savers/checkpoints.js";
export { MemorySaver } from "./savers/memory.js";
export { AsyncBatchedStore, BaseStore, InvalidNamespaceError } from "./stores/base-store.js";
export { InMemoryStore, MemoryStore } from "./stores/memory.js";
