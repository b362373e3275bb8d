// SPDX-License-Identifier: MIT
// Knows: how a page is used by its keyboard alone, in any browser, and when the focus is lost
// there. Must not know what a test expects.
import assert from "node:assert/strict";

/** More places than a screen has. */
const MOST_STEPS = 120;

/**
 * A page that is used by its keyboard; each act ends when the page has drawn what came of it.
 * `does` calls a function in the page, which uses nothing of its own file.
 * @typedef {{ press: (key: string) => Promise<unknown>,
 *   does: (act: (word?: string) => unknown, word?: string) => Promise<any> }} Hands
 */
export class Keyboard {
  acts = [];

  /** @param {Hands} hands */
  constructor(hands) {
    this.hands = hands;
  }

  /**
   * Notes acts after which nothing has the focus for three frames, since a part may come a frame
   * after the one that went; begins when something has it.
   */
  async watch() {
    await this.hands.does(() => {
      globalThis.act = "";
      globalThis.lost = [];
      let frames = 0;
      const look = () => {
        frames = document.activeElement === document.body ? frames + 1 : 0;
        if (frames === 3) globalThis.lost.push(globalThis.act);
        requestAnimationFrame(look);
      };
      look();
    });
  }

  /** What has the focus: what is read there, inside of shadow roots, too. */
  focused() {
    return this.hands.does(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      if (at === document.body || at === null) return "lost";
      const words = at.getAttribute("aria-label") ?? at.labels?.[0]?.innerText ?? at.textContent;
      return `${at.getAttribute("role") ?? at.localName} ${words.trim().replace(/\s+/g, " ")}`;
    });
  }

  /** Presses a key; the focus is somewhere afterwards. */
  async press(key) {
    await this.hands.does((act) => {
      globalThis.act = act;
    }, key);
    await this.hands.press(key);
    await this.hands.does(
      () => new Promise((done) => requestAnimationFrame(() => setTimeout(done))),
    );
    const place = await this.focused();
    assert.notEqual(
      place,
      "lost",
      `the focus is lost after ${key}: ${this.acts.slice(-8).join(" | ")}`,
    );
    this.acts.push(place.slice(0, 50));
    return place;
  }

  /** Goes to what is read so. */
  async to(words, key = "Tab") {
    this.acts.push(`to ${words}`);
    for (let at = 0; at < MOST_STEPS; at++) {
      const place = await this.press(key);
      if (words.test(place)) return place;
    }
    assert.fail(`not reached by ${key}: ${this.acts.slice(-MOST_STEPS).join(" | ")}`);
  }

  /** Goes to a button or link, and presses it. */
  async use(words, key) {
    await this.to(words, key);
    this.acts.push(`use ${words}`);
    return this.press("Enter");
  }

  /** Until what has the focus is this. */
  async until(words) {
    for (const end = Date.now() + 30_000; ; ) {
      const place = await this.focused();
      if (words.test(place)) return place;
      assert.ok(Date.now() < end, `${words} has not got the focus, but ${place}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async lost() {
    return this.hands.does(() => globalThis.lost);
  }
}
