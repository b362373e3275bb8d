// SPDX-License-Identifier: MIT
// Includes the views of events where a program is one file: with import() bundlers would wrap each
// module that the views share with it in a function, and the engine read most code twice. Loaded
// through the package's import "#event-views".
import * as views from "./event-views.js";

export const EVENTS = { load: async () => views, loaded: views };
