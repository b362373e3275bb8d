// SPDX-License-Identifier: MIT
// Cases made of recordings: input, answers, tool calls, result and the model's messages come from
// the recording alone; a run that cannot stand alone is refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AIMessage,
  Annotation,
  Command,
  MemorySaver,
  MessagesAnnotation,
  RemoveMessage,
  START,
  StateGraph,
  entrypoint,
  interrupt,
} from "weftgraph";
import { LastValue } from "weftgraph/channels";
import { createAgent } from "weftgraph/agent";
import { ScriptedModel } from "weftgraph/models/scripted";
import { Channel, Pregel } from "weftgraph/pregel";
import { createReactAgent } from "weftgraph/prebuilt";
import { record, replay } from "weftgraph/record";
import { casesFromRecordings, evaluate, exact, trajectory } from "weftgraph/testing";
import { tool } from "weftgraph/tools";

const callOf = (name, args, id) => ({ name, args, id, type: "tool_call" });
const calling = (...calls) => new AIMessage({ content: "", tool_calls: calls });
const add = tool(({ a, b }) => String(a + b), {
  name: "add",
  schema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
});
const responses = [calling(callOf("add", { a: 2, b: 3 }, "1")), "It is 5."];

/** Records the runs of a thread; the texts. */
async function recorded(graph, inputs, thread = "t") {
  const texts = [];
  for (const input of inputs) {
    const recording = record();
    await graph
      .invoke(input, { configurable: { thread_id: thread }, record: recording })
      .catch(() => {});
    texts.push(recording.text());
  }
  return texts;
}

for (const [name, make] of [
  ["createReactAgent", (llm) => createReactAgent({ llm, tools: [add] })],
  ["createAgent", (model) => createAgent({ model, tools: [add] })],
])
  test(`a recorded run of ${name} is a case, and its model's answers serve the same graph again`, async () => {
    const agent = make(new ScriptedModel({ responses }));
    const earlier = ["0 + 0?", new AIMessage("0")];
    const [text] = await recorded(agent, [{ messages: [...earlier, "2 + 3?"] }]);
    const [one] = casesFromRecordings([text]);
    assert.deepEqual(one.input.messages.slice(2), ["2 + 3?"]);
    assert.equal(one.expected.messages.at(-1).content, "It is 5.");
    assert.deepEqual(one.trajectory, [{ name: "add", args: { a: 2, b: 3 } }]);
    assert.deepEqual(
      one.responses.map(({ content }) => content),
      ["", "It is 5."],
    );
    const models = [];
    const report = await evaluate(
      (input, config, { case: { responses } }) => {
        models.push(new ScriptedModel({ responses }));
        return make(models.at(-1)).invoke(input, config);
      },
      { cases: [one], scorers: [exact(), trajectory()], repeat: 2 },
    );
    assert.equal(report.pass, true, report.toTable());
    assert.deepEqual(
      models.map(({ calls }) => calls.length),
      [2, 2],
    );
    const other = make(new ScriptedModel({ responses: ["No idea."], loop: true }));
    const worse = await evaluate(other, { cases: [one], scorers: [exact(), trajectory()] });
    assert.deepEqual(
      Object.values(worse.cases[0].runs[0].scores).map(({ pass }) => pass),
      [false, false],
    );
  });

test("a recorded output is scored without running anything", async () => {
  const agent = createReactAgent({ llm: new ScriptedModel({ responses }), tools: [add] });
  const cases = casesFromRecordings(await recorded(agent, [{ messages: "2 + 3?" }]));
  const report = await evaluate((_, __, { case: { recorded } }) => recorded.output, {
    cases,
    scorers: [trajectory(["add"])],
  });
  assert.equal(report.pass, true, report.toTable());
});

test("runs that answer questions are one case with the run that asked; answers are in the order of the questions", async () => {
  const State = Annotation.Root({
    log: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  });
  const graph = () =>
    new StateGraph(State)
      .addNode("a", () => ({ log: [`a ${interrupt("a?")}`] }))
      .addNode("b", () => ({ log: [`b ${interrupt("b?")}`] }))
      .addNode("c", () => ({ log: [`c ${interrupt("c?")}`] }))
      .addEdge(START, "a")
      .addEdge(START, "b")
      .addEdge(["a", "b"], "c")
      .compile({ checkpointer: new MemorySaver() });
  const asking = graph();
  const [first] = await recorded(asking, [{ log: ["in"] }]);
  const { interrupts } = replay(first);
  const [a, b] = ["a?", "b?"].map(
    (question) => interrupts.find(({ value }) => value === question).id,
  );
  const rest = await recorded(asking, [
    new Command({ resume: { [b]: "B", [a]: "A" } }),
    new Command({ resume: { answer: "C" } }),
  ]);
  const [one] = casesFromRecordings([[first, ...rest]]);
  assert.deepEqual(one.input, { log: ["in"] });
  assert.deepEqual(one.resume, ["A", "B", { answer: "C" }]);
  assert.deepEqual(one.expected, { log: ["in", "a A", "b B", "c [object Object]"] });
  const report = await evaluate(graph(), { cases: [one], scorers: [exact()] });
  assert.equal(report.pass, true, report.toTable());
  const { input, resume, continues } = replay(rest[1]);
  assert.deepEqual([input, resume, continues], [undefined, { answer: "C" }, true]);
});

test("inputs of workflows and of graphs of channels are those of their calls", async () => {
  const flow = entrypoint("flow", async (input) => input.length);
  const copy = (inputChannels) =>
    new Pregel({
      nodes: {
        copy: Channel.subscribeTo("first")
          .pipe((value) => [value])
          .pipe(Channel.writeTo(["out"])),
      },
      channels: { first: new LastValue(), second: new LastValue(), out: new LastValue() },
      inputChannels,
      outputChannels: "out",
    });
  for (const [graph, input] of [
    [flow, ["x", "y"]],
    [flow, "text"],
    [copy("first"), { a: 1 }],
    [copy(["first", "second"]), { first: 1, second: 2 }],
    [copy(["first"]), { first: 1 }],
  ]) {
    const [one] = casesFromRecordings(await recorded(graph, [input]));
    assert.deepEqual(one.input, input);
    const report = await evaluate(graph, { cases: [one], scorers: [exact()] });
    assert.equal(report.pass, true, report.toTable());
  }
});

test("messages that the graph removed are among the model's answers; a failed run has no expected", async () => {
  const forgets = new StateGraph(MessagesAnnotation)
    .addNode("model", () => ({ messages: [new AIMessage({ content: "first", id: "x" })] }))
    .addNode("forget", () => ({
      messages: [new RemoveMessage({ id: "x" }), new AIMessage("last")],
    }))
    .addNode("fail", () => {
      throw new Error("broken");
    })
    .addEdge(START, "model")
    .addEdge("model", "forget")
    .addEdge("forget", "fail")
    .compile();
  const [one] = casesFromRecordings(await recorded(forgets, [{ messages: "hi" }]));
  assert.deepEqual(
    one.responses.map(({ content }) => content),
    ["first", "last"],
  );
  assert.ok(!("expected" in one));
  assert.equal(one.recorded.error.message, "broken");
});

test("a run that cannot stand alone, or is no recording, is refused", async () => {
  const asks = () =>
    new StateGraph(Annotation.Root({ a: Annotation() }))
      .addNode("ask", () => ({ a: interrupt("?") }))
      .addEdge(START, "ask")
      .compile({ checkpointer: new MemorySaver() });
  const [asked, answered] = await recorded(asks(), [{ a: 1 }, new Command({ resume: "x" })]);
  const plain = new StateGraph(MessagesAnnotation)
    .addNode("n", () => ({ messages: ["x"] }))
    .addEdge(START, "n")
    .compile({ checkpointer: new MemorySaver() });
  const [first, second] = await recorded(plain, [{ messages: "1" }, { messages: "2" }]);
  const [routed] = await recorded(
    plain,
    [new Command({ update: { messages: "1" }, goto: "n" })],
    "other",
  );
  for (const [recordings, named] of [
    [[asked], /recording 1 is not finished/],
    [[answered], /recording 1 does not begin a thread/],
    [[first, second], /recording 2 does not begin a thread/],
    [[routed], /does not begin a thread/],
    [[[first, second]], /must answer the one before it/],
    [[[]], /recording 1 is an empty list/],
    [["{}"], /no recording/],
    [[5], /must be a text/],
    [5, /must be a list/],
    [first, /must be a list/],
  ])
    assert.throws(() => casesFromRecordings(recordings), { code: "BAD_ARGUMENT", message: named });
  assert.equal(casesFromRecordings([[asked, answered]]).length, 1);
});

test("a call that a person edited: the trajectory has what ran, the responses what the model said", async () => {
  const asking = tool(({ a, b }) => String(a + b), {
    name: "add",
    schema: add.schema,
    approval: "ask",
  });
  const make = (llm) => createReactAgent({ llm, tools: [asking], checkpointer: new MemorySaver() });
  const resume = { type: "edit", args: { action: "add", args: { a: 2, b: 4 } } };
  const texts = await recorded(make(new ScriptedModel({ responses })), [
    { messages: "2 + 3?" },
    new Command({ resume }),
  ]);
  const cases = casesFromRecordings([texts]);
  assert.deepEqual(cases[0].trajectory, [{ name: "add", args: { a: 2, b: 4 } }]);
  assert.deepEqual(cases[0].responses[0].tool_calls[0].args, { a: 2, b: 3 });
  const again = make(new ScriptedModel({ responses: cases[0].responses }));
  const report = await evaluate(again, { cases, scorers: [exact(), trajectory()] });
  assert.ok(report.pass, report.toTable());
});
