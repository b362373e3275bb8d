// SPDX-License-Identifier: MIT
// Defines ChatPromptAPI, the browser's own model behind the Prompt API (`LanguageModel`), with
// tools by text, so that the graph and not the browser calls them. Does not depend on graphs.
import { checkArgument, isObject } from "../../base/check-arguments.js";
import { ChatTextTools } from "../text-tools/text-tools.js";
import { BrowserModel } from "./browser-model.js";

/** @typedef {import("../../messages/index.js").BaseMessage} BaseMessage */
/** @typedef {import("../../types/models/prompt-api.js").ChatPromptAPIOptions} Given */
/** @typedef {import("../../types/models/prompt-api.js").PrepareOptions} PrepareOptions */
/** @typedef {import("../base.js").Options} Options */

export { ModelError } from "../model-error.js";

/** A chat model that the browser has by itself. */
export class ChatPromptAPI extends ChatTextTools {
  /** @param {Given} [options] */
  constructor(options) {
    checkArgument(
      options === undefined || isObject(options),
      "new ChatPromptAPI(options): options must be an object",
    );
    const { style = "constrained", ...given } = options ?? {};
    const inner = new BrowserModel(given);
    super(inner, { style, maxToolCalls: inner.limits.maxToolCalls });
    this.browser = inner;
  }

  static lc_name() {
    return "ChatPromptAPI";
  }

  /**
   * Says whether the model can be used: "available", "downloadable" or "downloading" (prepare()
   * loads it), "unavailable".
   */
  availability() {
    return this.browser.availability();
  }

  /**
   * Loads the model, and downloads it if it must: to be called in the handler of a click.
   * @param {PrepareOptions} [options]
   */
  prepare(options) {
    return this.browser.prepare(options ?? {});
  }

  /** Destroys the kept sessions; later calls keep none. */
  close() {
    this.browser.sessions.close();
  }

  /** Does the same. */
  dispose() {
    this.close();
  }

  /** @param {BaseMessage[]} messages @param {Options} options */
  answer(messages, options) {
    return super.answer(messages, withoutSchema(options));
  }

  /** @param {BaseMessage[]} messages @param {Options} options */
  complete(messages, options) {
    return super.complete(messages, withoutSchema(options));
  }
}

/**
 * Saves the model the schema of its calls, of which the system text tells it.
 * @param {Options} options
 */
function withoutSchema(options) {
  const isTold = options.tools?.length > 0 && options.response_format === undefined;
  return { omitResponseConstraintInput: isTold, ...options };
}
