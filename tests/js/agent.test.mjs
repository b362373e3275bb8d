// SPDX-License-Identifier: MIT
// createAgent by itself: what Weft adds to LangChain's (approval, limits, the ledger, questions
// without AsyncLocalStorage), and what it does better (docs/differences.md).
import { test } from "node:test";
import assert from "node:assert/strict";
import * as weft from "weftgraph";
import { AIMessage, Command, HumanMessage, SystemMessage, ToolMessage } from "weftgraph";
import {
  MiddlewareError,
  MultipleToolsBoundError,
  StructuredOutputParsingError,
  ToolInvocationError,
  createAgent,
  createMiddleware,
  providerStrategy,
  toolStrategy,
} from "weftgraph/agent";
import { ChatOpenAIResponses } from "weftgraph/models/responses";
import { ScriptedModel } from "weftgraph/models/scripted";
import { registerModelProvider } from "weftgraph/prebuilt";
import { MemorySaver } from "weftgraph/savers/memory";
import { tool } from "weftgraph/tools";
import { z } from "zod";

const call = (name, args = {}, id = "c1") => ({ name, args, id, type: "tool_call" });
const calling = (...calls) =>
  new AIMessage({ content: "", id: `a-${calls[0].id}`, tool_calls: calls });
const scripted = (...responses) => new ScriptedModel({ responses });
const ask = (content = "hi") => ({ messages: [new HumanMessage({ content, id: `h-${content}` })] });
const onThread = { configurable: { thread_id: "1" } };
const shown = ({ messages }) =>
  messages.map((one) => [one.getType(), one.content, one.tool_call_id, one.status].filter(Boolean));
const adder = (runs = [], fields = {}) =>
  tool(
    ({ a = 1 }) => {
      runs.push(a);
      return `sum ${a}`;
    },
    {
      name: "add",
      description: "adds",
      schema: { type: "object", properties: { a: { type: "number" } } },
      ...fields,
    },
  );
const nodesOf = async (agent, input, config) => {
  const names = [];
  for await (const chunk of await agent.stream(input, { ...config, streamMode: "updates" }))
    names.push(...Object.keys(chunk));
  return names;
};
const hooks = (name, more) =>
  createMiddleware({
    name,
    beforeAgent: () => {},
    beforeModel: () => {},
    afterModel: () => {},
    afterAgent: () => {},
    ...more,
  });

test("a tool with approval: ask runs once it is allowed, and not when it is refused", async () => {
  for (const [answer, expected] of [
    [{ type: "accept" }, [3]],
    [{ type: "ignore" }, []],
  ]) {
    const runs = [];
    const agent = createAgent({
      model: scripted(calling(call("add", { a: 3 })), "done"),
      tools: [adder(runs, { approval: "ask" })],
      middleware: [hooks("A", { wrapToolCall: (request, handler) => handler(request) })],
      checkpointer: new MemorySaver(),
    });
    const stopped = await agent.invoke(ask(), onThread);
    assert.equal(stopped.__interrupt__[0].value.action_request.action, "add");
    assert.deepEqual(runs, []);
    assert.deepEqual((await agent.getState(onThread)).next, ["tools"]);
    await agent.invoke(new Command({ resume: answer }), onThread);
    assert.deepEqual(runs, expected);
  }
});

test("a call that a wrapper changes is asked about as it would run", async () => {
  const runs = [];
  const agent = createAgent({
    model: scripted(calling(call("add", { a: 3 })), "done"),
    tools: [adder(runs, { approval: "ask" })],
    middleware: [
      createMiddleware({
        name: "W",
        wrapToolCall: (request, handler) =>
          handler({ ...request, toolCall: { ...request.toolCall, args: { a: 99 } } }),
      }),
    ],
    checkpointer: new MemorySaver(),
  });
  const asked = [];
  let result = await agent.invoke(ask(), onThread);
  while (result.__interrupt__ !== undefined && asked.length < 3) {
    const { action_request, digest } = result.__interrupt__[0].value;
    asked.push(action_request.args);
    result = await agent.invoke(new Command({ resume: { type: "accept", digest } }), onThread);
  }
  assert.deepEqual(asked, [{ a: 3 }, { a: 99 }]);
  assert.deepEqual(runs, [99]);
});

test("a tool that only a wrapper knows is asked about by its own policy", async () => {
  const runs = [];
  const hidden = adder(runs, { approval: "ask" });
  const agent = createAgent({
    model: scripted(calling(call("add", { a: 4 })), "done"),
    middleware: [
      createMiddleware({
        name: "D",
        wrapModelCall: (request, handler) =>
          handler({ ...request, tools: [...request.tools, hidden] }),
        wrapToolCall: (request, handler) => handler({ ...request, tool: hidden }),
      }),
    ],
    checkpointer: new MemorySaver(),
  });
  const stopped = await agent.invoke(ask(), onThread);
  assert.deepEqual(runs, []);
  assert.equal(stopped.__interrupt__[0].value.action_request.action, "add");
  const { messages } = await agent.invoke(new Command({ resume: { type: "accept" } }), onThread);
  assert.deepEqual(runs, [4]);
  assert.equal(messages.at(-1).content, "done");
});

test("limits of the agent end its run by their own error", async () => {
  const agent = createAgent({
    model: scripted(calling(call("add")), calling(call("add", {}, "c2")), "done"),
    tools: [adder()],
    middleware: [
      createMiddleware({
        name: "P",
        wrapModelCall: (request, handler) => handler(request),
        wrapToolCall: (request, handler) => handler(request),
      }),
    ],
    limits: { toolCalls: 1 },
  });
  await assert.rejects(agent.invoke(ask()), { code: "TOOL_CALL_LIMIT" });
});

test("a tool call that finished does not run again when its neighbour asks", async () => {
  const runs = [];
  const asks = tool(async (_, config) => `said ${config.interrupt("sure?")}`, {
    name: "asks",
    description: "",
    schema: { type: "object", properties: {} },
  });
  const agent = createAgent({
    model: scripted(calling(call("add", { a: 1 }), call("asks", {}, "c2")), "done"),
    tools: [adder(runs), asks],
    middleware: [
      createMiddleware({
        name: "P",
        wrapToolCall: async (request, handler) => {
          await null;
          return handler(request);
        },
      }),
    ],
    checkpointer: new MemorySaver(),
  });
  await agent.invoke(ask(), onThread);
  const { messages } = await agent.invoke(new Command({ resume: "yes" }), onThread);
  assert.deepEqual(runs, [1]);
  assert.deepEqual(
    messages.filter((one) => one.getType() === "tool").map((one) => one.content),
    ["sum 1", "said yes"],
  );
});

test("hooks and wrappers ask after an await without AsyncLocalStorage", async () => {
  const { AsyncLocalStorage } = await import("node:async_hooks");
  const { getStore, run } = AsyncLocalStorage.prototype;
  AsyncLocalStorage.prototype.getStore = () => undefined;
  AsyncLocalStorage.prototype.run = (_, work, ...args) => work(...args);
  try {
    const agent = createAgent({
      model: scripted(calling(call("add")), "done"),
      tools: [adder()],
      middleware: [
        createMiddleware({
          name: "Q",
          beforeModel: async (state, runtime) => {
            if (state.messages.length > 1) return;
            await new Promise((resolve) => setTimeout(resolve, 1));
            return { messages: [new SystemMessage(`hook ${runtime.interrupt("hook?")}`)] };
          },
          wrapModelCall: async (request, handler) => {
            await new Promise((resolve) => setTimeout(resolve, 1));
            if (request.messages.length < 3) request.runtime.interrupt("model?");
            return handler(request);
          },
          wrapToolCall: async (request, handler) => {
            await new Promise((resolve) => setTimeout(resolve, 1));
            const answer = request.runtime.interrupt("tool?");
            const message = await handler(request);
            return new ToolMessage({
              content: `${message.content} ${answer}`,
              tool_call_id: request.toolCall.id,
            });
          },
        }),
      ],
      checkpointer: new MemorySaver(),
    });
    const asked = [];
    let result = await agent.invoke(ask(), onThread);
    for (const answer of ["a", "b", "c"]) {
      asked.push(result.__interrupt__[0].value);
      result = await agent.invoke(new Command({ resume: answer }), onThread);
    }
    assert.deepEqual(asked, ["hook?", "model?", "tool?"]);
    assert.deepEqual(
      result.messages.map((one) => one.content),
      ["hi", "hook a", "", "sum 1 c", "done"],
    );
  } finally {
    Object.assign(AsyncLocalStorage.prototype, { getStore, run });
  }
});

test("a jump to the end from before the model passes the hooks after the agent", async () => {
  const jump = createMiddleware({
    name: "J",
    beforeModel: { hook: () => ({ jumpTo: "end" }), canJumpTo: ["end"] },
  });
  const agent = createAgent({
    model: scripted("never"),
    middleware: [hooks("A"), jump, hooks("Z")],
  });
  assert.deepEqual(await nodesOf(agent, ask()), [
    "A.before_agent",
    "Z.before_agent",
    "A.before_model",
    "J.before_model",
    "Z.after_agent",
    "A.after_agent",
  ]);
});

test("a jump to the model passes the hooks before it; from these it skips the rest", async () => {
  let turns = 0;
  const back = createMiddleware({
    name: "B",
    afterModel: {
      hook: () => (turns++ === 0 ? { jumpTo: "model" } : undefined),
      canJumpTo: ["model"],
    },
  });
  const agent = createAgent({ model: scripted("one", "two"), middleware: [hooks("A"), back] });
  assert.deepEqual(
    (await nodesOf(agent, ask())).filter((name) => /A.before_model|model_request/.test(name)),
    ["A.before_model", "model_request", "A.before_model", "model_request"],
  );
  const skip = createMiddleware({
    name: "S",
    beforeModel: { hook: () => ({ jumpTo: "model" }), canJumpTo: ["model"] },
  });
  const other = createAgent({ model: scripted("one"), middleware: [skip, hooks("Z")] });
  assert.deepEqual(await nodesOf(other, ask()), [
    "Z.before_agent",
    "S.before_model",
    "model_request",
    "Z.after_model",
    "Z.after_agent",
  ]);
});

test("a hook writes what it returns: a reducer gets it once", async () => {
  const agent = createAgent({
    model: scripted("x"),
    middleware: [
      createMiddleware({
        name: "L",
        stateSchema: weft.Annotation.Root({
          log: weft.Annotation({
            reducer: (left, right) => [...left, ...right],
            default: () => [],
          }),
        }),
        beforeModel: () => ({ log: ["before"] }),
        afterModel: () => ({ log: ["after"] }),
      }),
    ],
  });
  const { log } = await agent.invoke({ ...ask(), log: ["given"] });
  assert.deepEqual(log, ["given", "before", "after"]);
});

test("a direct tool's result ends the run also beside other calls", async () => {
  const direct = tool(() => "direct", {
    name: "direct",
    description: "",
    schema: { type: "object", properties: {} },
    returnDirect: true,
  });
  const agent = createAgent({
    model: scripted(calling(call("direct"), call("add", {}, "c2")), "never"),
    tools: [direct, adder()],
    middleware: [hooks("A")],
  });
  const names = await nodesOf(agent, ask());
  assert.deepEqual(names.filter((name) => name === "model_request").length, 1);
  assert.equal(names.at(-1), "A.after_agent");
});

// ---- the form of the answer

const Answer = z.object({ x: z.number() });
const titled = {
  title: "The answer!",
  type: "object",
  properties: { x: { type: "number" } },
  required: ["x"],
};

test("tools of answers are named by title, else counted in the agent", async () => {
  for (const [format, names] of [
    [Answer, ["extract-1"]],
    [toolStrategy([Answer, z.object({ y: z.string() })]), ["extract-1", "extract-2"]],
    [titled, ["The_answer_"]],
    [
      [titled, titled],
      ["The_answer_", "The_answer_-1"],
    ],
  ])
    for (let again = 0; again < 2; again++) {
      const model = scripted("plain");
      await createAgent({ model, tools: [adder()], responseFormat: format }).invoke(ask());
      assert.deepEqual(
        model.calls[0].options.tools.map((one) => one.function?.name ?? one.name).slice(1),
        names,
      );
    }
});

test("a titled schema is recognised beside ordinary calls, which are answered too", async () => {
  const runs = [];
  const agent = createAgent({
    model: scripted(calling(call("The_answer_", { x: 1 }), call("add", {}, "c2"))),
    tools: [adder(runs)],
    responseFormat: titled,
  });
  const result = await agent.invoke(ask());
  assert.deepEqual(result.structuredResponse, { x: 1 });
  assert.deepEqual(runs, []);
  assert.deepEqual(shown(result), [
    ["human", "hi"],
    ["ai"],
    ["tool", '{"x":1}', "c1"],
    ["tool", "Not run: the structured response ended the run.", "c2", "error"],
    ["ai", 'Returning structured response: {"x":1}'],
  ]);
});

test("every one of several structured calls gets an answer, then the model repairs it", async () => {
  const agent = createAgent({
    model: scripted(
      calling(call("extract-1", { x: 1 }), call("extract-1", { x: 2 }, "c2")),
      calling(call("extract-1", { x: 3 }, "c3")),
    ),
    responseFormat: toolStrategy(Answer),
  });
  const result = await agent.invoke(ask());
  assert.deepEqual(result.structuredResponse, { x: 3 });
  assert.deepEqual(
    result.messages.filter(({ status }) => status === "error").map((one) => one.tool_call_id),
    ["c1", "c2"],
  );
});

test("an invalid answer beside an ordinary call: the tool runs, and the model goes on", async () => {
  const runs = [];
  const agent = createAgent({
    model: scripted(
      calling(call("extract-1", { x: "no" }), call("add", { a: 2 }, "c2")),
      calling(call("extract-1", { x: 2 }, "c3")),
    ),
    tools: [adder(runs)],
    responseFormat: toolStrategy(Answer),
    middleware: [hooks("A")],
  });
  const result = await agent.invoke(ask());
  assert.deepEqual(runs, [2]);
  assert.deepEqual(result.structuredResponse, { x: 2 });
  assert.match(
    result.messages[2].content,
    /Failed to parse structured output for tool 'extract-1'/,
  );
});

test("a structured answer of an earlier turn does not end the next one", async () => {
  const runs = [];
  const agent = createAgent({
    model: scripted(
      calling(call("extract-1", { x: 1 })),
      calling(call("add", {}, "c2")),
      calling(call("extract-1", { x: 2 }, "c3")),
    ),
    tools: [adder(runs)],
    responseFormat: toolStrategy(Answer),
    checkpointer: new MemorySaver(),
  });
  await agent.invoke(ask("one"), onThread);
  const { structuredResponse } = await agent.invoke(ask("two"), onThread);
  assert.deepEqual(runs, [1]);
  assert.deepEqual(structuredResponse, { x: 2 });
});

test("a turn that ends without a structured answer does not show that of an earlier turn", async () => {
  const seen = [];
  const agent = createAgent({
    model: scripted(calling(call("extract-1", { x: 1 })), "I cannot say."),
    middleware: [hooks("S", { beforeModel: (state) => void seen.push(state.structuredResponse) })],
    responseFormat: toolStrategy(Answer),
    checkpointer: new MemorySaver(),
  });
  const valuesOf = async () => (await agent.getState(onThread)).values.structuredResponse;
  await agent.invoke(ask("one"), onThread);
  assert.deepEqual(await valuesOf(), { x: 1 });
  const { messages, structuredResponse } = await agent.invoke(ask("two"), onThread);
  assert.equal(messages.at(-1).content, "I cannot say.");
  assert.deepEqual([structuredResponse, await valuesOf(), ...seen], Array(4).fill(undefined));
});

test("a structured answer beside a call that waits for a person is there after the approval", async () => {
  const agent = createAgent({
    model: scripted(calling(call("add"), call("extract-1", { x: 1 }, "c2")), "Done."),
    tools: [adder([], { approval: "ask" })],
    responseFormat: toolStrategy(Answer),
    checkpointer: new MemorySaver(),
  });
  await agent.invoke(ask(), onThread);
  const resume = new Command({ resume: { type: "accept" } });
  assert.deepEqual((await agent.invoke(resume, onThread)).structuredResponse, { x: 1 });
});

test("handleError makes the words, or fails with the error", async () => {
  const model = () =>
    scripted(calling(call("extract-1", { x: "no" })), calling(call("extract-1", { x: 1 }, "c2")));
  const told = await createAgent({
    model: model(),
    responseFormat: toolStrategy(Answer, {
      handleError: async (error) => `it is ${error.toolName}`,
    }),
  }).invoke(ask());
  assert.equal(told.messages[2].content, "it is extract-1");
  await assert.rejects(
    createAgent({
      model: model(),
      responseFormat: toolStrategy(Answer, { handleError: false }),
    }).invoke(ask()),
    (error) => error instanceof StructuredOutputParsingError && error.errors.length === 1,
  );
});

test("a schema of a list or a text is asked for as a property, and given without it", async () => {
  const agent = createAgent({
    model: scripted(calling(call("extract-1", { value: [1, 2] }))),
    responseFormat: z.array(z.number()),
  });
  assert.deepEqual((await agent.invoke(ask())).structuredResponse, [1, 2]);
});

test("a service's own output is asked for without tools too", async () => {
  const model = scripted('{"x":5}');
  const agent = createAgent({ model, responseFormat: providerStrategy({ schema: titled }) });
  assert.deepEqual((await agent.invoke(ask())).structuredResponse, { x: 5 });
});

test("nulls that a service's strict mode demands for optional properties are taken back", async () => {
  const text = '{"a":"x","b":null}';
  const message = { type: "message", id: "m", role: "assistant", status: "completed" };
  const output = [{ ...message, content: [{ type: "output_text", text, annotations: [] }] }];
  const fetch = async () => Response.json({ id: "r", status: "completed", output });
  const properties = { a: { type: "string" }, b: { type: "number" } };
  const responseFormat = { title: "T", type: "object", properties, required: ["a"] };
  const model = new ChatOpenAIResponses({ model: "gpt-6-sol", apiKey: "k", fetch });
  const asked = createMiddleware({ name: "W", wrapModelCall: (request, next) => next(request) });
  for (const middleware of [[], [asked]]) {
    const agent = createAgent({ model, responseFormat, middleware });
    assert.deepEqual((await agent.invoke(ask())).structuredResponse, { a: "x" });
  }
});

test("a middleware asks for a form of the answer of its own", async () => {
  const agent = createAgent({
    model: scripted(calling(call("extract-1", { x: 6 }))),
    middleware: [
      createMiddleware({
        name: "F",
        wrapModelCall: (request, handler) => handler({ ...request, responseFormat: Answer }),
      }),
    ],
  });
  assert.deepEqual((await agent.invoke(ask())).structuredResponse, { x: 6 });
});

// ---- state, errors, arguments

test("defaults of zod begin a thread, and stay as they were left in the next turn", async () => {
  const agent = createAgent({
    model: scripted("one", "two"),
    stateSchema: z.object({ n: z.number().default(5) }),
    middleware: [createMiddleware({ name: "N", beforeModel: ({ n }) => ({ n: n + 1 }) })],
    checkpointer: new MemorySaver(),
  });
  assert.equal((await agent.invoke(ask("a"), onThread)).n, 6);
  assert.equal((await agent.invoke(ask("b"), onThread)).n, 7);
});

test("a jump is not saved and not shown", async () => {
  const agent = createAgent({
    model: scripted("one"),
    middleware: [
      createMiddleware({
        name: "J",
        beforeModel: { hook: () => ({ jumpTo: "model" }), canJumpTo: ["model"] },
      }),
    ],
    checkpointer: new MemorySaver(),
  });
  const result = await agent.invoke(ask(), onThread);
  assert.ok(!("jumpTo" in result));
  assert.ok(!("jumpTo" in (await agent.getState(onThread)).values));
});

test("a wrapper's failure is a MiddlewareError with its cause; a tool's is its own", async () => {
  const failing = (more) =>
    createAgent({
      model: scripted(calling(call("boom")), "done"),
      tools: [
        tool(
          () => {
            throw new RangeError("kaput");
          },
          { name: "boom", description: "", schema: { type: "object", properties: {} } },
        ),
      ],
      middleware: [createMiddleware({ name: "W", ...more })],
    }).invoke(ask());
  await assert.rejects(
    failing({ wrapToolCall: (request, handler) => handler(request) }),
    (error) => error instanceof RangeError && !(error instanceof MiddlewareError),
  );
  await assert.rejects(
    failing({
      wrapToolCall: () => {
        throw new RangeError("own");
      },
    }),
    (error) => error instanceof MiddlewareError && error.cause instanceof RangeError,
  );
  await assert.rejects(failing({ wrapToolCall: () => "text" }), /expected ToolMessage or Command/);
});

test("arguments that do not fit are told to the model without a stack", async () => {
  const agent = createAgent({
    model: scripted(calling(call("add", { a: "x" })), "done"),
    tools: [adder()],
  });
  const { messages } = await agent.invoke(ask());
  assert.match(
    messages[2].content,
    /^Error invoking tool 'add' with kwargs {"a":"x"} with error: /,
  );
  assert.doesNotMatch(messages[2].content, /\n\s+at .*:\d+/);
  const error = new ToolInvocationError("text", call("add"));
  assert.ok(ToolInvocationError.isInstance(error) && error.toolError instanceof Error);
});

test("models by name and with tools of their own", async () => {
  registerModelProvider("scripted-agent", (name) => scripted(`I am ${name}`));
  const { messages } = await createAgent({ model: "scripted-agent:one" }).invoke(ask());
  assert.equal(messages[1].content, "I am one");
  assert.throws(
    () => createAgent({ model: scripted("x").bindTools([adder()]) }),
    MultipleToolsBoundError,
  );
});

test("arguments of the wrong kind are named", () => {
  const model = scripted("x");
  for (const [params, text] of [
    [undefined, /params must be an object/],
    [{ model, llm: model }, /llm: use model/],
    [{ model, prompt: "x" }, /prompt: use systemPrompt/],
    [{ model, systemprompt: "x" }, /no option "systemprompt": it has model, tools, systemPrompt/],
    [{ model: 5 }, /must be a chat model or its name/],
    [{ model: class Own {} }, /the `model` of an agent must .*, not a function/],
    [{ model, version: "v3" }, /"v1" or "v2"/],
    [{ model, tools: {} }, /params.tools must be a list/],
    [{ model, tools: [() => 1] }, /must be tools, not a function: tool\(fn, \{ name/],
    [{ model, tools: [undefined] }, /must be tools, not undefined/],
    [{ model, tools: ["search"] }, /must be tools, not "search"/],
    [{ model, tools: [[adder()]] }, /must be tools, not an object/],
    [{ model, middleware: {} }, /params.middleware must be a list/],
    [{ model, systemPrompt: 5 }, /params.systemPrompt/],
    [{ model, stateSchema: 5 }, /stateSchema of the agent/],
    [{ model, approvals: "batch" }, /needs version "v1"/],
    [{ model, middleware: [{ name: "a|b" }] }, /name must be a text/],
    [{ model, middlewares: [] }, /no option "middlewares"/],
    [{ model, responseformat: {} }, /no option "responseformat"/],
    [{ model, middleware: [function guard() {}] }, /must be an object, not a function/],
  ])
    assert.throws(() => createAgent(params), text);
  for (const [config, text] of [
    [{}, /name must be a text/],
    [{ name: "A", beforeModel: 5 }, /beforeModel must be a function/],
    [{ name: "A", beforeModel: { hook: () => {}, canJumpTo: ["nowhere"] } }, /canJumpTo/],
    [{ name: "A", wrapToolCall: {} }, /wrapToolCall must be a function/],
    [{ name: "A", tools: {} }, /tools must be a list/],
    [{ name: "A", wrapToolCalls: () => {} }, /middleware "A" has no wrapToolCalls/],
  ])
    assert.throws(() => createMiddleware(config), text);
});

test("a hook that returns no update is refused by its name", async () => {
  for (const result of ["text", new AIMessage("in place of the answer")]) {
    const agent = createAgent({
      model: scripted("x"),
      middleware: [createMiddleware({ name: "T", afterModel: () => result })],
    });
    await assert.rejects(agent.invoke(ask()), /afterModel of middleware "T" must return an update/);
  }
});

test("signal, name and the graph as a node of another", async () => {
  const stop = new AbortController();
  const agent = createAgent({
    model: scripted("x"),
    name: "bob",
    description: "a helper",
    signal: stop.signal,
  });
  assert.deepEqual([agent.name, agent.description], ["bob", "a helper"]);
  const graph = new weft.StateGraph(weft.MessagesAnnotation)
    .addNode("inner", agent.graph)
    .addEdge(weft.START, "inner")
    .compile();
  assert.equal((await graph.invoke(ask())).messages.at(-1).name, "bob");
  stop.abort();
  await assert.rejects(agent.invoke(ask()), { name: "AbortError" });
});

test("an agent goes on in a new process, from its thread alone", async () => {
  const saver = new MemorySaver();
  const make = () =>
    createAgent({
      model: scripted("ended"),
      tools: [adder([], { approval: "ask" })],
      middleware: [hooks("A")],
      responseFormat: toolStrategy(Answer),
      checkpointer: saver,
    });
  const first = createAgent({
    ...make().options,
    model: scripted(calling(call("add"))),
  });
  await first.invoke(ask(), onThread);
  const { messages } = await make().invoke(new Command({ resume: { type: "accept" } }), onThread);
  assert.equal(messages.at(-1).content, "ended");
});

test("stream of events and of the protocol", async () => {
  const agent = createAgent({ model: scripted(calling(call("add")), "done"), tools: [adder()] });
  const names = [];
  for await (const { event, name } of agent.streamEvents(ask(), { version: "v2" }))
    if (event === "on_chain_start") names.push(name);
  assert.ok(names.includes("model_request") && names.includes("tools"));
  const run = await createAgent({ model: scripted("done") }).streamEvents(ask(), { version: "v3" });
  assert.equal((await run.output).messages.at(-1).content, "done");
});
