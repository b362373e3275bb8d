// SPDX-License-Identifier: MIT
// Starts the page: opens what is stored, draws, and draws again when something changed.
import { render } from "lit-html";
import { App } from "./app.js";
import { follow, page, startFailed } from "./view/page.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
/** @type {App | undefined} */
let app;
const SLOWEST_MS = 150;
/**
 * A frame and a timer of which the first one draws.
 * @type {{ frame: number, timer: ReturnType<typeof setTimeout> } | undefined}
 */
let due;

// Once per frame at most. A page behind another one gets no frames and draws by the timer: it is
// right when it is seen.
function draw() {
  if (!due && app)
    due = { frame: requestAnimationFrame(drawNow), timer: setTimeout(drawNow, SLOWEST_MS) };
}

function drawNow() {
  if (!due) return;
  cancelAnimationFrame(due.frame);
  clearTimeout(due.timer);
  due = undefined;
  const open = /** @type {App} */ (app);
  render(page(open), root);
  document.title =
    open.waiting > 0 ? `(${open.waiting}) Your decision is wanted · Weft demo` : "Weft demo";
}

async function start() {
  root.replaceChildren();
  app = await App.open(draw);
  addEventListener("hashchange", () => app && follow(app));
  addEventListener("focus", () => app?.returned());
  // Where both are in sight there is no menu to close.
  matchMedia("(width > 760px)").addEventListener("change", () => app?.showMenu(false));
  document.addEventListener("visibilitychange", () => document.hidden || app?.returned());
  app.follow();
}

start().catch((error) => render(startFailed(error), root));
