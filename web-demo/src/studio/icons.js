// SPDX-License-Identifier: MIT
// The studio's drawings. They say nothing that the words beside them do not say.
import { html, svg } from "lit-html";

const PATHS = {
  list: svg`<path d="M4 6h16M4 12h16M4 18h10"/>`,
  plus: svg`<path d="M12 5v14M5 12h14"/>`,
  minus: svg`<path d="M5 12h14"/>`,
  fit: svg`<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/>`,
  pencil: svg`<path d="M4 20l1-4L16 5l3 3L8 19zM14 7l3 3"/>`,
  trash: svg`<path d="M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12"/>`,
  copy: svg`<rect x="8" y="8" width="11" height="12" rx="2"/><path d="M5 16V6a2 2 0 012-2h8"/>`,
  again: svg`<path d="M19 8a8 8 0 10.500 7M19 4v5h-5"/>`,
  branch: svg`<circle cx="6" cy="5" r="2"/><circle cx="6" cy="19" r="2"/><circle cx="18" cy="9" r="2"/><path d="M6 7v10M18 11c0 4-12 2-12 6"/>`,
  play: svg`<path d="M8 5l11 7-11 7z"/>`,
  pause: svg`<path d="M8 5v14M16 5v14"/>`,
  stop: svg`<rect x="7" y="7" width="10" height="10" rx="2"/>`,
  send: svg`<path d="M12 19V5M6 11l6-6 6 6"/>`,
  left: svg`<path d="M15 5l-7 7 7 7"/>`,
  right: svg`<path d="M9 5l7 7-7 7"/>`,
  close: svg`<path d="M6 6l12 12M18 6L6 18"/>`,
  check: svg`<path d="M5 12.5l4.500 4.500L19 7.500"/>`,
  shield: svg`<path d="M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z"/><path d="M9 12l2 2 4-4"/>`,
  alert: svg`<path d="M12 4l9 16H3zM12 10v4M12 17v.5"/>`,
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${PATHS[name]}</svg>`;
}

/**
 * A button with a drawing. One that is off keeps the focus, and says that it is off.
 * @param {keyof typeof PATHS} name
 * @param {string} words its name, beside the drawing or in its place
 * @param {() => void} act
 * @param {{ name: string, isOff?: boolean, hasWords?: boolean }} options `name`: its `data-do`
 */
export function iconButton(name, words, act, { name: what, isOff = false, hasWords = false }) {
  const press = () => {
    if (!isOff) act();
  };
  return hasWords
    ? html`<button type="button" data-do=${what} aria-disabled=${isOff} @click=${press}>${icon(name)}<span>${words}</span></button>`
    : html`<button type="button" class="icon-button" data-do=${what} aria-label=${words} title=${words} aria-disabled=${isOff} @click=${press}>${icon(name)}</button>`;
}
