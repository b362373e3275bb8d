// SPDX-License-Identifier: MIT
// Gives a screen a root of its own with the look that the screens share. Does not depend on what a
// screen shows.

const BASE = `
:host {
  --paper: light-dark(#ffffff, #14161f); --ground: light-dark(#f5f6fa, #0e1017); --line: light-dark(#dcdfea, #2c3143);
  --ink: light-dark(#1a1d2b, #e8eaf4); --soft: light-dark(#565b73, #a4aac2); --accent: light-dark(#3c4ed8, #8f9cff);
  --on-accent: light-dark(#ffffff, #10132b); --accent-wash: light-dark(#eceeff, #252b4d);
  --good: light-dark(#14794b, #62cf9a); --good-wash: light-dark(#e2f5ea, #12301f);
  --warn: light-dark(#8a5207, #f0b95c); --warn-wash: light-dark(#fff3dc, #3a2d12);
  --bad: light-dark(#b3261e, #ff8d85); --bad-wash: light-dark(#fdecea, #3a1b19);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
  display: block; color-scheme: light dark; color: var(--ink);
  font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Liberation Sans", "DejaVu Sans", sans-serif;
}
*, *::before, *::after { box-sizing: border-box; }
h1, h2, h3, p, ol, ul, dl, dd, pre { margin: 0; padding: 0; }
ol, ul { list-style: none; }
h1 { font-size: var(--title-size); line-height: 1.15; letter-spacing: -.02em; }
h2 { font-size: 1rem; }
.screen { display: grid; gap: 20px; max-width: calc(var(--page-width) + 2 * var(--page-side)); margin: 0 auto; padding: var(--page-top) var(--page-side) 3rem; }
.lead { max-width: 68ch; margin-top: 8px; color: var(--soft); }
.hint { color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }
.card { display: grid; gap: 12px; min-width: 0; padding: 16px; border: 1px solid var(--line); border-radius: 14px; background: var(--paper); }
.actions { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
a { color: var(--accent); }
button, select, .button { min-height: 36px; padding: 5px 14px; border: 1px solid var(--line); border-radius: 9px; background: var(--paper); color: inherit; font: inherit; cursor: pointer; }
button:hover:enabled { border-color: var(--accent); }
button:disabled { opacity: .5; cursor: not-allowed; }
button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; }
button.small { min-height: 30px; padding: 2px 10px; font-size: .875rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font-family: var(--mono); font-size: .875em; }
.hidden { padding: 0 2px; border-radius: 3px; background: var(--bad-wash); color: var(--bad); }
.notice { padding: 10px 14px; border: 1px solid transparent; border-radius: 10px; overflow-wrap: anywhere; }
.notice.good { border-color: var(--good); background: var(--good-wash); }
.notice.bad { border-color: var(--bad); background: var(--bad-wash); }
.notice.warn { border-color: var(--warn); background: var(--warn-wash); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 640px) { .screen { gap: 16px; padding-bottom: 2rem; } }
`;

/**
 * Makes the root of a screen.
 * @param {HTMLElement} main is filled
 * @param {string} style of this screen
 * @returns {{ root: ShadowRoot, close: () => void }}
 */
export function openPanel(main, style) {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [BASE, style].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  main.append(host);
  return { root, close: () => host.remove() };
}

/**
 * Lets the browser save a file.
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} type
 */
export function saveAs(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  // The download has begun when the click returns, but some browsers read the address later.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
