// SPDX-License-Identifier: MIT
// The box to write in, with Send or Stop. While a request waits for a decision nothing can be sent:
// words are no decision.
import { html } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { followEnd } from "./follow.js";
import { icon } from "./icons.js";

/** @param {import("../app.js").App} app */
export function composer(app) {
  const { conversation } = app;
  const isRunning = conversation.status === "running";
  const canWrite = conversation.status === "idle" && conversation.pending.length === 0;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    followEnd();
    app.send(conversation.draft);
  };
  return html`<form class="composer" @submit=${submit}>
    <div class="field">
      <label class="unseen" for="message">Message</label>
      <textarea id="message" rows="1" placeholder=${placeholder(conversation)} ?disabled=${!canWrite && !isRunning} autocomplete="off" enterkeyhint="send"
        .value=${live(conversation.draft)} @input=${(/** @type {InputEvent} */ event) => write(app, event)} @keydown=${(/** @type {KeyboardEvent} */ event) => sendOnEnter(event)}></textarea>
      ${
        isRunning
          ? html`<button type="button" class="round stop" id="stop" aria-label="Stop" title="Stop" @click=${() => conversation.stop()}>${icon("stop")}</button>`
          : html`<button type="submit" class="round" id="send" aria-label="Send" title="Send" ?disabled=${!canWrite || conversation.draft.trim() === ""}>${icon("send")}</button>`
      }
    </div>
  </form>`;
}

/** @param {import("../conversation.js").Conversation} conversation */
function placeholder({ status, pending }) {
  if (status === "readOnly") return "Read only: another tab goes on here";
  if (status === "broken") return "This conversation cannot go on";
  return pending.length > 0 ? "Decide on the request first" : "Ask something";
}

/** @param {import("../app.js").App} app @param {InputEvent} event */
function write(app, event) {
  app.conversation.draft = /** @type {HTMLTextAreaElement} */ (event.target).value;
  app.changed();
}

/** @param {KeyboardEvent} event */
function sendOnEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  /** @type {HTMLTextAreaElement} */ (event.target).form?.requestSubmit();
}
