// SPDX-License-Identifier: MIT
// Loads what servers of several tabs need by the first request to a server with the option `tabs`.
// Other servers do not need it, and a server beside an agent is at its budget of size. Loaded
// through the package's import "#server-tabs".
import { LazyModule } from "../../base/lazy.js";

/** @type {LazyModule<typeof import("./tabs.js")>} */
export const TABS = /* @__PURE__ */ new LazyModule(
  "servers of several tabs",
  () => import("./tabs.js"),
);
