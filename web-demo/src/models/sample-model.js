// SPDX-License-Identifier: MIT
// The model of a sample's agent: the sample's own one, or the one that a person chose for all of
// them. Says of a failed call what a person needs to know, without the key.
import { currentChoice } from "./choice.js";
import { hideKey, noteFailure } from "./failures.js";
import { offlineErrorIn } from "./offline.js";

/** Asks `builtIn`, unless a person has chosen another model. */
export class SampleModel {
  #builtIn;
  /** @type {readonly any[]} */
  #tools;

  /** @param {any} builtIn a chat model @param {readonly any[]} [tools] that it may call */
  constructor(builtIn, tools = []) {
    this.#builtIn = builtIn;
    this.#tools = tools;
  }

  /** @param {readonly any[]} tools */
  bindTools(tools) {
    return new SampleModel(this.#builtIn, tools);
  }

  /** @param {any} messages @param {any} [config] */
  async invoke(messages, config) {
    const choice = await currentChoice();
    if (choice === undefined || choice.source === "builtin")
      return this.#withTools(this.#builtIn).invoke(messages, config);
    const call = new Call();
    try {
      const { makeModel } = await import("./make-model.js");
      const model = await makeModel(choice, { fetch: call.fetch });
      const answer = await this.#withTools(model).invoke(messages, config);
      return withoutKey(answer, choice.key ?? "");
    } catch (thrown) {
      const error = offlineErrorIn(thrown) ?? thrown;
      await noteFailure(error, { choice, hasBegun: call.hasBegun });
      throw error;
    }
  }

  /** @param {any} model */
  #withTools(model) {
    return this.#tools.length > 0 ? model.bindTools(this.#tools) : model;
  }
}

const SAID = ["content", "tool_calls", "invalid_tool_calls", "additional_kwargs"];

/**
 * Takes the key out of an answer, which is stored: a service may repeat it.
 * @param {any} message
 * @param {string} key
 */
function withoutKey(message, key) {
  for (const field of SAID) {
    const before = JSON.stringify(message[field]) ?? "";
    const after = hideKey(before, key);
    if (after !== before) message[field] = JSON.parse(after);
  }
  return message;
}

/** Sees whether a service has begun to answer. */
export class Call {
  hasBegun = false;
  /** @type {typeof globalThis.fetch} */
  fetch = async (input, init) => {
    const response = await fetch(input, init);
    this.hasBegun = response.ok;
    return response;
  };
}
