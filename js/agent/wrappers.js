// SPDX-License-Identifier: MIT
// Composes what middlewares wrap around calls of the model and of tools: the first middleware's is
// the outermost, and each may change the request, call on several times, or answer itself. Does not
// depend on models, tools or graphs.
import { isCommand } from "../base/constants.js";
import { shown } from "../base/check-arguments.js";
import { isBaseMessage, messageType } from "../messages/index.js";
import { MiddlewareError } from "./errors.js";
import { promptText, systemMessageOf } from "./model-call.js";
import { runtimeOf } from "./runtime.js";

/** @typedef {import("../base/constants.js").Command} Command */
/** @typedef {import("../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../prebuilt/tool-calls/open-calls.js").OpenCall} OpenCall */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("./create-middleware.js").Middleware} Middleware */
/**
 * @typedef {{ model: unknown, messages: readonly Message[], systemPrompt: string, systemMessage:
 *   Message, tools: readonly ToolLike[], toolChoice?: unknown, state: object, runtime: unknown,
 *   responseFormat?: unknown, modelSettings?: Record<string, unknown> }} ModelRequest
 */
/**
 * @typedef {{ toolCall: OpenCall, tool: ToolLike | undefined, state: unknown, runtime: unknown }}
 *   ToolRequest
 */
/** @typedef {(request: ToolRequest) => Promise<unknown>} RunTool */
/** @typedef {(request: ModelRequest) => Promise<Message>} AskModel */

/**
 * Asks the model through the middlewares' wrappers.
 * @param {readonly Middleware[]} middlewares those with wrapModelCall
 * @param {ModelRequest} request
 * @param {Config} config of the node
 * @param {AskModel} ask calls the model
 * @param {(tools: readonly ToolLike[], name: string) => void} checkTools refuses unknown tools
 * @returns {Promise<{ answer: Message, commands: Command[] }>} the Commands that wrappers returned
 *   instead of an answer, the innermost first
 */
export async function wrapModel(middlewares, request, config, ask, checkTools) {
  /** @type {Command[]} */
  const commands = [];
  /** @type {Message | undefined} the last answer of the model */
  let last;
  /** @type {AskModel} */
  const innermost = async (asked) => (last = await ask(asked));
  const answer = await middlewares.reduceRight(
    (/** @type {AskModel} */ inner, middleware) => async (given) => {
      const { name, contextSchema } = middleware;
      const own = { ...given, runtime: runtimeOf(config, contextSchema) };
      const before = commands.length;
      const handler = async (/** @type {ModelRequest | undefined} */ passed) => {
        commands.length = before; // a repeated call replaces the one before
        const changed = passed === undefined ? own : withPrompt(passed, own);
        if (changed.tools !== own.tools) checkTools(changed.tools, name);
        return inner(changed);
      };
      try {
        const result = await middleware.wrapModelCall?.(own, handler);
        if (isMessageOf(result, "ai")) return result;
        if (!isCommand(result) || last === undefined)
          throw invalidResponse("wrapModelCall", name, "AIMessage", result);
        commands.push(result);
        return last;
      } catch (error) {
        commands.length = before;
        throw MiddlewareError.wrap(error, name);
      }
    },
    innermost,
  )(request);
  return { answer, commands };
}

/**
 * @param {string} wrapper @param {string} name of the middleware
 * @param {string} expected @param {unknown} result
 */
function invalidResponse(wrapper, name, expected, result) {
  return new TypeError(
    `Invalid response from "${wrapper}" in middleware "${name}": expected ${expected} or Command, got ${shown(result)}`,
  );
}

/** @param {unknown} value @param {string} type @returns {value is Message} */
function isMessageOf(value, type) {
  return isBaseMessage(value) && messageType(value) === type;
}

/**
 * Makes the two forms of the instructions say the same again.
 * @param {ModelRequest} passed @param {ModelRequest} given
 * @returns {ModelRequest}
 */
function withPrompt(passed, given) {
  const isText = passed.systemPrompt !== given.systemPrompt;
  const isMessage = passed.systemMessage !== given.systemMessage;
  if (isText && isMessage)
    throw new Error("Cannot change both systemPrompt and systemMessage in the same request.");
  if (isText)
    return {
      ...passed,
      systemMessage: systemMessageOf(passed.systemPrompt),
    };
  return isMessage ? { ...passed, systemPrompt: promptText(passed.systemMessage) } : passed;
}

/**
 * Composes the middlewares' wrappers of tool calls for a ToolNode.
 * @param {readonly Middleware[]} middlewares those with wrapToolCall
 */
export function wrapTools(middlewares) {
  return async (/** @type {ToolRequest} */ given, /** @type {RunTool} */ run) => {
    const config = /** @type {Config} */ (given.runtime);
    const { lg_tool_call: _call, ...state } = /** @type {Record<string, unknown>} */ (
      given.state ?? {}
    );
    const request = { ...given, state: Array.isArray(given.state) ? given.state : state };
    /** @type {unknown} the failure of the tool itself, which stays as it is */
    let failure;
    return middlewares.reduceRight(
      (/** @type {RunTool} */ inner, middleware) => async (/** @type {ToolRequest} */ asked) => {
        const { name, contextSchema } = middleware;
        const own = { ...asked, runtime: runtimeOf(config, contextSchema) };
        try {
          const result = await middleware.wrapToolCall?.(
            own,
            async (/** @type {ToolRequest | undefined} */ passed) => inner(passed ?? own),
          );
          if (isMessageOf(result, "tool") || isCommand(result)) return result;
          throw invalidResponse("wrapToolCall", name, "ToolMessage", result);
        } catch (error) {
          throw error === failure ? error : MiddlewareError.wrap(error, name);
        }
      },
      async (asked) => {
        try {
          return await run({ ...given, toolCall: asked.toolCall, tool: asked.tool });
        } catch (error) {
          failure = error;
          throw error;
        }
      },
    )(request);
  };
}
