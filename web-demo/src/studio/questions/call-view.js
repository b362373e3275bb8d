// SPDX-License-Identifier: MIT
// Shows one call that waits for a person, with exactly the arguments that would run, and takes the
// decision. What a model or a person wrote is shown as text, what cannot be seen in it is spelled
// out, and a call runs when the end of its arguments and the button were in sight. Must not know:
// where the call comes from, and in which form the decision is sent.
import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { icon } from "../icons.js";
import { layOut, mixedWords, reveal } from "../reveal.js";
import { changesView } from "./changes-view.js";
import { editor } from "./fields.js";
import { rootOf } from "./keyboard.js";
import { readSchema } from "./read-schema.js";
import { wordsOf } from "./request.js";
import { revealed } from "./revealed.js";
import { inSight, isFramed, isUncovered } from "./sight.js";

/** @typedef {import("./card.js").Card} Card */
/** @typedef {import("./asked.js").Decision} Decision */
/** @typedef {import("./asked.js").Allowed} Allowed */
/**
 * A call, where it is shown. `id`: for the page's ids; `schema`: of its arguments; `isMany`: there
 * are several beside it; `isOff`: nothing can be decided now; `decide`: gets the decision, and what
 * is to run as JSON, if it was changed.
 * @typedef {{ id: string, card: Card, request: import("./request.js").Request, schema: any,
 *   can: Allowed, manner?: Manner, isMany?: boolean, isOff: boolean, decide: (decision: Decision,
 *   event: UIEvent, json?: string) => void }} CallPlace
 */
/** @typedef {keyof typeof MANNERS} Manner */
/**
 * What would run, as JSON, and the words that stand for all that is shown of it.
 * @typedef {{ json: string, words: string }} Shown
 */

/** Characters of a line. */
const SHORT = 80;
const FIELD = "input, select, textarea";

/** Which words fit, by what an answer means to the one who asks. */
const MANNERS = {
  review: {
    accept: "Approve",
    say: "Reject",
    confirm: "Reject",
    ignore: undefined,
    label: "Why not?",
    about: "The agent is told. (optional)",
    needsText: false,
  },
  inbox: {
    accept: "Approve",
    say: "Respond",
    confirm: "Send",
    ignore: "Ignore",
    label: "What do you say to the agent?",
    about: "The call does not run.",
    needsText: true,
  },
  lost: {
    accept: "Run it again",
    say: "I know its result",
    confirm: "Use this result",
    ignore: "Nobody knows",
    label: "What came of it?",
    about: "The agent is told that the call gave this.",
    needsText: true,
  },
};

/** @param {CallPlace} place */
export function callView(place) {
  const { id, card, request, schema = readSchema(request) } = place;
  const edit = card.mode === "edit" ? card.edited(schema) : undefined;
  const json =
    edit === undefined ? request.canonical : "args" in edit ? JSON.stringify(edit.args) : undefined;
  const shown =
    json === undefined
      ? undefined
      : { json, words: JSON.stringify([card.mode === "edit", json, wordsOf(request), id]) };
  return html`
    ${isFramed ? framed() : nothing}
    ${request.note ? html`<p class="note">${revealed(request.note)}</p>` : nothing}
    ${repairs(request)}
    ${edit ? editor(id, card, schema, edit) : nothing}
    ${warnings(`${request.tool} ${edit ? draftOf(card) : request.canonical} ${json}`)}
    ${shown ? argumentsBox(shown, place) : nothing}
    ${edit && "args" in edit ? changesView(JSON.parse(request.canonical), edit.args) : nothing}
    ${card.mode === "reject" ? textBox(place) : nothing}
    <div class="actions">${actions(place, schema, shown, edit && "args" in edit ? edit.args : undefined)}</div>
    ${shown && card.mode !== "reject" ? sightHint(shown.words, card, edit ? "use" : "approve") : nothing}`;
}

/**
 * Says what keeps the button from working. Below it, so that it does not move.
 * @param {string} words
 * @param {Card} card
 * @param {string} verb
 */
export function sightHint(words, card, verb) {
  if (isFramed) return nothing;
  if (card.lacks("end", words))
    return html`<p class="hint">Scroll to the end ${verb === "answer" ? "of the question to answer it" : `of the arguments to ${verb} them`}.</p>`;
  return card.lacks("button", words)
    ? html`<p class="hint">The button works when all of it is in sight, with nothing on top.</p>`
    : nothing;
}

/**
 * Arguments that are decided, as high as they were.
 * @param {string} json
 * @param {boolean} isMany
 */
export function settledArguments(json, isMany) {
  return html`<pre class="arguments" dir="ltr" tabindex="0" aria-label="Arguments">${revealed(linesOf(json, isMany))}</pre>`;
}

/**
 * Short arguments of many requests stand on one line.
 * @param {string} json
 * @param {boolean} isMany
 */
const linesOf = (json, isMany) => (isMany && json.length <= SHORT ? json : layOut(json));

/** @param {Shown} shown @param {CallPlace} place */
function argumentsBox({ json, words }, { card, isMany = false }) {
  const isEdit = card.mode === "edit";
  return html`${isEdit ? html`<p class="after">What will run</p>` : nothing}
    <pre class="arguments" dir="ltr" tabindex="0" aria-label=${isEdit ? "What will run" : "Arguments"}>${revealed(linesOf(json, isMany))}${endMark(words, card)}</pre>`;
}

/**
 * Stands behind the last character, and is in sight when the last line is.
 * @param {string} words
 * @param {Card} card
 */
export function endMark(words, card) {
  return html`<span class="end" ${inSight(words, (sight, seen) => card.see("end", sight, seen))}></span>`;
}

/** In a page around this one, a person cannot know what is under the pointer. */
export function framed() {
  return html`<p class="framed" role="alert">${icon("alert")}<span>This page is shown inside another page, which can cover it or cut it. Nothing can be decided here.
    <a href=${location.href} target="_blank" rel="noopener">Open it by itself</a> to decide.</span></p>`;
}

/** @param {import("./request.js").Request} request */
function repairs({ repaired }) {
  if (repaired.length === 0) return nothing;
  return html`<ul class="repairs" aria-label="Repaired before you saw it">${repaired.map(
    ({ path, change, from }) =>
      html`<li>Repaired: <code><bdi>${revealed(path || "all arguments")}</bdi></code> ${revealed(change)}${from === "" ? nothing : html`; the model wrote <code><bdi>${revealed(from)}</bdi></code>`}</li>`,
  )}</ul>`;
}

/** @param {string} text */
function warnings(text) {
  const mixed = mixedWords(text);
  const isHidden = reveal(text).some(({ hidden }) => hidden);
  if (mixed.length === 0 && !isHidden) return nothing;
  return html`<ul class="warnings" role="note">
    ${isHidden ? html`<li>${icon("alert")}Characters that cannot be seen are in it; they are marked as \\u{…} where arguments are shown.</li>` : nothing}
    ${mixed.map(({ word, scripts }) => html`<li>${icon("alert")}<span>“<bdi>${revealed(word)}</bdi>” mixes letters of ${scripts.join(" and ")}: it may not be the word it looks like.</span></li>`)}
  </ul>`;
}

/** What a person wrote, which may not be readable yet. @param {Card} card */
const draftOf = ({ tab, draft, values }) =>
  tab === "json" ? draft : Object.values(values).join(" ");

/** @param {CallPlace} place @param {UIEvent} event */
function say({ card, can, manner = "review", isOff, decide }, event) {
  const text = card.reason.trim();
  if (isOff || (text === "" && MANNERS[manner].needsText)) return;
  decide(text === "" && can.ignore ? { type: "ignore" } : { type: "say", text }, event);
}

/** @param {CallPlace} place */
function textBox(place) {
  const { id, card, manner = "review" } = place;
  const { label, about } = MANNERS[manner];
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    // A key that is held since the button before it says nothing.
    if (!event.repeat) say(place, event);
  };
  return html`<div class="entry">
    <label for=${`reason-${id}`}>${label} <span>${about}</span></label>
    <input id=${`reason-${id}`} class="reason" type="text" maxlength="500" autocomplete="off" .value=${live(card.reason)} @keydown=${press} @input=${(/** @type {InputEvent} */ event) => card.set({ reason: /** @type {HTMLInputElement} */ (event.target).value })}>
  </div>`;
}

/**
 * @param {CallPlace} place
 * @param {any} schema
 * @param {Shown | undefined} shown
 * @param {any} args of an edit that can be used
 */
function actions(place, schema, shown, args) {
  const { id, card, request, can, manner = "review", isOff, decide } = place;
  const words = MANNERS[manner];
  const back = html`<button class="quiet" ?disabled=${card.isSent} @click=${(/** @type {Event} */ event) => lookAgain(event, card)}>Back</button>`;
  const run = (/** @type {RunButton} */ button) =>
    runButtons({ buttons: [button], words: shown?.words, card, isOff });
  if (card.mode === "edit")
    return html`${back}${run({ act: "save", label: "Use these arguments", run: (event) => decide({ type: "edit", args }, event, shown?.json) })}`;
  if (card.mode === "reject") {
    const isEmpty = words.needsText && card.reason.trim() === "";
    return html`${back}<button class=${manner === "lost" ? "primary" : "danger"} data-do="confirm-reject" ?disabled=${isOff || isEmpty} @keydown=${ignoreHeld} @click=${(/** @type {MouseEvent} */ event) => say(place, event)}>${words.confirm}</button>`;
  }
  return html`
    ${can.accept ? run({ act: "approve", label: html`${icon("check")} ${words.accept}`, run: (event) => decide({ type: "accept" }, event) }) : nothing}
    ${can.edit ? html`<button data-do="edit" ?disabled=${isOff} @click=${(/** @type {Event} */ event) => begin(event, () => card.edit(request.canonical, schema), `panel-${id}`)}>Edit</button>` : nothing}
    ${can.say ? html`<button data-do="reject" ?disabled=${isOff} @click=${(/** @type {Event} */ event) => begin(event, () => card.set({ mode: "reject" }), `reason-${id}`)}>${words.say}</button>` : nothing}
    ${can.ignore && (words.ignore || !can.say) ? html`<button data-do="ignore" ?disabled=${isOff} @keydown=${ignoreHeld} @click=${(/** @type {MouseEvent} */ event) => decide({ type: "ignore" }, event)}>${words.ignore ?? "Reject"}</button>` : nothing}`;
}

/**
 * `run`: what it does.
 * @typedef {{ act: string, label: unknown, run: (event: MouseEvent) => void }} RunButton
 */

/**
 * Buttons that make something run. Their seat, which has no look of its own, is what has to be in
 * sight.
 * @param {{ buttons: RunButton[], words: string | undefined, card: Card, isOff: boolean }} row
 *   `words`: what they are about; undefined: nothing that could run
 */
export function runButtons({ buttons, words = "", card, isOff }) {
  const click = (/** @type {MouseEvent} */ event, /** @type {RunButton["run"]} */ run) => {
    const seat = /** @type {Element} */ (
      /** @type {Element} */ (event.currentTarget).parentElement
    );
    if (isFramed || !card.accepts(words, event.detail)) return;
    // The keyboard reaches what was scrolled away since.
    if (isUncovered(seat)) run(event);
    else seat.scrollIntoView({ block: "nearest" });
  };
  const cannot = isOff || isFramed || words === "" || !card.canDecide(words);
  return html`<span class="seat" data-for=${buttons[0].act} ${inSight(words, (sight, seen) => card.see("button", sight, seen))}>${buttons.map(
    ({ act, label, run }) => html`<button class="primary" data-do=${act} ?disabled=${cannot}
      @pointerdown=${() => card.press(words)} @keydown=${ignoreHeld} @click=${(/** @type {MouseEvent} */ event) => click(event, run)}>${label}</button>`,
  )}</span>`;
}

/** A key that is held down was pressed for something else. @param {KeyboardEvent} event */
function ignoreHeld(event) {
  if (event.repeat) event.preventDefault();
}

/**
 * The keyboard goes to the field that comes in place of the button that was pressed, or to the
 * first one in it.
 * @param {Event} event
 * @param {() => void} change
 * @param {string} id
 */
function begin({ currentTarget }, change, id) {
  const root = rootOf(currentTarget);
  change();
  requestAnimationFrame(() => {
    const place = root.getElementById(id);
    const field = place?.matches(FIELD) ? place : place?.querySelector(FIELD);
    /** @type {HTMLElement | null | undefined} */ (field)?.focus();
    place?.closest("[data-mode]")?.scrollIntoView({ block: "nearest" });
  });
}

/** @param {Event} event @param {Card} card */
function lookAgain({ currentTarget }, card) {
  const question = /** @type {Element} */ (currentTarget).closest("[data-mode]");
  card.set({ mode: "look" });
  /** @type {HTMLElement | null | undefined} */ (question?.querySelector("h2, h3"))?.focus();
}
