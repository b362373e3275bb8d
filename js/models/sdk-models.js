// SPDX-License-Identifier: MIT
// Knows the language models of the AI SDK by their shape, and the adapter that makes chat models of
// them, once `weftgraph/models/ai-sdk` is imported: programs without such models do not load it.

/** @typedef {import("./base.js").ModelLike} ModelLike */
/** @typedef {{ doStream: unknown, specificationVersion: unknown }} SDKModel */

/** @type {((model: never) => ModelLike) | undefined} */
let adapter;

/** Takes the adapter. @param {(model: never) => ModelLike} make */
export function registerSDKAdapter(make) {
  adapter = make;
}

/** @param {unknown} given @returns {given is SDKModel} */
export function looksLikeSDKModel(given) {
  const llm = /** @type {Partial<SDKModel> | null | undefined} */ (given);
  return typeof llm?.doStream === "function" && llm.specificationVersion !== undefined;
}

/**
 * Makes a chat model of a language model of the AI SDK; anything else stays as it is.
 * @param {unknown} model
 * @returns {unknown}
 * @throws TypeError if the adapter is not there
 */
export function adaptSDKModel(model) {
  if (!looksLikeSDKModel(model)) return model;
  if (adapter === undefined)
    throw new TypeError(
      'This is a language model of the AI SDK: import "weftgraph/models/ai-sdk" once, and it is taken as it is',
    );
  return adapter(/** @type {never} */ (model));
}
