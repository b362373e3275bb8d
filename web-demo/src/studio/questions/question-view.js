// SPDX-License-Identifier: MIT
// Shows the questions that wait, as cards, and hands a person's answers on. Must not know: where
// questions come from, and how answers are sent.
import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { icon } from "../icons.js";
import { plain } from "../text.js";
import { answerOf, titleOf } from "./asked.js";
import { callView, settledArguments } from "./call-view.js";
import { changesView } from "./changes-view.js";
import { digestView, expiryView } from "./facts-view.js";
import { goOn, headingOf, standing } from "./keyboard.js";
import { openView } from "./open-view.js";
import { isFramed, onReturn } from "./sight.js";

/** @typedef {import("./cards.js").Cards} Cards */
/** @typedef {import("./cards.js").Held} Held */
/** @typedef {import("./cards.js").Question} Question */
/** @typedef {import("./asked.js").AskedCalls} AskedCalls */
/**
 * Who asks. `thread`: the one that is open; `answer`: sends an answer, and says why it was not
 * taken.
 * @typedef {{ questions: readonly Question[], thread: string, answer: (question: Question, answer:
 *   unknown) => Promise<string | undefined>, chooseThread: (thread: string) => unknown }} Host
 */

/** More questions than these do not fit on most screens. */
const MANY = 2;

/** @param {Host} host @param {Cards} cards */
export function questionsView(host, cards) {
  const held = cards.show(host.questions);
  const isOwn = (/** @type {Held} */ { question }) => question.thread === host.thread;
  return cardsView({ host, cards }, held, (one) => one.isOpen && isOwn(one));
}

/**
 * @param {{ host: Host, cards: Cards }} place
 * @param {readonly Held[]} held
 * @param {(held: Held) => boolean} isWanted may have the keyboard when it comes
 */
export function cardsView({ host, cards }, held, isWanted) {
  const open = held.filter(({ isOpen }) => isOpen);
  const first = held.find(isWanted);
  return html`<section class="asked" ?hidden=${held.length === 0} tabindex="-1" aria-label="Questions that wait" ${onReturn(() => cards.arm())}>
    <h2>${open.length === 1 ? "1 question waits" : `${open.length} questions wait`}</h2>
    ${repeat(
      held,
      ({ key }) => key,
      (one) => questionView({ host, cards, held: one }, held.length > MANY, one === first),
    )}
  </section>`;
}

/** @typedef {{ host: Host, cards: Cards, held: Held }} Place */

/** @param {Place} place @param {boolean} isMany @param {boolean} isFirst to have the keyboard */
function questionView(place, isMany, isFirst) {
  const { host, held } = place;
  const { question, asked, id, isOpen } = held;
  const title = plain(titleOf(asked));
  const problem = held.failure ?? (asked.kind === "calls" ? asked.problem : undefined);
  const isOwn = question.thread === host.thread;
  const escape = (/** @type {KeyboardEvent} */ event) => {
    const card = held.cards.find(({ mode }) => mode !== "look");
    if (event.key !== "Escape" || card === undefined || held.isSent || asked.kind === "open")
      return;
    event.stopPropagation();
    card.set({ mode: "look" });
    headingOf(/** @type {Element} */ (event.currentTarget))?.focus();
  };
  return html`<article class="question ${isOpen ? "open" : "settled"} ${isMany ? "many" : ""}" aria-labelledby=${`ask-${id}`} data-question=${question.id} data-thread=${question.thread} data-mode=${held.cards[0].mode} @keydown=${escape} ${standing(isFirst)}>
    <header>${icon(isOpen ? "shield" : "check")}<h3 id=${`ask-${id}`} tabindex="-1">${isOpen ? title : html`${held.verdict}: ${title}`}</h3></header>
    ${problem && (isOpen || held.failure) ? html`<p class="problem" role="alert">The last answer could not be used: ${plain(problem)}</p>` : nothing}
    ${asked.kind === "open" ? openView(held, (answer, verdict, event) => send(place, answer, verdict, event)) : asked.calls.map((_, at) => callPart(place, asked, at, isMany))}
    <footer>
      ${asked.kind === "calls" && asked.expires && isOpen ? expiryView(asked.expires, held.changed) : nothing}
      ${asked.kind === "calls" && isOpen && isOver(asked.expires) ? expiredButton(place, asked) : nothing}
      ${asked.kind === "calls" ? digestView(asked.digest) : nothing}
      ${isOwn ? nothing : html`<button class="link" @click=${() => host.chooseThread(question.thread)}>Show its thread</button>`}
    </footer>
  </article>`;
}

/**
 * @param {Place} place
 * @param {AskedCalls} asked
 * @param {number} at which of its calls
 * @param {boolean} isMany
 */
function callPart(place, asked, at, isMany) {
  const { held } = place;
  const { id, isOpen } = held;
  const call = asked.calls[at];
  const card = held.cards[at];
  const { verdict } = card;
  const isBatch = asked.calls.length > 1;
  const name = html`<p class="tool">Tool <code dir="ltr">${plain(call.tool)}</code>${isBatch ? html` <span>${at + 1} of ${asked.calls.length}</span>` : nothing}</p>`;
  if (verdict !== undefined || !isOpen)
    return html`<div class="call">${name}${settledArguments(verdict?.json ?? call.canonical, isMany)}
      ${verdict?.json === undefined ? nothing : changesView(JSON.parse(call.canonical), JSON.parse(verdict.json))}
      <p class="actions verdict">${verdict?.word ?? held.verdict}${isOpen && isBatch ? html` <button class="quiet" data-do="undo" @click=${() => held.take(at, undefined)}>Undo</button>` : nothing}</p></div>`;
  const decide = (
    /** @type {import("./asked.js").Decision} */ decision,
    /** @type {UIEvent} */ event,
    /** @type {string | undefined} */ json,
  ) => {
    if (isFramed || held.isSent) return;
    held.take(at, decision, json);
    const { decisions } = held;
    if (decisions === undefined) headingOf(questionOf(event))?.focus();
    else send(place, answerOf(asked, decisions), card.verdict?.word ?? "Decided", event);
  };
  const isOff = isFramed || held.isSent || isOver(asked.expires);
  const request = { ...call, digest: asked.digest ?? call.digest, problem: asked.problem };
  return html`<div class="call">${name}${callView({ id: `${id}-${at}`, card, request, can: call.can, manner: call.manner, isMany, isOff, decide, schema: call.schema })}</div>`;
}

/**
 * Any answer makes the engine do what the request's rules say for then.
 * @param {Place} place
 * @param {AskedCalls} asked
 */
function expiredButton(place, asked) {
  const ignore = asked.calls.map(() => /** @type {const} */ ({ type: "ignore" }));
  const goOn = (/** @type {MouseEvent} */ event) =>
    send(place, answerOf(asked, ignore), "Expired", event);
  return html`<button data-do="expire" ?disabled=${isFramed} @click=${goOn}>Go on without an answer</button>`;
}

/** @param {Date | undefined} expires */
const isOver = (expires) => expires !== undefined && expires.getTime() <= Date.now();

/** @param {UIEvent} event */
const questionOf = ({ currentTarget }) =>
  /** @type {Element} */ (/** @type {Element} */ (currentTarget).closest(".question"));

/**
 * @param {Place} place
 * @param {unknown} answer
 * @param {string} verdict in a word
 * @param {UIEvent} event that decided
 */
async function send({ host, cards, held }, answer, verdict, event) {
  if (isFramed || held.isSent) return;
  const own = questionOf(event);
  held.begin(verdict);
  // What the page itself brings under the pointer was not meant by it.
  goOn(own, () => event instanceof MouseEvent && cards.arm());
  // An answer that was not taken can be given again.
  held.end(await host.answer(held.question, answer));
}
