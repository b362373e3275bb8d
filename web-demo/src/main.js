// SPDX-License-Identifier: MIT
// Starts the studio: the screen that the address names, and the engine in its worker.
import { fail, startShell } from "./shell/shell.js";
import { Engine } from "./worker/engine.js";

startShell({ engine: new Engine() }).catch(fail);
