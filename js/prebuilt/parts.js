// SPDX-License-Identifier: MIT
// What few agents need, loaded by the first call that does: approvals, calls in doubt, policies of tools, names in messages.
export { askPerson, denial } from "./approval.js";
export { aside } from "./aside.js";
export { tryCall } from "./attempts.js";
export { withAgentName } from "./agent-name.js";
export { settleUnknown } from "./unknown.js";
