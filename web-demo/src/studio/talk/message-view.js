// SPDX-License-Identifier: MIT
// Shows one message: its text, its calls with their results, and what a person can do with it.
// Must not know: how branches are found.
import { html, nothing } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { layOut } from "../reveal.js";
import { iconButton } from "../icons.js";
import { brief, plain, prose } from "../text.js";
import { target } from "../ui.js";
import { markdownView } from "./markdown-view.js";
import { checkpointBefore } from "./turns.js";

/** @typedef {import("../ui.js").Ui} Ui */
/** @typedef {import("./turns.js").Turn} Turn */
/** @typedef {import("./turns.js").Call} Call */
/** @typedef {import("./turns.js").Parting} Parting */

/** Characters of a tool's result that are shown. */
const LONG = 20_000;
const WHO = Object.freeze({ human: "You", ai: "Assistant", tool: "Tool", other: "" });
/** Where a call stands. @type {Record<Call["state"], string>} */
const WORDS = Object.freeze({
  waiting: "waits for approval",
  running: "running",
  open: "not run",
  done: "done",
  repaired: "repaired, done",
  failed: "failed",
  rejected: "rejected",
});

/** @param {Ui} ui @param {Turn} turn @param {Parting | undefined} parting */
export function messageView(ui, turn, parting) {
  const { view } = ui;
  const isEdited = view.editing !== undefined && view.editing.id === turn.id;
  return html`<li class=${turn.kind} data-message=${turn.id}>
    <div class="who"><b>${WHO[turn.kind] || plain(turn.type, 40)}</b>${turn.name === "" ? nothing : html` <span class="name">${plain(turn.name, 60)}</span>`}
      ${parting === undefined ? nothing : partingView(ui, parting)}
      ${isEdited ? nothing : actions(ui, turn)}</div>
    ${isEdited ? editor(ui, turn.id) : textView(ui, turn)}
    ${turn.others.map((kind) => html`<span class="chip">${plain(kind, 40)}</span>`)}
    ${turn.calls.map((call) => callView(call))}
  </li>`;
}

/** @param {Ui} ui @param {Turn} turn */
function textView({ copy }, { kind, text }) {
  if (text === "") return nothing;
  if (kind === "ai")
    return html`<div class="prose">${guard([text], () => markdownView(text, copy))}</div>`;
  if (kind === "tool") return html`<pre tabindex="0">${plain(text, LONG)}</pre>`;
  return html`<p class="words" dir="auto">${prose(text)}</p>`;
}

/** @param {Ui} ui @param {Turn} turn */
function actions({ store, change, copy }, { id, kind, text }) {
  const isBusy = store.run !== undefined;
  const again = () => store.fork(checkpointBefore(store, id), null);
  return html`<span class="tools">
    ${text === "" ? nothing : html`<button type="button" class="small" data-do="copy" @click=${(/** @type {Event} */ event) => copy(event, text)}><span>Copy</span></button>`}
    ${kind === "human" && id !== "" ? iconButton("pencil", "Edit, and run it as a branch", () => change({ editing: { id, text } }), { name: "edit-message", isOff: isBusy }) : nothing}
    ${kind === "ai" && id !== "" ? iconButton("again", "Regenerate, as a branch", again, { name: "regenerate", isOff: isBusy }) : nothing}
  </span>`;
}

/** @param {Ui} ui @param {Parting} parting */
function partingView({ store }, { at, all }) {
  const go = (/** @type {number} */ by) => () => store.selectBranch(all[at + by]);
  return html`<span class="parting" role="group" aria-label="Branches">
    ${iconButton("left", "The branch before", go(-1), { name: "branch-before", isOff: at === 0 })}
    <span>${at + 1} of ${all.length}</span>
    ${iconButton("right", "The next branch", go(1), { name: "branch-after", isOff: at === all.length - 1 })}
  </span>`;
}

/** @param {Ui} ui @param {string} id of the message that is written anew */
function editor({ store, view, change }, id) {
  const textNow = () => view.editing?.text ?? "";
  const canRun = () => textNow().trim() !== "" && store.run === undefined;
  const text = textNow();
  // A key may come before what was written is drawn.
  const run = async () => {
    if (!canRun()) return;
    const written = textNow();
    const checkpoint = checkpointBefore(store, id);
    const input = { messages: [{ role: "user", content: written }] };
    change({ editing: undefined });
    await store.fork(checkpoint, input);
    if (store.problem !== undefined) change({ editing: { id, text: written } });
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    run();
  };
  return html`<form class="rewrite" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <div class="grow" data-text=${`${text} `}><textarea dir="auto" aria-label="The message, written anew" .value=${text} @keydown=${press}
      @input=${(/** @type {Event} */ event) => change({ editing: { id, text: target(event).value } })}></textarea></div>
    <div class="actions"><button class="primary" data-do="run-edited" aria-disabled=${!canRun()} @click=${run}>Run as a branch</button>
      <button type="button" data-do="cancel-edit" @click=${() => change({ editing: undefined })}>Cancel</button></div>
  </form>`;
}

/** @param {Call} call */
function callView({ name, args, state, result }) {
  return html`<details class="tool-call" data-call=${state}>
    <summary><span class="sign" aria-hidden="true"></span><code>${plain(name, 80)}</code> <span class="brief">${brief(args, 60)}</span> <span class="state">${WORDS[state]}</span></summary>
    <h4>Arguments</h4><pre tabindex="0">${plain(typeof args === "string" ? args : layOut(JSON.stringify(args ?? null)), LONG)}</pre>
    ${result === undefined ? nothing : html`<h4>Result</h4><pre tabindex="0">${plain(result, LONG)}</pre>`}
  </details>`;
}
