// SPDX-License-Identifier: MIT
// docs/malformed-output.md: bytes, answers to approvals and state; each row is run, and its outcome
// must be the one that stands there.
// Own process: counts a warning that comes once in a process.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  AIMessage,
  Annotation,
  Command,
  HumanMessage,
  MemorySaver,
  START,
  Send,
  StateGraph,
  tool,
} from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { makeError } from "../../js/base/errors.js";
import { getEngine } from "../../js/engine/instance.js";
import { rowsUnder } from "./malformed.mjs";

const thread = (id) => ({ configurable: { thread_id: id } });

/** Each title's outcome must be the page's. */
async function check(head, outcomes) {
  const rows = rowsUnder(head);
  assert.deepEqual([...rows.keys()], Object.keys(outcomes));
  for (const [title, work] of Object.entries(outcomes))
    assert.equal(String(await work()).replaceAll("|", "\\|"), rows.get(title), title);
}

test("bytes that are no UTF-8 end in the error that the page names", async () => {
  const engine = getEngine();
  const any = engine.open("weft_schema_new", '{"schema":true}');
  const outcomeOf =
    (...inner) =>
    () => {
      const bytes = Uint8Array.of(0x22, ...inner, 0x22);
      engine.input(bytes);
      const block = engine.call("weft_schema_check", any, bytes.length, 0, 1, 0) >>> 2;
      engine.refresh();
      const { code, message } = makeError(engine.u32[block] | 0, [engine.u32[block + 1], ""]);
      return `${code}: ${message}`;
    };
  await check("| the bytes are", {
    "a continuation alone": outcomeOf(0x80),
    "two bytes for ASCII": outcomeOf(0xc0, 0x80),
    "three bytes where two do": outcomeOf(0xe0, 0x80, 0x80),
    "four bytes where three do": outcomeOf(0xf0, 0x80, 0x80, 0x80),
    "a sequence that ends too early": outcomeOf(0xe2, 0x82),
    "a lead without its continuation": outcomeOf(0xc3, 0x28),
    "above U+10FFFF": outcomeOf(0xf4, 0x90, 0x80, 0x80),
    "a surrogate": outcomeOf(0xed, 0xa0, 0x80),
    "0xFF": outcomeOf(0xff),
  });
  engine.call("weft_schema_free", any);
});

/** An agent that orders once a turn; `ran` lists its orders. */
function ordering(options) {
  const ran = [];
  const order = tool((args) => (ran.push(args), "ordered"), {
    name: "order",
    schema: { type: "object" },
    approval: "ask",
  });
  const llm = {
    bindTools: () => llm,
    invoke: async (messages) =>
      messages.at(-1).type === "human"
        ? new AIMessage({
            content: "",
            tool_calls: [{ name: "order", args: {}, id: `c${messages.length}` }],
          })
        : new AIMessage("done"),
  };
  const agent = createReactAgent({
    llm,
    tools: [order],
    checkpointer: new MemorySaver(),
    ...options,
  });
  return {
    ran,
    ask: async (id) => (await agent.invoke({ messages: "order" }, thread(id))).__interrupt__[0],
    answer: (id, resume) => agent.invoke(new Command({ resume }), thread(id)),
    agent,
  };
}

test("each malformed answer to an approval is asked about again or refused", async () => {
  const outcomeOf = async ({ ran }, { __interrupt__ }) => {
    const ending =
      __interrupt__ === undefined ? (ran.length === 0 ? "nothing runs" : "runs") : "asked again";
    assert.ok(__interrupt__ === undefined || ran.length === 0);
    return __interrupt__?.[0].value.problem === undefined
      ? ending
      : `${ending}: ${__interrupt__[0].value.problem}`;
  };
  const accept = { type: "accept", args: null };
  const refusal = async (desk, id, resume) => {
    await assert.rejects(desk.answer(id, resume), { code: "UNKNOWN_INTERRUPT" });
    assert.equal((await desk.agent.getState(thread(id))).tasks[0].interrupts.length, 1);
    return "refused, nothing is written: UNKNOWN_INTERRUPT";
  };
  const lone = (resume) => async () => {
    const desk = ordering();
    await desk.ask("1");
    return outcomeOf(desk, await desk.answer("1", resume));
  };
  const earlier = (answerOf) => async () => {
    const desk = ordering();
    const question = await desk.ask("1");
    await desk.answer("1", { type: "ignore", args: null });
    assert.notEqual((await desk.ask("1")).id, question.id);
    return answerOf === byId
      ? refusal(desk, "1", byId(question))
      : outcomeOf(desk, await desk.answer("1", answerOf(question)));
  };
  const elsewhere = (answerOf) => async () => {
    const desk = ordering();
    const question = await desk.ask("1");
    await desk.ask("2");
    return answerOf === byId
      ? refusal(desk, "2", byId(question))
      : outcomeOf(desk, await desk.answer("2", answerOf(question)));
  };
  const byDigest = ({ value: { digest } }) => ({ ...accept, digest });
  const byId = ({ id }) => ({ [id]: accept });
  await check("| the answer is", {
    "a text": lone("yes"),
    "of another number of decisions than there are calls": lone({ decisions: [] }),
    "of an unknown type": lone({ type: "yes" }),
    "for an earlier question, by its digest": earlier(byDigest),
    "for an earlier question, by its id": earlier(byId),
    "for another thread, by its digest": elsewhere(byDigest),
    "for another thread, by its id": elsewhere(byId),
    "given twice": async () => {
      const desk = ordering();
      await desk.ask("1");
      await desk.answer("1", accept);
      await desk.answer("1", accept);
      return desk.ran.length === 1 ? "runs once" : `ran ${desk.ran.length} times`;
    },
    "for a thread without a question": async () => {
      const desk = ordering();
      return outcomeOf(desk, await desk.answer("1", accept));
    },
  });
});

test("calls after the run has ended", async () => {
  const open = async (options) => {
    const desk = ordering(options);
    await desk.agent.updateState(
      thread("1"),
      { messages: [new HumanMessage("q"), new AIMessage("done")] },
      "agent",
    );
    assert.deepEqual((await desk.agent.getState(thread("1"))).next, []);
    await desk.agent.updateState(
      thread("1"),
      {
        messages: [
          new AIMessage({ content: "", tool_calls: [{ name: "order", args: {}, id: "late" }] }),
        ],
      },
      "agent",
    );
    return desk;
  };
  await check("| a saved thread has", {
    "calls after its run has ended": async () => {
      const desk = await open();
      const { __interrupt__ } = await desk.agent.invoke(null, thread("1"));
      const { messages } = await desk.answer("1", { type: "accept", args: null });
      return __interrupt__[0].value.tool_call_id === "late" &&
        messages.at(-2).tool_call_id === "late" &&
        desk.ran.length === 1
        ? "asked about and answered when the run goes on"
        : "lost";
    },
    "such calls, and a new turn": async () => {
      const heard = [];
      const llm = {
        bindTools: () => llm,
        invoke: async (messages) => (heard.push(...messages), new AIMessage("done")),
      };
      await (await open({ llm })).agent.invoke({ messages: "next" }, thread("1"));
      return heard.at(-2).tool_calls[0].id === "late" ? "told to the model as they are" : "lost";
    },
    "the same, with `validateHistory`": async () =>
      (await open({ validateHistory: true })).agent
        .invoke({ messages: "next" }, thread("1"))
        .catch(({ lc_error_code }) => lc_error_code),
  });
});

test("each malformed state is told as the page says", async (t) => {
  const warned = t.mock.method(console, "warn", () => {});
  const graphOf = (node, channel = Annotation()) =>
    new StateGraph(Annotation.Root({ v: channel }))
      .addNode("n", node)
      .addEdge(START, "n")
      .compile({ checkpointer: new MemorySaver() });
  const saved = async (node, channel) => {
    const graph = graphOf(node, channel);
    await graph.invoke({ v: 0 }, thread("1"));
    return (await graph.getState(thread("1"))).values.v;
  };
  /** What becomes of a node that fails. */
  const failed = async (write, channel) => {
    const graph = graphOf(() => ({ v: write() }), channel);
    const { message } = await graph.invoke({ v: 0 }, thread("1")).catch((error) => error);
    const { values, next } = await graph.getState(thread("1"));
    const ending = message === "this" ? "fails with that error" : message;
    return channel === undefined && values.v === 0 && next[0] === "n"
      ? `${ending}; the state is as it was`
      : ending;
  };
  const throwing = () => {
    throw new Error("this");
  };
  const itself = {};
  itself.me = itself;
  await check("| the node | outcome", {
    "writes a value that holds itself": async () =>
      `saved with "${(await saved(() => ({ v: itself }))).me}" in its place, and ${warned.mock.callCount() === 1 ? "a warning" : "no warning"}`,
    "writes a value whose toJSON throws": () => failed(() => ({ toJSON: throwing })),
    "writes a value whose getter throws": () =>
      failed(() => Object.defineProperty({}, "x", { enumerable: true, get: throwing })),
    "writes a Proxy that throws": () => failed(() => new Proxy({}, { ownKeys: throwing })),
    "writes a value with a toJSON": async () => {
      let asked = 0;
      const kept = await saved(() => ({ v: { toJSON: () => ({ asked: ++asked }) } }));
      return kept.asked === 1 && asked === 1
        ? "saved as what it gave, asked once"
        : `asked ${asked} times`;
    },
    "writes a Proxy": async () =>
      (
        await saved(() => ({
          v: new Proxy(
            {},
            {
              ownKeys: () => ["a"],
              get: (_, key) => (key === "a" ? 1 : undefined),
              getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }),
            },
          ),
        }))
      ).a === 1
        ? "saved as what it shows"
        : "lost",
    "has a reducer that throws": () =>
      failed(() => 1, Annotation({ reducer: throwing, default: () => 0 })),
    "has a reducer that gives another type": async () =>
      (await saved(() => ({ v: 1 }), Annotation({ reducer: () => "text", default: () => 0 }))) ===
      "text"
        ? "the state is what it gave"
        : "another",
    "sends 20,000 tasks at once": async () => {
      const Sum = Annotation.Root({
        n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
      });
      const graph = new StateGraph(Sum)
        .addNode("a", () => ({}))
        .addNode("b", () => ({ n: 1 }))
        .addEdge(START, "a")
        .addConditionalEdges("a", () => Array.from({ length: 20000 }, () => new Send("b", {})), [
          "b",
        ])
        .compile();
      return (await graph.invoke({})).n === 20000 ? "each runs once" : "lost";
    },
    "never ends": async () => {
      let steps = 0;
      const graph = new StateGraph(Annotation.Root({ v: Annotation() }))
        .addNode("n", () => ({ v: ++steps }))
        .addEdge(START, "n")
        .addEdge("n", "n")
        .compile();
      return graph.invoke({ v: 0 }).catch(({ name }) => `${name} after ${steps} steps`);
    },
  });
});
