// SPDX-License-Identifier: MIT
// A Worker whose agent asks a model over a binding, in each form that workerd has of one. Answers
// with what the agent said, or with the error.
import { createReactAgent } from "weftgraph/prebuilt";
import { ChatWorkersAI } from "weftgraph/models/workers-ai";
import { tool } from "weftgraph/tools";
import { WorkerEntrypoint } from "cloudflare:workers";
import { answer } from "./workers-ai-fake.mjs";

const weather = tool(({ city }) => `4 °C in ${city}`, {
  name: "weather",
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
});

/** The binding as a service of its own, which is asked by calls between Workers. */
export class FakeAI extends WorkerEntrypoint {
  run(model, inputs, options) {
    return answer(model, inputs, options);
  }
}

async function agentOver(binding, model) {
  const llm = new ChatWorkersAI({ binding, model, maxRetries: 0 });
  const agent = createReactAgent({ llm, tools: [weather] });
  const tokens = [];
  const input = { messages: "Weather in Oslo?" };
  for await (const [mode, value] of await agent.stream(input, {
    streamMode: ["messages", "values"],
  })) {
    if (mode === "messages") tokens.push(value[0].text);
    else tokens.messages = value.messages;
  }
  const said = tokens.messages.map(({ content }) => content);
  return { said, tokens: tokens.filter((text) => text !== "") };
}

/** Aborts a call in the midst of an endless stream; returns how it ended and what came. */
async function abortedOver(binding) {
  const controller = new AbortController();
  const llm = new ChatWorkersAI({ binding, model: "endless", maxRetries: 0 });
  let count = 0;
  try {
    for await (const _ of llm.stream("hi", { signal: controller.signal }))
      if (++count === 5) controller.abort();
  } catch (error) {
    return { name: error.name, count };
  }
  return { name: "none", count };
}

export default {
  async fetch(request, env) {
    const [, form, model] = new URL(request.url).pathname.split("/");
    const binding = { wrapped: env.AI, service: env.SERVICE, plain: { run: answer } }[form];
    try {
      const result =
        model === "abort" ? await abortedOver(binding) : await agentOver(binding, model);
      return Response.json(result);
    } catch (error) {
      const { name, code, status, retryable, message } = error;
      return Response.json({ name, code, status, retryable, message });
    }
  },
};
