// SPDX-License-Identifier: MIT
// Programs in the manner of tutorials: retrieval, SQL, teams of teams, workers by plan, memory of
// functions, evaluation.
import { Document } from "@langchain/core/documents";
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { JsonOutputParser, StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate, PromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { FakeRetriever } from "@langchain/core/utils/testing";
import {
  Annotation,
  Command,
  END,
  InMemoryStore,
  MemorySaver,
  MessagesAnnotation,
  START,
  Send,
  StateGraph,
  entrypoint,
  getConfig,
  getStore,
  interrupt,
  task,
} from "weftgraph";
import { ToolNode, createReactAgent, toolsCondition } from "weftgraph/prebuilt";
import { z } from "zod";
import { ScriptedModel, call, drain, onThread } from "./models.js";
import type { Programs } from "./trace.js";

const user = (content: string) => new HumanMessage({ id: `u-${content}`, content });
const documents = [
  new Document({ pageContent: "agents plan and act", metadata: { source: "a" } }),
  new Document({ pageContent: "looms weave", metadata: { source: "b" } }),
];
const retriever = new FakeRetriever({ output: documents });

export const programs: Programs = {
  "an agent that retrieves, grades and rewrites": async (t) => {
    const retrieve = tool(
      async ({ query }, config) =>
        (await retriever.invoke(query, config)).map(({ pageContent }) => pageContent).join("\n"),
      { name: "retrieve_posts", description: "searches", schema: z.object({ query: z.string() }) },
    );
    const model = new ScriptedModel(
      [call("retrieve_posts", { query: "memory" }, "c1")],
      "yes",
      [call("retrieve_posts", { query: "agents" }, "c2")],
      "Agents plan.",
    );
    let grades = 0;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("agent", async ({ messages }) => ({
        messages: [
          await model.invoke(messages.filter((message) => message.getType() !== "system")),
        ],
      }))
      .addNode("retrieve", new ToolNode([retrieve]))
      .addNode("rewrite", async ({ messages }) => ({
        messages: [
          new HumanMessage({ id: `r${messages.length}`, content: `better: ${messages[0].text}` }),
        ],
      }))
      .addNode("generate", async ({ messages }) => ({
        messages: [
          new AIMessage({
            content: (await PromptTemplate.fromTemplate("From {context}")
              .pipe(RunnableLambda.from(({ value }: any) => value))
              .pipe(new StringOutputParser() as any)
              .invoke({ context: messages.at(-1)!.text })
              .catch(() => "plain")) as string,
          }),
        ],
      }))
      .addEdge(START, "agent")
      .addConditionalEdges("agent", toolsCondition, { tools: "retrieve", [END]: END })
      .addConditionalEdges("retrieve", async () => (++grades % 2 === 1 ? "rewrite" : "generate"))
      .addEdge("generate", END)
      .addEdge("rewrite", "agent")
      .compile();
    await t.stream(
      graph,
      { messages: [user("what is memory?")] },
      { streamMode: ["updates", "values"] },
    );
    t.note("drawn", graph.getGraph().drawMermaid());
  },
  "documents in the state, and what events tell of a retriever": async (t) => {
    const State = Annotation.Root({
      question: Annotation<string>,
      context: Annotation<Document[]>,
      answer: Annotation<string>,
    });
    const graph = new StateGraph(State)
      .addNode("retrieve", async ({ question }, config) => ({
        context: await retriever.invoke(question, config as any),
      }))
      .addNode("generate", async ({ context, question }) => ({
        answer: (
          await ChatPromptTemplate.fromTemplate("{question}: {context}")
            .pipe(new ScriptedModel((messages) => messages[0].text))
            .invoke({ question, context: context.map(({ pageContent }) => pageContent).join("; ") })
        ).text,
      }))
      .addEdge(START, "retrieve")
      .addEdge("retrieve", "generate")
      .compile();
    t.note("answer", await graph.invoke({ question: "what?" }));
    const events = await drain(graph.streamEvents({ question: "what?" }, { version: "v2" }));
    t.note(
      "events",
      events
        .filter(({ event }) => event !== "on_chain_stream")
        .map(({ event, name }) => `${event} ${name}`),
    );
    t.note(
      "retrieved",
      events.filter(({ event }) => event === "on_retriever_end").map(({ data }) => data),
    );
  },
  "a question is routed to one of several sources": async (t) => {
    const State = Annotation.Root({
      question: Annotation<string>,
      documents: Annotation<string[]>,
      generation: Annotation<string>,
    });
    const router = ChatPromptTemplate.fromTemplate("Route {question}")
      .pipe(
        new ScriptedModel((messages) =>
          JSON.stringify({ datasource: messages[0].text.includes("web") ? "web" : "store" }),
        ),
      )
      .pipe(new JsonOutputParser<{ datasource: string }>());
    const graph = new StateGraph(State)
      .addNode("web_search", () => ({ documents: ["from the web"] }))
      .addNode("retrieve", () => ({ documents: ["from the store"] }))
      .addNode("generate", ({ documents: found }) => ({ generation: `by ${found}` }))
      .addConditionalEdges(
        START,
        async ({ question }) => (await router.invoke({ question })).datasource,
        { web: "web_search", store: "retrieve" },
      )
      .addEdge("web_search", "generate")
      .addEdge("retrieve", "generate")
      .addConditionalEdges(
        "generate",
        ({ generation }) => (generation.includes("by") ? "useful" : "not supported"),
        { useful: END, "not supported": "generate" },
      )
      .compile();
    for (const question of ["the web?", "the book?"]) await t.stream(graph, { question }, {});
  },
  "an agent for a database": async (t) => {
    const rows: Record<string, string> = { "SELECT 1": "[[1]]" };
    const list = tool(async () => "Artist, Album", {
      name: "list_tables",
      description: "lists",
      schema: z.object({}),
    });
    const schema = tool(async ({ tables }) => `CREATE TABLE ${tables}`, {
      name: "get_schema",
      description: "schema",
      schema: z.object({ tables: z.string() }),
    });
    const query = tool(
      async ({ sql }) => {
        if (!(sql in rows)) throw new Error(`no such table in ${sql}`);
        return rows[sql];
      },
      { name: "run_query", description: "runs", schema: z.object({ sql: z.string() }) },
    );
    const model = new ScriptedModel(
      [call("get_schema", { tables: "Artist" }, "c1")],
      [call("run_query", { sql: "SELEC" }, "c2")],
      [call("run_query", { sql: "SELECT 1" }, "c3")],
      "There is one.",
    );
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("listTables", async () => {
        const asked = new AIMessage({
          id: "l",
          content: "",
          tool_calls: [call("list_tables", {}, "c0")],
        });
        const answer = (await list.invoke(asked.tool_calls![0] as any)) as ToolMessage;
        return {
          messages: [
            asked,
            answer,
            new AIMessage({ id: "l2", content: `Available tables: ${answer.content}` }),
          ],
        };
      })
      .addNode("callSchema", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addNode("getSchema", new ToolNode([schema], { name: "getSchema" }))
      .addNode("generate", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addNode("runQuery", new ToolNode([query]))
      .addNode(
        "check",
        async ({ messages }): Promise<Command> => {
          const sql = (messages.at(-1) as AIMessage).tool_calls![0].args.sql;
          return new Command({
            goto: interrupt<object, string>({ sql }) === "accept" ? "runQuery" : "generate",
          });
        },
        { ends: ["runQuery", "generate"] },
      )
      .addEdge(START, "listTables")
      .addEdge("listTables", "callSchema")
      .addEdge("callSchema", "getSchema")
      .addEdge("getSchema", "generate")
      .addConditionalEdges(
        "generate",
        ({ messages }) => ((messages.at(-1) as AIMessage).tool_calls?.length ? "check" : END),
        ["check", END],
      )
      .addEdge("runQuery", "generate")
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(
      graph,
      { messages: [user("how many?")] },
      { ...onThread("1"), streamMode: "updates" },
    );
    for (const resume of ["accept", "accept"])
      await t.stream(graph, new Command({ resume }), { ...onThread("1"), streamMode: "updates" });
    t.note("next", (await graph.getState(onThread("1"))).next);
  },
  "teams of teams": async (t) => {
    const State = Annotation.Root({
      messages: Annotation<BaseMessage[]>({ reducer: (x, y) => x.concat(y) }),
      members: Annotation<string[]>({ reducer: (x, y) => x.concat(y), default: () => [] }),
      next: Annotation<string>({ reducer: (x, y) => y ?? x, default: () => "supervisor" }),
    });
    const team = (name: string, members: string[]) => {
      let graph: any = new StateGraph(State);
      for (const member of members)
        graph = graph
          .addNode(member, async () => ({
            messages: [new HumanMessage({ content: `${member} of ${name}`, name: member })],
          }))
          .addEdge(member, "supervisor");
      return graph
        .addNode("supervisor", (state: typeof State.State) => ({
          next:
            members.find((member) => !state.messages.some((message) => message.name === member)) ??
            "FINISH",
        }))
        .addConditionalEdges("supervisor", (state: typeof State.State) => state.next, {
          ...Object.fromEntries(members.map((member) => [member, member])),
          FINISH: END,
        })
        .addEdge(START, "supervisor")
        .compile({ name });
    };
    const join = RunnableLambda.from((state: any) => ({ messages: [state.messages.at(-1)] }));
    const enter = RunnableLambda.from((state: any) => ({ messages: [state.messages.at(-1)] }));
    const graph: any = new StateGraph(State)
      .addNode("research", enter.pipe(team("research", ["search", "scrape"])).pipe(join) as any)
      .addNode("writing", enter.pipe(team("writing", ["outline", "write"])).pipe(join) as any)
      .addNode("boss", (state: typeof State.State) => ({
        next: ["research", "writing", "FINISH"][state.messages.length - 1],
      }))
      .addEdge("research", "boss")
      .addEdge("writing", "boss")
      .addConditionalEdges("boss", (state) => state.next, {
        research: "research",
        writing: "writing",
        FINISH: END,
      })
      .addEdge(START, "boss")
      .compile();
    await t.stream(graph, { messages: [user("a report")] }, { recursionLimit: 50 });
    await t.stream(
      graph,
      { messages: [user("a report")] },
      { subgraphs: true, streamMode: "updates" },
    );
  },
  "workers by a plan, whose results stand for each other": async (t) => {
    const State = Annotation.Root({
      task: Annotation<string>,
      plan: Annotation<string>,
      steps: Annotation<string[][]>,
      results: Annotation<Record<string, string>>,
      result: Annotation<string>,
    });
    const current = (state: typeof State.State) =>
      state.results === undefined
        ? 1
        : Object.keys(state.results).length === state.steps.length
          ? null
          : Object.keys(state.results).length + 1;
    const graph = new StateGraph(State)
      .addNode("planner", () => {
        const text = "Plan: find #E1 = Search[winner] Plan: age #E2 = Calc[#E1 + 1]";
        return {
          plan: text,
          steps: [...text.matchAll(/Plan: (\S+) (#E\d) = (\w+)\[([^\]]+)\]/g)].map((found) =>
            found.slice(1),
          ),
        };
      })
      .addNode("tool", (state) => {
        const [, name, which, given] = state.steps[current(state)! - 1];
        const input = Object.entries(state.results ?? {}).reduce(
          (text, [key, value]) => text.replace(key, value),
          given,
        );
        return { results: { ...state.results, [name]: `${which}(${input})` } };
      })
      .addNode("solve", (state) => ({ result: Object.values(state.results).at(-1) }))
      .addEdge(START, "planner")
      .addEdge("planner", "tool")
      .addEdge("solve", END)
      .addConditionalEdges("tool", (state) => (current(state) === null ? "solve" : "tool"))
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(graph, { task: "who won?" }, onThread("1"));
    t.note("result", (await graph.getState(onThread("1"))).values.result);
  },
  "a workflow with a store, and what it remembers of users": async (t) => {
    const store = new InMemoryStore();
    const answer = task(
      "callModel",
      async (messages: BaseMessage[], memory: BaseStore, userId: string) => {
        const found = await memory.search(["memories", userId]);
        if (messages.at(-1)!.text.startsWith("remember"))
          await memory.put(["memories", userId], `k${found.length}`, {
            data: messages.at(-1)!.text,
          });
        return `known: ${found.map(({ value }) => value.data).join()}`;
      },
    );
    type BaseStore = InstanceType<typeof InMemoryStore>;
    const flow = entrypoint(
      { checkpointer: new MemorySaver(), store, name: "workflow" },
      async ({ messages, userId }: { messages: BaseMessage[]; userId: string }, config) => {
        const said = await answer(
          [...((config as any).configurable.previous ?? []), ...messages],
          (config.store ?? getStore()) as any,
          userId,
        );
        return entrypoint.final({ value: said, save: [] });
      },
    );
    await t.stream(
      flow,
      { messages: [user("remember: I am Bob")], userId: "1" },
      { ...onThread("1"), streamMode: "values" },
    );
    await t.stream(
      flow,
      { messages: [user("who?")], userId: "1" },
      { ...onThread("2"), streamMode: "values" },
    );
    await t.stream(
      flow,
      { messages: [user("who?")], userId: "2" },
      { ...onThread("3"), streamMode: "values" },
    );
  },
  "an entrypoint, an agent and a bound graph called with a part of the config": async (t) => {
    const told = (label: string, config: any) =>
      t.note(label, [
        config.tags,
        config.metadata?.outer,
        config.configurable?.thread_id,
        config.configurable?.user,
        config.recursionLimit,
        config.context,
      ]);
    const flow = entrypoint(
      { name: "inner" },
      async (_: number, config) => (
        told("flow", config),
        task(
          "job",
          async () => (
            told("job", getConfig()), (await new ScriptedModel("some words").invoke("x")).text
          ),
        )()
      ),
    );
    const graph = new StateGraph(MessagesAnnotation)
      .addNode(
        "a",
        async (_, config) => (
          told("graph", config), { messages: [await new ScriptedModel("some words").invoke("x")] }
        ),
      )
      .addEdge(START, "a")
      .compile({ name: "inner" });
    const calls: Record<string, (config: any) => any> = {
      flow: (config) => flow.invoke(1, config),
      batch: (config) => graph.batch([{ messages: [] }, { messages: [] }], config),
      stream: (config) =>
        drain(graph.stream({ messages: [] }, { ...config, streamMode: "updates" })),
      agent: (config) =>
        createReactAgent({ llm: new ScriptedModel("some words"), tools: [] }).invoke(
          { messages: "q" },
          config,
        ),
      bound: (config) =>
        graph
          .withConfig({
            tags: ["bound"],
            metadata: { outer: "bound" },
            configurable: { user: "bound" },
          })
          .invoke({ messages: [] }, config),
    };
    const parts: Record<string, (config: any) => any> = {
      none: () => undefined,
      picked: ({ configurable }) => ({ configurable }),
      callbacks: ({ callbacks }) => ({ callbacks }),
      context: () => ({ context: { mine: 1 } }),
      metadata: () => ({ metadata: { m: 1 } }),
    };
    for (const [name, act] of Object.entries(calls))
      for (const [part, of] of Object.entries(parts)) {
        const outer = new StateGraph(MessagesAnnotation)
          .addNode("out", async (_, config) => (await act(of(config)), {}))
          .addEdge(START, "out")
          .compile({ checkpointer: new MemorySaver() });
        const chunks = await drain(
          outer.stream({ messages: [] }, {
            configurable: { thread_id: "t", user: "ann" },
            tags: ["outer"],
            metadata: { outer: 1 },
            recursionLimit: 9,
            context: { c: 1 },
            streamMode: "messages",
          } as any),
        );
        t.note(
          `${name}, ${part}`,
          chunks.map(([message, metadata]: any) => [message.text, metadata.outer]).sort(),
        );
      }
  },
  "items in two rounds of Sends": async (t) => {
    const State = Annotation.Root({
      items: Annotation<number[]>,
      squares: Annotation<number[]>({ reducer: (a, b) => a.concat(b), default: () => [] }),
      halves: Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] }),
    });
    const graph = new StateGraph(State)
      .addNode("square", ({ n }: any) => ({ squares: [n * n] }))
      .addNode("collect", () => ({}))
      .addNode("half", ({ n, all }: any) => ({ halves: [`${n / 2} of ${all}`] }))
      .addConditionalEdges(START, ({ items }) => items.map((n) => new Send("square", { n })), [
        "square",
      ])
      .addEdge("square", "collect")
      .addConditionalEdges(
        "collect",
        ({ squares }) => squares.map((n) => new Send("half", { n, all: squares.length })),
        ["half"],
      )
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(
      graph,
      { items: [1, 2, 3] },
      { ...onThread("1"), streamMode: ["updates", "tasks"] },
    );
    await t.history(graph, onThread("1"));
  },
};
