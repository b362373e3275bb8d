// SPDX-License-Identifier: MIT
// Makes a callback handler that writes OpenTelemetry spans. Calls the user's @opentelemetry/api by
// its shape. An error of a tracer never reaches the run: the first one is a warning.
import { checkArgument } from "../base/check-arguments.js";
import { readRules } from "./content.js";
import { Events } from "./events.js";
import { Spans } from "./spans.js";

/** @typedef {import("../types/otel.js").OtelMetrics} Metrics */
/** @typedef {(...args: never[]) => void} Listener */

export { otelMetrics } from "./metrics.js";

/**
 * Makes the handler.
 * @param {{ api: import("./spans.js").Api, tracer?: import("./spans.js").Tracer, metrics?: Metrics,
 *   content?: unknown, steps?: boolean, maxContentLength?: number }} options
 * @returns {import("../types/otel.js").OtelHandler}
 */
export function otelHandler(options) {
  const { api, metrics, content, steps = true, maxContentLength: most = 8192 } = Object(options);
  const tracer = options?.tracer ?? api?.trace?.getTracer?.("weftgraph");
  checkArgument(
    typeof api?.context?.with === "function" && typeof tracer?.startSpan === "function" && most > 0,
    "otelHandler(options): api must be @opentelemetry/api, maxContentLength a positive number",
  );
  const spans = new Spans({ api, tracer, metrics, rules: readRules(content), steps, most });
  const events = new Events(spans);
  const handler = {
    name: "weft_otel",
    // LangChain's models wait for it, so that spans begin in their order.
    awaitHandlers: true,
    copy: () => handler,
    around: spans.around.bind(spans),
  };
  for (const name of Object.getOwnPropertyNames(Events.prototype).slice(1)) {
    const method = /** @type {Record<string, Listener>} */ (/** @type {unknown} */ (events))[name];
    Object.assign(handler, {
      [name]: (/** @type {never[]} */ ...args) => spans.attempt(() => method.apply(events, args)),
    });
  }
  return /** @type {never} */ (handler);
}
