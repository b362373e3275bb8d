// SPDX-License-Identifier: MIT
// Keeps the theme that was chosen, in this browser, and shows it.

const KEY = "weft-theme";
const THEMES = ["system", "light", "dark"];

/** @returns {string} */
export function readTheme() {
  try {
    const kept = localStorage.getItem(KEY);
    return kept !== null && THEMES.includes(kept) ? kept : "system";
  } catch {
    // A browser may refuse storage.
    return "system";
  }
}

/** @param {string} theme */
export function showTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

/** @returns {string} the one after the one that is shown, which is shown and kept */
export function nextTheme() {
  const at = THEMES.indexOf(document.documentElement.dataset.theme ?? "system");
  const theme = THEMES[(at + 1) % THEMES.length];
  showTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It holds until the page is loaded again.
  }
  return theme;
}

/** Follows what is chosen in other tabs. @param {() => void} changed */
export function followTheme(changed) {
  addEventListener("storage", ({ key }) => {
    if (key !== KEY) return;
    showTheme(readTheme());
    changed();
  });
}
