// SPDX-License-Identifier: MIT
// LangGraph's methods of a saver over a store of ours, and what keeps its threads short and in their graph's version: loaded
// when one is called.
export { openVersioned } from "../graph/migrate.js";
export { decisions } from "./decisions.js";
export * as plain from "./plain.js";
export { put, putWrites } from "./put.js";
export { pruneThread, pruneThreads } from "./retention.js";
export { tidierOf } from "./tidy.js";
export { getTuple, list } from "./tuples.js";
