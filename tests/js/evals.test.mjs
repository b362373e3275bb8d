// SPDX-License-Identifier: MIT
// Evaluations: cases are read and checked, each run has its own thread and its own answers, is
// timed out and aborted; repeats are counted; the report has them in order.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as langchain from "@langchain/core/messages";
import * as langgraph from "@langchain/langgraph";
import { Client } from "@langchain/langgraph-sdk";
import {
  AIMessage,
  Annotation,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  RemoveMessage,
  START,
  StateGraph,
  entrypoint,
  interrupt,
} from "weftgraph";
import { createAgent } from "weftgraph/agent";
import * as messages from "weftgraph/messages";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { RemoteGraph } from "weftgraph/remote";
import { createServer } from "weftgraph/server";
import {
  TestClock,
  casesOf,
  evaluate,
  exact,
  matches,
  testIds,
  trajectory,
} from "weftgraph/testing";
import { tool } from "weftgraph/tools";

const State = Annotation.Root({ question: Annotation(), answer: Annotation() });
/** A graph of one node. */
const graphOf = (node, options) =>
  new StateGraph(State).addNode("work", node).addEdge(START, "work").compile(options);
const double = graphOf(({ question }) => ({ answer: question * 2 }));
const never = new Promise(() => {});
const callOf = (name, args, id) => ({ name, args, id, type: "tool_call" });
const calling = (...calls) => new AIMessage({ content: "", tool_calls: calls });

test("a graph runs over its cases, and the report has runs, scores and reasons in order", async () => {
  const report = await evaluate(double, {
    cases: [
      { name: "two", input: { question: 2 }, expected: 4, tags: ["small"] },
      { input: { question: 3 }, expected: { answer: 7 } },
    ],
    scorers: { answer: exact({ key: "answer" }), isNumber: ({ output }) => output.answer > 0 },
  });
  assert.equal(report.pass, false);
  assert.deepEqual(
    report.cases.map(({ name, status, tags }) => [name, status, tags]),
    [
      ["two", "passed", ["small"]],
      ["case 2", "failed", []],
    ],
  );
  const [{ output, scores, error, ms, threadId }] = report.cases[1].runs;
  assert.deepEqual(output, { question: 3, answer: 6 });
  assert.deepEqual(scores, {
    answer: { score: 0, pass: false, reason: "expected 7, got 6" },
    isNumber: { score: 1, pass: true },
  });
  assert.deepEqual([error, typeof ms, typeof threadId], [undefined, "number", "string"]);
  assert.deepEqual(
    [report.summary.passed, report.summary.failed, report.summary.passRate],
    [1, 1, 0.5],
  );
});

test("a function, a Runnable, an entrypoint and an agent are evaluated alike", async () => {
  const cases = [{ input: "Paris?", expected: "Yes, Paris." }];
  const scorers = [exact()];
  const model = () => new ScriptedModel({ responses: ["Yes, Paris."], loop: true });
  const agent = createAgent({ model: model() });
  const react = createReactAgent({ llm: model(), tools: [] });
  const flow = entrypoint("flow", async (input) => `Yes, ${input.slice(0, -1)}.`);
  for (const target of [
    (input) => `Yes, ${input.slice(0, -1)}.`,
    async (input, config) => (await agent.invoke({ messages: input }, config)).messages,
    model(),
    flow,
  ])
    assert.equal((await evaluate(target, { cases, scorers })).pass, true);
  for (const target of [agent, react]) {
    const chats = cases.map((one) => ({ ...one, input: { messages: one.input } }));
    const report = await evaluate(target, { cases: chats, scorers });
    assert.equal(report.pass, true, report.toTable());
    assert.equal(report.cases[0].runs[0].messages.length, 1);
  }
});

test("the output is what invoke returns, also with an output schema and outputKeys", async () => {
  const Output = Annotation.Root({ answer: Annotation() });
  const graph = new StateGraph(Annotation.Root({ ...MessagesAnnotation.spec, ...State.spec }), {
    output: Output,
  })
    .addNode("work", () => ({ answer: 1, messages: [calling(callOf("a", {}, "1"))] }))
    .addEdge(START, "work")
    .compile();
  const bare = { input: {}, config: { outputKeys: "answer" } };
  const report = await evaluate(graph, { cases: [{ input: {} }, bare] });
  assert.deepEqual(
    report.cases.map(({ runs: [{ output, toolCalls }] }) => [output, toolCalls.length]),
    [
      [{ answer: 1 }, 1],
      [1, 1],
    ],
  );
});

test("a graph on a server and one of LangGraph.js are evaluated with questions and tool calls", async () => {
  const fields = { ...MessagesAnnotation.spec, answer: Annotation() };
  const build = ({ Graph, state, ask, checkpointer }) =>
    new Graph(state)
      .addNode("call", () => ({ messages: [calling(callOf("look", { n: 1 }, "1"))] }))
      .addNode("ask", () => ({ answer: ask("?") }))
      .addEdge(START, "call")
      .addEdge("call", "ask")
      .compile({ checkpointer });
  const here = build({ Graph: StateGraph, state: Annotation.Root(fields), ask: interrupt });
  const { fetch } = createServer({ graphs: { g: here } });
  const client = new Client({
    apiUrl: "http://graphs.test",
    callerOptions: { fetch: (url, init) => fetch(new Request(url, init)) },
  });
  const theirs = build({
    Graph: langgraph.StateGraph,
    state: langgraph.Annotation.Root({
      ...langgraph.MessagesAnnotation.spec,
      answer: langgraph.Annotation(),
    }),
    ask: langgraph.interrupt,
    checkpointer: new langgraph.MemorySaver(),
  });
  for (const target of [new RemoteGraph({ graphId: "g", client }), theirs]) {
    const report = await evaluate(target, {
      cases: [{ input: { messages: "hi" }, resume: ["yes"], expected: "yes" }],
      scorers: [exact({ key: "answer" }), trajectory([{ name: "look", args: { n: 1 } }])],
      repeat: 2,
    });
    assert.equal(report.pass, true, report.toTable());
  }
});

test("repeats count: pass rate, pass@k and pass^k, mean, min and max, and a threshold decides", async () => {
  let run = 0;
  const flaky = () => [0.2, 1, 0.9, 0.7][run++ % 4];
  const options = {
    cases: [{ input: 1 }],
    scorers: { quality: ({ output }) => ({ score: output, pass: output > 0.5 }) },
    repeat: 4,
    concurrency: 1,
  };
  const strict = await evaluate(flaky, options);
  assert.equal(strict.pass, false);
  const [one] = strict.cases;
  assert.deepEqual([one.passed, one.passRate, one.status], [3, 0.75, "failed"]);
  const { mean, min, max, passRate } = one.scores.quality;
  assert.deepEqual([mean.toFixed(2), min, max, passRate], ["0.70", 0.2, 1, 0.75]);
  assert.deepEqual(
    strict.summary.passAtK.map((share) => share.toFixed(3)),
    ["0.750", "1.000", "1.000", "1.000"],
  );
  assert.deepEqual(
    strict.summary.passPowK.map((share) => share.toFixed(3)),
    ["0.750", "0.500", "0.250", "0.000"],
  );
  assert.equal((await evaluate(flaky, { ...options, threshold: 0.75 })).pass, true);
  const half = {
    cases: [{ input: 1 }, { input: 0 }],
    scorers: [
      function is(run) {
        return run.output === 1;
      },
    ],
  };
  const same = (input) => input;
  assert.equal((await evaluate(same, half)).pass, false);
  assert.equal((await evaluate(same, { ...half, overallThreshold: 0.5 })).pass, true);
});

test("no more runs at once than asked, and their order in the report is that of the cases", async () => {
  let [now, most] = [0, 0];
  const slow = async (input) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, input));
    now--;
    return input;
  };
  const inputs = [20, 1, 10, 5, 15, 2];
  const told = [];
  const report = await evaluate(slow, {
    cases: inputs.map((input) => ({ input })),
    repeat: 2,
    concurrency: 3,
    onProgress: (progress) => told.push(progress),
  });
  assert.equal(most, 3);
  assert.deepEqual(
    report.cases.map(({ runs }) => runs.map(({ output, number }) => [output, number])),
    inputs.map((input) => [
      [input, 1],
      [input, 2],
    ]),
  );
  assert.deepEqual(
    told.map(({ done, total }) => [done, total]),
    told.map((_, index) => [index + 1, 12]),
  );
});

test("each run has a thread of its own, and threads of the graph's own checkpointer are not touched", async () => {
  const checkpointer = new MemorySaver();
  const count = graphOf(({ answer = 0 }) => ({ answer: answer + 1 }), { checkpointer });
  const thread = { configurable: { thread_id: testIds(1)() } };
  await count.invoke({ question: "mine" }, thread);
  const report = await evaluate(count, {
    cases: [{ input: {} }, { input: {} }],
    repeat: 3,
    ids: testIds(1),
  });
  const runs = report.cases.flatMap((one) => one.runs);
  assert.deepEqual(
    runs.map(({ output }) => output.answer),
    [1, 1, 1, 1, 1, 1],
  );
  assert.equal(new Set(runs.map(({ threadId }) => threadId)).size, 6);
  assert.equal((await count.getState(thread)).values.answer, 1);
  await assert.rejects(evaluate(count, { cases: [{ input: {}, config: thread }] }), {
    code: "BAD_ARGUMENT",
    message: /case 1: config has a thread_id/,
  });
});

test("a run that changes its input does not change that of the next run", async () => {
  const shift = ({ list }) => list.shift();
  const report = await evaluate(shift, {
    cases: [{ input: { list: ["a", "b"] }, expected: "a" }],
    scorers: [exact()],
    repeat: 3,
  });
  assert.equal(report.pass, true);
  assert.deepEqual(report.cases[0].input, { list: ["a", "b"] });
});

test("a run that names its input's messages leaves those of the case without an id", async () => {
  const echo = new StateGraph(MessagesAnnotation)
    .addNode("say", ({ messages }) => ({ messages: [`${messages.length}`] }))
    .addEdge(START, "say")
    .compile();
  for (const { HumanMessage } of [messages, langchain]) {
    const message = new HumanMessage({ content: "hi", additional_kwargs: { a: 1 } });
    const report = await evaluate(echo, { cases: [{ input: { messages: [message] } }], repeat: 2 });
    const seen = report.cases[0].runs.map(({ output }) => output.messages[0]);
    assert.deepEqual([message.id, message.lc_kwargs.id], [undefined, undefined]);
    assert.equal(new Set(seen.map(({ id }) => id)).size, 2);
    assert.deepEqual(
      seen.map(({ content, additional_kwargs }) => [content, additional_kwargs]),
      [
        ["hi", { a: 1 }],
        ["hi", { a: 1 }],
      ],
    );
  }
});

test("questions are answered from a list or by a function; one without an answer fails the run by name", async () => {
  const asks = graphOf(() => ({ answer: `${interrupt("first?")} ${interrupt("second?")}` }));
  const seen = [];
  const report = await evaluate(asks, {
    cases: [
      { name: "list", input: {}, resume: ["a", "b"], expected: "a b" },
      {
        name: "function",
        input: {},
        resume: (question, { index, case: { name } }) => (
          seen.push([question, index, name]), question.length
        ),
        expected: "6 7",
      },
      { name: "short", input: {}, resume: ["a"], expected: "" },
      { name: "none", input: {}, expected: "" },
    ],
    scorers: [exact({ key: "answer" })],
  });
  assert.deepEqual(
    report.cases.map(({ status }) => status),
    ["passed", "passed", "failed", "failed"],
  );
  assert.deepEqual(seen, [
    ["first?", 0, "function"],
    ["second?", 1, "function"],
  ]);
  const [, , short, none] = report.cases.map(({ runs: [run] }) => run);
  assert.deepEqual(short.questions, ["first?", "second?"]);
  assert.equal(short.error.code, "EVAL_UNANSWERED");
  assert.match(none.error.message, /asks "first\?", and the case has no answer \(question 1\)/);
  assert.deepEqual(short.scores.exact, { score: 0, pass: false, reason: "the run failed" });
});

test("several questions at once and approvals get each its answer", async () => {
  const both = new StateGraph(
    Annotation.Root({ log: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }) }),
  )
    .addNode("a", () => ({ log: [`a ${interrupt("a?")}`] }))
    .addNode("b", () => ({ log: [`b ${interrupt("b?")}`] }))
    .addEdge(START, "a")
    .addEdge(START, "b")
    .compile();
  const first = await evaluate(both, {
    cases: [
      { input: {}, resume: (question) => question.toUpperCase(), expected: ["a A?", "b B?"] },
    ],
    scorers: [exact({ key: "log" })],
  });
  assert.equal(first.pass, true, first.toTable());
  const paid = [];
  const pay = tool(({ amount }) => (paid.push(amount), `paid ${amount}`), {
    name: "pay",
    schema: { type: "object", properties: { amount: { type: "number" } } },
    approval: "ask",
  });
  const agentFor = () =>
    createReactAgent({
      llm: new ScriptedModel({ responses: [calling(callOf("pay", { amount: 5 }, "1")), "done"] }),
      tools: [pay],
    });
  const second = await evaluate(
    (input, config) => {
      agents.set(config, agents.get(config) ?? agentFor());
      return agents.get(config).invoke(input, config);
    },
    {
      cases: [{ input: { messages: "pay" }, resume: [{ type: "accept" }], expected: "done" }],
      scorers: [exact()],
    },
  );
  assert.equal(second.pass, true, second.toTable());
  assert.deepEqual(paid, [5]);
});
const agents = new Map();

test("a run that hangs is timed out and aborted, and the others go on", async () => {
  let aborted = 0;
  const hangs = graphOf(async ({ question }, { signal }) => {
    if (question === 1)
      await new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(new Error(`heard ${++aborted}`))),
      );
    return { answer: question };
  });
  const report = await evaluate(hangs, {
    cases: [{ input: { question: 1 } }, { input: { question: 2 } }],
    timeoutMs: 50,
  });
  assert.deepEqual(
    report.cases.map(({ status }) => status),
    ["failed", "passed"],
  );
  assert.equal(report.cases[0].runs[0].error.code, "EVAL_TIMEOUT");
  assert.equal(aborted, 1);
  const deaf = await evaluate(() => never, { cases: [{ input: 1 }], timeoutMs: 20 });
  assert.equal(deaf.cases[0].runs[0].error.message, "the run took longer than 20 ms");
});

test("an abort leaves the runs that have ended, and the report says which are missing", async () => {
  const control = new AbortController();
  const report = await evaluate(
    (input) => (input === "b" ? (control.abort(new Error("enough")), never) : input),
    {
      cases: ["a", "b", "c"].map((name) => ({ name, input: name })),
      concurrency: 1,
      signal: control.signal,
    },
  );
  assert.deepEqual(
    report.cases.map(({ status, runs }) => [status, runs.length]),
    [
      ["passed", 1],
      ["aborted", 0],
      ["aborted", 0],
    ],
  );
  assert.equal(report.pass, false);
  assert.match(report.toTable(), /2 not finished/);
});

test("a run that throws, or a scorer that throws, hangs or answers nonsense, fails alone with its reason", async () => {
  const report = await evaluate(
    (input) => {
      if (input === 1) throw "a text";
      return input;
    },
    {
      cases: [{ input: 1 }, { input: 2 }],
      scorers: {
        throws: () => {
          throw new Error("no mood");
        },
        hangs: () => never,
        nonsense: () => 7,
        nothing: () => undefined,
        fine: async () => ({ score: 0.8, reason: { why: "so" } }),
      },
      timeoutMs: 30,
    },
  );
  assert.equal(report.cases[0].runs[0].error.message, "a text");
  const { scores } = report.cases[1].runs[0];
  assert.deepEqual(
    Object.values(scores).map(({ score, pass, reason }) => [score, pass, reason]),
    [
      [0, false, "the scorer failed: no mood"],
      [0, false, "the scorer failed: the scorer hangs took longer than 30 ms"],
      [
        0,
        false,
        "the scorer failed: Bad argument: a score must be true, false or a number from 0 to 1, not 7.",
      ],
      [
        0,
        false,
        "the scorer failed: Bad argument: a score must be true, false or a number from 0 to 1, not undefined.",
      ],
      [0.8, true, '{"why":"so"}'],
    ],
  );
});

test("clock and ids: the same evaluation gives the same report, to the byte", async () => {
  const ask = () =>
    new StateGraph(MessagesAnnotation)
      .addNode("say", async ({ messages }) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
        return { messages: [`${interrupt("name?")} ${messages.length}`] };
      })
      .addEdge(START, "say")
      .compile();
  const texts = [];
  for (let i = 0; i < 2; i++) {
    const report = await evaluate(ask(), {
      cases: ["a", "b", "c"].map((messages) => ({ input: { messages }, resume: ["Ann"] })),
      repeat: 2,
      clock: new TestClock("2030-01-01"),
      ids: testIds(3),
    });
    texts.push(
      JSON.stringify([
        report,
        report.cases.map(({ runs }) => runs.map(({ messages }) => messages.map(({ id }) => id))),
      ]),
    );
    assert.equal(report.ms, 0);
  }
  assert.equal(texts[0], texts[1]);
  assert.match(texts[0], /2030-01-01T00:00:00.000Z/);
});

test("tool calls and usage are those of the run: not of its input, and also of messages removed later", async () => {
  const usage = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };
  const forgets = new StateGraph(MessagesAnnotation)
    .addNode("model", () => ({
      messages: [
        new AIMessage({
          content: "",
          id: "x",
          tool_calls: [callOf("a", { n: 1 }, "1"), callOf("b", {}, "2")],
          usage_metadata: usage,
        }),
      ],
    }))
    .addNode("forget", () => ({
      messages: [
        new RemoveMessage({ id: "x" }),
        new AIMessage({ content: "ok", usage_metadata: usage }),
      ],
    }))
    .addEdge(START, "model")
    .addEdge("model", "forget")
    .compile();
  const before = calling(callOf("old", {}, "0"));
  const report = await evaluate(forgets, { cases: [{ input: { messages: ["hi", before] } }] });
  const [run] = report.cases[0].runs;
  assert.deepEqual(run.toolCalls, [
    { name: "a", args: { n: 1 }, id: "1", step: 0 },
    { name: "b", args: {}, id: "2", step: 0 },
  ]);
  assert.deepEqual([run.text, run.messages.length], ["ok", 2]);
  assert.deepEqual(report.summary.usage, { input_tokens: 10, output_tokens: 4, total_tokens: 14 });
});

test("messages of the input do not count, also when the graph drops some of them or says one again", async () => {
  const old = calling(callOf("old", {}, "0"));
  const again = new StateGraph(MessagesAnnotation)
    .addNode("drop", ({ messages: [first] }) => ({
      messages: [new RemoveMessage({ id: first.id }), new AIMessage("ok")],
    }))
    .addEdge(START, "drop")
    .compile();
  const history = ["first", old, new AIMessage("ok"), "and now?"];
  const last = async (input, config) => (await again.invoke(input, config)).messages.slice(1);
  for (const target of [again, last]) {
    const report = await evaluate(target, { cases: [{ input: { messages: history } }] });
    const [{ messages, toolCalls, text }] = report.cases[0].runs;
    assert.deepEqual([messages.length, toolCalls.length, text], [1, 0, "ok"]);
  }
});

test("cases are read from JSON, JSON Lines and async iterables; skip and only leave their reason", async () => {
  const list = [{ input: 1 }, { input: 2, skip: "too slow" }];
  assert.deepEqual(casesOf(JSON.stringify(list)), list);
  const lines = `{"input":1}\n\n{"input":2,"only":true}\n`;
  async function* stream() {
    yield* casesOf(lines);
    yield { name: "case 1", input: 3, skip: true };
  }
  const seen = [];
  const report = await evaluate((input) => void seen.push(input), { cases: stream() });
  assert.deepEqual(seen, [2]);
  assert.deepEqual(
    report.cases.map(({ name, status, skipped }) => [name, status, skipped]),
    [
      ["case 1", "skipped", "another case is marked `only`"],
      ["case 2", "passed", undefined],
      ["case 1 (2)", "skipped", "skipped"],
    ],
  );
  assert.deepEqual([report.pass, report.summary.skipped], [true, 2]);
  assert.equal((await evaluate((input) => input, { cases: lines })).cases.length, 2);
  for (const [text, named] of [
    ["[1", /the text is no JSON/],
    ['{"input":1}\n{', /line 2 is no JSON/],
    ['{"input":1}\n{"expected":2}', /line 2 must be an object with an input/],
    ["[7]", /case 1 of the text must be an object/],
    ['{"input":1,"tags":[1]}', /line 1: tags must be texts/],
    ['{"input":1,"resume":"yes"}', /line 1: resume must be a list/],
    ['{"input":1,"config":{"configurable":{"thread_id":"x"}}}', /line 1: config has a thread_id/],
  ])
    assert.throws(() => casesOf(text), { code: "BAD_ARGUMENT", message: named });
});

test("text and tool calls are what the graph made of its messages at last", async () => {
  const state = {
    messages: [
      new HumanMessage({ content: "ask bob@x.com", id: "q" }),
      new AIMessage({
        content: "bob@x.com",
        id: "a",
        tool_calls: [callOf("pay", { eur: 1 }, "1")],
      }),
    ],
  };
  const replaced = new StateGraph(MessagesAnnotation)
    .addNode("answer", () => ({ messages: state.messages[1] }))
    .addNode("hide", () => ({
      messages: [
        new HumanMessage({ content: "ask [EMAIL]", id: "q" }),
        new AIMessage({
          content: "[EMAIL]",
          id: "a",
          tool_calls: [callOf("pay", { eur: 2 }, "1")],
        }),
      ],
    }))
    .addEdge(START, "answer")
    .addEdge("answer", "hide")
    .compile();
  const { cases } = await evaluate(replaced, {
    cases: [{ input: { messages: [state.messages[0]] }, expected: "[EMAIL]" }],
    scorers: [exact(), trajectory([{ name: "pay", args: { eur: 2 } }])],
  });
  const [run] = cases[0].runs;
  assert.deepEqual([run.pass, run.text, run.messages.length], [true, "[EMAIL]", 1]);
});

test("an onProgress that fails, at once or later, fails nothing", async (t) => {
  const told = t.mock.method(console, "warn", () => {});
  for (const onProgress of [
    async () => Promise.reject(new Error("later")),
    () => {
      throw new Error("at once");
    },
  ]) {
    const report = await evaluate((input) => input, { cases: [{ input: 1 }], onProgress });
    assert.equal(report.pass, true);
  }
  await new Promise(setImmediate);
  assert.equal(told.mock.callCount(), 2);
});

test("options of the wrong form are refused before anything runs", async () => {
  let calls = 0;
  const cases = [{ input: 1 }];
  for (const [options, named] of [
    [undefined, /options must be an object/],
    [{ cases: 5 }, /options\.cases must be/],
    [{ cases: [] }, /has no case/],
    [{ cases: [{ input: 1, expected: 1, name: "one" }] }, /scorers has none.* what one expects/],
    [{ cases: [{ input: 1, trajectory: [] }], scorers: [] }, /options\.scorers has none/],
    [{ cases: [null] }, /case 1 must be an object/],
    [{ cases, repeat: 0 }, /repeat must be/],
    [{ cases, concurrency: 1.5 }, /concurrency must be/],
    [{ cases, threshold: 2 }, /threshold must be/],
    [{ cases, timeoutMs: "5" }, /timeoutMs must be/],
    [{ cases, signal: {} }, /signal must be/],
    [{ cases, ids: 5 }, /ids must be/],
    [{ cases, ids: () => 5 }, /ids must be/],
    [{ cases, clock: "now" }, /clock must be/],
    [{ cases, onProgress: 5 }, /onProgress must be/],
    [{ cases, scorers: { a: 5 } }, /scorers must be/],
    [{ cases, scorers: [() => true] }, /named ones/],
    [{ cases, scorers: [exact(), exact()] }, /two with the name exact/],
    [{ cases, scorers: [matches("x"), 7] }, /scorers must be/],
    [{ cases, scorer: [exact()] }, /no option "scorer": it has cases, scorers, /],
    [{ cases, repeats: 5 }, /no option "repeats"/],
  ])
    await assert.rejects(
      evaluate(() => calls++, options),
      { code: "BAD_ARGUMENT", message: named },
    );
  for (const target of [undefined, 5, {}, "graph"])
    await assert.rejects(evaluate(target, { cases }), { message: /target must be/ });
  assert.equal(calls, 0);
});
