// SPDX-License-Identifier: MIT
// One conversation: what was said, the requests that wait, what is wrong, and the box to write in.
import { html, nothing } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { keyed } from "lit-html/directives/keyed.js";
import { ref } from "lit-html/directives/ref.js";
import { repeat } from "lit-html/directives/repeat.js";
import { renderMarkdown } from "../markdown.js";
import { callIdOf } from "../request.js";
import { withoutBidi } from "../reveal.js";
import { makeTurns } from "../transcript.js";
import { approvalCard } from "./approval.js";
import { composer } from "./composer.js";
import { openSettings } from "./dialogs.js";
import { keepAtEnd, noteScroll } from "./follow.js";
import { icon } from "./icons.js";
import { notice } from "./notice.js";
import { revealed } from "./revealed.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../transcript.js").Turn} Turn */

const EXAMPLES = [
  "What is 17% of 2340, and what time is it in Asia/Tokyo?",
  "Remember that the spare key is with Ann",
  "What notes do I have?",
  "Order two pizzas",
];
const CALL_WORDS = { running: "runs", waiting: "waits for you", done: "done", failed: "not done" };
const CALL_ICONS = /** @type {const} */ ({
  running: "wait",
  waiting: "shield",
  done: "check",
  failed: "cross",
});

/** @param {App} app */
export function conversationView(app) {
  const { conversation } = app;
  const { requests, edits, pending } = conversation;
  const isRunning = conversation.status === "running";
  const turns = makeTurns(conversation.messages, [...conversation.live.values()], {
    isRunning,
    isWaiting: pending.length > 0,
    edits,
  });
  return keyed(
    conversation.id,
    html`
    <div class="log" tabindex="0" role="log" aria-live="off" aria-label="Conversation" data-status=${conversation.status} @scroll=${noteScroll} ${ref((element) => keepAtEnd(element))}>
      <div class="column">
        ${conversation.isEmpty && conversation.status !== "loading" && !conversation.problem ? welcome(app) : nothing}
        ${repeat(turns, ({ id }) => id, turnView)}
        ${isRunning && !turns.at(-1)?.isLive ? thinking() : nothing}
        ${isRunning && turns.at(-1)?.kind === "human" ? thinking() : nothing}
        ${repeat(requests, callIdOf, (request, index) => approvalCard(app, request, { at: index + 1, of: requests.length, isFirst: request === pending[0] }))}
        ${notice(app)}
      </div>
    </div>
    <p class="unseen" role="status" aria-live="polite" id="said">${announcement(conversation, turns)}</p>
    ${composer(app)}`,
  );
}

/** @param {App} app */
function welcome(app) {
  return html`<section class="welcome">
    <h2>An agent that lives in this tab</h2>
    <p>It calculates, tells the time, keeps notes, and asks you before it orders anything. Close the tab while it waits: your decision is still wanted when you come back.</p>
    ${
      app.settings.source === "demo"
        ? html`<p class="fine">Answers come from a small rule-based planner, not from a language model. Connect a real one in the <button class="link" @click=${openSettings}>settings</button>.</p>`
        : nothing
    }
    <ul class="examples" aria-label="Examples">${EXAMPLES.map((text) => html`<li><button @click=${() => app.send(text)}>${text}</button></li>`)}</ul>
  </section>`;
}

/** @param {Turn} turn */
function turnView({ kind, text, calls, isLive }) {
  if (kind === "human")
    return html`<article class="turn human" aria-label="You"><p>${withoutBidi(text)}</p></article>`;
  return html`<article class="turn agent ${isLive ? "live" : ""}" aria-label="Agent">
    ${text ? html`<div class="prose">${guard([text], () => renderMarkdown(withoutBidi(text)))}</div>` : nothing}
    ${calls.length > 0 ? html`<ul class="calls" aria-label="Tools">${calls.map(callView)}</ul>` : nothing}
  </article>`;
}

/** @param {import("../transcript.js").Call} call */
function callView({ name, args, before, status, result }) {
  return html`<li><details class="call ${status}" data-tool=${name} data-status=${status}>
    <summary>${icon(CALL_ICONS[status])}<code>${revealed(name)}</code><span class="brief">${revealed(result ?? args)}</span><span class="state">${before === undefined ? "" : "changed, "}${CALL_WORDS[status]}</span></summary>
    <dl>${before === undefined ? nothing : html`<dt>The agent wanted</dt><dd><pre data-args="before">${revealed(before)}</pre></dd>`}<dt>${before === undefined ? "Arguments" : "Changed by a person to"}</dt><dd><pre>${revealed(args)}</pre></dd>${result === undefined ? nothing : html`<dt>Result</dt><dd><pre>${revealed(result)}</pre></dd>`}</dl>
  </details></li>`;
}

function thinking() {
  return html`<div class="thinking" role="img" aria-label="The agent is working"><i></i><i></i><i></i></div>`;
}

/** @param {import("../conversation.js").Conversation} conversation @param {Turn[]} turns */
function announcement({ status, pending }, turns) {
  if (status === "running") return "The agent is working.";
  if (pending.length > 0 && status === "idle")
    return `${pending.length === 1 ? "A request waits" : `${pending.length} requests wait`} for your decision.`;
  const last = turns.at(-1);
  return status === "idle" && last?.kind === "agent" ? `The agent said: ${last.text}` : "";
}
