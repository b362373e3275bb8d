// SPDX-License-Identifier: MIT
// The page with tools by shape, which check their arguments themselves. Leaves globalThis.outcome,
// a promise.
import { session } from "./session.mjs";

globalThis.outcome = session([
  {
    name: "add",
    description: "Adds.",
    schema: { type: "object" },
    invoke: async ({ args }) => String(args.a + args.b),
  },
  {
    name: "order",
    description: "Orders.",
    schema: { type: "object" },
    invoke: async (_call, config) => `ordered: ${config.interrupt("Order it?")}`,
  },
]);
