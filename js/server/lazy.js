// SPDX-License-Identifier: MIT
// The part of the server that is imported when it is asked for.
import { LazyModule } from "../base/lazy.js";

/** @type {LazyModule<typeof import("./connection.js")>} */
export const CONNECTIONS = /* @__PURE__ */ new LazyModule(
  "connecting sockets to a server",
  () => import("./connection.js"),
);
