// SPDX-License-Identifier: MIT
// The parts of the server that are imported when they are asked for.
import { LazyModule } from "../base/lazy.js";

/** @type {LazyModule<typeof import("./connection.js")>} */
export const CONNECTIONS = /* @__PURE__ */ new LazyModule(
  "connecting sockets to a server",
  () => import("./connection.js"),
);

/** @type {LazyModule<typeof import("./tabs/tabs.js")>} */
export const TABS = /* @__PURE__ */ new LazyModule(
  "sharing threads among tabs",
  () => import("./tabs/tabs.js"),
);

/** @type {LazyModule<typeof import("./agui.js")>} */
export const AG_UI = /* @__PURE__ */ new LazyModule(
  "answering clients of AG-UI",
  () => import("./agui.js"),
);
