// SPDX-License-Identifier: MIT
// Smoke checks of agents: models, tools, approval, the prebuilt nodes (docs/semantics.md 19;
// docs/semantics.md 20).
import { collect, equal, fails, holds } from "./smoke-assert.mjs";

const NUMBERS = {
  type: "object",
  properties: { a: { type: "integer", minimum: 0 }, b: { type: "integer" } },
  required: ["a", "b"],
  additionalProperties: false,
};

const callOf = (name, args, id) => ({ name, args, id, type: "tool_call" });
const aiCalling = ({ AIMessage }, ...calls) =>
  new AIMessage({ content: "", id: "ai", tool_calls: calls });

/** A tool that adds, and how often it was run. */
function adder({ tool }, fields) {
  const runs = [];
  const add = tool(
    async ({ a, b }) => {
      runs.push([a, b]);
      return String(a + b);
    },
    { name: "add", description: "Adds two numbers.", schema: NUMBERS, ...fields },
  );
  return { add, runs };
}

function agentOf(kit, { responses, tools, ...more }) {
  const { weft, saver } = kit;
  const llm = new weft.models.ScriptedModel({ responses });
  return {
    llm,
    agent: weft.prebuilt.createReactAgent({ llm, tools, checkpointer: saver, ...more }),
  };
}

const shown = (messages) => messages.map((message) => [message.getType(), message.content]);

async function checkAgent(kit) {
  const { weft, thread } = kit;
  const { add, runs } = adder(weft);
  const { agent, llm } = agentOf(kit, {
    responses: [aiCalling(weft, callOf("add", { a: 2, b: 3 }, "c1")), "It is 5."],
    tools: [add],
    prompt: "Be brief.",
  });
  const { messages } = await agent.invoke(
    { messages: [{ role: "user", content: "2 + 3?" }] },
    thread(),
  );
  equal(shown(messages), [
    ["human", "2 + 3?"],
    ["ai", ""],
    ["tool", "5"],
    ["ai", "It is 5."],
  ]);
  equal(runs, [[2, 3]]);
  equal(
    llm.calls[1].messages.map((message) => message.getType()),
    ["system", "human", "ai", "tool"],
  );
}

async function checkAgentStream(kit) {
  const { weft, thread } = kit;
  const { add } = adder(weft);
  const { agent } = agentOf(kit, {
    responses: [aiCalling(weft, callOf("add", { a: 1, b: 1 }, "c1")), "that makes two"],
    tools: [add],
  });
  const chunks = await collect(
    agent.stream({ messages: "1 + 1?" }, { ...thread(), streamMode: ["updates", "messages"] }),
  );
  equal(
    chunks.filter(([mode]) => mode === "updates").flatMap(([, update]) => Object.keys(update)),
    ["agent", "tools", "agent"],
  );
  const said = chunks
    .filter(([mode, payload]) => mode === "messages" && payload[0].getType() === "ai")
    .map(([, [message]]) => message.content);
  equal(said.join(""), "that makes two");
  holds(said.length >= 3, "the answer comes in tokens");
}

async function checkDemo({ weft, saver, thread }) {
  const { add } = adder(weft);
  const agent = weft.prebuilt.createReactAgent({
    llm: new weft.models.DemoModel({ tokenDelayMs: 0 }),
    tools: [add],
    checkpointer: saver,
  });
  const { messages } = await agent.invoke({ messages: [new weft.HumanMessage("hello")] }, thread());
  holds(messages.at(-1).content.includes("add"), "the demo planner names its tools");
}

/** Asks for an approval, answers it, gives the messages. */
async function approve(kit, response) {
  const { weft, thread } = kit;
  const { add, runs } = adder(weft, { approval: "ask" });
  const { agent } = agentOf(kit, {
    responses: [aiCalling(weft, callOf("add", { a: 2, b: 2 }, "c1")), "done"],
    tools: [add],
  });
  const config = thread();
  const stopped = await agent.invoke({ messages: "2 + 2?" }, config);
  const [{ id, value }] = stopped.__interrupt__;
  equal(
    [value.action_request, value.canonical],
    [{ action: "add", args: { a: 2, b: 2 } }, '{"a":2,"b":2}'],
  );
  holds(/^[0-9a-f]{64}$/.test(value.digest), "the request has a digest");
  equal([runs, (await agent.getState(config)).next], [[], ["tools"]]);
  const { messages } = await agent.invoke(new weft.Command({ resume: { [id]: response } }), config);
  return {
    messages: shown(messages).slice(1),
    runs,
    calls: messages[1].tool_calls.map(({ args }) => args),
  };
}

async function checkApproval(kit) {
  const accepted = await approve(kit, { type: "accept" });
  equal(
    [accepted.messages, accepted.runs],
    [
      [
        ["ai", ""],
        ["tool", "4"],
        ["ai", "done"],
      ],
      [[2, 2]],
    ],
  );
  const edited = await approve(kit, {
    type: "edit",
    args: { action: "add", args: { a: 4, b: 5 } },
  });
  equal(
    [edited.messages[1], edited.runs, edited.calls],
    [["tool", "9"], [[4, 5]], [{ a: 4, b: 5 }]],
  );
  const rejected = await approve(kit, { type: "response", args: "too easy" });
  equal(rejected.runs, []);
  holds(rejected.messages[1][1].includes("too easy"), "the model is told why");
}

async function checkToolNode({ weft }) {
  const { add } = adder(weft);
  const broken = weft.tool(() => Promise.reject(new Error("out of order")), {
    name: "broken",
    schema: { type: "object" },
  });
  const node = new weft.prebuilt.ToolNode([add, broken]);
  const calls = [
    callOf("add", { a: 1, b: 2 }, "1"),
    callOf("broken", {}, "2"),
    callOf("missing", {}, "3"),
    callOf("add", { a: -1, b: 2 }, "4"),
  ];
  const { messages } = await node.invoke({ messages: [aiCalling(weft, ...calls)] });
  equal(
    messages.map(({ tool_call_id, status }) => [tool_call_id, status ?? "success"]),
    [
      ["1", "success"],
      ["2", "error"],
      ["3", "error"],
      ["4", "error"],
    ],
  );
  equal(
    [messages[0].content, messages[1].content],
    ["3", "Error: out of order\n Please fix your mistakes."],
  );
  holds(messages[2].content.includes('Tool "missing" not found'), messages[2].content);
  await fails(() => node.invoke({ messages: [new weft.HumanMessage("hi")] }), {
    text: "ToolNode only accepts AIMessages as input.",
  });
}

async function checkCondition({ weft }) {
  const { toolsCondition } = weft.prebuilt;
  equal(toolsCondition({ messages: [aiCalling(weft, callOf("add", {}, "1"))] }), "tools");
  equal(toolsCondition([new weft.AIMessage("done")]), weft.END);
}

async function checkValidation({ weft }) {
  const node = new weft.prebuilt.ValidationNode([adder(weft).add]);
  const { messages } = await node.invoke({
    messages: [aiCalling(weft, callOf("add", { b: 2, a: 1 }, "1"), callOf("add", { a: 1 }, "2"))],
  });
  equal(
    messages.map(({ tool_call_id, status }) => [tool_call_id, status ?? "success"]),
    [
      ["1", "success"],
      ["2", "error"],
    ],
  );
  equal(JSON.parse(messages[0].content), { a: 1, b: 2 });
  holds(messages[1].content.includes("b"), "the text names what is missing");
}

async function checkAgentTrap(kit) {
  const { weft, thread, getEngine } = kit;
  const { add, runs } = adder(weft, { approval: "ask" });
  const { agent } = agentOf(kit, {
    responses: [aiCalling(weft, callOf("add", { a: 3, b: 4 }, "c1")), "done"],
    tools: [add],
  });
  const config = thread();
  const {
    __interrupt__: [{ id }],
  } = await agent.invoke({ messages: "3 + 4?" }, config);
  new Uint8Array(getEngine().x.memory.buffer).fill(0xff);
  await fails(() => agent.invoke(null, config), { code: "ENGINE_TRAPPED" });
  const { messages } = await agent.invoke(
    new weft.Command({ resume: { [id]: { type: "accept" } } }),
    config,
  );
  equal(
    [shown(messages).slice(2), runs],
    [
      [
        ["tool", "7"],
        ["ai", "done"],
      ],
      [[3, 4]],
    ],
  );
}

async function checkMiddleware(kit) {
  const { weft, thread, saver } = kit;
  const { createAgent, createMiddleware, toolStrategy } = weft.agent;
  const { add, runs } = adder(weft);
  const later = () => new Promise((resolve) => setTimeout(resolve, 1));
  const review = createMiddleware({
    name: "Review",
    afterModel: {
      canJumpTo: ["end"],
      hook: async (state, runtime) => {
        const call = state.messages.at(-1).tool_calls?.[0];
        if (call?.name !== "add") return undefined;
        await later();
        return runtime.interrupt({ review: call.args }) === "yes" ? undefined : { jumpTo: "end" };
      },
    },
    wrapToolCall: async (request, handler) => {
      await later();
      const { name } = request.toolCall;
      const sure = request.runtime.interrupt({ run: name });
      const message = await handler(request);
      return new weft.ToolMessage({
        content: `${message.content}, ${sure}`,
        name,
        tool_call_id: request.toolCall.id,
      });
    },
  });
  const agent = createAgent({
    model: new weft.models.ScriptedModel({
      responses: [
        aiCalling(weft, callOf("add", { a: 2, b: 3 }, "c1")),
        new weft.AIMessage({
          content: "",
          id: "ai2",
          tool_calls: [callOf("Sum", { sum: 5 }, "c2")],
        }),
      ],
    }),
    tools: [add],
    middleware: [review],
    responseFormat: toolStrategy({
      title: "Sum",
      type: "object",
      properties: { sum: { type: "integer" } },
      required: ["sum"],
    }),
    checkpointer: saver,
  });
  const config = thread();
  const asked = [];
  let result = await agent.invoke({ messages: "2 + 3?" }, config);
  for (const answer of ["yes", "sure"]) {
    asked.push(result.__interrupt__[0].value);
    result = await agent.invoke(new weft.Command({ resume: answer }), config);
  }
  equal(asked, [{ review: { a: 2, b: 3 } }, { run: "add" }]);
  equal([runs, result.structuredResponse], [[[2, 3]], { sum: 5 }]);
  equal(result.messages[2].content, "5, sure");
}

/** A plain function and a schema as tools. */
async function checkFunctions({ weft }) {
  const double = Object.assign(({ n }) => 2 * n, {
    toolName: "double",
    schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  });
  const place = { title: "place", type: "object", properties: { x: { type: "number" } } };
  const calls = [callOf("double", { n: 21 }, "1"), callOf("double", { n: "x" }, "2")];
  const responses = [aiCalling(weft, ...calls), "It is 42."];
  for (const make of [
    (llm, tools) => weft.prebuilt.createReactAgent({ llm, tools }),
    (model, tools) => weft.agent.createAgent({ model, tools }),
  ]) {
    const model = new weft.models.ScriptedModel({ responses });
    const { messages } = await make(model, [double, place]).invoke({ messages: "2 * 21?" });
    const [first, second] = messages.filter((message) => message.getType() === "tool");
    equal([first.content, second.status], ["42", "error"]);
    equal(
      model.calls[0].options.tools.map(({ function: { name } }) => name),
      ["double", "place"],
    );
  }
}

/** A language model of the AI SDK, of a version of its interface, that says one text. */
function makeAISDKModel(specificationVersion, text) {
  const isOld = specificationVersion === "v2";
  const usage = isOld
    ? { inputTokens: 3, outputTokens: 1, totalTokens: 4 }
    : { inputTokens: { total: 3 }, outputTokens: { total: 1 } };
  const end = { finishReason: isOld ? "stop" : { unified: "stop", raw: "stop" }, usage };
  return {
    specificationVersion,
    provider: "own",
    modelId: "own",
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: "text", text }], ...end, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          for (const part of [
            { type: "text-start", id: "1" },
            ...[...text].map((delta) => ({ type: "text-delta", id: "1", delta })),
            { type: "text-end", id: "1" },
            { type: "finish", ...end },
          ])
            controller.enqueue(part);
          controller.close();
        },
      }),
    }),
  };
}

async function checkAISDK({ weft }) {
  for (const version of ["v2", "v3", "v4"]) {
    const model = makeAISDKModel(version, "Tromsø");
    for (const agent of [
      weft.prebuilt.createReactAgent({ llm: model, tools: [] }),
      weft.agent.createAgent({ model, tools: [] }),
    ]) {
      const { messages } = await agent.invoke({ messages: "Where?" });
      const { content, usage_metadata } = messages.at(-1);
      equal([content, usage_metadata.total_tokens], ["Tromsø", 4], version);
      const pieces = await collect(agent.stream({ messages: "?" }, { streamMode: "messages" }));
      equal(pieces.map(([{ text }]) => text).join(""), "Tromsø", version);
      holds(pieces.length >= 6, `${version}: it comes in pieces`);
    }
  }
}

export const agentChecks = [
  ["a function with a schema runs as a tool, a schema with a title is declared", checkFunctions],
  ["models of the AI SDK are taken as they are, of each version", checkAISDK],
  ["createAgent: middlewares ask after an await, and an answer has a form", checkMiddleware],
  ["createReactAgent with a tool and a prompt", checkAgent],
  ["createReactAgent streams its steps and tokens", checkAgentStream],
  ["createReactAgent with the demo planner", checkDemo],
  ["approval of a tool call: accept, edit, response", checkApproval],
  ["ToolNode: results, and errors as messages", checkToolNode],
  ["toolsCondition", checkCondition],
  ["ValidationNode", checkValidation],
  ["a trap during an approval: the agent goes on in a new engine", checkAgentTrap],
];
