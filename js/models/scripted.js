// SPDX-License-Identifier: MIT
// Defines ScriptedModel, which plays a list of answers written in advance, for tests of agents. It
// answers in order and fails at the end of the list. Does not depend on providers.
import { scopeOf } from "../base/ambient.js";
import { checkArgument } from "../base/check-arguments.js";
import { AIMessage, AIMessageChunk, textOf } from "../messages/index.js";
import { abortError, pauseCall } from "../base/waits.js";
import { BaseChatModelLike } from "./base.js";

/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../base/callable.js").Value} Value */

/** A chat model that plays a script. */
export class ScriptedModel extends BaseChatModelLike {
  /**
   * @param {{ responses: readonly unknown[], tokenDelayMs?: number, loop?: boolean,
   *   profile?: Record<string, Value> }} options
   */
  constructor(options) {
    super();
    const { responses, tokenDelayMs = 0, loop = false, profile = {} } = options ?? {};
    if (!Array.isArray(responses)) throw new TypeError("ScriptedModel needs a list of responses");
    checkArgument(
      typeof tokenDelayMs === "number",
      "new ScriptedModel(options): options.tokenDelayMs must be a number of ms",
    );
    this.responses = responses;
    this.tokenDelayMs = tokenDelayMs;
    this.loop = loop;
    this.profile = profile;
    // Shared by the copies that bindTools and withConfig make, so that they play one script.
    /** @type {{ messages: Message[], options: unknown }[]} */
    this.calls = [];
  }

  static lc_name() {
    return "ScriptedModel";
  }

  /**
   * @param {Message[]} messages
   * @param {Value} options
   * @returns {AsyncGenerator<unknown, unknown, void>}
   */
  async *answer(messages, options) {
    if (options.signal?.aborted) throw abortError(options.signal);
    const message = await nextResponse(this, messages, options);
    yield* messagePieces(message, this.tokenDelayMs, options.signal);
    return message;
  }

  /** @param {import("./base.js").BaseMessage[]} messages @param {Value} options */
  async complete(messages, options) {
    if (this.tokenDelayMs > 0) return super.complete(messages, options);
    if (options.signal?.aborted) throw abortError(options.signal);
    return nextResponse(this, messages, options);
  }
}

/** @param {ScriptedModel} model @param {Message[]} messages @param {NodeConfig} options */
async function nextResponse({ calls, responses, loop }, messages, options) {
  const at = calls.length;
  outlive(options);
  calls.push({ messages, options });
  if (at >= responses.length && !(loop && responses.length > 0)) {
    throw new RangeError(`The script has ${responses.length} responses; this is call ${at + 1}`);
  }
  const entry = responses[at % responses.length];
  const response = typeof entry === "function" ? await entry(messages, options) : entry;
  if (response instanceof Error) throw response;
  return typeof response === "string" || Array.isArray(response)
    ? new AIMessage(response)
    : new AIMessage({ ...response });
}

/**
 * Makes a node's config say after its run what it says in it. It makes its fields when they are
 * read, from its task, which knows afterwards only what was asked of it in the run; to copy all
 * fields takes longer than the agent's run around it.
 * @typedef {{ executionInfo?: unknown }} NodeConfig
 * @param {NodeConfig} options
 */
function outlive(options) {
  void scopeOf(options)?.task.step;
  void options.executionInfo;
}

/**
 * Yields a whole message in chunks: text word by word, then each tool call in one chunk.
 * @param {Value} message
 * @param {number} delayMs
 * @param {AbortSignal | undefined} signal
 * @returns {AsyncGenerator<Value, void, void>}
 */
export async function* messagePieces(message, delayMs, signal) {
  checkArgument(
    Array.isArray(message?.tool_calls) && Array.isArray(message.invalid_tool_calls),
    "messagePieces(message): message must be an AIMessage",
  );
  checkArgument(
    typeof delayMs === "number",
    "messagePieces(message, delayMs): delayMs must be a number of ms",
  );
  for (const token of wordsOf(textOf(message.content))) {
    if (delayMs > 0) await pauseCall(delayMs, signal);
    if (signal?.aborted) throw abortError(signal);
    yield new AIMessageChunk({ content: token, id: message.id });
  }
  let index = 0;
  for (const { name, args, id } of [...message.tool_calls, ...message.invalid_tool_calls]) {
    const text = typeof args === "string" ? args : JSON.stringify(args);
    yield new AIMessageChunk({
      content: "",
      id: message.id,
      tool_call_chunks: [{ name, args: text, id, index: index++, type: "tool_call_chunk" }],
    });
  }
  if (message.usage_metadata)
    yield new AIMessageChunk({
      content: "",
      id: message.id,
      usage_metadata: message.usage_metadata,
    });
}

/**
 * Cuts before the blanks between words; those at the end stay with the last word. A text of blanks
 * has no words.
 * @param {string} text
 */
function wordsOf(text) {
  const end = text.trimEnd().length;
  if (end === 0) return [];
  const words = text.slice(0, end).split(/(?<=\S)(?=\s)/);
  words.push(words.pop() + text.slice(end));
  return words;
}
