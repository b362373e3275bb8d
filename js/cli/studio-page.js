// SPDX-License-Identifier: MIT
// Runs in the page of `weftgraph studio`, behind the element's script. The address names graph and
// thread, so that a reload, Back and links find them. The token is in this tab's storage: no
// address and no entry of the history keeps it.
import { offerRecordings } from "./studio-recordings.js";

/** @typedef {import("./recording.js").Place} Place */

const studio = /** @type {import("weftgraph/studio").WeftStudio} */ (
  document.querySelector("weft-studio")
);
/** The graphs' server: the page's own, or one that the page names. */
const url = studio.getAttribute("url") ?? location.origin;
/** No other server gets its token. */
const KEY = `weftgraph-token ${url}`;

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

/** @returns {Record<string, string>} */
function headersNow() {
  const token = sessionStorage.getItem(KEY);
  return token === null ? {} : { "x-api-key": token };
}

/** @type {import("./recording.js").Ask} */
async function ask(path, body) {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const headers = { "content-type": "application/json", ...headersNow() };
  const answer = await fetch(url + path, { ...init, headers, redirect: "error" });
  if (!answer.ok) throw new Error(`its server answers with status ${answer.status}.`);
  return answer.json();
}

/** Opens the server, at a place. @param {Place} place */
function open({ graph, thread }) {
  studio.setAttribute("graph", graph);
  studio.setAttribute("thread", thread);
  studio.headers = headersNow();
}

takeToken("");
let place = readPlace();
open(place);
studio.setAttribute("url", url);
const recordings = offerRecordings(studio, ask);

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
  recordings.close();
  // The command's address was opened in this tab once more: its server has another token.
  if (takeToken(addressOf(place))) return open(place);
  place = readPlace();
  const { graph, thread } = place;
  if (thread !== "") studio.thread = thread;
  else if (graph !== "" && graph !== studio.graph) studio.graph = graph;
  else studio.thread = "";
});
