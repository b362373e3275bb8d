// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/checkpoint`: those of @langchain/langgraph-checkpoint.
export * from "./savers/base-checkpoint-saver.js";
export * from "./savers/core/checkpoints.js";
export * from "./savers/core/constants.js";
export { MemorySaver } from "./savers/memory/saver.js";
export * from "./stores/stores.js";
export type { CheckpointMetadata } from "./base/common-types.js";
export * from "./stores/cache.js";
