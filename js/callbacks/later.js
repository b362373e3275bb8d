// SPDX-License-Identifier: MIT
// Knows: that what tells of a run comes with the first call that has some.
import { Later } from "../later.js";

export const TRACE = /* @__PURE__ */ new Later(() => import("../pregel/watching.js"));
