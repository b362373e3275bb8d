// SPDX-License-Identifier: MIT
// Serves: engines in the tab (weftgraph/models/webllm): requests as WebLLM's own validator takes
// them, one call at a time, interruptions, errors, agents.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as webLLM from "@mlc-ai/web-llm";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "weftgraph/messages";
import { ChatWebLLM } from "weftgraph/models/webllm";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";
import { TITLES, runCase } from "./models-matrix/cases.mjs";
import { webllm } from "./models-matrix/webllm.mjs";

const [HERMES] = webLLM.functionCallingModelIds;
const weather = tool(({ city }) => `4 °C in ${city}`, {
  name: "weather",
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
});
const PNG = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };

/** Throws as WebLLM does if it does not take the request; `id`: the loaded model. */
function validate(request, { id = "Qwen3-1.7B-q4f16_1-MLC", kinds = [] } = {}) {
  const type = kinds.length > 0 ? webLLM.ModelType.VLM : webLLM.ModelType.LLM;
  const copy = structuredClone(request);
  webLLM.postInitAndCheckFieldsChatCompletion(copy, id, type, new Set(kinds));
}

const completion = (message, finish_reason = "stop") => ({
  id: "1",
  model: "small",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});

async function* chunksOf(pieces, isInterrupted = () => false) {
  for (const content of pieces) {
    if (isInterrupted()) break;
    yield { id: "1", choices: [{ index: 0, delta: { content }, finish_reason: null }] };
    await null;
  }
  yield { id: "1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
}

/** An engine that validates, and answers by a function. */
function engineOf(say, loaded) {
  const requests = [];
  const create = async (request) => {
    validate(request, loaded);
    requests.push(request);
    const said = await say(request, requests.length);
    if (typeof said === "string" && request.stream) return chunksOf(said.match(/\S+\s*/g) ?? []);
    return typeof said === "string" ? completion({ content: said }) : said;
  };
  return { engine: { chat: { completions: { create } } }, requests };
}

async function collect(pieces) {
  const chunks = [];
  for await (const chunk of pieces) chunks.push(chunk);
  return chunks;
}

test("WebLLM takes each request of the matrix of models", async () => {
  let count = 0;
  const column = {
    ...webllm,
    create(options) {
      const fetch = (url, init) => {
        const body = JSON.parse(init.body);
        const isImage = webllm.request.images(body).length > 0;
        validate(body, isImage ? { kinds: ["image"] } : {});
        count++;
        return options.fetch(url, init);
      };
      return webllm.create({ ...options, fetch });
    },
  };
  for (const title of TITLES) if (webllm.holes[title] === undefined) await runCase(column, title);
  assert.ok(count > 50, `${count} requests`);
});

test("an agent calls tools by text, which an object of JSON holds", async () => {
  const answers = ['{"calls":[{"tool":"weather","args":{"city":"Oslo"}}]}', '{"answer":"Cold."}'];
  const { engine, requests } = engineOf(() => answers.shift());
  const llm = new ChatWebLLM({
    engine,
    model: "Qwen3",
    temperature: 0,
    maxTokens: 100,
    extraBody: { enable_thinking: false },
  });
  const agent = createReactAgent({ llm, tools: [weather], prompt: "Be brief." });
  const { messages } = await agent.invoke({ messages: "How is Oslo?" });
  assert.deepEqual(
    messages.map((message) => [message.getType(), message.text]),
    [
      ["human", "How is Oslo?"],
      ["ai", ""],
      ["tool", "4 °C in Oslo"],
      ["ai", "Cold."],
    ],
  );
  const [{ messages: sent, response_format, ...rest }] = requests;
  assert.deepEqual(rest, {
    model: "Qwen3",
    stream: false,
    temperature: 0,
    max_tokens: 100,
    extra_body: { enable_thinking: false },
  });
  assert.equal(typeof response_format.schema, "string");
  assert.match(sent[0].content, /^Be brief\.\n\nAnswer with one JSON object/);
  assert.deepEqual(requests[1].messages.at(-1), {
    role: "user",
    content: '{"results":[{"tool":"weather","result":"4 °C in Oslo"}]}',
  });
});

test("system texts are the first message, and the texts of a message are one", async () => {
  const { engine, requests } = engineOf(() => "Yes.", { kinds: ["image", "audio"] });
  const sound = { type: "audio", mimeType: "audio/wav", data: "AAAA" };
  const content = [
    { type: "text", text: "What" },
    { ...PNG, detail: "low" },
    { type: "text-plain", text: "is it?", mimeType: "text/plain" },
    sound,
  ];
  await new ChatWebLLM({ engine }).invoke([
    new SystemMessage("One."),
    new HumanMessage("hi"),
    new SystemMessage("Two."),
    new HumanMessage({ content }),
  ]);
  assert.deepEqual(requests[0].messages, [
    { role: "system", content: "One.\n\nTwo." },
    { role: "user", content: "hi" },
    {
      role: "user",
      content: [
        { type: "text", text: "What\nis it?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      ],
    },
  ]);
});

test("its own tools are sent if they are asked for, with the system text in the first message", async () => {
  const tool_calls = [
    { id: "0", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
  ];
  const { engine, requests } = engineOf(
    () => completion({ content: null, tool_calls }, "tool_calls"),
    { id: HERMES },
  );
  const llm = new ChatWebLLM({ engine, nativeTools: true }).bindTools([weather]);
  const history = [
    new SystemMessage("Be brief."),
    new HumanMessage("How is Bergen?"),
    new AIMessage({
      content: "",
      tool_calls: [{ name: "weather", args: { city: "Bergen" }, id: "a" }],
    }),
    new ToolMessage({ content: "5 °C", tool_call_id: "a" }),
    new HumanMessage("And Oslo?"),
  ];
  const message = await llm.invoke(history);
  assert.deepEqual(
    message.tool_calls.map(({ name, args }) => [name, args]),
    [["weather", { city: "Oslo" }]],
  );
  const [{ messages, tools }] = requests;
  assert.equal(tools[0].function.name, "weather");
  assert.equal(messages[0].content, "Be brief.\n\nHow is Bergen?");
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["user", "assistant", "tool", "user"],
  );
  await assert.rejects(
    llm.invoke(history, { response_format: { type: "json_object" } }),
    TypeError,
  );
});

test("what WebLLM cannot take is an error of the caller, before the engine is asked", async () => {
  const { engine, requests } = engineOf(() => "Yes.");
  const llm = new ChatWebLLM({ engine });
  for (const messages of [
    [],
    [new SystemMessage("Only this.")],
    [new HumanMessage("hi"), new AIMessage("hello")],
    [new HumanMessage({ content: [{ type: "file", mimeType: "application/pdf", data: "AAAA" }] })],
  ])
    await assert.rejects(llm.invoke(messages), TypeError);
  await assert.rejects(llm.invoke("hi", { tools: [{ type: "web_search" }] }), TypeError);
  assert.equal(requests.length, 0);
  for (const options of [
    undefined,
    {},
    { engine: {} },
    { engine, timeout: -1 },
    { engine, style: "x" },
  ])
    assert.throws(() => new ChatWebLLM(options), JSON.stringify(options));
});

test("a schema goes as text, and WebLLM's other forms as they are", async () => {
  const { engine, requests } = engineOf(() => '{"n":3}');
  const llm = new ChatWebLLM({ engine });
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  assert.deepEqual(await llm.withStructuredOutput(schema).invoke("?"), { n: 3 });
  assert.deepEqual(JSON.parse(requests[0].response_format.schema), schema);
  for (const response_format of [
    { type: "json_object" },
    { type: "json_object", schema: "{}" },
    { type: "grammar", grammar: 'root ::= "yes" | "no"' },
  ]) {
    await llm.invoke("?", { response_format });
    assert.deepEqual(requests.at(-1).response_format, response_format);
  }
  await llm.invoke("?", { response_format: { type: "json_object", schema } });
  assert.deepEqual(JSON.parse(requests.at(-1).response_format.schema), schema);
});

/** An engine like WebLLM's: it takes no signal, and an interruption stops whatever it writes. */
function interruptible(pieces) {
  const log = { running: 0, most: 0, begun: 0, interrupted: 0 };
  let isInterrupted = false;
  const create = async ({ stream }) => {
    isInterrupted = false;
    log.begun++;
    log.running++;
    log.most = Math.max(log.most, log.running);
    async function* written() {
      for await (const chunk of chunksOf(pieces, () => isInterrupted)) {
        yield chunk;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      log.running--;
    }
    if (stream) return written();
    let content = "";
    for await (const { choices } of written()) content += choices[0].delta.content ?? "";
    return completion({ content });
  };
  const interruptGenerate = async () => {
    log.interrupted++;
    isInterrupted = true;
  };
  return { engine: { chat: { completions: { create } }, interruptGenerate }, log };
}

test("calls to one engine wait for each other, and one that waits can be aborted without harm", async () => {
  const { engine, log } = interruptible(["a ", "b ", "c"]);
  const llm = new ChatWebLLM({ engine });
  const controller = new AbortController();
  const first = collect(llm.stream("one"));
  const second = llm.invoke("two", { signal: controller.signal });
  const third = new ChatWebLLM({ engine }).invoke("three");
  controller.abort();
  await assert.rejects(second, { name: "AbortError" });
  assert.equal((await first).map(({ text }) => text).join(""), "a b c");
  assert.equal((await third).text, "a b c");
  assert.deepEqual(log, { running: 0, most: 1, begun: 2, interrupted: 0 });
});

test("an abort, or a reader that leaves, interrupts the engine, which then takes the next call", async () => {
  const { engine, log } = interruptible(Array.from({ length: 1000 }, () => "word "));
  const llm = new ChatWebLLM({ engine });
  for (const stop of ["abort", "leave"]) {
    const controller = new AbortController();
    const reading = async () => {
      for await (const chunk of llm.stream("hi", { signal: controller.signal })) {
        if (chunk.text === "") continue;
        if (stop === "leave") return;
        controller.abort();
      }
    };
    if (stop === "leave") await reading();
    else await assert.rejects(reading, { name: "AbortError" });
  }
  const whole = new AbortController();
  const asked = llm.invoke("hi", { signal: whole.signal });
  setTimeout(() => whole.abort(), 30);
  await assert.rejects(asked, { name: "AbortError" });
  const last = new ChatWebLLM({ engine, timeout: 1000 });
  for await (const { text } of last.stream("again")) if (text !== "") break;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual([log.running, log.most, log.begun, log.interrupted], [0, 1, 4, 4]);
});

test("errors of the engine have a code, also those that a worker sends as text", async () => {
  class ContextWindowSizeExceededError extends Error {
    name = "ContextWindowSizeExceededError";
  }
  const rateLimit = Object.assign(new Error("Slow down"), { status: 429, code: "rate_limit" });
  for (const [error, code, status] of [
    [new ContextWindowSizeExceededError("Prompt tokens exceed"), "context_overflow"],
    [
      "ContextWindowSizeExceededError: Prompt tokens exceed context window size",
      "context_overflow",
    ],
    ["ModelNotLoadedError: Model not loaded", "ModelNotLoadedError"],
    [Object.assign(new Error("none"), { name: "DeviceLostError" }), "DeviceLostError"],
    [rateLimit, "rate_limit", 429],
    [new Error("plain"), "STREAM_ERROR"],
  ]) {
    const { engine } = engineOf(() => Promise.reject(error));
    await assert.rejects(new ChatWebLLM({ engine }).invoke("hi"), (told) => {
      assert.deepEqual([told.name, told.code, told.status], ["ModelError", code, status]);
      return true;
    });
  }
});

test("an engine that answers a stream in one piece, or breaks it off, is read", async () => {
  const one = engineOf(() => completion({ content: "All of it." }));
  const chunks = await collect(new ChatWebLLM(one).stream("hi"));
  assert.equal(chunks.map(({ text }) => text).join(""), "All of it.");
  const cut = {
    chat: {
      completions: {
        create: async function* () {
          yield { choices: [{ index: 0, delta: { content: "Half" } }] };
        },
      },
    },
  };
  await assert.rejects(collect(new ChatWebLLM({ engine: cut }).stream("hi")), {
    code: "STREAM_CUT",
  });
});

test("an engine that streams although it was asked not to is read to its end, and asked again", async () => {
  const { engine, requests } = engineOf(() => chunksOf(["Paris", ", of course."]));
  engine.interruptGenerate = () => {};
  const model = new ChatWebLLM({ engine, timeout: 1000 });
  assert.equal((await model.invoke("hi")).content, "Paris, of course.");
  assert.equal((await model.invoke("hi")).content, "Paris, of course.");
  assert.deepEqual(
    requests.map(({ stream }) => stream),
    [false, false],
  );
});
