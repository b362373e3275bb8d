// SPDX-License-Identifier: MIT
// Adds `langgraph` with `reducer` and `metadata` to every zod 3 schema. Does not depend on graphs.
import { z } from "zod/v3";
import { schemaDefault } from "../state/standard-schema.js";
import { usePrinter } from "../calls/response-schema.js";
import { printResponse } from "../tools/response-schema.js";
import { withLangGraph } from "./registry.js";

usePrinter(printResponse);

if (!("langgraph" in z.ZodType.prototype)) {
  Object.defineProperty(z.ZodType.prototype, "langgraph", {
    configurable: true,
    /** @this {unknown} */
    get() {
      return {
        metadata: (/** @type {Record<string, unknown>} */ payload) =>
          withLangGraph(this, { jsonSchemaExtra: payload }),
        reducer: (
          /** @type {(left: unknown, right: unknown) => unknown} */ fn,
          /** @type {unknown} */ schema,
        ) => withLangGraph(this, { default: schemaDefault(this), reducer: { schema, fn } }),
      };
    },
  });
}
