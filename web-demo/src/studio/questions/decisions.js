// SPDX-License-Identifier: MIT
// Reads and shows the record of what people decided about calls of a thread, as the thread's log
// has it: it outlives the page. Must not know: where it is asked for.
import { html, nothing } from "lit-html";
import { changesBetween } from "../changes.js";
import { plain } from "../text.js";
import { changeView } from "./changes-view.js";
import { dateOf, textOf } from "./request.js";
import { sentenceOf } from "./sentence.js";

/**
 * A decision, as the server tells it.
 * @typedef {{ type: string, by?: string, tool_call_id: string, answer: any }} Decision
 */

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

/** Keeps the records of threads, and reads them again when a thread has changed. */
export class Decided {
  /** @type {Map<string, { version: string | undefined, list: Decision[] }>} */
  #threads = new Map();
  #read;
  #changed;

  /** @param {(thread: string) => Promise<Decision[]>} read @param {() => void} changed */
  constructor(read, changed) {
    this.#read = read;
    this.#changed = changed;
  }

  /**
   * @param {string} thread
   * @param {string | undefined} version of the thread: for another one it is read again; undefined:
   *   it changes, and is read later
   * @returns {Decision[]} as far as it was read
   */
  of(thread, version) {
    const known = this.#threads.get(thread);
    if (known !== undefined && version === undefined) known.version = undefined;
    if (thread === "" || known?.version === version) return known?.list ?? [];
    const record = { version, list: known?.list ?? [] };
    this.#threads.set(thread, record);
    this.#read(thread).then(
      (list) => {
        record.list = list;
        this.#changed();
      },
      // A server of another make has no record.
      () => {},
    );
    return record.list;
  }
}

/** @param {readonly Decision[]} list the oldest first */
export function decisionsView(list) {
  if (list.length === 0) return nothing;
  const newest = list.slice(-MANY).reverse();
  return html`<details class="decided" ?open=${list.length <= SHOWN}>
    <summary>Decided in this thread <span class="count">${list.length}</span></summary>
    <ol>${newest.map((one) => html`<li>${decisionView(one)}</li>`)}</ol>
  </details>`;
}

/** One decision in a line. @param {Decision} decision */
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
