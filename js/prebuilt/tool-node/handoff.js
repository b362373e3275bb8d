// SPDX-License-Identifier: MIT
// Recognizes handoffs and answers the calls beside them. Does not depend on agents.
import { Command, PARENT, isCommand } from "../../base/constants.js";
import { ToolMessage, isBaseMessage } from "../../messages/index.js";

/** @typedef {import("../../messages/base.js").Message} Message */

/**
 * A Command that hands the conversation to an agent of the parent graph.
 * @typedef {{ graph: string, goto: string | string[], update: { messages: Message[], activeAgent:
 *   string } }} Handoff
 */

/** @param {unknown} output @returns {output is Handoff} */
function isHandoff(output) {
  if (!isCommand(output)) return false;
  const { graph, goto: target, update } = output;
  return (
    graph === PARENT &&
    Array.isArray(update?.messages) &&
    update.activeAgent !== undefined &&
    target?.[0] === update.activeAgent
  );
}

/**
 * Puts the answers of the other calls into a handoff; of several handoffs the first counts.
 * @param {unknown[]} outputs messages and Commands of one ToolNode
 * @returns {unknown[]}
 */
export function joinHandoff(outputs) {
  const first = outputs.find((output) => isHandoff(output));
  if (first === undefined) return outputs;
  const { update } = first;
  const target = update.activeAgent;
  const answers = new Map();
  for (const output of outputs) {
    if (isBaseMessage(output)) answers.set(output.tool_call_id, output);
    else if (output !== first && isHandoff(output)) {
      const { name, tool_call_id: id } = output.update.messages[output.update.messages.length - 1];
      answers.set(
        id,
        new ToolMessage({
          content: `Not transferred: the conversation was handed to ${target}.`,
          name,
          tool_call_id: id,
          status: "error",
        }),
      );
    }
  }
  const messages = update.messages.map((message) => answers.get(message.tool_call_id) ?? message);
  // Keeps an output that has no place in the handoff, as without a handoff.
  const rest = outputs.filter(
    (output) => !messages.includes(/** @type {Message} */ (output)) && !isHandoff(output),
  );
  return [...rest, new Command({ graph: PARENT, goto: target, update: { ...update, messages } })];
}
