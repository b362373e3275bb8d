// SPDX-License-Identifier: MIT
// Middleware of LangChain's createAgent, and agents within agents and graphs, in the manner of its
// documentation.
import { RemoveMessage } from "@langchain/core/messages";
import {
  Command,
  END,
  MemorySaver,
  MessagesValue,
  REMOVE_ALL_MESSAGES,
  START,
  StateGraph,
  StateSchema,
  interrupt,
} from "@langchain/langgraph";
import {
  AIMessage,
  ClearToolUsesEdit,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  contextEditingMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  modelCallLimitMiddleware,
  piiMiddleware,
  summarizationMiddleware,
  tool,
  toolCallLimitMiddleware,
  toolEmulatorMiddleware,
  toolErrorMiddleware,
} from "langchain";
import { z } from "zod";
import {
  Scripted,
  add,
  adding,
  ask,
  call,
  calling,
  drain,
  mail,
  onThread,
  saying,
} from "./model.mjs";

const nothing = z.object({});
const echo = tool(({ q }) => `answer to ${q} `.repeat(20), {
  name: "echo",
  description: "echoes",
  schema: z.object({ q: z.string() }),
});
const saver = () => new MemorySaver();
const thrown = (error) => [error.name, error.message];
const history = async (agent) =>
  (await drain(agent.graph.getStateHistory(onThread))).map(({ values, next, metadata, tasks }) => ({
    values,
    next,
    metadata,
    tasks: tasks.map(({ name, interrupts, error }) => [name, interrupts, error?.message]),
  }));
const answer = (agent, ...decisions) =>
  agent.invoke(new Command({ resume: { decisions } }), onThread).catch(thrown);

export const middleware = {
  "tool results that are cleared for the model": async () => {
    const model = new Scripted(
      ...["1", "2", "3"].map((q) => calling(call("echo", { q }, `c${q}`))),
      saying("end"),
      saying("again"),
    );
    const agent = createAgent({
      model,
      tools: [echo],
      checkpointer: saver(),
      middleware: [
        contextEditingMiddleware({
          edits: [
            new ClearToolUsesEdit({
              trigger: { tokens: 20 },
              keep: { messages: 1 },
              clearToolInputs: true,
            }),
          ],
        }),
      ],
    });
    await agent.invoke(ask(), onThread);
    await agent.invoke(ask("more", "u2"), onThread);
    return model.asked;
  },
  "a tool that a model stands in for": () =>
    createAgent({
      model: new Scripted(calling(call("mail", { to: "x" }, "c1"), adding), saying("end")),
      tools: [mail, add],
      middleware: [
        toolEmulatorMiddleware({ model: new Scripted(saying("emulated")), tools: ["mail"] }),
      ],
    }).invoke(ask()),
  "a failure that becomes an answer, or not": async () => {
    const bad = tool(
      () => {
        throw new Error("boom");
      },
      { name: "bad", description: "fails", schema: nothing },
    );
    const told = (onError) =>
      createAgent({
        model: new Scripted(calling(call("bad", {}, "c1")), saying("end")),
        tools: [bad],
        middleware: [toolErrorMiddleware({ onError })],
      })
        .invoke(ask())
        .catch(thrown);
    return [
      await told((error, { toolCall }) => `${toolCall.name}: ${error.message}`),
      await told(() => undefined),
    ];
  },
  "personal data that is refused, masked and hashed": async () => [
    await createAgent({
      model: new Scripted(saying("x")),
      tools: [],
      middleware: [piiMiddleware("email", { strategy: "block" })],
    })
      .invoke(ask("a@b.com"))
      .catch(thrown),
    await createAgent({
      model: new Scripted(saying("x")),
      tools: [],
      middleware: [
        piiMiddleware("credit_card", { strategy: "mask" }),
        piiMiddleware("api_key", { detector: /sk-[a-z]+/g, strategy: "hash" }),
      ],
    }).invoke(ask("4111 1111 1111 1111 sk-abc")),
  ],
  "limits of a thread": async () => {
    const agent = createAgent({
      model: new Scripted(
        calling(adding),
        calling({ ...adding, id: "c2" }),
        calling({ ...adding, id: "c3" }),
        saying("e"),
      ),
      tools: [add],
      checkpointer: saver(),
      middleware: [
        modelCallLimitMiddleware({ threadLimit: 3, runLimit: 2, exitBehavior: "end" }),
        toolCallLimitMiddleware({ threadLimit: 2, exitBehavior: "continue" }),
      ],
    });
    return [
      await agent.invoke(ask(), onThread),
      await agent.invoke(ask("b", "u2"), onThread),
      await agent.invoke(ask("c", "u3"), onThread),
      await history(agent),
    ];
  },
  "summaries over several turns": async () => {
    const model = new Scripted(...["a", "b", "c", "d"].map((text) => saying(`says ${text}`)));
    const agent = createAgent({
      model,
      tools: [],
      checkpointer: saver(),
      middleware: [
        summarizationMiddleware({
          model: new Scripted(saying("sum1"), saying("sum2")),
          trigger: { messages: 4 },
          keep: { messages: 2 },
        }),
      ],
    });
    const chunks = [];
    for (const n of [1, 2, 3, 4])
      chunks.push(
        await drain(
          agent.stream(ask(`q${n}`, `u${n}`), { ...onThread, streamMode: ["messages", "updates"] }),
        ),
      );
    return [chunks, model.asked, (await agent.graph.getState(onThread)).values];
  },
  "all decisions at once": async () => {
    const calls = ["a", "b", "c"].map((to) => call("mail", { to }, `c-${to}`));
    const agent = createAgent({
      model: new Scripted(calling(...calls, adding), saying("end")),
      tools: [mail, add],
      checkpointer: saver(),
      middleware: [
        humanInTheLoopMiddleware({
          interruptOn: {
            mail: {
              allowedDecisions: ["approve", "edit", "reject"],
              description: ({ args }) => `mail ${args.to}`,
            },
            add: false,
          },
        }),
      ],
    });
    const asked = await drain(
      agent.stream(ask(), { ...onThread, streamMode: ["updates", "values"] }),
    );
    return [
      asked,
      await answer(
        agent,
        { type: "approve" },
        { type: "edit", editedAction: { name: "mail", args: { to: "z" } } },
        { type: "reject", message: "no" },
      ),
      await history(agent),
    ];
  },
  "decisions one after the other, one that is not allowed": async () => {
    const agent = createAgent({
      model: new Scripted(
        calling(call("mail", { to: "a" }, "c1")),
        calling(call("mail", { to: "b" }, "c2")),
        saying("end"),
      ),
      tools: [mail],
      checkpointer: saver(),
      middleware: [
        humanInTheLoopMiddleware({ interruptOn: { mail: { allowedDecisions: ["approve"] } } }),
      ],
    });
    return [
      await agent.invoke(ask(), onThread),
      await answer(agent, { type: "edit", editedAction: { name: "mail", args: {} } }),
      await answer(agent, { type: "approve" }),
      await answer(agent, { type: "approve" }),
      await history(agent),
    ];
  },
  "questions around a tool and before the model": async () => {
    const m = createMiddleware({
      name: "Q",
      wrapToolCall: async (r, next) => {
        const a = interrupt({ tool: r.toolCall.name });
        return a === "yes"
          ? next(r)
          : new ToolMessage({ content: `said ${a}`, tool_call_id: r.toolCall.id, id: "tm" });
      },
      beforeModel: (s) => (s.messages.length === 1 ? void interrupt("go?") : undefined),
    });
    const agent = createAgent({
      model: new Scripted(calling(adding), saying("end")),
      tools: [add],
      checkpointer: saver(),
      middleware: [m],
    });
    return [
      await agent.invoke(ask(), onThread),
      await agent.invoke(new Command({ resume: "1" }), onThread),
      await agent.invoke(new Command({ resume: "no" }), onThread),
      await history(agent),
    ];
  },
  "a Command around a tool": async () => {
    const m = createMiddleware({
      name: "C",
      stateSchema: z.object({ n: z.number().default(0), _own: z.string().optional() }),
      wrapToolCall: async (r, next) => {
        const result = await next(r);
        return new Command({ update: { n: r.state.n + 1, _own: "p", messages: [result] } });
      },
    });
    const agent = createAgent({
      model: new Scripted(calling(adding), calling({ ...adding, id: "c2" }), saying("end")),
      tools: [add],
      checkpointer: saver(),
      middleware: [m],
    });
    return [
      await agent.invoke(ask(), onThread),
      await drain(agent.stream(ask("b", "u2"), { ...onThread, streamMode: ["values", "updates"] })),
    ];
  },
  "another model, tools and prompt for a call": async () => {
    const other = new Scripted(saying("other"));
    const m = createMiddleware({
      name: "W",
      wrapModelCall: async (r, next) =>
        next({
          ...r,
          model: r.messages.length > 2 ? other : r.model,
          tools: r.tools.filter(({ name }) => name !== "mail"),
          systemMessage: r.systemMessage.concat(new SystemMessage("more")),
          messages: [...r.messages, new HumanMessage({ id: "temp", content: "temp" })],
        }),
    });
    const model = new Scripted(calling(adding), saying("end"));
    const agent = createAgent({ model, tools: [add, mail], systemPrompt: "base", middleware: [m] });
    return [await agent.invoke(ask()), model.asked, other.asked];
  },
  "layers of middleware, one that answers itself": async () => {
    const seen = [];
    const m = (name) =>
      createMiddleware({
        name,
        wrapModelCall: async (r, next) => {
          seen.push(`${name}>`);
          const x = await next(r);
          seen.push(`<${name}`);
          return x;
        },
        beforeAgent: () => void seen.push(`ba ${name}`),
        afterAgent: () => void seen.push(`aa ${name}`),
        beforeModel: () => void seen.push(`bm ${name}`),
        afterModel: () => void seen.push(`am ${name}`),
        wrapToolCall: async (r, next) => {
          seen.push(`t ${name}`);
          return next(r);
        },
      });
    const cut = createMiddleware({
      name: "cut",
      wrapModelCall: async (r, next) =>
        r.messages.length > 2 ? new AIMessage({ id: "cut", content: "cut" }) : next(r),
    });
    const agent = createAgent({
      model: new Scripted(calling(adding), saying("end")),
      tools: [add],
      middleware: [m("A"), m("B"), cut],
    });
    return [await drain(agent.stream(ask(), { streamMode: ["updates", "tasks"] })), seen];
  },
  jumps: async () => {
    const out = [];
    for (const [hook, to] of [
      ["beforeModel", "tools"],
      ["beforeModel", "end"],
      ["afterModel", "model"],
      ["afterModel", "end"],
      ["beforeAgent", "end"],
      ["afterModel", "tools"],
    ]) {
      let n = 0;
      const agent = createAgent({
        model: new Scripted(calling(adding), saying("two"), saying("three")),
        tools: [add],
        middleware: [
          createMiddleware({
            name: "J",
            [hook]: {
              canJumpTo: [to],
              hook: () =>
                n++ === 0
                  ? { jumpTo: to, messages: [new AIMessage({ id: `j${n}`, content: "jumped" })] }
                  : undefined,
            },
          }),
        ],
      });
      out.push([
        hook,
        to,
        await drain(agent.stream(ask(), { streamMode: "updates" })).catch(thrown),
        (await agent.graph.getGraphAsync()).drawMermaid(),
      ]);
    }
    return out;
  },
  "tools and a context of middleware": async () => {
    const m = createMiddleware({
      name: "T",
      tools: [mail],
      contextSchema: z.object({ who: z.string().default("nobody") }),
      beforeModel: (s, rt) => ({
        messages: [
          new SystemMessage({ id: `s${s.messages.length}`, content: `for ${rt.context.who}` }),
        ],
      }),
    });
    const agent = createAgent({
      model: new Scripted(calling(call("mail", { to: "x" }, "c1")), saying("end")),
      tools: [],
      middleware: [m],
    });
    return [
      await agent.invoke(ask(), { context: { who: "ann" } }),
      await agent.invoke(ask(), {}).catch(thrown),
    ];
  },
  "handoffs between agents in a graph": async () => {
    const to = (name) =>
      tool(
        async (_, rt) => {
          const last = rt.state.messages.findLast((m) => AIMessage.isInstance(m));
          return new Command({
            goto: name,
            graph: Command.PARENT,
            update: {
              active: name,
              messages: [
                last,
                new ToolMessage({
                  id: `tm-${name}`,
                  content: "moved",
                  tool_call_id: rt.toolCallId,
                }),
              ],
            },
          });
        },
        { name: `to_${name}`, description: "t", schema: nothing },
      );
    const State = new StateSchema({ messages: MessagesValue, active: z.string().optional() });
    const sales = createAgent({
      model: new Scripted(calling(call("to_support", {}, "h1")), saying("sales")),
      tools: [to("support")],
      name: "sales",
    });
    const support = createAgent({
      model: new Scripted(saying("support")),
      tools: [to("sales")],
      name: "support",
    });
    const route = (s) => {
      const last = s.messages.at(-1);
      return last?.getType() === "ai" && !last.tool_calls?.length ? END : (s.active ?? "sales");
    };
    const graph = new StateGraph(State)
      .addNode("sales", async (s) => sales.invoke(s))
      .addNode("support", async (s) => support.invoke(s))
      .addConditionalEdges(START, (s) => s.active ?? "sales", ["sales", "support"])
      .addConditionalEdges("sales", route, ["sales", "support", END])
      .addConditionalEdges("support", route, ["sales", "support", END])
      .compile({ checkpointer: saver() });
    return [
      await drain(
        graph.stream(ask(), { ...onThread, subgraphs: true, streamMode: ["updates", "values"] }),
      ),
      await drain(graph.stream(ask("again", "u2"), { ...onThread, streamMode: "updates" })),
      (await graph.getState(onThread)).values,
    ];
  },
  "steps of one agent by state": async () => {
    const next = tool(
      (_, rt) =>
        new Command({
          update: {
            step: "second",
            messages: [new ToolMessage({ id: "t", content: "ok", tool_call_id: rt.toolCallId })],
          },
        }),
      { name: "next", description: "n", schema: nothing },
    );
    const model = new Scripted(calling(call("next", {}, "c1")), saying("done"));
    const m = createMiddleware({
      name: "S",
      stateSchema: z.object({ step: z.string().default("first") }),
      wrapModelCall: (r, go) =>
        go({
          ...r,
          systemPrompt: `in ${r.state.step}`,
          tools: r.state.step === "first" ? [next] : [],
        }),
    });
    const agent = createAgent({ model, tools: [next], middleware: [m], checkpointer: saver() });
    return [
      await agent.invoke(ask(), onThread),
      model.asked,
      await agent.invoke(ask("b", "u2"), onThread),
      await history(agent),
    ];
  },
  "agents in tools, several at once, each asks": async () => {
    const sub = createAgent({
      model: new Scripted((ms) =>
        ms.length === 1
          ? calling(call("mail", { to: ms[0].text }, `m-${ms[0].text}`))
          : saying(`sub ${ms.at(-1).text}`),
      ),
      tools: [mail],
      name: "sub",
      middleware: [humanInTheLoopMiddleware({ interruptOn: { mail: true } })],
    });
    const callSub = tool(
      async ({ q }) =>
        (await sub.invoke({ messages: [{ role: "user", content: q, id: `s-${q}` }] })).messages.at(
          -1,
        ).text,
      { name: "call_sub", description: "c", schema: z.object({ q: z.string() }) },
    );
    const main = createAgent({
      model: new Scripted(
        calling(call("call_sub", { q: "1" }, "c1"), call("call_sub", { q: "2" }, "c2")),
        saying("main done"),
      ),
      tools: [callSub],
      checkpointer: saver(),
    });
    const a = await main.invoke(ask(), onThread);
    const resume = Object.fromEntries(
      a.__interrupt__.map(({ id }) => [id, { decisions: [{ type: "approve" }] }]),
    );
    const b = await main.invoke(new Command({ resume }), onThread);
    // The questions come in the order in which they are asked, which is none's promise; their ids
    // are named by it.
    const questions = a.__interrupt__.toSorted((left, right) =>
      JSON.stringify(left.value) < JSON.stringify(right.value) ? -1 : 1,
    );
    return [{ ...a, __interrupt__: questions }, b];
  },
  "time travel of an agent": async () => {
    const agent = createAgent({
      model: new Scripted(calling(adding), saying("first"), saying("second"), saying("third")),
      tools: [add],
      checkpointer: saver(),
    });
    await agent.invoke(ask(), onThread);
    const all = await drain(agent.graph.getStateHistory(onThread));
    const before = all.find((s) => s.next[0] === "tools");
    const a = await agent.invoke(null, before.config);
    const fork = await agent.graph.updateState(before.config, {
      messages: [
        new AIMessage({
          id: before.values.messages.at(-1).id,
          content: "",
          tool_calls: [call("add", { a: 5, b: 5 }, "c1")],
        }),
      ],
    });
    const b = await agent.invoke(null, fork);
    return [a, b, await history(agent)];
  },
  "trimmed and removed messages": async () => {
    const trim = createMiddleware({
      name: "Trim",
      beforeModel: (s) =>
        s.messages.length <= 2
          ? undefined
          : {
              messages: [
                new RemoveMessage({ id: REMOVE_ALL_MESSAGES }),
                s.messages[0],
                ...s.messages.slice(-1),
              ],
            },
    });
    const del = createMiddleware({
      name: "Del",
      afterModel: (s) => ({
        messages: s.messages
          .filter((m) => m.text === "b")
          .map((m) => new RemoveMessage({ id: m.id })),
      }),
    });
    const agent = createAgent({
      model: new Scripted(saying("1"), saying("2"), saying("3")),
      tools: [],
      checkpointer: saver(),
      middleware: [trim, del],
    });
    const out = [];
    for (const q of ["a", "b", "c"])
      out.push(
        await drain(
          agent.stream(ask(q, `u${q}`), { ...onThread, streamMode: ["updates", "messages"] }),
        ),
      );
    return [out, await history(agent)];
  },
};
