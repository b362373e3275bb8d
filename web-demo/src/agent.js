// SPDX-License-Identifier: MIT
// Knows: how the agent is put together: a model by the settings, the tools, the saver, the store.
// Must not know: threads, the page.
import { createReactAgent } from "weftgraph/prebuilt";
import { DemoModel } from "weftgraph/models/demo";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { TOOLS } from "./tools.js";

const PROMPT =
  "You are a helpful assistant in a demo page. Use the tools where they help. place_order is shown to the user for approval before it runs: " +
  "call it when the user wants to order something, without asking again. Answer briefly, in Markdown.";
const SILENCE_MS = 60_000;

/**
 * Version "v2": each call of a message is a task of its own, so several requests can wait at once,
 * and what is done stays done.
 * @param {import("./settings.js").Settings} settings
 * @param {{ saver: any, store: any }} places
 */
export function makeAgent(settings, { saver, store }) {
  return createReactAgent({
    llm: makeModel(settings),
    tools: TOOLS,
    prompt: PROMPT,
    checkpointer: saver,
    store,
    version: "v2",
  });
}

/** @param {import("./settings.js").Settings} settings */
function makeModel({ source, url, key, model, pace }) {
  if (source === "demo") return new DemoModel({ tokenDelayMs: pace });
  return new ChatOpenAICompatible({
    baseURL: url,
    apiKey: key || undefined,
    model,
    timeout: SILENCE_MS,
  });
}
