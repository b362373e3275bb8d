// SPDX-License-Identifier: MIT
// Reads and writes calls of custom tools, which take words in place of an object, as calls of
// functions with `input`. Does not depend on requests.
import { CUT } from "../answer-parts.js";
import { firstOf, listOf, textOrNone } from "../shapes.js";
import { Answer } from "./answer.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

/** Says in a call's `extras`, where services keep what they need back, what its tool is. */
const MARK = { openai: { type: "custom" } };

/** Joins the chunks of one answer, which may call custom tools. */
export class CustomAnswer extends Answer {
  /** The ends of the calls whose words may go on. @type {Map<unknown, Fields>} */
  #ends = new Map();

  /** @param {unknown} given */
  add(given) {
    const data = /** @type {Fields} */ (given);
    const choice = firstOf(data?.choices, "`choices`");
    // The pieces of a stream count, also if it ends with the whole message.
    const key = choice?.message && this.#ends.size === 0 ? "message" : "delta";
    const said = choice?.[key] ?? {};
    const calls = listOf(said.tool_calls, "`tool_calls`").map((call) => this.#functionCall(call));
    // Any text is valid as words: those that were cut off must not be run.
    if (choice?.finish_reason && !CUT.includes(choice.finish_reason)) {
      calls.push(...this.#ends.values());
      this.#ends.clear();
    }
    if (calls.length === 0) return super.add(given);
    const read = { ...choice, [key]: { ...said, tool_calls: calls } };
    return super.add({ ...data, choices: [read] });
  }

  /** @param {Fields} piece of a call */
  #functionCall(piece) {
    const { id, index, custom } = piece ?? {};
    if (!custom) return piece;
    const key = index ?? id;
    const start = this.#ends.has(key) ? "" : '{"input":"';
    if (start !== "") this.#ends.set(key, { id, index, function: { arguments: '"}' } });
    // As a part of a text in JSON.
    const words = JSON.stringify(textOrNone(custom.input, "a call's `input`") ?? "").slice(1, -1);
    const called = { name: custom.name, arguments: start + words };
    return { id, index, function: called, extra_content: MARK };
  }
}

/** Returns the messages with calls of custom tools in their form. @param {Fields[]} messages */
export function withCustomCalls(messages) {
  return messages.map((message) =>
    message.tool_calls === undefined
      ? message
      : { ...message, tool_calls: message.tool_calls.map(customCall) },
  );
}

/** @param {Fields} call @returns {Fields} */
function customCall(call) {
  const { id, extra_content, function: called } = call;
  if (extra_content?.openai?.type !== MARK.openai.type) return call;
  const { input = "" } = JSON.parse(called.arguments);
  return { id, type: "custom", custom: { name: called.name, input } };
}
