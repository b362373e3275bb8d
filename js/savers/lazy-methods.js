// SPDX-License-Identifier: MIT
// Loads the rarely used part of the savers by the first call that needs it. Loaded through the
// package's import "#saver-methods".
import { LazyModule } from "../base/lazy.js";

/**
 * LangGraph's methods of a saver (getTuple, list, put), operations on whole threads (pruning, state
 * migration), and the adapter and serializer for checkpointers made for LangGraph.js. Lazy because
 * graphs use a saver's store directly and need none of it.
 * @type {LazyModule<typeof import("./methods.js")>}
 */
export const METHODS = /* @__PURE__ */ new LazyModule(
  "reading, writing and maintaining threads beside runs",
  () => import("./methods.js"),
);
