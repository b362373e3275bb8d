// SPDX-License-Identifier: MIT
// Knows: how one task is carried out: the node is called, what it returned becomes writes and
// destinations, then its conditions are asked. Must not know: when tasks run, what becomes of their
// writes (the engine decides).
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

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("../plan/definition.js").Plan} Plan */
/** @typedef {import("../plan/definition.js").Node} Node */
/** @typedef {import("../plan/definition.js").Branch} Branch */

/** Nodes that the text of an error lists. */
const MOST_NAMED = 20;

/**
 * @param {Plan} plan
 * @param {any} task
 * @returns {void | Promise<void>}
 */
export function runTask(plan, task) {
  const node = task.kind === TASK_CALL ? task.own : plan.nodes[task.node];
  if (task.node === 0 || task.kind === TASK_WRITERS) {
    const values = task.given === undefined ? task.run.request.context.input : task.given;
    const scope = makeScope(plan, node, task, values);
    if (plan.version !== undefined) task.writes.write(plan.version.channel, plan.version.number);
    if (task.run.request.context.traces) return traceNode(scope, finishInput);
    return node.branches.length === 0 ? finish(scope, values) : runInScope(scope, finishInput);
  }
  // A call runs in the place of its caller, who waits for it.
  const gate = task.kind === TASK_CALL ? undefined : task.run.request.context.gate;
  if (gate === undefined) return runNode(plan, node, task);
  return gate.enter(
    () => runNode(plan, node, task),
    task.attempt > 1 || task.failure !== undefined,
  );
}

/** @param {Plan} plan @param {Node} node @param {any} task @returns {void | Promise<void>} */
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
 * A handler is called with what the failed node was called with.
 * @param {Plan} plan
 * @param {Node} node
 * @param {any} task
 */
function inputOf(plan, node, task) {
  const { kind, failure } = task;
  if (failure === undefined)
    return kind === TASK_PUSH || kind === TASK_CALL
      ? task.given
      : fillManaged(plan.managed, task, nodeInput(node, task.input));
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

/** @param {Scope} scope @param {PromiseLike<Value>} output @returns {Promise<void>} */
function settleLater(scope, output) {
  // What is no promise of this realm need not carry the context along.
  return (output instanceof Promise ? output : Promise.resolve(output)).then(
    (value) => resumeInScope(scope, settle, value),
    (error) => resumeInScope(scope, finish, commandOf(scope, error)),
  );
}

/**
 * A Command that came up out of a nested run (its graph is ""), or that the node threw for its own
 * parent (a plain object too), is as if it had returned it; other errors stay errors.
 * @param {Scope} scope
 * @param {Value} error
 */
function commandOf(scope, error) {
  if (!isParentCommand(error) || /** @type {any} */ (error).command.graph === undefined)
    throw error;
  if (scope.trace !== undefined) scope.trace.error = error;
  return new Command(error.command);
}

/**
 * A node may return another Runnable: it is called in its place.
 * @param {Scope} scope
 * @param {Value} output
 * @returns {void | Promise<void>}
 */
function settle(scope, output) {
  if (isRunnable(output) && output.lc_runnable === true)
    return settleLater(scope, output.invoke(scope.input, scope.config));
  if (scope.task.watch?.over) return;
  if (scope.trace !== undefined) scope.trace.output = output;
  // Conditions see messages with their ids: behind them they are shown so.
  const { branches, isAside } = scope.node;
  if (branches.length === 0 && isAside !== true)
    scope.task.run.request.context.messages?.showOutput(output, scope);
  return finish(scope, output);
}

/**
 * The writers of a node, in LangGraph's order: state, Commands, then (after the engine's edges)
 * conditions.
 * @param {Scope} scope
 * @param {Value} output
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
 * The writers after the state: Commands, then conditions.
 * @param {Scope} scope
 * @param {Value} output
 * @returns {void | Promise<void>}
 */
function leave(scope, output) {
  const { plan, node, task } = scope;
  const { messages, nested } = task.run.request.context;
  route(plan, task.writes, output, nested);
  if (node.branches.length === 0) return;
  const wait = task.writes.endsHere ? undefined : askBranches(scope, 0);
  // What START spreads is no news.
  if (messages === undefined || task.node === 0) return wait;
  return wait === undefined
    ? messages.showOutput(output, scope)
    : wait.then(() => messages.showOutput(output, scope));
}

/**
 * The `goto` of Commands and a bare Send.
 * @param {Plan} plan
 * @param {any} entries
 * @param {Value} output
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
    // One for the parent comes before what others would go to.
    for (const command of commands.some(isForParent) ? commands.filter(isForParent) : commands)
      routeCommand(plan, entries, command, nested);
  }
}

/** @param {Value} command */
const isForParent = (command) => command.graph === PARENT;

/**
 * @param {Plan} plan
 * @param {any} entries
 * @param {Value} command
 * @param {boolean} nested does a task around this run wait for it?
 */
export function routeCommand(plan, entries, command, nested) {
  // Where nobody is there to take it, the task ends, and with it all that the node would have gone
  // to.
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
 * What a condition or a Command names, in any form: its text.
 * @param {Plan} plan
 * @param {Value} target
 */
function placeOf(plan, target) {
  if (!target) throw makeError(ERR_UNKNOWN_DESTINATION);
  return destinationNumber(plan, `${target}`);
}

/**
 * @param {Plan} plan
 * @param {Value} send
 * @param {any} entries that take it
 * @param {"send" | "branchSend"} [how]
 */
export function sendTo(plan, send, entries, how = "send") {
  if (send.node === END) throw makeError(ERR_SEND_TO_END);
  const node = destinationNumber(plan, send.node);
  if (node === NOWHERE) throw makeError(ERR_SEND_NODE, [`${send.node}`]);
  entries[how](node, send.args, send.timeout);
}

/**
 * @param {Scope} scope
 * @param {number} from the first condition to ask
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
 * @param {PromiseLike<Value>} result
 * @param {number} i
 * @returns {Promise<void>}
 */
async function askLater(scope, result, i) {
  const answer = await result;
  writeBranch(scope, scope.node.branches[i], answer);
  return resumeInScope(scope, askBranches, i + 1);
}

/** @param {Scope} scope @param {Branch} branch @param {Value} result */
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

/** @param {Plan} plan @param {Node} node @param {Value} target what its condition returned */
function nowhere(plan, node, target) {
  const names = [...plan.nodeNumbers.keys()]
    .slice(1, MOST_NAMED + 1)
    .map(shown)
    .join(", ");
  return badArgument(
    `a condition of node ${shown(node.name)} returned ${shown(target)}, not ${names} or END`,
  );
}
