// SPDX-License-Identifier: MIT
// Serves: whatever a binding of Workers AI does and its stream holds, a call of ChatWorkersAI ends
// in a message that others can work with, and that can be sent back, or in a ModelError, in bounded
// time and memory. WEFT_SEED chooses other random answers, WEFT_LONG=1 runs twenty times as many.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HumanMessage } from "weftgraph/messages";
import { ChatWorkersAI, ModelError } from "weftgraph/models/workers-ai";
import { dice, mutated } from "./mutated.mjs";
import { assertProper, resultsOf } from "./proper-message.mjs";
import { bindingOf, completion, deltas, joined, stream } from "./workers-ai-binding.mjs";

const times = process.env.WEFT_LONG ? 20 : 1;
const seed = Number(process.env.WEFT_SEED ?? 1);
const encoder = new TextEncoder();
const WORDS = { keys: ["choices", "response"], values: ["f", "stop"] };
const TOOLS = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];

const modelOf = (binding, options) =>
  new ChatWorkersAI({ binding, model: "@cf/m", maxRetries: 0, ...options });

/** The ModelError that a call ends in, within 10 s. */
async function failing(run, options, ask = (model) => joined(model.stream("x"))) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("it took 10 s")), 10_000);
  });
  try {
    const error = await Promise.race([
      ask(modelOf({ run }, options)).then(
        () => assert.fail("must fail"),
        (reason) => reason,
      ),
      late,
    ]);
    assert.ok(error instanceof ModelError, String(error?.stack ?? error));
    assert.ok(error.message.length <= 1000 && (error.body?.length ?? 0) <= 2000);
    return error;
  } finally {
    clearTimeout(timer);
  }
}

const pulled = (next) => new ReadableStream({ pull: (controller) => controller.enqueue(next()) });

test("streams without an end, of nothing, and in one line are refused within bounds", async () => {
  const line = encoder.encode(`data: ${JSON.stringify({ response: "la" })}\n\n`);
  assert.equal(
    (await failing(() => pulled(() => line), { maxResponseBytes: 1e6 })).code,
    "TOO_LARGE",
  );
  const comment = encoder.encode(":\n");
  assert.equal(
    (await failing(() => pulled(() => comment), { maxResponseBytes: 1e6 })).code,
    "TOO_LARGE",
  );
  const nothing = new Uint8Array();
  assert.equal(
    (await failing(() => pulled(() => nothing), { maxDurationMs: 100 })).code,
    "TIMEOUT",
  );
  assert.equal((await failing(() => pulled(() => ""), { maxDurationMs: 100 })).code, "TIMEOUT");
  const block = new Uint8Array(2 ** 20).fill(97);
  let sent = 0;
  const before = process.memoryUsage().rss;
  const error = await failing(() => pulled(() => (sent++, block)));
  assert.equal(error.code, "TOO_LARGE");
  assert.ok(sent < 40, `${sent} MiB were read`);
  assert.ok(process.memoryUsage().rss - before < 2 ** 28);
});

test("a binding that never answers, or whose stream falls silent, ends by its limits", async () => {
  const never = () => new Promise(() => {});
  const silent = () => new ReadableStream({ pull: never, cancel: never });
  const begun = () => {
    let at = 0;
    const line = encoder.encode('data: {"response":"la"}\n\n');
    return new ReadableStream({
      pull: (controller) => (at++ === 0 ? controller.enqueue(line) : never()),
      cancel: never,
    });
  };
  for (const run of [never, silent, begun])
    for (const limit of [{ timeout: 30 }, { maxDurationMs: 30 }])
      assert.equal((await failing(run, limit)).code, "TIMEOUT");
});

test("whatever a binding throws or resolves to is a ModelError", async () => {
  const cyclic = {};
  cyclic.self = cyclic;
  const trap = new Proxy(
    {},
    {
      get() {
        throw new Error("trap");
      },
    },
  );
  const mute = Object.create(null);
  const abort = Object.assign(new Error("not yours"), { name: "AbortError" });
  for (const reason of [
    "text",
    7,
    null,
    undefined,
    Symbol("s"),
    mute,
    trap,
    abort,
    cyclic,
    { message: trap },
    "x".repeat(1e6),
  ]) {
    const run = () => {
      throw reason;
    };
    await failing(run);
    await failing(async () => run());
    await failing(() => new ReadableStream({ pull: (controller) => controller.error(reason) }));
  }
  const locked = new ReadableStream();
  locked.getReader();
  const used = [200, 500].map((status) => new Response("{}", { status }));
  await Promise.all(used.map((response) => response.text()));
  for (const response of used) {
    await failing(() => response);
    await failing(
      () => response,
      {},
      (model) => model.invoke("x"),
    );
  }
  const values = [
    undefined,
    null,
    "text",
    7,
    true,
    Symbol("s"),
    1n,
    [],
    {},
    () => {},
    cyclic,
    trap,
    mute,
    locked,
    { getReader: 1 },
    { getReader: () => undefined },
    { getReader: () => ({}) },
    { getReader: () => ({ read: async () => undefined }) },
    { getReader: () => ({ read: async () => ({ value: {} }) }) },
    { toJSON: () => "text" },
    { response: 1n },
    new Date(0),
    new Uint8Array(3),
    pulled(() => ({ no: "bytes" })),
    pulled(() => 7),
    new Response("no JSON"),
    new Response(null, { status: 500 }),
    new Response("data: [DONE]\n\n", { headers: { "content-type": "text/event-stream" } }),
  ];
  for (const value of values) {
    await failing(() => (value instanceof Response ? value.clone() : value));
    if (!(value instanceof ReadableStream))
      await failing(
        () => (value instanceof Response ? value.clone() : value),
        {},
        (model) => model.invoke("x"),
      );
  }
});

test("what a binding does to its inputs changes nothing of the model's", async () => {
  const messages = [new HumanMessage({ content: [{ type: "text", text: "hi" }] })];
  const gateway = { id: "a" };
  const kept = JSON.stringify([messages, gateway, TOOLS]);
  const run = async (_, inputs) => {
    inputs.messages[0].content = "other";
    inputs.tools[0].function.name = "other";
    return { response: "ok" };
  };
  const model = modelOf({ run }, { gateway }).bindTools(TOOLS);
  await model.invoke(messages);
  await model.invoke(messages);
  assert.equal(JSON.stringify([messages, gateway, TOOLS]), kept);
});

test("more calls than the limit are refused, in each form", async () => {
  const call = (index) => ({ index, function: { name: "f", arguments: "{}" } });
  const many = Array.from({ length: 1025 }, (_, index) => call(index));
  for (const answer of [
    () => stream(deltas({ tool_calls: many })),
    () => stream(many.map((one) => deltas({ tool_calls: [one] })[0])),
    () => stream([{ response: "", tool_calls: many.map((one) => one.function) }]),
    () => completion({ tool_calls: many }),
    () => ({ response: "", tool_calls: many }),
  ])
    assert.equal((await failing(answer)).code, "TOO_LARGE");
});

/** ms that the answer takes to be read. */
async function timeOf(answer) {
  const model = modelOf(bindingOf(answer)).bindTools(TOOLS, { tool_choice: "any" });
  const before = performance.now();
  await joined(model.stream("x")).catch((error) => {
    if (!(error instanceof ModelError)) throw error;
  });
  return performance.now() - before;
}

test("large answers of small pieces take time in proportion to their size", async () => {
  const many = (count, make) => Array.from({ length: count }, (_, at) => make(at));
  const answers = {
    "text that may be a call": (count) =>
      ['{"', ...many(count, () => "a")].map((response) => ({ response })),
    "blanks that may begin one": (count) => many(count, () => ({ response: " " })),
    "arguments in pieces": (count) =>
      deltas(
        ...many(count, (at) => ({
          tool_calls: [{ index: 0, id: `i${at}`, function: { name: "f", arguments: "1" } }],
        })),
      ),
    "pieces that are none": (count) =>
      deltas({ tool_calls: many(count, () => ({ index: 0, function: { name: null } })) }),
    "choices of no use": (count) => [
      { choices: [...many(count, (at) => ({ index: at + 1 })), { delta: { content: "x" } }] },
    ],
  };
  for (const [name, make] of Object.entries(answers)) {
    await timeOf(stream(make(2000), { size: 4096 }));
    const few = await timeOf(stream(make(2000), { size: 4096 }));
    const more = await timeOf(stream(make(32_000), { size: 4096 }));
    // Sixteen times as much; if time grew with the square it would be 256 times.
    assert.ok(more < 100 * Math.max(few, 20), `${name}: ${few} ms, then ${more} ms`);
  }
});

// ---- random answers

const USAGE = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const OWN = [
  [
    { response: "Hello ", p: "abc" },
    { response: "you" },
    { response: "", tool_calls: [{ name: "f", arguments: { n: [1] } }] },
    { response: "", tool_calls: null, usage: USAGE },
  ],
  [
    ...deltas(
      { role: "assistant", content: null, reasoning_content: "hm" },
      { content: "Hello" },
      {
        tool_calls: [
          { index: 0, id: "a", type: "function", function: { name: "f", arguments: "{" } },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '"n":1}' } }] },
      { finish_reason: "tool_calls" },
    ),
    { choices: [], usage: USAGE },
  ],
  [{ response: '{"name":"f","arguments":{"n":1}}' }],
  [
    completion({
      content: "Hello",
      tool_calls: [{ id: "a", function: { name: "f", arguments: "{}" } }],
    }),
  ],
  [{ result: { response: { n: 1 }, usage: USAGE }, success: true, errors: [] }],
  [{ success: false, errors: [{ code: 3040, message: "m" }] }],
  [{ internalCode: 5007, name: "n", description: "m" }],
];
/** The service gets the message back in a form that it can read. */
async function assertSendable(message, label) {
  assert.ok(typeof message.content === "string", label);
  const ids = [...message.tool_calls, ...message.invalid_tool_calls].map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, label);
  const binding = bindingOf({ response: "ok" });
  await modelOf(binding).invoke(["x", message, ...resultsOf(message)]);
  for (const { content } of binding.asked[0].inputs.messages)
    assert.equal(typeof content, "string", label);
}

test("answers with something wrong at random places give a message or a ModelError", async () => {
  const draw = dice(seed);
  const encode = (lines) =>
    stream(lines, { size: draw.pick([undefined, 50]), done: draw.below(8) > 0 });
  let good = 0;
  for (let at = 0; at < 2000 * times; at++) {
    const lines = draw.pick(OWN).map((event) => JSON.stringify(event));
    const place = draw.below(lines.length);
    lines[place] = mutated(lines[place], draw, WORDS);
    if (draw.below(4) === 0) lines.splice(draw.below(lines.length), draw.below(3), lines[0]);
    const whole = new Response(lines.at(-1), { headers: { "content-type": "application/json" } });
    const binding = bindingOf(draw.below(3) === 0 ? whole : encode(lines));
    const choice = draw.pick(["any", "auto"]);
    const model = modelOf(binding).bindTools(TOOLS, { tool_choice: choice });
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
  assert.ok(good > 100 * times, `${good} are still answers`);
});
