// SPDX-License-Identifier: MIT
// LangGraph's methods of a saver over a store of ours, what keeps its threads short and in their graph's version, and the adapter
// for checkpointers made for LangGraph.js: imported by the first call of one (lazy.js).
export { openVersioned } from "../graph/migrate.js";
export { decisions } from "./decisions.js";
export * as plain from "./plain.js";
export { put, putWrites } from "./put.js";
export { pruneThread, pruneThreads } from "./retention.js";
export { tidierOf } from "./tidy.js";
export { getTuple, list } from "./tuples.js";
export { PortThread } from "./port-thread.js";
export { deltaHistory } from "./delta-history.js";
export { dumpsTyped, loadsTyped } from "./jsonplus.js";
