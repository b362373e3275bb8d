// SPDX-License-Identifier: MIT
// The node of an agent that asks the model: through the middlewares' wrappers, with the tools, the
// instructions and the form of the answer. Does not depend on the graph's edges.
import { named } from "../prebuilt/agent/agent-model.js";
import { Binder, askModel, modelOf, promptText } from "./model-call.js";
import { JUMP } from "./agent-state.js";
import { readResponseFormat } from "./response-format.js";
import { structuredUpdate } from "./structured-update.js";
import { wrapModel } from "./wrappers.js";

/** @typedef {import("../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("./create-middleware.js").AgentState} AgentState */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("./response-format.js").ResponseFormat} ResponseFormat */
/** @typedef {import("./wrappers.js").ModelRequest} ModelRequest */
/**
 * Parts of an agent. `tools`: what the model may call; `node`: runs those that are no tools of the
 * provider; `isDynamic`: whether a wrapper may run other tools; `wrapping`: the middlewares with
 * wrapModelCall; `system`: the instructions, empty without any.
 * @typedef {{ options: import("./react-agent.js").Options, tools: readonly ToolLike[], node:
 *   import("../prebuilt/tool-node/tool-node.js").ToolNode | undefined, isDynamic: boolean,
 *   wrapping: readonly import("./create-middleware.js").Middleware[], system: Message }} Parts
 */

/** @param {Parts} parts */
export function modelNode(parts) {
  const { options, tools, wrapping, system } = parts;
  const { name = "model", model } = options;
  const binder = new Binder(options.includeAgentName);
  const formats = new Formats(tools);
  const systemPrompt = promptText(system);
  return async (/** @type {AgentState} */ given, /** @type {Config} */ config) => {
    const { [JUMP]: _jump, ...state } = given;
    /** @type {ResponseFormat | undefined} the form that the model was asked for last */
    let format;
    /** @type {import("./response-format.js").Fit | undefined} of that model */
    let fit;
    const ask = async (/** @type {ModelRequest} */ request) => {
      format = formats.of(request);
      const { model: asked, tools: offered, toolChoice, modelSettings: settings } = request;
      const native = format?.provider === undefined ? undefined : modelOf(asked);
      fit = native?.fitOutput?.bind(native);
      const bound = binder.bind({ model: asked, tools: offered, toolChoice, settings, format });
      const answer = await askModel(bound, request.systemMessage, request.messages, config);
      return named(answer, name);
    };
    const { responseFormat } = options;
    /** @type {ModelRequest} */
    const request = {
      model,
      messages: state.messages,
      systemPrompt,
      systemMessage: system,
      tools,
      state,
      runtime: undefined,
      responseFormat,
    };
    if (wrapping.length === 0) return structuredUpdate(await ask(request), format, fit);
    const checkTools = (/** @type {readonly ToolLike[]} */ list, /** @type {string} */ who) =>
      refuseUnknown(list, parts, who);
    const { answer, commands } = await wrapModel(wrapping, request, config, ask, checkTools);
    const update = await structuredUpdate(named(answer, name), format, fit);
    return commands.length === 0 ? update : [update, ...commands];
  };
}

/** The forms of an agent's answer, each read once for models with and without native output. */
class Formats {
  /** @type {WeakMap<object, ResponseFormat>[]} */
  #read = [new WeakMap(), new WeakMap()];
  #names;

  /** @param {readonly ToolLike[]} tools */
  constructor(tools) {
    this.#names = new Set(tools.map((tool) => tool?.name));
  }

  /** @param {ModelRequest} request @returns {ResponseFormat | undefined} */
  of({ responseFormat: given, model, tools }) {
    if (!given) return undefined;
    const { structuredOutput, structuredOutputWithTools: both } = modelOf(model).profile ?? {};
    // Some services refuse their own structured output together with tools.
    const isNative = structuredOutput === true && (both !== false || !tools?.length);
    const known = this.#read[isNative ? 1 : 0];
    const key = /** @type {object} */ (given);
    const format =
      known.get(key) ?? readResponseFormat(given, isNative, (name) => this.#names.has(name));
    known.set(key, format);
    return format;
  }
}

/**
 * Refuses tools that nothing would run.
 * @param {readonly ToolLike[]} tools
 * @param {Parts} parts
 * @param {string} who the middleware that passed them
 */
function refuseUnknown(tools, { tools: known, isDynamic }, who) {
  if (isDynamic) return;
  const unknown = tools.filter(
    (tool) =>
      typeof tool?.invoke === "function" &&
      !known.some((other) => other === tool || other?.name === tool.name),
  );
  if (unknown.length > 0)
    throw new Error(
      `You have added a new tool in "wrapModelCall" hook of middleware "${who}": ${unknown.map(({ name }) => name).join(", ")}. This is not supported unless a middleware provides a "wrapToolCall" handler to execute it.`,
    );
}
