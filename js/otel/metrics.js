// SPDX-License-Identifier: MIT
// Counts tokens and measures how long models, tools and runs take, with the names of
// OpenTelemetry's conventions for generative AI (0.1.0). Does not depend on spans.
import { checkArgument } from "../base/check-arguments.js";

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

class Metrics {
  /** @type {Map<string, ReturnType<Meter["createHistogram"]>>} */
  #durations = new Map();
  /** @type {Map<string, ReturnType<Meter["createCounter"]>>} */
  #tokens = new Map();

  /** @param {Meter} meter */
  constructor(meter) {
    for (const [kind, name] of Object.entries(KINDS))
      this.#durations.set(kind, meter.createHistogram(`gen_ai.${name}.duration`, { unit: "s" }));
    for (const name of ["usage.input_tokens", "usage.output_tokens"])
      this.#tokens.set(
        `gen_ai.${name}`,
        meter.createCounter(`gen_ai.client.inference.${name}`, { unit: "{token}" }),
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
    this.#durations.get(kind)?.record(ms / 1000, few);
    for (const [key, value] of all)
      this.#tokens.get(key)?.add(Number(value), { ...few, "gen_ai.token.modality": "unknown" });
  }
}

/** Makes the metrics of a handler. @param {Meter} meter */
export function otelMetrics(meter) {
  checkArgument(
    typeof meter?.createHistogram === "function",
    "otelMetrics(meter): meter must be a Meter of @opentelemetry/api",
  );
  return new Metrics(meter);
}
