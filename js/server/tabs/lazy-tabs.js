// SPDX-License-Identifier: MIT
// Loads what servers of several tabs need, once a server has `tabs`. Loaded through the package's
// import "#server-tabs".
import { LazyModule } from "../../base/lazy.js";

/** @type {LazyModule<typeof import("./tabs.js")>} */
export const TABS = /* @__PURE__ */ new LazyModule(
  "servers of several tabs",
  () => import("./tabs.js"),
);
