// SPDX-License-Identifier: MIT
// The part of the savers that is imported when it is asked for.
import { LazyModule } from "../base/lazy.js";

/**
 * LangGraph's methods of a saver (getTuple, list, put), what is done with whole threads (pruning,
 * moving one to a newer version of its state), and the adapter for checkpointers made for
 * LangGraph.js with its serializer. Graphs work on a saver's store and need none of it.
 * @type {LazyModule<typeof import("./methods.js")>}
 */
export const METHODS = /* @__PURE__ */ new LazyModule(
  "reading, writing and maintaining threads beside runs",
  () => import("./methods.js"),
);
