// SPDX-License-Identifier: MIT
// Serves: whatever Gemini's service sends, a call of ChatGemini ends in a message that others can
// work with, and that can be sent back, or in a ModelError; large answers take time in proportion.
// WEFT_SEED chooses other random answers, WEFT_LONG=1 runs twenty times as many.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatGemini, ModelError } from "weftgraph/models/gemini";
import { chunk, joined, missing, recordedEvents, scripted, sse, whole } from "./gemini-service.mjs";
import { dice, mutated } from "./mutated.mjs";
import { assertProper, resultsOf } from "./proper-message.mjs";

const times = process.env.WEFT_LONG ? 20 : 1;
const seed = Number(process.env.WEFT_SEED ?? 1);
const WORDS = { keys: ["parts", "text"], values: ["$.a.b", "STOP"] };

const grounding = {
  groundingChunks: [{ web: { uri: "https://a.test", title: "A" } }],
  groundingSupports: [{ segment: { startIndex: 1, endIndex: 3 }, groundingChunkIndices: [0] }],
};
const OWN = [
  [
    chunk([{ text: "hm", thought: true, thoughtSignature: "S0" }]),
    chunk([{ text: "Hello " }, { text: "you" }]),
    chunk([{ functionCall: { id: "a", name: "f", args: { n: [1] } }, thoughtSignature: "S1" }]),
    chunk([{ text: "", thoughtSignature: "S2" }], "STOP", { groundingMetadata: grounding }),
  ],
  [
    chunk([{ functionCall: { name: "f", willContinue: true } }]),
    chunk([
      {
        functionCall: {
          partialArgs: [
            { jsonPath: "$.a[0].b", stringValue: "x", willContinue: true },
            { jsonPath: "$.a[1]", numberValue: 1 },
          ],
          willContinue: true,
        },
      },
    ]),
    chunk([{ functionCall: {} }]),
    chunk([{ inlineData: { mimeType: "image/png", data: "AAAA" } }]),
    chunk([{ executableCode: { language: "PYTHON", code: "1" } }]),
    chunk([{ codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } }]),
    chunk([], "CONTINUATION", { continuationToken: "t" }),
  ],
  [
    {
      error: {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "m",
        details: [{ retryDelay: "1s" }],
      },
    },
  ],
  [{ promptFeedback: { blockReason: "SAFETY", blockReasonMessage: "m" } }],
];

/** The service gets the message back in a form that it can read. */
async function assertSendable(message, label) {
  const service = scripted(whole(chunk([{ text: "ok" }], "STOP")));
  const model = new ChatGemini({ model: "m", fetch: service.fetch });
  await model.invoke(["x", message, ...resultsOf(message)]);
  const { contents } = service.asked[0].body;
  assert.ok(
    contents.every(({ parts }) => parts.length > 0 && parts.every((part) => Object(part) === part)),
    label,
  );
}

async function mutations(recordings, count) {
  const draw = dice(seed);
  let good = 0;
  for (let at = 0; at < count; at++) {
    const lines = draw.pick(recordings).map((event) => JSON.stringify(event));
    for (let more = draw.below(2); more >= 0; more--) {
      const place = draw.below(lines.length);
      lines[place] = mutated(draw.pick(lines.filter(isJSON)) ?? "{}", draw, WORDS);
    }
    if (draw.below(4) === 0) lines.splice(draw.below(lines.length), draw.below(4));
    const streamed = draw.below(2) === 0;
    const body = streamed
      ? lines
      : new Response(`[${lines.join(",")}]`, { headers: { "content-type": "application/json" } });
    const service = scripted(streamed ? sse(body, { size: draw.pick([undefined, 50]) }) : body);
    const model = new ChatGemini({
      model: "m",
      fetch: service.fetch,
      maxRetries: 0,
      streamArguments: draw.below(4) > 0,
    });
    const label = `${at}: ${lines.join("\n").slice(0, 3000)}`;
    let message;
    try {
      message = await (draw.below(2) === 0 ? joined(model.stream("x")) : model.invoke("x"));
    } catch (error) {
      assert.ok(error instanceof ModelError, `${error?.stack} ${label}`);
      assert.ok(typeof error.code === "string" && error.message.length <= 1000, label);
      continue;
    }
    if (message === undefined) continue;
    assertProper(message, label);
    await assertSendable(message, label);
    good++;
  }
  return good;
}

function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("answers with something wrong at random places give a message or a ModelError", async () => {
  assert.ok((await mutations(OWN, 1500 * times)) > 80 * times, "some are still answers");
});

test("so do recorded answers of the service", { skip: missing }, async () => {
  const recordings = [
    "google-text",
    "google-reasoning",
    "google-tool-call",
    "google-stream-tool-call-arguments",
  ].map(recordedEvents);
  assert.ok((await mutations(recordings, 400 * times)) > 50);
});

/** ms that the answer takes to be read. */
async function timeOf(response) {
  const model = new ChatGemini({
    model: "m",
    fetch: async () => response,
    maxRetries: 0,
    streamArguments: true,
  });
  const before = performance.now();
  await model.invoke("x").catch((error) => {
    if (!(error instanceof ModelError)) throw error;
  });
  return performance.now() - before;
}

test("large answers of small pieces take time in proportion to their size", async () => {
  const many = (count, make) => Array.from({ length: count }, (_, at) => make(at));
  const supports = many(20_000, (at) => ({
    segment: { startIndex: at, endIndex: at + 1 },
    groundingChunkIndices: many(20, () => at),
  }));
  const answers = {
    "signed texts": (count) =>
      chunk(
        many(count, () => ({ text: "x", thoughtSignature: "S" })),
        "STOP",
      ),
    "a list of pieces": (count) => [
      ...many(count, () => chunk([{ text: "x", thoughtSignature: "S" }])),
      chunk([], "STOP"),
    ],
    "arguments in pieces": (count) =>
      chunk(
        [
          {
            functionCall: {
              name: "f",
              partialArgs: many(count, (at) => ({ jsonPath: `$.a[${at}].b`, stringValue: "x" })),
            },
          },
        ],
        "STOP",
      ),
    "sources of a long text": (count) =>
      chunk([{ text: "é".repeat(count * 20) }], "STOP", {
        groundingMetadata: {
          groundingChunks: many(count, () => ({ web: { uri: "u" } })),
          groundingSupports: supports,
        },
      }),
    "candidates of no use": (count) => ({
      ...chunk([{ text: "x" }], "STOP"),
      candidates: [
        ...many(count, (at) => ({ index: at + 1 })),
        ...chunk([{ text: "x" }], "STOP").candidates,
      ],
    }),
  };
  for (const [name, make] of Object.entries(answers)) {
    await timeOf(whole(make(2000)));
    const [few, more] = [await timeOf(whole(make(2000))), await timeOf(whole(make(32_000)))];
    // Sixteen times as much; if time grew with the square it would be 256 times.
    assert.ok(more < 100 * Math.max(few, 20), `${name}: ${few} ms, then ${more} ms`);
  }
});

test("more calls than the limit, and a stream without an end, are refused within bounds", async () => {
  const calls = Array.from({ length: 1025 }, () => ({ functionCall: { name: "f" } }));
  const failing = async (response, options) => {
    const model = new ChatGemini({
      model: "m",
      fetch: async () => response,
      maxRetries: 0,
      ...options,
    });
    const error = await joined(model.stream("x")).then(
      () => assert.fail("must fail"),
      (reason) => reason,
    );
    return error.code;
  };
  assert.equal(await failing(sse([chunk(calls, "STOP")])), "TOO_LARGE");
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) =>
      controller.enqueue(
        new TextEncoder().encode(`data: ${JSON.stringify(chunk([{ text: "la" }]))}\r\r`),
      ),
    cancel: () => {
      cancelled = true;
    },
  });
  const response = new Response(endless, { headers: { "content-type": "text/event-stream" } });
  assert.equal(await failing(response, { maxResponseBytes: 1e6 }), "TOO_LARGE");
  assert.ok(cancelled);
});
