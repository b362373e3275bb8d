// SPDX-License-Identifier: MIT
// The public names of `weftgraph/ai-sdk`.
export { toUIMessages } from "./messages.js";
export { toUIMessageStream } from "./stream.js";
export { WeftChatTransport } from "./transport.js";
export { handleChat } from "./handle.js";
