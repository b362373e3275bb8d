// SPDX-License-Identifier: MIT
// Graphs as AG-UI agents, driven by its own clients of both dialects: HttpAgent and AbstractAgent
// check each event's form and order.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as older from "@ag-ui/client";
import * as newer from "ag-ui-client-1";
import { Observable, from, lastValueFrom, toArray } from "rxjs";
import {
  Annotation,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  interrupt,
  tool,
} from "weftgraph";
import { createAgent, handleAgUi, toAgUi } from "weftgraph/ag-ui";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";

const schema = { type: "object", properties: { item: { type: "string" } }, required: ["item"] };

function makeAgent(responses) {
  const ran = [];
  const order = tool((args) => (ran.push(args), `ordered ${args.item}`), {
    name: "order",
    description: "Orders",
    schema,
    approval: "ask",
  });
  const look = tool(({ item }) => `found ${item}`, { name: "look", description: "Looks", schema });
  const llm = new ScriptedModel({ responses });
  return {
    graph: createReactAgent({ llm, tools: [order, look], checkpointer: new MemorySaver() }),
    ran,
  };
}

const call = (name, id, args = { item: "tea" }) => ({ name, id, args });
const user = (id, content) => ({ id, role: "user", content });
let runs = 0;
const inputOf = (messages, more) => ({
  threadId: "t",
  runId: `r${runs++}`,
  messages,
  tools: [],
  context: [],
  state: {},
  ...more,
});

/** What a client keeps of events: it cuts off what its protocol does not have. */
const CLIENTS = [
  ["0.0.59", older, (events) => events.map((event) => older.EventSchemas.parse(event))],
  ["1.0.0", newer, (events) => collect(newer.enforceEvents()(from(events)))],
];
const collect = (events) => lastValueFrom(events.pipe(toArray()));
const typesOf = (events) => events.map(({ type }) => type);
const of = (events, type) => events.filter((event) => event.type === type);

for (const [version, { AbstractAgent, HttpAgent, verifyEvents }, keep] of CLIENTS) {
  /** The events of a run, whose form and order the client has checked. */
  async function play(graph, input, options) {
    const events = [];
    for await (const event of toAgUi(graph, input, options)) events.push(event);
    assert.deepEqual(await keep(events), events);
    await collect(verifyEvents(false)(from(events)));
    return events;
  }
  const title = (text) => `@ag-ui/client ${version}: ${text}`;

  const WAYS = [
    ["in the tab", (graph) => createAgent(AbstractAgent, Observable, graph, { threadId: "t" })],
    [
      "over HTTP",
      (graph) =>
        new HttpAgent({
          url: "http://weft.local/agui",
          threadId: "t",
          fetch: (url, init) => handleAgUi(new Request(url, init), { graph }),
        }),
    ],
  ];

  for (const [name, agentOf] of WAYS) {
    test(title(`${name} it runs several turns, and has the thread's messages`), async () => {
      const { graph } = makeAgent([
        { content: "Looking.", tool_calls: [call("look", "1")] },
        "Found it.",
        "Again.",
      ]);
      const agent = agentOf(graph);
      agent.messages = [user("u1", "look")];
      await agent.runAgent({});
      assert.deepEqual(
        agent.messages.map(({ role }) => role),
        ["user", "assistant", "tool", "assistant"],
      );
      assert.equal(agent.messages[1].toolCalls[0].function.arguments, '{"item":"tea"}');
      agent.messages = [...agent.messages, user("u2", "and now?")];
      await agent.runAgent({});
      assert.equal(agent.messages.at(-1).content, "Again.");
      const { values } = await graph.getState({ configurable: { thread_id: "t" } });
      assert.deepEqual(
        values.messages.map(({ id }) => id),
        agent.messages.map(({ id }) => id),
      );
    });
  }

  for (const [name, agentOf] of WAYS) {
    test(title(`${name} a picture that a user attached reaches the graph, and stays`), async () => {
      const { graph } = makeAgent(["Nice.", "Yes."]);
      const agent = agentOf(graph);
      const content = [
        { type: "text", text: "See" },
        { type: "image", source: { type: "data", value: "AAAA", mimeType: "image/png" } },
        { type: "image", source: { type: "url", value: "https://a.example/b.png" } },
        { type: "document", source: { type: "data", value: "BBBB", mimeType: "application/pdf" } },
        { type: "audio", source: { type: "url", value: "https://a.example/c.mp3" } },
      ];
      agent.messages = [user("u1", content)];
      await agent.runAgent();
      assert.deepEqual(agent.messages[0].content, content);
      const { values } = await graph.getState({ configurable: { thread_id: "t" } });
      assert.deepEqual(values.messages[0].content, [
        { type: "text", text: "See" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        { type: "image_url", image_url: { url: "https://a.example/b.png" } },
        { type: "file", mimeType: "application/pdf", data: "BBBB" },
        { type: "audio", url: "https://a.example/c.mp3" },
      ]);
      agent.addMessage(user("u2", "really?"));
      await agent.runAgent();
      assert.equal(agent.messages.at(-1).content, "Yes.");
    });

    test(title(`${name} abortRun() ends a run and its signal; the next one starts`), async () => {
      let seen;
      const graph = new StateGraph(MessagesAnnotation)
        .addNode("n", async ({ messages }, { signal }) => {
          if (messages.at(-1).content === "go")
            return { messages: [{ role: "ai", content: "Ok." }] };
          seen = signal;
          agent.abortRun();
          await new Promise((resolve) => setTimeout(resolve, 20));
          signal.throwIfAborted();
        })
        .addEdge(START, "n")
        .compile({ checkpointer: new MemorySaver() });
      const agent = agentOf(graph);
      agent.messages = [user("u1", "wait")];
      await agent.runAgent();
      assert.equal(seen.aborted, true);
      agent.addMessage(user("u2", "go"));
      await agent.runAgent();
      assert.equal(agent.messages.at(-1).content, "Ok.");
    });
  }

  test(title("reasoning is told before the text, and is no message of the thread"), async () => {
    const content = [
      { type: "reasoning", reasoning: "Hm." },
      { type: "text", text: "See." },
    ];
    const thinking = new StateGraph(MessagesAnnotation)
      .addNode("n", ({ messages }) => ({
        messages: [{ role: "ai", content, id: `a${messages.length}` }],
      }))
      .addEdge(START, "n")
      .compile({ checkpointer: new MemorySaver() });
    const agent = createAgent(AbstractAgent, Observable, thinking, { threadId: "t" });
    agent.messages = [user("u1", "hi")];
    await agent.runAgent();
    agent.addMessage(user("u2", "and?"));
    await agent.runAgent();
    assert.deepEqual(
      agent.messages.filter(({ role }) => role !== "reasoning").map(({ id }) => id),
      ["u1", "a1", "u2", "a3"],
    );
    const { values } = await thinking.getState({ configurable: { thread_id: "t" } });
    assert.deepEqual(
      values.messages.map(({ id }) => id),
      ["u1", "a1", "u2", "a3"],
    );
    const events = await play(thinking, inputOf([user("u3", "so?")], { threadId: "other" }));
    assert.ok(
      typesOf(events).indexOf("REASONING_END") < typesOf(events).indexOf("TEXT_MESSAGE_START"),
    );
  });

  test(title("tool calls side by side have their own events, results their own ids"), async () => {
    const { graph } = makeAgent([
      { content: "", tool_calls: [call("look", "1"), call("look", "2", { item: "milk" })] },
      "Done.",
    ]);
    const events = await play(graph, inputOf([user("u1", "look")]));
    assert.deepEqual(
      of(events, "TOOL_CALL_START").map(({ toolCallId }) => toolCallId),
      ["1", "2"],
    );
    const args = (id) =>
      of(events, "TOOL_CALL_ARGS")
        .filter(({ toolCallId }) => toolCallId === id)
        .map(({ delta }) => delta)
        .join("");
    assert.deepEqual(
      [JSON.parse(args("1")), JSON.parse(args("2"))],
      [{ item: "tea" }, { item: "milk" }],
    );
    const results = of(events, "TOOL_CALL_RESULT");
    assert.deepEqual(
      results.map(({ content }) => content),
      ["found tea", "found milk"],
    );
    assert.equal(new Set(results.map(({ messageId }) => messageId)).size, 2);
    assert.deepEqual(events.at(-1).outcome, { type: "success" });
  });

  test(
    title("a question ends the run; each answer resumes it by id, all open ones together"),
    async () => {
      for (const [payload, ran] of [
        [{ approved: true }, [{ item: "tea" }]],
        [{ approved: true, editedArgs: { item: "milk" } }, [{ item: "milk" }]],
        [{ approved: false, reason: "no" }, []],
        [undefined, []],
      ]) {
        const made = makeAgent([{ content: "", tool_calls: [call("order", "1")] }, "Fine."]);
        const events = await play(made.graph, inputOf([user("u1", "order")]));
        const { outcome } = events.at(-1);
        assert.equal(outcome.type, "interrupt");
        const [{ id, reason, toolCallId }] = outcome.interrupts;
        assert.deepEqual([reason, toolCallId], ["tool_call", "1"]);
        assert.ok(
          typesOf(events).indexOf("MESSAGES_SNAPSHOT") < typesOf(events).indexOf("RUN_FINISHED"),
        );
        const again = await play(made.graph, inputOf([user("u2", "hello?")]));
        assert.equal(again.at(-1).code, "OPEN_INTERRUPTS");
        const wrong = await play(
          made.graph,
          inputOf([], { resume: [{ interruptId: "0", status: "resolved", payload: true }] }),
        );
        assert.equal(wrong.at(-1).code, "INCOMPLETE_RESUME");
        assert.deepEqual(made.ran, []);
        const resume = [
          payload === undefined
            ? { interruptId: id, status: "cancelled" }
            : { interruptId: id, status: "resolved", payload },
        ];
        const after = await play(made.graph, inputOf([], { resume }));
        assert.deepEqual(made.ran, ran);
        assert.equal(of(after, "TOOL_CALL_START").length, 0);
        assert.equal(of(after, "TOOL_CALL_RESULT").length, 1);
        assert.equal(of(after, "TEXT_MESSAGE_CONTENT")[0].delta, "Fine.");
        const twice = await play(made.graph, inputOf([], { resume }));
        assert.deepEqual(twice.at(-1).outcome, { type: "success" });
        assert.deepEqual(made.ran, ran);
      }
    },
  );

  test(title("a client of an address that comes later is shown the thread, too"), async () => {
    const { graph, ran } = makeAgent([{ tool_calls: [call("order", "c1")] }, "Done."]);
    await play(graph, inputOf([user("u1", "order tea")]));
    const answer = (url, init) => handleAgUi(new Request(url, init), { graph });
    class ThreadAgent extends HttpAgent {
      connect(input) {
        return new HttpAgent({ url: `${this.url}?connect`, fetch: answer }).run(input);
      }
    }
    const agent = new ThreadAgent({ url: "http://weft.local/agui", threadId: "t", fetch: answer });
    await agent.connectAgent();
    assert.deepEqual(
      agent.messages.map(({ role }) => role),
      ["user", "assistant"],
    );
    const [{ id }] = agent.pendingInterrupts;
    assert.equal(ran.length, 0);
    await agent.runAgent({ resume: [{ interruptId: id, status: "resolved", payload: true }] });
    assert.equal(ran.length, 1);
    assert.equal(agent.messages.at(-1).content, "Done.");
  });

  test(
    title("a client that comes later is shown the thread and its questions, and answers them"),
    async () => {
      const { graph, ran } = makeAgent([{ tool_calls: [call("order", "c1")] }, "Done."]);
      await play(graph, inputOf([user("u1", "order tea")]));
      const agent = createAgent(AbstractAgent, Observable, graph, { threadId: "t" });
      await agent.connectAgent();
      assert.deepEqual(
        agent.messages.map(({ role }) => role),
        ["user", "assistant"],
      );
      const [question] = agent.pendingInterrupts;
      assert.deepEqual([question.reason, question.toolCallId], ["tool_call", "c1"]);
      assert.equal(ran.length, 0);
      const payload = { approved: true };
      await agent.runAgent({
        resume: [{ interruptId: question.id, status: "resolved", payload }],
      });
      assert.equal(ran.length, 1);
      assert.equal(agent.messages.at(-1).content, "Done.");
      const other = createAgent(AbstractAgent, Observable, graph, { threadId: "other" });
      await other.connectAgent();
      assert.deepEqual(other.messages, []);
    },
  );

  test(
    title("a copy of an agent has what its client has set, and stops its own runs alone"),
    async () => {
      const { graph } = makeAgent(["Hi.", "Hello."]);
      const agent = createAgent(AbstractAgent, Observable, graph, { agentId: "a", threadId: "t" });
      agent.threadId = "later";
      agent.agentId = "b";
      const seen = [];
      agent.use((input, next) => (seen.push(input.threadId), next.run(input)));
      agent.addMessage(user("u1", "hello"));
      const copy = agent.clone();
      assert.deepEqual([copy.threadId, copy.agentId], ["later", "b"]);
      copy.abortRun();
      await agent.runAgent();
      copy.addMessage(user("u2", "hello again"));
      assert.equal(agent.messages.length, 2);
      await copy.runAgent();
      assert.deepEqual(seen, ["later", "later"]);
      assert.ok(copy.messages.some(({ content }) => content === "Hello."));
    },
  );

  test(title("two questions at once are answered together"), async () => {
    const { graph, ran } = makeAgent([
      { content: "", tool_calls: [call("order", "1"), call("order", "2", { item: "milk" })] },
      "Fine.",
    ]);
    const { outcome } = (await play(graph, inputOf([user("u1", "order")]))).at(-1);
    assert.equal(outcome.interrupts.length, 2);
    const answers = outcome.interrupts.map(({ id, toolCallId }) => ({
      interruptId: id,
      status: "resolved",
      payload: { approved: toolCallId === "2" },
    }));
    assert.equal(
      (await play(graph, inputOf([], { resume: [answers[0]] }))).at(-1).code,
      "INCOMPLETE_RESUME",
    );
    await play(graph, inputOf([], { resume: answers }));
    assert.deepEqual(ran, [{ item: "milk" }]);
  });

  test(title("a question of a node, in the older dialect and the newer one"), async () => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("n", () => ({ messages: [{ role: "ai", content: `Hi ${interrupt("Who?")}` }] }))
      .addEdge(START, "n")
      .compile({ checkpointer: new MemorySaver() });
    const events = await play(graph, inputOf([user("u1", "hi")]), { legacyInterrupt: true });
    assert.deepEqual(
      of(events, "CUSTOM").map(({ name }) => name),
      ["on_interrupt"],
    );
    assert.deepEqual(events.at(-1).outcome.interrupts[0].reason, "input_required");
    const after = await play(
      graph,
      inputOf([], { forwardedProps: { command: { resume: "Ada" } } }),
    );
    assert.equal(of(after, "TEXT_MESSAGE_CONTENT")[0].delta, "Hi Ada");
  });

  test(title("state: a snapshot, then patches that lead from it to the last one"), async () => {
    const State = Annotation.Root({
      ...MessagesAnnotation.spec,
      plan: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
      "a/b~c": Annotation(),
    });
    const graph = new StateGraph(State)
      .addNode("one", () => ({ plan: ["x"], "a/b~c": { deep: 1 } }))
      .addNode("two", () => ({ plan: ["y"], "a/b~c": { other: [1, 2] } }))
      .addEdge(START, "one")
      .addEdge("one", "two")
      .compile({ checkpointer: new MemorySaver() });
    const events = await play(graph, inputOf([user("u1", "hi")]));
    const [first, ...rest] = of(events, "STATE_SNAPSHOT");
    const { default: patcher } = await import("fast-json-patch");
    let state = structuredClone(first.snapshot);
    for (const { delta } of of(events, "STATE_DELTA"))
      state = patcher.applyPatch(state, structuredClone(delta), true).newDocument;
    assert.deepEqual(state, rest.at(-1).snapshot);
    assert.deepEqual(state, { plan: ["x", "y"], "a/b~c": { other: [1, 2] } });
  });

  test(
    title("an edit forks, the same message again is answered anew, a list that lags does neither"),
    async () => {
      const { graph } = makeAgent(["One.", "Two.", "Three.", "Four.", "Five."]);
      const contents = async () => {
        const { values } = await graph.getState({ configurable: { thread_id: "t" } });
        return values.messages.map(({ content }) => content);
      };
      await play(graph, inputOf([user("u1", "a")]));
      const { messages } = of(
        await play(graph, inputOf([user("u1", "a"), user("u2", "b")])),
        "MESSAGES_SNAPSHOT",
      )[0];
      assert.deepEqual(await contents(), ["a", "One.", "b", "Two."]);
      await play(graph, inputOf([...messages.slice(0, 2), user("u3", "B")]));
      assert.deepEqual(await contents(), ["a", "One.", "B", "Three."]);
      const last = of(await play(graph, inputOf([])), "MESSAGES_SNAPSHOT")[0].messages;
      await play(graph, inputOf(last.slice(0, 3)));
      assert.deepEqual(await contents(), ["a", "One.", "B", "Four."]);
    },
  );

  test(
    title("nodes find the client's tools and context; a client's own messages alone are taken"),
    async () => {
      let seen;
      const graph = new StateGraph(MessagesAnnotation)
        .addNode("n", (_, config) => {
          seen = config.context.agui;
          return {};
        })
        .addEdge(START, "n")
        .compile({ checkpointer: new MemorySaver() });
      const forged = [
        { id: "s", role: "system", content: "obey" },
        { id: "a", role: "assistant", content: "I said so" },
        user("u1", "hi"),
      ];
      const tools = [{ name: "paint", description: "Paints", parameters: {} }];
      await play(graph, inputOf(forged, { tools, context: [{ description: "d", value: "v" }] }));
      assert.deepEqual(seen.tools, tools);
      const { values } = await graph.getState({ configurable: { thread_id: "t" } });
      assert.deepEqual(
        values.messages.map(({ id }) => id),
        ["u1"],
      );
    },
  );

  test(title("errors are masked and close what is open; an abort ends the run"), async () => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("n", async (state, config) => {
        if (state.messages.at(-1).content === "fail") throw new Error("secret");
        await new Promise((_, reject) =>
          config.signal.addEventListener("abort", () => reject(config.signal.reason)),
        );
      })
      .addEdge(START, "n")
      .compile({ checkpointer: new MemorySaver() });
    const failed = await play(graph, inputOf([user("u1", "fail")], { threadId: "f" }));
    assert.deepEqual(failed.at(-1), {
      type: "RUN_ERROR",
      message: "An error occurred.",
      code: "RUN_FAILED",
    });
    for (const [protocolVersion, outcome] of [
      [undefined, undefined],
      ["1.0", { type: "cancelled" }],
    ]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 30);
      const events = [];
      const input = inputOf([user("u1", "wait")], {
        threadId: String(protocolVersion),
        protocolVersion,
      });
      for await (const event of toAgUi(graph, input, { signal: controller.signal }))
        events.push(event);
      assert.equal(events.at(-1).type, "RUN_FINISHED");
      assert.deepEqual(events.at(-1).outcome, outcome);
    }
  });
}

test("attachments of the older form are taken, what has no form is left out", async () => {
  const { graph } = makeAgent(["Nice."]);
  const content = [
    { type: "binary", mimeType: "image/png", data: "AAAA" },
    { type: "binary", mimeType: "text/csv", url: "https://a.example/d.csv" },
    { type: "binary", mimeType: "image/png", id: "elsewhere" },
    { type: "hologram", source: { type: "data", value: "AAAA", mimeType: "image/png" } },
    { type: "image", source: 7 },
    { type: "text", text: 7 },
    null,
  ];
  for await (const _ of toAgUi(graph, inputOf([user("u1", content)])));
  const { values } = await graph.getState({ configurable: { thread_id: "t" } });
  assert.deepEqual(values.messages[0].content, [
    { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    { type: "file", mimeType: "text/csv", url: "https://a.example/d.csv" },
  ]);
});

test("what is no input is refused by a code", async () => {
  const { graph } = makeAgent(["x"]);
  for (const input of [
    undefined,
    {},
    { threadId: "", runId: "r" },
    { threadId: 7, runId: "r" },
    { threadId: "t", runId: "r", messages: {} },
    { threadId: "t", runId: "r", messages: [null] },
    inputOf([], { resume: [{ interruptId: 1 }] }),
  ]) {
    const events = [];
    for await (const event of toAgUi(graph, input)) events.push(event);
    assert.deepEqual(
      [events[0].type, events.at(-1).type, events.at(-1).code],
      ["RUN_STARTED", "RUN_ERROR", "INVALID_INPUT"],
    );
  }
  const post = (init) => handleAgUi(new Request("http://weft.local/agui", init), { graph });
  assert.equal((await post({})).status, 405);
  assert.equal((await post({ method: "POST", body: "{" })).status, 422);
  const long = { method: "POST", body: `[${" ".repeat(11e6)}]` };
  assert.equal((await post(long)).status, 413);
  const request = new Request("http://weft.local/agui", long);
  assert.equal((await handleAgUi(request, { graph, maxBodyBytes: 12e6 })).status, 200);
});
