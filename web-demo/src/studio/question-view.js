// SPDX-License-Identifier: MIT
// Shows a question that waits and takes a person's answer: a tool call is approved only when the
// end of its arguments and the button were in sight. Must not know: where questions come from.
import { html, nothing } from "lit-html";
import { Card } from "../card.js";
import { acceptCall, readRequest, rejectCall, wordsOf } from "../request.js";
import { layOut } from "../reveal.js";
import { inSight, isFramed, isUncovered } from "../view/sight.js";
import { plain } from "./text.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./store.js").Question} Question */

/** What a person is doing with questions. They are kept while they wait. */
export class Cards {
  /** @type {Map<string, Card>} */
  #cards = new Map();
  #changed;

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {Question} question @returns {Card} */
  of({ thread, id, value }) {
    const about = wordsOf(readRequest(value));
    const key = `${thread}\n${id}`;
    const known = this.#cards.get(key);
    if (known?.about === about) return known;
    const made = new Card(about, this.#changed);
    this.#cards.set(key, made);
    return made;
  }

  /** Forgets those that nobody asks any more. @param {readonly Question[]} open */
  keep(open) {
    const keys = new Set(open.map(({ thread, id }) => `${thread}\n${id}`));
    for (const key of this.#cards.keys()) if (!keys.has(key)) this.#cards.delete(key);
  }
}

/**
 * @param {Store} store
 * @param {Cards} cards
 * @param {Question} question
 */
export function questionView(store, cards, question) {
  const card = cards.of(question);
  const value = /** @type {any} */ (question.value);
  const isCall = value?.action_request !== undefined && typeof value?.canonical === "string";
  return html`<article class="question" data-question=${question.id} aria-label="A question that waits">
    ${isFramed ? html`<p class="problem" role="alert">This page is shown inside another page, which can cover it. Open it by itself to decide.</p>` : nothing}
    ${isCall ? callView(store, card, question) : otherView(store, card, question)}
    ${question.thread === store.thread ? nothing : html`<button class="link" @click=${() => store.chooseThread(question.thread)}>Show its thread</button>`}
  </article>`;
}

/** @param {Store} store @param {Card} card @param {Question} question */
function callView(store, card, question) {
  const request = readRequest(question.value);
  const words = wordsOf(request);
  const approve = (/** @type {MouseEvent} */ event) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    if (isFramed || !isUncovered(button) || !card.accepts(words, event.detail)) return;
    send(store, card, question, acceptCall(request));
  };
  return html`<h3>Approve <code>${plain(request.tool)}</code>?</h3>
    ${request.problem ? html`<p class="problem" role="alert">The last answer could not be used: ${plain(request.problem)}</p>` : nothing}
    <pre tabindex="0" aria-label="Arguments">${plain(layOut(request.canonical))}<span class="end" ${inSight(words, (sight, seen) => card.see("end", sight, seen))}></span></pre>
    <label>Reason, if you reject it <input .value=${card.reason} @input=${(/** @type {InputEvent} */ event) => (card.reason = /** @type {HTMLInputElement} */ (event.target).value)} /></label>
    <div class="actions">
      <span class="seat" ${inSight(words, (sight, seen) => card.see("button", sight, seen))}><button class="primary" data-do="approve" ?disabled=${isFramed || !card.canDecide(words)} @pointerdown=${() => card.press(words)} @click=${approve}>Approve</button></span>
      <button data-do="reject" ?disabled=${isFramed || card.isSent} @click=${() => send(store, card, question, rejectCall(request, card.reason))}>Reject</button>
    </div>
    ${card.lacks("end", words) ? html`<p class="hint">Scroll to the end of the arguments to approve them.</p>` : nothing}`;
}

/** @param {Store} store @param {Card} card @param {Question} question */
function otherView(store, card, question) {
  const answer = () => send(store, card, question, valueOf(card.draft));
  return html`<h3>A question waits</h3>
    <pre tabindex="0" aria-label="Question">${plain(JSON.stringify(question.value, null, 2) ?? "null")}</pre>
    <label>Answer: a text, or JSON <textarea rows="3" .value=${card.draft} @input=${(/** @type {InputEvent} */ event) => (card.draft = /** @type {HTMLTextAreaElement} */ (event.target).value)}></textarea></label>
    <div class="actions"><button class="primary" data-do="answer" ?disabled=${isFramed || card.isSent} @click=${answer}>Answer</button></div>`;
}

/**
 * @param {Store} store
 * @param {Card} card
 * @param {Question} question
 * @param {unknown} answer
 */
async function send(store, card, question, answer) {
  if (isFramed) return;
  card.isSent = true;
  await store.answer(question, answer);
  // An answer that was not taken can be given again.
  if (store.problem !== undefined) card.isSent = false;
  card.changed();
}

/** @param {string} text @returns {unknown} what it says as JSON, or the text itself */
export function valueOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
