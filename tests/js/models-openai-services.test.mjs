// SPDX-License-Identifier: MIT
// Serves docs/guides/models.md: services with OpenAI's chat completions as they differ from OpenAI,
// in what they stream, in the errors inside it, and in what must go back to them.
import { test } from "node:test";
import assert from "node:assert/strict";
import { ToolMessage } from "weftgraph/messages";
import { ChatOpenAICompatible, ModelError } from "weftgraph/models/openai";

/** A model whose service answers each request with the next of these bodies. */
function setUp(bodies, options) {
  const requests = [];
  const fetch = async (_url, { body }) => {
    requests.push(JSON.parse(body));
    const next = bodies[Math.min(requests.length, bodies.length) - 1];
    return typeof next === "string"
      ? new Response(next, { headers: { "content-type": "text/event-stream" } })
      : Response.json(next);
  };
  const model = new ChatOpenAICompatible({ model: "m", fetch, maxRetries: 0, ...options });
  return { model, requests };
}

const events = (...list) =>
  [...list.map((event) => `data: ${JSON.stringify(event)}\n\n`), "data: [DONE]\n\n"].join("");
const chunk = (delta, finish_reason = null, more = {}) => ({
  id: "gen-1",
  object: "chat.completion.chunk",
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});
const end = (reason = "stop") => chunk({}, reason);

/** The message of a stream, by a listener for tokens, and the sum of the chunks. */
async function read(model, input = "hi") {
  const chunks = [];
  const message = await model.invoke(input, {
    callbacks: [{ handleLLMNewToken: (...args) => void chunks.push(args[5].chunk.message) }],
  });
  return { message, sum: chunks.reduce((all, one) => all.concat(one)) };
}
const told = (calls) => calls.map(({ id, name, args }) => [id, name, args]);

async function callsOf(...pieces) {
  const { model } = setUp([
    events(...pieces.map((tool_calls) => chunk({ tool_calls })), end("tool_calls")),
  ]);
  const { message, sum } = await read(model);
  assert.deepEqual(told(sum.tool_calls), told(message.tool_calls), "the sum of the chunks");
  assert.deepEqual(message.invalid_tool_calls, []);
  return told(message.tool_calls);
}
const call = (name, args, more) => ({
  type: "function",
  ...more,
  function: { name, arguments: args },
});

test("whole calls under one index and no id, or one id, are calls of their own", async () => {
  // The OpenAI endpoint of Gemini, and Ollama.
  const weather = [
    call("weather", '{"city":"Oslo","at":{"h":"{"}}', { index: 0, id: "" }),
    call("weather", '{"city":"Rome"}', { index: 0, id: "" }),
  ];
  for (const pieces of [[weather], weather.map((one) => [one])]) {
    const calls = await callsOf(...pieces);
    assert.deepEqual(
      calls.map(([, , { city }]) => city),
      ["Oslo", "Rome"],
    );
    assert.notEqual(calls[0][0], calls[1][0]);
  }
  const same = await callsOf([
    call("a", "{}", { id: "call_0" }),
    call("b", '{"x":1}', { id: "call_0" }),
    call("b", { x: 2 }, { id: "call_0" }),
  ]);
  assert.deepEqual(
    same.map(([, name, args]) => [name, args]),
    [
      ["a", {}],
      ["b", { x: 1 }],
      ["b", { x: 2 }],
    ],
  );
  assert.equal(new Set(same.map(([id]) => id)).size, 3);
  assert.equal(same[0][0], "call_0");
});

test("a call whose id is another one in each piece is one call", async () => {
  // vLLM with a named tool.
  assert.deepEqual(
    await callsOf(
      [call("weather", '{"city"', { index: 0, id: "chatcmpl-tool-1" })],
      [call("weather", ':"Os', { index: 0, id: "chatcmpl-tool-2" })],
      [call(undefined, 'lo"}', { index: 0, id: "chatcmpl-tool-3" })],
    ),
    [["chatcmpl-tool-1", "weather", { city: "Oslo" }]],
  );
  assert.deepEqual(
    await callsOf(
      [call("now", "", { index: 0, id: "c1" })],
      [call("today", "", { index: 0, id: "c2" })],
    ),
    [
      ["c1", "now", {}],
      ["c2", "today", {}],
    ],
  );
});

test("empty arguments that others follow, repeated calls and empty pieces add nothing", async () => {
  const weather = (args, more) => call("weather", args, { index: 0, id: "c1", ...more });
  const rest = (args) => ({ index: 0, function: { arguments: args } });
  const oslo = [["c1", "weather", { city: "Oslo" }]];
  // Bedrock behind a gateway.
  assert.deepEqual(await callsOf([weather("{}")], [rest('{"city"')], [rest(':"Oslo"}')]), oslo);
  assert.deepEqual(await callsOf([weather({})], [weather({ city: "Oslo" })]), oslo);
  assert.deepEqual(
    await callsOf([weather('{"city":')], [rest('"Oslo"}')], [weather('{"city":"Oslo"}')]),
    oslo,
  );
  assert.deepEqual(await callsOf([weather("{}")], [rest("")]), [["c1", "weather", {}]]);
  assert.deepEqual(await callsOf([{ index: 0 }], [rest("")]), []);
});

test("a whole message at the end of a stream is not said twice", async () => {
  const last = {
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
  };
  const { model } = setUp([events(chunk({ content: "H" }), chunk({ content: "i." }), last)]);
  assert.equal((await read(model)).message.content, "Hi.");
  const alone = setUp([events(last)]);
  assert.equal((await read(alone.model)).message.content, "Hi.");
});

test("a call in the older form, `function_call`, is a call", async () => {
  const pieces = [
    { name: "weather", arguments: "" },
    { arguments: '{"city":' },
    { arguments: '"Oslo"}' },
  ];
  const { model } = setUp([
    events(...pieces.map((function_call) => chunk({ function_call })), end("function_call")),
  ]);
  const { message } = await read(model);
  assert.deepEqual(
    message.tool_calls.map(({ name, args }) => [name, args]),
    [["weather", { city: "Oslo" }]],
  );
});

test("an error beside the choices of a stream, or in one, is a ModelError", async () => {
  const told = { code: 502, message: "Provider disconnected unexpectedly" };
  const failed = { index: 0, delta: { content: "" }, finish_reason: "error" };
  const faults = {
    "beside choices (OpenRouter)": { id: "gen-1", error: told, choices: [failed] },
    "in a choice": { id: "gen-1", choices: [{ ...failed, error: told }] },
    "by its kind (Mistral)": { object: "error", ...told },
    "in x_groq": chunk({}, "stop", { x_groq: { id: "req_1", error: told.message } }),
  };
  for (const [label, fault] of Object.entries(faults)) {
    const { model } = setUp([events(chunk({ content: "Once" }), fault)]);
    const error = await read(model).catch((reason) => reason);
    assert.ok(error instanceof ModelError, label);
    assert.match(error.message, /Provider disconnected unexpectedly/, label);
    if (label !== "in x_groq") assert.equal(error.code, "502", label);
  }
  const last = end("error");
  last.choices[0].native_finish_reason = "MALFORMED_FUNCTION_CALL";
  const { model } = setUp([events(chunk({ content: "Once" }), last)]);
  await assert.rejects(read(model), { code: "STREAM_ERROR", message: /MALFORMED_FUNCTION_CALL/ });
});

test("an error with a status is tried again before the first piece, in a good response too", async () => {
  const busy = { error: { code: 429, message: "Rate limited upstream" }, user_id: "u" };
  const good = events(chunk({ content: "ok" }), end());
  const { model, requests } = setUp([`: OPENROUTER PROCESSING\n\n${events(busy)}`, good], {
    maxRetries: 1,
  });
  assert.equal((await read(model)).message.content, "ok");
  assert.equal(requests.length, 2);
  const refused = setUp([events({ error: { code: 402, message: "No credits" } })], {
    maxRetries: 1,
  });
  await assert.rejects(read(refused.model), { status: 402, code: "402", retryable: false });
  assert.equal(refused.requests.length, 1);
});

test("signed and encrypted reasoning of OpenRouter goes back as it came", async () => {
  const format = "anthropic-claude-v1";
  const detail = (fields) => ({ type: "reasoning.text", format, index: 0, ...fields });
  const encrypted = ["tool_1", "tool_2"].map((id) => ({
    type: "reasoning.encrypted",
    data: `sig-${id}`,
    id,
    format: "google-gemini-v1",
    index: 1,
  }));
  const { model, requests } = setUp([
    events(
      chunk({ content: "", reasoning: "Let ", reasoning_details: [detail({ text: "Let " })] }),
      chunk({ content: "", reasoning: "me", reasoning_details: [detail({ text: "me" })] }),
      chunk({ content: "", reasoning: null, reasoning_details: [detail({ signature: "EqQB" })] }),
      chunk({ reasoning_details: encrypted }),
      chunk({ tool_calls: [call("weather", "{}", { index: 0, id: "tool_1" })] }),
      end("tool_calls"),
    ),
    events(chunk({ content: "ok" }), end()),
  ]);
  const { message, sum } = await read(model);
  const whole = [detail({ text: "Let me", signature: "EqQB" }), ...encrypted];
  assert.deepEqual(message.additional_kwargs.reasoning_details, whole);
  assert.deepEqual(sum.additional_kwargs, message.additional_kwargs);
  await read(model, [message, new ToolMessage({ content: "4", tool_call_id: "tool_1" })]);
  const [back] = requests[1].messages;
  assert.deepEqual([back.reasoning, back.reasoning_details], ["Let me", whole]);
  const other = setUp([events(end())], { provider: "other" });
  await read(other.model, [message, new ToolMessage({ content: "4", tool_call_id: "tool_1" })]);
  assert.equal(other.requests[0].messages[0].reasoning_details, undefined);
});

test("signed thinking of Claude behind LiteLLM goes back in whole blocks", async () => {
  const piece = (thinking, signature = null) => ({ type: "thinking", thinking, signature });
  const redacted = { type: "redacted_thinking", data: "EmwK" };
  const said = (...thinking_blocks) => chunk({ thinking_blocks });
  const streamed = events(
    chunk({ reasoning_content: "Let me ", thinking_blocks: [piece("Let me ")] }),
    chunk({ reasoning_content: "see.", thinking_blocks: [piece("see.")] }),
    said(piece("", "EqQB")),
    said(redacted),
    said(piece("And so.")),
    said(piece("", "EqQC")),
    chunk({ tool_calls: [call("f", "{}", { index: 0, id: "c1" })] }),
    end("tool_calls"),
  );
  const thinking_blocks = [piece("Let me see.", "EqQB"), redacted, piece("And so.", "EqQC")];
  const message = { role: "assistant", content: "", thinking_blocks };
  const whole = { id: "1", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }] };
  for (const body of [streamed, whole]) {
    const { model, requests } = setUp([body, events(end())]);
    const { message: answer, sum } = await read(model);
    for (const one of [answer, sum]) {
      assert.deepEqual(one.additional_kwargs.thinking_blocks, thinking_blocks);
      await read(model, [one, ["user", "more"]]);
      assert.deepEqual(requests.at(-1).messages[0].thinking_blocks, thinking_blocks);
    }
    const other = setUp([events(end())], { provider: "elsewhere" });
    await read(other.model, [answer, ["user", "more"]]);
    assert.equal(other.requests[0].messages[0].thinking_blocks, undefined);
  }
});

test("thoughts of Mistral are reasoning, and go back in its form", async () => {
  const thought = (text) => [{ type: "thinking", thinking: [{ type: "text", text }] }];
  const { model, requests } = setUp([
    events(
      chunk({ role: "assistant", content: "" }),
      chunk({ content: thought("Cold ") }),
      chunk({ content: [...thought("there."), { type: "text", text: "It is " }] }),
      chunk({ content: "4 °C." }),
      end(),
    ),
    {
      id: "x",
      model: "m",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: thought("Hm."),
            tool_calls: [call("f", "{}", { id: "abcdefghi" })],
          },
          finish_reason: "tool_calls",
        },
      ],
    },
    events(end()),
  ]);
  const { message } = await read(model);
  assert.deepEqual(
    [message.content, message.additional_kwargs.reasoning_content],
    ["It is 4 °C.", "Cold there."],
  );
  const next = await model.invoke([message, ["user", "and Rome?"]]);
  assert.deepEqual(requests[1].messages[0], {
    role: "assistant",
    content: [...thought("Cold there."), { type: "text", text: "It is 4 °C." }],
  });
  await read(model, [next, new ToolMessage({ content: "9", tool_call_id: "abcdefghi" })]);
  assert.deepEqual(requests[2].messages[0].content, thought("Hm."));
});

test("reasoning beside an empty or null `reasoning_content` is kept", async () => {
  for (const usual of ["", null]) {
    const { model, requests } = setUp([
      events(chunk({ reasoning_content: usual, reasoning: "hm" }), chunk({ content: "x" }), end()),
      events(end()),
    ]);
    const { message } = await read(model);
    assert.equal(message.additional_kwargs.reasoning_content, "hm");
    await read(model, [message, ["user", "more"]]);
    assert.equal(requests[1].messages[0].reasoning, "hm");
  }
});

test("the signature of a text of Gemini's OpenAI endpoint goes back", async () => {
  const extra_content = { google: { thought_signature: "CsIB" } };
  const { model, requests } = setUp([
    events(chunk({ content: "Hi" }), chunk({ content: "", extra_content }), end()),
    events(end()),
  ]);
  const { message } = await read(model);
  await read(model, [message, ["user", "more"]]);
  assert.deepEqual(requests[1].messages[0], { role: "assistant", content: "Hi", extra_content });
});

test("a refusal goes back as one, to the service that refused alone", async () => {
  const { model, requests } = setUp([
    events(chunk({ content: null, refusal: "I can" }), chunk({ refusal: "not." }), end()),
    events(end()),
  ]);
  const { message } = await read(model);
  await read(model, [message, ["user", "more"]]);
  const said = { role: "assistant", content: "" };
  assert.deepEqual(requests[1].messages[0], { ...said, refusal: "I cannot." });
  const other = setUp([events(end())], { provider: "elsewhere" });
  await read(other.model, [message, ["user", "more"]]);
  assert.deepEqual(other.requests[0].messages[0], said);
});

test("counts of tokens as other services name them", async () => {
  const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const cases = {
    groq: [chunk({}, "stop", { x_groq: { id: "req_1", usage: counts } }), {}],
    deepseek: [
      chunk({}, "stop", { usage: { ...counts, prompt_cache_hit_tokens: 8 } }),
      { input_token_details: { cache_read: 8 } },
    ],
    moonshot: [
      {
        choices: [
          { index: 0, delta: {}, finish_reason: "stop", usage: { ...counts, cached_tokens: 8 } },
        ],
      },
      { input_token_details: { cache_read: 8 } },
    ],
    openrouter: [
      chunk({}, "stop", {
        usage: { ...counts, prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 3 } },
      }),
      { input_token_details: { cache_read: 2, cache_creation: 3 } },
    ],
    qwen: [
      chunk({}, "stop", {
        usage: {
          ...counts,
          prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 3 },
        },
      }),
      { input_token_details: { cache_read: 0, cache_creation: 3 } },
    ],
  };
  for (const [label, [last, more]] of Object.entries(cases)) {
    const { model } = setUp([
      events(chunk({ content: "x" }), ...(last.choices[0] ? [] : [end()]), last),
    ]);
    const { message, sum } = await read(model);
    assert.deepEqual(
      message.usage_metadata,
      { input_tokens: 10, output_tokens: 5, total_tokens: 15, ...more },
      label,
    );
    assert.equal(sum.usage_metadata.output_tokens, message.usage_metadata.output_tokens, label);
  }
});

test("reasoning that a service counts beside what was said is part of the output; sound is told", async () => {
  const usageFor = async (usage) => {
    const message = { role: "assistant", content: "Hi" };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    return (await setUp([{ id: "1", choices, usage }]).model.invoke("hi")).usage_metadata;
  };
  // xAI.
  const usage = { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135 };
  const completion_tokens_details = { reasoning_tokens: 94 };
  const details = { output_token_details: { reasoning: 94 } };
  assert.deepEqual(await usageFor({ ...usage, completion_tokens_details }), {
    ...{ input_tokens: 32, output_tokens: 103, total_tokens: 135 },
    ...details,
  });
  const counts = { prompt_tokens: 32, completion_tokens: 103, total_tokens: 135 };
  assert.deepEqual(await usageFor({ ...counts, completion_tokens_details }), {
    ...{ input_tokens: 32, output_tokens: 103, total_tokens: 135 },
    ...details,
  });
  const sound = (audio_tokens) => ({ audio_tokens });
  const { input_token_details, output_token_details } = await usageFor({
    ...counts,
    prompt_tokens_details: sound(4),
    completion_tokens_details: sound(7),
  });
  assert.deepEqual([input_token_details, output_token_details], [{ audio: 4 }, { audio: 7 }]);
  const none = await usageFor({ ...counts, prompt_tokens_details: sound(0) });
  assert.equal(none.input_token_details, undefined);
});

test("sources, sound, pictures and probabilities are kept", async () => {
  const annotation = { type: "url_citation", url_citation: { url: "https://a", title: "A" } };
  const search_results = [{ title: "A", url: "https://a", date: null }];
  const more = { citations: ["https://a"], search_results };
  const logprob = (token) => ({ token, logprob: -0.1, bytes: null, top_logprobs: [] });
  const withLogprobs = (text) => {
    const one = chunk({ content: text });
    one.choices[0].logprobs = { content: [logprob(text)], refusal: null };
    return one;
  };
  const { model, requests } = setUp([
    events(
      withLogprobs("See "),
      withLogprobs("[1]"),
      chunk({ annotations: [annotation] }, null, more),
      chunk({ annotations: [annotation] }),
      chunk({ audio: { id: "audio_1", transcript: "Se" } }),
      chunk({ audio: { data: "AAAA" } }),
      chunk({ audio: { data: "BBBB", transcript: "e" } }),
      chunk({ audio: { expires_at: 17 } }),
      end(),
      { choices: [], ...more, usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
    ),
    events(
      chunk({ images: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBO" } }] }),
      end(),
    ),
  ]);
  const { message, sum } = await read(model);
  assert.deepEqual(message.additional_kwargs, {
    ...more,
    annotations: [annotation, annotation],
    audio: { id: "audio_1", transcript: "See", data: "AAAABBBB", expires_at: 17 },
  });
  assert.deepEqual(message.response_metadata.logprobs, {
    content: [logprob("See "), logprob("[1]")],
  });
  assert.deepEqual(sum.additional_kwargs, message.additional_kwargs);
  const { message: picture } = await read(model, [message, ["user", "draw it"]]);
  assert.deepEqual(requests[1].messages[0], {
    role: "assistant",
    content: "See [1]",
    audio: { id: "audio_1" },
  });
  assert.deepEqual(
    picture.content.map(({ type, mimeType, data }) => [type, mimeType, data]),
    [["image", "image/png", "iVBO"]],
  );
});

test("pictures among the parts of an answer's content are blocks, streamed or whole", async () => {
  const content = [
    { type: "text", text: "Here: " },
    { type: "image_url", image_url: { url: "data:image/png;base64,iVBO" } },
    { type: "image_url", image_url: "https://files.example/a.png" },
    { type: "audio", data: "AAAA" },
    null,
  ];
  const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
  const { model } = setUp([events(chunk({ content }), end()), { id: "1", choices }]);
  const { message, sum } = await read(model);
  const bare = (blocks) => blocks.map(({ index: _place, ...block }) => block);
  for (const answer of [message, sum, await model.invoke("hi")])
    assert.deepEqual(bare(answer.content), [
      { type: "text", text: "Here: " },
      { type: "image", mimeType: "image/png", data: "iVBO" },
      { type: "image", url: "https://files.example/a.png" },
    ]);
});

test("events that a gateway calls JSON, or sends unasked, are the answer", async () => {
  const good = events(chunk({ content: "Grü" }), chunk({ content: "ße" }), end());
  const cut = good.slice(0, good.indexOf("stop"));
  const asked = async (body, type, config) => {
    const fetch = async () => new Response(body, { headers: { "content-type": type } });
    const model = new ChatOpenAICompatible({ model: "m", fetch, maxRetries: 0 });
    return (await model.invoke("hi", config)).content;
  };
  const streamed = { callbacks: [{ handleLLMNewToken() {} }] };
  for (const config of [streamed, undefined]) {
    assert.equal(await asked(good, "application/json", config), "Grüße");
    await assert.rejects(asked(cut, "application/json", config), { code: "BAD_ANSWER" });
  }
  assert.equal(await asked(good, "text/event-stream"), "Grüße");
  const blank = good.replace("[DONE]", "[DONE] ");
  assert.equal(await asked(blank, "text/event-stream", streamed), "Grüße");
  const open = events(chunk({ content: "Grü" })).replace("data: [DONE]", "");
  await assert.rejects(asked(open, "application/json"), { code: "STREAM_CUT" });
});

test("a stream that is one JSON document is the answer, and an `error` field is an error", async () => {
  const choices = [
    { index: 0, message: { role: "assistant", content: "whole" }, finish_reason: "stop" },
  ];
  for (const space of [undefined, 2]) {
    const { model } = setUp([JSON.stringify({ id: "1", choices }, undefined, space)]);
    const { message, sum } = await read(model);
    assert.deepEqual([message.content, sum.content], ["whole", "whole"]);
  }
  // llama.cpp.
  const error = { code: 500, message: "Compute error.", type: "server_error" };
  for (const before of ["", events(chunk({ content: "Hi" })).replace("data: [DONE]\n\n", "")]) {
    const { model, requests } = setUp([`${before}error: ${JSON.stringify(error)}\n\n`], {
      maxRetries: 1,
    });
    await assert.rejects(read(model), { status: 500, message: /Compute error/ });
    assert.equal(requests.length, before === "" ? 2 : 1);
  }
  const refused = setUp([JSON.stringify({ error: { message: "no", code: 402 } })]);
  await assert.rejects(read(refused.model), { status: 402 });
  await assert.rejects(read(setUp(["{}"]).model), { code: "BAD_ANSWER" });
});

test("lists of a wrong shape beside an answer are left out", async () => {
  const odd = { reasoning_details: [null, 3], annotations: "x", audio: [], extra_content: 1 };
  const { model } = setUp([
    events(chunk({ content: "x", ...odd }, null, { citations: "y", search_results: {} }), end()),
  ]);
  const { message } = await read(model);
  assert.equal(message.content, "x");
});
