// SPDX-License-Identifier: MIT
// The column of Anthropic's Messages.
import { ChatAnthropicMessages } from "weftgraph/models/anthropic";
import { anthropicWire } from "./anthropic-wire.mjs";

export const anthropic = {
  name: "anthropic",
  create: (options) =>
    new ChatAnthropicMessages({ model: "claude-sonnet-4-5", apiKey: "sk-matrix-key", ...options }),
  ...anthropicWire,
};
