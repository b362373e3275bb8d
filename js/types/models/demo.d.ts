// SPDX-License-Identifier: MIT
// Declares a small rule-based planner in place of a chat model. It is not a language model: it
// chooses among its tools by the words of the last human message (arithmetic, time and date, notes,
// orders, else the words of a tool's name and description), takes their arguments from these words,
// makes several calls for several requests, and reports the results. It needs no key and no
// network, and the same conversation gets the same answer.
import { BaseChatModelLike } from "./base.js";

/** Options of a DemoModel. */
export interface DemoModelOptions {
  /** Delay before each word of an answer, in ms. Default 15; 0 never sets a timer. */
  tokenDelayMs?: number;
}
/**
 * A chat model for demos and tests without a language model: rules choose tools, their arguments
 * and the answer.
 */
export class DemoModel extends BaseChatModelLike {
  /** @param options how fast the answers come */
  constructor(options?: DemoModelOptions);
  tokenDelayMs: number;
  static lc_name(): string;
}
