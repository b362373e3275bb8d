// SPDX-License-Identifier: MIT
// Serves: conversations cut to a number of tokens as LangChain cuts them, and without tearing calls
// from their results; the estimate of tokens is langchain's.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as core from "@langchain/core/messages";
import { countTokensApproximately as countOfLangChain } from "langchain";
import * as weft from "weftgraph/messages";

let seed = 7;
function random(below) {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return (seed >> 8) % below;
}
const KINDS = ["human", "ai", "system", "tool"];
const CLASSES = {
  human: "HumanMessage",
  ai: "AIMessage",
  system: "SystemMessage",
  tool: "ToolMessage",
};

function conversation() {
  return Array.from({ length: random(9) }, (_, at) => {
    const words = Array.from({ length: 1 + random(4) }, (__, word) => `line${at}${word}`);
    const type = at === 0 && random(2) ? "system" : KINDS[random(4)];
    return { type, content: words.join("\n"), id: `m${at}`, tool_call_id: "t" };
  });
}

const built = (messages, list) =>
  list.map(({ type, ...fields }) => new messages[CLASSES[type]](fields));
const counter = (messages) =>
  messages.reduce((sum, { content }) => sum + 1 + content.replaceAll("\n", "").length / 6, 0);

test("what remains is what LangChain leaves, for every combination of options", async () => {
  let compared = 0;
  for (let round = 0; round < 1500; round++) {
    const list = conversation();
    const strategy = random(2) ? "last" : "first";
    const options = { maxTokens: random(16), tokenCounter: counter, strategy };
    options.allowPartial = random(2) === 1;
    if (random(2)) options.endOn = random(2) ? KINDS[random(4)] : ["human", "tool"];
    if (strategy === "last" && random(2)) options.startOn = KINDS[random(4)];
    if (strategy === "last" && random(2)) options.includeSystem = true;
    const shown = (messages) => messages.map(({ id, content }) => [id, content]);
    const ours = shown(await weft.trimMessages(built(weft, list), options));
    // LangChain fails, or leaves undefined, where only the system message remains.
    const theirs = await core.trimMessages(built(core, list), options).catch(() => undefined);
    if (theirs === undefined || theirs.includes(undefined)) continue;
    compared++;
    assert.deepEqual(ours, shown(theirs), JSON.stringify({ list, options }));
  }
  assert.ok(compared > 1300, String(compared));
});

test("of a message of blocks those remain that fit, from the end that is kept", async () => {
  const content = ["a", "b", "c"].map((text) => ({ type: "text", text }));
  const message = new weft.HumanMessage({ content, id: "1" });
  const tokenCounter = (messages) => messages.reduce((sum, one) => sum + one.content.length, 0);
  const trim = (strategy) =>
    weft.trimMessages([message], { maxTokens: 2, tokenCounter, strategy, allowPartial: true });
  assert.deepEqual((await trim("first"))[0].content, content.slice(0, 2));
  assert.deepEqual((await trim("last"))[0].content, content.slice(1));
  assert.equal((await trim("last"))[0].id, "1");
  assert.equal(message.content.length, 3);
});

test("with keepToolPairs no result stands without its call, and no call without its result", async () => {
  const call = (id) => ({ id, name: "look", args: {} });
  const messages = [
    new weft.HumanMessage("1"),
    new weft.AIMessage({ content: "2", tool_calls: [call("a"), call("b")] }),
    new weft.ToolMessage({ content: "3", tool_call_id: "a" }),
    new weft.ToolMessage({ content: "4", tool_call_id: "b" }),
    new weft.HumanMessage("5"),
    new weft.AIMessage({ content: "6", tool_calls: [call("c")] }),
  ];
  const left = async (maxTokens, strategy) => {
    const options = { maxTokens, strategy, tokenCounter: (some) => some.length };
    const kept = await weft.trimMessages(messages, { ...options, keepToolPairs: true });
    return kept.map(({ content }) => content).join("");
  };
  assert.deepEqual(await Promise.all([3, 4, 5, 6].map((most) => left(most, "last"))), [
    "56",
    "56",
    "23456",
    "123456",
  ]);
  assert.deepEqual(await Promise.all([2, 3, 4, 5].map((most) => left(most, "first"))), [
    "1",
    "1",
    "1234",
    "12345",
  ]);
  const runnable = weft.trimMessages({ maxTokens: 1, tokenCounter: (some) => some.length });
  assert.deepEqual(
    (await runnable.invoke(["a", "b"])).map(({ content }) => content),
    ["b"],
  );
});

test("options that do not go together are refused", () => {
  const tokenCounter = () => 1;
  for (const options of [
    undefined,
    { tokenCounter },
    { maxTokens: 1 },
    { maxTokens: 1, tokenCounter, strategy: "middle" },
    { maxTokens: 1, tokenCounter, strategy: "first", includeSystem: true },
  ])
    assert.throws(() => weft.trimMessages([], options), { code: "BAD_ARGUMENT" });
});

test("the estimate of tokens is langchain's, for messages and tools", () => {
  const lists = (messages) => [
    [],
    [new messages.HumanMessage("abcde"), new messages.SystemMessage("a")],
    [new messages.ToolMessage({ content: "abcd", tool_call_id: "12345678" })],
    [
      new messages.HumanMessage([
        { type: "text", text: "abc" },
        { type: "image_url", image_url: "x" },
      ]),
    ],
    [
      new messages.AIMessage({
        content: "abcd",
        tool_calls: [{ id: "1", name: "look", args: { a: 1 } }],
      }),
    ],
    [new messages.AIMessage([{ type: "reasoning", reasoning: "abcdefgh" }])],
  ];
  const tools = [
    { type: "function", function: { name: "look", description: "d", parameters: {} } },
    { name: "see" },
  ];
  for (const [at, list] of lists(weft).entries()) {
    const expected = countOfLangChain(lists(core)[at], tools);
    assert.equal(weft.countTokensApproximately(list, { tools }), expected);
    assert.equal(weft.countTokensApproximately(list, tools), expected);
    assert.equal(weft.countTokensApproximately(list), countOfLangChain(lists(core)[at]));
  }
});
