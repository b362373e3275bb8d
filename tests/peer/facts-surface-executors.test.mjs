// SPDX-License-Identifier: MIT
// The agents from before tool calling: ToolExecutor, createFunctionCallingExecutor,
// createAgentExecutor.
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import * as peer from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import * as weft from "weftgraph/prebuilt";
import { drain, same } from "./surface.mjs";

const prebuilt = (t) => (t.isPeer ? peer : weft);
const add = tool(({ a, b }) => `${a + b}`, {
  name: "add",
  description: "adds",
  schema: z.object({ a: z.number(), b: z.number() }),
});
const fails = tool(
  () => {
    throw new RangeError("bad");
  },
  { name: "fails", description: "fails", schema: z.object({}) },
);
const echo = tool((input) => `got ${input}`, { name: "echo", description: "says it again" });

const done = new AIMessage({ content: "done", id: "d" });
const calling = (name, text) =>
  new AIMessage({
    content: "",
    id: "c",
    additional_kwargs: { function_call: { name, arguments: text } },
  });
const first = {
  "a call whose arguments are a text": calling("add", '{"a":1,"b":2}'),
  "no call": done,
  "an unknown tool": calling("nobody", "{}"),
  "a tool that fails": calling("fails", "{}"),
  "a tool of texts": calling("echo", "hello"),
  "no arguments": calling("add", ""),
};

for (const [title, answer] of Object.entries(first)) {
  same(`createFunctionCallingExecutor: ${title}`, async (lib, t) => {
    const { ToolExecutor, createFunctionCallingExecutor } = prebuilt(t);
    const tools = [add, fails, echo];
    for (const given of [tools, new ToolExecutor({ tools })]) {
      const answers = [answer, done];
      const bind = ({ functions }) => {
        t.note(
          "bound",
          functions.map(({ name, description, parameters }) => [
            name,
            description,
            parameters.type,
            Object.keys(parameters.properties),
          ]),
        );
        return RunnableLambda.from((messages) => (t.note("asked", messages), answers.shift()));
      };
      const graph = createFunctionCallingExecutor({ model: { bind }, tools: given });
      t.note("nodes", [graph.getName(), Object.keys(graph.nodes)]);
      await t.stream(
        graph,
        { messages: [new HumanMessage({ content: "q", id: "h" })] },
        { streamMode: ["updates", "values"] },
      );
    }
  });
}

same("createFunctionCallingExecutor: what a model is told of tools", async (lib, t) => {
  const { createFunctionCallingExecutor } = prebuilt(t);
  const schema = z.object({
    a: z.number().optional(),
    b: z.string().describe("b"),
    c: z.enum(["x", "y"]).default("x"),
    d: z.array(z.object({ e: z.any() })),
  });
  const tools = [
    add,
    fails,
    tool(() => "", { name: "many", schema }),
    tool(() => "", { name: "strict", schema: z.strictObject({ a: z.string() }) }),
    tool(() => "", {
      name: "json",
      schema: { type: "object", properties: { a: { type: "string" } } },
    }),
  ];
  createFunctionCallingExecutor({ model: { bind: (given) => t.note("bound", given) }, tools });
});

same("createFunctionCallingExecutor: what a model is told of tools of zod 3", async (lib, t) => {
  const { createFunctionCallingExecutor } = prebuilt(t);
  const parts = () => ({
    a: z3.number().int().min(3).optional(),
    b: z3.union([z3.string(), z3.number()]).describe("b"),
    c: z3.enum(["x", "y"]).default("x"),
    d: z3.date(),
    e: z3.tuple([z3.string(), z3.literal(5)]),
  });
  const schemas = [
    z3.object({ ...parts(), more: z3.array(z3.object(parts())) }),
    z3.object({}).strict(),
    z3.object({ a: z3.any() }).passthrough(),
    z3.object(parts()).transform((all) => all),
  ];
  const tools = schemas.map((schema, index) => ({
    name: `t${index}`,
    description: "d",
    schema,
    invoke() {},
  }));
  createFunctionCallingExecutor({ model: { bind: (given) => t.note("bound", given) }, tools });
});

const outcomes = {
  "an end": [{ returnValues: { out: 1 }, log: "l" }],
  "a call, then an end": [
    { tool: "add", toolInput: { a: 1, b: 2 }, log: "" },
    { returnValues: {}, log: "" },
  ],
  "an unknown tool": [
    { tool: "nobody", toolInput: {}, log: "" },
    { returnValues: {}, log: "" },
  ],
  "a tool that fails": [{ tool: "fails", toolInput: {}, log: "" }],
  "arguments that do not fit": [{ tool: "add", toolInput: { a: "x" }, log: "" }],
  nothing: [null],
  "a list of calls": [[{ tool: "add", toolInput: { a: 1, b: 2 } }]],
};

for (const [title, said] of Object.entries(outcomes)) {
  same(`createAgentExecutor: ${title}`, async (lib, t) => {
    const left = [...said];
    const agent = RunnableLambda.from((state) => (t.note("agent", state), left.shift()));
    const graph = prebuilt(t).createAgentExecutor({ agentRunnable: agent, tools: [add, fails] });
    t.note("nodes", [graph.getName(), Object.keys(graph.nodes)]);
    await t.stream(
      graph,
      { input: "q", nobody: 1 },
      { streamMode: ["updates", "values"], recursionLimit: 6 },
    );
  });
}

same("ToolExecutor by itself", async (lib, t) => {
  const { ToolExecutor } = prebuilt(t);
  for (const fields of [
    {},
    { invalidToolMsgTemplate: "no {requestedToolName} but {availableToolNamesString}" },
  ]) {
    const executor = new ToolExecutor({ tools: [add, fails], ...fields });
    t.note("fields", [
      executor.lc_namespace,
      executor.tools.length,
      Object.keys(executor.toolMap),
      executor.invalidToolMsgTemplate,
    ]);
    for (const call of [
      { tool: "add", toolInput: { a: 1, b: 2 } },
      { tool: "add", toolInput: '{"a":1,"b":4}' },
      { tool: "fails", toolInput: {} },
      { tool: "nobody", toolInput: {} },
      {},
    ]) {
      await t.try("invoke", () => executor.invoke(call));
      await t.try("stream", () => drain(executor.stream(call)));
      await t.try("batch", () => executor.batch([call]));
    }
  }
});
