// SPDX-License-Identifier: MIT
// Shows what an edit changes: each argument before -> after, as text.
import { html, nothing } from "lit-html";
import { changesBetween } from "../changes.js";
import { revealed } from "./revealed.js";

const MANY = 20;
const MOST_VALUE = 200;

/** @typedef {import("../changes.js").Change} Change */

/** @param {unknown} before @param {unknown} after */
export function changesView(before, after) {
  const changes = changesBetween(before, after);
  if (changes.length === 0) return html`<p class="edits">Nothing is changed yet.</p>`;
  return html`<ul class="edits" aria-label="What you change">
    ${changes.slice(0, MANY).map((change) => html`<li>${changeView(change)}</li>`)}
    ${changes.length > MANY ? html`<li class="hint">and ${changes.length - MANY} more</li>` : nothing}
  </ul>`;
}

/** One change in a line. @param {Change} change */
export function changeView({ path, kind, before, after }) {
  const name = path.slice(1).replaceAll("~1", "/").replaceAll("~0", "~") || "arguments";
  return html`<b><bdi>${revealed(name)}</bdi></b> ${kind === "added" ? nothing : html`<del><bdi>${valueOf(before)}</bdi></del>`} ${kind === "changed" ? "→" : nothing} ${kind === "removed" ? html`<span class="hint">left out</span>` : html`<ins><bdi>${valueOf(after)}</bdi></ins>`}`;
}

/** @param {unknown} value */
function valueOf(value) {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return revealed(text.length > MOST_VALUE ? `${text.slice(0, MOST_VALUE)}…` : text);
}
