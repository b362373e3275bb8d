// SPDX-License-Identifier: MIT
// Programs in the manner of the pages on interrupts, breakpoints, people in the loop and review of
// tool calls.
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  END,
  INTERRUPT,
  MemorySaver,
  MessagesAnnotation,
  MessagesValue,
  NodeInterrupt,
  START,
  Send,
  StateGraph,
  StateSchema,
  entrypoint,
  interrupt,
  isGraphInterrupt,
  isInterrupted,
  task,
  type GraphNode,
  type LangGraphRunnableConfig,
} from "weftgraph";
import {
  ToolNode,
  createReactAgent,
  toolsCondition,
  type HumanInterrupt,
  type HumanResponse,
} from "weftgraph/prebuilt";
import { z } from "zod";
import { ScriptedModel, call, onThread } from "./models.js";
import type { Programs } from "./trace.js";

const Letters = Annotation.Root({
  vals: Annotation<string[]>({
    reducer: (left, right) => left.concat(Array.isArray(right) ? right : [right]),
    default: () => [],
  }),
});
const Text = new StateSchema({ generatedText: z.string() });
const emailSchema = z.object({ to: z.string(), subject: z.string() });

const sendEmail = tool(
  async ({ to, subject }) => {
    const response = interrupt<unknown, { action: string; to?: string }>({
      action: "send_email",
      to,
      subject,
      message: "Approve sending this email?",
    });
    return response?.action === "approve"
      ? `Email sent to ${response.to ?? to} with subject '${subject}'`
      : "Email cancelled by user";
  },
  { name: "send_email", description: "Send an email to a recipient", schema: emailSchema },
);

function steps(more: object) {
  return new StateGraph(Annotation.Root({ input: Annotation<string> }))
    .addNode("step1", () => ({ input: "1" }))
    .addNode("step2", () => ({}))
    .addNode("step3", (state) => ({ input: `${state.input} 3` }))
    .addEdge(START, "step1")
    .addEdge("step1", "step2")
    .addEdge("step2", "step3")
    .addEdge("step3", END)
    .compile({ checkpointer: new MemorySaver(), ...more });
}

export const programs: Programs = {
  "questions of branches side by side, answered at once by id": async (t) => {
    const ask = (name: string) => (_: typeof Letters.State) => ({
      vals: [`${name}:${interrupt(`question_${name}`)}`],
    });
    const graph = new StateGraph(Letters)
      .addNode("a", ask("a"))
      .addNode("b", ask("b"))
      .addEdge(START, "a")
      .addEdge(START, "b")
      .addEdge("a", END)
      .addEdge("b", END)
      .compile({ checkpointer: new MemorySaver() });
    const asked = await graph.invoke({ vals: [] }, onThread("1"));
    t.note("asked", asked);
    await t.state(graph, onThread("1"));
    const resume: Record<string, string> = {};
    if (isInterrupted(asked))
      for (const { id, value } of asked[INTERRUPT])
        if (id != null) resume[id] = `answer for ${value}`;
    t.note("result", await graph.invoke(new Command({ resume }), onThread("1")));
    await t.invoke(graph, { vals: [] }, onThread("2"));
    await t.invoke(graph, new Command({ resume: "for the first" }), onThread("2"));
    await t.invoke(graph, new Command({ resume: "for the second" }), onThread("2"));
  },
  "approve or reject": async (t) => {
    const State = new StateSchema({
      actionDetails: z.string(),
      status: z.enum(["pending", "approved", "rejected"]).nullable(),
    });
    const graph = new StateGraph(State)
      .addNode(
        "approval",
        async (state) => {
          const decision = interrupt({
            question: "Approve this action?",
            details: state.actionDetails,
          });
          return new Command({ goto: decision ? "proceed" : "cancel" });
        },
        { ends: ["proceed", "cancel"] },
      )
      .addNode("proceed", () => ({ status: "approved" as const }))
      .addNode("cancel", () => ({ status: "rejected" as const }))
      .addEdge(START, "approval")
      .addEdge("proceed", END)
      .addEdge("cancel", END)
      .compile({ checkpointer: new MemorySaver() });
    for (const resume of [true, "no", null]) {
      const config = onThread(JSON.stringify(resume));
      const initial: any = await graph.invoke(
        { actionDetails: "Transfer $500", status: "pending" },
        config,
      );
      t.note("asked", initial.__interrupt__);
      await t.invoke(graph, new Command({ resume }), config);
      await t.state(graph, config);
    }
  },
  "a text that somebody edits": async (t) => {
    const graph = new StateGraph(Text)
      .addNode("review", async (state) => ({
        generatedText: interrupt<object, string>({
          instruction: "Review and edit this content",
          content: state.generatedText,
        }),
      }))
      .addEdge(START, "review")
      .addEdge("review", END)
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(
      graph,
      { generatedText: "Initial draft" },
      { ...onThread("1"), streamMode: ["updates", "values"] },
    );
    await t.stream(graph, new Command({ resume: "Improved draft after review" }), {
      ...onThread("1"),
      streamMode: ["updates", "values"],
    });
    await t.history(graph, onThread("1"));
  },
  "an interrupt in a tool": async (t) => {
    const model = new ScriptedModel(
      [call("send_email", { to: "alice@example.com", subject: "Lunch" }, "c1")],
      "All done.",
    );
    const State = new StateSchema({ messages: MessagesValue });
    const agent: GraphNode<typeof State> = async (state) => ({
      messages: [await model.invoke(state.messages)],
    });
    const tools: GraphNode<typeof State> = async (state) => {
      const last = state.messages.at(-1) as AIMessage;
      const results: ToolMessage[] = [];
      for (const one of last.tool_calls ?? [])
        results.push(
          new ToolMessage({
            content: await sendEmail.invoke(one.args as z.infer<typeof emailSchema>),
            tool_call_id: one.id!,
          }),
        );
      return { messages: results };
    };
    const graph = new StateGraph(State)
      .addNode("agent", agent)
      .addNode("tool", tools)
      .addEdge(START, "agent")
      .addConditionalEdges(
        "agent",
        (state) => ((state.messages.at(-1) as AIMessage).tool_calls?.length ? "tool" : END),
        ["tool", END],
      )
      .addEdge("tool", "agent")
      .compile({ checkpointer: new MemorySaver() });
    const asked: any = await graph.invoke(
      { messages: [{ role: "user", content: "Send an email" }] },
      onThread("1"),
    );
    t.note("asked", asked.__interrupt__);
    t.note(
      "done",
      await graph.invoke(
        new Command({ resume: { action: "approve", to: "bob@example.com" } }),
        onThread("1"),
      ),
    );
  },
  "an interrupt in a tool of a ToolNode": async (t) => {
    const model = new ScriptedModel([call("send_email", { to: "a", subject: "s" }, "c1")], "Done.");
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("agent", async (state) => ({ messages: [await model.invoke(state.messages)] }))
      .addNode("tools", new ToolNode([sendEmail]))
      .addEdge(START, "agent")
      .addConditionalEdges("agent", toolsCondition)
      .addEdge("tools", "agent")
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(graph, { messages: "go" as any }, { ...onThread("1"), streamMode: "updates" });
    await t.stream(graph, new Command({ resume: { action: "no" } }), {
      ...onThread("1"),
      streamMode: "updates",
    });
  },
  "an answer that is asked for until it is valid": async (t) => {
    const State = new StateSchema({ age: z.number().nullable() });
    const graph = new StateGraph(State)
      .addNode("collectAge", () => {
        let prompt = "What is your age?";
        while (true) {
          const answer = interrupt<string, unknown>(prompt);
          if (typeof answer === "number" && answer > 0) return { age: answer };
          prompt = `'${answer}' is not a valid age. Please enter a positive number.`;
        }
      })
      .addEdge(START, "collectAge")
      .addEdge("collectAge", END)
      .compile({ checkpointer: new MemorySaver() });
    for (const input of [
      { age: null },
      new Command({ resume: "thirty" }),
      new Command({ resume: -3 }),
      new Command({ resume: 30 }),
    ])
      t.note("step", await graph.invoke(input as any, onThread("1")));
  },
  "several questions of one node, in their order": async (t) => {
    const graph = new StateGraph(Letters)
      .addNode("ask", async () => {
        const name = interrupt("name?");
        const age = interrupt({ question: "age?", name });
        const city = interrupt(["city?", name, age]);
        return { vals: [name, age, city] as string[] };
      })
      .addEdge(START, "ask")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, {}, onThread("1"));
    for (const resume of ["Ann", 30, "Rome"])
      await t.invoke(graph, new Command({ resume }), onThread("1"));
    await t.history(graph, onThread("1"));
  },
  "a question in try and catch": async (t) => {
    const graph = new StateGraph(Letters)
      .addNode("ask", () => {
        try {
          return { vals: [interrupt("?") as string] };
        } catch (error) {
          if (isGraphInterrupt(error)) throw error;
          return { vals: ["caught"] };
        }
      })
      .addNode("swallows", () => {
        try {
          return { vals: [interrupt("swallowed?") as string] };
        } catch {
          return { vals: ["went on"] };
        }
      })
      .addEdge(START, "ask")
      .addEdge("ask", "swallows")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, {}, onThread("1"));
    await t.invoke(graph, new Command({ resume: "a" }), onThread("1"));
    await t.state(graph, onThread("1"));
  },
  "breakpoints when compiled": async (t) => {
    const graph = steps({ interruptBefore: ["step3"] });
    await t.stream(graph, { input: "hello" }, { ...onThread("1"), streamMode: "values" });
    await t.state(graph, onThread("1"));
    await t.stream(graph, null, { ...onThread("1"), streamMode: "values" });
    const after = steps({ interruptAfter: ["step1", "step2"] });
    for (const input of [{ input: "hello" }, null, null, null])
      await t.stream(after, input, { ...onThread("1"), streamMode: "updates" });
    const all = steps({ interruptBefore: "*" });
    for (const input of [{ input: "hello" }, null, null, null])
      await t.stream(all, input, { ...onThread("1"), streamMode: "updates" });
  },
  "breakpoints of a call, and an edit at one": async (t) => {
    const graph = steps({});
    await t.invoke(graph, { input: "hello" }, { ...onThread("1"), interruptBefore: ["step2"] });
    await t.update(graph, onThread("1"), { input: "edited" });
    await t.stream(graph, null, { ...onThread("1"), streamMode: ["values", "updates"] });
    await t.invoke(graph, { input: "hello" }, { ...onThread("2"), interruptAfter: ["step2"] });
    await t.update(graph, onThread("2"), { input: "as 3" }, "step3");
    await t.state(graph, onThread("2"));
    await t.invoke(graph, null, onThread("2"));
  },
  "NodeInterrupt under a condition": async (t) => {
    const graph = new StateGraph(Annotation.Root({ input: Annotation<string> }))
      .addNode("step1", (state) => state)
      .addNode("step2", (state) => {
        if (state.input.length > 5)
          throw new NodeInterrupt(
            `Received input that is longer than 5 characters: ${state.input}`,
          );
        return state;
      })
      .addNode("step3", (state) => state)
      .addEdge(START, "step1")
      .addEdge("step1", "step2")
      .addEdge("step2", "step3")
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(
      graph,
      { input: "hello world" },
      { ...onThread("1"), streamMode: ["values", "updates"] },
    );
    await t.state(graph, onThread("1"));
    await t.stream(graph, null, { ...onThread("1"), streamMode: "values" });
    await t.update(graph, onThread("1"), { input: "foo" });
    await t.stream(graph, null, { ...onThread("1"), streamMode: "values" });
    await t.invoke(graph, { input: "hello world" }, onThread("2"));
    await t.update(graph, onThread("2"), null, "step2");
    await t.state(graph, onThread("2"));
    await t.invoke(graph, null, onThread("2"));
  },
  "feedback of a person as a node's update": async (t) => {
    const State = Annotation.Root({ input: Annotation<string>, userFeedback: Annotation<string> });
    const graph = new StateGraph(State)
      .addNode("step1", () => ({}))
      .addNode("humanFeedback", () => ({}))
      .addNode("step3", (state) => ({ input: `with ${state.userFeedback}` }))
      .addEdge(START, "step1")
      .addEdge("step1", "humanFeedback")
      .addEdge("humanFeedback", "step3")
      .compile({ checkpointer: new MemorySaver(), interruptBefore: ["humanFeedback"] });
    await t.stream(graph, { input: "hello" }, { ...onThread("1"), streamMode: "updates" });
    await t.update(graph, onThread("1"), { userFeedback: "go to step 3!" }, "humanFeedback");
    await t.state(graph, onThread("1"));
    await t.stream(graph, null, { ...onThread("1"), streamMode: "updates" });
  },
  "review of a tool call: continue, update, feedback": async (t) => {
    const weather = tool((input: { city: string }) => `Sunny in ${input.city}`, {
      name: "weather_search",
      description: "weather",
      schema: z.object({ city: z.string() }),
    });
    const build = () => {
      const model = new ScriptedModel(
        [call("weather_search", { city: "sf" }, "c1")],
        (messages) =>
          messages.at(-1)!.text.startsWith("User requested")
            ? [call("weather_search", { city: "San Francisco" }, "c2")]
            : "It's sunny!",
        "It's sunny!",
      );
      return new StateGraph(MessagesAnnotation)
        .addNode("callLlm", async (state) => ({ messages: [await model.invoke(state.messages)] }))
        .addNode(
          "review",
          async (state): Promise<Command> => {
            const last = state.messages.at(-1) as AIMessage;
            const toolCall = last.tool_calls!.at(-1)!;
            const { action, data } = interrupt<object, { action: string; data?: any }>({
              question: "Is this correct?",
              toolCall,
            });
            if (action === "continue") return new Command({ goto: "runTool" });
            if (action === "update")
              return new Command({
                goto: "runTool",
                update: {
                  messages: [
                    new AIMessage({
                      id: last.id,
                      content: last.content,
                      tool_calls: [{ ...toolCall, args: data }],
                    }),
                  ],
                },
              });
            return new Command({
              goto: "callLlm",
              update: {
                messages: [
                  new ToolMessage({
                    name: toolCall.name,
                    content: data,
                    tool_call_id: toolCall.id!,
                  }),
                ],
              },
            });
          },
          { ends: ["callLlm", "runTool"] },
        )
        .addNode("runTool", async (state) => {
          const calls = (state.messages.at(-1) as AIMessage).tool_calls ?? [];
          return {
            messages: await Promise.all(
              calls.map(
                async (one) =>
                  new ToolMessage({
                    name: one.name,
                    content: (await weather.invoke(one.args as any)) as string,
                    tool_call_id: one.id!,
                  }),
              ),
            ),
          };
        })
        .addEdge(START, "callLlm")
        .addConditionalEdges(
          "callLlm",
          (state) => ((state.messages.at(-1) as AIMessage).tool_calls?.length ? "review" : END),
          ["review", END],
        )
        .addEdge("runTool", "callLlm")
        .compile({ checkpointer: new MemorySaver() });
    };
    for (const [name, answers] of Object.entries({
      continue: [{ action: "continue" }],
      update: [{ action: "update", data: { city: "San Francisco, USA" } }],
      feedback: [{ action: "feedback", data: "User requested changes" }, { action: "continue" }],
    })) {
      const graph = build();
      await t.stream(
        graph,
        { messages: [{ role: "user", content: "weather in sf?" }] },
        { ...onThread(name), streamMode: "updates" },
      );
      for (const resume of answers)
        await t.stream(graph, new Command({ resume }), {
          ...onThread(name),
          streamMode: "updates",
        });
      t.note("next", (await graph.getState(onThread(name))).next);
    }
  },
  "an agent that stops before its tools": async (t) => {
    const weather = tool(async ({ location }) => `Sunny in ${location}`, {
      name: "getWeather",
      description: "weather",
      schema: z.object({ location: z.string() }),
    });
    const agent = createReactAgent({
      llm: new ScriptedModel([call("getWeather", { location: "sf" }, "c1")], "Sunny!"),
      tools: [weather],
      interruptBefore: ["tools"],
      checkpointSaver: new MemorySaver(),
    });
    await t.stream(
      agent,
      { messages: [{ role: "user", content: "weather?" }] },
      { ...onThread("1"), streamMode: "values" },
    );
    const state = await agent.getState(onThread("1"));
    t.note("next", state.next);
    const last = state.values.messages.at(-1);
    last.tool_calls[0].args = { location: "New York" };
    await t.update(agent, onThread("1"), { messages: last });
    await t.stream(agent, null, { ...onThread("1"), streamMode: "values" });
  },
  "an inbox for the calls of an agent": async (t) => {
    const book = tool(
      async (input: { hotel: string }, config: LangGraphRunnableConfig) => {
        const request: HumanInterrupt = {
          action_request: { action: "book_hotel", args: input },
          config: {
            allow_accept: true,
            allow_edit: true,
            allow_respond: true,
            allow_ignore: false,
          },
          description: "Please review the tool call",
        };
        const [response] = interrupt<HumanInterrupt[], HumanResponse[]>([request]);
        if (response.type === "accept") return `booked ${input.hotel}`;
        if (response.type === "edit") return `booked ${(response.args as any).args.hotel}`;
        return `told: ${response.args}`;
      },
      { name: "book_hotel", description: "books", schema: z.object({ hotel: z.string() }) },
    );
    for (const answer of [
      { type: "accept", args: null },
      { type: "edit", args: { action: "book_hotel", args: { hotel: "Ritz" } } },
      { type: "response", args: "cheaper" },
    ] as HumanResponse[]) {
      const agent = createReactAgent({
        llm: new ScriptedModel([call("book_hotel", { hotel: "McKittrick" }, "c1")], "ok"),
        tools: [book],
        checkpointer: new MemorySaver(),
      });
      const config = onThread("1");
      t.note("asked", await agent.invoke({ messages: "book" as any }, config));
      t.note("done", await agent.invoke(new Command({ resume: [answer] }), config));
    }
  },
  "a question inside a graph called in a node, and inside a graph as a node": async (t) => {
    const inner = new StateGraph(Letters)
      .addNode("first", () => ({ vals: ["first"] }))
      .addNode("ask", () => ({ vals: [`said ${interrupt("inside?")}`] }))
      .addEdge(START, "first")
      .addEdge("first", "ask")
      .compile();
    const called = new StateGraph(Letters)
      .addNode(
        "p",
        async (_, config) => (
          t.note("again", "p"), await inner.invoke({ vals: [] }, config as any)
        ),
      )
      .addEdge(START, "p")
      .compile({ checkpointer: new MemorySaver() });
    const node = new StateGraph(Letters)
      .addNode("p", inner)
      .addEdge(START, "p")
      .compile({ checkpointer: new MemorySaver() });
    for (const graph of [called, node]) {
      await t.stream(graph, { vals: ["in"] }, { ...onThread("1"), subgraphs: true });
      await t.state(graph, onThread("1"), { subgraphs: true });
      await t.stream(graph, new Command({ resume: "yes" }), { ...onThread("1"), subgraphs: true });
    }
  },
  "resume with an update and a goto": async (t) => {
    const graph = new StateGraph(Letters)
      .addNode("ask", () => ({ vals: [`said ${interrupt("?")}`] }))
      .addNode("other", () => ({ vals: ["other"] }))
      .addConditionalEdges(START, () => "ask", ["ask", "other"])
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(graph, { vals: ["in"] }, onThread("1"));
    await t.stream(graph, new Command({ resume: "yes", update: { vals: ["by hand"] } }), {
      ...onThread("1"),
      streamMode: ["values", "updates"],
    });
    await t.invoke(graph, { vals: ["in"] }, onThread("2"));
    await t.stream(graph, new Command({ goto: "other" }), {
      ...onThread("2"),
      streamMode: ["values", "updates"],
    });
    await t.state(graph, onThread("2"));
  },
  "a workflow of functions that waits for a person": async (t) => {
    const step1 = task("step_1", async (query: string) => `${query} bar`);
    const feedback = task(
      "human_feedback",
      async (query: string) => `${query} ${interrupt(`Please provide feedback: ${query}`)}`,
    );
    const step3 = task("step_3", async (query: string) => `${query} qux`);
    const graph = entrypoint(
      { checkpointer: new MemorySaver(), name: "graph" },
      async (query: string) => step3(await feedback(await step1(query))),
    );
    await t.stream(graph, "foo", onThread("1"));
    await t.state(graph, onThread("1"));
    await t.stream(graph, new Command({ resume: "baz" }), onThread("1"));
  },
  "review of the calls of a workflow's agent": async (t) => {
    const weather = tool(async ({ location }) => `Sunny in ${location}`, {
      name: "getWeather",
      description: "weather",
      schema: z.object({ location: z.string() }),
    });
    const model = new ScriptedModel([call("getWeather", { location: "sf" }, "c1")], "Sunny!");
    const callModel = task("callModel", async (messages: any[]) => model.invoke(messages));
    const callTool = task("callTool", async (one: any) => weather.invoke(one));
    const agent = entrypoint(
      { name: "agent", checkpointer: new MemorySaver() },
      async (messages: any[]) => {
        let current = messages;
        let response = await callModel(current);
        while (response.tool_calls?.length) {
          const results = [];
          for (const one of response.tool_calls) {
            const { action, data } = interrupt<object, any>({
              question: "Is this correct?",
              toolCall: one,
            });
            results.push(
              action === "feedback"
                ? new ToolMessage({ content: data, name: one.name, tool_call_id: one.id! })
                : await callTool(action === "update" ? { ...one, args: data } : one),
            );
          }
          current = [...current, response, ...results];
          response = await callModel(current);
        }
        return entrypoint.final({ value: response, save: [...current, response] });
      },
    );
    await t.stream(agent, [new HumanMessage({ id: "u", content: "weather?" })], onThread("1"));
    await t.stream(
      agent,
      new Command({ resume: { action: "update", data: { location: "SF, CA" } } }),
      onThread("1"),
    );
    await t.state(agent, onThread("1"));
  },
  "a run that is streamed by events, asks and goes on": async (t) => {
    const model = new ScriptedModel("What is it?", "I see, thanks a lot.");
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("say", async (state) => ({ messages: [await model.invoke(state.messages)] }))
      .addNode("ask", () => ({
        messages: [new HumanMessage({ id: "h", content: interrupt<string, string>("your turn") })],
      }))
      .addNode("end", async (state) => ({ messages: [await model.invoke(state.messages)] }))
      .addEdge(START, "say")
      .addEdge("say", "ask")
      .addEdge("ask", "end")
      .compile({ checkpointer: new MemorySaver() });
    let input: any = { messages: [new HumanMessage({ id: "u", content: "hi" })] };
    for (let turn = 0; turn < 2; turn++) {
      const run: any = await graph.streamEvents(input, { ...onThread("1"), version: "v3" });
      for await (const message of run.messages)
        for await (const token of message.text) t.note("token", token);
      for await (const values of run.values) t.note("values", values);
      t.note("interrupted", [run.interrupted, run.interrupts]);
      t.note("output", await run.output);
      input = new Command({ resume: "a riddle" });
    }
  },
  "Sends that ask, each for itself": async (t) => {
    const State = Annotation.Root({ items: Annotation<string[]>, vals: Letters.spec.vals });
    const graph = new StateGraph(State)
      .addNode("review", (state: any) => ({
        vals: [`${state.item}: ${interrupt(`review ${state.item}`)}`],
      }))
      .addConditionalEdges(
        START,
        (state) => state.items.map((item) => new Send("review", { item })),
        ["review"],
      )
      .compile({ checkpointer: new MemorySaver() });
    const asked: any = await graph.invoke({ items: ["x", "y", "z"] }, onThread("1"));
    t.note("asked", asked);
    const [, second] = asked.__interrupt__;
    t.note(
      "one",
      await graph.invoke(new Command({ resume: { [second.id]: "good" } }), onThread("1")),
    );
    const rest = (await graph.getState(onThread("1"))).tasks.flatMap((one) => one.interrupts);
    t.note("rest", rest);
    t.note(
      "all",
      await graph.invoke(
        new Command({ resume: Object.fromEntries(rest.map(({ id }) => [id, "fine"])) }),
        onThread("1"),
      ),
    );
  },
  "what a question needs": async (t) => {
    const graph = new StateGraph(Letters)
      .addNode("ask", () => ({ vals: [interrupt("?") as string] }))
      .addEdge(START, "ask")
      .compile();
    await t.invoke(graph, {});
    await t.try("outside", () => interrupt("?"));
    await t.invoke(graph, new Command({ resume: 1 }), onThread("1"));
    const saved = new StateGraph(Letters)
      .addNode("ask", () => ({ vals: [interrupt("?") as string] }))
      .addEdge(START, "ask")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(saved, new Command({ resume: 1 }), onThread("1"));
    await t.invoke(saved, {}, {});
    await t.state(saved, onThread("nobody"));
  },
};
