// SPDX-License-Identifier: MIT
// Keeps the keyboard where it was, when the place that had it is gone. Does not depend on what a
// screen shows.

/** Parts of a page that take the focus of what was in them. */
const PARTS = "section, fieldset, aside, main";

/**
 * Draws. Where what had the focus cannot have it then, the part around it gets it, from which the
 * next key goes on: no other button gets what was meant for it.
 * @param {HTMLElement | ShadowRoot} root of what is drawn
 * @param {() => void} draw
 */
export function keepFocus(root, draw) {
  const focused = focusedIn(root);
  const parts = focused === null ? [] : partsAround(focused);
  draw();
  if (focused === null) return;
  // After what is new had its turn to take it.
  queueMicrotask(() => {
    const isOff = focused.matches(":disabled") || focused.closest("[inert]") !== null;
    const isLost = focusedIn(root) === focused ? isOff : document.activeElement === document.body;
    const part = parts.find((one) => one.isConnected && one.closest("[inert]") === null);
    if (!isLost || part === undefined) return;
    if (part.tabIndex < 0) part.tabIndex = -1;
    part.focus({ preventScroll: true });
  });
}

/** @param {HTMLElement | ShadowRoot} root @returns {Element | null} */
function focusedIn(root) {
  if (root instanceof ShadowRoot) return root.activeElement;
  return root.contains(document.activeElement) ? document.activeElement : null;
}

/** @param {Element} element @returns {HTMLElement[]} from the inside out, through shadow roots */
function partsAround(element) {
  const parts = [];
  for (let at = /** @type {Node | null} */ (element); at !== null; ) {
    if (at !== element && at instanceof HTMLElement && at.matches(PARTS)) parts.push(at);
    at = at instanceof ShadowRoot ? at.host : at.parentNode;
  }
  return parts;
}
