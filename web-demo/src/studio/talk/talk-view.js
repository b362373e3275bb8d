// SPDX-License-Identifier: MIT
// Shows what was said in a thread, or, where a graph keeps no messages, what its steps wrote; the
// questions that wait; and takes the input of the next run.
import { html, nothing } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { repeat } from "lit-html/directives/repeat.js";
import { questionsView } from "../questions/question-view.js";
import { changesBetween } from "../changes.js";
import { brief, plain } from "../text.js";
import { kindOf, namesOf, pathTo } from "../time/branches.js";
import { composerView } from "./composer-view.js";
import { markdownView } from "./markdown-view.js";
import { messageView } from "./message-view.js";
import { partingsOf, turnsOf } from "./turns.js";

/** @typedef {import("../ui.js").Ui} Ui */
/** @typedef {import("../store.js").Store} Store */
/** @typedef {import("../time/branches.js").Mark} Mark */

/** Steps that are listed: the last ones. */
const MAX_STEPS = 60;

/** @param {Ui} ui */
export function talkView(ui) {
  const { store } = ui;
  const turns = turnsOf(store);
  const hasMessages = Array.isArray(store.shown?.state.values.messages);
  return html`<ol class="talk" aria-label="What was said" data-follow>
      ${
        hasMessages || store.thread === ""
          ? repeat(
              turns,
              ({ key }) => key,
              (turn) => messageView(ui, turn, partingsOf(store).get(turn.id)),
            )
          : steps(store)
      }
      ${store.selected === undefined ? spoken(ui, new Set(turns.map(({ id }) => id))) : nothing}
      ${store.selected === undefined ? html`<slot name="failure">${notices(store)}</slot>` : nothing}
      ${questions(ui)}
      ${store.thread === "" ? welcome(store) : nothing}
      ${hasMessages && turns.length === 0 && store.selected !== undefined ? html`<li class="welcome"><p>At this checkpoint nothing was said yet.</p></li>` : nothing}
    </ol>
    ${composerView(ui)}`;
}

/** What models say now, and what of it was not kept. @param {Ui} ui @param {Set<string>} kept */
function spoken({ store, copy }, kept) {
  const { all, isOver } = store.watch.speech;
  return all
    .filter(({ id }) => !kept.has(id))
    .map(
      ({ text, node }) =>
        html`<li class="ai ${isOver ? "lost" : "live"}">
      <div class="who"><b>Assistant</b> ${node === "" ? nothing : html`<span class="name">node ${plain(node, 60)}</span>`} <span class="state">${isOver ? "not kept: the run ended before it was finished" : "streams"}</span></div>
      <div class="prose">${guard([text], () => markdownView(text, copy))}</div></li>`,
    );
}

/** @param {Store} store */
function notices(store) {
  const { shown, run, trouble } = store;
  // What became of a run that cannot be asked about nobody knows.
  if (run !== undefined || shown === undefined || trouble !== undefined) return nothing;
  const { failure } = store.watch;
  const failed = shown.state.tasks.find(({ error }) => error);
  const isOpen = kindOf(shown) === "open";
  if (failure === undefined && failed === undefined && !isOpen) return nothing;
  const words = failure ?? String(failed?.error ?? "");
  if (words === "") return openView(store, shown.state);
  return html`<li class="notice" data-kind="failed" role="status">
    <b>${failed === undefined ? "The run failed" : html`<code>${plain(failed.name, 60)}</code> failed`}</b>
    <p class="problem">${plain(words, 1200)}</p>
    ${shown.state.next.length === 0 ? nothing : goOn(store, "Try again from here")}
  </li>`;
}

/**
 * A thread that has steps left.
 * @param {Store} store
 * @param {Mark["state"]} state
 */
function openView(store, { next, metadata: { source } }) {
  // A person made it, no run: a fork, or a state that was written.
  const isNew = source === "fork" || source === "update";
  return html`<li class="notice" data-kind="open" role="status">
    <b>${isNew ? "This branch has not run yet" : "This run did not finish"}</b>
    <p>${isNew ? html`Next: ${plain(namesOf(next), 80)}.` : "All steps that were committed are kept."}</p>
    ${goOn(store, isNew ? "Run it" : "Go on")}
  </li>`;
}

/** @param {Store} store @param {string} name */
const goOn = (store, name) =>
  html`<button type="button" class="primary" data-do="go-on" @click=${() => store.runFromHere()}>${name}</button>`;

/** Of the open thread; of all threads, where none is open. @param {Ui} ui */
function questions({ store, cards }) {
  if (cards === undefined) return nothing;
  const { thread } = store;
  const host = {
    questions: store.threads.questions.filter((one) => thread === "" || one.thread === thread),
    thread,
    answer: store.answer.bind(store),
    chooseThread: store.chooseThread.bind(store),
  };
  return html`<li class="asks" ?hidden=${store.selected !== undefined}>${questionsView(host, cards)}</li>`;
}

/** @param {Store} store */
function welcome({ isReady, takes }) {
  if (!isReady) return nothing;
  const isTalk = takes === "messages" || takes === "unknown";
  const what = isTalk ? "Send a message" : "Give it an input";
  return html`<li class="welcome"><h2>A new thread</h2>
    <p>${what} and watch the graph work. Each step leaves a checkpoint: go back to any of them, look at its state, and branch off.</p></li>`;
}

/** @param {Store} store */
function steps(store) {
  const path = pathTo(store.history, store.shown).slice(-MAX_STEPS);
  return repeat(
    path,
    ({ id }) => id,
    (mark) =>
      guard([mark, mark.id === store.shown?.id], () =>
        stepView(store, mark, mark.id === store.shown?.id),
      ),
  );
}

/** @param {Store} store @param {Mark} mark @param {boolean} isShown */
function stepView(store, mark, isShown) {
  const { state } = mark;
  const before = store.history.find(mark.parent);
  const changes = changesBetween(before?.state.values ?? {}, state.values);
  const ran = before === undefined ? "" : namesOf(before.state.next);
  const source = state.metadata.source;
  const name = source === "input" ? "Input" : source === "update" ? "Written by hand" : ran;
  return html`<li class="step" data-shown=${isShown}>
    <button type="button" class="link" @click=${() => store.select(mark.id)}><b>${plain(name === "__start__" ? "Start" : name, 80)}</b> <span class="name">step ${state.metadata.step}</span></button>
    ${changes.slice(0, 6).map(({ path, kind, after }) => html`<div class="change"><code>${plain(path.slice(1), 60)}</code> ${kind === "removed" ? "removed" : brief(after, 200)}</div>`)}
    ${changes.length > 6 ? html`<p class="hint">${changes.length - 6} more changes</p>` : nothing}
  </li>`;
}
