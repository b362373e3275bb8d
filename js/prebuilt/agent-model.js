// SPDX-License-Identifier: MIT
// Knows: how a react agent's model is made ready: tools bound by shape, prompts of all forms put in front.
// Must not know graphs or how tools are run.
import { ERR_ARGUMENT } from "../engine/codes.js";
import { makeError } from "../errors.js";
import { pipe } from "../runnable/runnable.js";
import { SystemMessage, isBaseMessage, messageType } from "../messages/index.js";
import { namedModel } from "./model-names.js";
import { PARTS } from "./together.js";


/** @typedef {(state: any, config: any) => any} Prompt what the model is called with */

/**
 * @param {any} prompt
 * @param {(state: any) => any} seen what a function or a Runnable is given
 * @param {string} wrong what an error says of it
 * @returns {Prompt}
 */
function readPrompt(prompt, seen, wrong) {
  if (prompt === undefined || prompt === null) return messagesOf;
  if (typeof prompt === "string") return withSystem(new SystemMessage(prompt));
  if (isBaseMessage(prompt) && messageType(prompt) === "system") return withSystem(prompt);
  if (typeof prompt === "function") return (state, config) => prompt(seen(state), config);
  if (typeof prompt.invoke === "function") return (state, config) => prompt.invoke(seen(state), config);
  return () => {
    throw new Error(`${wrong}: ${typeof prompt}`);
  };
}

// What a hook before the model has chosen goes to the model in the place of the conversation.
/** @param {any} state */
function messagesOf(state) {
  return state.llmInputMessages?.length > 0 ? state.llmInputMessages : state.messages;
}

/** @param {any} state */
function forModel(state) {
  if (!("llmInputMessages" in state)) return state;
  const { llmInputMessages: _chosen, ...rest } = state;
  return { ...rest, messages: messagesOf(state) };
}

/** @param {any} system @returns {Prompt} */
function withSystem(system) {
  return (state) => [system, ...messagesOf(state)];
}

/**
 * The three options that LangGraph has had for it.
 * @param {{ prompt?: any, stateModifier?: any, messageModifier?: any }} options
 * @returns {Prompt}
 */
export function promptOf({ prompt, stateModifier, messageModifier }) {
  const given = [prompt, stateModifier, messageModifier].filter((one) => one !== undefined && one !== null);
  if (given.length > 1) throw new Error("Expected only one of prompt, stateModifier, or messageModifier, got multiple values");
  return messageModifier == null ? readPrompt(given[0], forModel, "Got unexpected type for 'prompt'") : readPrompt(messageModifier, messagesOf, "Unexpected type for messageModifier");
}

/** @param {any} tool @returns {string | undefined} */
function nameOf(tool) {
  return tool?.function?.name ?? tool?.name;
}

/** The tools a model has already: LangChain keeps them in a binding's config or kwargs, ours in boundTools. @param {any} model */
function boundTools(model) {
  const candidates = [model, ...(model.steps ?? [])];
  for (const one of candidates) {
    const tools = one?.boundTools?.length > 0 ? one.boundTools : (one?.kwargs?.tools ?? one?.config?.tools);
    if (Array.isArray(tools) && tools.length > 0) return tools;
  }
  return undefined;
}

/** @param {readonly any[]} bound @param {readonly any[]} tools */
function checkBound(bound, tools) {
  if (bound.length !== tools.length) throw new Error("Number of tools in the model.bindTools() and tools passed to createReactAgent must match");
  const names = new Set(bound.map(nameOf));
  const missing = tools.map(nameOf).filter((name) => !names.has(name));
  if (missing.length > 0) {
    throw new Error(`Missing tools '${missing.join(",")}' in the model.bindTools().Tools in the model.bindTools() must match the tools passed to createReactAgent.`);
  }
}

/**
 * The model with the agent's tools.
 * @param {any} llm
 * @param {readonly any[]} tools
 * @param {"inline" | undefined} includeAgentName
 * @returns {any}
 */
export function readyModel(llm, tools, includeAgentName) {
  return naming(bindTools(typeof llm === "string" ? namedModel(llm) : llm, tools), includeAgentName);
}

/** @param {any} model @param {"inline" | undefined} includeAgentName */
function naming(model, includeAgentName) {
  if (includeAgentName !== "inline") return model; // LangGraph overlooks other words too
  return { invoke: async (/** @type {any} */ messages, /** @type {any} */ config) => (await PARTS.get()).withAgentName(model, includeAgentName).invoke(messages, config) };
}

/**
 * A model that a function has chosen for one call: who chooses binds the tools, or none; of a name that is left to us.
 * @param {any} llm
 * @param {readonly any[]} tools
 * @param {"inline" | undefined} includeAgentName
 */
export function chosenModel(llm, tools, includeAgentName) {
  if (typeof llm === "string") return readyModel(llm, tools, includeAgentName);
  if (typeof llm?.invoke !== "function") throw makeError(ERR_ARGUMENT, ["llm needs an invoke method"]);
  return naming(llm, includeAgentName);
}

// A model may stand inside LangChain's bindings and sequences.
/** @param {any} llm @param {readonly any[]} tools @returns {any} undefined: no model in there takes tools */
function withTools(llm, tools) {
  if (typeof llm?.bindTools === "function") return llm.bindTools(tools);
  if (llm?.bound !== undefined) {
    const inner = withTools(llm.bound, tools);
    return typeof inner?.withConfig === "function" ? inner.withConfig({ ...llm.kwargs, ...llm.config }) : inner;
  }
  if (!Array.isArray(llm?.steps)) return undefined;
  const ready = llm.steps.map((/** @type {any} */ step) => withTools(step, tools));
  const at = ready.findIndex((/** @type {any} */ step) => step !== undefined);
  if (at < 0) return undefined;
  return llm.steps.map((/** @type {any} */ step, /** @type {number} */ index) => (index === at ? ready[at] : step)).reduce(pipe);
}

/** The chat model inside LangChain's bindings and sequences, if there is one. @param {any} llm @returns {any} */
function innerModel(llm) {
  if (typeof llm?.withStructuredOutput === "function") return llm;
  for (const inner of [llm?.bound, ...(Array.isArray(llm?.steps) ? llm.steps : [])]) {
    const found = inner === undefined ? undefined : innerModel(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The model that answers in a form.
 * @param {any} llm
 * @param {boolean} chosen by a function: then as it is
 * @param {any} schema @param {any} options
 */
export function structuredModel(llm, chosen, schema, options) {
  const given = typeof llm === "string" ? namedModel(llm) : llm;
  const model = chosen ? given : innerModel(given);
  if (typeof model?.withStructuredOutput !== "function") throw new Error(`Expected \`llm\` to be a ChatModel with .withStructuredOutput() method, got ${given?.constructor?.name}`);
  return model.withStructuredOutput(schema, options);
}

/** @param {any} llm @param {readonly any[]} tools */
function bindTools(llm, tools) {
  const bound = llm !== null && typeof llm === "object" ? boundTools(llm) : undefined;
  if (bound !== undefined) {
    checkBound(bound, tools);
    return llm;
  }
  if (tools.length > 0) {
    const ready = withTools(llm, tools);
    if (ready === undefined) throw new Error(`llm ${llm} must define bindTools method.`);
    return ready;
  }
  if (typeof llm?.invoke !== "function") throw makeError(ERR_ARGUMENT, ["llm needs an invoke method"]);
  return llm;
}
