// SPDX-License-Identifier: MIT
// The card of one request: which tool, with exactly which arguments, and the person's decision. What a model wrote is shown
// as text only, what cannot be seen in it is spelled out, and Approve works when the card was in sight and read to its end.
import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { ref } from "lit-html/directives/ref.js";
import { readEdit } from "../card.js";
import { acceptCall, editCall, readRequest, rejectCall } from "../request.js";
import { layOut, mixedWords, reveal, spellInJson } from "../reveal.js";
import { icon } from "./icons.js";
import { revealed } from "./revealed.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../card.js").Card} Card */
/** @typedef {import("../request.js").Request} Request */

/** @param {App} app @param {import("../conversation.js").Pending} pending */
export function approvalCard(app, pending) {
  const card = app.card(pending.id);
  const request = readRequest(pending.value);
  const isOff = card.isSent || app.conversation.status !== "idle";
  const title = `ask-${pending.id}`;
  return html`<section class="approval" aria-labelledby=${title} data-interrupt=${pending.id} data-mode=${card.mode} @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === "Escape" && card.mode !== "look" && !card.isSent && lookAgain(pending.id, card)}>
    <header>${icon("shield")}<h2 id=${title} tabindex="-1" ${ref((element) => card.greet(element))}>Approve this call?</h2></header>
    ${request.problem ? html`<p class="wrong" role="alert">The last answer could not be used: ${revealed(request.problem)}</p>` : nothing}
    <p class="tool">Tool <code dir="ltr">${revealed(request.tool)}</code></p>
    ${card.mode === "edit" ? editor(app, pending.id, request, card) : argumentsBox(request, card)}
    ${card.mode === "reject" ? reasonBox(app, card) : nothing}
    ${warnings(`${request.tool} ${card.mode === "edit" ? card.draft : request.canonical}`)}
    <div class="actions">${actions(app, pending.id, request, card, isOff)}</div>
    ${request.digest ? html`<p class="digest" title="SHA-256 of the thread, its state, the tool and these arguments. What runs is checked against it.">Bound to <code>${request.digest}</code></p>` : nothing}
  </section>`;
}

/** @param {Request} request @param {Card} card */
function argumentsBox({ canonical }, card) {
  return html`<pre class="arguments" dir="ltr" tabindex="0" aria-label="Arguments" @scroll=${(/** @type {Event} */ event) => card.look(/** @type {Element} */ (event.currentTarget))}
      ${ref((element) => element && requestAnimationFrame(() => card.look(element)))}>${revealed(layOut(canonical))}</pre>
    ${card.isRead ? nothing : html`<p class="hint">Scroll to the end of the arguments to approve.</p>`}`;
}

/** @param {string} text */
function warnings(text) {
  const mixed = mixedWords(text);
  const isHidden = reveal(text).some(({ hidden }) => hidden);
  if (mixed.length === 0 && !isHidden) return nothing;
  return html`<ul class="warnings" role="note">
    ${isHidden ? html`<li>${icon("alert")}Characters that cannot be seen are in it; they are marked as \\u{…} where arguments are shown.</li>` : nothing}
    ${mixed.map(({ word, scripts }) => html`<li>${icon("alert")}<span>“<bdi>${word}</bdi>” mixes letters of ${scripts.join(" and ")}: it may not be the word it looks like.</span></li>`)}
  </ul>`;
}

/** @param {App} app @param {string} id @param {Request} request @param {Card} card */
function editor(app, id, { tool }, card) {
  const result = readEdit(card.draft, app.schemaOf(tool));
  const fault = "fault" in result ? result.fault : undefined;
  return html`<div class="entry">
    <label for=${`edit-${id}`}>Arguments as JSON</label>
    <textarea id=${`edit-${id}`} class="json" rows="6" spellcheck="false" autocomplete="off" dir="ltr" aria-invalid=${fault ? "true" : "false"} aria-describedby=${`fault-${id}`} ${ref(focusNew)}
      .value=${live(card.draft)} @input=${(/** @type {InputEvent} */ event) => card.set({ draft: /** @type {HTMLTextAreaElement} */ (event.target).value })}></textarea>
    <small id=${`fault-${id}`} class=${fault ? "wrong" : ""} role="status">${fault ?? "The changed call is checked like a new one."}</small>
  </div>`;
}

/** @param {App} app @param {Card} card */
function reasonBox(app, card) {
  return html`<div class="entry">
    <label for="reason">Why not? <span>The agent is told. (optional)</span></label>
    <input id="reason" type="text" maxlength="500" autocomplete="off" ${ref(focusNew)} .value=${live(card.reason)} @input=${(/** @type {InputEvent} */ event) => card.set({ reason: /** @type {HTMLInputElement} */ (event.target).value })}>
  </div>`;
}

/** @param {App} app @param {string} id @param {Request} request @param {Card} card @param {boolean} isOff */
function actions(app, id, request, card, isOff) {
  const back = html`<button class="quiet" ?disabled=${isOff} @click=${() => lookAgain(id, card)}>Back</button>`;
  const decide = (/** @type {any} */ response) => app.decide(id, response).then(returnFocus);
  if (card.mode === "edit") {
    const result = readEdit(card.draft, app.schemaOf(request.tool));
    return html`${back}<button class="primary" data-act="save" ?disabled=${isOff || !card.isArmed || "fault" in result} @click=${() => "args" in result && card.isArmed && decide(editCall(request, result.args))}>Use these arguments</button>`;
  }
  if (card.mode === "reject") return html`${back}<button class="danger" data-act="confirm-reject" ?disabled=${isOff} @click=${() => decide(rejectCall(request, card.reason.trim()))}>Reject</button>`;
  return html`
    <button class="primary" data-act="approve" ?disabled=${isOff || !card.canApprove} @click=${() => card.canApprove && decide(acceptCall(request))}>${icon("check")} Approve</button>
    ${request.canEdit ? html`<button data-act="edit" ?disabled=${isOff} @click=${() => card.set({ mode: "edit", draft: spellInJson(layOut(request.canonical)) })}>Edit</button>` : nothing}
    <button data-act="reject" ?disabled=${isOff} @click=${() => card.set({ mode: "reject" })}>Reject</button>`;
}

/** @param {Element | undefined} field that came in place of the button that was pressed */
function focusNew(field) {
  queueMicrotask(() => /** @type {HTMLElement | undefined} */ (field)?.focus());
}

/** @param {string} id @param {Card} card */
function lookAgain(id, card) {
  card.set({ mode: "look" });
  document.getElementById(`ask-${id}`)?.focus();
}

/** The buttons are gone: the keyboard goes on where the next words are written, unless another card took it. */
function returnFocus() {
  setTimeout(() => document.activeElement === document.body && document.getElementById("message")?.focus(), 200);
}
