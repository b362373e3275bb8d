// SPDX-License-Identifier: MIT
// The public names of `weftgraph/prebuilt`.
export { withAgentName } from "./apart.js";
export { ToolExecutor, createAgentExecutor, createFunctionCallingExecutor } from "./legacy.js";
export { registerModelProvider } from "./model-names.js";
export { createReactAgent, createReactAgentAnnotation } from "./react-agent.js";
export { reviewToolCalls } from "./review.js";
export { toolsCondition } from "./routes.js";
export { createHandoffTool, createSupervisor, createSwarm, createSwarmState } from "./team.js";
export { ToolNode } from "./tool-node.js";
export { ValidationNode } from "./validation-node.js";
