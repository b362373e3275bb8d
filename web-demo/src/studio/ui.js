// SPDX-License-Identifier: MIT
// Owns what a person has chosen in the studio beside what is looked at: panes, drafts, what is
// unfolded. Only the draft of a message outlives a reload, in the tab's session storage.

/** @typedef {"state" | "tasks" | "events"} Tab */
/**
 * A part of the page; narrow ones show one of them.
 * @typedef {"talk" | "graph" | "time" | "inspector"} Pane
 */
/**
 * `isJson`: undefined: as the graph's inputs are; `isRailOpen`: undefined until the first frame,
 * in which the width is known without another layout; `editing`: a message that is written anew;
 * `removing`, `renaming`: a thread; `open`: what somebody folded or unfolded, by path.
 * @typedef {{ pane: Pane, tab: Tab, node: string | undefined, filter: string, edit: { text: string,
 *   asNode: string } | undefined, draft: string, isJson: boolean | undefined, isRailOpen: boolean |
 *   undefined, search: string, renaming: { id: string, title: string } | undefined, removing:
 *   string | undefined, editing: { id: string, text: string } | undefined, isPlaying: boolean,
 *   open: Map<string, boolean> }} View
 */
/**
 * What the views are given. `cards`: undefined: nothing can be answered.
 * @typedef {{ store: import("./store.js").Store, view: View, change: (part: Partial<View>) => void,
 *   copy: (event: Event, text: string) => void, folds: import("./text.js").Folds, viewport:
 *   import("./graph/viewport.js").Viewport, cards: import("./questions/cards.js").Cards |
 *   undefined, decisions: readonly import("./questions/decisions.js").Decision[] }} Ui
 */

/** @returns {View} */
export function newView() {
  return {
    pane: "talk",
    tab: "state",
    node: undefined,
    filter: "",
    edit: undefined,
    draft: "",
    isJson: undefined,
    isRailOpen: undefined,
    search: "",
    renaming: undefined,
    removing: undefined,
    editing: undefined,
    isPlaying: false,
    open: new Map(),
  };
}

/** The element that an event was heard at. @param {Event} event @returns {any} */
export const target = (event) => event.currentTarget;

/** The input is JSON: a graph with other channels takes nothing else. @param {Ui} ui */
export const isJson = ({ store, view }) => view.isJson ?? store.takes === "channels";

/** @param {import("./store.js").Store} store */
const draftKey = ({ graph, thread }) => `weft-studio draft ${graph}/${thread}`;

/**
 * What was written before a reload, or is being written in a thread that is not there any more.
 * @param {import("./store.js").Store} store
 * @param {string} written
 * @returns {string}
 */
export function readDraft(store, written) {
  const left = store.gone === undefined ? "" : written;
  try {
    return sessionStorage.getItem(draftKey(store)) ?? left;
  } catch {
    return left;
  }
}

/** @param {import("./store.js").Store} store @param {string} draft */
export function keepDraft(store, draft) {
  try {
    if (draft === "") sessionStorage.removeItem(draftKey(store));
    else sessionStorage.setItem(draftKey(store), draft);
  } catch {
    // A page without storage keeps no drafts.
  }
}
