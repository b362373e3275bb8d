// SPDX-License-Identifier: MIT
// docs/benchmarks.md: what a model adapter costs a token of a streamed answer, above reading and
// decoding the same body, and what a call of a scripted model costs an agent. A token's cost is
// that of its event: its lines, JSON.parse, a step of `for await` (the least reader, rows of its
// own), checks and the chunk. Adapters over another program's model are measured above reading what
// that gives.
// Processor time is that of the process, with the collection of garbage.
import { ChatAnthropicMessages } from "weftgraph/models/anthropic";
import { fromAISDK } from "weftgraph/models/ai-sdk";
import { ChatGemini } from "weftgraph/models/gemini";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { ChatPromptAPI } from "weftgraph/models/prompt-api";
import { ChatOpenAIResponses } from "weftgraph/models/responses";
import { ChatWebLLM } from "weftgraph/models/webllm";
import { ChatWorkersAI } from "weftgraph/models/workers-ai";
import { ScriptedModel } from "weftgraph/models/scripted";
import { toolsByText } from "weftgraph/models/text-tools";
import { createReactAgent } from "weftgraph/prebuilt";
import { compare, round } from "./measure.mjs";

const TOKENS = 20_000;
const RUNS = 3000;
/** Events of a piece of the body, when many come at once. */
const MANY = 32;

const ofType = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const bare = (data) => `data: ${JSON.stringify(data)}\n\n`;
const usage = { prompt_tokens: 12, completion_tokens: TOKENS, total_tokens: TOKENS + 12 };

/** By adapter: its model, and the events of a service, as they come. */
const SERVICES = {
  openai: {
    Model: ChatOpenAICompatible,
    events(words) {
      const chunk = (choices, more) =>
        bare({
          id: "chatcmpl-CkZ3N2u4xQm0r8yT1aWv5sBd",
          object: "chat.completion.chunk",
          created: 1795000000,
          model: "gpt-4.1-mini-2025-04-14",
          service_tier: "default",
          system_fingerprint: "fp_d38c7f4fa7",
          choices,
          usage: null,
          ...more,
        });
      const delta = (part, finish_reason = null) => [
        { index: 0, delta: part, logprobs: null, finish_reason },
      ];
      return [
        chunk(delta({ role: "assistant", content: "", refusal: null })),
        ...words.map((content) => chunk(delta({ content }))),
        chunk(delta({}, "stop")),
        chunk([], { usage }),
        "data: [DONE]\n\n",
      ];
    },
  },
  anthropic: {
    Model: ChatAnthropicMessages,
    events(words) {
      const message = { id: "msg_01", type: "message", role: "assistant", content: [] };
      const counts = { input_tokens: 12, output_tokens: 1 };
      const text = (part) => ({ type: "content_block_delta", index: 0, delta: part });
      return [
        { type: "message_start", message: { ...message, model: "claude", usage: counts } },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        ...words.map((word) => text({ type: "text_delta", text: word })),
        { type: "content_block_stop", index: 0 },
        {
          type: "message_delta",
          delta: { stop_reason: "end_turn", stop_sequence: null },
          usage: { output_tokens: TOKENS },
        },
        { type: "message_stop" },
      ].map(ofType);
    },
  },
  responses: {
    Model: ChatOpenAIResponses,
    events(words) {
      const id = "msg_68a1f0c2d3e48192a3b4c5d6e7f80910";
      const response = { id: "resp_68a1f0c2d3e4", object: "response", model: "gpt-5", output: [] };
      const text = words.join("");
      const part = { type: "output_text", text, annotations: [], logprobs: [] };
      const item = { id, type: "message", role: "assistant" };
      const at = { item_id: id, output_index: 0, content_index: 0 };
      const begun = { ...item, status: "in_progress", content: [] };
      const done = { ...item, status: "completed", content: [part] };
      return [
        { type: "response.created", response: { ...response, status: "in_progress" } },
        { type: "response.output_item.added", output_index: 0, item: begun },
        { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
        ...words.map((delta) => ({
          type: "response.output_text.delta",
          ...at,
          delta,
          logprobs: [],
        })),
        { type: "response.output_text.done", ...at, text, logprobs: [] },
        { type: "response.content_part.done", ...at, part },
        { type: "response.output_item.done", output_index: 0, item: done },
        {
          type: "response.completed",
          response: { ...response, status: "completed", output: [done], usage: null },
        },
      ].map((event, sequence_number) => ofType({ ...event, sequence_number }));
    },
  },
  gemini: {
    Model: ChatGemini,
    events(words) {
      return words.map((text, at) =>
        bare({
          candidates: [
            {
              content: { parts: [{ text }], role: "model" },
              index: 0,
              ...(at === words.length - 1 ? { finishReason: "STOP" } : {}),
            },
          ],
          usageMetadata: {
            promptTokenCount: 12,
            candidatesTokenCount: at + 1,
            totalTokenCount: at + 13,
            promptTokensDetails: [{ modality: "TEXT", tokenCount: 12 }],
          },
          modelVersion: "gemini-2.5-flash",
          responseId: "u4xQm0r8yT1aWv5sBd",
        }),
      );
    },
  },
};

SERVICES["workers-ai"] = {
  Model: ChatWorkersAI,
  options: { accountId: "a" },
  events: (words) => [
    ...words.map((response, at) => bare({ response, p: "abcdefgh".slice(at % 8) })),
    bare({ response: "", usage }),
    "data: [DONE]\n\n",
  ],
};

/** A stream of these values. @param {any[]} values */
function streamOf(values) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < values.length) controller.enqueue(values[at++]);
      else controller.close();
    },
  });
}

/** By adapter over another program's model: its model, and how what that gives is read alone. */
const SOURCES = {
  "ai-sdk"(words) {
    const parts = [
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "0" },
      ...words.map((delta) => ({ type: "text-delta", id: "0", delta })),
      { type: "text-end", id: "0" },
      { type: "finish", finishReason: { unified: "stop" }, usage: {} },
    ];
    const doStream = async () => ({ stream: streamOf(parts) });
    const given = { specificationVersion: "v3", provider: "bench", modelId: "m", doStream };
    return { model: fromAISDK(given), read: async () => drain((await doStream()).stream) };
  },
  "prompt-api"(words) {
    const promptStreaming = () => streamOf(words);
    const prompt = async () => words.join("");
    const session = { prompt, promptStreaming, clone: async () => session, destroy() {} };
    const languageModel = { create: async () => session, availability: async () => "available" };
    return { model: new ChatPromptAPI({ languageModel }), read: () => drain(promptStreaming()) };
  },
  webllm(words) {
    const chunk = (delta, finish_reason = null) => ({
      id: "0",
      object: "chat.completion.chunk",
      created: 1795000000,
      model: "m",
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
    const chunks = [...words.map((content) => chunk({ content })), chunk({}, "stop")];
    const create = async () =>
      (async function* () {
        yield* chunks;
      })();
    const model = new ChatWebLLM({ engine: { chat: { completions: { create } } }, model: "m" });
    return { model, read: async () => drain(await create()) };
  },
  "text-tools"(words) {
    const { model } = SOURCES["ai-sdk"](words);
    const look = { name: "look", description: "Looks.", parameters: { type: "object" } };
    const tools = [{ type: "function", function: look }];
    const fenced = toolsByText(model, { style: "fenced" }).bindTools(tools);
    return { model: fenced, read: () => stream(model) };
  },
};

/** @param {AsyncIterable<unknown>} values */
async function drain(values) {
  let count = 0;
  for await (const _ of values) count++;
  if (count < TOKENS) throw new Error(`only ${count} values came`);
}

/** @param {string[]} events @param {number} most events of a piece */
function piecesOf(events, most) {
  const encoder = new TextEncoder();
  return Array.from({ length: Math.ceil(events.length / most) }, (_, at) =>
    encoder.encode(events.slice(at * most, (at + 1) * most).join("")),
  );
}

/** @param {Uint8Array[]} pieces */
function responseOf(pieces) {
  return new Response(streamOf(pieces), { headers: { "content-type": "text/event-stream" } });
}

/** @param {Uint8Array[]} pieces */
async function decode(pieces) {
  const reader = responseOf(pieces).body.getReader();
  const decoder = new TextDecoder();
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += decoder.decode(value, { stream: true }).length;
  }
  if (length === 0) throw new Error("nothing was decoded");
}

/** @param {any} model */
async function stream(model) {
  let chunks = 0;
  for await (const chunk of await model.stream("go")) if (chunk.content.length > 0) chunks++;
  if (chunks < TOKENS) throw new Error(`only ${chunks} chunks came`);
}

/**
 * Work that tells the milliseconds that this process has worked: on a busy machine the clock tells
 * more of the others.
 * @param {() => Promise<void>} work
 */
const worked = (work) => async () => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const WORDS = Array.from({ length: TOKENS }, (_, at) => ` word${at % 97}`);

/**
 * A row: what a token costs above `limit`.
 * @param {string} title
 * @param {() => Promise<void>} weft
 * @param {() => Promise<void>} limit
 */
async function tokenRow(title, weft, limit) {
  const row = await compare(title, {
    unit: "µs/token",
    per: TOKENS,
    warmups: 10,
    rounds: 9,
    must: "<= 2 µs",
    sides: { weft: worked(weft), limit: worked(limit) },
  });
  return { ...row, weft: round(Math.max(0, row.weft - row.limit)) };
}

const countOf = (most) => (most === 1 ? "one" : most);

function tokens(name, { Model, events, options }, most) {
  const pieces = piecesOf(events(WORDS), most);
  const model = new Model({
    model: "m",
    apiKey: "k",
    fetch: async () => responseOf(pieces),
    ...options,
  });
  const title = `${name}, a streamed token, ${countOf(most)} at once, over body and text`;
  return tokenRow(
    title,
    () => stream(model),
    () => decode(pieces),
  );
}

/** The least that a reader can do: lines of events, JSON.parse, a step of `for await`. */
async function* parsed(response) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const text = rest.slice(rest.indexOf("data: ") + "data: ".length, end);
      rest = rest.slice(end + 2);
      if (text !== "[DONE]") yield JSON.parse(text);
    }
  }
}

async function least(name, { events }, most) {
  const pieces = piecesOf(events(WORDS), most);
  const row = await compare(
    `${name}, the least reader of such events, ${countOf(most)} at once, over body and text`,
    {
      unit: "µs/token",
      per: TOKENS,
      warmups: 10,
      rounds: 9,
      sides: {
        least: worked(() => drain(parsed(responseOf(pieces)))),
        limit: worked(() => decode(pieces)),
      },
    },
  );
  const { least: read, ...rest } = row;
  return { ...rest, limit: round(Math.max(0, read - row.limit)) };
}

function tokensOver(name, source) {
  const { model, read } = source(WORDS);
  return tokenRow(
    `${name}, a streamed token, over what its model gives`,
    () => stream(model),
    read,
  );
}

async function scripted() {
  const llm = new ScriptedModel({ responses: ["It is sunny in Oslo today."], loop: true });
  const agent = createReactAgent({ llm, tools: [] });
  return compare("an agent's run of one call of a scripted model", {
    unit: "µs/invoke",
    per: RUNS,
    warmups: 10,
    rounds: 9,
    must: "<= 60 µs",
    sides: {
      weft: worked(async () => {
        for (let run = 0; run < RUNS; run++) {
          const { messages } = await agent.invoke({ messages: "How is it?" });
          if (messages.length !== 2) throw new Error("the agent did not answer");
          llm.calls.length = 0;
        }
      }),
    },
  });
}

export async function rows() {
  const made = [await scripted()];
  for (const [name, service] of Object.entries(SERVICES)) {
    for (const most of [1, MANY])
      made.push(await least(name, service, most), await tokens(name, service, most));
  }
  for (const [name, source] of Object.entries(SOURCES)) made.push(await tokensOver(name, source));
  return made;
}
