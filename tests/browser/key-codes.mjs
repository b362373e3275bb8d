// SPDX-License-Identifier: MIT
// Knows: the codes of keys in WebDriver. Must not know a browser.

const CODES = { Shift: "\ue008", Tab: "\ue004", Enter: "\ue007", Escape: "\ue00c" };

/**
 * Presses a key, or keys at once: "a", "Enter", "Shift+Tab".
 * @param {string} keys
 * @returns {object[]} the actions of WebDriver, classic and BiDi
 */
export function actionsOf(keys) {
  const values = keys.split("+").map((key) => CODES[key] ?? key);
  for (const [at, value] of values.entries())
    if (value.length !== 1) throw new Error(`no code for the key ${keys.split("+")[at]}`);
  const down = values.map((value) => ({ type: "keyDown", value }));
  const up = values.toReversed().map((value) => ({ type: "keyUp", value }));
  return [{ type: "key", id: "keyboard", actions: [...down, ...up] }];
}
