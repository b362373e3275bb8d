// SPDX-License-Identifier: MIT
// Smoke checks of conversations that are cut to a number of tokens.
import { equal } from "./smoke-assert.mjs";

async function checkTrim(kit) {
  const { AIMessage, HumanMessage, SystemMessage, ToolMessage } = kit.weft;
  const { countTokensApproximately, trimMessages } = kit.weft;
  const messages = [
    new SystemMessage("Be brief."),
    new HumanMessage("Weather in Tromsø? 🌧"),
    new AIMessage({ content: "", tool_calls: [{ id: "a", name: "look", args: { at: "é" } }] }),
    new ToolMessage({ content: "4 °C", tool_call_id: "a" }),
    new HumanMessage("And in Oslo?"),
  ];
  const all = countTokensApproximately(messages);
  const withoutFirst = countTokensApproximately(messages.filter((_, at) => at !== 1));
  equal([all, withoutFirst], [23, 18]);
  const left = async (maxTokens) => {
    const options = { maxTokens, tokenCounter: countTokensApproximately, includeSystem: true };
    const kept = await trimMessages(messages, { ...options, keepToolPairs: true });
    return kept.map(({ type }) => type);
  };
  equal(await left(all), ["system", "human", "ai", "tool", "human"]);
  equal(await left(withoutFirst), ["system", "ai", "tool", "human"]);
  // A result alone would fit; without its call it is left out.
  equal(await left(withoutFirst - 1), ["system", "human"]);
}

export const messageChecks = [
  ["a conversation is cut to estimated tokens, and no result is left without its call", checkTrim],
];
