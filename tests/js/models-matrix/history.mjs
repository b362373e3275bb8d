// SPDX-License-Identifier: MIT
// Cases of the matrix: what earlier answers, of this service or another, become in the next
// request.
import { MemorySaver } from "weftgraph";
import { AIMessage, HumanMessage, ToolMessage } from "weftgraph/messages";
import { createReactAgent } from "weftgraph/prebuilt";
import { collect, equal, holds } from "../../runtime/smoke-assert.mjs";
import { HELLO, OPAQUE, TOOLS, USAGE, both, call } from "./kit.mjs";
import { serviceOf } from "./service.mjs";

/** What another provider's adapter leaves in a message; none of it is for this one. */
function foreign() {
  const id = "FOREIGN_item";
  const signature = "FOREIGN_signature";
  const extras = {
    signature,
    thoughtSignature: signature,
    extra_content: { google: { thought_signature: signature } },
    providerMetadata: { anthropic: { signature }, google: { thoughtSignature: signature } },
  };
  return new AIMessage({
    content: [
      { type: "thinking", thinking: "Hm.", signature, index: 0 },
      { type: "reasoning", reasoning: "Hm.", extras, id, thoughtSignature: signature, index: 1 },
      { type: "text", text: "I look.", extras, thoughtSignature: signature, id, index: 2 },
      { type: "tool_call", id: "call_1", name: "weather", args: { city: "Oslo" }, extras },
    ],
    tool_calls: [{ id: "call_1", name: "weather", args: { city: "Oslo" }, extras }],
    additional_kwargs: {
      reasoning_content: "Hm.",
      reasoning: { id, type: "reasoning", encrypted_content: signature, summary: [] },
      __openai_function_call_ids__: { call_1: id },
    },
    response_metadata: {
      model_provider: "elsewhere",
      output: [{ type: "reasoning", id, encrypted_content: signature, summary: [] }],
    },
    id,
  });
}

export async function foreignHistory(column) {
  const history = [
    new HumanMessage("Weather?"),
    foreign(),
    new ToolMessage({ tool_call_id: "call_1", content: "4 °C" }),
    new HumanMessage("And now?"),
  ];
  await both(column, [{ answer: HELLO }], async ({ model, say, requests }) => {
    equal((await say(model.bindTools(TOOLS), history)).message.text, HELLO.text);
    equal(column.request.turns(requests[0].body), [
      ["user", "Weather?"],
      ["assistant", "I look."],
      ["call", "weather", { city: "Oslo" }],
      ["result", "4 °C"],
      ["user", "And now?"],
    ]);
    holds(!JSON.stringify(requests[0].body).includes("FOREIGN"), "nothing foreign is sent");
  });
}

/** A person wrote something else while the first call was asked about. */
export async function openCall(column) {
  const calls = ["Rome", "Oslo"].map((city) => ({ id: city, name: "weather", args: { city } }));
  const history = [
    new HumanMessage("Weather?"),
    new AIMessage({ content: "", tool_calls: calls }),
    new ToolMessage({ tool_call_id: "Oslo", content: "4 °C" }),
    new HumanMessage("Never mind."),
  ];
  await both(column, [{ answer: HELLO }], async ({ model, say, requests }) => {
    equal((await say(model.bindTools(TOOLS), history)).message.text, HELLO.text);
    equal(column.request.turns(requests[0].body), [
      ["user", "Weather?"],
      ["call", "weather", { city: "Rome" }],
      ["call", "weather", { city: "Oslo" }],
      ["result", "No result: the conversation went on before this call had one."],
      ["result", "4 °C"],
      ["user", "Never mind."],
    ]);
    equal(history.length, 4);
  });
}

const SIGNED = {
  reasoning: "Hm, so be it.",
  opaque: OPAQUE,
  text: "I look.",
  calls: [call("c1", "weather", { city: "Oslo" })],
  usage: USAGE,
};

/** An agent of its own, as after a restart: it stops before its tools. */
async function runAgent(column, checkpointer, steps, input, isStream) {
  const service = serviceOf(column, steps);
  const llm = column.create({ fetch: service.fetch, maxRetries: 0 });
  const stops = input === null ? {} : { interruptBefore: ["tools"] };
  const agent = createReactAgent({ llm, tools: TOOLS, checkpointer, ...stops });
  const thread = { configurable: { thread_id: column.name } };
  if (isStream) await collect(await agent.stream(input, { ...thread, streamMode: "messages" }));
  else await agent.invoke(input, thread);
  return service.requests;
}

/** The turn whose answer must go back. */
export function firstTurn(column, checkpointer, isStream) {
  const input = { messages: "Weather?" };
  return runAgent(column, checkpointer, [{ answer: SIGNED }], input, isStream);
}

/** The turn after it, maybe in another process: what it sent, and what it had to send. */
export async function nextTurn(column, checkpointer, isStream) {
  const requests = await runAgent(column, checkpointer, [{ answer: HELLO }], null, isStream);
  const { turns, opaque } = column.request;
  return {
    turns: requests.map(({ body }) => turns(body)),
    sent: requests.map(({ body }) => JSON.stringify(opaque(body))),
    due: [JSON.stringify(column.opaque(SIGNED))],
  };
}

/** @param {{ turns: any[], sent: string[], due: string[] }} turn */
export function checkTurn({ turns, sent, due }) {
  equal(sent, due);
  holds(due[0].length > 2, "there is something to send back");
  equal(turns, [
    [
      ["user", "Weather?"],
      ["assistant", "I look."],
      ["call", "weather", { city: "Oslo" }],
      ["result", "4 °C in Oslo"],
    ],
  ]);
}

export async function afterCheckpoint(column) {
  for (const isStream of [false, true]) {
    const saver = new MemorySaver();
    await firstTurn(column, saver, isStream);
    checkTurn(await nextTurn(column, saver, isStream));
  }
}
