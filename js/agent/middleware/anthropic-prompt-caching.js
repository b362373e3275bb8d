// SPDX-License-Identifier: MIT
// Makes Anthropic's service keep the beginning of a conversation, which costs less the next time.
import { checkArgument, isObject, refuseUnknown } from "../../base/check-arguments.js";
import { createMiddleware } from "../create-middleware.js";

const CALL = "anthropicPromptCachingMiddleware(options)";
const OPTIONS = ["enableCaching", "ttl", "minMessagesToCache", "unsupportedModelBehavior"];
/** LangChain's name of Anthropic's models, which Weft's has too. */
const ANTHROPIC = "ChatAnthropic";
const LIVES = ["5m", "1h"];
const BEHAVIORS = ["ignore", "warn", "raise"];

/**
 * Makes a middleware that marks what the service keeps.
 * @param {import("../../types/agent/middleware.js").AnthropicPromptCachingOptions} [options]
 */
export function anthropicPromptCachingMiddleware(options = {}) {
  checkArgument(isObject(options), `${CALL}: options must be an object`);
  refuseUnknown(options, CALL, OPTIONS);
  const {
    enableCaching = true,
    ttl = "5m",
    minMessagesToCache = 3,
    unsupportedModelBehavior = "warn",
  } = options;
  checkArgument(
    typeof enableCaching === "boolean",
    `${CALL}: options.enableCaching must be true or false`,
  );
  checkArgument(LIVES.includes(ttl), `${CALL}: options.ttl must be "5m" or "1h"`);
  checkArgument(
    typeof minMessagesToCache === "number" && minMessagesToCache >= 0,
    `${CALL}: options.minMessagesToCache must be a number from 0 on`,
  );
  checkArgument(
    BEHAVIORS.includes(unsupportedModelBehavior),
    `${CALL}: options.unsupportedModelBehavior must be "ignore", "warn" or "raise"`,
  );
  return createMiddleware({
    name: "PromptCachingMiddleware",
    wrapModelCall: (request, handler) => {
      if (!enableCaching) return handler(request);
      if (!isAnthropic(request.model)) {
        const text = `Prompt caching is Anthropic's; the agent's model is ${modelName(request.model)}.`;
        if (unsupportedModelBehavior === "raise") throw new Error(text);
        if (unsupportedModelBehavior === "warn") console.warn(text);
        return handler(request);
      }
      const hasSystem = request.systemPrompt !== undefined && request.systemPrompt !== "";
      if (request.messages.length + (hasSystem ? 1 : 0) < minMessagesToCache)
        return handler(request);
      const cache_control = { type: "ephemeral", ttl };
      return handler({ ...request, modelSettings: { ...request.modelSettings, cache_control } });
    },
  });
}

/** @param {unknown} model */
function isAnthropic(model) {
  return typeof model === "string"
    ? model.startsWith("anthropic:")
    : modelName(model) === ANTHROPIC;
}

/** @param {unknown} model @returns {string} */
function modelName(model) {
  if (typeof model === "string") return model;
  const { getName } = /** @type {{ getName?: unknown }} */ (model ?? {});
  return typeof getName === "function" ? String(getName.call(model)) : "another";
}
