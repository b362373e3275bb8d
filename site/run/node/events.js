// SPDX-License-Identifier: MIT
// node:events. By the name of its file: the package's own name is Node's module in Node.
import events from "events/events.js";

export const { EventEmitter, once } = events;
