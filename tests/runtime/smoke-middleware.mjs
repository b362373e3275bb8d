// SPDX-License-Identifier: MIT
// Smoke checks of the middlewares of agents, one for each (docs/guides/middleware.md).
import { equal, fails, holds, later } from "./smoke-assert.mjs";

const callOf = (name, args = {}, id = "c1") => ({ name, args, id, type: "tool_call" });
const calling = (...tool_calls) => ({ content: "", tool_calls });
const said = ({ messages }) => messages.map((message) => [message.getType(), message.content]);
const last = ({ messages }) => messages.at(-1).content;

/** A scripted model. */
const modelOf = ({ weft }, ...responses) => new weft.models.ScriptedModel({ responses });

/** A tool that answers after a turn of the event loop; `ran`: its arguments. */
function toolOf({ weft }, name, answer = () => "ok") {
  const ran = [];
  const made = weft.tool(
    async (args) => {
      await later();
      ran.push(args);
      return answer(ran.length);
    },
    {
      name,
      description: `The tool ${name}`,
      schema: { type: "object", properties: { to: { type: "string" } } },
    },
  );
  return Object.assign(made, { ran });
}

function agentOf({ weft, saver }, options) {
  return weft.agent.createAgent({ checkpointer: saver, ...options });
}

async function checkHumanInTheLoop(kit) {
  const { weft, thread } = kit;
  const [send, look] = ["send", "look"].map((name) => toolOf(kit, name));
  const agent = agentOf(kit, {
    model: modelOf(
      kit,
      calling(
        callOf("send", { to: "ann" }, "c1"),
        callOf("look", {}, "c2"),
        callOf("send", { to: "bob" }, "c3"),
        callOf("send", { to: "eve" }, "c4"),
      ),
      "done",
    ),
    tools: [send, look],
    middleware: [
      weft.middleware.humanInTheLoopMiddleware({
        interruptOn: {
          send: {
            allowedDecisions: ["approve", "edit", "reject"],
            when: async () => (await later(), true),
            description: async ({ args }) => (await later(), `To ${args.to}?`),
          },
        },
      }),
    ],
  });
  const config = thread();
  const { __interrupt__: asked } = await agent.invoke({ messages: "go" }, config);
  equal(
    asked[0].value.actionRequests.map(({ args, description }) => [args.to, description]),
    [
      ["ann", "To ann?"],
      ["bob", "To bob?"],
      ["eve", "To eve?"],
    ],
  );
  equal([send.ran, look.ran], [[], []]);
  const decisions = [
    { type: "approve" },
    { type: "edit", editedAction: { name: "send", args: { to: "zoe" } } },
    { type: "reject", message: "not her" },
  ];
  const state = await agent.invoke(new weft.Command({ resume: { decisions } }), config);
  equal([send.ran.map(({ to }) => to).sort(), look.ran], [["ann", "zoe"], [{}]]);
  equal(last(state), "done");
  holds(
    state.messages.some(({ content }) => content === "not her"),
    "the model is told why",
  );
}

async function checkSummarization(kit) {
  const { weft, thread } = kit;
  const model = modelOf(kit, "At nine.");
  const agent = agentOf(kit, {
    model,
    middleware: [
      weft.middleware.summarizationMiddleware({
        model: modelOf(kit, "A trip to Oslo."),
        trigger: { messages: 3 },
        keep: { messages: 1 },
      }),
    ],
  });
  const messages = [
    ["human", "To Oslo"],
    ["ai", "By train?"],
    ["human", "Yes"],
  ];
  const state = await agent.invoke({ messages }, thread());
  holds(state.messages[0].content.includes("A trip to Oslo."), "the summary stands first");
  equal(said(state).slice(1), [
    ["human", "Yes"],
    ["ai", "At nine."],
  ]);
}

async function checkContextEditing(kit) {
  const { weft, thread } = kit;
  const { ClearToolUsesEdit, contextEditingMiddleware } = weft.middleware;
  const model = modelOf(kit, calling(callOf("look")), calling(callOf("look", {}, "c2")), "done");
  const agent = agentOf(kit, {
    model,
    tools: [toolOf(kit, "look", (count) => `view ${count}`)],
    middleware: [
      contextEditingMiddleware({
        edits: [new ClearToolUsesEdit({ trigger: { tokens: 1 }, keep: { messages: 1 } })],
      }),
    ],
  });
  const results = (messages) =>
    messages.filter((message) => message.getType() === "tool").map(({ content }) => content);
  const { messages } = await agent.invoke({ messages: "go" }, thread());
  equal(results(model.calls[2].messages), ["[cleared]", "view 2"]);
  equal(results(messages), ["view 1", "view 2"]);
}

async function checkPromptCaching(kit) {
  const { weft, thread } = kit;
  const model = Object.assign(modelOf(kit, "hi"), { getName: () => "ChatAnthropic" });
  const agent = agentOf(kit, {
    model,
    middleware: [
      weft.middleware.anthropicPromptCachingMiddleware({ ttl: "1h", minMessagesToCache: 1 }),
    ],
  });
  await agent.invoke({ messages: "go" }, thread());
  equal(model.calls[0].options.cache_control, { type: "ephemeral", ttl: "1h" });
}

async function checkModelCallLimit(kit) {
  const { weft, thread } = kit;
  const model = modelOf(kit, calling(callOf("look")), calling(callOf("look", {}, "c2")), "done");
  const agent = agentOf(kit, {
    model,
    tools: [toolOf(kit, "look")],
    middleware: [weft.middleware.modelCallLimitMiddleware({ runLimit: 2 })],
  });
  const state = await agent.invoke({ messages: "go" }, thread());
  equal(model.calls.length, 2);
  holds(last(state).includes("limit"), last(state));
}

async function checkToolCallLimit(kit) {
  const { weft, thread } = kit;
  const look = toolOf(kit, "look");
  const agent = agentOf(kit, {
    model: modelOf(kit, calling(callOf("look"), callOf("look", {}, "c2")), "done"),
    tools: [look],
    middleware: [weft.middleware.toolCallLimitMiddleware({ toolName: "look", runLimit: 1 })],
  });
  const state = await agent.invoke({ messages: "go" }, thread());
  equal([look.ran.length, last(state)], [1, "done"]);
}

async function checkModelFallback(kit) {
  const { weft, thread } = kit;
  const agent = agentOf(kit, {
    model: modelOf(kit, new Error("down")),
    middleware: [weft.middleware.modelFallbackMiddleware(modelOf(kit, "from the other"))],
  });
  equal(last(await agent.invoke({ messages: "go" }, thread())), "from the other");
}

async function checkModelRetry(kit) {
  const { weft, thread } = kit;
  const agent = agentOf(kit, {
    model: modelOf(kit, new Error("down"), "up again"),
    middleware: [weft.middleware.modelRetryMiddleware({ initialDelayMs: 1 })],
  });
  equal(last(await agent.invoke({ messages: "go" }, thread())), "up again");
}

/** Answers once, after an error. */
const secondTime = (count) => {
  if (count === 1) throw new Error("busy");
  return "found";
};
const results = ({ messages }) =>
  messages.filter((message) => message.getType() === "tool").map(({ content }) => content);

async function checkToolRetry(kit) {
  const { weft, thread } = kit;
  const agent = agentOf(kit, {
    model: modelOf(kit, calling(callOf("look")), "done"),
    tools: [toolOf(kit, "look", secondTime)],
    middleware: [weft.middleware.toolRetryMiddleware({ initialDelayMs: 1 })],
  });
  equal(results(await agent.invoke({ messages: "go" }, thread())), ["found"]);
}

async function checkToolError(kit) {
  const { weft, thread } = kit;
  const agent = agentOf(kit, {
    model: modelOf(kit, calling(callOf("look")), "done"),
    tools: [toolOf(kit, "look", secondTime)],
    middleware: [
      weft.middleware.toolErrorMiddleware({
        onError: async ({ message }) => (await later(), `The tool is ${message}.`),
      }),
    ],
  });
  equal(results(await agent.invoke({ messages: "go" }, thread())), ["The tool is busy."]);
}

async function checkPII(kit) {
  const { weft, thread } = kit;
  const model = modelOf(kit, "fine");
  const agent = agentOf(kit, {
    model,
    middleware: [
      weft.middleware.piiMiddleware("email"),
      weft.middleware.piiMiddleware("credit_card", { strategy: "hash" }),
    ],
  });
  const { messages } = await agent.invoke(
    { messages: "ann@example.com, 4111 1111 1111 1111" },
    thread(),
  );
  holds(
    /^\[REDACTED_EMAIL\], <credit_card_hash:\w+>$/.test(messages[0].content),
    messages[0].content,
  );
}

async function checkTodoList(kit) {
  const { weft, thread } = kit;
  const todos = [{ content: "read", status: "in_progress" }];
  const agent = agentOf(kit, {
    model: modelOf(kit, calling(callOf("write_todos", { todos })), "done"),
    middleware: [weft.middleware.todoListMiddleware()],
  });
  equal((await agent.invoke({ messages: "go" }, thread())).todos, todos);
}

async function checkToolSelector(kit) {
  const { weft, thread } = kit;
  const model = modelOf(kit, "done");
  const agent = agentOf(kit, {
    model,
    tools: ["look", "send", "pay"].map((name) => toolOf(kit, name)),
    middleware: [
      weft.middleware.llmToolSelectorMiddleware({
        model: modelOf(kit, calling(callOf("extract", { tools: ["pay"] }))),
        alwaysInclude: ["look"],
      }),
    ],
  });
  await agent.invoke({ messages: "go" }, thread());
  equal(
    model.calls[0].options.tools.map((tool) => tool.function.name),
    ["look", "pay"],
  );
}

async function checkToolEmulator(kit) {
  const { weft, thread } = kit;
  const look = toolOf(kit, "look");
  const agent = agentOf(kit, {
    model: modelOf(kit, calling(callOf("look")), "done"),
    tools: [look],
    middleware: [weft.middleware.toolEmulatorMiddleware({ model: modelOf(kit, "a played view") })],
  });
  const state = await agent.invoke({ messages: "go" }, thread());
  equal([results(state), look.ran], [["a played view"], []]);
}

async function checkSystemPrompt(kit) {
  const { weft, thread } = kit;
  const model = modelOf(kit, "done");
  const agent = agentOf(kit, {
    model,
    middleware: [
      weft.middleware.dynamicSystemPromptMiddleware(
        async ({ messages }) => (await later(), `${messages.length} message`),
      ),
    ],
  });
  await agent.invoke({ messages: "go" }, thread());
  equal(model.calls[0].messages[0].content, "1 message");
}

async function checkLimits(kit) {
  const { thread } = kit;
  const look = toolOf(kit, "look");
  const agent = agentOf(kit, {
    model: modelOf(kit, calling(callOf("look")), calling(callOf("look", {}, "c2")), "done"),
    tools: [look],
    limits: { toolCalls: 1 },
  });
  await fails(() => agent.invoke({ messages: "go" }, thread()), { code: "TOOL_CALL_LIMIT" });
  equal(look.ran.length, 1);
}

async function checkLedger(kit) {
  const { weft, thread } = kit;
  const ask = weft.tool(async (_, { interrupt }) => (await later(), `said ${interrupt("sure?")}`), {
    name: "ask",
    schema: { type: "object" },
  });
  const pass = weft.agent.createMiddleware({
    name: "pass",
    wrapToolCall: async (request, handler) => (await later(), handler(request)),
  });
  // The calls of a message are one task in the first version, one each in the second.
  for (const version of ["v1", "v2"]) {
    const look = toolOf(kit, "look");
    const agent = agentOf(kit, {
      model: modelOf(kit, calling(callOf("look"), callOf("ask", {}, "c2")), "done"),
      tools: [look, ask],
      middleware: [pass],
      version,
    });
    const config = thread();
    await agent.invoke({ messages: "go" }, config);
    const state = await agent.invoke(new weft.Command({ resume: "yes" }), config);
    equal([results(state), look.ran.length], [["ok", "said yes"], 1], version);
  }
}

export const middlewareChecks = [
  ["createAgent: a limit ends the run", checkLimits],
  ["createAgent: a call that finished does not run again when another asks", checkLedger],
  ["humanInTheLoopMiddleware: asked after awaits; approved, edited, rejected", checkHumanInTheLoop],
  ["summarizationMiddleware", checkSummarization],
  ["contextEditingMiddleware", checkContextEditing],
  ["anthropicPromptCachingMiddleware", checkPromptCaching],
  ["modelCallLimitMiddleware", checkModelCallLimit],
  ["toolCallLimitMiddleware", checkToolCallLimit],
  ["modelFallbackMiddleware", checkModelFallback],
  ["modelRetryMiddleware", checkModelRetry],
  ["toolRetryMiddleware", checkToolRetry],
  ["toolErrorMiddleware", checkToolError],
  ["piiMiddleware", checkPII],
  ["todoListMiddleware", checkTodoList],
  ["llmToolSelectorMiddleware", checkToolSelector],
  ["toolEmulatorMiddleware", checkToolEmulator],
  ["dynamicSystemPromptMiddleware", checkSystemPrompt],
];
