// SPDX-License-Identifier: MIT
// Where the conversation is scrolled to: its newest words stay in sight, unless the person has
// scrolled up to read or is at requests, which do not move by themselves.

let isAtEnd = true;

/** @param {Event} event */
export function noteScroll(event) {
  const box = /** @type {Element} */ (event.currentTarget);
  isAtEnd = box.scrollTop + box.clientHeight > box.scrollHeight - 60;
}

/** The person has said something: what comes of it is wanted. */
export function followEnd() {
  isAtEnd = true;
}

/** @param {Element | undefined} box */
export function keepAtEnd(box) {
  if (box && isAtEnd)
    queueMicrotask(() => box.querySelector(".approval") ?? box.scrollTo({ top: box.scrollHeight }));
}

/**
 * Brings the first of new requests in sight, and as much of the others as there is room for.
 * @param {Element} card
 */
export function comeTo(card) {
  if (!isAtEnd) return;
  const box = card.closest(".log");
  box?.scrollTo({ top: box.scrollHeight });
  card.scrollIntoView({ block: "nearest" });
}
