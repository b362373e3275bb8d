// SPDX-License-Identifier: MIT
// Tells the engine's worker which model its agents ask, at each start and after each change, and
// lends it the page's own model.
import { servePageModel } from "./page-model.js";

/** @typedef {import("../worker/engine.js").Engine} Engine */
/** @typedef {import("./settings.js").Settings} Settings */

/** Known to this page and its worker alone. */
const PAGE = `weft-model-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
let isServed = false;

/**
 * The choice as the worker takes it.
 * @param {import("./settings.js").Choice} choice
 * @param {string} key
 * @returns {import("./choice.js").Chosen}
 */
export function chosenOf(choice, key) {
  if (choice.source === "browser" && !isServed) {
    isServed = true;
    servePageModel(PAGE);
  }
  return { ...choice, ...(choice.source === "service" && { key }), page: PAGE };
}

/** @param {Engine} engine @param {Settings} settings */
export function connectModel(engine, settings) {
  const tell = () =>
    engine.ask("model", chosenOf(settings.choice, settings.keyFor())).catch(() => {
      // The engine went: the next one is told when it is there.
    });
  engine.addEventListener("state", () => engine.state === "starting" && tell());
  settings.addEventListener("change", tell);
  tell();
}
