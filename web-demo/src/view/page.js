// SPDX-License-Identifier: MIT
// The page as a whole: side panel, conversation, dialogs.
import { html, nothing } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { conversationView } from "./conversation.js";
import { openSettings, showNow } from "./dialogs.js";
import { icon } from "./icons.js";
import { settingsDialog } from "./settings.js";
import { side } from "./side.js";

/** @typedef {import("../app.js").App} App */

/** @param {App} app */
export function page(app) {
  const title = app.threads.find(({ id }) => id === app.threadId)?.title ?? "New conversation";
  const model = app.settings.source === "demo" ? "Demo planner" : app.settings.model;
  return html`
    <a class="skip" href="#message" @click=${skip}>Skip to the message box</a>
    <div class="frame ${app.isMenuOpen ? "menu-open" : ""}" @keydown=${(/** @type {KeyboardEvent} */ event) => closeMenu(app, event)}>
      ${side(app)}
      <button class="veil" tabindex="-1" aria-label="Close the menu" @click=${() => toggleMenu(app, false)}></button>
      <main ?inert=${app.isMenuOpen}>
        <header class="bar">
          <button class="plain menu" aria-label="Conversations" aria-expanded=${app.isMenuOpen} @click=${() => toggleMenu(app, true)}>${icon("menu")}</button>
          <h1 title=${title}>${title}</h1>
          <button class="chip" id="open-settings" aria-label=${`Model: ${model}. Change it in the settings`} @click=${openSettings}>${icon("settings")}<span>${model}</span></button>
        </header>
        ${conversationView(app)}
      </main>
    </div>
    ${settingsDialog(app)} ${deleteDialog(app)}`;
}

/**
 * The keyboard goes into the menu with it, and back to the button that opens it.
 * @param {App} app
 * @param {boolean} isOpen
 */
function toggleMenu(app, isOpen) {
  app.showMenu(isOpen);
  requestAnimationFrame(() =>
    /** @type {HTMLElement | null} */ (
      document.querySelector(isOpen ? ".side .new" : ".bar .menu")
    )?.focus(),
  );
}

/**
 * Another conversation was chosen: the keyboard goes on where one writes, if the menu went away
 * with what was pressed.
 * @param {App} app
 */
export function follow(app) {
  const wasInMenu = app.isMenuOpen;
  app.follow();
  if (wasInMenu)
    requestAnimationFrame(() =>
      /** @type {HTMLElement | null} */ (
        document.querySelector("#message:enabled") ?? document.querySelector(".bar .menu")
      )?.focus(),
    );
}

/** @param {App} app @param {KeyboardEvent} event */
function closeMenu(app, event) {
  if (event.key === "Escape" && app.isMenuOpen) toggleMenu(app, false);
}

// The address names the thread, so the link must not change it.
/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("message")?.focus();
}

/** @param {App} app */
function deleteDialog(app) {
  const thread = app.threads.find(({ id }) => id === app.doomed);
  if (!thread) return nothing;
  const forget = () => {
    app.doomed = undefined;
    app.changed();
  };
  return html`<dialog class="small" aria-labelledby="delete-title" @close=${forget} ${ref(showNow)}>
    <h2 id="delete-title">Delete this conversation?</h2>
    <p class="quote">${thread.title}</p>
    <p>Its log is removed from this browser and cannot be brought back. Notes and orders stay.</p>
    <div class="actions">
      <button class="quiet" @click=${forget}>Keep it</button>
      <button class="danger" @click=${() => app.deleteThread(thread.id)}>Delete</button>
    </div>
  </dialog>`;
}

/** @param {any} error */
export function startFailed(error) {
  return html`<div class="start-failed" role="alert">
    <h1>The demo cannot start here</h1>
    <p>It needs WebAssembly and IndexedDB. In a private window some browsers refuse storage: open the page in an ordinary one.</p>
    <pre>${error?.message ?? String(error)}</pre>
  </div>`;
}
