// SPDX-License-Identifier: MIT
// Shows what a thread has taken (steps, time, tokens, storage), and the limits that can be set on
// its runs.
import { html } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { KINDS, PRICE, dollars, placeOf } from "./limits.js";

/** @typedef {import("./bench.js").Bench} Bench */

/** @param {Bench} bench */
export function metersView({ meters, spent: { steps, tokens, isWhole } }) {
  const more = isWhole ? "" : "+";
  return html`<dl class="meters" aria-label="Meters">
    ${meter("Steps", `${steps}${more}`, "Steps of this thread, on all its branches")}
    ${meter("Engine", time(meters.engineMs), "Time in the engine's own calls, all runs of this thread")}
    ${meter("Waiting for nodes", time(meters.waitMs), "Time in which at least one node ran, all runs of this thread")}
    ${meter("Tokens", `${tokens.toLocaleString("en")}${more} · ${dollars((tokens * PRICE) / 1e6)}${more}`, `Of this thread, on all its branches, at $${PRICE} per million`)}
    ${meter("Stored", bytes(meters.bytes), "Bytes of this thread's log in this browser")}
  </dl>`;
}

/** @param {string} name @param {string} value @param {string} title */
function meter(name, value, title) {
  return html`<div title=${title}><dt>${name}</dt><dd data-meter=${name}>${value}</dd></div>`;
}

/** @param {Bench} bench */
export function limitsView(bench) {
  const set = Object.keys(bench.limits).length;
  return html`<details class="limits">
    <summary>Limits${set === 0 ? "" : ` (${set})`}</summary>
    <div>
      <p>Of what one input may take. A run that reaches one stops, and can go on. At the right end there is none.</p>
      ${KINDS.map((kind) => limitView(bench, kind))}
    </div>
  </details>`;
}

/** @param {Bench} bench @param {import("./limits.js").LimitKind} kind */
function limitView(bench, kind) {
  const { key, label, min, step, stops, words } = kind;
  const value = bench.limits[key];
  /** @param {number | undefined} limit */
  const set = (limit) => {
    const { [key]: _before, ...others } = bench.limits;
    bench.setLimits(limit === undefined ? others : { ...others, [key]: limit });
  };
  return html`<div class="limit"><span aria-hidden="true">${label}</span>
    <input type="range" min="0" max=${stops.length} step="1" aria-label=${label} aria-valuetext=${value === undefined ? "none" : words(value)} data-limit=${key} .value=${live(String(placeOf(kind, value)))}
      @input=${(/** @type {Event} */ event) => set(stops[Number(textOf(event))])} />
    <input type="number" inputmode="decimal" min=${min} step=${step} placeholder="none" aria-label=${`${label}, exactly`} .value=${live(String(value ?? ""))}
      @change=${(/** @type {Event} */ event) => set(typed(textOf(event), min))} /></div>`;
}

/** @param {Event} event */
const textOf = ({ target }) => /** @type {HTMLInputElement} */ (target).value;

/** @param {string} text none: no limit @param {number} min */
function typed(text, min) {
  const value = Number(text);
  return text.trim() === "" || !Number.isFinite(value) ? undefined : Math.max(min, value);
}

/** @param {number} ms */
function time(ms) {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** @param {number} count */
export function bytes(count) {
  return count < 1000 ? `${count} B` : `${(count / 1000).toFixed(1)} kB`;
}
