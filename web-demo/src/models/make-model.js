// SPDX-License-Identifier: MIT
// Makes the model of a choice. What only one of them needs is loaded when it is chosen.
import { pageLanguageModel } from "./page-model.js";
import { serviceOf } from "./services.js";

/** @typedef {import("./choice.js").Chosen} Chosen */

/** Silence of a service after which a call ends, in ms. */
const SILENCE_MS = 60_000;

/**
 * @param {Chosen} choice that is not built in
 * @param {{ fetch?: typeof globalThis.fetch, maxTokens?: number }} [options]
 * @returns {Promise<any>} a chat model
 */
export async function makeModel(choice, options = {}) {
  if (choice.source === "browser") {
    const { ChatPromptAPI } = await import("weftgraph/models/prompt-api");
    const languageModel = choice.page === undefined ? undefined : pageLanguageModel(choice.page);
    return new ChatPromptAPI({
      ...(languageModel && { languageModel }),
      maxSessions: 0,
      expectedOutputs: [{ type: "text", languages: ["en"] }],
    });
  }
  if (choice.source === "webllm") {
    const { webllmModel } = await import("./webllm.js");
    return webllmModel(choice.webllm);
  }
  return serviceModel(choice, options);
}

/**
 * A failed call is told at once, with what to do: nothing is tried again unseen.
 * @param {Chosen} choice
 * @param {{ fetch?: typeof globalThis.fetch, maxTokens?: number }} options
 */
async function serviceModel({ service, url, model, key }, options) {
  const given = {
    baseURL: url,
    model,
    ...(key && { apiKey: key }),
    timeout: SILENCE_MS,
    maxRetries: 0,
    ...options,
  };
  const { api } = serviceOf(service);
  if (api === "anthropic") {
    const { ChatAnthropicMessages } = await import("weftgraph/models/anthropic");
    return new ChatAnthropicMessages(given);
  }
  if (api === "gemini") {
    const { ChatGemini } = await import("weftgraph/models/gemini");
    return new ChatGemini(given);
  }
  const { ChatOpenAICompatible } = await import("weftgraph/models/openai");
  return new ChatOpenAICompatible(given);
}
