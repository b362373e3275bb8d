// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/prebuilt`.
export {
  ToolExecutor,
  createAgentExecutor,
  createFunctionCallingExecutor,
} from "../compat/tool-executor.js";
export { withAgentName } from "./agent/agent-name.js";
export { registerModelProvider } from "./agent/model-names.js";
export { createReactAgent, createReactAgentAnnotation } from "./agent/react-agent.js";
export { reviewToolCalls } from "./agent/review-tool-calls.js";
export { toolsCondition } from "./agent/routes.js";
export {
  createHandoffTool,
  createSupervisor,
  createSwarm,
  createSwarmState,
} from "./agent/multi-agent.js";
export { ToolNode } from "./tool-node/tool-node.js";
export { ValidationNode } from "./tool-node/validation-node.js";
