// SPDX-License-Identifier: MIT
// For tests in which a seed must decide all that happens: a run lets the event loop turn after some
// milliseconds without a wait, and how many steps that is depends on the machine. Here it does not.
import { LOOP } from "../../js/base/event-loop.js";

for (const key of ["due", "tasks"])
  Object.defineProperty(LOOP, key, { get: () => Infinity, set() {} });
