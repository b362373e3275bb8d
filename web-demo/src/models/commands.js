// SPDX-License-Identifier: MIT
// What the page asks the worker about models: which one is asked, whether it answers, which ones a
// service has, why a run failed. Requests to services are sent from here alone.
import { setChoice } from "./choice.js";
import { describe, failureOf, hideKey, noteFailure } from "./failures.js";
import { offlineErrorIn, setOffline } from "./offline.js";
import { Call } from "./sample-model.js";

/** @typedef {import("./choice.js").Chosen} Chosen */
/**
 * `usesTools`: it called the tool that it was asked to call.
 * @typedef {{ text: string, usesTools: boolean, ms: number, firstMs?: number, usage?: { input:
 *   number, output: number }, reason?: string }} Tested
 */

const QUESTION = "Call the tool ping once with the word hello.";
const PING = {
  type: "function",
  function: {
    name: "ping",
    description: "Answers a word with the same word.",
    parameters: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
  },
};
const LONGEST_TEXT = 400;
const MOST_TOKENS = 200;

/** @type {Record<string, (value: any) => unknown>} */
export const MODEL_COMMANDS = {
  model: (choice) => setChoice(choice),
  offline: (isOn) => setOffline(isOn),
  "model-test": (choice) => told(choice, testModel),
  "model-list": async (choice) => told(choice, (await import("./list-models.js")).listModels),
  "model-load": async ({ webllm }) => (await import("./webllm.js")).loadWebllm(String(webllm)),
  "model-cancel": async () => (await import("./webllm.js")).cancelWebllm(),
  "model-progress": async () => (await import("./webllm.js")).webllmProgress(),
  failure: (thread) => failureOf(thread),
};

/**
 * @template Value
 * @param {Chosen} choice
 * @param {(choice: Chosen, call: Call) => Promise<Value>} ask
 * @returns {Promise<{ value: Value } | { failure: import("./failures.js").Failure }>}
 */
async function told(choice, ask) {
  const call = new Call();
  try {
    return { value: await ask(choice, call) };
  } catch (thrown) {
    const error = offlineErrorIn(thrown) ?? thrown;
    await noteFailure(error, { choice, hasBegun: call.hasBegun });
    return { failure: describe(error) };
  }
}

/** @param {Chosen} choice @param {Call} call @returns {Promise<Tested>} */
async function testModel(choice, call) {
  const { makeModel } = await import("./make-model.js");
  const begun = performance.now();
  const model = await makeModel(choice, { fetch: call.fetch, maxTokens: MOST_TOKENS });
  let firstMs;
  /** @type {any} */
  let whole;
  for await (const chunk of model.bindTools([PING]).stream(QUESTION)) {
    firstMs ??= performance.now() - begun;
    whole = whole === undefined ? chunk : whole.concat(chunk);
  }
  const { input_tokens, output_tokens } = whole?.usage_metadata ?? {};
  const { response_metadata: metadata = {} } = whole ?? {};
  const reason = metadata.finish_reason ?? metadata.stop_reason ?? metadata.finishReason;
  return {
    text: hideKey(String(whole?.text ?? "").slice(0, LONGEST_TEXT), choice.key ?? ""),
    usesTools: (whole?.tool_calls ?? []).some((/** @type {any} */ made) => made.name === "ping"),
    ms: performance.now() - begun,
    ...(firstMs !== undefined && { firstMs }),
    ...(typeof input_tokens === "number" && {
      usage: { input: input_tokens, output: Number(output_tokens ?? 0) },
    }),
    ...(typeof reason === "string" && { reason: reason.slice(0, 40) }),
  };
}
