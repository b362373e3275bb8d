// SPDX-License-Identifier: MIT
// Tells what came of orders: done, rejected by the person, failed. Must not know: rules for
// sentences.

/** @typedef {{ name: string, args: any, result: string, isDone: boolean }} Outcome */

const REJECTED = /^The user rejected the call of "[^"]*"; it was not run\. Reason: (.*)$/s;

/**
 * The calls among messages with what came of them.
 * @param {any[]} messages
 * @returns {Outcome[]}
 */
function outcomesIn(messages) {
  const results = new Map(
    messages
      .filter((message) => message.getType() === "tool")
      .map((message) => [message.tool_call_id, message]),
  );
  return messages
    .filter((message) => message.getType() === "ai")
    .flatMap((message) => [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])])
    .map(({ id, name, args }) => {
      const message = results.get(id);
      const result = String(message?.text ?? "").trim();
      const isDone = message !== undefined && message.status !== "error" && !REJECTED.test(result);
      return { name, args, result, isDone };
    });
}

/** Calls of a tool that were done. @param {any[]} messages @param {string | undefined} name */
export function doneCalls(messages, name) {
  return outcomesIn(messages).filter((outcome) => outcome.isDone && outcome.name === name);
}

/** @param {any[]} turn the messages since the person's @returns {string | undefined} */
export function tellOutcomes(turn) {
  const outcomes = outcomesIn(turn);
  return outcomes.length === 0 ? undefined : outcomes.map(tell).join("\n");
}

/** @param {Outcome} outcome */
function tell({ result, isDone }) {
  const rejected = REJECTED.exec(result);
  if (rejected !== null) {
    const reason = rejected[1].trim();
    return reason === "none was given"
      ? "The order was not placed: you rejected it."
      : `The order was not placed, because you said: ${sentence(reason)}`;
  }
  if (!isDone) return `The order was not placed: ${sentence(plainError(result))}`;
  return `The order is placed: ${sentence(result)}`;
}

/** @param {string} text */
function plainError(text) {
  return (
    text.replace(/^error:\s*/i, "").replace(/\s*please fix your mistakes\.?\s*$/i, "") ||
    "no reason was given"
  );
}

/** @param {string} text */
function sentence(text) {
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}
