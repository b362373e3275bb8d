// SPDX-License-Identifier: MIT
// Serves the promise that a model's failure is a typed error: HTTP errors, retries with
// Retry-After, broken streams, silence, abort. Nothing is retried once tokens were delivered.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { ChatOpenAICompatible, ModelError } from "../../js/models/openai.js";
import { startOpenAIServer } from "./openai-server.mjs";

const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));

async function setUp(script, options) {
  const server = await startOpenAIServer({ script });
  servers.push(server);
  return { server, model: new ChatOpenAICompatible({ baseURL: server.url, apiKey: "sk-secret", model: "m", ...options }) };
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

const failure = (promise) => promise.then(() => assert.fail("must fail"), (error) => error);
const line = (event) => `data: ${JSON.stringify(event)}\n\n`;
const delta = (content, finish_reason = null) => ({ choices: [{ index: 0, delta: { content }, finish_reason }] });
const RATE = (headers) => ({ status: 429, headers, body: { error: { message: "slow down", type: "rate_limit", code: "rate_limit_exceeded" } } });
const BUSY = { status: 503, body: "overloaded" };

test("429 with Retry-After in seconds, then success, whole and streamed", async () => {
  for (const call of [(model) => model.invoke("x"), async (model) => ({ content: (await drain(model.stream("x"))).texts.join("") })]) {
    const { server, model } = await setUp([RATE({ "retry-after": "0.2" }), "fine"]);
    assert.equal((await call(model)).content, "fine");
    const waited = server.requests[1].at - server.requests[0].at;
    assert.ok(waited >= 190 && waited < 450, `waited ${waited} ms, as told and not the usual 375 to 500`);
  }
});

test("Retry-After as a date, and in milliseconds", async () => {
  const { server, model } = await setUp([RATE({ "retry-after-ms": "50" }), "fine"]);
  await model.invoke("x");
  assert.ok(server.requests[1].at - server.requests[0].at < 300);
  const dated = await setUp((_, index) => (index === 0 ? RATE({ "retry-after": new Date(Date.now() + 2000).toUTCString() }) : "fine"));
  await dated.model.invoke("x");
  const waited = dated.server.requests[1].at - dated.server.requests[0].at;
  assert.ok(waited >= 900 && waited <= 2200, `a date has whole seconds; waited ${waited} ms`);
});

test("a Retry-After beyond all patience is an error now", async () => {
  const { server, model } = await setUp([RATE({ "retry-after": "3600" })]);
  const error = await failure(model.invoke("x"));
  assert.deepEqual([error.status, error.code, error.retryAfterMs, server.requests.length], [429, "rate_limit_exceeded", 3_600_000, 1]);
});

test("retries back off and end; the error says all", async () => {
  const { server, model } = await setUp([BUSY, BUSY, BUSY, "never"]);
  const error = await failure(model.invoke("x"));
  assert.ok(error instanceof ModelError);
  assert.deepEqual([error.name, error.status, error.code, error.body, error.headers["content-type"]], ["ModelError", 503, "HTTP_503", "overloaded", "text/plain"]);
  assert.match(error.message, /503.*overloaded/);
  assert.equal(server.requests.length, 3, "two retries by default");
  const [first, second] = [1, 2].map((at) => server.requests[at].at - server.requests[at - 1].at);
  assert.ok(first >= 370 && second >= 745 && second < 1500, `${first} then ${second} ms`);
});

test("what waiting cannot mend is not tried again", async () => {
  const quota = { status: 429, body: { error: { message: "pay", code: "insufficient_quota" } } };
  const bad = { status: 400, body: { error: { message: "no such model", type: "invalid_request_error", code: null } } };
  for (const [step, status, code] of [[quota, 429, "insufficient_quota"], [bad, 400, "invalid_request_error"], [{ status: 401, body: "{}" }, 401, "HTTP_401"], [{ status: 404, body: { detail: "gone" } }, 404, "HTTP_404"]]) {
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
  assert.deepEqual([broken.texts, broken.error.code, cut.server.requests.length], [["one", " two"], "NETWORK", 1]);
  const closed = await setUp([{ raw: [line(delta("one"))], end: "close" }, "never"]);
  const ended = await drain(closed.model.stream("x"));
  assert.deepEqual([ended.texts, ended.error.code, closed.server.requests.length], [["one"], "STREAM_CUT", 1]);
});

test("errors inside the stream", async () => {
  const told = { error: { message: "context too long", type: "invalid_request_error", code: "context_length_exceeded" } };
  for (const raw of [[line(delta("one")), line(told)], [line(delta("one")), `event: error\ndata: ${JSON.stringify(told)}\n\n`]]) {
    const { model, server } = await setUp([{ raw }]);
    const { texts, error } = await drain(model.stream("x"));
    assert.deepEqual([texts, error.code, server.requests.length], [["one"], "context_length_exceeded", 1]);
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

test("silence: before the answer and in the middle of it", async () => {
  const before = await setUp(() => new Promise(() => undefined), { timeout: 60, maxRetries: 1 });
  const error = await failure(before.model.invoke("x"));
  assert.deepEqual([error.code, before.server.requests.length], ["TIMEOUT", 2]);
  const middle = await setUp([{ raw: [line(delta("one"))], end: "hang" }], { timeout: 60 });
  const { texts, error: late } = await drain(middle.model.stream("x"));
  assert.deepEqual([texts, late.code, middle.server.requests.length], [["one"], "TIMEOUT", 1]);
});

async function abortAfter(ms, call) {
  const controller = new AbortController();
  const reason = new Error("the user left");
  let at = 0;
  setTimeout(() => {
    at = performance.now();
    controller.abort(reason);
  }, ms);
  const error = await call(controller.signal);
  assert.deepEqual([error.name, error.cause], ["AbortError", reason]);
  assert.ok(performance.now() - at < 50, "promptly");
}

test("abort ends a call at once: waiting, streaming, between retries", async () => {
  const silent = await setUp(() => new Promise(() => undefined));
  await abortAfter(30, (signal) => failure(silent.model.invoke("x", { signal })));
  const hanging = await setUp([{ raw: [line(delta("one"))], end: "hang" }]);
  await abortAfter(60, async (signal) => (await drain(hanging.model.stream("x", { signal }))).error);
  const retrying = await setUp([RATE({ "retry-after": "20" })]);
  await abortAfter(60, (signal) => failure(retrying.model.invoke("x", { signal })));
  assert.equal(retrying.server.requests.length, 1);
  const early = await setUp(["never"]);
  const error = await failure(early.model.invoke("x", { signal: AbortSignal.abort() }));
  assert.deepEqual([error.name, early.server.requests.length], ["AbortError", 0]);
});

test("abort between two pieces ends the stream and leaves no rejection behind", async (context) => {
  const unhandled = context.mock.fn();
  process.on("unhandledRejection", unhandled);
  const { model } = await setUp([{ content: "a b c d e f", delayMs: 10 }]);
  const controller = new AbortController();
  await assert.rejects(async () => {
    for await (const chunk of model.stream("x", { signal: controller.signal })) if (chunk.content) controller.abort();
  }, { name: "AbortError" });
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off("unhandledRejection", unhandled);
  assert.equal(unhandled.mock.callCount(), 0);
});

test("abort works although fetch ignores the signal", async () => {
  const deaf = new ChatOpenAICompatible({ baseURL: "http://unused.test", model: "m", fetch: () => new Promise(() => undefined) });
  await abortAfter(20, (signal) => failure(deaf.invoke("x", { signal })));
});

test("leaving a stream early closes the connection", async () => {
  const { server, model } = await setUp([{ content: "a b c d e f g h i j k l m n", delayMs: 20 }]);
  for await (const chunk of model.stream("x")) if (chunk.content) break;
  const until = performance.now() + 2000;
  while (!server.requests[0].closed && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(server.requests[0].closed);
});

test("the key may come from a function, anew for each call", async () => {
  let count = 0;
  const { server, model } = await setUp(["a", "b"], { apiKey: async () => `key-${++count}` });
  await model.invoke("x");
  await model.invoke("x");
  assert.deepEqual(server.requests.map((request) => request.headers.authorization), ["Bearer key-1", "Bearer key-2"]);
});
