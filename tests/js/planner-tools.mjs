// SPDX-License-Identifier: MIT
// Tools that the demo's planner has words for. Must not know what a test expects.
import { tool } from "weftgraph/tools";

const text = { type: "string", minLength: 1, maxLength: 2000 };

/**
 * @param {string} name
 * @param {string} description
 * @param {Record<string, object>} properties
 * @param {{ required?: string[], approval?: "ask" }} [options]
 */
function declare(name, description, properties, { required, approval } = {}) {
  return tool(() => "done", {
    name,
    description,
    approval,
    schema: {
      type: "object",
      properties,
      required: required ?? Object.keys(properties),
      additionalProperties: false,
    },
  });
}

export const TOOLS = [
  declare("calculator", "Evaluates an arithmetic expression", { expression: text }),
  declare("clock", "Tells the current time and date", { timeZone: text }, { required: [] }),
  declare("save_note", "Saves a note for the user", { text }),
  declare("list_notes", "Lists all notes of the user", {}),
  declare("find_notes", "Finds notes that contain a word", { query: text }),
  declare(
    "place_order",
    "Places an order",
    {
      item: text,
      quantity: { type: "integer", minimum: 1, maximum: 100, description: "How many" },
      wishes: { type: "array", items: { type: "string" }, maxItems: 5 },
    },
    { required: ["item", "quantity"], approval: "ask" },
  ),
];
