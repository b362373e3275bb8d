// SPDX-License-Identifier: MIT
// Prepares the model of a react agent: binds tools by the model's shape and puts prompts of all
// forms in front of the messages. Does not depend on graphs or on how tools run.
import { ERR_ARGUMENT } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { isPromise, isRunnable } from "../../base/callable.js";
import { SystemMessage, isBaseMessage, messageType } from "../../messages/index.js";
import { adaptSDKModel, looksLikeSDKModel } from "../../models/sdk-models.js";
import { coerce, pipe } from "../../runnable/runnable.js";
import { namedModel } from "./model-names.js";
import { withAgentName } from "./agent-name.js";
import { bindInside } from "./bound-model.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../models/base.js").ModelLike} ModelLike */
/**
 * @typedef {{ messages: Message[], llmInputMessages?: Message[], [key: string]: unknown }}
 *   AgentState
 */
/** @typedef {(state: AgentState, config: unknown) => unknown} Prompt builds the model's input */

/**
 * Turns a prompt option into a function that builds the model's input.
 * @param {unknown} prompt
 * @param {(state: AgentState) => unknown} seen selects what a prompt function or Runnable receives
 * @param {string} wrong error text for an unsupported type
 * @returns {Prompt}
 */
function readPrompt(prompt, seen, wrong) {
  if (prompt === undefined || prompt === null) return messagesOf;
  if (typeof prompt === "string") return withSystem(new SystemMessage(prompt));
  if (isBaseMessage(prompt) && messageType(prompt) === "system") return withSystem(prompt);
  if (typeof prompt === "function") return (state, config) => prompt(seen(state), config);
  if (isRunnable(prompt)) {
    const runnable = /** @type {import("../../base/callable.js").RunnableLike} */ (prompt);
    return (state, config) => runnable.invoke(seen(state), config);
  }
  return failing(`${wrong}: ${typeof prompt}`);
}

/** Reports a wrong prompt only when the model is called. @param {string} text @returns {Prompt} */
function failing(text) {
  return () => {
    throw new Error(text);
  };
}

/** @param {AgentState} state */
function messagesOf(state) {
  return state.messages;
}

/**
 * Replaces the conversation by the messages that a pre-model hook chose for the model.
 * @param {AgentState} state
 */
export function forModel(state) {
  if (!("llmInputMessages" in state)) return state;
  const { llmInputMessages: chosen, ...rest } = state;
  return chosen !== undefined && chosen.length > 0 ? { ...rest, messages: chosen } : rest;
}

/** @param {unknown} system @returns {Prompt} */
function withSystem(system) {
  return ({ messages }) => [system, ...messages];
}

/**
 * Reads LangGraph's three names of the prompt option; at most one may be set.
 * @param {{ prompt?: unknown, stateModifier?: unknown, messageModifier?: unknown }} options
 * @returns {Prompt}
 */
export function promptOf({ prompt, stateModifier, messageModifier }) {
  const given = [prompt, stateModifier, messageModifier].filter(
    (one) => one !== undefined && one !== null,
  );
  if (given.length > 1)
    return failing(
      "Expected only one of prompt, stateModifier, or messageModifier, got multiple values",
    );
  return messageModifier == null
    ? readPrompt(given[0], (state) => state, "Got unexpected type for 'prompt'")
    : readPrompt(messageModifier, messagesOf, "Unexpected type for messageModifier");
}

/**
 * Returns the tools already bound to a model: LangChain keeps them in a binding's config or kwargs,
 * Weft in boundTools.
 * @param {ModelLike} model
 */
export function boundTools(model) {
  const candidates = [model, ...(model.steps ?? [])];
  for (const one of candidates) {
    const tools =
      one?.boundTools?.length > 0 ? one.boundTools : (one?.kwargs?.tools ?? one?.config?.tools);
    if (Array.isArray(tools)) return tools;
  }
  return undefined;
}

/**
 * Makes the model of a name or of the AI SDK; others stay as they are.
 * @param {unknown} llm
 * @returns {unknown}
 */
export function madeModel(llm) {
  if (typeof llm === "string") return namedModel(llm);
  return adaptSDKModel(llm);
}

/**
 * Returns the model with the agent's tools bound; a promise when the model brings tools of its own,
 * is wrapped by another, is a name or the AI SDK's.
 * @param {unknown} llm
 * @param {readonly unknown[]} tools
 * @param {"inline" | undefined} includeAgentName
 * @returns {ModelLike | Promise<ModelLike>}
 */
export function readyModel(llm, tools, includeAgentName) {
  const bound = bindTools(madeModel(llm), tools);
  return isPromise(bound)
    ? bound.then((model) => naming(model, includeAgentName))
    : naming(bound, includeAgentName);
}

/**
 * @param {ModelLike} model
 * @param {"inline" | undefined} includeAgentName
 * @returns {ModelLike}
 */
function naming(model, includeAgentName) {
  if (includeAgentName !== "inline") return model; // LangGraph ignores other values too
  return {
    invoke: async (/** @type {Message[]} */ messages, /** @type {Config} */ config) =>
      withAgentName(model, includeAgentName).invoke(messages, config),
  };
}

/**
 * Prepares a model that a function chose for one call. The function binds the tools itself, except
 * for a model given by name or of the AI SDK.
 * @param {unknown} llm
 * @param {readonly unknown[]} tools
 * @param {"inline" | undefined} includeAgentName
 */
export function chosenModel(llm, tools, includeAgentName) {
  if (typeof llm === "string" || looksLikeSDKModel(llm))
    return readyModel(llm, tools, includeAgentName);
  return naming(
    isModel(llm)
      ? llm
      : typeof llm === "function"
        ? { invoke: /** @type {ModelLike["invoke"]} */ (llm) }
        : /** @type {ModelLike} */ (coerce(llm)),
    includeAgentName,
  );
}

/** @param {unknown} llm @returns {llm is ModelLike} */
function isModel(llm) {
  return typeof (/** @type {Partial<ModelLike> | null | undefined} */ (llm)?.invoke) === "function";
}

/**
 * @param {unknown} given
 * @param {readonly unknown[]} tools
 * @returns {ModelLike | Promise<ModelLike>}
 */
function bindTools(given, tools) {
  const llm = /** @type {ModelLike | null | undefined} */ (given);
  const bound = typeof llm === "object" && llm !== null ? boundTools(llm) : undefined;
  const takesTools = typeof llm?.bindTools === "function";
  if (bound !== undefined || (!takesTools && tools.length > 0))
    return bindInside(
      /** @type {ModelLike} */ (llm),
      bound,
      tools,
      /** @type {import("./bound-model.js").Pipe} */ (pipe),
    );
  if (takesTools) return llm.bindTools(tools);
  if (!isModel(llm)) throw makeError(ERR_ARGUMENT, ["llm has no invoke"]);
  return llm;
}

/**
 * Gives an answer the name of its agent.
 * @param {Message} answer
 * @param {string | undefined} name
 */
export function named(answer, name) {
  if (answer.name !== name) {
    answer.name = name;
    if (Object.hasOwn(answer, "lc_kwargs")) answer.lc_kwargs.name = name;
  }
  return answer;
}
