// SPDX-License-Identifier: MIT
// Knows: whether a part of the page is in sight of a person, and for how long: whole, in the window
// and in every box that scrolls, with nothing on top of it, in a tab that is shown. Must not know
// what it is a part of.
import { noChange } from "lit-html";
import { AsyncDirective, directive } from "lit-html/async-directive.js";
import { ARM_MS } from "./card.js";

/** Less than a pixel of a line may be cut by rounding. */
const WHOLE = 0.97;
/** Part of its own size that an element has to have on the screen. */
const LEAST_SCALE = 0.7;
/** How often it is looked whether something is on top, in ms. */
const LOOK_MS = 100;
// Chromium also tells what hides an element, such as an overlay that lets clicks through; it asks
// for a delay in ms then.
const OPTIONS = /** @type {IntersectionObserverInit} */ ({
  threshold: WHOLE,
  trackVisibility: true,
  delay: 100,
});

/** @type {WeakMap<Element, InSight>} */
const watchers = new WeakMap();
/** Those whose time runs or may begin to. @type {Set<InSight>} */
const watching = new Set();
/** @type {IntersectionObserver | undefined} */
let observer;

/** Made with the first element: the module can be loaded where there is no page. */
function theObserver() {
  if (observer !== undefined) return observer;
  observer = new IntersectionObserver((entries) => {
    for (const entry of entries) watchers.get(entry.target)?.notice(/** @type {any} */ (entry));
  }, OPTIONS);
  document.addEventListener("visibilitychange", () =>
    watching.forEach((watcher) => watcher.begin()),
  );
  return observer;
}

/** The page is shown inside another one, which can lay something over it or cut it. */
export const isFramed = globalThis.top !== globalThis.window;

/**
 * Nothing of the page is on top of the element now, and it is on the screen.
 * @param {Element} element
 */
export function isUncovered(element) {
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
  if (document.visibilityState !== "visible" || width === 0 || height === 0) return false;
  // Not every browser has it.
  if (element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) === false)
    return false;
  // Made small it cannot be read.
  if (element instanceof HTMLElement && height < element.offsetHeight * LEAST_SCALE) return false;
  const [middle, centre] = [(left + right) / 2, (top + bottom) / 2];
  const [x, y] = [Math.min(1, width / 2), Math.min(1, height / 2)];
  const points = [
    [middle, centre],
    [left + x, centre],
    [right - x, centre],
    [middle, top + y],
    [middle, bottom - y],
  ];
  return points.every(([across, down]) => isOnTop(element, across, down));
}

/**
 * Asks every root from the element's own up to the document: inside a custom element some browsers
 * tell only what is on top of it within that element.
 * @param {Element} element
 * @param {number} across
 * @param {number} down
 */
function isOnTop(element, across, down) {
  for (let inner = element; ; ) {
    const root = /** @type {Document | ShadowRoot} */ (inner.getRootNode());
    const top = root.elementFromPoint(across, down);
    if (inner === element ? !inner.contains(top) : top !== inner) return false;
    if (!("host" in root)) return true;
    inner = root.host;
  }
}

class InSight extends AsyncDirective {
  /** @type {Element | undefined} */
  element = undefined;
  words = "";
  isIn = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;
  /** For how long it has to be in sight yet, in ms. */
  left = 0;
  /** @type {(sight: import("./card.js").Sight, words: string) => void} */
  tell = () => {};

  /** @param {string} _words @param {InSight["tell"]} _tell */
  render(_words, _tell) {
    return noChange;
  }

  /**
   * @param {import("lit-html/directive.js").ElementPart} part
   * @param {[string, InSight["tell"]]} given
   */
  update({ element }, [words, tell]) {
    this.tell = tell;
    if (this.element === undefined) this.watch(element);
    if (this.words !== words) {
      this.words = words;
      this.begin();
    }
    return noChange;
  }

  /** @param {Element} element */
  watch(element) {
    this.element = element;
    watchers.set(element, this);
    watching.add(this);
    theObserver().observe(element);
  }

  /** @param {IntersectionObserverEntry & { isVisible?: boolean }} entry */
  notice({ isIntersecting, intersectionRatio, isVisible }) {
    this.isIn = isIntersecting && intersectionRatio >= WHOLE && isVisible !== false;
    this.tell(this.isIn ? "in" : "out", this.words);
    this.begin();
  }

  /** The time runs from now, if it may. */
  begin() {
    clearTimeout(this.timer);
    if (!this.isIn || isFramed || document.visibilityState !== "visible") return;
    this.left = ARM_MS;
    this.timer = setTimeout(() => this.look(), LOOK_MS);
  }

  /** Whatever covers it in between makes the time run anew. */
  look() {
    if (!this.element || !isUncovered(this.element)) return this.begin();
    this.left -= LOOK_MS;
    if (this.left <= 0) this.tell("seen", this.words);
    else this.timer = setTimeout(() => this.look(), LOOK_MS);
  }

  disconnected() {
    clearTimeout(this.timer);
    if (this.element) theObserver().unobserve(this.element);
    watching.delete(this);
    this.element = undefined;
  }
}

/**
 * On an element: tells when it comes in sight, goes out of it, and was in sight for a while with
 * the words given.
 */
export const inSight = directive(InSight);

class OnReturn extends AsyncDirective {
  /** @type {AbortController | undefined} */
  listening = undefined;
  tell = () => {};

  /** @param {() => void} _tell */
  render(_tell) {
    return noChange;
  }

  /**
   * @param {import("lit-html/directive.js").ElementPart} _part
   * @param {[() => void]} given
   */
  update(_part, [tell]) {
    this.tell = tell;
    if (this.listening === undefined) this.reconnected();
    return noChange;
  }

  disconnected() {
    this.listening?.abort();
  }

  reconnected() {
    this.listening = new AbortController();
    const { signal } = this.listening;
    addEventListener("focus", () => this.tell(), { signal });
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.tell(),
      { signal },
    );
  }
}

/** On an element: tells while it is there that the page came in front again. */
export const onReturn = directive(OnReturn);
