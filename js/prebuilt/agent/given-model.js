// SPDX-License-Identifier: MIT
// Takes a language model of the AI SDK where a chat model is taken, by its shape. The adapter is
// loaded when an agent has such a model.
import { LazyModule } from "../../base/lazy.js";

/** @typedef {import("../../models/base.js").ModelLike} ModelLike */
/** @typedef {Parameters<typeof import("../../models/ai-sdk/ai-sdk.js").fromAISDK>[0]} SDKModel */

const adapter = new LazyModule(
  "models of the AI SDK",
  () => import("../../models/ai-sdk/ai-sdk.js"),
);

/** @param {unknown} given */
export function isSDKModel(given) {
  const llm = /** @type {{ doStream?: unknown, specificationVersion?: unknown } | undefined} */ (
    given
  );
  return typeof llm?.doStream === "function" && llm.specificationVersion !== undefined;
}

/** @param {unknown} llm @returns {Promise<ModelLike>} */
export async function wrapSDKModel(llm) {
  return (await adapter.load()).fromAISDK(/** @type {SDKModel} */ (llm));
}
