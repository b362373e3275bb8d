// SPDX-License-Identifier: MIT
// The column of Gemini. What it wants back is the signature of a part: of a thought, of the first
// of several calls, and of an empty text at the end.
import { ChatGemini } from "weftgraph/models/gemini";
import { REASON } from "./kit.mjs";

const MODEL = "gemini-3-pro-preview";
const event = (data) => `data: ${JSON.stringify(data)}\r\n\r\n`;
const halves = (text) => (text ? [text.slice(0, 4), text.slice(4)] : []);
const words = (text) => text?.match(/\S+\s*/g) ?? [];
const signed = (part, opaque) =>
  opaque === undefined ? part : { ...part, thoughtSignature: opaque };

function answerOf(parts, { input, cached, output, reasoning }, finishReason) {
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, finishReason }],
    usageMetadata: {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output - reasoning,
      thoughtsTokenCount: reasoning,
      totalTokenCount: input + output,
    },
    modelVersion: MODEL,
    responseId: "r1",
  };
}

const callPart = ({ id, name, args }) => ({
  functionCall: { id, name, ...(args === "" ? {} : { args: JSON.parse(args) }) },
});

/** The parts of the answer, its texts in pieces as they are given. */
function partsOf({ opaque, calls = [] }, thoughts, texts) {
  return [
    ...thoughts.map((text, at) =>
      signed({ text, thought: true }, at === thoughts.length - 1 ? opaque : undefined),
    ),
    ...texts.map((text) => ({ text })),
    ...calls.map((call, at) => signed(callPart(call), at === 0 ? opaque : undefined)),
  ];
}

function stream(answer) {
  const { reasoning, text, usage, opaque } = answer;
  // The counts are those so far: they do not sum up.
  const few = { ...usage, output: 4, reasoning: Math.min(usage.reasoning, 2) };
  return [
    ...partsOf(answer, halves(reasoning), words(text)).map((part) => event(answerOf([part], few))),
    event(answerOf([signed({ text: "" }, opaque)], usage, "STOP")),
  ];
}

function whole(answer) {
  const { reasoning, text, usage, opaque } = answer;
  const parts = partsOf(answer, reasoning ? [reasoning] : [], text ? [text] : []);
  return answerOf([...parts, signed({ text: "" }, opaque)], usage, "STOP");
}

const allParts = ({ contents }) =>
  contents.flatMap(({ role, parts }) => parts.map((part) => ({ role, ...part })));

function turns(body) {
  return allParts(body).flatMap(
    ({ role, text, thought, functionCall: call, functionResponse: answer }) => {
      if (call !== undefined) return [["call", call.name, call.args]];
      if (answer !== undefined)
        return [["result", answer.response.output ?? answer.response.error]];
      return text && !thought ? [[role === "model" ? "assistant" : role, text]] : [];
    },
  );
}

const faultOf = (code, status, more) => ({ error: { code, status, message: REASON, ...more } });
const refusal = faultOf(400, "INVALID_ARGUMENT");
const wait = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" };

export const gemini = {
  name: "gemini",
  create: (options) => new ChatGemini({ model: MODEL, apiKey: "matrix-key", ...options }),
  stream,
  whole,
  errors: {
    refused: { status: 400, body: refusal, code: "INVALID_ARGUMENT" },
    // The wait is in the body; that of the header does not count.
    limited: {
      body: faultOf(429, "RESOURCE_EXHAUSTED", { details: [wait] }),
      headers: { "retry-after": "9" },
    },
    event: { text: event(faultOf(503, "UNAVAILABLE")), code: "UNAVAILABLE" },
  },
  opaque: ({ opaque }) => [
    ["thought", opaque],
    ["call", opaque],
    ["text", opaque],
  ],
  request: {
    isStream: ({ url }) => url.includes(":streamGenerateContent?alt=sse"),
    turns,
    tools: ({ tools }) => tools?.[0].functionDeclarations.map(({ name }) => name),
    images: (body) => allParts(body).flatMap(({ inlineData }) => inlineData ?? []),
    files: (body) => allParts(body).flatMap(({ inlineData }) => inlineData ?? []),
    schema: ({ generationConfig }) => generationConfig.responseJsonSchema,
    forced: ({ toolConfig }) => toolConfig.functionCallingConfig.allowedFunctionNames[0],
    opaque: (body) =>
      allParts(body)
        .filter(({ thoughtSignature }) => thoughtSignature !== undefined)
        .map(({ thought, functionCall, thoughtSignature }) => [
          thought ? "thought" : functionCall ? "call" : "text",
          thoughtSignature,
        ]),
  },
  also: {
    "the history of another provider": (requests) => {
      for (const { body } of requests)
        for (const { functionCall, thoughtSignature } of allParts(body))
          if (functionCall && thoughtSignature !== "skip_thought_signature_validator")
            throw new Error("a call of another model goes without Gemini's mark");
    },
    text: (requests) => {
      for (const { url } of requests)
        if (url.includes("matrix-key")) throw new Error("the key is in the address");
    },
  },
};
