// SPDX-License-Identifier: MIT
// What a chat of the AI SDK shows of a question about a tool call is what runs: in the part of the
// model's call, or in one of its own; while it streams and when the chat is opened again.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { MemorySaver as OtherSaver } from "@langchain/langgraph-checkpoint";
import * as ai6 from "ai";
import * as ai7 from "ai-7";
import { Command, MemorySaver, tool } from "weftgraph";
import { createAgent, createMiddleware } from "weftgraph/agent";
import { WeftChatTransport, handleChat, toUIMessageStream, toUIMessages } from "weftgraph/ai-sdk";
import { approvalRules } from "weftgraph/approval";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { FileSaver } from "weftgraph/savers/file";
import { TestClock } from "weftgraph/testing";
import * as z from "zod";

const THREAD = { configurable: { thread_id: "c" } };
const schema = { type: "object", properties: { x: { type: "number" } } };
const call = (name, id, args = { x: 1 }) => ({ name, id, args });
const script = (...responses) => new ScriptedModel({ responses });
const asking = (...tool_calls) => ({ content: "", tool_calls });

/** Tools that ask, and what ran. */
function makeTools(...names) {
  const ran = [];
  const tools = names.map((name) =>
    tool((args) => (ran.push([name, args]), `${name} did`), { name, schema, approval: "ask" }),
  );
  return { ran, tools };
}

/** A tool whose agent makes the calls. */
function makeDelegate(tools, calls, options) {
  const agent = createReactAgent({ llm: script(asking(...calls), "Inner."), tools, ...options });
  const run = async (_, config) =>
    (await agent.invoke({ messages: "do" }, config)).messages.at(-1).content;
  return tool(run, { name: "delegate", schema });
}

const partsOf = (message) => message.parts.filter(({ toolCallId }) => toolCallId);
const askedIn = (message) => partsOf(message).filter(({ state }) => state === "approval-requested");
const plain = (parts) => JSON.parse(JSON.stringify(parts));
/** What a person sees of parts of tools. */
const seen = (parts) => parts.map(({ toolName, input, state }) => [toolName, input, state]);
const interruptsOf = async (graph) =>
  (await graph.getState(THREAD)).tasks.flatMap(({ interrupts }) => interrupts);
const reopened = async (graph) => toUIMessages(await graph.getState(THREAD));

for (const [version, sdk] of [
  [6, ai6],
  [7, ai7],
]) {
  const { AbstractChat, DefaultChatTransport, validateUIMessages } = sdk;
  const sendAutomaticallyWhen = sdk.lastAssistantMessageIsCompleteWithApprovalResponses;
  class Chat extends AbstractChat {
    constructor(graph, transportOf, messages = []) {
      const state = {
        status: "ready",
        messages,
        pushMessage: (message) => (state.messages = [...state.messages, message]),
        popMessage: () => (state.messages = state.messages.slice(0, -1)),
        replaceMessage: (at, message) =>
          (state.messages = state.messages.map((one, index) => (index === at ? message : one))),
        snapshot: (value) => structuredClone(value),
      };
      super({ id: "c", state, transport: transportOf(graph), sendAutomaticallyWhen });
    }
    get answer() {
      return this.messages.at(-1);
    }
    async say(text) {
      await this.sendMessage({ text });
      assert.equal(this.error, undefined, this.error?.stack);
      return this.answer;
    }
    /** Presses a button of a part, and waits for what it starts. */
    async press({ approval: { id } }, approved) {
      const before = this.messages;
      await this.addToolApprovalResponse({ id, approved });
      await new Promise((resolve) => setTimeout(resolve, 20));
      while (this.status === "submitted" || this.status === "streaming")
        await new Promise((resolve) => setTimeout(resolve, 5));
      assert.equal(this.error, undefined, this.error?.stack);
      assert.notEqual(this.messages, before);
      await validateUIMessages({ messages: this.messages });
    }
  }
  const WAYS = [
    ["in the tab", (graph) => new WeftChatTransport({ graph })],
    [
      "over HTTP",
      (graph) =>
        new DefaultChatTransport({
          api: "http://weft.local/api/chat",
          fetch: (url, init) => handleChat(new Request(url, init), { graph }),
        }),
    ],
  ];
  for (const [way, transportOf] of WAYS) {
    const title = (text) => `ai ${version}, ${way}: ${text}`;

    test(title("the part of a call shows what its schema makes of the arguments"), async () => {
      const ran = [];
      const mail = tool((args) => (ran.push(args), "sent"), {
        name: "mail",
        schema: z.object({
          to: z.string().transform((to) => `${to}@corp.example`),
          cc: z.array(z.string()).default(["everyone@corp.example"]),
        }),
        approval: "ask",
      });
      const llm = script(asking(call("mail", "c1", { to: "ann" })), "Done.");
      const graph = createReactAgent({ llm, tools: [mail], checkpointer: new MemorySaver() });
      const chat = new Chat(graph, transportOf);
      const [part] = partsOf(await chat.say("mail ann"));
      const input = { to: "ann@corp.example", cc: ["everyone@corp.example"] };
      assert.deepEqual(
        [part.toolCallId, ...seen([part])[0]],
        ["c1", "mail", input, "approval-requested"],
      );
      const again = new Chat(graph, transportOf, await reopened(graph));
      await validateUIMessages({ messages: again.messages });
      assert.deepEqual(seen(partsOf(again.answer)), seen([part]));
      await again.press(part, true);
      assert.deepEqual(ran, [input]);
      assert.deepEqual(seen(partsOf(again.answer)), [["mail", input, "output-available"]]);
    });

    for (const agentVersion of ["v1", "v2"])
      test(
        title(`a call is answered beside one that needs no approval (${agentVersion})`),
        async () => {
          const { ran, tools } = makeTools("send");
          const look = tool(() => "seen", { name: "look", schema });
          const llm = script(asking(call("send", "c1"), call("look", "c2")), "Done.");
          const graph = createReactAgent({
            llm,
            tools: [...tools, look],
            version: agentVersion,
            checkpointer: new MemorySaver(),
          });
          const chat = new Chat(graph, transportOf);
          await chat.say("go");
          const again = new Chat(graph, transportOf, await reopened(graph));
          for (const one of [chat, again])
            assert.deepEqual(seen(askedIn(one.answer)), [["send", { x: 1 }, "approval-requested"]]);
          await again.press(askedIn(again.answer)[0], true);
          assert.deepEqual(ran, [["send", { x: 1 }]]);
          assert.equal(again.answer.parts.at(-1).text, "Done.");
        },
      );

    test(title("a call that another client made one of another tool is a part"), async () => {
      const { ran, tools } = makeTools("send", "wipe");
      const llm = script(asking(call("send", "c1")), "Done.");
      const graph = createReactAgent({ llm, tools, checkpointer: new MemorySaver() });
      const chat = new Chat(graph, transportOf);
      const [stale] = partsOf(await chat.say("go"));
      const [{ id }] = await interruptsOf(graph);
      const edit = { type: "edit", args: { action: "wipe", args: { x: 9 } } };
      await graph.invoke(new Command({ resume: { [id]: edit } }), THREAD);
      await chat.addToolApprovalResponse({ id: stale.approval.id, approved: true });
      while (chat.status !== "error") await new Promise((resolve) => setTimeout(resolve, 5));
      assert.deepEqual(ran, []);
      const again = new Chat(graph, transportOf, await reopened(graph));
      await validateUIMessages({ messages: again.messages });
      assert.deepEqual(seen(partsOf(again.answer)), [
        ["send", { x: 1 }, "input-available"],
        ["wipe", { x: 9 }, "approval-requested"],
      ]);
      await again.press(askedIn(again.answer)[0], true);
      assert.deepEqual(ran, [["wipe", { x: 9 }]]);
      const [model, own] = partsOf(again.answer);
      assert.equal(model.output, "wipe did");
      assert.deepEqual(own.output, { approved: true });
    });

    test(title("a call that a wrapper changed is a part that says so"), async () => {
      const { ran, tools } = makeTools("send");
      const noop = tool(() => "nothing", { name: "noop", schema });
      const change = createMiddleware({
        name: "change",
        wrapToolCall: ({ toolCall, ...rest }, handler) =>
          handler({ ...rest, toolCall: { ...toolCall, name: "send", args: { x: 99 } } }),
      });
      const graph = createAgent({
        model: script(asking(call("noop", "c1")), "Done."),
        tools: [...tools, noop],
        middleware: [change],
        checkpointer: new MemorySaver(),
      });
      const chat = new Chat(graph, transportOf);
      const parts = partsOf(await chat.say("go"));
      assert.deepEqual(seen(parts), [
        ["noop", { x: 1 }, "input-available"],
        ["send", { x: 99 }, "approval-requested"],
      ]);
      assert.equal(parts[1].callProviderMetadata.weft.changed, true);
      assert.deepEqual(plain((await reopened(graph)).at(-1).parts), plain(chat.answer.parts));
      await chat.press(parts[1], true);
      assert.deepEqual(ran, [["send", { x: 99 }]]);
    });

    for (const [what, id, approved, state, outcome] of [
      ["with an id of its own", "i1", true, "output-available", [["send", { x: 7 }]]],
      ["with the outer call's id", "d1", true, "output-available", [["send", { x: 7 }]]],
      ["that is refused", "i1", false, "output-denied", []],
    ])
      test(title(`a subagent's call ${what} is a part, live and reopened`), async () => {
        for (const isReopened of [false, true]) {
          const { ran, tools } = makeTools("send");
          const delegate = makeDelegate(tools, [call("send", id, { x: 7 })]);
          const llm = script(asking(call("delegate", "d1", { x: 11 })), "Outer done.");
          const checkpointer = new MemorySaver();
          const graph = createReactAgent({ llm, tools: [delegate], checkpointer });
          const live = new Chat(graph, transportOf);
          await live.say("go");
          assert.deepEqual(seen(partsOf(live.answer)), [
            ["delegate", { x: 11 }, "input-available"],
            ["send", { x: 7 }, "approval-requested"],
          ]);
          const messages = await reopened(graph);
          await validateUIMessages({ messages });
          assert.deepEqual(plain(messages.at(-1).parts), plain(live.answer.parts));
          const chat = isReopened ? new Chat(graph, transportOf, messages) : live;
          // The AI SDK's own rule sends the answer, once.
          await chat.press(askedIn(chat.answer)[0], approved);
          assert.deepEqual(ran, outcome);
          assert.deepEqual(seen(partsOf(chat.answer)), [
            ["delegate", { x: 11 }, "output-available"],
            ["send", { x: 7 }, state],
          ]);
          assert.equal(chat.answer.parts.at(-1).text, "Outer done.");
        }
      });

    test(title("several calls of a subagent in one question, one of them refused"), async () => {
      const { ran, tools } = makeTools("send");
      const inner = [call("send", "i1", { x: 1 }), call("send", "i2", { x: 2 })];
      const delegate = makeDelegate(tools, inner, { approvals: "batch" });
      const llm = script(asking(call("delegate", "d1")), "Outer done.");
      const graph = createReactAgent({ llm, tools: [delegate], checkpointer: new MemorySaver() });
      const chat = new Chat(graph, transportOf);
      const [first, second] = askedIn(await chat.say("go"));
      await chat.addToolApprovalResponse({ id: first.approval.id, approved: false });
      assert.deepEqual(ran, []);
      await chat.press(second, true);
      assert.deepEqual(ran, [["send", { x: 2 }]]);
      assert.equal(chat.answer.parts.at(-1).text, "Outer done.");
    });

    for (const isTogether of [true, false])
      test(
        title(
          `beside a subagent's question the outer call's is one of its step, ${isTogether ? "both" : "one"} sent`,
        ),
        async () => {
          const { ran, tools } = makeTools("send");
          const [send] = tools;
          const other = tool((args) => (ran.push(["other", args]), "done"), {
            name: "other",
            schema: z.object({ x: z.number(), y: z.number().default(5) }),
            approval: "ask",
          });
          const graph = createAgent({
            model: script(asking(call("other", "c1"), call("delegate", "d1")), "Outer done."),
            tools: [other, makeDelegate([send], [call("send", "i1", { x: 7 })])],
            checkpointer: new MemorySaver(),
            version: "v2",
          });
          const chat = new Chat(graph, transportOf);
          await chat.say("go");
          // The AI SDK sends what is answered in the last step, once all of it is.
          const asked = partsOf(chat.answer).slice(-2);
          assert.deepEqual(seen(asked), [
            ["other", { x: 1, y: 5 }, "approval-requested"],
            ["send", { x: 7 }, "approval-requested"],
          ]);
          const [outer, inner] = asked;
          await chat.addToolApprovalResponse({ id: inner.approval.id, approved: true });
          if (isTogether) assert.deepEqual(ran, []);
          else await chat.sendMessage();
          await chat.press(outer, true);
          const both = [
            ["other", { x: 1, y: 5 }],
            ["send", { x: 7 }],
          ];
          assert.deepEqual(ran.sort(), both);
          assert.equal(partsOf(chat.answer).length, 4);
          assert.ok(partsOf(chat.answer).every(({ state }) => state === "output-available"));
          assert.equal(chat.answer.parts.at(-1).text, "Outer done.");
        },
      );

    test(title("who joins a run is shown the approval that it goes on with"), async () => {
      let release;
      const hold = tool(() => new Promise((resolve) => (release = () => resolve("held"))), {
        name: "hold",
        schema,
        approval: "ask",
      });
      const delegate = makeDelegate([hold], [call("hold", "i1")]);
      const llm = script(asking(call("delegate", "d1")), "Outer done.");
      const graph = createReactAgent({ llm, tools: [delegate], checkpointer: new MemorySaver() });
      const first = new Chat(graph, transportOf);
      const [asked] = askedIn(await first.say("go"));
      const going = first.press(asked, true);
      while (release === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
      const late = new Chat(graph, transportOf, first.messages.slice(0, 1));
      const joined = late.resumeStream();
      await new Promise((resolve) => setTimeout(resolve, 20));
      release();
      await Promise.all([going, joined]);
      assert.equal(late.error, undefined, late.error?.stack);
      assert.deepEqual(seen(partsOf(late.answer)), [
        ["delegate", { x: 1 }, "output-available"],
        ["hold", { x: 1 }, "output-available"],
      ]);
      assert.equal(late.answer.parts.at(-1).text, "Outer done.");
    });

    test(title("who joins is shown the parts that the answer came from"), async () => {
      let release;
      const hold = tool(() => new Promise((resolve) => (release = () => resolve("held"))), {
        name: "hold",
        schema,
        approval: "ask",
      });
      const { tools } = makeTools("send");
      const graph = createAgent({
        model: script(asking(call("hold", "c1"), call("delegate", "d1")), "Outer done."),
        tools: [hold, makeDelegate(tools, [call("send", "i1", { x: 7 })])],
        checkpointer: new MemorySaver(),
        version: "v2",
      });
      const first = new Chat(graph, transportOf);
      await first.say("go");
      const [own, inner] = partsOf(first.answer).slice(-2);
      await first.addToolApprovalResponse({ id: inner.approval.id, approved: true });
      await first.sendMessage();
      // What is answered is no question of a chat that is opened again.
      assert.deepEqual(seen(askedIn((await reopened(graph)).at(-1))), seen([own]));
      const going = first.press(own, true);
      while (release === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
      const late = new Chat(graph, transportOf, first.messages.slice(0, 1));
      const joined = late.resumeStream();
      await new Promise((resolve) => setTimeout(resolve, 20));
      release();
      await Promise.all([going, joined]);
      assert.equal(late.error, undefined, late.error?.stack);
      assert.equal(late.answer.parts.at(-1).text, "Outer done.");
      assert.deepEqual(
        partsOf(late.answer).map(({ toolName, output }) => [toolName, output]),
        [
          ["hold", "held"],
          ["delegate", "Inner."],
          ["hold", { approved: true }],
        ],
      );
    });

    test(
      title("a message in place of an answer ends the question; the thread shows it"),
      async () => {
        const { ran, tools } = makeTools("order");
        const llm = script(asking(call("order", "c1")), "Fine.", "Still fine.");
        const graph = createReactAgent({ llm, tools, checkpointer: new MemorySaver() });
        const chat = new Chat(graph, transportOf);
        const [part] = askedIn(await chat.say("order"));
        await chat.say("something else");
        // The chunks of a turn reach its own message alone: the old part is the client's.
        await chat.addToolApprovalResponse({ id: part.approval.id, approved: true });
        await chat.say("and this?");
        assert.deepEqual(ran, []);
        const messages = await reopened(graph);
        await validateUIMessages({ messages });
        const [closed] = partsOf(messages[1]);
        assert.equal(closed.state, "output-error");
        assert.equal(closed.errorText, "The chat went on without it.");
      },
    );
    test(title("a question that is asked again says why, and to whom"), async () => {
      const { ran, tools } = makeTools("send");
      const clock = new TestClock();
      const graph = createReactAgent({
        llm: script(asking(call("send", "c1")), "Done."),
        tools,
        checkpointer: new MemorySaver(),
        approvals: approvalRules({
          expires: 100,
          onExpire: () => ({ escalate: { to: "the boss", expires: 60_000 } }),
        }),
      }).withConfig({ clock });
      const chat = new Chat(graph, transportOf);
      const [asked] = askedIn(await chat.say("go"));
      assert.ok(asked.callProviderMetadata.weft.expires_at);
      const resume = { [asked.approval.id]: { type: "what?" } };
      await chat.sendMessage(undefined, { body: { resume } });
      const [again] = askedIn(chat.answer);
      assert.equal(partsOf(chat.answer).length, 1);
      assert.match(again.callProviderMetadata.weft.problem, /none of accept/);
      await clock.advance(120);
      await chat.press(again, true);
      assert.deepEqual(ran, []);
      const [, boss] = partsOf(chat.answer);
      assert.equal(boss.callProviderMetadata.weft.escalated_to, "the boss");
      await chat.press(boss, true);
      assert.deepEqual(ran, [["send", { x: 1 }]]);
    });

    test(
      title("on another library's checkpointer the answer is for what its part shows"),
      async () => {
        const { ran, tools } = makeTools("send", "wipe");
        const llm = script(asking(call("send", "c1")), "Done.");
        const graph = createReactAgent({ llm, tools, checkpointer: new OtherSaver() });
        await new Chat(graph, transportOf).say("go");
        const [{ id }] = await interruptsOf(graph);
        const edit = { type: "edit", args: { action: "wipe", args: { x: 9 } } };
        await graph.invoke(new Command({ resume: { [id]: edit } }), THREAD);
        const chat = new Chat(graph, transportOf, await reopened(graph));
        const asked = askedIn(chat.answer);
        assert.deepEqual(seen(asked), [["wipe", { x: 9 }, "approval-requested"]]);
        await chat.press(asked[0], true);
        assert.deepEqual(ran, [["wipe", { x: 9 }]]);
      },
    );
  }
}

test("no button of a part answers a question of another kind", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "weft-ai-sdk-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const ran = [];
  const makeGraph = (pay) =>
    createReactAgent({
      llm: script(asking(call("pay", "c1")), "Done."),
      tools: [tool(pay, { name: "pay", schema })],
      checkpointer: new FileSaver({ path }),
    });
  // A process that never comes back from its payment, and so holds no thread.
  const dead = { ...THREAD, multitaskStrategy: "concurrent" };
  await new Promise((started) =>
    makeGraph(() => new Promise(started)).invoke({ messages: "pay" }, dead),
  );
  const graph = makeGraph((args) => ran.push(args));
  await graph.invoke(null, THREAD);
  const [{ id, value }] = await interruptsOf(graph);
  assert.equal(value.kind, "unknown_tool_call");
  const message = (await reopened(graph)).at(-1);
  assert.deepEqual(message.parts.at(-1), { type: "data-interrupt", id, data: { id, value } });
  const approval = { id, approved: false, reason: "Do not pay." };
  const part = { type: "dynamic-tool", toolName: "pay", toolCallId: "c1", input: { x: 1 } };
  const transport = new WeftChatTransport({ graph });
  const answer = { ...message, parts: [{ ...part, state: "approval-responded", approval }] };
  await assert.rejects(transport.sendMessages({ chatId: "c", messages: [answer] }), {
    status: 409,
  });
  assert.equal((await interruptsOf(graph)).length, 1);
  assert.deepEqual(ran, []);
});

test("what a client claims to show is shown all the same to who joins", async () => {
  const send = tool(() => "sent", {
    name: "send",
    schema: z.object({ x: z.number(), y: z.number().default(5) }),
    approval: "ask",
  });
  const llm = script(asking(call("send", "c1")), "Done.");
  const graph = createReactAgent({ llm, tools: [send], checkpointer: new MemorySaver() });
  await graph.invoke({ messages: "go" }, THREAD);
  const [{ id }] = await interruptsOf(graph);
  const message = (await reopened(graph)).at(-1);
  const input = { x: 9, y: 5 };
  message.parts.at(-1).input = input;
  const edit = { type: "edit", args: { action: "send", args: { x: 9 } } };
  const stream = await new WeftChatTransport({ graph }).sendMessages({
    chatId: "c",
    messages: [message],
    body: { resume: { [id]: edit } },
  });
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  const shown = chunks.find(({ type }) => type === "tool-input-available");
  assert.deepEqual(shown.input, input);
  assert.ok(chunks.some(({ type }) => type === "tool-approval-request"));
});

test("a route of its own is shown a subagent's question, too", async () => {
  const { tools } = makeTools("send");
  const delegate = makeDelegate(tools, [call("send", "i1", { x: 7 })]);
  const llm = script(asking(call("delegate", "d1")), "Outer done.");
  const graph = createReactAgent({ llm, tools: [delegate], checkpointer: new MemorySaver() });
  const streamMode = ["values", "messages", "custom"];
  const stream = toUIMessageStream(graph.stream({ messages: "go" }, { ...THREAD, streamMode }));
  let last;
  for await (const message of ai7.readUIMessageStream({ stream, terminateOnError: true }))
    last = message;
  assert.deepEqual(seen(askedIn(last)), [["send", { x: 7 }, "approval-requested"]]);
});
