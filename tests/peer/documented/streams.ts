// SPDX-License-Identifier: MIT
// Programs in the manner of the pages on streaming: values, updates, tokens, custom data, events,
// projections and transformers.
import { dispatchCustomEvent } from "@langchain/core/callbacks/dispatch";
import {
  AIMessageChunk,
  HumanMessage,
  isAIMessageChunk,
  type BaseMessage,
} from "@langchain/core/messages";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { FakeListChatModel, FakeStreamingChatModel } from "@langchain/core/utils/testing";
import {
  Annotation,
  MemorySaver,
  MessagesAnnotation,
  START,
  Send,
  StateGraph,
  StateSchema,
  StreamChannel,
  entrypoint,
  getWriter,
  pushMessage,
  task,
  type LangGraphRunnableConfig,
} from "weftgraph";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { z } from "zod";
import { ScriptedModel, call, drain, onThread } from "./models.js";
import type { Programs, Trace } from "./trace.js";

const Joke = new StateSchema({ topic: z.string(), joke: z.string() });
const user = (content: string) => new HumanMessage({ id: `u-${content}`, content });
const weather = tool(async ({ city }) => `Sunny in ${city}`, {
  name: "get_weather",
  description: "weather",
  schema: z.object({ city: z.string() }),
});

function jokes() {
  return new StateGraph(Joke)
    .addNode("refineTopic", (state) => ({ topic: `${state.topic} and cats` }))
    .addNode("generateJoke", (state) => ({ joke: `This is a joke about ${state.topic}` }))
    .addEdge(START, "refineTopic")
    .addEdge("refineTopic", "generateJoke")
    .compile();
}

function chat(model: any, more: object = {}) {
  return new StateGraph(MessagesAnnotation)
    .addNode("model", async (state) => ({ messages: [await model.invoke(state.messages)] }))
    .addEdge(START, "model")
    .compile(more);
}

function agentGraph() {
  const model = new ScriptedModel(
    [call("get_weather", { city: "sf" }, "c1")],
    "It is sunny in sf.",
  );
  return new StateGraph(MessagesAnnotation)
    .addNode("agent", async (state, config) => ({
      messages: [await model.invoke(state.messages, config as any)],
    }))
    .addNode("tools", new ToolNode([weather]))
    .addEdge(START, "agent")
    .addConditionalEdges("agent", (state) =>
      (state.messages.at(-1) as any).tool_calls?.length ? "tools" : "__end__",
    )
    .addEdge("tools", "agent")
    .compile();
}

/** Events without what hangs on the machine. */
const bare = (events: any[]) =>
  events.map(({ event, name, tags, data, metadata }) => ({
    event,
    name,
    tags,
    data,
    node: metadata?.langgraph_node,
    step: metadata?.langgraph_step,
  }));

async function noted(t: Trace, label: string, stream: any) {
  t.note(label, await drain(stream));
}

export const programs: Programs = {
  "values and updates": async (t) => {
    for (const streamMode of [
      "values",
      "updates",
      "debug",
      ["values", "updates"],
      ["updates"],
      undefined,
    ] as any[])
      await t.stream(jokes(), { topic: "ice cream" }, { streamMode });
  },
  "updates of a graph inside": async (t) => {
    const State = new StateSchema({ foo: z.string(), bar: z.string() });
    const inner = new StateGraph(State)
      .addNode("in1", () => ({ bar: "bar" }))
      .addNode("in2", (state) => ({ foo: state.foo + state.bar }))
      .addEdge(START, "in1")
      .addEdge("in1", "in2")
      .compile();
    const graph = new StateGraph(State)
      .addNode("node1", (state) => ({ foo: `hi! ${state.foo}` }))
      .addNode("node2", inner)
      .addEdge(START, "node1")
      .addEdge("node1", "node2")
      .compile();
    for (const streamMode of ["updates", "values", "debug", ["updates", "custom"]] as any[])
      await t.stream(graph, { foo: "foo" }, { streamMode, subgraphs: true });
    for await (const [namespace, data] of await graph.stream(
      { foo: "foo" },
      { streamMode: "updates", subgraphs: true },
    ))
      t.note("data", [namespace, data]);
  },
  "tokens of a model": async (t) => {
    const graph = chat(new ScriptedModel("I am a bot and I talk"));
    for await (const [message, metadata] of await graph.stream(
      { messages: [user("hi")] },
      { streamMode: "messages" },
    )) {
      if (isAIMessageChunk(message as AIMessageChunk))
        t.note("token", [message.content, message.id, metadata.langgraph_node, metadata.tags]);
    }
    await t.stream(
      graph,
      { messages: [user("hi")] },
      { streamMode: ["messages", "updates", "values"] },
    );
  },
  "tokens by tags, and by nodes": async (t) => {
    const joke = new ScriptedModel("a joke").withConfig({ tags: ["joke"] });
    const poem = new ScriptedModel("a poem").withConfig({
      tags: ["poem"],
      metadata: { mine: true },
    });
    const State = Annotation.Root({
      topic: Annotation<string>,
      joke: Annotation<string>,
      poem: Annotation<string>,
    });
    const graph = new StateGraph(State)
      .addNode("callModel", async (state) => {
        const said = await joke.invoke([{ role: "user", content: `a joke about ${state.topic}` }]);
        const rhymed = await poem.invoke([
          { role: "user", content: `a poem about ${state.topic}` },
        ]);
        return { joke: said.text, poem: rhymed.text };
      })
      .addEdge(START, "callModel")
      .compile();
    for await (const [message, metadata] of await graph.stream(
      { topic: "cats" },
      { streamMode: "messages" },
    ))
      if (metadata.tags?.includes("joke")) t.note("joke", message.content);
    const events = await drain(
      graph.streamEvents({ topic: "cats" }, { version: "v2" }, { includeTags: ["poem"] }),
    );
    t.note("events", bare(events));
  },
  "no tokens of a model with the tag nostream": async (t) => {
    const graph = chat(new ScriptedModel("not shown").withConfig({ tags: ["nostream"] }));
    await t.stream(graph, { messages: [user("hi")] }, { streamMode: "messages" });
    const legacy = chat(
      new ScriptedModel("not shown").withConfig({ tags: ["langsmith:nostream"] }),
    );
    await t.stream(legacy, { messages: [user("hi")] }, { streamMode: "messages" });
  },
  "tokens of a model that another function calls, without a config": async (t) => {
    const model = new ScriptedModel("nested words come");
    const chain = ChatPromptTemplate.fromMessages([
      ["system", "You are {mood}"],
      ["placeholder", "{messages}"],
    ])
      .pipe(model)
      .pipe(new StringOutputParser());
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("chain", async (state) => ({
        messages: [
          {
            role: "assistant",
            id: "x",
            content: await chain.invoke({ mood: "kind", messages: state.messages }),
          },
        ],
      }))
      .addEdge(START, "chain")
      .compile();
    await t.stream(graph, { messages: [user("hi")] }, { streamMode: "messages" });
    t.note("asked", model.asked);
    const nodes = new StateGraph(Annotation.Root({ q: Annotation<string>, a: Annotation<string> }))
      .addNode(
        "chain",
        RunnableLambda.from(async (state: { q: string }) => ({
          a: await new ScriptedModel("piped words").pipe(new StringOutputParser()).invoke(state.q),
        })),
      )
      .addEdge(START, "chain")
      .compile();
    await t.stream(nodes, { q: "?" }, { streamMode: ["messages", "updates"] });
  },
  "fake models of LangChain": async (t) => {
    await t.stream(
      chat(new FakeListChatModel({ responses: ["abc"] })),
      { messages: [user("hi")] },
      { streamMode: ["messages", "updates"] },
    );
    await t.stream(
      chat(
        new FakeStreamingChatModel({
          responses: [new AIMessageChunk({ id: "s", content: "hey" })],
        }),
      ),
      { messages: [user("hi")] },
      { streamMode: ["messages", "updates"] },
    );
    await t.stream(
      chat(
        new FakeStreamingChatModel({
          chunks: [
            new AIMessageChunk({ id: "s", content: "he" }),
            new AIMessageChunk({ id: "s", content: "y" }),
          ],
        }),
      ),
      { messages: [user("hi")] },
      { streamMode: ["messages", "updates"] },
    );
    t.note(
      "bound",
      await chat(
        new FakeStreamingChatModel({
          responses: [new AIMessageChunk({ id: "s", content: "hey" })],
        }).bindTools([weather]),
      ).invoke({ messages: [user("hi")] }),
    );
  },
  "custom data of a node": async (t) => {
    const State = new StateSchema({ query: z.string(), answer: z.string() });
    const graph = new StateGraph(State)
      .addNode("node", async (_, config) => {
        config.writer?.({ custom_key: "Generating custom data inside node" });
        config.writer?.("a text");
        getWriter()?.({ by: "getWriter" });
        return { answer: "some data" };
      })
      .addEdge(START, "node")
      .compile();
    await t.stream(graph, { query: "example" }, { streamMode: "custom" });
    await t.stream(graph, { query: "example" }, { streamMode: ["custom", "updates"] });
    t.note("invoked", await graph.invoke({ query: "example" }));
  },
  "custom data of a tool": async (t) => {
    const query = tool(
      async (input, config: LangGraphRunnableConfig) => {
        config.writer?.({ data: "Retrieved 0/100 records", type: "progress" });
        config.writer?.({ data: "Retrieved 100/100 records", type: "progress" });
        return `answer to ${input.query}`;
      },
      {
        name: "query_database",
        description: "Query the database.",
        schema: z.object({ query: z.string() }),
      },
    );
    const agent = createReactAgent({
      llm: new ScriptedModel([call("query_database", { query: "q" }, "c1")], "done"),
      tools: [query],
    });
    await t.stream(agent, { messages: [user("x")] }, { streamMode: "custom" });
    await t.stream(
      agent,
      { messages: [user("x")] },
      { streamMode: ["custom", "updates", "tools"] },
    );
  },
  "any client's tokens as custom data": async (t) => {
    async function* client(topic: string) {
      for (const token of ["a", " story", ` of ${topic}`])
        yield { choices: [{ delta: { content: token } }] };
    }
    const graph = new StateGraph(
      Annotation.Root({ topic: Annotation<string>, result: Annotation<string> }),
    )
      .addNode("callArbitraryModel", async (state, config: LangGraphRunnableConfig) => {
        let result = "";
        for await (const chunk of client(state.topic)) {
          result += chunk.choices[0].delta.content;
          config.writer?.({ custom_llm_chunk: chunk });
        }
        return { result };
      })
      .addEdge(START, "callArbitraryModel")
      .compile();
    await t.stream(graph, { topic: "cats" }, { streamMode: ["custom", "updates"] });
  },
  "custom events, heard by streamEvents": async (t) => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("node", async (_, config) => {
        await dispatchCustomEvent("my_event", { chunk: 1 }, config as any);
        await dispatchCustomEvent("my_event", { chunk: 2 });
        return {};
      })
      .addEdge(START, "node")
      .compile();
    t.note(
      "custom",
      bare(
        (await drain(graph.streamEvents({ messages: [] }, { version: "v2" }))).filter(
          ({ event }) => event === "on_custom_event",
        ),
      ),
    );
  },
  "all events of a graph": async (t) => {
    const events = await drain(
      chat(new ScriptedModel("Hello there you")).streamEvents(
        { messages: [user("hi")] },
        { version: "v2" },
      ),
    );
    t.note("events", bare(events));
    const names = await drain(
      agentGraph().streamEvents(
        { messages: [user("weather?")] },
        { version: "v2", streamMode: "values" },
      ),
    );
    t.note(
      "of an agent",
      bare(names).map(({ event, name, node, step }) => `${event} ${name} ${node} ${step}`),
    );
    const tools = names.filter(({ event }) => event === "on_tool_end" || event === "on_tool_start");
    t.note("tools", bare(tools));
  },
  "events of the last node alone": async (t) => {
    const model = new ScriptedModel("first words", "last words").withConfig({ tags: [] });
    const final = new ScriptedModel("the final words").withConfig({ tags: ["final_node"] });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("agent", async (state) => ({ messages: [await model.invoke(state.messages)] }))
      .addNode("final", async (state) => ({ messages: [await final.invoke(state.messages)] }))
      .addEdge(START, "agent")
      .addEdge("agent", "final")
      .compile();
    const words = [];
    for await (const { event, tags, data } of graph.streamEvents(
      { messages: [user("hi")] },
      { version: "v2" },
    ))
      if (event === "on_chat_model_stream" && tags?.includes("final_node"))
        words.push(data.chunk.content);
    t.note("words", words);
    const shown = [];
    for await (const [message, metadata] of await graph.stream(
      { messages: [user("hi")] },
      { streamMode: "messages" },
    ))
      if (metadata.langgraph_node === "final") shown.push(message.content);
    t.note("shown", shown);
  },
  "tool calls in pieces, gathered": async (t) => {
    const graph = agentGraph();
    let gathered: AIMessageChunk | undefined;
    for await (const [message] of await graph.stream(
      { messages: [user("weather?")] },
      { streamMode: "messages" },
    )) {
      if (!isAIMessageChunk(message as AIMessageChunk)) continue;
      const chunk = message as AIMessageChunk;
      if (chunk.tool_call_chunks?.length)
        gathered = gathered === undefined ? chunk : gathered.concat(chunk);
    }
    t.note("gathered", gathered?.tool_calls);
    await t.stream(agentGraph(), { messages: [user("weather?")] }, { streamMode: "messages" });
    await t.stream(agentGraph(), { messages: [user("weather?")] }, { streamMode: "tools" });
  },
  "a message that is pushed by hand": async (t) => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("node", async (_, config) => {
        pushMessage({ role: "assistant", id: "p1", content: "pushed" } as any, config as any);
        pushMessage(
          { role: "assistant", id: "p2", content: "not kept" } as any,
          { ...(config as any), stateKey: null } as any,
        );
        return { messages: [] };
      })
      .addEdge(START, "node")
      .compile();
    await t.stream(graph, { messages: [user("x")] }, { streamMode: ["messages", "values"] });
  },
  "tasks, checkpoints": async (t) => {
    const graph = new StateGraph(Joke)
      .addNode("a", (state) => ({ joke: state.topic }))
      .addEdge(START, "a")
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(graph, { topic: "x" }, { ...onThread("1"), streamMode: "checkpoints" });
    await t.stream(
      graph,
      { topic: "y" },
      { ...onThread("1"), streamMode: ["tasks", "checkpoints"] },
    );
  },
  "a workflow's streams": async (t) => {
    const write = task("write", async (topic: string) => {
      getWriter()?.(`writing about ${topic}`);
      return (await new ScriptedModel("an essay on it").invoke(topic)).text;
    });
    const flow = entrypoint(
      { name: "flow", checkpointer: new MemorySaver() },
      async ({ topics }: { topics: string[] }, config: LangGraphRunnableConfig) => {
        config.writer?.("started");
        const texts = await Promise.all(topics.map((topic) => write(topic)));
        return { texts };
      },
    );
    for (const streamMode of [
      "updates",
      "values",
      "custom",
      "messages",
      ["updates", "custom", "messages"],
    ] as any[])
      await t.stream(flow, { topics: ["a"] }, { ...onThread(`${streamMode}`), streamMode });
  },
  "Sends' tokens": async (t) => {
    const State = Annotation.Root({
      topics: Annotation<string[]>,
      said: Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] }),
    });
    const graph = new StateGraph(State)
      .addNode("say", async ({ topic }: any) => ({
        said: [(await new ScriptedModel(`about ${topic}`).invoke(topic)).text],
      }))
      .addConditionalEdges(START, ({ topics }) => topics.map((topic) => new Send("say", { topic })))
      .compile();
    const byTask = new Map<string, string[]>();
    for await (const [message, metadata] of await graph.stream(
      { topics: ["x", "y"] },
      { streamMode: "messages" },
    )) {
      const ns = metadata.langgraph_checkpoint_ns as string;
      byTask.set(ns, [...(byTask.get(ns) ?? []), message.text]);
    }
    t.note("by task", [...byTask.values()].sort());
  },
  "a stream that is left, aborted, and made bytes": async (t) => {
    const graph = jokes();
    for await (const chunk of await graph.stream({ topic: "x" }, { streamMode: "updates" })) {
      t.note("first", chunk);
      break;
    }
    const stop = new AbortController();
    await t.try("aborted", async () => {
      for await (const chunk of await graph.stream(
        { topic: "x" },
        { streamMode: "updates", signal: stop.signal },
      ))
        t.note("chunk", chunk), stop.abort();
    });
    const sse: any = await graph.stream({ topic: "x" }, {
      streamMode: ["updates", "values"],
      encoding: "text/event-stream",
    } as any);
    t.note(
      "bytes",
      (await drain<any>(sse)).map((bytes) => new TextDecoder().decode(bytes)),
    );
    const response = new Response(
      (await graph.stream({ topic: "x" }, { encoding: "text/event-stream" } as any)) as any,
      { headers: { "content-type": "text/event-stream" } },
    );
    t.note("response", await response.text());
  },
  "version 3: messages, values, output": async (t) => {
    const run: any = await chat(new ScriptedModel("It is 714 of course")).streamEvents(
      { messages: [user("What is 42 * 17?")] },
      { version: "v3" },
    );
    const [tokens, values] = await Promise.all([
      (async () => {
        const found = [];
        for await (const message of run.messages) {
          for await (const token of message.text) found.push(token);
          found.push(await message.text, await message.usage);
        }
        return found;
      })(),
      (async () => {
        const found = [];
        for await (const snapshot of run.values) found.push(snapshot);
        return found;
      })(),
    ]);
    t.note("tokens", tokens);
    t.note("values", values);
    t.note("output", await run.output);
  },
  "version 3: every event of a run": async (t) => {
    const run: any = await chat(new ScriptedModel("one two")).streamEvents(
      { messages: [user("x")] },
      { version: "v3" },
    );
    const events = [];
    for await (const event of run)
      events.push([event.method, event.params.namespace, event.params.node, event.params.data]);
    t.note("events", events);
  },
  "version 3: graphs inside": async (t) => {
    const inner = chat(new ScriptedModel("from inside"), { name: "inner" });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("researcher", inner)
      .addEdge(START, "researcher")
      .compile();
    const run: any = await graph.streamEvents({ messages: [user("x")] }, { version: "v3" });
    for await (const subgraph of run.subgraphs) {
      t.note("subgraph", [subgraph.name, subgraph.path.map((part: string) => part.split(":")[0])]);
      for await (const message of subgraph.messages) t.note("message", await message.text);
    }
    t.note("output", await run.output);
  },
  "version 3: transformers of one's own": async (t) => {
    const activity = () => {
      const channel = new StreamChannel<unknown>("toolActivity");
      return {
        init: () => ({ toolActivity: channel }),
        process(event: any) {
          if (event.method === "tools" && event.params.data.event)
            channel.push({ name: event.params.data.tool_name, status: event.params.data.event });
          return true;
        },
      };
    };
    const custom = () => {
      const channel = new StreamChannel<unknown>();
      return {
        init: () => ({ custom: channel }),
        process: (event: any) => (
          event.method === "custom" && channel.push(event.params.data), true
        ),
      };
    };
    const stats = () => {
      let count = 0;
      let resolve!: (value: number) => void;
      const total = new Promise<number>((done) => (resolve = done));
      return {
        init: () => ({ total }),
        process: (event: any) => (event.method === "messages" && count++, true),
        finalize: () => resolve(count),
      };
    };
    const model = new ScriptedModel([call("get_weather", { city: "sf" }, "c1")], "It is sunny.");
    const graph = new StateGraph(MessagesAnnotation)
      .addNode(
        "agent",
        async (state, config) => (
          (config as any).writer?.({ kind: "progress" }),
          { messages: [await model.invoke(state.messages)] }
        ),
      )
      .addNode("tools", new ToolNode([weather]))
      .addEdge(START, "agent")
      .addConditionalEdges("agent", (state) =>
        (state.messages.at(-1) as any).tool_calls?.length ? "tools" : "__end__",
      )
      .addEdge("tools", "agent")
      .compile({ transformers: [activity] } as any);
    const run: any = await graph.streamEvents({ messages: [user("x")] }, {
      version: "v3",
      transformers: [custom, stats],
    } as any);
    await noted(t, "activity", run.extensions.toolActivity);
    await noted(t, "custom", run.extensions.custom);
    t.note("total", await run.extensions.total);
  },
  "a model that streams inside a task of a node": async (t) => {
    const messages: BaseMessage[] = [];
    const model = new ScriptedModel("words of a task");
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("node", async (state, config) => {
        const chunks = [];
        for await (const chunk of await model.stream(state.messages, config as any))
          chunks.push(chunk);
        const whole = chunks.reduce((left, right) => left.concat(right));
        messages.push(whole);
        return { messages: [whole] };
      })
      .addEdge(START, "node")
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(
      graph,
      { messages: [user("x")] },
      { ...onThread("1"), streamMode: ["messages", "updates"] },
    );
    await t.state(graph, onThread("1"));
  },
};
