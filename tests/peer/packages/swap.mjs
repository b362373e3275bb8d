// SPDX-License-Identifier: MIT
// Preloaded: who imports LangGraph.js gets Weft.
import { register } from "node:module";

register("./swap-hooks.mjs", import.meta.url);
