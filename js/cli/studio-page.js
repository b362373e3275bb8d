// SPDX-License-Identifier: MIT
// Runs in the page of `weftgraph studio`, behind the element's script. The address names graph and
// thread, so that a reload, Back and links find them. The token is in this tab's storage: no
// address and no entry of the history keeps it.

/** @typedef {{ graph: string, thread: string }} Place */

const KEY = "weftgraph-token";
const studio =
  /** @type {HTMLElement & Place & { headers: Record<string, string> }} */
  (document.querySelector("weft-studio"));

/** @param {Place} place */
const addressOf = ({ graph, thread }) =>
  `#/${[graph, thread].filter(Boolean).map(encodeURIComponent).join("/")}`;

/** @returns {Place} what the address names */
function readPlace() {
  try {
    const [graph = "", thread = ""] = location.hash.replace(/^#\/?/, "").split("/");
    return { graph: decodeURIComponent(graph), thread: decodeURIComponent(thread) };
  } catch {
    return { graph: "", thread: "" };
  }
}

/** @param {string} address in the place of the one that is shown */
const replace = (address) =>
  history.replaceState(null, "", location.pathname + location.search + address);

/**
 * Keeps the token of the address for this tab.
 * @param {string} address that takes its place
 * @returns {boolean} whether there was one
 */
function takeToken(address) {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given === null) return false;
  sessionStorage.setItem(KEY, given);
  replace(address);
  return true;
}

/** Opens the server, at a place. @param {Place} place */
function open({ graph, thread }) {
  studio.setAttribute("graph", graph);
  studio.setAttribute("thread", thread);
  studio.headers = { "x-api-key": sessionStorage.getItem(KEY) ?? "" };
}

takeToken("");
let place = readPlace();
open(place);
studio.setAttribute("url", location.origin);

studio.addEventListener("weft-open", (event) => {
  const { isGone, ...next } = /** @type {CustomEvent<Place & { isGone: boolean }>} */ (event)
    .detail;
  // What is there no more, and a thread without a run, are no places to go back to.
  const isLeft = isGone || place.thread === "";
  const address = addressOf(next);
  place = next;
  if (address === location.hash) return;
  if (isLeft) replace(address);
  else history.pushState(null, "", address);
});

addEventListener("hashchange", () => {
  // The command's address was opened in this tab once more: its server has another token.
  if (takeToken(addressOf(place))) return open(place);
  place = readPlace();
  const { graph, thread } = place;
  if (thread !== "") studio.thread = thread;
  else if (graph !== "" && graph !== studio.graph) studio.graph = graph;
  else studio.thread = "";
});
