// SPDX-License-Identifier: MIT
// The public names of the functional API, as names of this module: see events/index.js.
import * as workflows from "./entrypoint.js";
import * as tasks from "./task.js";

export const { entrypoint, getPreviousState } = workflows;
export const { task } = tasks;
