// SPDX-License-Identifier: MIT
// Reads and writes the addresses of screens: #/work/<graph>/<thread>. Addresses come from outside.
// Must not know: which screens there are files for.

/** @typedef {"start"|"work"|"inbox"|"code"|"recordings"|"models"|"race"} Screen */
/** @typedef {{ screen: Screen, params: string[] }} Route */
/**
 * What a screen is given. `settings`: which model is asked. `go` shows another address; one of the
 * same screen only changes what the browser shows, since the screen knows it. `isGone`: what the
 * address named is not there any more.
 * @typedef {{ engine: import("../worker/engine.js").Engine, settings:
 *   import("../models/settings.js").Settings, go: (address: string, isGone?: boolean) => void,
 *   readonly route: Route }} Context
 */

const SCREENS = ["start", "work", "inbox", "code", "recordings", "models", "race"];
const MOST_PARAMS = 4;
const MOST_LETTERS = 200;

/**
 * @param {string} hash of an address
 * @returns {Route} the start, where the hash names no screen
 */
export function readRoute(hash) {
  const [screen, ...params] = hash
    .slice(0, 2 * MOST_PARAMS * MOST_LETTERS)
    .split("/")
    .slice(1);
  if (!hash.startsWith("#/") || !SCREENS.includes(screen)) return { screen: "start", params: [] };
  return {
    screen: /** @type {Screen} */ (screen),
    params: params.slice(0, MOST_PARAMS).map(decode).filter(Boolean),
  };
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text).slice(0, MOST_LETTERS);
  } catch {
    return "";
  }
}

/** @param {Route} route */
export function hashOf({ screen, params }) {
  return ["#", screen, ...params.map(encodeURIComponent)].join("/");
}
