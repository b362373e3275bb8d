// SPDX-License-Identifier: MIT
// The column of Workers AI, by a binding: a stand-in of Cloudflare's, over the fetch of the case.
// Streams have the form of chat completions. What the service wants back is its reasoning.
import { ChatWorkersAI } from "weftgraph/models/workers-ai";
import { REASON } from "./kit.mjs";
import { openai } from "./openai.mjs";

/** The binding: an object or a stream; a refusal is thrown as Cloudflare's runtime does. */
function bindingOf(fetch) {
  return {
    async run(model, inputs, { signal, ...options }) {
      const response = await fetch(`https://binding.test/${model}`, {
        method: "POST",
        headers: options.extraHeaders,
        body: JSON.stringify(inputs),
        signal,
      });
      // The wait that a service asks for is in the response alone.
      if (response.status === 429) return response;
      if (!response.ok) {
        const { internalCode, description } = await response.json();
        const error = new Error(`${internalCode}: ${description}`);
        error.name = "InferenceUpstreamError";
        throw error;
      }
      const type = response.headers.get("content-type");
      return type === "application/json" ? response.json() : response.body;
    },
  };
}

const faultOf = (internalCode) => ({ internalCode, name: "AiError", description: REASON });

export const workersAI = {
  ...openai,
  name: "workers-ai",
  create: ({ fetch, ...options }) =>
    new ChatWorkersAI({ model: "@cf/test/model", binding: bindingOf(fetch), ...options }),
  errors: {
    refused: { status: 400, body: faultOf(5007), code: "5007" },
    limited: { body: faultOf(3040) },
    event: {
      text: `data: ${JSON.stringify({ errors: [{ code: 3040, message: REASON }] })}\n\n`,
      code: "3040",
    },
  },
  opaque: ({ reasoning }) => [reasoning],
  request: {
    ...openai.request,
    files: undefined,
    schema: ({ response_format }) => response_format.json_schema,
    opaque: ({ messages }) =>
      messages.filter(({ role }) => role === "assistant").map(({ reasoning }) => reasoning),
  },
};

/** The same without a binding: the account's address and token. */
export const workersAIByHTTP = {
  ...workersAI,
  name: "workers-ai by HTTP",
  create: ({ apiKey: apiToken = "matrix-token", ...options }) =>
    new ChatWorkersAI({ model: "@cf/test/model", accountId: "account", apiToken, ...options }),
};
