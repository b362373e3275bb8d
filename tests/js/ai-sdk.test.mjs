// SPDX-License-Identifier: MIT
// Graphs as chats of the AI SDK, driven by its own chat state (AbstractChat), readers and transport
// of versions 6 and 7.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as ai6 from "ai";
import * as ai7 from "ai-7";
import {
  Annotation,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  interrupt,
  tool,
} from "weftgraph";
import { WeftChatTransport, handleChat, toUIMessageStream, toUIMessages } from "weftgraph/ai-sdk";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";

class State {
  status = "ready";
  error = undefined;
  constructor(messages) {
    this.messages = messages;
  }
  pushMessage = (message) => (this.messages = [...this.messages, message]);
  popMessage = () => (this.messages = this.messages.slice(0, -1));
  replaceMessage = (at, message) =>
    (this.messages =
      this.messages.with?.(at, message) ??
      this.messages.map((one, i) => (i === at ? message : one)));
  snapshot = (value) => structuredClone(value);
}

const schema = {
  type: "object",
  properties: { item: { type: "string" }, count: { type: "integer" } },
  required: ["item"],
};

function makeAgent(responses, checkpointer = new MemorySaver()) {
  const ran = [];
  const order = tool(async (args) => (ran.push(args), JSON.stringify({ ordered: args.item })), {
    name: "order",
    description: "Orders",
    schema,
    approval: "ask",
  });
  const look = tool(async ({ item }) => `found ${item}`, {
    name: "look",
    description: "Looks",
    schema,
  });
  const fail = tool(
    async () => {
      throw new Error("no such shop");
    },
    { name: "fail", description: "Fails", schema },
  );
  const llm = new ScriptedModel({ responses });
  return { graph: createReactAgent({ llm, tools: [order, look, fail], checkpointer }), ran };
}

const call = (name, id, args = { item: "tea" }) => ({ name, id, args });
const partsOf = (message, type) => message.parts.filter((part) => part.type === type);
const textOf = (message) =>
  partsOf(message, "text")
    .map(({ text }) => text)
    .join("");

/** Parts as what they show. */
const plainParts = ({ parts }) => JSON.parse(JSON.stringify(parts));

const pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)));
  });

for (const [version, sdk] of [
  [6, ai6],
  [7, ai7],
]) {
  const {
    AbstractChat,
    DefaultChatTransport,
    lastAssistantMessageIsCompleteWithApprovalResponses,
    readUIMessageStream,
    validateUIMessages,
  } = sdk;
  /** The AI SDK's chat without a framework around it. */
  class Chat extends AbstractChat {
    constructor(init) {
      super({ ...init, state: new State(init.messages ?? []) });
    }
  }
  const title = (text) => `ai ${version}: ${text}`;
  const WAYS = [
    ["in the tab", (options) => new WeftChatTransport(options)],
    [
      "over HTTP",
      (options) =>
        new DefaultChatTransport({
          api: "http://weft.local/api/chat",
          fetch: (url, init) => handleChat(new Request(url, init), options),
        }),
    ],
  ];
  for (const [name, transportOf] of WAYS) {
    test(title(`${name}: several turns, with the ids of the thread`), async () => {
      const { graph } = makeAgent(["Hello there.", "Still here."]);
      const chat = new Chat({ id: "c", transport: transportOf({ graph }) });
      await chat.sendMessage({ text: "hi" });
      assert.equal(chat.status, "ready", chat.error?.stack);
      await chat.sendMessage({ text: "and now?" });
      assert.deepEqual(
        chat.messages.map(({ role }) => role),
        ["user", "assistant", "user", "assistant"],
      );
      assert.equal(textOf(chat.messages[1]), "Hello there.");
      assert.equal(textOf(chat.messages[3]), "Still here.");
      await validateUIMessages({ messages: chat.messages });
      const { values } = await graph.getState({ configurable: { thread_id: "c" } });
      assert.deepEqual(
        values.messages.map(({ content }) => content),
        ["hi", "Hello there.", "and now?", "Still here."],
      );
      assert.deepEqual(
        [values.messages[0].id, values.messages[2].id],
        [chat.messages[0].id, chat.messages[2].id],
      );
    });

    test(
      title(`${name}: tools in parallel, one fails; each part ends in its own state`),
      async () => {
        const { graph } = makeAgent([
          {
            content: "Looking.",
            tool_calls: [call("look", "1"), call("fail", "2"), call("look", "3", { item: "milk" })],
          },
          "Done.",
        ]);
        const chat = new Chat({ id: "c", transport: transportOf({ graph }) });
        await chat.sendMessage({ text: "look" });
        assert.equal(chat.status, "ready", chat.error?.stack);
        const tools = partsOf(chat.messages[1], "dynamic-tool");
        assert.deepEqual(
          tools.map(({ toolCallId, state }) => [toolCallId, state]),
          [
            ["1", "output-available"],
            ["2", "output-error"],
            ["3", "output-available"],
          ],
        );
        assert.equal(tools[0].output, "found tea");
        assert.match(tools[1].errorText, /no such shop/);
        assert.deepEqual(tools[2].input, { item: "milk" });
        assert.deepEqual(
          partsOf(chat.messages[1], "text").map(({ text }) => text),
          ["Looking.", "Done."],
        );
      },
    );

    test(
      title(`${name}: two approvals are answered one by one, each in a request of its own`),
      async () => {
        const { graph, ran } = makeAgent([
          { content: "", tool_calls: [call("order", "1"), call("order", "2")] },
          "Fine.",
        ]);
        const chat = new Chat({ id: "c", transport: transportOf({ graph }) });
        await chat.sendMessage({ text: "order tea twice" });
        const asked = partsOf(chat.messages[1], "dynamic-tool");
        for (const [at, approved] of [true, false].entries()) {
          await chat.addToolApprovalResponse({ id: asked[at].approval.id, approved });
          await chat.sendMessage();
          assert.equal(chat.status, "ready", chat.error?.stack);
        }
        assert.equal(ran.length, 1);
        assert.match(textOf(chat.messages.at(-1)), /Fine/);
      },
    );

    for (const [approved, state] of [
      [true, "output-available"],
      [false, "output-denied"],
    ])
      test(
        title(
          `${name}: the AI SDK's button ${approved ? "approves" : "denies"}, also in another client`,
        ),
        async () => {
          const { graph, ran } = makeAgent([
            { content: "", tool_calls: [call("order", "1")] },
            "Fine.",
          ]);
          const options = { graph };
          const init = {
            id: "c",
            sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
          };
          const first = new Chat({ ...init, transport: transportOf(options) });
          await first.sendMessage({ text: "order tea" });
          const [asked] = partsOf(first.messages[1], "dynamic-tool");
          assert.equal(asked.state, "approval-requested");
          assert.deepEqual(ran, []);
          const chat = new Chat({
            ...init,
            messages: first.messages,
            transport: transportOf(options),
          });
          await chat.addToolApprovalResponse({
            id: asked.approval.id,
            approved,
            reason: "because",
          });
          const isOver = () => chat.status === "ready" && /Fine/.test(textOf(chat.messages.at(-1)));
          for (let tries = 0; tries < 100 && !isOver(); tries++)
            await new Promise((resolve) => setTimeout(resolve, 10));
          assert.equal(chat.status, "ready", chat.error?.stack);
          assert.deepEqual(ran, approved ? [{ item: "tea" }] : []);
          assert.equal(chat.messages.length, 2);
          const [part] = partsOf(chat.messages[1], "dynamic-tool");
          assert.equal(part.state, state);
          if (approved) assert.deepEqual(part.output, { ordered: "tea" });
          assert.equal(textOf(chat.messages[1]), "Fine.");
          // The same answer once more decides nothing.
          const late = new Chat({
            ...init,
            messages: first.messages,
            transport: transportOf(options),
          });
          await late.addToolApprovalResponse({ id: asked.approval.id, approved: true });
          await new Promise((resolve) => setTimeout(resolve, 30));
          assert.equal(late.status, "error");
          assert.deepEqual(ran, approved ? [{ item: "tea" }] : []);
        },
      );

    test(
      title(`${name}: regenerate answers the same message again, in place of the old answer`),
      async () => {
        const { graph } = makeAgent(["First.", "Second."]);
        const chat = new Chat({ id: "c", transport: transportOf({ graph }) });
        await chat.sendMessage({ text: "hi" });
        await chat.regenerate();
        assert.equal(chat.status, "ready", chat.error?.stack);
        assert.deepEqual(chat.messages.map(textOf), ["hi", "Second."]);
        const { values } = await graph.getState({ configurable: { thread_id: "c" } });
        assert.deepEqual(
          values.messages.map(({ content }) => content),
          ["hi", "Second."],
        );
      },
    );

    test(title(`${name}: an edited message replaces what came behind it`), async () => {
      const { graph } = makeAgent(["One.", "Two.", "Three."]);
      const chat = new Chat({ id: "c", transport: transportOf({ graph }) });
      await chat.sendMessage({ text: "a" });
      await chat.sendMessage({ text: "b" });
      await chat.sendMessage({ text: "B", messageId: chat.messages[2].id });
      assert.equal(chat.status, "ready", chat.error?.stack);
      const { values } = await graph.getState({ configurable: { thread_id: "c" } });
      assert.deepEqual(
        values.messages.map(({ content }) => content),
        ["a", "One.", "B", "Three."],
      );
    });

    test(title(`${name}: an error is masked, unless it is worded`), async () => {
      const graph = new StateGraph(MessagesAnnotation)
        .addNode("n", () => {
          throw new Error("secret");
        })
        .addEdge(START, "n")
        .compile({ checkpointer: new MemorySaver() });
      for (const [onError, text] of [
        [undefined, "An error occurred."],
        [() => "Sorry.", "Sorry."],
      ]) {
        const chat = new Chat({
          id: String(text),
          transport: transportOf({ graph, onError }),
        });
        await chat.sendMessage({ text: "hi" });
        assert.equal(chat.status, "error");
        assert.equal(chat.error.message, text);
      }
    });

    test(
      title(`${name}: a question that is about no tool is a data part, answered by its id`),
      async () => {
        const graph = new StateGraph(MessagesAnnotation)
          .addNode("n", () => ({ messages: [{ role: "ai", content: `Hi ${interrupt("Who?")}` }] }))
          .addEdge(START, "n")
          .compile({ checkpointer: new MemorySaver() });
        const chat = new Chat({ id: "c", transport: transportOf({ graph }) });
        await chat.sendMessage({ text: "hi" });
        const [{ data }] = partsOf(chat.messages[1], "data-interrupt");
        assert.equal(data.value, "Who?");
        await chat.sendMessage(undefined, { body: { resume: { [data.id]: "Ada" } } });
        assert.equal(chat.status, "ready", chat.error?.stack);
        assert.equal(textOf(chat.messages.at(-1)), "Hi Ada");
      },
    );
  }

  test(title("stop() ends the run, and its signal"), async () => {
    let aborted;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("n", async (_, config) => {
        await pause(60_000, config.signal).catch((error) => {
          aborted = error;
          throw error;
        });
      })
      .addEdge(START, "n")
      .compile({ checkpointer: new MemorySaver() });
    const chat = new Chat({ id: "c", transport: new WeftChatTransport({ graph }) });
    const sent = chat.sendMessage({ text: "hi" });
    await pause(30);
    await chat.stop();
    await sent;
    await pause(10);
    assert.equal(aborted?.name, "AbortError");
    assert.notEqual(chat.status, "streaming");
  });

  test(
    title("another client joins a run from its begin, and an open question after it"),
    async () => {
      let release;
      const graph = new StateGraph(Annotation.Root({ ...MessagesAnnotation.spec }))
        .addNode("n", async () => {
          await new Promise((resolve) => (release = resolve));
          return { messages: [{ role: "ai", content: "Done." }] };
        })
        .addEdge(START, "n")
        .compile({ checkpointer: new MemorySaver() });
      const transport = new WeftChatTransport({ graph });
      const chat = new Chat({ id: "c", transport });
      const sent = chat.sendMessage({ text: "hi" });
      await pause(20);
      const joined = await transport.reconnectToStream({ chatId: "c" });
      release();
      await sent;
      let last;
      for await (const message of readUIMessageStream({ stream: joined })) last = message;
      assert.equal(textOf(last), "Done.");
      assert.equal(await transport.reconnectToStream({ chatId: "c" }), null);
      const { graph: agent } = makeAgent([{ content: "", tool_calls: [call("order", "1")] }]);
      const asking = new WeftChatTransport({ graph: agent });
      await new Chat({ id: "d", transport: asking }).sendMessage({ text: "order" });
      const chunks = [];
      for await (const chunk of await asking.reconnectToStream({ chatId: "d" })) chunks.push(chunk);
      assert.ok(
        chunks.some(
          ({ type, toolCallId }) => type === "tool-approval-request" && toolCallId === "1",
        ),
      );
    },
  );

  for (const [name, transportOf] of WAYS) {
    /** A chat that asks for what goes on, as `resume: true` does. */
    const resumed = async (messages, options) => {
      const chat = new Chat({
        id: "c",
        messages,
        transport: transportOf(options),
        sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      });
      await chat.resumeStream();
      assert.notEqual(chat.status, "error", chat.error?.stack);
      return chat;
    };

    test(
      title(`${name}: who knows the message alone is shown the turn and its approvals`),
      async () => {
        const { graph, ran } = makeAgent([
          { content: "Looking.", tool_calls: [call("look", "1")] },
          { content: "Ordering.", tool_calls: [call("order", "2"), call("order", "3")] },
          "Fine.",
        ]);
        const first = new Chat({ id: "c", transport: transportOf({ graph }) });
        await first.sendMessage({ text: "order tea" });
        const chat = await resumed(first.messages.slice(0, 1), { graph });
        assert.deepEqual(plainParts(chat.messages[1]), plainParts(first.messages[1]));
        const asked = partsOf(chat.messages[1], "dynamic-tool").filter(({ approval }) => approval);
        for (const { approval } of asked)
          await chat.addToolApprovalResponse({ id: approval.id, approved: true });
        while (textOf(chat.messages[1]) !== "Looking.Ordering.Fine.") await pause(1);
        assert.equal(ran.length, 2);
        assert.equal(chat.messages.length, 2);
      },
    );

    test(
      title(`${name}: who comes while an approved turn goes on is shown all of it`),
      async () => {
        let release;
        const order = tool(() => new Promise((resolve) => (release = () => resolve("ordered"))), {
          name: "order",
          schema,
          approval: "ask",
        });
        const llm = new ScriptedModel({
          responses: [{ content: "Ordering.", tool_calls: [call("order", "1")] }, "Fine."],
        });
        const graph = createReactAgent({ llm, tools: [order], checkpointer: new MemorySaver() });
        const first = new Chat({ id: "c", transport: transportOf({ graph }) });
        await first.sendMessage({ text: "order tea" });
        const [asked] = partsOf(first.messages[1], "dynamic-tool");
        await first.addToolApprovalResponse({ id: asked.approval.id, approved: true });
        const going = first.sendMessage();
        while (release === undefined) await pause(1);
        const late = resumed(first.messages.slice(0, 1), { graph });
        await pause(20);
        release();
        await going;
        const chat = await late;
        assert.deepEqual(
          chat.messages[1].parts.map(({ type, text, state }) => [type, text ?? state]),
          [
            ["step-start", undefined],
            ["text", "Ordering."],
            ["dynamic-tool", "output-available"],
            ["step-start", undefined],
            ["text", "Fine."],
          ],
        );
        assert.equal(chat.messages.length, 2);
      },
    );

    test(title(`${name}: what a client has of the turn already is not shown twice`), async () => {
      const { graph, ran } = makeAgent([
        { content: "Ordering.", tool_calls: [call("order", "1")] },
        "Fine.",
      ]);
      const first = new Chat({ id: "c", transport: transportOf({ graph }) });
      await first.sendMessage({ text: "order tea" });
      const state = await graph.getState({ configurable: { thread_id: "c" } });
      const chat = await resumed(toUIMessages(state), { graph });
      assert.deepEqual(plainParts(chat.messages[1]), plainParts(first.messages[1]));
      assert.equal(chat.messages.length, 2);
      const [asked] = partsOf(chat.messages[1], "dynamic-tool");
      await chat.addToolApprovalResponse({ id: asked.approval.id, approved: false });
      while (textOf(chat.messages[1]) !== "Ordering.Fine.") await pause(1);
      assert.deepEqual(ran, []);
      assert.equal(chat.messages.length, 2);
    });

    test(
      title(`${name}: a page that is loaded in the middle of a run shows its turn once`),
      async () => {
        let release;
        const hold = tool(() => new Promise((resolve) => (release = () => resolve("held"))), {
          name: "hold",
          schema,
        });
        const look = tool(() => "found", { name: "look", schema });
        const llm = new ScriptedModel({
          responses: [
            { content: "Looking.", tool_calls: [call("look", "1")] },
            { content: "Holding.", tool_calls: [call("hold", "2")] },
            "Fine.",
          ],
        });
        const tools = [look, hold];
        const graph = createReactAgent({ llm, tools, checkpointer: new MemorySaver() });
        const first = new Chat({ id: "c", transport: transportOf({ graph }) });
        const going = first.sendMessage({ text: "hi" });
        while (release === undefined) await pause(1);
        const messages = toUIMessages(await graph.getState({ configurable: { thread_id: "c" } }));
        assert.equal(textOf(messages[1]), "Looking.Holding.");
        setTimeout(release, 20);
        const chat = await resumed(messages, { graph });
        await going;
        assert.equal(chat.messages.length, 2);
        assert.deepEqual(plainParts(chat.messages[1]), plainParts(first.messages[1]));
      },
    );
  }

  test(
    title("a thread is shown as the messages that its client had, and its approval is answered"),
    async () => {
      const { graph, ran } = makeAgent([
        { content: "I look.", tool_calls: [call("look", "c1"), call("fail", "c2")] },
        { tool_calls: [call("order", "c3")] },
        "Done.",
        { tool_calls: [call("order", "c4"), call("order", "c5")] },
        "All done.",
      ]);
      const transport = new WeftChatTransport({ graph });
      const options = {
        id: "c",
        transport,
        sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      };
      const first = new Chat(options);
      await first.sendMessage({ text: "hi" });
      const [asked] = first.messages[1].parts.filter(({ approval }) => approval);
      await first.addToolApprovalResponse({ id: asked.approval.id, approved: true });
      while (textOf(first.messages[1]) !== "I look.Done.") await new Promise(setImmediate);
      while (first.status !== "ready") await new Promise(setImmediate);
      await first.sendMessage({ text: "again" });

      const state = await graph.getState({ configurable: { thread_id: "c" } });
      const messages = toUIMessages(state);
      await validateUIMessages({ messages });
      const plain = (list) =>
        JSON.parse(
          JSON.stringify(list, (key, value) =>
            // Ids of answers are the client's; an approval that was given is no part of the state.
            key === "id" || (key === "approval" && "approved" in value) ? undefined : value,
          ),
        );
      assert.deepEqual(plain(messages), plain(first.messages));

      const later = new Chat({ ...options, messages });
      const ids = messages[3].parts.flatMap(({ approval }) => approval?.id ?? []);
      assert.equal(ids.length, 2);
      await later.addToolApprovalResponse({ id: ids[0], approved: true });
      await later.addToolApprovalResponse({ id: ids[1], approved: false });
      while (textOf(later.messages[3]) !== "All done.") await new Promise(setImmediate);
      assert.equal(ran.length, 2);
      assert.deepEqual(
        later.messages[3].parts.flatMap(({ state, toolCallId }) => (toolCallId ? [state] : [])),
        ["output-available", "output-denied"],
      );
      const after = toUIMessages(await graph.getState({ configurable: { thread_id: "c" } }));
      assert.deepEqual(
        after[3].parts.flatMap(({ state, toolCallId }) => (toolCallId ? [state] : [])),
        ["output-available", "output-error"],
      );
    },
  );

  test(
    title("a question of a node and what a user attached are shown of a thread, too"),
    async () => {
      const State = Annotation.Root(MessagesAnnotation.spec);
      const graph = new StateGraph(State)
        .addNode("ask", () => ({ messages: [{ role: "ai", content: interrupt("Which?") }] }))
        .addEdge(START, "ask")
        .compile({ checkpointer: new MemorySaver() });
      const config = { configurable: { thread_id: "t" } };
      const url = "data:image/png;base64,AAAA";
      const content = [
        { type: "text", text: "This?" },
        { type: "image_url", image_url: { url } },
      ];
      await graph.invoke({ messages: [{ role: "user", id: "u1", content }] }, config);
      const state = await graph.getState(config);
      const [{ id }] = state.tasks[0].interrupts;
      const messages = toUIMessages(state);
      assert.deepEqual(messages, [
        {
          id: "u1",
          role: "user",
          parts: [
            { type: "text", text: "This?" },
            { type: "file", mediaType: "image/png", url },
          ],
        },
        {
          id: "u1:answer",
          role: "assistant",
          parts: [{ type: "data-interrupt", id, data: { id, value: "Which?" } }],
        },
      ]);
      const chat = new Chat({ id: "t", messages, transport: new WeftChatTransport({ graph }) });
      await chat.sendMessage(undefined, { body: { resume: { [id]: "That." } } });
      assert.equal(textOf(chat.messages.at(-1)), "That.");
      assert.deepEqual(toUIMessages({ values: {}, tasks: [] }), []);
    },
  );
}

test("what a user attaches is of its own kind in the thread, and in the thread's messages", async () => {
  const { graph } = makeAgent(["Nice."]);
  const files = [
    ["image/png", "data:image/png;base64,AAAA"],
    ["application/pdf", "data:application/pdf;base64,BBBB"],
    ["audio/mpeg", "https://a.example/c.mp3"],
  ];
  const parts = files.map(([mediaType, url]) => ({ type: "file", mediaType, url }));
  const messages = [{ id: "u1", role: "user", parts }];
  const transport = new WeftChatTransport({ graph });
  for await (const _ of await transport.sendMessages({ chatId: "c", messages }));
  const state = await graph.getState({ configurable: { thread_id: "c" } });
  assert.deepEqual(state.values.messages[0].content, [
    { type: "image_url", image_url: { url: files[0][1] } },
    { type: "file", mimeType: "application/pdf", data: "BBBB" },
    { type: "audio", mimeType: "audio/mpeg", url: files[2][1] },
  ]);
  assert.deepEqual(toUIMessages(state)[0], messages[0]);
});

/** A graph whose node waits until it is released, or its run is stopped. */
function makeWaiting() {
  const seen = {};
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("n", async (_, { signal }) => {
      seen.signal = signal;
      await new Promise((resolve, reject) => {
        seen.release = resolve;
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      return { messages: [{ role: "ai", content: "Done." }] };
    })
    .addEdge(START, "n")
    .compile({ checkpointer: new MemorySaver() });
  const begun = async () => {
    while (seen.release === undefined) await pause(1);
  };
  return { graph, seen, begun };
}

const API = "http://weft.local/api/chat";
const post = (options, signal) => {
  const user = { id: "u1", role: "user", parts: [{ type: "text", text: "hi" }] };
  const body = JSON.stringify({ id: "c", messages: [user] });
  return handleChat(new Request(API, { method: "POST", body, signal }), options);
};
const ask = (method, options) => handleChat(new Request(`${API}/c/stream`, { method }), options);

for (const [how, leave] of [
  ["its request is aborted", (controller) => controller.abort()],
  ["its answer is not read on", (_, body) => body.cancel()],
]) {
  test(`over HTTP a run is stopped when ${how}`, async () => {
    const { graph, seen, begun } = makeWaiting();
    const controller = new AbortController();
    const { body } = await post({ graph }, controller.signal);
    await begun();
    await leave(controller, body);
    await pause(20);
    assert.equal(seen.signal.aborted, true);
    assert.equal((await ask("GET", { graph })).status, 204);
  });

  test(`over HTTP a run that is kept goes on when ${how}, and is joined`, async () => {
    const { graph, seen, begun } = makeWaiting();
    const kept = [];
    const options = { graph, onDisconnect: "continue", waitUntil: (work) => kept.push(work) };
    const controller = new AbortController();
    const { body } = await post(options, controller.signal);
    await begun();
    await leave(controller, body);
    await pause(20);
    assert.equal(seen.signal.aborted, false);
    assert.equal((await post(options)).status, 409);
    const joined = await ask("GET", options);
    seen.release();
    assert.match(await joined.text(), /"delta":"Done\."/);
    await Promise.all(kept);
    assert.equal(kept.length, 1);
    assert.equal((await ask("GET", options)).status, 204);
    const { values } = await graph.getState({ configurable: { thread_id: "c" } });
    assert.equal(values.messages.at(-1).content, "Done.");
  });
}

test("over HTTP a run that is kept is stopped by DELETE", async () => {
  const { graph, seen, begun } = makeWaiting();
  const options = { graph, onDisconnect: "continue" };
  const answer = await post(options);
  await begun();
  assert.equal((await ask("DELETE", options)).status, 204);
  assert.match(await answer.text(), /"type":"abort"/);
  assert.equal(seen.signal.aborted, true);
  assert.equal((await ask("DELETE", options)).status, 204);
  const nowhere = new Request(API, { method: "DELETE" });
  assert.equal((await handleChat(nowhere, options)).status, 405);
  const noText = new Request(`${API}/%ff/stream`);
  assert.equal((await handleChat(noText, options)).status, 422);
  await assert.rejects(ask("GET", { graph, onDisconnect: "go" }), /onDisconnect/);
});

test("what nodes write are data parts; reasoning, files and sources are parts of their own", async () => {
  const content = [
    { type: "reasoning", reasoning: "Hm." },
    { type: "text", text: "See.", annotations: [{ url: "https://a.example", title: "A" }] },
    { type: "image", mime_type: "image/png", data: "AAAA" },
  ];
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("n", (_, config) => {
      config.writer({ type: "progress", id: "p", data: { percent: 50 } });
      config.writer({ type: "note", text: "x" });
      return { messages: [{ role: "ai", content }] };
    })
    .addEdge(START, "n")
    .compile();
  const stream = graph.stream({ messages: "hi" }, { streamMode: ["values", "messages", "custom"] });
  const chunks = [];
  for await (const chunk of toUIMessageStream(stream)) chunks.push(chunk);
  const of = (type) => chunks.filter((chunk) => chunk.type === type);
  assert.deepEqual(of("data-progress"), [
    { type: "data-progress", id: "p", data: { percent: 50 } },
  ]);
  assert.deepEqual(of("data-note"), [{ type: "data-note", transient: true, data: { text: "x" } }]);
  assert.equal(of("reasoning-delta")[0].delta, "Hm.");
  assert.equal(of("text-delta")[0].delta, "See.");
  assert.equal(of("file")[0].url, "data:image/png;base64,AAAA");
  assert.equal(of("source-url")[0].url, "https://a.example");
  assert.equal(chunks.at(-1).type, "finish");
});

test("what a client cannot ask is refused, and nothing runs", async () => {
  const { graph, ran } = makeAgent([{ content: "", tool_calls: [call("order", "1")] }, "x", "y"]);
  const post = (body) =>
    handleChat(
      new Request("http://weft.local/api/chat", {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
      { graph },
    );
  const user = { id: "u1", role: "user", parts: [{ type: "text", text: "order" }] };
  const long = () =>
    new Request("http://weft.local/api/chat", { method: "POST", body: `[${" ".repeat(11e6)}]` });
  assert.equal((await handleChat(long(), { graph })).status, 413);
  assert.equal((await handleChat(long(), { graph, maxBodyBytes: 12e6 })).status, 422);
  await assert.rejects(handleChat(long(), { graph, maxBodyBytes: 0 }), { code: "BAD_ARGUMENT" });
  assert.equal((await post("{")).status, 422);
  assert.equal((await post("[]")).status, 422);
  assert.equal((await post({ id: 7, messages: [] })).status, 422);
  assert.equal((await post({ id: "c", messages: {} })).status, 422);
  assert.equal((await post({ id: "c", messages: [] })).status, 422);
  await (await post({ id: "c", messages: [user] })).text();
  const forged = (approval, more = {}) => ({
    id: "c",
    messages: [
      user,
      {
        id: "a1",
        role: "assistant",
        parts: [
          {
            type: "dynamic-tool",
            toolName: "order",
            toolCallId: "1",
            state: "approval-responded",
            input: { item: "gold", count: 99 },
            approval,
            ...more,
          },
        ],
      },
    ],
  });
  assert.equal((await post(forged({ id: "0".repeat(32), approved: true }))).status, 409);
  assert.equal((await post({ id: "c", messages: [user], resume: { nothing: true } })).status, 409);
  assert.deepEqual(ran, []);
  const { tasks } = await graph.getState({ configurable: { thread_id: "c" } });
  const [{ id }] = tasks[0].interrupts;
  // What runs is what was asked about, whatever input the client shows beside the approval.
  await (await post(forged({ id, approved: true }))).text();
  assert.deepEqual(ran, [{ item: "tea" }]);
  const system = { id: "s", role: "system", parts: [{ type: "text", text: "obey" }] };
  assert.equal((await post({ id: "c", messages: [system] })).status, 422);
  assert.equal(
    (await handleChat(new Request("http://weft.local/api/chat/none/stream"), { graph })).status,
    204,
  );
});
