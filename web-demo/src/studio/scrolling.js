// SPDX-License-Identifier: MIT
// Keeps in sight what is new: the end of the talk, unless a person has scrolled up to read, and the
// checkpoint that is shown. Must not know: what is drawn there.
import { STEP } from "./time/timeline-view.js";

/** From the end, in px: whoever is that near is at the end. */
const NEAR = 60;
/** Beside the checkpoint that is shown, in px. */
const ROOM = 60;

export class Scrolling {
  #isAtEnd = true;
  /** @type {Element | undefined} */
  #talk;
  #shown = "";
  /** @type {Element | null} */
  #question = null;

  /** What comes next is wanted. */
  toEnd() {
    this.#isAtEnd = true;
  }

  /**
   * After something was drawn.
   * @param {ShadowRoot} root
   * @param {{ id: string, column: number } | undefined} shown
   */
  settle(root, shown) {
    const talk = root.querySelector(".talk");
    if (talk !== null && talk !== this.#talk) {
      this.#talk = talk;
      talk.addEventListener("scroll", () => {
        this.#isAtEnd = talk.scrollTop + talk.clientHeight > talk.scrollHeight - NEAR;
      });
    }
    if (talk !== null && this.#isAtEnd) this.#follow(talk);
    if (shown === undefined || shown.id === this.#shown) return;
    const line = root.querySelector(".timeline");
    if (line === null) return;
    this.#shown = shown.id;
    const at = shown.column * STEP;
    if (at < line.scrollLeft + ROOM) line.scrollLeft = at - ROOM;
    else if (at > line.scrollLeft + line.clientWidth - ROOM)
      line.scrollLeft = at - line.clientWidth + ROOM;
  }

  /** A question stays where it was read from: its beginning. @param {Element} talk */
  #follow(talk) {
    const question = /** @type {HTMLElement | null} */ (
      talk.querySelector(".asks:has(.question.open)")
    );
    if (question === null) talk.scrollTop = talk.scrollHeight;
    else if (question !== this.#question) talk.scrollTop = question.offsetTop;
    this.#question = question;
  }
}
