// SPDX-License-Identifier: MIT
// Programs in the manner of the pages on agents, tools, structured answers, workflows of functions
// and several agents.
import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
  type BaseMessageLike,
} from "@langchain/core/messages";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate, MessagesPlaceholder } from "@langchain/core/prompts";
import { RunnableLambda, type RunnableConfig } from "@langchain/core/runnables";
import { tool, type ToolRunnableConfig } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  Send,
  StateGraph,
  addMessages,
  entrypoint,
  getCurrentTaskInput,
  interrupt,
  task,
  type LangGraphRunnableConfig,
} from "weftgraph";
import { ToolNode, createReactAgent, toolsCondition } from "weftgraph/prebuilt";
import { z } from "zod";
import { ScriptedModel, call, drain, onThread, type Call } from "./models.js";
import type { Programs } from "./trace.js";

const user = (content: string) => new HumanMessage({ id: `u-${content}`, content });
const weather = tool(
  async ({ location }) => {
    if (location === "San Francisco") return "It's 60 degrees and foggy.";
    if (location === "down") throw new Error("the service is down");
    return { degrees: 90, location };
  },
  {
    name: "get_weather",
    description: "Call to get the current weather.",
    schema: z.object({ location: z.string().describe("Location to get the weather for.") }),
  },
);
const coolest = tool(() => "nyc, sf", {
  name: "get_coolest_cities",
  description: "Get a list of coolest cities",
  schema: z.object({ noOp: z.string().optional() }),
});
const multiply = tool(({ a, b }) => a * b, {
  name: "multiply",
  description: "multiplies",
  schema: z.object({ a: z.number(), b: z.number() }),
});
const asking = (...calls: Call[]) => new AIMessage({ id: "a1", content: "", tool_calls: calls });

const handoff = (agentName: string) =>
  tool(
    async (_: object, config: ToolRunnableConfig) =>
      new Command({
        goto: agentName,
        graph: Command.PARENT,
        update: {
          messages: [
            ...(getCurrentTaskInput<typeof MessagesAnnotation.State>(config as any)?.messages ??
              []),
            new ToolMessage({
              content: `Transferred to ${agentName}`,
              name: `transfer_to_${agentName}`,
              tool_call_id: config.toolCall!.id!,
            }),
          ],
        },
      }),
    { name: `transfer_to_${agentName}`, description: "Ask another agent", schema: z.object({}) },
  );

export const programs: Programs = {
  "a ToolNode called by hand": async (t) => {
    const node = new ToolNode([weather, coolest]);
    await t.try("one", () =>
      node.invoke({ messages: [asking(call("get_weather", { location: "San Francisco" }, "c1"))] }),
    );
    await t.try("two", () =>
      node.invoke({
        messages: [
          asking(
            call("get_coolest_cities", {}, "c1"),
            call("get_weather", { location: "LA" }, "c2"),
          ),
        ],
      }),
    );
    await t.try("a list", () =>
      node.invoke([asking(call("get_weather", { location: "LA" }, "c2"))] as any),
    );
    await t.try("failing", () =>
      node.invoke({
        messages: [
          asking(
            call("get_weather", { location: "down" }, "c1"),
            call("unknown", {}, "c2"),
            call("get_weather", { place: 3 }, "c3"),
          ),
        ],
      }),
    );
    await t.try("thrown", () =>
      new ToolNode([weather], { handleToolErrors: false }).invoke({
        messages: [asking(call("get_weather", { location: "down" }, "c1"))],
      }),
    );
    await t.try("no message", () => node.invoke({ messages: [] }));
    await t.try("no calls", () =>
      node.invoke({ messages: [new AIMessage({ id: "x", content: "hi" })] }),
    );
    await t.try("not an AI message", () => node.invoke({ messages: [user("x")] }));
    t.note("condition", [
      toolsCondition({ messages: [asking(call("get_weather", {}, "c"))] }),
      toolsCondition({ messages: [new AIMessage("x")] }),
      toolsCondition([new AIMessage("x")] as any),
    ]);
    t.note("names", [node.tools.map(({ name }) => name), node.name, node.handleToolErrors]);
  },
  "an agent from scratch": async (t) => {
    const model = new ScriptedModel(
      [call("get_weather", { location: "sf" }, "c1"), call("get_coolest_cities", {}, "c2")],
      "It is hot.",
    );
    const tools: any = Object.fromEntries([weather, coolest].map((one) => [one.name, one]));
    const State = Annotation.Root({
      messages: Annotation<BaseMessage[]>({ reducer: (x, y) => x.concat(y) }),
    });
    const graph = new StateGraph(State)
      .addNode("agent", async (state, config) => ({
        messages: [
          await model.invoke([new SystemMessage("Be kind"), ...state.messages], config as any),
        ],
      }))
      .addNode("tools", async ({ messages }) => ({
        messages: await Promise.all(
          ((messages.at(-1) as AIMessage).tool_calls ?? []).map(async (one) =>
            tools[one.name].invoke({ ...one, type: "tool_call" }),
          ),
        ),
      }))
      .addEdge(START, "agent")
      .addConditionalEdges(
        "agent",
        ({ messages }) => ((messages.at(-1) as AIMessage).tool_calls?.length ? "tools" : END),
        { tools: "tools", [END]: END },
      )
      .addEdge("tools", "agent")
      .compile();
    await t.stream(graph, { messages: [user("weather?")] }, { streamMode: "updates" });
    t.note("asked", model.asked);
  },
  "agents with prompts of every kind": async (t) => {
    const prompts: any[] = [
      "You are kind",
      new SystemMessage("You are a SystemMessage"),
      (state: any, config: LangGraphRunnableConfig) => [
        {
          role: "system",
          content: `for ${config.configurable?.user} with ${state.messages.length}`,
        },
        ...state.messages,
      ],
      ChatPromptTemplate.fromMessages([
        ["system", "from a template"],
        new MessagesPlaceholder("messages"),
      ]),
      RunnableLambda.from((state: any) => [new SystemMessage("by a lambda"), ...state.messages]),
    ];
    for (const prompt of prompts) {
      const model = new ScriptedModel("ok");
      const agent = createReactAgent({ llm: model, tools: [weather], prompt });
      await t.invoke(agent, { messages: [user("hi")] }, { configurable: { user: "ann" } });
      t.note("asked", model.asked);
    }
    for (const option of ["messageModifier", "stateModifier"]) {
      const model = new ScriptedModel("ok");
      await t.invoke(createReactAgent({ llm: model, tools: [], [option]: "old words" } as any), {
        messages: [user("hi")],
      });
      t.note(option, model.asked);
    }
  },
  "an agent with memory, streamed": async (t) => {
    const model = new ScriptedModel(
      [call("get_weather", { location: "San Francisco" }, "c1")],
      "60 degrees.",
      "You asked about SF.",
    );
    const agent = createReactAgent({
      llm: model,
      tools: [weather],
      checkpointSaver: new MemorySaver(),
    });
    await t.stream(
      agent,
      { messages: [["user", "What's the weather in SF?"]] },
      { ...onThread("42"), streamMode: "updates" },
    );
    await t.stream(
      agent,
      { messages: [{ role: "user", content: "What did I ask?" }] },
      { ...onThread("42"), streamMode: "values" },
    );
    t.note("next", (await agent.getState(onThread("42"))).next);
    t.note("drawn", agent.getGraph().drawMermaid());
  },
  "a structured answer at the end": async (t) => {
    const schema = z.object({ conditions: z.string().describe("Weather conditions") });
    class Structured extends ScriptedModel {
      withStructuredOutput(given: any): any {
        return RunnableLambda.from(async (messages: any) => ({
          conditions: `from ${messages.length} messages, ${given instanceof z.ZodType}`,
        }));
      }
    }
    const agent = createReactAgent({
      llm: new Structured([call("get_weather", { location: "San Francisco" }, "c1")], "foggy"),
      tools: [weather],
      responseFormat: schema,
    });
    const result: any = await agent.invoke({ messages: [user("weather?")] });
    t.note("structured", result.structuredResponse);
    const prompted = createReactAgent({
      llm: new Structured("foggy"),
      tools: [weather],
      responseFormat: { prompt: "Always say it short", schema },
    });
    await t.stream(prompted, { messages: [user("weather?")] }, { streamMode: "updates" });
    await t.try("a model that cannot", () =>
      createReactAgent({ llm: new ScriptedModel("x"), tools: [], responseFormat: schema }).invoke({
        messages: [user("x")],
      }),
    );
  },
  "a structured answer by a tool of one's own graph": async (t) => {
    const final = tool(async () => "mocked", {
      name: "Response",
      description: "Always respond with this",
      schema: z.object({ temperature: z.number(), other_notes: z.string() }),
    });
    const model = new ScriptedModel(
      [call("get_weather", { location: "sf" }, "c1")],
      [call("Response", { temperature: 60, other_notes: "foggy" }, "c2")],
    );
    const route = ({ messages }: typeof MessagesAnnotation.State) =>
      (messages.at(-1) as AIMessage).tool_calls?.[0]?.name === "Response"
        ? "respond"
        : (messages.at(-1) as AIMessage).tool_calls?.length
          ? "tools"
          : END;
    const State = Annotation.Root({ ...MessagesAnnotation.spec, final: Annotation<object> });
    const graph = new StateGraph(State)
      .addNode("agent", async ({ messages }) => ({
        messages: [await model.bindTools().invoke(messages)],
      }))
      .addNode("tools", new ToolNode([weather, final]))
      .addNode("respond", ({ messages }) => ({
        final: (messages.at(-1) as AIMessage).tool_calls![0].args,
      }))
      .addEdge(START, "agent")
      .addConditionalEdges("agent", route, ["tools", "respond", END])
      .addEdge("tools", "agent")
      .addEdge("respond", END)
      .compile();
    t.note("final", (await graph.invoke({ messages: [user("weather?")] })).final);
  },
  "tools that return directly, and one that is forced first": async (t) => {
    const direct = tool(async ({ query }) => `found ${query}`, {
      name: "search",
      description: "searches",
      schema: z.object({ query: z.string() }),
      returnDirect: true,
    });
    await t.stream(
      createReactAgent({
        llm: new ScriptedModel([call("search", { query: "x" }, "c1")], "never said"),
        tools: [direct, weather],
      }),
      { messages: [user("x")] },
      { streamMode: "updates" },
    );
    const forced = new StateGraph(MessagesAnnotation)
      .addNode("first", () => ({ messages: [asking(call("search", { query: "forced" }, "c0"))] }))
      .addNode("agent", async ({ messages }) => ({
        messages: [await new ScriptedModel("done").invoke(messages)],
      }))
      .addNode("tools", new ToolNode([direct]))
      .addEdge(START, "first")
      .addEdge("first", "tools")
      .addEdge("tools", "agent")
      .addConditionalEdges("agent", toolsCondition, ["tools", END])
      .compile();
    await t.stream(forced, { messages: [user("x")] }, { streamMode: "updates" });
  },
  "tools that read the config and the state": async (t) => {
    const update = tool(
      async ({ pets }, config: LangGraphRunnableConfig) =>
        `${config.configurable?.userId} likes ${pets}`,
      { name: "update", description: "pets", schema: z.object({ pets: z.array(z.string()) }) },
    );
    const read = tool(
      async (_: object, config: LangGraphRunnableConfig) =>
        `${(getCurrentTaskInput(config as any) as any).messages.length} messages, ${(config as any).toolCall?.id}`,
      { name: "read", description: "reads", schema: z.object({}) },
    );
    const agent = createReactAgent({
      llm: new ScriptedModel(
        [call("update", { pets: ["cats", "dogs"] }, "c1"), call("read", {}, "c2")],
        "done",
      ),
      tools: [update, read],
      checkpointer: new MemorySaver(),
    });
    await t.invoke(
      agent,
      { messages: [user("I like cats")] },
      { configurable: { thread_id: "1", userId: "u1" } },
    );
    const byState = (state: typeof MessagesAnnotation.State) =>
      new ToolNode([
        tool(() => `from a closure over ${state.messages.length}`, {
          name: "made",
          description: "made",
          schema: z.object({}),
        }),
      ]);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("tools", async (state, config) => byState(state).invoke(state, config as any))
      .addEdge(START, "tools")
      .compile();
    await t.invoke(graph, { messages: [asking(call("made", {}, "c1"))] });
  },
  "tools that update the state": async (t) => {
    const State = Annotation.Root({
      ...MessagesAnnotation.spec,
      lastName: Annotation<string>(),
      userInfo: Annotation<Record<string, any>>(),
    });
    const lookup = tool(
      async (_: object, config: any) =>
        new Command({
          update: {
            userInfo: { name: `Bob ${config.configurable?.user_id}` },
            messages: [
              new ToolMessage({ content: "Looked up", tool_call_id: config.toolCall!.id }),
            ],
          },
        }),
      { name: "lookup", description: "looks up", schema: z.object({}) },
    );
    const agent = createReactAgent({
      llm: new ScriptedModel([call("lookup", {}, "c1")], "done"),
      tools: [lookup],
      stateSchema: State,
      prompt: (state: any) =>
        [
          { role: "system", content: `I know ${JSON.stringify(state.userInfo)} ${state.lastName}` },
          ...state.messages,
        ] as BaseMessageLike[],
    });
    await t.stream(
      agent,
      { messages: [user("hi")], lastName: "Saget" },
      { configurable: { user_id: "1" }, streamMode: ["updates", "values"] },
    );
    const routed = new StateGraph(State)
      .addNode(
        "tools",
        new ToolNode([
          tool(
            async (_: object, config: any) =>
              new Command({
                goto: "next",
                update: {
                  lastName: "set",
                  messages: [new ToolMessage({ content: "ok", tool_call_id: config.toolCall.id })],
                },
              }),
            { name: "go", description: "goes", schema: z.object({}) },
          ),
        ]),
        { ends: ["next"] },
      )
      .addNode("next", (state) => ({ userInfo: { saw: state.lastName } }))
      .addEdge(START, "tools")
      .compile();
    await t.invoke(routed, { messages: [asking(call("go", {}, "c1"))] });
  },
  "an agent that is about to run out of steps": async (t) => {
    const agent = createReactAgent({
      llm: new ScriptedModel([call("get_coolest_cities", {}, "c1")]),
      tools: [coolest],
    });
    await t.invoke(agent, { messages: [user("x")] }, { recursionLimit: 5 });
    await t.invoke(agent, { messages: [user("x")] }, { recursionLimit: 2 });
    const State = Annotation.Root({ ...MessagesAnnotation.spec, remaining: Annotation<number> });
    await t.stream(
      createReactAgent({
        llm: new ScriptedModel([call("get_coolest_cities", {}, "c1")], "x"),
        tools: [coolest],
        stateSchema: State,
      }),
      { messages: [user("x")], remaining: 3 },
      { recursionLimit: 3 },
    );
  },
  "hooks before and after the model": async (t) => {
    const agent = createReactAgent({
      llm: new ScriptedModel([call("get_coolest_cities", {}, "c1")], "done"),
      tools: [coolest],
      preModelHook: ((state: any) => ({ llmInputMessages: state.messages.slice(-2) })) as any,
      postModelHook: ((state: any) => (t.note("after", state.messages.length), {})) as any,
    });
    await t.stream(
      agent,
      { messages: [user("a"), user("b"), user("c")] },
      { streamMode: "updates" },
    );
    t.note("drawn", agent.getGraph().drawMermaid());
  },
  "a model chosen at run time": async (t) => {
    const models: Record<string, ScriptedModel> = {
      a: new ScriptedModel("I am a"),
      b: new ScriptedModel("I am b"),
    };
    const agent = createReactAgent({
      llm: (async (_state: any, runtime: any) =>
        models[runtime.context?.model ?? runtime.configurable?.model ?? "a"]) as any,
      tools: [],
      contextSchema: z.object({ model: z.string() }) as any,
    });
    await t.invoke(agent, { messages: [user("x")] }, { context: { model: "b" } });
    await t.invoke(agent, { messages: [user("x")] });
    await t.invoke(agent, { messages: [user("x")] }, { configurable: { model: "b" } });
  },
  "versions of an agent, names, messages without content": async (t) => {
    for (const version of ["v1", "v2"] as const) {
      const agent = createReactAgent({
        llm: new ScriptedModel(
          [call("get_weather", { location: "sf" }, "c1"), call("get_coolest_cities", {}, "c2")],
          "done",
        ),
        tools: [weather, coolest],
        version,
        name: "expert",
        includeAgentName: "inline",
      });
      await t.stream(agent, { messages: [user("x")] }, { streamMode: ["updates", "tasks"] });
    }
  },
  "histories that no model takes": async (t) => {
    const agent = createReactAgent({ llm: new ScriptedModel("x"), tools: [weather] });
    await t.invoke(agent, { messages: [user("x"), asking(call("get_weather", {}, "c1"))] });
    await t.invoke(agent, {
      messages: [
        user("x"),
        asking(call("get_weather", {}, "c1")),
        new ToolMessage({ id: "t", content: "y", tool_call_id: "c1" }),
      ],
    });
  },
  "a workflow's prompt chain, gate and routing": async (t) => {
    const ask = task("ask", async (prompt: string) => `answer to ${prompt}`);
    const chain = entrypoint("chain", async (topic: string) => {
      const joke = await ask(`joke about ${topic}`);
      if (!joke.includes("cats")) return joke;
      return ask(`improve: ${joke}`);
    });
    t.note("gate", [await chain.invoke("dogs"), await chain.invoke("cats")]);
    const parallel = entrypoint("parallel", async (topic: string) =>
      Promise.all(["joke", "story", "poem"].map((kind) => ask(`${kind} about ${topic}`))),
    );
    await t.stream(parallel, "cats", { streamMode: "updates" });
    const route = task({ name: "router" }, async (input: string) =>
      input.includes("joke") ? "joke" : "poem",
    );
    const routed = entrypoint("routed", async (input: string) =>
      (await route(input)) === "joke" ? ask(`a joke`) : ask(`a poem`),
    );
    await t.stream(routed, "write a joke", { streamMode: ["updates", "values"] });
  },
  "an orchestrator with workers, and an evaluator": async (t) => {
    const State = Annotation.Root({
      topic: Annotation<string>,
      sections: Annotation<string[]>,
      completed: Annotation<string[]>({ default: () => [], reducer: (a, b) => a.concat(b) }),
      report: Annotation<string>,
    });
    const graph = new StateGraph(State)
      .addNode("orchestrator", () => ({ sections: ["intro", "body", "end"] }))
      .addNode("worker", async ({ section }: any) => ({ completed: [`## ${section}`] }))
      .addNode("synthesizer", ({ completed }) => ({ report: completed.join("\n---\n") }))
      .addEdge(START, "orchestrator")
      .addConditionalEdges(
        "orchestrator",
        ({ sections }) => sections.map((section) => new Send("worker", { section })),
        ["worker"],
      )
      .addEdge("worker", "synthesizer")
      .addEdge("synthesizer", END)
      .compile();
    t.note("report", (await graph.invoke({ topic: "x" })).report);
    let tries = 0;
    const evaluated = entrypoint("evaluated", async (topic: string) => {
      let joke = "";
      let grade = "";
      while (grade !== "funny") {
        joke = await task("generate", async () => `joke ${++tries} on ${topic} ${grade}`)();
        grade = await task("evaluate", async (text: string) =>
          text.includes("3") ? "funny" : "not funny",
        )(joke);
      }
      return joke;
    });
    await t.stream(evaluated, "cats", {});
  },
  "a supervisor with workers": async (t) => {
    const members = ["researcher", "coder"] as const;
    const State = Annotation.Root({
      ...MessagesAnnotation.spec,
      next: Annotation<string>({ reducer: (x, y) => y ?? x ?? END, default: () => END }),
    });
    const decide = new ScriptedModel("researcher", "coder", "FINISH");
    const supervisor = ChatPromptTemplate.fromMessages([
      ["system", "You manage {members}"],
      new MessagesPlaceholder("messages"),
      ["human", "Who next? {options}"],
    ])
      .pipe(decide)
      .pipe(new StringOutputParser())
      .pipe((text: string) => ({ next: text === "FINISH" ? END : text }));
    let graph: any = new StateGraph(State).addNode("supervisor", async (state) =>
      supervisor.invoke({
        members: members.join(", "),
        options: "FINISH",
        messages: state.messages,
      }),
    );
    for (const name of members) {
      const agent = createReactAgent({
        llm: new ScriptedModel(`I am the ${name}`),
        tools: [coolest],
      });
      graph = graph
        .addNode(name, async (state: any, config: RunnableConfig) => ({
          messages: [
            new HumanMessage({
              content: (await agent.invoke(state, config)).messages.at(-1)!.content as string,
              name,
            }),
          ],
        }))
        .addEdge(name, "supervisor");
    }
    const compiled = graph
      .addConditionalEdges("supervisor", (state: any) => state.next, [...members, END])
      .addEdge(START, "supervisor")
      .compile();
    await t.stream(compiled, { messages: [user("code hello world")] }, { recursionLimit: 20 });
    t.note("drawn", compiled.getGraph().drawMermaid());
    t.note("asked", decide.asked.at(-1));
  },
  "handoffs between agents": async (t) => {
    const travel = createReactAgent({
      llm: new ScriptedModel([call("transfer_to_hotel", {}, "c1")]),
      tools: [handoff("hotel")],
      name: "travel",
    });
    const hotel = createReactAgent({
      llm: new ScriptedModel("Try the Ritz."),
      tools: [handoff("travel")],
      name: "hotel",
    });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("travel", travel, { ends: ["hotel", END] })
      .addNode("hotel", hotel, { ends: ["travel", END] })
      .addEdge(START, "travel")
      .compile();
    await t.stream(graph, { messages: [user("where to sleep?")] }, { subgraphs: true });
    t.note("result", await graph.invoke({ messages: [user("where to sleep?")] }));
  },
  "agents that talk to a person in turns": async (t) => {
    const node =
      (name: string, other: string, goes: (text: string) => boolean) =>
      async (state: typeof MessagesAnnotation.State) => {
        const last = state.messages.at(-1)!.text;
        return new Command({
          goto: goes(last) ? other : "human",
          update: { messages: [new AIMessage({ content: `${name} heard ${last}`, name })] },
        });
      };
    const graph = new StateGraph(MessagesAnnotation)
      .addNode(
        "travel",
        node("travel", "hotel", (text) => text.includes("hotel")),
        { ends: ["hotel", "human"] },
      )
      .addNode(
        "hotel",
        node("hotel", "travel", () => false),
        { ends: ["travel", "human"] },
      )
      .addNode(
        "human",
        (state: typeof MessagesAnnotation.State, config: any): Command => {
          const given = interrupt<string, string>("Ready for user input.");
          const triggers = config.metadata.langgraph_triggers as string[];
          if (triggers.length !== 1) throw new Error("Expected one trigger");
          return new Command({
            goto: (state.messages.at(-1) as AIMessage).name,
            update: { messages: [{ role: "human", content: given }] },
          });
        },
        { ends: ["travel", "hotel", "human"] },
      )
      .addEdge(START, "travel")
      .compile({ checkpointer: new MemorySaver() });
    for (const input of [
      { messages: [user("warm place")] },
      new Command({ resume: "a hotel please" }),
      new Command({ resume: "with a pool" }),
    ])
      await t.stream(graph, input as any, { ...onThread("1"), streamMode: "updates" });
    await t.state(graph, onThread("1"));
  },
  "a network of agents as functions": async (t) => {
    const toHotel = tool(async () => "Successfully transferred", {
      name: "transferToHotelAdvisor",
      description: "transfers",
      schema: z.object({}),
      returnDirect: true,
    });
    const travel = createReactAgent({
      llm: new ScriptedModel([call("transferToHotelAdvisor", {}, "c1")]),
      tools: [toHotel],
    });
    const hotel = createReactAgent({ llm: new ScriptedModel("the Ritz"), tools: [weather] });
    const callTravel = task(
      "callTravel",
      async (messages: BaseMessageLike[]) => (await travel.invoke({ messages })).messages,
    );
    const callHotel = task(
      "callHotel",
      async (messages: BaseMessageLike[]) => (await hotel.invoke({ messages })).messages,
    );
    const network = entrypoint(
      { name: "network", checkpointer: new MemorySaver() },
      async (messages: BaseMessageLike[]) => {
        let current = messages;
        let active = callTravel;
        while (true) {
          const said = await active(current);
          current = addMessages(current as any, said as any) as any;
          const ai = said.findLast((message) => message.getType() === "ai") as
            | AIMessage
            | undefined;
          if (!ai?.tool_calls?.length) break;
          active = ai.tool_calls.at(-1)!.name === "transferToHotelAdvisor" ? callHotel : callTravel;
        }
        return current;
      },
    );
    await t.stream(network, [user("caribbean")], { ...onThread("1"), subgraphs: true });
  },
  "plan and execute": async (t) => {
    const State = Annotation.Root({
      input: Annotation<string>({ reducer: (x, y) => y ?? x ?? "" }),
      plan: Annotation<string[]>({ reducer: (x, y) => y ?? x ?? [] }),
      pastSteps: Annotation<[string, string][]>({ reducer: (x, y) => x.concat(y) }),
      response: Annotation<string>({ reducer: (x, y) => y ?? x }),
    });
    const executor = createReactAgent({
      llm: new ScriptedModel((messages) => `did ${messages.at(-1)!.text}`),
      tools: [weather],
    });
    const graph = new StateGraph(State)
      .addNode("planner", async (state) => ({ plan: [`find ${state.input}`, "check"] }))
      .addNode("agent", async (state, config) => {
        const step = state.plan[0];
        const { messages } = await executor.invoke({ messages: [user(step)] }, config as any);
        return {
          pastSteps: [[step, messages.at(-1)!.text]] as [string, string][],
          plan: state.plan.slice(1),
        };
      })
      .addNode("replan", async (state) =>
        state.plan.length === 0
          ? { response: state.pastSteps.map(([, result]) => result).join("; ") }
          : { plan: state.plan },
      )
      .addEdge(START, "planner")
      .addEdge("planner", "agent")
      .addEdge("agent", "replan")
      .addConditionalEdges("replan", (state) => (state.response ? "true" : "false"), {
        true: END,
        false: "agent",
      })
      .compile();
    await t.stream(graph, { input: "the winner" }, { recursionLimit: 50 });
  },
  reflection: async (t) => {
    const State = Annotation.Root({
      messages: Annotation<BaseMessage[]>({ reducer: (x, y) => x.concat(y) }),
    });
    const writer = ChatPromptTemplate.fromMessages([
      ["system", "You write essays"],
      new MessagesPlaceholder("messages"),
    ]).pipe(new ScriptedModel((messages) => `essay ${messages.length}`));
    const critic = new ScriptedModel((messages) => `critique of ${messages.at(-1)!.text}`);
    const graph = new StateGraph(State)
      .addNode("generate", async (state) => ({
        messages: [await writer.invoke({ messages: state.messages })],
      }))
      .addNode("reflect", async ({ messages }) => {
        const turned = messages.map((message) =>
          message.getType() === "ai" ? new HumanMessage(message.text) : new AIMessage(message.text),
        );
        return {
          messages: [
            new HumanMessage({
              content: (await critic.invoke([messages[0], ...turned.slice(1)])).content as string,
            }),
          ],
        };
      })
      .addEdge(START, "generate")
      .addConditionalEdges("generate", ({ messages }) => (messages.length > 4 ? END : "reflect"))
      .addEdge("reflect", "generate")
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(graph, { messages: [user("an essay")] }, onThread("1"));
    await t.state(graph, onThread("1"));
  },
  "a simulated user": async (t) => {
    const bot = new ScriptedModel((messages) => `bot ${messages.length}`);
    const person = new ScriptedModel("I want a refund", "now", "FINISHED");
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("user", async ({ messages }) => ({
        messages: [
          new HumanMessage({
            content: (
              await person.invoke(
                messages.map((message) =>
                  message.getType() === "human"
                    ? new AIMessage(message.text)
                    : new HumanMessage(message.text),
                ),
              )
            ).text,
          }),
        ],
      }))
      .addNode("bot", async ({ messages }) => ({ messages: [await bot.invoke(messages)] }))
      .addEdge(START, "bot")
      .addEdge("bot", "user")
      .addConditionalEdges(
        "user",
        ({ messages }) =>
          messages.length > 8 || messages.at(-1)!.text === "FINISHED" ? "end" : "continue",
        { end: END, continue: "bot" },
      )
      .compile();
    t.note(
      "said",
      (await graph.invoke({ messages: [user("hello")] })).messages.map((message) => message.text),
    );
  },
  "retrieval that grades and rewrites": async (t) => {
    const State = Annotation.Root({
      question: Annotation<string>,
      documents: Annotation<string[]>({ reducer: (x, y) => y ?? x ?? [] }),
      generation: Annotation<string>,
    });
    const docs: Record<string, string[]> = {
      agents: ["poems"],
      "agents?": ["agents plan", "agents act"],
    };
    const graph = new StateGraph(State)
      .addNode("retrieve", ({ question }) => ({ documents: docs[question] ?? [] }))
      .addNode("grade", ({ documents }) => ({
        documents: documents.filter((one) => one.includes("agent")),
      }))
      .addNode("transform", ({ question }) => ({ question: `${question}?` }))
      .addNode("generate", ({ documents }) => ({ generation: documents.join(" and ") }))
      .addEdge(START, "retrieve")
      .addEdge("retrieve", "grade")
      .addConditionalEdges("grade", ({ documents }) =>
        documents.length === 0 ? "transform" : "generate",
      )
      .addEdge("transform", "retrieve")
      .addConditionalEdges(
        "generate",
        ({ generation }) => (generation.includes("plan") ? "useful" : "not useful"),
        { useful: END, "not useful": "transform" },
      )
      .compile();
    await t.stream(graph, { question: "agents" }, { streamMode: ["updates", "values"] });
    t.note("drawn", graph.getGraph().drawMermaid());
  },
  "arithmetic tools by name, called side by side": async (t) => {
    const model = new ScriptedModel(
      [call("multiply", { a: 3, b: 4 }, "c1"), call("multiply", { a: 5, b: 6 }, "c2")],
      "12 and 30",
    );
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("llmCall", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addNode("tools", new ToolNode([multiply]))
      .addEdge("__start__", "llmCall")
      .addConditionalEdges("llmCall", toolsCondition)
      .addEdge("tools", "llmCall")
      .compile();
    for await (const step of await graph.stream(
      { messages: [{ role: "user", content: "3*4, 5*6" }] },
      { streamMode: "values" },
    ))
      t.note("last", step.messages.at(-1));
    await t.stream(graph, { messages: [user("x")] }, { streamMode: "messages" });
    t.note(
      "events",
      (
        await drain(
          graph.streamEvents(
            { messages: [user("x")] },
            { version: "v2" },
            { includeTypes: ["tool"] },
          ),
        )
      ).map(({ event, name, data }) => [event, name, data]),
    );
  },
};
