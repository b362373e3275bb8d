// SPDX-License-Identifier: MIT
// What is out of the ordinary in a conversation, and the button that helps.
import { html, nothing } from "lit-html";
import { openSettings } from "./dialogs.js";
import { icon } from "./icons.js";

/** @typedef {import("../app.js").App} App */

/** @param {App} app */
export function notice(app) {
  const { conversation } = app;
  const { status, problem, isUnfinished, isBusyElsewhere, wasStopped } = conversation;
  const load = { name: "Load again", act: () => conversation.load() };
  if (status === "readOnly") {
    return box(
      "fenced",
      "alert",
      "Another tab has continued this conversation",
      "This tab is read-only now. What it was doing was not kept; nothing that was confirmed is lost.",
      [load],
    );
  }
  if (problem) return problemBox(app, problem, load);
  if (status === "running") return nothing;
  if (isBusyElsewhere) {
    const anyway = {
      name: "Send here anyway",
      act: () => app.send(conversation.draft, { insist: true }),
    };
    const text = "Its result shows up here when it is done.";
    const more =
      " If that tab does not answer any more, you can send here anyway: it is then stopped and read-only.";
    return conversation.draft.trim()
      ? box("busy", "info", "Another tab is at work here", text + more, [anyway])
      : box("busy", "info", "Another tab is at work here", text, []);
  }
  if (isUnfinished) {
    const title = wasStopped ? "Stopped" : "This turn did not finish";
    const text = wasStopped
      ? "What was said so far in this step was not kept."
      : "The page was closed or the connection lost in the middle of it.";
    return box(
      "unfinished",
      "info",
      title,
      `${text} Go on from the last step that was kept, or write something else.`,
      [{ name: "Go on", act: () => app.resume() }],
    );
  }
  return nothing;
}

/**
 * @param {App} app
 * @param {import("../problems.js").Problem} problem
 * @param {{ name: string, act: () => void }} load
 */
function problemBox(app, { title, advice, detail, remedy }, load) {
  const { conversation } = app;
  const remedies = {
    settings: { name: "Open the settings", act: openSettings },
    load,
    retry: { name: "Try again", act: () => app.resume() },
    new: { name: "New conversation", act: () => app.newThread() },
  };
  const helps = remedy ? [remedies[remedy]] : [];
  if (conversation.isUnfinished && conversation.status === "idle" && remedy !== "retry")
    helps.push(remedies.retry);
  const offered = helps.filter((help) => help !== remedies.retry || conversation.isUnfinished);
  return box("problem", "alert", title, advice, offered, detail);
}

/**
 * @param {string} kind
 * @param {"alert" | "info"} drawing
 * @param {string} title
 * @param {string} text
 * @param {{ name: string, act: () => void }[]} helps
 * @param {string} [detail]
 */
function box(kind, drawing, title, text, helps, detail) {
  return html`<section class="notice ${kind}" role=${drawing === "alert" ? "alert" : "status"} data-kind=${kind}>
    ${icon(drawing)}
    <div>
      <h2>${title}</h2>
      <p>${text}</p>
      ${detail ? html`<details><summary>What was reported</summary><pre>${detail}</pre></details>` : nothing}
      ${helps.length > 0 ? html`<div class="actions">${helps.map(({ name, act }) => html`<button @click=${act}>${name}</button>`)}</div>` : nothing}
    </div>
  </section>`;
}
