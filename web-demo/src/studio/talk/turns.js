// SPDX-License-Identifier: MIT
// Makes of a thread's messages what was said: calls with their results, which message came with
// which checkpoint, and where branches part. Must not know: how it is drawn.
import { pathTo } from "../time/branches.js";
import { messageText } from "../message-text.js";

/** @typedef {import("../store.js").Store} Store */
/** @typedef {import("../time/branches.js").Mark} Mark */
/** @typedef {import("../time/history.js").History} History */
/**
 * @typedef {"waiting" | "running" | "open" | "done" | "repaired" | "failed" | "rejected"} CallState
 */
/**
 * @typedef {{ id: string, name: string, args: unknown, state: CallState, result: string | undefined
 *   }} Call
 */
/**
 * `others`: kinds of content beside the text.
 * @typedef {{ key: string, id: string, kind: "human" | "ai" | "tool" | "other", type: string, name:
 *   string, text: string, others: string[], calls: Call[] }} Turn
 */

/** How the text begins by which a model is told that a person said no. */
const REJECTED = /^(?:The user rejected the call of |User rejected the tool call for )/;

/** @param {Store} store @returns {Turn[]} */
export function turnsOf(store) {
  const values = store.shown?.state.values;
  /** @type {any[]} */
  const messages = Array.isArray(values?.messages) ? values.messages.filter(isMessage) : [];
  const results = new Map(
    messages.filter(({ type }) => type === "tool").map((one) => [String(one.tool_call_id), one]),
  );
  const asked = new Set(
    store.threads.questions
      .filter(({ thread }) => thread === store.thread)
      .map(({ value }) => /** @type {any} */ (value)?.tool_call_id),
  );
  const taken = new Set();
  const turns = messages.map((message, index) => {
    const calls = (Array.isArray(message.tool_calls) ? message.tool_calls : [])
      .concat(Array.isArray(message.invalid_tool_calls) ? message.invalid_tool_calls : [])
      .filter(isMessage)
      .map((/** @type {any} */ call) => {
        const result = results.get(String(call.id));
        taken.add(result);
        return callOf(call, result, asked.has(call.id), store.run !== undefined);
      });
    return turnOf(message, index, calls);
  });
  return turns.filter((_turn, index) => !taken.has(messages[index]));
}

/** @param {unknown} value @returns {value is any} */
const isMessage = (value) => typeof value === "object" && value !== null;

/** @param {any} message @param {number} index @param {Call[]} calls @returns {Turn} */
function turnOf(message, index, calls) {
  const type = String(message.type ?? message.role ?? "");
  const content = Array.isArray(message.content) ? message.content : [];
  return {
    key: `${index} ${message.id ?? ""}`,
    id: String(message.id ?? ""),
    kind: type === "human" || type === "ai" || type === "tool" ? type : "other",
    type,
    name: typeof message.name === "string" ? message.name : "",
    text: messageText(message),
    others: content
      .filter((/** @type {any} */ block) => typeof block?.text !== "string")
      .map((/** @type {any} */ block) => String(block?.type ?? "content")),
    calls,
  };
}

/**
 * @param {any} call
 * @param {any} result
 * @param {boolean} isAsked
 * @param {boolean} isRunning
 * @returns {Call}
 */
function callOf({ id, name, args }, result, isAsked, isRunning) {
  const text = result === undefined ? undefined : messageText(result);
  return {
    id: String(id ?? ""),
    name: String(name ?? ""),
    args,
    state:
      result === undefined
        ? isAsked
          ? "waiting"
          : isRunning
            ? "running"
            : "open"
        : stateOf(result, text ?? ""),
    result: text,
  };
}

/** @param {any} result @param {string} text @returns {CallState} */
function stateOf({ status, additional_kwargs }, text) {
  if (status === "error") return REJECTED.test(text) ? "rejected" : "failed";
  return Array.isArray(additional_kwargs?.repaired) ? "repaired" : "done";
}

/** @param {Mark} mark @returns {string[]} */
function idsAt({ state: { values } }) {
  /** @type {any[]} */
  const list = Array.isArray(values?.messages) ? values.messages : [];
  return list.map((message) => String(message?.id ?? ""));
}

/**
 * @param {Store} store
 * @param {string} id of a message
 * @returns {string | undefined} the checkpoint before the one that the message came with
 */
export function checkpointBefore({ history, shown }, id) {
  return pathTo(history, shown).find((mark) => idsAt(mark).includes(id))?.parent;
}

/**
 * Where a message has others in its place: `at` of `all`, checkpoints with which these begin.
 * @typedef {{ at: number, all: string[] }} Parting
 */

/** @type {WeakMap<readonly Mark[], { shown: Mark | undefined, partings: Map<string, Parting> }>} */
const known = new WeakMap();

/** @param {Store} store @returns {Map<string, Parting>} by message */
export function partingsOf({ history, shown }) {
  const before = known.get(history.marks);
  if (before !== undefined && before.shown === shown) return before.partings;
  const partings = findPartings(history, shown);
  known.set(history.marks, { shown, partings });
  return partings;
}

/** @param {History} history @param {Mark | undefined} shown */
function findPartings(history, shown) {
  /** @type {Map<string, Parting>} */
  const partings = new Map();
  /** @type {Map<string, string[]>} */
  const children = new Map();
  for (const { id, parent } of history.marks)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), id]);
  if (![...children.values()].some(({ length }) => length > 1)) return partings;
  const seen = new Set();
  /** @type {Parting | undefined} */
  let open;
  for (const mark of pathTo(history, shown)) {
    const all = children.get(mark.parent ?? "") ?? [];
    if (all.length > 1) open = { at: all.indexOf(mark.id), all };
    const fresh = idsAt(mark).find((id) => !seen.has(id));
    if (fresh === undefined) continue;
    for (const id of idsAt(mark)) seen.add(id);
    if (open !== undefined) partings.set(fresh, open);
    open = undefined;
  }
  return partings;
}
