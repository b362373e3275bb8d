// SPDX-License-Identifier: MIT
// What few runs need, loaded by the first that does: failures, the order of tasks that end together, policies, limits, caches, clocks and ids of the caller, calls of
// task(), the history of a thread and its edits, what tool calls
// need that are not one good call. One part: each part of its own costs every page the names that
// it shares with the first load.
export { Attempts, putRetry, stepTime } from "./run/attempts.js";
export { beginAnew } from "./run/anew.js";
export { Order } from "./run/order.js";
export { executeRare } from "./run/rare-commands.js";
export { encodeValue } from "./engine/codec.js";
export { shownLast } from "./pregel/shown-last.js";
export { encodeEvent, encoder } from "./pregel/encoding.js";
export { Caching } from "./pregel/caching.js";
export { givenOf } from "./pregel/given.js";
export { Limits } from "./pregel/limits.js";
export { refuseUnnamed } from "./pregel/unnamed.js";
export { isPassing } from "./graph/passing.js";
export { zodChecks } from "./graph/checks.js";
export { fieldChecks } from "./graph/field-checks.js";
export { readHistory, updateGraph } from "./graph/edit.js";
export { gathering } from "./stores/base-store.js";
export { answerAll, runChanged, settle, wrapped } from "./prebuilt/answers.js";
export { bindInside } from "./prebuilt/bound-model.js";
export { namedModel } from "./prebuilt/model-names.js";
export { checkHistory } from "./prebuilt/history.js";
export { structuredAnswer } from "./prebuilt/structured.js";
export { explained } from "./prebuilt/tool-errors.js";
export { tryCall } from "./prebuilt/attempts.js";
export { withAgentName } from "./prebuilt/agent-name.js";
