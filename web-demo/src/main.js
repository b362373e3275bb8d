// SPDX-License-Identifier: MIT
// Starts the studio: the screen that the address names, the engine in its worker, and the model
// that it asks.
import { fail, startShell } from "./shell/shell.js";
import { connectModel } from "./models/connect.js";
import { Settings } from "./models/settings.js";
import { Engine } from "./worker/engine.js";

const engine = new Engine();
const settings = new Settings();
connectModel(engine, settings);
startShell({ engine, settings }).catch(fail);
