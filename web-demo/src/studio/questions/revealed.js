// SPDX-License-Identifier: MIT
// Text of models and tools for the page: as text, what cannot be seen in it spelled out and marked.
import { html } from "lit-html";
import { reveal } from "../reveal.js";

/** @param {string} text */
export function revealed(text) {
  return reveal(text).map((part) =>
    part.hidden ? html`<mark class="hidden">${part.text}</mark>` : part.text,
  );
}
