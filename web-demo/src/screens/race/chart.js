// SPDX-License-Identifier: MIT
// Draws one quantity of both sides as bars, with the median and the spread of its rounds. Must not
// know: what was measured.
import { html, nothing, svg } from "lit-html";
import { median } from "./race.js";

/** @typedef {{ name: string, side: string, values: number[] }} Bar */

const WIDTH = 640;
const ROW = 46;
const BAR = 22;
const LABEL = 108;
const VALUE = 120;

/**
 * @param {{ title: string, about: string, bars: Bar[], format: (value: number) => string }} chart
 */
export function chartView({ title, about, bars, format }) {
  const most = Math.max(...bars.flatMap(({ values }) => values), 0);
  const scale = (/** @type {number} */ value) =>
    most === 0 ? 0 : (value / most) * (WIDTH - LABEL - VALUE);
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
  const y = row * ROW + (ROW - BAR) / 2;
  const middle = y + BAR / 2;
  const label = svg`<text class="name" x="0" y=${middle + 5}>${name}</text>`;
  if (values.length === 0)
    return svg`${label}<text class="value none" x=${LABEL} y=${middle + 5}>…</text>`;
  const [low, high] = [Math.min(...values), Math.max(...values)].map(
    (value) => LABEL + scale(value),
  );
  const end = Math.max(2, scale(median(values)));
  return svg`${label}
    <rect class="bar ${side}" x=${LABEL} y=${y} width=${end} height=${BAR} rx="4"></rect>
    ${high - low < 1 ? nothing : svg`<path class="spread" d="M${low} ${middle}H${high}M${low} ${middle - 5}v10M${high} ${middle - 5}v10"></path>`}
    <text class="value" x=${Math.max(LABEL + end, high) + 10} y=${middle + 5}>${format(median(values))}</text>`;
}
