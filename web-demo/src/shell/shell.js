// SPDX-License-Identifier: MIT
// Knows: the frame around the screens: navigation, theme, title, badges, what screen readers are
// told, notices. Must not know: what a screen shows.
import { workOffline } from "./offline.js";
import { Router } from "./router.js";
import { ROUTES } from "./routes.js";
import { followTheme, nextTheme } from "./theme.js";
import { warnEmptied, warnUnkept } from "./unkept.js";
import { watchWaiting } from "./waiting.js";

const NAME = "Weft Studio";
/** @type {Router} */
let router;
let waiting = 0;

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** Tells screen readers. @param {string} words */
const say = (words) => {
  byId("live").textContent = words;
};

/**
 * Shows the screen that the address names, and what stands around it.
 * @param {{ engine: import("../worker/engine.js").Engine, settings:
 *   import("../models/settings.js").Settings, offline:
 *   import("../models/offline-switch.js").OfflineSwitch }} given to every screen
 */
export async function startShell(given) {
  const main = byId("main");
  if (window.top !== window.self) return main.replaceChildren(framed());
  const failed = (/** @type {HTMLElement} */ place, /** @type {unknown} */ error) => {
    const where = given.engine.isKept ? "are stored" : "are in this tab";
    place.append(
      problem("This screen could not be shown", error, `Nothing is lost: threads ${where}.`),
    );
  };
  router = new Router({ main, given, changed: showRoute, failed });
  const skip = /** @type {HTMLElement} */ (document.querySelector(".skip"));
  skip.addEventListener("click", (event) => {
    // The address names the screen: the link must not change it.
    event.preventDefault();
    main.focus();
  });
  startTheme();
  startOffline(given.offline);
  startMenu();
  watchWaiting(given.engine, showWaiting);
  warnUnkept(given.engine);
  warnEmptied(given.engine);
  workOffline(given.engine, () => showNotice("A new version is ready.", "Load it"));
  await router.start();
}

/** @param {boolean} isFirst */
function showRoute(isFirst) {
  const { screen } = router.route;
  for (const link of document.querySelectorAll("#screens a"))
    link.ariaCurrent = link.getAttribute("data-screen") === screen ? "page" : null;
  showTitle();
  showMenu(false);
  if (!isFirst) say(titleOf(screen));
}

/** @param {string} screen */
const titleOf = (screen) => ROUTES.find((entry) => entry.screen === screen)?.title ?? "Start";

function showTitle() {
  const { screen } = router.route;
  const title = screen === "start" ? NAME : `${titleOf(screen)} · ${NAME}`;
  document.title = waiting > 0 ? `(${waiting}) ${title}` : title;
}

/** @param {number} count of threads that wait for a person */
function showWaiting(count) {
  if (count === waiting) return;
  const before = waiting;
  waiting = count;
  showTitle();
  const icon = /** @type {HTMLLinkElement} */ (byId("icon"));
  icon.href = count > 0 ? "icon-waiting.svg" : "icon.svg";
  for (const badge of document.querySelectorAll(".badge")) {
    badge.textContent = count > 99 ? "99+" : String(count);
    /** @type {HTMLElement} */ (badge).hidden = count === 0;
  }
  // An installed app shows it on its icon.
  if (count > 0) navigator.setAppBadge?.(count).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
  if (count > before)
    say(count === 1 ? "1 request waits for you" : `${count} requests wait for you`);
  else if (count === 0) say("Nothing waits for you");
}

function startTheme() {
  const button = byId("theme");
  const show = () => {
    const theme = document.documentElement.dataset.theme ?? "system";
    const label = /** @type {HTMLElement} */ (button.querySelector("span"));
    label.textContent = theme[0].toUpperCase() + theme.slice(1);
    button.ariaLabel = `Theme: ${theme}`;
  };
  show();
  followTheme(show);
  button.addEventListener("click", () => {
    say(`Theme: ${nextTheme()}`);
    show();
  });
}

/** @param {import("../models/offline-switch.js").OfflineSwitch} offline */
function startOffline(offline) {
  const button = byId("offline");
  const show = () => {
    button.ariaChecked = String(offline.isOn);
    const state = /** @type {HTMLElement} */ (button.querySelector("b"));
    state.textContent = offline.isOn ? "on" : "off";
  };
  show();
  button.addEventListener("click", () => {
    offline.turn(!offline.isOn);
    show();
    say(
      offline.isOn
        ? "Offline: no request is sent to another server."
        : "Online: models may ask their servers.",
    );
  });
}

function startMenu() {
  const button = byId("menu");
  button.addEventListener("click", () => showMenu(button.ariaExpanded !== "true"));
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || button.ariaExpanded !== "true") return;
    showMenu(false);
    button.focus();
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!(target instanceof Element && target.closest(".rail"))) showMenu(false);
  });
}

/** On a narrow page. @param {boolean} isOpen */
function showMenu(isOpen) {
  byId("menu").ariaExpanded = String(isOpen);
  byId("screens").classList.toggle("open", isOpen);
}

/** Says that another page shows this one: nothing may be decided there. */
function framed() {
  const box = document.createElement("section");
  box.className = "notice problem";
  const link = Object.assign(document.createElement("a"), {
    href: location.href,
    target: "_blank",
    rel: "noopener",
    textContent: "Open the studio by itself",
  });
  box.append(
    Object.assign(document.createElement("h1"), { textContent: "Not inside another page" }),
    Object.assign(document.createElement("p"), {
      textContent: "What is around this page could lead you to approve what you did not read.",
    }),
    link,
  );
  return box;
}

/** Says that the studio did not start. @param {unknown} error */
export function fail(error) {
  byId("main").prepend(
    problem(
      "The studio cannot run here",
      error,
      "It needs WebAssembly and workers that are modules.",
    ),
  );
}

/** @param {string} title @param {unknown} error @param {string} advice */
function problem(title, error, advice) {
  const box = document.createElement("section");
  box.className = "notice problem";
  box.role = "alert";
  box.append(
    Object.assign(document.createElement("h1"), { textContent: title }),
    Object.assign(document.createElement("p"), { textContent: advice }),
    Object.assign(document.createElement("pre"), {
      textContent: String(/** @type {any} */ (error)?.message ?? error).slice(0, 1000),
    }),
    reloadButton("Load again"),
  );
  return box;
}

/** @param {string} words @param {string} label */
function showNotice(words, label) {
  if (document.querySelector(".toast") !== null) return;
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.role = "status";
  toast.append(words, reloadButton(label));
  byId("main").after(toast);
}

/** @param {string} label */
function reloadButton(label) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", () => location.reload());
  return button;
}
