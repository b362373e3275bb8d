// SPDX-License-Identifier: MIT
// Loads the views of events by the first call of `streamEvents`, or the first request for a stream
// of events: most pages read `stream` or `invoke` and never need them. Loaded through the package's
// import "#event-views".
import { LazyModule } from "../base/lazy.js";

/** @type {LazyModule<typeof import("./event-views.js")>} */
export const EVENTS = /* @__PURE__ */ new LazyModule(
  "the stream of events",
  () => import("./event-views.js"),
);
