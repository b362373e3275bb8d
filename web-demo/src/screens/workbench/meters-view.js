// SPDX-License-Identifier: MIT
// Shows what runs take (steps, time, tokens, storage), and the limits that can be set on it.
import { html } from "lit-html";
import { KINDS, PRICE, dollars } from "./limits.js";

/** @typedef {import("./bench.js").Bench} Bench */

/** @param {Bench} bench */
export function metersView({ ledger, meters }) {
  const { tokens } = ledger;
  return html`<dl class="meters" aria-label="Meters">
    ${meter("Steps", String(ledger.steps), "Checkpoints of the newest run")}
    ${meter("Engine", time(meters.engineMs), "Time in the engine's own calls, newest run")}
    ${meter("Waiting for nodes", time(ledger.busyMs(performance.now())), "Time in which at least one node ran, newest run")}
    ${meter("Tokens", `${tokens.toLocaleString("en")} · ${dollars((tokens * PRICE) / 1e6)}`, `Of this thread, at $${PRICE} per million`)}
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
      <p>Of what one input may take. A run that reaches one stops, and can go on.</p>
      ${KINDS.map(
        ({ key, label, min, step }) => html`<label>${label}
          <input type="number" inputmode="decimal" min=${min} step=${step} placeholder="none" data-limit=${key} .value=${String(bench.limits[key] ?? "")}
            @change=${(/** @type {Event} */ { target }) => bench.setLimits(changed(bench.limits, key, /** @type {HTMLInputElement} */ (target).value, min))} /></label>`,
      )}
    </div>
  </details>`;
}

/**
 * @param {import("./limits.js").Limits} limits
 * @param {import("./limits.js").LimitKey} key
 * @param {string} text none: no limit
 * @param {number} min
 * @returns {import("./limits.js").Limits}
 */
function changed(limits, key, text, min) {
  const { [key]: _before, ...others } = limits;
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return others;
  return { ...others, [key]: Math.max(min, value) };
}

/** @param {number} ms */
function time(ms) {
  if (ms < 10) return `${Math.round(ms * 1000).toLocaleString("en")} µs`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** @param {number} count */
function bytes(count) {
  return count < 1000 ? `${count} B` : `${(count / 1000).toFixed(1)} kB`;
}
