// SPDX-License-Identifier: MIT
// Owns what models say in a run, as it comes. Must not know: what of it the thread keeps.

/** `node`: which one says it. @typedef {{ id: string, text: string, node: string }} Said */

export class Speech {
  /** @type {Map<string, Said>} */
  #said = new Map();
  /** The run has failed or was stopped: what the thread does not have by now, it does not keep. */
  isOver = false;

  /** @returns {Said[]} */
  get all() {
    return [...this.#said.values()];
  }

  /** @param {any} data a piece of a message, or a whole one, and where it comes from */
  hear(data) {
    const [message, metadata] = Array.isArray(data) ? data : [];
    const { id, content, type } = message ?? {};
    if (typeof id !== "string" || typeof content !== "string") return;
    if (type !== "AIMessageChunk" && type !== "ai") return;
    const text = type === "AIMessageChunk" ? (this.#said.get(id)?.text ?? "") + content : content;
    if (text !== "") this.#said.set(id, { id, text, node: String(metadata?.langgraph_node ?? "") });
  }

  /** @param {boolean} hasFailed */
  end(hasFailed) {
    this.isOver = true;
    if (!hasFailed) this.#said.clear();
  }
}
