// SPDX-License-Identifier: MIT
// Serves: whatever a service with Anthropic's Messages API answers, a call ends in a proper message
// or a ModelError, and the message can be stored and sent back. WEFT_SEED chooses other random
// answers, WEFT_LONG=1 runs twenty times as many.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { AIMessage } from "weftgraph/messages";
import { ChatAnthropicMessages, ModelError } from "weftgraph/models/anthropic";
import {
  begin,
  call,
  delta,
  end,
  scripted,
  start,
  stop,
  text,
  thinking,
  whole,
} from "./anthropic-wire.mjs";
import { dice, mutated } from "./mutated.mjs";

const times = process.env.WEFT_LONG ? 20 : 1;
const seed = Number(process.env.WEFT_SEED ?? 1);
const RECORDED = join(process.env.WEFT_TEST_DATA ?? "../shared/data", "model-streams/anthropic");

const OWN = [
  start({ input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 1 }),
  ...thinking(0, "sig==", "Let me ", "see."),
  begin(1, { type: "redacted_thinking", data: "x==" }),
  stop(1),
  begin(2, { type: "text", text: "", citations: [] }),
  delta(2, "text_delta", { text: "Grass is green." }),
  delta(2, "citations_delta", { citation: { type: "page_location", cited_text: "a" } }),
  stop(2),
  ...text(3, "I look."),
  ...call(4, "toolu_1", "weather", '{"city"', ':"Oslo"}'),
  begin(5, { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} }),
  delta(5, "input_json_delta", { partial_json: '{"query":"a"}' }),
  stop(5),
  begin(6, { type: "web_search_tool_result", tool_use_id: "srv_1", content: [] }),
  stop(6),
  ...end("tool_use", { output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } }),
];

const isText = (value) => value === undefined || typeof value === "string";
const isArguments = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A message that others can work with. */
function assertProper(message, label) {
  assert.ok(message instanceof AIMessage || message.constructor.name === "AIMessageChunk", label);
  const { content, tool_calls, invalid_tool_calls, usage_metadata = {} } = message;
  assert.ok(typeof content === "string" || Array.isArray(content), label);
  for (const block of typeof content === "string" ? [] : content)
    assert.ok(typeof block.type === "string", label);
  assert.equal(typeof message.text, "string", label);
  for (const { name, args, id } of tool_calls)
    assert.ok(typeof name === "string" && typeof id === "string" && isArguments(args), label);
  for (const { name, args, id } of invalid_tool_calls)
    assert.ok(isText(name) && isText(args) && isText(id), label);
  const counts = Object.values(usage_metadata).flatMap((value) =>
    typeof value === "object" ? Object.values(value) : [value],
  );
  for (const count of counts) assert.ok(Number.isSafeInteger(count) && count >= 0, label);
  const { stop_reason, model_provider, model_name } = message.response_metadata;
  assert.ok(model_provider === "anthropic" && isText(stop_reason) && isText(model_name), label);
  assert.equal({}.x, undefined);
}

/** The answer goes back in a form that the service can read. */
async function assertSendable(message, label) {
  const fetch = scripted([start(), ...text(0, "ok"), ...end()]);
  const model = new ChatAnthropicMessages({ model: "claude-sonnet-5", fetch, maxRetries: 0 });
  const stored = new AIMessage(JSON.parse(JSON.stringify({ ...message, lc_kwargs: undefined })));
  await model.invoke(["hi", stored]);
  const [, { content = [] } = {}] = fetch.asked[0].body.messages;
  for (const block of content) {
    assert.equal(typeof block.type, "string", label);
    if (block.type === "text") assert.ok(block.text.trim() !== "", label);
    if (block.type === "thinking")
      assert.ok(typeof block.thinking === "string" && block.signature !== "", label);
    if (block.type === "tool_use")
      assert.ok(/^[\w-]+$/.test(block.id) && block.name !== "" && isArguments(block.input), label);
  }
}

async function outcome(body, type, streamed) {
  const fetch = scripted(() => new Response(body, { headers: { "content-type": type } }));
  const model = new ChatAnthropicMessages({ model: "claude-sonnet-5", fetch, maxRetries: 0 });
  try {
    if (!streamed)
      return { message: await model.invoke("x", { callbacks: [{ handleLLMNewToken() {} }] }) };
    let message;
    for await (const chunk of model.stream("x"))
      message = message === undefined ? chunk : message.concat(chunk);
    return { message };
  } catch (error) {
    return { error };
  }
}

/** A stream with changed, lost, doubled and exchanged events; a whole answer that is changed. */
function drawBody(events, answer, draw) {
  if (draw.below(3) === 0) return [mutated(JSON.stringify(answer), draw), "application/json"];
  const lines = events.map((event) => JSON.stringify(event));
  for (let k = draw.below(3); k > 0; k--) {
    const at = draw.below(lines.length);
    const other = draw.below(lines.length);
    const kind = draw.below(5);
    if (kind === 0) lines.splice(at, 1 + draw.below(3));
    else if (kind === 1) lines.splice(at, 0, lines[other]);
    else if (kind === 2) [lines[at], lines[other]] = [lines[other], lines[at]];
    else lines[at] = mutated(JSON.stringify(events[at % events.length]), draw);
    if (lines.length === 0) break;
  }
  return [lines.map((line) => `data: ${line}\n\n`).join(""), "text/event-stream"];
}

async function mutations(answers, count, draw) {
  let good = 0;
  for (let i = 0; i < count; i++) {
    const { events, answer } = draw.pick(answers);
    const [body, type] = drawBody(events, answer, draw);
    const { message, error } = await outcome(body, type, draw.below(2) === 0);
    const label = `${i}: ${error?.stack ?? ""} ${body.slice(0, 3000)}`;
    if (error === undefined) {
      good++;
      assertProper(message, label);
      await assertSendable(message, label);
    } else
      assert.ok(
        error instanceof ModelError &&
          typeof error.code === "string" &&
          error.message.length <= 1000,
        label,
      );
  }
  return good;
}

test("answers with something wrong at random places give a message, which can be sent back, or a ModelError", async () => {
  const good = await mutations([{ events: OWN, answer: whole(OWN) }], 1500 * times, dice(seed));
  assert.ok(good > 100 * times, "some are still answers");
});

test("so do recorded answers", {
  skip: existsSync(RECORDED) ? false : `${RECORDED} is not there`,
}, async () => {
  const answers = readdirSync(RECORDED)
    .filter((name) => name.endsWith(".chunks.txt"))
    .map((name) => {
      const lines = readFileSync(join(RECORDED, name), "utf8").trim().split("\n");
      const all = lines.map((line) => JSON.parse(line));
      const events = all.slice(0, all.findIndex(({ type }) => type === "message_stop") + 1);
      const most = 60;
      const short = events.length > most ? [...events.slice(0, most), ...events.slice(-3)] : events;
      return { events: short, answer: { ...all[0].message, content: [], stop_reason: "end_turn" } };
    });
  assert.ok((await mutations(answers, 600 * times, dice(seed))) > 50);
});
