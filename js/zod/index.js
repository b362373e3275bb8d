// SPDX-License-Identifier: MIT
// The public names of `weftgraph/zod`: reducers and initial values of zod states. Importing it
// gives zod 3 its `.langgraph`; it is the one place that imports zod, which is the user's.
import "./plugin.js";

export {
  LanggraphZodMetaRegistry,
  META_EXTRAS_DESCRIPTION_PREFIX,
  SchemaMetaRegistry,
  registry,
  schemaMetaRegistry,
  withLangGraph,
} from "./registry.js";
