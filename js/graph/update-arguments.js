// SPDX-License-Identifier: MIT
// Reads the arguments of updateState and bulkUpdateState by LangGraph's rules and turns them into
// engine runs. Does not depend on what the writers of a node do.
import { END } from "../base/constants.js";
import { InvalidUpdateError, makeError } from "../base/errors.js";
import {
  AS_COPY,
  AS_DEFAULT,
  AS_END,
  AS_INPUT,
  AS_NODE,
  ERR_EMPTY_INPUT,
  ERR_UNKNOWN_NODE,
} from "../base/codes.js";

import { writeInput } from "../calls/input.js";

/** @typedef {import("../run/tasks/entries.js").Entries} Entries */

const COPY = "__copy__";
const INPUT = "__input__";

/** @typedef {import("../plan/definition.js").Plan} Plan */
/** @typedef {{ values?: unknown, asNode?: unknown }} Update */
/**
 * @typedef {{ updates: number[], updateValues: unknown[], isNull?: boolean, asTasks?: boolean,
 *   input?: (entries: Entries) => void }} UpdateRequest one run of the engine
 */

/** @param {unknown} value @returns {value is null | undefined} */
function isNothing(value) {
  return value === null || value === undefined;
}

/** @param {unknown[]} updates @param {string} doing */
function requireOne(updates, doing) {
  if (updates.length > 1) throw new InvalidUpdateError(`Cannot ${doing}`);
}

/**
 * Yields the runs of one superstep in order; each is made when it is needed.
 * @param {Plan} plan
 * @param {Update[]} updates at least one
 * @returns {Generator<UpdateRequest, void, void>}
 */
export function* requestsOf(plan, updates) {
  const [{ values, asNode }] = updates;
  if (isNothing(values) && asNode === undefined) {
    requireOne(updates, "create empty checkpoint with multiple updates");
    yield { updates: [AS_DEFAULT], updateValues: [], isNull: true };
  } else if (values === null && asNode === END) {
    requireOne(updates, "apply multiple updates when clearing state");
    yield { updates: [AS_END], updateValues: [] };
  } else if (asNode === COPY) {
    requireOne(updates, "copy checkpoint with multiple updates");
    yield { updates: [AS_COPY], updateValues: [] };
    if (isPairs(values)) yield { ...writersOf(plan, grouped(values)), asTasks: true };
  } else if (asNode === INPUT) {
    requireOne(updates, "apply multiple updates when updating as input");
    if (isNothing(values))
      throw new InvalidUpdateError(makeError(ERR_EMPTY_INPUT, ['"__start__"']).message);
    yield {
      updates: [AS_INPUT],
      updateValues: [],
      input: (entries) => writeInput(plan, entries, values),
    };
  } else {
    yield writersOf(plan, updates);
  }
}

/** @param {unknown} values @returns {values is Array<[unknown, unknown]>} */
function isPairs(values) {
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((pair) => Array.isArray(pair) && pair.length === 2)
  );
}

/**
 * Groups updates by node, in the order of first appearance.
 * @param {Array<[unknown, unknown]>} pairs
 * @returns {Update[]}
 */
function grouped(pairs) {
  /** @type {Map<unknown, Update[]>} */
  const byNode = new Map();
  for (const [values, asNode] of pairs)
    byNode.set(asNode, [...(byNode.get(asNode) ?? []), { values, asNode }]);
  return [...byNode.values()].flat();
}

/** @param {Plan} plan @param {Update[]} updates @returns {UpdateRequest} */
function writersOf(plan, updates) {
  if (updates.length > 1 && updates.some(({ asNode }) => isNothing(asNode))) {
    throw new InvalidUpdateError('"asNode" is required when applying multiple updates');
  }
  return {
    updates: updates.map(({ asNode }) => speaker(plan, asNode)),
    updateValues: updates.map(({ values }) => values),
  };
}

/**
 * Returns the engine's number of the node that an update writes as.
 * @param {Plan} plan
 * @param {unknown} asNode
 * @returns {number}
 */
function speaker(plan, asNode) {
  if (asNode === undefined) return AS_DEFAULT;
  const number = plan.nodeNumbers.get(/** @type {string} */ (asNode));
  if (number === undefined)
    throw makeError(ERR_UNKNOWN_NODE, [/** @type {string} */ (asNode).toString()]);
  return number + AS_NODE;
}
