// SPDX-License-Identifier: MIT
// Shows a question of a node that is no tool call, and takes the answer: one of the choices that it
// offers, a form made of its schema, a text, or JSON. Must not know: how the answer is sent.
import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { layOut, reveal } from "../reveal.js";
import { MOST_TITLE } from "./asked.js";
import { endMark, framed, runButtons, sightHint } from "./call-view.js";
import { editor } from "./fields.js";
import { revealed } from "./revealed.js";
import { isFramed } from "./sight.js";

/** @typedef {import("./cards.js").Held} Held */
/** @typedef {import("./asked.js").AskedOpen} AskedOpen */
/** @typedef {(answer: unknown, verdict: string, event: UIEvent) => void} Send */

const MOST_SAID = 80;

/** @param {Held} held @param {Send} send */
export function openView(held, send) {
  const asked = /** @type {AskedOpen} */ (held.asked);
  if (!held.isOpen) return questionBox(held, asked, nothing);
  const [card] = held.cards;
  const words = JSON.stringify([held.id, held.question.value]);
  const isOff = isFramed || held.isSent;
  const answer = (/** @type {unknown} */ value, /** @type {UIEvent} */ event) =>
    send(value, `Answered ${brief(value)}`, event);
  const fromSchema = asked.schema !== undefined;
  const end = endMark(words, card);
  return html`${isFramed ? framed() : nothing}
    ${questionBox(held, asked, end)}
    ${
      asked.choices.length === 0
        ? nothing
        : html`<div class="actions">${runButtons({
            words,
            card,
            isOff,
            buttons: asked.choices.map(({ label, value }) => ({
              act: "choose",
              label: revealed(label),
              run: (event) => answer(value, event),
            })),
          })}</div>`
    }
    ${asked.choices.length > 0 && fromSchema ? nothing : fromSchema ? schemaForm(held, asked.schema, words, isOff, answer) : textForm(held, asked, words, isOff, answer)}
    ${sightHint(words, card, "answer")}`;
}

/** @param {Held} held @param {AskedOpen} asked @param {unknown} end what stands behind it */
function questionBox({ id }, { text, details }, end) {
  const isRecord = typeof details === "object" && details !== null && !Array.isArray(details);
  return html`<div class="arguments said" dir="auto" tabindex="0" role="group" aria-label="Question">
    ${text === undefined || (details !== undefined && isInTitle(text)) ? nothing : html`<p>${revealed(text)}</p>`}
    ${
      details === undefined
        ? nothing
        : isRecord
          ? html`<dl id=${`details-${id}`}>${Object.entries(details).map(([key, value]) => html`<dt>${revealed(key)}</dt><dd>${revealed(textOf(value))}</dd>`)}</dl>`
          : html`<p>${revealed(textOf(details))}</p>`
    }${end}</div>`;
}

/** The heading has all of it. @param {string} text */
const isInTitle = (text) =>
  text.length <= MOST_TITLE && !reveal(text).some(({ hidden }) => hidden) && !text.includes("\n");

/** @param {unknown} value */
const textOf = (value) =>
  typeof value === "string" ? value : layOut(JSON.stringify(value) ?? "null");

/**
 * @typedef {(value: unknown, event: UIEvent) => void} Answer
 */

/**
 * @param {Held} held
 * @param {AskedOpen} asked
 * @param {string} words
 * @param {boolean} isOff
 * @param {Answer} answer
 */
function textForm({ id, cards: [card] }, { choices }, words, isOff, answer) {
  const { draft } = card;
  const value = valueOf(draft);
  const isText = value === draft;
  const button = {
    act: "answer",
    label: "Answer",
    run: (/** @type {UIEvent} */ event) => answer(value, event),
  };
  return html`<div class="entry">
      <label for=${`answer-${id}`}>${choices.length > 0 ? "Or another answer: a text, or JSON" : "Answer: a text, or JSON"}</label>
      <textarea id=${`answer-${id}`} rows="2" dir="auto" .value=${live(draft)} @input=${(/** @type {InputEvent} */ event) => card.set({ draft: /** @type {HTMLTextAreaElement} */ (event.target).value })}></textarea>
    </div>
    <div class="actions">${choices.length > 0 ? html`<button data-do="answer" ?disabled=${isOff || draft.trim() === ""} @click=${button.run}>Answer</button>` : runButtons({ words, card, isOff: isOff || draft.trim() === "", buttons: [button] })}
      ${draft.trim() === "" ? nothing : html`<span class="hint">${isText ? "It is sent as a text." : `It is sent as JSON: ${Array.isArray(value) ? "a list" : value === null ? "null" : typeof value}.`}</span>`}</div>`;
}

/**
 * @param {Held} held
 * @param {any} schema
 * @param {string} words
 * @param {boolean} isOff
 * @param {Answer} answer
 */
function schemaForm({ id, cards: [card] }, schema, words, isOff, answer) {
  const isWhole = isObjectSchema(schema);
  const own = isWhole
    ? schema
    : { type: "object", properties: { answer: schema }, required: ["answer"] };
  if (card.mode === "look") {
    card.edit("{}", own);
    card.mode = "edit";
  }
  const edited = card.edited(own);
  const isTouched = Object.keys(card.values).length > 0 || card.tab === "json";
  const value = "args" in edited ? (isWhole ? edited.args : edited.args.answer) : undefined;
  const isReady = "args" in edited && isTouched;
  return html`${editor(id, card, own, isTouched ? edited : { args: {} }, { hasJson: isWhole, hint: "" })}
    <div class="actions">${runButtons({
      words,
      card,
      isOff: isOff || !isReady,
      buttons: [{ act: "answer", label: "Answer", run: (event) => answer(value, event) }],
    })}</div>`;
}

/** @param {any} schema */
const isObjectSchema = (schema) =>
  schema?.type === "object" || typeof schema?.properties === "object";

/** @param {string} text @returns {unknown} what it says as JSON, or the text itself */
export function valueOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @param {unknown} value */
function brief(value) {
  const text = JSON.stringify(value) ?? "";
  return text.length > MOST_SAID ? `${text.slice(0, MOST_SAID)}…` : text;
}
