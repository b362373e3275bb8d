// SPDX-License-Identifier: MIT
// Counts what the checkpoints of a thread have cost, on all its branches. Must not know: how they
// are read, how it is shown.

/** @typedef {import("./branches.js").Mark} Mark */

/** The node that takes an input. */
const START = "__start__";

export class Spent {
  /** In which nodes of the graph ran. */
  steps = 0;
  /** Of the messages that were stored. */
  tokens = 0;
  /** Checkpoints whose messages are counted. @type {Set<string>} */
  #seen = new Set();
  /** By message: most checkpoints hold those of the one before, too. @type {Map<string, number>} */
  #tokens = new Map();

  /** @param {ReadonlyMap<string, Mark>} marks of the thread, by checkpoint */
  count(marks) {
    this.steps = 0;
    for (const { id, parent, state } of marks.values()) {
      const isInput = marks.get(parent ?? "")?.state.next.includes(START);
      if (state.metadata.source === "loop" && !isInput) this.steps++;
      if (!this.#seen.has(id)) this.#addMessages(state.values?.messages);
      this.#seen.add(id);
    }
  }

  /** @param {unknown} messages */
  #addMessages(messages) {
    for (const message of Array.isArray(messages) ? messages : []) {
      const tokens = message?.usage_metadata?.total_tokens;
      if (typeof message?.id !== "string" || !Number.isFinite(tokens)) continue;
      const before = this.#tokens.get(message.id) ?? 0;
      this.#tokens.set(message.id, Math.max(tokens, before));
      this.tokens += Math.max(0, tokens - before);
    }
  }
}
