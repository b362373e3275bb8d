// SPDX-License-Identifier: MIT
// Combines the outputs of a step's tool calls: messages, Commands and Sends.
import { Command, PARENT, isCommand, isSend, updateTuples } from "../../base/constants.js";

/**
 * Builds the node's return value.
 * @param {unknown[]} outputs messages and Commands
 * @param {unknown} input
 * @param {string} messagesKey
 */
export function combine(outputs, input, messagesKey) {
  const wrap = (/** @type {unknown[]} */ messages) =>
    Array.isArray(input) ? messages : { [messagesKey]: messages };
  if (!outputs.some(isCommand)) return wrap(outputs);
  /** @type {unknown[]} */
  const parts = [];
  /** @type {Command[]} */
  const leaving = [];
  for (const output of outputs) {
    if (!isCommand(output)) parts.push(wrap([output]));
    else if (isParentSends(/** @type {Command} */ (output))) leaving.push(output);
    else parts.push(output);
  }
  if (leaving.length < 2) return [...parts, ...leaving];
  const update = leaving.flatMap(({ update }) => (update ? updateTuples(update) : []));
  return [
    ...parts,
    new Command({
      graph: PARENT,
      goto: leaving.flatMap(({ goto }) => goto),
      update: update[0] && update,
    }),
  ];
}

/**
 * Checks for a Command that only sends to the parent graph; several become one Command.
 * @param {Command} command
 */
function isParentSends({ graph, goto }) {
  return graph === PARENT && Array.isArray(goto) && goto.length > 0 && goto.every(isSend);
}
