// SPDX-License-Identifier: MIT
// The page's drawings. They say nothing that the words beside them do not say.
import { html, svg } from "lit-html";

const PATHS = {
  menu: svg`<path d="M4 7h16M4 12h16M4 17h16"/>`,
  plus: svg`<path d="M12 5v14M5 12h14"/>`,
  close: svg`<path d="M6 6l12 12M18 6L6 18"/>`,
  trash: svg`<path d="M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12M10 11v5M14 11v5"/>`,
  settings: svg`<path d="M4 8h9M17 8h3M4 16h3M11 16h9"/><circle cx="15" cy="8" r="2"/><circle cx="9" cy="16" r="2"/>`,
  send: svg`<path d="M12 19V5M6 11l6-6 6 6"/>`,
  stop: svg`<rect x="7" y="7" width="10" height="10" rx="2" fill="currentColor"/>`,
  check: svg`<path d="M5 12.5l4.5 4.5L19 7.5"/>`,
  cross: svg`<path d="M7 7l10 10M17 7L7 17"/>`,
  wait: svg`<circle cx="12" cy="12" r="8"/><path d="M12 8v4l3 2"/>`,
  shield: svg`<path d="M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z"/><path d="M9 12l2 2 4-4"/>`,
  tool: svg`<path d="M14 7a4 4 0 015-3l-2.500 3 .5 1.500 1.500 .5 2.500-2.500a4 4 0 01-5 4.500L8 20a2 2 0 01-3-3l9-8z" transform="translate(-.5 .5)"/>`,
  note: svg`<path d="M6 4h12v11l-5 5H6zM13 20v-5h5M9 8h6M9 12h4"/>`,
  order: svg`<path d="M4 7l8-4 8 4v10l-8 4-8-4zM4 7l8 4 8-4M12 11v10"/>`,
  disk: svg`<ellipse cx="12" cy="6" rx="7" ry="3"/><path d="M5 6v12c0 1.700 3 3 7 3s7-1.300 7-3V6M5 12c0 1.700 3 3 7 3s7-1.300 7-3"/>`,
  alert: svg`<path d="M12 4l9 16H3zM12 10v4M12 17v.5"/>`,
  info: svg`<circle cx="12" cy="12" r="8.500"/><path d="M12 11v5M12 8v.5"/>`,
};

/** @param {keyof PATHS} name */
export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${PATHS[name]}</svg>`;
}
