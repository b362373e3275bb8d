// SPDX-License-Identifier: MIT
// Knows: how a react agent's model is made ready: tools bound by shape, prompts of all forms put in front.
// Must not know graphs or how tools are run.
import { ERR_ARGUMENT } from "../engine/codes.js";
import { makeError } from "../errors.js";
import { pipe } from "../runnable/runnable.js";
import { SystemMessage, isBaseMessage } from "../messages/index.js";
import { namedModel } from "./model-names.js";
import { PARTS } from "./together.js";


/** @typedef {(state: any, config: any) => any} Prompt what the model is called with */

/**
 * @param {any} prompt
 * @returns {Prompt}
 */
export function readPrompt(prompt) {
  if (prompt === undefined || prompt === null) return messagesOf;
  if (typeof prompt === "string") return withSystem(new SystemMessage(prompt));
  if (isBaseMessage(prompt)) return withSystem(prompt);
  if (typeof prompt === "function") return (state, config) => prompt(forModel(state), config);
  if (typeof prompt.invoke === "function") return (state, config) => prompt.invoke(forModel(state), config);
  return () => {
    throw new Error(`Got unexpected type for 'prompt': ${typeof prompt}`);
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
  if (typeof messageModifier === "function") return (state) => messageModifier(messagesOf(state));
  if (typeof messageModifier?.invoke === "function" && !isBaseMessage(messageModifier)) return (state, config) => messageModifier.invoke(messagesOf(state), config);
  return readPrompt(given[0]);
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
