// SPDX-License-Identifier: MIT
// The card of one request: which tool, with exactly which arguments, and the person's decision.
// What a model or a person wrote is shown as text, what cannot be seen in it is spelled out, and a
// call runs when the end of its arguments and the button were in sight.
import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { ref } from "lit-html/directives/ref.js";
import { acceptCall, editCall, readRequest, rejectCall, wordsOf } from "../request.js";
import { layOut, mixedWords, reveal } from "../reveal.js";
import { editor } from "./fields.js";
import { comeTo } from "./follow.js";
import { icon } from "./icons.js";
import { revealed } from "./revealed.js";
import { inSight, isFramed, isUncovered } from "./sight.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../card.js").Card} Card */
/** @typedef {import("../request.js").Request} Request */
/** @typedef {import("../conversation.js").Asked} Asked */
/**
 * What would run, as JSON, and the words that stand for all that is shown of it.
 * @typedef {{ json: string, words: string }} Shown
 */

/** More requests than these do not fit on most screens. */
const MANY = 2;
/** Characters of a line. */
const SHORT = 80;
const FIELD = "input, select, textarea";

/**
 * @param {App} app
 * @param {Asked} asked
 * @param {{ at: number, of: number, isFirst: boolean }} place among the requests of the step;
 *   `isFirst` of the open ones
 */
export function approvalCard(app, asked, { at, of, isFirst }) {
  const card = app.card(asked);
  const request = readRequest(asked.value);
  const title = `ask-${asked.id}`;
  const escape = (/** @type {KeyboardEvent} */ event) =>
    event.key === "Escape" && card.mode !== "look" && !card.isSent && lookAgain(asked.id, card);
  // Of many requests as many as can be are in sight at a time: each screen is waited for once.
  const isMany = of > MANY;
  return html`<section class="${asked.isOpen ? "approval" : "settled"} ${isMany ? "many" : ""}" aria-labelledby=${title} data-interrupt=${asked.id} data-mode=${card.mode} @keydown=${escape}>
    <header>${icon(asked.isOpen ? "shield" : "check")}<h2 id=${title} tabindex="-1" ${ref((element) => isFirst && greet(card, element, at === 1))}>${asked.isOpen ? "Approve this call?" : "Decided"}${of > 1 ? html` <span>${at} of ${of}</span>` : nothing}</h2></header>
    ${asked.isOpen && request.problem ? html`<p class="wrong" role="alert">The last answer could not be used: ${revealed(request.problem)}</p>` : nothing}
    <p class="tool">Tool <code dir="ltr">${revealed(request.tool)}</code></p>
    ${asked.isOpen ? openCard(app, asked, request, card, isMany) : settledCard(request, card, isMany)}
    ${request.digest ? html`<p class="digest" title="SHA-256 of the thread, its state, the tool and these arguments. What runs is checked against it.">Bound to <code>${request.digest}</code></p>` : nothing}
  </section>`;
}

/**
 * @param {App} app
 * @param {Asked} asked
 * @param {Request} request
 * @param {Card} card
 * @param {boolean} isMany
 */
function openCard(app, asked, request, card, isMany) {
  const schema = app.schemaOf(request.tool);
  const edit = card.mode === "edit" ? card.edited(schema) : undefined;
  const json =
    edit === undefined ? request.canonical : "args" in edit ? JSON.stringify(edit.args) : undefined;
  const shown =
    json === undefined
      ? undefined
      : { json, words: JSON.stringify([card.mode === "edit", json, wordsOf(request)]) };
  return html`
    ${isFramed ? framed() : nothing}
    ${edit ? editor(asked.id, card, schema, edit) : nothing}
    ${warnings(`${request.tool} ${edit ? draftOf(card) : request.canonical} ${json}`)}
    ${shown ? argumentsBox(shown, card, isMany) : nothing}
    ${card.mode === "reject" ? reasonBox(app, asked, request, card) : nothing}
    <div class="actions">${actions(app, asked, request, card, shown, edit && "args" in edit ? edit.args : undefined)}</div>
    ${shown && card.mode !== "reject" ? hint(shown, card) : nothing}`;
}

/**
 * What keeps the button from working. Below it, so that it does not move.
 * @param {Shown} shown
 * @param {Card} card
 */
function hint({ words }, card) {
  if (isFramed) return nothing;
  if (card.lacks("end", words))
    return html`<p class="hint">Scroll to the end of the arguments to ${card.mode === "edit" ? "use" : "approve"} them.</p>`;
  return card.lacks("button", words)
    ? html`<p class="hint">The button works when all of it is in sight, with nothing on top.</p>`
    : nothing;
}

/**
 * As high as it was when it was open.
 * @param {Request} request
 * @param {Card} card
 * @param {boolean} isMany
 */
function settledCard({ canonical }, { verdict }, isMany) {
  return html`<pre class="arguments" dir="ltr" tabindex="0" aria-label="Arguments">${revealed(linesOf(verdict?.json ?? canonical, isMany))}</pre>
    <p class="actions verdict">${verdict?.word ?? "Decided in another tab"}. The agent goes on when all are decided.</p>`;
}

/**
 * Short arguments of many requests stand on one line.
 * @param {string} json
 * @param {boolean} isMany
 */
const linesOf = (json, isMany) => (isMany && json.length <= SHORT ? json : layOut(json));

/** @param {Shown} shown @param {Card} card @param {boolean} isMany */
function argumentsBox({ json, words }, card, isMany) {
  const isEdit = card.mode === "edit";
  return html`${isEdit ? html`<p class="after">What will run</p>` : nothing}
    <pre class="arguments" dir="ltr" tabindex="0" aria-label=${isEdit ? "What will run" : "Arguments"}>${revealed(linesOf(json, isMany))}<span class="end" ${inSight(words, (sight, seen) => card.see("end", sight, seen))}></span></pre>`;
}

/** In a page around this one, a person cannot know what is under the pointer. */
function framed() {
  return html`<p class="framed" role="alert">${icon("alert")}<span>This page is shown inside another page, which can cover it or cut it. Nothing can be decided here.
    <a href=${location.href} target="_blank" rel="noopener">Open it by itself</a> to decide.</span></p>`;
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

/** What a person wrote, which may not be readable yet. @param {Card} card */
const draftOf = ({ tab, draft, values }) =>
  tab === "json" ? draft : Object.values(values).join(" ");

/** @param {App} app @param {Asked} asked @param {Request} request @param {Card} card */
function reasonBox(app, asked, request, card) {
  const id = `reason-${asked.id}`;
  const reject = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    // A key that is held since the button before it says nothing.
    if (!event.repeat && canAct(app, card))
      decide(app, asked, rejectCall(request, card.reason.trim()), { word: "Rejected" }, event);
  };
  return html`<div class="entry">
    <label for=${id}>Why not? <span>The agent is told. (optional)</span></label>
    <input id=${id} class="reason" type="text" maxlength="500" autocomplete="off" .value=${live(card.reason)} @keydown=${reject} @input=${(/** @type {InputEvent} */ event) => card.set({ reason: /** @type {HTMLInputElement} */ (event.target).value })}>
  </div>`;
}

/**
 * @param {App} app
 * @param {Asked} asked
 * @param {Request} request
 * @param {Card} card
 * @param {Shown | undefined} shown
 * @param {any} args of an edit that can be used
 */
function actions(app, asked, request, card, shown, args) {
  const isOff = !canAct(app, card);
  const back = html`<button class="quiet" ?disabled=${card.isSent} @click=${() => lookAgain(asked.id, card)}>Back</button>`;
  if (card.mode === "edit")
    return html`${back}${runButton("save", "Use these arguments", shown, card, isOff, (event) => decide(app, asked, editCall(request, args), { word: "Changed and approved", json: shown?.json }, event))}`;
  if (card.mode === "reject") {
    return html`${back}<button class="danger" data-act="confirm-reject" ?disabled=${isOff} @keydown=${ignoreHeld} @click=${(/** @type {MouseEvent} */ event) => decide(app, asked, rejectCall(request, card.reason.trim()), { word: "Rejected" }, event)}>Reject</button>`;
  }
  return html`
    ${runButton("approve", html`${icon("check")} Approve`, shown, card, isOff, (event) => decide(app, asked, acceptCall(request), { word: "Approved" }, event))}
    ${request.canEdit ? html`<button data-act="edit" ?disabled=${isOff} @click=${() => begin(() => card.edit(request.canonical, app.schemaOf(request.tool)), `panel-${asked.id}`)}>Edit</button>` : nothing}
    <button data-act="reject" ?disabled=${isOff} @click=${() => begin(() => card.set({ mode: "reject" }), `reason-${asked.id}`)}>Reject</button>`;
}

/**
 * A button that makes the call run. Its seat, which has no look of its own, is what has to be in
 * sight.
 * @param {string} act
 * @param {unknown} label
 * @param {Shown | undefined} shown
 * @param {Card} card
 * @param {boolean} isOff
 * @param {(event: MouseEvent) => void} run
 */
function runButton(act, label, shown, card, isOff, run) {
  const words = shown?.words ?? "";
  const click = (/** @type {MouseEvent} */ event) => {
    const seat = /** @type {Element} */ (
      /** @type {Element} */ (event.currentTarget).parentElement
    );
    if (!card.accepts(words, event.detail)) return;
    // The keyboard reaches what was scrolled away since.
    if (isUncovered(seat)) run(event);
    else seat.scrollIntoView({ block: "nearest" });
  };
  return html`<span class="seat" data-for=${act} ${inSight(words, (sight, seen) => card.see("button", sight, seen))}><button class="primary" data-act=${act} ?disabled=${isOff || shown === undefined || !card.canDecide(words)}
      @pointerdown=${() => card.press(words)} @keydown=${ignoreHeld} @click=${click}>${label}</button></span>`;
}

/** @param {App} app @param {Card} card */
const canAct = (app, card) => !isFramed && !card.isSent && app.conversation.status === "idle";

/** A key that is held down was pressed for something else. @param {KeyboardEvent} event */
function ignoreHeld(event) {
  if (event.repeat) event.preventDefault();
}

/**
 * @param {App} app
 * @param {Asked} asked
 * @param {any} response
 * @param {import("../card.js").Verdict} verdict
 * @param {UIEvent} event that decided
 */
function decide(app, asked, response, verdict, event) {
  const from = /** @type {Element} */ (
    /** @type {Element} */ (event.currentTarget).closest(".approval")
  );
  app.decide(asked, response, verdict).then(returnFocus);
  requestAnimationFrame(() => goOn(app, from, event));
}

/**
 * To the next request that waits: it gets the keyboard, and comes in sight with those behind it.
 * @param {App} app
 * @param {Element} from
 * @param {UIEvent} event
 */
function goOn(app, from, event) {
  const cards = [...document.querySelectorAll(".approval")];
  const next =
    cards.find((card) => from.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING) ??
    cards[0];
  const seat = next?.querySelector(".seat");
  if (!next || next.contains(document.activeElement)) return;
  next.querySelector("h2")?.focus({ preventScroll: true });
  if (!seat || isUncovered(seat)) return;
  next.scrollIntoView({ block: "start" });
  // What the page itself brings under the pointer was not meant by it.
  if (!(event instanceof MouseEvent)) return;
  const under = document
    .elementFromPoint(event.clientX, event.clientY)
    ?.closest(".approval")
    ?.getAttribute("data-interrupt");
  const request = app.conversation.pending.find(({ id }) => id === under);
  if (request) app.card(request).arm();
}

/**
 * The first request that waits gets the keyboard, unless a person is at another one; new ones come
 * in sight.
 * @param {Card} card
 * @param {Element | undefined} heading
 * @param {boolean} areNew
 */
function greet(card, heading, areNew) {
  if (!heading || !card.greet()) return;
  requestAnimationFrame(() => {
    if (document.activeElement?.closest(".approval")) return;
    /** @type {HTMLElement} */ (heading).focus({ preventScroll: true });
    if (areNew) comeTo(/** @type {Element} */ (heading.closest(".approval")));
  });
}

/**
 * The keyboard goes to the field that comes in place of the button that was pressed, or to the
 * first one in it.
 * @param {() => void} change
 * @param {string} id
 */
function begin(change, id) {
  change();
  requestAnimationFrame(() => {
    const place = document.getElementById(id);
    const field = place?.matches(FIELD) ? place : place?.querySelector(FIELD);
    /** @type {HTMLElement | null | undefined} */ (field)?.focus();
    place?.closest(".approval")?.scrollIntoView({ block: "nearest" });
  });
}

/** @param {string} id @param {Card} card */
function lookAgain(id, card) {
  card.set({ mode: "look" });
  document.getElementById(`ask-${id}`)?.focus();
}

/**
 * The buttons are gone: the keyboard goes on where the next words are written, unless something
 * else took it.
 */
function returnFocus() {
  setTimeout(
    () => document.activeElement === document.body && document.getElementById("message")?.focus(),
    200,
  );
}
