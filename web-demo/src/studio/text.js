// SPDX-License-Identifier: MIT
// Shows text that somebody may have made to mislead, and JSON, as text. Must not know: where it
// comes from.
import { html, nothing } from "lit-html";
import { messageText } from "./message-text.js";
import { reveal } from "./reveal.js";

/** Characters of a text that are shown at first. */
const LONG = 4000;
/** Entries of a list or object that are shown. */
const MANY = 200;
/**
 * Characters that people write without being seen: wide and narrow blanks, joiners between letters
 * or pictures, and what chooses a picture's form.
 */
const ORDINARY =
  /^[\u{A0}\u{2002}-\u{200A}\u{202F}\u{3000}]$|^(?:\u{200C}|\u{200D}|\u{FE0E}|\u{FE0F})$/u;

/** The text, its hidden characters spelled out. @param {string} text @param {number} [length] */
export function plain(text, length = LONG) {
  const cut = text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;
  return reveal(cut).map(({ text: part, hidden }) => (hidden ? spelledOut(part) : part));
}

/**
 * A person's or model's prose: characters that writing needs stay as they are.
 * @param {string} text
 */
export function prose(text) {
  return reveal(text).map(({ text: part, hidden }) => {
    if (!hidden) return part;
    const character = String.fromCodePoint(Number.parseInt(part.slice(3, -1), 16));
    return ORDINARY.test(character) ? character : spelledOut(part);
  });
}

/** The same for an attribute or a drawing, where there is only text. @param {unknown} text */
export function spelled(text, length = 200) {
  const shown = reveal(String(text).slice(0, length + 1))
    .map(({ text: part }) => part)
    .join("");
  return shown.length > length ? `${shown.slice(0, length)}…` : shown;
}

/** @param {string} part */
const spelledOut = (part) =>
  html`<span class="hidden" title="A character that cannot be seen">${part}</span>`;

/**
 * The value on one line, cut; of a message what it says.
 * @param {unknown} value
 * @param {number} [length]
 */
export function brief(value, length = 120) {
  const text = saidIn(value) ?? (value === undefined ? "" : JSON.stringify(value));
  return plain(text.length > length ? `${text.slice(0, length)}…` : text);
}

/** @param {any} value @returns {string | undefined} undefined: it is no message */
function saidIn(value) {
  if (typeof value?.type !== "string" || value.content === undefined) return undefined;
  const calls = Array.isArray(value.tool_calls) ? value.tool_calls : [];
  const names = calls.map(
    (/** @type {any} */ call) => `${call?.name}(${JSON.stringify(call?.args)})`,
  );
  return [`${value.type}:`, messageText(value), ...names].filter((part) => part !== "").join(" ");
}

/**
 * Which values of a tree are unfolded, by path. What is folded is not drawn.
 * @typedef {{ isOpen: (path: string, byDefault: boolean) => boolean, turn: (path: string, isOpen:
 *   boolean) => void }} Folds
 */

/**
 * A value that unfolds.
 * @param {unknown} value
 * @param {string} name
 * @param {Folds} folds
 * @param {string} [path] of what the value is in
 * @param {boolean} [byDefault] it is unfolded until somebody folds it
 * @returns {unknown}
 */
export function tree(value, name, folds, path = "", byDefault = false) {
  if (typeof value !== "object" || value === null)
    return html`<div class="leaf"><span class="key">${plain(name)}</span> <span class="value ${value === null ? "null" : typeof value}">${brief(value, LONG)}</span></div>`;
  const place = `${path}/${name}`;
  const isOpen = folds.isOpen(place, byDefault);
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  const turned = (/** @type {Event} */ event) => {
    const { open } = /** @type {HTMLDetailsElement} */ (event.currentTarget);
    if (open !== folds.isOpen(place, byDefault)) folds.turn(place, open);
  };
  return html`<details ?open=${isOpen} @toggle=${turned}>
    <summary><span class="key">${plain(name)}</span> <span class="size">${size}</span> ${isOpen ? nothing : html`<span class="brief">${brief(value, 60)}</span>`}</summary>
    ${
      isOpen
        ? html`<div class="inside">${entries.slice(0, MANY).map(([key, inner]) => tree(inner, key, folds, place))}
    ${entries.length > MANY ? html`<p class="hint">${entries.length - MANY} more</p>` : nothing}</div>`
        : nothing
    }
  </details>`;
}
