// SPDX-License-Identifier: MIT
// What few runs need, loaded by the first that does: policies, limits, caches, clocks and ids of the caller, calls of
// task(), the history of a thread and its edits. One part: each part of its own costs every page the names it shares.
export { Attempts, putRetry } from "./run/attempts.js";
export { Caching } from "./pregel/caching.js";
export { givenOf } from "./pregel/given.js";
export { Limits } from "./pregel/limits.js";
export { readHistory, updateThread } from "./graph/edit.js";
