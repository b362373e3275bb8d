// SPDX-License-Identifier: MIT
// Shortens a conversation to a number of tokens (LangChain's trimMessages), on request without
// tearing calls from their results. Does not depend on models.
import { checkArgument, isObject } from "../base/check-arguments.js";
import { messageType } from "./base.js";
import { coerceMessageLikeToMessage } from "./coerce.js";

/** @typedef {import("../base/callable.js").Value} Value */
/**
 * @typedef {{ maxTokens: number, tokenCounter: Value, strategy?: "first" | "last", allowPartial?:
 *   boolean, startOn?: Value, endOn?: Value, includeSystem?: boolean, textSplitter?: Value,
 *   keepToolPairs?: boolean }} TrimOptions
 * @typedef {(messages: Value[]) => number | Promise<number>} Count
 */

/**
 * @param {Value} messages without them: returns a Runnable that takes them
 * @param {TrimOptions} [options]
 * @returns {Value} a promise of the messages that remain
 */
export function trimMessages(messages, options) {
  if (Array.isArray(messages)) return trim(messages, readOptions(options));
  const read = readOptions(messages);
  return { lc_runnable: true, invoke: (/** @type {Value[]} */ input) => trim(input, read) };
}

/** @param {TrimOptions | undefined} options @returns {TrimOptions} */
function readOptions(options) {
  const what = "trimMessages(messages, options): options";
  checkArgument(isObject(options), `${what} must be an object`);
  const {
    maxTokens,
    tokenCounter,
    strategy = "last",
    startOn,
    includeSystem,
  } = /** @type {TrimOptions} */ (options);
  checkArgument(typeof maxTokens === "number", `${what}.maxTokens must be a number`);
  checkArgument(
    typeof tokenCounter === "function" || typeof tokenCounter?.getNumTokens === "function",
    `${what}.tokenCounter must be a function or a model with getNumTokens`,
  );
  checkArgument(
    strategy === "first" || strategy === "last",
    `${what}.strategy must be "first" or "last"`,
  );
  checkArgument(
    strategy === "last" || (startOn === undefined && !includeSystem),
    `${what}.startOn and includeSystem need the strategy "last"`,
  );
  return { .../** @type {TrimOptions} */ (options), strategy };
}

/** @param {Value[]} given @param {TrimOptions} options */
async function trim(given, options) {
  const messages = given.map(coerceMessageLikeToMessage);
  const count = counterOf(options.tokenCounter);
  const kept =
    options.strategy === "first"
      ? await first(messages, count, options)
      : await last(messages, count, options);
  return options.keepToolPairs ? paired(kept, messages) : kept;
}

/** @param {Value} counter @returns {Count} */
function counterOf(counter) {
  if (typeof counter === "function") return counter;
  return async (messages) => {
    const counts = await Promise.all(
      messages.map((message) => counter.getNumTokens(message.content)),
    );
    return counts.reduce((sum, one) => sum + one, 0);
  };
}

/** @param {Value[]} messages @param {Count} count @param {TrimOptions} options */
async function first(messages, count, { maxTokens, allowPartial, textSplitter, endOn }) {
  const fits = async (/** @type {Value[]} */ some) => (await count(some)) <= maxTokens;
  const most = await mostThatFit(messages.length, (length) => fits(messages.slice(0, length)));
  let kept = messages.slice(0, most);
  if (allowPartial && most < messages.length) {
    const part = await partOf(messages[most], textSplitter, false, (some) => fits([...kept, some]));
    if (part !== undefined) kept = [...kept, part];
  }
  return kept.slice(0, endOn === undefined ? undefined : kept.findLastIndex(isOf(endOn)) + 1);
}

/** @param {Value[]} given @param {Count} count @param {TrimOptions} options */
async function last(given, count, options) {
  const { maxTokens, allowPartial, textSplitter, startOn, endOn, includeSystem } = options;
  const messages =
    endOn === undefined ? given : given.slice(0, given.findLastIndex(isOf(endOn)) + 1);
  const head = includeSystem && messageType(messages[0]) === "system" ? messages.slice(0, 1) : [];
  const rest = messages.slice(head.length);
  const fits = async (/** @type {Value[]} */ some) =>
    (await count([...head, ...some])) <= maxTokens;
  const most = await mostThatFit(rest.length, (length) => fits(rest.slice(rest.length - length)));
  let kept = rest.slice(rest.length - most);
  if (allowPartial && most < rest.length) {
    const cut = rest[rest.length - most - 1];
    const part = await partOf(cut, textSplitter, true, (some) => fits([some, ...kept]));
    if (part !== undefined) kept = [part, ...kept];
  }
  if (startOn !== undefined) {
    const at = kept.findIndex(isOf(startOn));
    kept = at < 0 ? [] : kept.slice(at);
  }
  if (head.length === 0 || (await fits(kept))) return [...head, ...kept];
  // The instructions alone are too long: what fits of them remains.
  const alone = async (/** @type {Value} */ some) => (await count([some])) <= maxTokens;
  const part = allowPartial ? await partOf(head[0], textSplitter, true, alone) : undefined;
  return part === undefined ? [] : [part];
}

/**
 * Returns the largest length that fits, by halving: every longer one counts more.
 * @param {number} length
 * @param {(length: number) => Promise<boolean>} fits
 */
async function mostThatFit(length, fits) {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (await fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Returns as much of a message as fits: some of its blocks, else some of its text.
 * @param {Value} message
 * @param {Value} splitter
 * @param {boolean} fromEnd keeps its end
 * @param {(part: Value) => Promise<boolean>} fits
 * @returns {Promise<Value>} undefined if nothing fits
 */
async function partOf(message, splitter, fromEnd, fits) {
  const { content } = message;
  const isList = Array.isArray(content);
  const pieces = isList ? content : await split(content, splitter);
  const take = (/** @type {number} */ length) =>
    fromEnd ? pieces.slice(pieces.length - length) : pieces.slice(0, length);
  for (let length = pieces.length - 1; length > 0; length--) {
    const part = withContent(message, isList ? take(length) : take(length).join(""));
    if (await fits(part)) return part;
  }
  const texts = isList ? content.filter((block) => block?.type === "text") : [];
  const { text } = (fromEnd ? texts[texts.length - 1] : texts[0]) ?? {};
  return typeof text === "string"
    ? partOf(withContent(message, text), splitter, fromEnd, fits)
    : undefined;
}

/** @param {string} text @param {Value} splitter @returns {Promise<string[]>} */
async function split(text, splitter) {
  if (typeof splitter === "function") return splitter(text);
  if (typeof splitter?.splitText === "function") return splitter.splitText(text);
  const lines = text.split("\n");
  return lines.map((line, at) => (at < lines.length - 1 ? `${line}\n` : line));
}

/** @param {Value} message @param {Value} content */
export function withContent(message, content) {
  const copy = Object.assign(
    Object.create(Object.getPrototypeOf(message), Object.getOwnPropertyDescriptors(message)),
    { content },
  );
  if (Object.hasOwn(message, "lc_kwargs")) copy.lc_kwargs = { ...message.lc_kwargs, content };
  return copy;
}

/**
 * @param {Value} types a type, a class, or a list of them
 * @returns {(message: Value) => boolean}
 */
function isOf(types) {
  const wanted = Array.isArray(types) ? types : [types];
  return (message) =>
    wanted.some((one) =>
      typeof one === "string"
        ? messageType(message) === one
        : message instanceof one || messageType(message) === one.prototype?._type,
    );
}

/**
 * Drops results whose call is gone, and answers whose calls have lost a result.
 * @param {Value[]} kept
 * @param {readonly Value[]} all
 * @returns {Value[]}
 */
function paired(kept, all) {
  const answered = new Set(all.map((message) => message.tool_call_id));
  const here = new Set(kept.map((message) => message.tool_call_id));
  const known = new Set();
  return kept.filter((message) => {
    if (messageType(message) === "tool") return known.has(message.tool_call_id);
    const calls = [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])];
    if (calls.some(({ id }) => answered.has(id) && !here.has(id))) return false;
    for (const { id } of calls) known.add(id);
    return true;
  });
}
