// SPDX-License-Identifier: MIT
// Tells a model which agent wrote a message: puts the name into the text in LangGraph's format.
// Does not depend on agents or graphs.
import { checkArgument } from "../../base/check-arguments.js";
import { traceSequence } from "../../callbacks/trace.js";
import { AIMessage, messageType } from "../../messages/index.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../models/base.js").ModelLike} ModelLike */
/** @typedef {import("../../messages/base.js").ContentBlock} ContentBlock */

// The first opening tag always matches, up to the end if no tag closes it, so each pattern starts
// matching only once, whatever the text.
const NAME = /<name>(.*?)(<\/name>|$)/s;
const CONTENT = /<content>(.*?)(<\/content>|$)/s;

/** @param {Message} message an AI message with a name @returns {unknown} */
function nameInside(message) {
  if (messageType(message) !== "ai" || !message.name) return message;
  const { content, name } = message;
  if (typeof content === "string")
    return copyOf(message, `<name>${name}</name><content>${content}</content>`, undefined);
  const blocks = content.map((block) =>
    block?.type === "text"
      ? { ...block, text: `<name>${name}</name><content>${block.text}</content>` }
      : block,
  );
  const told = content.some((block) => block?.type === "text");
  return copyOf(
    message,
    told ? blocks : [{ type: "text", text: `<name>${name}</name><content></content>` }, ...blocks],
    undefined,
  );
}

/** @param {Message[]} messages */
function namesInside(messages) {
  return messages.map(nameInside);
}

/** @param {Message} message @returns {unknown} */
function nameTaken(message) {
  if (messageType(message) !== "ai" || !message.content) return message;
  const { content } = message;
  if (typeof content === "string") {
    const [name, text] = split(content);
    return name === undefined ? message : copyOf(message, text, name);
  }
  /** @type {string | undefined} */
  let found;
  const blocks = content.map((block) => {
    if (block?.type !== "text") return block;
    const [name, text] = split(/** @type {string} */ (block.text));
    found ??= name;
    return name === undefined ? block : { ...block, text };
  });
  return found === undefined ? message : copyOf(message, blocks, found);
}

/** @param {string} text @returns {[string | undefined, string]} */
function split(text) {
  const name = NAME.exec(text);
  const content = CONTENT.exec(text);
  return name?.[2] && content?.[2] ? [name[1], content[1]] : [undefined, text];
}

/**
 * @param {Message} message
 * @param {Message["content"]} content
 * @param {string | undefined} name
 */
function copyOf(message, content, name) {
  const {
    id,
    additional_kwargs,
    response_metadata,
    tool_calls,
    invalid_tool_calls,
    usage_metadata,
  } = message;
  return new AIMessage({
    id,
    additional_kwargs,
    response_metadata,
    tool_calls,
    invalid_tool_calls,
    usage_metadata,
    content,
    name,
  });
}

/**
 * Wraps a model so that it reads and writes agent names inside the text of AI messages.
 * @param {ModelLike} model
 * @param {"inline"} mode
 * @returns {ModelLike}
 */
export function withAgentName(model, mode) {
  checkArgument(
    typeof model?.invoke === "function",
    "withAgentName(model, mode): model must be a chat model",
  );
  checkArgument(typeof mode === "string", 'withAgentName(model, mode): mode must be "inline"');
  if (mode !== "inline")
    throw new Error(`Invalid agent name mode: ${mode}. Needs to be one of: "inline"`);
  return {
    lc_runnable: true,
    getName: () => "RunnableSequence",
    // An agent looks for tools in these steps and binds its own there.
    steps: [model],
    /** @param {ModelLike} inner */
    around: (inner) => withAgentName(inner, mode),
    /** @param {Message[]} messages @param {Config} [config] */
    invoke: async (messages, config) => {
      if (config?.callbacks === undefined)
        return nameTaken(await model.invoke(namesInside(messages), config));
      const ask = (/** @type {unknown} */ input, /** @type {unknown} */ asked) =>
        model.invoke(input, asked);
      return traceSequence(messages, config, [
        ["RunnableLambda", namesInside],
        [undefined, ask],
        ["RunnableLambda", nameTaken],
      ]);
    },
  };
}
