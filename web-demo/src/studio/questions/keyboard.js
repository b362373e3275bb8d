// SPDX-License-Identifier: MIT
// Keeps the keyboard with the questions: the first new one gets it, the next one after a decision,
// and it never falls back to the page when a question goes.
import { noChange } from "lit-html";
import { AsyncDirective, directive } from "lit-html/async-directive.js";
import { isUncovered } from "./sight.js";

/** Where the keyboard goes when no question is left. */
const HOME = ".composer textarea, [data-home]";
const FIELD = "input:not([type=checkbox]), textarea, select";

/** @typedef {Document | ShadowRoot} Root */

/** @param {EventTarget | null} target @returns {Root} */
export const rootOf = (target) =>
  /** @type {Root} */ (/** @type {Element} */ (target).getRootNode());

/** @param {Element | null | undefined} question @returns {HTMLElement | null | undefined} */
export const headingOf = (question) => question?.querySelector("h3");

/** What had the focus when a page began the newest run. @type {WeakMap<Root, Element | null>} */
const starters = new WeakMap();

/** The page is about to start a run in a studio. @param {Root} root the studio's */
export const noteStarter = (root) => void starters.set(root, document.activeElement);

class Standing extends AsyncDirective {
  /** @type {Element | undefined} */
  element = undefined;

  /** @param {boolean} _isWanted */
  render(_isWanted) {
    return noChange;
  }

  /**
   * @param {import("lit-html/directive.js").ElementPart} part
   * @param {[boolean]} given
   */
  update({ element }, [isWanted]) {
    if (this.element === undefined && isWanted) requestAnimationFrame(() => greet(element));
    this.element = element;
    return noChange;
  }

  disconnected() {
    const { element } = this;
    if (!element?.isConnected) return;
    const root = rootOf(element);
    if (!element.contains(root.activeElement)) return;
    const home = /** @type {HTMLElement | null} */ (
      root.querySelector(HOME) ?? element.closest(".asked")
    );
    home?.focus({ preventScroll: true });
  }
}

/** On a question: `true` where it is to get the keyboard when it comes. */
export const standing = directive(Standing);

/**
 * A new question gets the keyboard and comes in sight, unless a person is at another one or writes.
 * @param {Element} question
 */
function greet(question) {
  if (!question.isConnected) return;
  const root = rootOf(question);
  const host = "host" in root ? root.host : undefined;
  const outside = document.activeElement;
  const isFree =
    outside === null ||
    outside === host ||
    outside === starters.get(root) ||
    outside.contains(host ?? question);
  const at = root.activeElement ?? outside;
  const isWriting =
    at?.closest(".question") ||
    (at?.matches(FIELD) && /** @type {HTMLInputElement} */ (at).value !== "");
  if (!isFree || isWriting) return;
  headingOf(question)?.focus({ preventScroll: true });
  question.scrollIntoView({ block: "nearest" });
}

/**
 * After a decision: the next question that waits gets the keyboard, and comes in sight.
 * @param {Element} own the question that was decided
 * @param {() => void} moved told when the page had to bring it in sight
 */
export function goOn(own, moved) {
  const root = rootOf(own);
  // The button that has the keyboard is about to be off.
  headingOf(own)?.focus({ preventScroll: true });
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (own.matches(".open")) return;
      const open = [...root.querySelectorAll(".question.open")];
      const isBehind = (/** @type {Element} */ one) =>
        own.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
      const next = open.find(isBehind) ?? open[0];
      if (next === undefined || next.contains(root.activeElement)) return;
      headingOf(next)?.focus({ preventScroll: true });
      const seat = next.querySelector(".seat");
      if (seat === null || isUncovered(seat)) return;
      next.scrollIntoView({ block: "start" });
      moved();
    }),
  );
}
