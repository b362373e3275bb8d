// SPDX-License-Identifier: MIT
// Collects the text of messages that a run streams and has not stored yet, so that a run which is
// cancelled leaves in its thread what its reader has seen. Does not depend on graphs.
import { textOf } from "../../messages/base.js";

/** @typedef {import("../http/fields.js").Json} Json */
/**
 * A streamed message or a piece of one, of Weft or of LangChain.
 * @typedef {{ id?: string, content?: unknown, getType?: () => string, type?: string }} Piece
 */
/** @typedef {{ node: string, messages: Json[] }} Partial text of one node's messages */

export class PartialMessages {
  /** Unfinished messages by id. @type {Map<string, { node: string, text: string }>} */
  #open = new Map();
  /** The id of the message that a node streams now. @type {Map<string, string>} */
  #current = new Map();

  /** @param {Piece} piece @param {unknown} node that streams it */
  addPiece(piece, node) {
    const { id } = piece;
    const type = piece.getType?.() ?? piece.type;
    if (id === undefined || typeof node !== "string" || !isOfModel(type)) return;
    if (!("tool_call_chunks" in piece)) this.#open.delete(id);
    this.#add(id, node, textOf(piece.content));
  }

  /** @param {Json} event of the channel `messages` of protocol v2 @param {unknown} node */
  addEvent(event, node) {
    if (typeof node !== "string") return;
    // A model's message names no role.
    const isOwn = event.role === undefined || event.role === "ai";
    if (event.event === "message-start" && isOwn) this.#current.set(node, String(event.id));
    const id = this.#current.get(node);
    const delta = /** @type {Json | undefined} */ (event.delta);
    if (id === undefined) return;
    if (event.event === "message-finish" || event.event === "error") this.#current.delete(node);
    else if (delta?.type === "text-delta") this.#add(id, node, String(delta.text));
  }

  /** @param {string} id @param {string} node @param {string} text */
  #add(id, node, text) {
    if (text === "") return;
    const before = this.#open.get(id);
    if (before === undefined) this.#open.set(id, { node, text });
    else before.text += text;
  }

  /** Forgets messages that the thread's state has. @param {Json | undefined} values */
  settle(values) {
    if (this.#open.size === 0 || !Array.isArray(values?.messages)) return;
    for (const { id } of values.messages) this.#open.delete(id);
  }

  /** @returns {Partial | undefined} of one node; undefined: there is none, or of several */
  take() {
    const nodes = new Set([...this.#open.values()].map(({ node }) => node));
    if (nodes.size !== 1) return undefined;
    const [node] = nodes;
    const messages = [...this.#open].map(([id, { text }]) => ({ type: "ai", id, content: text }));
    return { node, messages };
  }
}

/** @param {unknown} type of a message */
function isOfModel(type) {
  return type === "ai" || type === "AIMessageChunk";
}
