// SPDX-License-Identifier: MIT
// Declares what the models in the tab share: their limits.
import type { ModelProfile } from "./base.js";

export { ModelError } from "./service-model.js";

/** Limits of a model in the tab, and how it is asked for tool calls. */
export interface TabModelOptions {
  /**
   * How the model writes its tool calls: as an object to which it is held by a JSON Schema, or
   * between marks in its text. Default "constrained".
   */
  style?: "constrained" | "fenced";
  /** Maximum silence in ms, before the answer and between its pieces. Default: no limit. */
  timeout?: number;
  /** Maximum time in ms of a call (`TIMEOUT`). Default: an hour. */
  maxDurationMs?: number;
  /** Maximum characters of an answer (`TOO_LARGE`). Default 4 Mi. */
  maxAnswerLength?: number;
  /** Maximum tool calls of one answer (`TOO_LARGE`). Default 1,024. */
  maxToolCalls?: number;
  /** What the model can do, where it differs from the usual. */
  profile?: ModelProfile;
}
