// SPDX-License-Identifier: MIT
// Counts tokens and measures how long models, tools and runs take, with the names of
// OpenTelemetry's conventions for generative AI (0.1.0). Does not depend on spans.

/** @typedef {import("./attributes.js").Attributes} Attributes */
/**
 * @typedef {object} Meter
 * @property {(name: string, options?: object) => { record(value: number, attributes?: Attributes):
 *   void }} createHistogram
 * @property {(name: string, options?: object) => { add(value: number, attributes?: Attributes):
 *   void }} createCounter
 */

/** Matches attributes that have few values, which a metric may have. */
const FEW = /(operation|provider|agent|tool)\.name$|\.model$|^error/;
/** @type {Record<string, string>} */
const KINDS = { run: "invoke_agent", model: "client.inference", tool: "execute_tool" };

export class Metrics {
  /** @param {Meter} meter */
  constructor(meter) {
    this.durations = new Map(
      Object.entries(KINDS).map(([kind, name]) => [
        kind,
        meter.createHistogram(`gen_ai.${name}.duration`, { unit: "s" }),
      ]),
    );
    this.tokens = new Map(
      ["input_tokens", "output_tokens"].map((name) => [
        `gen_ai.usage.${name}`,
        meter.createCounter(`gen_ai.client.inference.usage.${name}`, { unit: "{token}" }),
      ]),
    );
  }

  /**
   * Records what ended.
   * @param {string} kind
   * @param {number} ms
   * @param {Attributes} attributes of its span
   */
  record(kind, ms, attributes) {
    const all = Object.entries(attributes);
    const few = Object.fromEntries(all.filter(([key]) => FEW.test(key)));
    this.durations.get(kind)?.record(ms / 1000, few);
    for (const [key, value] of all)
      this.tokens.get(key)?.add(Number(value), { ...few, "gen_ai.token.modality": "unknown" });
  }
}
