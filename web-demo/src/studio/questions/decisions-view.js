// SPDX-License-Identifier: MIT
// Shows the record of what people decided about calls of a thread. Must not know: where it is asked
// for.
import { html, nothing } from "lit-html";
import { changesBetween } from "../changes.js";
import { plain } from "../text.js";
import { changeView } from "./changes-view.js";
import { dateOf, textOf } from "./request.js";
import { sentenceOf } from "./sentence.js";

const WORDS = new Map([
  ["accept", "Approved"],
  ["edit", "Changed"],
  ["response", "Rejected"],
  ["ignore", "Rejected"],
  ["retry", "Run again"],
  ["escalate", "Passed on"],
]);
const SHOWN = 5;
const MANY = 100;
const MANY_CHANGES = 5;

/** @param {readonly import("./decisions.js").Decision[]} list the oldest first */
export function decisionsView(list) {
  if (list.length === 0) return nothing;
  const newest = list.slice(-MANY).reverse();
  return html`<details class="decided" ?open=${list.length <= SHOWN}>
    <summary>Decided in this thread <span class="count">${list.length}</span></summary>
    <ol>${newest.map((one) => html`<li>${decisionView(one)}</li>`)}</ol>
  </details>`;
}

/** One decision in a line. @param {import("./decisions.js").Decision} decision */
export function decisionView({ type, by, tool_call_id: call, answer }) {
  const tool = ofCall(answer?.tool, call);
  const shown = ofCall(answer?.shown, call);
  const at = dateOf(answer?.at);
  const word = by === "expiry" ? "Expired" : (WORDS.get(type) ?? "Decided");
  const about = tool && shown ? sentenceOf({ tool, canonical: shown, description: "" }) : tool;
  return html`<b>${word}</b> ${about === undefined ? nothing : html`<span>${plain(about)}</span>`}
    ${type === "edit" ? editView(shown, answer?.args?.args) : nothing}
    ${type === "response" && textOf(answer?.args) ? html`<q>${plain(answer.args)}</q>` : nothing}
    ${at === undefined ? nothing : html`<time datetime=${at.toISOString()}>${at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}</time>`}`;
}

/**
 * What an answer says of one call, which may be one of several.
 * @param {unknown} said
 * @param {string} call
 */
function ofCall(said, call) {
  if (typeof said !== "object" || said === null || !Object.hasOwn(said, call)) return textOf(said);
  return textOf(/** @type {Record<string, unknown>} */ (said)[call]);
}

/** @param {string | undefined} shown @param {unknown} after */
function editView(shown, after) {
  /** @type {unknown} */
  let before;
  try {
    before = JSON.parse(shown ?? "{}");
  } catch {
    return nothing;
  }
  const changes = changesBetween(before, after);
  return html`<ul class="edits">${changes.slice(0, MANY_CHANGES).map((change) => html`<li>${changeView(change)}</li>`)}
    ${changes.length > MANY_CHANGES ? html`<li class="hint">and ${changes.length - MANY_CHANGES} more</li>` : nothing}</ul>`;
}
