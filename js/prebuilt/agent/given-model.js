// SPDX-License-Identifier: MIT
// Takes a language model of the AI SDK where a chat model is taken, by its shape. The adapter is
// loaded when an agent has such a model.
import { LazyModule } from "../../base/lazy.js";

/** @typedef {import("../../base/callable.js").Value} Value */

const adapter = new LazyModule(
  "models of the AI SDK",
  () => import("../../models/ai-sdk/ai-sdk.js"),
);

/** @param {Value} llm */
export function isSDKModel(llm) {
  return typeof llm?.doStream === "function" && llm.specificationVersion !== undefined;
}

/** @param {Value} llm @returns {Promise<Value>} */
export async function wrapSDKModel(llm) {
  return (await adapter.load()).fromAISDK(llm);
}
