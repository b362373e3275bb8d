// SPDX-License-Identifier: MIT
// Serves the promise that a call whose answer had no more room does not run with other arguments
// than the model meant: none at all are other ones, too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatAnthropicMessages } from "weftgraph/models/anthropic";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { ChatOpenAIResponses } from "weftgraph/models/responses";
import { ChatWorkersAI } from "weftgraph/models/workers-ai";

const choice = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
const pieceOf = (index, name, args) => ({
  index,
  id: `call_${index}`,
  type: "function",
  function: { name, arguments: args },
});
/** Events of chat completions with these calls. */
const completions = (calls, reason) => [
  ...calls.map(([name, args], at) => choice({ tool_calls: [pieceOf(at, name, args)] })),
  choice({}, reason),
];

/** Events of Anthropic's messages. */
const messages = (calls, stop_reason) => [
  {
    type: "message_start",
    message: { role: "assistant", content: [], model: "m", usage: { input_tokens: 1 } },
  },
  ...calls.flatMap(([name, args], index) => [
    {
      type: "content_block_start",
      index,
      content_block: { type: "tool_use", id: `toolu_${index}`, name, input: {} },
    },
    {
      type: "content_block_delta",
      index,
      delta: { type: "input_json_delta", partial_json: args },
    },
    { type: "content_block_stop", index },
  ]),
  { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 9 } },
  { type: "message_stop" },
];

/** Events of OpenAI's Responses. */
const responses = (calls, reason) => {
  const output = calls.map(([name, args], at) => ({
    type: "function_call",
    id: `fc_${at}`,
    call_id: `call_${at}`,
    name,
    arguments: args,
    status: reason === undefined || at < calls.length - 1 ? "completed" : "incomplete",
  }));
  const status = reason === undefined ? "completed" : "incomplete";
  const details = reason === undefined ? null : { reason };
  return [
    ...output.flatMap((item, output_index) => [
      {
        type: "response.output_item.added",
        output_index,
        item: { ...item, arguments: "", status: "in_progress" },
      },
      { type: "response.output_item.done", output_index, item },
    ]),
    {
      type: `response.${status}`,
      response: { status, output, incomplete_details: details, usage: null },
    },
  ];
};

/** By service: its model, its events, what it says of a whole answer, and of ones cut off. */
const SERVICES = {
  openai: [ChatOpenAICompatible, completions, "tool_calls", ["length", "content_filter"]],
  "workers-ai": [ChatWorkersAI, completions, "tool_calls", ["length", "content_filter"]],
  anthropic: [ChatAnthropicMessages, messages, "tool_use", ["max_tokens", "refusal"]],
  responses: [ChatOpenAIResponses, responses, undefined, ["max_output_tokens", "content_filter"]],
};

for (const [name, [Model, eventsOf, whole, cuts]] of Object.entries(SERVICES)) {
  const answer = (calls, reason) => {
    const fetch = async () =>
      new Response(
        eventsOf(calls, reason)
          .map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
          .join(""),
        { headers: { "content-type": "text/event-stream" } },
      );
    const model = new Model({ model: "m", apiKey: "k", accountId: "a", fetch });
    return model.invoke("go", { callbacks: [{ handleLLMNewToken() {} }] });
  };
  const calls = [
    ["look", ""],
    ["delete", ""],
  ];

  for (const cut of cuts)
    test(`${name}: the last call of an answer that ends with ${cut} before its arguments is invalid`, async () => {
      const { tool_calls, invalid_tool_calls } = await answer(calls, cut);
      assert.deepEqual(
        tool_calls.map((call) => [call.name, call.args]),
        [["look", {}]],
      );
      assert.deepEqual(
        invalid_tool_calls.map((call) => [call.name, call.args, call.error]),
        [["delete", "", "Tool arguments were cut off."]],
      );
    });

  test(`${name}: a call without arguments is one where the answer had room, and before another call`, async () => {
    const { tool_calls, invalid_tool_calls } = await answer(calls, whole);
    assert.deepEqual([tool_calls.map((call) => call.args), invalid_tool_calls], [[{}, {}], []]);
  });
}
