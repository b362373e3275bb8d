// SPDX-License-Identifier: MIT
// Serves: whatever a service with chat completions answers, a call ends within bounds, in a proper
// message or a ModelError that says what was received. WEFT_SEED chooses other random answers,
// WEFT_LONG=1 runs twenty times as many. What every service may do: models-hostile-services.
import { test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { AIMessage } from "weftgraph/messages";
import { ChatOpenAICompatible, ModelError } from "weftgraph/models/openai";
import { dice, mutated } from "./mutated.mjs";

const modelAt = (baseURL, options) =>
  new ChatOpenAICompatible({
    baseURL,
    model: "m",
    maxRetries: 0,
    ...options,
  });
const failure = (promise) =>
  promise.then(
    () => assert.fail("must fail"),
    (error) => error,
  );

/** A model to which `body` is the answer. */
function answering(body, { type = "application/json", status = 200, ...options } = {}) {
  const fetch = async () =>
    new Response(body, { status, headers: type === null ? {} : { "content-type": type } });
  return modelAt("http://unused.test", { fetch, ...options });
}

/** What comes of a call, streamed or whole: { message } or { error }. */
async function outcome(model, streamed) {
  try {
    if (!streamed) return { message: await model.invoke("x") };
    let message;
    for await (const chunk of model.stream("x"))
      message = message === undefined ? chunk : message.concat(chunk);
    return { message };
  } catch (error) {
    return { error };
  }
}

// ---- limits

test("more tool calls than allowed, whole and streamed", async () => {
  const calls = (count) =>
    Array.from({ length: count }, (_, index) => ({
      index,
      id: `c${index}`,
      type: "function",
      function: { name: "f", arguments: "{}" },
    }));
  const whole = (count) =>
    JSON.stringify({
      choices: [{ index: 0, message: { tool_calls: calls(count) }, finish_reason: "tool_calls" }],
    });
  assert.equal((await answering(whole(3), { maxToolCalls: 3 }).invoke("x")).tool_calls.length, 3);
  const error = await failure(answering(whole(4), { maxToolCalls: 3 }).invoke("x"));
  assert.deepEqual([error.name, error.code], ["ModelError", "TOO_LARGE"]);
  const events = calls(2000)
    .map(
      (call) =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })}\n\n`,
    )
    .join("");
  const late = await outcome(answering(events, { type: "text/event-stream" }), true);
  assert.match(late.error.message, /at most 1024 tool calls/);
});

test("limits that are none are refused when the model is made", () => {
  for (const name of [
    "maxResponseBytes",
    "maxEventLength",
    "maxToolCalls",
    "maxDurationMs",
    "maxRetryAfterMs",
  ]) {
    for (const value of [0, -1, NaN, "5", null]) {
      if (value !== null)
        assert.throws(() => answering("", { [name]: value }), {
          name: "TypeError",
          message: new RegExp(name),
        });
    }
  }
  assert.throws(() => answering("", { onRetry: 1 }), { name: "TypeError", message: /onRetry/ });
  for (const redirectOrigins of ["http://a.test", ["a.test"], [1], ["ftp://a.test"]])
    assert.throws(() => answering("", { redirectOrigins }), {
      name: "TypeError",
      message: /redirectOrigins/,
    });
});

// ---- Retry-After

const RATE = { error: { message: "slow down", code: "rate_limit_exceeded" } };
const retryAfterOf = async (value, options) => {
  const fetch = async () =>
    new Response(JSON.stringify(RATE), { status: 429, headers: { "retry-after": value } });
  return failure(modelAt("http://unused.test", { fetch, ...options }).invoke("x"));
};

test("Retry-After is decimal seconds or a date of HTTP; anything else says nothing", async () => {
  for (const [value, ms] of [
    ["2", 2000],
    ["0", 0],
    ["1.5", 1500],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
    ["Sunday, 06-Nov-94 08:49:37 GMT", undefined],
    ["Sun Nov  6 08:49:37 1994", 0],
  ]) {
    const { retryAfterMs } = await retryAfterOf(value);
    if (ms === undefined)
      assert.ok(retryAfterMs > 0, `a year of two digits is of this century: ${retryAfterMs}`);
    else assert.equal(retryAfterMs, ms, value);
  }
  for (const value of [
    "0x3c",
    "0b11",
    "1e1",
    "-1",
    "+5",
    " ",
    "Infinity",
    "NaN",
    "5 s",
    "1,5",
    "2026-11-24T10:00:00Z",
    "tomorrow",
    "Sun, 06 Foo 1994 08:49:37 GMT",
    "Nov 6 1994",
  ]) {
    assert.equal((await retryAfterOf(value)).retryAfterMs, undefined, value);
  }
});

test("a Retry-After above 30 s, or what was said instead, is an error now", async () => {
  let asked = 0;
  const fetch = async () => (
    asked++, new Response("", { status: 429, headers: { "retry-after": "59" } })
  );
  const error = await failure(modelAt("http://unused.test", { fetch, maxRetries: 2 }).invoke("x"));
  assert.deepEqual([error.retryAfterMs, asked], [59_000, 1]);
  await assert.rejects(
    modelAt("http://unused.test", {
      fetch,
      maxRetries: 2,
      maxRetryAfterMs: 60_000,
      onRetry: ({ delayMs }) => Promise.reject(new Error(`told of ${delayMs}`)),
    }).invoke("x"),
    /told of 59000/,
  );
});

test("each wait is told of before it begins, and an abort ends it", async () => {
  const told = [];
  const controller = new AbortController();
  const fetch = async () =>
    new Response(JSON.stringify(RATE), {
      status: 429,
      headers: { "retry-after": told.length < 2 ? "0" : "29" },
    });
  const onRetry = ({ attempt, delayMs, error }) => {
    told.push([attempt, delayMs, error.code, error.status]);
    if (told.length === 3) setImmediate(() => controller.abort());
  };
  await assert.rejects(
    modelAt("http://unused.test", { fetch, maxRetries: 5, onRetry }).invoke("x", {
      signal: controller.signal,
    }),
    { name: "AbortError" },
  );
  assert.deepEqual(told, [
    [1, 0, "rate_limit_exceeded", 429],
    [2, 0, "rate_limit_exceeded", 429],
    [3, 29_000, "rate_limit_exceeded", 429],
  ]);
});

// ---- shapes

const choice = (fields) => ({ choices: [{ index: 0, finish_reason: "stop", ...fields }] });
const call = (fields) =>
  choice({
    message: { tool_calls: [{ id: "c", function: { name: "f", arguments: "{}" }, ...fields }] },
  });
const BAD = {
  null: null,
  "a list": [],
  "a text": "hello",
  "a number": 7,
  true: true,
  "no choices": {},
  "choices null": { choices: null },
  "choices a text": { choices: "x" },
  "choices an object": { choices: { 0: 1 } },
  "no choice": { choices: [] },
  "a choice null": { choices: [null] },
  "a choice a number": { choices: [5] },
  "no first choice": { choices: [{ index: 1, message: { content: "x" } }] },
  "a negative index": { choices: [{ index: -1, message: {} }] },
  "message a text": choice({ message: "hi" }),
  "message a list": choice({ message: [] }),
  "content a number": choice({ message: { content: 5 } }),
  "content an object": choice({ message: { content: {} } }),
  "content true": choice({ message: { content: true } }),
  "tool_calls an object": choice({ message: { tool_calls: {} } }),
  "tool_calls a text": choice({ message: { tool_calls: "x" } }),
  "a call null": choice({ message: { tool_calls: [null] } }),
  "a call a text": choice({ message: { tool_calls: ["x"] } }),
  "function a text": call({ function: "f" }),
  "function a list": call({ function: [] }),
  "a name that is none": call({ function: { name: {}, arguments: "{}" } }),
  "an id that is none": call({ id: {} }),
  "an id a number": call({ id: 5 }),
  "call index a text": call({ index: "0" }),
  "call index negative": call({ index: -1 }),
  "call index huge": call({ index: 1e300 }),
  "call index a fraction": call({ index: 0.5 }),
  "finish_reason an object": choice({ message: {}, finish_reason: {} }),
};

test("an answer of another shape is a ModelError that says what was received, whole and streamed", async () => {
  for (const [label, body] of Object.entries(BAD)) {
    const text = JSON.stringify(body);
    const event = `data: ${text.replaceAll('"message"', '"delta"')}\n\ndata: [DONE]\n\n`;
    const results = [
      await outcome(answering(text), false),
      await outcome(answering(text), true),
      await outcome(answering(event, { type: "text/event-stream" }), true),
    ];
    for (const { error, message } of results) {
      assert.ok(error instanceof ModelError, `${label}: ${error ?? JSON.stringify(message)}`);
      assert.deepEqual(
        [error.code, error.status, error.retryable],
        ["BAD_ANSWER", 200, false],
        label,
      );
      assert.match(error.message, /received (application\/json|text\/event-stream): \S/, label);
    }
  }
});

test("bodies that are no JSON, or nothing", async () => {
  for (const [body, type] of [
    ["", "application/json"],
    ["", null],
    ["<html>login</html>", "text/html"],
    ["{", "application/json"],
    ["\u0000", "application/json"],
    [new Uint8Array([0xff, 0xfe, 0]), "application/octet-stream"],
  ]) {
    const { error } = await outcome(answering(body, { type }), false);
    assert.ok(
      error instanceof ModelError && error.code === "BAD_ANSWER" && error.message.length <= 1000,
      String(error),
    );
  }
  const { error } = await outcome(answering("<html>login</html>", { type: "text/html" }), true);
  assert.deepEqual([error.name, error.code], ["ModelError", "BAD_ANSWER"]);
  assert.match(error.message, /received text\/html: <html>login/);
});

test("what is odd and does no harm is left out or kept as text", async () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const { message } = await outcome(
    answering(
      JSON.stringify({
        ...call({ function: { name: "f", arguments: `{"a":${deep}}` } }),
        usage: {
          prompt_tokens: "5",
          completion_tokens: -1,
          total_tokens: 1e300,
          prompt_tokens_details: null,
        },
      }),
    ),
    false,
  );
  assert.deepEqual(message.usage_metadata, { input_tokens: 0, output_tokens: 0, total_tokens: 0 });
  assert.deepEqual(
    [message.tool_calls.length, message.invalid_tool_calls.length],
    [0, 1],
    "deeper than anything can print",
  );
  assert.match(message.invalid_tool_calls[0].error, /nested/);
  const { error } = await outcome(
    answering(
      `{"choices":[{"index":0,"message":{"tool_calls":[{"id":"c","function":{"name":"f","arguments":{"a":${deep}}}}]}}]}`,
    ),
    false,
  );
  assert.equal(error.code, "BAD_ANSWER");
  const own = await outcome(
    answering(
      '{"choices":[{"index":0,"message":{"content":"x","__proto__":{"tool_calls":[null]}},"finish_reason":"stop"}],"usage":"none"}',
    ),
    false,
  );
  assert.deepEqual(
    [own.message.content, own.message.tool_calls.length, own.message.usage_metadata],
    ["x", 0, undefined],
  );
});

/** Recorded answers: streams as their events, whole ones as text. */
function readRecordings(folder) {
  const files = ["deepseek", "groq", "mistral", "openai-chat", "xai"]
    .filter((name) => existsSync(join(folder, name)))
    .flatMap((name) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)));
  const isChat = (text) => text.includes('"choices"');
  const streams = files
    .filter((file) => file.endsWith(".chunks.txt"))
    .map((file) => readFileSync(file, "utf8").trim().split("\n"))
    .filter((lines) => isChat(lines[0]));
  const wholes = files
    .filter((file) => file.endsWith(".json"))
    .map((file) => readFileSync(file, "utf8"))
    .filter(isChat);
  return { streams: streams.map((lines) => lines.slice(0, 40)), wholes };
}

const toolChunk = (fields) =>
  JSON.stringify({
    id: "x",
    model: "m",
    choices: [{ index: 0, delta: { tool_calls: [fields] }, finish_reason: null }],
  });
const OWN = {
  streams: [
    [
      JSON.stringify({
        id: "x",
        model: "m",
        choices: [{ index: 0, delta: { role: "assistant", content: "hi" }, finish_reason: null }],
      }),
      toolChunk({ index: 0, id: "c1", type: "function", function: { name: "add", arguments: "" } }),
      toolChunk({ index: 0, function: { arguments: '{"a":' } }),
      toolChunk({ index: 0, function: { arguments: "1}" } }),
      JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] }),
      JSON.stringify({
        choices: [],
        usage: {
          prompt_tokens: 3,
          completion_tokens: 4,
          total_tokens: 7,
          completion_tokens_details: { reasoning_tokens: 2 },
        },
      }),
    ],
  ],
  wholes: [
    JSON.stringify({
      id: "x",
      model: "m",
      system_fingerprint: "fp",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: [{ type: "text", text: "hi" }],
            reasoning_content: "hm",
            tool_calls: [
              { id: "c1", type: "function", function: { name: "add", arguments: '{"a":1}' } },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    }),
  ],
};

/** A message that others can work with. */
function assertProper(message, label) {
  if (message === undefined) return; // a stream that said nothing but why it ended
  const isText = (value) => value === undefined || typeof value === "string";
  assert.ok(message instanceof AIMessage || message.constructor.name === "AIMessageChunk", label);
  assert.ok(typeof message.content === "string", label);
  for (const { name, args, id } of message.tool_calls)
    assert.ok(
      typeof name === "string" &&
        typeof id === "string" &&
        args !== null &&
        typeof args === "object" &&
        !Array.isArray(args),
      label,
    );
  for (const { name, args, id } of message.invalid_tool_calls)
    assert.ok(isText(name) && isText(args) && isText(id), label);
  for (const value of Object.values(message.usage_metadata ?? {}))
    assert.ok(typeof value === "object" || (Number.isSafeInteger(value) && value >= 0), label);
  for (const [key, value] of Object.entries(message.response_metadata))
    assert.ok(typeof value === "string", `${label}: ${key}`);
  JSON.stringify(message);
  assert.equal({}.x, undefined);
}

async function mutations({ streams, wholes }, times, draw) {
  let good = 0;
  for (let i = 0; i < times; i++) {
    const isStream = draw.below(2) === 0;
    const answers = isStream ? streams : wholes;
    if (answers.length === 0) continue;
    let body = draw.pick(answers);
    if (isStream) {
      const lines = [...body];
      for (let k = draw.below(2); k >= 0; k--)
        lines[draw.below(lines.length)] = mutated(
          draw.pick(body.filter((line) => line.startsWith("{"))),
          draw,
        );
      if (draw.below(4) === 0) lines.splice(draw.below(lines.length), draw.below(4));
      body = `${lines.map((line) => `data: ${line}\n\n`).join("")}${draw.pick(["data: [DONE]\n\n", "", "data: "])}`;
    } else body = mutated(body, draw);
    const streamed = draw.below(2) === 0;
    const { message, error } = await outcome(
      answering(body, { type: isStream ? "text/event-stream" : "application/json" }),
      streamed,
    );
    const label = `${i}: ${error?.stack ?? ""} ${body.slice(0, 3000)}`;
    if (error === undefined) assertProper(message, label), good++;
    else
      assert.ok(
        error instanceof ModelError &&
          typeof error.code === "string" &&
          error.message.length <= 1000,
        label,
      );
  }
  return good;
}

const times = process.env.WEFT_LONG ? 20 : 1;
const seed = Number(process.env.WEFT_SEED ?? 1);

test("good answers with something wrong at random places give a message or a ModelError", async () => {
  const good = await mutations(OWN, 1500 * times, dice(seed));
  assert.ok(good > 100 * times, "some are still answers");
});

const RECORDED = join(process.env.WEFT_TEST_DATA ?? "../shared/data", "model-streams");

test("so do recorded answers of model services", {
  skip: existsSync(RECORDED) ? false : `${RECORDED} is not there`,
}, async () => {
  const recordings = readRecordings(RECORDED);
  assert.ok(recordings.streams.length > 3 && recordings.wholes.length > 3);
  assert.ok((await mutations(recordings, 500 * times, dice(seed))) > 50);
});
