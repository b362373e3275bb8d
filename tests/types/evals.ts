// SPDX-License-Identifier: MIT
// What may be evaluated, and what scorers and reports say of their values, as a compiler sees it.
import { Annotation, START, StateGraph, entrypoint } from "weftgraph";
import { createAgent, modelFallbackMiddleware } from "weftgraph/agent";
import type { AISDKModel } from "weftgraph/models/ai-sdk";
import { ScriptedModel } from "weftgraph/models/scripted";
import { toolsByText } from "weftgraph/models/text-tools";
import { createReactAgent } from "weftgraph/prebuilt";
import { record } from "weftgraph/record";
import {
  casesFromRecordings,
  evalTests,
  evaluate,
  exact,
  judge,
  matches,
  schema,
  trajectory,
  type EvalCase,
  type Scorer,
} from "weftgraph/testing";
import { expectType } from "./expect.js";

declare const test: (name: string, run?: () => void | Promise<void>) => Promise<void>;
const cases: EvalCase<number, string>[] = [{ input: 1, expected: "1", resume: [true] }];
const model = new ScriptedModel({ responses: [] });
declare const sdkModel: AISDKModel;
const graph = new StateGraph(Annotation.Root({ a: Annotation<number> }))
  .addNode("n", () => ({ a: 1 }))
  .addEdge(START, "n")
  .compile();

for (const target of [
  graph,
  createAgent({ model }),
  createAgent({ model: sdkModel, middleware: [modelFallbackMiddleware(sdkModel, model)] }),
  toolsByText(sdkModel),
  createReactAgent({ llm: model, tools: [] }),
  entrypoint("flow", async (input: number) => input),
  model,
  (input: number) => input + 1,
])
  void evaluate(target, { cases });
void evaluate((input, config, { case: { expected } }) => graph.invoke(input, config) ?? expected, {
  cases: '[{"input":1}]',
});
// @ts-expect-error nothing to call
void evaluate({}, { cases });
// @ts-expect-error a case has an input
void evaluate(graph, { cases: [{ expected: 1 }] });

const own: Scorer = async ({ toolCalls, usage }) => ({
  score: toolCalls.length > 0,
  reason: `${usage?.total_tokens}`,
});
const options = {
  cases: casesFromRecordings([record(), "text", ["first", "second"]]),
  scorers: {
    own,
    exact: exact({ key: "a" }),
    matches: matches([/a/, "b"], { ignoreCase: true }),
    schema: schema({ type: "object" }, { json: true }),
    strict: trajectory(["a", { name: "b", args: { n: 1 } }, ["c", "d"]], {
      args: (args) => args.n,
    }),
    part: trajectory({ mode: "superset" }),
    judge: judge(model, { rubric: "r", choices: [0, 1] }),
    strange: judge(sdkModel, { rubric: "r" }),
  },
};
const report = await evaluate(graph, options);
expectType<number>()(report.summary.passPowK[0]);
expectType<"passed" | "failed" | "skipped" | "aborted">()(report.cases[0].status);
expectType<string | undefined>()(report.cases[0].runs[0].scores.own.reason);
const tests = await evalTests({ test }, graph, options);
expectType<string>()(tests.report().toJUnit());
// @ts-expect-error an unknown mode
void trajectory({ mode: "loose" });
