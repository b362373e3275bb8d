// SPDX-License-Identifier: MIT
// Plays an agent's conversation (words, tool calls, results, an answer) by DemoModel, a small
// rule-based planner behind the interface of a chat model. It is not a language model. The same
// conversation gets the same answer. Does not depend on providers or graphs.
import { checkArgument } from "../../base/check-arguments.js";
import { AIMessage, messageType, textOf } from "../../messages/index.js";
import { abortError } from "../../base/waits.js";
import { BaseChatModelLike } from "../base.js";
import { plan } from "./plan.js";
import { tellHelp, tellMissing, tellOutcomes, tellTooLong } from "./sentences.js";
import { messagePieces } from "../scripted.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../base/callable.js").Value} Value */

const MAX_TEXT = 4000;

/** A planner of a few rules in the place of a chat model. */
export class DemoModel extends BaseChatModelLike {
  /** @param {{ tokenDelayMs?: number }} [options] */
  constructor(options) {
    super();
    const { tokenDelayMs = 15 } = options ?? {};
    if (typeof tokenDelayMs !== "number" || !(tokenDelayMs >= 0))
      throw new TypeError("DemoModel: tokenDelayMs must be 0 or more");
    this.tokenDelayMs = tokenDelayMs;
  }

  static lc_name() {
    return "DemoModel";
  }

  /**
   * @param {Message[]} messages
   * @param {Value} options
   * @returns {AsyncGenerator<unknown, unknown, void>}
   */
  async *answer(messages, options) {
    const message = await this.complete(messages, options);
    yield* messagePieces(message, this.tokenDelayMs, options.signal);
    return message;
  }

  /** @param {Message[]} messages @param {Value} options */
  async complete(messages, options) {
    if (options.signal?.aborted) throw abortError(options.signal);
    checkArgument(Array.isArray(options.tools ?? []), "config.tools must be a list of tools");
    return respond(messages, (options.tools ?? []).filter(isFunctionTool).map(cardOf));
  }
}

/** @param {Value} declared */
function isFunctionTool(declared) {
  return typeof declared?.function?.name === "string";
}

/** @param {Value} declared @returns {import("./plan.js").ToolCard} */
function cardOf({ function: { name, description, parameters } }) {
  return { name, description: description ?? "", parameters: parameters ?? {} };
}

/** @param {Message[]} messages @param {import("./plan.js").ToolCard[]} tools */
function respond(messages, tools) {
  const asked = messages.findLastIndex((message) => messageType(message) === "human");
  const outcomes = outcomesAfter(messages, asked);
  if (outcomes.length > 0) return new AIMessage(tellOutcomes(outcomes));
  const text = asked < 0 ? "" : textOf(messages[asked].content);
  if (text.length > MAX_TEXT) return new AIMessage(tellTooLong(MAX_TEXT));
  const { calls, missing } = plan(text, tools);
  if (calls.length === 0)
    return new AIMessage(missing.length > 0 ? tellMissing(missing) : tellHelp(text, tools));
  const before = messages.reduce((count, message) => count + (message.tool_calls?.length ?? 0), 0);
  const tool_calls = calls.map(({ name, args }, at) => ({
    name,
    args,
    id: `demo_${before + at + 1}`,
    type: /** @type {const} */ ("tool_call"),
  }));
  return new AIMessage({ content: tellMissing(missing), tool_calls });
}

/** @param {Message[]} messages @param {number} asked */
function outcomesAfter(messages, asked) {
  const turn = messages.slice(asked + 1);
  const results = new Map(
    turn
      .filter((message) => messageType(message) === "tool")
      .map((message) => [message.tool_call_id, message]),
  );
  const calls = turn.flatMap((message) =>
    messageType(message) === "ai"
      ? [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])]
      : [],
  );
  return calls.map(({ id, name, args }) => ({ name, args, result: results.get(id) }));
}
