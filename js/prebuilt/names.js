// SPDX-License-Identifier: MIT
// Public names of what agents load when they need it, as names of this module: see events/index.js.
import * as agentName from "./agent/agent-name.js";

export const { withAgentName } = agentName;
