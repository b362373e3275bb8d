// SPDX-License-Identifier: MIT
// What a checkpointer that is not ours needs: loaded when a run meets one, or its serializer is called.
export { PortThread } from "./port-thread.js";
export { deltaHistory } from "./delta-history.js";
export { dumpsTyped, loadsTyped } from "./jsonplus.js";
