// SPDX-License-Identifier: MIT
// Exports tools in LangChain's shape, without LangChain.
export { Tool, tool } from "./tool.js";
export { InjectedState, InjectedStore, ToolRuntime } from "./injected.js";
export { ToolInputParsingException } from "./tool-result.js";
export { toOpenAITool, toolJsonSchema } from "./schema.js";
export { repairBySchema } from "./repair-by-schema.js";
export { UnsupportedSchemaError } from "../base/errors.js";
