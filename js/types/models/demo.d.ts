// SPDX-License-Identifier: MIT
// A small rule-based planner in the place of a chat model. It is not a language model: it picks
// among its tools by the words of the last human message (arithmetic, time and date, notes,
// orders, else the words of a tool's name and description), fills their arguments from those
// words, several calls at once where several things are asked, and says what came of them. It
// needs no key and no network, and the same conversation gets the same answer.
import { BaseChatModelLike } from "./base.js";

/** How quickly a DemoModel speaks. */
export interface DemoModelOptions {
  /** Wait before each word of an answer. Default 15; 0 never sets a timer. */
  tokenDelayMs?: number;
}
/**
 * A chat model for demos and tests that is no language model: rules choose tools, their arguments
 * and the answer.
 */
export class DemoModel extends BaseChatModelLike {
  constructor(options?: DemoModelOptions);
  tokenDelayMs: number;
  static lc_name(): string;
}
