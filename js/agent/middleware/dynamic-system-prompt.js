// SPDX-License-Identifier: MIT
// Adds to an agent's instructions before each call of its model. Does not depend on models.
import { checkArgument, shown } from "../../base/check-arguments.js";
import { SystemMessage, isSystemMessage } from "../../messages/index.js";
import { createMiddleware } from "../create-middleware.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../messages/base.js").ContentBlock} ContentBlock */

const CALL = "dynamicSystemPromptMiddleware(fn)";

/**
 * Makes a middleware whose function says what is added to the instructions of the next call.
 * @param {(state: object, runtime: unknown) => unknown} fn returns a text or a SystemMessage
 */
export function dynamicSystemPromptMiddleware(fn) {
  checkArgument(typeof fn === "function", `${CALL}: fn must be a function, not ${shown(fn)}`);
  return createMiddleware({
    name: "DynamicSystemPromptMiddleware",
    wrapModelCall: async (request, handler) => {
      const prompt = await fn(request.state, request.runtime);
      if (!isPrompt(prompt))
        throw new TypeError(
          `${CALL}: fn must return a text or a SystemMessage, not ${shown(prompt)}`,
        );
      const before = blocksOf(request.systemMessage);
      const systemMessage =
        before.length === 0 ? messageOf(prompt) : messageOf([...before, ...blocksOf(prompt)]);
      return handler({ ...request, systemMessage });
    },
  });
}

/** @param {unknown} value @returns {value is string | Message} */
const isPrompt = (value) => typeof value === "string" || isSystemMessage(value);

/** @param {string | Message | ContentBlock[]} prompt @returns {Message} */
function messageOf(prompt) {
  if (typeof prompt !== "string" && !Array.isArray(prompt)) return prompt;
  return /** @type {Message} */ (/** @type {unknown} */ (new SystemMessage({ content: prompt })));
}

/** Returns instructions as blocks. @param {string | Message} given @returns {ContentBlock[]} */
function blocksOf(given) {
  const content = typeof given === "string" ? given : given.content;
  if (Array.isArray(content)) return content;
  return content ? [{ type: "text", text: content }] : [];
}
