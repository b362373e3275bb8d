// SPDX-License-Identifier: MIT
// Serves the promise that an abort between two chunks of a streamed answer ends it, whoever asks
// for more then.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatOpenAICompatible } from "weftgraph/models/openai";

test("after an abort between two chunks every further request for one is answered", async () => {
  const stop = new AbortController();
  const line = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "a" } }] })}\n\n`;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(line)),
  });
  const headers = { "content-type": "text/event-stream" };
  const fetch = async () => new Response(body, { headers });
  const model = new ChatOpenAICompatible({ model: "m", apiKey: "k", fetch });
  const stream = model.stream("x", { signal: stop.signal });
  assert.equal((await stream.next()).value.content, "a");
  stop.abort();
  const asked = await Promise.allSettled([stream.next(), stream.next(), stream.next()]);
  assert.equal(asked[0].reason.name, "AbortError");
  assert.deepEqual(asked[1].value, { done: true, value: undefined });
  assert.deepEqual(asked[2].value, { done: true, value: undefined });
});
