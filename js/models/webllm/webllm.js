// SPDX-License-Identifier: MIT
// Defines ChatWebLLM, a model of WebLLM in the tab or a worker, or any other object with OpenAI's
// chat.completions.create, with tools by text. Does not depend on graphs.
import { checkArgument, isObject } from "../../base/check-arguments.js";
import { ChatTextTools } from "../text-tools/text-tools.js";
import { EngineModel } from "./engine-model.js";

/** @typedef {import("../../messages/index.js").BaseMessage} BaseMessage */
/** @typedef {import("../../types/models/webllm.js").ChatWebLLMOptions} Given */
/** @typedef {import("../base.js").Options} Options */

export { ModelError } from "../model-error.js";

/** A chat model of an engine in the tab. */
export class ChatWebLLM extends ChatTextTools {
  /** @param {Given} options */
  constructor(options) {
    checkArgument(
      isObject(options) && typeof options.engine?.chat?.completions?.create === "function",
      "new ChatWebLLM({ engine }): engine must have chat.completions.create()",
    );
    const { style = "constrained", nativeTools = false, ...given } = options;
    const inner = new EngineModel(given);
    super(inner, { style, maxToolCalls: inner.limits.maxToolCalls });
    this.nativeTools = nativeTools;
  }

  static lc_name() {
    return "ChatWebLLM";
  }

  /** @param {BaseMessage[]} messages @param {Options} options */
  answer(messages, options) {
    return this.nativeTools
      ? this.inner.answer(messages, options)
      : super.answer(messages, options);
  }

  /** @param {BaseMessage[]} messages @param {Options} options */
  complete(messages, options) {
    return this.nativeTools
      ? this.inner.complete(messages, options)
      : super.complete(messages, options);
  }
}
