// SPDX-License-Identifier: MIT
// Makes chat models that play a part in a story: what such a model says follows from what was said
// before, so a story can be told any number of times, and goes on after a restart.
import { AIMessage, textOf } from "weftgraph/messages";
import { ScriptedModel } from "weftgraph/models/scripted";

/** @typedef {import("weftgraph/messages").BaseMessage} BaseMessage */

/**
 * @param {(messages: BaseMessage[]) => { content?: string, call?: string, args?: Record<string,
 *   unknown> }} say a text, a tool to call, or both
 * @returns {ScriptedModel} its answers count about four characters as a token
 */
export function part(say) {
  const response = (/** @type {BaseMessage[]} */ messages) => {
    const { content = "", call, args = {} } = say(messages);
    const id = `${call}-${messages.length}`;
    const input_tokens = messages.reduce((sum, message) => sum + tokensOf(message), 0);
    const output_tokens = Math.ceil((content.length + JSON.stringify(args).length) / 4);
    const total_tokens = input_tokens + output_tokens;
    return new AIMessage({
      content,
      tool_calls: call === undefined ? [] : [{ name: call, args, id, type: "tool_call" }],
      usage_metadata: { input_tokens, output_tokens, total_tokens },
    });
  };
  return new ScriptedModel({ responses: [response], loop: true, tokenDelayMs: 40 });
}

/** @param {BaseMessage} message */
const tokensOf = (message) => Math.ceil(textOf(message.content).length / 4);
