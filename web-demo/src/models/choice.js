// SPDX-License-Identifier: MIT
// Keeps which model the samples' agents ask, in the program that runs them: the page's worker, or
// Node, where it is each sample's own. Must not know: how a model is made.

/** @typedef {import("./settings.js").Choice} Choice */
/**
 * `key`: for the choice's address; it is in this memory and in requests to that address alone.
 * `page`: where a page offers its browser's own model.
 * @typedef {Choice & { key?: string, page?: string }} Chosen
 */

/** @type {Promise<Chosen | undefined>} */
let chosen = Promise.resolve(undefined);
/** @type {((choice: Chosen | undefined) => void) | undefined} */
let told;

/** How long a page has to say it, in ms; one that does not leaves each sample its own model. */
const LONGEST_WAIT_MS = 3000;

/** Makes models wait until the page has said which one is asked. */
export function awaitChoice() {
  chosen = new Promise((resolve) => {
    told = resolve;
    setTimeout(() => resolve(undefined), LONGEST_WAIT_MS);
  });
}

/** @param {Chosen} choice */
export function setChoice(choice) {
  told?.(choice);
  chosen = Promise.resolve(choice);
}

/** The choice; undefined: each sample's own model. */
export function currentChoice() {
  return chosen;
}
