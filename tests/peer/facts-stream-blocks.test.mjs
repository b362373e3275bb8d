// SPDX-License-Identifier: MIT
// Fact 18.13: a message of a run of version 3 by the events that it came in: what its reader sees
// of them, its text, reasoning, calls and usage, and the whole of it, also of blocks that nobody
// ended.
import { fact } from "./harness.mjs";

const read = async (items) => {
  const list = [];
  for await (const item of items) list.push(item);
  return list;
};

const start = { event: "message-start", id: "m" };
const finish = { event: "message-finish", reason: "stop" };
const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
const begins = (index, content) => ({ event: "content-block-start", index, content });
const grows = (index, delta) => ({ event: "content-block-delta", index, delta });
const older = (index, content) => ({ event: "content-block-delta", index, content });
const ends = (index, content) => ({ event: "content-block-finish", index, content });
const text = (of) => ({ type: "text", text: of });
const reasoning = (of) => ({ type: "reasoning", reasoning: of });
const chunk = (args, more) => ({ type: "tool_call_chunk", id: "c", name: "n", args, ...more });
const called = { type: "tool_call", id: "c", name: "n", args: { a: 1 } };
const pieceOfText = (of) => ({ type: "text-delta", text: of });
const pieceOfReasoning = (of) => ({ type: "reasoning-delta", reasoning: of });
const fields = (of) => ({ type: "block-delta", fields: of });

const MESSAGES = {
  "text that is not ended": [
    start,
    begins(0, text("")),
    grows(0, pieceOfText("a")),
    grows(0, pieceOfText("b")),
    finish,
  ],
  "text that begins with some": [start, begins(0, text("pre")), grows(0, pieceOfText("a")), finish],
  "text that has not begun": [start, grows(0, pieceOfText("a")), finish],
  "text that goes on behind its end": [
    start,
    begins(0, text("")),
    ends(0, text("A")),
    grows(0, pieceOfText("b")),
    finish,
  ],
  "text of older servers": [
    start,
    begins(0, text("")),
    older(0, text("x")),
    older(1, text("y")),
    finish,
  ],
  "a block that begins again": [start, begins(0, text("a")), begins(0, text("b")), finish],
  "blocks with gaps": [start, ends(3, text("d")), ends(1, text("b")), finish],
  "reasoning that is not ended": [
    start,
    begins(0, reasoning("pre")),
    grows(0, pieceOfReasoning("a")),
    grows(0, pieceOfReasoning("b")),
    finish,
  ],
  "reasoning, then text": [
    start,
    begins(0, reasoning("")),
    grows(0, pieceOfReasoning("a")),
    begins(1, text("")),
    grows(0, pieceOfReasoning("b")),
    finish,
  ],
  "reasoning without a text, then text": [
    start,
    begins(0, reasoning("")),
    begins(1, text("")),
    grows(0, pieceOfReasoning("b")),
    finish,
  ],
  "reasoning behind text": [
    start,
    begins(0, text("")),
    grows(0, pieceOfText("t")),
    begins(1, reasoning("a")),
    grows(1, pieceOfReasoning("b")),
    finish,
  ],
  "reasoning in two blocks": [
    start,
    begins(0, reasoning("a")),
    ends(0, reasoning("A")),
    begins(1, reasoning("b")),
    ends(1, reasoning("B")),
    finish,
  ],
  "reasoning of older servers": [start, begins(0, reasoning("")), older(0, reasoning("x")), finish],
  "pieces of another kind": [
    start,
    begins(0, reasoning("r")),
    grows(0, pieceOfText("a")),
    begins(1, text("t")),
    grows(1, pieceOfReasoning("b")),
    grows(1, { type: "data-delta", data: "d" }),
    finish,
  ],
  "a call in pieces": [start, begins(0, chunk("")), grows(0, fields(chunk('{"a":1}'))), finish],
  "a call whose pieces stand for each other": [
    start,
    begins(0, chunk("")),
    grows(0, fields({ args: '{"a"' })),
    grows(0, fields({ args: ":1}" })),
    finish,
  ],
  "calls with arguments that are none": [
    start,
    begins(0, chunk("{")),
    begins(1, chunk("[1]")),
    begins(2, chunk("null")),
    begins(3, chunk("5")),
    begins(4, { type: "tool_call_chunk", id: "c", name: "n" }),
    finish,
  ],
  "calls with more, and with less": [
    start,
    begins(0, chunk("{}", { index: 1, extra: 2 })),
    begins(1, { type: "tool_call_chunk", args: "{}" }),
    finish,
  ],
  "a whole call that is not ended": [start, begins(0, called), finish],
  "a call that is ended": [start, begins(0, chunk("")), ends(0, called), finish],
  "a call that is none": [
    start,
    ends(0, { type: "invalid_tool_call", id: "c", name: "n", args: "{", error: "e" }),
    finish,
  ],
  "data in pieces": [
    start,
    begins(0, { type: "image", mime_type: "m", data: "" }),
    grows(0, { type: "data-delta", data: "aa" }),
    older(0, { type: "image", data: "bb" }),
    finish,
  ],
  "fields of a block": [
    start,
    begins(0, { type: "x", a: 1 }),
    grows(0, fields({ b: 2 })),
    grows(0, fields({ a: 3, type: "y" })),
    finish,
  ],
  "a message that is not ended": [start, begins(0, text("")), grows(0, pieceOfText("a"))],
  "a message that is not ended, with an error": [
    start,
    ends(0, text("A")),
    { event: "error", message: "boom" },
  ],
  "events of other kinds": [
    start,
    { event: "usage", usage },
    { event: "bogus" },
    { event: "error", message: "boom" },
    finish,
  ],
  "a delta of an unknown kind": [start, begins(0, text("a")), grows(0, { type: "weird" }), finish],
  "deltas that are none": [
    start,
    begins(0, text("a")),
    grows(0, null),
    grows(0, undefined),
    finish,
  ],
  "a delta beside a block of older servers": [
    start,
    begins(0, text("a")),
    { ...older(0, text("b")), delta: { type: "weird" } },
    finish,
  ],
  "a delta that is a text": [start, begins(0, text("a")), grows(0, "x"), finish],
  "a delta without a kind": [start, begins(0, { type: "x" }), grows(0, {}), finish],
  "a delta of an unknown kind where nothing has begun": [
    start,
    grows(0, { type: "weird" }),
    finish,
  ],
  "a block of an unknown kind by older servers": [
    start,
    begins(0, { type: "x", a: 1 }),
    older(0, { type: "x", b: 2 }),
    begins(1, text("t")),
    older(1, { type: "y", a: 3 }),
    finish,
  ],
  "blocks that are none": [
    start,
    begins(0, null),
    grows(0, pieceOfText("a")),
    begins(1, undefined),
    finish,
  ],
  "usage at both ends": [
    { ...start, usage: { ...usage, output_tokens: 0 } },
    { ...finish, usage },
  ],
};

for (const [name, events] of Object.entries(MESSAGES)) {
  fact("18.13", `a message by its events: ${name}`, async (lib, t) => {
    async function* source() {
      for (const event of events)
        yield [["n:1"], "messages", [event, { langgraph_node: "n", run_id: "r" }]];
    }
    for await (const message of lib.createGraphRunStream(source()).messages) {
      await t.try("whole", async () => {
        const { content, tool_calls, invalid_tool_calls, id, usage_metadata, response_metadata } =
          await message.output;
        return [id, content, tool_calls, invalid_tool_calls, usage_metadata, response_metadata];
      });
      t.note(
        "events",
        (await read(message)).map(({ event, run_id }) => [event, run_id]),
      );
      for (const part of ["text", "reasoning", "toolCalls", "usage"])
        t.note(part, [await read(message[part]), await message[part]]);
    }
  });
}
