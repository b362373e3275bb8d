// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/zod`: reducers and initial values of zod states. Importing
// it gives zod 3 its `.langgraph`; only this entry imports the user's zod.
import "./plugin.js";

export {
  LanggraphZodMetaRegistry,
  META_EXTRAS_DESCRIPTION_PREFIX,
  SchemaMetaRegistry,
  registry,
  schemaMetaRegistry,
  withLangGraph,
} from "./registry.js";
