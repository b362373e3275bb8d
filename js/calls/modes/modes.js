// SPDX-License-Identifier: MIT
// Converts a run's events into the chunks of each stream mode. Does not depend on what a stream is.
import { INTERRUPT } from "../../base/constants.js";
import { badArgument, shown, withoutGaps } from "../../base/check-arguments.js";
import { TASK_CALL } from "../../base/codes.js";
import { graphNamespace, nodeNamespace } from "../../base/namespace.js";
import { HEADS, MODES } from "../../streams/stream-modes.js";
import { shownOf } from "../state-snapshot.js";
import { DebugModes } from "./debug-modes.js";
import { MessagesFeed } from "./messages-mode.js";
import { ToolsHandler } from "./tools-mode.js";

/** @typedef {import("../../run/start.js").Interrupt} Interrupt */
/** @typedef {import("../../run/read-snapshot.js").Snapshot} Snapshot */
/** @typedef {import("../../run/start.js").RunRequest} RunRequest */
/** @typedef {import("../../run/tasks/task.js").NodeTask} NodeTask */
/** @typedef {import("../../plan/definition.js").Plan} Plan */
/** @typedef {import("../call.js").CallContext} CallContext */
/**
 * Receives a chunk: namespace of its graph, mode, payload.
 * @typedef {(namespace: string[], mode: string, payload: unknown) => void} Emit
 */

/** @param {string[]} modes */
function showsDebug(modes) {
  return modes.includes("tasks") || modes.includes("checkpoints") || modes.includes("debug");
}

/** Modes that only a server has and may pass to a graph used as a node. null is ignored. */
const OTHERS = [HEADS, "messages-tuple", "events", null, undefined];

/** @param {unknown} mode @returns {string[]} */
export function readModes(mode) {
  const modes = Array.isArray(mode) ? mode : [mode];
  for (const one of modes)
    if (!MODES.includes(one) && !OTHERS.includes(one))
      throw badArgument(`streamMode must be ${MODES.join(", ")}, not ${shown(one)}`);
  return modes;
}

/**
 * Creates the sink of a stream. Computes nothing for modes without a reader.
 * @param {Plan} plan
 * @param {string[]} modes
 * @param {CallContext} context
 * @param {Emit} emit
 * @param {string | string[] | undefined} [outputKeys] state keys that are shown
 * @param {boolean} [inside] whether messages and tools of subgraphs are shown
 * @returns {Partial<RunRequest>} its sink and wants
 */
export function listen(plan, modes, context, emit, outputKeys = context.outputKeys, inside = true) {
  const isHere = (/** @type {string[]} */ namespace) =>
    inside || namespace.length <= context.namespace.length;
  const push = (/** @type {string} */ mode, /** @type {unknown} */ payload) =>
    emit(context.namespace, mode, payload);
  const wantValues = modes.includes("values");
  const wantUpdates = modes.includes("updates");
  const wantHeads = modes.includes(HEADS);
  const debug = showsDebug(modes) ? new DebugModes(plan, modes, context, push) : undefined;
  const wantMessages = modes.includes("messages");
  if (wantMessages) {
    const Feed = context.config.__weft_feed?.(MessagesFeed) ?? MessagesFeed;
    /** @type {MessagesFeed} */
    const feed = new Feed(
      (/** @type {import("./messages-mode.js").MessageChunk} */ chunk) =>
        emit(feed.namespaceOf(chunk[1]), "messages", chunk),
      isHere,
    );
    feed.outer = context.messages;
    context.messages = feed;
  }
  // Chunks written below a node go to the root stream.
  if (modes.includes("custom") && !context.nested)
    context.custom = (namespace, chunk) => emit(namespace, "custom", chunk);
  const wantTasks = debug?.wantTasks === true;
  context.wantsUpdates = wantUpdates || wantTasks;
  /** @type {object[]} */
  const handlers = wantMessages && context.messages ? [context.messages.handler] : [];
  if (modes.includes("tools")) {
    // Event streams of version 3 show a tool at its node, others at its parent graph.
    const placeOf = context.config.__weft_feed === undefined ? graphNamespace : nodeNamespace;
    handlers.push(
      new ToolsHandler(
        (metadata, chunk) =>
          isHere(graphNamespace(metadata)) && emit(placeOf(metadata), "tools", chunk),
      ),
    );
  }
  context.listenTo(handlers);
  return {
    wantValues,
    wantUpdates: context.wantsUpdates,
    wantTasks,
    wantCheckpoints: debug?.wantCheckpoints === true,
    wantHeads,
    sink: {
      turn: () => context.stream?.taken(),
      head: wantHeads
        ? ({ id, parentId, step, source }) =>
            push(HEADS, withoutGaps({ id, parent_id: parentId, step, source }))
        : undefined,
      values: wantValues
        ? (/** @type {unknown} */ state) => push("values", shownOf(state, outputKeys))
        : undefined,
      updates: (task, cached) => {
        if (wantUpdates) pushUpdate(plan, outputKeys, task, cached, push);
        if (!cached) debug?.ended(task, true);
      },
      ended: (task) => debug?.ended(task),
      planned: (step, tasks) => debug?.planned(step, tasks),
      snapshot: (/** @type {Snapshot} */ snapshot) => debug?.checkpoint(snapshot),
      interrupts: (/** @type {Interrupt[]} */ interrupts) => {
        if (wantUpdates) push("updates", { [INTERRUPT]: interrupts });
        if (wantValues) push("values", { [INTERRUPT]: interrupts });
      },
    },
  };
}

/**
 * What a parent stream shows of subgraphs.
 * @typedef {{ modes: string[], asked: string[], emit: Emit }} Tap `asked`: including modes whose
 *   chunks come from nodes
 */

/** Modes whose chunks come from nodes rather than from a graph's steps. */
const OF_NODES = ["messages", "custom", "tools"];

/**
 * Creates the sink of a stream together with what a parent stream shows of this graph. `inside`:
 * this stream shows subgraphs too.
 * @param {Plan} plan
 * @param {string[]} modes
 * @param {CallContext} context
 * @param {Emit} emit
 * @param {boolean} inside
 * @returns {unknown}
 */
export function listenThrough(plan, modes, context, emit, inside) {
  const { tap } = context;
  const both = tap === undefined ? emit : fork(modes, emit, tap);
  const all = tap === undefined ? modes : [...new Set([...modes, ...tap.modes])];
  if (inside)
    context.tap = { modes: all.filter((mode) => !OF_NODES.includes(mode)), asked: all, emit: both };
  return listen(plan, all, context, both, undefined, inside);
}

/** @param {string[]} modes @param {Emit} emit @param {Tap} tap @returns {Emit} */
function fork(modes, emit, tap) {
  return (namespace, mode, payload) => {
    if (tap.modes.includes(mode)) tap.emit(namespace, mode, payload);
    if (modes.includes(mode)) emit(namespace, mode, payload);
  };
}

/**
 * @param {Plan} plan
 * @param {string | string[] | undefined} outputKeys
 * @param {NodeTask & { returned?: unknown }} task
 * @param {boolean} cached
 * @param {(mode: string, payload: unknown) => void} push
 */
function pushUpdate(plan, outputKeys, task, cached, push) {
  const shown =
    task.kind === TASK_CALL
      ? [task.returned]
      : updatesOf(plan, outputKeys, task.raw ?? task.writes.list);
  const entries = shown.map((/** @type {unknown} */ update) => [task.name, update]);
  if (cached) entries.push(["__metadata__", { cached: true }]);
  push("updates", Object.fromEntries(entries));
}

/**
 * Builds an update. Several writes of one key appear separately.
 * @param {Plan} plan
 * @param {string | string[] | undefined} outputKeys
 * @param {Array<[number, unknown]>} writes
 * @returns {unknown[]} the update as a list of at most one, since it may be undefined
 */
function updatesOf(plan, outputKeys, writes) {
  const asked = outputKeys && [outputKeys].flat();
  const named = writes
    .map(([channel, value]) => /** @type {[string, unknown]} */ ([plan.keys[channel], value]))
    .filter(([key]) => asked?.includes(key) ?? true);
  if (typeof outputKeys === "string") {
    const values = named.map(([, value]) => value);
    return values.length > 1 ? [values] : values;
  }
  const isOnce = new Set(named.map(([key]) => key)).size === named.length;
  return [isOnce ? Object.fromEntries(named) : named.map(([key, value]) => ({ [key]: value }))];
}

/**
 * Adds the interrupts to a call's result, if there are any.
 * @param {unknown} values
 * @param {unknown} asked
 * @returns {unknown}
 */
export function withQuestions(values, asked) {
  return asked && typeof (values ?? {}) === "object"
    ? { .../** @type {object} */ (values), [INTERRUPT]: asked }
    : values;
}

/** Returns the last values with all interrupts. @param {unknown[]} chunks */
export function shownLast(chunks) {
  let values, asked;
  for (const chunk of chunks) {
    const more = /** @type {{ [INTERRUPT]?: unknown[] } | null} */ (chunk)?.[INTERRUPT];
    if (more) asked = [...(asked ?? []), ...more];
    else values = chunk;
  }
  return withQuestions(values, asked);
}
