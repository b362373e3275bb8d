// SPDX-License-Identifier: MIT
// Smoke checks of OpenTelemetry spans (docs/guides/tracing.md), over an API of the same shape.
import { equal, later } from "./smoke-assert.mjs";

/** An API that keeps spans; nothing keeps a context over an await. */
function makeApi() {
  const spans = [];
  const tracer = {
    startSpan(name, { attributes }, context) {
      const span = {
        name,
        attributes: { ...attributes },
        parent: context.span,
        isEnded: false,
        end: () => (span.isEnded = true),
        setAttribute: (key, value) => (span.attributes[key] = value),
        setAttributes: (all) => Object.assign(span.attributes, all),
        setStatus: (status) => (span.status = status),
        spanContext: () => span,
      };
      spans.push(span);
      return span;
    },
  };
  const api = {
    trace: { getTracer: () => tracer, setSpan: (_, span) => ({ span }) },
    context: { active: () => ({}), with: (_, call) => call() },
  };
  return { api, spans };
}

/** Each span with what is above it, and whether it ended. */
const placesOf = (spans) =>
  spans
    .map((span) => {
      const names = [];
      for (let at = span; at !== undefined; at = at.parent) names.unshift(at.name);
      return `${names.join(" > ")}${span.isEnded ? "" : " (open)"}`;
    })
    .sort();

export const otelChecks = [
  [
    "spans of nodes side by side, models and tools are below their own parents, and end",
    async ({ weft }) => {
      const { Annotation, START, StateGraph, models, otel, tool } = weft;
      const { api, spans } = makeApi();
      const add = tool(({ a }) => a + 1, {
        name: "add",
        schema: { type: "object", properties: { a: { type: "number" } } },
      });
      const llm = new models.ScriptedModel({ responses: ["Hi"] });
      const State = Annotation.Root({ a: Annotation(), b: Annotation() });
      const graph = new StateGraph(State)
        .addNode("left", async (_, config) => {
          await later(2);
          return { a: await add.invoke({ a: 1 }, config) };
        })
        .addNode("right", async (_, config) => {
          await later(1);
          return { b: (await llm.invoke("Hi", config)).content };
        })
        .addEdge(START, "left")
        .addEdge(START, "right")
        .compile();
      const callbacks = [otel.otelHandler({ api })];
      equal(await graph.invoke({}, { callbacks }), { a: 2, b: "Hi" });
      equal(placesOf(spans), [
        "invoke_agent",
        "invoke_agent > step",
        "invoke_agent > step > node left",
        "invoke_agent > step > node left > execute_tool add",
        "invoke_agent > step > node right",
        "invoke_agent > step > node right > chat",
      ]);
    },
  ],
  [
    "spans of a question and its answer, and of a run that is left, end",
    async ({ weft, saver, thread }) => {
      const { Annotation, Command, START, StateGraph, otel } = weft;
      const { api, spans } = makeApi();
      const State = Annotation.Root({ a: Annotation() });
      const graph = new StateGraph(State)
        .addNode("ask", (_, config) => ({ a: config.interrupt("why?") }))
        .addNode("wait", () => later(5))
        .addEdge(START, "ask")
        .addEdge("ask", "wait")
        .compile({ checkpointer: saver });
      const config = { ...thread(), callbacks: [otel.otelHandler({ api })] };
      await graph.invoke({}, config);
      for await (const _ of await graph.stream(new Command({ resume: "so" }), config)) break;
      await later(20);
      equal(
        placesOf(spans).filter((place) => /open|interrupt|resume/.test(place)),
        ["invoke_agent > resume", "invoke_agent > step > node ask > interrupt"],
      );
    },
  ],
  [
    "an approval is a span for the question and one for the answer, and usage is counted",
    async ({ weft, saver, thread }) => {
      const { Command, models, otel, prebuilt, tool } = weft;
      const { api, spans } = makeApi();
      const order = tool(() => "ordered", {
        name: "order",
        schema: { type: "object" },
        approval: "ask",
      });
      const tool_calls = [{ name: "order", id: "c1", args: {} }];
      const usage_metadata = { input_tokens: 7, output_tokens: 2, total_tokens: 9 };
      const llm = new models.ScriptedModel({
        responses: [{ content: "", tool_calls, usage_metadata }, "Done."],
      });
      const agent = prebuilt.createReactAgent({ llm, tools: [order], checkpointer: saver });
      const config = { ...thread(), callbacks: [otel.otelHandler({ api })] };
      const asked = await agent.invoke({ messages: "go" }, config);
      const { digest } = asked[weft.INTERRUPT][0].value;
      await agent.invoke(new Command({ resume: { type: "accept" } }), config);
      equal(
        placesOf(spans).filter((place) => /open|approval|tool/.test(place.split(" > ").at(-1))),
        [
          "invoke_agent > decide_approval order",
          "invoke_agent > step > node tools",
          "invoke_agent > step > node tools",
          "invoke_agent > step > node tools > execute_tool order",
          "invoke_agent > step > node tools > request_approval order",
        ],
      );
      const told = (wanted) => {
        const { attributes } = spans.find(({ name }) => name === wanted);
        return [
          attributes["gen_ai.tool.call.id"],
          attributes["weft.approval.digest"],
          attributes["weft.approval.decision"],
        ];
      };
      equal(told("request_approval order"), ["c1", digest, undefined]);
      equal(told("decide_approval order"), ["c1", digest, "accept"]);
      const { attributes } = spans.find(({ name }) => name === "chat");
      equal(
        [attributes["gen_ai.usage.input_tokens"], attributes["gen_ai.usage.output_tokens"]],
        [7, 2],
      );
    },
  ],
  [
    "a span holds of a node's input and output what the node's rule lets through",
    async ({ weft }) => {
      const { Annotation, START, StateGraph, otel } = weft;
      const { api, spans } = makeApi();
      const State = Annotation.Root({ open: Annotation(), closed: Annotation() });
      const graph = new StateGraph(State)
        .addNode("plan", () => ({ open: "OPEN", closed: "CLOSED" }))
        .addNode("bill", () => ({ closed: "BILL" }))
        .addNode("shown", () => ({ open: "SHOWN" }))
        .addEdge(START, "plan")
        .addEdge("plan", "bill")
        .addEdge("bill", "shown")
        .compile();
      const plan = (value, { part }) => (part === "output" ? { open: value.open } : undefined);
      const content = { default: "none", nodes: { plan, shown: "all" } };
      await graph.invoke({ open: "FIRST" }, { callbacks: [otel.otelHandler({ api, content })] });
      const held = (wanted) => {
        const { attributes } = spans.find(({ name }) => name === wanted);
        return [attributes["langgraph.input"], attributes["langgraph.output"]];
      };
      equal(held("invoke_agent"), [undefined, undefined]);
      equal(held("node plan"), [undefined, '{"open":"OPEN"}']);
      equal(held("node bill"), [undefined, undefined]);
      equal(held("node shown"), ['{"open":"OPEN","closed":"BILL"}', '{"open":"SHOWN"}']);
    },
  ],
];
