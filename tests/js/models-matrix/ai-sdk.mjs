// SPDX-License-Identifier: MIT
// The column of the AI SDK's models: a real provider of it, Anthropic's.
import { createAnthropic } from "@ai-sdk/anthropic";
import { fromAISDK } from "weftgraph/models/ai-sdk";
import { anthropicWire } from "./anthropic-wire.mjs";

export const aiSdk = {
  name: "ai-sdk",
  create: ({ fetch, ...options }) => {
    const provider = createAnthropic({ apiKey: "sk-matrix-key", fetch });
    return fromAISDK(provider("claude-sonnet-4-5"), options);
  },
  ...anthropicWire,
};
