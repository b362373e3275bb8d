// SPDX-License-Identifier: MIT
// A page of a developer's own with <weft-studio> over graphs that ask in several ways.
import { Annotation, MemorySaver, START, StateGraph, repairBySchema, tool } from "weftgraph";
import { approvalRules } from "weftgraph/approval";
import { createReactAgent } from "weftgraph/prebuilt";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createServer } from "weftgraph/server";
import "weftgraph/studio";

const checkpointer = new MemorySaver();
const ran = [];
const order = tool(({ item, quantity }) => (ran.push(`${quantity} ${item}`), "ordered"), {
  name: "place_order",
  approval: "ask",
  schema: {
    type: "object",
    properties: { item: { type: "string" }, quantity: { type: "integer", minimum: 1 } },
    required: ["item", "quantity"],
  },
});
const call = (id, args) => ({ id, name: "place_order", args });
const agentOf = (calls, options) =>
  createReactAgent({
    llm: new ScriptedModel({ responses: [{ content: "", tool_calls: calls }, "Done."] }),
    tools: [order],
    checkpointer,
    ...options,
  });

// What a model wrote to mislead, and a number that it wrote as a text.
const batch = agentOf(
  [
    call("a", { item: "p\u0430ypal \u202ecards", quantity: "2" }),
    call("b", { item: "cups", quantity: 1 }),
  ],
  {
    repair: repairBySchema,
    approvals: approvalRules({ batch: true, form: true, expires: 3_600_000 }),
  },
);
const long = agentOf([call("a", { item: `${"tea ".repeat(900)}AND WIRE 9000 EUR`, quantity: 1 })]);

const deliver = tool((args) => (ran.push(args), "ordered"), {
  name: "deliver",
  approval: "ask",
  schema: {
    type: "object",
    properties: {
      item: { type: "string", minLength: 1 },
      quantity: { type: "integer", minimum: 1, maximum: 100, description: "How many" },
      delivery: {
        type: "object",
        properties: {
          day: { type: "string", format: "date" },
          speed: {
            oneOf: [
              { const: "standard", title: "Standard, 3 to 5 days" },
              { const: "express", title: "Express, the next day" },
            ],
          },
          signed: { type: "boolean", title: "Hand over against a signature" },
        },
        additionalProperties: false,
      },
      wishes: { type: "array", items: { type: "string", minLength: 1 }, maxItems: 5 },
    },
    required: ["item", "quantity"],
    additionalProperties: false,
  },
});
const fields = agentOf([{ id: "a", name: "deliver", args: { item: "cakes", quantity: 2 } }], {
  tools: [deliver],
  approvals: approvalRules({ form: true }),
});

const brief = agentOf([call("a", { item: "ice", quantity: 1 })], {
  approvals: approvalRules({ expires: 1500 }),
});

const said = [];
const asking = (value, responseSchema) =>
  new StateGraph(Annotation.Root({ topic: Annotation }))
    .addNode("ask", (_, runtime) => {
      said.push(runtime.interrupt(value, responseSchema && { responseSchema }));
      return {};
    })
    .addEdge(START, "ask")
    .compile({ checkpointer });
const form = asking(
  { question: "Where to?", note: "It leaves today." },
  {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer", minimum: 1 } },
    required: ["city", "days"],
  },
);
const choice = asking({ question: "Publish it?", options: ["yes", "no"] });

const studio = document.createElement("weft-studio");
studio.server = createServer({ graphs: { batch, long, fields, brief, form, choice } });
studio.setAttribute("graph", new URLSearchParams(location.search).get("graph"));
document.body.append(studio);
Object.assign(globalThis, { studio, ran, said, violations: [] });
document.addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
  globalThis.violations.push(violatedDirective),
);
