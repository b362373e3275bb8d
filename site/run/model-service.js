// SPDX-License-Identifier: MIT
// Answers what programs ask OpenAI's service, in the tab: the documents' programs run without a
// key and without a request. Everything else goes to fetch itself.

const SERVICE = "https://api.openai.com/v1/chat/completions";
const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/**
 * @param {typeof fetch} fetch
 * @param {() => void} told is called when the service was asked
 * @returns {typeof globalThis.fetch}
 */
export function answerModelService(fetch, told) {
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.url !== SERVICE) return fetch(request);
    told();
    const body = await request.json();
    const content =
      body.response_format === undefined ? "Paris." : '{"city":"Paris","population":2100000}';
    return body.stream ? streamed(body.model, content) : whole(body.model, content);
  };
}

/** @param {string} model @param {string} content */
function whole(model, content) {
  const message = { role: "assistant", content };
  return Response.json({
    id: "chatcmpl-0",
    object: "chat.completion",
    model,
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage: USAGE,
  });
}

/** @param {string} model @param {string} content */
function streamed(model, content) {
  const chunk = (choice, usage) =>
    `data: ${JSON.stringify({
      id: "chatcmpl-0",
      object: "chat.completion.chunk",
      model,
      choices: choice === undefined ? [] : [{ index: 0, ...choice }],
      usage,
    })}\n\n`;
  const text =
    chunk({ delta: { role: "assistant", content }, finish_reason: null }) +
    chunk({ delta: {}, finish_reason: "stop" }) +
    chunk(undefined, USAGE) +
    "data: [DONE]\n\n";
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}
