// SPDX-License-Identifier: MIT
// Keeps the studio usable by keyboard alone: where the focus goes when its place vanishes, what
// Escape does. Must not know: what is drawn.

/** @typedef {import("./ui.js").View} View */

/** Where the focus goes when the place that had it is gone, the best first. */
const PLACES = [".composer textarea", "[aria-selected=true]", "input", "button:not([disabled])"];

/**
 * What has the focus, and the part of the page that it is in.
 * @typedef {{ focused: Element | null, part: Element | null }} Place
 */

/** @param {ShadowRoot} root @returns {Place} */
export function focusIn(root) {
  const focused = root.activeElement;
  return { focused, part: focused?.closest(".part, .bar") ?? null };
}

/**
 * Gives the focus to the next place, where the one that had it before something was drawn can have
 * it no more.
 * @param {ShadowRoot} root
 * @param {Place} place
 */
export function keepFocus(root, { focused, part }) {
  if (focused === null) return;
  const now = root.activeElement;
  if (now === focused ? !focused.matches(":disabled") : now !== null) return;
  const near = part?.isConnected ? [part, root] : [root];
  for (const from of near)
    for (const place of PLACES)
      for (const found of from.querySelectorAll(place))
        if (found !== focused && found.checkVisibility?.() !== false)
          return /** @type {HTMLElement} */ (found).focus({ preventScroll: true });
}

/**
 * Closes what is open, from the inside out; else stops the run.
 * @param {View} view
 * @param {import("./store.js").Store} store
 * @param {(part: Partial<View>) => void} change
 * @returns {boolean} whether there was something to do
 */
export function escapeKey(view, store, change) {
  if (view.renaming !== undefined) change({ renaming: undefined });
  else if (view.removing !== undefined) change({ removing: undefined });
  else if (view.editing !== undefined) change({ editing: undefined });
  else if (view.edit !== undefined) change({ edit: undefined });
  else if (view.isPlaying) change({ isPlaying: false });
  else if (store.run !== undefined) store.stop();
  else return false;
  return true;
}
