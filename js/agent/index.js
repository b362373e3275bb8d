// SPDX-License-Identifier: MIT
// Exports what makes an agent.
export { createMiddleware } from "./create-middleware.js";
export {
  MiddlewareError,
  MultipleStructuredOutputsError,
  MultipleToolsBoundError,
  StructuredOutputParsingError,
  ToolInvocationError,
} from "./errors.js";
export { ReactAgent, createAgent } from "./react-agent.js";
export {
  ProviderStrategy,
  ToolStrategy,
  providerStrategy,
  toolStrategy,
} from "./response-format.js";
