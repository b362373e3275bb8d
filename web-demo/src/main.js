// SPDX-License-Identifier: MIT
// Starts the page: opens what is stored, draws, and draws again when something changed.
import { render } from "lit-html";
import { App } from "./app.js";
import { page, startFailed } from "./view/page.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
/** @type {App | undefined} */
let app;
let isDrawing = false;

// Once per frame at most; a hidden page draws too, so that it is right when it is seen.
function draw() {
  if (isDrawing) return;
  isDrawing = true;
  const later = document.hidden ? setTimeout : requestAnimationFrame;
  later(() => {
    isDrawing = false;
    if (app) render(page(app), root);
  });
}

async function start() {
  root.replaceChildren();
  app = await App.open(draw);
  addEventListener("hashchange", () => app?.follow());
  addEventListener("focus", () => app?.returned());
  document.addEventListener("visibilitychange", () => document.hidden || app?.returned());
  app.follow();
}

start().catch((error) => render(startFailed(error), root));
