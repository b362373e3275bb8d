// SPDX-License-Identifier: MIT
// A page with <weft-studio> over a server that means harm: its payload is in every text that a
// server can say. `show(n)` shows one of PAYLOADS, with `true` in questions.
import "weftgraph/studio";
import { questionsOf } from "./hostile-questions.mjs";
import { PAYLOADS } from "./studio-payloads.mjs";

const GRAPH = "agent";
/** Characters of a text in questions, which show all of it in some thirty places. */
const LONG = 2000;
const checkpoint = (id) => ({ thread_id: "t", checkpoint_id: id, checkpoint_ns: "" });
/** @param {string} payload */
function says(payload) {
  const call = { name: payload, id: "c1", args: { [payload]: payload } };
  const states = [
    {
      values: {
        [payload]: { [payload]: payload },
        messages: [
          { type: "human", id: "h", name: payload, content: payload },
          { type: "ai", id: "a", name: payload, content: payload, tool_calls: [call] },
          { type: "tool", id: "r", name: payload, tool_call_id: "c1", content: payload },
          { type: payload, id: "o", content: [{ type: payload }, { type: "text", text: payload }] },
          { type: "ai", id: "b", content: `\`\`\`${payload}\n${payload}\n\`\`\`\n\n# ${payload}` },
        ],
      },
      next: [payload],
      tasks: [{ id: payload, name: payload, error: payload, interrupts: [], result: payload }],
      metadata: { source: payload, step: 1 },
      created_at: payload,
      checkpoint: checkpoint("2"),
      parent_checkpoint: checkpoint("1"),
    },
    {
      values: { messages: [] },
      next: [payload],
      tasks: [],
      metadata: { source: payload, step: 0 },
      created_at: payload,
      checkpoint: checkpoint("1"),
      parent_checkpoint: null,
    },
  ];
  const thread = {
    thread_id: "t",
    updated_at: payload,
    status: "error",
    metadata: { graph_id: GRAPH, title: payload },
    interrupts: {},
  };
  const events = [
    ["metadata", { run_id: "r" }],
    ["tasks", { id: "1", name: payload, input: payload }],
    [
      "messages",
      [{ type: "AIMessageChunk", id: "s", content: payload }, { langgraph_node: payload }],
    ],
    ["tasks", { id: "1", name: payload, error: payload, interrupts: [] }],
    [`custom|${payload.replace(/[\r\n]/g, " ")}`, payload],
    ["error", { error: payload, message: payload }],
    ["metadata", { status: "run_done", run_id: "r", run_status: "error" }],
  ];
  const answers = {
    "/assistants/search": [{ assistant_id: GRAPH, graph_id: GRAPH }, { graph_id: payload }],
    "/assistants/agent/graph": {
      nodes: [{ id: "__start__" }, { id: payload }, { id: `${payload}:inner` }],
      edges: [
        { source: "__start__", target: payload, data: payload, conditional: true },
        { source: payload, target: `${payload}:inner`, conditional: false },
      ],
    },
    "/assistants/agent/schemas": { input_schema: { properties: { messages: {}, [payload]: {} } } },
    "/threads/search": [thread],
    "/threads/t": thread,
    "/threads/t/history": states,
    "/threads/t/decisions": [
      { type: payload, by: payload, tool_call_id: payload, answer: { tool: payload, at: payload } },
    ],
  };

  return { answers, events };
}

/** @param {ReturnType<typeof says>["answers"]} answers @param {object} interrupts */
function asks(answers, interrupts) {
  Object.assign(answers["/threads/t"], { status: "interrupted", interrupts });
  answers["/threads/t/history"][0].tasks[0].interrupts = Object.values(interrupts).flat();
}

/** @param {string} payload @param {boolean} isAsked */
function serverOf(payload, isAsked) {
  const { answers, events } = says(payload);
  if (isAsked)
    asks(
      answers,
      Object.fromEntries(
        questionsOf(payload).map(({ value, schema }, at) => [
          `i${at}`,
          [{ id: `i${at}`, value, response_schema: schema }],
        ]),
      ),
    );
  return {
    async fetch(url) {
      const path = new URL(url).pathname;
      if (path === "/threads/t/stream") {
        const texts = events.map(
          ([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
        );
        return new Response(
          new ReadableStream({
            start: (stream) => stream.enqueue(new TextEncoder().encode(texts.join(""))),
          }),
        );
      }
      if (!Object.hasOwn(answers, path)) return Response.json({ detail: payload }, { status: 500 });
      return Response.json(answers[path]);
    },
  };
}

/** @param {number} at @param {boolean} [isAsked] */
function show(at, isAsked = false) {
  document.querySelector("weft-studio")?.remove();
  const studio = document.createElement("weft-studio");
  studio.server = serverOf(PAYLOADS[at].slice(0, isAsked ? LONG : Infinity), isAsked);
  studio.setAttribute("graph", GRAPH);
  studio.setAttribute("thread", "t");
  document.body.append(studio);
}

Object.assign(globalThis, { show, violations: [] });
document.addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
  globalThis.violations.push(violatedDirective),
);
show(0);
