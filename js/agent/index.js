// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/agent`.
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
