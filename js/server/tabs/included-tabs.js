// SPDX-License-Identifier: MIT
// Includes what servers of several tabs need where a program is one file (events/included-views.js
// says why). Loaded through the package's import "#server-tabs".
import * as tabs from "./tabs.js";

export const TABS = { load: async () => tabs };
