// SPDX-License-Identifier: MIT
// Collects the lazily loaded methods of savers: LangGraph's methods over Weft's stores, pruning,
// state migration, and the adapter for checkpointers made for LangGraph.js. Imported by the first
// call (lazy.js).
export { openVersioned } from "./maintenance/migrate.js";
export { decisions } from "./core/decisions.js";
export * as plain from "../compat/savers/memory-mirror.js";
export { put, putWrites } from "./core/put.js";
export { cutThread, finishCuts } from "./maintenance/cut.js";
export { copyThread } from "./maintenance/transfer.js";
export { pruneThread, pruneThreads } from "./maintenance/retention.js";
export { tidierOf } from "./maintenance/auto-prune.js";
export { getTuple, list } from "./core/read-checkpoints.js";
export { PortThread } from "./langgraph/adapter-thread.js";
export { deltaHistory } from "./langgraph/delta-history.js";
export { dumpsTyped, loadsTyped } from "./langgraph/jsonplus.js";
