// SPDX-License-Identifier: MIT
// Includes the rarely used part of the savers where a program is one file (events/included-views.js
// says why). Loaded through the package's import "#saver-methods".
import * as methods from "./methods.js";

export const METHODS = { load: async () => methods };
