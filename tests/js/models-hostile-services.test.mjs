// SPDX-License-Identifier: MIT
// Serves: whatever a model service does, by each adapter: the conversation and the keys stay with
// the origin that was named; answers without end, packed ones and silence end within bounds.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { ModelError } from "weftgraph/models/openai";
import { anthropic } from "./models-matrix/anthropic.mjs";
import { gemini } from "./models-matrix/gemini.mjs";
import { USAGE } from "./models-matrix/kit.mjs";
import { openai } from "./models-matrix/openai.mjs";
import { responses } from "./models-matrix/responses.mjs";
import { workersAIByHTTP } from "./models-matrix/workers-ai.mjs";

const KEY = "sk-very-secret-key";
const servers = [];
after(() => servers.forEach((server) => (server.closeAllConnections(), server.close())));

/** A server that keeps what it is asked. */
async function serve(answer) {
  const asked = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    asked.push({ method: request.method, path: request.url, headers: request.headers, body });
    await answer(response, request);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return { origin: `http://127.0.0.1:${server.address().port}`, asked };
}

const failure = (promise) =>
  promise.then(
    () => assert.fail("must fail"),
    (error) => error,
  );

/** What a call fails with, streamed or whole. */
async function failureOf(model, isStream) {
  if (!isStream) return failure(model.invoke("x"));
  return failure(collected(model.stream("x")));
}

async function collected(pieces) {
  const all = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

/** A body that begins with `head` and goes on without end; it is counted how much was taken. */
function endless(piece, head = "") {
  const encoder = new TextEncoder();
  const taken = { bytes: 0, cancelled: false };
  let next = head;
  const body = new ReadableStream(
    {
      pull(controller) {
        const bytes = encoder.encode(next || piece);
        next = "";
        taken.bytes += bytes.length;
        controller.enqueue(bytes);
      },
      cancel() {
        taken.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, taken };
}

const BEARER = ["authorization", `Bearer ${KEY}`];
/** The adapters, and in which header each sends its key. */
const COLUMNS = [
  [openai, BEARER],
  [anthropic, ["x-api-key", KEY]],
  [gemini, ["x-goog-api-key", KEY]],
  [responses, BEARER],
  [workersAIByHTTP, BEARER],
];

for (const [column, [header, secret]] of COLUMNS) {
  const GOOD = JSON.stringify(column.whole({ text: "fine", usage: USAGE }));
  const good = (response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(GOOD);
  const modelAt = (baseURL, options) =>
    column.create({
      baseURL,
      apiKey: KEY,
      maxRetries: 0,
      headers: { "x-own": "my-own-secret" },
      ...options,
    });
  /** A model to which `body` is the answer. */
  const answering = (body, { type = "application/json", status = 200, ...options } = {}) =>
    modelAt("http://unused.test", {
      fetch: async () => new Response(body, { status, headers: { "content-type": type } }),
      ...options,
    });

  test(`${column.name}: another origin is not asked, whatever the status; the error says where it leads`, async () => {
    const there = await serve(good);
    for (const status of [301, 302, 303, 307, 308]) {
      const here = await serve((response) =>
        response.writeHead(status, { location: `${there.origin}/v1/x?token=1` }).end(),
      );
      for (const isStream of [false, true]) {
        const error = await failureOf(modelAt(here.origin), isStream);
        assert.ok(error instanceof ModelError, String(error));
        assert.deepEqual([error.code, error.retryable], ["REDIRECT", false]);
        assert.ok(error.message.includes(`${there.origin}/v1/x`), error.message);
        assert.ok(!error.message.includes("token="), error.message);
      }
      assert.equal(there.asked.length, 0);
    }
  });

  test(`${column.name}: an origin that was named gets the conversation, and no header of the caller's, not even on the way back`, async () => {
    const there = await serve((response) =>
      response.writeHead(308, { location: `${here.origin}/back` }).end(),
    );
    const here = await serve((response, { url }) =>
      url === "/back"
        ? good(response)
        : response.writeHead(307, { location: `${there.origin}/x` }).end(),
    );
    const model = modelAt(here.origin, { redirectOrigins: [there.origin] });
    assert.equal((await model.invoke("hello")).text, "fine");
    const [first, back] = here.asked;
    assert.deepEqual([first.headers[header], first.headers["x-own"]], [secret, "my-own-secret"]);
    for (const { method, headers, body, path } of [there.asked[0], back]) {
      assert.deepEqual([method, headers["content-type"]], ["POST", "application/json"]);
      assert.deepEqual(column.request.turns(JSON.parse(body)), [["user", "hello"]]);
      const told = JSON.stringify([headers, body, path]);
      assert.ok(!told.includes(KEY) && !told.includes("my-own-secret"), told);
    }
  });

  test(`${column.name}: within the origin 307 and 308 lead a POST on, key and all, at most 20 times; 301 to 303 would lose what is sent`, async () => {
    for (const status of [307, 308]) {
      const here = await serve((response, { url }) =>
        url === "/moved"
          ? good(response)
          : response.writeHead(status, { location: "/moved" }).end(),
      );
      assert.equal((await modelAt(here.origin).invoke("hello")).text, "fine");
      const [, moved] = here.asked;
      assert.deepEqual(
        [here.asked.length, moved.method, moved.path, moved.headers[header]],
        [2, "POST", "/moved", secret],
      );
    }
    for (const [status, message] of [
      [307, /More than 20/],
      [302, /would lose what is sent/],
    ]) {
      const round = await serve((response) =>
        response.writeHead(status, { location: "/again" }).end(),
      );
      const error = await failure(modelAt(round.origin).invoke("x"));
      assert.deepEqual([error.code, round.asked.length], ["REDIRECT", status === 307 ? 21 : 1]);
      assert.match(error.message, message);
    }
  });

  test(`${column.name}: a page, which cannot see where it is led to, says so`, async () => {
    const fetch = async (_, { redirect }) =>
      Object.defineProperties(new Response(""), {
        type: { value: redirect === "manual" ? "opaqueredirect" : "basic" },
        status: { value: 0 },
      });
    const error = await failure(modelAt("http://unused.test", { fetch }).invoke("x"));
    assert.ok(error instanceof ModelError && error.code === "REDIRECT");
    assert.match(error.message, /a page cannot see where to: give the address/);
  });

  test(`${column.name}: what the request's headers hold is in no error, also where the service repeats it`, async () => {
    const echo = await serve((response, { headers }) =>
      response.writeHead(401, { "x-told": headers[header] }).end(
        JSON.stringify({
          error: { message: `no such key: ${headers[header]} ${headers["x-own"]}` },
        }),
      ),
    );
    for (const error of [
      await failure(modelAt(echo.origin).invoke("x")),
      await failure(answering(`{"a": "${KEY}"`).invoke("x")),
      await failure(modelAt("http://unused.test", { apiKey: `${KEY}\n\u0100` }).invoke("x")),
    ]) {
      assert.ok(error instanceof ModelError);
      const told = [
        error.message,
        error.stack,
        error.body,
        error.code,
        JSON.stringify(error),
        JSON.stringify(error.headers),
        String(error.cause?.message),
      ].join();
      assert.ok(!told.includes(KEY) && !told.includes("my-own-secret"), told);
    }
  });

  test(`${column.name}: answers without end end in TOO_LARGE, and no more is read`, async () => {
    const events = column.stream({ text: "la la la", usage: USAGE });
    const at = events.findIndex((event) => event.includes('"la '));
    assert.ok(at >= 0);
    const bytes = [{ maxResponseBytes: 100_000 }, /100000 bytes/];
    const letters = [{ maxEventLength: 50_000 }, /50000 characters/];
    const [stream, json] = ["text/event-stream", "application/json"];
    const cases = {
      events: [events[at], stream, ...bytes, events.slice(0, at).join("")],
      comments: [": still there\n\n", stream, ...bytes],
      "one line": ["data: la la la ", stream, ...letters],
      "one event of many lines": ["data: la\n", stream, ...letters],
      JSON: ['[[[[[["x",', json, ...letters],
      "JSON, by its bytes": ['[[[[[["x",', json, ...bytes],
    };
    for (const [label, [piece, type, options, message, head]] of Object.entries(cases)) {
      const { body, taken } = endless(piece, head);
      const error = await failureOf(answering(body, { type, ...options }), true);
      assert.ok(error instanceof ModelError, `${label}: ${error}`);
      assert.deepEqual(
        [error.code, error.retryable, taken.cancelled],
        ["TOO_LARGE", false, true],
        label,
      );
      assert.match(error.message, message);
      assert.ok(taken.bytes < 110_000, `${label}: ${taken.bytes}`);
    }
  });

  test(`${column.name}: of an error's body no more is read than tells the error`, async () => {
    const { body, taken } = endless("no ".repeat(1000));
    const error = await failure(answering(body, { status: 500, type: "text/plain" }).invoke("x"));
    assert.deepEqual(
      [error.status, error.body.length <= 2000, error.message.length <= 1000, taken.cancelled],
      [500, true, true, true],
    );
    assert.ok(taken.bytes < 100_000, String(taken.bytes));
  });

  test(`${column.name}: bytes are counted after they are unpacked, of an answer, a stream and an error`, async () => {
    const padding = "a".repeat(5_000_000);
    for (const [status, type, text, isStream] of [
      [200, "application/json", `{"x":"${padding}"}`, false],
      [200, "text/event-stream", `data: ${padding}\n\n`, true],
      [500, "text/plain", padding, false],
    ]) {
      const bomb = gzipSync(text);
      assert.ok(bomb.length < 10_000);
      const here = await serve((response) =>
        response.writeHead(status, { "content-type": type, "content-encoding": "gzip" }).end(bomb),
      );
      const error = await failureOf(modelAt(here.origin, { maxResponseBytes: 100_000 }), isStream);
      assert.ok(error instanceof ModelError, String(error));
      if (status === 200) assert.equal(error.code, "TOO_LARGE", type);
      else assert.ok(error.status === 500 && error.body.length <= 2000);
    }
  });

  test(`${column.name}: a stream that only keeps alive ends when its time is over`, async (context) => {
    const { setTimeout, clearTimeout } = globalThis;
    let ring;
    context.mock.method(globalThis, "setTimeout", (call, ms, ...rest) =>
      ms === 1234 ? ((ring = call), 0) : setTimeout(call, ms, ...rest),
    );
    context.mock.method(globalThis, "clearTimeout", (timer) => clearTimeout(timer));
    let count = 0;
    const body = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve));
        if (count++ === 20) ring();
        controller.enqueue(new TextEncoder().encode(": PROCESSING\n\n"));
      },
    });
    const model = answering(body, {
      type: "text/event-stream",
      timeout: 60_000,
      maxDurationMs: 1234,
      maxRetries: 5,
    });
    const error = await failureOf(model, true);
    assert.deepEqual([error.name, error.code, error.retryable], ["ModelError", "TIMEOUT", false]);
    assert.match(error.message, /longer than 1234 ms/);
  });

  test(`${column.name}: a service that falls silent is left after ten minutes, a sign of life begins them anew`, async (context) => {
    const { setTimeout } = globalThis;
    const rings = [];
    context.mock.method(globalThis, "setTimeout", (call, ms, ...rest) =>
      ms > 1000 && ms <= 600_000 ? rings.push({ call, ms }) : setTimeout(call, ms, ...rest),
    );
    let passed = 0;
    const now = performance.now.bind(performance);
    context.mock.method(performance, "now", () => now() + passed);
    const ring = (/** @type {number} */ ms) => {
      passed += ms;
      rings.shift().call();
    };
    let count = 0;
    const silent = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve));
        if (++count > 3) return setImmediate(ring, 400_000);
        if (count === 3) passed += 400_000;
        if (count === 2) ring(300_000);
        controller.enqueue(new TextEncoder().encode(": PROCESSING\n\n"));
      },
    });
    const model = answering(silent, { type: "text/event-stream", maxRetries: 0 });
    const failing = failureOf(model, true);
    while (count < 4) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(rings.length, 1, "400 s after the last sign it is waited for");
    ring(rings[0].ms);
    const error = await failing;
    assert.deepEqual([error.name, error.code, error.retryable], ["ModelError", "TIMEOUT", true]);
    assert.match(error.message, /silent for 600000 ms/);
  });

  test(`${column.name}: a service that says nothing at all is left after \`timeout\``, async () => {
    let isLeft = false;
    const silent = new ReadableStream({
      cancel() {
        isLeft = true;
      },
    });
    const model = answering(silent, { type: "text/event-stream", timeout: 20 });
    const error = await failureOf(model, true);
    assert.deepEqual([error.name, error.code, isLeft], ["ModelError", "TIMEOUT", true]);
  });
}
