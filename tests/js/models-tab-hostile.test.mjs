// SPDX-License-Identifier: MIT
// Serves: models in the tab (weftgraph/models/prompt-api, weftgraph/models/webllm) whose browser or
// engine is silent, endless or of another shape: a typed error in bounded time, no session left.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatPromptAPI } from "weftgraph/models/prompt-api";
import { ChatWebLLM } from "weftgraph/models/webllm";
import { languageModel, streamOf } from "./language-model.mjs";

const NEVER = new Promise(() => {});
const LIMIT = { timeout: 60_000 };

/** What is thrown, and is no error. */
const NO_ERRORS = [
  undefined,
  null,
  "text",
  "",
  7,
  Symbol("s"),
  {},
  Object.create(null),
  { message: 7, name: {} },
  {
    get message() {
      throw new Error("no message for you");
    },
  },
  new Proxy(
    {},
    {
      get() {
        throw new Error("nothing for you");
      },
    },
  ),
  () => "a function",
];

async function collect(pieces) {
  const chunks = [];
  for await (const chunk of pieces) chunks.push(chunk);
  return chunks;
}

/** Asks whole and streamed. */
const WAYS = [
  (llm, options) => llm.invoke("hi", options),
  (llm, options) => collect(llm.stream("hi", options)),
];

async function refused(work, code) {
  await assert.rejects(work, (error) => {
    assert.equal(error?.name, "ModelError", String(error?.stack));
    if (code !== undefined) assert.equal(error.code, code, error.message);
    assert.ok(error.message.length < 2000);
    return true;
  });
}

/** A browser whose sessions have other functions; counts those that are open. */
function browserWith(changed, { create, ...options } = {}) {
  const { LanguageModel, log } = languageModel({ say: () => "Yes.", ...options });
  const api = {
    availability: (given) => LanguageModel.availability(given),
    create: create ?? (async (given) => mended(await LanguageModel.create(given))),
  };
  function mended(session) {
    const clone = session.clone.bind(session);
    return Object.assign(session, { clone: async (given) => mended(await clone(given)) }, changed);
  }
  return { api, log };
}

/** The steps of a call, each as a browser that does something else there. */
const STEPS = {
  create: (act) => browserWith({}, { create: act }),
  clone: (act) => browserWith({ clone: act }),
  measure: (act) => browserWith({ measureContextUsage: act }),
  ask: (act) => browserWith({ prompt: act, promptStreaming: act }),
  read: (act) =>
    browserWith({
      prompt: act,
      promptStreaming: () => ({ getReader: () => ({ read: act, cancel: act }) }),
    }),
};

test("a browser that is silent at any step ends by `timeout` and by an abort", LIMIT, async () => {
  for (const [step, browserOf] of Object.entries(STEPS)) {
    for (const ask of WAYS) {
      const { api, log } = browserOf(() => NEVER);
      await refused(ask(new ChatPromptAPI({ languageModel: api, timeout: 20 })), "TIMEOUT");
      await refused(ask(new ChatPromptAPI({ languageModel: api, maxDurationMs: 20 })), "TIMEOUT");
      const signal = AbortSignal.timeout(20);
      await assert.rejects(ask(new ChatPromptAPI({ languageModel: api }), { signal }), {
        name: "AbortError",
      });
      // One session with the system text is kept for each of the three.
      assert.ok(log.open.size <= 3, `${step}: ${log.open.size} sessions`);
    }
  }
  const { api } = STEPS.create(() => NEVER);
  await refused(new ChatPromptAPI({ languageModel: api, timeout: 20 }).prepare(), "TIMEOUT");
  const mute = { create: () => NEVER, availability: () => NEVER };
  await refused(new ChatPromptAPI({ languageModel: mute, timeout: 20 }).availability(), "TIMEOUT");
});

test("a session that comes after its call has ended is destroyed", LIMIT, async () => {
  const { LanguageModel, log } = languageModel({ say: () => "Yes." });
  const create = async (given) => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return LanguageModel.create({ ...given, signal: undefined });
  };
  const languageModelLate = { create, availability: async () => "available" };
  const llm = new ChatPromptAPI({ languageModel: languageModelLate, timeout: 20 });
  await refused(llm.invoke("hi"), "TIMEOUT");
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual([log.created.length, log.open.size], [1, 0]);
});

test("what a browser throws at any step is a ModelError, whatever it is", LIMIT, async () => {
  for (const [step, browserOf] of Object.entries(STEPS))
    for (const thrown of NO_ERRORS)
      for (const act of [
        () => {
          throw thrown;
        },
        () => Promise.reject(thrown),
      ])
        for (const ask of WAYS) {
          const { api, log } = browserOf(act);
          const llm = new ChatPromptAPI({ languageModel: api });
          // Neither a clone nor a count of tokens is needed.
          if (step === "clone" || step === "measure") await ask(llm);
          else await refused(ask(llm), "STREAM_ERROR");
          llm.close();
          assert.equal(log.open.size, 0, step);
        }
});

test("an abort that is the browser's own is no abort of the caller", async () => {
  const act = () => Promise.reject(new DOMException("The session was lost.", "AbortError"));
  const { api } = STEPS.ask(act);
  for (const ask of WAYS) await refused(ask(new ChatPromptAPI({ languageModel: api })), undefined);
});

test(
  "an answer that has no end is cut at `maxAnswerLength`, also one of nothing",
  LIMIT,
  async () => {
    for (const piece of ["word ", ""]) {
      let isLeft = false;
      const endless = () =>
        new ReadableStream({
          pull: (controller) => controller.enqueue(piece),
          cancel() {
            isLeft = true;
          },
        });
      const { api, log } = browserWith({}, { say: endless });
      const llm = new ChatPromptAPI({ languageModel: api, maxAnswerLength: 10_000 });
      await refused(collect(llm.stream("hi")), "TOO_LARGE");
      await new Promise((resolve) => setTimeout(resolve, 5));
      llm.close();
      assert.deepEqual([isLeft, log.open.size], [true, 0]);
    }
    const { api } = browserWith({}, { say: () => "x".repeat(11) });
    await refused(
      new ChatPromptAPI({ languageModel: api, maxAnswerLength: 10 }).invoke("hi"),
      "TOO_LARGE",
    );
  },
);

test("pieces that are no text, and sessions that are none, are a bad answer", async () => {
  for (const piece of [undefined, null, 7, {}, ["a"], true]) {
    const { api } = browserWith(
      { prompt: async () => piece },
      { say: () => streamOf(["a", piece]) },
    );
    for (const ask of WAYS)
      await refused(ask(new ChatPromptAPI({ languageModel: api })), "BAD_ANSWER");
  }
  for (const session of [undefined, null, 7, "session", {}, { prompt: "no" }]) {
    const { api } = browserWith({}, { create: async () => session });
    for (const ask of WAYS)
      await refused(ask(new ChatPromptAPI({ languageModel: api })), "BAD_ANSWER");
  }
  const odd = { create: async () => ({}), availability: async () => ({}) };
  assert.equal(await new ChatPromptAPI({ languageModel: odd }).availability(), "unavailable");
});

test("counts of tokens that are none are left out", async () => {
  for (const contextUsage of [Number.NaN, -1, Infinity, "7", {}, null]) {
    const session = {
      prompt: async () => "Yes.",
      contextUsage,
      measureContextUsage: async () => Number.NaN,
      addEventListener() {
        throw new Error("no events");
      },
      destroy() {
        throw new Error("for ever");
      },
    };
    const llm = new ChatPromptAPI({ languageModel: { create: async () => session } });
    const { text, usage_metadata } = await llm.invoke("hi");
    assert.deepEqual([text, usage_metadata], ["Yes.", undefined]);
    llm.close();
  }
});

const engineOf = (create, more) => ({ chat: { completions: { create } }, ...more });
const chunk = (content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });

test(
  "an engine that is silent ends by `timeout` and by an abort, and then takes the next call",
  LIMIT,
  async () => {
    for (const silent of [
      () => NEVER,
      () => ({ [Symbol.asyncIterator]: () => ({ next: () => NEVER }) }),
    ]) {
      let count = 0;
      const answer = { choices: [{ message: { content: "Yes." }, finish_reason: "stop" }] };
      const create = (request) => (count++ === 0 ? silent(request) : answer);
      const engine = engineOf(create, { interruptGenerate: () => NEVER });
      await refused(collect(new ChatWebLLM({ engine, timeout: 20 }).stream("hi")), "TIMEOUT");
      assert.equal((await new ChatWebLLM({ engine }).invoke("hi")).text, "Yes.");
      const other = new ChatWebLLM({ engine: engineOf(silent) });
      for (const ask of WAYS)
        await assert.rejects(ask(other, { signal: AbortSignal.timeout(20) }), {
          name: "AbortError",
        });
    }
  },
);

test("what an engine throws is a ModelError, whatever it is", async () => {
  for (const thrown of NO_ERRORS)
    for (const create of [
      () => {
        throw thrown;
      },
      () => Promise.reject(thrown),
      async function* () {
        yield chunk("a");
        throw thrown;
      },
    ])
      for (const interruptGenerate of [undefined, create])
        await refused(
          collect(new ChatWebLLM({ engine: engineOf(create, { interruptGenerate }) }).stream("hi")),
          "STREAM_ERROR",
        );
});

test("an engine that writes without end is cut, interrupted and left", LIMIT, async () => {
  for (const piece of [chunk("word "), chunk(""), {}, { choices: [] }]) {
    let isLeft = false;
    let interrupted = 0;
    async function* endless() {
      try {
        for (;;) yield piece;
      } finally {
        isLeft = true;
      }
    }
    const engine = engineOf(endless, { interruptGenerate: () => interrupted++ });
    await refused(
      collect(new ChatWebLLM({ engine, maxAnswerLength: 10_000 }).stream("hi")),
      "TOO_LARGE",
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([isLeft, interrupted], [true, 1]);
  }
});

test("answers of an engine that have another shape are bad answers", async () => {
  for (const data of [
    null,
    7,
    "text",
    [],
    { choices: 7 },
    { choices: [7] },
    { choices: [{ delta: [] }] },
  ]) {
    async function* stream() {
      yield data;
    }
    const streaming = new ChatWebLLM({ engine: engineOf(stream) });
    await refused(collect(streaming.stream("hi")), "BAD_ANSWER");
    await refused(
      new ChatWebLLM({ engine: engineOf(async () => data) }).invoke("hi"),
      "BAD_ANSWER",
    );
  }
  for (const next of [() => undefined, () => 7]) {
    const create = () => ({ [Symbol.asyncIterator]: () => ({ next }) });
    await refused(collect(new ChatWebLLM({ engine: engineOf(create) }).stream("hi")), undefined);
  }
});
