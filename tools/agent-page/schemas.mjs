// SPDX-License-Identifier: MIT
// The page with tools of `tool()` and JSON Schema, which the engine checks. Leaves
// globalThis.outcome, a promise.
import { session } from "./session.mjs";
import { tool } from "weftgraph/tools";

const side = { type: "number", minimum: 0, maximum: 1000 };
const schema = {
  type: "object",
  properties: {
    a: side,
    b: side,
    unit: { type: "string", enum: ["m", "ft"], description: "Of both." },
    tags: { type: "array", items: { type: "string", minLength: 1, maxLength: 20 }, maxItems: 8 },
  },
  required: ["a", "b"],
  additionalProperties: false,
};

globalThis.outcome = session([
  tool(({ a, b }) => String(a + b), { name: "add", description: "Adds.", schema }),
  tool((_args, config) => `ordered: ${config.interrupt("Order it?")}`, {
    name: "order",
    description: "Orders.",
    schema,
  }),
]);
