// SPDX-License-Identifier: MIT
// The same agents, models and middlewares through langchain 1.5.14 and Weft: nodes, all stream
// modes, what is next, checkpoints, questions, what the model is asked. Where Weft answers better,
// agent.test.mjs and docs/differences.md say how.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import * as langchain from "langchain";
import * as entry from "weftgraph/agent";
import { z } from "zod";
import {
  Model,
  OWN,
  PEER,
  call,
  calling,
  human,
  input,
  saying,
  trace,
  view,
} from "./agent-both.mjs";

const none = z.object({});
const add = tool(({ a }) => `sum ${a}`, {
  name: "add",
  description: "adds",
  schema: z.object({ a: z.number().default(1) }),
});
const boom = tool(
  () => {
    throw new TypeError("kaput");
  },
  { name: "boom", description: "fails", schema: none },
);
const direct = tool(() => "direct", {
  name: "direct",
  description: "",
  schema: none,
  returnDirect: true,
});
const asks = tool(async (_, config) => `said ${config.interrupt("sure?")}`, {
  name: "asks",
  description: "",
  schema: none,
});

/** Runs a program with both and compares all that it tells. */
const same = async (program) => {
  const expected = await program(PEER);
  assert.deepEqual(await program(OWN), expected);
};
const once = () => new Model([calling(call("add")), saying("done")]);
const notes = (lib, name, log) =>
  lib.createMiddleware({
    name,
    ...Object.fromEntries(
      ["beforeAgent", "beforeModel", "afterModel", "afterAgent"].map((hook) => [
        hook,
        (state) => void log.push([name, hook, state.messages.length]),
      ]),
    ),
  });
const jumping = (lib, hook, decide) =>
  lib.createMiddleware({
    name: "J",
    [hook]: { hook: decide, canJumpTo: ["model", "tools", "end"] },
  });

test("an agent without tools", () => same((lib) => trace(lib, new Model([saying("x")]), {})));

test("a tool call, with instructions as a text and as a message", async () => {
  await same((lib) => trace(lib, once(), { tools: [add], systemPrompt: "be brief" }));
  await same((lib) =>
    trace(lib, once(), { tools: [add], systemPrompt: new SystemMessage("be brief") }),
  );
});

test("several calls of a message, as one task and as several", async () => {
  for (const version of ["v1", "v2"])
    await same((lib) =>
      trace(
        lib,
        new Model([calling(call("add", { a: 1 }), call("add", { a: 2 }, "c2")), saying("done")]),
        { tools: [add], version },
      ),
    );
});

test("an agent with a name, asked twice on its thread", () =>
  same((lib) =>
    trace(lib, new Model([saying("one"), saying("two")]), { name: "bob" }, [
      input("a"),
      input("b"),
    ]),
  ));

test("hooks of two middlewares run in LangChain's order", () =>
  same(async (lib) => {
    const log = [];
    const told = await trace(lib, once(), {
      tools: [add],
      middleware: [notes(lib, "A", log), notes(lib, "B", log)],
    });
    return { told, log };
  }));

test("hooks change the state: of the agent, of their middleware, with defaults", () =>
  same((lib) =>
    trace(
      lib,
      once(),
      {
        tools: [add],
        stateSchema: z.object({ topic: z.string().default("none") }),
        middleware: [
          lib.createMiddleware({
            name: "Count",
            stateSchema: z.object({ turns: z.number().default(0) }),
            beforeModel: (state) => ({ turns: state.turns + 1 }),
          }),
        ],
      },
      [input("a"), { ...input("b"), topic: "fish" }],
    ),
  ));

test("private keys are neither taken from the input nor returned", () =>
  same(async (lib) => {
    const seen = [];
    const agent = lib.createAgent({
      model: new Model([saying("x")]),
      tools: [],
      middleware: [
        lib.createMiddleware({
          name: "P",
          stateSchema: z.object({
            _secret: z.string().default("own"),
            open: z.string().optional(),
          }),
          beforeModel: (state) => void seen.push(state._secret),
          afterModel: () => ({ open: "yes" }),
        }),
      ],
    });
    return [view(await agent.invoke({ ...input(), _secret: "given" })), seen];
  }));

test("a middleware reads the part of the context that it describes", () =>
  same(async (lib) => {
    const seen = [];
    const agent = lib.createAgent({
      model: new Model([saying("x")]),
      tools: [],
      contextSchema: z.object({ user: z.string(), other: z.number().optional() }),
      middleware: [
        lib.createMiddleware({
          name: "C",
          contextSchema: z.object({ user: z.string() }),
          beforeModel: (_, runtime) =>
            void seen.push({ ...runtime.context }, Object.keys(runtime), Object.isFrozen(runtime)),
        }),
      ],
    });
    await agent.invoke(input(), { context: { user: "ann", other: 1 } });
    return seen;
  }));

test("jumps from a hook to the end, to the tools and to the model", async () => {
  const programs = {
    "before the agent, to the end": (lib) => jumping(lib, "beforeAgent", () => ({ jumpTo: "end" })),
    "before the model, to the end": (lib) => jumping(lib, "beforeModel", () => ({ jumpTo: "end" })),
    "after the model, to the end": (lib) => jumping(lib, "afterModel", () => ({ jumpTo: "end" })),
    "after the agent, to the end": (lib) => jumping(lib, "afterAgent", () => ({ jumpTo: "end" })),
    "before the model, to the tools": (lib) =>
      jumping(lib, "beforeModel", (state) =>
        state.messages.length === 1
          ? {
              messages: [{ role: "ai", content: "", tool_calls: [call("add", {}, "t1")] }],
              jumpTo: "tools",
            }
          : undefined,
      ),
    "after the model, to the model": (lib) => {
      let turns = 0;
      return jumping(lib, "afterModel", () => (turns++ === 0 ? { jumpTo: "model" } : undefined));
    },
    "no jump": (lib) => jumping(lib, "afterModel", () => undefined),
  };
  for (const make of Object.values(programs))
    await same((lib) =>
      trace(lib, once(), { tools: [add], middleware: [make(lib)], version: "v1" }),
    );
});

test("a jump that is not declared is refused by its name", () =>
  same((lib) =>
    trace(lib, new Model([saying("x")]), {
      middleware: [lib.createMiddleware({ name: "J", beforeModel: () => ({ jumpTo: "end" }) })],
    }),
  ));

test("wrapModelCall changes instructions, messages, tools and settings, the first outermost", () =>
  same(async (lib) => {
    const log = [];
    const wrap = (name, change) =>
      lib.createMiddleware({
        name,
        wrapModelCall: async (request, handler) => {
          log.push([name, request.systemPrompt, request.messages.length, request.tools.length]);
          const answer = await handler({ ...request, ...change(request) });
          log.push([name, answer.content]);
          return answer;
        },
      });
    const told = await trace(lib, once(), {
      tools: [add],
      systemPrompt: "one",
      middleware: [
        wrap("A", ({ systemPrompt }) => ({ systemPrompt: `${systemPrompt} two` })),
        wrap("B", ({ messages }) => ({ messages: messages.slice(-1), toolChoice: "auto" })),
        wrap("C", () => ({ modelSettings: { temperature: 1 } })),
      ],
    });
    return { told, log };
  }));

test("wrapModelCall tries again with another model, and answers itself", async () => {
  await same((lib) => {
    const other = new Model([saying("from the other")]);
    return trace(lib, new Model([new RangeError("down")]), {
      tools: [add],
      middleware: [
        lib.createMiddleware({
          name: "F",
          wrapModelCall: async (request, handler) => {
            try {
              return await handler(request);
            } catch {
              return handler({ ...request, model: other });
            }
          },
        }),
      ],
    });
  });
  await same((lib) =>
    trace(lib, new Model([saying("never")]), {
      middleware: [
        lib.createMiddleware({ name: "S", wrapModelCall: () => new lib.AIMessage("own words") }),
      ],
    }),
  );
});

test("wrapModelCall returns a Command beside the answer", () =>
  same((lib) =>
    trace(lib, new Model([saying("x")]), {
      stateSchema: z.object({ seen: z.string().optional() }),
      middleware: [
        lib.createMiddleware({
          name: "K",
          wrapModelCall: async (request, handler) => {
            await handler(request);
            return new lib.Command({ update: { seen: "yes" } });
          },
        }),
      ],
    }),
  ));

test("what a middleware may not do is refused in LangChain's words", async () => {
  const programs = [
    (request, handler) =>
      handler({ ...request, systemPrompt: "a", systemMessage: new SystemMessage("b") }),
    (request, handler) => handler({ ...request, tools: [...request.tools, boom] }),
    () => {
      throw new RangeError("own failure");
    },
  ];
  for (const wrapModelCall of programs)
    await same((lib) =>
      trace(lib, new Model([saying("x")]), {
        tools: [add],
        middleware: [lib.createMiddleware({ name: "W", wrapModelCall })],
      }),
    );
  const twice = (lib) => {
    const one = lib.createMiddleware({ name: "W", beforeModel: () => {} });
    const made = () => lib.createAgent({ model: once(), tools: [], middleware: [one, one] });
    assert.throws(made, /Middleware W is defined multiple times/);
  };
  twice(PEER);
  twice(OWN);
  for (const lib of [PEER, OWN])
    await assert.rejects(
      async () => lib.createAgent({ model: once().bindTools([add]), tools: [] }).invoke(input()),
      /already has bound tools/,
    );
});

test("wrapToolCall changes a call, answers it, sees failures; the first is outermost", () =>
  same(async (lib) => {
    const log = [];
    const wrap = (name, work) =>
      lib.createMiddleware({
        name,
        wrapToolCall: async (request, handler) => {
          log.push([name, request.toolCall, request.tool.name, Object.keys(request.state)]);
          return work(request, handler);
        },
      });
    const told = await trace(
      lib,
      new Model([calling(call("add"), call("boom", {}, "c2")), saying("done")]),
      {
        tools: [add, boom],
        middleware: [
          wrap("A", async (request, handler) => {
            try {
              return await handler(request);
            } catch (error) {
              return new ToolMessage({
                content: `mended ${error.message}`,
                tool_call_id: request.toolCall.id,
              });
            }
          }),
          wrap("B", (request, handler) =>
            handler({ ...request, toolCall: { ...request.toolCall, args: { a: 5 } } }),
          ),
        ],
      },
    );
    return { told, log };
  }));

test("tools that fail, and calls of no tool", async () => {
  for (const name of ["boom", "nope"])
    await same((lib) =>
      trace(lib, new Model([calling(call(name)), saying("done")]), { tools: [add, boom] }),
    );
  const pass = (lib) =>
    lib.createMiddleware({ name: "P", wrapToolCall: (request, handler) => handler(request) });
  for (const name of ["boom", "nope"])
    await same((lib) =>
      trace(lib, new Model([calling(call(name)), saying("done")]), {
        tools: [add, boom],
        middleware: [pass(lib)],
      }),
    );
});

test("a tool that a middleware brings, and one that only its wrapper knows", () =>
  same(async (lib) => [
    await trace(lib, once(), {
      middleware: [lib.createMiddleware({ name: "T", tools: [add] })],
    }),
    await trace(lib, once(), {
      middleware: [
        lib.createMiddleware({
          name: "D",
          wrapModelCall: (request, handler) =>
            handler({ ...request, tools: [...request.tools, add] }),
          wrapToolCall: (request, handler) => handler({ ...request, tool: add }),
        }),
      ],
    }),
  ]));

test("a tool whose result is the answer", () =>
  same((lib) =>
    trace(lib, new Model([calling(call("direct")), saying("never")]), { tools: [direct, add] }),
  ));

test("questions of a tool and of a hook, and their answers", async () => {
  await same((lib) =>
    trace(lib, new Model([calling(call("asks")), saying("done")]), { tools: [asks] }, [
      input(),
      new lib.Command({ resume: "yes" }),
    ]),
  );
  await same((lib) =>
    trace(
      lib,
      new Model([saying("x")]),
      {
        middleware: [
          lib.createMiddleware({
            name: "I",
            afterModel: async (_, runtime) => {
              const answer = runtime.interrupt({ sure: true });
              return { messages: [new HumanMessage({ content: `got ${answer}`, id: "g" })] };
            },
          }),
        ],
      },
      [input(), new lib.Command({ resume: "yes" })],
    ),
  );
});

test("a model that fails, and a run that takes too many steps", async () => {
  await same((lib) => trace(lib, new Model([new RangeError("down")]), {}));
  // LangGraph.js drops the chunks before this error that were not read yet.
  await same(async (lib) => {
    const turns = ["c1", "c2", "c3"].map((id) => calling(call("add", {}, id)));
    const limit = { recursionLimit: 4 };
    const { runs } = await trace(lib, new Model(turns), { tools: [add] }, [input()], limit);
    return runs[0].failure;
  });
});

const answerOnce = (lib) => [input(), new lib.Command({ resume: "yes" })];
for (const [title, program] of Object.entries({
  "no tools": () => ({ model: new Model([saying("x")]) }),
  "calls side by side": () => ({
    model: new Model([calling(call("add", { a: 1 }), call("add", {}, "c2")), saying("done")]),
  }),
  "two runs on a thread": () => ({
    model: new Model([saying("one"), saying("two")]),
    inputs: [input("a"), input("b")],
  }),
  hooks: (lib) => ({ model: once(), middleware: [notes(lib, "A", []), notes(lib, "B", [])] }),
  "a state of a middleware": (lib) => ({
    model: once(),
    middleware: [
      lib.createMiddleware({
        name: "Count",
        stateSchema: z.object({ turns: z.number().default(0) }),
        beforeModel: (state) => ({ turns: state.turns + 1 }),
      }),
    ],
  }),
  "a jump to the end": (lib) => ({
    model: once(),
    middleware: [jumping(lib, "afterModel", () => ({ jumpTo: "end" }))],
  }),
  "a question and its answer": (lib) => ({
    model: new Model([calling(call("asks")), saying("done")]),
    inputs: answerOnce(lib),
  }),
  "a wrapper of calls": (lib) => ({
    model: once(),
    middleware: [
      lib.createMiddleware({
        name: "W",
        wrapToolCall: (request, handler) => handler(request),
      }),
    ],
  }),
  "a tool that returns directly": () => ({ model: new Model([calling(call("direct"))]) }),
  "a tool that fails": () => ({ model: new Model([calling(call("boom"))]) }),
  "a model that fails": () => ({ model: new Model([new RangeError("down")]) }),
  "a refused jump": (lib) => ({
    model: once(),
    middleware: [lib.createMiddleware({ name: "J", beforeModel: () => ({ jumpTo: "end" }) })],
  }),
}))
  test(`the mode debug of ${title}`, async () => {
    for (const version of ["v1", "v2"])
      await same((lib) => {
        const { model, inputs, ...params } = program(lib);
        const tools = [add, asks, boom, direct];
        return trace(lib, model, { tools, version, ...params }, inputs, {}, ["debug"]);
      });
  });

// ---- the form of the answer: LangChain's messages of it have no name, its update has all messages

const Answer = z.object({ x: z.number() });
const titled = {
  title: "Answer",
  type: "object",
  properties: { x: { type: "number" } },
  required: ["x"],
};
/** Answers with the last tool that it was given. */
const structured = (...args) => {
  const model = new Model([]);
  const bind = model.bindTools;
  model.bindTools = function (tools, options) {
    const last = tools.at(-1);
    this.answers = [
      ...args.map((one, index) =>
        calling(call(last.function?.name ?? last.name, one, `s${index}`)),
      ),
      saying("end"),
    ];
    return bind.call(this, tools, options);
  };
  return model;
};
const named = (message) =>
  view(
    message.map((one) => [one.getType(), one.content, one.tool_call_id, one.tool_calls?.length]),
  );
const final = async (lib, model, params) => {
  const { messages, structuredResponse } = await lib
    .createAgent({ model, tools: [add], ...params })
    .invoke(input());
  return [named(messages), structuredResponse, model.bound[0][1].tool_choice];
};

test("an answer in the form of a schema, by a tool", async () => {
  for (const format of [
    () => titled,
    (lib) => lib.toolStrategy(titled),
    (lib) => lib.toolStrategy(titled, { toolMessageContent: "told" }),
    () => [titled],
  ])
    await same((lib) => final(lib, structured({ x: 1 }), { responseFormat: format(lib) }));
});

test("an untitled schema has the same answer; its tool is named by the agent", async () => {
  const [own, peer] = [OWN, PEER].map(async (lib) => {
    const [messages, answer, choice] = await final(lib, structured({ x: 1 }), {
      responseFormat: Answer,
    });
    return [messages, answer, choice];
  });
  assert.deepEqual(await own, await peer);
});

test("what langchain exports has its name in weftgraph/agent, but for what differences.md names", async () => {
  const page = readFileSync(new URL("../../docs/differences.md", import.meta.url), "utf8");
  const [, missing] = /What `langchain` exports and `weftgraph\/agent` does not: (.+)$/m.exec(page);
  const named = missing.replace(/ \([^)]*\)+/g, "").match(/(?<=`)\w+(?=`)/g);
  const own = Object.keys(entry);
  const internal = ["MIDDLEWARE_BRAND", "src_exports"];
  const absent = Object.keys(langchain).filter((name) => !own.includes(name));
  assert.deepEqual(absent.filter((name) => !internal.includes(name)).sort(), named.sort());
});

test("an answer by the service's own structured output", async () => {
  const model = (more) => new Model([saying('{"x":1}')], more);
  const native = { profile: { structuredOutput: true } };
  const program = (lib, given, more) => {
    const asked = model(more);
    return lib
      .createAgent({ model: asked, tools: [add], responseFormat: given })
      .invoke(input())
      .then(({ messages, structuredResponse }) => {
        const { response_format } = asked.bound[0][1];
        return [
          named(messages),
          structuredResponse,
          response_format.type,
          response_format.json_schema.name,
        ];
      });
  };
  await same((lib) => program(lib, lib.providerStrategy(Answer)));
  await same((lib) => program(lib, lib.providerStrategy({ schema: Answer, strict: true })));
  await same((lib) => program(lib, Answer, native));
  for (const lib of [PEER, OWN])
    await assert.rejects(
      lib
        .createAgent({
          model: new Model([saying("no json")]),
          tools: [add],
          responseFormat: lib.providerStrategy(Answer),
        })
        .invoke(input()),
      /Failed to parse structured output for tool 'providerStrategy'/,
    );
});

test("LangChain's models are asked for a zod schema as their services take it", async () => {
  const City = z.object({ city: z.string(), at: z.object({ x: z.number() }) });
  const answer = '{"city":"Oslo","at":{"x":1}}';
  const openai = (bodies) => {
    const message = { role: "assistant", content: answer };
    const body = { id: "1", choices: [{ index: 0, message, finish_reason: "stop" }] };
    return new ChatOpenAI({
      model: "gpt-4o",
      apiKey: "k",
      configuration: { fetch: async (_, sent) => (bodies.push(sent.body), Response.json(body)) },
    });
  };
  const anthropic = (bodies) => {
    const message = { id: "1", type: "message", role: "assistant", model: "c" };
    const rest = { stop_reason: "end_turn", usage: { input_tokens: 1, output_tokens: 1 } };
    const body = { ...message, content: [{ type: "text", text: answer }], ...rest };
    return new ChatAnthropic({
      model: "claude-sonnet-4-5",
      apiKey: "k",
      clientOptions: { fetch: async (_, sent) => (bodies.push(sent.body), Response.json(body)) },
    });
  };
  for (const [make, formIn] of [
    [openai, ({ response_format }) => response_format],
    [anthropic, ({ output_config }) => output_config.format],
  ])
    await same(async (lib) => {
      const bodies = [];
      const agent = lib.createAgent({
        model: make(bodies),
        responseFormat: lib.providerStrategy(City),
      });
      const { structuredResponse } = await agent.invoke(input());
      const form = formIn(JSON.parse(bodies[0]));
      const { strict = null, schema } = form.json_schema ?? form;
      const { $schema: _dialect, ...told } = schema;
      return [structuredResponse, form.type, strict, told];
    });
});

test("strict mode is asked for only where all of a schema is closed and required", async () => {
  const inner = (more) => ({
    type: ["object", "null"],
    properties: { x: { type: "number" } },
    ...more,
  });
  const formOf = async (a) => {
    const sent = [];
    const body = { id: "1", choices: [{ index: 0, message: { content: '{"a":null}' } }] };
    const fetch = async (_, init) => (sent.push(JSON.parse(init.body)), Response.json(body));
    const model = new ChatOpenAI({ model: "gpt-4o", apiKey: "k", configuration: { fetch } });
    const schema = { type: "object", properties: { a }, required: ["a"] };
    const agent = OWN.createAgent({ model, responseFormat: OWN.providerStrategy(schema) });
    await agent.invoke(input());
    return sent[0].response_format.json_schema;
  };
  const { strict, schema } = await formOf(inner({ required: ["x"] }));
  assert.equal(strict, true);
  assert.deepEqual(schema.properties.a, inner({ required: ["x"], additionalProperties: false }));
  for (const open of [
    inner(),
    inner({ required: ["x"], additionalProperties: true }),
    { type: ["object", "null"] },
  ]) {
    const form = await formOf(open);
    assert.equal(form.strict, undefined);
    assert.deepEqual(form.schema.properties.a, open);
  }
});

test("a stream and its events tell which agent speaks, also one in a tool or as a node", async () => {
  await same(async (lib) => {
    const inner = lib.createAgent({ name: "inner", model: new Model([saying("in")]) });
    const delegate = tool(async () => (await inner.invoke(input())).messages.at(-1).content, {
      name: "delegate",
      description: "",
      schema: none,
    });
    const model = new Model([calling(call("delegate")), saying("out")]);
    const outer = lib.createAgent({ name: "outer", model, tools: [delegate] });
    const told = [];
    const options = { streamMode: "messages", subgraphs: true };
    for await (const [, [{ content }, metadata]] of await outer.stream(input(), options))
      told.push([content, metadata.lc_agent_name]);
    const unnamed = lib.createAgent({ model: new Model([saying("x")]) });
    for await (const { metadata } of unnamed.streamEvents(input(), { version: "v2" })) {
      told.push([metadata.ls_integration, metadata.lc_agent_name]);
      break;
    }
    return told;
  });
});

test("a model that gives two messages one id ends the run with what there is", async () => {
  await same(async (lib) => {
    const twice = [calling(call("add")), saying("done")].map((message) =>
      Object.assign(message, { id: "chatcmpl-17" }),
    );
    return named(
      (await lib.createAgent({ model: new Model(twice), tools: [add] }).invoke(input())).messages,
    );
  });
});

test("an answer that does not fit is repaired, told in own words, or fails the run", async () => {
  const run = async (lib, options, ...args) => {
    const model = structured(...args);
    const { messages, structuredResponse } = await lib
      .createAgent({ model, tools: [add], responseFormat: lib.toolStrategy(Answer, options) })
      .invoke(input());
    const kinds = messages.map((one) => [one.getType(), one.tool_call_id]);
    return [kinds, structuredResponse, model.asked.length];
  };
  await same((lib) => run(lib, undefined, { x: "no" }, { x: 2 }));
  await same((lib) => run(lib, { handleError: true }, { x: "no" }, { x: 2 }));
  await same(async (lib) => {
    const model = structured({ x: "no" }, { x: 2 });
    const { messages } = await lib
      .createAgent({
        model,
        tools: [add],
        responseFormat: lib.toolStrategy(Answer, { handleError: "again, please" }),
      })
      .invoke(input());
    return messages.find((one) => one.getType() === "tool").content;
  });
  for (const lib of [PEER, OWN])
    await assert.rejects(
      run(lib, { handleError: false }, { x: "no" }),
      /Failed to parse structured output for tool 'extract-\d+'/,
    );
});

test("an agent is drawn with LangChain's nodes", () =>
  same(async (lib) => {
    const log = [];
    const text = await lib
      .createAgent({ model: once(), tools: [add], middleware: [notes(lib, "A", log)] })
      .drawMermaid({ withStyles: false });
    return [...new Set(text.match(/\w+(?= -)|(?<=> )\w+/g))].sort();
  }));

test("a config beneath each call, and the state of a thread", () =>
  same(async (lib) => {
    const model = new Model([saying("x")]);
    const agent = lib
      .createAgent({ model, tools: [], checkpointer: new lib.MemorySaver() })
      .withConfig({ configurable: { thread_id: "7" } });
    await agent.invoke(input());
    await agent.graph.updateState(
      { configurable: { thread_id: "7" } },
      { messages: [human("later")] },
    );
    const { values, next } = await agent.getState({ configurable: { thread_id: "7" } });
    return view([values, next]);
  }));
