// SPDX-License-Identifier: MIT
// The public names of `weftgraph/checkpoint`: those of @langchain/langgraph-checkpoint.
export * from "./savers/base-saver.js";
export * from "./savers/checkpoints.js";
export * from "./savers/words.js";
export { MemorySaver } from "./savers/memory.js";
export * from "./stores/stores.js";
export type { CheckpointMetadata } from "./base/common-types.js";
export * from "./stores/cache.js";
