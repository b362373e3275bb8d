// SPDX-License-Identifier: MIT
// Gives every schema of zod 3 a `langgraph` with `reducer` and `metadata`. Must not know: graphs.
import { z } from "zod/v3";
import { schemaDefault } from "../state/standard-schema.js";
import { usePrinter } from "../calls/response-schema.js";
import { printResponse } from "../tools/response-schema.js";
import { withLangGraph } from "./registry.js";

usePrinter(printResponse);

if (!("langgraph" in z.ZodType.prototype)) {
  Object.defineProperty(z.ZodType.prototype, "langgraph", {
    configurable: true,
    /** @this {any} */
    get() {
      return {
        metadata: (/** @type {Record<string, any>} */ payload) => withLangGraph(this, { jsonSchemaExtra: payload }),
        reducer: (/** @type {(left: any, right: any) => any} */ fn, /** @type {any} */ schema) =>
          withLangGraph(this, { default: schemaDefault(this), reducer: { schema, fn } }),
      };
    },
  });
}
