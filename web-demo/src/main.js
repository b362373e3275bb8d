// SPDX-License-Identifier: MIT
// Starts the studio: the screen that the address names, the engine in its worker, and the model
// that it asks.
import { connectModel } from "./models/connect.js";
import { OfflineSwitch } from "./models/offline-switch.js";
import { Settings } from "./models/settings.js";
import { loadAhead } from "./shell/load-ahead.js";
import { loadScreen } from "./shell/router.js";
import { fail, startShell } from "./shell/shell.js";
import { Engine } from "./worker/engine.js";

// The engine is larger than the page: it is loaded after what a person sees first.
await loadScreen(location.hash);
const offline = new OfflineSwitch();
const engine = new Engine();
offline.connect(engine);
const settings = new Settings();
connectModel(engine, settings);
startShell({ engine, settings, offline }).catch(fail);
// What most visitors open next is asked for beside the engine, not behind its files.
loadScreen("#/work");
loadAhead();
