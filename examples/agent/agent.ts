// SPDX-License-Identifier: MIT
// The agent that the examples serve: a shop's assistant. It reads the clock without asking; an
// order waits for a person.
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";
import { DemoModel } from "weftgraph/models/demo";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import type { WeftSaver } from "weftgraph/savers/own";

const PROMPT =
  "You are the assistant of a shop. Use the tools; order only what you were asked to order.";

export interface Settings {
  /** An endpoint that speaks OpenAI's chat completions; without one a demo planner answers. */
  OPENAI_BASE_URL?: string;
  OPENAI_API_KEY?: string;
  OPENAI_MODEL?: string;
  /** Where orders are posted; without it they are only numbered. */
  ORDERS_URL?: string;
}

function makeModel({ OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL }: Settings) {
  if (!OPENAI_BASE_URL) return new DemoModel();
  return new ChatOpenAICompatible({
    baseURL: OPENAI_BASE_URL,
    apiKey: OPENAI_API_KEY,
    model: OPENAI_MODEL ?? "gpt-4o-mini",
  });
}

const clock = tool(() => new Date().toISOString(), {
  name: "current_time",
  description: "The current date and time, in UTC.",
  schema: { type: "object", properties: {}, additionalProperties: false },
});

function makeOrderTool({ ORDERS_URL }: Settings) {
  return tool(
    async (
      { item, quantity }: { item: string; quantity: number },
      { toolCallId, configurable, signal },
    ) => {
      if (ORDERS_URL) {
        const body = JSON.stringify({ item, quantity });
        const headers = {
          "content-type": "application/json",
          "idempotency-key": `${configurable?.thread_id}/${toolCallId}`,
        };
        const answer = await fetch(ORDERS_URL, { method: "POST", headers, body, signal });
        if (!answer.ok) throw new Error(`The shop answered ${answer.status}.`);
      }
      return `${quantity} x ${item}, order ${toolCallId}`;
    },
    {
      name: "place_order",
      description: "Places an order for a quantity of an item in the shop.",
      schema: {
        type: "object",
        properties: {
          item: { type: "string", minLength: 1 },
          quantity: { type: "integer", minimum: 1, maximum: 100 },
        },
        required: ["item", "quantity"],
        additionalProperties: false,
      },
      approval: "ask",
    },
  );
}

export function makeAgent(settings: Settings, checkpointer: WeftSaver) {
  return createReactAgent({
    llm: makeModel(settings),
    tools: [clock, makeOrderTool(settings)],
    prompt: PROMPT,
    checkpointer,
  });
}

export type Agent = ReturnType<typeof makeAgent>;
