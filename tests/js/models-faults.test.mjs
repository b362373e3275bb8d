// SPDX-License-Identifier: MIT
// Serves the promise that a model's failure is a typed error: HTTP errors, retries with
// Retry-After, broken streams, silence, abort. Nothing is retried once tokens were delivered.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { ChatOpenAICompatible, ModelError } from "weftgraph/models/openai";
import { startOpenAIServer } from "./openai-server.mjs";

const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));

async function setUp(script, options) {
  const server = await startOpenAIServer({ script });
  servers.push(server);
  return {
    server,
    model: new ChatOpenAICompatible({
      baseURL: server.url,
      apiKey: "sk-secret",
      model: "m",
      ...options,
    }),
  };
}

async function drain(stream) {
  const texts = [];
  try {
    for await (const chunk of stream) if (chunk.content) texts.push(chunk.content);
  } catch (error) {
    return { texts, error };
  }
  return { texts };
}

const failure = (promise) =>
  promise.then(
    () => assert.fail("must fail"),
    (error) => error,
  );
const line = (event) => `data: ${JSON.stringify(event)}\n\n`;
const delta = (content, finish_reason = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
});
const RATE = (headers) => ({
  status: 429,
  headers,
  body: { error: { message: "slow down", type: "rate_limit", code: "rate_limit_exceeded" } },
});
const BUSY = { status: 503, body: "overloaded" };
const turn = () => new Promise((resolve) => setImmediate(resolve));
const until = async (condition) => {
  while (!condition()) await turn();
};

/**
 * The client's own timers, until the test ends: all of their ms, how many are set, and `ring`,
 * which lets the first go when its time has passed. Those of silence, ten minutes, and of the whole
 * answer, an hour, are left alone. */
function holdTimers(context) {
  const { setTimeout, clearTimeout } = globalThis;
  const waits = [];
  const held = new Map();
  context.mock.method(globalThis, "setTimeout", (call, ms, ...rest) => {
    if (ms >= 600_000 || !new Error().stack.includes("/js/models/"))
      return setTimeout(call, ms, ...rest);
    held.set(waits.push(ms), { call, ms });
    return waits.length;
  });
  context.mock.method(
    globalThis,
    "clearTimeout",
    (timer) => void (held.delete(timer) || clearTimeout(timer)),
  );
  let passed = 0;
  const now = performance.now.bind(performance);
  context.mock.method(performance, "now", () => now() + passed);
  const isSet = () => held.size > 0;
  const ring = async () => {
    await until(isSet);
    const [timer, { call, ms }] = held.entries().next().value;
    held.delete(timer);
    passed += ms;
    call();
  };
  return { waits, isSet, ring };
}

test("429 with Retry-After in seconds, then success, whole and streamed", async (context) => {
  const { waits, ring } = holdTimers(context);
  for (const call of [
    (model) => model.invoke("x"),
    async (model) => ({ content: (await drain(model.stream("x"))).texts.join("") }),
  ]) {
    const { server, model } = await setUp([RATE({ "retry-after": "0.2" }), "fine"]);
    const answer = call(model);
    await ring();
    assert.equal((await answer).content, "fine");
    assert.deepEqual(
      [waits.splice(0), server.requests.length],
      [[200], 2],
      "as told, and not the usual 375 to 500",
    );
  }
});

test("Retry-After as a date, and in milliseconds", async (context) => {
  const { model } = await setUp([
    RATE({ "retry-after-ms": "50" }),
    RATE({ "retry-after": new Date(Date.now() + 25_000).toUTCString() }),
    "fine",
  ]);
  const { waits, ring } = holdTimers(context);
  const answer = model.invoke("x");
  await ring();
  await ring();
  assert.equal((await answer).content, "fine");
  const [told, dated] = waits;
  assert.equal(told, 50);
  assert.ok(dated > 10_000 && dated <= 25_000, `a date has whole seconds; waited ${dated} ms`);
});

test("a Retry-After beyond all patience is an error now", async () => {
  const { server, model } = await setUp([RATE({ "retry-after": "3600" })]);
  const error = await failure(model.invoke("x"));
  assert.deepEqual(
    [error.status, error.code, error.retryAfterMs, server.requests.length],
    [429, "rate_limit_exceeded", 3_600_000, 1],
  );
});

test("retries back off and end; the error says all", async (context) => {
  const { server, model } = await setUp([BUSY, BUSY, BUSY, "never"]);
  const { waits, ring } = holdTimers(context);
  const call = failure(model.invoke("x"));
  await ring();
  await ring();
  const error = await call;
  assert.ok(error instanceof ModelError);
  assert.deepEqual(
    [error.name, error.status, error.code, error.body, error.headers["content-type"]],
    ["ModelError", 503, "HTTP_503", "overloaded", "text/plain"],
  );
  assert.match(error.message, /503.*overloaded/);
  assert.equal(server.requests.length, 3, "two retries by default");
  const [first, second] = waits;
  assert.ok(
    waits.length === 2 && first >= 375 && first <= 500 && second >= 750 && second <= 1000,
    `${waits} ms`,
  );
});

test("what waiting cannot mend is not tried again", async () => {
  const quota = { status: 429, body: { error: { message: "pay", code: "insufficient_quota" } } };
  const bad = {
    status: 400,
    body: { error: { message: "no such model", type: "invalid_request_error", code: null } },
  };
  for (const [step, status, code] of [
    [quota, 429, "insufficient_quota"],
    [bad, 400, "invalid_request_error"],
    [{ status: 401, body: "{}" }, 401, "HTTP_401"],
    [{ status: 404, body: { detail: "gone" } }, 404, "HTTP_404"],
  ]) {
    const { server, model } = await setUp([step, "never"]);
    const error = await failure(model.invoke("x"));
    assert.deepEqual([error.status, error.code, server.requests.length], [status, code, 1]);
    assert.ok(!JSON.stringify(error).includes("sk-secret"));
  }
});

test("a connection that is closed without an answer is tried again", async () => {
  const { server, model } = await setUp([{ refuse: true }, "fine"]);
  assert.equal((await model.invoke("x")).content, "fine");
  assert.equal(server.requests.length, 2);
  const lost = await setUp([{ refuse: true }], { maxRetries: 0 });
  const error = await failure(lost.model.invoke("x"));
  assert.deepEqual([error.code, error.status], ["NETWORK", undefined]);
  assert.ok(error.cause instanceof Error);
  assert.match(
    error.message,
    /could not be reached: fetch failed \((UND_ERR_SOCKET|ECONNRESET)\)$/,
  );
});

test("a stream that breaks before its first token is tried again", async () => {
  for (const end of ["cut", "close"]) {
    const { server, model } = await setUp([{ raw: [": hello\n\n"], end }, "fine"]);
    assert.deepEqual((await drain(model.stream("x"))).texts, ["fine"]);
    assert.equal(server.requests.length, 2);
  }
});

test("a stream that breaks after a token is an error, not another try", async () => {
  const cut = await setUp([{ content: "one two three four", cutAfter: 3 }, "never"]);
  const broken = await drain(cut.model.stream("x"));
  assert.deepEqual(
    [broken.texts, broken.error.code, cut.server.requests.length],
    [["one", " two"], "NETWORK", 1],
  );
  assert.match(broken.error.message, /^The model service at http\S+ broke off its answer: /);
  const closed = await setUp([{ raw: [line(delta("one"))], end: "close" }, "never"]);
  const ended = await drain(closed.model.stream("x"));
  assert.deepEqual(
    [ended.texts, ended.error.code, closed.server.requests.length],
    [["one"], "STREAM_CUT", 1],
  );
});

test("errors inside the stream", async () => {
  const told = {
    error: {
      message: "context too long",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    },
  };
  for (const raw of [
    [line(delta("one")), line(told)],
    [line(delta("one")), `event: error\ndata: ${JSON.stringify(told)}\n\n`],
  ]) {
    const { model, server } = await setUp([{ raw }]);
    const { texts, error } = await drain(model.stream("x"));
    assert.deepEqual(
      [texts, error.code, server.requests.length],
      [["one"], "context_length_exceeded", 1],
    );
    assert.match(error.message, /context too long/);
  }
  const { model } = await setUp([{ raw: [line(delta("one")), "data: {broken\n\n"] }]);
  assert.equal((await drain(model.stream("x"))).error.code, "BAD_ANSWER");
});

test("an answer that is none", async () => {
  for (const body of ["<html>", {}, { choices: [] }]) {
    const { model } = await setUp([{ status: 200, body }]);
    assert.equal((await failure(model.invoke("x"))).code, "BAD_ANSWER", JSON.stringify(body));
  }
  const { model } = await setUp([{ status: 200, body: { error: "all broken" } }]);
  assert.match((await failure(model.invoke("x"))).message, /all broken/);
});

test("silence: before the answer and in the middle of it", async (context) => {
  const { waits, ring } = holdTimers(context);
  const before = await setUp(() => new Promise(() => undefined), { timeout: 60, maxRetries: 1 });
  const call = failure(before.model.invoke("x"));
  for (const tries of [1, 2]) {
    await until(() => before.server.requests.length === tries);
    await ring();
    if (tries === 1) await ring();
  }
  assert.deepEqual([(await call).code, waits.length, waits[0], waits[2]], ["TIMEOUT", 3, 60, 60]);
  const middle = await setUp([{ raw: [line(delta("one"))], end: "hang" }], { timeout: 60 });
  const pieces = middle.model.stream("x");
  const first = (await pieces.next()).value.content;
  const rest = drain(pieces);
  await ring();
  const { texts, error: late } = await rest;
  assert.deepEqual(
    [first, texts, late.code, middle.server.requests.length],
    ["one", [], "TIMEOUT", 1],
  );
});

/**
 * Aborts a call when `ready`; nothing else would end it, and it ends in the turn of the event loop.
 */
async function abortWhen(ready, call) {
  const controller = new AbortController();
  const reason = new Error("the user left");
  let error;
  const ended = call(controller.signal).then((thrown) => (error = thrown));
  await until(ready);
  controller.abort(reason);
  await turn();
  assert.deepEqual([error?.name, error?.cause], ["AbortError", reason], "promptly");
  await ended;
}

test("abort ends a call at once: waiting, streaming, between retries", async (context) => {
  const silent = await setUp(() => new Promise(() => undefined));
  await abortWhen(
    () => silent.server.requests.length === 1,
    (signal) => failure(silent.model.invoke("x", { signal })),
  );
  const hanging = await setUp([{ raw: [line(delta("one"))], end: "hang" }]);
  let seen = 0;
  const callbacks = [{ handleLLMNewToken: () => void seen++ }];
  await abortWhen(
    () => seen === 1,
    async (signal) => (await drain(hanging.model.stream("x", { signal, callbacks }))).error,
  );
  const retrying = await setUp([RATE({ "retry-after": "20" })]);
  const { waits, isSet } = holdTimers(context);
  await abortWhen(isSet, (signal) => failure(retrying.model.invoke("x", { signal })));
  assert.deepEqual([waits, isSet(), retrying.server.requests.length], [[20_000], false, 1]);
  const early = await setUp(["never"]);
  const error = await failure(early.model.invoke("x", { signal: AbortSignal.abort() }));
  assert.deepEqual([error.name, early.server.requests.length], ["AbortError", 0]);
});

test("abort between two pieces ends the stream and leaves no rejection behind", async (context) => {
  const unhandled = context.mock.fn();
  process.on("unhandledRejection", unhandled);
  const { model } = await setUp([{ content: "a b c d e f", delayMs: 10 }]);
  const controller = new AbortController();
  await assert.rejects(
    async () => {
      for await (const chunk of model.stream("x", { signal: controller.signal }))
        if (chunk.content) controller.abort();
    },
    { name: "AbortError" },
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off("unhandledRejection", unhandled);
  assert.equal(unhandled.mock.callCount(), 0);
});

test("abort works although fetch ignores the signal", async () => {
  let calls = 0;
  const deaf = new ChatOpenAICompatible({
    baseURL: "http://unused.test",
    model: "m",
    fetch: () => new Promise(() => void calls++),
  });
  await abortWhen(
    () => calls === 1,
    (signal) => failure(deaf.invoke("x", { signal })),
  );
});

test("leaving a stream early closes the connection", async () => {
  const { server, model } = await setUp([{ content: "a b c d e f g h i j k l m n", delayMs: 20 }]);
  for await (const chunk of model.stream("x")) if (chunk.content) break;
  await until(() => server.requests[0].closed);
});

test("the key may come from a function, anew for each call", async () => {
  let count = 0;
  const { server, model } = await setUp(["a", "b"], { apiKey: async () => `key-${++count}` });
  await model.invoke("x");
  await model.invoke("x");
  assert.deepEqual(
    server.requests.map((request) => request.headers.authorization),
    ["Bearer key-1", "Bearer key-2"],
  );
});
