// SPDX-License-Identifier: MIT
// What the studio says when a model service fails: a table of failures, each played by a server,
// with the title and the first button. The key is in nothing that is told.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { MemorySaver } from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { record } from "weftgraph/record";
import { exportThread } from "weftgraph/savers/transfer";
import { explainAnswer } from "../../web-demo/src/models/answers.js";
import { wrongAddress } from "../../web-demo/src/models/addresses.js";
import { setChoice } from "../../web-demo/src/models/choice.js";
import { MODEL_COMMANDS } from "../../web-demo/src/models/commands.js";
import {
  describe,
  failureOf,
  hasKey,
  hideKey,
  keepFailure,
} from "../../web-demo/src/models/failures.js";
import { makeModel } from "../../web-demo/src/models/make-model.js";
import { plannerModel } from "../../web-demo/src/models/planner.js";
import { explain } from "../../web-demo/src/models/problems.js";
import { SampleModel } from "../../web-demo/src/models/sample-model.js";
import { SERVICES, serviceOf } from "../../web-demo/src/models/services.js";
import { FIRST, Settings } from "../../web-demo/src/models/settings.js";
import { startOpenAIServer } from "./openai-server.mjs";

const KEY = "sk-proj-this/is+secret";
const event = (data) => `data: ${JSON.stringify(data)}\n\n`;
const half = event({ choices: [{ delta: { content: "Half of" } }] });
const error = (message, code, more) => ({ error: { message, code, ...more } });
const agent = createReactAgent({ llm: new SampleModel(plannerModel()), tools: [] });

/** What the last request was answered with. */
let script = [];
let service;
before(async () => {
  service = await startOpenAIServer({ script: () => script.shift() });
});
after(async () => {
  setChoice(FIRST);
  await service?.close();
});

const choose = (more) =>
  setChoice({ ...FIRST, source: "service", url: service.url, model: "m", key: KEY, ...more });

/** Runs the agent as the studio does, which wants the tokens. */
async function streamed() {
  for await (const _chunk of await agent.stream({ messages: "hi" }, { streamMode: "messages" }));
}

/** Runs the agent; returns the failure as the page gets it. */
async function failure(step, more) {
  script = [step];
  choose(more);
  const thrown = await streamed().then(
    () => undefined,
    (reason) => reason,
  );
  assert.notEqual(thrown, undefined, `${JSON.stringify(step)} fails`);
  return describe(thrown);
}

/** [name, what the service does, title, first button] */
const FAILURES = [
  [
    "a wrong key",
    { status: 401, body: error(`Incorrect API key: ${KEY}`, "invalid_api_key") },
    "The key is not accepted",
    "models",
  ],
  [
    "a wrong key, told as 400",
    {
      status: 400,
      body: error("API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT"),
    },
    "The key is not accepted",
    "models",
  ],
  [
    "a key without the right",
    { status: 403, body: error("Not allowed", "permission_error") },
    "The key may not do this",
    "models",
  ],
  [
    "no credit",
    { status: 402, body: error("Payment required", "insufficient_balance") },
    "The account has no credit left",
    "models",
  ],
  [
    "a used up quota",
    { status: 429, body: error("You exceeded your current quota", "insufficient_quota") },
    "The account has no credit left",
    "models",
  ],
  [
    "an unknown model",
    { status: 404, body: error("The model `m` does not exist", "model_not_found") },
    "The service does not have this model",
    "models",
  ],
  [
    "a model not pulled",
    { status: 404, body: error('model "m" not found, try pulling it first', null) },
    "The service does not have this model",
    "models",
  ],
  [
    "a wrong path",
    { status: 404, body: "404 page not found" },
    "There is no model service at this address",
    "models",
  ],
  [
    "a refused request",
    { status: 400, body: error("messages: wrong", "invalid_request_error") },
    "The model service refused the request",
    "models",
  ],
  [
    "a model without tools",
    { status: 400, body: error("m does not support tools", null) },
    "This model cannot call tools",
    "models",
  ],
  [
    "too long a conversation",
    {
      status: 400,
      body: error("maximum context length is 8192 tokens", "context_length_exceeded"),
    },
    "The conversation is too long for this model",
    "new",
  ],
  [
    "too large a request",
    { status: 413, body: "Request Entity Too Large" },
    "The conversation is too long for this model",
    "new",
  ],
  [
    "a rate limit with Retry-After",
    {
      status: 429,
      body: error("Slow down", "rate_limit_exceeded"),
      headers: { "retry-after": "7" },
    },
    "Too many requests",
    "retry",
  ],
  [
    "a rate limit in words",
    {
      status: 429,
      body: error("Rate limit reached. Please try again in 1m3s.", "rate_limit_exceeded"),
    },
    "Too many requests",
    "retry",
  ],
  ["a rate limit alone", { status: 429, body: "" }, "Too many requests", "retry"],
  [
    "a fault",
    { status: 500, body: error("Internal error", "server_error") },
    "The model service has a fault",
    "retry",
  ],
  [
    "an overload",
    { status: 503, body: "Service Unavailable" },
    "The model service is overloaded",
    "retry",
  ],
  [
    "a gateway that gave up",
    { status: 504, body: "Gateway Timeout" },
    "The model took too long",
    "retry",
  ],
  ["a connection refused", { refuse: true }, "The model service cannot be reached", "models"],
  ["a connection torn in the answer", { raw: [half], end: "cut" }, "The answer broke off", "retry"],
  ["an answer without its end", { raw: [half], end: "close" }, "The answer broke off", "retry"],
  [
    "an error in the answer",
    { raw: [half, event(error("The server had an error", "server_error"))] },
    "The model service reported an error",
    "retry",
  ],
  [
    "a web page",
    {
      status: 200,
      body: "<!doctype html><title>Welcome</title>",
      headers: { "content-type": "text/html" },
    },
    "There is a web page at this address, no model",
    "models",
  ],
  [
    "other JSON",
    { status: 200, body: { hello: "world" } },
    "The model service's answer cannot be read",
    "models",
  ],
  [
    "events that are no JSON",
    { raw: ["data: hello\n\n"] },
    "The model service's answer cannot be read",
    "models",
  ],
  [
    "a redirect",
    { status: 302, body: "", headers: { location: "https://other.example/v1" } },
    "The address leads elsewhere",
    "models",
  ],
];

for (const [name, step, title, first] of FAILURES)
  test(`${name}: "${title}"`, async () => {
    const told = await failure(step);
    const problem = explain(told);
    assert.deepEqual([problem.title, problem.acts[0]], [title, first], JSON.stringify(told));
    assert.ok(!JSON.stringify([told, problem]).includes(KEY));
    // What is left of it after a reload: the Agent Server keeps name and message alone.
    const kept = explain({ error: told.name, message: told.message });
    assert.notEqual(kept.title, "The run failed");
  });

test("the wait that a service asks for is read from its header and from its words", async () => {
  const slow = (body, headers) => failure({ status: 429, body, headers }).then(explain);
  assert.equal((await slow("", { "retry-after": "7" })).waitMs, 7000);
  const words = [
    ["Please try again in 1m3s.", 63_000],
    ["Rate limit reached, try again in 320ms", 1000],
    ["Please retry after 20 seconds", 20_000],
    ["try again in 2 minutes", 120_000],
    ['{"retryDelay": "23s"}', 23_000],
  ];
  for (const [body, ms] of words) assert.equal((await slow(body)).waitMs, ms, body);
  const guessed = await slow("");
  assert.deepEqual([guessed.waitMs, guessed.isGuess], [20_000, true]);
  assert.equal((await slow("", { "retry-after": "999999999" })).waitMs, 3_600_000);
});

test("a part of an answer that came is said not to be kept, and nothing is tried again unseen", async () => {
  const before = service.requests.length;
  assert.equal(explain(await failure({ raw: [half], end: "cut" })).notKept, true);
  assert.equal(explain(await failure({ status: 500, body: "" })).notKept, undefined);
  assert.equal(service.requests.length - before, 2);
});

test("empty, cut-off and filtered answers are named", async () => {
  const answered = async (step) => {
    script = [step];
    choose();
    const { messages } = await agent.invoke({ messages: "hi" });
    const { content, response_metadata, tool_calls } = messages.at(-1);
    return explainAnswer({ type: "ai", content, response_metadata, tool_calls });
  };
  assert.equal((await answered({ content: "" })).title, "The model answered with nothing");
  assert.equal((await answered({ content: "Once", finish_reason: "length" })).kind, "length");
  assert.equal((await answered({ content: "", finish_reason: "content_filter" })).kind, "filter");
  assert.equal(await answered("All well."), undefined);
  for (const metadata of [{ stop_reason: "max_tokens" }, { finishReason: "MAX_TOKENS" }])
    assert.equal(
      explainAnswer({ type: "ai", content: "a", response_metadata: metadata }).kind,
      "length",
    );
  assert.equal(explainAnswer({ type: "human", content: "" }), undefined);
});

test("a key is in no failure, in whatever form a service repeats it", async () => {
  const forms = [KEY, encodeURIComponent(KEY), btoa(KEY)];
  const body = error(`No: ${forms.join(" | ")}`, KEY);
  const told = await failure({ status: 401, body, headers: { "x-echo": KEY } });
  for (const form of forms) assert.ok(!JSON.stringify(told).includes(form), form);
  keepFailure(Object.assign(new Error("no"), { code: "X" }), { thread_id: "t" });
  assert.equal(failureOf("t").code, "X");
  assert.equal(failureOf("other"), undefined);
  assert.equal(hideKey("abc", "abc"), "abc");
});

test("a key is found in whatever form a recording holds it", () => {
  const key = 'sk-"quoted" key';
  const deep = JSON.stringify({ value: JSON.stringify({ said: key }) });
  for (const text of [`a ${key}.`, JSON.stringify({ key }), deep, encodeURIComponent(key)])
    assert.ok(hasKey(text, key), text);
  assert.ok(!hasKey(deep, "sk-other"));
});

test("a key that a service repeats is in no recording and no exported thread", async () => {
  const checkpointer = new MemorySaver();
  const kept = createReactAgent({ llm: new SampleModel(plannerModel()), tools: [], checkpointer });
  script = [{ status: 401, body: error(`No: ${KEY}`, "invalid_api_key") }];
  choose();
  const config = { configurable: { thread_id: "1" } };
  script.push({ content: `You are ${KEY}.` });
  const refused = record();
  await assert.rejects(kept.invoke({ messages: "hi" }, { ...config, record: refused }), /401/);
  const { messages } = await kept.invoke({ messages: "who am I?" }, config);
  assert.equal(messages.at(-1).content, "You are (your key).");
  const exported = JSON.stringify(await exportThread(checkpointer, "1"), (_key, value) =>
    ArrayBuffer.isView(value) ? Buffer.from(value.buffer).toString("latin1") : value,
  );
  for (const text of [refused.text(), exported]) {
    assert.ok(text.includes("hi"));
    assert.ok(!text.includes(KEY));
  }
});

test("a test says what came back, and that tools were called; a list has the models' names", async () => {
  const choice = { ...FIRST, source: "service", url: service.url, model: "m", key: KEY };
  script = [{ tool_calls: [{ id: "c", name: "ping", args: { word: "hello" } }] }];
  const { value } = await MODEL_COMMANDS["model-test"](choice);
  assert.deepEqual([value.usesTools, value.usage], [true, { input: 11, output: 7 }]);
  script = [`You are ${KEY}`];
  const said = (await MODEL_COMMANDS["model-test"](choice)).value;
  assert.deepEqual([said.usesTools, said.text], [false, "You are (your key)"]);
  script = [{ status: 401, body: error("no", "invalid_api_key") }];
  assert.equal((await MODEL_COMMANDS["model-test"](choice)).failure.status, 401);

  const seen = [];
  const lists = createServer((request, response) => {
    seen.push([request.url, request.headers.authorization ?? request.headers["x-goog-api-key"]]);
    const isGemini = request.url.startsWith("/v1beta");
    const body = isGemini
      ? {
          models: [
            { name: "models/g-1", supportedGenerationMethods: ["generateContent"] },
            { name: "models/embed", supportedGenerationMethods: ["embedContent"] },
          ],
        }
      : { data: [{ id: "b" }, { id: "a" }, { id: 7 }, null] };
    response.end(request.url === "/html/models" ? "<html>" : JSON.stringify(body));
  });
  await new Promise((resolve) => lists.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${lists.address().port}`;
  const list = (more) => MODEL_COMMANDS["model-list"]({ ...choice, ...more });
  assert.deepEqual(await list({ url: `${base}/v1/` }), { value: ["a", "b"] });
  assert.deepEqual(await list({ url: base, service: "gemini" }), { value: ["g-1"] });
  const { failure: none } = await list({ url: `${base}/html` });
  assert.equal(explain(none).kind, "web-page");
  assert.deepEqual(seen.slice(0, 2), [
    ["/v1/models", `Bearer ${KEY}`],
    ["/v1beta/models?pageSize=1000", KEY],
  ]);
  lists.closeAllConnections();
  lists.close();
});

test("each service by name has an address that a page may ask, and gets the key in its own header", async () => {
  for (const { id, url } of SERVICES.filter((one) => one.url !== ""))
    assert.equal(wrongAddress(url), undefined, id);
  assert.equal(serviceOf("gone").id, "other");
  const sent = [];
  const fetch = async (url, { headers }) => {
    sent.push([String(url), new Headers(headers)]);
    return Response.json({ error: { message: "no" } }, { status: 401 });
  };
  for (const id of ["openai", "anthropic", "gemini"]) {
    const choice = { ...FIRST, source: "service", service: id, url: serviceOf(id).url, model: "m" };
    const model = await makeModel({ ...choice, key: KEY }, { fetch });
    await assert.rejects(model.invoke("hi"), /401/);
  }
  const headers = ["authorization", "x-api-key", "x-goog-api-key"];
  assert.deepEqual(
    sent.map(([url, given]) => [new URL(url).host, ...headers.map((name) => given.get(name))]),
    [
      ["api.openai.com", `Bearer ${KEY}`, null, null],
      ["api.anthropic.com", null, KEY, null],
      ["generativelanguage.googleapis.com", null, null, KEY],
    ],
  );
});

test("models in the tab fail by name, too", () => {
  const kinds = [
    ["webllm", { message: "TypeError: Failed to fetch" }, "not-downloaded"],
    ["webllm", { message: "WebGPUNotAvailableError: no GPU" }, "no-gpu"],
    ["webllm", { message: "no", code: "NOT_LOADED" }, "not-loaded"],
    ["webllm", { message: "out of memory" }, "in-tab"],
    ["browser", { message: "no", code: "UNAVAILABLE" }, "no-browser-model"],
    ["browser", { message: "no", code: "NOT_ALLOWED" }, "download"],
    ["browser", { message: "too long", code: "context_overflow" }, "context"],
  ];
  for (const [source, failed, kind] of kinds)
    assert.equal(explain({ name: "ModelError", source, ...failed }).kind, kind, failed.message);
});

test("errors of runs, storage and engine are named; what is unknown says what it was", () => {
  const kinds = [
    ["GRAPH_RECURSION_LIMIT", "steps"],
    ["QUOTA", "storage-full"],
    ["STORE", "storage"],
    ["EMPTIED", "storage-emptied"],
    ["CORRUPT_LOG", "lost"],
    ["FENCED", "elsewhere"],
    ["ENGINE_TRAPPED", "engine"],
  ];
  for (const [code, kind] of kinds) assert.equal(explain({ message: "x", code }).kind, kind);
  const other = explain({ error: "TypeError", message: "x is not a function" });
  assert.deepEqual([other.kind, other.detail], ["run", "x is not a function"]);
});

test("a key is kept for its service's address alone, and not beside the choice", () => {
  const place = () => {
    const kept = new Map();
    return {
      kept,
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => kept.set(name, value),
      removeItem: (name) => kept.delete(name),
    };
  };
  const [local, session] = [place(), place()];
  const settings = new Settings({ local, session });
  assert.equal(settings.choice.source, "builtin");
  settings.choose({ source: "service", service: "groq", url: "https://a.example/v1" }, KEY);
  settings.choose({ url: "https://b.example/v1" });
  assert.deepEqual([settings.keyFor(), settings.keyFor("https://a.example/x")], ["", KEY]);
  assert.ok(!JSON.stringify([...local.kept]).includes(KEY));
  const other = new Settings({ local, session: place() });
  assert.deepEqual([other.choice.service, other.keyFor("https://a.example")], ["groq", ""]);
  settings.choose({ url: "https://b.example/v1" }, "sk-b");
  assert.deepEqual(settings.secrets, [KEY, "sk-b"]);
  settings.choose({ url: "https://a.example/v1" }, "");
  settings.choose({ url: "https://b.example/v1" }, "");
  assert.equal(session.kept.size, 0);
  // A run of before may hold a key that was forgotten since.
  assert.deepEqual(settings.secrets, [KEY, "sk-b"]);
  local.kept.set("weft-studio-model", '{"source":"evil","url":5}');
  assert.deepEqual(new Settings({ local, session }).choice, FIRST);
});

test("an address that the page may not ask is refused with the way out", () => {
  const fine = ["https://api.openai.com/v1", "http://localhost:11434/v1", "http://127.0.0.1:1/v1"];
  for (const address of fine) assert.equal(wrongAddress(address), undefined, address);
  const wrong = [
    ["", /Give the address/],
    ["api.openai.com", /whole address/],
    ["ftp://a.example", /whole address/],
    ["http://192.168.1.5:11434/v1", /--connect http:\/\/192\.168\.1\.5:11434/],
    ["http://[::1]:11434/v1", /write http:\/\/localhost:11434\/v1/],
    ["http://[fe80::1]/v1", /IPv6/],
    ["https://me:secret@a.example/v1", /key has its own field/],
    ["https://a.example/v1?key=x", /without \?/],
    ["https://a.example/v1/chat/completions", /without \/chat\/completions/],
  ];
  for (const [address, says] of wrong) assert.match(wrongAddress(address), says);
  const sources = ["'self'", "https://a.example", "http://192.168.1.5:11434"];
  assert.equal(wrongAddress("http://192.168.1.5:11434/v1", { sources }), undefined);
  assert.equal(wrongAddress("https://a.example/v1", { sources }), undefined);
  assert.match(wrongAddress("https://b.example/v1", { sources }), /may not connect/);
  assert.equal(wrongAddress("http://x.test/v1", { sources, origin: "http://x.test" }), undefined);
});
