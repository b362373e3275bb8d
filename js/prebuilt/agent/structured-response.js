// SPDX-License-Identifier: MIT
// Knows: how a react agent's model gives the answer in the form that was asked for. Loaded when an
// agent has one.
import { SystemMessage } from "../../messages/index.js";
import { namedModel } from "./model-names.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../models/base.js").ModelLike} ModelLike */
/** @typedef {import("../../base/callable.js").Value} Value */

/** LangGraph.js's text. */
const UNPARSED =
  "Failed to parse structured response against the provided `responseFormat` schema: the structured-output parser returned null/undefined, which usually means the model output did not satisfy the schema.";

/**
 * @param {Value} options of createReactAgent
 * @param {Value} state
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
  const given = await madeModel(chosen ? await llm(state, config) : llm);
  const modelWithStructuredOutput = structuredModel(given, chosen, schema, wrapped ? [rest] : []);
  const messages =
    prompt === undefined ? state.messages : [new SystemMessage(prompt), ...state.messages];
  const structuredResponse = await modelWithStructuredOutput.invoke(messages, config);
  // What a parser gives for an answer that is not of the form. Null in the state would pass for
  // one.
  if (structuredResponse === null || structuredResponse === undefined) throw new Error(UNPARSED);
  return { structuredResponse };
}

/**
 * The model that a name stands for, or one that LangChain's `initChatModel` has still to make.
 * @param {ModelLike} llm
 */
function madeModel(llm) {
  if (typeof llm === "string") return namedModel(llm);
  return llm?._queuedMethodOperations !== undefined && typeof llm._model === "function"
    ? llm._model()
    : llm;
}

/** @param {ModelLike} llm is it a chat model? */
function isChatModel(llm) {
  return (
    typeof llm?.withStructuredOutput === "function" ||
    (typeof llm?.bindTools === "function" && typeof llm._modelType === "function")
  );
}

/**
 * The chat model inside LangChain's bindings and sequences, if there is one.
 * @param {ModelLike} llm
 * @returns {Value}
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
 * The model that answers in a form.
 * @param {Value} llm
 * @param {boolean} chosen by a function: then as it is
 * @param {unknown} schema @param {unknown[]} options none where only a schema was given
 */
function structuredModel(llm, chosen, schema, options) {
  const model = chosen ? llm : innerModel(llm);
  if (!isChatModel(model))
    throw new Error(
      `Expected \`llm\` to be a ChatModel with .withStructuredOutput() method, got ${llm?.constructor?.name}`,
    );
  return model.withStructuredOutput(schema, ...options);
}
