// SPDX-License-Identifier: MIT
// Runs one task: calls the node, turns its return value into writes and destinations, then calls
// its conditions. The engine decides when tasks run and what becomes of their writes.
import { Command, END, isCommand, isSend, PARENT, ROOT } from "../base/constants.js";
import { ParentCommand, isParentCommand, makeError } from "../base/errors.js";
import { badArgument, shown } from "../base/check-arguments.js";
import {
  ERROR_EDGES,
  ERROR_ENTRIES,
  ERR_SEND_NODE,
  ERR_SEND_TO_END,
  ERR_UNKNOWN_DESTINATION,
  TASK_CALL,
  TASK_PUSH,
  TASK_WRITERS,
} from "../base/codes.js";
import { traceCondition, traceNode } from "../callbacks/trace.js";
import { resumeInScope, runInScope } from "../base/ambient.js";
import { askWith, makeScope } from "./config.js";
import { isPromise, isRunnable } from "../base/callable.js";
import { END_INDEX, NOWHERE, destinationNumber } from "../plan/definition.js";
import { freshState, nodeInput } from "../plan/task-state.js";
import { fillManaged } from "../state/managed.js";
import { writeOutput } from "../plan/writes.js";

/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("../run/tasks/entries.js").Entries} Entries */
/** @typedef {import("../run/tasks/task.js").NodeTask} NodeTask */
/** @typedef {{ node: string, args?: unknown, timeout?: unknown }} Send */
/** @typedef {Record<string, unknown>} State */
/** @typedef {import("../plan/definition.js").Plan} Plan */
/** @typedef {import("../plan/definition.js").Node} Node */
/** @typedef {import("../plan/definition.js").Branch} Branch */

/** Maximum number of node names in an error text. */
const MOST_NAMED = 20;

/**
 * Runs one task.
 * @param {Plan} plan
 * @param {NodeTask} task
 * @returns {void | Promise<void>}
 */
export function runTask(plan, task) {
  const node = task.kind === TASK_CALL ? /** @type {Node} */ (task.own) : plan.nodes[task.node];
  if (task.node === 0 || task.kind === TASK_WRITERS) {
    const values = task.given === undefined ? task.run.request.context.input : task.given;
    const scope = makeScope(plan, node, task, values);
    if (plan.version !== undefined) task.writes.write(plan.version.channel, plan.version.number);
    if (task.run.request.context.traces) return traceNode(scope, finishInput);
    return node.branches.length === 0 ? finish(scope, values) : runInScope(scope, finishInput);
  }
  // A call uses its caller's slot, since the caller waits for it.
  const gate = task.kind === TASK_CALL ? undefined : task.run.request.context.gate;
  if (gate === undefined) return runNode(plan, node, task);
  return gate.enter(
    () => runNode(plan, node, task),
    task.attempt > 1 || task.failure !== undefined,
  );
}

/** @param {Plan} plan @param {Node} node @param {NodeTask} task @returns {void | Promise<void>} */
function runNode(plan, node, task) {
  const { context } = task.run.request;
  const isAside = task.own?.isAside === true;
  const retry = isAside ? node.retry : (node.retry ?? context.retry);
  const timeout = task.within ?? node.timeout;
  const isWatched = retry !== undefined || timeout !== undefined;
  const input = inputOf(plan, node, task);
  if (isWatched) task.follow(retry, task.failure === undefined ? timeout : undefined);
  if (node.isHandled) task.keeps = ERROR_ENTRIES;
  if (node.cachePolicy !== undefined) task.run.request.caching?.follow(task);
  const scope = makeScope(plan, node, task, input);
  context.messages?.markSeen(input, scope);
  return context.traces && !isAside ? traceNode(scope, attempt) : runInScope(scope, attempt);
}

/**
 * Returns the task's input. An error handler gets the failed node's input.
 * @param {Plan} plan
 * @param {Node} node
 * @param {NodeTask} task
 */
function inputOf(plan, node, task) {
  const { kind, failure } = task;
  if (failure === undefined)
    return kind === TASK_PUSH || kind === TASK_CALL
      ? task.given
      : fillManaged(plan.managed, task, nodeInput(node, /** @type {State} */ (task.input)));
  return failure.kind === TASK_PUSH
    ? task.given
    : nodeInput(plan.nodes[failure.node], task.run.readState());
}

/** @param {Scope} scope */
function finishInput(scope) {
  return finish(scope, scope.input);
}

/** @param {Scope} scope @returns {void | Promise<void>} */
function attempt(scope) {
  let output;
  try {
    output = /** @type {import("../base/callable.js").Call} */ (scope.node.call)(
      scope.input,
      scope.config,
    );
  } catch (error) {
    return finish(scope, commandOf(scope, error));
  }
  return isPromise(output) ? settleLater(scope, output) : settle(scope, output);
}

/** @param {Scope} scope @param {PromiseLike<unknown>} output @returns {Promise<void>} */
function settleLater(scope, output) {
  // A foreign thenable may lose the async context, so it is wrapped.
  return (output instanceof Promise ? output : Promise.resolve(output)).then(
    (value) => resumeInScope(scope, settle, value),
    (error) => resumeInScope(scope, finish, commandOf(scope, error)),
  );
}

/**
 * Treats a ParentCommand like a returned Command: one from a nested run (its graph is ""), or one
 * (or a plain object) that the node threw for its own parent. Rethrows other errors.
 * @param {Scope} scope
 * @param {unknown} error
 */
function commandOf(scope, error) {
  if (!isParentCommand(error) || error.command.graph === undefined) throw error;
  if (scope.trace !== undefined) scope.trace.error = error;
  return new Command(error.command);
}

/**
 * Handles a node's return value. A returned Runnable is called in place of the node.
 * @param {Scope} scope
 * @param {unknown} output
 * @returns {void | Promise<void>}
 */
function settle(scope, output) {
  if (isRunnable(output) && output.lc_runnable === true)
    return settleLater(
      scope,
      /** @type {Promise<unknown>} */ (output.invoke(scope.input, scope.config)),
    );
  if (scope.task.watch?.over) return;
  if (scope.trace !== undefined) scope.trace.output = output;
  // Conditions must see messages with ids, so nodes with conditions show them afterwards.
  const { branches, isAside } = scope.node;
  if (branches.length === 0 && isAside !== true)
    scope.task.run.request.context.messages?.showOutput(output, scope);
  return finish(scope, output);
}

/**
 * Runs the writers of a node in LangGraph's order: state, Commands, then (after the engine's edges)
 * conditions.
 * @param {Scope} scope
 * @param {unknown} output
 * @returns {void | Promise<void>}
 */
function finish(scope, output) {
  const { plan, node, task } = scope;
  if (task.run.request.context.wantsUpdates) task.raw ??= [];
  if (node.write !== undefined) return node.write(scope, output);
  const wait = writeOutput(plan, node, task, output);
  return wait === undefined
    ? leave(scope, output)
    : wait.then(() => resumeInScope(scope, leave, output));
}

/**
 * Runs the writers after the state: Commands, then conditions.
 * @param {Scope} scope
 * @param {unknown} output
 * @returns {void | Promise<void>}
 */
function leave(scope, output) {
  const { plan, node, task } = scope;
  const { messages, nested } = task.run.request.context;
  route(plan, task.writes, output, nested);
  if (node.branches.length === 0) return;
  const wait = task.writes.endsHere ? undefined : askBranches(scope, 0);
  // The input that START writes contains no new messages.
  if (messages === undefined || task.node === 0) return wait;
  return wait === undefined
    ? messages.showOutput(output, scope)
    : wait.then(() => messages.showOutput(output, scope));
}

/**
 * Routes the `goto` of Commands and a single Send.
 * @param {Plan} plan
 * @param {Entries} entries
 * @param {unknown} output
 * @param {boolean} nested
 */
function route(plan, entries, output, nested) {
  if (typeof output !== "object" || output === null) return;
  if (isSend(output)) {
    sendTo(plan, output, entries);
  } else if (isCommand(output)) {
    routeCommand(plan, entries, output, nested);
  } else if (Array.isArray(output)) {
    const commands = output.filter(isCommand);
    // A Command for the parent precludes the destinations of others.
    for (const command of commands.some(isForParent) ? commands.filter(isForParent) : commands)
      routeCommand(plan, entries, command, nested);
  }
}

/** @param {{ graph?: string }} command */
const isForParent = (command) => command.graph === PARENT;

/**
 * Routes one Command.
 * @param {Plan} plan
 * @param {Entries} entries
 * @param {import("../base/constants.js").CommandFields} command
 * @param {boolean} nested whether a parent task waits for this run
 */
export function routeCommand(plan, entries, command, nested) {
  // Without a parent the task ends, and with it the node's other destinations.
  if (isForParent(command))
    throw new ParentCommand(new Command({ ...command, graph: nested ? "" : PARENT }));
  const { goto } = command;
  if (!goto || entries.endsHere) return;
  for (const target of Array.isArray(goto) ? goto : [goto]) {
    if (isSend(target)) {
      sendTo(plan, target, entries);
    } else {
      const node = placeOf(plan, target);
      if (node !== NOWHERE && node !== END_INDEX) entries.goto(node);
    }
  }
}

/**
 * Looks up a destination that a condition or a Command names; its value becomes a string.
 * @param {Plan} plan
 * @param {unknown} target
 */
function placeOf(plan, target) {
  if (!target) throw makeError(ERR_UNKNOWN_DESTINATION);
  return destinationNumber(plan, `${target}`);
}

/**
 * Sends to a node.
 * @param {Plan} plan
 * @param {Send} send
 * @param {Entries} entries entries that receive it
 * @param {"send" | "branchSend"} [how]
 */
export function sendTo(plan, send, entries, how = "send") {
  if (send.node === END) throw makeError(ERR_SEND_TO_END);
  const node = destinationNumber(plan, send.node);
  if (node === NOWHERE) throw makeError(ERR_SEND_NODE, [`${send.node}`]);
  entries[how](node, send.args, send.timeout);
}

/**
 * Calls the conditions of a node.
 * @param {Scope} scope
 * @param {number} from index of the first condition to call
 * @returns {void | Promise<void>}
 */
function askBranches(scope, from) {
  const { plan, node, task } = scope;
  if (task.keeps !== 0) task.keeps |= ERROR_EDGES;
  for (let i = from; i < node.branches.length; i++) {
    const branch = node.branches[i];
    const state = plan.root ? freshState(plan, task)[ROOT] : freshState(plan, task);
    if (branch.isPlain) askWith(scope);
    const result =
      scope.trace !== undefined && branch.isPlain
        ? traceCondition(scope, branch.path, state)
        : branch.path(state, scope.config);
    if (isPromise(result)) return askLater(scope, result, i);
    writeBranch(scope, branch, result);
  }
}

/**
 * @param {Scope} scope
 * @param {PromiseLike<unknown>} result
 * @param {number} i
 * @returns {Promise<void>}
 */
async function askLater(scope, result, i) {
  const answer = await result;
  writeBranch(scope, scope.node.branches[i], answer);
  return resumeInScope(scope, askBranches, i + 1);
}

/** @param {Scope} scope @param {Branch} branch @param {unknown} result */
function writeBranch({ plan, node, task }, branch, result) {
  const entries = task.writes;
  entries.branch(branch.index);
  for (const target of Array.isArray(result) ? result : [result]) {
    if (isSend(target)) {
      sendTo(plan, target, entries, "branchSend");
      continue;
    }
    const number =
      branch.labels === undefined ? placeOf(plan, target) : branch.labels.get(String(target));
    if (number === undefined) throw makeError(ERR_UNKNOWN_DESTINATION);
    if (number === NOWHERE) throw nowhere(plan, node, target);
    entries.destination(number);
  }
}

/** @param {Plan} plan @param {Node} node @param {unknown} target return value of its condition */
function nowhere(plan, node, target) {
  const names = [...plan.nodeNumbers.keys()]
    .slice(1, MOST_NAMED + 1)
    .map(shown)
    .join(", ");
  return badArgument(
    `a condition of node ${shown(node.name)} returned ${shown(target)}, not ${names} or END`,
  );
}
