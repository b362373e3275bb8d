// SPDX-License-Identifier: MIT
// Keeps sessions of the browser's own model by the conversation that each of them holds, so that
// only what is new of a conversation is sent. Owns them: a session that is dropped is destroyed.
import { leaving } from "../text-tools/tab-model.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./prompts.js").Turn} Turn */
/** @typedef {import("./prompts.js").Conversation} Conversation */
/**
 * `held`: the turns that it knows besides the system text; those of the model as it wrote them.
 * @typedef {{ session: Session, system: string, held: Turn[], kinds: string[] }} Kept
 */

export class Sessions {
  #most;
  /** The one used last is the last. @type {Kept[]} */
  #kept = [];

  /** @param {number} most of them to keep */
  constructor(most) {
    this.#most = most;
  }

  /**
   * Returns the session that holds most of a conversation, and not all of it.
   * @param {Conversation} conversation
   * @returns {Kept | undefined}
   */
  find({ system, turns, kinds }) {
    const fitting = this.#kept.filter(
      (kept) =>
        kept.system === system &&
        kept.held.length < turns.length &&
        kinds.every((kind) => kept.kinds.includes(kind)) &&
        kept.held.every((turn, at) => isSame(turn, turns[at])),
    );
    const [best] = fitting.sort((one, other) => other.held.length - one.held.length);
    if (best !== undefined) {
      this.#kept.splice(this.#kept.indexOf(best), 1);
      this.#kept.push(best);
    }
    return best;
  }

  /** @param {Kept} kept */
  keep(kept) {
    this.#kept.push(kept);
    for (const { session } of this.#kept.splice(0, this.#kept.length - this.#most))
      destroy(session);
  }

  /** @param {Kept} kept */
  drop(kept) {
    this.#kept = this.#kept.filter((one) => one !== kept);
    destroy(kept.session);
  }

  /** Drops all, and keeps none from now on: calls may still be running. */
  close() {
    this.#most = 0;
    for (const { session } of this.#kept.splice(0)) destroy(session);
  }
}

/** @param {Partial<Session> | undefined} session */
export function destroy(session) {
  leaving(() => session?.destroy?.());
}

/** @param {Turn} held @param {Turn} turn */
function isSame(held, turn) {
  const isModel = held.role === "assistant";
  return (
    held.role === turn.role &&
    held.parts.length === turn.parts.length &&
    held.parts.every(({ type, value, mimeType }, at) => {
      const part = turn.parts[at];
      if (part.type !== type || part.mimeType !== mimeType) return false;
      return part.value === value || (isModel && meaningOf(part.value) === meaningOf(value));
    })
  );
}

/**
 * Returns what an answer says, however it is written: answers that call tools by text are objects
 * whose blanks, escapes and empty fields the conversation does not keep.
 * @param {string} text
 */
function meaningOf(text) {
  if (!/^\s*\{/.test(text)) return text;
  try {
    const { calls = [], answer = "", ...rest } = JSON.parse(text);
    if (Object.keys(rest).length > 0 || typeof answer !== "string") return text;
    const made = [...calls].map(({ tool, args = {} }) => ({ tool, args }));
    return made.length === 0 ? answer : JSON.stringify({ calls: made, answer });
  } catch {
    return text;
  }
}
