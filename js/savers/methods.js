// SPDX-License-Identifier: MIT
// LangGraph's methods of a saver over a store of ours, what keeps its threads short and in their
// graph's version, and the adapter for checkpointers made for LangGraph.js: imported by the first
// call of one (lazy.js).
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
