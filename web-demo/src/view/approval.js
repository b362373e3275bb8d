// SPDX-License-Identifier: MIT
// The card of one request: which tool, with exactly which arguments, and the person's decision.
// What a model or a person wrote is shown as text, what cannot be seen in it is spelled out, and a
// call runs when the end of its arguments and the button were in sight.
import { html, nothing } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { acceptCall, editCall, readRequest, rejectCall } from "../request.js";
import { callView, settledArguments } from "../studio/questions/call-view.js";
import { comeTo } from "./follow.js";
import { icon } from "./icons.js";
import { revealed } from "./revealed.js";
import { isFramed, isUncovered } from "./sight.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../card.js").Card} Card */
/** @typedef {import("../request.js").Request} Request */
/** @typedef {import("../conversation.js").Asked} Asked */
/** More requests than these do not fit on most screens. */
const MANY = 2;

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
  return callView({
    id: asked.id,
    card,
    request,
    schema: app.schemaOf(request.tool),
    can: { accept: true, edit: request.canEdit, say: true, ignore: true },
    isMany,
    isOff: !canAct(app, card),
    decide: (decision, event, json) => {
      if (decision.type === "accept")
        decide(app, asked, acceptCall(request), { word: "Approved" }, event);
      else if (decision.type === "edit") {
        const answer = editCall(request, decision.args);
        decide(app, asked, answer, { word: "Changed and approved", json }, event);
      } else {
        const reason = decision.type === "say" ? decision.text : "";
        decide(app, asked, rejectCall(request, reason), { word: "Rejected" }, event);
      }
    },
  });
}

/**
 * As high as it was when it was open.
 * @param {Request} request
 * @param {Card} card
 * @param {boolean} isMany
 */
function settledCard({ canonical }, { verdict }, isMany) {
  return html`${settledArguments(verdict?.json ?? canonical, isMany)}
    <p class="actions verdict">${verdict?.word ?? "Decided in another tab"}. The agent goes on when all are decided.</p>`;
}

/** @param {App} app @param {Card} card */
const canAct = (app, card) => !isFramed && !card.isSent && app.conversation.status === "idle";

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
