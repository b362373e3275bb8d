// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/agent/middleware`.
export { anthropicPromptCachingMiddleware } from "./anthropic-prompt-caching.js";
export { ClearToolUsesEdit, contextEditingMiddleware } from "./context-editing.js";
export { dynamicSystemPromptMiddleware } from "./dynamic-system-prompt.js";
export { humanInTheLoopMiddleware } from "./human-in-the-loop.js";
export { llmToolSelectorMiddleware } from "./llm-tool-selector.js";
export { ModelCallLimitMiddlewareError, modelCallLimitMiddleware } from "./model-call-limit.js";
export { modelFallbackMiddleware } from "./model-fallback.js";
export { modelRetryMiddleware } from "./model-retry.js";
export { PIIDetectionError, piiMiddleware } from "./pii.js";
export {
  detectCreditCard,
  detectEmail,
  detectIP,
  detectMacAddress,
  detectUrl,
} from "./pii-detectors.js";
export { summarizationMiddleware } from "./summarization.js";
export { todoListMiddleware } from "./todo-list.js";
export { ToolCallLimitExceededError, toolCallLimitMiddleware } from "./tool-call-limit.js";
export { toolEmulatorMiddleware } from "./tool-emulator.js";
export { toolErrorMiddleware } from "./tool-error.js";
export { toolRetryMiddleware } from "./tool-retry.js";
