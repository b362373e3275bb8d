// SPDX-License-Identifier: MIT
// @langchain/langgraph-supervisor, @langchain/langgraph-swarm and deepagents.
import { Command, MemorySaver } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { createSupervisor } from "@langchain/langgraph-supervisor";
import { createHandoffTool, createSwarm } from "@langchain/langgraph-swarm";
import { createDeepAgent } from "deepagents";
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

const short = ({ messages, ...rest }) => ({
  ...rest,
  messages: messages.map((message) => [
    message.getType(),
    message.name,
    message.text,
    message.tool_calls,
  ]),
});

function swarm(version, ...beside) {
  const to = (agentName) => createHandoffTool({ agentName });
  const alice = createReactAgent({
    llm: new Scripted(calling(...beside, call("transfer_to_bob", {}, "h1")), saying("I am alice")),
    tools: [add, to("bob")],
    name: "alice",
    version,
  });
  const bob = createReactAgent({
    llm: new Scripted(saying("I am bob"), calling(call("transfer_to_alice", {}, "h2"))),
    tools: [to("alice")],
    name: "bob",
  });
  return createSwarm({ agents: [alice, bob], defaultActiveAgent: "alice" }).compile({
    checkpointer: new MemorySaver(),
  });
}

function supervisor(options) {
  const math = createReactAgent({
    llm: new Scripted(calling(adding), saying("three")),
    tools: [add],
    name: "math",
  });
  const llm = new Scripted(calling(call("transfer_to_math", {}, "s1")), saying("It is three"));
  return createSupervisor({ agents: [math], llm, prompt: "You lead.", ...options }).compile({
    checkpointer: new MemorySaver(),
  });
}

const deep = (model, options) =>
  createDeepAgent({ model, tools: [add, mail], checkpointer: new MemorySaver(), ...options });

export const teams = {
  ...Object.fromEntries(
    ["full_history", "last_message"].map((outputMode) => [
      `a supervisor: ${outputMode}`,
      async () => {
        const graph = supervisor({ outputMode });
        const chunks = await drain(
          graph.stream(ask(), { ...onThread, subgraphs: true, streamMode: "updates" }),
        );
        return {
          chunks,
          values: (await graph.getState(onThread)).values,
          history: (await drain(graph.getStateHistory(onThread))).map(({ next, metadata }) => ({
            next,
            metadata,
          })),
        };
      },
    ]),
  ),
  "a supervisor that reads names in texts": async () => {
    const poet = createReactAgent({ llm: new Scripted(saying("a poem")), tools: [], name: "poet" });
    const told = [];
    for (const bind of ["plain", "bound"]) {
      const llm = new Scripted(
        calling(call("transfer_to_poet", {}, "s1")),
        saying("<name>x</name><content>It rhymes</content>"),
      );
      if (bind === "bound") llm.bindTools = (tools) => llm.withConfig({ tools });
      const graph = createSupervisor({ agents: [poet], llm, includeAgentName: "inline" }).compile();
      told.push(await graph.invoke(ask()), llm.asked);
    }
    return told;
  },
  "a swarm": async () => {
    const graph = swarm();
    const first = await graph.invoke(ask("to bob", "u1"), onThread);
    const second = await graph.invoke(ask("to alice", "u2"), onThread);
    return { first, second, active: (await graph.getState(onThread)).values.activeAgent };
  },
  "a swarm's handoff beside a call": async () => {
    const told = [];
    for (const version of ["v1", "v2"])
      told.push(
        await drain(
          swarm(version, adding).stream(ask(), {
            ...onThread,
            subgraphs: true,
            streamMode: ["updates", "values", "tasks"],
          }),
        ),
      );
    const texts = (written) => written?.messages?.map((message) => message.text) ?? written?.name;
    return told
      .flat()
      .map(([namespace, mode, payload]) => [
        namespace.map((part) => part.split(":")[0]),
        mode,
        texts(payload),
        texts(payload.result),
        Object.entries(payload).map(([key, written]) => [key, texts(written)]),
      ])
      .map((one) => JSON.stringify(one))
      .sort();
  },
  "a swarm's stream": () =>
    drain(
      swarm().stream(ask(), { ...onThread, subgraphs: true, streamMode: ["updates", "messages"] }),
    ),
  "a deep agent's files and to-dos": async () =>
    short(
      await deep(
        new Scripted(
          calling(call("write_file", { file_path: "/a.txt", content: "hello\nworld" }, "d1")),
          calling(
            call("read_file", { file_path: "/a.txt" }, "d2"),
            call("ls", { path: "/" }, "d3"),
          ),
          calling(
            call(
              "edit_file",
              { file_path: "/a.txt", old_string: "world", new_string: "weft" },
              "d4",
            ),
          ),
          calling(call("write_todos", { todos: [{ content: "x", status: "completed" }] }, "d5")),
          saying("finished"),
        ),
      ).invoke(ask(), onThread),
    ),
  "a deep agent's helper": async () => {
    const helper = {
      name: "calc",
      description: "calculates",
      systemPrompt: "Calculate.",
      model: new Scripted(calling(adding), saying("three")),
      tools: [add],
    };
    const agent = deep(
      new Scripted(
        calling(call("task", { description: "add them", subagent_type: "calc" }, "d1")),
        saying("finished"),
      ),
      { subagents: [helper] },
    );
    const chunks = await drain(
      agent.stream(ask(), { ...onThread, subgraphs: true, streamMode: "updates" }),
    );
    return chunks.map(([namespace, update]) => [
      namespace,
      Object.entries(update).map(([node, written]) => [
        node,
        (written?.messages ?? []).map?.((message) => message.text),
      ]),
    ]);
  },
  "a deep agent's approval": async () => {
    const agent = deep(
      new Scripted(calling(call("mail", { to: "bob" }, "d1")), saying("finished")),
      { interruptOn: { mail: true } },
    );
    const { __interrupt__: asked } = await agent.invoke(ask(), onThread);
    return {
      asked,
      done: short(
        await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), onThread),
      ),
    };
  },
};
