// SPDX-License-Identifier: MIT
// Gets a react agent's final answer in the requested form. Loaded when an agent has a
// responseFormat.
import { SystemMessage } from "../../messages/index.js";
import { madeModel } from "./agent-model.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../models/base.js").ModelLike} ModelLike */

/** Error text of LangGraph.js. */
const UNPARSED =
  "Failed to parse structured response against the provided `responseFormat` schema: the structured-output parser returned null/undefined, which usually means the model output did not satisfy the schema.";

/**
 * Asks the model for the answer in the requested form.
 * @param {import("./react-agent.js").Options} options of createReactAgent
 * @param {import("./agent-model.js").AgentState} state
 * @param {Config} config
 */
export async function structuredAnswer({ llm, responseFormat }, state, config) {
  const wrapped =
    typeof responseFormat === "object" &&
    responseFormat !== null &&
    "schema" in responseFormat &&
    typeof responseFormat.parse !== "function";
  const { prompt, schema, ...rest } = wrapped ? responseFormat : { schema: responseFormat };
  const chosen = typeof llm === "function";
  const made = madeModel(chosen ? await llm(state, config) : llm);
  const given = await ownModel(/** @type {ModelLike} */ (made));
  const modelWithStructuredOutput = structuredModel(given, chosen, schema, wrapped ? [rest] : []);
  const messages =
    prompt === undefined ? state.messages : [new SystemMessage(prompt), ...state.messages];
  const structuredResponse = await modelWithStructuredOutput.invoke(messages, config);
  // Parsers return null for an answer of another form; null in the state would look valid.
  if (structuredResponse === null || structuredResponse === undefined) throw new Error(UNPARSED);
  return { structuredResponse };
}

/** Makes the model that LangChain's `initChatModel` creates lazily. @param {ModelLike} llm */
function ownModel(llm) {
  return llm?._queuedMethodOperations !== undefined && typeof llm._model === "function"
    ? llm._model()
    : llm;
}

/** Checks whether it is a chat model. @param {ModelLike} llm */
function isChatModel(llm) {
  return (
    typeof llm?.withStructuredOutput === "function" ||
    (typeof llm?.bindTools === "function" && typeof llm._modelType === "function")
  );
}

/**
 * Finds the chat model inside LangChain's bindings and sequences.
 * @param {ModelLike} llm
 * @returns {ModelLike | undefined}
 */
function innerModel(llm) {
  if (isChatModel(llm)) return llm;
  for (const inner of [llm?.bound, ...(Array.isArray(llm?.steps) ? llm.steps : [])]) {
    const found = inner === undefined ? undefined : innerModel(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the model with structured output.
 * @param {ModelLike} llm
 * @param {boolean} chosen whether a function chose it: then it is used as it is
 * @param {unknown} schema @param {unknown[]} options empty when only a schema was passed in
 */
function structuredModel(llm, chosen, schema, options) {
  const model = chosen ? llm : innerModel(llm);
  if (model === undefined || !isChatModel(model))
    throw new Error(
      `Expected \`llm\` to be a ChatModel with .withStructuredOutput() method, got ${llm?.constructor?.name}`,
    );
  return model.withStructuredOutput(schema, ...options);
}
