// SPDX-License-Identifier: MIT
// Knows: which model answers. Owns where that is kept: the choice in the browser, the key in this
// tab only. Must not know: models, the page.

/**
 * @typedef {{ source: "demo" | "endpoint", url: string, model: string, key: string, pace: number }}
 *   Settings
 */
/** @typedef {{ field: "url" | "model", text: string }} Complaint */

const PLACE = "weft-demo-settings";
const KEY_PLACE = "weft-demo-key";
/** Milliseconds per word of the embedded model. */
export const PACES = [
  { value: 0, name: "At once" },
  { value: 30, name: "Reading pace" },
  { value: 150, name: "Slow motion" },
];
/** @type {Settings} */
const DEFAULTS = { source: "demo", url: "http://localhost:11434/v1", model: "", key: "", pace: 30 };

/** @returns {Settings} */
export function readSettings() {
  const kept = parse(localStorage.getItem(PLACE));
  return {
    source:
      kept.source === "endpoint" && check({ ...DEFAULTS, ...kept }) === undefined
        ? "endpoint"
        : "demo",
    url: typeof kept.url === "string" ? kept.url : DEFAULTS.url,
    model: typeof kept.model === "string" ? kept.model : DEFAULTS.model,
    pace: PACES.some(({ value }) => value === kept.pace) ? kept.pace : DEFAULTS.pace,
    key: sessionStorage.getItem(KEY_PLACE) ?? "",
  };
}

/** @param {Settings} settings */
export function keepSettings({ key, ...rest }) {
  localStorage.setItem(PLACE, JSON.stringify(rest));
  if (key) sessionStorage.setItem(KEY_PLACE, key);
  else sessionStorage.removeItem(KEY_PLACE);
}

/**
 * What is wrong with the settings, if anything.
 * @param {Settings} settings
 * @returns {Complaint | undefined}
 */
export function check({ source, url, model }) {
  if (source === "demo") return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return { field: "url", text: "Give a whole address, for example https://api.openai.com/v1" };
  if (typeof model !== "string" || model.trim() === "")
    return { field: "model", text: "Give the name of a model that the service knows" };
  return undefined;
}

/** @param {string | null} text @returns {Record<string, any>} */
function parse(text) {
  try {
    return Object(JSON.parse(text ?? "{}"));
  } catch {
    return {};
  }
}
