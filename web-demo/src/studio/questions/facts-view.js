// SPDX-License-Identifier: MIT
// Shows small facts of a question: when it expires, counting down; its digest, shortened, to copy.
import { html, nothing } from "lit-html";
import { AsyncDirective, directive } from "lit-html/async-directive.js";
import { plain } from "../text.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const COPIED_MS = 2000;

/** "3 min", of a time in ms. @param {number} ms */
export function spanOf(ms) {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  return ms < 2 * DAY ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / DAY)} days`;
}

class Countdown extends AsyncDirective {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;

  /** @param {Date} moment @param {() => void} over told when it comes */
  render(moment, over) {
    clearTimeout(this.timer);
    const left = moment.getTime() - Date.now();
    if (left <= 0) return "expired: an answer counts no more";
    this.timer = setTimeout(
      () => {
        this.setValue(this.render(moment, over));
        if (moment.getTime() <= Date.now()) over();
      },
      left < HOUR ? SECOND : MINUTE,
    );
    return `expires in ${spanOf(left)}`;
  }

  disconnected() {
    clearTimeout(this.timer);
  }

  reconnected() {
    this.setValue("");
  }
}

const countdown = directive(Countdown);

/** @param {Date} moment @param {() => void} over told when it comes */
export function expiryView(moment, over) {
  return html`<time class="expiry" datetime=${moment.toISOString()} title=${moment.toLocaleString()}>${countdown(moment, over)}</time>`;
}

/** @param {string | undefined} digest */
export function digestView(digest) {
  if (digest === undefined) return nothing;
  const copy = async (/** @type {Event} */ { currentTarget }) => {
    const button = /** @type {HTMLElement} */ (currentTarget);
    let said = "✓";
    try {
      await navigator.clipboard.writeText(digest);
    } catch {
      said = "not allowed";
    }
    button.dataset.copied = said;
    setTimeout(() => delete button.dataset.copied, COPIED_MS);
  };
  return html`<span class="digest" title="SHA-256 of the thread, the tool and these arguments. What runs is checked against it.">Bound to <code>${plain(`${digest.slice(0, 8)}…${digest.slice(-4)}`)}</code>
    ${navigator.clipboard === undefined ? nothing : html`<button class="link copy" aria-label="Copy the digest" @click=${copy}>Copy</button>`}</span>`;
}
