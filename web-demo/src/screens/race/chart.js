// SPDX-License-Identifier: MIT
// Draws one quantity of both sides as bars, with the median and the spread of its rounds. Must not
// know: what was measured.
import { html, nothing, svg } from "lit-html";
import { median } from "./race.js";

/** @typedef {{ name: string, side: string, values: number[] }} Bar */

const WIDTH = 520;
const NAME = 26;
const BAR = 20;
const ROW = NAME + BAR + 16;
/** Room for the value behind the longest bar. */
const VALUE = 136;

/**
 * @param {{ title: string, about: string, bars: Bar[], format: (value: number) => string }} chart
 */
export function chartView({ title, about, bars, format }) {
  const most = Math.max(...bars.flatMap(({ values }) => values), 0);
  const scale = (/** @type {number} */ value) =>
    most === 0 ? 0 : (value / most) * (WIDTH - VALUE);
  return html`<figure class="card chart" data-chart=${title}>
    <figcaption><h2>${title}</h2><p class="hint">${about}</p></figcaption>
    <svg viewBox="0 0 ${WIDTH} ${bars.length * ROW}" aria-hidden="true">${bars.map((bar, row) => barView(bar, row, scale, format))}</svg>
    <table class="unseen"><caption>${title}</caption><tbody>${bars.map(
      ({ name, side, values }) =>
        html`<tr data-side=${side}><th scope="row">${name}</th><td data-value=${values.length === 0 ? nothing : median(values)}>${values.length === 0 ? "not measured yet" : wordsOf(values, format)}</td></tr>`,
    )}</tbody></table>
  </figure>`;
}

/** @param {number[]} values @param {(value: number) => string} format */
function wordsOf(values, format) {
  const spread = `${format(Math.min(...values))} to ${format(Math.max(...values))}`;
  return values.length === 1 ? format(values[0]) : `${format(median(values))} (${spread})`;
}

/**
 * @param {Bar} bar
 * @param {number} row
 * @param {(value: number) => number} scale
 * @param {(value: number) => string} format
 */
function barView({ name, side, values }, row, scale, format) {
  const top = row * ROW;
  const middle = top + NAME + BAR / 2;
  const label = svg`<text class="name" x="0" y=${top + 18}>${name}</text>`;
  if (values.length === 0)
    return svg`${label}<text class="value none" x="0" y=${middle + 5}>…</text>`;
  const [low, high] = [Math.min(...values), Math.max(...values)].map(scale);
  const end = Math.max(2, scale(median(values)));
  return svg`${label}
    <rect class="bar ${side}" x="0" y=${top + NAME} width=${end} height=${BAR} rx="4"></rect>
    ${high - low < 1 ? nothing : svg`<path class="spread" d="M${low} ${middle}H${high}M${low} ${middle - 5}v10M${high} ${middle - 5}v10"></path>`}
    <text class="value" x=${Math.max(end, high) + 10} y=${middle + 6}>${format(median(values))}</text>`;
}
