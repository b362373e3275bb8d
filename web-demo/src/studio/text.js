// SPDX-License-Identifier: MIT
// Shows text that somebody may have made to mislead, and JSON, as text. Must not know: where it
// comes from.
import { html, nothing } from "lit-html";
import { reveal } from "../reveal.js";

/** Characters of a text that are shown at first. */
const LONG = 4000;
/** Entries of a list or object that are shown. */
const MANY = 200;

/** The text, its hidden characters spelled out. @param {string} text */
export function plain(text) {
  const cut = text.length > LONG ? `${text.slice(0, LONG)}… (${text.length} characters)` : text;
  return reveal(cut).map(({ text: part, hidden }) =>
    hidden
      ? html`<span class="hidden" title="A character that cannot be seen">${part}</span>`
      : part,
  );
}

/** The value on one line, cut. @param {unknown} value @param {number} [length] */
export function brief(value, length = 120) {
  const text = value === undefined ? "" : JSON.stringify(value);
  return plain(text.length > length ? `${text.slice(0, length)}…` : text);
}

/**
 * A value that unfolds.
 * @param {unknown} value
 * @param {string} name
 * @param {boolean} [isOpen]
 * @returns {unknown}
 */
export function tree(value, name, isOpen = false) {
  if (typeof value !== "object" || value === null)
    return html`<div class="leaf"><span class="key">${plain(name)}</span> <span class="value ${typeof value}">${brief(value, LONG)}</span></div>`;
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return html`<details ?open=${isOpen}>
    <summary><span class="key">${plain(name)}</span> <span class="size">${size}</span> <span class="brief">${brief(value, 60)}</span></summary>
    <div class="inside">${entries.slice(0, MANY).map(([key, inner]) => tree(inner, key))}
    ${entries.length > MANY ? html`<p class="hint">${entries.length - MANY} more</p>` : nothing}</div>
  </details>`;
}

/** @param {unknown} message of a model or person @returns {string} */
export function messageText(message) {
  const { content } = /** @type {{ content?: unknown }} */ (message ?? {});
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (typeof block?.text === "string" ? block.text : "")).join("");
}
