// SPDX-License-Identifier: MIT
// Smoke checks of evaluations (docs/guides/evals.md): an agent over cases with every kind of
// scorer, with the smoke set's saver and with one per run; in pages, a parser reads the JUnit file.
import { equal, holds, later } from "./smoke-assert.mjs";

const callOf = (name, args, id) => ({ name, args, id, type: "tool_call" });

async function checkAgentEvals({ weft, saver }) {
  const { evaluate, judge, matches, schema, trajectory } = weft.testing;
  const { AIMessage } = weft;
  const calling = (...calls) => new AIMessage({ content: "", tool_calls: calls });
  const pay = weft.tool(({ amount }) => `paid ${amount}`, {
    name: "pay",
    schema: { type: "object", properties: { amount: { type: "number" } } },
    approval: "ask",
  });
  for (const checkpointer of [undefined, saver]) {
    const agent = weft.prebuilt.createReactAgent({
      llm: new weft.models.ScriptedModel({
        responses: [calling(callOf("pay", { amount: 5 }, "1")), "It is paid."],
        loop: true,
      }),
      tools: [pay],
      checkpointer,
    });
    const verdict = calling(callOf("verdict", { reasoning: "short", score: true }, "v"));
    const report = await evaluate(agent, {
      cases: [{ input: { messages: "pay 5" }, resume: [{ type: "accept" }], expected: "paid" }],
      scorers: {
        says: matches(),
        calls: trajectory([{ name: "pay", args: { amount: 5 } }]),
        shape: schema({ type: "object", required: ["messages"] }),
        brief: judge(new weft.models.ScriptedModel({ responses: [verdict], loop: true }), {
          rubric: "It is short.",
        }),
      },
      repeat: 2,
      concurrency: 1,
    });
    holds(report.pass, report.toTable());
    equal([report.summary.runs, report.summary.passPowK], [2, [1, 1]]);
  }
}

async function checkFailures({ weft }) {
  const { evaluate, exact } = weft.testing;
  const graph = new weft.StateGraph(weft.Annotation.Root({ a: weft.Annotation() }))
    .addNode("ask", ({ a }) =>
      a === "hang" ? new Promise(() => {}) : { a: `${a} ${weft.interrupt("?")}` },
    )
    .addEdge(weft.START, "ask")
    .compile();
  const text = "]]> <b> & \u0000";
  const report = await evaluate(graph, {
    name: text,
    cases: [
      { name: text, input: { a: text }, resume: ["yes"], expected: text },
      { input: { a: 1 } },
      { input: { a: "hang" } },
    ],
    scorers: [exact({ key: "a" })],
    timeoutMs: 200,
  });
  equal(
    report.cases.map(({ runs: [{ error, output }] }) => error?.code ?? output.a),
    [`${text} yes`, "EVAL_UNANSWERED", "EVAL_TIMEOUT"],
  );
  const { DOMParser } = globalThis;
  if (DOMParser === undefined) return;
  const page = new DOMParser().parseFromString(report.toJUnit(), "application/xml");
  equal(page.querySelector("parsererror")?.textContent, undefined);
  const [failure, ...errors] = page.querySelectorAll("failure, error");
  const [first] = page.querySelectorAll("testcase");
  const shown = text.replace("\u0000", "\ufffd");
  equal([first.getAttribute("name"), errors.length], [shown, 2]);
  holds(failure.textContent.includes("]]> <b> &"), failure.textContent);
}

async function checkRecorded({ weft }) {
  const { casesFromRecordings, evaluate, exact, trajectory } = weft.testing;
  const add = weft.tool(({ a, b }) => String(a + b), {
    name: "add",
    schema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  });
  const agentOf = (responses) =>
    weft.prebuilt.createReactAgent({
      llm: new weft.models.ScriptedModel({ responses }),
      tools: [add],
    });
  const tool_calls = [callOf("add", { a: 2, b: 3 }, "1")];
  const recording = weft.record();
  const live = agentOf([new weft.AIMessage({ content: "", tool_calls }), "It is 5."]);
  await live.invoke({ messages: "2 + 3?" }, { record: recording });
  const cases = casesFromRecordings([recording.text()]);
  let [now, most] = [0, 0];
  const report = await evaluate(
    async (input, config, { case: { responses } }) => {
      most = Math.max(most, ++now);
      await later();
      const output = await agentOf(responses).invoke(input, config);
      now--;
      return output;
    },
    { cases, scorers: [exact(), trajectory()], repeat: 4, concurrency: 2 },
  );
  holds(report.pass, report.toTable());
  equal([most, cases[0].trajectory], [2, [{ name: "add", args: { a: 2, b: 3 } }]]);
}

export const evalChecks = [
  ["recorded runs are cases, and run again several at once", checkRecorded],
  ["an agent that asks is evaluated with every kind of scorer", checkAgentEvals],
  ["runs of an evaluation fail by name, and the JUnit file is XML", checkFailures],
];
