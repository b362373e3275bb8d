// SPDX-License-Identifier: MIT
// The public names of `weftgraph/checkpoint`: those of @langchain/langgraph-checkpoint.
export { BaseCheckpointSaver, JsonPlusSerializer } from "./savers/base-saver.js";
export { EXCLUDED_METADATA_KEYS, copyCheckpoint, deepCopy, emptyCheckpoint, uuid6 } from "./savers/checkpoints.js";
export { DeltaSnapshot, isDeltaSnapshot } from "./savers/delta-snapshot.js";
export { WRITES_IDX_MAP, compareWritesSortKeys, writesSortKey } from "./log/write-order.js";
export { compareChannelVersions, getCheckpointId, maxChannelVersion } from "./savers/versions.js";
export { ERROR, INTERRUPT, RESUME, SCHEDULED, TASKS, uuid5 } from "./savers/words.js";
export { MemorySaver } from "./savers/memory.js";
export { AsyncBatchedStore, BaseStore, InvalidNamespaceError, validateNamespace } from "./stores/base-store.js";
export { InMemoryStore, MemoryStore } from "./stores/memory.js";
export { getTextAtPath, tokenizePath } from "./stores/paths.js";
export { BaseCache, InMemoryCache } from "./stores/cache.js";
