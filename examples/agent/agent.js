// SPDX-License-Identifier: MIT
// The agent that the examples serve: a shop's assistant. It reads the clock by itself; an order waits for a person.
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";
import { DemoModel } from "weftgraph/models/demo";
import { ChatOpenAICompatible } from "weftgraph/models/openai";

const PROMPT = "You are the assistant of a shop. Use the tools; order only what you were asked to order.";

/**
 * @typedef {object} Settings
 * @property {string} [OPENAI_BASE_URL] an endpoint that speaks OpenAI's chat completions; without one a demo planner answers
 * @property {string} [OPENAI_API_KEY]
 * @property {string} [OPENAI_MODEL]
 * @property {string} [ORDERS_URL] where orders are posted; without it they are only numbered
 */

/** @param {Settings} settings */
function makeModel({ OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL }) {
  if (!OPENAI_BASE_URL) return new DemoModel();
  return new ChatOpenAICompatible({ baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY, model: OPENAI_MODEL ?? "gpt-4o-mini" });
}

const clock = tool(() => new Date().toISOString(), {
  name: "current_time",
  description: "The current date and time, in UTC.",
  schema: { type: "object", properties: {}, additionalProperties: false },
});

/** @param {Settings} settings */
function makeOrderTool({ ORDERS_URL }) {
  return tool(
    async ({ item, quantity }, { toolCall, configurable, signal }) => {
      if (ORDERS_URL) {
        const body = JSON.stringify({ item, quantity });
        const headers = { "content-type": "application/json", "idempotency-key": `${configurable.thread_id}/${toolCall.id}` };
        const answer = await fetch(ORDERS_URL, { method: "POST", headers, body, signal });
        if (!answer.ok) throw new Error(`The shop answered ${answer.status}.`);
      }
      return `${quantity} x ${item}, order ${toolCall.id}`;
    },
    {
      name: "place_order",
      description: "Places an order for a quantity of an item in the shop.",
      schema: {
        type: "object",
        properties: { item: { type: "string", minLength: 1 }, quantity: { type: "integer", minimum: 1, maximum: 100 } },
        required: ["item", "quantity"],
        additionalProperties: false,
      },
      approval: "ask",
    },
  );
}

/**
 * @param {Settings} settings
 * @param {any} checkpointer where threads are kept
 */
export function makeAgent(settings, checkpointer) {
  return createReactAgent({ llm: makeModel(settings), tools: [clock, makeOrderTool(settings)], prompt: PROMPT, checkpointer });
}
