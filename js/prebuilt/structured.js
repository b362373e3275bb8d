// SPDX-License-Identifier: MIT
// Knows: how a react agent's model gives the answer in the form that was asked for. Loaded when an agent has one.
import { SystemMessage } from "../messages/index.js";
import { namedModel } from "./model-names.js";

/**
 * @param {any} options of createReactAgent
 * @param {typeof import("./agent-model.js").readyModel} readyModel
 * @param {any} state
 * @param {any} config
 */
export async function structuredAnswer({ llm, responseFormat, includeAgentName }, readyModel, state, config) {
  const wrapped = typeof responseFormat === "object" && responseFormat !== null && "schema" in responseFormat && typeof responseFormat.parse !== "function";
  const { prompt, schema, ...rest } = wrapped ? responseFormat : { schema: responseFormat };
  const chosen = typeof llm === "function";
  const model = structuredModel(chosen ? await llm(state, config) : llm, chosen, schema, wrapped ? rest : undefined);
  const ready = await readyModel(model, [], includeAgentName);
  const messages = prompt === undefined ? state.messages : [new SystemMessage(prompt), ...state.messages];
  return { structuredResponse: await ready.invoke(messages, config) };
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
function structuredModel(llm, chosen, schema, options) {
  const given = typeof llm === "string" ? namedModel(llm) : llm;
  const model = chosen ? given : innerModel(given);
  if (typeof model?.withStructuredOutput !== "function") throw new Error(`Expected \`llm\` to be a ChatModel with .withStructuredOutput() method, got ${given?.constructor?.name}`);
  return model.withStructuredOutput(schema, options);
}
