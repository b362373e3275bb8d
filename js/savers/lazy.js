// SPDX-License-Identifier: MIT
// The two parts of the savers that a page imports when they are asked for; a program without them does not carry them.
import { LazyModule } from "../lazy.js";

/**
 * What is done with whole threads: a saver's own methods (getTuple, list, put), pruning, moving a thread to a newer version of
 * its state. Graphs work on a saver's store and need none of it; it is as large as half of what runs them.
 * @type {LazyModule<typeof import("./methods.js")>}
 */
export const METHODS = /* @__PURE__ */ new LazyModule("the maintenance of threads", () => import("./methods.js"));

/**
 * The adapter for checkpointers made for LangGraph.js, and its serializer, which nothing of ours calls.
 * @type {LazyModule<typeof import("./foreign.js")>}
 */
export const FOREIGN = /* @__PURE__ */ new LazyModule("the adapter for LangGraph.js's checkpointers", () => import("./foreign.js"));
